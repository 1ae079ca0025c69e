"""Record the moving picture of the README from the running app: dragging the scale moves the units onto the flat ends of tanh.

python -m tests.bench.moving

It needs Pillow, which Streamlit brings.
"""

from io import BytesIO

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from tests.live import ROOT, await_picture, launch, serve

LINK = "saturation?example=spread&m=4&n=6&k=6&seed=1&scale=0.1"
VIEWPORT = {"width": 1280, "height": 720}
# The page without the sidebar, down to the first of both curves.
CLIP = {"x": 360, "y": 0, "width": 860, "height": 500}
# Of the slider's way, and how many pictures are taken on it; at its ends it rests.
FROM, TO, MOVES, REST = 0.25, 0.64, 40, 12
MILLISECONDS = 60
BELOW_THE_DIALS = """title => {
  const main = document.querySelector("[data-testid=stMain]")
  main.scrollBy(0, title.getBoundingClientRect().top - 105)
}"""
COLOURS = 256


def frame(page: Page) -> Image.Image:
    """What is seen now."""
    return Image.open(BytesIO(page.screenshot(clip=CLIP))).convert("RGB")


def frames(page: Page) -> list[Image.Image]:
    """What is seen while the scale is dragged from one end to the other."""
    dial = page.get_by_role("slider", name="Scale of the weights")
    number = page.get_by_role("spinbutton", name="Scale of the weights", exact=True)
    box = dial.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    taken = []
    for move in range(MOVES + 1):
        part = move / MOVES
        eased = part * part * (3 - 2 * part)
        page.mouse.move(box["x"] + 8 + (FROM + (TO - FROM) * eased) * (box["width"] - 16), y)
        if move == 0:
            page.mouse.down()
        expect(page.get_by_role("heading", name=f"Scale {number.input_value()}", exact=True)).to_be_visible()
        taken.append(frame(page))
    page.mouse.up()
    return taken


if __name__ == "__main__":
    with sync_playwright() as playwright, serve() as url:
        browser = launch(playwright)
        page = browser.new_page(viewport=VIEWPORT)
        page.goto(f"{url}/{LINK}")
        await_picture(page)
        page.locator(".picture h2").first.evaluate(BELOW_THE_DIALS)
        page.wait_for_timeout(1000)
        there = frames(page)
        browser.close()
    # One palette for all, of what they have between them: with one for each the paper would flicker.
    some = there[:: MOVES // 5]
    together = Image.new("RGB", (CLIP["width"], CLIP["height"] * len(some)))
    for at, image in enumerate(some):
        together.paste(image, (0, CLIP["height"] * at))
    palette = together.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1)
    first, *others = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in [*there, *there[-2:0:-1]])
    durations = [MILLISECONDS] * (1 + len(others))
    durations[0] = durations[MOVES] = REST * MILLISECONDS
    first.save(
        ROOT / "docs" / "saturation.gif",
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        optimize=True,
    )
