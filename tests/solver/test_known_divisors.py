"""Divisions by sizes that are known not to be 0."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from shapesolve import Proved, dims, prove
from shapesolve.solver.propagation.atoms import divisions_by_sizes, take_out_multiples
from shapesolve.symbolic.atoms import Quotient, Remainder
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formulas import disjunction, equal
from shapesolve.symbolic.normal_forms import maximum, minimum

A, B, C, M = dims("A B C M")

monomials = st.sampled_from([A, B, C, A * B, A * C, A * A * B, B * (C // A), B * B, A * (B % C)])
coefficients = st.integers(-4, 4)
polynomials = st.lists(st.tuples(coefficients, monomials), min_size=1, max_size=4).map(
    lambda terms: sum((factor * scale for scale, factor in terms), start=A - A)
)
divisors = st.sampled_from([A, B, A * B, 2 * A, 3 * B])
sizes = st.integers(0, 7)


@given(polynomials, divisors, sizes, sizes, sizes)
def test_extracted_terms_equal_the_division(a: Dim, b: Dim, x: int, y: int, z: int) -> None:
    numbers = {atom: size for dim, size in ((A, x), (B, y), (C, z)) for atom in dim.variables}
    assume(evaluate(b, numbers) != 0)
    for made in (a // b, a % b):
        for atom in made.atoms():
            if isinstance(atom, Quotient | Remainder) and not atom.parts[1].is_constant:
                value = take_out_multiples(atom)
                if value is not None:
                    assert evaluate(value, numbers) == evaluate(atom_of(atom), numbers)


def atom_of(atom: Quotient | Remainder) -> Dim:
    a, b = atom.parts
    return a // b if isinstance(atom, Quotient) else a % b


def test_divisions_inside_divisions_come_first() -> None:
    inner = (A * B) // B
    found = divisions_by_sizes(equal((inner * C + M) // C, M))
    assert [str(each) for each in found] == ["(A*B)//B", "(((A*B)//B)*C + M)//C"]


def test_a_product_divided_by_a_factor_never_reaches_the_solver() -> None:
    verdict = prove(equal(((A * B) // B) * B, A * B), assuming=[B >= 1])
    assert isinstance(verdict, Proved)
    assert verdict.strategy in ("propagation", "normal form")
    assert [str(fact.formula) for fact in verdict.facts] == ["B >= 1"]


def test_a_divisor_that_may_be_0_is_left_alone() -> None:
    assert prove(equal((A * B) // B, A)).word == "refuted"
    assert prove(equal((A * B) // B, A), assuming=[A >= 1]).word == "refuted"


def test_divisor_facts_end_with_their_scope() -> None:
    assert prove((B == 0) | (((A * B + 1) // B) >= A)).word == "proved"
    assert prove(((A * B + 1) // B) >= A).word == "refuted"


def test_clamp_is_dropped_where_the_bound_holds() -> None:
    """An entry guard divides by such a maximum where the divisor might be 0."""
    known = [A >= 1, disjunction((equal(C % maximum(A, 1), 0), equal(B, 0)))]
    assert isinstance(prove(disjunction((equal(A * (C // A), C), equal(B, 0))), known), Proved)
    below = [A <= 7, equal(C % minimum(A + 1, 8), 0)]
    assert isinstance(prove(equal((A + 1) * (C // (A + 1)), C), below), Proved)
