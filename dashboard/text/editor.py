"""The sentences of the editor of custom values."""

ARRAY = "Array"
FILL, INDEX, VALUE = "Fill", "Index", "Value"
# The button that fills a line, by what it fills.
FILL_LINE = {"row": "Fill row", "column": "Fill column"}
PASTE = "Paste {name}, {rows}×{columns}"
PASTE_HELP = "Paste from a spreadsheet, as lines of numbers, as nested lists or as np.array(...)."
SAVE = "Save {name}.csv"
RESET, RESET_ALL = "Reset {name}", "Reset all arrays"
AT_SCALE_1 = "These are the weights at scale 1. On the pages and in the downloaded .csv, they are multiplied by the weight scale, {scale:g}."
WITHOUT_FORGET_BIAS = "The pages, and the .csv that you download, have {name} plus the forget bias, {forget_bias:g}."
# The reasons to refuse an edit, and what follows.
OTHER_SHAPE = "{name} is {rows}×{columns}. To change its shape, change m, n or k."
NOT_FINITE = "{name} has no finite number in row {row}, column {column}. Enter a number from −10⁹ to 10⁹."
UNCHANGED = "Nothing was changed."
