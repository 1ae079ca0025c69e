"""The sentences of **Predict first**."""

ANSWER = "{output} of unit {unit}, with {digits} decimals"
WRONG = "This is not the value. Try again."
RIGHT = "Right."
