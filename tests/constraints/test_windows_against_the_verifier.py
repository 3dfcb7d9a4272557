"""Differential test of pooling, convolution, normalization and transform rules against MLIR's verifier."""

from __future__ import annotations

import pytest
from support.against_the_verifier import agree, function, one, two
from support.written_programs import Written

A2, R2 = "tensor<(n)x(m)xf32>", "tensor<(r0)x(r1)xf32>"
A3, B3, R3 = "tensor<(n)x(m)x(k)xf32>", "tensor<(p)x(q)x(o)xf32>", "tensor<(r0)x(r1)x(r2)xf32>"
Z = "tensor<1xf32>"
POOL = "kernel = array<i64: 2, 1>, stride = array<i64: 2, 3>, pad = array<i64: 1, 0, 0, 0>, acc_type = f32"
VOLUME = (
    "pad = array<i64: 1, 0, 0, 0, 0, 1>, stride = array<i64: 2, 1, 1>, dilation = array<i64: 1, 2, 1>, acc_type = f32"
)
NORMALIZED = "{epsilon = 0.1 : f32, feature_index = 1 : i64}"
GREATEST_AND_SUM = """({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %l = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction GE>}
        : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
  }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  })"""

PROGRAMS = [
    Written(
        "tosa.avg_pool2d",
        function(
            f"%a: tensor<1x(n)x(m)x2xf32>, %z: {Z}",
            "tensor<1x(r0)x(r1)x2xf32>",
            f'  %0 = "tosa.avg_pool2d"(%a, %z, %z) {{{POOL}}} : (tensor<1x(n)x(m)x2xf32>, {Z}, {Z})'
            " -> tensor<1x(r0)x(r1)x2xf32>",
        ),
        (1, 2, 3, 4, 5, 7),
    ),
    Written(
        "tosa.conv3d",
        function(
            f"%a: tensor<1x(n)x(m)x3x(k)xf32>, %b: tensor<2x(p)x2x2x(q)xf32>, %c: tensor<(o)xf32>, %z: {Z}",
            "tensor<1x(r0)x(r1)x(r2)x(r3)xf32>",
            f'  %0 = "tosa.conv3d"(%a, %b, %c, %z, %z) {{{VOLUME}}} : (tensor<1x(n)x(m)x3x(k)xf32>,'
            f" tensor<2x(p)x2x2x(q)xf32>, tensor<(o)xf32>, {Z}, {Z}) -> tensor<1x(r0)x(r1)x(r2)x(r3)xf32>",
        ),
        (1, 2, 3),
        unseen=("C1",),
    ),
    Written(
        "tosa.fft2d",
        function(
            f"%a: {A3}, %b: {B3}",
            R3,
            f'  %0, %1 = "tosa.fft2d"(%a, %b) {{inverse = false}} : ({A3}, {B3}) -> ({R3}, {R3})',
        ),
        (1, 2, 3, 4),
    ),
    Written(
        "stablehlo.batch_norm_training",
        function(
            f"%a: {A2}, %s: tensor<(p)xf32>, %o: tensor<(q)xf32>",
            R2,
            f'  %0, %1, %2 = "stablehlo.batch_norm_training"(%a, %s, %o) {NORMALIZED} : ({A2}, tensor<(p)xf32>, '
            f"tensor<(q)xf32>) -> ({R2}, tensor<(r1)xf32>, tensor<(r1)xf32>)",
        ),
    ),
    Written(
        "stablehlo.batch_norm_grad",
        function(
            f"%a: {A2}, %s: tensor<(p)xf32>, %o: tensor<(q)xf32>, %g: tensor<(k)x(t)xf32>",
            R2,
            f'  %0, %1, %2 = "stablehlo.batch_norm_grad"(%a, %s, %o, %s, %g) {NORMALIZED} : ({A2}, tensor<(p)xf32>, '
            "tensor<(q)xf32>, tensor<(p)xf32>, tensor<(k)x(t)xf32>) "
            f"-> ({R2}, tensor<(r1)xf32>, tensor<(r1)xf32>)",
        ),
        (1, 2),
    ),
    Written("stablehlo.real", one("stablehlo.real", "tensor<(n)x(m)xcomplex<f32>>", R2), (0, 1, 2, 3)),
    Written("stablehlo.imag", one("stablehlo.imag", "tensor<(n)x(m)xcomplex<f32>>", R2), (0, 1, 2, 3)),
    Written(
        "stablehlo.select_and_scatter",
        function(
            f"%a: {A2}, %b: tensor<(p)x(q)xf32>, %i: tensor<f32>",
            R2,
            f'  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) {GREATEST_AND_SUM} '
            "{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 3>} : "
            f"({A2}, tensor<(p)x(q)xf32>, tensor<f32>) -> {R2}",
        ),
        (1, 2, 3, 4),
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_rule_demands_what_the_verifier_demands(program: Written) -> None:
    agree(program)


# Broadcasts of chlo ----------------------------------------------------------------------------------------------


FLOATS = (
    "chlo.broadcast_subtract chlo.broadcast_divide chlo.broadcast_maximum chlo.broadcast_minimum "
    "chlo.broadcast_multiply chlo.broadcast_power chlo.broadcast_remainder chlo.broadcast_atan2 "
    "chlo.broadcast_next_after chlo.broadcast_zeta chlo.broadcast_polygamma"
)
TRUTHS = "chlo.broadcast_and chlo.broadcast_or chlo.broadcast_xor"
INTEGERS = "chlo.broadcast_shift_left chlo.broadcast_shift_right_arithmetic chlo.broadcast_shift_right_logical"
BROADCASTS = {
    **dict.fromkeys(FLOATS.split(), ("f32", "f32")),
    **dict.fromkeys(TRUTHS.split(), ("i1", "i1")),
    **dict.fromkeys(INTEGERS.split(), ("i32", "i32")),
    "chlo.broadcast_complex": ("f32", "complex<f32>"),
}
"""Operations with the elements of their operands and of the result."""


@pytest.mark.parametrize("name", BROADCASTS)
def test_chlo_broadcasts_have_the_shape_that_mlir_infers(name: str) -> None:
    """The rule rejects sizes that do not broadcast, all of which the verifier accepts."""
    element, result = BROADCASTS[name]
    text = two(
        name,
        f"tensor<(n)x(m)x{element}>",
        f"tensor<(p)x{element}>",
        f"tensor<(r0)x(r1)x{result}>",
    )
    agree(Written(name, text, (0, 1, 2, 3), unseen=("C1",)))
