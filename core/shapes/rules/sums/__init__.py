"""Sums, products and comparisons entry by entry."""
