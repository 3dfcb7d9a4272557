"""The styles of the questions that `questions_of_others` asks, and how many there are of each."""

from __future__ import annotations

from laws_of_arithmetic import BROADCAST, CONTRADICTIONS, DIVISION, LINEAR, PRODUCTS
from laws_of_compilers import JAX, MLIR, PYTORCH, TVM
from questions_from_laws import PlainQuestion, Style, made

STYLES: tuple[Style, ...] = (
    Style("like TVM", 48, "x y z w v", TVM),
    Style("like JAX", 40, "a b c d e", JAX, at_least=1),
    Style("like PyTorch", 40, "s0 s1 s2 s3", PYTORCH, at_least=2),
    Style("like MLIR", 40, "d0 d1 d2 d3 d4", MLIR),
    Style("linear", 38, "x0 x1 x2 x3 x4 x5 x6", LINEAR),
    Style("products", 40, "a b c d e f", PRODUCTS),
    Style("division by sizes", 36, "a b c d e", DIVISION),
    Style("broadcasts", 30, "a b c d e", BROADCAST),
    Style("contradictory facts", 22, "a b c d", CONTRADICTIONS, changed=0.0),
)


def questions(seed: int) -> list[PlainQuestion]:
    """All questions for a seed, in a fixed order."""
    return [question for style in STYLES for question in made(style, seed)]
