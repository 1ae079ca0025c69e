"""Whole programs of PyTorch, as people write them with classes, that fail because of a shape: a name, the codes of what is wrong, and the program."""

IMPORTS = """import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
"""

PROGRAMS = (
    (
        "bidir_fc",
        "hidden-size",
        """\
class Tagger(nn.Module):
    def __init__(self, vocab, emb, hid, tags):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hid, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(hid, tags)
    def forward(self, x):
        e = self.emb(x)
        out, _ = self.lstm(e)
        return self.fc(out)
model = Tagger(1000, 50, 64, 9)
x = torch.randint(0, 1000, (16, 20))
print(model(x).shape)
""",
    ),
    (
        "flat_lstm_reg",
        "flattened hidden-size",
        """\
class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.lstm = nn.LSTM(10, 20, 1)
        self.fc = nn.Linear(20, 2)
        self.flatten = nn.Flatten(start_dim=1, end_dim=2)
    def forward(self, x):
        x, _ = self.lstm(x)
        x = self.fc(x)
        x = self.flatten(x)
        return x
import warnings; warnings.simplefilter("error"); net = Net()
xb = torch.randn(8, 10, 10)
yb = torch.randn(8, 1)
loss = nn.MSELoss()(net(xb), yb)
""",
    ),
    (
        "const_batch2",
        "batch-size",
        """\
class Model(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(3, hidden, batch_first=True)
        self.h = torch.zeros(1, 64, hidden)
    def forward(self, x):
        y, self.h = self.gru(x, self.h.detach())
        return y[:, -1]
m = Model(48)
test = torch.randn(37, 15, 3)
pred = m(test)
""",
    ),
    (
        "bf_h0",
        "batch-first",
        """\
class Model(nn.Module):
    def __init__(self, d, hidden):
        super().__init__()
        self.hidden = hidden
        self.lstm = nn.LSTM(d, hidden)
        self.fc = nn.Linear(hidden, 5)
    def forward(self, x):
        h0 = torch.zeros(1, x.size(0), self.hidden)
        c0 = torch.zeros(1, x.size(0), self.hidden)
        out, (hn, cn) = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1, :])
m = Model(28, 100)
img = torch.randn(50, 28, 28).reshape(-1, 28, 28)[:, :20]
m(img)
""",
    ),
    (
        "emb_input",
        "input-size",
        """\
class Enc(nn.Module):
    def __init__(self, vocab, emb_dim, hid):
        super().__init__()
        self.embedding = nn.Embedding(vocab, emb_dim)
        self.gru = nn.GRU(hid, hid, batch_first=True)
    def forward(self, seq):
        e = self.embedding(seq)
        o, h = self.gru(e)
        return o, h
enc = Enc(500, 100, 128)
s = torch.randint(0, 500, (4, 12))
o, h = enc(s)
""",
    ),
    (
        "cat_attn",
        "input-size",
        """\
class Decoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hid)
        self.out = nn.Linear(hid, vocab)
    def forward(self, tok, hidden, ctx):
        e = self.emb(tok.unsqueeze(0))
        inp = torch.cat((e, ctx.unsqueeze(0)), dim=2)
        o, hidden = self.rnn(inp, hidden)
        return self.out(o.squeeze(0)), hidden
d = Decoder(300, 64, 128)
tok = torch.randint(0, 300, (8,))
o, h = d(tok, torch.zeros(1, 8, 128), torch.zeros(8, 256))
""",
    ),
    (
        "dec_unsq",
        "unbatched",
        """\
class Decoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid)
        self.out = nn.Linear(hid, vocab)
    def forward(self, tok, state):
        e = self.emb(tok)
        o, state = self.rnn(e, state)
        return self.out(o), state
d = Decoder(300, 64, 128)
tok = torch.randint(0, 300, (8,))
st = (torch.zeros(1, 8, 128), torch.zeros(1, 8, 128))
o, st = d(tok, st)
""",
    ),
    (
        "ce_seq",
        "class-axis",
        """\
class LM(nn.Module):
    def __init__(self, v):
        super().__init__()
        self.e = nn.Embedding(v, 32)
        self.l = nn.LSTM(32, 64, batch_first=True)
        self.f = nn.Linear(64, v)
    def forward(self, x):
        o, _ = self.l(self.e(x))
        return self.f(o)
lm = LM(90)
x = torch.randint(0, 90, (16, 25)); y = torch.randint(0, 90, (16, 25))
crit = nn.CrossEntropyLoss()
loss = crit(lm(x), y)
""",
    ),
    (
        "ce_last",
        "class-axis flattened return-sequences",
        """\
class Clf(nn.Module):
    def __init__(self, v):
        super().__init__()
        self.e = nn.Embedding(v, 32)
        self.l = nn.GRU(32, 64, batch_first=True)
        self.f = nn.Linear(64, 4)
    def forward(self, x):
        o, _ = self.l(self.e(x))
        return self.f(o)
clf = Clf(90)
x = torch.randint(0, 90, (16, 25)); y = torch.randint(0, 4, (16,))
loss = nn.CrossEntropyLoss()(clf(x), y)
""",
    ),
    (
        "view_last",
        "flattened",
        """\
class Clf(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.LSTM(8, 32, batch_first=True)
        self.f = nn.Linear(32, 3)
    def forward(self, x):
        o, _ = self.l(x)
        return self.f(o.contiguous().view(-1, 32))
clf = Clf()
x = torch.randn(16, 10, 8); y = torch.randint(0, 3, (16,))
loss = nn.CrossEntropyLoss()(clf(x), y)
""",
    ),
    (
        "hn_bce",
        "layers-directions",
        """\
class Clf(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.LSTM(8, 32, num_layers=2, batch_first=True)
        self.f = nn.Linear(32, 3)
    def forward(self, x):
        o, (h, c) = self.l(x)
        return self.f(h.view(-1, 32))
clf = Clf()
x = torch.randn(16, 10, 8); y = torch.randint(0, 3, (16,))
loss = nn.CrossEntropyLoss()(clf(x), y)
""",
    ),
    (
        "hn_fc",
        "hidden-size",
        """\
class Clf(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.LSTM(8, 32, bidirectional=True, batch_first=True)
        self.f = nn.Linear(64, 3)
    def forward(self, x):
        o, (h, c) = self.l(x)
        return self.f(h[-1])
clf = Clf()
p = clf(torch.randn(16, 10, 8))
""",
    ),
    (
        "cat_dim0",
        "layers-directions concatenate-axis",
        """\
class Clf(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.LSTM(8, 32, bidirectional=True, batch_first=True)
        self.f = nn.Linear(32, 3)
    def forward(self, x):
        o, (h, c) = self.l(x)
        z = torch.cat((h[-2], h[-1]))
        return self.f(z)
clf = Clf()
loss = nn.CrossEntropyLoss()(clf(torch.randn(16, 10, 8)), torch.randint(0, 3, (16,)))
""",
    ),
    (
        "conv_lstm",
        "transpose",
        """\
class CNNLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(6, 64, 3, padding=1)
        self.pool = nn.MaxPool1d(2)
        self.lstm = nn.LSTM(64, 50, batch_first=True)
        self.fc = nn.Linear(50, 1)
    def forward(self, x):
        x = self.pool(F.relu(self.conv(x)))
        out, _ = self.lstm(x)
        return self.fc(out[:, -1])
m = CNNLSTM()
y = m(torch.randn(32, 6, 100))
""",
    ),
    (
        "conv_first",
        "transpose",
        """\
class CNNLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(6, 64, 3, padding=1)
        self.lstm = nn.LSTM(64, 50, batch_first=True)
    def forward(self, x):
        z = F.relu(self.conv(x))
        out, _ = self.lstm(z.permute(0, 2, 1))
        return out
m = CNNLSTM()
y = m(torch.randn(32, 100, 6))
""",
    ),
    (
        "seq_tuple",
        "state-tuple",
        """\
model = nn.Sequential(nn.LSTM(5, 20, batch_first=True), nn.Linear(20, 1))
x = torch.randn(4, 7, 5)
y = model(x)
""",
    ),
    (
        "relu_tuple",
        "state-tuple",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 20)
        self.fc = nn.Linear(20, 2)
    def forward(self, x):
        x = self.rnn(x)
        x = torch.relu(x)
        return self.fc(x[-1])
y = N()(torch.randn(7, 4, 5))
""",
    ),
    (
        "add_tuple",
        "state-tuple",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(20, 20)
    def forward(self, x):
        return x + self.rnn(x)
y = N()(torch.randn(7, 4, 20))
""",
    ),
    (
        "list_outputs",
        "indexing",
        """\
cell = nn.LSTMCell(5, 20)
x = torch.randn(4, 7, 5)
h, c = torch.zeros(4, 20), torch.zeros(4, 20)
outputs = []
for t in range(7):
    h, c = cell(x[:, t], (h, c))
    outputs.append(h)
last = outputs[:, -1]
""",
    ),
    (
        "packed_fc",
        "packed",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 20, batch_first=True)
        self.fc = nn.Linear(20, 2)
    def forward(self, x, lens):
        p = pack_padded_sequence(x, lens, batch_first=True)
        out, h = self.rnn(p)
        return self.fc(out)
