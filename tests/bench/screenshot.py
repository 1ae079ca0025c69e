"""Take the screenshot of docs/guide.md from the running app.

python -m tests.bench.screenshot

It needs Pillow, which Streamlit brings.
"""

from io import BytesIO

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.page import followed, visit
from tests.live import ROOT, launch, serve

# With a palette the file takes less than half of the bytes.
COLOURS = 256

if __name__ == "__main__":
    with sync_playwright() as playwright, serve() as url:
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        visit(page, f"{url}/?example=first-step&j=2")
        followed(page)
        image = Image.open(BytesIO(page.screenshot())).convert("RGB")
        browser.close()
    drawn = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    drawn.save(ROOT / "docs" / "screenshot.png", optimize=True)
