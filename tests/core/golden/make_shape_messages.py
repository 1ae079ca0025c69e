"""Make real shape-error messages by calling real libraries with wrong sizes, and keep them as JSON beside this file.

Run it again after a library has changed the wording of its errors:

    pip install torch tensorflow-cpu jax flax onnxruntime onnx && python tests/core/golden/make_shape_messages.py

Names after the command (pytorch numpy keras jax onnx) remake those files only.
No message is written by hand: each one is what the library said when the call in this file was made.
"""

import json
import os
import random
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# Set before TensorFlow is loaded, which would fill the screen with notes about this machine otherwise.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

HERE = Path(__file__).resolve().parent
SEED = 20240501


@dataclass
class Sizes:
    """The sizes of one pretended program: letters as in the lessons, and numbers that belong to no letter."""

    m: int
    k: int
    layers: int
    directions: int
    batch: int
    T: int
    n: int  # outputs of the last linear layer
    strange: int  # a wrong size that is none of the others
    other_k: int
    other_batch: int

    def words(self, letters: str = "m k layers directions batch T") -> dict[str, int]:
        return {letter: getattr(self, letter) for letter in letters.split()}


def draw(rng: random.Random, coincidence: bool = False) -> Sizes:
    """Sizes as people choose them. No two are equal, save where a coincidence is asked for."""
    while True:
        k = rng.choice([16, 20, 24, 32, 32, 48, 50, 64, 64, 64, 96, 100, 128, 128, 128, 200, 256, 256, 300, 512])
        sizes = Sizes(
            m=rng.choice([1, 2, 3, 4, 5, 7, 8, 10, 12, 13, 26, 28, 39, 40, 50, 64, 80, 100, 128, 200, 300]),
            k=k,
            layers=rng.choice([1, 1, 2, 2, 3, 4] if k <= 128 else [1, 2]),
            directions=rng.choice([1, 1, 2]),
            batch=rng.choice([1, 2, 4, 6, 8, 10, 16, 16, 20, 32, 32, 64, 64, 100, 128]),
            T=rng.choice([5, 7, 9, 10, 12, 15, 20, 24, 25, 28, 30, 35, 36, 48, 50, 60, 70, 75, 90, 100]),
            n=rng.choice([1, 2, 3, 5, 10, 27, 65]),
            strange=rng.choice([6, 9, 11, 14, 17, 19, 27, 33, 45, 63, 65, 77, 101, 129, 150, 257, 301]),
            other_k=rng.choice([16, 20, 32, 40, 64, 80, 96, 100, 128, 150, 256]),
            other_batch=rng.choice([1, 3, 4, 5, 7, 8, 12, 16, 24, 32, 50, 64, 96, 128]),
        )
        s = sizes
        apart = [s.m, s.k, s.T, s.batch, s.strange, s.other_k, s.other_batch]
        apart += [s.layers * s.directions, 2 * s.k, s.m + s.k]
        if len(set(apart)) < len(apart):
            continue
        # Axes of one element may be stretched, and then many mistakes raise nothing: they are kept rare.
        if 1 in (s.m, s.batch, s.other_batch) and rng.random() < 0.8:
            continue
        if coincidence:
            equal = rng.choice(["T=batch", "m=k", "m=batch", "m=T", "k=batch", "k=T"])
            first, second = equal.split("=")
            setattr(s, first, getattr(s, second))
        return s


@dataclass
class Case:
    """A wrong call, the code and the sentence of what is wrong with it."""

    truth: str
    done: str
    call: Callable[[], object]
    sizes: dict[str, int]
    told: bool = True  # False: nobody could tell the truth from the message and its sizes alone
    also: tuple[str, ...] = ()  # codes that are as fair as the truth, where one message bears two


