"""Products, convolutions, pooling, resizing, reductions and Fourier transforms of the tosa dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Results
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal
from shapesolve.symbolic.normal_forms import choose

from ..transfer.extent_tensors import ranked_dims
from ..transfer.shape_checks import Contents, contents, equal_extents, equal_shapes
from ..transfer.strided_slices import integer_of, integers_of
from .elementwise import length_claims

PRODUCTS = "tests/cases/tosa/products.mlir"
CONVOLUTIONS = "tests/cases/tosa/convolutions.mlir"
POOLS = "tests/cases/tosa/pools.mlir"
REDUCTIONS = "tests/cases/tosa/reductions.mlir"


def _dims_of_rank(op: Operation, ctx: RuleContext, operand: int, rank: int) -> tuple[Dim, ...]:
    extents = ctx.dims(op.operands[operand])
    if len(extents) != rank:
        raise UnknownValueError(f"{op.operands[operand].name} is not of rank {rank}")
    return extents


@rule("tosa.matmul", example=PRODUCTS, effects=PURE)
def matmul(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Batched matrix product of [N, H, C] and [N, C, W].

    (C1) Both operands have the same batch size.
    (C2) The columns of the first are the rows of the second.
    (C3) Each zero point is one number.
    (R1) The result is [N, H, W]: also where it is undefined, if N is not known of the second operand alone.
    """
    a, b = _dims_of_rank(op, ctx, 0, 3), _dims_of_rank(op, ctx, 1, 3)
    x, y = op.operands[:2]
    claims = (
        equal_extents("C1", "the batch sizes differ", (x, 0, a[0]), (y, 0, b[0])),
        equal_extents("C2", "the columns of the first are not the rows of the second", (x, 2, a[2]), (y, 1, b[1])),
        *length_claims("C3", ctx, op.operands[2:], 1),
    )
    of_first = a[0].is_constant or not b[0].is_constant
    results = (Tensor.of((a[0] if of_first else b[0], a[1], b[2])),)
    return OpSemantics(Results(results, shape_operands=(x, y) if of_first else None), requires=claims)


