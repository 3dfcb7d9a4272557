"""The greater or the lesser of two integers, which is one of the two."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.language.formulas import Formula, at_least, disjunction, equal
from shapesolve.language.recording import unrecorded
from shapesolve.reading.program import Operation, ScalarType
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, Simpler

from .elementwise import elementwise
from .integer_arithmetic import signed_extreme, unsigned_extreme
from .integers import unsigned_less


def signed_choice(op: Operation, see: RuleContext, which: str) -> Meaning:
    """The greater ("max") or the lesser ("min") of signed numbers, and where it is which operand."""
    meaning = elementwise(op, see, signed_extreme(op, which))
    if not _is_number(op):
        return meaning
    with unrecorded():
        a, b = (see.integer(operand) for operand in op.operands)
        return _chosen(op, meaning, which, at_least(a, b), at_least(b, a))


def unsigned_choice(op: Operation, see: RuleContext, which: str) -> Meaning:
    """The greater or the lesser of unsigned numbers, and where it is which operand."""
    meaning = elementwise(op, see, unsigned_extreme(op, which))
    if not _is_number(op):
        return meaning
    with unrecorded():
        a, b = (see.integer(operand) for operand in op.operands)
        more, less = (disjunction((unsigned_less(*pair), equal(a, b))) for pair in ((b, a), (a, b)))
    return _chosen(op, meaning, which, more, less)


def _chosen(op: Operation, meaning: Meaning, which: str, first_is_more: Formula, second_is_more: Formula) -> Meaning:
    where = (first_is_more, second_is_more) if which == "max" else (second_is_more, first_is_more)
    return replace(meaning, simpler=Simpler(chooses=tuple(zip(op.operands, where, strict=True))))


def _is_number(op: Operation) -> bool:
    type = op.results[0].type
    return isinstance(type, ScalarType) and not type.is_boolean
