"""Questions about sizes with known answers, for measuring provers.

Every valid claim follows from its facts by an argument of a line or two, and small sizes are tried on it before a
measurement; every invalid one comes with sizes that break it; contradictory facts are contradictory by parity, sign
or ordering.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from division_families import constant_division, contradictory, deep, false_goals, mixed, symbol_division
from questions import Family, Question

from shapesolve.symbolic.dims import Dim, dims, variable
from shapesolve.symbolic.formulas import compatible, conjunction, disjunction, equal, unequal
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum

A, B, C, D, E, G, H, K, L, M, N, P, Q, S, T, W, X, Y, Z = dims("A B C D E G H K L M N P Q S T W X Y Z")


def _xs(count: int) -> list[Dim]:
    return [variable(f"x{number}") for number in range(count)]


def _linear(f: Family) -> None:
    for count in (3, 5, 8):
        xs = _xs(count)
        steps = [a <= b for a, b in pairwise(xs)]
        f.valid(xs[0] <= xs[-1], *steps)
        f.valid(xs[0] + count - 1 <= xs[-1], *(a < b for a, b in pairwise(xs)))
        f.invalid(xs[0] < xs[-1], *steps, **{f"x{i}": 2 for i in range(count)})
    for count in (3, 5, 8):
        xs = _xs(count)
        f.valid(equal(xs[0], xs[-1]), *(equal(a, b) for a, b in pairwise(xs)))
        f.valid(equal(xs[-1], xs[0] + 3 * (count - 1)), *(equal(b, a + 3) for a, b in pairwise(xs)))
        f.invalid(
            equal(xs[0], xs[-1]),
            *(a <= b for a, b in pairwise(xs)),
            **{f"x{i}": i for i in range(count)},
        )
    f.valid(A >= D, equal(A, B + C), equal(B, D + E))
    f.valid(A + B <= N, A + B + C <= N)
    f.valid(K + 1 <= N, K + M <= N, M >= 1)
    f.valid(N - K + 1 >= 1, K <= N)
    f.valid(disjunction((A <= B, B <= A)))
    f.valid(equal(A, 0), A + B + C <= 0)
    f.valid(disjunction((equal(A, B), A < B, B < A)))
    f.valid(2 * A + 3 * B >= 6, A + B >= 3)
    f.valid(unequal(2 * A, 2 * B + 1))
    f.valid(equal(A, 2), equal(A + B, 5), equal(A - B + 1, 0))
    f.valid(3 * A >= 6, 2 * A > 3)
    f.valid(A >= 2, 3 * A >= 4)
    f.valid(equal(A, B), 2 * A <= 2 * B + 1, 2 * B <= 2 * A + 1)
    f.valid(unequal(6 * A + 10 * B, 15 * C * 2 + 1))
    f.valid(A <= 3, 5 * A <= 19)
    f.valid(equal(X + Y, 7), equal(3 * X + 3 * Y, 21))
    f.invalid(K < N, K <= N, K=2, N=2)
    f.invalid(N - K >= 1, K <= N, K=2, N=2)
    f.invalid(equal(A, 0), A + B <= 1, A=1, B=0)
    f.invalid(unequal(2 * A, 3 * B), A >= 1, A=3, B=2)
    f.invalid(unequal(7 * A, 11 * B), A >= 1, A=11, B=7)
    f.invalid(A + B <= N, A <= N, B <= N, A=2, B=2, N=2)
    f.invalid(N >= 2, N=1)
    f.invalid(equal(A, B), A + C >= B, B + C >= A, A=0, B=1, C=1)


def _broadcast(f: Family) -> None:
    f.valid(compatible([B, C]), compatible([A, B, C]))
    f.valid(compatible([A, C]), compatible([A, B]), compatible([B, C]), B >= 2)
    f.invalid(compatible([A, C]), compatible([A, B]), compatible([B, C]), A=2, B=1, C=3)
    f.valid(compatible([A, C]), compatible([A, B]), compatible([B, C]), equal(B, 0))
    f.valid(equal(broadcast_extent(A, B), A), compatible([A, B]), A >= 2)
    f.invalid(equal(broadcast_extent(A, B), A), compatible([A, B]), A=1, B=2)
    f.invalid(equal(broadcast_extent(A, B), maximum(A, B)), compatible([A, B]), A=0, B=1)
    f.valid(equal(broadcast_extent(A, B), maximum(A, B)), compatible([A, B]), A >= 1, B >= 1)
    f.valid(compatible([A, broadcast_extent(A, B)]), compatible([A, B]))
    f.valid(compatible([A, B, broadcast_extent(A, B)]), compatible([A, B]))
    f.valid(compatible([A, C]), compatible([A, B]), compatible([broadcast_extent(A, B), C]))
    f.valid(compatible([B, C]), compatible([A, B]), compatible([broadcast_extent(A, B), C]))
    f.valid(
        compatible([A, broadcast_extent(B, C)]),
        compatible([B, C]),
        compatible([broadcast_extent(A, B), C]),
        compatible([A, B]),
    )
    f.invalid(compatible([A, B]), compatible([broadcast_extent(A, B), C]), A=2, B=3, C=1)
    f.valid(equal(A, B), compatible([A, B]), unequal(A, 1), unequal(B, 1))
    f.invalid(equal(A, B), compatible([A, B]), unequal(A, 1), A=2, B=1)
    f.valid(equal(A * B, 0), compatible([A, B]), equal(A, 0), unequal(B, 1))
    f.valid(broadcast_extent(A, B) >= 1, A >= 1, B >= 1)
    f.valid(broadcast_extent(A, B, C) >= 2, compatible([A, B, C]), A >= 2)
    f.valid(equal(broadcast_extent(A, B), 1), compatible([A, B]), A <= 1, B <= 1, A >= 1, B >= 1)
    f.valid(equal(broadcast_extent(A, B, C), C), equal(A, 1), equal(B, 1))
    f.valid(equal(broadcast_extent(A, B), broadcast_extent(A, C)), equal(B, C))
    f.valid(equal(broadcast_extent(A, B), broadcast_extent(C, D)), equal(A, D), equal(B, C))
    for count in range(3, 7):
        xs = _xs(count)
        links = [compatible([a, b]) for a, b in pairwise(xs)]
        f.valid(compatible([xs[0], xs[-1]]), *links, *(x >= 2 for x in xs[1:-1]))
        f.valid(compatible(xs), *(compatible([a, b]) for a in xs for b in xs if str(a) < str(b)))
        sizes = {f"x{i}": 1 for i in range(count)} | {"x0": 2, f"x{count - 1}": 3}
        f.invalid(compatible([xs[0], xs[-1]]), *links, **sizes)
        f.valid(compatible([xs[0], xs[-1]]), compatible(xs))
        f.valid(equal(broadcast_extent(*xs), xs[0]), compatible(xs), xs[0] >= 2)
        joined = broadcast_extent(*xs[:-1])
        f.valid(compatible([xs[1], xs[-1]]), compatible(xs[:-1]), compatible([joined, xs[-1]]))
        f.invalid(
            equal(broadcast_extent(*xs), maximum(*xs)),
            compatible(xs),
            **{f"x{i}": (0 if i == 1 else 1) for i in range(count)},
        )


def _products(f: Family) -> None:
    f.valid(equal(A * B, C * D), equal(A, C), equal(B, D))
    f.valid(equal(A * B * C, D * E * P), equal(A, D), equal(B, E), equal(C, P))
    f.valid(equal(A * B * C, D * C), equal(D, A * B))
    f.valid(equal(D * B, C), equal(A * B, C), equal(A, D))
    f.valid(equal(A * B * C * D, X * Y), equal(X, A * B), equal(Y, C * D))
    f.valid(equal(A * B * C * D, X * Y), equal(X, A * C), equal(Y, B * D))
    f.valid(A * B >= A, B >= 1)
    f.valid(A * B >= 1, A >= 1, B >= 1)
    f.valid(A * B * C >= A, B >= 1, C >= 1)
    f.valid(A * C <= B * C, A <= B)
    f.valid(A * C <= B * D, A <= B, C <= D)
    f.valid(A * C < B * C, A < B, C >= 1)
    f.valid(A * A >= A)
    f.valid(A * A + B * B >= 2 * A * B)
    f.valid((A + B) ** 2 >= 4 * A * B)
    f.valid(equal((A + 1) * (B + 1), C), equal(C, A * B + A + B + 1))
    f.valid(equal((A + B) * C, X), equal(X, A * C + B * C))
    f.valid(disjunction((equal(A, 0), equal(B, 0))), equal(A * B, 0))
    f.valid(disjunction((equal(A, 0), equal(B, 0), equal(C, 0))), equal(A * B * C, 0))
    f.valid(equal(A, C), equal(A * B, C * B), B >= 1)
    f.valid(equal(B, 1), equal(A * B, A), A >= 1)
    f.valid(conjunction((equal(A, 1), equal(B, 1))), equal(A * B, 1))
    f.valid(equal(B * C, X), equal(A * B * C, A * X), A >= 1)
    f.valid(A * B * C * D >= 1, A >= 1, B >= 1, C >= 1, D >= 1)
    f.valid(A * B + C >= C)
    f.valid(A * B <= C * B + B, A <= C + 1)
    f.valid(unequal(A * B, 0), A >= 1, B >= 1)
    f.valid(X * Y <= A * B, X <= A, Y <= B)
    f.valid(X * W + Y < A * W, X < A, Y < W)
    f.valid((X * W + Y) * C + Z < A * W * C, X < A, Y < W, Z < C)
    f.valid(unequal(A * A, 2), A >= 0)
    f.valid(unequal(A * A, 3 * A - 1))
    f.valid(unequal(A * A + B * B, 7))
    f.valid(unequal(A * A + A, 2 * B + 1))
    f.valid(unequal(A * A, 4 * B + 2))
    f.valid(unequal(A * A, 4 * B + 3))
    f.valid(unequal(A * B * 6, 9 * C + 4))
    f.valid(equal(A, B), equal(A * A, B * B))
    f.valid(equal(A, B), equal(A * A * A, B * B * B))
    f.valid(A <= B, A * A <= B * B)
    f.valid(A * A < B * B, A < B)
    f.valid(A <= 3, A * A <= 15)
    f.valid(A * B <= 100, A <= 10, B <= 10)
    f.valid(A <= N, equal(A * B, N), B >= 1)
    f.valid(equal(P * Q, N * K), equal(A * B, N), equal(C * D, K), equal(P, A * C), equal(Q, B * D))
    f.valid(equal(H * D, E), equal(H * D * 2, 2 * E))
    f.valid(equal(Z, X * Y), equal(Z, A * B * C), equal(X, A), equal(Y, B * C))
    f.valid(A * A + B * B + C * C >= A * B + B * C + C * A)
    f.valid(A**3 + B**3 + C**3 >= 3 * A * B * C)
    f.valid((A + B + C) ** 3 >= 27 * A * B * C)
    f.valid((A * A + B * B) * (C * C + D * D) >= (A * C + B * D) ** 2)
    f.valid(A**4 + B**4 >= A**3 * B + A * B**3)
    f.valid((A + B) * (B + C) * (C + A) >= 8 * A * B * C)
    f.invalid(A**3 + B**3 >= 2 * A * A * B, A=4, B=3)
    f.invalid(equal(A, C), equal(A * B, C * D), A=1, B=2, C=2, D=1)
    f.invalid(equal(A, C), equal(A * B, C * B), A=1, B=0, C=2)
    f.invalid(A * B >= A, A=1, B=0)
    f.invalid(A * C < B * C, A < B, A=0, B=1, C=0)
    f.invalid(A * B >= A + B, A >= 1, B >= 1, A=1, B=1)
    f.invalid(unequal(A * A, 144), A=12)
    f.invalid(unequal(A * A + B * B, C * C), A >= 1, B >= 1, A=3, B=4, C=5)
    f.invalid(A * A <= 5 * A + 30, A=9)
    f.invalid(unequal(A * B, 91), A >= 2, B >= 2, A=7, B=13)
    f.invalid(unequal(A * B, 221), A >= 2, B >= 2, A=13, B=17)
    f.invalid(equal(A + B, C + D), equal(A * B, C * D), A=1, B=4, C=2, D=2)
    f.invalid(A * B * C <= 100, A <= 5, B <= 5, C <= 5, A=5, B=5, C=5)
    f.invalid(unequal(A * A, 2 * B * B + 1), B >= 1, A=3, B=2)
    f.invalid(unequal(A**3, B * B), A >= 2, A=4, B=8)
    f.invalid(A * B <= 1000, A <= 100, B <= 11, A=100, B=11)


def _extremes(f: Family) -> None:
    for make, other in ((maximum, minimum), (minimum, maximum)):
        f.valid(equal(make(A, B) + other(A, B), A + B))
        f.valid(equal(make(A, B), make(B, A)))
        f.valid(equal(make(A, other(A, B)), A))
        f.valid(equal(make(A + C, B + C), make(A, B) + C))
        f.valid(equal(make(A, B), make(C, D)), equal(A, C), equal(B, D))
        f.valid(equal(make(make(A, B), C), make(A, make(B, C))))
        f.valid(equal(make(2 * A, 2 * B), 2 * make(A, B)))
        f.valid(disjunction((equal(make(A, B), A), equal(make(A, B), B))))
        f.valid(equal(make(A, B) * other(A, B), A * B))
        f.invalid(equal(make(A, B), A), A=1, B=2) if make is maximum else f.invalid(equal(make(A, B), A), A=2, B=1)
        f.invalid(equal(make(A, B), other(A, B)), A=1, B=2)
        f.valid(equal(make(A, other(B, C)), other(make(A, B), make(A, C))))
        f.valid(equal(make(A // 4, B // 4), make(A, B) // 4))
    f.valid(maximum(A, B) >= A)
    f.valid(minimum(A, B) <= maximum(A, C))
    f.valid(equal(maximum(A, B), B), A <= B)
    f.invalid(equal(maximum(A, B), B), A <= B + 1, A=1, B=0)
    f.valid(minimum(N - A, B) + A <= N, A <= N)
    f.invalid(minimum(N - A, B) >= 0, A=1, N=0, B=0)
    f.valid(minimum(A, B) >= C, A >= C, B >= C)
    f.valid(maximum(A, B, C) <= A + B + C)
    f.invalid(maximum(A, B) < A + B, A=0, B=1)
    f.valid(maximum(A, B) < A + B, A >= 1, B >= 1)
    f.valid(maximum(A * C, B * C) <= maximum(A, B) * C)
    f.valid(minimum(A, 64) <= 64)
    f.invalid(equal(minimum(A, 64), A), A=65)
    f.invalid(maximum(A, 100) <= 100, A=101)
    f.valid(equal(choose(A <= B, A, B), minimum(A, B)))
    f.valid(equal(choose(equal(A, 1), B, A), broadcast_extent(A, B)), compatible([A, B]))


_FAMILIES: tuple[tuple[str, Callable[[Family], None]], ...] = (
    ("linear", _linear),
    ("broadcast chains", _broadcast),
    ("products", _products),
    ("division by constants", constant_division),
    ("division by symbols", symbol_division),
    ("min and max", _extremes),
    ("mixed", mixed),
    ("deep", deep),
    ("contradictory facts", contradictory),
    ("false goals", false_goals),
)


def questions() -> Iterator[Question]:
    """Return all questions, in a fixed order."""
    for name, collect in _FAMILIES:
        family = Family(name)
        collect(family)
        yield from family.questions
