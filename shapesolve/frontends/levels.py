"""Levels (dialects) at which a PyTorch or ONNX model can be checked."""

LEVELS = ("linalg", "stablehlo", "tosa", "torch")
"""Dialects that it is lowered to; the first is the one where nothing is said, and a program is to be made of it."""

OWN = "torch"
"""The operators that the model itself is made of."""

BOTH = (OWN, "linalg")
"""Where it is checked when nothing is said: what the model itself demands, and what is made of it, which runs."""
