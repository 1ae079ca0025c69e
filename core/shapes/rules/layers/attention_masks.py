"""The masks of attention, and its query, keys and values."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.read_layer import like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import calls_of_line, reads_batch_first
from core.shapes.user_code.syntax_trees import argument

_ATTENTION = "input-of-layer"


def _with_batch_first(facts: Facts) -> str:
    """Return the line that makes the layer with the batch first, by the class that the text names."""
    if facts.is_encoder:
        return "nn.TransformerEncoderLayer(..., batch_first=True)   # if its input is (batch, steps, features)"
    return "nn.MultiheadAttention(..., batch_first=True)   # if its input is (batch, steps, features)"


_BATCH_FIRST = likely(
    "batch-first",
    (reason("mask-axis-of", "of", "axis", "wanted", "got"), reason("attention-order")),
    _with_batch_first,
    lambda f: not f.has_batch_first,
)

PADDING_MASK: Rules = rules_of(
    "padding_mask",
    _ATTENTION,
    _BATCH_FIRST,
    Rule(
        "transpose",
        # A size that looks like a chosen batch, where the layer expects the batch, is one.
        lambda f: Fit.STRONG if like_batch(f.wanted) and not like_batch(f.got) or f.has_batch_first else Fit.LIKELY,
        (reason("mask-axis-of", "of", "axis", "wanted", "got"), reason("mask-of-keys")),
        "mask = mask.T   # if the mask is (steps, batch)",
        lambda f: f.axis == 0,
    ),
    facts=lambda reading: {
        "of": "key_padding_mask",
        "wanted": reading.size("expected"),
        "is_encoder": _is_encoder(reading),
        "has_batch_first": reads_batch_first(reading),
    },
)


def _is_encoder(reading: Reading) -> bool:
    return bool(re.search(r"Transformer(?:Encoder|Decoder)?Layer\(|transformer\.py", reading.whole))


ATTENTION_MASK: Rules = (
    sure(
        "broadcast",
        reason("mask-of-heads", "got", "wanted"),
        "mask = mask.repeat_interleave({heads}, 0)   # the mask of each sequence, for each of {heads} heads",
        lambda f: f.heads,
    ),
    likely(
        "steps",
        reason("mask-of-attention", "got", "wanted"),
        lambda f: (
            f"mask = nn.Transformer.generate_square_subsequent_mask({f.wanted[-1]})   # if a step may not read later steps"
            if f.wanted[-2] == f.wanted[-1]
            else f"# a mask with a row for each of {f.wanted[-2]} steps of the query, and a column for each of {f.wanted[-1]} keys"
        ),
    ),
    plausible("batch-first", "attention-order", _with_batch_first, lambda f: not f.has_batch_first),
)


@diagnoses("attention_mask")
def attention_mask(reading: Reading) -> Diagnosis:
    got, wanted = reading.shape("got"), reading.shape("expected")
    heads = wanted[0] // got[0] if len(got) == len(wanted) == 3 and got[1:] == wanted[1:] and got[0] else 0
    facts = Facts(got=got, wanted=(*(-1,) * (2 - len(wanted)), *wanted), is_encoder=_is_encoder(reading), heads=heads)
    facts.has_batch_first = reads_batch_first(reading)
    return Diagnosis(_ATTENTION, facts, ATTENTION_MASK)


MASK_OF_KERAS = sure(
    "broadcast",
    reason("mask-of-layer", "mask", "query"),
    "x = layers.MultiHeadAttention(...)(x, x, attention_mask=mask[:, None, :])",
    own="own",
    note="if it marks the padding: (batch, 1, steps)",
)
_GIVEN = r"{}=(?:tf\.Tensor|<?KerasTensor|Tensor)\(shape=(\([^()]{{1,60}}\))"


def of_mask_of_keras(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a mask of two axes in MultiHeadAttention of Keras; None if the text tells no such mask."""
    found = [re.search(_GIVEN.format(name), reading.whole) for name in ("attention_mask", "query")]
    told = [shape(one[1]) for one in found if one]
    if "MultiHeadAttention.call()" not in reading.whole or [len(one) for one in told] != [2, 3]:
        return None

    masks = [one for call in calls_of_line(reading) if (one := argument(call, "attention_mask"))]
    own = line_with(reading, masks[0], f"{ast.unparse(masks[0])}[:, None, :]") if masks else ""
    return Diagnosis(_ATTENTION, Facts(mask=format_shape(told[0]), query=format_shape(told[1]), own=own), MASK_OF_KERAS)


KEYS_AND_VALUES: Rules = rules_of(
    "keys_and_values",
    _ATTENTION,
    strong(
        "steps",
        reason("keys-and-values", "left", "right"),
        "# the keys and the values must be of the same sequences: attention(query, outputs, outputs)",
    ),
)


ATTENTION_AXES: Rules = rules_of(
    "attention_axes",
    _ATTENTION,
    sure(
        "unbatched",
        reason("attention-axes", "keys", "values"),
        "keys, values = keys.unsqueeze(0), values.unsqueeze(0)   # (1, batch, features): one step for each sequence\n"
        "keys, values = keys.unsqueeze(1), values.unsqueeze(1)   # the same with batch_first; or one sequence without it",
    ),
)


# ---- a sum or product of four axes, as scores and images have them ----------------------------


def is_of_scores(reading: Reading) -> bool:
    """Whether the reader's line names the scores of attention, or their mask."""
    return any(re.search(r"mask|scores|attn|attention|\benergy\b", one.code) for one in reading.own[-1:])


def _of_scores_or_images(facts: Facts) -> str:
    """Return the lines for a mask of scores, and the words for images, which come first if the text is about them."""
    shorter = f"b = b[..., :{facts.left}]   # if it is the mask of scores: as many steps as they have"
    scores = shorter if facts.left < facts.right else f"# a mask of scores must have {facts.left} steps too"
    images = "# x must have the rows and columns that the state, or the other array, was made for"
    return scores if facts.of_scores else "\n".join((images, scores) if facts.of_images else (scores, images))


AXIS_OF_FOUR: Rules = (
    likely(
        "broadcast",
        (
            reason("broadcast-axis", "axis", "left", "right"),
            reason("broadcast-scores", "axis", when=lambda f: f.of_scores),
            reason("broadcast-four-axes", "axis", when=lambda f: not f.of_scores),
        ),
        _of_scores_or_images,
        lambda f: not (f.is_place or f.of_loss or f.of_fit or f.fills_mask or f.parameter) and f.axis >= 3,
    ),
)
