"""Where a model of PyTorch or ONNX can be checked."""

LEVELS = ("linalg", "stablehlo", "tosa", "torch")
"""Dialects that it is lowered to; the first is the one where nothing is said, and one is asked for."""

BOTH = ("torch", "linalg")
"""Where it is checked when nothing is said: what the model itself demands, and what is made of it, which runs."""
