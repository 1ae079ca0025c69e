"""The practice page: a map of exercises, one exercise, and a test of ten."""
