"""Sizes, claims and shapes as sympy objects and back, compared with sympy's own arithmetic."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import sympy

from shapesolve import (
    Dim,
    Formula,
    Proved,
    Refuted,
    compatible,
    dim,
    dims,
    evaluate,
    holds,
    prove,
    shape,
    unranked,
    variable,
)
from shapesolve.errors import InputError
from shapesolve.symbolic.dims import ceildiv
from shapesolve.symbolic.formulas import conjunction, disjunction, equivalent, negation
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.symbolic.parser import parse_formula, parse_size
from shapesolve.symbolic.scope import Scope
from shapesolve.sympy import from_sympy, to_sympy

N, M = dims("N M")
n, m = sympy.symbols("n m", integer=True, nonnegative=True)
VARIABLES = {"N": N, "M": M, "P": variable("P", 1), "W": variable("W", None, None)}


class Expressions:
    """Random sizes and claims over a few variables."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def size(self, depth: int) -> Dim:
        """Return a size whose operations are nested at most so deep."""
        if depth == 0 or self.random.random() < 0.15:
            return self.random.choice([*VARIABLES.values(), dim(self.random.randint(-4, 9))])
        a, b = self.size(depth - 1), self.size(depth - 1)
        return self.random.choice(self.operations)(self, a, b)

    operations: tuple[Callable[[Expressions, Dim, Dim], Dim], ...] = (
        lambda _, a, b: a + b,
        lambda _, a, b: a - b,
        lambda _, a, b: a * b,
        lambda _, a, b: a // b,
        lambda _, a, b: a % b,
        lambda self, a, _: a // self.random.randint(1, 6),
        lambda self, a, _: a % self.random.randint(1, 6),
        lambda _, a, b: ceildiv(a, b),
        lambda _, a, b: minimum(a, b),
        lambda _, a, b: maximum(a, b),
        lambda _, a, b: broadcast_extent(a, b),
        lambda self, a, b: choose(self.claim(0), a, b),
    )

    def claim(self, depth: int) -> Formula:
        """Return a claim whose sizes are nested at most so deep."""
        a, b = self.size(depth), self.size(depth)
        first = self.random.choice([a == b, a != b, a <= b, a < b, compatible([a, b])])
        if depth == 0:
            return first
        second = self.claim(depth - 1)
        return self.random.choice(
            [first, first, conjunction([first, second]), disjunction([first, second]), negation(first)]
        )

    def sizes(self) -> dict[str, int]:
        """Return a number for each variable, within its bounds."""
        return {name: self.random.randint(-9 if name == "W" else int(name == "P"), 12) for name in VARIABLES}


def _evaluated(expression: Any, sizes: dict[str, int]) -> Any:
    numbers = {symbol: sympy.Integer(sizes[symbol.name]) for symbol in expression.free_symbols}
    return expression.subs(numbers)


@pytest.mark.exhaustive
def test_sympy_evaluates_ten_thousand_sizes_as_we_do_and_each_comes_back() -> None:
    random = Expressions(1)
    returned = 0
    for _ in range(10_000):
        size, sizes = random.size(3), random.sizes()
        expression = to_sympy(size)
        assert int(_evaluated(expression, sizes)) == evaluate(size, sizes), (size, expression, sizes)
        back = from_sympy(expression)
        assert isinstance(back, Dim)
        returned += back is size
        assert evaluate(back, sizes) == evaluate(size, sizes), (size, expression, back)
    assert returned >= 9_000  # sympy brings the others into forms of its own


@pytest.mark.exhaustive
def test_a_claim_has_the_truth_that_sympy_finds_and_comes_back() -> None:
    random = Expressions(2)
    for _ in range(300):
        claim, sizes = random.claim(2), random.sizes()
        expression = to_sympy(claim)
        assert bool(_evaluated(expression, sizes)) is holds(claim, sizes), (claim, expression, sizes)
        back = from_sympy(expression)
        assert isinstance(back, Formula)
        assert holds(back, sizes) is holds(claim, sizes), (claim, expression, back)


@pytest.mark.slow
def test_a_second_round_trip_changes_no_claim() -> None:
    random = Expressions(4)
    for _ in range(200):
        claim = random.claim(2)
        expression = to_sympy(claim)
        back = from_sympy(expression)
        assert from_sympy(to_sympy(back)) is back, (claim, expression, back)


