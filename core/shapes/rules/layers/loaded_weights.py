"""Weights that are loaded, or shared between layers."""

import ast
import re
from typing import NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, sizes_in
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.read_layer import GATES, cells_of
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason
from core.shapes.shape_inference.layer_calls import LAYERS
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.syntax_trees import function_of

_LOADING = "loading"
_SIZES = r"torch\.Size\(\[([\d, ]{0,40})\]\)"
_MISMATCH = re.compile(
    rf"size mismatch for ([\w.]{{1,120}}): copying a param with shape {_SIZES} from checkpoint, the shape in current model is {_SIZES}"
)
# The words of the first versions of PyTorch, which stop at the first tensor that differs.
_FORMER_MISMATCH = re.compile(
    rf"the parameter named ['\"]?([\w.]{{1,120}})['\"]?, whose dimensions in the model are {_SIZES} and whose dimensions in the checkpoint are {_SIZES}"
)
_OLDER_MISMATCH = re.compile(
    rf"size mismatch for ([\w.]{{1,120}}): copying a param of {_SIZES} from checkpoint, where the shape is {_SIZES} in current model"
)
_KEYS = re.compile(r"(Missing|Unexpected) key\(s\) in state_dict: ((?:\"[\w.]{1,120}\",? ?){1,200})")
_FORMER_KEYS = re.compile(
    r"(missing keys|unexpected key) (?:in state_dict: )?((?:[\"'{}]{0,3}[\w.]{1,120}[\"'{}]{1,3},? ?){1,200})"
)


def _keys(text: str) -> list[tuple[str, str]]:
    """Return the names of the tensors that are missing or unexpected, in the words of any version."""
    former = [("Missing" if which[0] == "m" else "Unexpected", names) for which, names in _FORMER_KEYS.findall(text)]
    return _KEYS.findall(text) + former


# ---- PyTorch: recurrent weights of another size ------------------------------------------------


class _Tensors(NamedTuple):
    """The recurrent tensors that differ, by their names without the modules around them: of the file and of the model."""

    saved: dict[str, Shape]
    model: dict[str, Shape]

    def cell(self, shapes: dict[str, Shape]) -> str:
        """Return the cell whose number of gates weight_hh, (gates·k, k), has; empty if it tells none."""
        hh = next((shape for name, shape in shapes.items() if name.startswith("weight_hh") and len(shape) == 2), (0, 0))
        return next((cell for cell, gates in GATES.items() if hh[1] and hh[0] == gates * hh[1]), "")

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


# One layer that is made as it was does not make the others so.
_THAT_FIT = (
    "model.load_state_dict({name: tensor for name, tensor in saved.items() if tensor.shape == model.state_dict()[name].shape}, strict=False)"
    "   # if the layers of another size are to be trained anew"
)


def _as_saved(facts: Facts) -> str:
    """Return the line that makes the layer with the arguments of the saved one."""
    if not facts.arguments:
        return "# make the layer with the arguments that it had when the file was saved"
    arguments = ", ".join(("...", *facts.arguments))
    made = advised_lines.making(facts.cells, arguments, "as it was when the file was saved", facts.suffix)
    if not facts.has_others:
        return made
    # A model that takes the size as an argument gives it to all its layers.
    return facts.model_anew or made if facts.has_keys else f"{facts.model_anew or made}\n{_THAT_FIT}"


def _model_with(reading: Reading, arguments: list[str]) -> str:
    """Return the line that makes the model with these arguments of a layer; empty if no line tells the model."""
    call, of_class = failed_operation(reading), _OF_CLASS.search(reading.whole)
    if call is None or "model" not in call.names or not of_class or not arguments or of_class[1] in LAYERS:
        return ""
    words = " and ".join(arguments)
    return f"{ast.unparse(call.names['model'])} = {of_class[1]}(...)   # with {words}, and the layers after it, as when the file was saved"


_OF_CLASS = re.compile(r"in loading state_dict for (\w{1,80}):")


def _model_anew(reading: Reading, mismatches: list[tuple[str, Shape, Shape]], saved: int, now: int) -> str:
    """Return the line that makes the model with the size of the file; empty if other sizes differ as well, or if no line tells the model."""
    call, of_class = failed_operation(reading), _OF_CLASS.search(reading.whole)
    sizes = [pair for _, *shapes in mismatches for pair in zip(*shapes) if pair[0] != pair[1]]
    # Tensors of gates have several times as many rows.
    if call is None or "model" not in call.names or not of_class or any(a * now != b * saved for a, b in sizes):
        return ""
    name = ast.unparse(call.names["model"])
    made = [one.value for one in reading.program if one.target == name and function_of(one.value) == of_class[1]]
    code = re.sub(rf"\b{now}\b", str(saved), ast.unparse(made[-1])) if made else f"{of_class[1]}(...)"
    return f"{name} = {code}   # with {saved} where it has {now}, as it was when the file was saved"