y = N()(torch.randn(3, 7, 5), [7, 5, 2])
""",
    ),
    (
        "packed_size",
        "packed",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 20, batch_first=True)
        self.fc = nn.Linear(20, 2)
    def forward(self, x, lens):
        p = pack_padded_sequence(x, lens, batch_first=True)
        out, h = self.rnn(p)
        b = out.size(0)
        return self.fc(out.view(b, -1))
y = N()(torch.randn(3, 7, 5), [7, 5, 2])
""",
    ),
    (
        "pad_mask",
        "packed",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 20, batch_first=True)
    def forward(self, x, lens, mask):
        p = pack_padded_sequence(x, lens, batch_first=True)
        out, h = self.rnn(p)
        out, _ = pad_packed_sequence(out, batch_first=True)
        return out * mask.unsqueeze(-1)
lens = torch.tensor([6, 5, 2])
mask = torch.arange(8)[None] < lens[:, None]
y = N()(torch.randn(3, 8, 5), lens, mask)
""",
    ),
    (
        "unsorted",
        "sorted-lengths",
        """\
emb = nn.Embedding(50, 12)
tokens = torch.randint(0, 50, (4, 40))
lengths = torch.tensor([10, 40, 7, 22])
packed = pack_padded_sequence(emb(tokens), lengths, batch_first=True)
""",
    ),
    (
        "collate_ragged",
        "ragged",
        """\
