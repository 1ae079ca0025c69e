"""Lines of programs with PyTorch in tracebacks that have the frames alone, the code of the first cause, and its first line."""

SIZES = "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"
PRODUCT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied ({} and {})"
FEATURES = "RuntimeError: input.size(-1) must be equal to input_size. Expected {}, got {}"
JOIN = "RuntimeError: Sizes of tensors must match except in dimension 2. Expected size {} but got size {} for tensor number 1 in the list."
ROWS = "ValueError: Expected input batch_size ({}) to match target batch_size ({})."
STATE = "RuntimeError: Expected hidden{} size ({}), got [{}]"
_GATES = "g = x_t @ self.W + h_t @ self.U + self.b"
FRAMES = """Traceback (most recent call last):
  File "train.py", line 40, in <module>
    {}
  File "train.py", line 21, in forward
    {}
{}"""


def _marked(line: str, part: str, sign: str) -> str:
    """Return a line with the marks that Python puts below an operation that failed."""
    at, of = line.index(part), part.index(sign)
    return f"{line}\n    {' ' * at}{'~' * of}^{'~' * (len(part) - of - 1)}"


_LINES = [
    (
        "o, s = self.rnn(torch.cat((emb, ctx), 0), s)",
        FEATURES.format(80, 40),
        "concatenate-axis",
        "o, s = self.rnn(torch.cat((emb, ctx), dim=-1), s)",
    ),
    (
        "o, s = self.rnn(torch.cat([emb, ctx], dim=1), s)",
        FEATURES.format(80, 40),
        "concatenate-axis",
        "o, s = self.rnn(torch.cat([emb, ctx], dim=-1), s)",
    ),
    (
        "y = self.out(torch.cat((o.squeeze(0), ctx), 0))",
        PRODUCT.format("12x64", "128x200"),
        "concatenate-axis",
        "y = self.out(torch.cat((o.squeeze(0), ctx), dim=-1))",
    ),
    (
        _marked("c_t = f_t * c_t + i_t * g_t", "i_t * g_t", "*"),
        SIZES.format(128, 512, 1),
        "broadcast",
        "g_t = g_t.chunk(4, dim=1)[2]",
    ),
    ("h_t = o_t * torch.tanh(c_t)", SIZES.format(512, 128, 1), "broadcast", "o_t = o_t.chunk(4, dim=1)[3]"),
    (_marked(_GATES, "x_t @ self.W + h_t @ self.U", "+"), SIZES.format(12, 16, 0), "batch-size", "x_t = x[:, t]"),
    (_marked(_GATES, "x_t @ self.W + h_t @ self.U", "+"), SIZES.format(12, 16, 1), "indexing", "x_t = x[:, t]"),
    (
        "h = torch.tanh(x @ self.W + h @ self.U)",
        SIZES.format(12, 16, 1),
        "indexing",
        "h = torch.tanh(x[:, t] @ self.W + h @ self.U)",
    ),
    ("y = y + y[:, :, self.k :]", SIZES.format(256, 128, 2), "broadcast", "y = y[:, :, :self.k] + y[:, :, self.k:]"),
    ("y = y[:, :, : self.k] + y[:]", SIZES.format(128, 256, 2), "broadcast", "y = y[:, :, :self.k] + y[:, :, self.k:]"),
    (
        "e = e.masked_fill(~mask, -1e9)",
        SIZES.format(3, 30, 1),
        "broadcast",
        "e = e.squeeze(-1).masked_fill(~mask, -1000000000.0)",
    ),
    (
        "c = torch.bmm(a.unsqueeze(1), enc)",
        "RuntimeError: batch1 must be a 3D tensor",
        "unbatched",
        "c = torch.bmm(a.squeeze(-1).unsqueeze(1), enc)",
    ),
    (
        "c = torch.bmm(a.unsqueeze(0), enc).squeeze(1)",
        "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [1, 22] but got: [8, 22].",
        "batch-first",
        "c = torch.bmm(a.unsqueeze(1), enc).squeeze(1)",
    ),
    (
        "c = a.bmm(enc.transpose(0, 1)).squeeze(1)",
        "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [1, 10] but got: [6, 10].",
        "batch-first",
        "a = a.transpose(0, 1)",
    ),
    (
        "r = torch.cat((emb, ctx.unsqueeze(0)), 2)",
        "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)",
        "indexing",
        "r = torch.cat((emb.unsqueeze(0), ctx.unsqueeze(0)), 2)",
    ),
    (
        "o, s = self.rnn(torch.cat((emb, ctx), 2), s)",
        "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)",
        "indexing",
        "o, s = self.rnn(torch.cat((emb.unsqueeze(1), ctx), 2), s)",
    ),
    (
        "o, s = self.rnn(torch.cat((emb, ctx), 2), s)",
        JOIN.format(1, 7),
        "concatenate-axis",
        "emb = emb.transpose(0, 1)",
    ),
    (
        "r = torch.cat((emb, ctx.unsqueeze(1)), 2)",
        JOIN.format(1, 6),
        "concatenate-axis",
        "r = torch.cat((emb, ctx.unsqueeze(0)), 2)",
    ),
    (
        "l = nn.MSELoss()(net(w[:, :-1]), w[1:])",
        SIZES.format(99, 100, 1),
        "indexing",
        "l = nn.MSELoss()(net(w[:, :-1]), w[:, 1:])",
    ),
    (
        "l = nn.MSELoss()(net(w[:-1]), w[:, 1:])",
        SIZES.format(100, 99, 1),
        "indexing",
        "l = nn.MSELoss()(net(w[:, :-1]), w[:, 1:])",
    ),
    (
        "l = crit(y.reshape(-1, V), trg[1:].reshape(-1))",
        ROWS.format(128, 135),
        "indexing",
        "l = crit(y.reshape(-1, V), trg[:, 1:].reshape(-1))",
    ),
    (
        "l = crit(net(w[:, :-1]), w[:, 1:])",
        SIZES.format(30, 99, 1),
        "broadcast",
        "l = crit(net(w[:, :-1]).transpose(0, 1), w[:, 1:])",
    ),
    (
        "o, s = self.cell(y[:, t, :], s)",
        "IndexError: too many indices for tensor of dimension 2",
        "indexing",
        "o, s = self.cell(y[:, t, None], s)",
    ),
    (
        "return rows[:, i:i + n], rows[:, i + 1:i + n + 1]",
        "IndexError: too many indices for tensor of dimension 1",
        "unbatched",
        "rows = rows.reshape(batch_size, -1)",
    ),
    (
        "z = z.view(batch, steps, self.k)",
        "RuntimeError: shape '[10, 20, 16]' is invalid for input of size 160",
        "reshape",
        "z = z.reshape(10, 1, 16).expand(-1, 20, -1)",
    ),
]

