"""The tokens of texts in a model of Hugging Face, and the two inputs of a Transformer."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

_TOKENS = Statement("tokens")

TOKENS_AXES: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("tokens-axes", "got"),),
        lambda f: (
            "input_ids, attention_mask = input_ids[None], attention_mask[None]   # a batch of one text"
            if len(f.got) < 2
            else "input_ids, attention_mask = input_ids.squeeze(1), attention_mask.squeeze(1)   # (batch, steps)"
        ),
    ),
)


@diagnoses("tokens_axes")
def tokens_axes(reading: Reading) -> Diagnosis:
    """Diagnose tokens that lack the axis of texts, or have one more."""
    return Diagnosis(_TOKENS, Facts(got=reading.shape("got")), TOKENS_AXES)


TOKENS_RAGGED: Rules = (
    Rule(
        "ragged",
        Fit.SURE,
        (reason("tokens-ragged"),),
        'inputs = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")',
    ),
)


@diagnoses("tokens_ragged")
def tokens_ragged(reading: Reading) -> Diagnosis:
    """Diagnose texts of different lengths without padding."""
    return Diagnosis(_TOKENS, Facts(), TOKENS_RAGGED)


TRANSFORMER_BATCH: Rules = (
    Rule(
        "batch-first",
        Fit.LIKELY,
        (reason("transformer-batch"),),
        "nn.Transformer(..., batch_first=True)   # if source and target are (batch, steps, features)",
    ),
)


@diagnoses("transformer_batch")
def transformer_batch(reading: Reading) -> Diagnosis:
    """Diagnose a source and a target of different batches for nn.Transformer."""
    return Diagnosis(Statement("input-of-layer"), Facts(), TRANSFORMER_BATCH)


TRANSFORMER_FEATURES: Rules = (
    Rule(
        "hidden-size",
        Fit.SURE,
        (reason("transformer-features"),),
        "src, tgt = nn.Linear(src.size(-1), layer.d_model)(src), nn.Linear(tgt.size(-1), layer.d_model)(tgt)   # made once, in __init__; or an Embedding, if they are word indices",
    ),
)


@diagnoses("transformer_features")
def transformer_features(reading: Reading) -> Diagnosis:
    """Diagnose a source or a target whose last axis is not d_model."""
    return Diagnosis(Statement("input-of-layer"), Facts(), TRANSFORMER_FEATURES)