data = [(torch.randn(n, 3), n % 2) for n in (5, 7, 4, 9)]
loader = torch.utils.data.DataLoader(data, batch_size=2)
for xb, yb in loader:
    print(xb.shape)
""",
    ),
    (
        "collate_list",
        "ragged",
        """\
data = [([1, 2, 3], 0), ([4, 5], 1)]
loader = torch.utils.data.DataLoader(data, batch_size=2)
for xb, yb in loader:
    print(xb)
""",
    ),
    (
        "tensor_ragged",
        "ragged",
        """\
sents = [[1, 2, 3], [4, 5], [6]]
batch = torch.tensor(sents)
""",
    ),
    (
        "emb_range",
        "index-range",
        """\
vocab = {'a': 1, 'b': 2, 'c': 3}
emb = nn.Embedding(len(vocab), 8)
ids = torch.tensor([vocab[ch] for ch in 'abc'])
e = emb(ids)
""",
    ),
    (
        "mse_unsq",
        "broadcast class-axis",
        """\
import warnings; warnings.simplefilter("error")
model = nn.Sequential(nn.Flatten(), nn.Linear(30, 1))
x = torch.randn(16, 10, 3); y = torch.randn(16)
loss = nn.MSELoss()(model(x), y)
""",
    ),
    (
        "bce_size",
        "broadcast",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.LSTM(3, 16, batch_first=True)
        self.f = nn.Linear(16, 1)
    def forward(self, x):
        o, (h, c) = self.l(x)
        return torch.sigmoid(self.f(h))
x = torch.randn(16, 10, 3); y = torch.rand(16, 1)
loss = nn.BCELoss()(N()(x), y)
""",
    ),
    (
        "h_axes2",
        "unbatched",
        """\
lstm = nn.LSTM(10, 20, 2)
x = torch.randn(5, 3, 10)
h0 = torch.randn(3, 20); c0 = torch.randn(3, 20)
out, s = lstm(x, (h0, c0))
""",
    ),
    (
        "gru_pair",
        "state-tuple",
        """\
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(10, 20, 2, batch_first=True)
        self.fc = nn.Linear(20, 2)
    def init_hidden(self, bs):
        return (torch.zeros(2, bs, 20), torch.zeros(2, bs, 20))
    def forward(self, x, hidden):
        out, hidden = self.rnn(x, hidden)
        return self.fc(out[:, -1]), hidden
m = M()
h = m.init_hidden(4)
y, h = m(torch.randn(4, 6, 10), h)
""",
    ),
    (
        "bidir_h0",
        "layers-directions",
        """\
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(10, 20, 2, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(40, 2)
    def forward(self, x):
        h0 = torch.zeros(2, x.size(0), 20)
        c0 = torch.zeros(2, x.size(0), 20)
        out, hidden = self.rnn(x, (h0, c0))
        return self.fc(out[:, -1])
y = M()(torch.randn(4, 6, 10))
""",
    ),
    (
        "enc_dec_dir",
        "layers-directions",
        """\
enc = nn.GRU(10, 20, bidirectional=True)
dec = nn.GRU(12, 20)
src, trg = torch.randn(9, 4, 10), torch.randn(7, 4, 12)
out, hidden = enc(src)
y, hidden = dec(trg, hidden)
""",
    ),
    (
        "enc_dec_units",
        "hidden-size",
        """\
enc = nn.GRU(10, 64)
dec = nn.GRU(12, 128)
src, trg = torch.randn(9, 4, 10), torch.randn(7, 4, 12)
out, hidden = enc(src)
y, hidden = dec(trg, hidden)
""",
    ),
    (
        "enc_out_state",
        "batch-first",
        """\
class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.GRU(10, 32, batch_first=True)
        self.decoder = nn.GRU(12, 32, batch_first=True)
    def forward(self, src, trg):
        hidden, _ = self.encoder(src)
        out, _ = self.decoder(trg, hidden)
        return out
y = Seq2Seq()(torch.randn(4, 9, 10), torch.randn(4, 7, 12))
""",
    ),
    (
        "img28",
        "flattened",
        """\
rnn = nn.RNN(28, 64, batch_first=True)
images = torch.randn(32, 1, 28, 28)
out, h = rnn(images.view(32, -1))
""",
    ),
    (
        "img4d",
        "unbatched",
        """\
rnn = nn.RNN(28, 64, batch_first=True)
images = torch.randn(32, 1, 28, 28)
out, h = rnn(images)
""",
    ),
    (
        "one_feature",
        "unbatched",
        """\
class Forecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(input_size=1, hidden_size=50, batch_first=True)
        self.linear = nn.Linear(50, 1)
    def forward(self, x):
        out, _ = self.lstm(x)
        return self.linear(out[:, -1])
windows = torch.randn(64, 30)
pred = Forecast()(windows)
""",
    ),
    (
        "out_idx",
        "indexing",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 8, batch_first=True)
        self.fc = nn.Linear(8, 1)
    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.fc(h[:, -1, :, :])
