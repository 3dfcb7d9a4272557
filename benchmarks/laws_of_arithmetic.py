"""Laws of arithmetic: linear, products, division by symbols, broadcasts, and facts that contradict each other."""

from __future__ import annotations

from itertools import pairwise

from plain_terms import NEVER, Term, any_of, broadcast, compatible, differ, same, term
from questions_from_laws import Draft, Law, Maker, follows


def _divides(divisor: Term | int, of: Term) -> Term:
    return same(of % divisor, 0)


def _sum(terms: list[Term]) -> Term:
    total = terms[0]
    for each in terms[1:]:
        total = total + each
    return total


# Linear ----------------------------------------------------------------------------------------------------------


def _combination(m: Maker) -> Draft:
    """A sum of inequalities, with something added to the larger side (Farkas)."""
    xs = m.sizes(m.number(2, 5))
    facts: list[Term] = []
    left, right = term(0), term(m.number(0, 3))
    for _ in range(m.number(2, 4)):
        low = _sum([m.number(0, 3) * x for x in xs])
        high = _sum([m.number(0, 3) * x for x in xs]) + m.number(0, 6)
        times = m.number(1, 3)
        facts.append(low <= high)
        left, right = left + times * low, right + times * high
    return follows(left <= right, *facts)


def _boxed(m: Maker) -> Draft:
    """Anything linear about few sizes in a box: all of them are tried."""
    xs = m.sizes(m.number(2, 3))
    box = 12 if len(xs) == 3 else 40

    def some() -> Term:
        left, right = _sum([m.number(0, 4) * x for x in xs]), _sum([m.number(0, 4) * x for x in xs])
        relation = m.random.choice((same, differ, Term.__le__, Term.__le__, Term.__lt__))
        return relation(left, right + m.number(0, 12))

    facts = [some() for _ in range(m.number(1, 3))]
    return Draft((*(x <= box for x in xs), *facts), some(), box)


def _chains(m: Maker) -> Draft:
    xs, step = m.sizes(m.number(3, 7)), m.number(0, 5)
    links = list(pairwise(xs))
    total = step * len(links)
    return m.choose(
        follows(xs[0] + total <= xs[-1], *(a + step <= b for a, b in links)),
        follows(same(xs[-1], xs[0] + total), *(same(b, a + step) for a, b in links)),
        follows(same(xs[0], xs[-1]), *(a <= b for a, b in links), xs[-1] <= xs[0]),
    )


def _parity(m: Maker) -> Draft:
    a, b, c = m.sizes(3)
    k, r = m.number(2, 6), m.number(1, 5)
    return m.choose(
        follows(differ(k * a, k * b + k * r + 1)),
        follows(differ(k * 2 * a + k * 4 * b, k * 6 * c + k)),
        follows(a <= r, k * a <= k * r + k - 1),
        follows(k * a >= k * (r + 1), k * a > k * r),
        follows(same(a, r), k * a + b >= k * r, k * a + b <= k * r, same(b, 0)),
    )


LINEAR: tuple[Law, ...] = (_combination, _boxed, _chains, _parity)


# Products --------------------------------------------------------------------------------------------------------


def _monotonic(m: Maker) -> Draft:
    a, b, c, d, e = m.sizes(5)
    return m.choose(
        follows(a * c <= b * d, a <= b, c <= d),
        follows(a * c < b * d, a < b, c <= d, d >= 1),
        follows(a * b * c <= d * d * d, a <= d, b <= d, c <= d),
        follows((a * c + b) * d + e < a * c * d + d * (b + 1), e < d),
        follows(a * b <= c * b + d * b, a <= c + d),
        follows((a + b) * (c + d) >= a * c + b * d),
        follows(a * c + b < d * c, a < d, b < c),
    )


def _cancelled(m: Maker) -> Draft:
    a, b, c, d = m.sizes(4)
    k = m.number(2, 9)
    return m.choose(
        follows(same(a, b), same(a * c, b * c), c >= 1),
        follows(a <= b, a * c <= b * c, c >= 1),
        follows(a < b, k * a * c < k * b * c),
        follows(same(a * d, b * c), same(a * c * d, b * c * c), c >= 1),
        follows(any_of(same(a, 0), same(b, c)), same(a * b, a * c)),
        follows(same(a + b, c), same((a + b) * d, c * d), d >= k),
        follows(same(a, 1), same(a * b * c, b * c), b >= 1, c >= 1),
    )


