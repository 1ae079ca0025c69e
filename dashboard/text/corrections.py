"""The sentences of a field that does not take what is typed."""

CORRECTIONS = {
    "number": "This is not a number. The field keeps {value}.",
    "whole": "{typed} is not a whole number. The field takes {value}.",
    "smallest": "{typed} is below the smallest value, {value}.",
    "largest": "{typed} is above the largest value, {value}.",
    "nearest": "{typed} is not possible. The nearest value is {value}.",
    "shape": "“{typed}” is not possible here. Enter {value}.",
}
