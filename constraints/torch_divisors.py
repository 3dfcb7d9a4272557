"""What PyTorch divides integers by: it raises an error where that is 0. Floats become infinite instead."""

from __future__ import annotations

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import FALSE, Formula, disjunction, equal, unequal
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.reading.program import Operation
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim
from shapesolve.walking.values import Tensor

from . import integer_places
from .integer_places import Places, Shown
from .torch_bounds import spelled
from .torch_values import check, product

_DIVIDING = ("floor_divide", "remainder", "fmod")
_ROUNDED = ("div.Tensor_mode", "div.Scalar_mode")


def nonzero_divisor(op: Operation, see: RuleContext, shape: Shape) -> Places | None:
    """Clause C9 of an operator that divides integers: no divisor is 0, or nothing is divided. None for others."""
    name = op.name.removeprefix("torch.aten.")
    divides = name in _ROUNDED or name.partition(".")[0] in _DIVIDING
    if not divides or spelled(op.results[0]).startswith(("f", "bf", "complex")):
        return None
    divisor = op.operands[1]
    known = see.value(divisor)
    nothing = equal(product(shape.dims), 0) if isinstance(shape, RankedShape) else FALSE

    def demand(formula: Formula, shown: Shown) -> Claim:
        return check("C9", formula, "an integer is divided by 0", shown)

    if isinstance(known, Dim):
        return Places(demand(disjunction((nothing, unequal(known, 0))), (("the divisor", known),)))
    if not isinstance(known, Tensor):
        return None

    def inside(number: Dim) -> Formula:
        return unequal(number, 0)

    # 0 may lie between two divisors.
    return integer_places.places(see, divisor, known, inside, demand, unless=nothing, between_them_too=False)
