"""Dot products and convolutions of the stablehlo dialect."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import at_least, divides
from shapesolve.symbolic.shape_kinds import RankedShape

from ..transfer.shape_checks import contents, dilated_extent, equal_extents, padded_extent, window_count
from ..transfer.strided_slices import integer_of
from .attributes import convolution_layout, integers, paddings, parse_structure

PRODUCTS = "tests/cases/stablehlo/products.mlir"
CONVOLUTIONS = "tests/cases/stablehlo/convolutions.mlir"


@rule("stablehlo.dot_general", example=PRODUCTS, effects=PURE)
def dot_general(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A product over some dimensions of both operands, for every index of their batch dimensions.

    (C1) Batch dimensions that belong together have the same extent.
    (C2) Contracted dimensions that belong together have the same extent.
    (R1) The result has the batch extents, then the left and then the right extents that are left: also where it is
    undefined, if no batch extent is known of the right operand alone.
    """
    numbers = parse_structure(op, "dot_dimension_numbers")
    left, right = (ctx.dims(operand) for operand in op.operands)
    claims: list[Claim] = []
    taken: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for clause, kind, message in (
        ("C1", "batching", "the batch extents differ"),
        ("C2", "contracting", "the contracted extents differ"),
    ):
        both = numbers.get(f"lhs_{kind}_dimensions", ()), numbers.get(f"rhs_{kind}_dimensions", ())
        taken.append(both)
        for i, j in zip(*both, strict=True):
            claims.append(equal_extents(clause, message, (op.operands[0], i, left[i]), (op.operands[1], j, right[j])))
    batch = [right[j] if right[j].is_constant else left[i] for i, j in zip(*taken[0], strict=True)]
    of_left = all(left[i].is_constant or not right[j].is_constant for i, j in zip(*taken[0], strict=True))
    rest_left = [extent for i, extent in enumerate(left) if i not in (*taken[0][0], *taken[1][0])]
    rest_right = [extent for j, extent in enumerate(right) if j not in (*taken[0][1], *taken[1][1])]
    results = (Tensor.of([*batch, *rest_left, *rest_right]),)
    return OpSemantics(Results(results, shape_operands=op.operands if of_left else None), requires=claims)


@rule("stablehlo.dot", example=PRODUCTS, effects=PURE)
def dot(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A product of vectors and matrices.

    (C1) The last extent of the left operand is the first of the right one.
    (R1) The result has the extents that are left, also where it is undefined.
    """
    left, right = (ctx.dims(operand) for operand in op.operands)
    if not left or not right:
        raise UnknownValueError("a scalar is multiplied")
    last = len(left) - 1
    first, second = (op.operands[0], last, left[-1]), (op.operands[1], 0, right[0])
    claim = equal_extents("C1", "the contracted extents differ", first, second)
    results = (Tensor.of([*left[:-1], *right[1:]]),)
    return OpSemantics(Results(results, shape_operands=op.operands), requires=(claim,))


@rule("stablehlo.convolution", example=CONVOLUTIONS, effects=PURE)
def convolution(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A window of weights that moves over an input.

    (C1) The input's features are the kernel's input features, times the number of feature groups.
    (C2) The kernel's output features are a multiple of the number of feature groups, and of batch groups.
    (C3) The input's batch is a multiple of the number of batch groups.
    (C4) The window has at least one place in every direction.
    (R1) A spatial extent of the result is how many windows fit into the dilated and padded input.
    """
    layout = convolution_layout(op)
    padding = [(lo, hi) for lo, hi in paddings(op, len(layout.input_spatial))]
    return _convolution(op, ctx, padding, OpSemantics())


@rule("stablehlo.dynamic_conv", example=CONVOLUTIONS, effects=PURE)
def dynamic_convolution(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A window of weights that moves over an input whose padding is computed.

    (C1) The input's features are the kernel's input features, times the number of feature groups.
    (C2) The kernel's output features are a multiple of the number of feature groups, and of batch groups.
    (C3) The input's batch is a multiple of the number of batch groups.
    (C4) The window has at least one place in every direction.
    (R1) A spatial extent of the result is how many windows fit into the dilated and padded input.
    """
    count = len(convolution_layout(op).input_spatial)
    held = contents(ctx, op.operands[2], 2 * count)
    padding = [(held.values[2 * i], held.values[2 * i + 1]) for i in range(count)]
    return _convolution(op, ctx, padding, OpSemantics(approximations=Approximations(held.reasons, held.free)))


def _convolution(
    op: Operation, ctx: RuleContext, padding: Sequence[tuple[Dim | int, Dim | int]], known: OpSemantics
) -> OpSemantics:
    layout, count = convolution_layout(op), len(padding)
    source, kernel = (ctx.dims(operand) for operand in op.operands[:2])
    groups, batches = integer_of(op, "feature_group_count"), integer_of(op, "batch_group_count")
    strides = integers(op, "window_strides", count, 1)
    source_dilations, kernel_dilations = (integers(op, f"{side}_dilation", count, 1) for side in ("lhs", "rhs"))
    features, batch = source[layout.input_feature], source[layout.input_batch]
    outputs = kernel[layout.kernel_output_feature]
    inputs = (op.operands[1], layout.kernel_input_feature, kernel[layout.kernel_input_feature])
    message = "the input's features are not the kernel's"
    claims = [equal_extents("C1", message, (op.operands[0], layout.input_feature, features), inputs, groups)]
    claims += _group_claims("C2", outputs, (groups, batches), "the kernel's output features do not divide into groups")
    claims += _group_claims("C3", batch, (batches,), "the input's batch does not divide into groups")
    claims += [
        _window_claim(op, index, kernel[index]) for index in layout.kernel_spatial if not _is_window(kernel[index])
    ]
    result: dict[int, Dim] = {layout.output_batch: floordiv(batch, dim(batches)), layout.output_feature: outputs}
    for index in range(count):
        room = dilated_extent(source[layout.input_spatial[index]], source_dilations[index])
        window = dilated_extent(kernel[layout.kernel_spatial[index]], kernel_dilations[index])
        low, high = padding[index]
        result[layout.output_spatial[index]] = window_count(padded_extent(room, low, high), window, strides[index])
    shape = RankedShape.of(result[index] for index in range(len(source)))
    return OpSemantics(
        (Tensor(shape),),
        requires=claims,
        approximations=Approximations(known.approximations.reasons, known.approximations.variables),
    )


def _is_window(extent: Dim) -> bool:
    return extent.is_constant and extent.constant >= 1


def _window_claim(op: Operation, index: int, extent: Dim) -> Claim:
    shown = ((f"extent {index} of {op.operands[1].name}", extent),)
    return Claim("C4", at_least(extent, 1), "the window has no places", shown=shown)


def _group_claims(clause: str, extent: Dim, groups: Sequence[int], message: str) -> list[Claim]:
    claims = [Claim(clause, divides(count, extent), message, shown=(("extent", extent),)) for count in groups]
    return [claim for claim in claims if claim.formula is not TRUE]
