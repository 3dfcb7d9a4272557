"""Differential test of suggestions against recorded executions (examples/observed.csv) and brute force."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.deadline import Deadline
from shapesolve.diagnosis.suggestions import Suggestions, suggestions
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_file, check_program
from shapesolve.simplification.arithmetic import are_contradictory, simplified
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.dims import dims
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, divides
from shapesolve.symbolic.normal_forms import minimum
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

EXAMPLES = Path(__file__).parents[2] / "examples"
QUIET = Options(execute=False)


def suggested_for(text: str, function: str = "f") -> Suggestions:
    report = check_program(read_text(text), Options(execute=False, functions=(function,)))
    return suggestions(report.functions[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["unet.mlir", "linear.mlir", "transformer.mlir", "transformer_flattened.mlir"])
def test_the_suggestions_hold_exactly_where_the_execution_was_fine(name: str) -> None:
    report = check_file(str(EXAMPLES / name), QUIET)
    (function,) = report.functions
    found = suggestions(function)
    scope = scope_of(function.trace)
    whole = conjunction(parse_formula(text, scope) for text in found.assumptions)
    lines = (EXAMPLES / "observed.csv").read_text().splitlines()
    rows = [row for row in csv.DictReader(lines) if row["file"] == name]
    assert len(rows) >= 16
    for row in rows:
        shapes = [tuple(map(int, each.split("x"))) for each in row["arguments"].split()]
        sizes = {v: shapes[int(v.name[3])][int(v.name[5])] for v in function.trace.input_variables}
        assert holds(whole, sizes) == (row["with_checks"] == "ok"), row


@pytest.mark.slow
@pytest.mark.parametrize("name", ["unet.mlir", "linear.mlir", "tosa_chain.mlir", "transformer.mlir"])
def test_assuming_what_is_suggested_proves_everything(name: str) -> None:
    report = check_file(str(EXAMPLES / name), QUIET)
    for function in report.functions:
        texts = suggestions(function).assumptions
        again = check_file(str(EXAMPLES / name), Options(execute=False, functions=(function.name,), assumptions=texts))
        assert again.count(Proved) == len(again.checked_obligations) == len(function.checked_obligations)


def test_unet_has_two_short_suggestions() -> None:
    (function,) = check_file(str(EXAMPLES / "unet.mlir"), QUIET).functions
    assert suggestions(function) == Suggestions(
        ("arg0[2] % 4 == 0", "arg0[3] % 4 == 0"), exact=True, texts=("arg0[2] % 4 == 0", "arg0[3] % 4 == 0")
    )


def test_proved_claims_need_nothing() -> None:
    found = suggested_for(
        "func.func @f(%x: tensor<?xf32>) {\n"
        "  tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
        "  return\n}"
    )
    assert found == Suggestions((), exact=False)


BRANCH = """
func.func @f(%n: index, %x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %taken = arith.cmpi sgt, %n, %c4 : index
  scf.if %taken {
    %d = tensor.dim %x, %c0 : tensor<?xf32>
    %ok = arith.cmpi eq, %d, %n : index
    cf.assert %ok, "n must be the size"
  }
  return
}
"""


def test_a_claim_in_a_branch_is_needed_only_there() -> None:
    found = suggested_for(BRANCH)
    assert found.exact
    scope = Scope.closed({"n": dims("n")[0]}, {})
    (function,) = check_program(read_text(BRANCH), QUIET).functions
    scope = scope_of(function.trace)
    whole = conjunction(parse_formula(text, scope) for text in found.assumptions)
    variables = {v.name: v for v in function.trace.input_variables}
    for n, x in product(range(-2, 9), range(9)):
        assert holds(whole, {variables["n"]: n, variables["x[0]"]: x}) == (n <= 4 or n == x)


def test_an_unmodeled_operation_makes_the_suggestions_inexact() -> None:
    text = (
        "func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {{\n"
        "  tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
        "{}  return\n}}"
    )
    assert suggested_for(text.format("")).exact
    unknown = suggested_for(text.format('  "my.op"(%x) : (tensor<?xf32>) -> ()\n'))
    assert unknown.assumptions == ("compatible(x[0], y[0])",)
    assert not unknown.exact


def test_conditions_on_more_than_the_inputs_are_not_suggested() -> None:
    found = suggested_for(
        """
        func.func @f(%x: tensor<?xi64>, %y: tensor<?xf32>) {
          %c0 = arith.constant 0 : index
          %v = tensor.extract %x[%c0] : tensor<?xi64>
          %n = arith.index_cast %v : i64 to index
          %d = tensor.dim %y, %n : tensor<?xf32>
          return
        }
        """
    )
    assert "x[0] >= 1" in found.assumptions or "x[0] != 0" in found.assumptions
    assert not found.exact


# Simpler conditions --------------------------------------------------------------------------------------------------

N, M = dims("N M")
LEAVES = st.sampled_from(
    [
        N % 2 == 0, N % 4 == 0, 2 * (N // 4) == N // 2, N >= 1, N >= 3, N <= 5, N == 4, M % 3 == 1, M == N, M == 2 * N,
        N * M >= 1, (N + 1) // 2 == N // 2, M <= N, (N == M) | (M == 1), N * N == N, 4 * M >= 2 * N,
    ]
)  # fmt: skip


@examples(60)
@given(st.lists(LEAVES, min_size=1, max_size=4))
def test_simpler_conditions_mean_the_same(conditions: list[Formula]) -> None:
    found = simplified(conditions)
    for n, m in product(range(14), range(14)):
        sizes = {each: {"N": n, "M": m}[each.name] for each in (*N.variables, *M.variables)}
        assert all(holds(each, sizes) for each in found) == all(holds(each, sizes) for each in conditions)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([2 * (N // 4) == N // 2, N % 2 == 0], ["N % 4 == 0"]),
        ([(N + 7) // 8 * 8 == N], ["N % 8 == 0"]),
        ([N >= 1, N >= 3], ["N >= 3"]),
        ([N * M != 0, N == 1], ["M != 0", "N == 1"]),
        ([N * N == N], ["N <= 1"]),
        ([N <= M, M <= N], ["M == N"]),
        ([N % 6 == 0, N % 4 == 0, N >= 1], ["N >= 12", "N % 12 == 0"]),
    ],
)
def test_simplified_conditions_are_the_shorter_ones(given: list[Formula], found: list[str]) -> None:
    assert {str(each) for each in simplified(given)} in (
        {*found},
        {" and ".join(reversed(found))},
        {" and ".join(found)},
    )


def test_wrapping_sums_are_suggested_without_remainders_where_equivalent() -> None:
    half, whole = 2**31, 2**32
    small = [half > N, half > M]
    wrapped = minimum((N + M + half) % whole, (N + half + 1) % whole) >= half
    assert {str(each) for each in simplified([wrapped], small)} == {"N <= 2147483646", "M + N <= 2147483647"}
    # Without bounds, sizes for which it wraps around twice satisfy it too.
    assert {str(each) for each in simplified([wrapped])} != {"N <= 2147483646", "M + N <= 2147483647"}


def test_known_facts_are_left_out() -> None:
    assert [str(each) for each in simplified([N >= 2, M == N], [N >= 4])] == ["M == N"]


def test_many_conditions_are_left_alone() -> None:
    sizes = dims(" ".join(f"v{number}" for number in range(30)))
    conditions = [divides(number + 2, size) for number, size in enumerate(sizes)]
    assert simplified(conditions) == conditions


def test_unsatisfiable_conditions_are_not_suggested() -> None:
    assert are_contradictory([N >= 2], [N <= 1])
    assert are_contradictory([N >= 2, M == N, M <= 1])
    assert not are_contradictory([N >= 2], [N <= 2])
    assert not are_contradictory([N >= 2])


def test_conditions_on_contents_can_be_typed_back() -> None:
    text = """
