"""Test that a requirement in a branch on an unknown loaded number gives no condition on sizes."""

from __future__ import annotations

import pytest

from shapesolve import contract

LOADED = """func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<2xindex>
  memref.store %n, %a[%c0] : memref<2xindex>
  %0 = memref.load %a[%c0] : memref<2xindex>
  %again = arith.cmpi eq, %n, %c0 : index
BRANCH
  return
}"""

BRANCHES = {
    "if": '%z = arith.cmpi eq, %0, %c0 : index\n scf.if %z {\n cf.assert %again, "zero"\n }',
    "switch": 'scf.index_switch %0\n case 0 {\n cf.assert %again, "zero"\n scf.yield\n }\n default {\n }',
    "blocks": (
        '%z = arith.cmpi eq, %0, %n : index\n cf.cond_br %z, ^a, ^b\n^a:\n cf.assert %again, "zero"\n cf.br ^b\n^b:'
    ),
}


@pytest.mark.parametrize("branch", BRANCHES.values(), ids=BRANCHES)
def test_requirements_under_a_loaded_number_are_no_conditions_on_sizes(branch: str) -> None:
    (found,) = contract(LOADED.replace("BRANCH", branch)).functions
    assert not found.exact
    assert found.open or not any(each.necessary for each in found.conditions)  # enough whatever it is, not needed
