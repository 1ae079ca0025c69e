"""The code of the reader in a pasted message or program: the failing line, its names and operation, and the program around it.

- `traceback_lines` finds the reader's lines (`reading.own`, the innermost last), and `program` all assignments. Without a
  traceback, `failing_line` finds the line by the shapes that `core.shapes.shape_inference` follows through the program.
- `operations` finds the call or the operator of a kind of message in the line: what x, h0, A, b, logits and so on stand for.
- `evidence` answers what several rules ask about the line. The module of a topic, such as `products_of_line` or `keras_calls`,
  answers the rest. These return "" or None where the text does not tell.
- `name_substitution` writes an advised line with the reader's expressions. A rule that takes the reader's own line and
  changes it uses `syntax_trees` and `changed_calls`.
"""
