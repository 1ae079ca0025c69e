"""Programs of PyTorch that fail because of a shape, as people write them, each with the code of what is wrong.

The last line raises. The shape after it is the one that its result was meant to have.
More than one code stands where the message bears more than one reading.
"""

_LSTM = "layer = nn.LSTM(10, 32)\nx = torch.zeros(5, 8, 10)\n"
_GRU = "layer = nn.GRU(10, 32)\nx = torch.zeros(5, 8, 10)\n"
_RNN = "layer = nn.RNN(10, 32)\nx = torch.zeros(5, 8, 10)\n"
_LSTM_CALL = "output, (h_n, c_n) = layer(x, (h0, c0))   # (5, 8, 32)"
_CALL = "output, h_n = layer(x, h0)   # (5, 8, 32)"
_LSTM_CELL = "cell = nn.LSTMCell(10, 32)\nx = torch.zeros(8, 10)\n"
_GRU_CELL = "cell = nn.GRUCell(10, 32)\nx = torch.zeros(8, 10)\n"

PROGRAMS = (
    # The features of x
    ("input-size", "layer = nn.LSTM(10, 32)\nx = torch.zeros(5, 8, 13)\noutput, state = layer(x)   # (5, 8, 32)"),
    ("input-size", "layer = nn.GRU(10, 32, 2)\nx = torch.zeros(5, 8, 13)\noutput, h_n = layer(x)   # (5, 8, 32)"),
    ("input-size", "layer = nn.RNN(3, 18)\nx = torch.zeros(5, 8, 9)\noutput, h_n = layer(x)   # (5, 8, 18)"),
    (
        "input-size",
        "layer = nn.GRU(4, 18, bidirectional=True)\nx = torch.zeros(5, 9)\noutput, h_n = layer(x)   # (5, 36)",
    ),
    ("input-size", "cell = nn.LSTMCell(10, 32)\nx = torch.zeros(8, 13)\nh, c = cell(x)   # (8, 32)"),
    ("input-size", "cell = nn.RNNCell(10, 32)\nx = torch.zeros(8, 13)\nh = cell(x)   # (8, 32)"),
    (
        "input-size shared-cell",
        "first = nn.GRU(10, 32)\nlayer = nn.GRU(10, 32)\nsignal, _ = first(torch.zeros(5, 8, 10))\noutput, h_n = layer(signal)   # (5, 8, 32)",
    ),
    (
        "input-size",
        "embedding = nn.Embedding(50, 12)\nlayer = nn.LSTM(50, 32)\nx = embedding(torch.zeros(5, 8, dtype=torch.long))\noutput, state = layer(x)   # (5, 8, 32)",
    ),
    # The first state
    ("layers-directions", _LSTM + "h0 = c0 = torch.zeros(2, 8, 32)\n" + _LSTM_CALL),
    (
        "layers-directions",
        "layer = nn.GRU(10, 32, 2)\nx = torch.zeros(5, 8, 10)\nh0 = torch.zeros(1, 8, 32)\n" + _CALL,
    ),
    (
        "layers-directions",
        "layer = nn.LSTM(10, 32, bidirectional=True)\nx = torch.zeros(5, 8, 10)\nh0 = c0 = torch.zeros(1, 8, 32)\noutput, state = layer(x, (h0, c0))   # (5, 8, 64)",
    ),
    (
        "batch-first",
        "layer = nn.GRU(10, 32, batch_first=True)\nx = torch.zeros(8, 5, 10)\nh0 = torch.zeros(8, 1, 32)\noutput, h_n = layer(x, h0)   # (8, 5, 32)",
    ),
    (
        "batch-first batch-size",
        "layer = nn.LSTM(10, 32)\nx = torch.zeros(9, 5, 10)\nh0 = c0 = torch.zeros(1, 9, 32)\noutput, state = layer(x, (h0, c0))   # (9, 5, 32)",
    ),
    ("batch-size", _RNN + "h0 = torch.zeros(1, 16, 32)\n" + _CALL),
    ("batch-size", _LSTM + "h0 = torch.zeros(1, 8, 32)\nc0 = torch.zeros(1, 16, 32)\n" + _LSTM_CALL),
    ("hidden-size", _GRU + "h0 = torch.zeros(1, 8, 48)\n" + _CALL),
    ("hidden-size", _LSTM + "h0 = c0 = torch.zeros(1, 8, 64)\n" + _LSTM_CALL),
    (
        "hidden-size",
        "layer = nn.LSTM(10, 32, proj_size=12)\nx = torch.zeros(5, 8, 10)\nh0 = torch.zeros(1, 8, 32)\nc0 = torch.zeros(1, 8, 32)\noutput, state = layer(x, (h0, c0))   # (5, 8, 12)",
    ),
    ("swapped-arguments", "layer = nn.GRU(10, 2, 32)\nx = torch.zeros(5, 8, 10)\nh0 = torch.zeros(2, 8, 32)\n" + _CALL),
    (
        "swapped-arguments",
        "layer = nn.LSTM(10, 1, 80)\nx = torch.zeros(5, 8, 10)\nh0 = c0 = torch.zeros(1, 8, 80)\noutput, state = layer(x, (h0, c0))   # (5, 8, 80)",
    ),
    ("unbatched", _GRU + "batch = 8\nh0 = torch.zeros(8, 32)\n" + _CALL),
    ("unbatched", _GRU + "batch = 8\nh0 = torch.zeros(1, 32)\n" + _CALL),
    ("unbatched state-tuple", _LSTM + "batch = 8\nh0 = c0 = torch.zeros(8, 32)\n" + _LSTM_CALL),
    ("unbatched", _LSTM + "batch = 8\nh0 = torch.zeros(1, 8, 32)\nc0 = torch.zeros(8, 32)\n" + _LSTM_CALL),
    (
        "unbatched",
        "layer = nn.RNN(10, 32)\nx = torch.zeros(5, 10)\nh0 = torch.zeros(1, 1, 32)\noutput, h_n = layer(x, h0)   # (5, 32)",
    ),
    (
        "unbatched",
        "layer = nn.GRU(10, 32)\nx = torch.zeros(8, 10)\nh0 = torch.zeros(1, 8, 32)\noutput, h_n = layer(x, h0)   # (1, 8, 32)",
    ),
    (
        "hidden-size",
        "layer = nn.GRU(10, 32)\nx = torch.zeros(5, 10)\nh0 = torch.zeros(1, 48)\noutput, h_n = layer(x, h0)   # (5, 32)",
    ),
    (
        "swapped-arguments transpose",
        "layer = nn.RNN(10, 32, 2)\nx = torch.zeros(5, 10)\nh0 = torch.zeros(32, 2)\noutput, h_n = layer(x, h0)   # (5, 32)",
    ),
    # The axes of x
    ("unbatched", "layer = nn.LSTM(10, 32)\nx = torch.zeros(10)\noutput, state = layer(x)   # (1, 32)"),
    ("unbatched", "layer = nn.GRU(1, 32)\nx = torch.zeros(20)\noutput, h_n = layer(x)   # (20, 32)"),
    ("unbatched", "layer = nn.RNN(10, 32)\nx = torch.zeros(1, 5, 8, 10)\noutput, h_n = layer(x)   # (5, 8, 32)"),
    (
        "unbatched",
        "layer = nn.LSTM(28 * 28, 32, batch_first=True)\nx = torch.zeros(8, 5, 28, 28)\noutput, state = layer(x)   # (8, 5, 32)",
    ),
    (
        "unbatched",
        "cell = nn.LSTMCell(10, 32)\nx = torch.zeros(5, 8, 10)\nh = c = torch.zeros(8, 32)\nh, c = cell(x, (h, c))   # (8, 32)",
    ),
    (
        "unbatched",
        "cell = nn.GRUCell(10, 32)\nx = torch.zeros(5, 8, 10)\nh = torch.zeros(8, 32)\nh = cell(x, h)   # (8, 32)",
    ),
    ("unbatched", _GRU_CELL + "h = torch.zeros(1, 8, 32)\nh = cell(x, h)   # (8, 32)"),
    ("unbatched", _LSTM_CELL + "h = c = torch.zeros(1, 8, 32)\nh, c = cell(x, (h, c))   # (8, 32)"),
    # The state of a cell
    ("batch-size", _LSTM_CELL + "hidden_size = 32\nh = c = torch.zeros(5, 32)\nh, c = cell(x, (h, c))   # (8, 32)"),
    ("batch-size", _GRU_CELL + "hidden_size = 32\nh = torch.zeros(5, 32)\nh = cell(x, h)   # (8, 32)"),
    ("hidden-size", _LSTM_CELL + "h = c = torch.zeros(8, 48)\nh, c = cell(x, (h, c))   # (8, 32)"),
    ("hidden-size", _GRU_CELL + "h = torch.zeros(8, 48)\nh = cell(x, h)   # (8, 32)"),
    ("batch-size unbatched", _GRU_CELL + "hidden_size = 32\nh = torch.zeros(32)\nh = cell(x, h)   # (8, 32)"),
    # The pair (h, c)
    ("state-tuple", _LSTM_CELL + "h = c = torch.zeros(8, 32)\nh, c = cell(x, h)   # (8, 32)"),
    ("state-tuple", _GRU_CELL + "h = c = torch.zeros(8, 32)\nh = cell(x, (h, c))   # (8, 32)"),
    ("state-tuple", _LSTM + "h0 = c0 = torch.zeros(1, 8, 32)\noutput, (h_n, c_n) = layer(x, h0)   # (5, 8, 32)"),
    ("state-tuple", _GRU + "h0 = c0 = torch.zeros(1, 8, 32)\noutput, h_n = layer(x, (h0, c0))   # (5, 8, 32)"),
    ("state-tuple", _GRU + "output, (h_n, c_n) = layer(x)   # (5, 8, 32)"),
    ("state-tuple", _LSTM + "output, h_n, c_n = layer(x)   # (5, 8, 32)"),
    ("state-tuple", _LSTM + "h0 = c0 = torch.zeros(1, 8, 32)\noutput, (h_n, c_n) = layer(x, h0, c0)   # (5, 8, 32)"),
    ("state-tuple", _LSTM_CELL + "h = c = torch.zeros(8, 32)\nh, c = cell(x, h, c)   # (8, 32)"),
    ("state-tuple", _GRU_CELL + "h = torch.zeros(8, 32)\nh, c = cell(x, h)   # (8, 32)"),
    ("state-tuple", _LSTM + "linear = nn.Linear(32, 2)\noutput = layer(x)\nlogits = linear(output)   # (5, 8, 2)"),
    ("state-tuple", _LSTM + "linear = nn.Linear(32, 2)\noutput = layer(x)\nlogits = linear(output[:, -1])   # (5, 2)"),
    ("state-tuple", _GRU + "output = layer(x)\nsize = output.size(0)"),
    (
        "state-tuple",
        _LSTM + "second = nn.LSTM(32, 16)\noutput = layer(x)\nresult, state = second(output)   # (5, 8, 16)",
    ),
    # The linear layer after it
    (
        "hidden-size",
        "layer = nn.LSTM(10, 32, bidirectional=True)\nlinear = nn.Linear(32, 2)\noutput, _ = layer(torch.zeros(5, 8, 10))\nlogits = linear(output[-1])   # (8, 2)",
    ),
    (
        "hidden-size",
        "layer = nn.GRU(10, 32, bidirectional=True)\nlinear = nn.Linear(64, 2)\n_, h_n = layer(torch.zeros(5, 8, 10))\nlogits = linear(h_n[-1])   # (8, 2)",
    ),
    (
        "hidden-size",
        "layer = nn.GRU(10, 32, batch_first=True)\nlinear = nn.Linear(32, 2)\noutput, _ = layer(torch.zeros(8, 5, 10))\nlogits = linear(output.reshape(8, -1))   # (8, 2)",
    ),
    (
        "hidden-size",
        "layer = nn.RNN(10, 32)\nlinear = nn.Linear(48, 2)\noutput, _ = layer(torch.zeros(5, 8, 10))\nlogits = linear(output[-1])   # (8, 2)",
    ),
    (
        "hidden-size",
        "layer = nn.LSTM(10, 32)\nlinear = nn.Linear(5 * 32, 2)\noutput, _ = layer(torch.zeros(5, 8, 10))\nlogits = linear(output[-1])   # (8, 2)",
    ),
    # Products by hand
    ("transpose", "A = torch.zeros(8, 10)\nB = torch.zeros(32, 10)\nz = A @ B   # (8, 32)"),
    (
        "transpose inner-dimension",
        "A = torch.zeros(10, 32)\nB = torch.zeros(10, 8)\nh = torch.zeros(22, 8)\nx = torch.zeros(22, 8)\nz = A @ B   # (32, 8)",
    ),
    (
        "inner-dimension transpose",
        "A = torch.zeros(4, 7)\nB = torch.zeros(4, 5)\nx = torch.zeros(3, 5)\nz = A @ B   # (4, 5)",
    ),
    ("shared-cell", "A = torch.zeros(8, 32)\nB = torch.zeros(10, 128)\nz = A @ B   # (8, 128)"),
    ("shared-cell", "A = torch.zeros(8, 64)\nB = torch.zeros(42, 128)\nz = A @ B   # (8, 128)"),
    (
        "inner-dimension",
        "A = torch.zeros(8, 10)\nB = torch.zeros(42, 128)\nh = torch.zeros(8, 32)\nz = A @ B   # (8, 128)",
    ),
    ("inner-dimension", "a = torch.zeros(8, 1, 32)\nb = torch.zeros(8, 5, 32)\nscores = torch.bmm(a, b)   # (8, 1, 5)"),
    ("unbatched", "A = torch.zeros(32, 10)\nB = torch.zeros(10)\nz = torch.mm(A, B)   # (32,)"),
    ("unbatched", "A = torch.zeros(32, 10)\nB = torch.zeros(10, 8)\nz = torch.dot(A, B)   # (32, 8)"),
    ("inner-dimension", "a = torch.zeros(32)\nb = torch.zeros(10)\nz = torch.dot(a, b)   # ()"),
    ("broadcast", "outputs = torch.zeros(5, 8, 32)\nh = torch.zeros(8, 48)\noutputs[0] = h"),
    ("inner-dimension", "W = torch.zeros(4, 6)\nh = torch.zeros(5, 3)\nz = torch.einsum('ij,jb->ib', W, h)"),
    # Concatenation, stacking, reshaping
    ("concatenate-axis", "h = torch.zeros(8, 32)\nx = torch.zeros(8, 10)\nz = torch.cat([h, x])   # (8, 42)"),
    ("concatenate-axis", "h = torch.zeros(8, 32)\nx = torch.zeros(8, 10)\nz = torch.stack([h, x])   # (8, 42)"),
    (
        "concatenate-axis batch-size",
        "h = torch.zeros(32, 1)\nx = torch.zeros(10, 1)\nz = torch.cat([h, x], dim=1)   # (42, 1)",
    ),
    (
        "batch-size concatenate-axis",
        "hidden_size = 32\nh = torch.zeros(7, 32)\nx = torch.zeros(9, 10)\nz = torch.cat([h, x], dim=1)   # (9, 42)",
    ),
    ("unbatched", "a = torch.zeros(8, 32)\nb = torch.zeros(1, 8, 10)\nz = torch.cat([a, b], dim=-1)   # (8, 42)"),
    ("unbatched", "a = torch.zeros(8, 32)\nb = torch.zeros(5, 8, 10)\nz = torch.cat([a, b], dim=-1)   # (5, 8, 42)"),
    (
        "ragged",
        "sequences = [torch.zeros(5, 10), torch.zeros(7, 10)]\nx = torch.stack(sequences)   # (2, 7, 10)",
    ),
    ("reshape", "x = torch.zeros(8, 5, 10)\nx = x.reshape(8, 6, 10)"),
    ("reshape", "x = torch.zeros(8, 5, 10)\nx = x.view(8, -1, 7)"),
    (
        "concatenate-axis batch-size",
        "h = torch.zeros(8, 5, 32)\nx = torch.zeros(8, 5, 10)\nz = torch.cat([h, x], dim=1)   # (8, 5, 42)",
    ),
    ("reshape", "x = torch.zeros(8, 5, 10)\nx = x.view(8, 60)   # (8, 50)"),
    # Sums
    ("broadcast", "a = torch.zeros(8, 128)\nb = torch.zeros(32)\nz = a + b   # (8, 128)"),
    ("broadcast", "a = torch.zeros(8, 32)\nb = torch.zeros(8, 48)\nc = a * b   # (8, 32)"),
    ("batch-size broadcast", "a = torch.zeros(8, 32)\nb = torch.zeros(5, 32)\nc = a * b   # (8, 32)"),
    # Packed sequences
    (
        "batch-size batch-first",
        "x = torch.zeros(9, 4, 10)\nlengths = [9] * 8\npacked = pack_padded_sequence(x, lengths)",
    ),
    (
        "batch-first batch-size",
        "x = torch.zeros(4, 9, 10)\nlengths = [9, 7, 5, 3]\npacked = pack_padded_sequence(x, lengths)",
    ),
    ("sorted-lengths", "x = torch.zeros(9, 3, 10)\nlengths = [3, 9, 5]\npacked = pack_padded_sequence(x, lengths)"),
    # Losses
    (
        "class-axis",
        "logits = torch.zeros(4, 7, 10)\ntargets = torch.zeros(4, 7, dtype=torch.long)\nlogits = logits\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "class-axis",
        "linear = nn.Linear(32, 10)\ntargets = torch.zeros(5, 8, dtype=torch.long)\nlogits = linear(torch.zeros(5, 8, 32))\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "flattened",
        "linear = nn.Linear(32, 10)\ntargets = torch.zeros(8, dtype=torch.long)\noutput = torch.zeros(5, 8, 32)\nlogits = linear(output).reshape(-1, 10)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "flattened",
        "targets = torch.zeros(4, 7, dtype=torch.long)\nlogits = torch.zeros(4, 7, 10).reshape(-1, 10)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "flattened",
        "linear = nn.Linear(32, 10)\ntargets = torch.zeros(40, dtype=torch.long)\noutput = torch.zeros(5, 8, 32)\nlogits = linear(output[-1])\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "class-axis",
        "logits = torch.zeros(8, 10)\ntargets = torch.zeros(8, 1, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "broadcast",
        "logits = torch.zeros(8, 1)\ntargets = torch.zeros(8)\nloss = F.binary_cross_entropy_with_logits(logits, targets)   # ()",
    ),
    (
        "broadcast",
        "guess = torch.zeros(8, 1)\ntargets = torch.zeros(8)\nloss = F.binary_cross_entropy(guess, targets)   # ()",
    ),
    (
        "batch-size",
        "logits = torch.zeros(8, 10)\ntargets = torch.zeros(5, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    # Indices, axes and initializers
    ("indexing", "output = torch.zeros(5, 32)\nresult = output[:, -1, :]   # (32,)"),
    ("indexing", "output = torch.zeros(5, 32)\nresult = output.transpose(1, 2)   # (1, 32, 5)"),
    ("indexing", "output = torch.zeros(5, 32)\nresult = output.permute(0, 2, 1)   # (1, 32, 5)"),
    ("initializer", "bias = torch.zeros(32)\nresult = nn.init.xavier_uniform_(bias)   # (32,)"),
    ("initializer", "bias = torch.zeros(32)\nresult = nn.init.orthogonal_(bias)   # (32,)"),
    # Images that were flattened, steps of one number, a state before x
    (
        "flattened",
        "layer = nn.LSTM(28, 32, batch_first=True)\nx = torch.zeros(8, 784)\noutput, state = layer(x)   # (8, 28, 32)",
    ),
    (
        "unbatched",
        "layer = nn.GRU(1, 32, batch_first=True)\nx = torch.zeros(8, 30)\noutput, h_n = layer(x)   # (8, 30, 32)",
    ),
    (
        "contiguous",
        "x = torch.zeros(4, 6)\nx = x.t()\nresult = x.view(24)   # (24,)",
    ),
    # Saved weights
    (
        "checkpoint",
        "saved = nn.GRU(10, 32).state_dict()\nlayer = nn.LSTM(10, 32)\nresult = layer.load_state_dict(saved)",
    ),
    (
        "checkpoint",
        "saved = nn.LSTM(10, 32, 2).state_dict()\nlayer = nn.LSTM(10, 48, 2)\nresult = layer.load_state_dict(saved)",
    ),
    (
        "checkpoint",
        "saved = nn.GRU(10, 32, bidirectional=True).state_dict()\nlayer = nn.GRU(10, 32)\nresult = layer.load_state_dict(saved)",
    ),
    (
        "checkpoint",
        "saved = nn.RNN(10, 32, 3).state_dict()\nlayer = nn.RNN(10, 32, 2, bidirectional=True)\nresult = layer.load_state_dict(saved)",
    ),
    (
        "checkpoint",
        "saved = nn.Linear(64, 2).state_dict()\nlinear = nn.Linear(32, 2)\nresult = linear.load_state_dict(saved)",
    ),
    (
        "checkpoint",
        "saved = nn.Embedding(50, 12).state_dict()\nembedding = nn.Embedding(60, 12)\nresult = embedding.load_state_dict(saved)",
    ),
    (
        "input-size",
        "embedding = nn.Embedding(50, 12)\nx = embedding(torch.zeros(8, 5, dtype=torch.long))\nlayer = nn.GRU(10, 32, batch_first=True)\noutput, h_n = layer(x)   # (8, 5, 32)",
    ),
    # A row on the left and a column on the right of a product of batches
    (
        "unbatched",
        "A = torch.zeros(8, 32)\nB = torch.zeros(8, 5, 32)\nscores = torch.bmm(A, B.transpose(1, 2))   # (8, 1, 5)",
    ),
    (
        "unbatched",
        "A = torch.zeros(8, 5, 32)\nB = torch.zeros(8, 32)\nscores = torch.bmm(A, B)   # (8, 5, 1)",
    ),
    # The cell state alone, empty sequences, the axis of layers in h_n, targets for all steps
    (
        "hidden-size",
        _LSTM_CELL + "h = torch.zeros(8, 32)\nc = torch.zeros(8, 48)\nh, c = cell(x, (h, c))   # (8, 32)",
    ),
    (
        "batch-size",
        _LSTM_CELL + "h = torch.zeros(8, 32)\nc = torch.zeros(5, 32)\nh, c = cell(x, (h, c))   # (8, 32)",
    ),
    (
        "sorted-lengths",
        "x = torch.zeros(9, 3, 10)\nlengths = torch.tensor([9, 5, 0])\npacked = pack_padded_sequence(x, lengths)",
    ),
    (
        "unbatched",
        "linear = nn.Linear(32, 10)\ntargets = torch.zeros(8, dtype=torch.long)\nh_n = torch.zeros(1, 8, 32)\nlogits = linear(h_n)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "flattened",
        "linear = nn.Linear(32, 10)\ntargets = torch.zeros(40, dtype=torch.long)\noutput = torch.zeros(5, 8, 32)\nlogits = linear(output)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "shifted-targets",
        "logits = torch.zeros(8, 20, 10)\ntargets = torch.zeros(8, 21, dtype=torch.long)\nloss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())   # ()",
    ),
    (
        "shifted-targets",
        "logits = torch.zeros(20, 8, 10)\ntargets = torch.zeros(19, 8, dtype=torch.long)\nlogits, targets = logits.flatten(0, 1), targets.flatten()\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "shifted-targets",
        "logits = torch.zeros(8, 10, 20)\ntargets = torch.zeros(8, 21, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "shifted-targets",
        "logits = torch.zeros(8, 10, 20)\ntargets = torch.zeros(8, 19, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "broadcast",
        "a = torch.zeros(8, 128)\nb = torch.zeros(8, 32)\nresult = a * b",
    ),
    (
        "class-axis",
        "logits = torch.zeros(8, 3)\ntargets = torch.zeros(8)\nloss = F.binary_cross_entropy_with_logits(logits, targets)   # ()",
    ),
    ("ragged", "sequences = [[1, 2, 3], [4, 5], [6]]\nx = torch.tensor(sequences)   # (3, 3)"),
    (
        "unbatched",
        "layer = nn.LSTM(28, 32, batch_first=True)\nx = torch.zeros(8, 1, 28, 28)\noutput, state = layer(x)   # (8, 28, 32)",
    ),
    # A packed sequence, a step of a batch-first x, one target for each sequence, the state of another layer
    (
        "packed",
        "layer = nn.LSTM(10, 32)\nlinear = nn.Linear(32, 2)\nx = torch.zeros(5, 8, 10)\noutput, _ = layer(pack_padded_sequence(x, [5] * 8))\nresult = linear(output)   # (8, 5, 2)",
    ),
    (
        "sorted-lengths",
        "x = torch.zeros(3, 9, 10)\nlengths = torch.tensor([9, 5, 0])\npacked = pack_padded_sequence(x, lengths, batch_first=True)",
    ),
    (
        "batch-first batch-size",
        "cell = nn.GRUCell(10, 32)\nsequence = torch.zeros(8, 5, 10)\nh = torch.zeros(8, 32)\nt = 0\nh = cell(sequence[t], h)",
    ),
    (
        "batch-first batch-size",
        "cell = nn.LSTMCell(10, 32)\nsequence = torch.zeros(8, 5, 10)\nh = c = torch.zeros(8, 32)\nt = 0\nh, c = cell(sequence[t], (h, c))",
    ),
    (
        "class-axis",
        "linear = nn.Linear(32, 3)\ntargets = torch.zeros(8, dtype=torch.long)\nlogits = linear(torch.zeros(8, 20, 32))\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "hidden-size",
        "encoder = nn.GRU(10, 48)\nlayer = nn.GRU(10, 32)\nx = torch.zeros(5, 8, 10)\n_, state = encoder(x)\noutput, h_n = layer(x, state)   # (5, 8, 48)",
    ),
    (
        "hidden-size",
        "encoder = nn.LSTM(10, 48)\nlayer = nn.LSTM(10, 32)\nx = torch.zeros(5, 8, 10)\n_, (h, c) = encoder(x)\noutput, state = layer(x, (h, c))   # (5, 8, 48)",
    ),
    (
        "batch-first batch-size",
        "x = torch.zeros(32, 20, 10)\nlengths = [20] * 32\npacked = pack_padded_sequence(x, lengths)",
    ),
    # Layers beside the recurrent one, indices, lengths and targets
    (
        "transpose",
        "layer = nn.Conv1d(6, 12, 3, padding=1)\nx = torch.zeros(8, 20, 6)\nresult = layer(x)   # (8, 12, 20)",
    ),
    (
        "input-size",
        "layer = nn.Conv1d(6, 12, 3, padding=1)\nx = torch.zeros(8, 10, 20)\nresult = layer(x)   # (8, 12, 20)",
    ),
    (
        "transpose",
        "layer = nn.Conv2d(3, 12, 3, padding=1)\nx = torch.zeros(8, 20, 30, 3)\nresult = layer(x)   # (8, 12, 20, 30)",
    ),
    (
        "hidden-size",
        "layer = nn.MultiheadAttention(32, 4, batch_first=True)\nx = torch.zeros(8, 20, 64)\noutput, _ = layer(x, x, x)   # (8, 20, 64)",
    ),
    ("hidden-size", "layer = nn.LayerNorm(32)\nx = torch.zeros(8, 20, 64)\nresult = layer(x)   # (8, 20, 64)"),
    ("transpose", "layer = nn.BatchNorm1d(32)\nx = torch.zeros(8, 20, 32)\nresult = layer(x)   # (8, 20, 32)"),
    ("transpose hidden-size", "layer = nn.BatchNorm1d(32)\nx = torch.zeros(8, 64)\nresult = layer(x)   # (8, 64)"),
    (
        "index-range",
        "linear = nn.Linear(32, 10)\nh_n = torch.zeros(5, 32)\ntargets = torch.tensor([1, 3, 10, 7, 2])\nlogits = linear(h_n)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "index-range",
        "x = torch.tensor([[1, 4, 50, 2]])\nembedding = nn.Embedding(50, 8)\nresult = embedding(x)   # (1, 4, 8)",
    ),
    ("index-range", "x = torch.zeros(8, 10, 4)\nfor t in range(x.size(1)): x_next = x[:, t + 1]   # (8, 4)"),
    ("index-range", "x = torch.zeros(10, 8, 4)\nfor t in range(11): x_t = x[t]   # (8, 4)"),
    (
        "lengths",
        "x = torch.zeros(3, 9, 10)\nlengths = torch.tensor([[9], [5], [2]])\npacked = pack_padded_sequence(x, lengths, batch_first=True)",
    ),
    (
        "state-tuple unbatched",
        "x = torch.zeros(8, 20, 4, 5)\nbatch, steps, features = x.shape",
    ),
    (
        "batch-first",
        "a = torch.zeros(8, 1, 20)\nb = torch.zeros(20, 8, 32)\nresult = torch.bmm(a, b)   # (8, 1, 32)",
    ),
    (
        "broadcast",
        "logits = torch.zeros(8, 20, 1)\ntargets = torch.zeros(8, 1)\nloss = F.binary_cross_entropy_with_logits(logits, targets)   # ()",
    ),
    (
        "broadcast",
        "logits = torch.zeros(8, 20, 1)\ntargets = torch.zeros(8)\nloss = F.binary_cross_entropy_with_logits(logits, targets)   # ()",
    ),
    (
        "hidden-size",
        "linear = nn.Linear(32, 1)\nh_n = torch.zeros(8, 32)\ntargets = torch.zeros(8, 24)\nlogits = linear(h_n)\nloss = F.binary_cross_entropy_with_logits(logits, targets)   # ()",
    ),
    (
        "checkpoint",
        "embedding = nn.Embedding(5002, 8)\nb = torch.zeros(5000, 8)\na = embedding.weight.detach()\nresult = a + b",
    ),
    (
        "broadcast",
        "layer = nn.GRU(10, 32)\nb = torch.zeros(8, 20, 10)\na = layer(b)[0]\nresult = a + b",
    ),
    (
        "unbatched",
        "layer = nn.Conv1d(1, 16, kernel_size=5)\nx = torch.zeros(32, 187)\nresult = layer(x)   # (32, 16, 183)",
    ),
    (
        "inner-dimension",
        "a = torch.zeros(16, 20, 1)\nb = torch.zeros(16, 20, 64)\nresult = torch.bmm(a, b)   # (16, 1, 64)",
    ),
    (
        "unbatched",
        "logits = torch.zeros(1, 65)\ntargets = torch.tensor(2)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "state-tuple",
        "layer = nn.LSTM(10, 20)\nx = torch.zeros(9, 3, 10)\noutput, h, c = layer(x)",
    ),
    # Frequent mistakes of a blind trial, for which the page had no line
    (
        "weight-tying hidden-size",
        "embedding = nn.Embedding(1000, 200)\nlayer = nn.LSTM(200, 256)\nlinear = nn.Linear(256, 1000)\nlinear.weight = embedding.weight\n"
        "x = embedding(torch.zeros(5, 8, dtype=torch.long))\noutput, state = layer(x)\nresult = linear(output)   # (5, 8, 1000)",
    ),
    (
        "layers-directions",
        "layer = nn.GRU(10, 24, 2)\nx = torch.zeros(5, 40, 10)\noutput, h_n = layer(x)\nlogits = nn.Linear(24, 3)(h_n)\n"
        "targets = torch.zeros(40, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "layers-directions",
        "layer = nn.GRU(10, 24, bidirectional=True)\nlinear = nn.Linear(24, 3)\nx = torch.zeros(5, 40, 10)\noutput, h_n = layer(x)\n"
        "logits = linear(h_n.reshape(-1, 24))\ntargets = torch.zeros(40, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "batch-first",
        "layer = nn.RNN(28, 32)\nlinear = nn.Linear(32, 10)\nx = torch.zeros(64, 28, 28)\noutput, h_n = layer(x)\nlogits = linear(output[-1])\n"
        "targets = torch.zeros(64, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "batch-first",
        "layer = nn.RNN(28, 32, batch_first=True)\nlinear = nn.Linear(32, 10)\nx = torch.zeros(64, 28, 28)\noutput, h_n = layer(x)\nlogits = linear(output[-1])\n"
        "targets = torch.zeros(64, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "batch-first",
        "a = torch.zeros(11, 4, 32)\nb = torch.zeros(4, 32, 1)\nresult = torch.bmm(a, b)   # (4, 11, 1)",
    ),
    (
        "unbatched",
        "layer = nn.LSTM(1, 50, 2, batch_first=True)\nx = torch.zeros(32, 15)\nh0 = c0 = torch.zeros(2, 32, 50)\n"
        "output, (h_n, c_n) = layer(x, (h0, c0))   # (32, 15, 50)",
    ),
    (
        "input-size",
        "layer = nn.LSTM(64, 20, batch_first=True)\nx = torch.relu(nn.Conv1d(3, 64, 5)(torch.zeros(16, 3, 54)))\noutput, state = layer(x)   # (16, 50, 20)",
    ),
    (
        "broadcast",
        "a = torch.softmax(torch.zeros(5, 11), dim=1)\nb = nn.GRU(10, 32)(torch.zeros(5, 11, 10))[0]\nresult = a * b   # (5, 11, 32)",
    ),
    (
        "input-size",
        "layer = nn.LSTM(27, 64, batch_first=True)\nx = torch.zeros(16, 12)\noutput, state = layer(x)   # (16, 12, 64)",
    ),
    # Wordings of single functions
    (
        "state-tuple",
        "layer = nn.GRU(10, 20)\nx = torch.zeros(9, 3, 10)\noutput = layer(x)\nresult = torch.cat([output, output])   # (18, 3, 20)",
    ),
    (
        "checkpoint",
        "layer = nn.LSTM(10, 20)\nsaved = {f'module.{name}': tensor for name, tensor in layer.state_dict().items()}\nresult = layer.load_state_dict(saved)",
    ),
    ("broadcast", "a = torch.zeros(4, 1)\nb = torch.zeros(4, 3)\na += b   # (4, 1)"),
    ("transpose", "outputs = torch.zeros(5, 3)\nh = torch.zeros(3, 1)\noutputs[0] = h"),
    (
        "index-range",
        "x = torch.tensor([1, 6])\nresult = torch.nn.functional.one_hot(x, 6)   # (2, 7)",
    ),
    (
        "packed",
        "packed = pack_padded_sequence(torch.zeros(8, 10, 4), [7] * 8, batch_first=True)\noutput, _ = pad_packed_sequence(packed, batch_first=True)\n"
        "mask = torch.ones(8, 10, dtype=torch.bool)\nresult = output[mask]   # (56, 4)",
    ),
    (
        "batch-first",
        "output = torch.zeros(10, 8, 4)\nmask = torch.ones(8, 10, dtype=torch.bool)\nresult = output[mask]   # (80, 4)",
    ),
    (
        "indexing",
        "output = torch.zeros(10, 8, 4)\nmask = torch.ones(9, 8, dtype=torch.bool)\nresult = output[mask]",
    ),
    ("batch-size", "layer = nn.BatchNorm1d(6)\nx = torch.zeros(1, 6)\nresult = layer(x)   # (1, 6)"),
    (
        "unbatched",
        "output = torch.zeros(3, 5, 6)\nindex = torch.tensor([4, 3, 1])\nresult = output.gather(1, index)   # (3, 1, 6)",
    ),
    (
        "unbatched",
        "layer = nn.LSTM(10, 20)\nx = torch.zeros(3, 10)\nh = torch.zeros(1, 3, 20)\nc = torch.zeros(1, 3, 20)\n"
        "output, (h, c) = layer(x, (h, c))   # (1, 3, 20)",
    ),
    (
        "layers-directions",
        "layer = nn.GRU(10, 24, bidirectional=True)\nlinear = nn.Linear(24, 3)\nx = torch.zeros(5, 40, 10)\noutput, h_n = layer(x)\n"
        "logits = linear(torch.cat((h_n[-2], h_n[-1]), 0))\ntargets = torch.zeros(40, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    # Targets
    (
        "unbatched",
        "logits = torch.sigmoid(torch.zeros(1, 1)).squeeze()\ntargets = torch.zeros(1)\nloss = F.binary_cross_entropy(logits, targets)   # ()",
    ),
    (
        "unbatched",
        "logits = torch.sigmoid(torch.zeros(1, 1))\ntargets = torch.zeros(1, 1)[0, 0]\nloss = F.binary_cross_entropy(logits, targets)   # ()",
    ),
    (
        "index-range",
        "logits = torch.zeros(3, 4)\ntargets = torch.tensor([0, 3, -1])\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "class-targets",
        "logits = torch.zeros(8, 4)\ntargets = torch.zeros(8, 4, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    (
        "class-targets",
        "logits = torch.zeros(8, 4)\ntargets = torch.zeros(8)\nloss = F.cross_entropy(logits, targets)   # ()",
    ),
    # The axes of other layers
    (
        "unbatched",
        "layer = nn.Conv1d(1, 6, 3)\nx = torch.zeros(8, 1, 1, 10)\nresult = layer(x)   # (8, 6, 8)",
    ),
    ("unbatched", "layer = nn.BatchNorm1d(6)\nx = torch.zeros(8, 6, 2, 5)\nresult = layer(x)   # (8, 6, 10)"),
    # Packed sequences, and batches of sequences
    (
        "packed",
        "x = torch.zeros(6, 3, 7)\npacked = pack_padded_sequence(x, [6, 5, 2])\n"
        "output, _ = pad_packed_sequence(packed, batch_first=True, total_length=4)   # (3, 6, 7)",
    ),
    (
        "packed",
        "layer = nn.GRU(10, 32)\nx = torch.zeros(5, 3, 10)\noutput, h_n = layer(pack_padded_sequence(x, [5, 4, 2]))\n"
        "result = output.size(0)",
    ),
    (
        "ragged",
        "loader = torch.utils.data.DataLoader([([1, 2, 3], 0), ([4, 5], 1)], batch_size=2)\nx, y = next(iter(loader))   # (2, 3)",
    ),
    (
        "batch-size",
        "x = torch.zeros(5, 3)\ny = torch.zeros(4)\ndata = torch.utils.data.TensorDataset(x, y)",
    ),
    # A sum with the tuple that a layer returned; then lists and single numbers
    ("state-tuple", "layer = nn.GRU(10, 10)\na = torch.zeros(5, 8, 10)\nb = layer(a)\nresult = a + b   # (5, 8, 10)"),
    ("state-tuple", "layer = nn.GRU(10, 10)\nb = torch.zeros(5, 8, 10)\na = layer(b)\nresult = a - b   # (5, 8, 10)"),
    ("state-tuple", "layer = nn.LSTM(10, 10)\na = layer(torch.zeros(5, 8, 10))\nresult = a / 2   # (5, 8, 10)"),
    ("state-tuple", "layer = nn.RNN(10, 10)\na = layer(torch.zeros(5, 8, 10))\nresult = a / 0.5   # (5, 8, 10)"),
    ("indexing", "output = [torch.zeros(3, 6)] * 5\nresult = output[:, -1]   # (3, 6)"),
    ("indexing", "x = torch.zeros(3, 4, 5)\nresult = x.t()   # (3, 5, 4)"),
    ("indexing", "x = torch.tensor(3.0)\nresult = x[0]"),
    (
        "indexing",
        "output = torch.zeros(4, 5, 6)\nlengths = torch.tensor([5, 2, 1])\n"
        "result = output[torch.arange(4), lengths - 1]   # (3, 6)",
    ),
    ("indexing", "output = torch.zeros(8, 5, 6)\nresult = output[:, -1, :, :]   # (8, 6)"),
    ("indexing", "x = torch.zeros(3, 4)\nindex = torch.ones(2)\nresult = x.index_select(0, index)   # (2, 4)"),
    ("indexing", "x = torch.zeros(3, 4)\nindex = torch.ones(3, 2)\nresult = x.gather(1, index)   # (3, 2)"),
    ("indexing", "x = torch.zeros(3, 4)\nindex = torch.ones(2)\nresult = x[index]   # (2, 4)"),
    ("unbatched", "sequences = [torch.tensor(1.0), torch.tensor(2.0)]\nresult = torch.cat(sequences)   # (2,)"),
    ("split", "a = torch.zeros(3, 12)\nresult = torch.split(a, [4, 4], dim=1)"),
    (
        "broadcast",
        "outputs = torch.zeros(4, 6)\nh = torch.zeros(4, 5)\noutputs[torch.arange(4)] = h",
    ),
    # Other layers and the loss
    ("steps", "layer = nn.Conv1d(4, 6, 7)\nx = torch.zeros(3, 4, 5)\nresult = layer(x)   # (3, 6, 5)"),
    ("split", "layer = nn.MultiheadAttention(10, 3)"),
    (
        "class-targets",
        "logits = torch.zeros(8, 10)\ntargets = torch.zeros(8, dtype=torch.long)\n"
        "loss = nn.CrossEntropyLoss(weight=torch.ones(5))(logits, targets)   # ()",
    ),
    (
        "unbatched",
        "logits = torch.zeros(1).squeeze()\ntargets = torch.zeros(1)\n"
        "loss = F.binary_cross_entropy_with_logits(logits, targets)   # ()",
    ),
    (
        "unbatched",
        "logits = torch.zeros(1)\ntargets = torch.zeros(1)[0]\n"
        "loss = F.binary_cross_entropy_with_logits(logits, targets)   # ()",
    ),
    # CTCLoss
    (
        "batch-first lengths",
        "logits = torch.zeros(6, 40, 9).log_softmax(2)\nlengths = torch.full((6,), 40)\ntargets = torch.ones(6, 5, dtype=torch.long)\ntarget_lengths = torch.full((6,), 5)\nloss = nn.CTCLoss(reduction='none')(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    (
        "lengths",
        "logits = torch.zeros(40, 6, 9).log_softmax(2)\nlengths = torch.full((6,), 40)\ntargets = torch.ones(6, 5, dtype=torch.long)\ntarget_lengths = torch.full((4,), 5)\nloss = nn.CTCLoss(reduction='none')(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    (
        "lengths",
        "logits = torch.zeros(20, 6, 9).log_softmax(2)\nlengths = torch.full((6,), 80)\ntargets = torch.ones(6, 5, dtype=torch.long)\ntarget_lengths = torch.full((6,), 5)\nloss = nn.CTCLoss(reduction='none')(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    (
        "lengths",
        "logits = torch.zeros(40, 6, 9).log_softmax(2)\nlengths = torch.full((6,), 40)\ntargets = torch.ones(6, 5, dtype=torch.long)\ntarget_lengths = torch.full((6,), 8)\nloss = nn.CTCLoss(reduction='none')(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    (
        "lengths",
        "logits = torch.zeros(40, 6, 9).log_softmax(2)\nlengths = torch.full((6,), 40)\ntargets = torch.ones(25, dtype=torch.long)\ntarget_lengths = torch.full((6,), 5)\nloss = nn.CTCLoss(reduction='none')(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    (
        "index-range",
        "ctc = nn.CTCLoss(blank=9, reduction='none')\nlogits = torch.zeros(40, 6, 9).log_softmax(2)\nlengths = torch.full((6,), 40)\ntargets = torch.ones(6, 5, dtype=torch.long)\ntarget_lengths = torch.full((6,), 5)\nloss = ctc(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    # Attention and its masks
    (
        "batch-first transpose",
        "attention = nn.MultiheadAttention(12, 3)\nx = torch.zeros(4, 7, 12)\nmask = torch.zeros(4, 7, dtype=torch.bool)\noutput, weights = attention(x, x, x, key_padding_mask=mask)   # (4, 7, 12)",
    ),
    (
        "steps batch-first",
        "attention = nn.MultiheadAttention(12, 3, batch_first=True)\nx = torch.zeros(4, 7, 12)\nmask = torch.zeros(4, 4)\noutput, weights = attention(x, x, x, attn_mask=mask)   # (4, 7, 12)",
    ),
    (
        "broadcast",
        "attention = nn.MultiheadAttention(12, 3, batch_first=True)\nx = torch.zeros(4, 7, 12)\nmask = torch.zeros(4, 7, 7)\noutput, weights = attention(x, x, x, attn_mask=mask)   # (4, 7, 12)",
    ),
    (
        "steps",
        "attention = nn.MultiheadAttention(12, 3)\nx = torch.zeros(4, 7, 12)\nkeys = torch.zeros(5, 7, 12)\nvalues = torch.zeros(6, 7, 12)\noutput, weights = attention(x, keys, values)   # (4, 7, 12)",
    ),
    (
        "steps",
        "attention = nn.MultiheadAttention(12, 3, kdim=10, vdim=8)\nx = torch.zeros(4, 7, 12)\nkeys = torch.zeros(5, 7, 10)\nvalues = torch.zeros(6, 7, 8)\noutput, weights = attention(x, keys, values)   # (4, 7, 12)",
    ),
    (
        "unbatched",
        "attention = nn.MultiheadAttention(12, 3)\nx = torch.zeros(4, 1, 7, 12)\noutput, weights = attention(x, x, x)   # (4, 7, 12)",
    ),
    # Entries by their index
    (
        "batch-size",
        "scores = torch.zeros(3, 8)\nindex = torch.zeros(5, 1, dtype=torch.long)\nchosen = scores.gather(1, index)   # (3, 1)",
    ),
    (
        "unbatched",
        "output = torch.zeros(3, 8)\nindex = torch.zeros(3, dtype=torch.long)\noutput = output.scatter(1, index, 1.0)   # (3, 8)",
    ),
    ("concatenate-axis", "h, x = torch.zeros(5, 8), torch.zeros(5, 3)\nstacked = torch.cat(h, x)   # (5, 11)"),
    (
        "unbatched",
        "scores, h = torch.zeros(5, 8, 6), torch.zeros(5, 1, 6)\nchosen = torch.einsum('bth,bh->bt', scores, h)   # (5, 8)",
    ),
    # One number
    (
        "one-number",
        "loss = nn.functional.mse_loss(torch.zeros(6, 1, requires_grad=True), torch.zeros(6, 1), reduction='none')\nloss.backward()",
    ),
    ("one-number", "loss = torch.zeros(6)\nvalue = torch.sqrt(loss) * loss.item()"),
    ("one-number", "x = [torch.zeros(3), torch.zeros(3)]\nx = torch.tensor(x)   # (2, 3)"),
    # A Transformer
    (
        "batch-first",
        "layer = nn.Transformer(d_model=12, nhead=2)\nsrc, tgt = torch.zeros(4, 7, 12), torch.zeros(4, 5, 12)\noutput = layer(src, tgt)   # (4, 5, 12)",
    ),
    (
        "hidden-size",
        "layer = nn.Transformer(d_model=12, nhead=2)\nsrc, tgt = torch.zeros(7, 4, 10), torch.zeros(5, 4, 10)\noutput = layer(src, tgt)   # (5, 4, 12)",
    ),
    (
        "unbatched",
        "attention = nn.MultiheadAttention(12, 3)\nx = torch.zeros(4, 7, 12)\nkeys, values = torch.zeros(7, 12), torch.zeros(7, 12)\noutput, weights = attention(x, keys, values)   # (4, 7, 12)",
    ),
    (
        "class-axis",
        "logits = torch.zeros(2, 5, 6, 7)\ntargets = torch.zeros(2, 1, 6, 7, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)",
    ),
    # A prediction of one number, which squeeze() left without axes
    ("unbatched", "x = torch.zeros(1, 1).squeeze()\ny = torch.stack([one for one in x])   # (1,)"),
    ("unbatched", "x = torch.zeros(1, 1).squeeze()\nn = torch.zeros(len(x))   # (1,)"),
    ("unbatched", "x = torch.zeros(1, 1).squeeze()\ny = x[0:1]   # (1,)"),
    # Lists in the place of arrays
    ("list", "x = [torch.zeros(3), torch.zeros(3)]\nn = torch.zeros(x.shape)   # (2, 3)"),
    ("list", "layer = nn.LSTM(4, 6)\nx = [torch.zeros(4), torch.zeros(4)]\noutput, state = layer(x)   # (2, 6)"),
    ("list", "layer = nn.Embedding(9, 4)\nx = [1, 2, 3]\noutput = layer(x)   # (3, 4)"),
    ("list", "sequences = [[1.0, 2.0], [3.0, 4.0]]\nresult = torch.stack(sequences)   # (2, 2)"),
    ("list", "a, b = torch.zeros(3), [1.0, 2.0, 3.0]\nresult = a - b   # (3,)"),
    ("list", "a, b = [1.0, 2.0, 3.0], torch.zeros(3)\nresult = a - b   # (3,)"),
    ("list", "outputs = []\nresult = torch.cat(outputs)"),
    ("list", "outputs = []\nresult = torch.stack(outputs)"),
    ("list", "sequences = []\nresult = pad_sequence(sequences)"),
    ("list", "result = torch.utils.data.DataLoader([], batch_size=4, shuffle=True)"),
    (
        "state-tuple",
        "layer = nn.GRU(4, 6)\na, b = layer(torch.zeros(5, 3, 4)), torch.zeros(5, 3, 6)\nresult = a + b   # (5, 3, 6)",
    ),
    # Windows, padding and parts
    ("steps", "layer = nn.MaxPool1d(5)\nx = torch.zeros(3, 8, 4)\nresult = layer(x)   # (3, 1, 4)"),
    ("steps", "layer = nn.AvgPool1d(5)\nx = torch.zeros(3, 8, 4)\nresult = layer(x)   # (3, 1, 4)"),
    ("unbatched", "layer = nn.AdaptiveAvgPool1d(2)\nx = torch.zeros(6)\nresult = layer(x)   # (1, 1, 2)"),
    ("unbatched", "layer = nn.MaxPool1d(2)\nx = torch.zeros(6)\nresult = layer(x)   # (1, 1, 3)"),
    ("steps", "x = torch.zeros(3, 8)\nresult = x.unfold(1, 9, 1)   # (3, 1, 8)"),
    ("steps", "x = torch.zeros(3, 8, 4)\nresult = nn.functional.pad(x, (5, 5), mode='reflect')   # (3, 8, 14)"),
    ("unbatched", "x = torch.zeros(3, 8)\nresult = nn.functional.pad(x, (1, 1, 1, 1, 1, 1))   # (3, 5, 10)"),
    ("unbatched", "x = torch.zeros(8)\nresult = nn.functional.pad(x, (1, 1), mode='replicate')   # (1, 10)"),
    ("reshape", "x = torch.zeros(3, 12)\nresult = x.unflatten(1, (3, 5))   # (3, 3, 4)"),
    ("split", "data = torch.zeros(10, 3)\nresult = torch.utils.data.random_split(data, [5, 6])"),
    # The lengths for CTCLoss, again
    (
        "lengths",
        "logits = torch.zeros(40, 6, 9).log_softmax(2)\nlengths = torch.tensor([40] * 5 + [-1])\ntargets = torch.ones(6, 5, dtype=torch.long)\ntarget_lengths = torch.full((6,), 5)\nloss = nn.CTCLoss(reduction='none')(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    (
        "lengths",
        "logits = torch.zeros(40, 6, 9).log_softmax(2)\nlengths = torch.full((6,), 40.0)\ntargets = torch.ones(6, 5, dtype=torch.long)\ntarget_lengths = torch.full((6,), 5)\nloss = nn.CTCLoss(reduction='none')(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    (
        "lengths",
        "logits = torch.zeros(40, 6, 9).log_softmax(2)\nlengths = torch.full((6,), 40)\ntargets = torch.ones(6, 5, dtype=torch.long)\ntarget_lengths = torch.full((6,), 5.0)\nloss = nn.CTCLoss(reduction='none')(logits, targets, lengths, target_lengths)   # (6,)",
    ),
    (
        "unbatched",
        "logits, targets = torch.zeros(12), torch.zeros(3, dtype=torch.long)\nloss = F.cross_entropy(logits, targets, reduction='none')   # (3,)",
    ),
    # The arguments of a layer
    ("hidden-size", "hidden_size = 12 / 2\nlayer = nn.LSTM(4, hidden_size)"),
    ("hidden-size", "x = torch.zeros(5, 3, 4)\nlayer = nn.LSTM(4, 6, proj_size=6)"),
    ("steps", "layer = nn.LSTM(4, 6)\nx = torch.zeros(0, 3, 4)\noutput, state = layer(x)   # (1, 3, 6)"),
    ("embedding", "layer = nn.EmbeddingBag(9, 4)\nx = torch.ones(5, dtype=torch.long)\noutput = layer(x)   # (1, 4)"),
    (
        "embedding",
        "layer = nn.EmbeddingBag(9, 4)\nx = torch.ones(3, 5, dtype=torch.long)\noffsets = torch.tensor([0])\noutput = layer(x, offsets)   # (3, 4)",
    ),
    # Entries that are chosen
    ("index-range", "x, k = torch.zeros(3, 4), 9\nvalues, indices = x.topk(k)"),
    ("index-range", "x, index = torch.zeros(3, 4), torch.tensor([9])\nresult = x.index_select(1, index)"),
    (
        "unbatched",
        "x = torch.zeros(3, 4)\nindex = torch.zeros(2, 1, dtype=torch.long)\nresult = x.index_select(1, index)   # (3, 2)",
    ),
    ("unbatched", "p = torch.ones(3, 5, 9)\nresult = torch.multinomial(p, 1)   # (3, 1)"),
    # Entries that are left over
    ("reshape", "x = torch.zeros(4, 50)\nresult = x.reshape(4, 6, 8)   # (4, 6, 8)"),
    # Samples that make no batch
    (
        "list",
        "data = [None, None]\nloader = torch.utils.data.DataLoader(data, batch_size=2)\nx = next(iter(loader))   # (2,)",
    ),
    (
        "batch-size",
        "layer, other = nn.Linear(4, 6), nn.Linear(6, 6)\nx, hx = torch.zeros(8, 4), torch.zeros(5, 6)\ngates = layer(x) + other(hx)   # (8, 6)",
    ),
    ("list", "a, b = torch.zeros(3), None\nresult = torch.cat([a, b])"),
    (
        "list",
        "import numpy as np\nlayer = nn.LSTM(4, 6)\nx = np.zeros((5, 3, 4))\noutput, state = layer(x)   # (5, 3, 6)",
    ),
    ("unbatched", "x = torch.zeros(3, 5, 4)\nb, c, h, w = x.shape"),
    # The first direction of a layer that has one
    (
        "layers-directions index-range",
        "layer = nn.LSTM(4, 6)\nx = torch.zeros(5, 3, 4)\noutput, (hidden, c) = layer(x)\nresult = torch.cat([hidden[-2], hidden[-1]], dim=1)   # (3, 12)",
    ),
    # A state in a product of batches and in an einsum
    (
        "batch-first",
        "a, b = torch.zeros(6, 11, 32), torch.zeros(1, 6, 32)\nresult = torch.bmm(a, b)   # (6, 11, 1)",
    ),
    (
        "unbatched",
        "keys, state = torch.zeros(6, 11, 32), torch.zeros(1, 6, 32)\nscores = torch.einsum('bth,bh->bt', keys, state)   # (6, 11)",
    ),
    # The pair of a layer in a function that takes no tuple
    (
        "state-tuple",
        "layer = nn.LSTM(10, 20)\nx = torch.zeros(9, 3, 10)\noutput = layer(x)\nresult = torch.mean(output, 0)   # (3, 20)",
    ),
    # Two open sizes, and a data set with fewer than no windows
    ("reshape", "x = torch.zeros(4, 6, 8)\nx = x.view(-1, -1, 8)   # (4, 6, 8)"),
    (
        "steps",
        "class Windows(torch.utils.data.Dataset):\n    def __len__(self):\n        return 5 - 9\nlength = len(Windows())",
    ),
    (
        "class-targets",
        "logits, targets = torch.zeros(5, 3, 8), torch.zeros(5, 3, 8, dtype=torch.long)\nloss = F.cross_entropy(logits, targets)",
    ),
    # A scatter, and the probability of a value.
    (
        "transpose",
        "index = torch.zeros(15, 4, dtype=torch.long)\nsrc = torch.zeros(4, 15)\n"
        "out = torch.zeros(4, 200).scatter_add(1, index, src)   # (4, 200)",
    ),
    (
        "broadcast",
        "value = torch.zeros(16, 40)\n"
        "p = torch.distributions.Normal(torch.zeros(16, 40, 5), 1.0).log_prob(value)   # (16, 40, 5)",
    ),
)
