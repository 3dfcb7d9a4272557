"""Contracts against brute force over small sizes, against execution, and against a check that assumes them."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path

import pytest
from support.predicted_outcomes import predicted
from support.small_contracts import small
from support.small_programs import PROGRAMS

from shapesolve import contract
from shapesolve.contracts.contract import FunctionContract
from shapesolve.contracts.inference import contracts_of_program
from shapesolve.errors import InputError
from shapesolve.execution.execution import Input, Outcome, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.program import ShapedType
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Proved, Unreachable
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(path.name for path in EXAMPLES.glob("*.mlir"))
MOST = {1: 12, 2: 7, 3: 6, 4: 4}
"""The largest size that is tried, by how many there are."""


def only(text: str, **given: object) -> FunctionContract:
    """The contract of the only function."""
    options = Options(execute=False, **given)  # pyright: ignore[reportArgumentType]
    (function,) = contracts_of_program(read_text(text), options).functions
    return function


@lru_cache
def example(file: str) -> tuple[FunctionContract, ...]:
    return contract(EXAMPLES / file).functions


def vectors(found: FunctionContract, least: int) -> list[dict[Variable, int]]:
    """Yield every assignment of small sizes, and of small numbers that may be negative."""
    trace = found.report.trace
    numbers = {each.name.lstrip("%") for each in trace.function.arguments if not isinstance(each.type, ShapedType)}
    most = MOST[len(trace.input_variables)]
    ranges = [range(-2 if each.name in numbers else least, most + 1) for each in trace.input_variables]
    return [dict(zip(trace.input_variables, chosen, strict=True)) for chosen in product(*ranges)]


def is_met(found: FunctionContract, sizes: dict[Variable, int]) -> bool:
    return all(holds(each.formula, sizes) for each in found.conditions)


def disagreements(found: FunctionContract, least: int = 0) -> list[str]:
    """The small sizes at which the contract and the claims, each evaluated there, say something else."""
    return [
        str(sizes)
        for sizes in vectors(found, least)
        if is_met(found, sizes) == bool(predicted(found.report.trace, sizes).failures)
    ]


@pytest.mark.sweep
@pytest.mark.parametrize("name", PROGRAMS)
def test_brute_force_agrees_both_ways(name: str) -> None:
    found = small(name)
    assert found.exact
    assert not found.open
    assert disagreements(found, PROGRAMS[name].least) == []


def test_a_condition_too_few_and_one_too_many_would_be_noticed() -> None:
    found = small("slice_behind")
    first, second = found.conditions
    for wrong in ((first,), (second,), (), (first, second, *small("insert_at").conditions)):
        assert disagreements(replace(found, conditions=wrong))


@pytest.mark.process
@pytest.mark.parametrize(
    "name", ["cast_of_a_sum", "expand_by_two", "generate_from_another", "insert_slice_in_the_middle"]
)
def test_execution_agrees_both_ways(name: str) -> None:
    found = small(name)
    program = read_text(PROGRAMS[name].text)
    tried = vectors(found, 0)
    runs: list[tuple[Input, ...]] = []
    for sizes in tried:
        given = arguments(found.report.trace, sizes)
        assert not isinstance(given, str)
        runs.append(given)
    ran = execute_many(program.executable, "f", runs, runtime_checks=True)
    returned = [each.outcome is Outcome.RETURNED for each in ran]
    assert [is_met(found, sizes) for sizes in tried] == returned
    assert True in returned
    assert False in returned


@pytest.mark.exhaustive
@pytest.mark.parametrize("file", FILES)
def test_the_contract_of_an_example_is_exact_and_proves_everything(file: str) -> None:
    program = read_text((EXAMPLES / file).read_text(encoding="utf-8"))
    for found in example(file):
        assert found.exact
        scope = scope_of(found.report.trace)
        assert all(parse_formula(each.text, scope) is each.formula for each in found.conditions)
        options = Options(execute=False, functions=(found.name,), assumptions=found.texts)
        (again,) = check_program(program, options).functions
        assert len(again.checked_obligations) == len(found.report.checked_obligations)
        assert all(isinstance(each.verdict, Proved | Unreachable) for each in again.checked_obligations)


@pytest.mark.exhaustive
@pytest.mark.parametrize("file", FILES)
def test_each_condition_has_sizes_that_break_it_alone(file: str) -> None:
    for found in example(file):
        for condition in found.conditions:
            assert condition.witness is not None
            broken = [each for each in found.conditions if not holds(each.formula, condition.witness)]
            assert broken == [condition]
            assert condition.failing
            assert set(condition.failing) <= set(condition.needed_by)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["unet.mlir", "linear.mlir", "transformer.mlir", "transformer_flattened.mlir"])
def test_examples_were_fine_where_their_contract_holds_when_they_were_executed(file: str) -> None:
    (found,) = example(file)
    lines = (EXAMPLES / "observed.csv").read_text(encoding="utf-8").splitlines()
    rows = [row for row in csv.DictReader(lines) if row["file"] == file]
    assert len(rows) >= 16
    for row in rows:
        shapes = [tuple(map(int, each.split("x"))) for each in row["arguments"].split()]
        sizes = {v: shapes[int(v.name[3])][int(v.name[5])] for v in found.report.trace.input_variables}
        assert is_met(found, sizes) == (row["with_checks"] == "ok"), row


# What is not exact -----------------------------------------------------------------------------------------------

CAST = """
func.func @f(%x: tensor<?xf32>) -> tensor<3xf32> {
  %0 = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
  METHOD
  return %0 : tensor<3xf32>
}
"""


def test_unknown_values_leave_the_contract_open() -> None:
    assert only(CAST.replace("METHOD", "")).exact
    found = only(CAST.replace("METHOD", '"my.op"(%x) : (tensor<?xf32>) -> ()'))
    assert found.texts == ("x[0] == 3",)
    assert (found.sufficient, found.exact, found.exit_code) == (False, False, 3)


def test_possible_stops_make_a_condition_possibly_unneeded() -> None:
    text = CAST.replace("  %0", '  "my.op"(%x) : (tensor<?xf32>) -> ()\n  %0').replace("METHOD", "")
    (condition,) = only(text).conditions
    assert condition.text == "x[0] == 3"
    assert not condition.necessary


def test_safe_for_no_sizes() -> None:
    both = "%1 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>"
    found = only(CAST.replace("METHOD", both))
    assert (found.hopeless, found.exact, found.exit_code, found.conditions) == (True, False, 1, ())


def test_claims_on_data_are_open() -> None:
    found = only(
        """
        func.func @f(%x: tensor<?xi64>, %y: tensor<?xf32>) -> tensor<3xf32> {
          %c0 = arith.constant 0 : index
          %v = tensor.extract %x[%c0] : tensor<?xi64>
          %n = arith.index_cast %v : i64 to index
          %e = tensor.extract %y[%n] : tensor<?xf32>
          %0 = tensor.cast %y : tensor<?xf32> to tensor<3xf32>
          return %0 : tensor<3xf32>
        }"""
    )
    assert not found.sufficient
    assert found.exit_code == 3
    assert [each.obligation.op.name for each in found.open] == ["tensor.extract"]
    assert "x[0] >= 1" in found.texts


def test_no_conditions_where_all_is_proved() -> None:
    found = small("concat_of_three")
    assert found.exact
    assert found.texts == ()
    assert found.exit_code == 0


def test_assumptions_that_exclude_each_other_leave_nothing_to_say() -> None:
    found = only(CAST.replace("METHOD", ""), assumptions=("x[0] == 1", "x[0] == 2"))
    assert found.report.contradiction
    assert found.conditions == ()


@pytest.mark.slow
def test_conditions_for_huge_sizes_stand_apart() -> None:
    found = only(
        """
        func.func @f(%x: tensor<?x?xf32>) -> index {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %b = tensor.dim %x, %c0 : tensor<?x?xf32>
          %t = tensor.dim %x, %c1 : tensor<?x?xf32>
          %narrow_b = arith.index_cast %b : index to i32
          %narrow_t = arith.index_cast %t : index to i32
          %narrow = arith.muli %narrow_b, %narrow_t : i32
          %wide = arith.index_cast %narrow : i32 to index
          %product = arith.muli %b, %t : index
          %fits = arith.cmpi eq, %wide, %product : index
          cf.assert %fits, "too many"
          %two = arith.constant 2 : index
          %some = arith.cmpi sge, %t, %two : index
          cf.assert %some, "too few"
          return %b : index
        }"""
    )
    assert found.exact
    assert {each.text: each.holds_below for each in found.conditions} == {
        "x[0]*x[1] <= 2147483647": 4096,
        "x[1] >= 2": None,
    }


def test_an_index_that_may_count_from_the_end() -> None:
    found = only(
        """
        func.func @f(%x: tensor<?xf32>, %i: i64) -> f32 {
          %c0 = arith.constant 0 : index
          %zero = arith.constant 0 : i64
          %d = tensor.dim %x, %c0 : tensor<?xf32>
          %n = arith.index_cast %d : index to i64
          %behind = arith.cmpi slt, %i, %zero : i64
          %sum = arith.addi %i, %n : i64
          %from_start = arith.select %behind, %sum, %i : i64
          %place = arith.index_cast %from_start : i64 to index
          %e = tensor.extract %x[%place] : tensor<?xf32>
          return %e : f32
        }"""
    )
    assert found.exact
    assert set(found.texts) == {"i + x[0] >= 0", "x[0] > i"}


def test_a_distance_is_bounded_on_both_sides() -> None:
    found = only(
        """
        func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> index {
          %c0 = arith.constant 0 : index
          %c2 = arith.constant 2 : index
          %a = tensor.dim %x, %c0 : tensor<?xf32>
          %b = tensor.dim %y, %c0 : tensor<?xf32>
          %more = arith.cmpi ugt, %a, %b : index
          %d = scf.if %more -> index {
            %u = arith.subi %a, %b : index
            scf.yield %u : index
          } else {
            %v = arith.subi %b, %a : index
            scf.yield %v : index
          }
          %near = arith.cmpi ule, %d, %c2 : index
          cf.assert %near, "near"
          return %d : index
        }"""
    )
    assert found.exact
    assert set(found.texts) == {"x[0] + 2 >= y[0]", "y[0] + 2 >= x[0]"}


# The Python function ---------------------------------------------------------------------------------------------


def test_contract_of_text_has_named_sizes_and_refuses_bad_options() -> None:
    report = contract(CAST.replace("METHOD", ""), shapes=["x=[N]"])
    assert [each.texts for each in report.functions] == [("N == 3",)]
    assert report.exit_code == 0
    with pytest.raises(InputError):
        contract(CAST.replace("METHOD", ""), functions=["g"])
    with pytest.raises(InputError):
        contract(CAST.replace("METHOD", ""), assume=["x[0] =="])
