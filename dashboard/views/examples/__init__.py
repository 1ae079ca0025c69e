"""The page of worked examples, and their small pictures."""