@rule("tosa.matmul_t", example=PRODUCTS, effects=PURE)
def matmul_transposed(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Batched matrix product of [N, H, C] and the transpose of [D, W, C].

    (C1) The batch size of the second is that of the first or 1.
    (C2) Both operands have the same C.
    (C3) Each zero point is one number.
    (R1) The result is [N, H, W].
    """
    a, b = _dims_of_rank(op, ctx, 0, 3), _dims_of_rank(op, ctx, 1, 3)
    x, y = op.operands[:2]
    shown = ((f"extent 0 of {x.name}", a[0]), (f"extent 0 of {y.name}", b[0]))
    claims = (
        Claim("C1", disjunction((equal(b[0], 1), equal(a[0], b[0]))), "the batch sizes differ", shown=shown),
        equal_extents("C2", "the columns differ", (x, 2, a[2]), (y, 2, b[2])),
        *length_claims("C3", ctx, op.operands[2:], 1),
    )
    return OpSemantics((Tensor.of((a[0], a[1], b[1])),), requires=claims)


# Windows -------------------------------------------------------------------------------------------------------------


def _window_positions(clause: str, name: str, room: Dim, stride: Dim) -> tuple[Dim, list[Claim]]:
    """Return the number of window positions, ``room / stride + 1``, and the claim that the division is exact.

    The room is how far the window can move.
    """
    claims: list[Claim] = []
    fits = conjunction((at_least(stride, 1), at_least(room, 0), divides(stride, room)))
    if fits is not TRUE:
        shown = ((f"room for the window along {name}", room), ("stride", stride))
        message = f"windows do not fit exactly along {name}"
        claims.append(Claim(clause, fits, message, shown=shown))
    return floordiv(room, stride) + 1, claims


AXES = {1: ("x",), 2: ("y", "x"), 3: ("z", "y", "x")}


def _convolution(
    op: Operation, ctx: RuleContext, kernel: Sequence[Dim], outputs: Dim, claims: list[Claim]
) -> OpSemantics:
    """Return the semantics of a convolution over dimensions 1 to len(kernel) of the input.

    Its claims are C2 (bias), C3 (windows) and C4 (zero points), besides the given ones.
    """
    count = len(kernel)
    source = _dims_of_rank(op, ctx, 0, count + 2)
    padding, strides, gaps = (integers_of(op, name) for name in ("pad", "stride", "dilation"))
    claims += [_bias_claim(op, ctx, outputs), *length_claims("C4", ctx, op.operands[3:], 1)]
    spatial: list[Dim] = []
    for index, name in enumerate(AXES[count]):
        room = source[1 + index] - 1 + padding[2 * index] + padding[2 * index + 1] - (kernel[index] - 1) * gaps[index]
        places, demands = _window_positions("C3", name, room, dim(strides[index]))
        spatial.append(places)
        claims += demands
    return OpSemantics((Tensor.of((source[0], *spatial, outputs)),), requires=claims)


def _full_convolution(op: Operation, ctx: RuleContext, rank: int) -> OpSemantics:
    """Return the semantics of a convolution whose channels are the last dimension of input and weights."""
    source, weights = _dims_of_rank(op, ctx, 0, rank), _dims_of_rank(op, ctx, 1, rank)
    last = rank - 1
    channels = equal_extents(
        "C1", "the channels differ", (op.operands[0], last, source[last]), (op.operands[1], last, weights[last])
    )
    return _convolution(op, ctx, weights[1:last], weights[0], [channels])


def _bias_claim(op: Operation, ctx: RuleContext, outputs: Dim) -> Claim:
    (given,) = _dims_of_rank(op, ctx, 2, 1)
    shown = ((f"extent 0 of {op.operands[2].name}", given), ("output channels", outputs))
    return Claim("C2", disjunction((equal(given, 1), equal(given, outputs))), "the bias has another size", shown=shown)


@rule("tosa.conv2d", example=CONVOLUTIONS, effects=PURE)
def conv2d(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Convolution of [N, H, W, C] with weights [OC, KH, KW, C].

    (C1) Input and weights have the same channels.
    (C2) The bias has one element or OC elements.
    (C3) Along both axes at least one window fits, and the last one ends where the padded input does.
    (C4) Each zero point is one number.
    (R1) The result is [N, OH, OW, OC] with OH = (H - 1 + pad - (KH - 1) * dilation) / stride + 1, and OW alike.
    """
    return _full_convolution(op, ctx, 4)


@rule("tosa.conv3d", example=CONVOLUTIONS, effects=PURE)
def conv3d(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Convolution of [N, D, H, W, C] with weights [OC, KD, KH, KW, C].

    (C1) Input and weights have the same channels.
    (C2) The bias has one element or OC elements.
    (C3) Along all axes at least one window fits, and the last one ends where the padded input does.
    (C4) Each zero point is one number.
    (R1) The result is [N, OD, OH, OW, OC] with OD = (D - 1 + pad - (KD - 1) * dilation) / stride + 1, and so on.
    """
    return _full_convolution(op, ctx, 5)


@rule("tosa.depthwise_conv2d", example=CONVOLUTIONS, effects=PURE)
def depthwise_conv2d(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Convolution of every channel of [N, H, W, C] with its own weights [KH, KW, C, M].

    (C1) Input and weights have the same channels.
    (C2) The bias has one element or C * M elements.
    (C3) Along both axes at least one window fits, and the last one ends where the padded input does.
    (C4) Each zero point is one number.
    (R1) The result is [N, OH, OW, C * M] with OH = (H - 1 + pad - (KH - 1) * dilation) / stride + 1, and OW alike.
    """
    source, weights = _dims_of_rank(op, ctx, 0, 4), _dims_of_rank(op, ctx, 1, 4)
    channels = equal_extents(
        "C1", "the channels differ", (op.operands[0], 3, source[3]), (op.operands[1], 2, weights[2])
    )
    return _convolution(op, ctx, weights[:2], weights[2] * weights[3], [channels])


@rule("tosa.transpose_conv2d", example=CONVOLUTIONS, effects=PURE)
def transpose_conv2d(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Transposed convolution of [N, H, W, C] with weights [OC, KH, KW, C].

    (C1) Input and weights have the same channels.
    (C2) The bias has one element or OC elements.
    (C3) No extent of the result is negative.
    (C4) Each zero point is one number.
    (C5) What is taken away at an end is less than the kernel's extent.
    (R1) The result is [N, OH, OW, OC] with OH = (H - 1) * stride + out_pad + KH, and OW alike.
    """
    source, weights = _dims_of_rank(op, ctx, 0, 4), _dims_of_rank(op, ctx, 1, 4)
    padding, strides = integers_of(op, "out_pad"), integers_of(op, "stride")
    claims = [
        equal_extents("C1", "the channels differ", (op.operands[0], 3, source[3]), (op.operands[1], 3, weights[3])),
        _bias_claim(op, ctx, weights[0]),
        *length_claims("C4", ctx, op.operands[3:], 1),
    ]
    spatial: list[Dim] = []
    for index in range(2):
        ends = padding[2 * index], padding[2 * index + 1]
        spatial.append((source[1 + index] - 1) * strides[index] + sum(ends) + weights[1 + index])
        fits = at_least(spatial[-1], 0)
        if fits is not TRUE:
            shown = ((f"extent {1 + index} of the result", spatial[-1]),)
            claims.append(Claim("C3", fits, "an extent of the result is negative", shown=shown))
        taken = max(0, -min(ends))
        if taken and (less := at_least(weights[1 + index], taken + 1)) is not TRUE:
            shown = ((f"extent {1 + index} of {op.operands[1].name}", weights[1 + index]), ("taken away", dim(taken)))
            claims.append(Claim("C5", less, "a whole kernel is taken away at an end", shown=shown))
    return OpSemantics((Tensor.of((source[0], *spatial, weights[0])),), requires=claims)


def _pooling(
    op: Operation, ctx: RuleContext, kernel: Contents, stride: Contents, pad: Contents, others: Sequence[Claim]
) -> OpSemantics:
    source = _dims_of_rank(op, ctx, 0, 4)
    spatial: list[Dim] = []
    claims = list(others)
    for index, name in enumerate(AXES[2]):
        padding = pad.values[2 * index] + pad.values[2 * index + 1]
        places, demands = _window_positions(
            "C1", name, source[1 + index] + padding - kernel.values[index], stride.values[index]
        )
        spatial.append(places)
        claims += demands
    held = (kernel, stride, pad)
    return OpSemantics(
        (Tensor.of((source[0], *spatial, source[3])),),
        requires=claims,
        approximations=Approximations(
            tuple(reason for each in held for reason in each.reasons), kernel.free | stride.free | pad.free
        ),
    )


@rule("tosa.avg_pool2d", "tosa.max_pool2d", example=POOLS, effects=PURE)
def pool(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The mean or the greatest element of every window of [N, H, W, C].

    (C1) Along both axes at least one window fits, and the last one ends where the padded input does.
    (C2) Each zero point is one number.
    (R1) The result is [N, OH, OW, C] with OH = (H + pad - kernel) / stride + 1, and OW alike.
    """
    kernel, stride, pad = (Contents(tuple(map(dim, integers_of(op, name)))) for name in ("kernel", "stride", "pad"))
    return _pooling(op, ctx, kernel, stride, pad, length_claims("C2", ctx, op.operands[1:], 1))


@rule("tosa.avg_pool2d_adaptive", "tosa.max_pool2d_adaptive", example=POOLS, effects=PURE)
def adaptive_pool(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The mean or the greatest element of every window of [N, H, W, C]; the windows are computed.

    (C1) Along both axes at least one window fits, and the last one ends where the padded input does.
    (C2) Each zero point is one number.
    (C3) No padding is negative, and each is less than the kernel.
    (R1) The result is [N, OH, OW, C] with OH = (H + pad - kernel) / stride + 1, and OW alike.
    """
    zero_points, lists = op.operands[1:-3], op.operands[-3:]
    kernel, stride, pad = (contents(ctx, value, count) for value, count in zip(lists, (2, 2, 4), strict=True))
    claims = list(length_claims("C2", ctx, zero_points, 1))
    for index, padding in enumerate(pad.values):
        window = kernel.values[index // 2]
        less = conjunction((at_least(padding, 0), at_least(window, padding + 1)))
        if less is not TRUE:
            shown = ((f"padding {index}", padding), ("the kernel", window))
            claims.append(Claim("C3", less, "a padding is negative, or not less than the kernel", shown=shown))
    return _pooling(op, ctx, kernel, stride, pad, claims)


@rule("tosa.resize", example=POOLS, effects=PURE)
def resize(op: Operation, ctx: RuleContext) -> OpSemantics:
    """[N, H, W, C] sampled at a scale n/d with an offset and a border along each axis.

    (C1) Along both axes (H - 1) * n - offset + border is not negative and a multiple of d, unless H is 1 and the type
    declares OH: then one row is repeated as often as is declared.
    (C2) There are a row and a column to sample, unless N or C is 0.
    (C3) Along both axes n and d are positive, -n <= offset < 16 * n, and -16 * n <= border < n.
    (R1) The result is [N, OH, OW, C] with OH = ((H - 1) * n - offset + border) / d + 1, and OW alike.
    """
    source = _dims_of_rank(op, ctx, 0, 4)
    held = [contents(ctx, value, count) for value, count in zip(op.operands[1:4], (4, 2, 2), strict=True)]
    scale, offset, border = (each.values for each in held)
    declared = ctx.declared(op.results[0])
    spatial: list[Dim] = []
    claims: list[Claim] = []
    for index, name in enumerate(AXES[2]):
        room = (source[1 + index] - 1) * scale[2 * index] - offset[index] + border[index]
        places, demands = _window_positions("C1", name, room, scale[2 * index + 1])
        repeated, wanted = equal(source[1 + index], 1), None if declared is None else declared[1 + index]
        if wanted is not None:
            demands = [replace(claim, formula=disjunction((repeated, claim.formula))) for claim in demands]
        spatial.append(places if wanted is None else choose(repeated, wanted, places))
        claims += [*demands, *_resize_claims(name, scale[2 * index : 2 * index + 2], offset[index], border[index])]
    claims.append(_nonempty_image_claim(op, source))
    return OpSemantics(
        (Tensor.of((source[0], *spatial, source[3])),),
        requires=claims,
        approximations=Approximations(
            tuple(reason for each in held for reason in each.reasons), held[0].free | held[1].free | held[2].free
        ),
    )


def _resize_claims(name: str, scale: Sequence[Dim], offset: Dim, border: Dim) -> list[Claim]:
    """Return clause C3: scale, offset and border are within the range that the specification allows."""
    n, d = scale
    ranges = (
        *(at_least(each, 1) for each in scale),
        *(at_least(offset, -n), at_least(16 * n, offset + 1)),
        *(at_least(border, -16 * n), at_least(n, border + 1)),
    )
    formula = conjunction(ranges)
    shown = (("n", n), ("d", d), ("offset", offset), ("border", border))
    message = f"scale, offset or border along {name} is out of range"
    return [] if formula is TRUE else [Claim("C3", formula, message, shown=shown)]


def _nonempty_image_claim(op: Operation, source: Sequence[Dim]) -> Claim:
    """Return clause C2: images have elements to sample, unless batch or channels are empty."""
    batch, height, width, channels = source
    there = conjunction((at_least(height, 1), at_least(width, 1)))
    shown = tuple((f"extent {index} of {op.operands[0].name}", source[index]) for index in (1, 2))
    formula = disjunction((equal(batch, 0), equal(channels, 0), there))
    return Claim("C2", formula, "there is nothing to sample", shown=shown)


# Reductions ----------------------------------------------------------------------------------------------------------


def _extents_and_axis(op: Operation, ctx: RuleContext) -> tuple[list[Dim], int]:
    """Return the extents of the operand, and the axis attribute.

    Raises:
        UnknownValueError: There is no such axis.
    """
    extents, axis = list(ctx.dims(op.operands[0])), integer_of(op, "axis")
    if not 0 <= axis < len(extents):
        raise UnknownValueError(f"there is no axis {axis}")
    return extents, axis


@rule(
    *split_names("tosa.reduce_all tosa.reduce_any tosa.reduce_max tosa.reduce_min tosa.reduce_product tosa.reduce_sum"),
    example=REDUCTIONS,
    effects=PURE,
)
def reduce(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds a tensor along an axis.

    (R1) The extent along the axis is 1; the others are the operand's.
    """
    extents, axis = _extents_and_axis(op, ctx)
    extents[axis] = dim(1)
    return OpSemantics((Tensor.of(extents),))


@rule("tosa.argmax", example=REDUCTIONS, effects=PURE)
def argmax(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The place of the greatest element along an axis.

    (R1) The result has the operand's extents without that axis.
    """
    extents, axis = _extents_and_axis(op, ctx)
    del extents[axis]
    return OpSemantics((Tensor.of(extents),))


# Transforms ----------------------------------------------------------------------------------------------------------


def _power_of_two_claims(clause: str, op: Operation, extents: Sequence[Dim]) -> list[Claim]:
    """Return claims that height and width are powers of two."""
    claims: list[Claim] = []
    for index in (1, 2):
        power = disjunction(equal(extents[index], 2**exponent) for exponent in range(63))
        shown = ((f"extent {index} of {op.operands[0].name}", extents[index]),)
        claims.append(Claim(clause, power, f"extent {index} is not a power of two", shown=shown))
    return claims


@rule("tosa.fft2d", example=REDUCTIONS, effects=PURE)
def fft2d(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The Fourier transform of [N, H, W], in real and imaginary parts.

    (C1) Both parts have the same shape.
    (C2) H and W are powers of two.
    (R1) Both results have that shape.
    """
    shape, same = equal_shapes(ctx, op.operands[:2], "C1", "the real and the imaginary part differ in shape")
    claims = _power_of_two_claims("C2", op, ranked_dims(shape, op.operands[0].name))
    return OpSemantics((Tensor(shape), Tensor(shape)), requires=(*same, *claims))


@rule("tosa.rfft2d", example=REDUCTIONS, effects=PURE)
def rfft2d(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The Fourier transform of [N, H, W] without an imaginary part.

    (C1) H and W are powers of two.
    (R1) Both results are [N, H, W / 2 + 1].
    """
    extents = _dims_of_rank(op, ctx, 0, 3)
    result = Tensor.of((extents[0], extents[1], floordiv(extents[2], dim(2)) + 1))
    return OpSemantics((result, result), requires=_power_of_two_claims("C1", op, extents))
