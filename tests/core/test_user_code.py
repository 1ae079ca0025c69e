"""The reader's own lines in a traceback, and the changed line in the reader's own names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shapes import explain
from core.shapes.user_code.name_substitution import in_user_names
from core.shapes.user_code.syntax_trees import tree_of
from core.shapes.user_code.traceback_lines import UserLine, user_lines

PYTHON = """Traceback (most recent call last):
  File "/home/me/work/train.py", line 41, in <module>
    scores = model(batch)
             ^^^^^^^^^^^^
  File "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/module.py", line 1778, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "/home/me/work/net.py", line 17, in forward
    enc, _ = self.encoder(frames,
                          (h, c))
  File "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/rnn.py", line 1140, in forward
    self.check_forward_args(input, hx, batch_sizes)
RuntimeError: Expected hidden[0] size (2, 3, 4), got [1, 3, 4]
"""
NOTEBOOK = """---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
Cell In[7], line 2
      1 for xb in loader:
----> 2     out = net(xb)

File ~/miniconda3/lib/python3.11/site-packages/torch/nn/modules/module.py:1511, in Module._call_impl(self, *args)
-> 1511     return self._call_impl(*args, **kwargs)

RuntimeError: input.size(-1) must be equal to input_size. Expected 10, got 13
"""


def test_the_lines_of_the_readers_program_are_found_and_those_of_libraries_are_not():
    assert user_lines(PYTHON) == (
        UserLine("train.py", 41, "scores = model(batch)", (9, 21), function="<module>"),
        UserLine("net.py", 17, "enc, _ = self.encoder(frames,\n                      (h, c))", function="forward"),
    )
    assert user_lines(NOTEBOOK) == (UserLine("In[7]", 2, "out = net(xb)"),)
    assert user_lines("RuntimeError: input.size(-1)") == ()
    assert user_lines('  File "net.py", line 3, in forward\nRuntimeError: input.size(-1)') == ()
    assert explain(PYTHON).own.number == 17 and explain(NOTEBOOK).own.file == "In[7]"
    assert explain("Expected hidden[0] size (2, 3, 4), got [1, 3, 4]").own is None


@pytest.mark.parametrize(
    "text, code",
    [
        ('My line is "out = fc(x)".', "out = fc(x)"),
        ('The docs have "out = fc(x)", and mine is\nout = self.head(data)', "out = self.head(data)"),
        ('The docs have "note = clip(a, b, c)".', ""),
        ('The docs have "output = lstm(x)", and mine is\nout = self.rnn(data, state)', ""),
        ('I think it is "out = fc(x)".\nhead = fc(y)\nout = fc(x)', "out = fc(x)"),
        ("I use this line: lr = 0.1", ""),
        ("It fails in this line: out = fc(x)\nhead = fc(y)", "out = fc(x)"),
    ],
)
def test_a_line_in_a_sentence_is_the_one_that_failed_only_if_it_may_be(text, code):
    found = explain(f"{text}\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (48x256 and 200x1000)").own
    assert (found.code if found else "") == code


def test_a_trace_that_begins_with_the_innermost_frame_is_turned():
    text = (
        "Exception has occurred: RuntimeError\ninput.size(-1) must be equal to input_size. Expected 10, got 13\n"
        '  File "net.py", line 17, in forward\n    out, _ = self.rnn(x)\n'
        '  File "train.py", line 41, in <module>\n    scores = model(batch)\n'
    )
    assert [line.number for line in user_lines(text)] == [41, 17] and explain(text).own.file == "net.py"
    with_message_below = text + "RuntimeError: Expected 10, got 13"
    assert [line.number for line in user_lines(with_message_below)] == [17, 41]


@pytest.mark.parametrize(
    "kind, advised, code, own",
    [
        ("state", "h0 = c0 = torch.zeros(2, 3, 4)", "y, _ = net(x, (hid, mem))", "hid = mem = torch.zeros(2, 3, 4)"),
        (
            "state",
            "h0 = c0 = torch.zeros(2, 3, 4)",
            "y, _ = net(x, hid)",
            "hid = (torch.zeros(2, 3, 4), torch.zeros(2, 3, 4))",
        ),
        (
            "state",
            "h0 = c0 = torch.zeros(2, 3, 4)",
            "y, _ = net(x, self.start(x))",
            "y, _ = net(x, (torch.zeros(2, 3, 4), torch.zeros(2, 3, 4)))",
        ),
        (
            "state",
            "h0, c0 = h0.unsqueeze(1), c0.unsqueeze(1)",
            "y, _ = net(x, hid)",
            "hid = (hid[0].unsqueeze(1), hid[1].unsqueeze(1))",
        ),
        ("pair", "output, h_n = layer(x, h0)", "y, (h, c) = gru(seq, (a, b))", "y, h = gru(seq, a)"),
        (
            "pair",
            "output, (h_n, c_n) = layer(x, (h0, c0))",
            "y, st = lstm(seq, a)",
            "y, st = lstm(seq, (a, torch.zeros_like(a)))",
        ),
        ("product", "A.T @ B", "z = np.tanh(W @ v + b)", "z = np.tanh(W.T @ v + b)"),
        ("product", "A.T @ B", "z = W.dot(v)", "z = W.T @ v"),
        ("product", "A.T @ B", "z = W @ v + U @ h", ""),
        ("product", "linear(output[:, -1])   # the last step", "return self.fc(y[-1])", "return self.fc(y[:, -1])   # the last step"),
        ("product", "nn.Linear(64, 10)", "return self.fc(y)", "self.fc = nn.Linear(64, 10)"),
        ("product", "nn.Linear(64, 10)", "model.fit(y)", ""),
        ("concatenate", "np.concatenate([h, x], axis=0)", "s = np.hstack((prev, now))", "s = np.concatenate([prev, now], axis=0)"),
        ("target_shape", "logits = logits.transpose(1, 2)", "l = crit(net(v), y)", "l = crit(net(v).transpose(1, 2), y)"),
        ("lengths", "packed = pack_padded_sequence(x, lengths, batch_first=True)", "p = pack_padded_sequence(s, n)", "p = pack_padded_sequence(s, n, batch_first=True)"),
        ("broadcast", "b = b.reshape(-1, 1)", "z = pre + bias", "bias = bias.reshape(-1, 1)"),
        ("reshape", "x = x.reshape(5, -1)", "y = seq.view(5, 2)", "y = seq.reshape(5, -1)"),
        ("stack", "pad_sequence(sequences)", "batch = torch.stack(seqs)", "batch = pad_sequence(seqs)"),
        ("view", "x = x.contiguous()   # before the view", "y = seq.view(10)", "seq = seq.contiguous()   # before the view"),
        (
            "lengths",
            "packed = pack_padded_sequence(x, lengths, batch_first=True)",
            "p = nn.utils.rnn.pack_padded_sequence(emb, lens.cpu())",
            "p = nn.utils.rnn.pack_padded_sequence(emb, lens.cpu(), batch_first=True)",
        ),
        (
            "pair",
            "output, (h_n, c_n) = layer(x, (h0, c0))",
            "return self.rnn(tok, hidden)",
            "return self.rnn(tok, (hidden, torch.zeros_like(hidden)))",
        ),
        (
            "pair",
            "output, h_n = layer(x, h0)",
            "output, hidden = self.rnn(src, hidden)",
            "output, hidden = self.rnn(src, hidden[0])",
        ),
        ("rank", "x = layers.Reshape((26, 208))(x)", "model = keras.Sequential([layers.LSTM(16)])", ""),
        ("pair", "output = output[0]", "y = self.fc(out)", "out = out[0]"),
        ("pair", "output = output[0]", "y = hid.squeeze(0)", "hid = hid[0]"),
        ("tuple_index", "output = output[0]", "y = res[:, -1]", "res = res[0]"),
        ("indices", "output[-1]", "y = out[:, -1, :]", "y = out[-1]"),
        ("no_dimension", "output = output.unsqueeze(0)", "y = out.transpose(1, 2)", "out = out.unsqueeze(0)"),
        ("initializer", "nn.init.zeros_(bias)", "nn.init.orthogonal_(p)", "nn.init.zeros_(p)"),
        ("features", "output, state = layer(x, state)", "y, hn = self.rnn(h0, xb)", "y, hn = self.rnn(xb, h0)"),
        ("concatenate_layer", "layers.Concatenate(axis=1)([h, x])", "z = layers.Concatenate()([p, q])", "z = layers.Concatenate(axis=1)([p, q])"),
        ("rank", "x = x[None]", "y = net.predict(w)", "w = w[None]"),
        ("rank", "LSTM(8, return_sequences=True)", "y = layers.GRU(3)(w)", ""),
        ("product", "A @ B.T", "z = p @ q", "z = p @ q.T"),
        ("rank", "x = x[..., None]", "model.add(layers.LSTM(25))", ""),
        ("broadcast", "b = b.reshape(-1)", "dbh += draw", "draw = draw.reshape(-1)"),
        ("batch_rank", "A = A.unsqueeze(1)", "s = torch.bmm(q, keys.mT)", "q = q.unsqueeze(1)"),
        ("state", "# words alone", "y, _ = net(x, hid)", ""),
        ("state", "h0 = torch.zeros(2)", "no line of Python", ""),
    ],
)  # fmt: skip
def test_an_advised_line_is_written_in_the_readers_names(kind, advised, code, own):
    assert in_user_names(advised, UserLine("a.py", 1, code), kind) == own


def test_the_mark_of_the_traceback_chooses_among_operations():
    line = UserLine("a.py", 1, "z = P @ v + Q @ h", (12, 17))
    assert in_user_names("A.T @ B", line, "product") == "z = P @ v + Q.T @ h"


@pytest.mark.parametrize(
    "advised, code, marked, one, all_products",
    [
        ("A @ B.T", "z = W @ v + U @ h", (4, 9), "z = W @ v.T + U @ h", "z = v @ W.T + h @ U.T   # if each sequence is a row"),
        ("A.T @ B", "z = W @ v + U @ h", (12, 17), "z = W @ v + U.T @ h", "z = W.T @ v + U.T @ h   # if all are to be transposed"),
        ("A @ B.T", "z = v @ W + h @ U", (4, 9), "z = v @ W.T + h @ U", "z = v @ W.T + h @ U.T   # if all are to be transposed"),
    ],
)  # fmt: skip
def test_a_line_of_two_products_is_written_with_both_transposed_as_well(advised, code, marked, one, all_products):
    own = in_user_names(advised, UserLine("a.py", 1, code, marked), "product")
    assert own.splitlines() == [one, all_products]


def test_the_c_that_gets_a_value_is_the_second_of_the_pair():
    line = UserLine("a.py", 1, "h, c = self.cell(x[:, t], h)")
    assert in_user_names("h, c = cell(x, (h, c))", line, "pair") == "h, c = self.cell(x[:, t], (h, c))"


def test_a_line_that_cannot_be_written_stays_as_it_was_advised():
    advised = "h0 = c0 = torch.zeros(2, 3)\nnn.LSTM(..., batch_first=True)"
    own = in_user_names(advised, UserLine("a.py", 1, "y, _ = nets[0](x, (a, b))"), "state")
    assert own.splitlines() == ["a = b = torch.zeros(2, 3)", "nets[0] = nn.LSTM(..., batch_first=True)"]


@given(st.text())
def test_no_text_breaks_it(text):
    user_lines(text)
    tree_of(text)
    for kind in ("state", "product", "concatenate", "broadcast", "targets", "reshape", "lengths"):
        in_user_names("A.T @ B\nh0 = c0 = torch.zeros(2)", UserLine("a.py", 1, text), kind)


def test_a_long_text_is_read_in_no_time():
    user_lines("In [" * 10**6)
    user_lines('File "' * 10**5 + '", line 1\n' * 10**5)


@pytest.mark.parametrize(
    ("line", "is_possible"), [("out, (h, c) = rnn(x, (h0, c0))", False), ("out, h = rnn(x, h0)", True)]
)
def test_a_line_with_a_pair_of_states_is_not_told_to_give_the_pair(line, is_possible):
    message = (
        f'Traceback (most recent call last):\n  File "fit.py", line 9, in forward\n    {line}\n'
        "RuntimeError: For batched 3-D input, hx and cx should also be 3-D but got (2-D, 2-D) tensors"
    )
    codes = [cause.code for cause in explain(message).causes]
    assert codes == (["state-tuple", "unbatched"] if is_possible else ["unbatched"])


def test_the_line_of_a_library_that_raises_the_error_is_not_the_readers():
    message = "ValueError: Data cardinality is ambiguous. Make sure all arrays contain the same number of samples.'x' sizes: 90\n'y' sizes: 100"
    read = explain(f"    raise ValueError(msg)\n{message}")
    assert read.is_understood and read.own is None
