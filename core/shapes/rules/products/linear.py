"""The linear layer after a recurrent one."""

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import possible, strong, sure
from core.shapes.rules.read_layer import is_power, is_round
from core.shapes.rules.rule import Facts, Reason, Rule, Rules, reason

# Fewer features divide many numbers of rows.
FEWEST_FEATURES = 8


def linear_facts(came: int, made_for: int, out: int | None, framework: str = "PyTorch") -> Facts:
    """Return the facts of a linear layer that does not take what it is given.

    Parameters
    ----------
    came, made_for : int
        The entries that it is given, and its in_features.
    out : int, optional
        Its out_features.
    framework : str
    """
    case, T = "other", 0
    if came == 2 * made_for:
        case = "two-directions-come"
    elif made_for == 2 * came:
        case = "one-direction-comes"
    elif came % made_for == 0:
        case, T = "steps-come", came // made_for
    elif made_for % came == 0:
        case, T = "made-for-steps", made_for // came
    return Facts(came=came, made_for=made_for, out=out, framework=framework, case=case, T=T)


def _made_anew(facts: Facts) -> str:
    if facts.framework == "PyTorch":
        return f"nn.Linear({facts.came}, {facts.out or '...'})"
    return f"Dense({facts.out or '...'})   # built for {facts.came} entries"


def _one_of_two_directions(facts: Facts) -> str:
    if facts.framework != "PyTorch":
        return _made_anew(facts)
    joined = "linear(torch.cat([h_n[-2], h_n[-1]], dim=-1))   # if the layer has two directions"
    # Without the name of a last state, the line gives the layer something else.
    if not getattr(facts, "of_state", True):
        return _made_anew(facts) + _or_swapped(facts)
    # It also fits h_n of one layer, whose rows PyTorch counts together.
    halves = f"linear(torch.cat(h_n.reshape(-1, {facts.came}).chunk(2), dim=-1))   # both directions, if one stands below the other"
    is_below = getattr(facts, "is_whole_state", False) and facts.rows and facts.rows % 2 == 0
    return f"{halves}\n" * bool(is_below) + f"{joined}\n{_made_anew(facts)}   # if it has one"


def _or_swapped(facts: Facts) -> str:
    """Return one more line, with both arguments swapped, where the layer has as many outputs as it is given entries."""
    is_one = facts.out == facts.came and is_round(facts.came) and facts.framework == "PyTorch"
    return f"\nnn.Linear({facts.came}, {facts.made_for})   # if its two arguments are swapped" * is_one


def _last_of_steps(facts: Facts) -> str:
    if facts.framework != "PyTorch":
        return _made_anew(facts)
    together = f"{_made_anew(facts)}   # all {facts.T} steps"
    # A step of what an earlier line flattened has as many entries as the whole.
    if getattr(facts, "is_flattened", False):
        return f"{together}\n# or take the last step, output[:, -1], where x is flattened: then it has {facts.made_for} entries"
    return f"{advised_lines.last_step('linear({})')}\n{together}"


def _has_rows_of_steps(facts: Facts) -> bool:
    """Whether the rows may be steps of whole sequences, which a layer made for all of them together takes as one."""
    rows = getattr(facts, "rows", None)
    # Three or four are gates as well.
    return facts.framework == "PyTorch" and bool(rows) and facts.T > 4 and rows >= facts.T and rows % facts.T == 0


def _all_steps_or_one(facts: Facts) -> str:
    if not _has_rows_of_steps(facts):
        return _made_anew(facts)
    together = f"linear(output.flatten(1))   # all {facts.T} steps of a sequence, if output is (batch, {facts.T}, {facts.came})"
    return f"{together}\n{_made_anew(facts)}   # one step"


def _weights(facts: Facts) -> dict[str, Shape]:
    return {"Linear.weight": (facts.out or -1, facts.came)} if facts.framework == "PyTorch" else {}


# More outputs are rather units, or a batch.
MOST_OUTPUTS = 10


def may_be_outputs(facts: Facts) -> bool:
    """Whether B may be a layer of few outputs, with as many inputs as the batch of A, since both are powers of two."""
    is_product = getattr(facts, "A_turns", False) and facts.framework == "PyTorch"
    return bool(is_product and is_power(facts.height) and facts.width and facts.width <= MOST_OUTPUTS)


def _fit_of_other_entries(facts: Facts) -> Fit:
    """Return how well a layer made for another number fits, which a matrix on its side may explain as well.

    A layer that narrows what it takes may have as many outputs as it gets units. Few rows are rather steps or classes.
    """
    is_narrowing = getattr(facts, "B_turns", False) and facts.made_for > facts.came and is_round(facts.came)
    return Fit.STRONG if is_narrowing or may_be_outputs(facts) else Fit.POSSIBLE


def _fit_of_steps(facts: Facts) -> Fit:
    return Fit.STRONG if may_be_outputs(facts) else Fit.LIKELY


def _is_vector_for_column(facts: Facts) -> bool:
    """Whether a layer for one feature is given a vector, which PyTorch shows as one row."""
    return facts.made_for == 1 < facts.came and getattr(facts, "rows", None) == 1 and facts.framework == "PyTorch"


