"""The sentences above a page, of a comparison, and of **Predict first**."""

# ---- custom values that are not used ----------------------------------------------------------

NOT_USED = "Your values of `{name}` are {shape}, which does not match m, n and k. The page does not use them now."
REFUSED = "The link's `{name}` must be {rule}. The page uses {value} instead."
REFUSED_WITHOUT_VALUE = "The link's `{name}` must be {rule}. The page ignores it."
LOST = (
    "The link does not contain the values of {names}, because there are too many. This browser tab does not have them "
    "either, so the page uses the initialization. Ask the sender for a file, and open it here."
)
COMING = "This browser is sending the values of {names}. Until they arrive, the page uses the initialization."
KEPT = (
    "With {names}, the link would have more than {most} numbers. This browser tab keeps them until you close it, also after a "
    "reload. A link does not carry them, so save them as a file to share them."
)
FULL = (
    "With {names}, the link would have more than {most} numbers, and the storage of this browser tab is full. They are lost when you "
    "reload the page, so save them as a file."
)

# ---- a comparison -----------------------------------------------------------------------------

SETTING = "{label}: {a} in A, {b} in B."
TYPED = "Custom values differ: {names}."
DIFFERENT = "A is frozen, and B follows the sliders. A marked corner in B means that A has another value there."
SAME = "A is frozen, and B follows the sliders. A and B are still the same. Move a slider, or choose other values."

# ---- Predict first ----------------------------------------------------------------------------

ANSWER = "{output} of unit {unit}, with {digits} decimals"
WRONG = "This is not the value. Try again."
RIGHT = "Right."
