"""A trial: programs with one mistake each, as people write them, and the codes of what is wrong with them.

Names and sizes are others than in the programs that the rules were made with. `make_shape_trial.py` runs them and keeps their
tracebacks.
"""

from textwrap import dedent
from typing import NamedTuple


class Trial(NamedTuple):
    """A program that fails, or warns, because of a shape."""

    library: str
    truth: str
    text: str


def _trial(library: str, truth: str, text: str) -> Trial:
    return Trial(library, truth, dedent(text).strip() + "\n")


PYTORCH = [
    ("hidden-size", """
        class Tagger(nn.Module):
            def __init__(self, vocab, dim, units, tags):
                super().__init__()
                self.embed = nn.Embedding(vocab, dim)
                self.encoder = nn.LSTM(dim, units, bidirectional=True, batch_first=True)
                self.head = nn.Linear(units, tags)

            def forward(self, tokens):
                enc, _ = self.encoder(self.embed(tokens))
                return self.head(enc)

        model = Tagger(900, 50, 96, 17)
        scores = model(torch.randint(0, 900, (12, 31)))
     """),
    ("layers-directions", """
        class Forecaster(nn.Module):
            def __init__(self):
                super().__init__()
                self.gru = nn.GRU(9, 72, num_layers=3, batch_first=True)
                self.out = nn.Linear(72, 1)

            def forward(self, series):
                start = torch.zeros(1, series.size(0), 72)
                y, _ = self.gru(series, start)
                return self.out(y[:, -1])

        Forecaster()(torch.randn(25, 14, 9))
     """),
    ("batch-first", """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm = nn.LSTM(12, 40)

            def forward(self, seq):
                h_start = torch.zeros(1, seq.size(0), 40)
                c_start = torch.zeros(1, seq.size(0), 40)
                out, state = self.lstm(seq, (h_start, c_start))
                return out

        Net()(torch.randn(48, 35, 12))
     """),
    ("batch-size", """
        lstm = nn.LSTM(6, 90, batch_first=True)
        hid = (torch.zeros(1, 64, 90), torch.zeros(1, 64, 90))
        data = torch.randn(211, 18, 6)
        for start in range(0, 211, 64):
            chunk = data[start:start + 64]
            pred, hid_new = lstm(chunk, hid)
     """),
    ("input-size", """
        rnn = nn.GRU(input_size=21, hidden_size=44)
        feats = torch.randn(33, 4, 22)
        enc, last = rnn(feats)
     """),
    ("flattened", """
        class MnistNet(nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm = nn.LSTM(28, 100, batch_first=True)
                self.fc = nn.Linear(100, 10)

            def forward(self, images):
                r_out, _ = self.lstm(images)
                return self.fc(r_out[:, -1])

        model = MnistNet()
        model(torch.randn(60, 1, 28, 28).view(60, -1).unsqueeze(1))
     """),
    ("unbatched", """
        model = nn.LSTM(3, 8, batch_first=True)
        imgs = torch.randn(10, 1, 28, 3)
        res, st = model(imgs)
     """),
    ("state-tuple", """
        encoder = nn.LSTM(7, 30)
        frames = torch.randn(15, 2, 7)
        h_init = torch.zeros(1, 2, 30)
        enc, hc = encoder(frames, h_init)
     """),
    ("state-tuple", """
        decoder = nn.GRU(7, 30)
        frames = torch.randn(15, 2, 7)
        h_init = torch.zeros(1, 2, 30)
        c_init = torch.zeros(1, 2, 30)
        dec, hn = decoder(frames, (h_init, c_init))
     """),
    ("state-tuple", """
        model = nn.Sequential(nn.LSTM(5, 12, batch_first=True), nn.Linear(12, 3))
        logits = model(torch.randn(4, 9, 5))
     """),
    ("swapped-arguments", """
        class Seq(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.RNN(13, 36)

            def forward(self, xb):
                h0 = torch.zeros(1, xb.size(1), 36)
                out, hn = self.rnn(h0, xb)
                return out

        Seq()(torch.randn(22, 6, 13))
     """),
    ("swapped-arguments", """
        gru = nn.GRU(16, 2, 45)
        sig = torch.randn(20, 3, 16)
        h_zero = torch.zeros(2, 3, 45)
        y, hT = gru(sig, h_zero)
     """),
    ("hidden-size", """
        net = nn.GRU(8, 56)
        z = torch.randn(10, 5, 8)
        state0 = torch.zeros(1, 5, 28)
        y, _ = net(z, state0)
     """),
    ("hidden-size", """
        class Classifier(nn.Module):
            def __init__(self, steps=24, units=33):
                super().__init__()
                self.lstm = nn.LSTM(4, units, batch_first=True)
                self.dense = nn.Linear(units, 5)

            def forward(self, batch):
                seq, _ = self.lstm(batch)
                return self.dense(seq.reshape(seq.size(0), -1))

        Classifier()(torch.randn(9, 24, 4))
     """),
    ("batch-first", """
        class Flat(nn.Module):
            def __init__(self):
                super().__init__()
                self.gru = nn.GRU(5, 24)
                self.fc = nn.Linear(30 * 24, 2)

            def forward(self, xs):
                y, _ = self.gru(xs)
                return self.fc(y.transpose(0, 1).flatten(1))

        Flat()(torch.randn(16, 30, 5))
     """),
    ("class-axis", """
        lm = nn.LSTM(18, 52, batch_first=True)
        proj = nn.Linear(52, 70)
        criterion = nn.CrossEntropyLoss()
        inp = torch.randn(11, 26, 18)
        gold = torch.randint(0, 70, (11, 26))
        hidden, _ = lm(inp)
        loss = criterion(proj(hidden), gold)
     """),
    ("flattened", """
        lm = nn.GRU(18, 52)
        proj = nn.Linear(52, 70)
        inp = torch.randn(26, 11, 18)
        gold = torch.randint(0, 70, (11,))
        hidden, _ = lm(inp)
        scores = proj(hidden).view(-1, 70)
        loss = F.cross_entropy(scores, gold)
     """),
    ("class-axis", """
        head = nn.Linear(14, 6)
        pred = head(torch.randn(37, 14))
        y = torch.randint(0, 6, (37, 1))
        loss = F.cross_entropy(pred, y)
     """),
    ("broadcast", """
        gru = nn.GRU(2, 11, batch_first=True)
        lin = nn.Linear(11, 1)
        series, wanted = torch.randn(20, 7, 2), torch.rand(20)
        _, last = gru(series)
        loss = nn.BCEWithLogitsLoss()(lin(last[-1]), wanted)
     """),
    ("checkpoint", """
        class Model(nn.Module):
            def __init__(self, units):
                super().__init__()
                self.rnn = nn.GRU(15, units)
                self.fc = nn.Linear(units, 4)

        old = Model(48).state_dict()
        model = Model(80)
        model.load_state_dict(old)
     """),
    ("checkpoint", """
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.LSTM(15, 128)

        saved = {f"rnn.{name}": value for name, value in nn.GRU(15, 128).state_dict().items()}
        model = Model()
        model.load_state_dict(saved)
     """),
    ("checkpoint", """
        saved = nn.LSTM(10, 20, num_layers=2).state_dict()
        net = nn.LSTM(10, 20, num_layers=1)
        net.load_state_dict(saved)
     """),
    ("concatenate-axis batch-size", """
        emb = torch.randn(14, 1, 32)
        context = torch.randn(14, 9, 64)
        joined = torch.cat((emb, context), dim=2)
     """),
    ("batch-size", """
        cell = nn.LSTMCell(6, 25)
        hx, cx = torch.zeros(10, 25), torch.zeros(10, 25)
        step = torch.randn(8, 6)
        hx, cx = cell(step, (hx, cx))
     """),
    ("unbatched", """
        lstm = nn.LSTM(4, 16, batch_first=True)
        one = torch.randn(30, 4)
        hid, mem = torch.zeros(1, 1, 16), torch.zeros(1, 1, 16)
        y, _ = lstm(one, (hid, mem))
     """),
    ("batch-first batch-size", """
        xs = torch.randn(21, 13, 5)
        lens = torch.tensor([13] * 21)
        packed_seq = pack_padded_sequence(xs, lens)
     """),
    ("sorted-lengths", """
        xs = torch.randn(13, 3, 5)
        lens = torch.tensor([5, 13, 9])
        packed_seq = pack_padded_sequence(xs, lens)
     """),
    ("indexing", """
        gru = nn.GRU(3, 10, batch_first=True)
        h_all, h_last = gru(torch.randn(6, 8, 3))
        feat = h_last[:, -1, :][:, :, 0]
     """),
    ("state-tuple", """
        lstm = nn.LSTM(3, 10, batch_first=True)
        result = lstm(torch.randn(6, 8, 3))
        feat = result[:, -1, :]
     """),
    ("inner-dimension", """
        W_xh, W_hh = torch.randn(17, 40), torch.randn(40, 40)
        h = torch.zeros(8, 40)
        for x_t in torch.randn(5, 8, 19):
            h = torch.tanh(x_t @ W_xh + h @ W_hh)
     """),
]  # fmt: skip

