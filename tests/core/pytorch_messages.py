"""Messages of PyTorch and of tools around it as people paste them, and their causes.

RANKED has a text and the codes of its causes, the best first. FIRST_LINES has a text, the code of its first cause, and the first
line that is advised, without its condition.
"""

_GIVEN = "TypeError: {}(): argument 'input' (position 1) must be Tensor, not {}"
_BMM = "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [{}] but got: [{}]."
_PADDING = "AssertionError: Expected key_padded_mask.shape[0] to be {}, but got {}"
_LETTERS = (
    "RuntimeError: einsum(): the number of subscripts in the equation ({}) does not match the number of dimensions ({}) "
    "for operand 1 and no ellipsis was given"
)
_COUNTS = "ValueError: Expected input batch_size ({}) to match target batch_size ({})."
_JOINED = "RuntimeError: Sizes of tensors must match except in dimension {}. Expected size {} but got size {} for tensor number 1 in the list."
_PERMUTED = (
    "RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
    "ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}"
)
_FROM_END = "IndexError: index {} is out of bounds for dimension {} with size {}"
_WITHOUT_DIRECTION = (
    'RuntimeError: Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "lstm.weight_ih_l0_reverse", '
    '"lstm.weight_hh_l0_reverse". \n\tsize mismatch for fc.weight: copying a param with shape torch.Size([4, 16]) from '
    "checkpoint, the shape in current model is torch.Size([4, 32])."
)
_LOADED = (
    "RuntimeError: Error(s) in loading state_dict for Net:\n\tsize mismatch for emb.weight: copying a param with shape "
    "torch.Size([{}, 32]) from checkpoint, the shape in current model is torch.Size([{}, 32]).\n\tsize mismatch for fc.weight: "
    "copying a param with shape torch.Size([{}, 32]) from checkpoint, the shape in current model is torch.Size([{}, 32])."
)
_LINE = 'Traceback (most recent call last):\n  File "model.py", line 31, in forward\n    {}\n{}'
_SAMPLES = "TypeError: default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
_IN_FILE = 'File "a.py", line 3, in forward\n    '
_NO_AXIS = "IndexError: Dimension out of range (expected to be in range of [-{}, {}], but got {})"
_TUPLE = "AttributeError: 'tuple' object has no attribute '{}'"
_VIEW = "RuntimeError: shape '{}' is invalid for input of size {}"
_HOOKED = (
    'Traceback (most recent call last):\n  File "draw.py", line 9, in <module>\n    show(net)\n'
    '  File "/env/lib/python3.10/site-packages/drawer/hooks.py", line 20, in show\n    net(torch.zeros(size))\n'
    '  File "net.py", line 14, in forward\n    output, state = self.lstm(x)\n'
    '  File "/env/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1844, in _call_impl\n    return inner()\n{}'
)
_OWN_BELOW = (
    '  File "/env/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1790, in inner\n'
    "    result = forward_call(*args, **kwargs)\n"
    '  File "net.py", line 15, in forward\n    output = output.relu()\n'
)
_SUMMARY = "net = Net(nn.LSTM(3, 8))\nsummary(net, (20, 3, 3))\nRuntimeError: input must have 3 dimensions, got {}"
_CLASSES = "ValueError: Target size (torch.Size([{}])) must be the same as input size (torch.Size([64, {}]))"
_OLD_COPY = "RuntimeError: inconsistent tensor size at /py/conda-bld/work/torch/lib/TH/generic/THTensorCopy.c:46"
_SIZES = "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension 1"
_FIRST = "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"
_WARNED = (
    "UserWarning: Using a target size (torch.Size([1, 1])) that is different to the input size (torch.Size([8, 1]))"
)

_MASK = "ValueError: mask of the first timestep must all be on\n\ntensor([{}], dtype=torch.uint8)"
_LOSS_AXES = "    raise ValueError('Expected 2 or 4 dimensions (got {{}})'.format(dim))\nValueError: Expected 2 or 4 dimensions (got {})"
_NO_SIZE = "RuntimeError: dimension specified as 0 but tensor has no dimensions"

_EXPANDED = (
    "RuntimeError: The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension 0"
)
_CAT = _LINE.format(
    "y = torch.cat({}, dim=2)",
    "RuntimeError: Sizes of tensors must match except in dimension 2. Expected size 32 but got size 1 for tensor number {} in the list.",
)

_ROWS = "cell = nn.{}(8, 8)\nfor step in steps:\n    h, c = cell(x, (h, c))\n    x = {}[-1]\n" + _NO_AXIS.format(
    1, 0, 1
)
_MATRIX = "cell = nn.{}(8, 5)\nxs = torch.randn(4, 8)\nfor t in range(4):\n    h = cell(xs[{}], h)\n" + _NO_AXIS.format(
    1, 0, 1
)
_AXIS = "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"
_NUMBER = "IndexError: invalid index of a 0-dim tensor. Use tensor.item() to convert a 0-dim tensor to a Python number"
_ELEMENTS = "input and target have different number of elements: input[{}] has {} elements, while target[{}] has {} elements at a.c"
_TURNED = "Using a target size (torch.Size([{}])) that is different to the input size (torch.Size([{}]))"
_LENGTHS = "RuntimeError: 'lengths' argument should be a 1D CPU int64 tensor"
_POOLED = "RuntimeError: Given input size: (60x1x25). Calculated output size: (60x1x0). Output size is too small"
_FORMER_AXIS = "RuntimeError: invalid argument 2: dimension {} out of range of {}D tensor at /th/THTensor.c:24"
_OTHER_KEYS = (
    'Missing key(s) in state_dict: "{}.weight_ih_l0". Unexpected key(s) in state_dict: "{}.weight_ih_l0". '
    "size mismatch for decoder.weight: copying a param with shape torch.Size([45, 10]) from checkpoint, "
    "the shape in current model is torch.Size([45, 15])."
)

