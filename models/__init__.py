"""The trained networks as ONNX files, each with the card that says how it was made."""
