"""StableHLO and TOSA rules against MLIR's verifier: what the rules demand of sizes, it demands of static ones."""

from __future__ import annotations

import pytest
from support.against_the_verifier import agree, function, one, two
from support.written_programs import Written


def stablehlo(name: str, text: str, sizes: tuple[int, ...] = (0, 1, 2, 3), unseen: tuple[str, ...] = ()) -> Written:
    return Written(f"stablehlo.{name}", text, sizes, unseen)


def tosa(name: str, text: str, sizes: tuple[int, ...] = (1, 2, 3), unseen: tuple[str, ...] = ()) -> Written:
    return Written(f"tosa.{name}", text, sizes, unseen)


A2, B2, R2 = "tensor<(n)x(m)xf32>", "tensor<(p)x(q)xf32>", "tensor<(r0)x(r1)xf32>"
A3, B3, R3 = "tensor<(n)x(m)x(k)xf32>", "tensor<(p)x(q)x(o)xf32>", "tensor<(r0)x(r1)x(r2)xf32>"
SUM = """{
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }"""

GROUPS = "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"


def tosa_shape(name: str, values: str, count: int) -> str:
    constant = f"{{values = dense<{values}> : tensor<{count}xindex>}}"
    return f'  %{name} = "tosa.const_shape"() {constant} : () -> !tosa.shape<{count}>'


STABLEHLO = [
    stablehlo("add", two("stablehlo.add", A2, B2, R2)),
    stablehlo(
        "select",
        function(
            f"%p: tensor<(n)x(m)xi1>, %a: {A2}, %b: {B2}",
            R2,
            f'  %0 = "stablehlo.select"(%p, %a, %b) : (tensor<(n)x(m)xi1>, {A2}, {B2}) -> {R2}',
        ),
    ),
    stablehlo("transpose", one("stablehlo.transpose", A3, R3, "{permutation = array<i64: 2, 0, 1>}")),
    stablehlo("concatenate", two("stablehlo.concatenate", A2, B2, R2, "{dimension = 1 : i64}")),
    stablehlo(
        "slice",
        one(
            "stablehlo.slice",
            A2,
            R2,
            "{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 2>, strides = array<i64: 1, 2>}",
        ),
    ),
    stablehlo(
        "pad",
        function(
            f"%a: {A2}, %v: tensor<f32>",
            R2,
            '  %0 = "stablehlo.pad"(%a, %v) {edge_padding_low = array<i64: 1, -2>, '
            "edge_padding_high = array<i64: 0, 1>,"
            f" interior_padding = array<i64: 0, 2>}} : ({A2}, tensor<f32>) -> {R2}",
        ),
    ),
    stablehlo(
        "dot_general",
        two(
            "stablehlo.dot_general",
            A3,
            B3,
            R3,
            "{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
            "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}",
        ),
        (0, 1, 2),
    ),
    stablehlo(
        "all_gather",
        one("stablehlo.all_gather", A2, R2, f"{{all_gather_dim = 0 : i64, {GROUPS}}}"),
        (2, 3, 4),  # any multiple of the operand's extent is accepted
    ),
    stablehlo(
        "reduce_scatter",
        one("stablehlo.reduce_scatter", A2, R2, f"({SUM}) {{scatter_dimension = 0 : i64, {GROUPS}}}"),
        (4, 5, 6),  # any part that divides the operand's extent is accepted
        unseen=("C1",),
    ),
    stablehlo(
        "all_to_all",
        one(
            "stablehlo.all_to_all",
            A2,
            R2,
            f"{{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, {GROUPS}}}",
        ),
    ),
    stablehlo("dot", two("stablehlo.dot", A2, B2, R2)),
    stablehlo(
        "reduce",
        function(
            f"%a: {A3}, %z: tensor<f32>",
            "tensor<(r0)x(r1)xf32>",
            f'  %0 = "stablehlo.reduce"(%a, %z) ({SUM}) {{dimensions = array<i64: 1>}}'
            f" : ({A3}, tensor<f32>) -> tensor<(r0)x(r1)xf32>",
        ),
    ),
    stablehlo(
        "reduce_window",
        function(
            f"%a: {A2}, %z: tensor<f32>",
            R2,
            f'  %0 = "stablehlo.reduce_window"(%a, %z) ({SUM}) {{window_dimensions = array<i64: 2, 3>,'
            " window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 1>, "
            "window_dilations = array<i64: 1, 2>,"
            f" padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}} : ({A2}, tensor<f32>) -> {R2}",
        ),
        (0, 1, 2, 3, 4, 5),
    ),
    stablehlo(
        "convolution",
        two(
            "stablehlo.convolution",
            "tensor<1x(n)x(m)xf32>",
            "tensor<(p)x(q)x4xf32>",
            "tensor<(r0)x(r1)x(r2)xf32>",
            "{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, "
            "batch_group_count = 1 : i64, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>, "
            "lhs_dilation = array<i64: 2>, rhs_dilation = array<i64: 1>}",
        ),
        (0, 1, 2, 3, 4),
    ),
    stablehlo(
        "gather",
        two(
            "stablehlo.gather",
            A2,
            "tensor<(p)x(q)xi32>",
            R2,
            "{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
            "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}",
        ),
    ),
    stablehlo(
        "scatter",
        function(
            f"%a: {A2}, %i: tensor<(p)x1xi32>, %u: tensor<(q)x(o)xf32>",
            R2,
            '  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<'
            "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
            f"index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}}> ({SUM})"
            f" : ({A2}, tensor<(p)x1xi32>, tensor<(q)x(o)xf32>) -> {R2}",
        ),
        (0, 1, 2),
    ),
    stablehlo("cholesky", one("stablehlo.cholesky", A3, R3, "{lower = true}")),
    stablehlo(
        "triangular_solve",
        two(
            "stablehlo.triangular_solve",
            A3,
            B3,
            R3,
            "{left_side = false, lower = true, unit_diagonal = false, "
            "transpose_a = #stablehlo<transpose NO_TRANSPOSE>}",
        ),
        (1, 2),
    ),
    stablehlo(
        "dynamic_slice",
        function(
            f"%a: {A2}, %i: tensor<i32>",
            "tensor<2x1xf32>",
            f'  %0 = "stablehlo.dynamic_slice"(%a, %i, %i) {{slice_sizes = array<i64: 2, 1>}}'
            f" : ({A2}, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>",
        ),
    ),
    stablehlo(
        "dynamic_update_slice",
        function(
            f"%a: {A2}, %b: {B2}, %i: tensor<i32>",
            R2,
            f'  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %i, %i) : ({A2}, {B2}, tensor<i32>, tensor<i32>) -> {R2}',
        ),
    ),
    stablehlo(
        "broadcast_in_dim",
        one(
            "stablehlo.broadcast_in_dim",
            "tensor<(n)x(m)xf32>",
            "tensor<3x4x2xf32>",
            "{broadcast_dimensions = array<i64: 2, 0>}",
        ),
    ),
    stablehlo("reshape", one("stablehlo.reshape", A2, "tensor<2x3xf32>"), (0, 1, 2, 3, 6)),
    stablehlo(
        "batch_norm_inference",
        function(
            f"%a: {A2}, %s: tensor<(p)xf32>, %o: tensor<(q)xf32>",
            R2,
            '  %0 = "stablehlo.batch_norm_inference"(%a, %s, %o, %s, %o) {epsilon = 0.0 : f32, '
            "feature_index = 1 : i64}"
            f" : ({A2}, tensor<(p)xf32>, tensor<(q)xf32>, tensor<(p)xf32>, tensor<(q)xf32>) -> {R2}",
        ),
    ),
    stablehlo(
        "fft",
        one(
            "stablehlo.fft",
            A2,
            "tensor<(r0)x(r1)xcomplex<f32>>",
            "{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>}",
        ),
        (1, 2, 4),
    ),
]