def _regrouped(m: Maker) -> Draft:
    a, b, c, d, e, h = m.sizes(6)
    return m.choose(
        follows(same(e * h, a * b * c * d), same(e, a * c), same(h, b * d)),
        follows(same(a * b * c, d * c), same(d, a * b)),
        follows(same((a + b) * (c + d), e), same(e, a * c + b * c + a * d + b * d)),
        follows(same(a * e, b * h), same(e, b * c), same(h, a * c)),
        follows(same(e, a * b * c * d), same(e, h * d), same(h, c * b * a)),
    )


def _inequalities(m: Maker) -> Draft:
    a, b, c = m.sizes(3)
    return m.choose(
        follows(a * a + b * b + c * c >= a * b + b * c + a * c),
        follows(4 * a * b <= (a + b) * (a + b)),
        follows(a * a * a + b * b * b >= a * a * b + a * b * b),
        follows(a * b + 1 >= a + b, a >= 1, b >= 1),
        follows(a * b * c + 2 >= a + b + c, a >= 1, b >= 1, c >= 1),
        follows(a * b >= a + b, a >= 2, b >= 2),
    )


def _boxed_products(m: Maker) -> Draft:
    a, b = m.sizes(2)
    high = m.number(15, 120)

    def some() -> Term:
        left = m.number(1, 4) * a * b + m.number(0, 6) * a
        right = m.number(0, 3) * a * a + m.number(0, 9) * b + m.number(0, 40)
        return m.random.choice((same, differ, Term.__le__, Term.__lt__))(left, right)

    return Draft((a <= high, b <= high, some()), some(), high)


def _whole_numbers(m: Maker) -> Draft:
    a, b, c = m.sizes(3)
    p, k = m.one_of(2, 3, 5, 6, 7), m.number(2, 5)
    return m.choose(
        follows(differ(a * a, p * b * b), b >= 1),
        follows(differ(a * a * a, p * b * b * b), b >= 1),
        follows(differ(a * b, a * c + 1), a >= k),
        follows(differ(a * b * k, c * k * k + 1)),
        follows(any_of(same(a, 1), same(b, 1)), same(a * b, m.one_of(7, 31, 101, 65537))),
        follows(differ(a * a, 4 * b + m.one_of(2, 3))),
        follows(a + b >= 2 * k, same(a * b, k * k)),
        follows(same(a, b), same(a * a, b * b)),
    )


PRODUCTS: tuple[Law, ...] = (_monotonic, _cancelled, _regrouped, _inequalities, _boxed_products, _whole_numbers)


# Division by symbols ---------------------------------------------------------------------------------------------


def _modulo_a_size(m: Maker) -> Draft:
    a, b, c, d = m.sizes(4)
    k = m.number(2, 5)
    return m.choose(
        follows(_divides(b, c), _divides(b, a * c), same(a % b, 1), b >= 2),
        follows(_divides(b, a * c + d), _divides(b, a), _divides(b, d), b >= 1),
        follows(_divides(c, a), _divides(b, a), _divides(c, b), b >= 1, c >= 1),
        follows(_divides(b, a), _divides(b * c, a), b >= 1, c >= 1),
        follows(same((a + c) % b, (a % b + c % b) % b), b >= 1),
        follows(same(a * c % b, (a % b) * (c % b) % b), b >= 1),
        follows(same(a % b, c % b), same(a, c + k * b), b >= 1),
        follows(_divides(b, k * a - k * c), same(a % b, c % b), b >= 1, a >= c),
        follows(same((a + c) % b, d), same(a % b, 0), same(c % b, d), b >= 1),
    )


