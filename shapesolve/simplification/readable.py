"""Readable forms of claims: ``N*M == N`` as ``N == 0 or M == 1``, an index in its bounds as ``0 <= i < N``.

Comparisons of one sum with numbers are joined: ``N >= 2 and N != 1`` is ``N >= 2``, ``N == 0 or N >= 2`` is ``N != 1``.
No solver is asked: the sum counts as any integer within its own bounds.

Indices that count from the end are unwrapped: ``0 <= select(i < 0, i + n, i) < n`` is ``-n <= i < n``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from shapesolve.records import value_record
from shapesolve.solver.polynomials import decompose, factored
from shapesolve.symbolic.atoms import Choice, Remainder, Variable, ceiling_text
from shapesolve.symbolic.dims import Dim, dim, of_monomial, variable
from shapesolve.symbolic.formula_kinds import And, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, is_zero, negation, unequal
from shapesolve.symbolic.visitors import Instantiation

_TWO = dim(2)


def readable(formula: Formula) -> str:
    """Return an equivalent claim in the form that is easiest to read: ``N*M == N`` as ``N == 0 or M == 1``.

    The text can be read back with `shapesolve.symbolic.parser`.
    """
    return _text(_prepared(formula))


def readable_parts(formula: Formula) -> tuple[str, ...]:
    """Return the parts of the conjunction that `readable` joins with "and"; an alternative stands in parentheses."""
    prepared = _prepared(formula)
    if isinstance(prepared, And):
        return tuple(_conjuncts(prepared))
    return (f"({_text(prepared)})" if isinstance(prepared, Or) else _text(prepared),)


def _prepared(formula: Formula) -> Formula:
    return _with_ceilings(_with_parities(joined_bounds(decompose(without_wrapping(formula)))))


def _with_parities(formula: Formula) -> Formula:
    """Return the formula with ``(a + 1) % 2`` as ``1 - a % 2``, if that is shorter: ``b >= a + a % 2``."""
    text = str(formula)
    if "+ 1) % 2" not in text:
        return formula
    try:
        changed = _Parities({}).formula(formula)
    except ValueError:  # shapes of unknown rank
        return formula
    return changed if len(str(changed)) < len(text) else formula


class _Parities(Instantiation):
    def remainder(self, a: Dim, b: Dim) -> Dim:
        return 1 - (a - 1) % b if b is _TWO and a.constant == 1 else a % b


def _with_ceilings(formula: Formula) -> Formula:
    """Return the formula with ``-((-a)//b)`` as a ceiling division, for printing only."""
    text = str(formula)
    if "(-" not in text and "ceildiv(" not in text:
        return formula
    try:
        return _Ceilings({}).formula(formula)
    except ValueError:  # shapes of unknown rank
        return formula


class _Ceilings(Instantiation):
    def quotient(self, a: Dim, b: Dim) -> Dim:
        text = ceiling_text(a, b)
        return a // b if text is None else -variable(text, None)


def _text(formula: Formula) -> str:
    if isinstance(formula, And):
        return " and ".join(_conjuncts(formula))
    if isinstance(formula, Or):
        pieces = [(_text(part), isinstance(part, And) and len(_conjuncts(part)) > 1) for part in formula.parts]
        return " or ".join(f"({text})" if wrap else text for text, wrap in pieces)
    return _comparison(formula)


def _comparison(formula: Formula) -> str:
    if isinstance(formula, IsNonNegative):
        if formula.size.bounds()[1] == 0:  # what is never positive
            return _comparison(is_zero(formula.size))
        if formula.size.constant == -1 and (formula.size + 1).bounds()[0] == 0:
            rest = (formula.size + 1).atom
            if isinstance(rest, Remainder):
                return f"{rest} != 0"
        number, least = (formula.size - formula.size.constant).atom, -formula.size.constant - 1
        if isinstance(number, Variable) and number.lower == least < -1:  # the least number of its type
            return f"{number} != {dim(least)}"
    below = _beside_a_negative(formula)
    if below is not None:
        return below
    if isinstance(formula, IsNonNegative) and formula.size.constant == -1:
        left, right = _sides(formula.size + 1)
        if not left.is_constant and not right.is_constant:
            return f"{_side(left)} > {_side(right)}"
    compared = formula.parts[0] if isinstance(formula, Not) else formula
    if isinstance(compared, IsZero | IsNonNegative) and not compared.size.is_linear:
        return min(_products(formula, compared), key=len)
    return str(formula)


def _products(formula: Formula, compared: IsZero | IsNonNegative) -> list[str]:
    """Return the ways to write a comparison of products."""
    sign = ">=" if isinstance(compared, IsNonNegative) else "==" if compared is formula else "!="
    sides = _sides(compared.size)
    left, right = map(_side, sides)
    texts = [str(formula)]
    if (left, right) != tuple(map(str, sides)):
        texts.insert(0, f"{left} {sign} {right}")
    return [_product_sign(compared.size), *texts] if isinstance(compared, IsNonNegative) else texts


def _sides(size: Dim) -> tuple[Dim, Dim]:
    """Return the positive terms of a size, and the negated negative ones."""
    added = dim(max(size.constant, 0))
    for monomial, coefficient in size.terms:
        if coefficient > 0:
            added = added + of_monomial(monomial) * coefficient
    return added, added - size


def _side(size: Dim) -> str:
    """Return the text of a size, factored if it is a product of sums and that is shorter."""
    text = str(size)
    if size.is_linear or len(size.terms) < 2:
        return text
    factors = factored(size)
    return min("*".join(factor.as_factor() for factor in factors), text, key=len) if len(factors) > 1 else text


def _beside_a_negative(formula: Formula) -> str | None:
    """Return ``n + 3 >= 0`` as ``n >= -3``; None if the size is not compared with a negative number."""
    compared = formula.parts[0] if isinstance(formula, Not) else formula
    if not isinstance(compared, IsZero | IsNonNegative):
        return None
    size, sign = compared.size, "==" if compared is formula else "!="
    if isinstance(compared, IsNonNegative):
        sign = ">=" if size.constant > 0 else "<="
        size = size if size.constant > 0 else -size
    if size.constant <= 0 or any(coefficient < 0 for _, coefficient in size.terms):
        return None
    return f"{size - size.constant} {sign} {dim(-size.constant)}"


def _product_sign(size: Dim) -> str:
    """Return ``size >= 0`` with the size factored."""
    factors = factored(size)
    sign = "<=" if factors[0].is_constant and factors[0].constant < 0 else ">="
    return f"{'*'.join(factor.as_factor() for factor in factors if not factor.is_constant)} {sign} 0"


def _conjuncts(formula: And) -> list[str]:
    """Return the parts of a conjunction, a lower and an upper bound of one size as one chain."""
    bounds, indices = _Bounds.of(formula), _index_chains(formula.parts)
    texts: dict[str, None] = {}
    for part in formula.parts:
        if isinstance(part, Or):
            text = f"({_text(part)})"
        else:
            text = indices.get(part) or bounds.chain(part) or _comparison(part)
        texts[text] = None
    return list(texts)


def _index_chains(parts: Iterable[Formula]) -> dict[Formula, str]:
    """Return ``-n <= i < n`` for both parts of each index that may count from the end."""
    sizes = {part.size: part for part in parts if isinstance(part, IsNonNegative)}
    found: dict[Formula, str] = {}
    for size, part in sizes.items():
        for monomial, coefficient in size.terms:
            index = of_monomial(monomial)
            extent = size - index
            above = sizes.get(extent - index - 1)
            if coefficient == 1 and (index.bounds()[0] or -1) < 0 and above is not None and extent.constant == 0:
                found |= dict.fromkeys((part, above), f"{-extent} <= {index} < {extent}")
    return found


@value_record
class _Bounds:
    """Bounds of sizes in a conjunction.

    Attributes:
        numbers: The lowest and the highest number of each size.
        above: A part that states the upper bound of a size, where no number does.
    """

    numbers: dict[Dim, dict[int, int]]
    above: dict[Dim, IsNonNegative]

    @classmethod
    def of(cls, formula: And) -> _Bounds:
        parts = [part for part in formula.parts if isinstance(part, IsNonNegative)]
        numbers: dict[Dim, dict[int, int]] = {}
        for part in parts:
            size, direction, bound = bound_of(part.size)
            numbers.setdefault(size, {}).setdefault(direction, bound)
        above: dict[Dim, IsNonNegative] = {}
        taken: set[Dim] = set()
        for part in parts:
            _, lower = _sides(part.size - part.size.constant)
            known = numbers.get(lower)
            is_single = len(lower.terms) == 1 and len(part.size.terms) > 1
            if is_single and known is not None and list(known) == [1] and lower not in above and part.size not in taken:
                above[lower] = part
                taken.add(part.size)
        return cls(numbers, above)

    def chain(self, part: Formula) -> str | None:
        """Return the chain that states what a part does; None if the part states more, or there is no chain."""
        if not isinstance(part, IsNonNegative):
            return None
        size, direction, bound = bound_of(part.size)
        known = self.numbers[size]
        if len(known) == 2 and known[direction] == bound:
            low, high = known[1], known[-1]
            ends = dim(low), dim(high)
            return f"{size} == {ends[0]}" if low == high else f"{ends[0]} <= {size} <= {ends[1]}"
        upper = self.above.get(size) if direction == 1 and known[1] == bound else None
        if upper is None:
            size, upper = _sides(part.size - part.size.constant)[1], part
            if self.above.get(size) is not part:
                return None
        least = upper.size + size
        most = f"< {_side(least + 1)}" if least.constant == -1 else f"<= {_side(least)}"
        return f"{dim(self.numbers[size][1])} <= {size} {most}"


def joined_bounds(formula: Formula) -> Formula:
    """Return the formula with comparisons of one sum joined wherever they stand side by side."""
    if isinstance(formula, And):
        return conjunction(joined(joined_bounds(part) for part in formula.parts))
    if isinstance(formula, Or):
        negated = joined(negation(joined_bounds(part)) for part in formula.parts)
        return disjunction(negation(part) for part in negated)
    return formula


def joined(parts: Iterable[Formula]) -> list[Formula]:
    """Join the comparisons of one sum, in the place of the first of them."""
    groups: dict[Dim | Formula, list[Formula]] = {}
    for part in parts:
        compared = _compared(part)
        groups.setdefault(part if compared is None else compared, []).append(part)
    return [
        each
        for key, group in groups.items()
        for each in (_fewest_comparisons(key, group) if isinstance(key, Dim) else dict.fromkeys(group))
    ]


def _compared(part: Formula) -> Dim | None:
    """Return the sum that a part compares with a number, its leading coefficient positive."""
    inner = part.parts[0] if isinstance(part, Not) else part
    if not isinstance(inner, IsZero | IsNonNegative):
        return None
    return bound_of(inner.size)[0]


def bound_of(size: Dim) -> tuple[Dim, int, int]:
    """Return ``size >= 0`` as ``(bare, 1, low)`` for ``bare >= low`` or ``(bare, -1, high)`` for ``bare <= high``."""
    bare = size - size.constant
    if bare.terms[0][1] > 0:
        return bare, 1, -size.constant
    return -bare, -1, size.constant


@dataclass(slots=True)
class _Range:
    """The values of a sum; a bound is None if there is none."""

    low: int | None
    high: int | None
    excluded: set[int] = field(default_factory=set[int])

    def take(self, part: Formula) -> None:
        inner = part.parts[0] if isinstance(part, Not) else part
        assert isinstance(inner, IsZero | IsNonNegative)
        _, direction, number = bound_of(inner.size)
        if isinstance(part, Not):
            self.excluded.add(number)
            return
        if isinstance(part, IsZero) or direction == 1:
            self.low = number if self.low is None else max(self.low, number)
        if isinstance(part, IsZero) or direction == -1:
            self.high = number if self.high is None else min(self.high, number)

    def tighten(self) -> None:
        while self.low is not None and self.low in self.excluded:
            self.excluded.discard(self.low)
            self.low += 1
        while self.high is not None and self.high in self.excluded:
            self.excluded.discard(self.high)
            self.high -= 1

    def allows(self, number: int) -> bool:
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)

    @property
    def is_empty(self) -> bool:
        return self.low is not None and self.high is not None and self.low > self.high


