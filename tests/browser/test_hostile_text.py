"""Somebody's hostile text in every place that takes a text: nothing runs, nothing is fetched, nothing is styled.

All on the plain server, which sends no policy: what holds here does not lean on one.
"""

import ast
import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from io import StringIO
from pathlib import PurePath
from re import fullmatch
from tokenize import STRING, generate_tokens
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Locator, Page, expect

from core.cells import CELLS
from core.exchange import listing
from core.exchange.latex import latex
from core.exchange.notebook import notebook
from core.exchange.scenario_json import FORMAT, VERSION, from_json, to_json
from core.scenario import Scenario
from core.time.inputs import alphabet
from dashboard.choices import OF_LOOKS, PARAMETERS
from tests.browser.conftest import is_outside, new_context
from tests.browser.page import GO, lead, number_field, panel, until, visit
from tests.core.test_files import archive, npy, safetensors
from tests.live import PLAIN, at_rest, running

pytestmark = pytest.mark.slow
# An address for documentation, where nobody is. What is refused repeats 60 characters of a name: all of these fit.
# What a text becomes is known by what is in it: a call of pwn, that address, or a letter that stands nowhere else.
PAYLOADS = {
    "a script": "<script>pwn()</script>",
    "an image that fails": "<img src=x onerror=pwn()>",
    "a drawing that loads": "<svg/onload=pwn()>",
    "a link that runs": "[ɸ](javascript:pwn()) <javascript:pwn()>",
    "an image and links from outside": "![ɸ](http://198.51.100.9/a) www.a.invalid a@b.invalid",
    "a frame": '<iframe srcdoc="<img src=x onerror=parent.pwn()>">',
    "a style": "<style>*{background:red url(http://198.51.100.9)}</style>",
    "Streamlit's own signs": ":red[ɸ] :material_home: :material/home: :tada: **ɸ** -> c",
    "a formula": r"$\href{javascript:pwn()}{ɸ_{ɸ}}$ $\htmlData{x=1}{ɸ}$",
    "a way out": "'\"`}]-pwn()--></script></text><img src=x onerror=pwn()>",
    "turned and hidden": "\u202e<b style=position:fixed onclick=pwn()>\u200b\ufeffa",
}
# What of the others fits in a word, which also takes nothing that is not printed; letters from right to left are.
SHORT = {
    "a link that runs": "[ɸ](javascript:pwn())",
    "an image and links from outside": "![ɸ](http://198.51.100.9/a)",
    "a frame": "<iframe src=javascript:pwn()>",
    "a style": "<style>*{color:red}</style>",
    "Streamlit's own signs": ":red[ɸ] :material_home: **ɸ** ->",
    "a formula": r"$\href{javascript:pwn()}{ɸ_{ɸ}}$",
    "a way out": "'\"`}]><img src=x onerror=pwn()>",
    "turned and hidden": "א<b style=position:fixed>ב",
}
WORDS = {name: SHORT.get(name, text) for name, text in PAYLOADS.items()}
# The same as markup, for a page that falls for it.
MADE = {
    "a link that runs": "<a href='javascript:pwn()'>a</a>",
    "an image and links from outside": "<img src=http://198.51.100.9/a><a href=mailto:a@b.invalid>a</a>",
    "Streamlit's own signs": "<span class=stMarkdownColoredText>ɸ</span>",
    "a formula": "<span class=katex>ɸ</span>",
    "a way out": "<img src=x onerror=pwn()>",
    "turned and hidden": "<b style=position:fixed onclick=pwn()>a</b>",
}