def _only_pair(mismatches: list[tuple[Shape, Shape]]) -> tuple[int, int]:
    """Return the size in the file and that in the model, if all tensors differ in these alone; two zeros otherwise."""
    found = {pair for saved, model in mismatches for pair in zip(saved, model) if pair[0] != pair[1]}
    return found.pop() if len(mismatches) > 1 and len(found) == 1 else (0, 0)


CHECKPOINT: Rules = (
    strong(
        "checkpoint",
        (
            reason("checkpoint-m-and-k", "m_saved", "m", "k_saved", "k", when=lambda f: f.m_differs and f.k_differs),
            reason("checkpoint-m", "m_saved", "m", when=lambda f: f.m_differs and not f.k_differs),
            reason("checkpoint-k", "k_saved", "k", when=lambda f: f.k_differs and not f.m_differs),
            reason("checkpoint-tensor", "name", "got", "expected", when=lambda f: not (f.m_differs or f.k_differs)),
        ),
        _as_saved,
    ),
    sure(
        "checkpoint",
        reason("checkpoint-cell", "cell_saved", "cell_model", gates=lambda f: GATES[f.cell_saved]),
        lambda f: advised_lines.making(
            (f.cell_saved,),
            ", ".join(("...", *f.arguments)),
            f"in the place of {f.cell_model}{f.suffix}, as it was when the file was saved",
            f.suffix,
        ),
        lambda f: f.cell_saved and f.cell_model and f.cell_saved != f.cell_model,
    ),
    sure(
        "swapped-arguments",
        reason("checkpoint-exchanged", "m", "k"),
        lambda f: advised_lines.making(
            f.cells, f"..., input_size={f.m_saved}, hidden_size={f.k_saved}", suffix=f.suffix
        ),
        lambda f: f.m_saved and f.k_saved and (f.m_saved, f.k_saved) == (f.k, f.m),
    ),
)


@diagnoses("checkpoint")
def checkpoint(reading: Reading) -> Diagnosis:
    """Diagnose weights of another size: the columns of weight_hh tell k, those of weight_ih tell m."""
    mismatches = _MISMATCH.findall(reading.whole) + _OLDER_MISMATCH.findall(reading.whole)
    mismatches += [(name, got, was) for name, was, got in _FORMER_MISMATCH.findall(reading.whole)]
    found = [(name.split(".")[-1], sizes_in(got), sizes_in(was)) for name, got, was in mismatches]
    recurrent = [one for one in found if re.match(r"(weight|bias)_[ih][hr]", one[0])]
    if not recurrent:
        return _of_another_module(reading, [(name, sizes_in(got), sizes_in(was)) for name, got, was in mismatches])
    tensors = _Tensors({name: got for name, got, _ in recurrent}, {name: was for name, _, was in recurrent})
    cells = cells_of(reading)
    gates = tensors.gates(cells)
    (m_saved, k_saved), (m, k) = (tensors.sizes(shapes, gates) for shapes in tensors)
    differ = {
        "input_size": m_saved if m_saved and m and m_saved != m else None,
        "hidden_size": k_saved if k_saved and k and k_saved != k else None,
    }
    arguments = [*(f"{name}={was}" for name, was in differ.items() if was), *arguments_of_keys(reading)]
    has_keys = bool(_keys(reading.whole))
    facts = Facts(
        **_mismatch_of(reading),
        saved=tensors.saved,
        cell_saved=tensors.cell(tensors.saved),
        cell_model=tensors.cell(tensors.model),
        cells=tuple(cell for cell in cells if GATES[cell] == gates) or cells,
        has_others=len(recurrent) < len(found),
        has_keys=has_keys,
        model_anew=_model_with(reading, arguments)
        if has_keys
        else _model_anew(reading, found, k_saved, k)
        if k_saved and k and k_saved != k
        else "",
        suffix="" if any("_l" in name for name in tensors.saved) else "Cell",
        m_saved=m_saved,
        k_saved=k_saved,
        m=m,
        k=k,
        m_differs=differ["input_size"] is not None,
        k_differs=differ["hidden_size"] is not None,
        arguments=arguments,
    )
    known = {"m": m_saved, "k": k_saved, "model-m": m, "model-k": k}
    return Diagnosis(_LOADING, facts, CHECKPOINT, {name: size for name, size in known.items() if size})


def _mismatch_of(reading: Reading) -> dict[str, str]:
    """Return the tensor that the message names, and its shapes as the message writes them."""
    return {name: reading.values[name] for name in ("name", "got", "expected")}


