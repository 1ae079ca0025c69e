"""The bounds of the verdict on a training and of its obstacles."""

# A cell has learned if its last loss is less than this fraction of the first, and of that of the best constant prediction.
LEARNED = 0.3
# A loss is below another one, beyond what 64 sequences leave to chance, if it is less than this fraction of it.
NOTABLY_LOWER = 0.9
# A training has diverged if its last loss is more than this many times the first and that of the best constant prediction.
DIVERGED = 3.0
# From this fraction on, saturation at the start is a likely cause.
HIGHLY_SATURATED = 0.4
# Updates saturate a cell if the saturated fraction of an activation grows by more than this.
LARGE_GROWTH = 0.5
# Above this inactive fraction, hardly any unit passes a gradient back.
DEAD = 0.99
# A gradient vanishes or explodes on its way from the last step to the first beyond this many powers of ten.
LARGE_LOG_GAIN = 3.0
# The usual update-to-weight ratio. Below a tenth of it, the weights hardly move. Above LARGE_RATIO they jump.
USUAL_RATIO, SMALL_RATIO, LARGE_RATIO = 10**-3, 10**-4, 10**-0.5
# Beyond this ratio, one update is longer than the weights, and replaces them.
WHOLE_RATIO = 1.0
# From this scale of the weights on, LARGE_RATIO is far above the ratio of a usual first update.
SMALL_START = 0.5
# At the start a gradient that keeps less than a third at every step, in powers of ten. A gate that is half open keeps more: a half.
FADING_LOG_GAIN = -0.5
# Units whose outputs differ by less than this at the start are nearly alike. With the usual weights they differ by about 0.7.
EQUAL_UNITS = 1e-2
# A bounded activation with a smaller maximum derivative than that of tanh shrinks the gradient more at every step.
DERIVATIVE_OF_TANH = 1.0
# Below this fraction of the loss of the best constant, a loss that still falls is well below it.
WELL_BELOW = 0.5
# From here on, the norm of a gradient is far above the usual clip of 1. At the usual learning rate of SGD, 0.1, such an update has a
# norm of 2.
LARGE_NORM = 20.0
# A clip decides if it lowers the gradient norm of more than this fraction of the updates.
MOST_UPDATES = 0.5
# With the default settings most cells learn within so many updates. Some stay at their first loss for most of them, so fewer updates
# do not show that a task is too hard (tests/bench/updates.py).
USUAL_UPDATES = 300
# From one quarter of the updates to the next, a loss that stays varies by less than this. The lowest loss is late if it is in the last part.
SLOW_TREND, LAST_PART = 0.98, 0.9
# The forget biases that a change sets.
USUAL_BIAS, OPEN_BIAS = 1.0, 5.0
# By how much a change multiplies the updates, or divides or multiplies the learning rate or the clip.
UPDATES_FACTOR, RATE_FACTOR = 5, 10
# With so many hidden units most cells learn every task within the usual updates. With one or two many do not.
USUAL_UNITS = 16
# So few units are few for every task.
FEW_UNITS = 4
# A change to more hidden units makes at least so many.
MANY_UNITS = 8
# A gate that starts at 1/2 halves what passes it. Weights of this scale make up for one such gate.
SCALE_FOR_A_HALF = 2.0
# A task with so few time steps is easy.
FEW_STEPS = 5
