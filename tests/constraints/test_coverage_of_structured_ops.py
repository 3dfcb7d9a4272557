"""Test that every operation of these dialects has a rule or is listed here, and that its case covers the rule."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest
from support.claims_at_sizes import trace_of

from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.reader import read_file
from shapesolve.semantics.registry import load_rules

ROOT = Path(__file__).parents[2]

WITHOUT_RULE = {
    "tensor": set[str](),
    "linalg": set[str](),
    "memref": {"memref.dma_start", "memref.dma_wait"},
    "bufferization": set[str](),
    "vector": set[str](),
}


@pytest.mark.parametrize("dialect", WITHOUT_RULE)
def test_every_operation_has_a_rule(dialect: str) -> None:
    module = importlib.import_module(f"torch_mlir.dialects._{dialect}_ops_gen")
    names = set(re.findall(rf'OPERATION_NAME = "({dialect}\.[\w.]+)"', inspect.getsource(module)))
    assert len(names) > 5
    rules = load_rules()
    assert {name for name in names if name not in rules} == WITHOUT_RULE[dialect]


@pytest.mark.parametrize("dialect", WITHOUT_RULE)
def test_every_rule_names_a_case_that_is_there(dialect: str) -> None:
    for rule in load_rules().rules():
        if rule.op.startswith(f"{dialect}."):
            assert (ROOT / rule.example).is_file(), rule.op


@pytest.mark.slow
def test_exported_models_are_modeled() -> None:
    rules = load_rules()
    seen: set[str] = set()
    for path in sorted((ROOT / "examples").glob("*.mlir")):
        program = read_file(str(path))
        for function in program.functions.values():
            trace = interpret(program, make_inputs(function), rules)
            seen |= {op.name for op in trace.reached}
            for approximation in trace.approximations:
                if approximation.op.startswith(("tensor.", "linalg.")):
                    assert approximation.reason.startswith("depends on the data of"), approximation
    assert {"linalg.generic", "linalg.batch_matmul", "linalg.conv_2d_nchw_fchw", "tensor.pad", "tensor.concat"} <= seen


def test_a_rule_that_cannot_see_says_why() -> None:
    trace = trace_of(
        "func.func @f(%a: tensor<?xf32>, %s: tensor<2xi32>, %u: tensor<?xi32>) -> tensor<*xf32> {\n"
        "  %0 = tensor.reshape %a(%u) : (tensor<?xf32>, tensor<?xi32>) -> tensor<*xf32>\n"
        "  return %0 : tensor<*xf32>\n}"
    )
    (approximation,) = trace.approximations
    assert "%u" in approximation.reason