y = N()(torch.randn(2, 3, 4))
""",
    ),
    (
        "out_unb",
        "indexing",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 8, batch_first=True)
        self.fc = nn.Linear(8, 1)
    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.fc(out[:, -1, :])
y = N()(torch.randn(3, 4))
""",
    ),
    (
        "bn_steps",
        "transpose",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 32, batch_first=True)
        self.bn = nn.BatchNorm1d(32)
    def forward(self, x):
        out, _ = self.lstm(x)
        return self.bn(out)
y = N()(torch.randn(16, 10, 4))
""",
    ),
    (
        "attn_sum",
        "broadcast",
        """\
class Attn(nn.Module):
    def __init__(self, hid):
        super().__init__()
        self.Wh = nn.Linear(hid, hid)
        self.We = nn.Linear(hid, hid)
        self.v = nn.Linear(hid, 1)
    def forward(self, hidden, enc):
        score = torch.tanh(self.Wh(hidden) + self.We(enc))
        return F.softmax(self.v(score), dim=1)
a = Attn(64)
w = a(torch.randn(8, 64), torch.randn(8, 15, 64))
""",
    ),
    (
        "attn_units",
        "hidden-size",
        """\
class Attn(nn.Module):
    def __init__(self, hid):
        super().__init__()
        self.attn = nn.Linear(hid * 2, hid)
    def forward(self, hidden, enc):
        h = hidden.unsqueeze(1).repeat(1, enc.size(1), 1)
        return self.attn(torch.cat((h, enc), dim=2))
enc_rnn = nn.GRU(20, 64, bidirectional=True, batch_first=True)
o, h = enc_rnn(torch.randn(8, 15, 20))
w = Attn(64)(h[-1], o)
""",
    ),
    (
        "attn_bmm",
        "transpose inner-dimension",
        """\
w = torch.randn(8, 15, 1)
enc = torch.randn(8, 15, 64)
ctx = torch.bmm(w, enc)
""",
    ),
    (
        "attn_bf",
        "batch-first",
        """\
