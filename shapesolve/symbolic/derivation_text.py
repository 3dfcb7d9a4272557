"""Derivations as text of the size language: a claim as a rule raised it, before it was put into normal form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapesolve.records import value_record
from shapesolve.symbolic.derivations import DerivationStep, Maker, Record
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula, IsZero
from shapesolve.symbolic.formulas import is_statement
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

if TYPE_CHECKING:
    from shapesolve.symbolic.derivations import Term

LONGEST_PART = 160
"""Characters that a part may take before its normal form stands for it, if that is shorter."""

_IMPLIES, _OR, _AND, _NOT, _COMPARISON, _SUM, _QUOTIENT, _PRODUCT, _SIGN, _ATOM = range(1, 11)

_INFIX: dict[str, tuple[str, int]] = {
    "add": ("+", _SUM),
    "sub": ("-", _SUM),
    "mul": ("*", _PRODUCT),
    "floordiv": ("//", _QUOTIENT),
    "remainder": ("%", _QUOTIENT),
    "equal": ("==", _COMPARISON),
    "unequal": ("!=", _COMPARISON),
    "at_least": (">=", _COMPARISON),
    "less_than": ("<", _COMPARISON),
}
_CALLS: dict[str, str] = {
    "ceildiv": "ceildiv",
    "choose": "select",
    "divides": "divides",
    "minimum": "min",
    "maximum": "max",
    "broadcast_extent": "broadcast",
    "vouched_broadcast_extent": "broadcast",
    "compatible": "compatible",
    "broadcastable": "broadcastable",
    "same_shape": "same_shape",
    "same_extents": "same_extents",
}
_WORD = re.compile(r"[\w.]+(\[\d+\])?")
_OPPOSITE = {"true": "false", "false": "true"}
_NEUTRAL = {"add": "0", "sub": "0", "mul": "1", "floordiv": "1"}


@value_record
class _Part:
    text: str
    precedence: int

    def within(self, precedence: int) -> str:
        """Return the text as an operand of an operator of this precedence."""
        return self.text if self.precedence >= precedence else f"({self.text})"


class DerivationText:
    """Texts of the terms of one record. They are kept, since claims share most of their derivations."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._parts: dict[int, _Part] = {}

    def raised(self, claim: Formula, built_by: int | None) -> str:
        """Return a claim as it was built by a step; in normal form if no step is known."""
        if built_by is None:
            return str(claim)
        self._fill(built_by)
        return self._parts[built_by].text

    def _fill(self, root: int) -> None:
        """Make the parts of a step and of all that it is built from, without recursion: derivations are deep."""
        waiting = [root]
        while waiting:
            number = waiting[-1]
            if number in self._parts:
                waiting.pop()
                continue
            step = self._record.steps[number]
            missing = [each for each in _makers(step.built_by) if each not in self._parts]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            self._parts[number] = self._shortened(step, self._of_step(step))

    def _shortened(self, step: DerivationStep, part: _Part) -> _Part:
        if len(part.text) <= LONGEST_PART:
            return part
        normal = _normal(step.result)
        return normal if len(normal.text) < len(part.text) else part

    def _part(self, term: Term, maker: Maker) -> _Part:
        if isinstance(maker, tuple):
            assert isinstance(term, RankedShape)
            if term.valid is not TRUE:
                return _normal(term)
            extents = (self._part(each, by).text for each, by in zip(term.dims, maker[:-1], strict=True))
            return _Part(f"[{', '.join(extents)}]", _ATOM)
        if maker is None or (isinstance(term, Dim) and term.is_constant):
            return _normal(term)
        return self._parts[maker]

    def _of_step(self, step: DerivationStep) -> _Part:
        operation = step.operation
        if isinstance(step.result, IsZero) and is_statement(step.result.size):
            return _normal(step.result)
        parts = [self._part(*each) for each in zip(step.arguments, step.built_by, strict=True)]
        if operation in _NEUTRAL and parts[1].text == _NEUTRAL[operation]:
            return parts[0]
        if operation in ("add", "mul") and parts[0].text == _NEUTRAL[operation]:
            return parts[1]
        if operation in _INFIX:
            return _infix(operation, *parts)
        if operation in _CALLS:
            return _Part(f"{_CALLS[operation]}({', '.join(each.text for each in parts)})", _ATOM)
        return self._of_logic(operation, parts, step)

    def _of_logic(self, operation: str, parts: Sequence[_Part], step: DerivationStep) -> _Part:
        match operation, parts:
            case "neg", [one]:
                return _Part(f"-{one.within(_ATOM)}", _SIGN)
            case "negation", [one]:
                return _negation(one)
            case "is_zero", [one]:
                return _Part(f"{one.within(_SUM)} == 0", _COMPARISON)
            case "is_non_negative", [one]:
                return _Part(f"{one.within(_SUM)} >= 0", _COMPARISON)
            case "implies", [premise, conclusion]:
                return _implication(premise, conclusion)
            case "equivalent", [a, b]:
                return _joined([_implication(a, b), _implication(b, a)], "and", _AND)
            case "either", [condition, then, otherwise]:
                no = _negation(condition)
                return _joined([_implication(condition, then), _implication(no, otherwise)], "and", _AND)
            case "conjunction", _:
                return _joined(parts, "and", _AND)
            case "disjunction", _:
                return _joined(parts, "or", _OR)
            case _:
                return _normal(step.result)


def _makers(built_by: Sequence[Maker]) -> list[int]:
    found: list[int] = []
    for each in built_by:
        found += (one for one in (each if isinstance(each, tuple) else (each,)) if one is not None)
    return found


def _infix(operation: str, left: _Part, right: _Part) -> _Part:
    word, precedence = _INFIX[operation]
    if precedence == _COMPARISON:
        return _Part(f"{left.within(_SUM)} {word} {right.within(_SUM)}", precedence)
    if operation == "mul" and right.text.isdigit():
        left, right = right, left
    space = " " if precedence == _SUM else ""
    if precedence == _QUOTIENT:  # (2*H)//2, for 2*H//2 is read both ways
        return _Part(f"{left.within(_SIGN)}{word}{right.within(_SIGN)}", precedence)
    return _Part(f"{left.within(precedence)}{space}{word}{space}{right.within(precedence + 1)}", precedence)


def _negation(part: _Part) -> _Part:
    if part.text in _OPPOSITE:
        return _Part(_OPPOSITE[part.text], _ATOM)
    return _Part(f"not {part.within(_ATOM)}", _NOT)


def _implication(premise: _Part, conclusion: _Part) -> _Part:
    if premise.text == "true":
        return conclusion
    if premise.text == "false":
        return _Part("true", _ATOM)
    return _Part(f"{premise.within(_OR)} -> {conclusion.within(_OR)}", _IMPLIES)


def _joined(parts: Sequence[_Part], word: str, precedence: int) -> _Part:
    neutral = "true" if word == "and" else "false"
    distinct = {each.text: each for each in parts if each.text != neutral}
    if len(distinct) < 2:
        return next(iter(distinct.values()), _Part(neutral, _ATOM))
    return _Part(f" {word} ".join(each.within(precedence + 1) for each in distinct.values()), precedence)


def _normal(term: Term) -> _Part:
    """Return a normal form as a part: an atom if it is one word, else one that every operator puts in parentheses."""
    text = str(term)
    if isinstance(term, Shape) or _WORD.fullmatch(text):
        return _Part(text, _ATOM)
    return _Part(text, _SUM if isinstance(term, Dim) else _IMPLIES)
