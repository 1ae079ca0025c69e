"""Run the programs of `reader_programs` with PyTorch and keep what they raise, as JSON beside this file.

pip install torch && PYTHONPATH=. python tests/core/golden/make_reader_programs.py
"""

import contextlib
import io
import json
import linecache
import traceback
import warnings
from pathlib import Path

from tests.core.golden.reader_programs import IMPORTS, PROGRAMS

HERE = Path(__file__).resolve().parent


def raised(text: str, name: str) -> dict:
    """Return the message of a program and the line of it that failed, counted without the imports."""
    whole = IMPORTS + text
    linecache.cache[name] = (len(whole), None, whole.splitlines(keepends=True), name)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(whole, name, "exec"), {"__name__": "__main__"})
        except Exception as error:  # whatever PyTorch raises
            frames = traceback.extract_tb(error.__traceback__)
            line = [frame.lineno for frame in frames if frame.filename == name][-1]
            message = "".join(traceback.format_exception_only(error))
            return {"message": message, "line": line - IMPORTS.count("\n")}
    raise AssertionError(f"This program raises nothing: {text}")


def main() -> None:
    rows = [{"name": name} | raised(text, f"{name}.py") for name, _, text in PROGRAMS]
    (HERE / "reader_programs.json").write_text(json.dumps(rows, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
