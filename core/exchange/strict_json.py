"""JSON without repeated names."""

import json

from core.exchange.archives import expect_unique


def read_json(text: str | bytes, refusal: str) -> object:
    """Read JSON without repeated names: the standard library would silently take the last one.

    Parameters
    ----------
    refusal : str
        The message if it is not JSON.

    Raises
    ------
    ValueError
        If it is not JSON, or naming what it says twice.
    """
    twice = []

    def as_dict(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice.append([name for name, _ in pairs])
        return found

    try:
        value = json.loads(text, object_pairs_hook=as_dict)
    except (ValueError, RecursionError):
        raise ValueError(refusal) from None
    for names in twice:
        expect_unique(names)
    return value
