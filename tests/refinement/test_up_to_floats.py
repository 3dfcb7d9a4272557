"""Test of equal values in two programs despite unknown floats and differently computed sizes, and of unequal ones."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.options import Options

WEIGHTS = "%w = arith.constant dense_resource<__elided__> : tensor<50x4xf32>"
EMPTY = "%w = tensor.empty() : tensor<50x4xf32>"


def word(source: str, target: str) -> str:
    found = refined(source, target, Options(execute=False))
    return found.word


def embedding(size: str, weights: str = WEIGHTS, *, checked: bool = False) -> str:
    """Rows looked up by the data of ``%ids``; ``size`` computes how many."""
    before = 'cf.assert %fine, "there are rows"' if checked else ""
    return f"""
func.func @f(%ids: tensor<?xi64>) -> tensor<?x4xf32> {{
  %c0 = arith.constant 0 : index
  %c50 = arith.constant 50 : i64
  %d = tensor.dim %ids, %c0 : tensor<?xi64>
  {size}
  %fine = arith.cmpi sge, %n, %c0 : index
  {before}
  {weights}
  %out = tensor.empty(%n) : tensor<?x4xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}} ins(%ids : tensor<?xi64>) outs(%out : tensor<?x4xf32>) {{
  ^bb0(%id: i64, %o: f32):
    %j = linalg.index 1 : index
    %below = arith.cmpi slt, %id, %c50 : i64
    cf.assert %below, "too large"
    %row = arith.index_cast %id : i64 to index
    %v = tensor.extract %w[%row, %j] : tensor<50x4xf32>
    linalg.yield %v : f32
  }} -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}}"""


PLAIN = "%n = arith.addi %d, %c0 : index"
OTHERWISE = """%five = arith.constant 5 : index
  %s = arith.addi %d, %five : index
  %n = arith.subi %s, %five : index"""


@pytest.mark.parametrize("weights", [WEIGHTS, EMPTY])
def test_a_size_computed_in_another_way_and_a_check_that_is_gone(weights: str) -> None:
    source = embedding(PLAIN, weights, checked=True)
    assert word(source, embedding(OTHERWISE, weights)) == "proved"


def test_other_sizes_are_seen() -> None:
    assert word(embedding(PLAIN), embedding("%one = arith.constant 1 : index\n  %n = arith.addi %d, %one : index")) != (
        "proved"
    )


def looked_at(constant: str, element: str, question: str, tensor: str = "tensor<2xf32>") -> str:
    """A check on an element of what is not known."""
    return f"""
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {{
  %c{element} = arith.constant {element} : index
  {constant}
  %e = tensor.extract %w[%c{element}] : {tensor}
  {question}
  cf.assert %q, "holds"
  return %a : tensor<?xf32>
}}"""


FLOATS = "%w = arith.constant dense_resource<__elided__> : tensor<2xf32>"
INTEGERS = "%w = arith.constant dense_resource<__elided__> : tensor<2xi64>"
NO_NUMBERS = "%w = tensor.empty() : tensor<2xi64>"
IS_POSITIVE = "%z = arith.constant 0.0 : f32\n  %q = arith.cmpf ogt, %e, %z : f32"
IS_SIZE = "%z = arith.constant 0 : i64\n  %i = arith.fptosi %e : f32 to i64\n  %q = arith.cmpi sge, %i, %z : i64"
IS_ZERO = "%z = arith.constant 0 : i64\n  %q = arith.cmpi eq, %e, %z : i64"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("constant", "question", "tensor"),
    [
        (FLOATS, IS_POSITIVE, "tensor<2xf32>"),
        (FLOATS, IS_SIZE, "tensor<2xf32>"),
        (INTEGERS, IS_ZERO, "tensor<2xi64>"),
        (NO_NUMBERS, IS_ZERO, "tensor<2xi64>"),
    ],
)
def test_elided_constants_are_not_equal(constant: str, question: str, tensor: str) -> None:
    """Two constants whose elided numbers differ have equal text."""
    program = looked_at(constant, "0", question, tensor)
    assert word(program, looked_at(constant, "1", question, tensor)) != "proved"
    if "elided" in constant:
        assert word(program, program) != "proved"


def test_floats_of_a_loop_are_unknown_before_it() -> None:
    """A float that a loop carries begins as a known one, and an unknown one gets into it."""

    def program(step: str) -> str:
        return f"""
func.func @f(%n: index) -> index {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<__elided__> : tensor<2xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z, %k = %c0) -> (f32, index) {{
    %e = tensor.extract %w[%c0] : tensor<2xf32>
    %y = arith.addf %x, %e : f32
    %i1 = arith.cmpf ogt, %x, %z : f32
    %l = arith.select %i1, {step}, %k : index
    scf.yield %y, %l : f32, index
  }}
  return %r#1 : index
}}"""

    assert word(program("%c1"), program("%c0")) != "proved"


def counted(size: str, *, reads: bool, checked: bool = False) -> str:
    """A check on what is computed of the data of ``%ids`` into a tensor of no numbers, which is read or not."""
    before = 'cf.assert %fine, "there are some"' if checked else ""
    return f"""
func.func @f(%ids: tensor<?xi64>) -> index {{
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i64
  %d = tensor.dim %ids, %c0 : tensor<?xi64>
  {size}
  %fine = arith.cmpi sge, %n, %c0 : index
  {before}
  %out = tensor.empty(%n) : tensor<?xi64>
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%ids : tensor<?xi64>) outs(%out : tensor<?xi64>) {{
  ^bb0(%id: i64, %o: i64):
    %v = arith.addi %id, {"%o" if reads else "%id"} : i64
    linalg.yield %v : i64
  }} -> tensor<?xi64>
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {{
    %e = tensor.extract %r[%c0] : tensor<?xi64>
    %q = arith.cmpi sge, %e, %z : i64
    cf.assert %q, "holds"
  }}
  return %n : index
}}"""


def test_unread_elements_do_not_matter() -> None:
    assert word(counted(PLAIN, reads=False, checked=True), counted(OTHERWISE, reads=False)) == "proved"
    assert word(counted(PLAIN, reads=True, checked=True), counted(OTHERWISE, reads=True)) != "proved"