# In every frame: what hostile text could call. `pwn` tells the test of it.
TRAP = 'for (const name of ["alert", "confirm", "prompt", "print", "open"]) window[name] = () => pwn()'
COPY = """text => {
  const blob = (type) => new Blob([text], { type })
  const item = new ClipboardItem({ "text/plain": blob("text/plain"), "text/html": blob("text/html") })
  return navigator.clipboard.write([item])
}"""
# Each text is drawn, and is also the colour and the font.
DRAW = """async (texts) => {
  const { SvgContext } = await import("/app/static/svg.js")
  const context = new SvgContext(100, 100)
  for (const text of texts) {
    Object.assign(context, { fillStyle: text, strokeStyle: text, font: `10px ${text}` })
    context.fillText(text, 1, 1)
    context.strokeRect(0, 0, 1, 1)
  }
  return context.toString()
}"""
# What on the page is the work of a text, also in shadow trees: elements, attributes and styles that have a part of it.
LOOK = r"""() => {
  const roots = [document], all = [], found = []
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      all.push(element)
      if (element.shadowRoot) roots.push(element.shadowRoot)
    }
  }
  const OURS = /pwn|198\.51\.100|\.invalid|ɸ|\bhome icon\b/
  const TAGS = "script, iframe, frame, object, embed, base, meta, a:not([href^='/'], [href^='#'], [href^='blob:'])"
  const SIGNS = ".katex, [class*=stMarkdownColored], [class*=stMarkdownBadge], [role=img][aria-label$=' icon'], .picture sub"
  const WORDS = "a, img, em, strong, del, sub, sup, ul, ol, table, h1, h2, h3, h4, h5, h6"
  const LEADS = /^(href|src|srcset|srcdoc|xlink:href|action|formaction|data|poster|background|ping|style)$/i
  for (const element of all) {
    const made = (what) => OURS.test(element.outerHTML) && found.push(what)
    if (element.matches(`${TAGS}, ${SIGNS}`)) made(element.localName)
    if (element.matches(WORDS) && element.closest("[data-testid=stAlert], [role=dialog]")) made(`${element.localName} in a message`)
    for (const { name, value } of element.attributes) {
      const leads = LEADS.test(name) && /javascript:|198\.51\.100|\.invalid|\bfixed\b/i.test(value)
      if (leads || /^on|^srcdoc$/i.test(name)) made(`${element.localName} ${name}`)
    }
  }
  const SEEN = ["html", "body", ".stApp", "h1", "[data-testid=stSidebar]", ".picture", ".picture p"]
  const STYLES = ["color", "background-color", "background-image", "position"]
  for (const seen of SEEN) {
    const element = all.find((element) => element.matches(seen))
    for (const name of element ? STYLES : []) {
      const value = getComputedStyle(element).getPropertyValue(name)
      if (/rgb\(255, 0, 0\)|198\.51\.100|^fixed$/.test(value)) found.push(`${name} of ${seen}`)
    }
  }
  return found
}"""


class Watch:
    """Sees what hostile text does anywhere in a browser."""

    def __init__(self, context: BrowserContext, server: str):
        self.context, self.seen = context, []
        context.expose_function("pwn", lambda *_: self.seen.append("it ran"))
        context.add_init_script(TRAP)
        context.on("dialog", self._dialog)
        context.on("request", lambda request: self._request(request.url) if is_outside(request.url, server) else None)

    def _dialog(self, dialog: Dialog) -> None:
        self.seen.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, url: str) -> None:
        self.seen.append(f"a request: {url}")

    def troubles(self, page: Page) -> list[str]:
        """What happened so far, and what a text has become on the page."""
        windows = ["a window"] * (len(self.context.pages) - 1) + ["a frame"] * (len(page.frames) - 1)
        return [*self.seen, *windows, *page.evaluate(LOOK)]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running((*PLAIN[:-1], "--server.fileWatcherType", "none", PLAIN[-1])) as server:
        yield server.url


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def watch(context: BrowserContext, server: str) -> Iterator[Watch]:
    watch = Watch(context, server)
    yield watch
    context.pages[0].wait_for_timeout(300)  # what would still come
    assert watch.seen == []


def said(page: Page) -> Locator:
    return page.get_by_test_id("stAlert")


def literally(text: str) -> str:
    """How Streamlit shows it even as code."""
    return text.replace(":material/", ":material_")


# ---- what is sent in a link ----------------------------------------------------------------


def test_a_hostile_path_value_or_name_of_a_parameter_is_nowhere_on_the_page(page, server, watch):
    for texts in batched(PAYLOADS.values(), 6):
        text = " ".join(texts)
        link = dict.fromkeys(PARAMETERS, text) | {"typed": f"{text}~1", "embed_options": text}
        link |= {"word": 2 * text} | {name: name for name in texts}
        assert not any(rule.allows(link[name]) for name, rule in PARAMETERS.items())
        visit(page, f"{server}/{quote(text, safe='')}?{urlencode(link)}#{quote(text)}")
        refused = said(page).inner_text()
        assert all(f"The link's {parameter} must be" in refused for parameter in PARAMETERS), texts
        body = page.locator("body").inner_text()
        assert not any(text in body for text in texts), texts
        assert watch.troubles(page) == [], texts


