"""Record the moving picture of the README from the running app: dragging the forget bias opens the forget gate of an LSTM.

python -m tests.bench.moving

It needs Pillow, which Streamlit brings.
"""

from io import BytesIO

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.live import ROOT, await_picture, launch, serve

LINK = "lstm?example=keep-write-forget&forget_bias=-4"
VIEWPORT = {"width": 1440, "height": 800}
# The page without the sidebar: the sliders, and the diagram with its words.
CLIP = {"x": 316, "y": 100, "width": 1100, "height": 665}
WIDTH = 880
# Of the slider's way, and how many pictures are taken on it; at its ends it rests.
FROM, TO, MOVES, REST = 0.3, 0.8, 30, 10
MILLISECONDS = 60
# In milliseconds: how long the picture may take to follow.
DRAWN = 250
COLOURS = 120


def frame(page: Page) -> Image.Image:
    """What is seen now."""
    image = Image.open(BytesIO(page.screenshot(clip=CLIP))).convert("RGB")
    return image.resize((WIDTH, round(WIDTH * image.height / image.width)), Image.Resampling.LANCZOS)


def frames(page: Page) -> list[Image.Image]:
    """What is seen while the forget bias is dragged from one end to the other."""
    dial = page.get_by_role("slider", name="Forget bias")
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
        page.wait_for_timeout(DRAWN)
        taken.append(frame(page))
    page.mouse.up()
    return taken


if __name__ == "__main__":
    with sync_playwright() as playwright, serve() as url:
        browser = launch(playwright)
        page = browser.new_page(viewport=VIEWPORT)
        page.goto(f"{url}/{LINK}")
        await_picture(page)
        page.wait_for_timeout(1000)
        there = frames(page)
        browser.close()
    # One palette for all, of what they have between them: with one for each the paper would flicker.
    some = there[:: MOVES // 5]
    together = Image.new("RGB", (WIDTH, there[0].height * len(some)))
    for at, image in enumerate(some):
        together.paste(image, (0, image.height * at))
    palette = together.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1)
    first, *others = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in [*there, *there[-2:0:-1]])
    durations = [MILLISECONDS] * (1 + len(others))
    durations[0] = durations[MOVES] = REST * MILLISECONDS
    first.save(
        ROOT / "docs" / "lstm.gif",
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        optimize=True,
    )