w = torch.softmax(torch.randn(8, 1, 15), -1)
enc = torch.randn(15, 8, 64)
ctx = torch.bmm(w, enc)
""",
    ),
    (
        "cat_2d3d",
        "unbatched",
        """\
h = torch.randn(8, 64)
enc = torch.randn(8, 15, 64)
z = torch.cat([h, enc], dim=-1)
""",
    ),
    (
        "cat_batch",
        "batch-size",
        """\
class Cell(nn.Module):
    def __init__(self, n_in, n_hid):
        super().__init__()
        self.n_hid = n_hid
        self.i2h = nn.Linear(n_in + n_hid, n_hid)
    def forward(self, x, h):
        return torch.tanh(self.i2h(torch.cat((x, h), 1)))
cell = Cell(10, 32)
h = torch.zeros(1, 32)
x = torch.randn(16, 10)
h = cell(x, h)
""",
    ),
    (
        "stack_states",
        "concatenate-axis",
        """\
h = torch.randn(16, 32); x = torch.randn(16, 10)
z = torch.stack((h, x), dim=1)
""",
    ),
    (
        "step_of_cell",
        "batch-first",
        """\
cell = nn.GRUCell(10, 32)
x = torch.randn(16, 20, 10)
h = torch.zeros(16, 32)
for t in range(20):
    h = cell(x[t], h)
""",
    ),
    (
        "cell_3d",
        "unbatched",
        """\
cell = nn.LSTMCell(10, 32)
x = torch.randn(16, 20, 10)
h, c = cell(x)
""",
    ),
    (
        "two_cells",
        "shared-cell input-size",
        """\
c1 = nn.LSTMCell(10, 32)
c2 = nn.LSTMCell(10, 32)
x = torch.randn(16, 10)
h, c = c1(x)
h2, cc2 = c2(h)
""",
    ),
    (
        "checkpoint_k",
        "checkpoint",
        """\
small = nn.LSTM(10, 32)
big = nn.LSTM(10, 64)
big.load_state_dict(small.state_dict())
""",
    ),
    (
        "load_prefix",
        "checkpoint",
        """\
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 8)
m = M()
sd = {'module.' + k: v for k, v in m.state_dict().items()}
m.load_state_dict(sd)
""",
    ),
    (
        "swapped",
        "swapped-arguments",
        """\
model = nn.LSTM(2, 10, 128)
x = torch.randn(5, 3, 2)
h0 = c0 = torch.zeros(10, 3, 128)
out, s = model(x, (h0, c0))
""",
    ),
    (
        "view_bad",
        "reshape steps",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 32, batch_first=True)
        self.fc = nn.Linear(32 * 10, 2)
    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out.reshape(-1, 32 * 10))
y = N()(torch.randn(7, 12, 4))
""",
    ),
    (
        "view_batch",
        "reshape",
        """\
x = torch.randn(100, 12, 4)
batch_size = 32
b = x.view(batch_size, -1, 4)
""",
    ),
    (
        "fc_steps",
        "hidden-size flattened",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 32, batch_first=True)
        self.fc = nn.Linear(32, 2)
    def forward(self, x):
        out, _ = self.lstm(x)
        out = out.flatten(1)
        return self.fc(out)
y = N()(torch.randn(7, 12, 4))
""",
    ),
    (
        "target_shift",
        "shifted-targets",
        """\
class LM(nn.Module):
    def __init__(self, v):
        super().__init__()
        self.e = nn.Embedding(v, 32)
        self.l = nn.GRU(32, 64, batch_first=True)
        self.f = nn.Linear(64, v)
    def forward(self, x):
        o, _ = self.l(self.e(x))
        return self.f(o)
v = 60
lm = LM(v)
seq = torch.randint(0, v, (32, 21))
inp, tgt = seq[:, :-1], seq
loss = F.cross_entropy(lm(inp).reshape(-1, v), tgt.reshape(-1))
""",
    ),
    (
        "onehot_t",
        "class-targets class-axis",
        """\
logits = torch.randn(16, 5)
y = F.one_hot(torch.randint(0, 5, (16,)), 5)
loss = nn.CrossEntropyLoss()(logits, y)
""",
    ),
    (
        "col_t",
        "class-axis",
        """\
logits = torch.randn(16, 5)
y = torch.randint(0, 5, (16, 1))
loss = nn.CrossEntropyLoss()(logits, y)
""",
    ),
    (
        "time_first_clf",
        "batch-first",
        """\
