"""Theorems about the broadcast extents that upstream's lowerings compute."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formulas import compatible, conjunction, disjunction, equal, equivalent, negation
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum
from shapesolve.symbolic.shapes import broadcast, broadcastable, unranked
from shapesolve.traits.theorems.statement import RANKS, SIZES, Claim, Theorem, Topic, same

_A, _B, _C = (unranked(name) for name in "abc")
_I = variable("i")
_X, _Y, _Z = (variable(name) for name in "xyz")
_FIT = compatible((_X, _Y))
_SIZE = broadcast_extent(_X, _Y)


def _maximum_exactly_without_zero() -> Sequence[Claim]:
    positive = conjunction((_X >= 1, _Y >= 1))
    return [Claim(equivalent(equal(maximum(_X, _Y), _SIZE), positive), (_FIT,))]


def _when_maximum() -> Sequence[Claim]:
    zero_and_one = disjunction((equal(_X, 0) & equal(_Y, 1), equal(_X, 1) & equal(_Y, 0)))
    return [Claim(equivalent(equal(maximum(_X, _Y), _SIZE), negation(zero_and_one)), (_FIT,))]


def _maximum_from_one() -> Sequence[Claim]:
    x, y = _A.column(_I), _B.column(_I)
    whole = broadcast(_A, _B).column(_I)
    return [Claim(equal(maximum(x, y), whole), (broadcastable(_A, _B), x >= 1, y >= 1))]


def _select() -> Sequence[Claim]:
    x, y = _A.column(_I), _B.column(_I)
    return [Claim(equal(broadcast(_A, _B).column(_I), choose(equal(x, 1), y, x)), (broadcastable(_A, _B),))]


def _running_select() -> Sequence[Claim]:
    first = choose(equal(_X, 1), _Y, _X)
    running = choose(equal(_Z, 1), first, _Z)
    return [Claim(equal(running, broadcast_extent(_X, _Y, _Z)), (compatible((_X, _Y, _Z)),))]


def _is_one_of_any() -> Sequence[Claim]:
    """State that a lowering that broadcasts extents of 1 and copies the others stays in bounds of each operand."""
    return [
        Claim(disjunction((equal(_X, 1), equal(_X, _SIZE))), (_FIT,)),
        Claim(disjunction((equal(_Y, 1), equal(_Y, _SIZE))), (_FIT,)),
    ]


def _copies_inside_maximum() -> Sequence[Claim]:
    """State the same for a result with the maximum as its size."""
    return [Claim(disjunction((equal(_X, 1), equal(_X, maximum(_X, _Y)))), (_FIT,))]


_of_ranks = partial(Theorem, Topic.LOWERING, RANKS)
_of_sizes = partial(Theorem, Topic.LOWERING, SIZES)
THEOREMS = (
    _of_sizes(
        "maxui-is-broadcast",
        "tosa-to-linalg computes the extent of a result with arith.maxui: that is the broadcast.",
        "for all x, y: compatible(x, y) => max(x, y) = broadcast(x, y)",
        lambda: [Claim(equal(maximum(_X, _Y), _SIZE), (_FIT,))],
        "x = 0, y = 1",
        "For the sizes 0 and 1 it is 1, and the broadcast is 0. The lowered program then returns one element too many.",
    ),
    _of_sizes(
        "maxui-is-broadcast-exactly-without-zero",
        "It is, exactly where no size is 0.",
        "for all x, y: compatible(x, y) => (max(x, y) = broadcast(x, y) <=> x >= 1 and y >= 1)",
        _maximum_exactly_without_zero,
        "x = 0, y = 0",
        "Two sizes of 0 are no harm: it takes a 0 and a 1.",
    ),
    _of_sizes(
        "when-maxui-is-broadcast",
        "It is, exactly where not one size is 0 and the other 1.",
        "for all x, y: compatible(x, y) => (max(x, y) = broadcast(x, y) <=> {x, y} != {0, 1})",
        _when_maximum,
    ),
    _of_ranks(
        "maxui-is-broadcast-from-1",
        "For shapes of any rank it is, where both sizes are at least 1.",
        "for all a, b, i: broadcastable(a, b) and a[i], b[i] >= 1 => max(a[i], b[i]) = broadcast(a, b)[i]",
        _maximum_from_one,
    ),
    _of_ranks(
        "select-is-broadcast",
        "convert-shape-to-std selects: if the extent is 1, the other one. That is the broadcast, 0 included.",
        "for all a, b, i: broadcastable(a, b) => broadcast(a, b)[i] = (b[i] if a[i] = 1 else a[i])",
        _select,
    ),
    _of_sizes(
        "running-select-is-broadcast",
        "Selecting one operand after the other gives the broadcast of three.",
        "for all x, y, z: compatible(x, y, z) => select(z = 1, select(x = 1, y, x), z) = broadcast(x, y, z)",
        _running_select,
    ),
    _of_sizes(
        "select-does-not-care-which",
        "It does not matter which operand is looked at.",
        "for all x, y: (y if x = 1 else x) = (x if y = 1 else y)",
        lambda: same(equal(choose(equal(_X, 1), _Y, _X), choose(equal(_Y, 1), _X, _Y))),
        "x = 2, y = 3",
        "Without a check, sizes that clash give an answer all the same, and the order decides which.",
    ),
    _of_sizes(
        "when-select-does-not-care",
        "It does not matter exactly where the sizes are compatible: comparing both selects is a complete check.",
        "for all x, y: (y if x = 1 else x) = (x if y = 1 else y) <=> compatible(x, y)",
        lambda: same(equivalent(equal(choose(equal(_X, 1), _Y, _X), choose(equal(_Y, 1), _X, _Y)), _FIT)),
    ),
    _of_sizes(
        "operands-are-one-or-whole",
        "Each operand is 1, to be repeated, or as large as the result: a lowering that does just that reads inside.",
        "for all x, y: compatible(x, y) => x in {1, broadcast(x, y)} and y in {1, broadcast(x, y)}",
        _is_one_of_any,
    ),
    _of_sizes(
        "operands-are-one-or-maxui",
        "The same where the result has the size that arith.maxui gives.",
        "for all x, y: compatible(x, y) => x in {1, max(x, y)}",
        _copies_inside_maximum,
        "x = 0, y = 1",
        "An operand of size 0 is then read at 0: out of bounds.",
    ),
)
