"""Theorems about the shape dialect beside the trait: broadcast, witnesses, and upstream's folders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import compatible, conjunction, disjunction, equal, equivalent
from shapesolve.symbolic.normal_forms import broadcast_extent
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_shape, unranked
from shapesolve.traits.inference_tables import PAGE_CODE, UPSTREAM, TypeExtent, any_extent, infer_dim, static
from shapesolve.traits.theorems.statement import COLUMN, RANKS, Claim, Theorem, Topic, same

_A, _B, _C = (unranked(name) for name in "abc")
_D, _E, _F = (any_extent(name) for name in "def")
_X, _Y, _Z = (variable(name) for name in "xyz")


def _trait_and_broadcast(page: bool) -> Sequence[Claim]:
    """State that on numbers inference computes the same as shape.broadcast."""
    inferred = infer_dim(static(_X), static(_Y), PAGE_CODE if page else UPSTREAM)
    pair = broadcast([_X], [_Y])
    return [
        Claim(inferred.covered),
        Claim(equivalent(inferred.fits, pair.valid), (inferred.covered,)),
        Claim(equal(inferred.extent.size, broadcast_extent(_X, _Y)), (inferred.covered, inferred.fits)),
    ]


def _witness_holds_where_broadcast_is_valid() -> Sequence[Claim]:
    """State that pairwise broadcast, as the op is defined, is valid where the witness holds; errors propagate."""
    two_by_two = broadcast(broadcast(_A, _B), _C)
    return [
        Claim(two_by_two.valid, (broadcastable(_A, _B, _C),)),
        Claim(broadcastable(_A, _B, _C), (two_by_two.valid,)),
    ]


def _statically_known(*column: TypeExtent) -> Formula:
    """Return upstream's staticallyKnownBroadcastable.

    At most one `?` and then ones beside it, or all extents other than 1 equal.
    """
    ones = [each.says(1) for each in column]
    lone = [
        conjunction(ones[other] for other in range(len(column)) if other != index) & each.dynamic
        for index, each in enumerate(column)
    ]
    alike = conjunction(
        disjunction((ones[i], ones[j], equal(column[i].size, column[j].size)))
        for i in range(len(column))
        for j in range(i)
    )
    numbers = conjunction(each.static for each in column) & alike
    return disjunction((*lone, numbers))


def _known_is_right() -> Sequence[Claim]:
    sizes, column = (_X, _Y, _Z), (_D, _E, _F)
    admitted = tuple(extent.admits(size) for extent, size in zip(column, sizes, strict=True))
    return [Claim(compatible(sizes), (*admitted, _statically_known(*column)))]


_of_a_column = partial(Theorem, Topic.SHAPE_DIALECT, COLUMN)
_of_ranks = partial(Theorem, Topic.SHAPE_DIALECT, RANKS)
THEOREMS = (
    _of_a_column(
        "trait-agrees-with-broadcast",
        "On numbers, what MLIR infers for the trait is what shape.broadcast computes, 0 included.",
        "for all x, y: infer(x, y) fits <=> broadcast([x], [y]) is valid; and then they are equal",
        lambda: _trait_and_broadcast(page=False),
    ),
    _of_a_column(
        "page-agrees-with-broadcast",
        "On numbers, the table of the page says what shape.broadcast computes.",
        "for all x, y: InferDim(x, y) = broadcast([x], [y])",
        lambda: _trait_and_broadcast(page=True),
        "x = 0, y = 2",
        "They agree wherever the table has a row; for 0 it has none.",
    ),
    _of_ranks(
        "witness-is-valid-broadcast",
        "cstr_broadcastable holds exactly where broadcasting one after the other meets no error.",
        "for all a, b, c: cstr_broadcastable(a, b, c) <=> broadcast(broadcast(a, b), c) is valid",
        _witness_holds_where_broadcast_is_valid,
    ),
    _of_ranks(
        "equal-shapes-broadcast",
        "cstr_eq implies cstr_broadcastable, and the broadcast is that shape.",
        "for all a, b: a = b => broadcastable(a, b) and broadcast(a, b) = a",
        lambda: [
            Claim(broadcastable(_A, _B), (same_shape(_A, _B),)),
            Claim(same_shape(broadcast(_A, _B), _A), (same_shape(_A, _B),)),
        ],
    ),
    _of_ranks(
        "broadcastable-shapes-are-equal",
        "cstr_broadcastable implies cstr_eq.",
        "for all a, b: broadcastable(a, b) => a = b",
        lambda: [Claim(same_shape(_A, _B), (broadcastable(_A, _B),))],
        "a = [], b = [2]",
    ),
    _of_ranks(
        "more-operands-imply-fewer",
        "A witness for more shapes is one for fewer: assuming_all may keep only the larger.",
        "for all a, b, c: broadcastable(a, b, c) => broadcastable(a, b)",
        lambda: [Claim(broadcastable(_A, _B), (broadcastable(_A, _B, _C),))],
    ),
    _of_ranks(
        "two-witnesses-are-one",
        "Witnesses for a, b and for b, c may be joined to one for a, b, c.",
        "for all a, b, c: broadcastable(a, b) and broadcastable(b, c) => broadcastable(a, b, c)",
        lambda: [Claim(broadcastable(_A, _B, _C), (broadcastable(_A, _B), broadcastable(_B, _C)))],
        "a = [2], b = [], c = [3]",
    ),
    _of_ranks(
        "equal-witnesses-are-one",
        "For cstr_eq that is right: upstream joins a = b and b = c to a = b = c.",
        "for all a, b, c: a = b and b = c => a = c",
        lambda: [Claim(same_shape(_A, _C), (same_shape(_A, _B), same_shape(_B, _C)))],
    ),
    _of_ranks(
        "same-shape-broadcasts-with-itself",
        "A witness on one shape twice always holds.",
        "for all a: broadcastable(a, a)",
        lambda: same(broadcastable(_A, _A)),
    ),
    _of_a_column(
        "statically-known-is-right",
        "What upstream's cstr_broadcastable folder calls statically known always broadcasts.",
        "for all d, e, f and x, y, z of them: statically_known(d, e, f) => compatible(x, y, z)",
        _known_is_right,
    ),
    _of_a_column(
        "inferred-is-statically-known",
        "What the trait's inference accepts is statically known to broadcast.",
        "for all d, e: infer(d, e) fits => statically_known(d, e)",
        lambda: [Claim(_statically_known(_D, _E), (infer_dim(_D, _E, UPSTREAM).fits,))],
        "d = 2, e = ?",
        "The trait accepts what may work; the folder knows only what must.",
    ),
)
