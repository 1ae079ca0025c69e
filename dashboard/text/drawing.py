"""The words of pictures and charts, on every page."""

# In the tooltip of an entry without a value.
NOT_A_NUMBER, BLANK = "not a number", "blank"
NO_GRADIENT = "no gradient flows back to here"

# The axes of the map of a loss at each step.
LOSS_AT_STEP, LOSS_AT_ONE_STEP, AT_STEP = "loss at step", "loss at step {step}, row", "at step"
LOG_NORM = "log₁₀ of the norm"

# Below a matrix that is drawn smaller: one column, or several.
MEAN, MEAN_UP_TO = "mean of {size}", "mean of up to {size}"
MEAN_OF_ENTRIES, MEAN_OF_ENTRIES_UP_TO = "mean of {size} entries", "mean of up to {size} entries"

# In a long sum.
MORE_PRODUCTS = "({count} more products: {total})"

# The axes and the dashed lines of the charts of saturation.
WEIGHT_SCALE, FAN_IN = "weight scale", "fan-in n + m"
EXPECTED, DASHED = "{name}, theory", "theory"
FRACTION_SATURATED, MEDIAN_DERIVATIVE = "fraction saturated", "median of {g}′(z)"
