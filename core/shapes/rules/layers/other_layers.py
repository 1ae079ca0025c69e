"""Layers beside the recurrent one: convolutions, attention, normalization and Transformers with their tokens."""

import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of

_LAYER = "input-of-layer"
_FEATURES = reason("layer-features", "wanted", "got")
_TWO_DIRECTIONS = reason("linear-two-directions-come", when=lambda f: f.got == 2 * f.wanted)


def _wanted_features(facts: Facts) -> dict[str, Shape]:
    return {"x": (-1, facts.wanted)}


# ---- a convolution, which reads the channels on the axis after the batch -----------------------

CHANNELS: Rules = (
    strong(
        "transpose",
        (reason("channels", "wanted", "got"), reason("channels-last", "wanted")),
        lambda f: (
            "x = x.transpose(-1, -2)   # (batch, features, steps), as a convolution reads it"
            if f.axes == 1
            else "x = x.permute(0, 3, 1, 2)   # (batch, channels, rows, columns), as a convolution reads it"
        ),
        lambda f: f.are_last and f.axes in (1, 2),
    ),
    strong(
        "unbatched",
        (reason("channels", "wanted", "got"), reason("channels-missing", "got")),
        "x = x.unsqueeze(1)   # (batch, 1, steps): one channel",
        lambda f: f.axes == 1 and f.wanted == 1 and f.x[:1] == (1,) and not f.are_last,
    ),
    plausible("input-size", reason("channels", "wanted", "got"), "nn.Conv{axes}d({got}, ...)   # in_channels={got}"),
)


@diagnoses("channels")
def channels(reading: Reading) -> Diagnosis:
    wanted, got = reading.size("expected"), reading.size("got")
    x, weight = reading.shape("x"), reading.shape("weight")
    facts = Facts(
        wanted=wanted,
        got=got,
        axes=max(1, len(weight) - 2),
        x=x,
        are_last=len(x) > 2 and x[-1] == wanted,
    )
    return Diagnosis(_LAYER, facts, CHANNELS, {"channels": wanted})


# ---- attention and normalization, which read the last axis -------------------------------------

ATTENTION: Rules = rules_of(
    "attention",
    _LAYER,
    strong(
        "hidden-size",
        (_FEATURES, _TWO_DIRECTIONS),
        "nn.MultiheadAttention({got}, ...)   # embed_dim={got}",
        conform=_wanted_features,
    ),
    facts=lambda reading: {"wanted": reading.size("expected")},
    sizes={"features": "got"},
)


def _norm_of_x(facts: Facts) -> str:
    sizes = facts.x[-max(1, len(facts.sizes)) :]
    return f"nn.LayerNorm({sizes[0] if len(sizes) == 1 else format_shape(sizes)})"


LAYER_NORM = strong("hidden-size", (_FEATURES, _TWO_DIRECTIONS), _norm_of_x, conform=_wanted_features)


@diagnoses("layer_norm")
def layer_norm(reading: Reading) -> Diagnosis:
    sizes, x = reading.sizes("expected"), reading.shape("got")
    facts = Facts(sizes=sizes, x=x, wanted=sizes[-1] if sizes else 0, got=x[-1])
    return Diagnosis(_LAYER, facts, LAYER_NORM, {"features": facts.got})


BATCH_NORM: Rules = (
    sure(
        "hidden-size",
        reason("running-mean", "got"),
        "running_mean, running_var = x.mean((0, 2)), x.var((0, 2))   # if x is (batch, channels, steps): over all other axes",
        lambda f: f.of_own,
    ),
    Rule(
        "transpose",
        # The features of a convolution are on that axis already.
        lambda f: Fit.POSSIBLE if f.of_convolution or f.got == 2 * f.wanted or f.wanted == 2 * f.got else Fit.STRONG,
        (reason("channels", "wanted", "got"), reason("steps-second")),
        "layer(x.transpose(1, 2)).transpose(1, 2)   # if x is (batch, steps, features)",
        lambda f: not f.of_own,
    ),
    likely(
        "hidden-size",
        (_FEATURES, _TWO_DIRECTIONS),
        "nn.BatchNorm1d({got})   # if x is (batch, features)",
        lambda f: not f.of_own,
        _wanted_features,
    ),
)


