"""PyTorch's products of tensors that an equation describes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import FALSE, conjunction, equal
from shapesolve.reading.program import Operation
from shapesolve.records import value_record
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule

from .torch_values import check, is_given, joint_extents, of_extents, refused, tensors, text

_REST = "..."
_TERM = r"[A-Za-z ]*(?:\.\.\.[A-Za-z ]*)?"
_EQUATION = re.compile(rf"({_TERM}(?:,{_TERM})*)(?:->({_TERM}))?")


@value_record
class _Equation:
    """The dimensions of each operand and of the result: a letter each, and `_REST` for those without."""

    terms: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]


def _read(equation: str) -> _Equation:
    """An equation; a result that is not written down has the letters that occur once, in order."""
    found = _EQUATION.fullmatch(equation)
    if found is None:
        raise CannotSee(f"the equation {equation} is not followed")
    terms = tuple(map(_letters, found[1].split(",")))
    if found[2] is not None:
        return _Equation(terms, _letters(found[2]))
    every = [letter for term in terms for letter in term]
    rest = (_REST,) if _REST in every else ()
    return _Equation(terms, (*rest, *sorted(each for each in set(every) - {_REST} if every.count(each) == 1)))


def _letters(term: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[A-Za-z]|\.\.\.", term))


@rule("torch.aten.einsum", example="tests/cases/torch/equations.mlir", effects=STOPS)
def sum_of_products(op: Operation, see: RuleContext) -> Meaning:
    """Products of elements of tensors, summed over the letters that the result has not.

    (C1) There is a tensor, and the equation has a term for each; each letter of the result occurs once, and in a term.
    (C2) A tensor has as many dimensions as its term has letters, or, with an ellipsis, at least as many.
    (C3) The dimensions of one letter in one term are equal.
    (C4) The dimensions of one letter in several terms, and those of ellipses, broadcast.
    (R1) The result has what the dimensions of its letters broadcast to.
    """
    equation, every = _read(text(see, op.operands[0])), tensors(see, op.operands[1])
    if is_given(see, op.operands[2]):
        raise CannotSee("the order of the products is given")
    known = {letter for term in equation.terms for letter in term}
    if not every or len(every) != len(equation.terms):
        return refused(op, check("C1", FALSE, f"{len(every)} tensors for {len(equation.terms)} terms"))
    if len(set(equation.result)) != len(equation.result) or not set(equation.result) <= known | {_REST}:
        return refused(op, check("C1", FALSE, "a letter of the result occurs twice, or in no term"))
    claims: list[Claim] = []
    found: defaultdict[str, list[Sequence[Dim]]] = defaultdict(list)
    for at, (term, extents) in enumerate(zip(equation.terms, every, strict=True)):
        more = len(extents) - sum(letter != _REST for letter in term)
        if more < 0 or (more > 0 and _REST not in term):
            return refused(op, check("C2", FALSE, f"tensor {at} has rank {len(extents)} for {''.join(term)}"))
        for letter, extent in _named(term, extents, more).items():
            if letter != _REST:
                claims.append(_agreeing(at, letter, extent))
            found[letter].append(extent if letter == _REST else extent[:1])
    joint: dict[str, list[Dim]] = {}
    for letter, extents in found.items():
        shown = tuple((f"{letter}, {at}", each) for at, listed in enumerate(extents) for each in listed)
        joint[letter], claim = joint_extents(extents, "C4", f"the dimensions {letter} do not broadcast", shown)
        claims.append(claim)
    result = [each for letter in equation.result for each in joint.get(letter, ())]
    return Meaning((of_extents(result),), claims=tuple(claims))


def _named(term: Sequence[str], extents: Sequence[Dim], more: int) -> dict[str, list[Dim]]:
    """The extents by their letters."""
    named: defaultdict[str, list[Dim]] = defaultdict(list)
    at = 0
    for letter in term:
        count = more if letter == _REST else 1
        named[letter] += extents[at : at + count]
        at += count
    return named


def _agreeing(number: int, letter: str, extents: Sequence[Dim]) -> Claim:
    same = conjunction(equal(extents[0], each) for each in extents[1:])
    shown = tuple((f"{letter} {at} of tensor {number}", each) for at, each in enumerate(extents))
    return check("C3", same, f"the dimensions {letter} of tensor {number} differ", shown)