@pytest.mark.slow
def test_round_trips_in_another_form_are_proved_equal() -> None:
    random = Expressions(3)
    undecided = 0
    for _ in range(200):
        size = random.size(2)
        verdict = prove(from_sympy(to_sympy(size)) == size)
        assert not isinstance(verdict, Refuted), (size, verdict)
        undecided += not isinstance(verdict, Proved)
    assert undecided == 0


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (sympy.floor(n / 2), "n//2"),
        (sympy.ceiling(n / 4), "ceildiv(n, 4)"),
        (sympy.floor(sympy.Rational(3, 2) * n + sympy.Rational(1, 2)), "(3*n + 1)//2"),
        (sympy.floor(n / m), "n//m"),
        (sympy.floor((n + 1) / (2 * m)), "(n + 1)//(2*m)"),
        (sympy.Mod(n, m), "n % m"),
        (n * (n + 1) / 2, "n*(n + 1)//2"),
        (sympy.Max(n, m, 3) - sympy.Min(n, 5), "max(n, m, 3) - min(n, 5)"),
        (sympy.Abs(n - m), "max(n - m, m - n)"),
        (sympy.Piecewise((n, n > 3), (m, True)), "select(n > 3, n, m)"),
        (sympy.floor(sympy.floor(n / 2) / 3), "n//2//3"),
        ((n + 1) ** 2, "(n + 1)**2"),
    ],
)
def test_a_sympy_expression_becomes_a_size(expression: Any, text: str) -> None:
    assert from_sympy(expression) is parse_size(text, Scope.free())


@pytest.mark.parametrize(
    ("relation", "text"),
    [
        (sympy.Eq(n / 2, m), "n == 2*m"),
        (n / 2 < m + sympy.Rational(1, 3), "3*n < 6*m + 2"),
        (sympy.Implies(n > 2, sympy.Ne(m, 1)), "n > 2 -> m != 1"),
        (sympy.Xor(n > 2, m > 2), "not (n > 2 -> m > 2) or not (m > 2 -> n > 2)"),
        (sympy.And(n >= 1, sympy.Or(m < 4, n < 4)), "n >= 1 and (m < 4 or n < 4)"),
        (sympy.Not(sympy.Eq(sympy.Mod(n, 3), 1)), "n % 3 != 1"),
    ],
)
def test_a_sympy_relation_becomes_a_formula(relation: Any, text: str) -> None:
    converted = from_sympy(relation)
    assert isinstance(converted, Formula)
    assert isinstance(prove(equivalent(converted, parse_formula(text, Scope.free()))), Proved)


k: Any = sympy.Symbol("k", integer=True)


@pytest.mark.parametrize(
    "expression",
    [
        sympy.Mod(n - 5, m - 3),
        sympy.floor((n - 5) / (m - 3)),
        sympy.ceiling((n - 5) / (m - 3)),
        sympy.floor(sympy.Rational(-7, 2) * k),
        sympy.Mod(-k, -4),
        sympy.Mod(sympy.Mod(k, 5) - 7, 4),
        sympy.ceiling(-k / 2) + sympy.floor(k / 2),
        sympy.Piecewise((sympy.Mod(k, 3), k < 0), (sympy.floor(k / 3), (k > n) | sympy.Eq(m, 2)), (-k, True)),
    ],
    ids=str,
)
def test_negative_numbers_and_divisors(expression: Any) -> None:
    size = from_sympy(expression)
    assert isinstance(size, Dim)
    compared = 0
    for a, b, c in itertools.product((0, 1, 4, 7), (1, 2, 3, 5), (-7, -3, -1, 0, 2, 6)):
        try:
            value = expression.subs({n: a, m: b, k: c})
        except ZeroDivisionError:
            continue
        if value.is_Integer:  # a division by 0 is none
            assert int(value) == evaluate(size, {"n": a, "m": b, "k": c})
            compared += 1
    assert compared >= 72


