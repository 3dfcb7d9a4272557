"""Live pass managers of MLIR's bindings in place of a pipeline's text."""

from __future__ import annotations

import pytest

import shapesolve
from shapesolve.errors import InputError
from shapesolve.ir import bindings
from shapesolve.validation.outcome import Standing

pytestmark = pytest.mark.process

FALSE_WITNESS = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %w = shape.const_witness false
  %r = shape.assuming %w -> (tensor<?xf32>) { shape.assuming_yield %a : tensor<?xf32> }
  return %r : tensor<?xf32>
}
"""
PIPELINE = "builtin.module(func.func(cse,canonicalize{max-iterations=3}))"


def idle_pass(operation: object, running: object) -> None:
    del operation, running


def test_a_live_manager_and_module_are_validated_and_left_as_they_were() -> None:
    ir = bindings.ir()
    with ir.Context():
        module = ir.Module.parse(FALSE_WITNESS)
        manager = bindings.passmanager().PassManager.parse(PIPELINE)
        module_text, manager_text = str(module), str(manager)
        found = shapesolve.validate(module, manager, execute=False)
        assert (str(module), str(manager)) == (module_text, manager_text)
    assert [each.standing for each in found.steps] == [Standing.UNCHANGED, Standing.REFUTED]
    assert "max-iterations=3" in found.steps[1].step.pipeline


def test_passes_added_to_a_live_manager_are_run() -> None:
    with bindings.ir().Context():
        manager = bindings.passmanager().PassManager()
        manager.add("cse")
        manager.add("func.func(canonicalize)")
        found = shapesolve.validate(FALSE_WITNESS, manager, execute=False)
    assert [each.step.name for each in found.steps] == ["cse", "canonicalize"]


def test_an_object_that_is_no_manager_is_refused() -> None:
    with pytest.raises(TypeError, match="not list"):
        shapesolve.validate(FALSE_WITNESS, ["cse"])


def test_a_pass_written_in_python_is_refused_by_its_name() -> None:
    with bindings.ir().Context():
        manager = bindings.passmanager().PassManager()
        manager.add(idle_pass)
        with pytest.raises(InputError, match=r"idle_pass.*does not refer to a registered pass"):
            shapesolve.validate(FALSE_WITNESS, manager, execute=False)
