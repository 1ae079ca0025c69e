"""The mathematics of recurrent cells, in NumPy alone."""
