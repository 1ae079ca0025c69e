"""Messages to open with one click, of kinds that people asked about in public, by a code for each."""

EXAMPLES = {
    "one-layers-state-for-two": "RuntimeError: Expected hidden[0] size (2, 32, 20), got [1, 32, 20]",
    "steps-for-batch": "RuntimeError: Expected hidden[0] size (1, 4, 128), got [1, 28, 128]",
    "one-cell-for-two-layers": (
        "ValueError: Dimensions must be equal, but are 600 and 320 for 'rnn/while/multi_rnn_cell/cell_1/MatMul' (op: 'MatMul') "
        "with input shapes: [?,600], [320,1200]."
    ),
    "linear-after-two-directions": "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x256 and 128x10)",
    "missing-axis": 'ValueError: Input 0 of layer "lstm" is incompatible with the layer: expected ndim=3, found ndim=2. Full shape received: (60, 3)',
    "row-for-column": "ValueError: shapes (4,7) and (1,7) not aligned: 7 (dim 1) != 1 (dim 0)",
}
