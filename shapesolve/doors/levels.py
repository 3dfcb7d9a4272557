"""Where a model of PyTorch or ONNX can be checked."""

LEVELS = ("linalg", "stablehlo", "tosa", "torch")
"""Dialects that it is lowered to; the first is the one where nothing is said."""
