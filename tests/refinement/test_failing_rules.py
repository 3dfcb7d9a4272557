"""Test that a rule which raises an exception proves nothing."""

from __future__ import annotations

import pytest

from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.program import Operation
from shapesolve.ir.reader import read_text
from shapesolve.refinement.paired_interpreter import interpret_side
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.op_semantics import OpSemantics, Results
from shapesolve.semantics.registry import Rule, RuleFunction, RuleRegistry


def _fails(op: Operation, see: RuleContext) -> OpSemantics:
    raise IndexError("tuple index out of range")


def _fails_at_the_end(op: Operation, see: RuleContext) -> OpSemantics:
    return OpSemantics(
        Results(compute=lambda _: (see.value(op.results[5]),)),
    )


@pytest.mark.parametrize("function", [_fails, _fails_at_the_end])
def test_demands_of_a_failing_rule_are_unknown(function: RuleFunction) -> None:
    registry = RuleRegistry()
    registry.register(Rule("my.op", function, "x.mlir", __name__, "Words."))
    program = read_text('func.func @f() {\n"my.op"() : () -> ()\nreturn }')
    walked = interpret_side(program, make_inputs(program.functions["f"]), registry, "source")
    assert "IndexError" in walked.trace.approximations[0].reason
    assert {each.clause for each in walked.trace.obligations} & {"T4", "U1"}
