"""The settings of the shapes page: its layer and the shapes of its input."""

from core.shapes.layer_shapes import FRAMEWORKS, MOST_LAYERS
from dashboard.state.parameters.record import Parameter
from dashboard.state.parameters.rules import FLAG, SIZE_OF_LAYER, Number, OneOf, Sizes

RECORDS = (
    *(
        Parameter(name, rule, meaning, default=default, pages=("shapes",))
        for name, rule, meaning, default in (
            ("framework", OneOf(FRAMEWORKS), "the framework of the layer on the shapes page", "PyTorch"),
            ("input_size", SIZE_OF_LAYER, "the layer's number of inputs m", 10),
            ("hidden_size", SIZE_OF_LAYER, "the layer's number of hidden units k", 32),
            ("num_layers", Number(1, MOST_LAYERS, whole=True), "number of layers", 1),
            ("bidirectional", FLAG, "whether the layer also reads the sequence backwards", False),
            ("batch_first", FLAG, "whether the first axis of x is the batch, as in (batch, steps, features)", False),
            (
                "proj_size",
                Number(0, 10**6, whole=True),
                "number of entries of h after the projection of PyTorch's LSTM; 0 means no projection",
                0,
            ),
            ("x_shape", Sizes(1, 4, may_be_empty=False), "the shape of x", "5,32,10"),
            ("h0_shape", Sizes(1, 4), "the shape of h0", ""),
            ("c0_shape", Sizes(1, 4), "the shape of c0", ""),
            ("linear", Sizes(2, 2), "in_features and out_features of a linear layer that takes the output", ""),
        )
    ),
)
