"""Lines of programs with PyTorch in their tracebacks, the code of the first cause, and the line that is advised in their names."""

_OWN = 'Traceback (most recent call last):\n  File "fit.py", line 20, in <module>\n    {}\n{}'
_WITHIN = (
    'Traceback (most recent call last):\n  File "fit.py", line 48, in <module>\n    {}\n'
    '  File "net.py", line 17, in forward\n    {}\n{}'
)
_PRODUCT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied ({} and {})"
_TARGET = "ValueError: Target size (torch.Size([{}])) must be the same as input size (torch.Size([{}]))"
_JOINED = "RuntimeError: Sizes of tensors must match except in dimension {}. Expected size {} but got size {} for tensor number 1 in the list."
_RANKS = "RuntimeError: Tensors must have same number of dimensions: got {} and {}"
_STATE = "RuntimeError: Expected hidden{} size ({}), got [{}]"
_COUNTS = "ValueError: Expected input batch_size ({}) to match target batch_size ({})."
_AXIS = "IndexError: Dimension out of range (expected to be in range of [-{}, {}], but got {})"
_CONV = "RuntimeError: Given groups=1, weight of size [{}], expected input[{}] to have {} channels, but got {} channels instead"
_BMM = "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [{}] but got: [{}]."

_SIZES = "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"
_FEATURES = "RuntimeError: input.size(-1) must be equal to input_size. Expected {}, got {}"
_SIZES = "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"
_CHECKED = (
    '  File "/lib/torch/nn/modules/rnn.py", line {}, in forward\n    self.check_forward_args(input, hx, batch_sizes)\n'
    '  File "/lib/torch/nn/modules/rnn.py", line {}, in check_forward_args\n    self.check_input(input, batch_sizes)\n'
)
_PAIR_FOR_GRU = (
    '  File "site-packages/torch/nn/modules/rnn.py", line 1400, in forward\n    if hx.dim() != 3:\n'
    "AttributeError: 'tuple' object has no attribute 'dim'"
)
_UNBATCHED = "RuntimeError: For unbatched 2-D input, hx should also be 2-D but got 3-D tensor"
_HALVED = "RuntimeError: For batched 3-D input, hx and cx should also be 3-D but got (2-D, 2-D) tensors"
_LAYER = '  File "site-packages/torch/nn/modules/{}", line 300, in forward\n    {}\n{}'
_COPIED = "\tsize mismatch for {}: copying a param with shape torch.Size([{}]) from checkpoint, the shape in current model is torch.Size([{}]).\n"
_LOADED_UNITS = (
    "RuntimeError: Error(s) in loading state_dict for Reader:\n"
    + _COPIED.format("gru.weight_ih_l0", "72, 10", "108, 10")
    + _COPIED.format("gru.weight_hh_l0", "72, 24", "108, 36")
    + _COPIED.format("head.weight", "7, 24", "7, 36")
)
_LOADED_DIRECTION = (
    "RuntimeError: Error(s) in loading state_dict for Reader:\n"
    '\tUnexpected key(s) in state_dict: "gru.weight_ih_l0_reverse", "gru.weight_hh_l0_reverse".\n'
    + _COPIED.format("head.weight", "7, 48", "7, 24")
)

