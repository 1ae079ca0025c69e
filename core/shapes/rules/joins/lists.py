"""A Python list in the place of an array, an array in the place of a list, and lists without any entry."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import line_with, with_argument_as
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.removed_code import without_calls
from core.shapes.user_code.syntax_trees import function_of

_LIST = "new-array"


_OF_TORCH = re.compile(r"torch|\bnn\.|DataLoader|\.(?:cuda|unsqueeze|detach)\(")
_OF_NUMPY = re.compile(r"numpy|\bnp\.|keras|tensorflow|\.(?:fit|predict)\(")


def _as_one_array(facts: Facts) -> str:
    """Return the lines that make one array of a list, in the library of the text, or in both if it names none."""
    of_torch = (
        "x = torch.stack(x)   # if it is a list of tensors of one shape; the new axis is the first\n"
        "x = torch.tensor(x)   # if it is a list of numbers, or of lists of as many numbers"
    )
    of_numpy = "x = np.array(x)   # if its entries have one shape"
    return {"PyTorch": of_torch, "NumPy": of_numpy}.get(facts.library, f"{of_numpy}\n{of_torch}")


# Methods that a line may call for each tensor of a list, by the call.
_FOR_EACH = {"to": "to(device)", "cuda": "cuda()", "cpu": "cpu()", "device": "to(device)", "detach": "detach()"}

LIST_GIVEN: Rules = first_of(
    strong(
        "state-tuple",
        reason("list-of-states", "what"),
        lambda f: "x, h, c = layer(x)   # an LSTM" if f.of_lstm else "x, h = layer(x)   # return_state=True",
        lambda f: f.of_states,
    ),
    sure(
        "list",
        reason("list-without-shape", "what"),
        lambda f: (
            (
                f"x = [one.{_FOR_EACH[f.what]} for one in x]   # if it stays a list of tensors\n"
                if f.what in _FOR_EACH
                else ""
            )
            + _as_one_array(f)
        ),
    ),
)


@diagnoses("list_given")
def list_given(reading: Reading) -> Diagnosis:
    """Diagnose a list of which an attribute of an array is asked."""
    # A list itself belongs to no library.
    library = "PyTorch" if _OF_TORCH.search(reading.whole) else "NumPy" if _OF_NUMPY.search(reading.whole) else ""
    facts = Facts(
        what=reading.values["what"],
        library=library,
        of_states=re.search(r"\breturn_state ?= ?True", reading.whole) is not None,
        of_lstm="LSTM(" in reading.whole,
    )
    return Diagnosis(_LIST, facts, LIST_GIVEN)


_TENSOR_OF_ARRAY = "x = torch.from_numpy(x).float()   # or long() for indices of an embedding, and for class indices"

LIST_ARGUMENT: Rules = first_of(
    sure(
        "list",
        reason("list-argument", "given"),
        lambda f: re.sub(
            r"\bx\b(?! is)",
            f.name,
            _TENSOR_OF_ARRAY
            if "ndarray" in f.given
            else "x = torch.tensor(x.values).float()   # of the numbers of a table of pandas"
            if f.given in ("DataFrame", "Series")
            # Targets are numbers, and the input of a layer rather tensors.
            else "\n".join(sorted(_as_one_array(f).splitlines(), key=lambda line: f.of_target and "stack" in line)),
        ),
        lambda f: f.given != "tuple",
    ),
    likely(
        "state-tuple",
        reason("list-argument", "given"),
        "x = x[0]",
        own="first",
        note="if it is what a recurrent layer returned: output and its last state",
    ),
)


@diagnoses("list_argument")
def list_argument(reading: Reading) -> Diagnosis:
    """Diagnose a function of PyTorch that was given a list, a tuple or an array of NumPy."""
    facts = Facts(given=reading.values["got"], library="PyTorch", name="x", first="")
    own = _argument_at(reading)
    if isinstance(own, ast.Name):
        facts.name = own.id
    elif isinstance(own, ast.Call):
        facts.first = line_with(reading, own, f"{ast.unparse(own)}[0]")
    facts.of_target = "target" in reading.values["name"]
    return Diagnosis(_LIST, facts, LIST_ARGUMENT)


def _argument_at(reading: Reading) -> ast.expr | None:
    """Return the argument of the reader's call at the place that the message names; None if the line has no such call."""
    place = re.search(r"\(position (\d)\)", reading.message)
    calls = [one for one in calls_of_line(reading) if one.args]
    at = int(place[1]) if place else 0
    return calls[0].args[at - 1] if calls and 1 <= at <= len(calls[0].args) else None


