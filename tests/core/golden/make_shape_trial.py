"""Run the programs of the trial and keep what they raise, as JSON beside this file.

pip install torch keras && PYTHONPATH=. KERAS_BACKEND=torch python tests/core/golden/make_shape_trial.py
"""

import json
import linecache
import os
import re
import sys
import traceback
import warnings
from pathlib import Path

os.environ.setdefault("KERAS_BACKEND", "torch")

import keras
import numpy as np
import torch
from keras import layers
from torch import nn
from torch.nn import functional as F  # noqa: N812 (the name that everybody gives it)
from torch.nn.utils.rnn import pack_padded_sequence

from core.shapes import explain
from tests.core.advised_program import changed
from tests.core.golden.shape_trial import TRIALS, Trial

HERE = Path(__file__).resolve().parent
NAMES = {
    "torch": torch, "nn": nn, "F": F, "np": np, "keras": keras, "layers": layers,
    "pack_padded_sequence": pack_padded_sequence,
}  # fmt: skip


def raised(text: str, name: str) -> str:
    """What a program raises, or warns, as a reader would paste it; empty if nothing."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        try:
            exec(compile(text, name, "exec"), dict(NAMES))
        except Exception as error:  # whatever a library raises for a wrong shape
            frames = traceback.TracebackException.from_exception(error)
            while frames.stack and frames.stack[0].filename == __file__:
                del frames.stack[0]
            return re.sub(r'File "[^"]*?/site-packages/', 'File "site-packages/', "".join(frames.format()))
    return ""


def of_trial(number: int, trial: Trial) -> dict:
    whole = raised(trial.text, f"train_{number}.py")
    explanation = explain(whole)
    lines = []
    for cause in explanation.best:
        for line in (cause.own or cause.change).splitlines():
            came = "words"
            for text in changed(trial.text, explanation.own, line):
                came = raised(text, "changed.py").strip().splitlines()[-1:]
                came = came[0][:160] if came else "ran"
                if came == "ran":
                    break
            lines.append({"code": cause.code, "line": line, "came": came})
    return {"truth": trial.truth.split(), "traceback": whole, "lines": lines}


def main() -> None:
    rows = [of_trial(number, one) for number, one in enumerate(TRIALS)]
    (HERE / "shape_trial.json").write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8"
    )
    right = removed = 0
    for trial, row in zip(TRIALS, rows):
        causes = explain(row["traceback"]).causes
        is_right = bool(causes) and causes[0].code in row["truth"]
        is_removed = any(line["came"] == "ran" and line["code"] in row["truth"] for line in row["lines"])
        right, removed = right + is_right, removed + is_removed
        if "-v" in sys.argv and not (is_right and is_removed):
            print(
                "----",
                trial.truth,
                "" if is_right else "WRONG",
                [c.code for c in causes],
                row["traceback"][-700:],
                *row["lines"],
                sep="\n",
            )
    print(f"{len(rows)} programs: {right} first causes are right, {removed} have a line that takes the error away")


if __name__ == "__main__":
    main()
