"""Theorems about erasing static sizes: a program with more `?` should accept whatever it accepted before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from shapesolve.symbolic.dims import DimLike, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, equal
from shapesolve.traits.inference_tables import UPSTREAM, TypeExtent, any_extent
from shapesolve.traits.profiles import Rules
from shapesolve.traits.theorems.columns import MLIR_16, MLIR_22, PAGE_2023, PAGE_TODAY, accepted, erased, fold, runs
from shapesolve.traits.theorems.statement import COLUMN, Claim, Theorem, Topic

_D, _E, _F, _R = (any_extent(name) for name in "defr")
_X, _Y = variable("x"), variable("y")


def _legal(rules: Rules, d: TypeExtent, e: TypeExtent, r: TypeExtent) -> Formula:
    """Return the formula that x and y are legal inputs.

    The program verifies, the types admit them, and it is defined.
    """
    return conjunction((accepted(rules, d, e, r), d.admits(_X), e.admits(_Y), runs(r, _X, _Y)))


def _widens(rules: Rules) -> Callable[[], Sequence[Claim]]:
    less = erased(_D, "erase d"), erased(_E, "erase e"), erased(_R, "erase r")
    return lambda: [Claim(_legal(rules, *less), (_legal(rules, _D, _E, _R),))]


def _stays_accepted_of_three() -> Sequence[Claim]:
    less = erased(_D, "erase d"), erased(_E, "erase e"), erased(_F, "erase f"), erased(_R, "erase r")
    return [Claim(accepted(MLIR_22, *less), (accepted(MLIR_22, _D, _E, _F, _R),))]


def _draft(d: TypeExtent, e: TypeExtent, x: DimLike, y: DimLike) -> Formula:
    """Return the legal inputs of the first draft.

    Only a static 1 is broadcast, a `?` has the size of the other operand.
    """
    return conjunction((d.admits(x), e.admits(y), disjunction((d.says(1), e.says(1), equal(x, y)))))


def _first_draft_widens() -> Sequence[Claim]:
    less = erased(_D, "erase d"), erased(_E, "erase e")
    return [Claim(_draft(*less, _X, _Y), (_draft(_D, _E, _X, _Y), fold(UPSTREAM, _D, _E).fits))]


def _refining_keeps() -> Sequence[Claim]:
    less = erased(_D, "erase d"), erased(_E, "erase e"), erased(_R, "erase r")
    run = (_D.admits(_X), _E.admits(_Y), runs(_R, _X, _Y))
    return [Claim(_legal(MLIR_22, _D, _E, _R), (_legal(MLIR_22, *less), *run))]


_of_a_column = partial(Theorem, Topic.ERASURE, COLUMN)
THEOREMS = (
    _of_a_column(
        "erasing-widens-mlir",
        "By MLIR 19 to 24, making static sizes dynamic never takes a legal input away.",
        "for all d, e, r, d' in {d, ?}, e' in {e, ?}, r' in {r, ?}: x, y legal for d, e -> r => legal for d', e' -> r'",
        _widens(MLIR_22),
    ),
    _of_a_column(
        "erasing-widens-mlir-16",
        "The same by MLIR 16.",
        "x, y legal for d, e -> r => legal for d', e' -> r'",
        _widens(MLIR_16),
    ),
    _of_a_column(
        "erasing-widens-page-today",
        "The same by today's page.",
        "x, y legal for d, e -> r => legal for d', e' -> r'",
        _widens(PAGE_TODAY),
    ),
    _of_a_column(
        "erasing-widens-page-2023",
        "The same by the page of mid-2023.",
        "x, y legal for d, e -> r => legal for d', e' -> r'",
        _widens(PAGE_2023),
        "d = 2, e = 2, r = 2, x = 2, y = 2, erasing d, e",
        "Forgetting the size of an operand turns a program that works into one that does not verify.",
    ),
    _of_a_column(
        "erasing-widens-first-draft",
        "The same by the first draft of the RFC, where only a static 1 is broadcast.",
        "x, y legal for d, e => legal for d', e'",
        _first_draft_widens,
        "d = 1, e = 2, x = 1, y = 2, erasing d",
        "The expectation of the RFC's thread, and its example: 2 with 1 is legal, and with the sizes erased it is not.",
    ),
    _of_a_column(
        "erasing-keeps-three-accepted",
        "By MLIR 19 to 24, three operands that are accepted stay accepted when sizes are erased, in spite of the fold.",
        "for all d, e, f, r: accepted(d, e, f -> r) => accepted(d', e', f' -> r')",
        _stays_accepted_of_three,
    ),
    _of_a_column(
        "refining-keeps-runs",
        "Writing down sizes that a run has, in operands or result, keeps that run legal.",
        "for all d, e, r: x, y legal for d', e' -> r' and x, y, broadcast(x, y) of d, e, r => x, y legal for d, e -> r",
        _refining_keeps,
    ),
)
