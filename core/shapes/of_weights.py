"""Messages about weights that are loaded, or shared between layers."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from core.shapes.explanation import Cause
from core.shapes.found import GATES, Found, cells_of, making, shown, sizes_in
from core.shapes.layer import Shape
from core.shapes.messages import Reading
from core.shapes.of_products import new_cells

_MISMATCH = re.compile(
    r"size mismatch for ([\w.]{1,120}): copying a param with shape torch\.Size\(\[([\d, ]{0,40})\]\) from checkpoint, the shape in current model is torch\.Size\(\[([\d, ]{0,40})\]\)"
)
_KEYS = re.compile(r"(Missing|Unexpected) key\(s\) in state_dict: ((?:\"[\w.]{1,120}\",? ?){1,200})")


class _Tensors(NamedTuple):
    """The recurrent tensors that differ, by their names without the modules around them: of the file and of the model."""

    saved: dict[str, Shape]
    model: dict[str, Shape]

    def gates(self, cells: tuple[str, ...]) -> int | None:
        """Return how many blocks the weights have: from weight_hh, (gates·k, k), or from the cell if one is named."""
        hh = next(
            (shape for name, shape in self.saved.items() if name.startswith("weight_hh") and len(shape) == 2), None
        )
        if hh and hh[1] and hh[0] // hh[1] in GATES.values():
            return hh[0] // hh[1]
        return GATES[cells[0]] if len(cells) == 1 else None

    def sizes(self, shapes: dict[str, Shape], gates: int | None) -> tuple[int | None, int | None]:
        """Return m and k of the first layer, as far as these shapes tell them."""
        hh = next((shape for name, shape in shapes.items() if name.startswith("weight_hh")), ())
        ih = next((shape for name, shape in shapes.items() if name in ("weight_ih", "weight_ih_l0")), ())
        k = hh[1] if len(hh) == 2 else ih[0] // gates if len(ih) == 2 and gates else None
        return (ih[1] if len(ih) == 2 else None), k


def checkpoint(reading: Reading) -> Found:
    """Weights of another size are loaded: the columns of weight_hh tell k, those of weight_ih tell m."""
    found = [(name.split(".")[-1], sizes_in(got), sizes_in(was)) for name, got, was in _MISMATCH.findall(reading.whole)]
    recurrent = [one for one in found if re.match(r"(weight|bias)_[ih][hr]", one[0])]
    if not recurrent:
        return _of_another_module(reading)
    tensors = _Tensors(
        {name: got for name, got, _ in recurrent},
        {name: was for name, _, was in recurrent},
    )
    cells = cells_of(reading)
    gates = tensors.gates(cells)
    (m_saved, k_saved), (m, k) = (tensors.sizes(shapes, gates) for shapes in tensors)
    cells = tuple(cell for cell in cells if GATES[cell] == gates) or cells
    suffix = "" if any("_l" in name for name in tensors.saved) else "Cell"
    differ = {"m": (m_saved, m, "input_size"), "k": (k_saved, k, "hidden_size")}
    differ = {letter: told for letter, told in differ.items() if told[0] and told[1] and told[0] != told[1]}
    words = ", ".join(f"{letter} {was} in the file and {now} in the model" for letter, (was, now, _) in differ.items())
    arguments = [f"{name}={was}" for was, _, name in differ.values()] + _arguments_of_keys(reading)

    def causes() -> Iterable[Cause]:
        why = (
            f"The file was saved by a layer of other sizes: {words}."
            if words
            else f"{reading.said['name']} is {reading.said['got']} in the file and {reading.said['expected']} in the model."
        )
        change = making(cells, ", ".join(("...", *arguments)), "as it was when the file was saved", suffix)
        if not arguments:
            change = "# make the layer with the arguments that it had when the file was saved"
        yield Cause("checkpoint", 8, why, change, tensors.saved)
        if m_saved and k_saved and (m_saved, k_saved) == (k, m):
            yield Cause(
                "swapped-arguments",
                9,
                f"m and k are each other's: input_size and hidden_size are exchanged in the model, {m} and {k}.",
                making(cells, f"..., input_size={m_saved}, hidden_size={k_saved}", suffix=suffix),
                tensors.saved,
            )

    known = {"m": m_saved, "k": k_saved, "m of the model": m, "k of the model": k}
    return Found("loading saved weights", {name: size for name, size in known.items() if size}, causes())


def _of_another_module(reading: Reading) -> Found:
    """Weights of something else than a recurrent layer: two axes may be those of a linear layer or of an embedding."""
    saved = reading.shape("got")
    name = reading.said["name"]
    change = "# make this module with the sizes of the file"
    if len(saved) == 2:
        change = f"nn.Linear({saved[1]}, {saved[0]})   # if it is a Linear\nnn.Embedding({saved[0]}, {saved[1]})   # if it is an Embedding"
    elif len(saved) == 1:
        change = f"nn.Linear(..., out_features={saved[0]})   # if it is a Linear"
    why = f"{name} is {reading.said['got']} in the file and {reading.said['expected']} in the model."
    return Found("loading saved weights", {}, [Cause("checkpoint", 8, why, change, {name: saved})])


def _arguments_of_keys(reading: Reading) -> list[str]:
    """Return the arguments that give a layer the tensors of the file: its directions and its number of layers."""
    arguments = {}
    for which, keys in _KEYS.findall(reading.whole):
        numbers = {int(number) for number in re.findall(r"(?:weight|bias)_[ih][hr]_l(\d{1,4})\b", keys)}
        if re.search(r"_l0_reverse", keys) and 0 not in numbers:
            arguments["bidirectional"] = str(which == "Unexpected")
        # Layer 0 is there in any case, if both have the same names for the module.
        if numbers and 0 not in numbers:
            arguments["num_layers"] = str(min(numbers) if which == "Missing" else max(numbers) + 1)
    return [f"{name}={value}" for name, value in arguments.items()]


def checkpoint_keys(reading: Reading) -> Found:
    """Whole layers or directions are missing, or too many."""
    arguments = _arguments_of_keys(reading)
    missing = "Missing" in reading.message
    named = " and ".join(argument.split("=")[0] for argument in arguments)
    what = {"bidirectional": "a second direction", "num_layers": "another layer"}.get(named, "tensors")
    why = f"The model has {what} that the file lacks." if missing else f"The file has {what} that the model lacks."
    change = "# model and file must have tensors of the same names"
    if arguments:
        change = making(cells_of(reading), ", ".join(("...", *arguments)), "as it was when the file was saved")
    return Found("loading saved weights", {}, [Cause("checkpoint", 8, why, change, {})])


def set_weights(reading: Reading) -> Found:
    """Keras is given weights of another size."""
    wanted, got = reading.shape("expected"), reading.shape("got")

    def causes() -> Iterable[Cause]:
        yield Cause(
            "checkpoint",
            8,
            f"The layer's weights are {shown(wanted)}, and {shown(got)} were given.",
            "# make the layer with the sizes of the saved one, then set_weights",
            {"weights": wanted},
        )
        for gates in GATES.values():
            k = wanted[-1] // gates
            if (
                len(wanted) == len(got) == 2
                and wanted[-1] == gates * k
                and got == (k, gates * wanted[0])
                and k != wanted[0]
            ):
                yield Cause(
                    "swapped-arguments",
                    9,
                    f"m = {got[0]} and k = {wanted[0]} in the one are exchanged in the other.",
                    "# the number of units is the layer's argument, the features are the input's",
                    {},
                )
                return

    return Found("loading saved weights", {}, causes())


def weight_list(reading: Reading) -> Found:
    cause = Cause(
        "checkpoint",
        8,
        f"{reading.said['got']} arrays were given, and the layer has {reading.said['expected']}: the kernel, the recurrent kernel and the bias.",
        "layer.set_weights([kernel, recurrent_kernel, bias])",
        {},
    )
    return Found("loading saved weights", {}, [cause])


def parameter(reading: Reading) -> Found:
    """Flax finds a kernel of another size than x asks for."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    came, made_for, k = wanted[0], got[0], wanted[-1]

    def causes() -> Iterable[Cause]:
        if wanted[-1] != got[-1]:
            yield Cause(
                "checkpoint",
                8,
                f"The saved kernel is {shown(got)}, and the model's {shown(wanted)}.",
                f"features={got[-1]}",
                {"kernel": got},
            )
            return
        if came == k:
            yield Cause(
                "shared-cell",
                8,
                f"What came has {came} = k entries, the h of the layer below, and the kernel is for {made_for}: the second layer was given the first one's cell.",
                f"[nn.OptimizedLSTMCell(features={k}) for _ in range(layers)]",
                {"kernel": wanted},
            )
        yield Cause(
            "input-size",
            6,
            f"x has {came} entries, and the kernel was made for {made_for}.",
            "# init the parameters with an x of the same size",
            {"x": (-1, made_for)},
        )
        yield Cause(
            "checkpoint",
            6,
            f"Or the parameters were saved by a model for {made_for} entries.",
            "# load the parameters of this model",
            {"kernel": wanted},
        )

    return Found("the weights of a cell", {"m": made_for, "k": k}, causes())


