"""Small programs of many dialects, each of one function `f` of at most three sizes and numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SmallProgram:
    """A function to be tried with every argument size from ``least`` up, and every number from -1 up.

    ``never_fails``: no sizes are expected to break it.
    """

    text: str
    least: int = 0
    never_fails: bool = False


def _tensor(
    body: str,
    result: str = "tensor<?xf32>",
    arguments: str = "%a: tensor<?xf32>, %n: index",
    least: int = 0,
    never_fails: bool = False,
) -> SmallProgram:
    """A function with some constants, then this body, then ``return %r``."""
    text = f"""func.func @f({arguments}) -> {result} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 1.0 : f32
{body}
  return %r : {result}
}}
"""
    return SmallProgram(text, least, never_fails)


TWO = "%a: tensor<?xf32>, %b: tensor<?xf32>"
MATRIX = "%a: tensor<?x?xf32>, %n: index"
THREE = "%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>"

PROGRAMS: dict[str, SmallProgram] = {
    # tensor
    "cast_there_and_back": _tensor("""
  %s = tensor.cast %a : tensor<?xf32> to tensor<3xf32>
  %r = tensor.cast %s : tensor<3xf32> to tensor<?xf32>"""),
    "cast_of_a_sum": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.addi %d, %n : index
  %e = tensor.empty(%m) : tensor<?xf32>
  %s = tensor.cast %e : tensor<?xf32> to tensor<4xf32>
  %r = tensor.cast %s : tensor<4xf32> to tensor<?xf32>"""),
    "dim_out_of_range": _tensor(
        """
  %d = tensor.dim %a, %n : tensor<?x?xf32>
  %r = tensor.empty(%d) : tensor<?xf32>""",
        arguments=MATRIX,
    ),
    "empty_of_a_difference": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.subi %d, %n : index
  %r = tensor.empty(%m) : tensor<?xf32>"""),
    "every_second_element": _tensor(
        """
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %h = arith.ceildivsi %d, %c2 : index
  %r = tensor.extract_slice %a[0] [%h] [2] : tensor<?xf32> to tensor<?xf32>""",
        never_fails=True,
    ),
    "slice_behind": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %h = arith.divsi %d, %c2 : index
  %r = tensor.extract_slice %a[%h] [%n] [1] : tensor<?xf32> to tensor<?xf32>"""),
    "slice_of_negative_steps": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.subi %d, %c1 : index
  %r = tensor.extract_slice %a[%m] [%n] [-1] : tensor<?xf32> to tensor<?xf32>"""),
    "insert_slice_in_the_middle": _tensor(
        """
  %d = tensor.dim %b, %c0 : tensor<?xf32>
  %r = tensor.insert_slice %b into %a[1] [%d] [1] : tensor<?xf32> into tensor<?xf32>""",
        arguments=TWO,
    ),
    "concat_by_columns": _tensor(
        """
  %r = tensor.concat dim(1) %a, %b : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x5xf32>""",
        "tensor<?x5xf32>",
        "%a: tensor<?x2xf32>, %b: tensor<?x3xf32>",
    ),
    "concat_of_three": _tensor(
        """
  %r = tensor.concat dim(0) %a, %b, %c : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>""",
        arguments=THREE,
        never_fails=True,
    ),
    "concat_then_cast": _tensor(
        """
  %j = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.cast %j : tensor<?xf32> to tensor<4xf32>""",
        "tensor<4xf32>",
        TWO,
    ),
    "pad_below_nothing": _tensor("""
  %p = tensor.pad %a low[1] high[%n] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %r = tensor.cast %p : tensor<?xf32> to tensor<?xf32>"""),
    "expand_by_two": _tensor(
        """
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %h = arith.divsi %d, %c2 : index
  %r = tensor.expand_shape %a [[0, 1]] output_shape [%h, 2] : tensor<?xf32> into tensor<?x2xf32>""",
        "tensor<?x2xf32>",
        "%a: tensor<?xf32>",
    ),
    "collapse_then_add": _tensor(
        """
  %s = tensor.collapse_shape %a [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.add ins(%s, %s : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>""",
        arguments="%a: tensor<?x3xf32>, %n: index",
    ),
    "reshape_to_columns": _tensor(
        """
  %s = tensor.from_elements %n, %c2 : tensor<2xindex>
  %r = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>""",
        "tensor<?x?xf32>",
    ),
    "generate_from_another": _tensor("""
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<?xf32>
    tensor.yield %v : f32
  } : tensor<?xf32>"""),
    "insert_at": _tensor("""
  %r = tensor.insert %x into %a[%n] : tensor<?xf32>"""),
    "extents_in_a_tensor": _tensor(
        """
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.dim %a, %c1 : tensor<?x?xf32>
  %s = tensor.from_elements %e, %d : tensor<2xindex>
  %v = tensor.extract %s[%n] : tensor<2xindex>
  %r = tensor.empty(%v) : tensor<?xf32>""",
        arguments=MATRIX,
    ),
    # linalg
    "matmul": _tensor(
        """
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d) : tensor<?x3xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>""",
        "tensor<?x3xf32>",
        "%a: tensor<?x?xf32>, %b: tensor<?x3xf32>",
    ),
    "dot": _tensor(
        """
  %e = tensor.empty() : tensor<f32>
  %r = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<f32>) -> tensor<f32>""",
        "tensor<f32>",
        TWO,
    ),
    "outer_sum": _tensor(
        """
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>""",
        "tensor<?x?xf32>",
        f"{TWO}, %n: index",
    ),
    "window_sum": _tensor("""
  %e = tensor.empty(%n) : tensor<?xf32>
  %w = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i * 2 + k)>, affine_map<(i, k) -> (k)>,
      affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a, %w : tensor<?xf32>, tensor<3xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>"""),
    "index_of_a_loop": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.addi %i, %n : index
    %v = tensor.extract %a[%j] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>"""),
    "transpose": _tensor(
        """
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n, %d) : tensor<?x?xf32>
  %r = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]""",
        "tensor<?x?xf32>",
        MATRIX,
    ),
    "reduce_rows": _tensor(
        """
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%e : tensor<?xf32>) dimensions = [1]
    (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    }""",
        arguments=MATRIX,
    ),
    "pooling": _tensor(
        """
  %w = tensor.empty() : tensor<2xf32>
  %e = tensor.empty(%n) : tensor<1x?x1xf32>
  %r = linalg.pooling_nwc_sum {strides = dense<2> : tensor<1xi64>}
    ins(%a, %w : tensor<1x?x1xf32>, tensor<2xf32>) outs(%e : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>""",
        "tensor<1x?x1xf32>",
        "%a: tensor<1x?x1xf32>, %n: index",
    ),
    "arith_on_tensors": _tensor(
        """
  %r = arith.addf %a, %b : tensor<?xf32>""",
        arguments=TWO,
    ),
    # arith
    "divided_sizes": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %q = arith.floordivsi %d, %n : index
  %k = arith.remsi %d, %n : index
  %m = arith.maxsi %q, %k : index
  %r = tensor.empty(%m) : tensor<?xf32>"""),
    "rounded_towards_zero": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.subi %n, %d : index
  %q = arith.divsi %m, %c2 : index
  %k = arith.remsi %m, %c2 : index
  %s = arith.subi %q, %k : index
  %z = arith.addi %s, %d : index
  %r = tensor.empty(%z) : tensor<?xf32>"""),
    "narrow_product": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %k = arith.constant 60 : i8
  %i = arith.index_cast %d : index to i8
  %p = arith.muli %i, %k : i8
  %m = arith.index_cast %p : i8 to index
  %s = arith.addi %m, %n : index
  %r = tensor.empty(%s) : tensor<?xf32>"""),
    "unsigned_comparison": _tensor(
        """
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %p = arith.cmpi ult, %n, %d : index
  cf.assert %p, "n is not an index of a"
  %r = tensor.extract_slice %a[%n] [1] [1] : tensor<?xf32> to tensor<1xf32>""",
        "tensor<1xf32>",
    ),
    "selected_size": _tensor("""
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %p = arith.cmpi slt, %d, %n : index
  %m = arith.select %p, %d, %n : index
  %r = tensor.extract_slice %a[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>"""),
    # scf
    "branch_on_a_size": _tensor(
        """
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %p = arith.cmpi eq, %d, %c2 : index
  %r = scf.if %p -> tensor<?xf32> {
    %s = tensor.cast %b : tensor<?xf32> to tensor<3xf32>
    %t = tensor.cast %s : tensor<3xf32> to tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  } else {
    %j = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %j : tensor<?xf32>
  }""",
        arguments=TWO,
    ),
    "loop_over_another": _tensor(
        """
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%t = %a) -> (tensor<?xf32>) {
    %v = tensor.extract %b[%i] : tensor<?xf32>
    %s = tensor.insert %v into %t[%i] : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }""",
        arguments=f"{TWO}, %n: index",
    ),
    "switch": _tensor("""
  %r = scf.index_switch %n -> tensor<?xf32>
  case 1 {
    %s = tensor.extract_slice %a[0] [3] [1] : tensor<?xf32> to tensor<3xf32>
    %t = tensor.cast %s : tensor<3xf32> to tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  case 2 {
    %t = tensor.empty(%n) : tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  default {
    scf.yield %a : tensor<?xf32>
  }"""),
    "called_twice": SmallProgram("""func.func private @last(%t: tensor<?xf32>, %back: index) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %i = arith.subi %d, %back : index
  %r = tensor.extract_slice %t[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
  return %r : tensor<1xf32>
}
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<2xf32> {
  %c1 = arith.constant 1 : index
  %x = call @last(%a, %n) : (tensor<?xf32>, index) -> tensor<1xf32>
  %y = call @last(%b, %c1) : (tensor<?xf32>, index) -> tensor<1xf32>
  %r = tensor.concat dim(0) %x, %y : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""),
    # shape
    "constrained_broadcast": _tensor(
        """
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?x?xf32> -> tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %t : tensor<1xindex>, tensor<2xindex>
  %r = shape.assuming %w -> (index) {
    %u = shape.broadcast %s, %t : tensor<1xindex>, tensor<2xindex> -> tensor<2xindex>
    %v = tensor.extract %u[%c1] : tensor<2xindex>
    shape.assuming_yield %v : index
  }""",
        "index",
        "%a: tensor<?xf32>, %b: tensor<?x?xf32>",
    ),
    "equal_shapes": _tensor(
        """
  %s = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %t = shape.shape_of %b : tensor<?x2xf32> -> tensor<2xindex>
  %w = shape.cstr_eq %s, %t : tensor<2xindex>, tensor<2xindex>
  %r = shape.assuming %w -> (index) {
    %u = shape.num_elements %s : tensor<2xindex> -> index
    shape.assuming_yield %u : index
  }""",
        "index",
        "%a: tensor<?x?xf32>, %b: tensor<?x2xf32>",
    ),
    "required": _tensor(
        """
  %s = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %u = shape.num_elements %s : tensor<2xindex> -> index
  %p = arith.cmpi sle, %u, %n : index
  %w = shape.cstr_require %p, "too many"
  %r = shape.assuming %w -> (index) {
    shape.assuming_yield %u : index
  }""",
        "index",
        MATRIX,
    ),
    # tosa, whose tensors are not empty
    "tosa_add": _tensor(
        """
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>""",
        "tensor<?x?xf32>",
        "%a: tensor<?x?xf32>, %b: tensor<?x1xf32>",
        least=1,
    ),
    "tosa_concat": _tensor(
        """
  %r = tosa.concat %a, %b {axis = 1 : i32} : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x5xf32>""",
        "tensor<?x5xf32>",
        "%a: tensor<?x2xf32>, %b: tensor<?x3xf32>",
        least=1,
    ),
    "tosa_matmul": _tensor(
        """
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.matmul %a, %b, %z, %z :
    (tensor<1x?x?xf32>, tensor<1x?x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x2xf32>""",
        "tensor<1x?x2xf32>",
        "%a: tensor<1x?x?xf32>, %b: tensor<1x?x2xf32>",
        least=1,
    ),
    "tosa_reduce": _tensor(
        """
  %s = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %r = tosa.sub %b, %s : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>""",
        "tensor<?x3xf32>",
        "%a: tensor<?x?xf32>, %b: tensor<?x3xf32>",
        least=1,
    ),
    # stablehlo
    "stablehlo_add": _tensor(
        """
  %r = stablehlo.add %a, %b : tensor<?xf32>""",
        arguments=TWO,
    ),
    "stablehlo_concatenate": _tensor(
        """
  %r = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x5xf32>""",
        "tensor<?x5xf32>",
        "%a: tensor<?x2xf32>, %b: tensor<?x3xf32>",
    ),
    "stablehlo_dot_general": _tensor(
        """
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] :
    (tensor<?x?xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>""",
        "tensor<?x2xf32>",
        "%a: tensor<?x?xf32>, %b: tensor<?x2xf32>",
    ),
    "stablehlo_dynamic_broadcast": _tensor(
        """
  %s = shape.shape_of %b : tensor<?x?xf32> -> tensor<2xindex>
  %r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>""",
        "tensor<?x?xf32>",
        "%a: tensor<?xf32>, %b: tensor<?x?xf32>",
    ),
    "stablehlo_dynamic_reshape": _tensor(
        """
  %s = shape.shape_of %b : tensor<?x?xf32> -> tensor<2xindex>
  %r = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>""",
        "tensor<?x?xf32>",
        "%a: tensor<?xf32>, %b: tensor<?x?xf32>",
    ),
}
