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
    "unpacked-otherwise": Plural(
        "wanted",
        "The line has {wanted} name, and the value has another number of parts. A shape has one for each axis.",
        "The line has {wanted} names, and the value has another number of parts. A shape has one for each axis.",
    ),
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
    "copied-unsaid": "A tensor is copied into a place of another shape. The message does not say the sizes.",
    # ---- a pair, and the lengths for the loss of a transducer
    "hook-of-tuple": "A hook of another tool reads the output of each layer as one tensor. An LSTM returns (output, (h_n, c_n)). The model itself may be right.",
    "pair-of-lstm": "The state of an LSTM is a tuple of two tensors, and a tuple has no such method.",
    "transducer-steps": "The largest length of the logits must be axis 1 of the logits, their number of steps.",
    "transducer-labels": "The largest target length plus 1 must be axis 2 of the logits.",
    "squeezed-twice": "squeeze({axis}) removes axis {axis}, and the array has it no more. max, sum, mean and an index remove their axis too.",
    "squeeze-of-all": "squeeze() without an axis also removes the axis of a batch of 1.",
    "summary-with-batch": "torchsummary puts a batch in front of the sizes that it is given.",
    "reshape-left-over": Plural(
        "left",
        "The last two sizes must hold {rest} entries. {width} does not divide them, so {left} entry is left over.",
        "The last two sizes must hold {rest} entries. {width} does not divide them, so {left} entries are left over.",
    ),
    "state-of-other-batch": "{state} is the state of another batch, such as the one before.",
    "parameter-of-other-features": "{name} is a parameter, with an entry for each feature for which the layer was made.",
    "sample-of-nothing": "A sample is None.",
    "sample-of-objects": "An array of the data set holds objects and not numbers, as rows of different lengths or texts make it.",
    "sample-of-class": "A sample is of a class that the DataLoader can't make a batch of.",
    # ---- windows and padding
    "pool-beyond-end": "The window is longer than the sequence that is left, so no entry comes out.",
    "pool-along-last": "A pooling layer goes along the last axis: x is (batch, channels, steps).",
    "window-beyond-end": "Axis {axis} has {size} entries, and a window has {got}.",
    "pad-reflects-more": "A reflection of {most} entries needs more than {most}, and the axis has {size}.",
    "pad-of-axes": "Padding takes two numbers for each axis, and here are {numbers} for {axes} axes.",
    "pad-needs-batch": "This way of padding needs an axis more than the {axes} of x, such as the batch.",
    "unflatten-sizes": "Axis {axis} has {size} entries, and the new sizes make {total}.",
    # ---- the arguments of a layer
    "size-not-whole": "{name} is a {given}, and a size is one whole number.",
    "projection-too-large": "A projection makes h smaller than hidden_size.",
    "no-steps": "x has no step. A slice beyond the end of an array is empty, and no error.",
    "bag-of-vector": "An EmbeddingBag reads a vector of indices with offsets, or a matrix (batch, steps) without them.",
    "bag-of-matrix": "The indices have two axes already, (batch, steps), so each row is one text.",
    # ---- entries by their index
    "top-of-fewer": "topk is asked for more entries than the axis has.",
    "selected-beyond": "The index is {got}, and the axis has {size} entries.",
    "index-of-axes": "index_select takes a vector of indices, and this one has more axes.",
    "sampled-of-axes": "multinomial takes the probabilities of one choice, or a row of them for each choice. These have more axes.",
    "parts-of-data": "The lengths of the parts do not add up to the length of the data set.",
    "ctc-negative": "One of the {which} is negative.",
    "ctc-whole": "The {which} are floats, and a length is a whole number.",
    "target-of-vector": Plural(
        "got",
        "The predictions are a vector, so they count as the scores of one sample. There is {got} target.",
        "The predictions are a vector, so they count as the scores of one sample. There are {got} targets.",
    ),
    "product-batches-unsaid": "In a batch of products both batches must be equal, and a must have as many columns as b has rows. The message does not say the sizes.",
    # ---- lists
    "list-without-shape": "The line asks a Python list for {what}, which only an array has.",
    "list-argument": "The function takes one tensor, and it was given a {given}.",
    "list-element": "Entry {at} of the list is a {given}, and all entries must be tensors.",
    "none-in-list": "Entry {at} of the list is None, and all entries must be tensors.",
    "list-of-sequences": "The function takes a list with a tensor for each sequence, and it was given a {given}.",
    "list-in-sum": "{operand} is a Python list, which takes no part in a sum or a product.",
    "list-empty": "The list has no entry, so there is nothing to combine.",
    "loop-ran-never": "The loop that fills it may never run, such as one over the windows of a series that is shorter than one window.",
    "dataset-empty": "The data set has no sample.",
    "windows-of-short-series": "Windows that are longer than the series leave none. A wrong path or filter leaves none either.",
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
