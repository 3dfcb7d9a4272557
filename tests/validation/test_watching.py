"""The user's own run of a pass manager, compared pass by pass."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

import shapesolve
from shapesolve.errors import InputError
from shapesolve.ir import bindings
from shapesolve.validation.outcome import Standing

TWO = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %w = shape.const_witness false
  %r = shape.assuming %w -> (tensor<?xf32>) { shape.assuming_yield %a : tensor<?xf32> }
  return %r : tensor<?xf32>
}
func.func @g(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %s = arith.addi %m, %n : index
  return %s : index
}
"""


@pytest.fixture
def context() -> Generator[Any]:
    with bindings.ir().Context() as entered:
        yield entered


def manager_of(pipeline: str) -> Any:
    return bindings.passmanager().PassManager.parse(pipeline)


def test_each_pass_on_each_function_is_a_step(context: Any) -> None:
    module = bindings.ir().Module.parse(TWO)
    manager = manager_of("builtin.module(func.func(cse,canonicalize),symbol-dce)")
    with shapesolve.watching(manager, execute=False) as watched:
        manager.run(module.operation)
    assert "shape.assuming" not in str(module), "the run is the user's own"
    found = watched.validation
    assert [(each.step.name, each.standing) for each in found.steps] == [
        ("cse on @f", Standing.UNCHANGED),
        ("canonicalize on @f", Standing.REFUTED),
        ("cse on @g", Standing.PROVED),
        ("canonicalize on @g", Standing.UNCHANGED),
        ("symbol-dce", Standing.UNCHANGED),
    ]
    assert found.exit_code == 1
    assert found.steps[1].step.pipeline.startswith("builtin.module(func.func(canonicalize{")


@pytest.mark.process
def test_a_pass_written_in_python_is_compared(context: Any) -> None:
    def drop_one_sum(operation: Any, running: Any) -> None:
        del running
        body = operation.regions[0].blocks[0].operations[1].regions[0].blocks[0]
        add, end = body.operations[3], body.operations[4]
        end.operands[0] = add.operands[0]
        add.operation.erase()

    module = bindings.ir().Module.parse(TWO)
    manager = bindings.passmanager().PassManager()
    manager.add(drop_one_sum)
    with shapesolve.watching(manager) as watched:
        manager.run(module.operation)
    (step,) = watched.validation.steps
    assert (step.step.name, step.standing) == ("drop_one_sum", Standing.REFUTED)


def test_steps_before_a_failing_pass_are_compared(context: Any) -> None:
    module = bindings.ir().Module.parse(TWO)
    manager = manager_of("builtin.module(cse)")

    def fail(operation: Any, running: Any) -> None:
        del operation
        running.signal_pass_failure()

    manager.add(fail)
    watched = shapesolve.watching(manager, execute=False)
    with pytest.raises(bindings.ir().MLIRError), watched:
        manager.run(module.operation)
    assert [each.standing for each in watched.validation.steps] == [Standing.PROVED, Standing.FAILED]


def test_a_context_is_needed_and_a_manager() -> None:
    with bindings.ir().Context() as context:
        manager = manager_of("builtin.module(cse)")
        module = bindings.ir().Module.parse(TWO)
    with pytest.raises(InputError, match=r"context=module\.context"):
        shapesolve.watching(manager)
    with pytest.raises(InputError, match="not str"):
        shapesolve.watching("builtin.module(cse)", context=context)
    watched = shapesolve.watching(manager, context=module.context, execute=False)
    with pytest.raises(InputError, match="once the block has ended"):
        _ = watched.validation
    with watched:
        pass
    with pytest.raises(InputError, match="no pass was run"):
        _ = watched.validation


def test_a_right_run_is_settled(context: Any) -> None:
    module = bindings.ir().Module.parse(TWO[TWO.index("func.func @g") :])
    manager = manager_of("builtin.module(cse,canonicalize)")
    with shapesolve.watching(manager) as watched:
        manager.run(module.operation)
    assert watched.validation.exit_code == 0
    assert [each.standing for each in watched.validation.steps] == [Standing.PROVED, Standing.UNCHANGED]
