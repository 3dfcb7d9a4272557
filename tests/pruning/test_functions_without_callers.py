"""Test of functions called from dead code only: after the call is removed, the next iteration checks them alone."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program

CALLED = """
func.func private @g(%n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %p = arith.cmpi sle, %c0, %c2 : index
  cf.assert %p, "always"
  %q = arith.cmpi sle, %n, %c2 : index
  cf.assert %q, "sometimes"
  scf.if %p {
    func.call @h(%n) : (index) -> ()
  }
  return
}
func.func private @h(%n: index) {
  %p = arith.cmpi sle, %n, %n : index
  cf.assert %p, "inner"
  return
}
"""
GUARD = "scf.if %false {{ {} }}"
LOOP = "scf.for %i = %n to %n step %c1 {{ {} }}"
CALL = "func.call @g(%n) : (index) -> ()"


def program(body: str, assumed: str = "n >= 1") -> str:
    return (
        f'{CALLED}func.func @f(%n: index) attributes {{shapesolve.assume = ["{assumed}"]}} {{\n'
        f"  %false = arith.constant false\n  %c1 = arith.constant 1 : index\n  {body}\n  return\n}}"
    )


@pytest.mark.parametrize("around", [GUARD, LOOP], ids=["a guard", "a loop"])
def test_callees_of_dead_calls_are_judged_alone(around: str) -> None:
    result = prune_program(read_text(program(around.format(CALL))), Options(execute=False))
    assert "func.call @g" not in result.text
    assert '"always"' not in result.text and '"inner"' not in result.text
    assert '"sometimes"' in result.text


def test_a_second_call_that_stays_is_enough() -> None:
    text = program(f"{GUARD.format(CALL)}\n  {CALL}", "n == 1")
    result = prune_program(read_text(text), Options(execute=False))
    assert "cf.assert" not in result.text and "call @g" in result.text


def test_a_call_inside_of_a_function_that_is_lost_leads_nowhere() -> None:
    """The guard in @g is taken apart in the round after."""
    result = prune_program(read_text(program(GUARD.format(CALL))), Options(execute=False))
    assert "scf.if" not in result.text and "call @h" in result.text


NEEDED = """
func.func private @helper(%n: index) {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi sge, %n, %c0 : index
  cf.assert %p, "needed"
  return
}
func.func @harmless() {
  %c7 = arith.constant 7 : index
  func.call @helper(%c7) : (index) -> ()
  return
}
"""
HELPED = "func.call @helper(%n) : (index) -> ()"
KERNEL = f"""
module attributes {{gpu.container_module}} {{
  gpu.module @k {{
    {NEEDED}
    gpu.func @kernel(%n: index) kernel {{
      {HELPED}
      gpu.return
    }}
  }}
  func.func @main(%n: index) {{
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : index)
    return
  }}
}}
"""
OF_OTHER_DIALECTS = [
    KERNEL,
    f"{NEEDED}shape.func @s(%n: index) -> index {{\n  {HELPED}\n  shape.return %n : index\n}}",
    f"{NEEDED}async.func @a(%n: index) -> !async.token {{\n  {HELPED}\n  return\n}}",
]


@pytest.mark.parametrize("text", OF_OTHER_DIALECTS, ids=["a launched kernel", "shape.func", "async.func"])
def test_a_function_that_code_which_is_not_checked_calls_keeps_its_checks(text: str) -> None:
    assert '"needed"' in prune_program(read_text(text), Options(execute=False)).text


def test_a_function_that_checked_code_alone_calls_loses_them() -> None:
    assert '"needed"' not in prune_program(read_text(NEEDED), Options(execute=False)).text
