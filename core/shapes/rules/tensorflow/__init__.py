"""TensorFlow without Keras."""