def _quotients_by_a_size(m: Maker) -> Draft:
    a, b, c, d = m.sizes(4)
    return m.choose(
        follows(same(a // b // c, a // (b * c)), b >= 1, c >= 1),
        follows(same(a * c // (b * c), a // b), b >= 1, c >= 1),
        follows(a // b <= c // b, a <= c, b >= 1),
        follows(a // c <= a // b, b <= c, b >= 1),
        follows(same((a * b + d) // b, a + d // b), b >= 1),
        follows(same(a // b, 0), a < b),
        follows(a // b + c // b <= (a + c) // b, b >= 1),
        follows((a + c) // b <= a // b + c // b + 1, b >= 1),
        follows(same(c, a // b), same(b * c + d, a), d < b),
    )


def _exact(m: Maker) -> Draft:
    a, b, c, d = m.sizes(4)
    return m.choose(
        follows(same(a // b * b, a), _divides(b, a), b >= 1),
        follows(same(a * c // b, a // b * c), _divides(b, a), b >= 1),
        follows(same(c // (a // b), b), same(c, a), _divides(b, a), b >= 1, a >= 1),
        follows(same(a * c // (b * d), (a // b) * (c // d)), _divides(b, a), _divides(d, c), b >= 1, d >= 1),
        follows(_divides(b * d, a * c), _divides(b, a), _divides(d, c), b >= 1, d >= 1),
        follows(same((a + c) // b, a // b + c // b), _divides(b, a), b >= 1),
        follows(b <= a, _divides(b, a), a >= 1, b >= 1),
        follows(same(a // b, c), same(a, b * c), b >= 1),
    )


def _flattened(m: Maker) -> Draft:
    x, y, z, w, c = m.sizes(5)
    flat = (x * w + y) * c + z
    return m.choose(
        follows(same(flat // (w * c), x), y < w, z < c),
        follows(same(flat // c % w, y), y < w, z < c),
        follows(same(flat % c, z), z < c),
        follows(same(x % (w * c) // c, x // c % w), w >= 1, c >= 1),
        follows(same(x % (w * c) % c, x % c), w >= 1, c >= 1),
        follows(x % (w * c) < w * c, w >= 1, c >= 1),
    )


DIVISION: tuple[Law, ...] = (_modulo_a_size, _quotients_by_a_size, _exact, _flattened)


# Broadcasts ------------------------------------------------------------------------------------------------------


def _any_broadcasts(m: Maker) -> Draft:
    """Claims about equality with each other, 0 and 1 alone: as many further numbers as sizes are all cases."""
    xs = m.sizes(m.number(2, 4))

    def column() -> list[Term]:
        return m.random.sample(xs, m.number(2, min(3, len(xs))))

    def some() -> Term:
        pair = m.random.sample(xs, 2)
        kinds = (
            compatible(*column()),
            compatible(*column()),
            same(*pair),
            differ(pair[0], 1),
            any_of(same(pair[0], 1), same(pair[1], 0)),
        )
        return m.random.choice(kinds)

    facts = tuple(some() for _ in range(m.number(1, 4)))
    return Draft((*(x <= 9 for x in xs), *facts), m.random.choice((compatible(*column()), same(*column()[:2]))), 9)


def _joined(m: Maker) -> Draft:
    xs = m.sizes(m.number(3, 5))
    a, b, z = xs[0], xs[1], xs[-1]
    first = compatible(*xs[:-1])
    extent = broadcast(*xs[:-1])
    return m.choose(
        follows(compatible(a, z), first, compatible(extent, z)),
        follows(compatible(*xs), first, compatible(extent, z)),
        follows(compatible(extent, z), compatible(*xs)),
        follows(same(extent, a), first, a >= 2),
        follows(same(broadcast(*xs), broadcast(extent, z)), compatible(*xs)),
        follows(extent >= 1, first, *(x >= 1 for x in xs[:-1])),
        follows(same(broadcast(a, b), broadcast(b, a)), compatible(a, b)),
        follows(any_of(same(extent, 1), *(same(extent, x) for x in xs[:-1])), first),
        follows(same(extent * z, a * z), first, differ(a, 1)),
    )


BROADCAST: tuple[Law, ...] = (_any_broadcasts, _joined)


# Contradictions --------------------------------------------------------------------------------------------------


def _contradictory(m: Maker) -> Draft:
    a, b, c, d = m.sizes(4)
    k, r = m.number(2, 7), m.number(1, 4)
    prime = m.one_of(3, 7, 31, 101)
    return m.choose(
        follows(NEVER, a + r <= b, b + r <= c, c <= a),
        follows(NEVER, same(k * a, k * b + k * c + 1)),
        follows(NEVER, same(a * b, prime), a >= 2, b >= 2),
        follows(NEVER, same(a * a, prime * b * b), b >= 1),
        follows(NEVER, same(a * b, a * c + 1), a >= k),
        follows(NEVER, _divides(2 * k, a), same(a % 2, 1)),
        follows(NEVER, same(a % 4, 3), same(a % 6, 2)),
        follows(NEVER, _divides(k, a), _divides(k, a + 1)),
        follows(NEVER, same(a // k, b), k * b > a),
        follows(NEVER, compatible(a, b), a >= 2, b > a),
        follows(NEVER, compatible(a, k), compatible(a, k + r), differ(a, 1)),
        follows(NEVER, same(a % b, c), c >= b, b >= 1),
        follows(NEVER, same(a * b, c), c < a, b >= 1),
        follows(NEVER, same(a * b, c), same(a * d, c), b < d, a >= 1),
        follows(NEVER, a // b > a, b >= 1),
        follows(NEVER, same(a * a + b * b, 4 * c + 3)),
        follows(NEVER, _divides(b, a), _divides(b, a + 1), b >= 2),
        follows(NEVER, same(broadcast(a, b), 0), a >= 1, b >= 1),
    )


CONTRADICTIONS: tuple[Law, ...] = (_contradictory,)
