"""Property test of quantifier elimination over a range against trying every number of the range."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.simplification.comparisons import without_wrapping
from shapesolve.simplification.quantifier_elimination import eliminate_forall
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, Dim, ceildiv, dim, of_atom, variable
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, compatible, conjunction, disjunction, equal, negation
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum

NUMBER = Variable.of("i", 0, 2**63 - 1)
N, M, K = variable("n"), variable("m"), variable("k", -(2**63))
SIZES = st.sampled_from([N, M, K, N - M, 2 * N, dim(0), dim(1), dim(3), K + 1])


@st.composite
def numbers(draw: st.DrawFn) -> Dim:
    """Draw an expression over the iteration number."""
    i = of_atom(NUMBER)
    linear = i * draw(st.integers(-3, 3)) + draw(SIZES)
    match draw(st.integers(0, 7)):
        case 0:
            return linear // draw(st.integers(2, 4))
        case 1:
            return linear % draw(st.integers(2, 4))
        case 2:
            return minimum(linear, draw(SIZES))
        case 3:
            return maximum(linear, draw(SIZES) - i)
        case 4:
            return choose(at_least(i, draw(SIZES)), linear, draw(SIZES))
        case 5:
            return broadcast_extent(i, draw(SIZES))
        case _:
            return linear


@st.composite
def claims(draw: st.DrawFn) -> Formula:
    """A claim on an iteration."""
    parts = [
        draw(st.sampled_from([at_least, equal, lambda a, b: compatible((a, b)), lambda a, b: negation(equal(a, b))]))(
            draw(numbers()), draw(st.one_of(SIZES, numbers()))
        )
        for _ in range(draw(st.integers(1, 3)))
    ]
    return draw(st.sampled_from([conjunction, disjunction]))(parts)


@given(claims(), SIZES, SIZES, st.sampled_from([ONE, N, dim(2)]))
@examples(300)
def test_it_holds_exactly_where_every_number_satisfies_it(claim: Formula, first: Dim, end: Dim, step: Dim) -> None:
    found = eliminate_forall(claim, NUMBER, (first, end, step))
    if found is None or NUMBER not in claim.variables:
        return
    assert NUMBER not in found.variables
    for n, m, k in product(range(4), range(4), range(-2, 4)):
        sizes = dict(zip((next(iter(each.variables)) for each in (N, M, K)), (n, m, k), strict=True))
        low, high, by = (evaluate(each, sizes) for each in (first, end, step))
        if by < 1 or low < 0:  # the number of an iteration is none below 0
            continue
        every = all(holds(claim, {**sizes, NUMBER: number}) for number in range(low, high, by))
        assert holds(found, sizes) == every, (n, m, k, str(found))


UNSIGNED = 2**64


@given(st.sampled_from([K, K + N, K - M, 2 * K]), st.sampled_from([2, 3, 4]), SIZES)
@examples(60)
def test_wrapping_arithmetic_is_stated_by_cases(size: Dim, divisor: int, other: Dim) -> None:
    read = size % UNSIGNED
    half = UNSIGNED // 2
    for claim in (
        equal(read % divisor, 0),
        at_least(other, read),
        equal((read // divisor) % UNSIGNED, other),
        at_least(K + half, (ceildiv(N, K % UNSIGNED) + half) % UNSIGNED),
        equal((read // 2 + half) % UNSIGNED, other + half),
    ):
        found = without_wrapping(claim)
        for n, m, k in product(range(3), range(3), range(-4, 5)):
            sizes = dict(zip((next(iter(each.variables)) for each in (N, M, K)), (n, m, k), strict=True))
            assert holds(found, sizes) == holds(claim, sizes)
