"""TensorFlow without Keras, and Theano."""
