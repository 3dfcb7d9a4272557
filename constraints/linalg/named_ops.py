"""Named structured operations, whose name gives the loop nest and its body, and packed (tiled) layouts."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from shapesolve.domain.values import Abstract, Element, Float, IntegerInterval, Tensor
from shapesolve.ir.program import AffineExpression, AffineMap, Operation
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import ANY_RESULT, Effects, on_values
from shapesolve.semantics.op_semantics import Approximations, Claim, Folds, OpSemantics, Results
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, ceildiv
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, divides, equal

from ..transfer.elements import constants, gather_elements, small_extents
from ..transfer.strided_slices import integers_of, mixed_integers, segment
from .generic import copied_operand
from .loop_nest import LoopNest, access_claims, body, initial_shapes, loop_nest, shape_operands

UNARY = ("abs", "ceil", "erf", "exp", "floor", "log", "negf", "reciprocal", "round", "rsqrt", "sqrt", "square", "tanh")
BINARY = ("add", "sub", "mul", "max", "min", "powf")
DIVIDING = ("div", "div_unsigned", "elementwise", "elemwise_unary", "elemwise_binary")
PRODUCTS = split_names(
    "matmul batch_matmul quantized_matmul quantized_batch_matmul matvec vecmat batch_matvec batch_vecmat dot "
    "contract mmt4d batch_mmt4d batch_reduce_matmul matmul_transpose_a matmul_transpose_b batch_matmul_transpose_a "
    "batch_matmul_transpose_b"
)
CONVOLUTIONS = split_names(
    "conv_1d conv_2d conv_3d conv_1d_ncw_fcw conv_1d_nwc_wcf conv_2d_nchw_fchw conv_2d_nchw_fchw_q "
    "conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw conv_2d_ngchw_gfchw_q conv_2d_nhwc_fhwc conv_2d_nhwc_fhwc_q "
    "conv_2d_nhwc_hwcf conv_2d_nhwc_hwcf_q conv_2d_nhwgc_gfhwc conv_2d_nhwgc_gfhwc_q conv_3d_ncdhw_fcdhw "
    "conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc "
    "depthwise_conv_1d_nwc_wcm depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nhwc_hwc_q "
    "depthwise_conv_2d_nhwc_hwcm depthwise_conv_2d_nhwc_hwcm_q depthwise_conv_3d_ncdhw_cdhw "
    "depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ndhwc_dhwcm"
)
POOLINGS = split_names(
    "nchw_max nchw_sum ncw_max ncw_sum ndhwc_max ndhwc_min ndhwc_sum nhwc_max nhwc_max_unsigned nhwc_min "
    "nhwc_min_unsigned nhwc_sum nwc_max nwc_max_unsigned nwc_min nwc_min_unsigned nwc_sum"
)


def _shapes_of_nest(op: Operation, ctx: RuleContext, nest: LoopNest) -> OpSemantics:
    """Return the semantics of a loop nest whose elements are unknown: the shapes, and the clauses on its accesses."""
    return OpSemantics(
        Results(initial_shapes(op, nest, ctx), shape_operands=shape_operands(op, nest)),
        requires=access_claims(nest, ctx),
    )


def _named(*names: str) -> tuple[str, ...]:
    return tuple(f"linalg.{name}" for name in names)


def _on_values_at_random(op: Operation) -> Effects:
    return on_values(op) | ANY_RESULT


@rule(
    *_named(*UNARY, *BINARY, "select"), *_named(*PRODUCTS), example="tests/cases/linalg/matmul.mlir", effects=on_values
)
@rule(*_named("fill_rng_2d"), example="tests/cases/linalg/matmul.mlir", effects=_on_values_at_random)
def element_wise_or_product(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loop nest over the index space of the operands. The range of a loop is the first extent that is just its index.

    A nest with an empty range touches nothing, so the clauses are about nests without one.

    (C1) Every extent that is just one loop index equals the range of that loop.
    (C2) Every other index expression stays between 0 and its extent, and divides by positive numbers.
    (R1) The result has the shape of the output operand, whatever the ranges are.
    """
    return _shapes_of_nest(op, ctx, loop_nest(op, ctx))


