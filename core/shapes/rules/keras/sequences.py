"""Whether a recurrent layer of a Keras model returns all steps, written out for the layers in the reader's text."""

import ast
import re

from core.shapes.user_code.keras_model_layers import KerasLayer, last_recurrent

# Other layers that take all steps.
_OF_STEPS_TOO = ("Conv1D", "MaxPooling1D", "AveragePooling1D", "GlobalMaxPooling1D", "GlobalAveragePooling1D")
_OF_STEPS = re.compile(r"len|steps|time|window|look_?back")


def sequence_returned(layers: tuple[KerasLayer, ...], all_steps: object, columns: int = 0) -> str:
    """Return the lines that make the last recurrent layer give all steps, or the last one alone.

    Parameters
    ----------
    layers : tuple of KerasLayer
        Of the reader's text.
    all_steps : bool
    columns : int
        The last size of the targets; 0 if it is unknown.
    """
    unknown = f"LSTM(..., return_sequences={all_steps})   # the last recurrent layer; or GRU, SimpleRNN"
    at = last_recurrent(layers)
    if at is None and not all_steps and layers and layers[-1].kind == "Dense":
        pooled = f"layers.GlobalAveragePooling1D()   # before {layers[-1].code}, if no layer is recurrent: one vector for each sequence"
        return f"{pooled}\n{unknown}"
    if at is None or layers[at].returns_all_steps == all_steps:
        return unknown
    line = f"{layers[at].with_all_steps(bool(all_steps))}   # the last recurrent layer"
    after = layers[at + 1 :]
    units = after[-1].units if after and after[-1].kind == "Dense" else ""
    is_other = units.isdigit() and int(units) != columns or _OF_STEPS.search(units)
    more = f"\nDense({columns})   # and the last layer: an output for each column of the targets"
    line += more if columns > 0 and is_other else ""
    if all_steps:
        return line
    for pooling in after:
        if pooling.kind in ("AveragePooling1D", "MaxPooling1D"):
            return f"Global{pooling.kind}()   # in place of {pooling.code}: one vector for each sequence"
    inner = [
        f"{ast.unparse(one.inner)}   # and this in place of {one.code}" for one in after if one.inner is not one.call
    ]
    return "\n".join([line, *inner])


def sequence_below(layers: tuple[KerasLayer, ...]) -> str:
    """Return the line with all steps of the recurrent layer that gives the next one a single vector; empty if there is none."""
    chain = [layer for layer in layers if layer.is_recurrent or layer.kind in ("RepeatVector", *_OF_STEPS_TOO)]
    for below, above in zip(chain, chain[1:]):
        takes_steps = above.is_recurrent or above.kind in _OF_STEPS_TOO
        if below.is_recurrent and takes_steps and not below.returns_all_steps:
            return f"{below.with_all_steps(True)}   # the layer before this one"
    return ""


def vector_below(layers: tuple[KerasLayer, ...]) -> str:
    """Return the line with the last step alone of the recurrent layer before a RepeatVector; empty if there is none."""
    for below, above in zip(layers, layers[1:]):
        if above.kind == "RepeatVector" and below.is_recurrent and below.returns_all_steps:
            return f"{below.with_all_steps(False)}   # the layer before this one"
    return ""


def vector_of_each(layers: tuple[KerasLayer, ...]) -> str:
    """Return the line of a recurrent layer within TimeDistributed that gives one vector for each; empty if none returns all steps."""
    inner = (one for one in layers if one.outer == "TimeDistributed" and one.is_recurrent and one.returns_all_steps)
    return next((one.with_all_steps(False) for one in inner), "")
