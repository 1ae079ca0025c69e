"""The code of the reader in a pasted message or program: the failing line, its names and operation, and the program around it.

A paste becomes a line in the reader's names in five steps:

1. `core.shapes.messages` finds the wording and with it the kind of message. `traceback_lines` finds the reader's lines
   (`reading.own`, the innermost last), and `program` all assignments. Without a traceback, `failing_line` finds the line by
   the shapes that `core.shapes.shape_inference` follows through the program.
2. `operations` finds the call or the operator of this kind in the line: what x, h0, A, b, logits and so on stand for in it.
3. The diagnosis of the kind, in `core.shapes.rules`, gathers its facts. It asks `evidence` about the line, and the module of
   its topic, such as `products_of_line` or `keras_calls`. These return "" or None where the text does not tell.
4. A rule advises a line in those names. `advice_in_own_names` writes it with the reader's expressions, unless the rule took
   the reader's own line and changed it: `syntax_trees` and `changed_calls` do that.
5. `core.shapes.explain` gives the line the reader's layers, models and data sets. `trials` follows the shapes through the
   changed program, and takes away lines after which they still do not fit.
"""
