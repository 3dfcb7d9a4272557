"""Claims as people would write them: ``N*M == N`` as ``N == 0 or M == 1``, an index in its bounds as ``0 <= i < N``."""

from __future__ import annotations

from shapesolve.language.atoms import Remainder
from shapesolve.language.dims import Dim, dim, of_monomial, variable
from shapesolve.language.formula_kinds import And, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.language.formulas import is_zero
from shapesolve.language.substitution import Instantiation
from shapesolve.proving.algebra import factored, spread_out
from shapesolve.proving.joined_bounds import bound_of, joined_bounds
from shapesolve.proving.wrapped_indices import without_wrapping
from shapesolve.records import value_record


def readable(formula: Formula) -> str:
    """An equivalent claim in the form that is easiest to read: ``N*M == N`` as ``N == 0 or M == 1``.

    The text can be read back with `shapesolve.language.parsing`.
    """
    return _text(_with_ceilings(joined_bounds(spread_out(without_wrapping(formula)))))


def _with_ceilings(formula: Formula) -> Formula:
    """The formula with ``-((-a)//b)`` under the name that people have for it; it is good for printing only."""
    if "(-" not in str(formula):
        return formula
    try:
        return _Ceilings({}).formula(formula)
    except ValueError:  # shapes of unknown rank
        return formula


class _Ceilings(Instantiation):
    def quotient(self, a: Dim, b: Dim) -> Dim:
        if a.constant > 0 or any(coefficient > 0 for _, coefficient in a.terms):
            return a // b
        return -variable(f"ceildiv({-a}, {b})", None)


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
    """What a comparison of products may be written as."""
    sign = ">=" if isinstance(compared, IsNonNegative) else "==" if compared is formula else "!="
    sides = _sides(compared.size)
    left, right = map(_side, sides)
    texts = [str(formula)]
    if (left, right) != tuple(map(str, sides)):
        texts.insert(0, f"{left} {sign} {right}")
    return [_product_sign(compared.size), *texts] if isinstance(compared, IsNonNegative) else texts


def _sides(size: Dim) -> tuple[Dim, Dim]:
    """What is added in a size and what is taken away."""
    added = dim(max(size.constant, 0))
    for monomial, coefficient in size.terms:
        if coefficient > 0:
            added = added + of_monomial(monomial) * coefficient
    return added, added - size


def _side(size: Dim) -> str:
    """A size, as a product where it is one of sums and that is shorter."""
    text = str(size)
    if size.is_linear or len(size.terms) < 2:
        return text
    factors = factored(size)
    return min("*".join(factor.as_factor() for factor in factors), text, key=len) if len(factors) > 1 else text


def _beside_a_negative(formula: Formula) -> str | None:
    """``n + 3 >= 0`` as ``n >= -3``; None for what has no negative number to be compared with."""
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
    """``size >= 0`` with the size written as a product."""
    factors = factored(size)
    sign = "<=" if factors[0].is_constant and factors[0].constant < 0 else ">="
    return f"{'*'.join(factor.as_factor() for factor in factors if not factor.is_constant)} {sign} 0"


def _conjuncts(formula: And) -> list[str]:
    """The parts of a conjunction, a lower and an upper bound of one size as one chain."""
    bounds = _Bounds.of(formula)
    texts: dict[str, None] = {}
    for part in formula.parts:
        text = f"({_text(part)})" if isinstance(part, Or) else bounds.chain(part) or _comparison(part)
        texts[text] = None
    return list(texts)


@value_record
class _Bounds:
    """Bounds of sizes in a conjunction.

    ``numbers`` has the lowest and the highest number that each may be, ``above`` for some a part that says what they
    are below, where no number does.
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
        """The chain that says what a part does; None where it says more, or there is none."""
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
