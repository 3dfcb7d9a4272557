"""Functions that MLIR accepts and refuses, for files that hold both."""

from __future__ import annotations

SAME = """\
func.func @{name}(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}
"""
UNKNOWN_OP = """\
func.func @unknown(%x: tensor<?xf32>) -> tensor<?xf32> attributes {a.b = "}"} {
  // a comment with { and "
  %0 = my.op %x {text = "}{"} : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
WRONG_TYPE = """\
func.func @typed(%x: tensor<2x3xf32>) -> tensor<7xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<7xf32>
  return %0 : tensor<7xf32>
}
"""