class Clf(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.LSTM(8, 32)
        self.f = nn.Linear(32, 3)
    def forward(self, x):
        o, (h, c) = self.l(x)
        return self.f(o[-1])
clf = Clf()
x = torch.randn(64, 10, 8); y = torch.randint(0, 3, (64,))
loss = nn.CrossEntropyLoss()(clf(x), y)
""",
    ),
    (
        "lin_after_cat",
        "hidden-size",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(6, 40, batch_first=True)
        self.fc = nn.Linear(40, 1)
    def forward(self, x, static):
        o, (h, c) = self.rnn(x)
        z = torch.cat([h[-1], static], dim=1)
        return self.fc(z)
y = N()(torch.randn(12, 9, 6), torch.randn(12, 4))
""",
    ),
    (
        "res_add",
        "hidden-size broadcast",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(24, 48, batch_first=True)
    def forward(self, x):
        o, _ = self.rnn(x)
        return x + o
y = N()(torch.randn(12, 9, 24))
""",
    ),
    (
        "norm_bid",
        "hidden-size",
        """\
class N(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.rnn = nn.GRU(6, h, batch_first=True, bidirectional=True)
        self.norm = nn.LayerNorm(h)
    def forward(self, x):
        o, _ = self.rnn(x)
        return self.norm(o)
y = N()(torch.randn(12, 9, 6))
""",
    ),
    (
        "conv_after",
        "transpose",
        """\
class N(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.rnn = nn.GRU(6, h, batch_first=True)
        self.conv = nn.Conv1d(h, 16, 3)
    def forward(self, x):
        o, _ = self.rnn(x)
        return self.conv(o)
y = N()(torch.randn(12, 9, 6))
""",
    ),
    (
        "gates_gru",
        "checkpoint",
        """\
a = nn.GRU(10, 32); b = nn.LSTM(10, 32)
b.load_state_dict(a.state_dict())
""",
    ),
    (
        "stacked_in",
        "input-size shared-cell",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.LSTM(6, 64, batch_first=True)
        self.l2 = nn.LSTM(6, 64, batch_first=True)
    def forward(self, x):
        x, _ = self.l1(x)
        x, _ = self.l2(x)
        return x
y = N()(torch.randn(12, 9, 6))
""",
    ),
    (
        "bid_stack",
        "input-size",
        """\
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.LSTM(6, 64, batch_first=True, bidirectional=True)
        self.l2 = nn.LSTM(64, 32, batch_first=True)
    def forward(self, x):
        x, _ = self.l1(x)
        x, _ = self.l2(x)
        return x
y = N()(torch.randn(12, 9, 6))
""",
    ),
    (
        "state_first",
        "swapped-arguments",
        """\
rnn = nn.GRU(10, 32)
x = torch.randn(5, 8, 10); h0 = torch.zeros(1, 8, 32)
out, hn = rnn(h0, x)
""",
    ),
    (
        "unpack3",
        "state-tuple",
        """\
lstm = nn.LSTM(10, 20)
x = torch.randn(5, 3, 10)
out, h, c = lstm(x)
""",
    ),
    (
        "gru_unpack",
        "state-tuple",
        """\
gru = nn.GRU(10, 20)
x = torch.randn(5, 3, 10)
out, (h, c) = gru(x)
""",
    ),
    (
        "constant_batch",
        "batch-size",
        """\
BATCH = 20
lstm = nn.LSTM(4, 30, batch_first=True)
fc = nn.Linear(30 * 12, 3)
x = torch.randn(8, 12, 4)
out, _ = lstm(x)
flat = out.reshape(BATCH, -1)
scores = fc(flat)
""",
    ),
    (
        "ctc_batch_first",
        "batch-first",
        """\
recogniser = nn.GRU(20, 11, batch_first=True)
images = torch.randn(6, 45, 20)
labels = torch.randint(1, 11, (6, 7))
scores, _ = recogniser(images)
frames = torch.full((6,), 45)
counts = torch.full((6,), 7)
loss = nn.CTCLoss()(scores.log_softmax(2), labels, frames, counts)
""",
    ),
    (
        "mask_longer",
        "steps",
        """\
scores = torch.randn(6, 1, 14)
pad_mask = torch.ones(6, 1, 17).bool()
weights = scores.masked_fill(pad_mask, -1e9).softmax(-1)
""",
    ),
)
