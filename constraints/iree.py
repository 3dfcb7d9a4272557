"""The `util` dialect of IREE: what a compiler wrote down of the integers that a program is launched with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shapesolve.ir.program import OpaqueAttribute, Operation, ScalarType, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Assumes, Ensures, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, less_than

STATED = "integers are as util.assume.int states (--distrust)"
_FIELD = re.compile(r"\b(umin|umax|udiv) = (\d+)")


@rule("util.assume.int", example="tests/cases/iree/assumptions.mlir", effects=PURE)
def assume_integers(op: Operation, ctx: RuleContext) -> OpSemantics:
    """States of integers that each lies between two bounds and is a multiple of a number, in one of several ways.

    (R1) Each result is its operand, and one of the stated ways is true of it, as of an unsigned number.
    """
    stated = op.attributes.get("assumptions")
    if not isinstance(stated, tuple) or len(stated) != len(op.operands):
        raise UnknownValueError("what it states is not read")
    facts: list[Formula] = []
    for value, ways in zip(op.operands, stated, strict=True):
        if isinstance(ways, tuple) and ways:
            number = ctx.integer(value)
            facts.append(disjunction(_holds(number, value, each) for each in ways))
    results = tuple(ctx.value(each) for each in op.operands)
    declared = (
        () if ctx.distrusts else tuple((fact, "what util.assume.int states") for fact in facts if fact is not TRUE)
    )
    return OpSemantics(results, ensures=Ensures(declared=declared), assumes=Assumes((STATED,) if declared else ()))


def _holds(number: Dim, value: Value, stated: object) -> Formula:
    if not isinstance(stated, OpaqueAttribute) or not isinstance(value.type, ScalarType):
        raise UnknownValueError("what it states is not read")
    return conjunction(_parts(number, value.type.width, dict(_FIELD.findall(stated.text))))


def _parts(number: Dim, width: int, stated: dict[str, str]) -> Iterator[Formula]:
    """Yield what is stated of an unsigned number, by the signed number of the same bits."""
    whole = 2**width
    is_negative = less_than(number, dim(0))
    if "umin" in stated:
        least = int(stated["umin"])
        if least < whole // 2:
            yield disjunction((is_negative, at_least(number, least)))
        else:
            yield conjunction((is_negative, at_least(number, least - whole)))
    if "umax" in stated:
        most = int(stated["umax"])
        if most < whole // 2:
            yield conjunction((at_least(number, 0), at_least(most, number)))
        else:
            yield disjunction((at_least(number, 0), at_least(most - whole, number)))
    divisor = int(stated.get("udiv", 1))
    if divisor > 1:
        is_multiple = divides(dim(divisor), number)
        of_negative = is_multiple if whole % divisor == 0 else divides(dim(divisor), number + whole % divisor)
        yield disjunction((conjunction((is_negative, of_negative)), conjunction((at_least(number, 0), is_multiple))))
