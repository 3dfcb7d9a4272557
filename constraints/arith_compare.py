"""Comparisons of numbers."""

from __future__ import annotations

from shapesolve.language.formulas import truth
from shapesolve.reading.program import Operation, ShapedType
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, rule
from shapesolve.walking.values import Tensor

from .elementwise import common_shape, elementwise, on_floats
from .float_elements import comparison as float_comparison
from .float_elements import followed
from .integer_arithmetic import comparison

PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
ALWAYS_FALSE, ALWAYS_TRUE = 0, 15
FLOAT_PREDICATES = {
    **dict(enumerate(("eq", "gt", "ge", "lt", "le", "ne"), 1)),
    **dict(enumerate(("eq", "gt", "ge", "lt", "le", "ne"), 8)),
}
"""Ordered and unordered: they differ only for what is no number."""


@rule("arith.cmpi", example="tests/cases/arith/comparison.mlir", effects=PURE)
def cmpi(op: Operation, see: RuleContext) -> Meaning:
    """A comparison of integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element says whether the operands compare as the predicate says; an unsigned predicate takes a negative
    number for a greater one than any other.
    """
    predicate = op.attributes.get("predicate")
    if not isinstance(predicate, int) or not 0 <= predicate < len(PREDICATES):
        raise CannotSee("the predicate is not known")
    return elementwise(op, see, comparison(PREDICATES[predicate]))


@rule("arith.cmpf", example="tests/cases/arith/floats.mlir", effects=PURE)
def cmpf(op: Operation, see: RuleContext) -> Meaning:
    """A comparison of floats.

    (C1) Shaped operands have the same extents.
    (R1) Of numbers that come from sizes, each element says whether they compare as the predicate says. Others depend on
    floating-point data, except for the predicates that are always true or always false.
    """
    predicate = op.attributes.get("predicate")
    if predicate not in (ALWAYS_FALSE, ALWAYS_TRUE):
        asked = FLOAT_PREDICATES.get(predicate) if isinstance(predicate, int) else None
        return followed(op, see, on_floats(op, see), None if asked is None else float_comparison(asked))
    answer = truth(predicate == ALWAYS_TRUE)
    if not isinstance(op.results[0].type, ShapedType):
        return Meaning((answer,))
    shape, claims = common_shape(op.operands, see, "C1")
    return Meaning((Tensor(shape),), claims=claims)
