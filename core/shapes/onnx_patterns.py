"""The wordings of error messages of ONNX Runtime and of ONNX: a kind and a text in each line."""

ONNX = """
[ONNX Runtime]
rank: Invalid rank for input: {of:word} Got: {got:int} Expected: {allowed:int}
rank: Input {of:word} must have {allowed:int} dimensions only. Actual:{shape:shape}
two_axes: index: {axis:int} Got: {got:int} Expected: {expected:int} index: {axis2:int} Got: {got2:int} Expected: {expected2:int}
axis_of: Got invalid dimensions for input: {of:word} for the following indices index: {axis:int} Got: {got:int} Expected: {expected:int}
onnx_state: Input initial_{which:word} must have shape {expected:shape}. Actual:{got:shape}
onnx_weight: Input {which:word} must have shape {expected:shape}. Actual:{got:shape}
matmul: MatMul dimension mismatch
onnx_node: cannot be reshaped to the requested shape. Input shape:{left:shape}, requested shape:{right:shape}
onnx_node: Non concat axis dimensions must match: Axis {axis:int} has mismatched dimensions of {left:int} and {right:int}
onnx_node: operand cannot broadcast on dim {axis:int} LeftShape: {left:shape}, RightShape: {right:shape}
onnx_node: Indices vs updates dimensions differs at position={axis:int} {left:int} vs {right:int}
feed_lacks: Required inputs ([{names:some}]) are missing from input feed ([{given:some}])
feed_unknown: Invalid Feed Input Name:{name:word}
feed_unknown: Invalid input name: {name:word}
onnx_squeeze: Dimension of input {axis:int} must be 1 instead of {got:int}
onnx_lengths: All values must be > 0 and < seq_length. seq_length={steps:int}
onnx_lengths: All values must be >= 0 and <= seq_length. seq_length={steps:int}
onnx_layout: Batchwise recurrent operations (layout == 1) are not supported
"""
