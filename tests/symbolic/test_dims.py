"""Sizes: every operation against Python's own arithmetic, the bounds, the normal forms and the printed forms."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis.strategies import integers
from support.strategies import arithmetic, assignments, polynomials, quotient_sums, sizes

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, ceildiv, dim, dims, floordiv, of_atom, of_monomial, remainder, variable
from shapesolve.symbolic.evaluation import Assignment, evaluate
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import equal
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, lowest_terms, maximum, minimum, split_multiples

N, M, H, K = dims("N M H K")
Z = variable("Z", None, None)


def check_operations(x: Dim, y: Dim, sizes: Assignment) -> None:
    a, b = evaluate(x, sizes), evaluate(y, sizes)

    def value(size: Dim) -> int:
        return evaluate(size, sizes)

    assert value(x + y) == a + b
    assert value(x - y) == a - b
    assert value(-x) == -a
    assert value(x * y) == a * b
    assert value(x**3) == a**3
    assert value(x // y) == (a // b if b else 0)
    assert value(x % y) == (a % b if b else a)
    assert value(ceildiv(x, y)) == (-(-a // b) if b else 0)
    assert value(minimum(x, y)) == min(a, b)
    assert value(maximum(x, y, 2)) == max(a, b, 2)
    assert value(y * (x // y) + x % y) == a
    assert value(broadcast_extent(x, y)) == min([n for n in (a, b) if n != 1], default=1)


@given(arithmetic, arithmetic, assignments)
def test_operations_mean_what_python_means(x: Dim, y: Dim, sizes: Assignment) -> None:
    check_operations(x, y, sizes)


@given(quotient_sums, quotient_sums, assignments)
def test_operations_on_quotients_mean_what_python_means(x: Dim, y: Dim, sizes: Assignment) -> None:
    check_operations(x, y, sizes)


@given(arithmetic, assignments)
def test_operations_with_plain_integers(x: Dim, sizes: Assignment) -> None:
    a = evaluate(x, sizes)
    for number in (-3, -1, 0, 1, 2, 7):
        assert evaluate(x + number, sizes) == evaluate(number + x, sizes) == a + number
        assert evaluate(number - x, sizes) == number - a
        assert evaluate(x * number, sizes) == evaluate(number * x, sizes) == a * number
        assert evaluate(x // number, sizes) == (a // number if number else 0)
        assert evaluate(x % number, sizes) == (a % number if number else a)
        assert evaluate(number // x, sizes) == (number // a if a else 0)
        assert evaluate(number % x, sizes) == (number % a if a else number)


@given(sizes, assignments)
def test_bounds_of_a_size_contain_its_value(size: Dim, numbers: Assignment) -> None:
    value = evaluate(size, numbers)
    low, high = size.bounds()
    assert low is None or low <= value
    assert high is None or value <= high
    for atom in size.atoms():
        alone = evaluate(of_atom(atom), numbers)
        assert atom.lower is None or atom.lower <= alone
        assert atom.upper is None or alone <= atom.upper


@given(sizes, assignments)
def test_the_value_depends_on_the_listed_variables_only(size: Dim, numbers: Assignment) -> None:
    assert evaluate(size, {symbol: numbers[symbol] for symbol in size.variables}) == evaluate(size, numbers)


@given(polynomials, polynomials, polynomials)
def test_polynomials_have_one_normal_form(x: Dim, y: Dim, z: Dim) -> None:
    assert x + y is y + x
    assert x * y is y * x
    assert (x + y) + z is x + (y + z)
    assert (x * y) * z is x * (y * z)
    assert (x + y) * z is x * z + y * z
    assert (x - y) + y is x
    assert 0 - (0 - x) is x
    assert x - x is dim(0)


@given(quotient_sums, quotient_sums, quotient_sums)
def test_sums_of_quotients_are_recognised_as_equal(x: Dim, y: Dim, z: Dim) -> None:
    assert equal((x + y) + z, x + (y + z)) is TRUE
    assert equal((x - y) + y, x) is TRUE
    assert equal(0 - (0 - x), x) is TRUE
    assert equal(x - y, -(y - x)) is TRUE


@given(quotient_sums, quotient_sums, integers(1, 64), integers(1, 9), integers(-99, 99), assignments)
def test_a_factor_of_all_terms_is_divided_out(x: Dim, y: Dim, k: int, m: int, c: int, numbers: Assignment) -> None:
    product = x * y
    value = evaluate(product, numbers)
    assert remainder(product * k + c, dim(k)) is dim(c % k)
    assert evaluate(floordiv(product * k + c, dim(k)), numbers) == value + c // k
    assert evaluate(floordiv(product * k + c, dim(k * m)), numbers) == (value * k + c) // (k * m)
    assert evaluate(remainder(product * k + c, dim(k * m)), numbers) == (value * k + c) % (k * m)


@pytest.mark.parametrize("k", [2, 3, 8, 32, 49])
def test_a_factor_is_seen_where_a_quotient_hides_it(k: int) -> None:
    """``8*(N//7)`` is ``N - N % 7 + N//7`` in its normal form."""
    product = floordiv(N, dim(7)) * floordiv(M, dim(7)) * H
    assert floordiv(product * k, dim(k)) is product
    assert floordiv(product * k + N * (2 * k) + 1, dim(k)) is product + N * 2
    assert floordiv(product * k, dim(5 * k)) is floordiv(product, dim(5))


@given(arithmetic, arithmetic, arithmetic)
def test_min_max_and_broadcast_are_sets(x: Dim, y: Dim, z: Dim) -> None:
    assert minimum(x, minimum(y, z)) is minimum(z, y, x)
    assert broadcast_extent(x, broadcast_extent(y, z)) is broadcast_extent(z, x, y)
    assert maximum(x, x) is minimum(x, x) is broadcast_extent(x, x) is broadcast_extent(x, 1) is x


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (2 * (H // 2), H - H % 2),
        (H % 2 + 2 * (H // 2), H),
        ((H // 2) // 3, H // 6),
        ((H // 2 + 1) // 3, (H + 2) // 6),
        ((4 * H + 2) // 6, (2 * H + 1) // 3),
        ((4 * H) % 6, 2 * ((2 * H) % 3)),
        ((H % 6) % 3, H % 3),
        ((H + 5 * N) % 5, H % 5),
        ((6 * N + 4) // 2, 3 * N + 2),
        (ceildiv(H, 2), (H + 1) // 2),
        (ceildiv(2 * H, 2), H),
        (H // -3, (-H) // 3),
        ((H**2 + H) % 2, dim(0)),
        (H % -3, -((-H) % 3)),
        (H // 1, H),
        (H % 1, dim(0)),
        (H // 0, dim(0)),
        (H % 0, H),
        ((M + 1) // (M + 1), dim(1)),
        (N % (N + 1), N),
        (N // (N + 1), dim(0)),
        (minimum(N, N + 1), N),
        (maximum(N, N + 1), N + 1),
        (maximum(N, 0), N),
        (minimum(N + 2, M + 2), minimum(N, M) + 2),
        (minimum(minimum(N, M) + 1, H + 1), minimum(N, M, H) + 1),
        (maximum(0, N + 1, M + 1), maximum(N, M) + 1),
        (broadcast_extent(N, 1, M, N), broadcast_extent(M, N)),
        (broadcast_extent(N, 3, compatible=True), dim(3)),
        (broadcast_extent(broadcast_extent(N, 3), compatible=True), broadcast_extent(N, 3)),
        ((N + M) * (N - M), N**2 - M**2),
        (dim(7) // 2, dim(3)),
        (dim(-7) % 3, dim(2)),
        (N**0, dim(1)),
    ],
)
def test_equal_sizes_are_one_object(one: Dim, other: Dim) -> None:
    assert one is other


def test_possibly_zero_factors_are_not_cancelled() -> None:
    assert N // N is not dim(1)
    assert evaluate(N // N, {_symbol(N): 0}) == 0
    assert (N * M) // N is not M
    assert N % N is not dim(0) or evaluate(N % N, {_symbol(N): 0}) == 0


def _symbol(size: Dim) -> Variable:
    return next(iter(size.variables))


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (2 * H + 1, "2*H + 1"),
        (3 - N, "3 - N"),
        (-N - 3, "-N - 3"),
        (M - N, "M - N"),
        (N * M * N, "M*N**2"),
        (N // 2, "N//2"),
        (-(N // 2), "-(N//2)"),
        (M - N // 2, "M - N//2"),
        (-(N % 3) - 1, "-(N % 3) - 1"),
        (2 * (N // 7), "2*(N//7)"),
        ((N + 1) // 2, "(N + 1)//2"),
        ((N // 2) * M, "M*(N//2)"),
        (N // M % H, "(N//M) % H"),
        ((N + 1) % 2 * 2 + 1, "2*((N + 1) % 2) + 1"),
        (minimum(N, M + 2), "min(M + 2, N)"),
        (maximum(N, M) - 1, "max(M, N) - 1"),
        (broadcast_extent(N, M), "broadcast(M, N)"),
        (choose(N >= 2, M, 0), "select(N >= 2, M, 0)"),
        (dim(-4), "-4"),
        (dim(0), "0"),
    ],
)
def test_a_size_is_printed_in_the_size_language(size: Dim, text: str) -> None:
    assert str(size) == text


def test_sizes_have_the_expected_bounds() -> None:
    assert N.bounds() == (0, MAX_SIZE)
    assert (N % 4).bounds() == (0, 3)
    assert (3 - N % 4).bounds() == (0, 3)
    assert (Z * Z).bounds() == (0, None)
    assert (Z * N).bounds() == (None, None)
    assert (2 * N + 1).bounds()[0] == 1
    assert maximum(N, 5).bounds()[0] == 5
    assert broadcast_extent(N + 2, M + 3).bounds()[0] == 1
    assert variable("Q", 2, 5).bounds() == (2, 5)
    assert (variable("I", -2, 3) % variable("J", -5, 7)).bounds() == (-4, 6)
    assert (variable("I", -9, 8) % variable("J", -5, 7)).bounds() == (-9, 8)  # the dividend, where the divisor is 0


@given(polynomials)
def test_factors_of_a_monomial_multiply_to_it(size: Dim) -> None:
    for monomial, _ in size.terms:
        numbers = {symbol: 2 + i for i, symbol in enumerate(sorted(size.variables, key=str))}
        expected = prod(numbers[atom] ** power for atom, power in monomial.factors if isinstance(atom, Variable))
        assert evaluate(of_monomial(monomial), numbers) == expected


def test_a_size_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="no truth value"):
        bool(N)
    with pytest.raises(TypeError, match="no truth value"):
        bool(N == M)
    assert (N == N) is TRUE
    assert (N == N + 1) is FALSE
    assert isinstance(N < M, Formula)


def test_a_comparison_can_be_made_twice() -> None:
    first = N == M + 1
    assert (N == M + 1) is first
    assert (M == N - 1) is first


def test_constants_are_numbers() -> None:
    assert dim(3).value == 3
    assert [10, 20, 30][dim(1)] == 20
    with pytest.raises(ValueError, match="not a constant"):
        _ = N.value
    with pytest.raises(TypeError, match="not a constant"):
        _ = [1][N]
    with pytest.raises(ValueError, match="negative power"):
        _ = N**-1


def test_division_by_a_divisor_that_may_be_zero_keeps_the_identity() -> None:
    for a in range(-3, 4):
        for b in range(-3, 4):
            numbers = {_symbol(Z): a, _symbol(variable("Y", None, None)): b}
            y = variable("Y", None, None)
            assert evaluate(y * floordiv(Z, y) + remainder(Z, y), numbers) == a


@pytest.mark.parametrize("divisor", [2, 3, 4, 5, 7, 8, 12, 16])
def test_a_division_of_a_subtracted_size_has_the_value_of_pythons(divisor: int) -> None:
    for scale in range(-divisor - 1, divisor + 2):
        for offset in (-3, 0, 1, divisor):
            size = Z * scale + offset
            quotient, rest = floordiv(size, divisor), remainder(size, divisor)
            for number in range(-9, 10):
                value = {_symbol(Z): number}
                assert evaluate(quotient, value) == (scale * number + offset) // divisor
                assert evaluate(rest, value) == (scale * number + offset) % divisor


@pytest.mark.parametrize("divisor", [N * M + 1, 2 * N + 3, N * M + K + 1, 6 * N * K + 4 * M + 2])
@pytest.mark.parametrize("factor", [2 * K, N - M, H * H - N * M + 3])
def test_a_multiple_of_a_sum_has_that_quotient_and_no_remainder(divisor: Dim, factor: Dim) -> None:
    multiple = divisor * factor
    assert floordiv(multiple, divisor) is factor
    assert remainder(multiple, divisor) is dim(0)
    assert split_multiples(multiple, dim(2)) == (dim(0), multiple)


@pytest.mark.parametrize("other", [1, K, N * M, 3 * N * K])
def test_a_sum_that_is_no_multiple_of_another_has_the_quotient_of_pythons(other: Dim | int) -> None:
    divisor = 2 * N * M + 1
    size = divisor * K + other
    assert remainder(size, divisor) is not dim(0)
    for numbers in product(range(4), repeat=3):
        value = dict(zip(map(_symbol, (N, M, K)), numbers, strict=True))
        assert evaluate(floordiv(size, divisor), value) == evaluate(size, value) // evaluate(divisor, value)
        assert evaluate(remainder(size, divisor), value) == evaluate(size, value) % evaluate(divisor, value)


def test_padding_to_a_multiple_rounds_up_however_it_is_written() -> None:
    up = floordiv(N + 7, 8)
    assert -floordiv(-N, 8) is up
    assert floordiv(N + remainder(-N, 8), 8) is up
    assert floordiv(N + remainder(8 - remainder(N, 8), 8), 8) is up
    assert str(floordiv(-N, 8) * floordiv(-M, 8)) == str(up * floordiv(M + 7, 8))
    assert str(floordiv(N * 2, 3)) == "(2*N)//3"


@given(quotient_sums, polynomials, arithmetic, assignments)
def test_lowest_terms_have_the_same_quotient(x: Dim, y: Dim, factor: Dim, sizes: Assignment) -> None:
    whole, part = x * factor, y * factor
    above, below = lowest_terms(whole, part)
    if evaluate(part, sizes):
        assert evaluate(above // below, sizes) == evaluate(whole, sizes) // evaluate(part, sizes)
        assert (evaluate(above % below, sizes) == 0) == (evaluate(whole, sizes) % evaluate(part, sizes) == 0)


def test_common_factors_of_a_quotient_are_canceled() -> None:
    places = ((N + 3) // 4) * ((M + 3) // 4)
    assert lowest_terms(32 * H * places, 128 * H) == (places, dim(4))
    assert lowest_terms(32 * H * (N % 8) + 32 * H * N, 256 * H) == (N + N % 8, dim(8))
    assert lowest_terms(H * N + 1, H) == (H * N + 1, H)
