"""Test that for claims about many sizes, assignments with one different size are tried before a solver."""

from __future__ import annotations

import pytest

from shapesolve.solver.prover import MANY_VARIABLES, Prover
from shapesolve.solver.verdicts import Detail, Proved, Refuted, Undecided
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import compatible
from shapesolve.symbolic.normal_forms import broadcast_extent
from shapesolve.trace.events import Fact, Source


def fact(formula: Formula) -> Fact:
    return Fact(formula, Source.CHECK, "it is so")


def chain(count: int) -> tuple[Prover, list[tuple[Dim, Dim]], tuple[Dim, Dim]]:
    """Return a prover that knows that shapes of rank 2 were broadcast one after the other, and the result's sizes."""
    sizes = [(variable(f"a{number}"), variable(f"b{number}")) for number in range(count)]
    inputs = [each for pair in sizes for size in pair for each in size.variables]
    prover = Prover(Z3Solver(), inputs=inputs)
    rows, columns = sizes[0]
    for row, column in sizes[1:]:
        prover.assume(fact(compatible((rows, row)) & compatible((columns, column))))
        rows, columns = broadcast_extent(rows, row), broadcast_extent(columns, column)
    return prover, sizes, (rows, columns)


@pytest.mark.slow
@pytest.mark.parametrize("count", [MANY_VARIABLES // 2 + 1, 40])
def test_one_more_shape_that_differs_from_many_is_found(count: int) -> None:
    prover, sizes, (rows, columns) = chain(count)
    row, column = variable("row"), variable("column")
    claim = compatible((rows, row)) & compatible((columns, column))
    verdict = prover.verdict_on(claim)
    assert isinstance(verdict, Refuted)
    found = [verdict.sizes[each] for pair in sizes for size in pair for each in size.variables]
    assert set(found) == {2}, "sizes of 2 and more are the easiest to believe"
    assert isinstance(prover.verdict_on(claim, detail=Detail.PROOF), Undecided)


def test_claims_on_many_sizes_are_proved() -> None:
    prover, sizes, (rows, columns) = chain(40)
    claim = compatible((rows, sizes[7][0])) & compatible((columns, sizes[11][1]))
    assert isinstance(prover.verdict_on(claim), Proved)
