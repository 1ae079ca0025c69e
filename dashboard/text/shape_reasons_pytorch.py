"""The sentences of the shapes page on the causes of PyTorch's messages that have no recurrent layer in them."""

from dashboard.text.plural import Plural, Template, of_two

REASONS_OF_PYTORCH: dict[str, Template] = {
    # ---- several devices
    "lengths-of-devices": "DataParallel splits tensors along axis 0 over the devices. It leaves a list whole, so each device gets all the lengths.",
    "lengths-count": "There must be one length for each sequence. Without batch_first the second axis of x is the batch.",
    "gathered": "One device returns {got} and another {wanted}. Each pads to its own longest sequence, but the outputs may differ along axis 0 alone.",
    "state-of-devices": "DataParallel splits x and the state along axis 0, and the batch of a state is on axis 1. Make the state in forward.",
    # ---- what is unpacked
    "unpacked-packed": "A packed sequence has four parts: data, batch_sizes, sorted_indices and unsorted_indices. Before PyTorch 1.1 it had two.",
    "unpack-sizes": "The line reads the sizes of an array, which has another number of axes.",
    "unpacked-lengths": "{value} seems to be one tensor, without the lengths beside it.",
    "unpacked-state": "{value} is not the pair (h, c) of an LSTM. A tensor is taken apart along its first axis, layers × directions.",
    "unpacked-parts": "{value} has another number of parts than the line has names. One array is taken apart along its first axis.",
    "join-ranks-of-list": "All arrays in {list} need the same number of axes. The first has {left} and another has {right}.",
    "running-mean": "The function reads axis 1 of x as the features. A running mean has one number for each of these {got}.",
    # ---- positions, and places
    "more-than-positions": "The text has {left} steps, and the model has positions for {right} only.",
    "put-into-part": Plural(
        "left",
        "Along axis {axis}, the part that is assigned to has {left} entry, and the value has {right}. A slice ends where the array ends.",
        "Along axis {axis}, the part that is assigned to has {left} entries, and the value has {right}. A slice ends where the array ends.",
    ),
    # ---- a conditional random field
    "crf-sizes": "The first two axes of the emissions are {wanted}, and those of {of} are {got}.",
    "crf-steps": "One of them has more steps: the texts and the tags were padded differently, or tokens were added.",
    "crf-first-step": "The mask leaves out the first step of a sequence, and a path of tags needs a beginning.",
    "crf-empty": "An empty sequence has no step at all. Padding at the beginning masks the first step too.",
    "crf-order": "Without batch_first=True the mask is read as (steps, batch). Its first row is then the first sequence with its padding.",
    "crf-marks": "A mark at the beginning, such as [CLS], may be masked. Cut it off.",
    "crf-tags": of_two(
        "wanted",
        "got",
        "The field was made for {wanted} tag, and each step of the emissions has {got} score.",
        "The field was made for {wanted} tag, and each step of the emissions has {got} scores.",
        "The field was made for {wanted} tags, and each step of the emissions has {got} score.",
        "The field was made for {wanted} tags, and each step of the emissions has {got} scores.",
    ),
    "crf-axes": "The emissions have three axes, (batch, steps, tags), and these have {got}.",
    # ---- one number
    "number-without-axes": "x is one number without any axis. squeeze() without an axis also removes the axis of a batch of 1.",
    "one-number-of-list": "Each part of the list is a tensor of several numbers. They make one tensor along a new axis.",
    "one-number-of-loss": "The loss has several numbers: one for each sequence or step, or one for each device.",
    "one-number-read": "Python takes one number from this array, which has several.",
    # ---- after the training
    "metric-of-scores": "The metric compares classes, and it was given {kinds}. One of the two has scores or columns in place of class indices.",
    "metric-of-columns": "The metric takes one class for each sample, and this array is {got}.",
    "rows-of-table": of_two(
        "rows",
        "got",
        "The table has {rows} row, and the column {got} value.",
        "The table has {rows} row, and the column {got} values.",
        "The table has {rows} rows, and the column {got} value.",
        "The table has {rows} rows, and the column {got} values.",
    ),
    "rows-after-window": Plural(
        "missing",
        "A model that reads windows predicts nothing for the first steps. Here {missing} step has no prediction.",
        "A model that reads windows predicts nothing for the first steps. Here {missing} steps have no prediction.",
    ),
    "points-of-plot": Plural(
        "left", "x has {left} value, and y has {right}.", "x has {left} values, and y has {right}."
    ),
    "target-places": "Logits of (batch, classes, rows, columns) need targets of (batch, rows, columns): one class index for each place.",
    "attention-axes": "The query has three axes, and keys and values have {keys} and {values}. All three need as many.",
    # ---- tokens
    "tokens-axes": "The tokens are {got}. The model takes (batch, steps), even for one text.",
    "tokens-ragged": "The texts have different numbers of tokens, so they make no tensor without padding.",
    "transformer-batch": "Without batch_first=True, a Transformer reads the second axis as the batch. It differs between source and target.",
    "transformer-features": "The last axis of source and target must be d_model, as an Embedding of d_model entries gives it.",
    "class-of-kernel": "A target is negative, or at least the number of classes. The GPU does not name it.",
}
