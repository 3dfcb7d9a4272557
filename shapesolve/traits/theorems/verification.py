"""Theorems about verification: accepted operations, guarantees of acceptance, and needless rejections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from shapesolve.symbolic.dims import ONE, Dim, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import compatible, conjunction, disjunction, equal, equivalent, implies, negation
from shapesolve.symbolic.normal_forms import broadcast_extent, choose
from shapesolve.symbolic.shapes import broadcast, unranked
from shapesolve.traits.inference_tables import PAGE_CODE, UPSTREAM, TypeExtent, any_extent, static
from shapesolve.traits.profiles import PROFILES, Rules
from shapesolve.traits.runtime_behavior import fits_to
from shapesolve.traits.theorems.columns import (
    MLIR_16,
    MLIR_22,
    PAGE_2023,
    PAGE_TODAY,
    accepted,
    best_sizes,
    can_run,
    covered,
    fold,
    runs,
)
from shapesolve.traits.theorems.statement import COLUMN, RANKS, SIZES, Claim, Theorem, Topic, same
from shapesolve.traits.verifier import rank_requirement

_D, _E, _F, _R = (any_extent(name) for name in "defr")
_X, _Y, _Z = (variable(name) for name in "xyz")
_MUL_22 = PROFILES["mlir-22"].rules_for("tosa.mul")


def _works(operands: Sequence[TypeExtent], sizes: Sequence[Dim], result: TypeExtent) -> Formula:
    """Return the formula that sizes of these types run without undefined behavior."""
    admitted = conjunction(extent.admits(size) for extent, size in zip(operands, sizes, strict=True))
    return admitted & runs(result, *sizes)


def _rejected_never_works(rules: Rules, *, covered_by_table: bool = False) -> Callable[[], Sequence[Claim]]:
    def state() -> Sequence[Claim]:
        assuming = [negation(accepted(rules, _D, _E, _R))]
        if covered_by_table:
            assuming.append(covered(PAGE_CODE, _D, _E))
        return [Claim(negation(_works((_D, _E), (_X, _Y), _R)), tuple(assuming))]

    return state


def _results_that_can_be(operands: Sequence[TypeExtent], result: TypeExtent) -> Formula:
    """Return the formula that some run has a conforming result: a static result meets the static operands."""
    met = conjunction(
        each.dynamic | disjunction((equal(each.size, 1), equal(each.size, result.size))) for each in operands
    )
    made = disjunction(each.dynamic | equal(each.size, result.size) for each in operands)
    return can_run(*operands) & (result.dynamic | (met & made))


def _has_run(rules: Rules, operands: Sequence[TypeExtent]) -> Callable[[], Sequence[Claim]]:
    return lambda: [Claim(_results_that_can_be(operands, _R), (accepted(rules, *operands, _R),))]


def _witness() -> Sequence[Claim]:
    """State that `can_run` is exact: given sizes work, and no sizes work without it; the same with a result."""
    extents, sizes = (_D, _E, _F), (_X, _Y, _Z)
    best = best_sizes(*extents)
    with_result = [
        choose(each.dynamic & _R.static, _R.size, size) for each, size in zip((_D, _E), best_sizes(_D, _E), strict=True)
    ]
    conforming = tuple(extent.admits(size) for extent, size in zip(extents, sizes, strict=True))
    return [
        Claim(
            conjunction((compatible(best), *(e.admits(size) for e, size in zip(extents, best, strict=True)))),
            (can_run(*extents),),
        ),
        Claim(can_run(*extents), (*conforming, compatible(sizes))),
        Claim(_works((_D, _E), with_result, _R), (_results_that_can_be((_D, _E), _R),)),
        Claim(_results_that_can_be((_D, _E), _R), (_works((_D, _E), (_X, _Y), _R),)),
    ]


def _rank_hole() -> Sequence[Claim]:
    a, b = unranked("a"), unranked("b")
    rank = variable("rank")
    inferred = broadcast(a, b).rank
    return [Claim(equal(inferred, rank), (rank_requirement(inferred, rank, MLIR_22),))]


def _too_low_a_rank() -> Sequence[Claim]:
    a, b = unranked("a"), unranked("b")
    rank = variable("rank")
    return [
        Claim(
            negation(equal(broadcast(a, b).rank, rank)),
            (negation(rank_requirement(broadcast(a, b).rank, rank, MLIR_22)),),
        )
    ]


def _static_result_by_hand() -> Sequence[Claim]:
    """State without broadcast for which sizes `? , ?` gives a static result n."""
    goal = variable("n", 2)
    x, y = (_X, _Y)
    wanted = compatible((x, y)) & equal(broadcast_extent(x, y), goal)
    ones = compatible((x, y)) & equal(broadcast_extent(x, y), 1)
    return same(equivalent(wanted, fits_to((x, y), goal)), equivalent(ones, fits_to((x, y), ONE)))


def _inferred_is_accepted(rules: Rules) -> Callable[[], Sequence[Claim]]:
    assert rules.table is not None
    table = rules.table

    def state() -> Sequence[Claim]:
        inferred = fold(table, _D, _E)
        fits = inferred.covered & inferred.fits
        return [Claim(accepted(rules, _D, _E, inferred.extent), (fits,))]

    return state


def _verified_static_program_is_safe() -> Sequence[Claim]:
    d, e, r = (static(variable(name)) for name in "der")
    return same(equivalent(accepted(MLIR_22, d, e, r), runs(r, d.size, e.size)))


def _dynamic_result_never_rejected() -> Sequence[Claim]:
    result = TypeExtent(equal(0, 0), ONE)
    return same(implies(fold(UPSTREAM, _D, _E).fits, accepted(MLIR_22, _D, _E, result)))


_of_a_column = partial(Theorem, Topic.VERIFICATION, COLUMN)
_of_ranks = partial(Theorem, Topic.VERIFICATION, RANKS)
_of_sizes = partial(Theorem, Topic.VERIFICATION, SIZES)
THEOREMS = (
    _of_a_column(
        "rejected-fails-on-every-run",
        "What MLIR 19 to 24 reject in a column of two operands fails for all sizes.",
        "for all d, e, r and x, y of d, e: not accepted(d, e -> r) => not compatible(x, y) or broadcast(x, y) not of r",
        _rejected_never_works(MLIR_22),
    ),
    _of_a_column(
        "rejected-by-page-today-fails-on-every-run",
        "What today's page rejects, where its table has a row, fails for all sizes.",
        "for all d, e, r covered by the table and x, y of d, e: not accepted(d, e -> r) => no run works",
        _rejected_never_works(PAGE_TODAY, covered_by_table=True),
    ),
    _of_a_column(
        "rejected-by-page-2023-fails-on-every-run",
        "What the page of mid-2023 rejects, where its table has a row, fails for all sizes.",
        "for all d, e, r covered by the table and x, y of d, e: not accepted(d, e -> r) => no run works",
        _rejected_never_works(PAGE_2023, covered_by_table=True),
        "d = ?, e = ?, r = 2, x = 2, y = 2",
        "Its error for a static result where `?` is inferred forbids programs that work.",
    ),
    _of_a_column(
        "accepted-has-a-run",
        "What MLIR 19 to 24 accept of a column of two operands works for some sizes.",
        "for all d, e, r: accepted(d, e -> r) => there are x, y of d, e with broadcast(x, y) of r",
        _has_run(MLIR_22, (_D, _E)),
        "d = 0, e = ?, r = 2",
        "(0, ?) infers `?`, so any static result is accepted; but every run has size 0.",
    ),
    _of_a_column(
        "accepted-has-a-run-from-1",
        "Without static zeros, what MLIR 19 to 24 accept of a column of two operands works for some sizes.",
        "for all d, e, r, static ones >= 1: accepted(d, e -> r) => some run works",
        lambda: [
            Claim(_results_that_can_be((d, e), r), (accepted(MLIR_22, d, e, r),))
            for d, e, r in [tuple(any_extent(name, 1) for name in "der")]
        ],
    ),
    _of_a_column(
        "accepted-by-mlir-16-has-a-run-from-1",
        "Without static zeros, what MLIR 16 accepts of a column of two operands works for some sizes.",
        "for all d, e, r, static ones >= 1: accepted by 16 => some run works",
        lambda: [
            Claim(_results_that_can_be((d, e), r), (accepted(MLIR_16, d, e, r),))
            for d, e, r in [tuple(any_extent(name, 1) for name in "der")]
        ],
        "d = 1, e = 1, r = 2",
    ),
    _of_a_column(
        "accepted-operands-of-three-broadcast",
        "Three operands that are accepted broadcast for some sizes, whatever the result.",
        "for all d, e, f: fold(d, e, f) fits => there are compatible x, y, z of d, e, f",
        lambda: [Claim(can_run(_D, _E, _F), (fold(UPSTREAM, _D, _E, _F).fits,))],
        "d = 0, e = ?, f = 2",
        "MLIR accepts (0, ?, 2), in all versions; 0 and 2 never broadcast.",
    ),
    _of_a_column(
        "when-types-can-run",
        "Three types have a run exactly where no two of their numbers clash; two have one with a static result exactly "
        "where each of their numbers is 1 or that size, and one of the two is `?` or that size.",
        "for all d, e, f: there are compatible x, y, z of d, e, f <=> no two numbers among d, e, f clash",
        _witness,
    ),
    _of_a_column(
        "accepted-tosa-mul-has-a-run",
        "What MLIR 22 to 24 accept of a column of tosa.mul works for some sizes.",
        "for all d, e, r, static ones >= 1: tosa.mul accepted(d, e -> r) => some run works",
        lambda: [
            Claim(_results_that_can_be((d, e), r), (accepted(_MUL_22, d, e, r),))
            for d, e, r in [tuple(any_extent(name, 1) for name in "der")]
        ],
        "d = 2, e = 2, r = 3",
        "tosa.mul has a verifier of its own since it has a shift operand; it never looks at the extents of the result.",
    ),
    _of_ranks(
        "accepted-rank-is-right",
        "A ranked result that MLIR's trait accepts has the rank of the broadcast.",
        "for all shapes a, b and ranks: accepted => rank(broadcast(a, b)) = rank",
        _rank_hole,
        "a = [], b = [], rank = 2",
        "MLIR compares only as many extents from the right as are inferred: (3, 3) -> 7x3 is accepted. "
        "TOSA closes this since version 22 with a trait of its own.",
    ),
    _of_ranks(
        "rejected-rank-is-wrong",
        "A rank that MLIR's trait rejects is wrong on every run.",
        "for all shapes a, b and ranks: rejected => rank(broadcast(a, b)) != rank",
        _too_low_a_rank,
    ),
    _of_a_column(
        "what-is-inferred-is-accepted",
        "The extent that is inferred is always accepted as the result, by the pages and by all versions.",
        "for all d, e: infer(d, e) fits => accepted(d, e -> infer(d, e))",
        lambda: [
            claim for rules in (PAGE_2023, PAGE_TODAY, MLIR_16, MLIR_22) for claim in _inferred_is_accepted(rules)()
        ],
    ),
    _of_a_column(
        "dynamic-result-is-accepted",
        "A `?` in the result is always accepted.",
        "for all d, e: infer(d, e) fits => accepted(d, e -> ?)",
        _dynamic_result_never_rejected,
    ),
    _of_a_column(
        "static-program-is-verified-exactly",
        "Where all three are static, MLIR 19 to 24 accept a column exactly where it works, 0 included.",
        "for all static d, e, r: accepted(d, e -> r) <=> compatible(d, e) and broadcast(d, e) = r",
        _verified_static_program_is_safe,
    ),
    _of_sizes(
        "when-a-static-result-is-met",
        "Two sizes broadcast to n > 1 exactly where one of them is n and both are 1 or n; to 1 where both are 1.",
        "for all x, y, n > 1: compatible(x, y) and broadcast(x, y) = n <=> (x = n or y = n) and x, y in {1, n}",
        _static_result_by_hand,
    ),
)