def specified(reading: Reading) -> Found:
    """A variable that two layers share: the second asks for (2k, g·k) and finds (m + k, g·k)."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    k = wanted[0] // 2 if wanted and wanted[0] > 1 else 0
    sizes = {"k": k, "m": got[0] - k} if k and got and got[0] > k else {}

    def causes() -> Iterable[Cause]:
        fit = 9 if len(wanted) == len(got) == 2 and wanted[1] == got[1] else 6
        yield Cause(
            "shared-cell",
            fit,
            f"{shown(wanted)} was asked for and {shown(got)} was there{f': k = {k}, and m = {got[0] - k}' if sizes else ''}. The second layer was given the first one's cell.",
            new_cells(k),
            {"the second layer's weights": wanted},
        )
        yield Cause(
            "checkpoint",
            5,
            "Or the graph was built once more with other sizes under the same names.",
            "tf.reset_default_graph()",
            {},
        )

    return Found("the weights of a cell", sizes, causes())


def onnx_weight(reading: Reading) -> Found:
    wanted, got = reading.shape("expected"), reading.shape("got")
    which = reading.said["which"]
    # W is for x, so its last axis follows x; R is for h and has sizes of its own.
    code = "input-size" if which == "W" and wanted[:-1] == got[:-1] else "checkpoint"
    cause = Cause(
        code,
        8,
        f"{which} is {shown(got)} and must be {shown(wanted)}.",
        "# x must have as many features as W has columns" if code == "input-size" else "# export the model anew",
        {which: wanted},
    )
    return Found("the weights of a node", {"m": wanted[-1]} if which == "W" else {"k": wanted[-1]}, [cause])
