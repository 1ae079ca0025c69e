"""Models in the format ONNX."""
