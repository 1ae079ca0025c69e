"""Somebody's hostile text in every place that takes a text: nothing runs, nothing is fetched, nothing is styled.

All on the plain server, which sends no policy: what holds here does not lean on one.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import fields
from functools import partial
from io import StringIO
from itertools import count, cycle
from pathlib import PurePath
from tokenize import STRING, generate_tokens
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Locator, Page, expect

from core.cells import CELLS
from core.exchange import generated_code
from core.exchange.array_files import read_arrays
from core.exchange.latex import latex
from core.exchange.notebook import notebook
from core.exchange.scenario_json import FORMAT, VERSION, from_json, to_json
from core.scenario import Scenario, expect_names
from core.sequence.inputs import alphabet
from dashboard.state.parameters import VALUE_RULES, VIEW_PARAMS
from dashboard.text import editor, notices, save_panel, sequence
from tests.browser.conftest import is_outside, new_context, no_trouble
from tests.browser.page import GO, followed, number_field, panel, sentence, until, visit
from tests.core.test_array_files import archive, npy, safetensors
from tests.live import PLAIN, running
from tests.sentences import reason

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
  const { SvgContext } = await import("/app/static/interact/save_svg.js")
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
      const isOurPath = name === "href" && /^\/(?!\/)/.test(value) // whatever is behind its question mark
      const leads = LEADS.test(name) && !isOurPath && /javascript:|198\.51\.100|\.invalid|\bfixed\b/i.test(value)
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
    with running(PLAIN) as server:
        yield server.url


@pytest.fixture(scope="module")
def watched(browser: Browser, server: str) -> Iterator[Watch]:
    """One browser for all of them: what a new one reads anew takes Chromium three times as long."""
    context = new_context(browser)
    yield Watch(context, server)
    context.close()


@pytest.fixture
def page(watched: Watch, server: str) -> Iterator[Page]:
    with no_trouble(watched.context, server), closing(watched.context.new_page()) as page:
        yield page


@pytest.fixture
def watch(watched: Watch, page: Page) -> Iterator[Watch]:
    yield watched
    page.wait_for_timeout(300)  # what would still come
    assert watched.seen == []


# The end of a message about a refused text in the editor, and the whole message about a refused sequence.
UNCHANGED = re.compile("|".join(sentence(one).pattern for one in (editor.UNCHANGED, sequence.REFUSED)))
# The sentences about a parameter that the link may not have.
REFUSED = [
    partial(sentence, one) for one in (notices.REFUSED, notices.REFUSED_WITHOUT_LABEL, notices.REFUSED_WITHOUT_VALUE)
]


def of_word(word: str) -> str:
    return sequence.INPUTS["word"].partition("{word}")[0] + word


def said(page: Page) -> Locator:
    return page.get_by_test_id("stAlert")


def literally(text: str) -> str:
    """How Streamlit shows it even as code."""
    return text.replace(":material/", ":material_")


# ---- what is sent in a link ----------------------------------------------------------------


def test_a_hostile_path_value_or_name_of_a_parameter_is_nowhere_on_the_page(page, server, watch):
    texts = list(PAYLOADS.values())
    text = " ".join(texts)
    link = dict.fromkeys(VALUE_RULES, text) | {"typed": f"{text}~1", "embed_options": text}
    link |= {"word": text} | {name: name for name in texts}
    assert not any(rule.allows(link[name]) for name, rule in VALUE_RULES.items())
    visit(page, f"{server}/{quote(text, safe='')}?{urlencode(link)}#{quote(text)}")
    refused = said(page).inner_text()
    assert all(any(found(name=name).search(refused) for found in REFUSED) for name in VALUE_RULES)
    body = page.locator("body").inner_text()
    assert not any(text in body for text in texts)
    assert watch.troubles(page) == []


def batched(some: Iterable[str], size: int) -> Iterator[list[str]]:
    some = list(some)
    yield from (some[at : at + size] for at in range(0, len(some), size))


# ---- what is typed and pasted --------------------------------------------------------------


# What is refused without being repeated may come together: what each of them would make is still told apart.
TOGETHER = list(batched(PAYLOADS.values(), 4))


def enter(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Control+Enter")


def assert_refused(field: Locator, texts: list[str], *, good: str) -> None:
    """Said to be refused, without a word of it, where nothing was said of what is good."""
    page, tries = field.page, count()

    # If a run puts its own text into the field while this is typed, the text is lost. It is then entered again with one more line
    # end, because the same text again is no change.
    def take() -> None:
        followed(page)
        enter(field, good + "\n" * next(tries))
        expect(said(page)).to_have_count(0, timeout=10_000)

    def refuse() -> None:
        followed(page)
        enter(field, " ".join(texts) + "\n" * next(tries))
        expect(said(page)).to_contain_text(UNCHANGED, timeout=10_000)
        told = " ".join(said(page).all_inner_texts())
        assert UNCHANGED.search(told)
        assert not any(text in told for text in texts)

    until(page, take)
    until(page, refuse)


def test_hostile_text_in_place_of_numbers_or_of_a_choice_is_not_taken_nor_repeated(page, server, watch):
    visit(page, f"{server}/?edit=true")
    take_nothing_into_the_grid(page, watch)
    choose_nothing(page, watch)
    take_no_paste(page, watch, "Paste ", good="1 2\n3 4\n5 6")
    page.evaluate(GO, "/sequence?input=numbers&m=1&n=1&k=1&typed=xs~1")
    take_no_paste(page, watch, "at every step", good="1\n2")


def choose_nothing(page: Page, watch: Watch) -> None:
    seed, example = number_field(page, "Seed"), page.get_by_role("combobox", name="Worked example")
    for texts in TOGETHER:
        for field in (example, seed):
            field.focus()
            page.keyboard.insert_text(" ".join(texts))
        seed.press("Enter")
        followed(page)
        expect(example).to_have_value("")
        expect(seed).to_have_value("0")
        assert watch.troubles(page) == [], texts
    assert "example=" not in page.url


def take_nothing_into_the_grid(page: Page, watch: Watch) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".dvn-scroller").click(position={"x": 200, "y": 52})
    page.evaluate(COPY, "8")
    page.keyboard.press("Control+V")
    page.wait_for_url("**typed=W_hh~8_*")  # as a number is
    followed(page)
    for texts in TOGETHER:
        page.evaluate(COPY, " ".join(texts))
        page.keyboard.press("Control+V")
        page.keyboard.press("Enter")
        page.keyboard.insert_text(" ".join(texts))
        page.wait_for_timeout(200)  # the grid is still reading the clipboard
        assert watch.troubles(page) == [], texts
        page.keyboard.press("Enter")
        followed(page)
        assert watch.troubles(page) == [], texts


def take_no_paste(page: Page, watch: Watch, name: str, *, good: str) -> None:
    field = page.get_by_role("textbox", name=name).first  # while a run replaces it there are two
    field.wait_for()
    followed(page)
    for texts in TOGETHER:
        assert_refused(field, texts, good=good)
        assert watch.troubles(page) == [], texts


def test_a_hostile_word_is_spelled_out_however_it_comes_and_is_in_nothing_that_is_taken_away(page, server, watch):
    """Once it is taken it is shown alike, so each of them comes in one way of three."""
    visit(page, f"{server}/sequence?input=word&n=1&k=1&take=true")
    ways = cycle((come_in_a_link, come_typed, come_in_a_file))
    for (name, text), way in zip(PAYLOADS.items(), ways):
        refuse_what_is_no_word(page, text)
        way(page, WORDS[name])
        expect(page.locator(".picture .words p").first).to_contain_text(of_word(WORDS[name]))
        expect(page.get_by_role("textbox", name="Word")).to_have_value(WORDS[name])
        expect(page.get_by_test_id("stCode").first).to_contain_text(urlencode({"word": WORDS[name]}))
        assert watch.troubles(page) == [], name
    come_in_a_link(page, WORDS["a way out"])
    take_away(page, watch, WORDS["a way out"])


def refuse_what_is_no_word(page: Page, text: str) -> None:
    field = page.get_by_role("textbox", name="Word")
    if len(text) > VALUE_RULES["word"].longest:
        field.fill(text)
        assert text not in field.input_value()
        field.press("Enter")
        followed(page)
    elif not VALUE_RULES["word"].allows(text):
        field.fill(text)
        field.press("Enter")
        expect(said(page)).to_contain_text(sentence(notices.REFUSED, name="word", rule=VALUE_RULES["word"]))
        assert text not in said(page).text_content()


def come_in_a_link(page: Page, word: str) -> None:
    link = {"input": "word", "word": word, "m": len(alphabet(word)), "n": 1, "k": 1, "take": "true", word: word}
    page.evaluate(GO, f"/sequence?{urlencode(link)}#{quote(word)}")


def come_typed(page: Page, word: str) -> None:
    field = page.get_by_role("textbox", name="Word")
    field.fill(word)
    field.press("Enter")


def come_in_a_file(page: Page, word: str) -> None:
    choices = {"input": "word", "word": word, "m": VALUE_RULES["word"].longest, "n": 1, "k": 1}
    bring(page, "a.json", scenario(choices=choices))


def take_away(page: Page, watch: Watch, word: str) -> None:
    """Named by us and written without the word, but for a file of all choices."""
    expect(page.locator(".picture .words p").first).to_contain_text(of_word(word))
    for kind, ending in (("NumPy", "py"), ("Notebook", "ipynb")):
        page.get_by_text(kind, exact=True).click()
        expect(page.get_by_test_id("stCaptionContainer").filter(has_text=f"{kind}:")).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name=save_panel.DOWNLOAD.format(ending=ending)).click()
        assert download.value.suggested_filename == f"cellscope-lstm-sequence-{kind.lower()}.{ending}"
        assert word not in download.value.path().read_text()
        assert watch.troubles(page) == [], kind
    with page.expect_download() as download:
        page.get_by_role("button", name=save_panel.SAVE_CHOICES).click()
    assert from_json(download.value.path().read_text(), VIEW_PARAMS)[0].word == word
    with page.expect_download() as download:
        panel(page, "Input and state").get_by_role("button", name="Save this drawing as SVG").click()
    assert download.value.suggested_filename == "input-and-state-over-time.svg"
    assert watch.troubles(page) == []


# ---- what is opened ------------------------------------------------------------------------


# One number, as the header of a .npy file and as an entry of a .safetensors file describe it.
NUMBER = {"descr": "<f8", "fortran_order": False, "shape": (1, 1)}
TENSOR = {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}


def scenario(**changed: object) -> bytes:
    return json.dumps({"format": FORMAT, "version": VERSION} | changed).encode()


def files_that_are_quoted(text: str) -> Iterator[tuple[str, bytes, str]]:
    """A file with the text in each place whose words are repeated: its name, its bytes, and what is said of it."""

    def unknown(where: str, name: str) -> str:
        return f"{reason(expect_names, where, [name], ())} {save_panel.UNCHANGED}"

    # The browser itself sends a quotation mark in the name of a file so, and the rest of a path not at all.
    in_name, in_archive = PurePath(f"{text}.csv".replace('"', "%22")).stem, PurePath(f"{text}.npy").stem
    yield f"{text}.json", scenario(**{text: text}), unknown("the file", text)
    yield "a.json", scenario(choices={text: text}), unknown("choices", text)
    yield "a.json", scenario(arrays={text: [[1]]}), unknown("arrays", text)
    yield f"{text}.npz", archive({f"{text}.npy": npy(NUMBER, bytes(8))}), unknown("arrays", in_archive)
    yield f"{text}.csv", b"1,2", unknown("arrays", in_name)
    yield f"{text}.safetensors", safetensors({"__metadata__": {text: text}, text: TENSOR}), unknown("arrays", text)


def files_that_are_not(text: str) -> Iterator[tuple[str, bytes, str | re.Pattern]]:
    """The same for each place of which no word is repeated."""
    texts = {field.name: text for field in fields(Scenario) if isinstance(field.default, str)}
    yield "a.json", scenario(choices=texts), re.compile(r"^order .*\bhx, xh\b")
    yield "a.json", scenario(arrays={"W_hh": [[text], {text: text}]}), re.compile(r"^arrays\.W_hh .*\b10\^9\b")
    yield "a.json", scenario(format=text), f'"format": "{FORMAT}"'
    yield "W_hh.csv", text.encode(), reason(read_arrays, "W_hh.csv", text.encode())


def bring(page: Page, name: str, data: bytes) -> None:
    followed(page)
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    page.locator("input[type=file]").set_input_files(file)


def test_hostile_text_in_a_file_is_repeated_as_text_or_not_at_all(page, server, watch):
    """Each of them in one of the places: what is said of a file is shown alike wherever it stood."""
    page.goto(f"{server}/?example=lab&take=true")
    for at, (name, text) in enumerate(PAYLOADS.items()):
        places = list(files_that_are_quoted(text))
        file, data, words = places[at % len(places)]
        bring(page, file, data)
        expect(said(page)).to_contain_text(literally(words))
        assert watch.troubles(page) == [], (name, file, words)
    for file, data, words in files_that_are_not(" ".join(PAYLOADS.values())):
        bring(page, file, data)
        expect(said(page)).to_contain_text(words)
        assert not any(literally(text) in said(page).text_content() for text in PAYLOADS.values())
        assert watch.troubles(page) == [], words


# ---- what is taken away --------------------------------------------------------------------


def test_no_code_has_a_word_in_it():
    for word in WORDS.values():
        assert_in_no_code(word)


def assert_in_no_code(word: str) -> None:
    given = Scenario(m=len(alphabet(word)), n=3, k=3, input="word", word=word)
    for cell in CELLS:
        for write in (generated_code.numpy_script, generated_code.pytorch_script, generated_code.keras_script):
            script = write(given, cell, sequence=True)
            tokens = generate_tokens(StringIO(script).readline)
            assert word not in "".join(token.string for token in tokens if token.type != STRING)
            ast.parse(script)
        cells = json.loads(notebook(given, cell))["cells"]
        assert not any(word in "".join(part["source"]) for part in cells)
        assert word not in latex(Scenario(n=3, word=word), cell, decimals=2)
    assert from_json(to_json(given, {}), {}) == (given, {})


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
