"""Test of the term visitor: subterms, the effect of a transformer, and independence of nesting depth."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from support.strategies import SIZE_VARIABLES, assignments, formulas, sizes

from shapesolve.symbolic.atoms import BroadcastExtent, Choice, Column, Maximum, Quotient, Rank, Remainder, Variable
from shapesolve.symbolic.dims import Dim, dim, dims, of_atom
from shapesolve.symbolic.evaluation import Assignment, evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import compatible, conjunction, equal
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.symbolic.shapes import broadcast, same_shape, unranked
from shapesolve.symbolic.visitors import Transformer, atoms_within, on_comparisons, sizes_within

N, M, K = dims("N M K")
S = unranked("S")


class Renaming(Transformer):
    """Puts a size for a variable, and everything else as it was."""

    def __init__(self, variable: Variable, by: Dim) -> None:
        self._variable = variable
        self._by = by

    def size(self, size: Dim) -> Dim:
        total = dim(size.constant)
        for monomial, coefficient in size.terms:
            product = dim(coefficient)
            for atom, power in monomial.factors:
                product = product * atom.rebuilt(self) ** power
            total = total + product
        return total

    def formula(self, formula: Formula) -> Formula:
        return formula.rebuilt(self)

    def variable(self, variable: Variable) -> Dim:
        return self._by if variable is self._variable else of_atom(variable)


NOBODY = Renaming(Variable.of("nobody"), dim(0))


@given(sizes)
def test_a_size_made_again_of_the_same_parts_is_itself(size: Dim) -> None:
    assert NOBODY.size(size) is size


@given(formulas)
def test_a_formula_made_again_of_the_same_parts_is_itself(formula: Formula) -> None:
    assert NOBODY.formula(formula) is formula
    assert on_comparisons(formula, lambda part: part) is formula


@given(formulas, assignments, st.sampled_from(sorted(SIZE_VARIABLES)), st.integers(0, 4))
def test_other_parts_mean_what_other_sizes_mean(formula: Formula, there: Assignment, name: str, number: int) -> None:
    variable = SIZE_VARIABLES[name]
    renamed = Renaming(variable, dim(number)).formula(formula)
    assume(variable not in renamed.variables)  # what stands in a shape beside one of unknown rank is not its to rename
    assert holds(renamed, there) == holds(formula, {**there, variable: number})


@given(formulas)
def test_the_variables_are_those_inside(formula: Formula) -> None:
    inside = {atom for atom in atoms_within(formula) if isinstance(atom, Variable)}
    symbols = formula.variables - inside
    assert inside <= formula.variables
    assert all(type(symbol) is not Variable for symbol in symbols)  # the symbols of shapes are no sizes


def test_everything_inside_is_seen_once_and_the_outer_first() -> None:
    inner = N // M
    whole = conjunction(
        (equal(maximum(inner, K), 3), compatible((broadcast_extent(inner, N), choose(inner >= 2, M, K))))
    )
    seen = list(sizes_within(whole))
    assert len(seen) == len(set(seen))
    assert seen[0] is maximum(inner, K) - 3
    assert {inner, N, M, K, inner - 2} <= set(seen)
    kinds = {type(atom) for atom in atoms_within(whole)}
    assert kinds == {Quotient, Maximum, BroadcastExtent, Choice, Variable}
    closed = set(sizes_within(whole, closed=(Quotient, Choice)))
    assert inner in closed and M not in closed


def test_extents_inside_of_shapes_are_seen() -> None:
    joint = broadcast(S, [N % M, K])
    assert N % M in set(sizes_within(same_shape(joint, [3, K])))
    assert {Column, Rank} <= {type(atom) for atom in atoms_within(equal(joint.rank, joint.column(N)))}
    assert Remainder in {type(atom) for atom in atoms_within(equal(joint.column(0), 1))}


def test_shared_terms_are_visited_once() -> None:
    size = N
    for number in range(40):  # as a tree this has 2^40 leaves
        size = minimum(size // 2 + number, M + size // 3) if number < 8 else size + 1
    assert len(list(sizes_within(equal(size, 0)))) < 200
    there = {N.atom: 5, M.atom: 7}
    assert evaluate(size, {key: value for key, value in there.items() if isinstance(key, Variable)}) >= 0
