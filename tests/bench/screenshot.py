"""Take the screenshot of docs/guide.md from the running app.

python -m tests.bench.screenshot
"""

from playwright.sync_api import sync_playwright

from tests.browser.page import followed, visit
from tests.live import ROOT, launch, serve

if __name__ == "__main__":
    with sync_playwright() as playwright, serve() as url:
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        visit(page, f"{url}/?example=first-step&j=2")
        followed(page)
        page.screenshot(path=ROOT / "docs" / "screenshot.png")
        browser.close()
