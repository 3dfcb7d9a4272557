"""Levels (dialects) at which a PyTorch or ONNX model can be checked."""

LEVELS = ("linalg", "stablehlo", "tosa", "torch")
"""Dialects that a model can be lowered to; the first one is the default of commands that write a program."""

OWN = "torch"
"""The level of the model's own operators."""

BOTH = (OWN, "linalg")
"""Default levels of a check: the model's own operators, for their requirements, and the lowered program, which is
executed."""
