"""The example programs, and the sizes that each is executed with."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

Vector = tuple[int, ...]
"""Values of the input variables, in their order."""


@dataclass(frozen=True)
class Subject:
    """A function of a file, with sizes to try. ``data``: operations whose outcome depends on contents, and why."""

    file: str
    function: str
    vectors: tuple[Vector, ...]
    data: frozenset[tuple[str, str]] = frozenset()

    def __str__(self) -> str:
        return f"{Path(self.file).stem}-{self.function}"

    @property
    def path(self) -> str:
        return str(EXAMPLES / self.file)


def _all(*ranges: Iterable[int]) -> tuple[Vector, ...]:
    return tuple(product(*ranges))


def _attention() -> tuple[Vector, ...]:
    """Sizes of tokens, positions and mask: equal ones, and equal ones with one or two changed."""
    equal = [(b, s, b, s, b, s, s) for b in range(4) for s in range(4)]
    choice = random.Random(20_240)
    changed: list[Vector] = []
    for _ in range(44):
        vector = list(choice.choice(equal))
        for position in choice.sample(range(7), choice.choice((1, 1, 2))):
            vector[position] = choice.randrange(4)
        changed.append(tuple(vector))
    return tuple(dict.fromkeys([*equal, *changed]))


_ACTIVATED = frozenset({("arith.cmpf", f"depends on the data of %arg0{also}") for also in ("", " and the weights")})
_INPUTS = "depends on the data of %arg0, %arg1 and %arg2"
_FLOATS_COMPARED = frozenset(
    {("arith.cmpf", _INPUTS), ("arith.cmpf", "depends on the data of %arg0, %arg1, %arg2 and the weights")}
)

SUBJECTS = (
    Subject("linear.mlir", "forward", _all(range(7), range(7))),
    # The maximum that a pooling window takes is a maximum of pixels.
    Subject("unet.mlir", "forward", _all([1], range(9), range(9)), _ACTIVATED),
    # Sizes from 1: TOSA has no empty tensors, and its lowering takes 1 where a 0 meets a 1.
    Subject("tosa_chain.mlir", "gate", _all(range(1, 7), range(1, 7))),
    Subject("tosa_chain.mlir", "blend", _all(*[range(1, 4)] * 5)[::2]),
    Subject("tosa_chain.mlir", "settled", _all(range(1, 7), range(1, 7))),
    Subject("tosa_chain_lowered.mlir", "gate", _all(range(7), range(7))),
    # It selects by the mask's truth values.
    Subject(
        "tosa_chain_lowered.mlir",
        "blend",
        _all(*[range(3)] * 5),
        frozenset(
            {
                ("linalg.generic", "depends on the data of %arg2"),
                ("linalg.generic", "depends on the data of %arg2, in %30"),
            }
        ),
    ),
    Subject("tosa_chain_lowered.mlir", "settled", _all(range(7), range(7))),
    Subject("jax_assertions.mlir", "main", _all(range(3), range(13), range(6))[::2]),
    # The softmax remembers where its largest logit stands.
    Subject(
        "transformer.mlir",
        "forward",
        _attention(),
        _FLOATS_COMPARED | frozenset({("linalg.generic", f"{_INPUTS}, in %63")}),
    ),
    Subject(
        "transformer_flattened.mlir",
        "forward",
        _attention(),
        _FLOATS_COMPARED | frozenset({("linalg.generic", f"{_INPUTS}, in %114")}),
    ),
    Subject("transformer_stablehlo.mlir", "forward", _attention()),
)
