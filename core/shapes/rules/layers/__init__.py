"""The input, the arguments and the weights of a layer."""