def arguments_of_keys(reading: Reading) -> list[str]:
    """Return the arguments that give a layer the tensors of the file: its directions and its number of layers."""
    arguments = {}
    for which, keys in _keys(reading.whole):
        numbers = {int(number) for number in re.findall(r"(?:weight|bias)_[ih][hr]_l(\d{1,4})\b", keys)}
        if re.search(r"_l0_reverse", keys) and 0 not in numbers:
            arguments["bidirectional"] = str(which == "Unexpected")
        # Layer 0 is there in any case, if both have the same names for the module.
        if numbers and 0 not in numbers:
            arguments["num_layers"] = str(min(numbers) if which == "Missing" else max(numbers) + 1)
    return [f"{name}={value}" for name, value in arguments.items()]


# ---- PyTorch: other weights, and tensors that are missing --------------------------------------


_WORDS = "# number the words as in the training of the file: save its vocabulary of {} words, and load both"


def _words(mismatches: list[tuple[str, Shape, Shape]]) -> int:
    """Return the words of the file, if an embedding of words has another number of rows than in the model; else 0."""
    for name, saved, model in mismatches:
        is_of_words = re.search("emb", name, re.IGNORECASE) and not re.search("pos|type|segment", name, re.IGNORECASE)
        if is_of_words and len(saved) == len(model) == 2 and saved[0] != model[0] and saved[1] == model[1]:
            return saved[0]
    return 0


def _module_lines(facts: Facts) -> str:
    """Return the modules that two axes or one may be the weights of."""
    saved, size = facts.saved, facts.pair[0]
    if facts.arguments:  # the other module reads the output of this layer
        arguments = ", ".join(("...", *facts.arguments))
        made = advised_lines.making(facts.cells, arguments, "as it was when the file was saved")
        return f"{facts.model_anew}\n{made}" if facts.model_anew else made
    if size and facts.words:
        return f"{_WORDS.format(size)}\n{_THAT_FIT}"
    if size:
        return (
            f"# make the model with {size} where it has {facts.pair[1]}, as it was when the file was saved\n{_THAT_FIT}"
        )
    if len(saved) == 2 and "emb" in facts.name.lower():
        made = f"nn.Embedding({saved[0]}, {saved[1]})   # as it was when the file was saved"
        return f"{made}\n{_WORDS.format(saved[0])}" if facts.words else made
    if len(saved) == 2:
        return f"nn.Linear({saved[1]}, {saved[0]})   # if it is a Linear\nnn.Embedding({saved[0]}, {saved[1]})   # if it is an Embedding"
    if len(saved) == 1:
        return f"nn.Linear(..., out_features={saved[0]})   # if it is a Linear"
    return "# make this module with the sizes of the file"


OTHER_MODULE: Rules = first_of(
    strong(
        "checkpoint",
        (
            reason("checkpoint-tensor", "name", "got", "expected"),
            reason("checkpoint-modules", "of_file", "of_model"),
            reason("file-lacks-direction", when=lambda f: f.reverse == {"Missing"}),
            reason("model-lacks-direction", when=lambda f: f.reverse == {"Unexpected"}),
        ),
        lambda f: (
            "# make the model with the classes and arguments that it had when the file was saved"
            + "".join(f", such as {one}" for one in f.arguments)
        ),
        lambda f: f.of_file,
    ),
    strong(
        "checkpoint",
        (
            reason("file-lacks-direction", when=lambda f: f.reverse == {"Missing"}),
            reason("model-lacks-direction", when=lambda f: f.reverse == {"Unexpected"}),
            reason("checkpoint-tensor", "name", "got", "expected"),
            reason("checkpoint-words", "words", when=lambda f: f.words),
            reason("checkpoint-one-size", saved="pair[0]", model="pair[1]", when=lambda f: f.pair[0] and not f.words),
        ),
        _module_lines,
    ),
)


def _modules(reading: Reading, which: str) -> set[str]:
    """Return the first names of the tensors that are missing or unexpected."""
    return {
        name.split(".")[0]
        for of, names in _keys(reading.whole)
        if of == which
        for name in re.findall(r"[\w.]{1,120}", names)
    }


def _of_another_module(reading: Reading, mismatches: list[tuple[str, Shape, Shape]]) -> Diagnosis:
    of_model, of_file = _modules(reading, "Missing"), _modules(reading, "Unexpected")
    prefixes = [bool(one) for one in _prefixes_of_names(reading)]
    is_other = of_model and of_file and not of_model & of_file and prefixes[0] == prefixes[1]
    facts = Facts(
        **_mismatch_of(reading),
        saved=reading.shape("got"),
        pair=(0, 0) if _keys(reading.whole) else _only_pair([(saved, model) for _, saved, model in mismatches]),
        words=_words(mismatches),
        of_model=min(of_model) if is_other else "",
        of_file=min(of_file) if is_other else "",
        arguments=arguments_of_keys(reading),
        model_anew=_model_with(reading, arguments_of_keys(reading)),
        cells=cells_of(reading),
        reverse={which for which, names in _keys(reading.whole) if "_reverse" in names},
    )
    return Diagnosis(_LOADING, facts, OTHER_MODULE)


