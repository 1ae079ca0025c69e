"""The settings of the shapes page: its layer and the shapes of its input."""

from core.shapes.layer_shapes import FRAMEWORKS, MOST_LAYERS
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import FLAG, SIZE_OF_LAYER, Number, OneOf, Sizes

RECORDS = (
    *(
        Parameter(name, rule, meaning, label, help, default=default, pages=("shapes",))
        for name, rule, meaning, label, help, default in (
            (
                "framework",
                OneOf(FRAMEWORKS),
                "the framework of the layer on the shapes page",
                "Framework",
                None,
                "PyTorch",
            ),
            (
                "input_size",
                SIZE_OF_LAYER,
                "the layer's number of inputs m",
                "input_size, m",
                "The number of entries of x at one step.",
                10,
            ),
            (
                "hidden_size",
                SIZE_OF_LAYER,
                "the layer's number of hidden units k",
                "hidden_size, k",
                "The number of hidden units, which Keras calls units.",
                32,
            ),
            ("num_layers", Number(1, MOST_LAYERS, whole=True), "number of layers", "num_layers", None, 1),
            (
                "bidirectional",
                FLAG,
                "whether the layer also reads the sequence backwards",
                "bidirectional",
                None,
                False,
            ),
            (
                "batch_first",
                FLAG,
                "whether the first axis of x is the batch, as in (batch, steps, features)",
                "batch_first",
                "Only in PyTorch. Keras always has the batch first.",
                False,
            ),
            (
                "proj_size",
                Number(0, 10**6, whole=True),
                "number of entries of h after the projection of PyTorch's LSTM; 0 means no projection",
                "proj_size",
                "Only in PyTorch's LSTM: the number of entries of h if it is less than k. 0 means no projection.",
                0,
            ),
            (
                "x_shape",
                Sizes(1, 4, may_be_empty=False),
                "the shape of x",
                "Shape of x",
                "Sizes with commas, such as 5,32,10.",
                "5,32,10",
            ),
            (
                "h0_shape",
                Sizes(1, 4),
                "the shape of h0",
                "Shape of h0",
                "Leave empty for an initial state of zeros.",
                "",
            ),
            (
                "c0_shape",
                Sizes(1, 4),
                "the shape of c0",
                "Shape of c0",
                "Only for an LSTM. Leave empty for an initial state of zeros.",
                "",
            ),
            (
                "linear",
                Sizes(2, 2),
                "in_features and out_features of a linear layer that takes the output",
                "Output layer",
                "in_features,out_features of a linear layer that reads the output. Leave empty for none.",
                "",
            ),
        )
    ),
)
