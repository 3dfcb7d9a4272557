"""Arithmetic of few bits: what is said of a query, against trying all sizes; integers of 4 bits wrap often."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve import Proved, Refuted, prove
from shapesolve.solver.preprocessing import division
from shapesolve.solver.preprocessing.division import BY_WRAPPING, sizes_that_wrap, unwrapped, with_wrapped_sizes_named
from shapesolve.solver.verdicts import Satisfiable, Unsatisfiable
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, equal, less_than, unequal
from shapesolve.symbolic.normal_forms import choose, maximum, minimum

SIZES = [Variable.of(name, 0, 13) for name in "ab"]
BOX = [dict(zip(SIZES, sizes, strict=True)) for sizes in product(range(14), repeat=2)]
SOLVER = Z3Solver()


def narrow(size: Dim) -> Dim:
    """The size in 4 bits with a sign."""
    return (size + 8) % 16 - 8


OPERATIONS: list[Callable[[Dim, Dim], Dim]] = [
    lambda a, b: narrow(a + b),
    lambda a, b: narrow(a - b),
    lambda a, b: narrow(a * b),
    lambda a, b: choose(at_least(a, 0), a // 3, b),
    minimum,
    maximum,
]


def _grown(parts: st.SearchStrategy[Dim]) -> st.SearchStrategy[Dim]:
    return st.one_of(*(st.builds(make, parts, parts) for make in OPERATIONS))


TERMS = st.recursive(st.sampled_from([*map(of_atom, SIZES), *map(dim, (1, 2, 3, 6))]), _grown, max_leaves=5)
CLAIMS = st.one_of(*(st.builds(make, TERMS, TERMS) for make in (equal, at_least, less_than, unequal)))


@pytest.fixture(autouse=True)
def few_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "LEAST_MODULUS", 16)


@pytest.mark.usefixtures("few_bits")
@given(st.lists(CLAIMS, min_size=1, max_size=3))
def test_answers_are_those_of_trying_all_sizes(claims: list[Formula]) -> None:
    query = list(enumerate(claims))
    satisfied = [sizes for sizes in BOX if all(holds(each, sizes) for each in claims)]
    answer = SOLVER.check(query, name="wrapping", budget=2_000_000)
    if isinstance(answer, Satisfiable):
        assert satisfied
    elif isinstance(answer, Unsatisfiable):
        core = [claim for label, claim in query if label in answer.core]
        assert not any(all(holds(each, sizes) for each in core) for sizes in BOX), (claims, core)


@given(st.lists(CLAIMS, min_size=1, max_size=3))
def test_query_is_unchanged_where_nothing_wraps(claims: list[Formula]) -> None:
    plain = unwrapped(list(enumerate(claims)))
    if plain is not None:
        because = [claim for label, claim in enumerate(claims) if label in plain.because]
        for sizes in BOX:
            if holds(plain.nothing_wraps, sizes) and all(holds(each, sizes) for each in because):
                for (_, after), before in zip(plain.query, claims, strict=True):
                    assert holds(after, sizes) == holds(before, sizes), (before, after, sizes)


def test_sizes_near_the_powers_of_two() -> None:
    n = of_atom(Variable.of("n"))
    query = [(0, less_than((n * n + 2**31) % 2**32, 2**31))]
    sizes = sizes_that_wrap(query)
    assert sizes is not None
    assert all(holds(formula, sizes) for _, formula in query)
    assert sizes_that_wrap([(0, less_than(n % 2**32, 0))]) is None


def test_claims_of_programs_with_32_bits() -> None:
    wrapped = "({0} + 2147483648) % 4294967296 - 2147483648".format
    found = prove(f"{wrapped('n*n')} >= 0")
    assert isinstance(found, Refuted)
    assert found.strategy == BY_WRAPPING
    assert isinstance(prove(f"{wrapped('n*n')} >= 0", ["n <= 46340"]), Proved)
    small = prove(f"{wrapped('n*n')} >= n + 1")
    assert isinstance(small, Refuted)
    assert max(size for size in small.sizes.values() if isinstance(size, int)) <= 2


CASTS = st.recursive(
    st.sampled_from([*(narrow(of_atom(each)) for each in SIZES), narrow(of_atom(SIZES[0]) + 5), *map(dim, (1, 3))]),
    _grown,
    max_leaves=5,
)


@given(st.lists(st.one_of(*(st.builds(make, CASTS, CASTS) for make in (equal, at_least, unequal))), max_size=3))
def test_a_query_whose_casts_are_named_is_weaker(formulas: list[Formula]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(division, "LEAST_MODULUS", 16)
        weaker = with_wrapped_sizes_named(list(enumerate(formulas)))
        if weaker is not None and any(all(holds(each, sizes) for each in formulas) for sizes in BOX):
            assert isinstance(SOLVER.check(weaker, name="weaker", budget=200_000), Satisfiable)


def test_products_of_casts_are_bounded_by_facts_about_the_casts() -> None:
    a, b = (((of_atom(Variable.of(name, 0, 2**62)) + 2**31) % 2**32) - 2**31 for name in "ab")
    product_of_both = (a * b + 2**31) % 2**32 - 2**31
    facts = [at_least(a, 0), at_least(1000, a), at_least(b, 0), at_least(1000, b)]
    assert isinstance(prove(at_least(product_of_both, 0), facts), Proved)
    assert isinstance(prove(equal((9 * product_of_both) % 9, 0), facts), Proved)
    assert isinstance(prove(at_least(product_of_both, 0), facts[:3]), Refuted)