@dataclass
class Collection:
    """The messages of one library: those that were raised, none twice."""

    library: str
    least: int
    rows: list[dict] = field(default_factory=list)
    seen: dict[str, dict] = field(default_factory=dict)
    silent: Counter = field(default_factory=Counter)

    def take(self, cases: Iterator[Case], whole_traceback_every: int = 0) -> None:
        for number, case in enumerate(cases, start=1):
            try:
                case.call()
            except Exception as error:  # what a library raises for a wrong shape is not known before
                message = str(error)
                whole = whole_traceback_every and number % whole_traceback_every == 0
                self.keep(case, message, traceback.format_exc() if whole else message)
            else:
                self.silent[case.done] += 1  # the library took it: the sizes agreed by chance, or were stretched

    def keep(self, case: Case, key: str, message: str) -> None:
        if not key:
            return
        # Files by their names: where they lie on a machine is nobody's business.
        message = re.sub(r'File "[^"]*?/(site-packages/[^"]+|[^"/]+\.py)"', r'File "\1"', message)
        if key in self.seen:
            # Two mistakes, one message to the letter: the second is as fair an answer as the first.
            row = self.seen[key]
            also = {case.truth, *row.get("also", [])} - {row["truth"]}
        else:
            row = {"message": message, "truth": case.truth, "done": case.done, "sizes": case.sizes, "told": case.told}
            also = set(case.also)
            self.seen[key] = row
            self.rows.append(row)
        if also:
            row["also"] = sorted(also)

    def write(self) -> None:
        assert len(self.rows) >= self.least, f"{self.library}: {len(self.rows)} messages, fewer than {self.least}"
        path = HERE / f"shapes_{self.library}.json"
        path.write_text(json.dumps(self.rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{path.name}: {len(self.rows)} messages, {sum(not row['told'] for row in self.rows)} that do not tell")
        for truth, count in Counter(row["truth"] for row in self.rows).most_common():
            print(f"    {count:4d} {truth}")
        if self.silent:
            print(f"    not raised: {dict(self.silent)}")


# --- PyTorch ---------------------------------------------------------------------------------------------------------


def pytorch_layers(s: Sizes, kind: str) -> Iterator[Case]:
    """nn.RNN, nn.LSTM and nn.GRU: the input, the first state, and what comes before and after the layer."""
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pack_padded_sequence

    lstm = kind == "LSTM"
    rows = s.layers * s.directions
    zeros = torch.zeros

    def layer(m: int = s.m, k: int = s.k, layers: int = s.layers, both: bool = s.directions == 2, **more) -> nn.Module:
        return getattr(nn, kind)(m, k, layers, bidirectional=both, **more)

    def state(*shape: int) -> object:
        return (zeros(*shape), zeros(*shape)) if lstm else zeros(*shape)

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        return Case(truth, done, call, s.words() | more, told, also)

    x = zeros(s.T, s.batch, s.m)
    x_batch_first = zeros(s.batch, s.T, s.m)
    name = f"nn.{kind}"
    wider = s.directions * s.k

    yield case(
        "input-size",
        f"{name} was given x whose last axis is not input_size.",
        lambda: layer()(zeros(s.T, s.batch, s.strange)),
        came=s.strange,
    )
    yield case(
        "input-size",
        f"{name} was given x with the time axis last, where the m features belong.",
        lambda: layer(batch_first=True)(zeros(s.batch, s.m, s.T)),
    )
    yield case(
        "input-size",
        f"{name} was given x without batch whose last axis is not input_size.",
        lambda: layer()(zeros(s.T, s.strange)),
        came=s.strange,
    )
    yield case(
        "hidden-size",
        f"The first state of {name} was made with another hidden size.",
        lambda: layer()(x, state(rows, s.batch, s.other_k)),
        came=s.other_k,
    )
    yield case(
        "layers-directions",
        f"The first state of {name} was made for one layer more.",
        lambda: layer()(x, state(rows + s.directions, s.batch, s.k)),
        came=rows + s.directions,
    )
    if rows > 1:
        yield case(
            "layers-directions",
            f"The first state of {name} was made with 1 on its first axis.",
            lambda: layer()(x, state(1, s.batch, s.k)),
            came=1,
        )
    if s.directions == 2:
        yield case(
            "layers-directions",
            f"The two directions of {name} were forgotten in the first state.",
            lambda: layer()(x, state(s.layers, s.batch, s.k)),
            came=s.layers,
        )
        yield case(
            "hidden-size",
            f"The two directions of {name} were put on the last axis of the first state.",
            lambda: layer(layers=1)(x, state(2, s.batch, 2 * s.k)),
            came=2 * s.k,
            layers=1,
        )
    yield case(
        "batch-first",
        f"The first state of {name} was made with the batch on its first axis.",
        lambda: layer(batch_first=True)(x_batch_first, state(s.batch, rows, s.k)),
    )
    # Here the layer wants T where the state has B. A reader sees two numbers and cannot know that one of them is T.
    yield case(
        "batch-first",
        f"batch_first=True was forgotten for {name}: x is (B, T, m), and the state is for B.",
        lambda: layer()(x_batch_first, state(rows, s.batch, s.k)),
        told=False,
        also=("batch-size",),
    )
    yield case(
        "batch-size",
        f"The last batch is smaller than the one the state of {name} was made for.",
        lambda: layer()(zeros(s.T, s.other_batch, s.m), state(rows, s.batch, s.k)),
        came=s.other_batch,
    )
    yield case("unbatched", f"{name} was given x with batch and a state without.", lambda: layer()(x, state(rows, s.k)))
    yield case(
        "unbatched",
        f"{name} was given x without batch and a state with one.",
        lambda: layer()(zeros(s.T, s.m), state(rows, s.batch, s.k)),
    )
    yield case("unbatched", f"{name} was given x with one axis.", lambda: layer()(zeros(s.m)))
    yield case("unbatched", f"{name} was given x with four axes.", lambda: layer()(zeros(1, s.T, s.batch, s.m)))
    yield case(
        "checkpoint",
        f"{name} was given the saved weights of one with another hidden size.",
        lambda: layer().load_state_dict(layer(k=s.other_k).state_dict()),
        came=s.other_k,
    )
    yield case(
        "checkpoint",
        f"{name} was given the saved weights of one with another input size.",
        lambda: layer().load_state_dict(layer(m=s.strange).state_dict()),
        came=s.strange,
    )
    yield case(
        "checkpoint",
        f"{name} was given the saved weights of one with one layer more.",
        lambda: layer().load_state_dict(layer(layers=s.layers + 1).state_dict()),
        came=s.layers + 1,
    )
    yield case(
        "checkpoint",
        f"{name} was given the saved weights of one with another number of directions.",
        lambda: layer().load_state_dict(layer(both=s.directions == 1).state_dict()),
        came=3 - s.directions,
    )
    yield case(
        "swapped-arguments",
        f"input_size and hidden_size of {name} were exchanged, then good weights loaded.",
        lambda: layer(m=s.k, k=s.m, layers=1).load_state_dict(layer(layers=1).state_dict()),
        also=("checkpoint",),
        layers=1,
    )
    yield case(
        "swapped-arguments",
        f"input_size and hidden_size of {name} were exchanged.",
        lambda: layer(m=s.k, k=s.m)(x),
        told=False,
        also=("input-size",),
    )
    # Few units, for there will be as many layers as there should be units, and those take long to build.
    few = 16 + s.layers
    yield case(
        "swapped-arguments",
        f"hidden_size and num_layers of {name} were exchanged.",
        lambda: layer(k=s.layers, layers=few, both=False)(x, state(s.layers, s.batch, few)),
        k=few,
        directions=1,
    )
    yield case(
        "swapped-arguments",
        f"{name} was called with the state first and x after it.",
        lambda: layer()(state(rows, s.batch, s.k), x),
        told=lstm,
        also=("input-size",),
    )

    if lstm:
        # PyTorch takes rows 0 and 1 of the tensor for h0 and c0: what it then says depends on how many rows there are.
        for layers in (1, 2):
            more = {"layers": layers, "directions": 1}
            yield case(
                "state-tuple",
                "nn.LSTM was given one tensor in the place of (h0, c0).",
                lambda: layer(layers=layers, both=False)(x, zeros(layers, s.batch, s.k)),
                **more,
            )
            yield case(
                "state-tuple",
                "nn.LSTM without batch was given one tensor in the place of (h0, c0).",
                lambda: layer(layers=layers, both=False)(zeros(s.T, s.m), zeros(layers, s.k)),
                **more,
            )
        yield case(
            "hidden-size",
            "Only c0 of nn.LSTM was made with another hidden size.",
            lambda: layer()(x, (zeros(rows, s.batch, s.k), zeros(rows, s.batch, s.other_k))),
            came=s.other_k,
        )
        yield case(
            "layers-directions",
            "Only c0 of nn.LSTM was made for one layer more.",
            lambda: layer()(x, (zeros(rows, s.batch, s.k), zeros(rows + 1, s.batch, s.k))),
            came=rows + 1,
        )
        yield case(
            "batch-size",
            "Only c0 of nn.LSTM was made for another batch.",
            lambda: layer()(x, (zeros(rows, s.batch, s.k), zeros(rows, s.other_batch, s.k))),
            came=s.other_batch,
        )
        yield case(
            "unbatched",
            "c0 of nn.LSTM has an axis less than h0.",
            lambda: layer()(x, (zeros(rows, s.batch, s.k), zeros(rows, s.k))),
        )
        yield case(
            "hidden-size",
            "nn.LSTM has a proj_size, and h0 was made with hidden_size.",
            lambda: layer(proj_size=s.k // 2)(x, state(rows, s.batch, s.k)),
            proj=s.k // 2,
        )
        yield case(
            "hidden-size",
            "nn.LSTM has a proj_size, and the Linear after it takes hidden_size.",
            lambda: nn.Linear(wider, s.n)(layer(proj_size=s.k // 2)(x)[0][-1]),
            proj=s.k // 2,
            n=s.n,
        )
    else:
        yield case(
            "state-tuple",
            f"{name} was given a tuple (h0, c0) where it takes one tensor.",
            lambda: layer()(x, (zeros(rows, s.batch, s.k), zeros(rows, s.batch, s.k))),
        )
    yield case(
        "state-tuple",
        f"The whole answer of {name}, a tuple, was given to a Linear.",
        lambda: nn.Linear(wider, s.n)(layer()(x)),
    )

    # What comes out of the layer and goes into a Linear.
    small = s.T * s.k <= 6400
    out = layer(layers=1)(x_batch_first[:, : s.T])[0] if small else None
    if out is not None:
        both = {"layers": 1, "n": s.n}
        if s.directions == 2:
            yield case(
                "hidden-size",
                "The Linear after a layer of two directions takes k where 2k come.",
                lambda: nn.Linear(s.k, s.n)(out[:, -1]),
                **both,
            )
            yield case(
                "hidden-size",
                "The Linear after a layer of two directions takes k, and all steps were given.",
                lambda: nn.Linear(s.k, s.n)(out),
                **both,
            )
        else:
            yield case(
                "hidden-size",
                "The Linear after a layer of one direction takes 2k where k come.",
                lambda: nn.Linear(2 * s.k, s.n)(out[:, -1]),
                **both,
            )
        yield case(
            "hidden-size",
            "All T steps were flattened into T*k, and the Linear takes one step of k.",
            lambda: nn.Linear(wider, s.n)(out.reshape(s.batch, -1)),
            **both,
        )
        yield case(
            "hidden-size",
            "The Linear takes T*k, and only the last step was given.",
            lambda: nn.Linear(s.T * wider, s.n)(out[:, -1]),
            **both,
        )
        yield case(
            "hidden-size",
            "The Linear was made with the input size in the place of the hidden size.",
            lambda: nn.Linear(s.m, s.n)(out[:, -1]),
            told=False,
            **both,
        )
        yield case(
            "batch-first",
            "The steps lie on the first axis, and were flattened as if the batch lay there.",
            lambda: nn.Linear(s.T * wider, s.n)(out.transpose(0, 1).reshape(s.T, -1)),
            **both,
        )

    yield case(
        "batch-size",
        "pack_padded_sequence was given lengths of another batch.",
        lambda: pack_padded_sequence(x, [s.T] * s.other_batch),
        came=s.other_batch,
    )
    yield case(
        "sorted-lengths",
        "pack_padded_sequence was given lengths that rise, without enforce_sorted=False.",
        lambda: pack_padded_sequence(x, list(range(1, s.batch + 1))),
    )
    # Not for nn.LSTM: PyTorch 2.13 does not check the state given with a packed input, reads beyond it and may crash.
    if not lstm:
        yield case(
            "batch-size",
            "A packed input was given with the state of another batch.",
            lambda: layer()(pack_padded_sequence(x, [s.T] * s.batch), state(rows, s.other_batch, s.k)),
            came=s.other_batch,
        )


def pytorch_cells(s: Sizes, kind: str) -> Iterator[Case]:
    """The cells, one step at a time, and stacks of cells."""
    import torch
    from torch import nn

    lstm = kind == "LSTM"
    name = f"nn.{kind}Cell"
    zeros = torch.zeros

    def cell(m: int = s.m, k: int = s.k) -> nn.Module:
        return getattr(nn, f"{kind}Cell")(m, k)

    def state(*shape: int) -> object:
        return (zeros(*shape), zeros(*shape)) if lstm else zeros(*shape)

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        return Case(truth, done, call, s.words("m k batch") | more, told, also)

    def stack(sizes: list[tuple[int, int]]) -> None:
        cells = nn.ModuleList(cell(m, k) for m, k in sizes)
        signal = zeros(s.batch, s.m)
        for below in cells:
            answer = below(signal)
            signal = answer[0] if lstm else answer

    x = zeros(s.batch, s.m)
    yield case(
        "input-size",
        f"{name} was given x whose last axis is not input_size.",
        lambda: cell()(zeros(s.batch, s.strange)),
        came=s.strange,
    )
    yield case(
        "hidden-size",
        f"{name} was given a state of another hidden size.",
        lambda: cell()(x, state(s.batch, s.other_k)),
        came=s.other_k,
    )
    yield case(
        "batch-size",
        f"{name} was given a state of another batch.",
        lambda: cell()(x, state(s.other_batch, s.k)),
        came=s.other_batch,
    )
    yield case(
        "unbatched",
        f"{name} takes one step, and was given x with the time axis.",
        lambda: cell()(zeros(s.T, s.batch, s.m)),
        T=s.T,
    )
    yield case(
        "unbatched",
        f"{name} was given a state with an axis for the layers.",
        lambda: cell()(x, state(1, s.batch, s.k)),
        layers=1,
    )
    yield case(
        "unbatched",
        f"{name} was given x with batch and a state without.",
        lambda: cell()(x, state(s.k)),
        told=False,
        also=("batch-size",),
    )
    # The message of a cell gives two numbers and no name: that the cell stands above another is seen in no word.
    yield case(
        "shared-cell",
        f"The second {name} was made with the input size of the first.",
        lambda: stack([(s.m, s.k), (s.m, s.k)]),
        told=False,
        also=("input-size",),
        layers=2,
    )
    yield case(
        "shared-cell",
        f"The third {name} was made with the input size of the first.",
        lambda: stack([(s.m, s.k), (s.k, s.k), (s.m, s.k)]),
        told=False,
        also=("input-size",),
        layers=3,
    )
    yield case(
        "swapped-arguments",
        f"{name} was called with the state first and x after it.",
        lambda: cell()(state(s.batch, s.k), x),
        told=lstm,
        also=("input-size",),
    )
    if lstm:
        yield case(
            "state-tuple",
            "nn.LSTMCell was given one tensor in the place of (h, c).",
            lambda: cell()(x, zeros(s.batch, s.k)),
        )
    else:
        yield case(
            "state-tuple",
            f"{name} was given a tuple (h, c) where it takes one tensor.",
            lambda: cell()(x, (zeros(s.batch, s.k), zeros(s.batch, s.k))),
        )
    yield case(
        "checkpoint",
        f"{name} was given the saved weights of one with another hidden size.",
        lambda: cell().load_state_dict(cell(k=s.other_k).state_dict()),
        came=s.other_k,
    )


def pytorch_by_hand(s: Sizes, gates: int) -> Iterator[Case]:
    """A cell written with torch.matmul, torch.cat and a bias. `gates` is 1, 3 or 4: RNN, GRU or LSTM."""
    import torch
    import torch.nn.functional as F
    from torch import nn

    zeros = torch.zeros
    m, k, batch, rows = s.m, s.k, s.batch, gates * s.k
    W_x, W_h, W = zeros(rows, m), zeros(rows, k), zeros(rows, k + m)
    h, x = zeros(k), zeros(m)
    H, X = zeros(batch, k), zeros(batch, m)

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        return Case(truth, done, call, s.words("m k batch") | {"gates": gates} | more, told, also)

    yield case("transpose", "W_x, kept as (rows, m), was not transposed in X @ W_x.", lambda: X @ W_x)
    if gates > 1:
        yield case("transpose", "W_h, kept as (rows, k), was not transposed in H @ W_h.", lambda: H @ W_h)
        yield case(
            "transpose", "W_h was kept as (k, rows) and multiplied as if it were (rows, k).", lambda: torch.mv(W_h.T, h)
        )
    yield case("transpose", "The operands of torch.mm were swapped about.", lambda: torch.mm(W_x.T, X))
    yield case(
        "transpose",
        "W was kept as (k+m, rows) and multiplied by the stack [h; x].",
        lambda: torch.matmul(W.T, torch.cat([h, x])),
    )
    yield case("transpose", "x is a row (1, m) where a column (m, 1) belongs.", lambda: W_x @ zeros(1, m))
    yield case(
        "inner-dimension", "W_h was multiplied by an h of another size.", lambda: W_h @ zeros(s.other_k), came=s.other_k
    )
    yield case(
        "inner-dimension",
        "W_x was multiplied by an x of another size.",
        lambda: torch.mv(W_x, zeros(s.strange)),
        came=s.strange,
        also=("input-size",),
    )
    yield case("inner-dimension", "The joint matrix was multiplied by x alone, without h.", lambda: W @ x)
    yield case(
        "inner-dimension",
        "torch.bmm was given vectors of another size.",
        lambda: torch.bmm(W_h.expand(batch, rows, k), zeros(batch, s.other_k, 1)),
        came=s.other_k,
    )
    yield case(
        "batch-size",
        "torch.bmm was given matrices of another batch than the vectors.",
        lambda: torch.bmm(W_h.expand(s.other_batch, rows, k), zeros(batch, k, 1)),
        came=s.other_batch,
    )
    yield case("unbatched", "torch.mm was given a vector with one axis.", lambda: torch.mm(W_h, h))
    yield case("unbatched", "torch.bmm was given one step, without the batch axis.", lambda: torch.bmm(H, W_h.T))
    if gates > 1:
        # What comes has k columns, and the matrix is m to gates*k: k shows that what came is the h of the layer below.
        yield case(
            "shared-cell",
            "The second layer multiplies the h of the first by the first one's W_x.",
            lambda: H @ W_x.T,
            layers=2,
        )
        yield case(
            "shared-cell",
            "The second layer multiplies the stack of two h by the first one's joint matrix.",
            lambda: torch.cat([H, H], dim=1) @ W.T,
            layers=2,
        )
        yield case(
            "shared-cell",
            "The second layer uses the first one's nn.Linear(m + k, rows) for two h.",
            lambda: nn.Linear(m + k, rows)(torch.cat([H, H], dim=1)),
            layers=2,
        )
        yield case(
            "shared-cell",
            "The second layer uses F.linear with the first one's W_x.",
            lambda: F.linear(H, W_x, zeros(rows)),
            layers=2,
        )
        yield case(
            "broadcast", "The bias is one gate long, and all gates together were given.", lambda: H @ W_h.T + zeros(k)
        )
    yield case(
        "concatenate-axis",
        "h and x, both with batch first, were stacked along the batch axis.",
        lambda: torch.cat([H, X], dim=0),
    )
    yield case(
        "concatenate-axis",
        "h and x are columns, and were put side by side.",
        lambda: torch.cat([zeros(k, 1), zeros(m, 1)], dim=1),
        also=("batch-size",),
    )
    yield case(
        "concatenate-axis",
        "Two outputs of different length T were joined along the features.",
        lambda: torch.cat([zeros(batch, s.T, k), zeros(batch, s.T + 1, k)], dim=2),
        T=s.T,
    )
    yield case(
        "concatenate-axis",
        "torch.stack was used for h and x, which are of different size.",
        lambda: torch.stack([H, X]),
    )
    yield case("unbatched", "h without batch was joined to x with batch.", lambda: torch.cat([h, X], dim=-1))
    yield case(
        "batch-size",
        "h and x of different batch were joined along the features.",
        lambda: torch.cat([zeros(s.other_batch, k), X], dim=1),
        came=s.other_batch,
        also=("concatenate-axis",),
    )
    yield case("broadcast", "The bias is one number too long.", lambda: H @ W_h.T + zeros(rows + 1), came=rows + 1)
    yield case(
        "broadcast",
        "The forget gate was multiplied by a cell state of another size.",
        lambda: H * zeros(batch, s.other_k),
        came=s.other_k,
    )
    yield case("broadcast", "The bias was made with the input size.", lambda: H @ W_h.T + zeros(m))
    yield case(
        "batch-size",
        "The output and the target have another batch.",
        lambda: F.cross_entropy(zeros(batch, 5), torch.zeros(s.other_batch, dtype=torch.long)),
        came=s.other_batch,
    )


def make_pytorch(rng: random.Random) -> Collection:
    import torch

    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    found = Collection("pytorch", least=220)
    for turn in range(2):
        for kind, gates in [("RNN", 1), ("LSTM", 4), ("GRU", 3)]:
            coincidence = turn == 1 and kind != "LSTM"
            # A few are kept as a student would paste them: with all the lines of the traceback above.
            found.take(pytorch_layers(draw(rng, coincidence), kind), whole_traceback_every=0 if turn else 11)
            for _ in range(2):
                found.take(pytorch_cells(draw(rng), kind))
            found.take(pytorch_by_hand(draw(rng, coincidence), gates), whole_traceback_every=0 if turn else 13)
    return found


# --- NumPy -----------------------------------------------------------------------------------------------------------


def numpy_by_hand(s: Sizes, gates: int) -> Iterator[Case]:
    """A cell by hand, in columns (W @ [h; x]) and in rows (X @ W.T), as courses and students write it."""
    import numpy as np

    m, k, batch, rows = s.m, s.k, s.batch, gates * s.k
    zeros = np.zeros
    W, W_x, W_h = zeros((rows, k + m)), zeros((rows, m)), zeros((rows, k))
    h, x = zeros((k, 1)), zeros((m, 1))
    H, X = zeros((k, batch)), zeros((m, batch))

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        return Case(truth, done, call, s.words("m k batch") | {"gates": gates} | more, told, also)

    def assign(into: tuple[int, ...], place: object, value: np.ndarray) -> None:
        zeros(into)[place] = value

    # np.matmul names two numbers and no shapes (np.dot names both shapes): from 16 and 40 alone nobody can tell whether
    # a matrix lies the wrong way or is of the wrong size. Where one number is a multiple of the other, or 1, one can.
    numbers_only = {"told": False, "also": ("inner-dimension",)}
    yield case(
        "transpose",
        "W was kept as (k+m, rows) and multiplied by the stack [h; x].",
        lambda: W.T @ np.vstack([h, x]),
        **numbers_only,
    )
    yield case(
        "transpose",
        "W was kept as (k+m, rows) and multiplied by the stack [h; x], in np.dot.",
        lambda: np.dot(W.T, np.vstack([h, x])),
    )
    yield case("transpose", "x is a row (1, m) where a column (m, 1) belongs.", lambda: W_x @ zeros((1, m)))
    yield case(
        "transpose", "x is a row (1, m) where a column (m, 1) belongs, in np.dot.", lambda: np.dot(W_x, zeros((1, m)))
    )
    yield case(
        "transpose", "The batch is on the rows of X, and W_x was put at its left.", lambda: W_x @ X.T, **numbers_only
    )
    yield case(
        "transpose", "The batch is on the rows of X, and W_x was put at its left, in np.dot.", lambda: np.dot(W_x, X.T)
    )
    yield case("transpose", "The operands of the product were swapped about.", lambda: np.dot(X.T, W_x))
    yield case(
        "transpose",
        "W_x was kept as (m, rows), in np.matmul with a vector.",
        lambda: np.matmul(W_x.T, zeros(m)),
        **numbers_only,
    )
    if gates > 1:
        yield case("transpose", "W_h was kept as (k, rows), in np.dot with a vector.", lambda: np.dot(W_h.T, zeros(k)))
        yield case("transpose", "H @ W_h with rows of H, and W_h was not transposed.", lambda: H.T @ W_h)
        yield case(
            "shared-cell",
            "The second layer multiplies the h of the first by the first one's W_x.",
            lambda: W_x @ h,
            layers=2,
            **numbers_only,
        )
        yield case(
            "shared-cell",
            "The second layer multiplies the h of the first by the first one's W_x, in np.dot.",
            lambda: np.dot(W_x, H),
            layers=2,
        )
        yield case(
            "shared-cell",
            "The second layer multiplies the stack of two h by the first one's joint matrix.",
            lambda: W @ np.vstack([h, h]),
            layers=2,
            also=("inner-dimension",),
        )
        yield case(
            "shared-cell",
            "The second layer, in rows, multiplies two h by the first one's joint matrix.",
            lambda: np.hstack([H.T, H.T]) @ W.T,
            layers=2,
            also=("inner-dimension",),
        )
        yield case(
            "shared-cell",
            "The second layer, in np.dot, multiplies two h by the first one's joint matrix.",
            lambda: np.dot(W, np.concatenate([H, H])),
            layers=2,
        )
        yield case(
            "broadcast",
            "The bias is one gate long, and all gates together were given.",
            lambda: np.dot(W_h, zeros(k)) + zeros(k),
        )
    yield case("inner-dimension", "The joint matrix was multiplied by x alone, without h.", lambda: W @ x)
    yield case("inner-dimension", "The joint matrix was multiplied by h alone, without x.", lambda: np.dot(W, H))
    yield case(
        "inner-dimension",
        "W_h was multiplied by an h of another size.",
        lambda: W_h @ zeros((s.other_k, 1)),
        came=s.other_k,
    )
    yield case(
        "inner-dimension",
        "W_h was multiplied by an h of another size, in np.dot.",
        lambda: np.dot(W_h, zeros(s.other_k)),
        came=s.other_k,
    )
    yield case(
        "inner-dimension",
        "W_x was multiplied by an x of another size.",
        lambda: np.matmul(W_x, zeros((s.strange, batch))),
        came=s.strange,
    )
    yield case(
        "inner-dimension",
        "The stack [h; x] has an x of another size.",
        lambda: W @ np.concatenate([h, zeros((s.strange, 1))]),
        came=k + s.strange,
    )
    yield case(
        "inner-dimension",
        "A 1 for the bias was put on the stack [h; x], and W has no column for it.",
        lambda: W @ np.vstack([h, x, [[1.0]]]),
        came=k + m + 1,
    )
    yield case(
        "inner-dimension",
        "np.einsum was given an h of another size.",
        lambda: np.einsum("ij,jb->ib", W_h, zeros((s.other_k, batch))),
        came=s.other_k,
    )
    yield case(
        "unbatched",
        "np.einsum was told of a batch axis, and h has none.",
        lambda: np.einsum("ij,jb->ib", W_h, zeros(k)),
    )
    yield case(
        "concatenate-axis",
        "h and x are columns, and were put side by side by axis=1.",
        lambda: np.concatenate([h, x], axis=1),
    )
    yield case(
        "concatenate-axis",
        "h and x have the batch on the columns, and were joined by axis=1.",
        lambda: np.concatenate((H, X), axis=1),
    )
    yield case(
        "concatenate-axis",
        "h and x have the batch on the rows, and were stacked by axis=0.",
        lambda: np.vstack([H.T, X.T]),
        also=("batch-size",),
    )
    yield case(
        "concatenate-axis", "h and x are columns, and np.hstack puts them side by side.", lambda: np.hstack([h, x])
    )
    yield case(
        "transpose",
        "h is a column (k, 1) and x a row (1, m), stacked.",
        lambda: np.concatenate([h, zeros((1, m))], axis=0),
        also=("concatenate-axis",),
    )
    yield case(
        "batch-size",
        "h is one column, and x has a batch of columns.",
        lambda: np.concatenate([h, X]),
        also=("concatenate-axis", "transpose"),
    )
    yield case(
        "batch-size",
        "h was made for another batch than x, and the two were stacked.",
        lambda: np.vstack([zeros((k, s.other_batch)), X]),
        came=s.other_batch,
        also=("concatenate-axis",),
    )
    yield case("unbatched", "h has one axis and x two, in np.concatenate.", lambda: np.concatenate([zeros(k), x]))
    yield case(
        "unbatched", "h has two axes and x one, in np.concatenate.", lambda: np.concatenate((H, zeros(m)), axis=0)
    )
    yield case(
        "unbatched",
        "h and x have three axes and two, in np.concatenate.",
        lambda: np.concatenate([zeros((s.T, k, batch)), X], axis=0),
        T=s.T,
    )
    yield case(
        "unbatched",
        "h and x have one axis, and axis=1 was asked for.",
        lambda: np.concatenate([zeros(k), zeros(m)], axis=1),
        also=("concatenate-axis",),
    )
    yield case(
        "concatenate-axis", "np.stack was used for h and x, which are of different size.", lambda: np.stack([h, x])
    )
    yield case("broadcast", "The bias is one number too long.", lambda: W_h @ h + zeros((rows + 1, 1)), came=rows + 1)
    yield case(
        "broadcast",
        "The bias is one number too long, and the batch is on the rows.",
        lambda: H.T @ W_h.T + zeros(rows + 1),
        came=rows + 1,
    )
    yield case(
        "broadcast",
        "The bias (rows,) was added to columns (rows, B), where (rows, 1) belongs.",
        lambda: np.add(W_h @ H, zeros(rows)),
    )
    yield case(
        "broadcast",
        "The forget gate was multiplied by a cell state of another size.",
        lambda: zeros((k, batch)) * zeros((s.other_k, batch)),
        came=s.other_k,
    )
    yield case(
        "broadcast",
        "The input gate was multiplied by a candidate made with the input size.",
        lambda: np.multiply(zeros(k), zeros(m)),
    )
    yield case(
        "batch-size",
        "The cell state carries another batch than the gates.",
        lambda: zeros((k, batch)) * zeros((k, s.other_batch)),
        came=s.other_batch,
        also=("broadcast",),
    )
    yield case(
        "transpose",
        "W_h h is (rows, B), and W_x x was made the other way about.",
        lambda: W_h @ H + (W_x @ X).T,
        also=("broadcast",),
    )
    yield case(
        "broadcast",
        "h of another size was written into the table of the states.",
        lambda: assign((s.T, k), 0, zeros(s.other_k)),
        T=s.T,
        came=s.other_k,
    )
    yield case(
        "transpose",
        "A column (k, 1) was written into a row of the table of the states.",
        lambda: assign((s.T, k), 0, h),
        T=s.T,
        also=("broadcast",),
    )
    yield case(
        "batch-size",
        "The last, smaller batch was written into a place made for a whole one.",
        lambda: assign((s.T, batch, k), 0, zeros((s.other_batch, k))),
        T=s.T,
        came=s.other_batch,
        also=("broadcast",),
    )
    yield case(
        "batch-size",
        "np.matmul was given matrices of another batch than the vectors.",
        lambda: np.matmul(zeros((batch, 2, k)), zeros((s.other_batch, k, 2))),
        came=s.other_batch,
    )
    yield case(
        "inner-dimension", "W of the output was multiplied by x in the place of h.", lambda: zeros((s.n, k)) @ x, n=s.n
    )
    yield case(
        "hidden-size",
        "The states of two directions, 2k, meet an output matrix of k columns.",
        lambda: zeros((s.n, k)) @ np.vstack([h, h]),
        n=s.n,
        directions=2,
        also=("inner-dimension",),
    )


def make_numpy(rng: random.Random) -> Collection:
    found = Collection("numpy", least=220)
    for turn in range(8):
        gates = [4, 1, 3][turn % 3]
        found.take(numpy_by_hand(draw(rng, coincidence=turn == 5), gates), whole_traceback_every=0 if turn else 13)
    return found


# --- Keras and TensorFlow --------------------------------------------------------------------------------------------


def keras_layers(s: Sizes, kind: str) -> Iterator[Case]:
    """SimpleRNN, LSTM and GRU of Keras 3: models, built layers, states, weights."""
    import keras
    import numpy as np
    from keras import layers

    lstm = kind == "LSTM"
    m, k, batch, T, n = s.m, s.k, s.batch, s.T, s.n

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, "float32")

    def layer(units: int = k, **more) -> object:
        return getattr(layers, kind)(units, **more)

    def state(*shape: int) -> object:
        return [zeros(*shape), zeros(*shape)] if lstm else zeros(*shape)

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        return Case(truth, done, call, s.words("m k batch T") | more, told, also)

    def one_after_another(made: object, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        made(zeros(*first))  # the first call builds the weights for its size
        made(zeros(*second))

    def load(units: int, features: int) -> None:
        giver, taker = layer(units), layer()
        giver.build((None, T, features))
        taker.build((None, T, m))
        taker.set_weights(giver.get_weights())

    def model(*more: object) -> object:
        return keras.Sequential([keras.Input((T, m)), layer(), *more])

    def joined(axis: int, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        layers.Concatenate(axis=axis)([keras.Input(first), keras.Input(second)])

    x = zeros(batch, T, m)
    yield case(
        "unbatched",
        f"{kind} was given x with two axes, (T, m).",
        lambda: layer()(zeros(T, m)),
        also=("return-sequences",),
    )
    yield case("unbatched", f"{kind} was given x with four axes.", lambda: layer()(zeros(batch, T, m, 1)))
    yield case(
        "unbatched",
        f"The input of {kind} was declared with the features alone.",
        lambda: keras.Sequential([keras.Input((m,)), layer()]),
        also=("return-sequences",),
    )
    # What arrives is (None, k) with k of the layer below, but the message holds no word of a layer below.
    yield case(
        "return-sequences",
        f"The first of two {kind} layers lacks return_sequences=True.",
        lambda: model(layer(s.other_k)),
        also=("unbatched",),
        came=k,
    )
    yield case(
        "return-sequences",
        f"The first of three {kind} layers has return_sequences=True, the second has not.",
        lambda: keras.Sequential([keras.Input((T, m)), layer(return_sequences=True), layer(s.other_k), layer()]),
        also=("unbatched",),
        came=s.other_k,
    )
    yield case(
        "input-size",
        f"{kind} was built for m features and then given others.",
        lambda: one_after_another(layer(), (batch, T, m), (batch, T, s.strange)),
        came=s.strange,
    )
    yield case(
        "input-size",
        f"A model with {kind} was given other features in predict.",
        lambda: model().predict(zeros(batch, T, s.strange), verbose=0),
        came=s.strange,
    )
    yield case(
        "unbatched",
        f"A model with {kind} was given one sequence without batch.",
        lambda: model().predict(zeros(T, m), verbose=0),
    )
    yield case(
        "batch-first",
        f"A stateful {kind} was given (T, B, m) in the place of (B, T, m).",
        lambda: one_after_another(layer(stateful=True), (batch, T, m), (T, batch, m)),
        also=("batch-size",),
    )
    yield case(
        "hidden-size",
        "Dense was built for k and then given the states of two directions, 2k.",
        lambda: one_after_another(layers.Dense(n), (batch, k), (batch, 2 * k)),
        n=n,
        also=("input-size",),
    )
    yield case(
        "hidden-size",
        "Dense was built for k and then given another hidden size.",
        lambda: one_after_another(layers.Dense(n), (batch, k), (batch, s.other_k)),
        n=n,
        came=s.other_k,
        also=("input-size",),
    )
    yield case(
        "hidden-size",
        f"{kind} was given an initial state of another size.",
        lambda: layer()(x, initial_state=state(batch, s.other_k)),
        came=s.other_k,
    )
    yield case(
        "batch-size",
        f"{kind} was given an initial state of another batch.",
        lambda: layer()(x, initial_state=state(s.other_batch, k)),
        came=s.other_batch,
    )
    yield case(
        "batch-size",
        f"A stateful {kind} was given a smaller last batch.",
        lambda: one_after_another(layer(stateful=True), (batch, T, m), (s.other_batch, T, m)),
        came=s.other_batch,
    )
    if lstm:
        yield case(
            "state-tuple",
            "LSTM was given one tensor as initial_state.",
            lambda: layer()(x, initial_state=zeros(batch, k)),
        )
    yield case(
        "checkpoint", f"Weights of a {kind} with other units were set.", lambda: load(s.other_k, m), came=s.other_k
    )
    yield case(
        "checkpoint", f"Weights of a {kind} with other features were set.", lambda: load(k, s.strange), came=s.strange
    )
    yield case(
        "swapped-arguments",
        f"Weights of a {kind} were set whose units and features are exchanged.",
        lambda: load(m, k),
        also=("checkpoint",),
    )
    yield case(
        "concatenate-axis",
        "Concatenate joins along the time where the features differ.",
        lambda: joined(1, (T, k), (T, m)),
    )
    yield case(
        "concatenate-axis",
        "Concatenate joins along the features where the times differ.",
        lambda: joined(-1, (T, k), (s.strange, k)),
        came=s.strange,
    )
    yield case(
        "broadcast",
        "Add was given the states of two layers of different size.",
        lambda: layers.Add()([zeros(batch, k), zeros(batch, s.other_k)]),
        came=s.other_k,
    )


def tensorflow_by_hand(s: Sizes) -> Iterator[Case]:
    """Cells by hand in TensorFlow, step by step and inside tf.function, and Keras cells that two layers share."""
    import tensorflow as tf
    from keras import layers

    m, k, batch, rows = s.m, s.k, s.batch, 4 * s.k
    zeros = tf.zeros
    H, X = zeros((batch, k)), zeros((batch, m))
    joint, W_h, W_x = zeros((m + k, rows)), zeros((k, rows)), zeros((m, rows))

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        return Case(truth, done, call, s.words("m k batch") | {"gates": 4} | more, told, also)

    def two_layers(cell: object, states: Callable[[], object]) -> None:
        answer = cell(X, states())[0]
        cell(answer, states())

    # No types here: tf.function would look for the name tf in the module, where it is not known.
    def cell_step(kernel, below, before):
        return tf.matmul(tf.concat([below, before], axis=1), kernel)

    kernel = tf.Variable(joint)

    # The second layer has the kernel of the first. Said here, for the message quotes the lines of the function.
    @tf.function
    def stacked(below, before):
        first = cell_step(kernel, below, before)[:, :k]
        return cell_step(kernel, first, before)

    yield case(
        "shared-cell",
        "The second layer uses the kernel of the first, (m+k, 4k), inside tf.function.",
        lambda: stacked(X, H),
        layers=2,
    )
    yield case(
        "shared-cell",
        "The second layer uses the kernel of the first, (m+k, 4k), on two h.",
        lambda: cell_step(kernel, H, H),
        layers=2,
    )
    yield case(
        "shared-cell",
        "One LSTMCell serves two layers.",
        lambda: two_layers(layers.LSTMCell(k), lambda: [H, H]),
        layers=2,
    )
    yield case(
        "shared-cell",
        "One GRUCell serves two layers.",
        lambda: two_layers(layers.GRUCell(k), lambda: [H]),
        layers=2,
        gates=3,
    )
    yield case(
        "shared-cell",
        "One SimpleRNNCell serves two layers.",
        lambda: two_layers(layers.SimpleRNNCell(k), lambda: [H]),
        layers=2,
        gates=1,
    )
    yield case("transpose", "W_h was kept as (4k, k) and not transposed.", lambda: tf.matmul(H, tf.transpose(W_h)))
    yield case("transpose", "The operands of tf.matmul were swapped about.", lambda: tf.matmul(W_x, X))
    yield case("inner-dimension", "The joint kernel was multiplied by x alone.", lambda: X @ joint)
    yield case(
        "inner-dimension",
        "W_h was multiplied by an h of another size.",
        lambda: tf.matmul(zeros((batch, s.other_k)), W_h),
        came=s.other_k,
    )
    yield case(
        "inner-dimension",
        "W_h was multiplied by an h of another size, inside tf.function.",
        lambda: tf.function(lambda h: tf.matmul(h, W_h))(zeros((batch, s.other_k))),
        came=s.other_k,
    )
    yield case("concatenate-axis", "h and x were joined along the batch.", lambda: tf.concat([H, X], axis=0))
    yield case(
        "concatenate-axis", "tf.stack was used for h and x, which are of different size.", lambda: tf.stack([H, X])
    )
    yield case(
        "batch-size",
        "h and x of different batch were joined along the features.",
        lambda: tf.concat([zeros((s.other_batch, k)), X], axis=1),
        came=s.other_batch,
    )
    yield case("unbatched", "h without batch was joined to x with batch.", lambda: tf.concat([H[0], X], axis=0))
    yield case(
        "broadcast", "The bias is one gate long, and all gates together were given.", lambda: tf.add(H @ W_h, zeros(k))
    )
    yield case(
        "broadcast",
        "The forget gate was multiplied by a cell state of another size.",
        lambda: H * zeros((batch, s.other_k)),
        came=s.other_k,
    )


def make_keras(rng: random.Random) -> Collection:
    import keras

    keras.utils.set_random_seed(SEED)
    found = Collection("keras", least=80)
    for kind in ["SimpleRNN", "LSTM", "GRU"]:
        found.take(keras_layers(draw(rng), kind))
        found.take(tensorflow_by_hand(draw(rng)))
    found.take(keras_layers(draw(rng, coincidence=True), "LSTM"))
    return found


# --- JAX and Flax ----------------------------------------------------------------------------------------------------


def jax_by_hand(s: Sizes) -> Iterator[Case]:
    """Products, stacks and sums in jax.numpy, and jax.lax.scan over the steps."""
    import jax
    import jax.numpy as jnp

    m, k, batch, rows, T = s.m, s.k, s.batch, 4 * s.k, s.T
    zeros = jnp.zeros
    W, W_h, H, X = zeros((rows, k + m)), zeros((rows, k)), zeros((batch, k)), zeros((batch, m))

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        return Case(truth, done, call, s.words("m k batch T") | {"gates": 4} | more, told, also)

    def scan(step: Callable, start: object) -> None:
        jax.lax.scan(step, start, zeros((T, batch, m)))

    yield case("transpose", "H @ W_h, and W_h was not transposed.", lambda: H @ W_h)
    yield case(
        "transpose",
        "W was kept as (k+m, 4k) and multiplied by the stack [h; x].",
        lambda: jnp.dot(W.T, jnp.concatenate([H[0], X[0]])),
        told=False,
        also=("inner-dimension",),
    )
    yield case(
        "inner-dimension",
        "W_h was multiplied by an h of another size.",
        lambda: jnp.matmul(W_h, zeros(s.other_k)),
        came=s.other_k,
    )
    yield case(
        "inner-dimension",
        "jnp.einsum was given an h of another size.",
        lambda: jnp.einsum("ij,bj->bi", W_h, zeros((batch, s.other_k))),
        came=s.other_k,
    )
    yield case(
        "shared-cell",
        "The second layer multiplies two h by the first one's joint matrix.",
        lambda: W @ jnp.concatenate([H[0], H[0]]),
        layers=2,
        also=("inner-dimension",),
    )
    yield case("concatenate-axis", "h and x were joined along the batch.", lambda: jnp.concatenate([H, X], axis=0))
    yield case(
        "concatenate-axis", "jnp.stack was used for h and x, which are of different size.", lambda: jnp.stack([H, X])
    )
    yield case(
        "batch-size",
        "h and x of different batch were joined along the features.",
        lambda: jnp.concatenate([zeros((s.other_batch, k)), X], axis=1),
        came=s.other_batch,
        also=("concatenate-axis",),
    )
    yield case("unbatched", "h without batch was joined to x with batch.", lambda: jnp.concatenate([H[0], X], axis=0))
    yield case(
        "broadcast", "The bias is one gate long, and all gates together were given.", lambda: H @ W_h.T + zeros(k)
    )
    yield case(
        "broadcast",
        "h of another size was written into the table of the states.",
        lambda: zeros((T, k)).at[0].set(zeros(s.other_k)),
        came=s.other_k,
    )
    yield case(
        "hidden-size",
        "The step of jax.lax.scan gives back an h of another size.",
        lambda: scan(lambda h, x: (zeros((batch, s.other_k)), h), H),
        came=s.other_k,
    )
    yield case(
        "unbatched", "The step of jax.lax.scan gives back h without its batch.", lambda: scan(lambda h, x: (h[0], h), H)
    )
    yield case(
        "state-tuple",
        "The step of jax.lax.scan was given h and gives back (h, c).",
        lambda: scan(lambda h, x: ((h, h), h), H),
    )


def flax_cells(s: Sizes, kind: str) -> Iterator[Case]:
    """The cells of flax.linen, with parameters that were made for other sizes."""
    import jax
    import jax.numpy as jnp
    from flax import linen

    zeros = jnp.zeros
    m, k, batch = s.m, s.k, s.batch
    lstm = "LSTM" in kind
    key = jax.random.key(SEED)

    def state(rows: int, size: int) -> object:
        return (zeros((rows, size)), zeros((rows, size))) if lstm else zeros((rows, size))

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        return Case(truth, done, call, s.words("m k batch") | more, told, also)

    def run(features: int = m, units: int = k, carry: object = None, x: object = None) -> None:
        """Make parameters for m and k, then use them with other sizes."""
        parameters = getattr(linen, kind)(k).init(key, state(batch, k), zeros((batch, m)))
        x = zeros((batch, features)) if x is None else x
        getattr(linen, kind)(units).apply(parameters, state(batch, units) if carry is None else carry, x)

    yield case(
        "input-size",
        f"{kind} was given x of other features than its parameters.",
        lambda: run(features=s.strange),
        came=s.strange,
    )
    yield case(
        "checkpoint",
        f"{kind} was given parameters of another hidden size.",
        lambda: run(units=s.other_k),
        came=s.other_k,
    )
    yield case(
        "shared-cell",
        f"The parameters of the first {kind} were given the h of the layer below.",
        lambda: run(features=k),
        layers=2,
        also=("input-size",),
    )
    yield case(
        "hidden-size",
        f"{kind} was given a carry of another hidden size.",
        lambda: run(carry=state(batch, s.other_k)),
        came=s.other_k,
    )
    yield case(
        "batch-size",
        f"{kind} was given a carry of another batch.",
        lambda: run(carry=state(s.other_batch, k)),
        came=s.other_batch,
    )
    if lstm:
        yield case(
            "state-tuple", f"{kind} was given one array in the place of (c, h).", lambda: run(carry=zeros((batch, k)))
        )
    else:
        yield case(
            "state-tuple",
            f"{kind} was given a tuple (c, h) where it takes one array.",
            lambda: run(carry=(zeros((batch, k)), zeros((batch, k)))),
        )


def make_jax(rng: random.Random) -> Collection:
    found = Collection("jax", least=20)
    found.take(jax_by_hand(draw(rng)))
    for kind in ["LSTMCell", "OptimizedLSTMCell", "GRUCell", "SimpleCell"]:
        found.take(flax_cells(draw(rng), kind))
    found.take(jax_by_hand(draw(rng)))
    return found


# --- ONNX Runtime ----------------------------------------------------------------------------------------------------


def onnx_models(s: Sizes, kind: str) -> Iterator[Case]:
    """A graph with one RNN, LSTM or GRU node and a product after it, run with inputs of wrong size."""
    import numpy as np
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    m, k, batch, T = s.m, s.k, s.batch, s.T
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[kind]

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, "float32")

    def case(truth: str, done: str, call: Callable[[], object], told: bool = True, also: tuple = (), **more) -> Case:
        sizes = s.words("m k batch T") | {"layers": 1, "directions": 1, "gates": gates}
        return Case(truth, done, call, sizes | more, told, also)

    def run(
        x: np.ndarray,
        h0: np.ndarray | None = None,
        dense: np.ndarray | None = None,
        recurrent: int = k,
        fixed: bool = True,
    ) -> None:
        """Build the graph and run it. Where `fixed` is False, the inputs have names for sizes, and the node checks."""
        given = {"x": x, "h0": zeros(1, x.shape[1], k) if h0 is None else h0}
        given["D"] = zeros(k, s.n) if dense is None else dense
        shapes = {"x": (T, batch, m) if fixed else ("T", "B", "m"), "h0": (1, batch, k) if fixed else ("a", "b", "c")}
        shapes["D"] = ("d", "e")
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes[name]) for name in given]
        weights = [
            numpy_helper.from_array(zeros(1, gates * k, m), "W"),
            numpy_helper.from_array(zeros(1, gates * k, recurrent), "R"),
        ]
        nodes = [
            helper.make_node(kind, ["x", "W", "R", "", "", "h0"], ["", "h"], name=kind.lower(), hidden_size=k),
            helper.make_node("MatMul", ["h", "D"], ["y"], name="output"),
        ]
        outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
        graph = helper.make_graph(nodes, "net", inputs, outputs, weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, given)

    x = zeros(T, batch, m)
    yield case(
        "input-size", "The graph was given other features.", lambda: run(zeros(T, batch, s.strange)), came=s.strange
    )
    yield case(
        "input-size",
        f"The {kind} node was given other features.",
        lambda: run(zeros(T, batch, s.strange), fixed=False),
        came=s.strange,
    )
    yield case("batch-first", "The graph takes (T, B, m) and was given (B, T, m).", lambda: run(zeros(batch, T, m)))
    yield case(
        "batch-first", "The graph takes a state (1, B, k) and was given (B, 1, k).", lambda: run(x, zeros(batch, 1, k))
    )
    yield case(
        "batch-size",
        "The graph was exported with a fixed batch and given another.",
        lambda: run(zeros(T, s.other_batch, m)),
        came=s.other_batch,
    )
    yield case(
        "unbatched", "The graph was given one sequence without batch.", lambda: run(zeros(T, m), zeros(1, batch, k))
    )
    yield case(
        "hidden-size",
        f"initial_h of the {kind} node is of another hidden size.",
        lambda: run(x, zeros(1, batch, s.other_k), fixed=False),
        came=s.other_k,
    )
    yield case(
        "batch-size",
        f"initial_h of the {kind} node is of another batch.",
        lambda: run(x, zeros(1, s.other_batch, k), fixed=False),
        came=s.other_batch,
    )
    yield case(
        "layers-directions",
        f"initial_h of the {kind} node is for two directions.",
        lambda: run(x, zeros(2, batch, k), fixed=False),
        came=2,
    )
    yield case(
        "checkpoint",
        f"R of the {kind} node is of another hidden size.",
        lambda: run(x, recurrent=s.other_k, fixed=False),
        came=s.other_k,
    )
    yield case(
        "hidden-size",
        "The MatMul after the node takes 2k where k come.",
        lambda: run(x, dense=zeros(2 * k, s.n)),
        n=s.n,
        told=False,
    )
    yield case(
        "inner-dimension",
        "The MatMul after the node takes another size.",
        lambda: run(x, dense=zeros(s.other_k, s.n), fixed=False),
        n=s.n,
        came=s.other_k,
    )


def make_onnx(rng: random.Random) -> Collection:
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)  # it would write each error to the screen as well
    found = Collection("onnx", least=12)
    for kind in ["RNN", "LSTM", "GRU"]:
        found.take(onnx_models(draw(rng), kind))
    return found


MAKERS: dict[str, Callable[[random.Random], Collection]] = {
    "pytorch": make_pytorch,
    "numpy": make_numpy,
    "keras": make_keras,
    "jax": make_jax,
    "onnx": make_onnx,
}


def main(names: list[str]) -> None:
    for name in names or MAKERS:
        # Each library has its own generator, so that one file can be made again without the others.
        MAKERS[name](random.Random(f"{SEED} {name}")).write()


if __name__ == "__main__":
    main(sys.argv[1:])
