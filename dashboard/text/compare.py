"""The sentences of a comparison of settings, A and B."""

SETTING = "{label}: {a} in A, {b} in B."
TYPED = "Custom values differ: {names}."
DIFFERENT = "A is frozen, and B follows the sliders. A marked corner in B means that A has a different value there."
SAME = "A is frozen, and B follows the sliders. A and B are still the same. Move a slider, or choose other values."
