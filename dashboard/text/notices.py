"""The messages above a page: custom values that it does not use, and refused parameters of a link."""

NO_CHANNEL = "The picture cannot follow while you drag, because no websocket reaches the server. It follows once you release the slider."
NOT_USED = (
    "Your custom values of `{name}` are {shape}, which does not match m, n and k. The page does not use them now."
)
REFUSED = "`{name}` in the URL must be {rule}. The page uses {value} for “{label}”."
# A parameter without a label has no control.
REFUSED_WITHOUT_LABEL = "`{name}` in the URL must be {rule}. The page uses {value}."
REFUSED_WITHOUT_VALUE = "`{name}` in the URL must be {rule}. The page ignores it."
LOST = (
    "The URL does not contain the custom values of {names}, because there are too many. This browser tab does not have them "
    "either, so the page uses the initialization. Ask the sender for a file, and open it here."
)
COMING = "The page is still loading your custom values of {names} from this browser tab, and uses the initialization until they are there."
KEPT = (
    "The URL cannot contain {names}, because it would have more than {most} numbers. This browser tab keeps your custom values until you close it, also after a "
    "reload. To share them, save them as a file."
)
FULL = (
    "With {names}, the URL would have more than {most} numbers, and the storage of this browser tab is full. Your custom values are lost when you "
    "reload the page, so save them as a file."
)
