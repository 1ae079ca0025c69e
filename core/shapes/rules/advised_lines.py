"""Lines of code that several rules advise, in the words of each framework."""

from core.shapes.layer_shapes import Shape, format_sizes
from core.shapes.messages import Reading
from core.shapes.rules.read_layer import named_cell

# The line that makes one array of the sequences for a model of Keras.
PADDED_FOR_KERAS = 'x = keras.utils.pad_sequences(x, dtype="float32", padding="post")   # padded with 0 to one length; dtype="int32" for numbers of words'

# How a framework makes an array of zeros; all others with NumPy.
_ZEROS = {"PyTorch": "torch.zeros", "Keras": "tf.zeros", "JAX": "jnp.zeros"}


def library(framework: str) -> str:
    """Return the name under which the library of an array is imported."""
    return zeros(framework).partition(".")[0]


def zeros(framework: str) -> str:
    """Return the function that makes an array of zeros."""
    return _ZEROS.get(framework, "np.zeros")


def without_a_step(of_x: int, of_targets: int, targets: str, shorter: str) -> str:
    """Return the line that drops the first step of the targets, or the last one of the predictions if they have more.

    Parameters
    ----------
    of_x, of_targets : int
        The steps of the predictions and of the targets.
    targets : str
        Their name in the line.
    shorter : str
        The code that drops the last step of the predictions.
    """
    if of_targets > of_x:
        return f"{targets} = {targets}[:, 1:]   # the target of each step is the next input"
    return f"{shorter}   # the last step has no target"


def counted(count: int, one: str, many: str) -> str:
    """Return a count and its noun, such as "1 row" and "2 rows"."""
    return f"{count} {one if count == 1 else many}"


def making(cells: tuple[str, ...], arguments: str, when: str = "", suffix: str = "") -> str:
    """Return the line of PyTorch that makes a layer. Its comment names the other layers that it may be.

    Parameters
    ----------
    cells : tuple of str
        From `cells_of`.
    arguments : str
        ``...`` stands for the reader's own.
    when : str
        The condition under which the line is right.
    suffix : {"", "Cell"}
    """
    others = f"or {', '.join(f'{cell}{suffix}' for cell in cells[1:])}" if len(cells) > 1 else ""
    comment = "; ".join(part for part in (others, when) if part)
    return f"nn.{cells[0]}{suffix}({arguments}){f'   # {comment}' if comment else ''}"


def other_features(wanted: int, got: int, *, predicts: bool) -> str:
    """Return the lines of Keras for an x of other features than the model's: a trained model keeps its own.

    Parameters
    ----------
    wanted, got : int
        The features of the model and of x.
    predicts : bool
        Whether a model that was trained got this x.
    """
    model = f"Input((None, {got}))"
    if not predicts:
        first = f"\nx = x[..., :{wanted}]   # or {'the first feature' if wanted == 1 else f'the first {wanted} features'} alone"
        return model + first * (got > wanted)
    same = f"x = x[..., :{wanted}]   # the features of the training, if they come first"
    if got < wanted:
        same = f"# make x with the {counted(wanted, 'feature', 'features')} of the training"
    return f"{same}\n{model}   # in a new model"


def of_cell(reading: Reading, value: str) -> str:
    """Return the line for the PyTorch cell that a text names, or for each that it may be; ``{}`` in the value is the old state."""
    of_one = f"h = {value.replace('{}', 'h')}"
    of_pair = f"h, c = {value.replace('{}', 'h')}, {value.replace('{}', 'c')}" if "{}" in value else f"h = c = {value}"
    named = named_cell(reading)
    if named:
        return of_pair if named == "LSTM" else of_one
    return f"{of_one}   # of a GRUCell or an RNNCell\n{of_pair}   # of an LSTMCell"


def each(names: tuple[str, ...], value: str) -> str:
    """Return the line that gives each of these tensors a new value, with ``{}`` in the place of the old one."""
    return f"{', '.join(names)} = {', '.join(value.replace('{}', name) for name in names)}"


def last_step(call: str) -> str:
    """Return the lines that give the last step to a call, in both orders of the axes.

    With batch_first, output[-1] is the last sequence, so that this line comes second.
    """
    return (
        f"{call.format('output[:, -1]')}   # the last step, with batch_first=True\n"
        f"{call.format('output[-1]')}   # the last step, without batch_first"
    )


def axes_of_x(got: int) -> str:
    """Return the lines that give x, of this number of axes, the axes which a layer of PyTorch takes."""
    if got == 1:
        return "x = x.unsqueeze(0)   # if x is one step: (1, features)\nx = x.reshape(1, 1, -1)   # if its state has three axes: (1, 1, features)\nx = x.unsqueeze(1)   # if each step is a single number: (steps, 1)"
    if got == 2:
        return (
            "x = x.unsqueeze(1)   # (steps, 1, features)\nx = x.unsqueeze(0)   # with batch_first: (1, steps, features)"
        )
    if got == 0:
        return "x = x.reshape(1, 1)   # one step of a single number"
    if got > 4:
        return "x = x.flatten(2)   # if all axes after the second are features, as those of a convolution at each step"
    return "x = x.squeeze(1)   # if x is a batch of images with one channel: (batch, 1, rows, columns)\nx = x.squeeze(0)   # if its first axis is 1\nx = x.flatten(2)   # if all axes after the second are features\nx = x.permute(0, 3, 1, 2).flatten(2)   # if x is (batch, channels, rows, columns) of a convolution, and each column is a step"


def concatenated(framework: str, names: tuple[str, str], axis: int) -> str:
    """Return the call that concatenates two arrays."""
    call, word = {
        "PyTorch": ("torch.cat", "dim"),
        "Keras": ("tf.concat", "axis"),
        "JAX": ("jnp.concatenate", "axis"),
    }.get(framework, ("np.concatenate", "axis"))
    return f"{call}([{', '.join(names)}], {word}={axis})"


def stacked_product(framework: str, missing: str = "x") -> str:
    """Return the product with the stacked input [h; x], of which B is one part."""
    there = {"x": "h", "h": "x"}[missing]
    return f"A @ {concatenated(framework, ('B', 'x') if missing == 'x' else ('h', 'B'), 0)}   # if B is {there} alone"


def new_weights(framework: str, name: str, shape: Shape) -> str:
    """Return the line that gives the second layer weights of its own: new cells in Keras, else a new matrix."""
    if framework == "Keras":
        return new_cells(shape[-1] // 4 if name == "B" else shape[0] // 4)
    return f"{name} = {zeros(framework)}(({format_sizes(shape)}))   # weights of its own for the second layer"


def new_cells(k: int) -> str:
    return f"[LSTMCell({k}) for _ in range(layers)]   # not [cell] * layers; or GRUCell, SimpleRNNCell"
