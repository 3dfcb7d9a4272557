"""Theorems about dimension inference."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import compatible, conjunction, disjunction, equal, equivalent, implies, negation
from shapesolve.symbolic.normal_forms import broadcast_extent
from shapesolve.symbolic.shapes import broadcast, broadcastable
from shapesolve.traits.inference_tables import (
    PAGE_CODE,
    PAGE_TABLE,
    STATIC_ONE,
    UPSTREAM,
    Category,
    InferenceTable,
    TypeExtent,
    any_extent,
    infer_dim,
)
from shapesolve.traits.theorems.columns import AnyType, fold
from shapesolve.traits.theorems.statement import COLUMN, RANKS, Claim, Theorem, Topic, same

_D, _E, _F = (any_extent(name) for name in "def")
_X, _Y, _Z = (variable(name) for name in "xyz")


def _symmetric(table: InferenceTable) -> Sequence[Claim]:
    one, other = infer_dim(_D, _E, table), infer_dim(_E, _D, table)
    known = one.covered & one.fits
    return same(
        equivalent(one.covered, other.covered),
        implies(one.covered, equivalent(one.fits, other.fits)),
        implies(known, one.extent.same(other.extent)),
    )


def _agree(first: InferenceTable, second: InferenceTable, least: int) -> Sequence[Claim]:
    d, e = any_extent("d", least), any_extent("e", least)
    one, other = infer_dim(d, e, first), infer_dim(d, e, second)
    return same(
        equivalent(one.covered, other.covered),
        implies(one.covered, equivalent(one.fits, other.fits)),
        implies(one.covered & one.fits, one.extent.same(other.extent)),
    )


def _idempotent() -> Sequence[Claim]:
    step = infer_dim(_D, _D, UPSTREAM)
    return same(step.fits, step.extent.same(_D))


def _one_is_neutral() -> Sequence[Claim]:
    step = infer_dim(_D, STATIC_ONE, UPSTREAM)
    return same(step.fits, step.extent.same(_D))


def _folds(d: TypeExtent, e: TypeExtent, f: TypeExtent, table: InferenceTable) -> tuple[Claim, Claim]:
    """Return two claims: folding from the left and from the right accept the same, and then infer the same."""
    left = fold(table, d, e, f)
    inner = infer_dim(e, f, table)
    outer = infer_dim(d, inner.extent, table)
    right = inner.fits & outer.fits
    return Claim(equivalent(left.fits, right)), Claim(left.extent.same(outer.extent), (left.fits, right))


def _when_associative() -> Sequence[Claim]:
    accept, infer = _folds(_D, _E, _F, UPSTREAM)
    more = Category.MORE.holds
    zero_and_dynamic = [
        (_E.dynamic & _F.says(0)) | (_E.says(0) & _F.dynamic),
        (_D.dynamic & _E.says(0)) | (_D.says(0) & _E.dynamic),
    ]
    differ = (more(_D) & zero_and_dynamic[0]) | (more(_F) & zero_and_dynamic[1])
    return Claim(equivalent(negation(accept.goal), differ)), infer


def _order_matters(least: int) -> Sequence[Claim]:
    d, e, f = (any_extent(name, least) for name in "def")
    return same(equivalent(fold(UPSTREAM, d, e, f).fits, fold(UPSTREAM, d, f, e).fits))


def _is_zero(extent: TypeExtent) -> Formula:
    return extent.says(0)


def _when_order_matters() -> Sequence[Claim]:
    extents = (_D, _E, _F)
    meet = conjunction(
        disjunction(kind(extent) for extent in extents)
        for kind in (Category.DYNAMIC.holds, Category.MORE.holds, _is_zero)
    )
    differ = negation(equivalent(fold(UPSTREAM, _D, _E, _F).fits, fold(UPSTREAM, _D, _F, _E).fits))
    return same(implies(differ, meet))


def _static_is_right() -> Sequence[Claim]:
    a, b, index, run = _run_of_any_types()
    inferred = infer_dim(a.column(index), b.column(index), UPSTREAM)
    return [Claim(inferred.extent.admits(broadcast(a.shape, b.shape).column(index)), (*run, inferred.fits))]


def _run_of_any_types() -> tuple[AnyType, AnyType, Dim, tuple[Formula, ...]]:
    """Return two types, a column, and the conditions of a run: types admit shapes, which broadcast."""
    a, b, index = AnyType.of("a"), AnyType.of("b"), variable("i")
    admitted = (each.column(index).admits(each.shape.column(index)) for each in (a, b))
    return a, b, index, (a.ranks_agree, b.ranks_agree, *admitted, broadcastable(a.shape, b.shape))


def _static_is_right_of_three() -> Sequence[Claim]:
    inferred = fold(UPSTREAM, _D, _E, _F)
    conforming = (_D.admits(_X), _E.admits(_Y), _F.admits(_Z), compatible((_X, _Y, _Z)))
    return [Claim(inferred.extent.admits(broadcast_extent(_X, _Y, _Z)), (*conforming, inferred.fits))]


def _clash_always_fails() -> Sequence[Claim]:
    """State the contrapositive: if the shapes of a run broadcast, inference from their types reports no error."""
    a, b, index, run = _run_of_any_types()
    return [Claim(infer_dim(a.column(index), b.column(index), UPSTREAM).fits, run)]


def _clash_of_three() -> Sequence[Claim]:
    admitted = (_D.admits(_X), _E.admits(_Y), _F.admits(_Z))
    return [Claim(fold(UPSTREAM, _D, _E, _F).fits, (*admitted, compatible((_X, _Y, _Z))))]


def _as_sharp_as_can_be() -> Sequence[Claim]:
    inferred = infer_dim(_D, _E, UPSTREAM)
    only = (_E.static, negation(equal(_E.size, 1)))
    return [Claim(inferred.extent.static, (*only, inferred.fits))]


_of_a_column = partial(Theorem, Topic.INFERENCE, COLUMN)
_of_ranks = partial(Theorem, Topic.INFERENCE, RANKS)
THEOREMS = (
    _of_a_column(
        "inference-is-symmetric",
        "The operands of the page's table can be exchanged: it covers, rejects and infers the same.",
        "for all d, e: table(d, e) = table(e, d)",
        lambda: _symmetric(PAGE_CODE),
    ),
    _of_a_column(
        "upstream-inference-is-symmetric",
        "What MLIR computes for two operands does not depend on their order either, 0 included.",
        "for all d, e: infer(d, e) = infer(e, d)",
        lambda: _symmetric(UPSTREAM),
    ),
    _of_a_column(
        "table-is-pseudo-code",
        "The page's table and its pseudo-code say the same, and are silent about the same pairs.",
        "for all d, e: table(d, e) = InferDim(d, e)",
        lambda: _agree(PAGE_TABLE, PAGE_CODE, 0),
    ),
    _of_a_column(
        "page-is-upstream-from-1",
        "For static sizes of 1 and more, MLIR computes what the page says.",
        "for all d, e, static ones >= 1: InferDim(d, e) = infer(d, e)",
        lambda: _agree(PAGE_CODE, UPSTREAM, 1),
    ),
    _of_a_column(
        "page-covers-everything",
        "The page's table has a row for any two extents.",
        "for all d, e: some row of the table is about d, e",
        lambda: same(infer_dim(_D, _E, PAGE_TABLE).covered),
        "d = 0, e = 2",
        "Its kinds are `?`, 1 and more than 1: a static 0 is in no row.",
    ),
    _of_a_column(
        "inference-is-idempotent",
        "An operand with itself infers its own extent.",
        "for all d: infer(d, d) = d",
        _idempotent,
    ),
    _of_a_column(
        "one-is-neutral",
        "A static 1 changes nothing, so a shorter shape can be filled up with ones.",
        "for all d: infer(d, 1) = d",
        _one_is_neutral,
    ),
    _of_a_column(
        "fold-is-associative",
        "It does not matter whether three operands are folded from the left or from the right.",
        "for all d, e, f: infer(infer(d, e), f) = infer(d, infer(e, f))",
        lambda: _folds(_D, _E, _F, UPSTREAM),
        "d = 0, e = ?, f = 2",
        "`?` with 0 infers `?`, which forgets the 0; the 2 is then accepted.",
    ),
    _of_a_column(
        "fold-is-associative-from-1",
        "Without static zeros the fold is associative.",
        "for all d, e, f, static ones >= 1: infer(infer(d, e), f) = infer(d, infer(e, f))",
        lambda: _folds(any_extent("d", 1), any_extent("e", 1), any_extent("f", 1), UPSTREAM),
    ),
    _of_a_column(
        "when-fold-is-associative",
        "The two folds differ exactly where a `?`, a static 0 and a static size above 1 meet and the last of these is "
        "not in the middle; and where both accept, they infer the same.",
        "for all d, e, f: folds differ <=> {d, e, f} = {?, 0, n > 1} and n is d or f",
        _when_associative,
    ),
    _of_a_column(
        "order-of-operands-is-free",
        "Operands can be reordered without changing what is accepted.",
        "for all d, e, f: fold(d, e, f) fits <=> fold(d, f, e) fits",
        lambda: _order_matters(0),
        "d = 0, e = 2, f = ?",
        "MLIR accepts (0, ?, 2) and rejects (0, 2, ?), in all versions.",
    ),
    _of_a_column(
        "order-of-operands-is-free-from-1",
        "Without static zeros operands can be reordered.",
        "for all d, e, f, static ones >= 1: fold(d, e, f) fits <=> fold(d, f, e) fits",
        lambda: _order_matters(1),
    ),
    _of_a_column(
        "when-order-of-operands-matters",
        "The order can matter only where a `?`, a static 0 and a static size above 1 meet in a column.",
        "for all d, e, f: fold(d, e, f) and fold(d, f, e) differ => ?, 0 and some n > 1 are among d, e, f",
        _when_order_matters,
    ),
    _of_ranks(
        "static-inferred-is-right",
        "A static size that is inferred from two operands is the size on every run without undefined behavior.",
        "for all types A, B and shapes a, b of them: broadcastable(a, b) and infer(A, B)[i] = n "
        "=> broadcast(a, b)[i] = n",
        _static_is_right,
    ),
    _of_a_column(
        "static-inferred-is-right-for-three",
        "The same for three operands, although the order of the fold can matter.",
        "for all d, e, f and x, y, z of them: compatible(x, y, z) and fold(d, e, f) = n => broadcast(x, y, z) = n",
        _static_is_right_of_three,
    ),
    _of_ranks(
        "clash-fails-on-every-run",
        "Where inference from two operands reports an error, no run broadcasts.",
        "for all types A, B and shapes a, b of them: infer(A, B)[i] is an error => not broadcastable(a, b)",
        _clash_always_fails,
    ),
    _of_a_column(
        "clash-of-three-fails-on-every-run",
        "The same for three operands: the order of the fold can hide a clash, but it never makes one up.",
        "for all d, e, f and x, y, z of them: fold(d, e, f) is an error => not compatible(x, y, z)",
        _clash_of_three,
    ),
    _of_a_column(
        "inference-is-as-sharp-as-can-be",
        "Beside a static size other than 1 the result is always inferred to be static.",
        "for all d, e: e static and e != 1 and infer(d, e) fits => infer(d, e) is static",
        _as_sharp_as_can_be,
        "d = ?, e = 0",
        "`?` with 0 infers `?`, although 0 is the only size that a run can have.",
    ),
)