RANKED: list[tuple[str, list[str]]] = [
    (_ROWS.format("LSTM", "h"), ["indexing"]),
    (_ROWS.format("LSTMCell", "batches"), ["indexing"]),
    (_MASK.format("[1, 1, 1],\n        [1, 1, 0],\n        [1, 0, 0]"), ["lengths", "batch-first", "steps"]),
    (_MASK.format("[1, 1, 1],\n        [1, 0, 1],\n        [0, 0, 1]"), ["batch-first"]),
    (_MASK.format("[True, True, False],\n        [True, False, False]"), ["batch-first"]),
    (_LOSS_AXES.format(3), ["class-axis"]),
    (_LOSS_AXES.format(5), ["unbatched"]),
    ("ValueError: Expected 2 or more dimensions (got 1)", ["unbatched"]),
    (_NO_SIZE, ["unbatched"]),
    ("RuntimeError: index out of range", ["index-range"]),
    ("expected 4D input (got 3D input)", ["unbatched"]),
    ("beam search\n" + _EXPANDED.format(2160, 2095), ["checkpoint", "broadcast"]),
    ("fairseq-train\n" + _EXPANDED.format(16, 32), ["broadcast"]),
    # The fourth of a list, which is no state, and a state beside tensors of unknown shapes.
    (_CAT.format("(a, b, c, d)", 3), ["concatenate-axis"]),
    ("a is (32, 1, 400)\n" + _CAT.format("(a, b, c, d)", 3), ["concatenate-axis"]),
    # 26 entries are not 6 rows of 4; 28 are 7, so the sizes are others.
    (_VIEW.format("[8, 16, 6, 4]", 8 * 16 * 26), ["reshape"]),
    (_VIEW.format("[8, 16, 6, 4]", 8 * 16 * 28), ["reshape"]),
    (_NO_AXIS.format(1, 0, 1), ["indexing"]),
    (_OLD_COPY, ["broadcast"]),
    ("y = net(x).squeeze(1)\n" + _NO_AXIS.format(1, 0, 1), ["indexing"]),
    ("RuntimeError: 'lengths' array has to be sorted in decreasing order", ["sorted-lengths"]),
    ("ValueError: gather got an input of invalid size: got 6x18x40, but expected 6x21x40", ["packed"]),
    (_SAMPLES + "object", ["ragged"]),
    (_SAMPLES + "<class 'NoneType'>", ["list"]),
    (_SAMPLES + "<class 'data.Sample'>", ["list"]),
    ("ValueError: result of slicing is an empty tensor", ["steps"]),
    ("AttributeError: 'numpy.ndarray' object has no attribute 'unsqueeze'", ["list"]),
    ("ValueError: not enough values to unpack (expected 4, got 3)", ["unbatched"]),
    ("ValueError: too many values to unpack (expected 5)", ["unbatched"]),
    ("ValueError: too many values to unpack (expected 2)", ["state-tuple"]),
    ("RuntimeError: input length mismatch", ["lengths"]),
    ("RuntimeError: output length mismatch", ["lengths"]),
    ("what():  Expected cell size [2, 8, 30], got [1, 8, 30]", ["layers-directions"]),
    ("TypeError: hidden_size should be of type int, got: tuple", ["swapped-arguments"]),
    ("ValueError: need at least one array to concatenate", ["list"]),
    (
        "RuntimeError: Expected batch2_sizes[0] == bs && batch2_sizes[1] == contraction_size to be true, but got false.",
        ["transpose"],
    ),
    ("TypeError: linear(): argument 'input' (position 1) must be Tensor, not tuple", ["state-tuple"]),
    ("TypeError: relu(): argument 'other' (position 2) must be Tensor, not tuple", ["state-tuple"]),
]

