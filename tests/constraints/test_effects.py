"""Test of the effects stated by rules: no effect is assumed absent unless stated, and effects agree with the claims."""

from __future__ import annotations

import pytest

from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.refinement.value_numbering import Numbering
from shapesolve.semantics.effects import PURE, UNSTATED
from shapesolve.semantics.registry import RuleRegistry, load_rules

SILENT = {
    "builtin.module": "a definition, not something that runs",
    "cf.br": "where control goes decides what runs next",
    "cf.cond_br": "where control goes decides what runs next",
    "cf.switch": "where control goes decides what runs next",
    "func.call": "what the function does; its body is followed",
    "func.call_indirect": "what the function does, and which it is is not known",
    "func.func": "a definition, not something that runs",
    "memref.global": "a definition, not something that runs",
    "memref.prefetch": "only a hint, and one that somebody wanted",
    "stablehlo.composite": "what its decomposition does",
    "torch.bind_symbolic_shape": "it says something of its operand, and is kept for that",
    "torch.symbolic_int": "other operations are told by it what a name stands for",
    "torch_c.from_builtin_tensor": "PyTorch does not mark it as pure",
    "torch_c.to_builtin_tensor": "PyTorch does not mark it as pure",
    "ub.unreachable": "where control goes decides what runs next",
}
"""Rules that say nothing of effects, and why."""


def test_rules_that_declare_no_effects() -> None:
    assert {rule.op for rule in load_rules().rules() if rule.effects == UNSTATED} == set(SILENT)


COMPARED = """func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = "mine.unknown"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = "mine.unknown"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return {result} : tensor<?xf32>
}}
"""


def program(result: str, op: str) -> Program:
    """A program that runs an operation twice; MLIR would refuse to parse what a dialect of its own does not have."""
    read = read_text(COMPARED.format(result=result), "p.mlir")
    for each in read.operation.walk():
        if each.name == "mine.unknown":
            object.__setattr__(each, "name", op)
    return read


def numbers(op: str) -> list[str]:
    """The value numbers of an operation that is run twice on the same operands."""
    read = program("%0", op)
    numbering = Numbering(read, "source", load_rules())
    numbering.enter_function(read.functions["f"])
    return [numbering.visit(each, None) for each in read.operation.walk() if each.name == op]


@pytest.mark.parametrize(
    "op", ["linalg.mystery", "scf.something", "shape.draw", "tensor.anything", "tosa.custom", "mine.unknown"]
)
def test_an_unknown_operation_is_no_function_of_its_operands(op: str) -> None:
    instance = next(each for each in program("%0", op).operation.walk() if each.name == op)
    effects = load_rules().effects(instance)
    assert not effects.is_function
    assert not effects.is_erasable
    assert len(set(numbers(op))) == 2


def test_equal_operations_without_effects_have_one_number() -> None:
    assert len(set(numbers("tosa.abs"))) == 1


def test_an_operation_without_a_rule_has_unstated_effects() -> None:
    read = program("%0", "tosa.abs")
    absolute = next(op for op in read.operation.walk() if op.name == "tosa.abs")
    assert load_rules().effects(absolute) == PURE
    assert RuleRegistry().effects(absolute) == UNSTATED