def test_prove_takes_relations_of_sympy_as_they_are() -> None:
    plain = sympy.Symbol("n")
    refuted = prove(sympy.Eq(2 * sympy.floor(plain / 2), plain))
    assert isinstance(refuted, Refuted)
    assert str(refuted) == "Refuted: n = 3"
    assert isinstance(prove(sympy.Eq(2 * sympy.floor(n / 2), n), assuming=[sympy.Eq(sympy.Mod(n, 4), 0)]), Proved)
    assert isinstance(prove(sympy.Eq(2 * sympy.floor(n / 2), n), assuming="n % 4 == 0"), Proved)
    even = sympy.Symbol("k", even=True)
    assert isinstance(prove(sympy.Eq(2 * sympy.floor((even + 1) / 2), even)), Proved)
    assert isinstance(prove(sympy.Symbol("z", integer=True) >= 0), Refuted)


def test_shapes_become_tuples() -> None:
    assert to_sympy(shape([N, 2 * M])) == sympy.Tuple(to_sympy(N), 2 * to_sympy(M))
    assert from_sympy(sympy.Tuple(n, 2)) is shape([variable("n"), 2])
    with pytest.raises(TypeError, match="no counterpart of the shape s"):
        to_sympy(unranked("s"))
    with pytest.raises(TypeError, match="unknown rank"):
        to_sympy(unranked("s").rank)


def test_sizes_take_part_in_expressions_of_sympy() -> None:
    assert N + n == to_sympy(N) + n
    assert sympy.expand((n + 1) * N) == n * to_sympy(N) + to_sympy(N)


def test_notebooks_show_latex() -> None:
    assert (N // 2)._repr_latex_() == r"$\left\lfloor{\frac{N}{2}}\right\rfloor$"
    assert (N <= M)._repr_latex_() == r"$M \geq N$"
    assert shape([N, 1])._repr_latex_() == r"$\left( N, \  1\right)$"
    assert unranked("a_b")._repr_latex_() == r"$\mathtt{a\_b}$"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: from_sympy(n / 2), "need not be an integer"),
        (lambda: from_sympy(sympy.sin(n)), "no counterpart of sin"),
        (lambda: from_sympy(2**n), "exponent"),
        (lambda: from_sympy(sympy.Symbol("n") + n), "two different symbols are called n"),
        (lambda: from_sympy(sympy.Symbol("h", integer=False)), "assumed to be no integer"),
        (lambda: from_sympy(sympy.Symbol("r", real=True)), "integer=True"),
        (lambda: from_sympy(sympy.Symbol("p", prime=True)), "prime"),
        (lambda: from_sympy(sympy.Symbol("e", even=True)), "state e % 2 == 0"),
        (lambda: from_sympy(n / m > 1), "divides by m"),
        (lambda: from_sympy(sympy.Piecewise((n, n > 3))), "last case"),
        (lambda: from_sympy(sympy.pi), "no counterpart of pi"),
        (lambda: from_sympy(3), "a sympy object is needed"),
        (lambda: to_sympy(3), "takes a Dim, a Formula or a Shape"),  # pyright: ignore[reportArgumentType]
        (lambda: prove(n + 1), "a claim compares sizes"),
    ],
)
def test_other_objects_are_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make()


def test_bounds_without_an_assumption_are_refused() -> None:
    with pytest.raises(ValueError, match="N is from 0 to 10"):
        to_sympy(variable("N", 0, 10))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("floor(n/2)", "n//2"),
        ("floor(-n/m)", "(-n)//m"),
        ("floor(n/2 + m/3)", "(3*n + 2*m)//6"),
        ("floor((n + 1)*3/2)", "(3*n + 3)//2"),
        ("ceiling(n/4)", "ceildiv(n, 4)"),
        ("floor(n//2/3)", "n//2//3"),
        ("floor(n)", "n"),
        ("Mod(n, 4)", "n % 4"),
        ("Max(n, m) + Min(n, m)", "max(n, m) + min(n, m)"),
        ("Abs(n - m) + abs(m - n)", "2*max(n - m, m - n)"),
    ],
)
def test_the_parser_reads_functions_of_sympy(text: str, same: str) -> None:
    assert parse_size(text, Scope.free()) is parse_size(same, Scope.free())


@pytest.mark.parametrize("text", ["n/2", "floor(n/0)", "floor(n/2, 3)", "floor(n % 2 / 3 / 0)", "floor()", "n + m/2"])
def test_fractions_elsewhere_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_size(text, Scope.free())


@pytest.mark.process
def test_sympy_is_loaded_only_where_it_is_asked_for() -> None:
    script = (
        "import sys; from shapesolve import prove; prove('N == N', assuming=['N >= 1']); print('sympy' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
