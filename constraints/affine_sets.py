"""Integer sets, read from their spelling: ``affine_set<(d0)[s0] : (d0 - 1 >= 0, d0 mod 2 == 0)>``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, at_least, conjunction, equal
from shapesolve.reading.program import AffineExpression, AffineMap
from shapesolve.records import record
from shapesolve.walking.rule_context import CannotSee

from .affine_maps import applied

_SET = re.compile(r"affine_set<\((?P<dims>[^)]*)\)(?:\[(?P<symbols>[^\]]*)\])?\s*:\s*\((?P<body>.*)\)>$", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<number>\d+)|(?P<sign>[-+*()]))")
_DIVISIONS = ("floordiv", "ceildiv", "mod")


@record
class Membership:
    """Whether operands lie in a set: the condition, and the map of what is computed to find out, with its results."""

    holds: Formula
    computed: AffineMap
    results: tuple[Dim, ...]


def membership(spelling: str, operands: Sequence[Dim]) -> Membership:
    """Whether operands (dimensions first, then symbols) lie in a set. Raises CannotSee for a spelling cut short."""
    match = _SET.match(spelling)
    if match is None:
        raise CannotSee("the integer set cannot be read")
    names = [[name.strip() for name in (match[part] or "").split(",") if name.strip()] for part in ("dims", "symbols")]
    if len(operands) != len(names[0]) + len(names[1]):
        raise CannotSee("the integer set has other dimensions than its operands")
    constraints = [re.split(r"\s*(==|>=|<=)\s*", each) for each in _constraints(match["body"])]
    sides = tuple(_Reader(side, *names).whole() for left, _, right in constraints for side in (left, right))
    computed = AffineMap(len(names[0]), len(names[1]), sides)
    results = applied(computed, operands)
    holding: list[Formula] = []
    for number, (_, sign, _) in enumerate(constraints):
        sizes = results[2 * number : 2 * number + 2]
        if sign == "==":
            holding.append(equal(*sizes))
        else:
            holding.append(at_least(*(sizes if sign == ">=" else reversed(sizes))))
    return Membership(conjunction(holding), computed, results)


def _constraints(body: str) -> list[str]:
    found = [part.strip() for part in body.split(",") if part.strip()]
    if not all(len(re.findall("==|>=|<=", part)) == 1 for part in found):
        raise CannotSee("the integer set cannot be read")
    return found


class _Reader:
    """Reads one affine expression by recursive descent."""

    def __init__(self, text: str, dims: Sequence[str], symbols: Sequence[str]) -> None:
        self._dims = dims
        self._symbols = symbols
        self._tokens = _tokens(text)

    def whole(self) -> AffineExpression:
        expression = self._sum()
        if self._tokens:
            raise CannotSee("the integer set cannot be read")
        return expression

    def _sum(self) -> AffineExpression:
        left = self._product()
        while self._next() in ("+", "-"):
            sign = self._tokens.pop(0)
            right = self._product()
            left = AffineExpression("add", left=left, right=right if sign == "+" else _negated(right))
        return left

    def _product(self) -> AffineExpression:
        left = self._factor()
        while self._next() == "*" or self._next() in _DIVISIONS:
            word = self._tokens.pop(0)
            left = AffineExpression("mul" if word == "*" else word, left=left, right=self._factor())
        return left

    def _factor(self) -> AffineExpression:
        if not self._tokens:
            raise CannotSee("the integer set cannot be read")
        token = self._tokens.pop(0)
        if token == "-":
            return _negated(self._factor())
        if token == "(":
            expression = self._sum()
            if self._next() != ")":
                raise CannotSee("the integer set cannot be read")
            self._tokens.pop(0)
            return expression
        if token.isdecimal():
            return AffineExpression("constant", int(token))
        if token in self._dims:
            return AffineExpression("dim", self._dims.index(token))
        if token in self._symbols:
            return AffineExpression("symbol", self._symbols.index(token))
        raise CannotSee(f"the integer set names {token}, which it does not declare")

    def _next(self) -> str:
        return self._tokens[0] if self._tokens else ""


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise CannotSee("the integer set cannot be read")
        found.append(match[0].strip())
        position = match.end()
    return found


def _negated(expression: AffineExpression) -> AffineExpression:
    return AffineExpression("mul", left=expression, right=AffineExpression("constant", -1))