def linear_rules(*lead: Reason, keeps_linear: bool = False) -> Rules:
    """Return the rules for the facts of `linear_facts`, each with these sentences before its own.

    Parameters
    ----------
    *lead : Reason
    keeps_linear : bool
        Whether the first line of a rule that has several keeps the linear layer, so that its weights are not called wrong.
    """
    vector = sure(
        "unbatched",
        (*lead, reason("vector-for-column", "came")),
        "linear(x.unsqueeze(-1))   # a row for each entry of x: (batch, 1)",
        _is_vector_for_column,
    )
    flattened = strong(
        "steps",
        (*lead, reason("linear-of-other-steps", "made_for", "came")),
        lambda f: f"{_made_anew(f)}   # if all sequences have as many steps as this one",
        lambda f: getattr(f, "flattens", False),
    )
    conform_of_input = (lambda f: {"x": (-1, f.made_for)}) if keeps_linear else _weights
    return (
        *((vector, flattened) if keeps_linear else ()),
        strong(
            "hidden-size",
            (*lead, reason("linear-two-directions-come")),
            lambda f: _made_anew(f) + _or_swapped(f),
            lambda f: f.case == "two-directions-come",
            _weights,
        ),
        strong(
            "hidden-size",
            (*lead, reason("linear-one-direction-comes", "came", "made_for")),
            _one_of_two_directions,
            lambda f: f.case == "one-direction-comes" and not getattr(f, "flattens", False),
            conform_of_input,
        ),
        Rule(
            "hidden-size",
            _fit_of_steps,
            (*lead, reason("linear-steps-come", "came", "T", "made_for")),
            _last_of_steps,
            lambda f: f.case == "steps-come",
            conform_of_input,
        ),
        Rule(
            "hidden-size",
            _fit_of_steps,
            (
                *lead,
                reason("linear-made-for-steps", "made_for", "T", "came"),
                reason("rows-of-steps", "rows", "T", batch=lambda f: f.rows // f.T, when=_has_rows_of_steps),
            ),
            _all_steps_or_one,
            lambda f: f.case == "made-for-steps",
            lambda f: {"x": (f.rows // f.T, f.made_for)} if _has_rows_of_steps(f) else _weights(f),
        ),
        Rule(
            "hidden-size",
            _fit_of_other_entries,
            (*lead, reason("linear-other-entries", "made_for", "came")),
            _made_anew,
            lambda f: f.case == "other",
            _weights,
        ),
    )


def swapped_sizes(*lead: Reason) -> Rule:
    """Return the rule for a linear layer that was made with its two sizes in the wrong order."""
    return sure(
        "swapped-arguments",
        (*lead, reason("linear-arguments-swapped", "came", "made_for")),
        "nn.Linear({came}, {made_for})",
        # With twice as many, the layer after two directions may have as many outputs as inputs.
        lambda f: f.out == f.came and f.case not in ("two-directions-come", "one-direction-comes"),
        lambda f: {"Linear.weight": (f.made_for, f.came)},
    )


def turned_features(*lead: Reason) -> Rule:
    """Return the rule for a linear layer that is given (batch, features, steps)."""
    return Rule(
        "transpose",
        # The output of a recurrent layer has its features last, and what divides the rows divides them by chance.
        lambda f: Fit.WEAK if f.of_output else Fit.LIKELY,
        (*lead, reason("linear-turned", "rows", "made_for", "came", batch=lambda f: f.rows // f.made_for)),
        "linear(x.transpose(1, 2))   # if x is (batch, {made_for} features, {came} steps)",
        # A batch and steps are often powers of two, whose product is a multiple by chance.
        lambda f: (
            f.rows
            and f.case == "other"
            and f.out != f.came
            and f.made_for > FEWEST_FEATURES
            and not is_power(f.made_for)
            and f.rows % f.made_for == 0
        ),
    )


# ---- a linear layer with the weights of an embedding ------------------------------------------

# Fewer outputs are rarely the words of a vocabulary.
FEWEST_WORDS = 1000


def _tied_sizes(facts: Facts) -> str:
    """Return the lines that give the layer and the embedding one size."""
    units = advised_lines.making(
        facts.cells, f"..., hidden_size={facts.height}", "as many units as the embedding has entries"
    )
    return f"{units}\nnn.Embedding({facts.width}, {facts.columns})   # or the reverse; the layer then needs input_size={facts.columns}"


def tied_rules(*lead: Reason) -> Rules:
    """Return the rules for a linear layer that may share the weights of an embedding, each with these sentences first."""
    return (
        sure(
            "weight-tying",
            (*lead, reason("tied-weights", "width", "height", "columns")),
            _tied_sizes,
            lambda f: f.is_tied,
        ),
        possible(
            "weight-tying",
            (*lead, reason("may-be-tied", "width", "height", "columns")),
            _tied_sizes,
            lambda f: not f.is_tied and f.case == "other" and f.width is not None and f.width >= FEWEST_WORDS,
        ),
    )