def batched(some: Iterable[str], size: int) -> Iterator[list[str]]:
    some = list(some)
    yield from (some[at : at + size] for at in range(0, len(some), size))


def test_a_hostile_word_in_a_link_is_spelled_out(page, server, watch):
    visit(page, f"{server}/sequence?input=word&m=3&n=1&k=1")
    for name, word in WORDS.items():
        m = len(alphabet(word))
        link = {"input": "word", "word": word, "m": m, "n": 1, "k": 1, word: word}
        page.evaluate(GO, f"/sequence?{urlencode(link)}#{quote(word)}")
        expect(page.get_by_role("textbox", name="Word")).to_have_value(word)
        expect(lead(page)).to_contain_text(f"The input is “{word}”:")
        assert watch.troubles(page) == [], name


# ---- what is typed and pasted --------------------------------------------------------------


def enter(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Control+Enter")


def assert_refused(field: Locator, text: str, *, good: str) -> None:
    """Said to be refused, without a word of it, where nothing was said of what is good."""
    page = field.page
    enter(field, good)
    expect(said(page)).to_have_count(0)
    enter(field, text)
    expect(said(page)).to_contain_text("What was there is kept.")
    assert text not in said(page).text_content()


@pytest.mark.parametrize(
    ("link", "field", "good"),
    [
        ("?edit=true", "Paste all of", "1 2\n3 4\n5 6"),
        ("sequence?input=numbers&m=1&n=1&k=1&typed=xs~1", "at every step", "1\n2"),
    ],
    ids=["editor", "sequence"],
)
def test_hostile_text_in_place_of_numbers_is_refused_without_being_repeated(page, server, watch, link, field, good):
    visit(page, f"{server}/{link}")
    for name, text in PAYLOADS.items():
        assert_refused(page.get_by_role("textbox", name=field), text, good=good)
        assert watch.troubles(page) == [], name


def test_hostile_text_in_a_cell_of_the_grid_is_not_taken(page, server, watch):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(page, f"{server}/?edit=true")
    page.locator(".dvn-scroller").click(position={"x": 200, "y": 52})
    page.evaluate(COPY, "8")
    page.keyboard.press("Control+V")
    page.wait_for_url("**typed=W_hh~8_*")  # as a number is
    at_rest(page)
    for name, text in PAYLOADS.items():
        page.evaluate(COPY, text)
        page.keyboard.press("Control+V")
        page.keyboard.press("Enter")
        page.keyboard.insert_text(text)
        page.wait_for_timeout(200)  # the grid is still reading the clipboard
        assert watch.troubles(page) == [], name
        page.keyboard.press("Enter")
        at_rest(page)
        assert watch.troubles(page) == [], name


def test_hostile_text_in_a_number_or_a_list_of_choices_is_not_taken(page, server, watch):
    visit(page, server)
    seed, example = number_field(page, "Seed"), page.get_by_role("combobox", name="Worked example")
    for name, text in PAYLOADS.items():
        example.click()
        example.fill(text)
        expect(page.get_by_text("No results")).to_be_visible()
        assert watch.troubles(page) == [], name
        example.press("Escape")
        seed.focus()
        page.keyboard.insert_text(text)
        seed.press("Enter")
        at_rest(page)
        assert watch.troubles(page) == [], name
    assert "example=" not in page.url


def test_a_hostile_word_is_spelled_out_however_it_comes(page, server, watch):
    visit(page, f"{server}/sequence?input=word&n=1&k=1&take=true")
    field = page.get_by_role("textbox", name="Word")
    for at, (name, text) in enumerate(PAYLOADS.items()):
        if len(text) > PARAMETERS["word"].longest:
            field.fill(text)
            assert text not in field.input_value()
        elif not PARAMETERS["word"].allows(text):
            enter(field, text)
            expect(said(page)).to_contain_text("word must be 1 to 32 printable characters. The last one is kept.")
        enter(field, WORDS[name])
        expect(lead(page)).to_contain_text(f"The input is “{WORDS[name]}”:")
        expect(page.get_by_test_id("stCode").first).to_contain_text(urlencode({"word": WORDS[name]}))
        assert watch.troubles(page) == [], name
        if at % 3:
            continue
        choices = {"input": "word", "word": f"{WORDS[name][1:]}.", "m": PARAMETERS["word"].longest, "n": 1, "k": 1}
        bring(page, "a.json", scenario(choices=choices))
        expect(lead(page)).to_contain_text(f"The input is “{choices['word']}”:")
        assert watch.troubles(page) == [], name


# ---- what is opened ------------------------------------------------------------------------


# One number, as the header of a .npy file and as an entry of a .safetensors file describe it.
NUMBER = {"descr": "<f8", "fortran_order": False, "shape": (1, 1)}
TENSOR = {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}


def scenario(**changed: object) -> bytes:
    return json.dumps({"format": FORMAT, "version": VERSION} | changed).encode()


def bad_files(text: str) -> Iterator[tuple[str, bytes, str]]:
    """A file with the text in each place that a file has: its name, its bytes, and what is said of it.

    Of one file it is never what is said of the next one, so that it can be waited for.
    """
    texts = {field.name: text for field in fields(Scenario) if isinstance(field.default, str)}
    unknown = "must have known names only, got {!r}: take it out. Nothing was changed.".format
    # The browser itself sends a quotation mark in the name of a file so, and the rest of a path not at all.
    in_name, in_archive = PurePath(f"{text}.csv".replace('"', "%22")).stem, PurePath(f"{text}.npy").stem
    yield f"{text}.json", scenario(**{text: text}), f"the file {unknown(text)}"
    yield "a.json", scenario(choices={text: text}), f"choices {unknown(text)}"
    yield "a.json", scenario(choices=texts), "order must be one of hx, xh: change it in the file. Nothing was changed."
    yield "a.json", scenario(arrays={text: [[1]]}), f"arrays {unknown(text)}"
    yield "a.json", scenario(arrays={"W_hh": [[text], {text: text}]}), "arrays.W_hh must be a list of rows"
    yield f"{text}.npz", archive({f"{text}.npy": npy(NUMBER, bytes(8))}), f"arrays {unknown(in_archive)}"
    yield "a.json", scenario(format=text), 'The file must be an object with "format"'
    yield f"{text}.csv", b"1,2", f"arrays {unknown(in_name)}"
    yield "W_hh.csv", text.encode(), "The brackets do not fit" if text[0] == "[" else "Row 1, column 1 is not"
    yield f"{text}.safetensors", safetensors({"__metadata__": {text: text}, text: TENSOR}), f"arrays {unknown(text)}"


def bring(page: Page, name: str, data: bytes) -> None:
    at_rest(page)
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    page.locator("input[type=file]").set_input_files(file)


def test_hostile_text_in_a_file_is_repeated_as_text_or_not_at_all(page, server, watch):
    """Each of them in a third of all places, and in each place a third of them."""
    page.goto(f"{server}/examples?take=true")
    for at, (name, text) in enumerate(PAYLOADS.items()):
        for file, data, words in list(bad_files(text))[at % 3 :: 3]:
            bring(page, file, data)
            expect(said(page)).to_contain_text(literally(words))
            assert "got" in words or literally(text) not in said(page).text_content()
            assert watch.troubles(page) == [], (name, file, words)


# ---- what is taken away --------------------------------------------------------------------


def test_no_code_has_a_word_in_it():
    for word in WORDS.values():
        assert_in_no_code(word)


def assert_in_no_code(word: str) -> None:
    given = Scenario(m=len(alphabet(word)), n=3, k=3, input="word", word=word)
    for cell in CELLS:
        for write in (listing.numpy_script, listing.pytorch_script, listing.keras_script):
            script = write(given, cell, sequence=True)
            tokens = generate_tokens(StringIO(script).readline)
            assert word not in "".join(token.string for token in tokens if token.type != STRING)
            ast.parse(script)
        cells = json.loads(notebook(given, cell))["cells"]
        assert not any(word in "".join(part["source"]) for part in cells)
        assert word not in latex(Scenario(n=3, word=word), cell, decimals=2)
    assert from_json(to_json(given, {}), {}) == (given, {})


def test_what_is_taken_away_from_a_hostile_word_is_named_and_written_without_it(page, server, watch):
    word = WORDS["a way out"]
    visit(
        page,
        f"{server}/sequence?{urlencode({'input': 'word', 'word': word, 'm': len(alphabet(word)), 'take': 'true'})}",
    )
    for kind, ending in (("NumPy", "py"), ("PyTorch", "py"), ("Keras", "py"), ("Notebook", "ipynb")):
        page.get_by_text(kind, exact=True).click()
        expect(page.get_by_test_id("stCaptionContainer").filter(has_text=f"{kind}:")).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download as .{ending}").click()
        assert download.value.suggested_filename == f"cellscope.{ending}"
        assert word not in download.value.path().read_text()
        assert watch.troubles(page) == [], kind
    with page.expect_download() as download:
        page.get_by_role("button", name="All choices (.json)").click()
    assert from_json(download.value.path().read_text(), OF_LOOKS)[0].word == word
    with page.expect_download() as download:
        panel(page, "Step 1").get_by_role("button", name="Save this drawing as SVG").click()
    assert fullmatch(r"step-1-of-\d+\.svg", download.value.suggested_filename)
    assert watch.troubles(page) == []


def test_a_saved_drawing_holds_hostile_text_as_text(page, server, watch):
    page.goto(f"{server}/_stcore/health")
    texts = list(PAYLOADS.values())
    svg = page.evaluate(DRAW, texts)
    root = ElementTree.fromstring(svg)
    drawn = [element for element in root if element.tag.endswith("text")]
    assert [element.text for element in drawn] == texts
    assert [element.get("fill") for element in drawn] == texts
    assert [element.get("font-family") for element in drawn] == texts
    page.route("**/saved.svg", lambda route: route.fulfill(body=svg, content_type="image/svg+xml"))
    page.goto(f"{server}/saved.svg")
    assert page.evaluate("document.documentElement.localName") == "svg"
    assert watch.troubles(page) == []


# ---- the test of the test ------------------------------------------------------------------


CAUGHT = {
    "a script": {"it ran", "script"},
    "an image that fails": {"it ran", "img onerror"},
    "a drawing that loads": {"it ran", "svg onload"},
    "a link that runs": {"a", "a href"},
    "an image and links from outside": {"a request: http://198.51.100.9/a", "img src", "a", "a href"},
    "a frame": {"it ran", "a frame", "iframe", "iframe srcdoc"},
    "a style": {"a request: http://198.51.100.9/", "background-color of .picture p"},
    "Streamlit's own signs": {"span"},
    "a formula": {"span"},
    "a way out": {"it ran", "img onerror"},
    "turned and hidden": {"b onclick", "b style"},
}


@pytest.fixture
def own(browser: Browser, server: str) -> Iterator[tuple[Watch, Page]]:
    """A browser in which trouble is no failure."""
    context = new_context(browser)
    yield Watch(context, server), context.new_page()
    context.close()


@pytest.mark.parametrize(
    "around", ["{}", "<div><template shadowrootmode=open>{}</template></div>"], ids=["page", "shadow"]
)
def test_each_of_them_is_caught_where_it_is_let_in(own, around):
    watch, page = own
    page.set_content(around.format("<div class=picture><p>a</p></div>"))
    assert watch.troubles(page) == []
    for name, text in PAYLOADS.items():
        page.set_content(around.format(f"<div class=picture><p>a</p>{MADE.get(name, text)}</div>"))
        until(page, lambda name=name: assert_caught(watch, page, name))
        page.goto("about:blank")
        watch.seen.clear()


def assert_caught(watch: Watch, page: Page, name: str) -> None:
    assert CAUGHT[name] <= set(watch.troubles(page)), name


def test_a_dialog_and_a_window_are_caught(own):
    watch, page = own
    page.set_content("<a href=about:blank target=_blank>a</a>")
    page.evaluate("alert(1)")
    with watch.context.expect_page():
        page.click("a")
    assert watch.troubles(page) == ["it ran", "a window"]