KERAS = [
    ("return-sequences", """
        model = keras.Sequential([
            keras.Input((20, 3)),
            layers.LSTM(50),
            layers.LSTM(25),
            layers.Dense(1),
        ])
     """),
    ("unbatched", """
        model = keras.Sequential([keras.Input((15, 4)), layers.GRU(32), layers.Dense(1)])
        window = np.random.rand(15, 4)
        model.predict(window, verbose=0)
     """),
    ("unbatched", """
        inputs = keras.Input((12,))
        hidden = layers.SimpleRNN(18)(inputs)
     """),
    ("input-size", """
        model = keras.Sequential([keras.Input((30, 8)), layers.LSTM(40), layers.Dense(2)])
        model.predict(np.random.rand(5, 30, 7), verbose=0)
     """),
    ("transpose", """
        model = keras.Sequential([keras.Input((24, 6)), layers.GRU(40), layers.Dense(2)])
        model.predict(np.random.rand(5, 6, 24), verbose=0)
     """),
    ("return-sequences", """
        inp = keras.Input((10, 5))
        code = layers.LSTM(16, return_sequences=True)(inp)
        again = layers.RepeatVector(10)(code)
        out = layers.LSTM(5, return_sequences=True)(again)
     """),
    ("checkpoint", """
        src = keras.Sequential([keras.Input((9, 4)), layers.LSTM(24)])
        dst = keras.Sequential([keras.Input((9, 4)), layers.LSTM(36)])
        dst.set_weights(src.get_weights())
     """),
    ("unbatched", """
        frames = keras.Input((8, 32, 32, 3))
        feats = layers.Conv2D(4, 3)(frames[:, 0])
        seq = layers.LSTM(20)(feats)
     """),
    ("return-sequences", """
        enc = layers.Bidirectional(layers.GRU(20))
        seq = keras.Input((14, 6))
        top = layers.GRU(10)(enc(seq))
     """),
    ("return-sequences", """
        model = keras.Sequential([
            keras.Input((12, 2)),
            layers.GRU(21),
            layers.TimeDistributed(layers.Dense(4)),
        ])
     """),
    ("concatenate-axis", """
        left = layers.LSTM(8, return_sequences=True)(keras.Input((10, 3)))
        right = layers.LSTM(8, return_sequences=True)(keras.Input((12, 3)))
        both = layers.Concatenate()([left, right])
     """),
    ("broadcast", """
        model = keras.Sequential([keras.Input((6, 2)), layers.LSTM(8), layers.Dense(3, activation="softmax")])
        model.compile("sgd", "categorical_crossentropy")
        model.fit(np.random.rand(10, 6, 2), np.random.rand(10, 4), verbose=0)
     """),
    ("batch-size", """
        a = layers.Add()([keras.ops.ones((4, 10)), keras.ops.ones((5, 10))])
     """),
    ("hidden-size", """
        layer = layers.GRU(14)
        y = layer(np.ones((3, 5, 2), "float32"), initial_state=np.zeros((3, 15), "float32"))
     """),
    ("state-tuple", """
        layer = layers.LSTM(14)
        y = layer(np.ones((3, 5, 2), "float32"), initial_state=[np.zeros((3, 14), "float32")])
     """),
]  # fmt: skip

