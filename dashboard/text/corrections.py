"""The sentences of a field that takes another number than the typed one."""

CORRECTIONS = {
    "number": "This is not a number. The field keeps {value}.",
    "whole": "{typed} is not a whole number. The field takes {value}.",
    "smallest": "{typed} is below the smallest value, {value}.",
    "largest": "{typed} is above the largest value, {value}.",
    "nearest": "{typed} is not possible. The nearest value is {value}.",
}
