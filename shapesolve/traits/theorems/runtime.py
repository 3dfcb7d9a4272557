"""Theorems about broadcasting at run time, for shapes of any rank."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formulas import disjunction, equal, equivalent, implies, negation
from shapesolve.symbolic.normal_forms import choose, maximum
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_shape, unranked
from shapesolve.traits.theorems.statement import RANKS, SIZES, Claim, Theorem, Topic, same

_A, _B, _C = (unranked(name) for name in "abc")
_I = variable("i")
_SCALAR = RankedShape.of(())
_ONE = RankedShape.of((1,))


def _pairwise() -> Sequence[Claim]:
    pairs = broadcastable(_A, _B) & broadcastable(_B, _C) & broadcastable(_A, _C)
    return [Claim(broadcastable(_A, _B, _C), (pairs,)), Claim(pairs, (broadcastable(_A, _B, _C),))]


def _in_steps() -> Sequence[Claim]:
    stepwise = broadcastable(_A, _B) & broadcastable(broadcast(_A, _B), _C)
    return [Claim(broadcastable(_A, _B, _C), (stepwise,)), Claim(stepwise, (broadcastable(_A, _B, _C),))]


def _by_numpy_rule() -> Sequence[Claim]:
    """State NumPy's rule.

    Aligned from the right, a missing extent is 1; equal or 1; the result is the one that is not 1.
    """
    x, y = _A.column(_I), _B.column(_I)
    return [
        Claim(disjunction((equal(x, y), equal(x, 1), equal(y, 1))), (broadcastable(_A, _B),)),
        Claim(equal(broadcast(_A, _B).column(_I), choose(equal(x, 1), y, x)), (broadcastable(_A, _B),)),
        Claim(equal(broadcast(_A, _B).rank, maximum(_A.rank, _B.rank)), (broadcastable(_A, _B),)),
    ]


def _zero_wins() -> Sequence[Claim]:
    whole = broadcast(_A, _B)
    return [Claim(equal(whole.column(_I), 0), (broadcastable(_A, _B), equal(_A.column(_I), 0)))]


def _grows_from_one() -> Sequence[Claim]:
    positive = _B.column(_I) >= 1
    return [Claim(broadcast(_A, _B).column(_I) >= _A.column(_I), (broadcastable(_A, _B), positive))]


def _extents_are_operands() -> Sequence[Claim]:
    extent = broadcast(_A, _B).column(_I)
    either = disjunction((equal(extent, _A.column(_I)), equal(extent, _B.column(_I))))
    return [Claim(either, (broadcastable(_A, _B),))]


def _ones_in_front() -> Sequence[Claim]:
    return [Claim(equal(broadcast(_ONE, _A).column(_I), _A.column(_I)))]


_of_ranks = partial(Theorem, Topic.BROADCAST, RANKS)
_of_sizes = partial(Theorem, Topic.BROADCAST, SIZES)
THEOREMS = (
    _of_ranks(
        "broadcast-is-commutative",
        "Shapes broadcast to the same in any order, or in no order.",
        "for all a, b: broadcast(a, b) = broadcast(b, a)",
        lambda: same(same_shape(broadcast(_A, _B), broadcast(_B, _A))),
    ),
    _of_ranks(
        "broadcast-is-associative",
        "It does not matter in which order three shapes are joined, errors included.",
        "for all a, b, c: broadcast(broadcast(a, b), c) = broadcast(a, broadcast(b, c))",
        lambda: same(same_shape(broadcast(broadcast(_A, _B), _C), broadcast(_A, broadcast(_B, _C)))),
    ),
    _of_ranks(
        "broadcast-is-idempotent",
        "A shape broadcast with itself is itself.",
        "for all a: broadcast(a, a) = a",
        lambda: same(same_shape(broadcast(_A, _A), _A)),
    ),
    _of_ranks(
        "scalar-is-neutral",
        "The shape [] changes nothing.",
        "for all a: broadcast(a, []) = a",
        lambda: same(same_shape(broadcast(_A, _SCALAR), _A)),
    ),
    _of_ranks(
        "one-element-is-neutral",
        "The shape [1] changes nothing.",
        "for all a: broadcast(a, [1]) = a",
        lambda: [Claim(same_shape(broadcast(_ONE, _A), _A))],
        "a = []",
        "A scalar gets rank 1.",
    ),
    _of_ranks(
        "when-one-element-is-neutral",
        "The shape [1] changes nothing exactly where the other shape is no scalar.",
        "for all a: broadcast(a, [1]) = a <=> rank(a) >= 1",
        lambda: [Claim(equivalent(same_shape(broadcast(_ONE, _A), _A), _A.rank >= 1))],
    ),
    _of_ranks(
        "one-element-broadcasts-with-all",
        "The shape [1] broadcasts with every shape and leaves its extents alone; upstream does not fold that.",
        "for all a, i: broadcastable([1], a) and broadcast([1], a)[i] = a[i]",
        lambda: [Claim(broadcastable(_ONE, _A)), *_ones_in_front()],
    ),
    _of_ranks(
        "rank-is-the-greater-rank",
        "A broadcast has the greater of the ranks.",
        "for all a, b: broadcastable(a, b) => rank(broadcast(a, b)) = max(rank(a), rank(b))",
        lambda: [Claim(equal(broadcast(_A, _B).rank, maximum(_A.rank, _B.rank)), (broadcastable(_A, _B),))],
    ),
    _of_ranks(
        "broadcast-is-numpys",
        "NumPy's rule, column by column: from the right, a missing extent is 1, sizes are equal or one is 1, and the "
        "result is the one that is not 1.",
        "for all a, b, i: broadcastable(a, b) => (a[i] = b[i] or a[i] = 1 or b[i] = 1) and "
        "broadcast(a, b)[i] = (b[i] if a[i] = 1 else a[i])",
        _by_numpy_rule,
    ),
    _of_ranks(
        "compatible-is-transitive",
        "If a and b broadcast and b and c do, then a and c do.",
        "for all a, b, c: broadcastable(a, b) and broadcastable(b, c) => broadcastable(a, c)",
        lambda: [Claim(broadcastable(_A, _C), (broadcastable(_A, _B), broadcastable(_B, _C)))],
        "a = [2], b = [], c = [3]",
    ),
    _of_ranks(
        "pairwise-is-joint",
        "Shapes broadcast together exactly where every two of them do.",
        "for all a, b, c: broadcastable(a, b, c) <=> broadcastable(a, b), (b, c) and (a, c)",
        _pairwise,
    ),
    _of_ranks(
        "joint-is-stepwise",
        "Shapes broadcast together exactly where they do one after the other.",
        "for all a, b, c: broadcastable(a, b, c) <=> broadcastable(a, b) and broadcastable(broadcast(a, b), c)",
        _in_steps,
    ),
    _of_ranks(
        "broadcast-absorbs",
        "Broadcasting with an operand once more changes nothing.",
        "for all a, b: broadcast(a, broadcast(a, b)) = broadcast(a, b)",
        lambda: same(same_shape(broadcast(_A, broadcast(_A, _B)), broadcast(_A, _B))),
    ),
    _of_ranks(
        "zero-wins",
        "Where one extent is 0, the broadcast is 0: beside a 1, too.",
        "for all a, b, i: broadcastable(a, b) and a[i] = 0 => broadcast(a, b)[i] = 0",
        _zero_wins,
    ),
    _of_ranks(
        "broadcast-never-shrinks",
        "An extent of a broadcast is at least that of each operand.",
        "for all a, b, i: broadcastable(a, b) => broadcast(a, b)[i] >= a[i]",
        lambda: [Claim(broadcast(_A, _B).column(_I) >= _A.column(_I), (broadcastable(_A, _B),))],
        "a = [], b = [0], i = 0",
        "0 beats 1. Who computes the extent as a maximum is wrong there.",
    ),
    _of_ranks(
        "broadcast-never-shrinks-from-1",
        "It is, where the other operand is not empty there.",
        "for all a, b, i: broadcastable(a, b) and b[i] >= 1 => broadcast(a, b)[i] >= a[i]",
        _grows_from_one,
    ),
    _of_ranks(
        "extents-come-from-operands",
        "Every extent of a broadcast is that of an operand.",
        "for all a, b, i: broadcastable(a, b) => broadcast(a, b)[i] in {a[i], b[i]}",
        _extents_are_operands,
    ),
    _of_ranks(
        "operands-broadcast-with-the-whole",
        "Each operand broadcasts with the broadcast.",
        "for all a, b: broadcastable(a, b) => broadcastable(a, broadcast(a, b))",
        lambda: [Claim(broadcastable(_A, broadcast(_A, _B)), (broadcastable(_A, _B),))],
    ),
    _of_ranks(
        "equal-rank-and-compatible-is-equal",
        "Shapes of equal rank that broadcast are equal.",
        "for all a, b: rank(a) = rank(b) and broadcastable(a, b) => a = b",
        lambda: [Claim(same_shape(_A, _B), (equal(_A.rank, _B.rank), broadcastable(_A, _B)))],
        "a = [1], b = [2]",
    ),
    _of_sizes(
        "incompatible-sizes-differ",
        "Two sizes clash exactly where they differ and neither is 1.",
        "for all x, y: not compatible(x, y) <=> x != y and x != 1 and y != 1",
        lambda: _clash(),
    ),
)


def _clash() -> Sequence[Claim]:
    x, y = variable("x"), variable("y")
    clash = negation(disjunction((equal(x, y), equal(x, 1), equal(y, 1))))
    pair = broadcastable([x], [y])
    return [Claim(implies(clash, negation(pair))), Claim(implies(negation(pair), clash))]