FIRST_LINES = [
    # The sizes of a linear layer in the other order, and (batch, features, steps) for (batch, steps, features).
    (
        _OWN.format("y = self.out(h[-1])", _PRODUCT.format("20x72", "5x72")),
        "swapped-arguments",
        "self.out = nn.Linear(72, 5)",
    ),
    (
        _OWN.format("z = self.front(mel)", _PRODUCT.format("240x90", "40x56")),
        "transpose",
        "z = self.front(mel.transpose(1, 2))",
    ),
    # The targets or the predictions have an axis of 1, whatever the batch.
    (
        _OWN.format("loss = bce(score, mark.float())", _TARGET.format("24", "24, 1")),
        "broadcast",
        "loss = bce(score, mark.float().unsqueeze(1))",
    ),
    (
        _OWN.format("loss = bce(score, mark)", _TARGET.format("24, 1", "24")),
        "broadcast",
        "loss = bce(score, mark.squeeze(1))",
    ),
    # A row for each step, where there is a target for each sequence.
    (
        _OWN.format("loss = mse(net(x), y)", _TARGET.format("32, 1", "45, 1")),
        "batch-first",
        "logits = linear(output[:, -1])",
    ),
    (
        "self.rnn = nn.GRU(6, 30, batch_first=True)\n" + _OWN.format("loss = ce(net(x), y)", _COUNTS.format(45, 32)),
        "batch-first",
        "logits = linear(output[:, -1])",
    ),
    (
        _OWN.format("loss = ce(net(x), y)", _COUNTS.format(45, 32)) + "\nrnn = nn.GRU(6, 30)",
        "batch-first",
        "rnn = nn.GRU(6, 30, batch_first=True)",
    ),
    # The two arguments of a loss.
    (
        _OWN.format(
            "loss = criterion(labels, outputs)",
            "RuntimeError: 0D or 1D target tensor expected, multi-target not supported",
        ),
        "swapped-arguments",
        "loss = criterion(outputs, labels)",
    ),
    # Rows of a constant size.
    (
        _OWN.format("loss = ce(out.view(-1, n_words), y.view(-1))", _COUNTS.format(918, 170)),
        "reshape",
        "loss = ce(out.view(-1, out.size(-1)), y.view(-1))",
    ),
    (
        _OWN.format(
            "loss = ce(out.reshape(-1, 90), y)", "RuntimeError: shape '[-1, 90]' is invalid for input of size 1700"
        ),
        "reshape",
        "loss = ce(out.reshape(-1, out.size(-1)), y)",
    ),
    # The axis of a concatenation is that of unsqueeze, or the only one that differs.
    (
        _OWN.format("seq = torch.cat((img.unsqueeze(1), words), dim=0)", _JOINED.format(0, 1, 12)),
        "concatenate-axis",
        "seq = torch.cat([img.unsqueeze(1), words], dim=1)",
    ),
    (
        _OWN.format("seq = torch.cat((img.unsqueeze(0), words), dim=1)", _JOINED.format(1, 1, 12)),
        "concatenate-axis",
        "seq = torch.cat([img.unsqueeze(1), words], dim=1)",
    ),
    (
        _OWN.format(
            "seq = torch.stack((img, words), dim=1)",
            "RuntimeError: stack expects each tensor to be equal size, but got [6, 1, 20] at entry 0 and [6, 9, 20] at entry 1",
        ),
        "concatenate-axis",
        "seq = torch.cat([img, words], dim=1)",
    ),
    (
        _OWN.format("seq = torch.cat((img, emb), dim=1)", _RANKS.format(2, 3)),
        "unbatched",
        "seq = torch.cat((img.unsqueeze(1), emb), dim=1)",
    ),
    (
        _OWN.format("y = torch.cat((out, ctx), dim=1)", _RANKS.format(3, 2)),
        "unbatched",
        "y = torch.cat((out.squeeze(0), ctx), dim=1)",
    ),
    (
        _OWN.format("y = torch.cat((first, out), dim=0)", _RANKS.format(2, 3)),
        "unbatched",
        "y = torch.cat((first.unsqueeze(0), out), dim=0)",
    ),
    (
        _WITHIN.format("y, h = dec(tok.unsqueeze(0), h)", "y = torch.cat((e, ctx), dim=2)", _RANKS.format(3, 2)),
        "unbatched",
        "y = torch.cat((e, ctx.expand(e.size(0), -1, -1)), dim=2)",
    ),
    (
        _OWN.format("seq = torch.cat(tokens, 1)", _AXIS.format(1, 0, 1)),
        "concatenate-axis",
        "seq = torch.stack(tokens, 1)",
    ),
    # Arrays that a method repeats or transposes, or of which a size is read.
    (
        _OWN.format(
            "q = state.unsqueeze(1).repeat(1, n, 1)",
            "RuntimeError: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
        ),
        "unbatched",
        "state = state[-1]",
    ),
    (
        _OWN.format("for k in range(data.shape[1]): pass", "IndexError: tuple index out of range") + " # torch",
        "unbatched",
        "data = data[..., None]",
    ),
    # An action for each step.
    (
        _OWN.format(
            "taken = q.gather(2, acts)",
            "RuntimeError: Index tensor must have the same number of dimensions as input tensor",
        ),
        "unbatched",
        "acts = acts.unsqueeze(-1)",
    ),
    # Windows, and loops of which the text has the start.
    (
        _OWN.format("ys.append(data[i + width])", "IndexError: index 90 is out of bounds for axis 0 with size 90"),
        "index-range",
        "for i in range(len(data) - width): ys.append(data[i + width])",
    ),
    (
        "for t in range(1, n + 1):\n"
        + _OWN.format("tok = trg[t]", "IndexError: index 9 is out of bounds for dimension 0 with size 9"),
        "index-range",
        "for t in range(1, len(trg)): tok = trg[t]",
    ),
    # A part of each sequence, of an array without a batch.
    (
        _OWN.format("e = self.emb(words[:, :-1])", "IndexError: too many indices for tensor of dimension 1"),
        "unbatched",
        "words = words.unsqueeze(0)",
    ),
    (
        _OWN.format(
            "y = ids[:, i:i + 5]", "IndexError: too many indices for array: array is 1-dimensional, but 2 were indexed"
        ),
        "unbatched",
        "y = ids[i:i + 5]",
    ),
    (
        _OWN.format("x = self.conv(x)", _CONV.format("30, 1, 5", "22, 30, 60", 1, 30)),
        "input-size",
        "self.conv = nn.Conv1d(30, ...)",
    ),
    (
        _OWN.format("x = self.norm(self.conv(x))", "RuntimeError: running_mean should contain 24 elements not 32"),
        "hidden-size",
        "self.norm = nn.BatchNorm1d(24)",
    ),
    # The weights of an attention stand on the left of what they weigh.
    (
        _OWN.format("ctx = torch.bmm(memory, alpha)", _BMM.format("16, 60", "16, 1")),
        "swapped-arguments",
        "ctx = torch.bmm(alpha, memory)",
    ),
    # A state that a loop carries is made before it.
    (
        _WITHIN.format(
            "out, h = net(x, h)", "y, state = self.rnn(x, state)", _STATE.format("[0]", "2, 8, 30", "8, 2, 30")
        ),
        "batch-first",
        "h = tuple(one.transpose(0, 1).contiguous() for one in h)",
    ),
    (
        _WITHIN.format(
            "out, h = net(x, h)", "y, state = self.rnn(x, state)", _STATE.format("", "1, 8, 30", "1, 8, 40")
        ),
        "hidden-size",
        "h = h.new_zeros(1, h.size(1), 30)",
    ),
    (
        _WITHIN.format(
            "out, (h, c) = net(x, (h, c))",
            "y, state = self.rnn(x, state)",
            _STATE.format("[0]", "1, 8, 30", "2, 8, 30"),
        ),
        "layers-directions",
        "h, c = h[-1:], c[-1:]",
    ),
    # One step of a batch in the place of a sequence.
    (
        _WITHIN.format(
            "y, h = decoder(tok, h)", "o, h = self.rnn(e, h.unsqueeze(0))", _STATE.format("", "1, 1, 30", "1, 8, 30")
        ),
        "batch-first",
        "self.rnn = nn.GRU(..., batch_first=True)",
    ),
    # A state has the batch of x.
    (
        _WITHIN.format("y = net(x)", "o, _ = self.rnn(x, (h0, c0))", _STATE.format("[0]", "1, 8, 30", "1, 8, 50")),
        "hidden-size",
        "h0 = c0 = torch.zeros(1, x.size(0 if self.rnn.batch_first else 1), 30)",
    ),
    # The unsqueeze of one term belongs to another axis.
    (
        _OWN.format(
            "score = self.v(torch.tanh(self.wa(h).unsqueeze(2) + self.ua(enc)))",
            "RuntimeError: The size of tensor a (36) must match the size of tensor b (17) at non-singleton dimension 1",
        ),
        "unbatched",
        "score = self.v(torch.tanh(self.wa(h).unsqueeze(1) + self.ua(enc)))",
    ),
    # Predictions of each layer, and of too many columns.
    (_OWN.format("loss = mse(p, y)", _TARGET.format("32, 6", "2, 32, 6")), "layers-directions", "p = p[-1]"),
    (
        _OWN.format("loss = bce(p, y.unsqueeze(1))", _TARGET.format("24, 1", "24, 50")),
        "hidden-size",
        "nn.Linear(..., out_features=1)",
    ),
    (
        _OWN.format(
            "loss = nll(target_tensor[k], dec_output)",
            "RuntimeError: 0D or 1D target tensor expected, multi-target not supported",
        ),
        "swapped-arguments",
        "loss = nll(dec_output, target_tensor[k])",
    ),
    # Arrays that a loop fills.
    (
        _OWN.format(
            "preds[:, t] = y",
            "RuntimeError: The expanded size of the tensor (10) must match the existing size (2) at non-singleton dimension 1.  "
            "Target sizes: [36, 10].  Tensor sizes: [36, 2]",
        ),
        "broadcast",
        "preds = torch.zeros(36, preds.size(1), 2)",
    ),
    (
        _OWN.format(
            "preds[:, t] = y",
            "RuntimeError: expand(torch.FloatTensor{[36, 1, 2]}, size=[36, 2]): the number of sizes provided (2) must be greater or equal to "
            "the number of dimensions in the tensor (3)",
        ),
        "unbatched",
        "preds[:, t] = y.squeeze(1)",
    ),
    # The second direction of a layer that has one, and one column of a vector.
    (
        _OWN.format(
            "h = torch.cat([h[0], h[1]], 1)", "IndexError: index 1 is out of bounds for dimension 0 with size 1"
        ),
        "layers-directions",
        "nn.LSTM(..., bidirectional=True)",
    ),
    (
        _OWN.format("p = pred[:, 0]", "IndexError: too many indices for tensor of dimension 1"),
        "unbatched",
        "p = pred",
    ),
    # The batch must not change its place in a product.
    (
        _OWN.format("sim = torch.bmm(c, q.transpose(0, 1))", _BMM.format("7, 68", "11, 7")),
        "transpose",
        "sim = torch.bmm(c, q.transpose(1, 2))",
    ),
    # A layer returns a pair, and the state of each layer is wanted.
    (
        _OWN.format(
            "avg = torch.mean(out, 1)",
            "TypeError: mean() received an invalid combination of arguments - got (tuple, int), but expected one of:",
        ),
        "state-tuple",
        "out = out[0]",
    ),
    (
        _OWN.format(
            "y, s = self.gru(x, s)", "RuntimeError: For batched 3-D input, hx should also be 3-D but got 2-D tensor"
        ),
        "unbatched",
        "s = s.unsqueeze(0).repeat(self.gru.num_layers, 1, 1)",
    ),
    # One part of a concatenation tells how the other one loses its axis.
    (
        _OWN.format("y = self.gen(torch.cat([out.squeeze(1), ctx], dim=1))", _RANKS.format(2, 3)),
        "unbatched",
        "y = self.gen(torch.cat([out.squeeze(1), ctx.squeeze(1)], dim=1))",
    ),
    (
        _OWN.format("out, s = self.lstm(torch.cat([e, ctx], dim=1), s)", _JOINED.format(1, 21, 76)),
        "concatenate-axis",
        "out, s = self.lstm(torch.cat([e, ctx], dim=-1), s)",
    ),
    (
        _OWN.format("x = torch.cat((self.emb(words), chars), dim=1)", _JOINED.format(1, 42, 23)),
        "concatenate-axis",
        "x = torch.cat([self.emb(words), chars], dim=-1)",
    ),
    # Targets with an axis of 1, and with other steps.
    (
        _OWN.format("loss = ce(out, y)", "RuntimeError: Expected target size [6, 11], got [6, 1, 11]"),
        "class-axis",
        "loss = ce(out, y.squeeze(1))",
    ),
    (_OWN.format("loss = mse(out, y)", _TARGET.format("25, 22, 6", "25, 29, 6")), "steps", "out = out[:, :22]"),
    (_OWN.format("loss = ce(out, y)", _COUNTS.format(26, 17)), "batch-first", "logits = linear(output[:, -1])"),
    # An array times itself, and a query as a column.
    # Windows of other steps for a layer that takes all steps together.
    (
        _WITHIN.format(
            "loss = mse(model(x_test), y_test)",
            "return self.dense(self.flatten(x))",
            _PRODUCT.format("176x1536", "3072x1"),
        ),
        "steps",
        "self.dense = nn.Linear(1536, 1)",
    ),
    (_OWN.format("sims = bank @ bank", _PRODUCT.format("36x53", "36x53")), "transpose", "sims = bank @ bank.T"),
    (
        _OWN.format("score = torch.bmm(q, mem)", _BMM.format("14, 1", "14, 9")),
        "swapped-arguments",
        "score = torch.bmm(mem, q)",
    ),
    # Packing sorts along the axis that it takes for the batch.
    (
        _OWN.format(
            "p = pack_padded_sequence(v, n.cpu(), enforce_sorted=False)",
            "RuntimeError: INDICES element is out of DATA bounds, id=14 axis_dim=13",
        ),
        "batch-first",
        "p = pack_padded_sequence(v, n.cpu(), enforce_sorted=False, batch_first=True)",
    ),
    # A step on the second axis.
    (
        _OWN.format("h = self.cell(x[t], h)", "IndexError: index 12 is out of bounds for dimension 0 with size 12"),
        "index-range",
        "h = self.cell(x[:, t], h)",
    ),
    # A model that makes its state for x.size(0) leaves batch_first away, and a line that called it may tell the axes.
    (
        _WITHIN.format("y = net(xs)", "y, _ = self.lstm(x, (h0, c0))", _STATE.format("[0]", "1, 36, 40", "1, 50, 40")),
        "batch-first",
        "self.lstm = nn.LSTM(..., batch_first=True)",
    ),
    (
        _WITHIN.format(
            "y = net(torch.randn(20, 11, 9))", "y, _ = self.gru(x, s)", _STATE.format("", "2, 11, 18", "2, 20, 18")
        ),
        "batch-first",
        "self.gru = nn.GRU(..., batch_first=True)",
    ),
    # Channels of a convolution before the steps, unless the data have these features.
    (
        _WITHIN.format("y = net(ecg)", "y, _ = self.lstm(z)", _FEATURES.format(64, 75)),
        "transpose",
        "z = z.transpose(1, 2)",
    ),
    (
        _WITHIN.format("y = net(torch.rand(8, 30, 75))", "y, _ = self.lstm(z)", _FEATURES.format(64, 75)),
        "input-size",
        "self.lstm = nn.LSTM(75, ...)",
    ),
    # Outputs of the last layer, where the targets have other columns.
    (
        _OWN.format(
            "loss = loss_of(net(x), y)",
            "RuntimeError: The size of tensor a (6) must match the size of tensor b (4) at non-singleton dimension 1",
        ),
        "broadcast",
        "nn.Linear(..., out_features=4)",
    ),
    # An earlier line flattened the array, so each row has the features of all steps.
    (
        _WITHIN.format("y = net(x)", "z = self.head(z)", _PRODUCT.format("30x336", "48x5")),
        "hidden-size",
        "self.head = nn.Linear(336, 5)",
    ),
    # A first state is made before the loop over the steps.
    (
        _OWN.format("h = cell(seq[t], h)", "RuntimeError: Input batch size 9 doesn't match hidden0 batch size 1"),
        "batch-size",
        "h = h.expand(seq[0].size(0), -1)",
    ),
    # Weights of a cell by hand, of which two products of other units are added.
    (
        'File "net.py", line 9, in step\n    return torch.tanh(v @ self.W_xh + h @ self.W_hh)\n'
        "                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "RuntimeError: The size of tensor a (18) must match the size of tensor b (5) at non-singleton dimension 1",
        "hidden-size",
        "self.W_hh = nn.Parameter(torch.randn(18, 18) * 0.1)",
    ),
    # One name for the state of an LSTM, in place of a pair.
    (
        _OWN.format("y, state = lstm(x, state)", _HALVED),
        "state-tuple",
        "y, state = lstm(x, (state, torch.zeros_like(state)))",
    ),
    # Sizes of a file that all follow from one argument of the model.
    (
        _OWN.format("net.load_state_dict(saved)", _LOADED_UNITS),
        "checkpoint",
        "net = Reader(...)",
    ),
    (
        "net = Reader(words, units=36)\n" + _OWN.format("net.load_state_dict(saved)", _LOADED_UNITS),
        "checkpoint",
        "net = Reader(words, units=24)",
    ),
    # Fewer steps than channels, and more than data have features.
    (
        _WITHIN.format("y = net(ecg)", "y, _ = self.gru(z)", _FEATURES.format(128, 61)),
        "transpose",
        "z = z.transpose(1, 2)",
    ),
    # A mask in the other order.
    (
        _OWN.format(
            "e = e + pad_mask",
            "RuntimeError: The size of tensor a (21) must match the size of tensor b (8) at non-singleton dimension 1",
        ),
        "batch-first",
        "e = e + pad_mask.transpose(0, 1)",
    ),
    # Without marks, weights from h to h are square, so the other product failed.
    (
        _OWN.format("h = torch.tanh(seq[t] @ W_xh + h @ W_hh)", _PRODUCT.format("3x5", "14x5")),
        "transpose",
        "h = torch.tanh(seq[t] @ W_xh.T + h @ W_hh)",
    ),
    # A layer for two directions that gets something else than a last state.
    (
        _WITHIN.format("y = net(x)", "return self.head(pooled)", _PRODUCT.format("9x48", "96x4")),
        "hidden-size",
        "self.head = nn.Linear(48, 4)",
    ),
    (
        _WITHIN.format("y = net(x)", "return self.head(h_last[-1])", _PRODUCT.format("9x48", "96x4")),
        "hidden-size",
        "return self.head(torch.cat([h_last[-2], h_last[-1]], dim=-1))",
    ),
    # A list of steps, targets that are no whole numbers, and a model that was saved with two directions.
    (
        _OWN.format(
            "y = torch.relu(steps.transpose(0, 1))", "AttributeError: 'list' object has no attribute 'transpose'"
        ),
        "list",
        "steps = torch.stack(steps)",
    ),
    (
        _OWN.format("loss = ce(net(x), y)", "RuntimeError: expected target dtype to be Long or Byte, but got Float"),
        "class-targets",
        "loss = ce(net(x), y.long())",
    ),
    (
        _OWN.format("net.load_state_dict(saved)", _LOADED_DIRECTION),
        "checkpoint",
        "net = Reader(...)",
    ),
    # A batch that the line writes, and the smaller last one of a loader.
    (
        _WITHIN.format(
            "y = net(x)",
            "z = z.contiguous().view(24, -1)",
            "RuntimeError: shape '[24, -1]' is invalid for input of size 1700",
        ),
        "batch-size",
        "z = z.contiguous().view(z.size(0), -1)",
    ),
    # Few features where many steps are, and few columns where one is expected.
    (
        _WITHIN.format("y = net(x)", "y, _ = self.rnn(x)", _FEATURES.format(2, 150)),
        "transpose",
        "x = x.transpose(1, 2)",
    ),
    (
        _WITHIN.format("y = net(x)", "y, _ = self.rnn(x)", _FEATURES.format(1, 5)),
        "input-size",
        "self.rnn = nn.LSTM(5, ...)",
    ),
    # A number in an index, a pair for a GRU that a loop carries, and a cell that gets all steps.
    (
        _WITHIN.format(
            "y = net(x)",
            "return self.fc(torch.cat([s[0], s[2]], 1))",
            "IndexError: index 2 is out of bounds for dimension 0 with size 2",
        ),
        "index-range",
        "return self.fc(torch.cat([s[0], s[1]], 1))",
    ),
    (
        _WITHIN.format("y, s = net(x, s)", "y, h = self.gru(x, h)", _PAIR_FOR_GRU),
        "state-tuple",
        "s = s[0]",
    ),
    (
        _OWN.format("h = step(seq)", "ValueError: GRUCell: Expected input to be 1D or 2D, got 3D instead"),
        "unbatched",
        "for t, x_t in enumerate(seq.unbind(1)): h = step(x_t, h if t else None)",
    ),
    # An axis of a new stack, one that the first of two arrays lacks, and a part beside the whole.
    (
        _OWN.format(
            "t = np.stack([u, np.sin(v)], axis=2)",
            "numpy.exceptions.AxisError: axis 2 is out of bounds for array of dimension 2",
        ),
        "unbatched",
        "t = np.stack([u, np.sin(v)], axis=1)",
    ),
    # Only the targets change, whatever the call is given.
    (
        _OWN.format("y, h, c = run(make(net), data, 3)", "ValueError: not enough values to unpack (expected 3, got 2)"),
        "state-tuple",
        "y, (h, c) = run(make(net), data, 3)",
    ),
    # Features that are joined along the steps.
    (
        _OWN.format("z = torch.cat((rain, wind), dim=1)", _JOINED.format(1, 13, 7)),
        "concatenate-axis",
        "z = torch.cat([rain, wind], dim=-1)",
    ),
    # The last of three axes is 1, as that of scores for each place; squeeze() takes a batch of 1 as well.
    (
        _OWN.format("loss = ce(place, y)", "RuntimeError: Expected target size [6, 1], got [6]"),
        "class-axis",
        "place = place.squeeze(-1)",
    ),
    # A call that packs keeps its arguments.
    (
        _OWN.format(
            "packed = pack_padded_sequence(x, lengths, batch_first=True)",
            "RuntimeError: `lengths` array must be sorted in decreasing order when `enforce_sorted` is True.",
        ),
        "sorted-lengths",
        "packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)",
    ),
    # A row of scores for each step: targets of whole sequences, or of each step.
    (_OWN.format("loss = nll(scores, marks)", _COUNTS.format(36, 4)), "flattened", "logits = linear(output[:, -1])"),
    (
        _OWN.format("loss = nll(scores, marks)", _COUNTS.format(99, 11)),
        "flattened",
        "loss = nll(scores, marks.flatten())",
    ),
    (
        _OWN.format("loss = nll(scores.view(-1, 7), marks)", _COUNTS.format(96, 16)),
        "flattened",
        "loss = nll(scores.view(-1, 7), marks.flatten())",
    ),
    (
        _OWN.format("loss = nll(scores, marks.view(-1))", _COUNTS.format(99, 11)),
        "flattened",
        "logits = linear(output[:, -1])",
    ),
    # One sample for a model that makes the state of a batch; a variable named after a batch has its axis.
    (
        _WITHIN.format("level = gauge(track)", "out, h_t = self.gru(x, h_0)", _UNBATCHED),
        "unbatched",
        "level = gauge(track.unsqueeze(0))",
    ),
    (
        _WITHIN.format("level = gauge(batch)", "out, h_t = self.gru(x, h_0)", _UNBATCHED),
        "unbatched",
        "x = x.unsqueeze(-1)",
    ),
    # The lines of PyTorch's own file tell which layer failed.
    *(
        (
            _OWN.format("y, s = self.rnn(joined, s)", _CHECKED.format(*lines) + _FEATURES.format(20, 52)),
            "input-size",
            f"self.rnn = nn.{layer}(52, ...)",
        )
        for layer, *lines in (
            ("RNN", 739, 380),
            ("LSTM", 1159, 1037),
            ("GRU", 1437, 380),
            ("RNN", 231, 203),
            ("LSTM", 559, 522),
            ("GRU", 837, 226),
        )
    ),
    # Arrays of different parts of the data, by their names.
    (
        _OWN.format("late = TensorDataset(of(x_late), of(y_early))", "AssertionError: Size mismatch between tensors"),
        "batch-size",
        "x, y = x[: min(len(x), len(y))], y[: min(len(x), len(y))]",
    ),
    (
        _OWN.format("held = TensorDataset(of(x_val), of(y_train))", "AssertionError: Size mismatch between tensors"),
        "batch-size",
        "held = TensorDataset(of(x_val), of(y_val))",
    ),
    (
        _OWN.format("train = TensorDataset(testX, trainY)", "AssertionError: Size mismatch between tensors"),
        "batch-size",
        "train = TensorDataset(trainX, trainY)",
    ),
    (
        _WITHIN.format("score(net(xtest), ytrain)", "return mse(a, b)", _SIZES.format(30, 90, 0)),
        "batch-size",
        "score(net(xtest), ytest)",
    ),
    # One vector is repeated at each step.
    (
        _OWN.format(
            "code = code.repeat(n_steps)",
            "RuntimeError: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
        ),
        "unbatched",
        "code = code.unsqueeze(1).repeat(1, n_steps, 1)",
    ),
    # A join along axis 1 of a vector, and of the output at all steps.
    (
        _OWN.format("both = torch.cat((letter, memory), 1)", _RANKS.format(2, 1)),
        "unbatched",
        "both = torch.cat((letter, memory.expand(letter.size(0), -1)), 1)",
    ),
    (
        _OWN.format("both = torch.cat([gru_out, age], dim=1)", _RANKS.format(3, 2)),
        "unbatched",
        "both = torch.cat([gru_out[:, -1], age], dim=1)",
    ),
    # Both directions that were joined along the batch, and an output whose rows are a multiple by chance.
    (
        _OWN.format("return self.score(hidden)", _PRODUCT.format("24x40", "80x3")),
        "hidden-size",
        "return self.score(torch.cat(hidden.reshape(-1, 40).chunk(2), dim=-1))",
    ),
    (
        _OWN.format("y = self.words(output)", _PRODUCT.format("480x90", "60x340")),
        "hidden-size",
        "self.words = nn.Linear(90, 340)",
    ),
    # A mask that chooses entries of two arrays.
    (
        _OWN.format(
            "loss = ce(scores[known], gold[known])",
            "IndexError: The shape of the mask [6, 25] at index 1 does not match the shape of the indexed tensor [6, 18, 9] at index 1",
        ),
        "packed",
        "known, gold = known[:, :18], gold[:, :18]",
    ),
    # Scores with a last axis of 1, and a mask of other steps.
    (
        _OWN.format("e = e.masked_fill(~seen, -1e4)", _SIZES.format(9, 70, 1)),
        "broadcast",
        "e = e.squeeze(-1).masked_fill(~seen, -10000.0)",
    ),
    (
        _OWN.format("e = e.masked_fill(~seen, -1e4)", _SIZES.format(9, 70, 2)),
        "broadcast",
        "e = e.masked_fill((~seen)[:, None, None], -10000.0)",
    ),
    # Gates that were cut along the batch, in a message alone.
    (_SIZES.format(72, 24, 1), "broadcast", "a = a.chunk(3, dim=-1)[0]"),
    # Rows of an embedding for padding and unknown words.
    (
        _OWN.format("self.words.weight.data.copy_(rows)", _SIZES.format(62, 60, 0)),
        "checkpoint",
        "self.words.weight.data[2:].copy_(rows)",
    ),
    # One step of each sequence, where axis 0 has the steps.
    (
        _OWN.format(
            "last = seq[rows, n_len - 1]",
            "IndexError: shape mismatch: indexing tensors could not be broadcast together with shapes [27], [12]",
        ),
        "indexing",
        "last = seq[n_len - 1, torch.arange(len(n_len))]",
    ),
    # A constant batch beside sizes that have names.
    (
        _OWN.format(
            "x = x.view(1, self.steps, self.width)", "RuntimeError: shape '[1, 30, 2]' is invalid for input of size 240"
        ),
        "batch-size",
        "x = x.view(-1, self.steps, self.width)",
    ),
    (
        _OWN.format(
            "flat = out.reshape(BATCH, n * k)", "RuntimeError: shape '[32, 90]' is invalid for input of size 1440"
        ),
        "batch-size",
        "flat = out.reshape(-1, n * k)",
    ),
    # The last windows of a series.
    (
        _OWN.format(
            "for past, next_day in days:",
            '  File "utils/data/_utils/collate.py", line 275, in collate_tensor_fn\nRuntimeError: stack expects each tensor '
            "to be equal size, but got [12] at entry 0 and [11] at entry 7",
        ),
        "ragged",
        "days = torch.utils.data.DataLoader(torch.utils.data.Subset(days.dataset, range(len(days.dataset) - 12)), batch_size=days.batch_size)",
    ),
    # Predictions of several numbers where the targets have one, by the warning above the message.
    (
        "UserWarning: Using a target size (torch.Size([16, 9])) that is different to the input size (torch.Size([16, 9, 4])). "
        "This will likely lead to incorrect results.\n" + _OWN.format("loss = mse(net(x), y)", _SIZES.format(4, 9, 2)),
        "broadcast",
        "loss = mse(net(x)[..., 0], y)",
    ),
    (
        "UserWarning: Using a target size (torch.Size([16, 9, 64])) that is different to the input size (torch.Size([16, 9, 24])). "
        "This will likely lead to incorrect results.\n"
        + _OWN.format("loss = mse(small, large)", _SIZES.format(24, 64, 2)),
        "broadcast",
        "small = nn.Linear(24, 64)(small)",
    ),
    # More steps than the targets have, by a number in the line.
    (
        _OWN.format("loss = criterion(net(x, ahead=4), y)", _SIZES.format(34, 30, 1)),
        "broadcast",
        "loss = criterion(net(x, ahead=0), y)",
    ),
    # A state that is kept from call to call is a pair.
    (
        _OWN.format("out, self.state = self.rnn(words, self.state)", _HALVED),
        "unbatched",
        "self.state = None",
    ),
    # Numbers of a batch that are compared one by one.
    (
        _OWN.format(
            "hit = p.argmax(1).item() == y.item()",
            "RuntimeError: a Tensor with 24 elements cannot be converted to Scalar",
        ),
        "one-number",
        "count = (p.argmax(1) == y).sum().item()",
    ),
    # Lengths with an axis of 1.
    (
        _OWN.format(
            "p = pack_padded_sequence(e, n, batch_first=True)",
            "IndexError: index_select(): Index is supposed to be a vector",
        ),
        "lengths",
        "p = pack_padded_sequence(e, n.flatten(), batch_first=True)",
    ),
    # Indices that were cast to the type of the layer.
    (
        _WITHIN.format("y = net(text.float())", "y, _ = self.rnn(x)", _FEATURES.format(29, 45)),
        "embedding",
        "x = torch.nn.functional.one_hot(x.long(), 29).float()",
    ),
    # A method of a tensor that is asked of what an LSTM returns.
    (
        _OWN.format("last = memory.squeeze(0)", "AttributeError: 'tuple' object has no attribute 'squeeze'")
        + " # torch",
        "state-tuple",
        "last = memory[0].squeeze(0)",
    ),
    # A decoder of words gets the state of an encoder, a pair.
    (
        _OWN.format("y, carry = self.rnn(self.embed(w), carry)", _HALVED),
        "unbatched",
        "carry = (carry[0].unsqueeze(0).repeat(self.rnn.num_layers, 1, 1), carry[1].unsqueeze(0).repeat(self.rnn.num_layers, 1, 1))",
    ),
    # Words of sentences, and letters of words, which a layer reads sequence by sequence.
    (
        _OWN.format(
            "h, _ = self.gru(self.emb(sents))", "ValueError: GRU: Expected input to be 2D or 3D, got 4D instead"
        ),
        "embedding",
        "h, _ = self.gru(self.emb(sents.flatten(0, 1)))",
    ),
    # A line of the library itself is not the reader's.
    (
        "    data, sizes = _VF._pack_padded_sequence(input, lengths, batch_first)\nRuntimeError: `lengths` array must be sorted in "
        "decreasing order when `enforce_sorted` is True.",
        "sorted-lengths",
        "packed = pack_padded_sequence(x, lengths, ..., enforce_sorted=False)",
    ),
    # Many more sequences than the state has are rather steps.
    (
        _OWN.format("y, h = self.rnn(self.encoder(x), h)", _STATE.format("", "1, 260, 24", "1, 20, 24")),
        "batch-first",
        "self.rnn = nn.GRU(..., batch_first=True)",
    ),
    # A state may have the axis already when a loop gives it the second time.
    (
        _OWN.format("xh = torch.cat([x, h], dim=-1)", _RANKS.format(3, 2)),
        "unbatched",
        "xh = torch.cat([x, h.reshape(x.size(0), -1, h.size(-1)).expand(-1, x.size(1), -1)], dim=-1)",
    ),
    # The index and the values of a scatter.
    (
        "RuntimeError: Expected index [12, 5] to be no larger than self [5, 90] apart from dimension 1 and to be no larger size than "
        "src [5, 12]",
        "transpose",
        "index = index.t()",
    ),
    # A term that lacks an axis, beside one that has it by an unsqueeze.
    (
        _OWN.format("best = score + self.moves + word.unsqueeze(1)", _SIZES.format(6, 9, 0)),
        "unbatched",
        "best = score.unsqueeze(2) + self.moves + word.unsqueeze(1)",
    ),
    # Targets that are made for another batch.
    (
        _OWN.format("loss = bce(judge(x), ones)", _TARGET.format("8, 1", "24, 1")),
        "broadcast",
        "loss = bce(judge(x), ones.new_ones(24, 1))",
    ),
    # A step on the second axis, scores by the rows of an embedding, and the results of batches.
    (
        _OWN.format(
            "seq[t] = h",
            "RuntimeError: The expanded size of the tensor (25) must match the existing size (6) at non-singleton dimension 0.  "
            "Target sizes: [25, 40].  Tensor sizes: [6, 40]",
        ),
        "indexing",
        "seq[:, t] = h",
    ),
    (
        _OWN.format("scores = last @ self.goods.weight.t()", _PRODUCT.format("16x48", "24x700")),
        "hidden-size",
        "scores = nn.Linear(48, 24)(last) @ self.goods.weight.t()",
    ),
    (
        _OWN.format(
            "y = torch.stack(outputs)",
            "RuntimeError: stack expects each tensor to be equal size, but got [16, 3] at entry 0 and [5, 3] at entry 4",
        ),
        "concatenate-axis",
        "y = torch.cat(outputs)",
    ),
    # A table of positions that is longer than the sequences.
    (_OWN.format("x = x + self.pe", _SIZES.format(30, 400, 1)), "steps", "x = x + self.pe[..., :x.size(1), :]"),
    (_OWN.format("x = self.table + x", _SIZES.format(400, 30, 0)), "steps", "x = self.table[:x.size(0)] + x"),
    # One step of a batch in a loop, and one word without its batch.
    (
        _OWN.format("o, s = self.dec(step, s)", _UNBATCHED),
        "unbatched",
        "step = step.reshape(s.size(1), -1, step.size(-1)) if self.dec.batch_first else step.reshape(-1, s.size(1), step.size(-1))",
    ),
    (
        _OWN.format("o, s = self.dec(self.emb(w).unsqueeze(0), s)", _UNBATCHED),
        "unbatched",
        "o, s = self.dec(self.emb(w.reshape(-1)).unsqueeze(0), s)",
    ),
    # Batch and steps in the other order, by the warning above the message.
    (
        "UserWarning: Using a target size (torch.Size([14, 25, 3])) that is different to the input size (torch.Size([25, 14, 3])). "
        "This will likely lead to incorrect results.\n" + _OWN.format("loss = mse(copy, x)", _SIZES.format(14, 25, 1)),
        "transpose",
        "copy = copy.transpose(0, 1)",
    ),
    # The first part of a tuple that a loss gets, or of each that a line joins.
    (
        _OWN.format(
            "loss = mse_loss(net(x), y)",
            '  File "torch/nn/functional.py", line 3884, in mse_loss\n    if not (target.size() == input.size()):\n'
            "AttributeError: 'tuple' object has no attribute 'size'",
        ),
        "state-tuple",
        "loss = mse_loss(net(x)[0], y)",
    ),
    (
        _OWN.format(
            "both = torch.cat([left, right], dim=-1)",
            "TypeError: expected Tensor as element 0 in argument 0, but got tuple",
        ),
        "state-tuple",
        "both = torch.cat([left[0], right], dim=-1)",
    ),
    (
        _OWN.format("rnn.weight_hh_l0.copy_(kernel)", _SIZES.format(24, 96, 1)),
        "checkpoint",
        "rnn.weight_hh_l0.copy_(kernel.T)",
    ),
    # A vector for a layer of one feature.
    (
        _OWN.format("g = self.fade(gap[:, t])", _PRODUCT.format("1x7", "1x32")),
        "unbatched",
        "g = self.fade(gap[:, t].unsqueeze(-1))",
    ),
    # A second cell that gets the state of the first one.
    (
        _OWN.format(
            "h2 = self.upper(h1, h1)", "RuntimeError: hidden0 has inconsistent hidden_size: got 24, expected 18"
        ),
        "swapped-arguments",
        "h2 = self.upper(h1, h2)",
    ),
    # A permute of fewer axes, a loop that reads the next step, biases in a loop over parameters, and a distribution.
    (
        _OWN.format(
            "x = x.permute(2, 0)",
            "RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            "ordering of dimensions i.e. input.dim() = 3 is not equal to len(dims) = 2",
        ),
        "indexing",
        "x = x.permute(2, 0, 1)",
    ),
    (
        _OWN.format("y = days[:, d + 2]", "IndexError: index 30 is out of bounds for dimension 1 with size 30"),
        "index-range",
        "for d in range(days.size(1) - 2): ...",
    ),
    (
        _OWN.format("nn.init.orthogonal_(p)", "ValueError: Only tensors with 2 or more dimensions are supported"),
        "initializer",
        "nn.init.orthogonal_(p) if p.dim() > 1 else nn.init.zeros_(p)",
    ),
    (
        _OWN.format(
            "p = Normal(m, s).log_prob(y)",
            "ValueError: Value is not broadcastable with batch_shape+event_shape: torch.Size([12, 20]) vs torch.Size([12, 20, 4]).",
        ),
        "broadcast",
        "p = Normal(m, s).log_prob(y.unsqueeze(-1))",
    ),
    # Both directions of two layers, for two layers of twice as many units; and two usual sizes of a batch.
    (
        _OWN.format("y, h = self.rnn(x, h)", _STATE.format("", "2, 6, 80", "4, 6, 40")),
        "layers-directions",
        "h = torch.cat((h[0::2], h[1::2]), dim=-1)",
    ),
    (
        _OWN.format("y, memory = self.gru(x, memory)", _STATE.format("", "1, 48, 24", "1, 32, 24")),
        "batch-size",
        "memory = torch.zeros(1, x.size(0 if self.gru.batch_first else 1), 24)",
    ),
    # So few entries are rather outputs than steps.
    (
        "UserWarning: Using a target size (torch.Size([40, 2])) that is different to the input size (torch.Size([40, 3])). "
        "This will likely lead to incorrect results.\n" + _OWN.format("loss = mse(net(x), y)", _SIZES.format(3, 2, 1)),
        "broadcast",
        "nn.Linear(..., out_features=2)",
    ),
    # Nothing is made anew for what a call returns.
    (
        _OWN.format("y = (w * torch.stack(parts)).sum(0)", _SIZES.format(3, 4, 0)),
        "batch-size",
        "# w and torch.stack(parts) must be of the same batch",
    ),
    # One-hot words for an embedding, and a layer in a file named after a convolution.
    (
        _WITHIN.format(
            "y = judge(names)", "o, h = self.gru(emb)", "ValueError: GRU: Expected input to be 2D or 3D, got 4D instead"
        ),
        "embedding",
        "y = judge(names.argmax(-1))",
    ),
    (
        _OWN.replace("fit.py", "cnn_gru.py").format("y, _ = self.gru(feat)", _FEATURES.format(48, 21)),
        "transpose",
        "feat = feat.transpose(1, 2)",
    ),
    # A slice of one step keeps its axis.
    (
        _WITHIN.format(
            "path = walker(seen[:, -1:], h[0], c[0])",
            "h, c = self.cell(torch.relu(self.spread(spot)), (h, c))",
            "ValueError: LSTMCell: Expected input to be 1D or 2D, got 3D instead",
        ),
        "unbatched",
        "path = walker(seen[:, -1], h[0], c[0])",
    ),
    (
        _WITHIN.format("level = gauge(tracks[3])", "out, h_t = self.gru(x, h_0)", _UNBATCHED),
        "unbatched",
        "level = gauge(tracks[3:4])",
    ),
    # The words that a model gets have the name that its caller gives them.
    (
        _WITHIN.format("y = tagger(ids)", "v = self.lookup(x)", "IndexError: index out of range in self"),
        "index-range",
        "self.lookup = nn.Embedding(int(ids.max()) + 1, ...)",
    ),
    # The last, smaller batch; and a message that a recurrent layer gives of what was packed.
    ("RuntimeError: shape '[32, 90]' is invalid for input of size 1440", "reshape", "x = x.reshape(-1, 90)"),
    (
        "RuntimeError: start (41) + length (5) exceeds dimension size (41).",
        "batch-first",
        "packed = pack_padded_sequence(x, lengths, ..., batch_first=True)",
    ),
    (
        "RuntimeError: `lengths` array must be sorted in decreasing order when `enforce_sorted` is True.",
        "sorted-lengths",
        "packed = pack_padded_sequence(x, lengths, ..., enforce_sorted=False)",
    ),
    # The classes are the last axis, so the index of the best one is taken there.
    (
        _OWN.format("right = (logits.argmax(1) == labels).sum()", _SIZES.format(7, 30, 1)),
        "broadcast",
        "right = (logits.argmax(-1) == labels).sum()",
    ),
    # One step more than the targets have; the number of right ones is no array, and a name in capitals is none either.
    (
        _OWN.format("right += (logits.argmax(-1) == labels).sum().item()", _SIZES.format(50, 49, 1)),
        "steps",
        "right += (logits.argmax(-1)[:, :49] == labels).sum().item()",
    ),
    (
        _OWN.format("right = pred.eq(gold).masked_select(gold.ne(PAD)).sum()", _SIZES.format(50, 49, 1)),
        "steps",
        "right = pred[:, :49].eq(gold).masked_select(gold.ne(PAD)).sum()",
    ),
    # Arrays in a dictionary, by their keys.
    (
        _OWN.format("z = batch['x'] * batch['mask']", _SIZES.format(9, 30, 2)),
        "broadcast",
        "z = batch['x'] * batch['mask'].unsqueeze(-1)",
    ),
    # A bias under its name; a number of the reader that is no size of the message; an array without entries.
    (_OWN.format("z = x @ W.T + b_z", _SIZES.format(60, 45, 1)), "broadcast", "b_z = torch.zeros(60)"),
    (
        _OWN.format("z = x[:, :307] * rest", _SIZES.format(307, 290, 1)),
        "broadcast",
        "# x[:, :307] and rest must have the same size along axis 1, or one of them the size 1",
    ),
    (
        _OWN.format("z = many * none", _SIZES.format(2, 0, 1)),
        "indexing",
        "# none must have entries along axis 1: print the shape of what it is taken from",
    ),
    (
        _OWN.format("z = y[:, :, :width] + y[:, :, width:]", _SIZES.format(128, 0, 2)),
        "layers-directions",
        "nn.LSTM(..., bidirectional=True)",
    ),
    # Many arrays in a line, of which not all axes are tried together.
    (
        _OWN.format("z = (" + " + ".join(f"part_{at}" for at in range(12)) + ") * other", _SIZES.format(20, 64, 2)),
        "broadcast",
        "nn.LSTM(..., hidden_size=64)",
    ),
    # A step that is taken from the axis of the batch, one of several statements of a line, and a whole sequence for a cell.
    (
        _OWN.format("h = torch.tanh(xs[t] @ W + h @ U)", _SIZES.format(12, 20, 0)),
        "batch-first",
        "h = torch.tanh(xs[:, t] @ W + h @ U)",
    ),
    (
        _OWN.format("net = nn.GRU(9, 16); y, h = net(xs)\n                         ^^^^^^^", _FEATURES.format(9, 8)),
        "input-size",
        "net = nn.GRU(8, 16)",
    ),
    (
        _OWN.format("h = step(seq, h)", "ValueError: GRUCell: Expected input to be 1D or 2D, got 3D instead"),
        "unbatched",
        "for x_t in seq.unbind(1 if seq.size(0) == h.size(0) else 0): h = step(x_t, h)",
    ),
    # The next step of a window in which the first is left out, and a factor of two axes beside one of three.
    (
        _OWN.format("window = torch.cat([window[:, 1:], y], dim=1)", _RANKS.format(3, 2)),
        "unbatched",
        "window = torch.cat([window[:, 1:], y.unsqueeze(1)], dim=1)",
    ),
    (_OWN.format("z = W @ xs", _BMM.format("24, 5", "24, 32")), "inner-dimension", "z = W @ xs.transpose(-1, -2)"),
    # Masks for several heads.
    (
        _OWN.format("scores = scores.masked_fill(mask == 0, -1e9)", _SIZES.format(3, 8, 1)),
        "broadcast",
        "scores = scores.masked_fill((mask == 0).unsqueeze(1), -1000000000.0)",
    ),
    # Tensors of a file under another name, in one of its parts, and beside layers that it lacks.
    (
        _OWN.format(
            "net.load_state_dict(saved)",
            'Missing key(s) in state_dict: "rnn.weight_ih_l0". Unexpected key(s) in state_dict: "gru.weight_ih_l0".',
        ),
        "checkpoint",
        "saved = {name.replace('gru.', 'rnn.', 1): tensor for name, tensor in saved.items()}",
    ),
    (
        _OWN.format(
            "net.load_state_dict(saved)",
            'Missing key(s) in state_dict: "rnn.bias". Unexpected key(s) in state_dict: "epoch", "model_state".',
        ),
        "checkpoint",
        "net.load_state_dict(saved['model_state'])",
    ),
    (
        _OWN.format("net.load_state_dict(saved)", 'Missing key(s) in state_dict: "head.weight", "head.bias".'),
        "checkpoint",
        "net.load_state_dict(saved, strict=False)",
    ),
    # A size that several layers have, and classes that count from 1.
    (
        "words = len(numbers)\nemb = nn.Embedding(words, 16)\nhead = nn.Linear(16, words)\n"
        + _OWN.format("y = emb(ids)", "IndexError: index out of range in self"),
        "index-range",
        "words = len(numbers) + 1",
    ),
    # A loop over the axis of the batch, the table of positions, a batch of the program, and the first layer of a model.
    (
        "for step in words:\n    h = cell(step, h)\n"
        + _OWN.format("h = cell(step, h)", "RuntimeError: Input batch size 9 doesn't match hidden0 batch size 6"),
        "batch-first",
        "for step in words.unbind(1): ...",
    ),
    (_OWN.format("y = x + pe", _SIZES.format(50, 100, 1)), "steps", "y = x + pe[..., :50, :]"),
    (
        _OWN.format("p = y.view(batch_size)", "RuntimeError: shape '[16]' is invalid for input of size 2"),
        "batch-size",
        "p = y.view(-1)",
    ),
    (
        _OWN.format(
            "y = cnn(frames)",
            '  File "/lib/torch/nn/modules/container.py", line 9, in forward\n    input = module(input)\nRuntimeError: '
            "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [4, 6, 3, 16, 16]",
        ),
        "unbatched",
        "frames = frames.flatten(0, 1)",
    ),
    # The product of a packed sequence with the weights of all gates: 200 rows are those of 50 units.
    (
        _OWN.format(
            "y, _ = self.lstm(p)", _LAYER.format("rnn.py", "result = _VF.lstm(", _PRODUCT.format("43x50", "40x200"))
        ),
        "swapped-arguments",
        "self.lstm = nn.LSTM(50, 40, ...)",
    ),
    (
        _OWN.format("y, _ = self.gru(packed)", _PRODUCT.format("43x50", "40x192")),
        "input-size",
        "self.gru = nn.GRU(50, ...)",
    ),
    # A layer of self with the name of a method; the marks under a line; the parameter of a library's line.
    (
        _OWN.format(
            "y = self.head(self.flatten(x))\n                  ^^^^^^^^^^^^^^^",
            _LAYER.format(
                "flatten.py", "return input.flatten(1)", "AttributeError: 'tuple' object has no attribute 'flatten'"
            ),
        ),
        "state-tuple",
        "x = x[0]",
    ),
    (
        _OWN.format(
            "loss = mse_loss(out, y)",
            '  File "torch/nn/functional.py", line 3, in mse_loss\n    if target.size() != input.size():\n'
            "                        ^^^^^^^^^^\nAttributeError: 'tuple' object has no attribute 'size'",
        ),
        "state-tuple",
        "out = out[0]",
    ),
    (
        _OWN.format(
            "y = self.score(torch.tanh(h))",
            "TypeError: tanh(): argument 'input' (position 1) must be Tensor, not tuple",
        ),
        "state-tuple",
        "h = h[0]",
    ),
    (
        _OWN.format(
            "return self.fc(out), hidden",
            "TypeError: linear(): argument 'input' (position 1) must be Tensor, not tuple",
        ),
        "state-tuple",
        "out, hidden = out",
    ),
    (
        _OWN.format(
            "h = self.cell(self.item(click), h)\n                  ^^^^^^^^^^^^^^^^",
            _LAYER.format("sparse.py", "return F.embedding(", "IndexError: index out of range in self"),
        ),
        "index-range",
        "self.item = nn.Embedding(int(click.max()) + 1, ...)",
    ),
    # One state of two that has other axes, also where one name holds both; a cell whose x is a state.
    (
        _OWN.format("y, _ = self.lstm(x, (h0, c0))", _HALVED.replace("(2-D, 2-D)", "(3-D, 2-D)")),
        "unbatched",
        "c0 = torch.zeros_like(h0)",
    ),
    (
        _OWN.format("y, state = self.lstm(x, state)", _STATE.format("[1]", "1, 3, 8", "1, 8, 3")),
        "batch-size",
        "state = (state[0], torch.zeros_like(state[0]))",
    ),
    (
        _OWN.format(
            "h2, c2 = self.top(h1, h2)",
            "TypeError: lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor",
        ),
        "state-tuple",
        "h2, c2 = self.top(h1, (h2, c2))",
    ),
    # A place that gets a value is no state.
    (
        _OWN.format("onehot[i][0][2] = 1", "IndexError: index 1 is out of bounds for dimension 0 with size 1"),
        "index-range",
        "# an index along axis 0 must be less than 1",
    ),
    # A first state that a loop carries, and one of an attribute that the line gives back: both lines hold in the next pass.
    (
        _OWN.format(
            "out, hidden = self.rnn(step, hidden)", "IndexError: index 1 is out of bounds for dimension 0 with size 1"
        ),
        "state-tuple",
        "hidden = (hidden, torch.zeros_like(hidden))",
    ),
    (
        _WITHIN.format("y, s = decoder(w, s)", "out, h = self.rnn(w, h)", _PAIR_FOR_GRU),
        "state-tuple",
        "h = h[0] if isinstance(h, tuple) else h",
    ),
    (
        _OWN.format("x, self.hidden = self.lstm(x, self.hidden)", _STATE.format("[0]", "2, 3, 8", "3, 2, 8")),
        "batch-first",
        "self.hidden = None",
    ),
    (
        _OWN.format("y, h = self.dec(x, h)", _STATE.format("", "2, 5, 8", "1, 5, 8")),
        "layers-directions",
        "self.dec = nn.GRU(..., num_layers=1, bidirectional=False)",
    ),
    # An LSTM cell that is given one name for both states.
    (
        _OWN.format(
            "h = cell(x[t], h)",
            "TypeError: lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor",
        ),
        "state-tuple",
        "h, c = cell(x[t], (h, c))",
    ),
]
