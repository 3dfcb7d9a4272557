"""Tests of kinds of region executions: the number of interpretations, and the result of each kind of loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shapesolve.checker.check import trace_of
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.trace.events import Enter, Trace

PROGRAM = """
func.func @f(%n: index, %x: index) -> index {
  %0 = "my.run"(%n, %x) ({
  ^body(%i: index, %carried: index):
    %1 = arith.addi %carried, %i : index
    "my.end"(%1) : (index) -> ()
  }) : (index, index) -> index
  return %0 : index
}
"""

RULES = '''
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formulas import at_least
from shapesolve.rules import Claim, OpSemantics, Results, rule
from shapesolve.semantics.regions import ForLoop, IterationSpace, GenericIteration, AtMostOnce, UnrolledLoop, loop


@rule("my.end", example="x.mlir")
def end(op, see):
    """The end of a body."""
    return OpSemantics()


@rule("my.run", example="x.mlir")
def run(op, see):
    """Runs a body.

    (C1) The first operand is positive.
    """
    n, x = (see.integer(each) for each in op.operands)
    region, some = op.regions[0], at_least(n, 1)
    claim = Claim("C1", some, "not positive")
    return OpSemantics(Results(compute=lambda yields: (yields[0][-1],)), requires=(claim,), regions=(SHAPE,))
'''

LOOPS: dict[str, Callable[[int, int], int]] = {
    "AtMostOnce.where(some, 'n', region=region, arguments=(n, x))": lambda n, x: x + n,
    "UnrolledLoop(region=region, trips=((dim(2),), (dim(5),), (dim(9),)), carries=(x,))": lambda n, x: x + 2 + 5 + 9,
    "UnrolledLoop(region=region, trips=(), carries=(x,))": lambda n, x: x,
    "ForLoop(region=region, arguments=(dim(3),), carries=(x,), "
    "iteration_space=IterationSpace(round=see.fresh('k'), count=n))": (lambda n, x: x + sum(3 for _ in range(n))),
}


def walked(tmp_path: Path, shape: str, *, in_doubt: bool = False) -> Trace:
    path = tmp_path / "rules.py"
    path.write_text(RULES.replace("SHAPE", shape), encoding="utf-8")
    program = read_text(PROGRAM)
    doubted = frozenset(each for each in program.operation.walk() if each.name == "my.run")
    doubts = UndefinedOps(doubted) if in_doubt else NO_UNDEFINED_OPS
    return trace_of(program, program.functions["f"], Options(rules=(str(path),)), doubts)


@pytest.mark.parametrize("shape", LOOPS)
def test_results_of_a_body_agree_with_python(shape: str, tmp_path: Path) -> None:
    trace = walked(tmp_path, shape)
    assert trace.results is not None
    (result,) = trace.results
    assert isinstance(result, Dim)
    n, x = trace.input_variables
    for sizes in ((0, 0), (1, 4), (3, 10)):
        assert evaluate(result, dict(zip((n, x), sizes, strict=True))) == LOOPS[shape](*sizes)


ENTERED = {
    "AtMostOnce(region=region, arguments=(n, x))": [False],
    "GenericIteration(region=region, arguments=(n, x), runs=some)": [True],
    "UnrolledLoop(region=region, trips=((dim(2),), (dim(5),), (dim(9),)), carries=(x,))": [False, False, False],
    "UnrolledLoop(region=region, trips=((n, x),), carries=())": [False],
    "loop(region=region, arguments=(n, x), carries=())": [True],
    "loop(region=region, arguments=(dim(3),), carries=(x,))": [True],
}


def entered(trace: Trace) -> list[bool]:
    return [each.repeats for each in trace.events if isinstance(each, Enter)]


@pytest.mark.parametrize("shape", ENTERED)
def test_one_walk_stands_for_all_runs_or_there_is_one_for_each(shape: str, tmp_path: Path) -> None:
    assert entered(walked(tmp_path, shape)) == ENTERED[shape]


@pytest.mark.parametrize("shape", ["UnrolledLoop(region=region, trips=((n, x),), carries=())", *LOOPS])
def test_trip_counts_of_possibly_undefined_operations_are_unknown(shape: str, tmp_path: Path) -> None:
    trace = walked(tmp_path, shape, in_doubt=True)
    assert entered(trace) == [not shape.startswith("AtMostOnce")]
    assert trace.arbitrary_values
