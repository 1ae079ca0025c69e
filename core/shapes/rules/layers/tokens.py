"""The tokens of texts in a model of Hugging Face, and the two inputs of a Transformer."""

from core.shapes.rules.fits import likely, sure
from core.shapes.rules.rule import Rules, reason, rules_of

_TOKENS = "tokens"

TOKENS_AXES: Rules = rules_of(
    "tokens_axes",
    _TOKENS,
    sure(
        "unbatched",
        (reason("tokens-axes", "got"),),
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
