"""Test that tensor contents are used only if no memory that they may share can be written."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Proved, Undecided

START = """
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %t = tensor.from_elements %c4 : tensor<1xindex>
"""
READ = """
  %e = tensor.extract {tensor}[%c0] : tensor<1xindex>
  %p = arith.cmpi eq, %e, %c4 : index
  cf.assert %p, "still 4"
"""
CAST = "builtin.unrealized_conversion_cast"
TO_BUFFER, TO_TENSOR = "tensor<1xindex> to memref<1xindex>", "memref<1xindex> to tensor<1xindex>"
STORE = "  memref.store %c9, %m[%c0] : memref<1xindex>\n"
WRITES = {
    "a store": STORE,
    "a copy": "  memref.copy %a, %m : memref<1xindex> to memref<1xindex>\n",
    "a fill": "  linalg.fill ins(%c9 : index) outs(%m : memref<1xindex>)\n",
    "a store through a view": "  %v = memref.cast %m : memref<1xindex> to memref<?xindex>\n"
    "  memref.store %c9, %v[%c0] : memref<?xindex>\n",
    "a call": "  func.call @writes(%m) : (memref<1xindex>) -> ()\n",
    "an unknown operation": '  "my.write"(%m) : (memref<1xindex>) -> ()\n',
    "a loop": "  scf.for %i = %c0 to %c9 step %c4 {\n  " + STORE + "  }\n",
    "a tensor put there": "  %u = tensor.from_elements %c9 : tensor<1xindex>\n  bufferization.materialize_in_destination %u in restrict writable %m : (tensor<1xindex>, memref<1xindex>) -> ()\n",  # noqa: E501
    "an affine store": "  affine.store %c9, %m[0] : memref<1xindex>\n",
}


def verdict(body: str) -> object:
    text = f"""
func.func private @writes(memref<1xindex>)
func.func @f(%a: memref<1xindex>) {{
{START}{body}
  return
}}"""
    report = check_program(read_text(text), Options(execute=False)).functions[-1]
    (found,) = [each.verdict for each in report.checked_obligations if each.obligation.op.name == "cf.assert"]
    return found


@pytest.mark.parametrize("write", WRITES)
def test_the_tensor_that_became_a_buffer(write: str) -> None:
    body = f"  %m = {CAST} %t : {TO_BUFFER}\n{WRITES[write]}"
    assert isinstance(verdict(body + READ.format(tensor="%t")), Undecided)


@pytest.mark.parametrize("write", WRITES)
def test_the_buffer_that_became_a_tensor(write: str) -> None:
    body = f"  %m = {CAST} %t : {TO_BUFFER}\n{WRITES[write]}  %w = {CAST} %m : {TO_TENSOR}\n"
    assert isinstance(verdict(body + READ.format(tensor="%w")), Undecided)


@pytest.mark.parametrize("write", WRITES)
def test_a_tensor_that_is_read_before_and_after(write: str) -> None:
    before = "  %b = tensor.extract %w[%c0] : tensor<1xindex>\n"
    after = "  %e = tensor.extract %w[%c0] : tensor<1xindex>\n"
    for made in (f"{CAST} %a : {TO_TENSOR}", f"bufferization.to_tensor %a restrict writable : {TO_TENSOR}"):
        same = '  %p = arith.cmpi eq, %e, %b : index\n  cf.assert %p, "the same"\n'
        body = f"  %w = {made}\n{before}{WRITES[write].replace('%m', '%a')}{after}{same}"
        assert isinstance(verdict(body), Undecided)


@pytest.mark.parametrize(
    "made",
    [
        f"  %m = {CAST} %t : {TO_BUFFER}\n",
        "  %m = bufferization.to_buffer %t : tensor<1xindex> to memref<1xindex>\n",
        '  %m = "my.buffer_of"(%t) : (tensor<1xindex>) -> memref<1xindex>\n',
        f"  %r = tensor.cast %t : tensor<1xindex> to tensor<?xindex>\n"
        f"  %s = tensor.cast %r : tensor<?xindex> to tensor<1xindex>\n  %m = {CAST} %s : {TO_BUFFER}\n",
        "  %s = scf.for %i = %c0 to %c9 step %c4 iter_args(%x = %t) -> tensor<1xindex> {\n"
        f"    scf.yield %x : tensor<1xindex>\n  }}\n  %m = {CAST} %s : {TO_BUFFER}\n",
    ],
)
def test_ways_to_share_memory(made: str) -> None:
    assert isinstance(verdict(made + STORE + READ.format(tensor="%t")), Undecided)


def test_an_earlier_iteration_may_write() -> None:
    inside = READ.format(tensor="%t") + f"  %m = {CAST} %t : {TO_BUFFER}\n{STORE}"
    assert isinstance(verdict(f"  scf.for %i = %c0 to %c9 step %c4 {{\n{inside}  }}\n"), Undecided)


def test_a_tensor_that_shares_nothing_is_believed() -> None:
    other = f"  %u = tensor.from_elements %c9 : tensor<1xindex>\n  %m = {CAST} %u : {TO_BUFFER}\n{STORE}"
    assert isinstance(verdict(other + READ.format(tensor="%t")), Proved)
    assert isinstance(verdict(READ.format(tensor="%t")), Proved)
