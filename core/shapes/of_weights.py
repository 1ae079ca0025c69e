"""Messages about weights that are loaded, or shared between layers."""

import re
from collections.abc import Iterable, Mapping

from core.shapes.explanation import Cause
from core.shapes.found import GATES, Found, shown, sizes_in
from core.shapes.layer import Shape
from core.shapes.messages import Reading
from core.shapes.of_products import new_cells


def checkpoint(reading: Reading) -> Found:
    """Weights of another size are loaded: the rows of weight_hh tell k, the columns of weight_ih m."""
    pattern = re.compile(
        r"size mismatch for ([\w.]{1,120}): copying a param with shape torch\.Size\(\[([\d, ]{1,40})\]\) from checkpoint, the shape in current model is torch\.Size\(\[([\d, ]{1,40})\]\)"
    )
    saved, model = {}, {}
    for name, got, wanted in pattern.findall(reading.whole):
        saved[name.split(".")[-1]], model[name.split(".")[-1]] = sizes_in(got), sizes_in(wanted)

    def told(shapes: Mapping[str, Shape]) -> tuple[int | None, int | None]:
        """m and k of the first layer."""
        hh = next((shape for name, shape in shapes.items() if name.startswith("weight_hh")), None)
        ih = next((shape for name, shape in shapes.items() if name in ("weight_ih", "weight_ih_l0")), None)
        return (ih[1] if ih else None), (hh[1] if hh else None)

    (m_saved, k_saved), (m, k) = told(saved), told(model)
    if k is None and (ih := model.get("weight_ih_l0")) and ih[0] != saved["weight_ih_l0"][0]:
        # As many gates in both: the larger of the two numbers that the rows allow.
        gates = next((g for g in (4, 3, 1) if ih[0] % g == 0 and saved["weight_ih_l0"][0] % g == 0), 1)
        k, k_saved = ih[0] // gates, saved["weight_ih_l0"][0] // gates
    differ = {"m": (m_saved, m), "k": (k_saved, k)}
    words = ", ".join(
        f"{letter} {was} in the file and {now} in the model"
        for letter, (was, now) in differ.items()
        if was and now and was != now
    )

    def causes() -> Iterable[Cause]:
        why = (
            f"The file was saved by a layer of other sizes: {words}."
            if words
            else f"{reading.said['name']} is {reading.said['got']} in the file and {reading.said['expected']} in the model."
        )
        change = f"nn.LSTM(input_size={m_saved or '...'}, hidden_size={k_saved or '...'})   # as it was when the file was saved"
        yield Cause("checkpoint", 8, why, change, saved)
        if m_saved and k_saved and (m_saved, k_saved) == (k, m):
            yield Cause(
                "swapped-arguments",
                9,
                f"m and k are each other's: input_size and hidden_size are exchanged in the model, {m} and {k}.",
                f"nn.LSTM(input_size={m_saved}, hidden_size={k_saved})",
                saved,
            )

    sizes = {
        name: size
        for name, size in (("m", m_saved), ("k", k_saved), ("m of the model", m), ("k of the model", k))
        if size
    }
    return Found("loading saved weights", sizes, causes())


def checkpoint_keys(reading: Reading) -> Found:
    """Whole layers or directions are missing, or too many."""
    names = " ".join(re.findall(r"key\(s\) in state_dict: ([^\n]{0,2000})", reading.whole))
    missing = "Missing" in reading.message
    what = (
        "a second direction" if "reverse" in names else "another layer" if re.search(r"_l[1-9]", names) else "a tensor"
    )
    why = f"The model has {what} that the file lacks." if missing else f"The file has {what} that the model lacks."
    argument = f"bidirectional={not missing}" if "reverse" in names else "num_layers=..." if "layer" in what else "..."
    change = f"nn.LSTM(..., {argument})   # as it was when the file was saved"
    return Found("loading saved weights", {}, [Cause("checkpoint", 8, why, change, {})])


def set_weights(reading: Reading) -> Found:
    """Keras is given weights of another size."""
    wanted, got = reading.shape("expected"), reading.shape("got")

    def causes() -> Iterable[Cause]:
        yield Cause(
            "checkpoint",
            8,
            f"The layer's weights are {shown(wanted)}, and {shown(got)} were given.",
            "make the layer with the sizes of the saved one, then set_weights",
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
                    "the number of units is the layer's argument, the features are the input's",
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
            "init the parameters with an x of the same size",
            {"x": (-1, made_for)},
        )
        yield Cause(
            "checkpoint",
            6,
            f"Or the parameters were saved by a model for {made_for} entries.",
            "load the parameters of this model",
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
            new_cells(reading, k),
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
        "x must have as many features as W columns" if code == "input-size" else "export the model anew",
        {which: wanted},
    )
    return Found("the weights of a node", {"m": wanted[-1]} if which == "W" else {"k": wanted[-1]}, [cause])