FIRST_LINES = [(FRAMES.format("y = net(x)", line, error), code, first) for line, error, code, first in _LINES] + [
    (
        FRAMES.format(
            "y = dec(imgs, caps[:-1])",
            "o, _ = self.lstm(self.emb(words), (h, c))",
            "RuntimeError: Expected hidden[0] size (1, 31, 128), got [1, 32, 128]",
        ),
        "indexing",
        "y = dec(imgs, caps[:, :-1])",
    ),
    (
        FRAMES.format(
            "out, h = dec(tok, h)",
            "o, h = self.gru(x, h)",
            "ValueError: GRU: Expected input to be 2D or 3D, got 4D instead",
        ),
        "indexing",
        "out, h = dec(tok[:, 0], h)",
    ),
    (
        FRAMES.format("main()", "l = crit(y.reshape(-1, V), targets.reshape(-1))", ROWS.format(544, 558)),
        "indexing",
        "# where targets are made: cut the steps, targets[:, 1:], and not the sequences, targets[1:]",
    ),
    (
        FRAMES.format("main()", "y = y[:, :, : self.k] + y[:, :, self.k :]", SIZES.format(128, 0, 2)),
        "layers-directions",
        "nn.LSTM(..., bidirectional=True)",
    ),
    (
        FRAMES.format("main()", "s = s.masked_fill(mask == 0, -1e9)", SIZES.format(4, 15, 1)),
        "broadcast",
        "s = s.squeeze(-1).masked_fill(mask == 0, -1000000000.0)",
    ),
    (
        FRAMES.format(
            "main()", "return out.view(batch)", "RuntimeError: shape '[50]' is invalid for input of size 3000"
        ),
        "reshape",
        "return out.reshape(50, -1)[:, -1]",
    ),
    (
        FRAMES.format("main()", _marked("c = f_t * c + i * g", "f_t * c", "*"), SIZES.format(100, 25, 1)),
        "broadcast",
        "f_t = f_t.chunk(4, dim=1)[1]",
    ),
    (
        FRAMES.format("main()", "l = crit(y.reshape(-1, 350), trg.reshape(-1))", ROWS.format(144, 160)),
        "shifted-targets",
        "l = crit(y.reshape(-1, 350), trg.reshape(-1).reshape(16, -1)[:, 1:].flatten())",
    ),
    (
        FRAMES.format("main()", "loss = loss_fn(y_pred, y_batch)", SIZES.format(12, 8, 0)),
        "batch-first",
        "logits = linear(output[:, -1])",
    ),
    (
        FRAMES.format(
            "y = net(x)", "c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)", SIZES.format(24, 32, 1)
        ),
        "hidden-size",
        "# where the weights of all gates are made: 128 columns, one for each unit of four gates, and not 96",
    ),
]