def _missing(code: str, what: str, *, from_file: bool) -> Rule:
    """Return the rule for tensors that only the model has, or only the file."""
    return strong(
        "checkpoint",
        code,
        _as_saved_by_keys,
        lambda f: f.what == what and f.from_file == from_file and not (f.of_file or f.of_model or f.part),
    )


def _as_saved_by_keys(facts: Facts) -> str:
    if not facts.arguments:
        new = "if the model needs no other" if not facts.from_file else "if these layers are to be trained anew"
        return f"model.load_state_dict(saved, strict=False)   # the tensors of the same names alone, {new}"
    return advised_lines.making(facts.cells, ", ".join(("...", *facts.arguments)), "as it was when the file was saved")


CHECKPOINT_KEYS: Rules = (
    sure(
        "checkpoint",
        (
            reason("file-prefix", prefix="of_file", when=lambda f: not f.of_model),
            reason("model-prefix", prefix="of_model", when=lambda f: not f.of_file),
            reason("file-renamed", "of_file", "of_model", when=lambda f: f.of_file and f.of_model),
        ),
        lambda f: f"saved = {{{_renamed(f)}: tensor for name, tensor in saved.items()}}   # before load_state_dict",
        lambda f: f.of_file or f.of_model,
    ),
    sure("checkpoint", reason("file-of-parts", "part"), "model.load_state_dict(saved['{part}'])", lambda f: f.part),
    _missing("file-lacks-direction", "bidirectional", from_file=True),
    _missing("file-lacks-layer", "num_layers", from_file=True),
    _missing("file-lacks-tensors", "", from_file=True),
    _missing("model-lacks-direction", "bidirectional", from_file=False),
    _missing("model-lacks-layer", "num_layers", from_file=False),
    _missing("model-lacks-tensors", "", from_file=False),
)


def _renamed(facts: Facts) -> str:
    """Return the name that the model has for a tensor of the file."""
    if facts.of_file and facts.of_model:
        return f'name.replace("{facts.of_file}", "{facts.of_model}", 1)'
    return f'name.removeprefix("{facts.of_file}")' if facts.of_file else f'"{facts.of_model}" + name'


def _names(reading: Reading) -> tuple[list[str], list[str]]:
    """Return the names of the tensors that only the file has, and those that only the model has."""
    found = {which: re.findall(r'"([\w.]{1,120})"', names) for which, names in _keys(reading.whole)}
    return found.get("Unexpected", []), found.get("Missing", [])


def _prefixes_of_names(reading: Reading) -> tuple[str, str]:
    """Return how the names of the file begin where those of the model begin otherwise, and how these do, if the rest is the same."""
    of_file, of_model = _names(reading)
    if not of_file or len(of_file) != len(of_model):
        return "", ""
    parts, own = of_file[0].split("."), of_model[0].split(".")
    while parts and own and parts[-1] == own[-1]:
        parts.pop()
        own.pop()
    first, second = ("".join(f"{part}." for part in one) for one in (parts, own))
    renamed = {second + name.removeprefix(first) for name in of_file if name.startswith(first)}
    return (first, second) if renamed == {*of_model} else ("", "")


def _part_of_file(reading: Reading) -> str:
    """Return the key of the file that has the tensors, where the file is a dictionary of several things; empty if it is none."""
    of_file, of_model = _names(reading)
    named = [one for one in of_file if re.search(r"(?:model|net|state_dict|weights)", one) and "optim" not in one]
    is_whole = of_model and not any("." in one for one in of_file)
    return named[0] if is_whole and len(named) == 1 else ""


@diagnoses("checkpoint_keys")
def checkpoint_keys(reading: Reading) -> Diagnosis:
    """Diagnose layers or directions that are missing, or too many."""
    arguments = arguments_of_keys(reading)
    named = [argument.split("=")[0] for argument in arguments]
    of_file, of_model = _prefixes_of_names(reading)
    facts = Facts(
        arguments=arguments,
        what=named[0] if len(named) == 1 else "",
        from_file="issing" in reading.message,
        of_file=of_file,
        of_model=of_model,
        part=_part_of_file(reading),
        cells=cells_of(reading),
    )
    return Diagnosis(_LOADING, facts, CHECKPOINT_KEYS)