@diagnoses("batch_norm")
def batch_norm(reading: Reading) -> Diagnosis:
    """Diagnose BatchNorm1d, which reads the features on the axis after the batch."""
    # nn.BatchNorm1d itself calls the function as F.batch_norm.
    of_own = bool(re.search(r"nn\.functional\.batch_norm\(", reading.whole))
    of_convolution = bool(reading.own) and "conv" in reading.code.partition("(")[2]
    facts = Facts(
        wanted=reading.size("expected"), got=reading.size("got"), of_own=of_own, of_convolution=of_convolution
    )
    return Diagnosis(_LAYER, facts, BATCH_NORM, {"features": facts.wanted})


ONE_VALUE: Rules = rules_of(
    "one_value",
    _LAYER,
    strong(
        "batch-size",
        "norm-of-one",
        "layer.eval()(x)   # if nothing is trained here; else DataLoader(..., drop_last=True), without a last batch of one",
    ),
)


# ---- the number of axes ------------------------------------------------------------------------


def _axes_of_layer(facts: Facts) -> str:
    """Return the lines that give x the axes of a convolution or a normalization."""
    if facts.got < facts.wanted - 1:
        return "x = x[None, None]   # one sample of one channel"
    if facts.got < facts.wanted:
        return "x = x.unsqueeze(1)   # one channel: (batch, 1, ...)\nx = x.unsqueeze(0)   # a batch of one sample"
    squeezed = "x = x.squeeze(1)   # if axis 1 has one entry\n" if facts.x[1:2] in ((), (1,)) else ""
    return (
        f"{squeezed}x = x.flatten(0, 1)   # if each step is a sample: (batch·steps, ...)\n"
        "x = x.flatten(2)   # if all axes after the second are one: (batch, channels, steps)"
    )


LAYER_RANK: Rules = first_of(
    sure(
        "unbatched",
        (reason("axes", "allowed", axes="got"), reason("norm-of-images", number=lambda f: f.wanted - 2)),
        "nn.BatchNorm1d(...)   # in the place of nn.BatchNorm{number}d; of the same number of features",
        lambda f: f.of_norm,
    ),
    sure("unbatched", reason("axes", "allowed", axes="got"), _axes_of_layer),
)


@diagnoses("layer_rank")
def layer_rank(reading: Reading) -> Diagnosis:
    """Diagnose a convolution or a normalization that got an axis too many or too few."""
    told = reading.values["allowed"]
    allowed = reading.sizes("allowed") or (0,)
    got = reading.size("got") if "got" in reading.values else len(reading.shape("x"))
    wanted = max(allowed)
    facts = Facts(
        got=got,
        x=reading.shape("x") if "x" in reading.values else (),
        wanted=wanted,
        number=wanted - 2,
        allowed=" or ".join(map(str, allowed)) if told else "",
        # These are the words of a normalization alone, and rows of features are what BatchNorm1d takes.
        of_norm=got == 2 and wanted in (4, 5) and "D input (got" in reading.message,
    )
    return Diagnosis(_LAYER, facts, LAYER_RANK, {"axes": got})


HEAD_NUMBER: Rules = rules_of(
    "head_number",
    _LAYER,
    sure("split", "head-number", "nn.MultiheadAttention(..., num_heads=1)   # or a number that divides embed_dim"),
)


_TOKENS = "tokens"

TOKENS_AXES: Rules = rules_of(
    "tokens_axes",
    _TOKENS,
    sure(
        "unbatched",
        reason("tokens-axes", "got"),
        lambda f: (
            "input_ids, attention_mask = input_ids[None], attention_mask[None]   # a batch of one text"
            if len(f.got) < 2
            else "input_ids, attention_mask = input_ids.squeeze(1), attention_mask.squeeze(1)   # (batch, steps)"
        ),
    ),
)


TOKENS_RAGGED: Rules = rules_of(
    "tokens_ragged",
    _TOKENS,
    sure("ragged", "tokens-ragged", 'inputs = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")'),
)


TRANSFORMER_BATCH: Rules = rules_of(
    "transformer_batch",
    "input-of-layer",
    likely(
        "batch-first",
        "transformer-batch",
        "nn.Transformer(..., batch_first=True)   # if source and target are (batch, steps, features)",
    ),
)


TRANSFORMER_FEATURES: Rules = rules_of(
    "transformer_features",
    "input-of-layer",
    sure(
        "hidden-size",
        "transformer-features",
        "src, tgt = nn.Linear(src.size(-1), layer.d_model)(src), nn.Linear(tgt.size(-1), layer.d_model)(tgt)   # made once, in __init__; or an Embedding, if they are word indices",
    ),
)
