"""Canonical comparisons: the form that people write, where it is equivalent for all sizes.

``x <= 0`` of a size is ``x == 0``, ``min(1, x) == 0`` is that too, ``x*y != 0`` is ``x >= 1 and y >= 1``, and
``(x + 8) % 16 == x + 8``, which is how a narrow integer states that it did not wrap, is ``x <= 7``.

A condition on remainders by numbers alone becomes one on each remainder: ``(x % 2)*(y % 3) == 2`` is
``x % 2 == 1 and y % 3 == 2``, ``x % 2 + y % 3 == 0`` is ``x % 2 == 0 and y % 3 == 0``. All values that the remainders
may have are tried, so that the form is equivalent for all sizes.

A claim on integers that wrap becomes one by cases: a size ``n`` read without its sign is ``n`` where ``n >= 0``. Where
it is not known how often a number wraps, as of a size as 16 bits, it stays a remainder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import gcd, prod

from shapesolve.simplification.boolean_minimization import cost
from shapesolve.simplification.quantifier_elimination import Alternative, alternatives, multiples
from shapesolve.simplification.readable import joined_bounds
from shapesolve.symbolic.atoms import Atom, Maximum, Minimum, Quotient, Remainder, Validity, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom, of_monomial
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import (
    at_least,
    conjunction,
    conjuncts,
    disjunction,
    equal,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.visitors import Instantiation, With, atoms_within, has_division, rebuilt_sum


def canonical(condition: Formula) -> Formula:
    """Return the condition with every comparison in canonical form."""
    try:
        reduced = without_wrapping(_Reduction({}).formula(condition))
    except (ValueError, TooLarge):  # shapes of unknown rank; cases that are too long to be written
        reduced = condition
    return _compared(reduced)


class _Reduction(Instantiation):
    """Removes nested ``... % m`` inside ``... % m``: ``((x % 16)*y + 8) % 16`` is ``(x*y + 8) % 16``."""

    def remainder(self, a: Dim, b: Dim) -> Dim:
        return self._without(a, b) % b if b.is_constant and b.constant > 0 else a % b

    def _without(self, size: Dim, divisor: Dim) -> Dim:
        def inner(atom: Atom) -> Dim:
            return atom.parts[0] if isinstance(atom, Remainder) and atom.parts[1] is divisor else of_atom(atom)

        return rebuilt_sum(size, inner)


def _compared(condition: Formula) -> Formula:
    by_parts = _of_parts(condition)
    if by_parts is not None:
        return _compared(by_parts)
    if isinstance(condition, IsZero | IsNonNegative | Not):
        of_each = of_each_remainder(condition)
        if of_each is not condition:
            return _compared(of_each)
    match condition:
        case And():
            return conjunction(_compared(part) for part in condition.parts)
        case Or():
            return disjunction(_compared(part) for part in condition.parts)
        case Not():
            return _not(condition.parts[0])
        case IsZero():
            fits = _fits(condition.size)
            return _zero(_congruent(condition.size)) if fits is None else fits
        case IsNonNegative():
            return _non_negative(condition.size)
        case _:
            return condition


def _of_parts(condition: Formula) -> Formula | None:
    """Distribute over operands: ``min(a, b) >= 2`` is ``a >= 2 and b >= 2``, and ``min(1, a) == 0`` is ``a == 0``."""
    inner = condition.parts[0] if isinstance(condition, Not) else condition
    if not isinstance(inner, IsZero | IsNonNegative) or len(inner.size.terms) != 1:
        return None
    monomial, pace = inner.size.terms[0]
    atom = monomial.single
    if not isinstance(atom, Minimum | Maximum) or abs(pace) != 1:
        return None
    if isinstance(inner, IsNonNegative):
        every = isinstance(atom, Minimum) == (pace == 1)
        parts = [at_least(each * pace + inner.size.constant, 0) for each in atom.parts]
        return conjunction(parts) if every else disjunction(parts)
    value, sign = -inner.size.constant * pace, 1 if isinstance(atom, Minimum) else -1
    numbers = [each for each in atom.parts if each.is_constant]
    others = [each for each in atom.parts if not each.is_constant]
    if len(numbers) != 1 or len(others) != 1:
        return None
    room = (numbers[0].constant - value) * sign
    found = FALSE if room < 0 else equal(others[0], value) if room else at_least((others[0] - value) * sign, 0)
    return negation(found) if inner is not condition else found


def _not(part: Formula) -> Formula:
    if not isinstance(part, IsZero):
        return negation(part)
    fits = _fits(part.size)
    if fits is not None:
        return negation(fits)
    size = _congruent(part.size)
    low, high = size.bounds()
    if low == 0:
        return _non_negative(size - 1)
    return _non_negative(-size - 1) if high == 0 else unequal(size, 0)


def _congruent(size: Dim) -> Dim:
    """Return ``x % 16`` for ``(x + 8) % 16 - 8``: one is 0 where the other is."""
    for monomial, coefficient in size.terms:
        atom = monomial.single
        if len(size.terms) > 1 or not isinstance(atom, Remainder) or abs(coefficient) != 1:
            break
        whole, divisor = atom.parts
        value = -size.constant * coefficient
        if divisor.is_constant and 0 <= value < divisor.constant and not whole.atom and len(whole.terms) == 1:
            return _of_factor(whole, divisor.constant, value, size)
        if divisor.is_constant and whole.constant and 0 <= value < divisor.constant:
            other = (whole - whole.constant) % divisor - (value - whole.constant) % divisor.constant
            return min(size, other, key=lambda each: len(str(each)))
    return size


def _of_factor(whole: Dim, divisor: int, value: int, size: Dim) -> Dim:
    """Return ``x % 3 - 1`` for ``(2*x + 1) % 3``: one is 0 where the other is, for the factor has an inverse."""
    ((monomial, factor),) = whole.terms
    if gcd(factor, divisor) != 1:
        return size
    rest = (value - whole.constant) * pow(factor, -1, divisor) % divisor
    return of_monomial(monomial) % divisor - rest


def _zero(size: Dim) -> Formula:
    if not size.constant and len(size.terms) == 1 and isinstance(bit := size.terms[0][0].single, Validity):
        return negation(equal(of_atom(bit), 1))  # which prints as "is an error"
    factors = _factors(size)
    return equal(size, 0) if factors is None else disjunction(equal(each, 0) for each in factors)


def _non_negative(size: Dim) -> Formula:
    if size.bounds()[1] == 0:
        return _zero(size)
    factors = _factors(size + 1) if size.constant == -1 else None
    return at_least(size, 0) if factors is None else conjunction(at_least(each, 1) for each in factors)


def _factors(size: Dim) -> list[Dim] | None:
    """Return the factors of a product of non-negative atoms, or None."""
    if size.constant or len(size.terms) != 1:
        return None
    monomial = size.terms[0][0]
    factors = [of_atom(atom) for atom, _ in monomial.factors]
    is_product = len(factors) > 1 and all(each.lower is not None and each.lower >= 0 for each, _ in monomial.factors)
    return factors if is_product else None


def _fits(size: Dim) -> Formula | None:
    """Return ``x % m == x`` for a positive number m as bounds: x lies from 0 to m - 1."""
    for monomial, coefficient in size.terms:
        atom = monomial.single
        if isinstance(atom, Remainder) and coefficient in (1, -1):
            whole, divisor = atom.parts
            is_itself = (of_atom(atom) - whole) * coefficient is size
            if is_itself and divisor.is_constant and divisor.constant > 0:
                return conjunction((at_least(whole, 0), less_than(whole, divisor)))
    return None


_MOST = 256
"""Combinations of values that are looked at."""
_WORTH = 12
"""Characters that a form may be longer: that each remainder is said for itself is worth that."""


def of_each_remainder(condition: Formula) -> Formula:
    """Return the condition with one comparison per remainder if that is no longer; otherwise unchanged."""
    atoms = _remainders(condition)
    if atoms is None:
        return condition
    good: list[tuple[int, ...]] = []
    bad: list[tuple[int, ...]] = []
    for chosen in product(*(range(atom.parts[1].constant) for atom in atoms)):
        there = _evaluated_at(condition, atoms, chosen)
        if there is not TRUE and there is not FALSE:
            return condition
        (good if there is TRUE else bad).append(chosen)
    forms: list[Formula] = []
    several = _independent(good)
    if several:
        forms.append(conjunction(_is_one_of(atom, own) for atom, own in zip(atoms, several, strict=True)))
    several = _independent(bad)
    if several:
        others = (set(range(atom.parts[1].constant)) - own for atom, own in zip(atoms, several, strict=True))
        forms.append(disjunction(_is_one_of(atom, own) for atom, own in zip(atoms, others, strict=True) if own))
    shorter = [each for each in forms if cost([each]) <= cost([condition]) + _WORTH]
    return min(shorter, key=lambda each: cost([each]), default=condition)


def _remainders(condition: Formula) -> list[Remainder] | None:
    """Return the remainders in a condition that mentions at least two and nothing else, or None."""
    found = [each for each in dict.fromkeys(atoms_within(condition)) if isinstance(each, Remainder)]
    inside = {inner for each in found for part in each.parts for inner in atoms_within(part)}
    outermost = [each for each in found if each not in inside]
    if len(outermost) < 2 or any(not each.parts[1].is_constant or each.parts[1].constant < 2 for each in outermost):
        return None
    return outermost if prod(each.parts[1].constant for each in outermost) <= _MOST else None


def _evaluated_at(condition: Formula, atoms: Sequence[Remainder], values: Iterable[int]) -> Formula:
    """Return a condition simplified for these values of atoms."""
    for atom, value in zip(atoms, values, strict=True):
        condition = With(atom, dim(value)).formula(condition)
    return condition


def _independent(points: Sequence[tuple[int, ...]]) -> list[set[int]]:
    """Return the values of each coordinate if the points are all of their combinations; else nothing."""
    several = [set(own) for own in zip(*points, strict=True)]
    return several if prod(map(len, several)) == len(points) else []


def _is_one_of(atom: Remainder, values: set[int]) -> Formula:
    """Return the condition that a remainder is one of some values."""
    size, count = of_atom(atom), atom.parts[1].constant
    others = set(range(count)) - values
    if len(values) > 1 and len(others) == 1:
        return unequal(size, min(others))
    low, high = min(values), max(values)
    if high - low + 1 == len(values):
        lower = at_least(size, low) if low else TRUE
        return equal(size, low) if low == high else conjunction((lower, at_least(high, size)))
    return disjunction(equal(size, each) for each in sorted(values))


def without_wrapping(claim: Formula) -> Formula:
    """Return the claim with wrapping arithmetic stated by cases; as it is if these are too many."""
    return conjunction(_by_cases(part) if _is_wrapped(part) else part for part in conjuncts(claim))


def _by_cases(claim: Formula) -> Formula:
    try:
        failing = _decomposed((negation(claim),))
    except TooLarge:  # one case may be longer than the whole
        return claim
    if failing is None:
        return claim
    return joined_bounds(conjunction(disjunction(negation(part) for part in parts) for parts in failing))


def _decomposed(parts: Alternative) -> list[Alternative] | None:
    """Return alternatives without wrapping that can be stated by cases; None if they are too many."""
    several = alternatives(conjunction(parts), _is_wrapped, _wraps)
    found: list[Alternative] = []
    for each in several or ():
        closer = (
            {variable: by for part in each for variable, by in _sign_conditions(part)}
            if any(map(has_division, each))
            else {}
        )
        inner = _decomposed(_renamed(closer, each)) if closer else [each]
        if inner is None:
            return None
        signs = tuple(part for part in each if any(True for _ in _sign_conditions(part)))
        back = {by: variable for variable, by in closer.items()}
        found += [(*signs, *_renamed(back, some)) for some in inner] if closer else inner
    return None if several is None else found


def _renamed(variables: Mapping[Variable, Variable], parts: Alternative) -> Alternative:
    """Rename variables in the parts."""
    put = Instantiation({each: of_atom(by) for each, by in variables.items()})
    return tuple(map(put.formula, parts))


def _sign_conditions(part: Formula) -> Iterator[tuple[Variable, Variable]]:
    """Yield a variable whose sign a part states, with one that has it by its bounds."""
    if not isinstance(part, IsNonNegative) or len(part.size.terms) != 1:
        return
    variable, pace = part.size.terms[0][0].single, part.size.terms[0][1]
    if not isinstance(variable, Variable) or variable.lower is None or variable.upper is None:
        return
    if pace == 1 and -part.size.constant > variable.lower:
        yield variable, Variable.of(f"{variable.name} up", -part.size.constant, variable.upper)
    if pace == -1 and part.size.constant < variable.upper:
        yield variable, Variable.of(f"{variable.name} down", variable.lower, part.size.constant)


def _is_wrapped(part: Formula) -> bool:
    return any(map(_wraps, atoms_within(part)))


def _wraps(atom: Atom) -> bool:
    return isinstance(atom, Quotient | Remainder) and multiples(*atom.parts) is not None
