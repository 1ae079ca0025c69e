"""The sentences on why the sizes point to a cause: the data of a model of Keras, and graphs of TensorFlow."""

from dashboard.text.plural import Template

REASONS_OF_DATA: dict[str, Template] = {
    "index-negative": "An index is −{got}. The rows of an embedding are 0 to {last}, so a code such as −1 for unknown words has none.",
    "inputs-of-samples": "The inputs have these numbers of samples: {sizes}. All must have the same.",
    "lists-in-place-of-arrays": "The inputs are lists. Keras takes each array in a list as an input of its own, so its first axis is read as the samples.",
    "one-input-without-samples": "One input has a single sample. The other seems to lack the axis of samples, so its steps are counted.",
    "batch-of-dataset": "The data set puts sequences of the shapes {left} and {right} into one batch. They must be padded first.",
    "generator-element": "The generator yields {got}, and the data set was told {wanted}.",
    "generator-gives-samples": "The signature has an axis of samples, but the generator yields one sample at a time.",
    "series-too-short": "A window has {length} steps, and the last index of the data is {last}: the data is shorter than one window.",
    "no-samples": "There is no sample. The windows may be longer than the data, or a generator has no whole batch.",
    "reset-after": "One has one bias for each gate, and the other has two: a GRU with reset_after=True has two.",
    "kernel-of-both": "The kernel ({height}, {width}) reads x and h together: {m} features and {k} units.",
    "kernel-of-layer-below": "Here x has {came} = k entries: the h of the layer below. The second layer reuses the cell of the first.",
    "kernel-of-other-input": "Here x has {came} entries. The cell made its kernel for its first input, and this is another one.",
    "one-apart": "The two lengths are one apart, as a series and its forecast from the step before are.",
}
