"""Theorems that compare what the two pages and the versions of MLIR accept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from shapesolve.symbolic.formulas import equivalent, negation
from shapesolve.traits.inference_tables import PAGE_CODE, UPSTREAM, Category, any_extent
from shapesolve.traits.profiles import Rules
from shapesolve.traits.theorems.columns import MLIR_16, MLIR_22, PAGE_2023, PAGE_TODAY, accepted, fold
from shapesolve.traits.theorems.statement import COLUMN, Claim, Theorem, Topic, same

_D, _E, _R = (any_extent(name) for name in "der")


def _accepted_by(first: Rules, second: Rules, least: int = 0) -> Callable[[], Sequence[Claim]]:
    d, e, r = (any_extent(name, least) for name in "der")
    return lambda: [Claim(accepted(second, d, e, r), (accepted(first, d, e, r),))]


def _sixteen_but_for_ones() -> Sequence[Claim]:
    more = Category.MORE.holds(_R) | _R.says(0)
    only = fold(UPSTREAM, _D, _E).extent.says(1) & more
    return same(
        equivalent(accepted(MLIR_16, _D, _E, _R), accepted(MLIR_22, _D, _E, _R) | (fold(UPSTREAM, _D, _E).fits & only))
    )


def _drafts_differ() -> Sequence[Claim]:
    inferred = fold(PAGE_CODE, _D, _E)
    differ = accepted(PAGE_TODAY, _D, _E, _R) & negation(accepted(PAGE_2023, _D, _E, _R))
    cause = inferred.covered & inferred.fits & inferred.extent.dynamic & _R.static
    return same(equivalent(differ, cause))


_of_a_column = partial(Theorem, Topic.COMPARISON, COLUMN)
THEOREMS = (
    _of_a_column(
        "drafts-differ-in-static-results-only",
        "The two pages differ exactly where `?` is inferred and the result is static.",
        "for all d, e, r: accepted today and not in 2023 <=> InferDim(d, e) = ? and r is static",
        _drafts_differ,
    ),
    _of_a_column(
        "page-2023-within-page-today",
        "What the page of mid-2023 accepts, today's page accepts.",
        "for all d, e, r: accepted in 2023 => accepted today",
        _accepted_by(PAGE_2023, PAGE_TODAY),
    ),
    _of_a_column(
        "page-today-within-mlir",
        "What today's page accepts of one column, MLIR 19 to 24 accept.",
        "for all d, e, r: accepted by the page => accepted by MLIR",
        _accepted_by(PAGE_TODAY, MLIR_22),
    ),
    _of_a_column(
        "mlir-within-page-today",
        "What MLIR 19 to 24 accept of one column, today's page accepts.",
        "for all d, e, r: accepted by MLIR => accepted by the page",
        _accepted_by(MLIR_22, PAGE_TODAY),
        "d = 0, e = ?, r = 2",
        "The page says nothing about 0.",
    ),
    _of_a_column(
        "mlir-is-page-today-from-1",
        "Without static zeros MLIR 19 to 24 accept of one column only what today's page accepts.",
        "for all d, e, r, static ones >= 1: accepted by MLIR => accepted by the page",
        _accepted_by(MLIR_22, PAGE_TODAY, 1),
    ),
    _of_a_column(
        "later-within-mlir-16",
        "What MLIR 19 to 24 accept of one column, MLIR 16 accepts.",
        "for all d, e, r: accepted by 22 => accepted by 16",
        _accepted_by(MLIR_22, MLIR_16),
    ),
    _of_a_column(
        "mlir-16-within-later",
        "What MLIR 16 accepts of one column, MLIR 19 to 24 accept.",
        "for all d, e, r: accepted by 16 => accepted by 22",
        _accepted_by(MLIR_16, MLIR_22),
        "d = 1, e = 1, r = 2",
    ),
    _of_a_column(
        "mlir-16-but-for-ones",
        "MLIR 16 accepts beyond MLIR 19 to 24 exactly the columns where 1 is inferred and the result is 0 or above 1.",
        "for all d, e, r: accepted by 16 <=> accepted by 22, or infer(d, e) = 1 and r static and r != 1",
        _sixteen_but_for_ones,
    ),
)