@rule(
    *_named(*CONVOLUTIONS, *(f"pooling_{name}" for name in POOLINGS)),
    example="tests/cases/linalg/convolution.mlir",
    effects=on_values,
)
def window(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A window that moves over an input: a convolution or a pooling, with strides and dilations.

    A nest with an empty range touches nothing, so the clauses are about nests without one.

    (C1) Every extent that is just one loop index equals the range of that loop.
    (C2) The last window ends within the input: (output - 1) * stride + (window - 1) * dilation is below its extent.
    (R1) The result has the shape of the output operand, whatever the ranges are.
    """
    return element_wise_or_product(op, ctx)


@rule(*_named(*DIVIDING), example="tests/cases/linalg/elementwise.mlir", effects=on_values)
def dividing(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An element-wise operation that may divide: its body, which has demands of its own, runs at every position.

    (C1) Every extent that is just one loop index equals the range of that loop.
    (C2) Every other index expression stays between 0 and its extent, and divides by positive numbers.
    (R1) The result has the shape of the output operand, whatever the ranges are.
    """
    nest = loop_nest(op, ctx)
    inner = body(op, nest, ctx)
    return OpSemantics(
        Results(initial_shapes(op, nest, ctx), shape_operands=shape_operands(op, nest)),
        requires=access_claims(nest, ctx),
        regions=(inner.run,),
        approximations=Approximations(inner.approximations, inner.free),
    )


@rule(*_named("fill", "copy", "transpose", "broadcast"), example="tests/cases/linalg/moving.mlir", effects=on_values)
def data_movement(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Elements written to every position of the output: one value, or those of the input in another arrangement.

    (C1) Every extent that is just one loop index equals the range of that loop.
    (C2) Every other index expression stays between 0 and its extent, and divides by positive numbers.
    (R1) The result has the shape of the output operand and the elements of the input.
    """
    nest = loop_nest(op, ctx)
    results = initial_shapes(op, nest, ctx)
    if results:
        shape = ctx.tensor(nest.operands[-1]).shape
        results = (Tensor(shape, _moved(ctx, nest), between=_moved_bounds(ctx, nest)),)
    simpler = Folds(copies=copied_operand(op, nest, ctx, 0))
    return OpSemantics(
        Results(results, shape_operands=shape_operands(op, nest)), requires=access_claims(nest, ctx), folds=simpler
    )


def _moved(ctx: RuleContext, nest: LoopNest) -> tuple[Element, ...] | None:
    source, into = nest.operands[0], nest.operands[-1]
    if _element_type(source) != _element_type(into):
        return None
    extents = nest.extents[-1]
    value = ctx.value(source)
    if not isinstance(value, Tensor):
        small = small_extents(extents)
        return (value,) * prod(small) if small is not None and isinstance(value, Dim | Formula | Float) else None
    loops = [result.value for result in nest.maps[-1].results]
    taken = [result.value for result in nest.maps[0].results]
    if constants(nest.extents[0]) != constants(nest.ranges[loop] for loop in taken):
        return None
    return gather_elements(
        value.elements, nest.extents[0], extents, lambda index: [index[loops.index(loop)] for loop in taken]
    )


def _moved_bounds(ctx: RuleContext, nest: LoopNest) -> IntegerInterval | None:
    source, types = ctx.value(nest.operands[0]), [_element_type(each) for each in (nest.operands[0], nest.operands[-1])]
    if not isinstance(source, Tensor) or source.between is None or types[0] != types[1]:
        return None
    return replace(source.between, where=conjunction((source.between.where, nest.runs)))


def _element_type(value: object) -> object:
    type = getattr(value, "type", None)
    return getattr(type, "element", type)


@rule("linalg.softmax", example="tests/cases/linalg/softmax.mlir", effects=on_values)
def softmax(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Softmax along one dimension.

    (C1) The output has the extents of the input, unless the input is empty: then nothing is touched.
    (R1) The result has the shape of the output operand.
    """
    rank = len(ctx.dims(op.operands[0]))
    same = AffineMap(rank, 0, tuple(AffineExpression("dim", number) for number in range(rank)))
    return _shapes_of_nest(op, ctx, loop_nest(op, ctx, (same, same)))


@rule(
    *_named("winograd_filter_transform", "winograd_input_transform", "winograd_output_transform"),
    example="tests/cases/linalg/winograd.mlir",
    effects=on_values,
)
def winograd(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of the transforms of a Winograd convolution.

    (R1) The result has the shape of the output operand.
    """
    into = op.operands[-1]
    results: tuple[Abstract, ...] = (Tensor(ctx.tensor(into).shape),) if op.results else ()
    return OpSemantics(
        Results(results, shape_operands=(into,)),
        approximations=("whether the sizes of its operands fit is not checked",),
    )


@rule("linalg.pack", "tensor.pack", example="tests/cases/linalg/pack.mlir", effects=on_values)
def pack(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor cut into tiles, the tiles as inner dimensions.

    (C1) Every tile size is at least 1.
    (C2) The inner extents of the destination are the tile sizes.
    (C3) Every outer extent of the destination is the number of tiles, the last one counted even where it is not full.
    (C4) Without a padding value every tile is full: the tile size divides the extent.
    (R1) The result has the shape of the destination.
    """
    source, into = op.operands[:2]
    extents, packed = ctx.dims(source), ctx.dims(into)
    tiles = mixed_integers(op, ctx, "static_inner_tiles", segment(op, 3))
    claims = _tiles(packed, tiles, into.name)
    tiled = dict(zip(integers_of(op, "inner_dims_pos"), tiles, strict=True))
    for place, dimension in enumerate(integers_of(op, "outer_dims_perm") or range(len(extents))):
        tile, extent = tiled.get(dimension), extents[dimension]
        wanted = extent if tile is None else ceildiv(extent, tile)
        shown = ((f"extent {place} of {into.name}", packed[place]), (f"extent {dimension} of {source.name}", extent))
        message = f"extent {place} of {into.name} is not the number of tiles"
        claims.append(Claim("C3", equal(packed[place], wanted), message, shown=shown))
        if tile is not None and not segment(op, 2):
            message = f"extent {dimension} of {source.name} is not made of full tiles"
            claims.append(Claim("C4", divides(tile, extent), message, shown=(*shown[1:], ("tile", tile))))
    results = (Tensor.of(packed),) if op.results else ()
    return OpSemantics(Results(results, shape_operands=(into,)), requires=claims)


@rule("linalg.unpack", "tensor.unpack", example="tests/cases/linalg/pack.mlir", effects=on_values)
def unpack(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor put together from tiles; what the last tiles hold beyond the destination is dropped.

    (C1) Every tile size is at least 1.
    (C2) The inner extents of the source are the tile sizes.
    (C3) Every outer extent of the source is the number of tiles that the destination needs.
    (R1) The result has the shape of the destination.
    """
    source, into = op.operands[:2]
    packed, extents = ctx.dims(source), ctx.dims(into)
    tiles = mixed_integers(op, ctx, "static_inner_tiles", segment(op, 3) if len(op.segments) > 3 else segment(op, 2))
    claims = _tiles(packed, tiles, source.name)
    tiled = dict(zip(integers_of(op, "inner_dims_pos"), tiles, strict=True))
    for place, dimension in enumerate(integers_of(op, "outer_dims_perm") or range(len(extents))):
        tile, extent = tiled.get(dimension), extents[dimension]
        wanted = extent if tile is None else ceildiv(extent, tile)
        shown = ((f"extent {place} of {source.name}", packed[place]), (f"extent {dimension} of {into.name}", extent))
        message = f"extent {place} of {source.name} is not the number of tiles of {into.name}"
        claims.append(Claim("C3", equal(packed[place], wanted), message, shown=shown))
    results = (Tensor.of(extents),) if op.results else ()
    return OpSemantics(Results(results, shape_operands=(into,)), requires=claims)


def _tiles(packed: tuple[Dim, ...], tiles: tuple[Dim, ...], name: str) -> list[Claim]:
    claims = [Claim("C1", at_least(tile, 1), "a tile size is not positive", shown=(("tile", tile),)) for tile in tiles]
    outer = len(packed) - len(tiles)
    for number, tile in enumerate(tiles):
        shown = ((f"extent {outer + number} of {name}", packed[outer + number]), ("tile", tile))
        message = f"extent {outer + number} of {name} is not the tile size"
        claims.append(Claim("C2", equal(packed[outer + number], tile), message, shown=shown))
    return claims