_TENSOR_OF_EACH = "sequences = [torch.as_tensor(one) for one in sequences]   # a tensor of each entry, before this line"

LIST_ELEMENT: Rules = rules_of(
    "list_element", _LIST, sure("list", reason("list-element", "at", "given"), _TENSOR_OF_EACH)
)


NONE_ELEMENT: Rules = rules_of(
    "none_element",
    _LIST,
    sure(
        "list",
        reason("none-in-list", "at"),
        "# entry {at} of the list is None, as a function without return gives it: return the tensor there",
    ),
)


# Calls on the way from a tensor to an array.
_TO_ARRAY = frozenset(("detach", "cpu", "numpy"))

ARRAY_GIVEN: Rules = first_of(
    sure(
        "list",
        reason("array-already", "what"),
        lambda f: f.without or f"# leave {f.what}() out",
        lambda f: f.what in _TO_ARRAY,
    ),
    sure("list", reason("array-for-tensor", "what"), lambda f: f.own or _TENSOR_OF_ARRAY),
)


@diagnoses("array_given")
def array_given(reading: Reading) -> Diagnosis:
    """Diagnose an array of NumPy that is asked for what a tensor of PyTorch has."""
    what = reading.values["what"]
    calls = [one for one in calls_of_line(reading) if one.args]
    # The function that the line calls asks the array, not the line itself.
    function = function_of(calls[0]) if len(calls) == 1 and f".{what}" not in reading.code else ""
    own = with_argument_as(reading, (function,), "torch.from_numpy({}).float()") if function else ""
    return Diagnosis(_LIST, Facts(what=what, without=without_calls(reading, _TO_ARRAY), own=own), ARRAY_GIVEN)


SEQUENCES_ARGUMENT: Rules = rules_of(
    "sequences_argument",
    _LIST,
    sure("list", reason("list-of-sequences", "given"), "pad_sequence(list(sequences))", lambda f: f.given == "Tensor"),
    sure("list", "entries-no-tensors", _TENSOR_OF_EACH, lambda f: f.given != "Tensor"),
)


# A sum or a product of a tensor and a list.
LIST_OPERAND: Rules = rules_of(
    "list_operand",
    _LIST,
    sure("list", reason("list-in-sum", "operand"), "{operand} = torch.tensor({operand})   # before this line"),
    facts=lambda reading: {"operand": "a" if "'list' and" in reading.message else "b"},
)


# A list without entries, as a loop that never ran leaves it, or a data set without samples.
LIST_EMPTY: Rules = rules_of(
    "list_empty",
    _LIST,
    *first_of(
        sure(
            "list",
            (reason("dataset-empty"), reason("windows-of-short-series")),
            "# print len(dataset) before the loader: it must be at least 1",
            lambda f: f.of_loader,
        ),
        sure(
            "list",
            (reason("list-empty"), reason("loop-never-ran")),
            "# print the length of the list before this line: it must be at least 1",
        ),
    ),
    facts=lambda reading: {"of_loader": "num_samples" in reading.message},
)


NEGATIVE_LENGTH: Rules = rules_of(
    "negative_length",
    _LIST,
    strong(
        "steps",
        "windows-longer-than-series",
        "# window + horizon must be at most len(series): shorten the window, or give more steps",
    ),
)
