"""The mistakes in c_t and h_t of one unit of an LSTM, for any values of the entries before."""

from collections.abc import Callable, Mapping

from core.activations import sigmoid, tanh
from core.practice.exercise import Mark, Mistake
from core.practice.exercise_number_format import format_number, format_term
from core.practice.rnn import at

HIDDEN_DETAILS: Mapping[str, Mapping[str, object]] = {
    "no_tanh": {"right": "h_t = o_t ∘ tanh(c_t)"},
}


def cell_mistakes(f: float, i: float, c_tilde: float, c_prev: float, unit: int | None = None) -> dict[str, Mistake]:
    """Return the mistakes in c_t.

    Parameters
    ----------
    f, i, c_tilde, c_prev : float
        The entries before, also wrong ones of the learner's.
    unit : int, optional
        The row of the marks.
    """
    f_mark, i_mark = Mark("f_t", unit), Mark("i_t", unit)
    return {
        "forget_complement": Mistake((1 - f) * c_prev + i * c_tilde, f_mark, f_mark),
        "gates_swapped": Mistake(i * c_prev + f * c_tilde, i_mark, f_mark),
        "no_forget": Mistake(c_prev + i * c_tilde, None, f_mark),
        "no_input": Mistake(f * c_prev + c_tilde, None, i_mark),
        "last_value": Mistake(c_prev, Mark("c_prev", unit), Mark("c_t", unit), {"symbol": "c_prev"}),
    }


def term_signs(
    f: float,
    i: float,
    c_tilde: float,
    c_prev: float,
    unit: int | None = None,
    of_c: Callable[[float], float] = float,
    gates: tuple[str, str] = ("f_t", "i_t"),
) -> dict[str, Mistake]:
    """Return of_c of c_t with the wrong sign of one of its two products; the others are those of `cell_mistakes`.

    The h_t of a GRU is such a sum too, with u_t and 1 − u_t in the place of `gates`.
    """
    factors = [(Mark(gates[0], unit), f, c_prev), (Mark(gates[1], unit), i, c_tilde)]
    answer = f * c_prev + i * c_tilde
    return {
        f"product_sign:{number}": Mistake(
            of_c(answer - 2 * a * b), mark, mark, {"product": f"{format_number(a)}·{format_term(b)}"}
        )
        for number, (mark, a, b) in enumerate(factors)
    }


def hidden_mistakes(o: float, c: float) -> dict[str, Mistake]:
    """Return the mistakes in h_t, from o_t and c_t, also wrong ones of the learner's."""
    return {
        "no_tanh": Mistake(o * c, Mark("c_t"), Mark("tanh_c_t"), HIDDEN_DETAILS["no_tanh"]),
        "no_output": Mistake(at(tanh, c), Mark("tanh_c_t"), Mark("o_t")),
        "c_for_h": Mistake(c, Mark("c_t"), Mark("h_t")),
        "other_activation": Mistake(o * at(sigmoid, c), details={"g": "tanh", "other": "σ"}),
        "output_inside": Mistake(at(tanh, o * c), Mark("o_t"), Mark("tanh_c_t")),
    }
