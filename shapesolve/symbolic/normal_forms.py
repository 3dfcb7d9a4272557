"""Normal forms of quotients, remainders, minima, maxima, broadcasts and choices.

In a division by a constant, every multiple of it is taken out, common factors are canceled and nested divisions are
joined. In a division by an expression, whole multiples are taken out only where the divisor cannot be 0; of a sum, only
a dividend that is a multiple of it as a polynomial.

The normal form writes ``8*(a//7)`` as ``a - a % 7 + a//7``, which hides the factor 8. `without_factor` expands
remainders to find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import gcd

from shapesolve.symbolic.atoms import (
    Atom,
    Bound,
    BroadcastExtent,
    Choice,
    Maximum,
    Minimum,
    MinMax,
    Monomial,
    Quotient,
    Remainder,
    common_factor,
    common_monomial,
)
from shapesolve.symbolic.derivations import recorded
from shapesolve.symbolic.dims import (
    ONE,
    ZERO,
    Dim,
    DimLike,
    dim,
    floordiv,
    of_atom,
    of_monomial,
    scaled_down,
    weighted_sum,
)
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import negation, not_a_formula
from shapesolve.symbolic.natural_order import natural_order


def divide(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    """Return ``(a // b, a % b)``; ``(0, a)`` where ``b`` is 0."""
    if b.is_constant:
        return _by_constant(a, b.constant)
    low, high = b.bounds()
    nonzero = (low is not None and low > 0) or (high is not None and high < 0)
    if a is ZERO:
        return ZERO, ZERO
    if nonzero:
        whole, rest = split_multiples(a, b)
        if whole is not ZERO:
            quotient, left = divide(rest, b)
            return whole + quotient, left
        if a.bounds()[0] is not None and _surely_less(a, b):
            return ZERO, a
    return of_atom(_quotient(a, b)), of_atom(_remainder(a, b))


def _surely_less(a: Dim, b: Dim) -> bool:
    low, _ = a.bounds()
    _, gap = (a - b).bounds()
    return low is not None and low >= 0 and gap is not None and gap < 0


@lru_cache(maxsize=1 << 14)  # numbers that wrap around are divided by the same power of 2 again and again
def _by_constant(a: Dim, divisor: int) -> tuple[Dim, Dim]:
    if divisor == 0:
        return ZERO, a
    if divisor < 0:
        quotient, rest = _by_constant(-a, -divisor)
        return quotient, -rest
    if a.is_constant:
        return dim(a.constant // divisor), dim(a.constant % divisor)
    if divisor == 1:
        return a, ZERO
    whole, rest = _split(a, divisor)
    for _ in range(4):  # taking multiples out may rewrite a quotient inside, and bring new multiples out
        more, rest = _split(rest, divisor)
        if more is ZERO:
            break
        whole = whole + more
    if rest.is_constant:
        return whole, rest
    low, high = rest.bounds()
    if low is not None and high is not None and low // divisor == high // divisor:
        known = low // divisor
        return whole + known, rest - known * divisor
    hidden = without_factor(rest, divisor)
    if hidden is not None:
        factor, inner, constant = hidden
        quotient, left = _by_constant(inner + constant // factor, divisor // factor)
        return whole + quotient, left * factor + constant % factor
    if _is_mostly_subtracted(rest, divisor):
        quotient, left = _by_constant(divisor - 1 - rest, divisor)
        return whole - quotient, divisor - 1 - left
    return whole + _quotient_by(rest, divisor), _remainder_by(rest, divisor)


def _is_mostly_subtracted(rest: Dim, divisor: int) -> bool:
    """Return whether a division rounds a subtracted size, as ``-n % 8`` does.

    Then it is written as a division that rounds up, ``n + (-n % 8)`` as ``8*((n + 7)//8)``: one term, not two, of which
    products would have four. ``(2*n)//3`` and ``(5*n)//8`` stay, which are rarely meant as ``-n`` and ``-3*n``.
    """
    return bool(rest.terms) and all(4 * (-coefficient % divisor) <= divisor for _, coefficient in rest.terms)


def _split(a: Dim, divisor: int) -> tuple[Dim, Dim]:
    """Return ``(q, r)`` with ``a == divisor*q + r`` and small coefficients in ``r``."""
    whole = dim(a.constant // divisor)
    rest = dim(a.constant % divisor)
    for monomial, coefficient in a.terms:
        multiple = coefficient // divisor
        if monomial.reducible and multiple < 0:  # keep the sign that the normal form of quotients chose
            multiple = -(-coefficient // divisor)
        if multiple:
            whole = whole + of_monomial(monomial) * multiple
        rest = rest + of_monomial(monomial) * (coefficient - multiple * divisor)
    return whole, rest


def _quotient_by(a: Dim, divisor: int) -> Dim:
    factor = common_factor((*a.terms, (Monomial.of(()), divisor)))
    if factor > 1:
        return _by_constant(scaled_down(a, factor), divisor // factor)[0]
    atom = a.terms[0][0].single if len(a.terms) == 1 and a.terms[0][1] == 1 else None
    if isinstance(atom, Quotient) and atom.parts[1].is_constant and atom.parts[1].constant > 0:
        inner_divisor = atom.parts[1].constant
        return _by_constant(atom.parts[0] + a.constant * inner_divisor, divisor * inner_divisor)[0]
    return of_atom(_quotient(a, dim(divisor)))


def _remainder_by(a: Dim, divisor: int) -> Dim:
    factor = common_factor((*a.terms, (Monomial.of(()), divisor)))
    if factor > 1:
        return _by_constant(scaled_down(a, factor), divisor // factor)[1] * factor + a.constant % factor
    flattened = a
    for monomial, coefficient in a.terms:
        atom = monomial.single
        if isinstance(atom, Remainder) and atom.parts[1].is_constant and atom.parts[1].constant % divisor == 0:
            flattened = flattened + (atom.parts[0] - of_atom(atom)) * coefficient
    if divisor == 2:
        flattened = _without_powers(flattened)
    if flattened is not a:
        return _by_constant(flattened, divisor)[1]
    return of_atom(_remainder(a, dim(divisor)))


def _without_powers(a: Dim) -> Dim:
    """Return a sum of the same parity without powers: ``n**2`` is odd where ``n`` is, so ``n**2 + n`` never is."""
    if all(power == 1 for monomial, _ in a.terms for _, power in monomial.factors):
        return a
    bases = ((Monomial.of((atom, 1) for atom, _ in monomial.factors), times) for monomial, times in a.terms)
    return weighted_sum(bases, a.constant)


def split_multiples(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    """Return ``(q, r)`` with ``a == b*q + r``, where the divisor is one monomial or divides ``a`` as a polynomial."""
    if a is b:
        return ONE, ZERO
    if b.constant or len(b.terms) != 1:
        whole = _exact_quotient(a, b)
        return (ZERO, a) if whole is None else (whole, ZERO)
    divisor, scale = b.terms[0]
    whole = ZERO
    rest = dim(a.constant)
    for monomial, coefficient in a.terms:
        cofactor = monomial.divided_by(divisor)
        if cofactor is None or coefficient % scale:
            rest = rest + of_monomial(monomial) * coefficient
        else:
            whole = whole + of_monomial(cofactor) * (coefficient // scale)
    return whole, rest


def _exact_quotient(a: Dim, b: Dim) -> Dim | None:
    """Return the polynomial ``q`` with ``a == b*q``, or None: ``B*h*w + B`` is a multiple of ``h*w + 1``."""
    if a.is_linear or b.is_constant or len(a.terms) > _MOST_TERMS:
        return None
    divisor, left, whole = _terms(b), _terms(a), dict[Monomial, int]()
    lead = max(b.terms, key=lambda term: sum(power for _, power in term[0].factors))[0]
    for _ in range(_MOST_TERMS):
        cofactors = ((each, each.divided_by(lead)) for each, times in left.items() if times % divisor[lead] == 0)
        found = next(((each, cofactor) for each, cofactor in cofactors if cofactor is not None), None)
        if found is None:
            return None
        times = left[found[0]] // divisor[lead]
        whole[found[1]] = whole.get(found[1], 0) + times
        for monomial, coefficient in divisor.items():
            product = monomial.times(found[1])
            left[product] = left.get(product, 0) - times * coefficient
        left = {monomial: coefficient for monomial, coefficient in left.items() if coefficient}
        if not left:
            return weighted_sum(whole.items())
    return None


def _quotient(a: Dim, b: Dim) -> Quotient:
    low, high = a.bounds()
    lower: Bound = None
    upper: Bound = None
    if b.is_constant:
        lower = None if low is None else low // b.constant
        upper = None if high is None else high // b.constant
    else:
        least = b.bounds()[0]
        if least is not None and least >= 0:  # it is 0 where the divisor is
            lower = None if low is None else min(low, 0)
            upper = None if high is None else max(high, 0)
    return Quotient.of_parts((a, b), lower, upper)


def _remainder(a: Dim, b: Dim) -> Remainder:
    low, high = a.bounds()
    if b.is_constant:
        return Remainder.of_parts((a, b), 0, b.constant - 1)
    least, most = b.bounds()
    if least is not None and least > 0:
        return Remainder.of_parts((a, b), 0, None if most is None else most - 1)
    if least is not None and least >= 0 and low is not None and low >= 0:
        return Remainder.of_parts((a, b), 0, high)
    if least is not None and least >= 0 and low is not None:
        return Remainder.of_parts((a, b), low, None if most is None or high is None else max(high, most - 1))
    # It is the dividend where the divisor is 0, and else nearer to 0 than the divisor, on the same side.
    lower = None if low is None or least is None else min(low, least + 1, 0)
    upper = None if high is None or most is None else max(high, most - 1, 0)
    return Remainder.of_parts((a, b), lower, upper)


_MOST_TERMS = 64  # more are given up: nothing depends on it but how much is simplified

Sum = dict[Monomial, int]
_UNIT = Monomial.of(())


def without_factor(a: Dim, divisor: int) -> tuple[int, Dim, int] | None:
    """Return ``(g, x, c)`` with ``a == g*x + c``, where ``g > 1`` divides the divisor, or None.

    All terms of ``a`` have the factor ``g`` once every ``n % k`` is written as ``n - k*(n//k)``.
    """
    if all(_by_a_constant(atom) is None for atom in a.atoms()):
        return None
    terms = _unreduced(a)
    if terms is None:
        return None
    constant = terms.pop(_UNIT, 0)
    factor = divisor
    for coefficient in terms.values():
        factor = gcd(factor, coefficient)
        if factor == 1:
            return None
    inner = weighted_sum((monomial, coefficient // factor) for monomial, coefficient in terms.items())
    return factor, inner, constant


def _by_a_constant(atom: Atom) -> tuple[Dim, int] | None:
    """Return ``(n, k)`` of a remainder ``n % k`` by a positive constant, or None."""
    if not isinstance(atom, Remainder):
        return None
    numerator, divisor = atom.parts
    return (numerator, divisor.constant) if divisor.is_constant and divisor.constant > 0 else None


def _unreduced(a: Dim) -> Sum | None:
    """Return the terms of a sum with remainders expanded; None if they are too many.

    The constant stands under the empty monomial.
    """
    total: Sum = {_UNIT: a.constant} if a.constant else {}
    for monomial, coefficient in a.terms:
        product: Sum | None = {_UNIT: coefficient}
        for atom, power in monomial.factors:
            factor = _undone(atom)
            for _ in range(power):
                product = None if product is None else _product(product, factor)
        if product is None:
            return None
        for each, times in product.items():
            total[each] = total.get(each, 0) + times
    return {monomial: times for monomial, times in total.items() if times}


def _undone(atom: Atom) -> Sum:
    """Return ``n - k*(n//k)`` for ``n % k``, and any other atom as it is.

    Remainders inside ``n`` stay: there may be many.
    """
    parts = _by_a_constant(atom)
    quotient = None if parts is None else floordiv(*parts).atom
    if parts is None or quotient is None or len(parts[0].terms) > _MOST_TERMS:
        return {Monomial.of(((atom, 1),)): 1}
    total = dict(parts[0].terms)
    if parts[0].constant:
        total[_UNIT] = parts[0].constant
    single = Monomial.of(((quotient, 1),))
    total[single] = total.get(single, 0) - parts[1]
    return total


def _product(a: Sum, b: Sum) -> Sum | None:
    if len(a) * len(b) > _MOST_TERMS:
        return None
    total: Sum = {}
    for left, x in a.items():
        for right, y in b.items():
            both = left.times(right)
            total[both] = total.get(both, 0) + x * y
    return total


def lowest_terms(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    """Return two sizes divided by a common factor, so that ``a // b`` is shorter where ``b`` is not 0.

    The factor is the greatest product of a number and of atoms that all terms have. If ``b`` is 0, the factor may be 0,
    and the quotients differ: callers require that it is not.
    """
    found: list[tuple[Dim, Dim]] = []
    for upper, lower in ((_terms(a), _terms(b)), (_unreduced(a), _unreduced(b))):
        if upper and lower:
            shared, factor = common_monomial([*upper, *lower]), gcd(*upper.values(), *lower.values())
            found.append((_divided(upper, shared, factor), _divided(lower, shared, factor)))
    return min(found, key=lambda each: sum(len(one.terms) for one in each), default=(a, b))


def _terms(a: Dim) -> Sum:
    """Return the terms of a sum, the constant under the empty monomial."""
    return {**dict(a.terms), **({_UNIT: a.constant} if a.constant else {})}


def _divided(terms: Sum, by: Monomial, factor: int) -> Dim:
    """Return a sum divided by a factor of all its terms."""
    return weighted_sum((monomial.cofactor(by), times // factor) for monomial, times in terms.items())


@recorded()
def minimum(*sizes: DimLike) -> Dim:
    """Return the least of one or more sizes."""
    return _extreme(Minimum, sizes)


@recorded()
def maximum(*sizes: DimLike) -> Dim:
    """Return the greatest of one or more sizes."""
    return _extreme(Maximum, sizes)


@recorded(with_keywords="vouched_broadcast_extent")
def broadcast_extent(*sizes: DimLike, compatible: bool = False) -> Dim:
    """Return the extent that a column of these sizes broadcasts to.

    With ``compatible`` the caller vouches for the sizes being compatible; then a constant other than 1 is the result.
    Without it the result is exact for all sizes (see `BroadcastExtent`).
    """
    given = [part for part in map(dim, sizes) if part is not ONE]
    if compatible:  # vouched for are the given sizes, not what a broadcast among them was made of
        constant = next((part for part in given if part.is_constant), None)
        if constant is not None:
            return constant
    flattened = (part for each in given for part in _flattened(BroadcastExtent, each))
    parts = dict.fromkeys(part for part in flattened if part is not ONE)
    if not parts:
        return ONE
    if len(parts) == 1:
        return next(iter(parts))
    ordered = tuple(sorted(parts, key=natural_order))
    lows = [low for low, _ in (part.bounds() for part in ordered) if low is not None]
    highs = [high for _, high in (part.bounds() for part in ordered) if high is not None]
    lower: Bound = min(1, *lows) if len(lows) == len(ordered) else None
    upper: Bound = max(1, *highs) if len(highs) == len(ordered) else None
    return of_atom(BroadcastExtent.of_parts(ordered, lower, upper))


@recorded()
def choose(condition: Formula, a: DimLike, b: DimLike) -> Dim:
    """Return ``a`` where the condition holds, else ``b``."""
    first, second = dim(a), dim(b)
    if not isinstance(condition, Formula):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise not_a_formula(condition)
    if condition is TRUE or first is second:
        return first
    if condition is FALSE:
        return second
    (low_a, high_a), (low_b, high_b) = first.bounds(), second.bounds()
    lower = None if low_a is None or low_b is None else min(low_a, low_b)
    upper = None if high_a is None or high_b is None else max(high_a, high_b)
    return of_atom(Choice.of_parts((condition, first, second), lower, upper))


def as_number(part: Formula) -> Dim:
    """Return the size that is 1 where the formula holds, else 0."""
    return choose(part, 1, 0)


def joined_size(condition: Formula, a: Dim, b: Dim) -> Dim:
    """Return the size where two branches meet: selects by the same condition are decided in each.

    Without it, a value that branch after branch on one flag changes would double with each of them.
    """
    opposite = negation(condition)
    return choose(condition, _where(a, condition, opposite), _where(b, opposite, condition))


def _where(size: Dim, true: Formula, false: Formula) -> Dim:
    """Return a size without its selects by formulas of which one is true and the other false."""
    for monomial, coefficient in size.terms:
        atom = monomial.single
        if isinstance(atom, Choice) and (atom.parts[0] is true or atom.parts[0] is false):
            decided = atom.parts[1] if atom.parts[0] is true else atom.parts[2]
            size = size + (decided - of_atom(atom)) * coefficient
    return size


def _flattened(kind: type[MinMax], size: Dim) -> Sequence[Dim]:
    shift = 0 if kind is BroadcastExtent else size.constant  # min(N, M) + 1 is min(N + 1, M + 1)
    atom = (size - shift).atom
    if isinstance(atom, MinMax) and type(atom) is kind:
        return [part + shift for part in atom.parts]
    return [size]


def _extreme(kind: type[MinMax], sizes: Iterable[DimLike]) -> Dim:
    kept = _undominated(kind, [_flattened(kind, dim(each)) for each in sizes])
    if not kept:
        raise ValueError("min and max need at least one size")
    if len(kept) == 1:
        return kept[0]
    shift = min(part.constant for part in kept)
    ordered = tuple(sorted((part - shift for part in kept), key=natural_order))
    return of_atom(kind.of_parts(ordered, *_extreme_bounds(kind, ordered))) + shift


def _undominated(kind: type[MinMax], groups: Iterable[Sequence[Dim]]) -> list[Dim]:
    """Drop every part that another one bounds for all values of the variables.

    Parts of one group are those of one minimum or maximum, of which none bounds another.
    """
    kept: list[Dim] = []
    seen: set[Dim] = set()
    for group in groups:
        own: list[Dim] = []
        for part in group:
            if part in seen:
                continue
            seen.add(part)
            if any(_beats(kind, other, part) for other in kept):
                continue
            kept = [other for other in kept if not _beats(kind, part, other)]
            own.append(part)
        kept += own
    return kept


def _beats(kind: type[MinMax], a: Dim, b: Dim) -> bool:
    low, high = (a - b).bounds()
    if (low is not None and low >= 0) if kind is Maximum else (high is not None and high <= 0):
        return True
    opposite = Minimum if kind is Maximum else Maximum
    shift = b.constant
    atom = (b - shift).atom
    # Absorption: max(a, min(a, c)) is a, and so the other way around.
    return isinstance(atom, opposite) and any(_beats(kind, a, part + shift) for part in atom.parts)


def _extreme_bounds(kind: type[MinMax], parts: tuple[Dim, ...]) -> tuple[Bound, Bound]:
    lows = [part.bounds()[0] for part in parts]
    highs = [part.bounds()[1] for part in parts]
    known_lows = [low for low in lows if low is not None]
    known_highs = [high for high in highs if high is not None]
    if kind is Maximum:
        lower = max(known_lows) if known_lows else None
        upper = max(known_highs) if len(known_highs) == len(highs) else None
    else:
        lower = min(known_lows) if len(known_lows) == len(lows) else None
        upper = min(known_highs) if known_highs else None
    return lower, upper


EXTREMES: dict[type[MinMax], Callable[..., Dim]] = {
    Minimum: minimum,
    Maximum: maximum,
    BroadcastExtent: broadcast_extent,
}
"""Constructor of the normal form of each kind of minimum and maximum."""
