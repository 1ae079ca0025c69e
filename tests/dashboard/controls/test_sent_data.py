"""The data that Python sends to the browser fits the types of the JavaScript."""

import json
from pathlib import Path

import pytest

from tests.dashboard.page import WITH_WIDGETS, open_link
from tests.test_javascript import TSC, run

STATIC = Path(__file__).parents[3] / "dashboard" / "static"
# The type of each component's data, by the component's name.
SENT = {
    "picture": "PictureMessage",
    "controls": "ControlsData",
    "sidebar": "SidebarData",
    "patches": "{ changed: Patches }",
    "keeper": "StorageData",
    "progress": "ProgressData",
}
# Links with what no page has by itself: A of a comparison, and arrays that the tab stores.
LINKS = [
    *WITH_WIDGETS.items(),
    ("lstm", {"compare": "example=lab&k=2", "init": "normal"}),
    ("sequence", {"k": "70", "n": "70", "init": "normal", "compare": "example=lab"}),
    ("", {"kept": "x_t~" + 12 * "0", "question": "1", "view": "projector"}),
]


# The loader of the modules reads these two fields, and types.d.ts does not have them.
FOR_LOADER = "type ForLoader = { modules: string; part: string }"


@pytest.mark.slow
def test_python_sends_what_the_types_say(tmp_path: Path):
    names = "PictureMessage, ControlsData, SidebarData, Patches, StorageData, ProgressData"
    lines, seen = [f'import type {{ {names} }} from "{(STATIC / "types").as_posix()}"', FOR_LOADER], set()
    for path, parameters in LINKS:
        at = open_link(path, **parameters)
        assert not at.exception
        for found in at.get("bidi_component"):
            name = found.proto.component_name.removeprefix("cellscope_")
            seen.add(name)
            lines.append(
                f"export const sent{len(lines)}: ForLoader & {SENT[name]} = {json.dumps(json.loads(found.proto.json), indent=1)}"
            )
    assert seen == set(SENT)
    file = tmp_path / "sent.ts"
    file.write_text("\n".join(lines), encoding="utf-8")
    options = "--noEmit --strict --target es2023 --module esnext --moduleResolution bundler".split()
    run(str(TSC), *options, str(file), subject="the types of what Python sends are")