POOL = "kernel = array<i64: 2, 1>, stride = array<i64: 2, 3>, pad = array<i64: 1, 0, 0, 0>"
CONVOLUTION = "pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 2>, acc_type = f32"
Z = "tensor<1xf32>"

TOSA = [
    tosa("add", two("tosa.add", A2, B2, R2)),
    tosa("exp", one("tosa.exp", A2, R2)),
    tosa(
        "select",
        function(
            f"%p: tensor<(n)x(m)xi1>, %a: {B2}, %b: tensor<(k)x(o)xf32>",
            R2,
            f'  %0 = "tosa.select"(%p, %a, %b) : (tensor<(n)x(m)xi1>, {B2}, tensor<(k)x(o)xf32>) -> {R2}',
        ),
        (1, 2, 3),
    ),
    tosa("transpose", one("tosa.transpose", A3, R3, "{perms = array<i32: 1, 2, 0>}")),
    tosa("concat", two("tosa.concat", A2, B2, R2, "{axis = 0 : i32}")),
    tosa("reduce_sum", one("tosa.reduce_sum", A2, "tensor<(r0)x(r1)xf32>", "{axis = 1 : i32}")),
    tosa("argmax", one("tosa.argmax", A3, "tensor<(r0)x(r1)xi32>", "{axis = 0 : i32}")),
    tosa(
        "matmul",
        function(
            f"%a: {A3}, %b: {B3}, %z: {Z}",
            R3,
            f'  %0 = "tosa.matmul"(%a, %b, %z, %z) : ({A3}, {B3}, {Z}, {Z}) -> {R3}',
        ),
        (1, 2),
    ),
    tosa("gather", two("tosa.gather", A3, "tensor<(p)x(q)xi32>", R3), (1, 2)),
    tosa(
        "scatter",
        function(
            f"%a: {A3}, %i: tensor<(p)x(q)xi32>, %b: tensor<(s)x(t)x(u)xf32>",
            R3,
            f'  %0 = "tosa.scatter"(%a, %i, %b) : ({A3}, tensor<(p)x(q)xi32>, tensor<(s)x(t)x(u)xf32>) -> {R3}',
        ),
        (1, 2),
    ),
    tosa(
        "max_pool2d",
        one("tosa.max_pool2d", "tensor<1x(n)x(m)x2xf32>", "tensor<1x(r0)x(r1)x2xf32>", f"{{{POOL}}}"),
        (1, 2, 3, 4, 5, 7),
    ),
    tosa(
        "conv2d",
        function(
            f"%a: tensor<1x(n)x(m)x(k)xf32>, %b: tensor<2x(p)x2x(q)xf32>, %c: tensor<(o)xf32>, %z: {Z}",
            "tensor<1x(r0)x(r1)x(r2)xf32>",
            f'  %0 = "tosa.conv2d"(%a, %b, %c, %z, %z) {{{CONVOLUTION}}} : (tensor<1x(n)x(m)x(k)xf32>,'
            f" tensor<2x(p)x2x(q)xf32>, tensor<(o)xf32>, {Z}, {Z}) -> tensor<1x(r0)x(r1)x(r2)xf32>",
        ),
        (1, 2, 3, 4),
        unseen=("C1",),
    ),
    tosa(
        "depthwise_conv2d",
        function(
            f"%a: tensor<1x(n)x4x(k)xf32>, %b: tensor<2x2x(p)x(q)xf32>, %c: tensor<(o)xf32>, %z: {Z}",
            "tensor<1x(r0)x(r1)x(r2)xf32>",
            f'  %0 = "tosa.depthwise_conv2d"(%a, %b, %c, %z, %z) {{{CONVOLUTION}}} : (tensor<1x(n)x4x(k)xf32>,'
            f" tensor<2x2x(p)x(q)xf32>, tensor<(o)xf32>, {Z}, {Z}) -> tensor<1x(r0)x(r1)x(r2)xf32>",
        ),
        (1, 2, 3, 4),
        unseen=("C1",),
    ),
    tosa(
        "transpose_conv2d",
        function(
            f"%a: tensor<1x(n)x(m)x(k)xf32>, %b: tensor<2x(p)x2x(q)xf32>, %c: tensor<(o)xf32>, %z: {Z}",
            "tensor<1x(r0)x(r1)x(r2)xf32>",
            '  %0 = "tosa.transpose_conv2d"(%a, %b, %c, %z, %z) {out_pad = array<i64: 0, 1, 0, 0>, '
            "stride = array<i64: 2, 3>, acc_type = f32} : (tensor<1x(n)x(m)x(k)xf32>, tensor<2x(p)x2x(q)xf32>, "
            f"tensor<(o)xf32>, {Z}, {Z}) -> tensor<1x(r0)x(r1)x(r2)xf32>",
        ),
        (1, 2, 3),
        unseen=("C1",),
    ),
    tosa(
        "reshape",
        function(
            f"%a: {A2}",
            R2,
            tosa_shape("s", "[-1, 2]", 2) + f'\n  %0 = "tosa.reshape"(%a, %s) : ({A2}, !tosa.shape<2>) -> {R2}',
        ),
    ),
    tosa(
        "slice",
        function(
            f"%a: {A2}",
            R2,
            tosa_shape("s", "[1, 0]", 2)
            + "\n"
            + tosa_shape("t", "[1, 2]", 2)
            + f'\n  %0 = "tosa.slice"(%a, %s, %t) : ({A2}, !tosa.shape<2>, !tosa.shape<2>) -> {R2}',
        ),
    ),
    tosa(
        "pad",
        function(
            f"%a: {A2}, %z: {Z}",
            R2,
            tosa_shape("s", "[1, 0, 2, 3]", 4)
            + f'\n  %0 = "tosa.pad"(%a, %s, %z) : ({A2}, !tosa.shape<4>, {Z}) -> {R2}',
        ),
    ),
    tosa(
        "resize",
        function(
            "%a: tensor<1x(n)x(m)x2xf32>",
            "tensor<1x(r0)x(r1)x2xf32>",
            tosa_shape("s", "[4, 2, 2, 1]", 4)
            + "\n"
            + tosa_shape("o", "[0, -1]", 2)
            + "\n"
            + tosa_shape("b", "[2, 1]", 2)
            + "\n  %0 = tosa.resize %a, %s, %o, %b {mode = BILINEAR} : (tensor<1x(n)x(m)x2xf32>, !tosa.shape<4>, "
            "!tosa.shape<2>, !tosa.shape<2>) -> tensor<1x(r0)x(r1)x2xf32>",
        ),
        (2, 3, 4, 5),  # of one row, any number of copies is accepted
    ),
    tosa(
        "rfft2d", function(f"%a: {A3}", R3, f'  %0, %1 = "tosa.rfft2d"(%a) : ({A3}) -> ({R3}, {R3})'), (1, 2, 3, 4, 8)
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("program", [*STABLEHLO, *TOSA], ids=lambda program: program.name)
@pytest.mark.covers("inference.across_operands")
def test_rule_demands_what_the_verifier_demands(program: Written) -> None:
    agree(program)