def _fewest_comparisons(size: Dim, group: list[Formula]) -> list[Formula]:
    """Return the fewest equivalent comparisons of one sum."""
    kept = list(dict.fromkeys(group))
    if len(kept) < 2:
        return kept
    low, high = size.bounds()
    found = _Range(low, high)
    for part in kept:
        found.take(part)
    found.tighten()
    if found.is_empty:
        return kept
    if found.low is not None and found.low == found.high:
        return [equal(size, found.low)]
    bounds = [at_least(size, found.low)] if found.low is not None and found.low != low else []
    bounds += [at_least(found.high, size)] if found.high is not None and found.high != high else []
    fewer = [*bounds, *(unequal(size, each) for each in sorted(found.excluded) if found.allows(each))]
    is_chain = len(fewer) == len(bounds) == 2
    return fewer if len(fewer) < len(kept) + is_chain else kept


def without_wrapping(formula: Formula) -> Formula:
    """Return the formula with both bounds of an index from the end stated of the index itself."""
    if isinstance(formula, Or):
        return disjunction(map(without_wrapping, formula.parts))
    if not isinstance(formula, And):
        return formula
    parts = list(map(without_wrapping, formula.parts))
    for part in formula.parts:
        found = _wrapped(part)
        if found is None:
            continue
        lower, upper, bounds = part, at_least(found.length - 1, found.wrapped), found.bounds
        if any(each is lower for each in parts) and any(each is upper for each in parts):
            parts = [*(each for each in parts if each is not lower and each is not upper), *bounds]
    return conjunction(parts)


class _Wrapped:
    """A size that is ``index``, or ``index + length`` where the index is negative."""

    def __init__(self, wrapped: Dim, index: Dim, length: Dim) -> None:
        self.wrapped = wrapped
        self.length = length
        self.bounds = (at_least(index, -length), at_least(length - 1, index))


def _wrapped(lower: Formula) -> _Wrapped | None:
    """Return the index from the end that a formula bounds below by 0, or None."""
    atom = lower.size.atom if isinstance(lower, IsNonNegative) else None
    if not isinstance(lower, IsNonNegative) or not isinstance(atom, Choice):
        return None
    condition, a, b = atom.parts
    if condition is at_least(-1, b):
        return _Wrapped(lower.size, b, a - b)
    return _Wrapped(lower.size, a, b - a) if condition is at_least(a, 0) else None


LONGEST_REWRITTEN = 600
"""Claims longer than this are printed as they are: rewriting them takes long and makes them no easier to read."""


def readable_claim(claim: Formula) -> str:
    """Return the claim in the form that is easiest to read."""
    text = str(claim)
    return text if len(text) > LONGEST_REWRITTEN else readable(claim)
