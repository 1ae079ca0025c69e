"""The texts of drawings: none is too small to read, is cut off, or lies on another one."""

import pytest
from playwright.sync_api import Page

from tests.browser.page import visit

LEAST = 10
# Keeps every text of a canvas with its font and its place, all in pixels of the page.
KEEP = """(() => {
  const drawn = (window.drawnTexts = new Map())
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    drawn.set(this.canvas, [])
    clearRect.apply(this, area)
  }
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { a, b, d, e, f } = this.getTransform()
    const [font, width] = [parseFloat(this.font.match(/([\\d.]+)px/)[1]), this.measureText(text).width]
    const left = x - ({ center: width / 2, right: width, end: width }[this.textAlign] ?? 0)
    const [across, down] = [(x) => (x * a + e) / devicePixelRatio, (y) => (y * d + f) / devicePixelRatio]
    // A turned text, such as the name of a vertical axis, has no place here.
    const place = b ? null : [across(left), down(y - 0.7 * font), across(left + width), down(y)]
    drawn.get(this.canvas)?.push({ text, size: (font * Math.hypot(a, b)) / devicePixelRatio, place })
    fillText.call(this, text, x, y)
  }
})()"""
TEXTS = """() => [...window.drawnTexts].filter(([canvas]) => canvas.isConnected && canvas.clientWidth)
  .map(([canvas, texts]) => [canvas.clientWidth, texts.filter(({ text }) => text.trim())])"""
WINDOWS = {"phone": {"width": 390, "height": 3500}, "desk": {"width": 1440, "height": 2500}}


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("path", ["", "lstm", "gru", "saturation", "sequence", "gradients", "model"])
def test_every_text_of_a_drawing_is_legible(tab: Page, server: str, path: str, window: str) -> None:
    tab.set_viewport_size(WINDOWS[window])
    tab.add_init_script(KEEP)
    visit(tab, f"{server}/{path}")
    canvases = tab.evaluate(TEXTS)
    assert sum(len(texts) for _, texts in canvases) > 20
    for width, texts in canvases:
        assert [one["text"] for one in texts if one["size"] < LEAST] == []
        placed = [(one["text"], *one["place"]) for one in texts if one["place"]]
        assert [text for text, left, _, right, _ in placed if left < -1 or right > width + 1] == []
        assert [(a[0], b[0]) for at, a in enumerate(placed) for b in placed[at + 1 :] if overlap(a, b)] == []


def overlap(a: tuple, b: tuple) -> bool:
    """Whether two texts with their places lie on each other by more than a pixel both ways."""
    (_, *start, right, bottom), (_, *others, far, low) = a, b
    return min(right, far) - max(start[0], others[0]) > 1 and min(bottom, low) - max(start[1], others[1]) > 1
