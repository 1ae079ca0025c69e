"""The sentences of the page of worked examples; the stories are in `core.examples`."""

PAGE = (
    "# Worked examples\nOpen an example to change any of its numbers. Each shows one idea, and several show a common "
    "mistake."
)
STORY = "What it shows"
OPEN = "Open: {title}"
# Above the story on the page that the example opens on.
STORY_TITLE = "Worked example: {title}"
TOLD = "{story} This text stays the same when you change the numbers."

# The pictures of the examples.
PRODUCT_ALT = "W_h times the stacked input gives each unit its z: {values}."
LSTM_ALT = "One step of the LSTM. {units}."
LSTM_UNIT = "unit {unit}: f = {f}, c goes from {before} to {after}"
GRU_ALT = "One step of the GRU. {units}."
GRU_UNIT = "unit {unit}: u = {u}, h goes from {before} to {after}"
DOTS_ALT = "{units} units as dots on the curve of {g}."
LETTERS_ALT = "h_t of {units} units at each letter of “{word}”."
GAINS_ALT = "The gain over {steps} steps back: {gains}."
GAIN = "{cell} {gain}"