NUMPY = [
    ("inner-dimension", """
        def lstm_step(xt, hprev, Wf, bf):
            stacked = np.concatenate((hprev, xt), axis=0)
            return np.dot(Wf, xt) + bf

        Wf, bf = np.random.randn(30, 42), np.zeros((30, 1))
        lstm_step(np.zeros((12, 1)), np.zeros((30, 1)), Wf, bf)
     """),
    ("transpose", """
        Wx = np.random.randn(11, 26)
        Wh = np.random.randn(26, 26)
        hs = np.zeros((26, 1))
        xt = np.random.randn(11, 1)
        hs = np.tanh(Wx @ xt + Wh @ hs)
     """),
    ("concatenate-axis", """
        h_prev, x_now = np.zeros((18, 1)), np.ones((5, 1))
        joined = np.concatenate([h_prev, x_now], axis=1)
     """),
    ("transpose", """
        h_prev, x_now = np.zeros((18, 1)), np.ones((1, 5))
        joined = np.concatenate([h_prev, x_now], axis=0)
     """),
    ("unbatched", """
        h_prev, x_now = np.zeros((18, 1)), np.ones(5)
        joined = np.concatenate([h_prev, x_now])
     """),
    ("broadcast", """
        pre = np.random.randn(9, 6)
        bias = np.zeros(9)
        act = np.tanh(pre + bias)
     """),
    ("batch-size", """
        gate = np.random.rand(32, 21)
        mem = np.zeros((20, 21))
        mem = gate * mem
     """),
    ("transpose", """
        dW = np.zeros((7, 15))
        dh, xs = np.ones((7, 1)), np.ones((15, 1))
        dW += dh @ xs
     """),
    ("reshape", """
        seq = np.arange(23 * 6)
        batches = seq.reshape(5, 23, 6)
     """),
    ("indexing", """
        states = np.zeros((12, 7))
        last = states[:, -1, :]
     """),
    ("transpose broadcast", """
        outs = np.zeros((6, 19))
        h = np.ones((19, 1))
        outs[0] = h
     """),
    ("inner-dimension", """
        def forward(x, h, params):
            z = params["W"].dot(x) + params["U"].dot(h) + params["b"]
            return np.tanh(z)

        params = {"W": np.zeros((22, 9)), "U": np.zeros((22, 22)), "b": np.zeros((22, 1))}
        forward(np.zeros((8, 1)), np.zeros((22, 1)), params)
     """),
    ("batch-size", """
        def cell(x, h, W, U):
            return np.tanh(x @ W + h @ U)

        cell(np.zeros((16, 5)), np.zeros((12, 20)), np.zeros((5, 20)), np.zeros((20, 20)))
     """),
    ("inner-dimension", """
        scores = np.einsum("bth,kh->btk", np.zeros((4, 6, 10)), np.zeros((3, 12)))
     """),
    ("inner-dimension hidden-size", """
        h2 = np.zeros((4, 50))
        Wy = np.zeros((25, 3))
        logits = h2 @ Wy
     """),
]  # fmt: skip

TRIALS = tuple(
    _trial(library, *one) for library, rows in (("torch", PYTORCH), ("keras", KERAS), ("numpy", NUMPY)) for one in rows
)