func.func @f(%x: tensor<?xf32>, %s: tensor<1xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.extract %s[%c0] : tensor<1xindex>
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %t = arith.cmpi eq, %n, %d : index
  cf.assert %t, "the length that is said"
  return %x : tensor<?xf32>
}
"""
    program = read_text(text)
    (function,) = check_program(program, Options(execute=False)).functions
    found = suggestions(function)
    assert found.assumptions == ("s.values[0] == x[0]",) or found.assumptions == ("x[0] == s.values[0]",)
    again = check_program(program, Options(execute=False, assumptions=found.assumptions))
    assert again.exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["unet.mlir", "linear.mlir", "tosa_chain.mlir"])
def test_without_time_left_suggestions_are_longer(name: str) -> None:
    report = check_file(str(EXAMPLES / name), QUIET)
    for function in report.functions:
        late = suggestions(replace(function, deadline=Deadline.after(-1)))
        short = suggestions(function)
        assert len(late.assumptions) >= len(short.assumptions)
        assert late.exact == short.exact
        options = Options(execute=False, functions=(function.name,), assumptions=late.assumptions)
        again = check_file(str(EXAMPLES / name), options)
        assert again.count(Proved) == len(again.checked_obligations)


WITHOUT_A_SIGN = """
func.func @f(%n: i64, %m: i64) {
  %c0 = arith.constant 0 : i64
  %c100 = arith.constant 100 : i64
  %by = arith.constant DIVISOR
  %r = arith.remui %n, %by : i64
  %p = arith.cmpi eq, %r, %c0 : i64
  cf.assert %p, "a multiple without a sign"
  %q = arith.cmpi sle, %n, %c100 : i64
  cf.assert %q, "at most 100"
  return
}"""


def test_an_absolute_value_is_suggested_by_cases() -> None:
    text = WITHOUT_A_SIGN.replace("DIVISOR", "7 : i64")
    texts_of_conditions = ("n <= -1 or n % 7 == 0", "n >= 0 or n % 7 == 5", "n <= 100")
    assert suggested_for(text) == Suggestions(texts_of_conditions, exact=True, texts=texts_of_conditions)


@pytest.mark.slow
def test_a_plain_condition_is_enough_for_a_remainder_without_a_sign() -> None:
    """The exact one, in powers of 2, stands in the long report."""
    text = WITHOUT_A_SIGN.replace("%by = arith.constant DIVISOR", "%by = arith.ori %m, %c0 : i64")
    report = check_program(read_text(text), QUIET)
    found = suggestions(report.functions[0])
    assert found.assumptions == ("m >= 1", "n % m == 0", "0 <= n <= 100") and not found.exact
    assert "(n % 2**64) % (m % 2**64) == 0" in report.text(verbose=True)
    scope = scope_of(report.functions[0].trace)
    whole = conjunction(parse_formula(each, scope) for each in found.assumptions)
    exact = parse_formula("m != 0 and (n % 2**64) % (m % 2**64) == 0 and n <= 100", scope)
    of_n, of_m = report.functions[0].trace.input_variables
    numbers = (*range(-7, 8), 100, 101, 2**62, 2**63 - 1, -(2**62), -(2**63), -(2**63) + 1)
    for n, m in product(numbers, repeat=2):
        is_fine = m != 0 and (n % 2**64) % (m % 2**64) == 0 and n <= 100
        assert holds(whole, {of_n: n, of_m: m}) <= is_fine, (n, m)
        assert is_fine == holds(exact, {of_n: n, of_m: m}), (n, m)


ONE_FURTHER = """
func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %q = arith.cmpi sle, %n, %c100 : index
  cf.assert %q, "at most 100"
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = tensor.generate %d {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    %x = tensor.extract %a[%j] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


def test_an_inexpressible_condition_is_counted_and_nothing_is_exact() -> None:
    """The condition ranges over the accessed indices, which are no inputs, and so is not expressible."""
    scattered = "%s = arith.muli %i, %i : index\n    %j = arith.remui %s, %c100 : index"
    program = ONE_FURTHER.replace("%j = arith.addi %i, %c1 : index", scattered)
    assert suggested_for(program) == Suggestions(("n <= 100",), exact=False, inexpressible=1, texts=("n <= 100",))


def test_a_claim_that_fails_in_every_iteration_requires_that_none_runs() -> None:
    conditions = ("n <= 100", "a[0] == 0")
    assert suggested_for(ONE_FURTHER) == Suggestions(conditions, exact=True, texts=conditions, empty=("a",))


def test_a_claim_about_any_of_two_shapes_is_suggested_where_they_are_equal() -> None:
    program = """
func.func @f(%a: tensor<2x?xf32>, %b: tensor<?x3xf32>) {
  %s = shape.shape_of %a : tensor<2x?xf32> -> tensor<2xindex>
  %t = shape.shape_of %b : tensor<?x3xf32> -> tensor<2xindex>
  %r = shape.any %s, %t : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %c0 = arith.constant 0 : index
  %e = tensor.extract %r[%c0] : tensor<2xindex>
  %c2 = arith.constant 2 : index
  %p = arith.cmpi eq, %e, %c2 : index
  cf.assert %p, "two rows"
  return
}"""
    suggested = suggested_for(program)
    assert (suggested.assumptions, suggested.exact, suggested.inexpressible) == (("b[0] == 2", "a[1] == 3"), False, 0)
    never = suggested_for(program.replace("?x3xf32", "3x3xf32"))  # the operands are never equal
    assert (never.assumptions, never.inexpressible) == ((), 1)
