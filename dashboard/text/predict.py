"""The sentences of **Predict first**."""

from dashboard.text.plural import Plural

ANSWER = Plural("digits", "{output} of unit {unit}, with 1 decimal", "{output} of unit {unit}, with {digits} decimals")
WRONG = "This is not the value. Try again."
RIGHT = "Right."
