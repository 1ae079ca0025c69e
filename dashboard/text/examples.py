"""The sentences of the page of worked examples; the stories are in `core.examples`."""

PAGE = (
    "# Worked examples\nOpen an example to change any of its numbers. Each shows one idea, and several show a mistake that people "
    "really make."
)
STORY = "Story"
OPEN = "Open: {title}"
