"""Numbers in the place of sizes, in formulas with shapes of unknown rank too, against plain evaluation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.strategies import SHAPE_VARIABLES, SIZE_VARIABLES, assignments, formulas

from shapesolve.solver.propagation.propagator import min_max_cases
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.visitors import Instantiation

Sizes = dict[Variable, int | tuple[int, ...]]


@given(formulas, assignments, st.sets(st.sampled_from(sorted(SIZE_VARIABLES))), st.sets(st.sampled_from("st")))
def test_it_holds_where_the_formula_does(formula: Formula, sizes: Sizes, fixed: set[str], ranked: set[str]) -> None:
    numbers = {SIZE_VARIABLES[name]: sizes[SIZE_VARIABLES[name]] for name in fixed}
    wholes = {SHAPE_VARIABLES[name]: sizes[SHAPE_VARIABLES[name]] for name in ranked}
    shapes = {each: RankedShape.of(extents) for each, extents in wholes.items() if isinstance(extents, tuple)}
    put = Instantiation(
        {each: dim(number) for each, number in numbers.items() if isinstance(number, int)},
        {each: whole for each, whole in shapes.items() if isinstance(whole, RankedShape)},
    )
    found = put.formula(formula)
    assert found.variables.isdisjoint({*numbers, *wholes})
    assert holds(found, sizes) == holds(formula, sizes)


def test_extremes_beside_shapes_of_unknown_rank() -> None:
    claim = parse_formula("[max(H, N)] == s or broadcastable([min(H, N), 4], s)", Scope.free())
    assert min_max_cases(claim)