FIRST_LINES: list[tuple[str, str, str]] = [
    (_MATRIX.format("GRU", "t"), "indexing", "output = output.unsqueeze(0)"),
    (_MATRIX.format("GRUCell", ":2"), "indexing", "output = output.unsqueeze(0)"),
    # An axis that stands after the arrays, or after a layer of the reader's.
    (
        _IN_FILE + "y = self.fc(torch.cat((h, e), 1))\n" + _NO_AXIS.format(1, 0, 1),
        "indexing",
        "y = self.fc(torch.cat((h, e), 0))",
    ),
    (_IN_FILE + "y = F.softmax(scores, 1)\n" + _NO_AXIS.format(1, 0, 1), "indexing", "y = F.softmax(scores, 0)"),
    (_IN_FILE + "y = self.net(scores, 1)\n" + _NO_AXIS.format(1, 0, 1), "indexing", "output = output.unsqueeze(0)"),
    # Sizes that do not fit, and an index of what a squeeze made a number.
    (
        _IN_FILE + "y = h.view(n, self.steps, -1)\n" + _VIEW.format("[2, 30, -1]", 140),
        "reshape",
        "y = h.reshape(2, -1)",
    ),
    (_IN_FILE + "y = h.view(2, 30, -1)\n" + _VIEW.format("[2, 30, -1]", 140), "reshape", "y = h.reshape(2, -1)"),
    (
        _IN_FILE + "y = h.view(-1, 50)\n" + _VIEW.format("[-1, 50]", 120),
        "reshape",
        "y = h.reshape(-1)[:100].reshape(-1, 50)",
    ),
    (_IN_FILE + "y = top.squeeze()[i].item()\n" + _NUMBER, "unbatched", "y = top.squeeze(-1)[i].item()"),
    (_IN_FILE + "y = top[0].item()\n" + _NUMBER, "indexing", "y = top.item()"),
    # A loss of classes that reads axis 1 of a vector of scores.
    (_IN_FILE + "loss = criterion(scores, y)\n" + _NO_AXIS.format(1, 0, 1), "unbatched", "scores = scores.view(1, -1)"),
    ("loss = nn.CrossEntropyLoss()(y, t)\n" + _NO_AXIS.format(1, 0, 1), "unbatched", "y = y.view(1, -1)"),
    (
        "y = nn.LSTM(3, 4)(x)[0].sum(1)\nloss = nn.CrossEntropyLoss()(y, t)\n" + _NO_AXIS.format(1, 0, 1),
        "indexing",
        "output = output.unsqueeze(0)",
    ),
    # An axis of four: scores of attention, or images.
    (_AXIS.format(12, 96, 3), "broadcast", "b = b[..., :12]"),
    (_AXIS.format(96, 12, 3), "broadcast", "# a mask of scores must have 96 steps too"),
    (
        "net = ConvGRU(8)\n" + _AXIS.format(12, 96, 3),
        "broadcast",
        "# x must have the rows and columns that the state, or the other array, was made for",
    ),
    # The last states of all layers as predictions.
    ("num_layers = 2\n" + _ELEMENTS.format("84 x 1", 84, "42 x 1", 42), "layers-directions", "h_n = h_n[-1]"),
    ("num_layers = 3\n" + _TURNED.format("20", "60, 1"), "layers-directions", "h_n = h_n[-1]"),
    (
        "num_layers = 3\n" + _ELEMENTS.format("84 x 1", 84, "42 x 1", 42),
        "broadcast",
        "# predictions and targets must have one shape",
    ),
    # Predictions and targets with axes in another order, which a reshape would mix, or with an axis of 1.
    (_TURNED.format("16, 20, 3", "16, 3, 20"), "transpose", "logits = logits.transpose(1, 2)"),
    (_TURNED.format("20, 16, 3", "16, 20, 3"), "transpose", "logits = logits.transpose(0, 1)"),
    (_TURNED.format("20, 16", "16, 20"), "transpose", "logits = logits.transpose(0, 1)"),
    (_TURNED.format("1, 16", "16, 1"), "broadcast", "targets = targets.reshape(logits.shape)"),
    (_TURNED.format("1, 16, 2", "16, 2"), "broadcast", "targets = targets.squeeze(0)"),
    ("RuntimeError: 1D tensors expected, got 2D, 2D tensors", "unbatched", "(A * B).sum(-1)"),
    ("Expected argument self to have 1 dimension(s), but has 2 at a.cpp:23", "unbatched", "A @ B"),
    (
        "RuntimeError: ‘lengths’ argument should be a 1D CPU int64 tensor",
        "lengths",
        "lengths = lengths.flatten().cpu().long()",
    ),
    # Lengths that a squeeze made a number, the window of a text, and a pooling window as long as the channels.
    (_LENGTHS, "lengths", "lengths = lengths.flatten().cpu().long()"),
    (_LENGTHS + ", but got 0D cpu Long tensor", "lengths", "lengths = lengths.flatten()"),
    (_LENGTHS + ", but got 1D cuda:0 Long tensor", "lengths", "lengths = lengths.cpu()"),
    (_EXPANDED.format(90, 89), "broadcast", "start = random.randrange(len(data) - 90)"),
    (_EXPANDED.format(90, 80), "broadcast", "# what is put there must have 90 entries along axis 0, or 1"),
    ("y = F.max_pool1d(y, z.size(1))\n" + _POOLED, "steps", "layer(x.transpose(1, 2)).transpose(1, 2)"),
    (
        "init_hidden() returns a tuple, so " + _TUPLE.format("contiguous"),
        "state-tuple",
        "hidden = tuple(one.contiguous() for one in hidden)",
    ),
    ("lstm: " + _TUPLE.format("contiguous"), "state-tuple", "output, h_n = layer(x, h0)"),
    # The same tensors under another name, in another version, and behind a prefix.
    (
        _OTHER_KEYS.format("rnn", "gru"),
        "checkpoint",
        "# make the model with the classes and arguments that it had when the file was saved",
    ),
    (_OTHER_KEYS.format("module.rnn", "rnn"), "checkpoint", "nn.Linear(10, 45)"),
    (
        "c is torch.Size([32, 1, 400])\n" + _CAT.format("(a, self.attend(b), c, hidden[0])", 3),
        "concatenate-axis",
        "hidden[0].transpose(0, 1)",
    ),
    (
        _CAT.format("(a, self.attend(b), c, hidden[0])", 3),
        "concatenate-axis",
        "x = x.expand(-1, 32, -1)",
    ),
    ("a is (32, 1, 400)\n" + _CAT.format("(a, h)", 1), "concatenate-axis", "h = h.transpose(0, 1)"),
    # Wordings of former versions, and words that are quoted within a sentence.
    ('it says "expects a tensor with <= 2 dimensions, but self is 3D" at context.t()', "indexing", "x.transpose(0, 1)"),
    ("RuntimeError: t() expects a 2D tensor, but self is 3D", "indexing", "x.transpose(0, 1)"),
    (
        _LINE.format("loss += criterion(y.view(-1), target[c])", _LOSS_AXES.format(1)),
        "unbatched",
        "loss += criterion(y.view(-1).view(1, -1), target[c])",
    ),
    (
        _LINE.format(
            "loss += criterion(y, target[c])", "    return nll_loss(log_softmax(input, 1), target)\n" + _NO_SIZE
        ),
        "unbatched",
        "loss += criterion(y, target[c].reshape(-1))",
    ),
    ("loss = F.mse_loss(y, target)\nn = total.size(0)\n" + _NO_SIZE, "unbatched", "x = x.reshape(-1)"),
    ("ValueError: expected 4D input (got 2D input)", "unbatched", "nn.BatchNorm1d(...)"),
    (_MASK.format("[1, 1],\n        [1, 1],\n        [0, 1]"), "batch-first", "mask = mask.transpose(0, 1)"),
    (
        _MASK.format("[1, 1, 0],\n        [1, 1, 1]"),
        "batch-first",
        "crf = CRF(num_tags, batch_first=True)",
    ),
    (
        _LINE.format("s = s.view(batch, self.channels, self.parts, self.width)", _VIEW.format("[8, 16, 6, 4]", 3328)),
        "reshape",
        "s = s[..., :24].reshape(8, 16, 6, 4)",
    ),
    # An axis that is gone before a squeeze, and one that another line names.
    (_LINE.format("p = p.squeeze(2)", _NO_AXIS.format(2, 1, 2)), "indexing", "# leave squeeze(2) out"),
    (
        _LINE.format("loss = criterion(net(x).squeeze(1), y)", _NO_AXIS.format(1, 0, 1)),
        "indexing",
        "loss = criterion(net(x), y)",
    ),
    (
        _LINE.format("y = torch.cat([h.sum(dim=1), x.squeeze(1)])", _NO_AXIS.format(1, 0, 1)),
        "indexing",
        "y = torch.cat([h.sum(dim=0), x.squeeze(1)])",
    ),
    (
        _LINE.format("y = x.squeeze(1).sum(dim=2)", _NO_AXIS.format(2, 1, 2)),
        "indexing",
        "y = x.squeeze(1).sum(dim=1)",
    ),
    # A state that is moved as one, and an output.
    (
        _LINE.format("hidden = hidden.to(device)", _TUPLE.format("to")),
        "state-tuple",
        "hidden = tuple(one.to(device) for one in hidden)",
    ),
    (
        _LINE.format("self.state = self.state.detach()", _TUPLE.format("detach")),
        "state-tuple",
        "self.state = tuple(one.detach() for one in self.state)",
    ),
    (_LINE.format("output = output.cpu()", _TUPLE.format("cpu")), "state-tuple", "output = output[0].cpu()"),
    (_HOOKED.format(_OWN_BELOW + _TUPLE.format("relu")), "state-tuple", "output = output[0].relu()"),
    # A summary that adds the batch, and one that does not.
    (_SUMMARY.format(4), "unbatched", "summary(net, (3, 3))"),
    (_SUMMARY.format(5), "unbatched", "x = x.flatten(2)"),
    # A line of a library that is pasted with its message, a line of the debugger, and one in a sentence.
    (
        'File "/env/lib/python3.7/site-packages/torch/nn/functional.py", line 2580, in loss\n'
        '    raise ValueError("Target size ({}) must be the same as input size ({})".format(target.size(), input.size()))\n'
        "ValueError: Target size (torch.Size([4])) must be the same as input size (torch.Size([4, 1]))",
        "broadcast",
        "targets = targets.unsqueeze(1)",
    ),
    (
        f"{_WARNED}\n> /home/me/train.py(87)<module>()\n-> loss += criterion(y_pred, y_true)\n(Pdb)",
        "broadcast",
        "y_pred = y_pred[-1:]",
    ),
    (
        "The error is in this line e = torch.tanh(self.fc_dec(hidden) + self.fc_enc(outputs))\n" + _SIZES.format(4, 9),
        "broadcast",
        "e = torch.tanh(self.fc_dec(hidden).unsqueeze(1) + self.fc_enc(outputs))",
    ),
    (
        "It fails at this line in `model.py`:\n```\nscores = (keys * query).sum(2) + 1000 * mask\n```\n"
        + _SIZES.format(8, 9)
        + "\nthe packed outputs are shorter",
        "packed",
        "mask = mask[:, :8]",
    ),
    (
        'ValueError "too many values to unpack (expected 2)" due to "text, text_lengths = batch.text"',
        "lengths",
        "text = batch.text",
    ),
    # A state and a parameter of other sizes, and steps that have no target
    (
        _LINE.format("gates = self.conv_ih(x) + self.conv_hh(hx)", _FIRST.format(32, 20, 0)),
        "batch-size",
        "hx = torch.zeros(32, *hx.shape[1:])",
    ),
    (
        _LINE.format("gates = self.conv_hh(hx) + self.conv_ih(x)", _FIRST.format(20, 32, 0)),
        "batch-size",
        "hx = torch.zeros(32, *hx.shape[1:])",
    ),
    (
        _LINE.format("y = self.a(x) + self.b(z)", _FIRST.format(20, 32, 0)),
        "batch-size",
        "# self.a(x) and self.b(z) must be of the same batch",
    ),
    (
        _LINE.format("x = x * self.affine_weight", _FIRST.format(7, 21, 2)),
        "input-size",
        "self.affine_weight = nn.Parameter(torch.ones(7))",
    ),
    (
        _LINE.format("x = x * self.gates", _FIRST.format(7, 21, 2)),
        "hidden-size",
        "x = x * nn.Linear(21, 7)(self.gates)",
    ),
    (
        "num_future = 5\n" + _LINE.format("loss = criterion(decoded, target)", _FIRST.format(10, 5, 1)),
        "broadcast",
        "decoded = decoded[:, -5:]",
    ),
    (
        _LINE.format("loss = criterion(decoded, target)", _FIRST.format(10, 5, 1)),
        "broadcast",
        "decoded = decoded[:, -1]",
    ),
    (
        _LINE.format("b, c, h, w = x.shape", "ValueError: not enough values to unpack (expected 4, got 3)"),
        "unbatched",
        "x = x[None]",
    ),
    (
        _LINE.format("b, c, h, w = x.shape", "ValueError: too many values to unpack (expected 4)"),
        "unbatched",
        "b, c, h, w, *_ = x.shape",
    ),
    (
        _LINE.format("x, y, z, w = batch", "ValueError: not enough values to unpack (expected 4, got 3)"),
        "unbatched",
        "x = batch",
    ),
    # An array is given to a function of a module, or stands before the dot.
    (_LINE.format("x = torch.squeeze(x, 2)", _NO_AXIS.format(2, 1, 2)), "indexing", "# leave squeeze(2) out"),
    (_LINE.format("y = torch.squeeze(input=x, dim=2)", _NO_AXIS.format(2, 1, 2)), "indexing", "y = x"),
    # Padding and pooling
    (
        "NotImplementedError: Padding size 2 is not supported for 4D input tensor",
        "unbatched",
        "x = nn.functional.pad(x, pad + (0, 0), mode=mode)",
    ),
    (
        "NotImplementedError: Padding size 2 is not supported for 5D input tensor",
        "unbatched",
        "x = nn.functional.pad(x, pad + (0, 0) * 2, mode=mode)",
    ),
    (
        'x = F.pad(x, (1, 1, 1, 1, 1, 1), mode="circular")\nRuntimeError: Padding length should be less than or equal to two times '
        "the input dimension but got padding length 6 and input of dimension 2",
        "unbatched",
        "x = x[None, None]",
    ),
    (
        "RuntimeError: Given input size: (512x1x1). Calculated output size: (512x0x0). Output size is too small",
        "steps",
        "# leave this pooling layer out, or give the network larger images",
    ),
    (
        "RuntimeError: max_pool1d() Invalid computed output size: -1",
        "steps",
        "layer(x.transpose(1, 2)).transpose(1, 2)",
    ),
    # A parameter that is added starts at 0, and one that multiplies starts at 1.
    (
        _LINE.format("out = x + self.bias", _FIRST.format(7, 5, 2)),
        "input-size",
        "self.bias = nn.Parameter(torch.zeros(7))",
    ),
    (
        _LINE.format("out = x * self.gamma", _FIRST.format(7, 5, 2)),
        "input-size",
        "self.gamma = nn.Parameter(torch.ones(7))",
    ),
    # A method of one tensor, and what a layer returned as a whole
    (
        "h = self.lstm(x)\n" + _LINE.format("h = h.contiguous()", _TUPLE.format("contiguous")),
        "state-tuple",
        "h, _ = self.lstm(x)",
    ),
    (
        _LINE.format("hidden = hidden.contiguous()", _TUPLE.format("contiguous")),
        "state-tuple",
        "hidden = tuple(one.contiguous() for one in hidden)",
    ),
    # Only squeeze without an axis removes all axes of 1.
    ("h = h.unsqueeze(dim)\n" + _NO_AXIS.format(2, 1, 2), "indexing", "h = h.unsqueeze(0)"),
    (
        "nn.LSTM(10, np.int64(64))\nTypeError: hidden_size should be of type int, got: int64",
        "hidden-size",
        "hidden_size = int(hidden_size)",
    ),
    # Lists and arrays
    (
        _LINE.format("y = out.detach().cpu()", "AttributeError: 'numpy.ndarray' object has no attribute 'detach'"),
        "list",
        "y = out",
    ),
    (
        "y = model.predict(x).numpy()\nAttributeError: 'numpy.ndarray' object has no attribute 'numpy'",
        "list",
        "y = model.predict(x)",
    ),
    (
        "AttributeError: 'numpy.ndarray' object has no attribute 'unsqueeze'",
        "list",
        "x = torch.from_numpy(x).float()",
    ),
    (
        "x = layers.LSTM(32, return_state=True)(x)\nAttributeError: 'list' object has no attribute 'shape'",
        "state-tuple",
        "x, h, c = layer(x)",
    ),
    (
        "x = layers.GRU(32, return_state=True)(x)\nAttributeError: 'list' object has no attribute 'shape'",
        "state-tuple",
        "x, h = layer(x)",
    ),
    ("AttributeError: 'list' object has no attribute 'to'", "list", "x = [one.to(device) for one in x]"),
    *(
        (
            f"TypeError: pad_sequence(): argument 'sequences' (position 1) must be tuple of Tensors, {found}",
            "list",
            "sequences = [torch.as_tensor(one) for one in sequences]",
        )
        for found in ("not list", "but found element of type list at pos 0")
    ),
    ("model.fit(x, y)\nAttributeError: 'list' object has no attribute 'shape'", "list", "x = np.array(x)"),
    ("import torch\nAttributeError: 'list' object has no attribute 'size'", "list", "x = torch.stack(x)"),
    (
        "TypeError: linear(): argument 'input' (position 1) must be Tensor, not numpy.ndarray",
        "list",
        "x = torch.from_numpy(x).float()",
    ),
    (
        "TypeError: pad_sequence(): argument 'sequences' (position 1) must be tuple of Tensors, not Tensor",
        "list",
        "pad_sequence(list(sequences))",
    ),
    (
        "RuntimeError: unflatten: Provided sizes [-1, 5] don't multiply up to the size of dim 1 (12) in the input tensor",
        "reshape",
        "# the product of the sizes must be 12; a -1 stands for what is left",
    ),
    # A call with numbers is no loss. Class indices of many classes belong to another loss.
    (
        _LINE.format("learn.fit_one_cycle(1, 1e-2)", _CLASSES.format("64", 5)),
        "class-axis",
        "targets = torch.nn.functional.one_hot(targets.long(), 5).float()",
    ),
    (
        _LINE.format("learn.fit_one_cycle(1, 1e-2)", _CLASSES.format("64", 9000)),
        "class-axis",
        "torch.nn.functional.cross_entropy(logits, targets.long())",
    ),
    (
        _LINE.format("loss = criterion(net(x), y)", _CLASSES.format("64, 1", 9000)),
        "class-axis",
        "loss = torch.nn.functional.cross_entropy(net(x), y.squeeze(-1).long())",
    ),
    # unsqueeze takes one axis more than the array has, and squeeze(0) on its line removes one.
    (
        _LINE.format("merged = merged.squeeze(0).unsqueeze(2)", _NO_AXIS.format(2, 1, 2)),
        "unbatched",
        "merged = merged.unsqueeze(2)",
    ),
    (
        _LINE.format("w = torch.bmm(keys, state.squeeze().unsqueeze(2))", _NO_AXIS.format(2, 1, 2)),
        "unbatched",
        "w = torch.bmm(keys, state.unsqueeze(2))",
    ),
    (
        _LINE.format("keys = torch.relu(keys).unsqueeze(2)", _NO_AXIS.format(2, 1, 2)),
        "indexing",
        "keys = torch.relu(keys).unsqueeze(1)",
    ),
    (
        _LINE.format("y = torch.unsqueeze(state, dim=2)", _NO_AXIS.format(2, 1, 2)),
        "indexing",
        "y = torch.unsqueeze(state, dim=1)",
    ),
    # A view for one sequence, and one of a batch of them.
    (
        _LINE.format("best = best.view([1])", _VIEW.format("[1]", 128)),
        "reshape",
        "best = best.reshape(-1)",
    ),
    (
        "w = (keys * query).sum(2) + 9 * mask\n" + _SIZES.format(9, 8),
        "broadcast",
        "w = (keys * query.unsqueeze(1)).sum(2) + 9 * mask",
    ),
    (
        "net = Net(5, batch_first=True)\nx = Tensor(32, 50, 5)\n"
        + _LINE.format("z = i2h + h2h", _FIRST.format(16, 32, 0)),
        "batch-size",
        "# i2h and h2h must be of the same batch",
    ),
    (
        "net = Net(5)\nx = Tensor(32, 50, 5)\n" + _LINE.format("z = i2h + h2h", _FIRST.format(50, 32, 0)),
        "batch-size",
        "# i2h and h2h must be of the same batch",
    ),
    # An axis from the end, a function in place of a method, a text without a traceback, and targets of several labels.
    (_LINE.format("y = x.unsqueeze(-4)", _NO_AXIS.format(3, 2, -4)), "indexing", "x = x.unsqueeze(0)"),
    (
        _LINE.format("a = torch.squeeze(keys, 0).unsqueeze(2)", _NO_AXIS.format(2, 1, 2)),
        "unbatched",
        "a = keys.unsqueeze(2)",
    ),
    ("a = keys.squeeze(0).unsqueeze(2)\n" + _NO_AXIS.format(2, 1, 2), "unbatched", "a = keys.unsqueeze(2)"),
    (
        "a = keys.squeeze(0).unsqueeze(2)\nb = keys.mean(2)\n" + _NO_AXIS.format(2, 1, 2),
        "indexing",
        "output = output.unsqueeze(0)",
    ),
    (
        "The task is multi-label.\n" + _LINE.format("loss = criterion(net(x), y)", _CLASSES.format("64", 9000)),
        "class-axis",
        "loss = criterion(net(x), torch.nn.functional.one_hot(y.long(), 9000).float())",
    ),
    # A builtin with two arguments is no loss.
    (
        _LINE.format("super(Net, self).__init__()", _CLASSES.format("64", 5)),
        "class-axis",
        "targets = torch.nn.functional.one_hot(targets.long(), 5).float()",
    ),
    # With its axis of 1 the array would still have too few.
    (
        _LINE.format("y = keys.squeeze(0).unsqueeze(3)", _NO_AXIS.format(2, 1, 3)),
        "indexing",
        "y = keys.squeeze(0).unsqueeze(1)",
    ),
    # The only line above a message is the one that failed.
    ("x = self.fc(x)\n" + _GIVEN.format("linear", "tuple"), "state-tuple", "x = x[0]"),
    ("    preds.append(self.lin(state))\n" + _GIVEN.format("linear", "tuple"), "state-tuple", "state = state[0]"),
    ("I have this\n" + _GIVEN.format("linear", "tuple"), "state-tuple", "output = output[0]"),
    # A Sequential of which the reader's own module failed.
    (
        'Traceback (most recent call last):\n  File "train.py", line 31, in <module>\n    y = model(x)\n'
        '  File "site-packages/torch/nn/modules/container.py", line 253, in forward\n    input = module(input)\n'
        + _LINE.partition("\n")[2].format(
            "return x[:, -1, :]", "TypeError: tuple indices must be integers or slices, not tuple"
        ),
        "state-tuple",
        "x = x[0]",
    ),
    # The lengths of a packed sequence that the recurrent layer takes apart.
    (
        _LINE.format(
            "outputs, hidden = self.gru(seqs)",
            '  File "site-packages/torch/nn/modules/rnn.py", line 1453, in forward\n    result = _VF.gru(\n'
            "RuntimeError: start (23) + length (4) exceeds dimension size (23).",
        ),
        "batch-first",
        "seqs = torch.nn.utils.rnn.pack_padded_sequence(..., batch_first=True)",
    ),
    (
        _LINE.format(
            "w = x.narrow(0, 23, 4)",
            '  File "site-packages/torch/_tensor.py", line 9, in narrow\n'
            "RuntimeError: start (23) + length (4) exceeds dimension size (23).",
        ),
        "indexing",
        "# start + length must be at most 23",
    ),
    # A line of a library that a warning quotes is not the reader's.
    (
        "/lib/site-packages/torch/nn/modules/loss.py:630: UserWarning: Using a target size (torch.Size([32])) that is "
        "different to the input size (torch.Size([32, 1])). Please ensure they have the same size.\n"
        "  return F.mse_loss(input, target, reduction=self.reduction)",
        "broadcast",
        "targets = targets.unsqueeze(1)",
    ),
    (
        "train = sc.fit_transform(w[:split])\nValueError: Found array with dim 3, while dim <= 2 is required by StandardScaler.",
        "scaler",
        "train = sc.fit_transform(w[:split].reshape(-1, w[:split].shape[-1])).reshape(w[:split].shape)",
    ),
    # A bias in a sum of products, and a sum without a product.
    (_LINE.format("z = h + b_h", _FIRST.format(16, 64, 0)), "batch-size", "# h and b_h must be of the same batch"),
    (_LINE.format("c = f + c", _SIZES.format(24, 32)), "hidden-size", "c = nn.Linear(24, 32)(f) + c"),
    (
        'Traceback (most recent call last):\n  File "fit.py", line 31, in <module>\n    y = net(day).detach()\n'
        '  File "fit.py", line 9, in forward\n    s = s.unsqueeze(2)\n'
        "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)",
        "indexing",
        "y = net(day.unsqueeze(0)).detach()",
    ),
    (
        _LINE.format(
            "scores = torch.cat(scores)", "RuntimeError: Tensors must have same number of dimensions: got 1 and 0"
        ),
        "unbatched",
        "scores = [torch.atleast_1d(one) for one in scores]",
    ),
    (
        _LINE.format("for xb, yb in loader:", "ValueError: too many values to unpack (expected 2)"),
        "unbatched",
        "for xb, *_, yb in loader:",
    ),
    (
        _LINE.format("preds, extra = self.net(xb)", "ValueError: too many values to unpack (expected 2)"),
        "state-tuple",
        "preds = self.net(xb)",
    ),
    (
        _LINE.format(
            "ends = states[torch.arange(8), stop]",
            "IndexError: tensors used as indices must be long, int, byte or bool tensors",
        ),
        "indexing",
        "ends = states[torch.arange(8), stop.long()]",
    ),
    (
        _LINE.format(
            "scores = torch.cat(parts)",
            "RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 40 but got size 36 for tensor number 1 in the list.",
        ),
        "ragged",
        "parts = [one.flatten(0, 1) for one in parts]",
    ),
    # Operands with the axes that their names tell, and the place of the operation in the line.
    *(
        (_LINE.format(line, _FIRST.format(*sizes)), code, changed)
        for line, sizes, code, changed in (
            ("z = z / z.norm(dim=2)", (24, 9, 2), "broadcast", "z = z / z.norm(dim=2, keepdim=True)"),
            (
                "y = (y - y.mean(1)) / (y.std(1) + eps)",
                (9, 5, 1),
                "broadcast",
                "y = (y - y.mean(1, keepdim=True)) / (y.std(1, keepdim=True) + eps)",
            ),
            ("return (query * enc).sum(2)", (5, 9, 1), "broadcast", "return (query.unsqueeze(1) * enc).sum(2)"),
            (
                "s = F.cosine_similarity(slots, h, dim=-1)",
                (9, 5, 1),
                "broadcast",
                "s = F.cosine_similarity(slots, h.unsqueeze(1), dim=-1)",
            ),
            (
                "h = torch.where(alive, h_new, h)",
                (5, 24, 1),
                "broadcast",
                "h = torch.where(alive.unsqueeze(-1), h_new, h)",
            ),
            (
                "memory.masked_fill_(pad == 1, 0.0)",
                (24, 9, 2),
                "broadcast",
                "memory.masked_fill_((pad == 1).unsqueeze(-1), 0.0)",
            ),
            ("return self.fc(v * u)", (64, 40, 1), "hidden-size", "return self.fc(nn.Linear(64, 40)(v) * u)"),
            ("d = x[:, 3:] - x[:, :-1]", (17, 19, 1), "steps", "d = x[:, 3:] - x[:, :-1][:, :17]"),
            ("a = rewards - critic_values", (17, 5, 1), "broadcast", "a = rewards - critic_values.squeeze(-1)"),
            ("x = x + self.pos_table", (33, 50, 1), "steps", "x = x + self.pos_table[..., :x.size(1), :]"),
            (
                "keep = torch.arange(9) < n_lens",
                (9, 5, 0),
                "broadcast",
                "keep = torch.arange(9) < n_lens.unsqueeze(-1)",
            ),
            ("h = h * (1 - dones[t].float())", (24, 5, 1), "broadcast", "h = h * (1 - dones[t].float()).unsqueeze(-1)"),
            ("e = (pred - target) ** 2", (17, 5, 1), "broadcast", "pred = pred[:, -1]"),
        )
    ),
    # Sequences with the steps last.
    (
        _LINE.format("x = rnn.pad_sequence(mels, batch_first=True)", _SIZES.format(80, 95)),
        "transpose",
        "x = rnn.pad_sequence([one.transpose(0, 1) for one in mels], batch_first=True)",
    ),
    # Weights that are copied into a layer.
    (
        _LINE.format("self.emb.weight.data.copy_(glove)", _SIZES.format(128, 100)),
        "checkpoint",
        "nn.Embedding(..., embedding_dim=100)",
    ),
    (
        _LINE.format("self.emb.weight.data.copy_(glove)", _FIRST.format(90, 80, 0)),
        "checkpoint",
        "nn.Embedding(80, ...)",
    ),
    # A state as the second factor of torch.bmm.
    (_LINE.format("w = torch.bmm(keys, h)", _BMM.format("6, 32", "1, 6")), "batch-first", "h = h[-1].unsqueeze(2)"),
    (_LINE.format("w = torch.bmm(keys, h)", _BMM.format("6, 32", "4, 6")), "batch-first", "h = h[-1].unsqueeze(2)"),
    (_LINE.format("w = torch.bmm(keys, h)", _BMM.format("6, 32", "1, 32")), "batch-size", "h = h.expand(6, -1, -1)"),
    # A mask of keys whose size looks like the batch, and one whose size does not.
    (_LINE.format("y = attn(q, k, v, key_padding_mask=pad)", _PADDING.format(8, 21)), "transpose", "pad = pad.T"),
    (
        _LINE.format("y, w = attn(q, k, v, key_padding_mask=pad)", _PADDING.format(21, 8)),
        "batch-first",
        "attn = nn.MultiheadAttention(..., batch_first=True)",
    ),
    # A state in an einsum, and another array.
    (
        _LINE.format('e = torch.einsum("bth,bh->bt", keys, state)', _LETTERS.format(2, 3)),
        "unbatched",
        "e = torch.einsum('bth,bh->bt', keys, state[-1])",
    ),
    (
        _LINE.format('e = torch.einsum("bth,bh->bt", keys, query)', _LETTERS.format(2, 3)),
        "unbatched",
        "# one letter for each axis of operand 1: 3 letters",
    ),
    # A reshape to the size of one layer, and to other features of as many rows.
    (_LINE.format("y = h_n.view(16, 32)", _VIEW.format("[16, 32]", 1024)), "layers-directions", "y = h_n[-1]"),
    (_LINE.format("y = x.view(16, 32)", _VIEW.format("[16, 32]", 1024)), "reshape", "y = x.reshape(16, -1)"),
    (
        _LINE.format(
            "X = X.reshape((X.shape[0], steps, n))",
            "ValueError: cannot reshape array of size 2400 into shape (100,24,5)",
        ),
        "reshape",
        "X = X.reshape(100, 24, 1)",
    ),
    (
        _LINE.format(
            "X = X.reshape(100, 24, 5)", "ValueError: cannot reshape array of size 2400 into shape (100,24,5)"
        ),
        "reshape",
        "X = X.reshape(-1, 24, 5)",
    ),
    # A softmax over classes that lacks the batch.
    (
        _LINE.format("return torch.log_softmax(self.out(h), dim=1)", _NO_AXIS.format(1, 0, 1)),
        "indexing",
        "return torch.log_softmax(self.out(h).unsqueeze(0), dim=1)",
    ),
    # The predictions of h_n, with a slice for each layer before the batch.
    (
        "ValueError: Target size (torch.Size([16])) must be the same as input size (torch.Size([2, 16]))",
        "layers-directions",
        "logits = logits[-1]",
    ),
    # A state that an attribute keeps from call to call, for a batch of another size.
    (
        _LINE.format(
            "y, self.h = self.gru(x, self.h)", "RuntimeError: Expected hidden size (1, 10, 20), got [1, 32, 20]"
        ),
        "batch-size",
        "if self.h is not None and self.h.size(1) != x.size(0 if self.gru.batch_first else 1): self.h = None",
    ),
    # One vector for each of the batch gives one for each of the batch; scores keep their axis for the next product.
    (
        _LINE.format("context = torch.bmm(weights, values)", "RuntimeError: batch1 must be a 3D tensor"),
        "unbatched",
        "context = torch.bmm(weights.unsqueeze(1), values).squeeze(1)",
    ),
    (
        _LINE.format("scores = torch.bmm(q, keys.transpose(1, 2))", "RuntimeError: batch1 must be a 3D tensor"),
        "unbatched",
        "q = q.unsqueeze(1)",
    ),
    # A state of one sequence for several, and a state for another batch, with the batch of x in either order.
    (
        "def beam_search(x, state):\n"
        + _LINE.format(
            "y, state = self.lstm(x, state)", "RuntimeError: Expected hidden[0] size (1, 4, 64), got [1, 1, 64]"
        ),
        "batch-size",
        "state = (state[0].expand(-1, x.size(0 if self.lstm.batch_first else 1), -1).contiguous(), "
        "state[1].expand(-1, x.size(0 if self.lstm.batch_first else 1), -1).contiguous())",
    ),
    (
        _LINE.format("y, h = self.gru(x, h)", "RuntimeError: Expected hidden size (1, 4, 64), got [1, 1, 64]"),
        "batch-size",
        "h = h.expand(-1, x.size(0 if self.gru.batch_first else 1), -1).contiguous()",
    ),
    (
        _LINE.format("y, h = self.gru(x, h)", "RuntimeError: Expected hidden size (2, 52, 32), got [2, 64, 32]"),
        "batch-size",
        "h = torch.zeros(2, x.size(0 if self.gru.batch_first else 1), 32)",
    ),
    # All tensors of a file that differ in one size.
    (
        _LINE.format("net.load_state_dict(torch.load(path))", _LOADED.format(900, 950, 900, 950)),
        "checkpoint",
        "net.load_state_dict({name: tensor for name, tensor in torch.load(path).items() "
        "if tensor.shape == net.state_dict()[name].shape}, strict=False)",
    ),
    (
        _LINE.format("net.load_state_dict(torch.load(path))", _LOADED.format(900, 950, 8, 9)),
        "checkpoint",
        "nn.Linear(32, 8)",
    ),
    # Calls with other arguments.
    (
        _LINE.format("x = F.one_hot(x, 26).float()", "RuntimeError: Class values must be smaller than num_classes."),
        "index-range",
        "x = F.one_hot(x, num_classes=-1).float()",
    ),
    (
        _LINE.format("self.rnn = nn.GRU(m, k / 2)", "TypeError: hidden_size should be of type int, got: float"),
        "hidden-size",
        "self.rnn = nn.GRU(m, k // 2)",
    ),
    (
        _LINE.format(
            "rnn = nn.LSTM(n, hidden_size=d / 2, num_layers=2, dropout=1 / 2)",
            "TypeError: hidden_size should be of type int, got: float",
        ),
        "hidden-size",
        "rnn = nn.LSTM(n, hidden_size=d // 2, num_layers=2, dropout=1 / 2)",
    ),
    (
        _LINE.format(
            "self.emb = nn.Embedding.from_pretrained(glove)",
            "AttributeError: 'numpy.ndarray' object has no attribute 'dim'",
        ),
        "list",
        "self.emb = nn.Embedding.from_pretrained(torch.from_numpy(glove).float())",
    ),
    # A batch of more parts, and another value.
    (
        _LINE.format("x, y = batch", "ValueError: too many values to unpack (expected 2)"),
        "unbatched",
        "x, *_, y = batch",
    ),
    # A function of PyTorch that the text does not name.
    (
        _LINE.format("y = self.drop(out)", _GIVEN.format("dropout", "PackedSequence")),
        "packed",
        "out, _ = torch.nn.utils.rnn.pad_packed_sequence(out, batch_first=True)",
    ),
    (
        _LINE.format(
            "preds = scaler.inverse_transform(preds)",
            "ValueError: non-broadcastable output operand with shape (280,1) doesn't match the broadcast shape (280,5)",
        ),
        "scaler",
        "preds = scaler.inverse_transform(np.repeat(preds, 5, axis=1))[:, [0]]",
    ),
    # Targets of a translation that are one step longer, and other targets.
    (
        _LINE.format("loss = criterion(output, trg)", _COUNTS.format(60, 66)),
        "shifted-targets",
        "loss = criterion(output, trg.reshape(6, -1)[:, 1:].flatten())",
    ),
    (
        _LINE.format("loss = criterion(output, y)", _COUNTS.format(60, 66)),
        "batch-size",
        "# logits and targets must be of the same batch",
    ),
    (
        _LINE.format("e = torch.cat((left, right), dim=2)", _JOINED.format(2, 5, 13)),
        "concatenate-axis",
        "# all other axes must be equal: the batch and the steps",
    ),
    # An array, and a list, as an argument of the reader's call.
    (
        _LINE.format("return self.lstm(x)[0][:, -1]", "AttributeError: 'numpy.ndarray' object has no attribute 'dim'"),
        "list",
        "return self.lstm(torch.from_numpy(x).float())[0][:, -1]",
    ),
    (
        _LINE.format(
            "loss = nn.CrossEntropyLoss()(out, labels)",
            "TypeError: cross_entropy_loss(): argument 'target' (position 2) must be Tensor, not list",
        ),
        "list",
        "labels = torch.tensor(labels)",
    ),
    # A collate_fn of the reader stacks.
    (
        'Traceback (most recent call last):\n  File "train.py", line 12, in collate_fn\n    tgt = torch.stack(tgt)\n'
        "RuntimeError: stack expects each tensor to be equal size, but got [6] at entry 0 and [3] at entry 1",
        "ragged",
        "tgt = torch.nn.utils.rnn.pad_sequence(tgt, batch_first=True)",
    ),
    # A permutation of fewer axes, and of more.
    (_LINE.format("z = y.permute(0, 2, 1)", _PERMUTED.format(4, 3)), "unbatched", "y = y.flatten(2)"),
    (_LINE.format("z = y.permute(0, 2, 1)", _PERMUTED.format(2, 3)), "indexing", "y = y.unsqueeze(0)"),
    # An index from the end of a state, and of another array.
    (
        _LINE.format("h = torch.cat((hidden[-2], hidden[-1]), dim=1)", _FROM_END.format(-2, 0, 1)),
        "layers-directions",
        "nn.LSTM(..., bidirectional=True)",
    ),
    (
        _LINE.format("h = x[-2]", _FROM_END.format(-2, 0, 1)),
        "index-range",
        "# an index from the end along axis 0 must be −1 or more",
    ),
    # A file without the second direction, which another layer reads.
    (
        _LINE.format("net.load_state_dict(saved)", _WITHOUT_DIRECTION),
        "checkpoint",
        "net = Net(...)",
    ),
    # A state as the query of attention, and one-hot words for an embedding.
    (
        _LINE.format("y, w = mha(h, out, out)", _VIEW.format("[18, 4, 8]", 2880)).replace(
            "RuntimeError",
            '  File "site-packages/torch/nn/functional.py", line 6900, in multi_head_attention_forward\nRuntimeError',
        ),
        "batch-first",
        "mha = nn.MultiheadAttention(..., batch_first=True)",
    ),
    (
        _LINE.format(
            "out, _ = lstm(emb(x))",
            "             ^^^^^^^^^^^^\nValueError: LSTM: Expected input to be 2D or 3D, got 4D instead",
        ),
        "embedding",
        "out, _ = lstm(emb(x.argmax(-1)))",
    ),
    (
        _LINE.format("f = f.reshape(b, w, 32 * 32)", _VIEW.format("[2, 50, 1024]", 51200)),
        "reshape",
        "f = f.reshape(2, 50, 512)",
    ),
]
