"""StableHLO's folds: reductions, windows, sorting, and normalisation over a batch."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, dim
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.reading.program import Operation, Region, ShapedType, Value
from shapesolve.walking.effects import PURE
from shapesolve.walking.region_runs import Every
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Abstract, Tensor

from .agreement import equal_extents, equal_shapes
from .extent_tensors import ranked_dims
from .operand_lists import integer_of
from .stablehlo_attributes import integers, pairs
from .stablehlo_contents import folds, joined
from .windows import dilated, padded, window_places

REDUCTIONS = "tests/cases/stablehlo/reductions.mlir"
WINDOWS = "tests/cases/stablehlo/windows.mlir"
BATCHES = "tests/cases/stablehlo/batch_norm.mlir"


def body(see: RuleContext, region: Region) -> Every:
    """A region on scalars that may be any, and that may never run.

    MLIR's verifier takes regions of reductions on larger tensors, too; StableHLO does not say what these mean.
    """
    if any(isinstance(each.type, ShapedType) and each.type.rank != 0 for each in region.blocks[0].arguments):
        raise CannotSee("its region is not one on scalars")
    scalars = tuple(see.unknown(argument) for argument in region.blocks[0].arguments)
    why = "what the region is given, if it runs at all, is not followed"
    return Every(region=region, arguments=scalars, approximate=why)


def _inputs(op: Operation, see: RuleContext, count: int) -> tuple[tuple[Dim, ...], tuple[Claim, ...]]:
    shape, claims = equal_shapes(see, op.operands[:count], "C1", "the inputs' shapes differ")
    return ranked_dims(shape, op.operands[0].name), claims


def _each(op: Operation, shape: Shape) -> tuple[Abstract, ...]:
    return tuple(Tensor(shape) for _ in op.results)


@rule("stablehlo.reduce", example=REDUCTIONS, effects=PURE)
def reduce(op: Operation, see: RuleContext) -> Meaning:
    """Folds one or more tensors together along some dimensions.

    (C1) All inputs have the same shape.
    (R1) The results have the extents that are not folded.
    (R2) Small tensors of integers hold what the body makes of all that is folded, where that does not depend on the
    order, nor on how often the initial value takes part.
    """
    extents, claims = _inputs(op, see, len(op.results))
    folded = integers(op, "dimensions", 0, 0)
    shape = RankedShape.of(extent for index, extent in enumerate(extents) if index not in folded)
    runs = folds(op, extents, folded, see)
    if runs is not None:
        return Meaning(
            _each(op, shape), claims=claims, regions=runs, finish=lambda yields: (Tensor(shape, joined(yields)),)
        )
    return Meaning(_each(op, shape), claims=claims, regions=(body(see, op.regions[0]),))


@rule("stablehlo.map", example=REDUCTIONS, effects=PURE)
def map_(op: Operation, see: RuleContext) -> Meaning:
    """A function of scalars, element by element.

    (C1) All inputs have the same shape.
    (R1) The result has that shape.
    """
    extents, claims = _inputs(op, see, len(op.operands))
    return Meaning(_each(op, RankedShape.of(extents)), claims=claims, regions=(body(see, op.regions[0]),))


@rule("stablehlo.sort", example=REDUCTIONS, effects=PURE)
def sort(op: Operation, see: RuleContext) -> Meaning:
    """Sorts one or more tensors together along a dimension.

    (C1) All inputs have the same shape.
    (R1) The results have that shape.
    """
    extents, claims = _inputs(op, see, len(op.operands))
    return Meaning(_each(op, RankedShape.of(extents)), claims=claims, regions=(body(see, op.regions[0]),))


def _windows(op: Operation, extents: Sequence[Dim]) -> list[Dim]:
    rank = len(extents)
    sizes = integers(op, "window_dimensions", rank, 1)
    strides, gaps = integers(op, "window_strides", rank, 1), integers(op, "window_dilations", rank, 1)
    base, padding = integers(op, "base_dilations", rank, 1), pairs(op, "padding", rank)
    return [
        window_places(
            padded(dilated(extent, base[index]), *padding[index]),
            dilated(dim(sizes[index]), gaps[index]),
            strides[index],
        )
        for index, extent in enumerate(extents)
    ]


@rule("stablehlo.reduce_window", example=WINDOWS, effects=PURE)
def reduce_window(op: Operation, see: RuleContext) -> Meaning:
    """Folds every window of one or more tensors.

    (C1) All inputs have the same shape.
    (R1) An extent of the results is how many windows fit into the dilated and padded input.
    """
    extents, claims = _inputs(op, see, len(op.results))
    return Meaning(_each(op, RankedShape.of(_windows(op, extents))), claims=claims, regions=(body(see, op.regions[0]),))


@rule("stablehlo.select_and_scatter", example=WINDOWS, effects=PURE)
def select_and_scatter(op: Operation, see: RuleContext) -> Meaning:
    """Selects one element of every window, and adds a value from the source there.

    (C1) The source has one element a window.
    (R1) The result has the operand's shape.
    """
    extents, source = see.dims(op.operands[0]), see.dims(op.operands[1])
    claims = tuple(
        Claim(
            "C1",
            places == extent,
            "the source does not have one element a window",
            shown=((f"windows in dimension {index}", places), (f"extent {index} of {op.operands[1].name}", extent)),
        )
        for index, (places, extent) in enumerate(zip(_windows(op, extents), source, strict=True))
    )
    return Meaning(
        (Tensor(RankedShape.of(extents)),), claims=claims, regions=tuple(body(see, each) for each in op.regions)
    )


# Normalisation -------------------------------------------------------------------------------------------------------


def _per_feature(op: Operation, see: RuleContext, vectors: Sequence[Value]) -> tuple[Shape, Dim, tuple[Claim, ...]]:
    """The operand's shape, its number of features, and clause C1 for each vector."""
    extents, feature = see.dims(op.operands[0]), integer_of(op, "feature_index")
    if not 0 <= feature < len(extents):
        raise CannotSee("which dimension holds the features is not known")
    known = (op.operands[0], feature, extents[feature])
    message = "a vector does not have one element a feature"
    claims = tuple(equal_extents("C1", message, (value, 0, see.dims(value)[0]), known) for value in vectors)
    return RankedShape.of(extents), extents[feature], claims


@rule("stablehlo.batch_norm_inference", example=BATCHES, effects=PURE)
def batch_norm_inference(op: Operation, see: RuleContext) -> Meaning:
    """Normalises every feature with a known mean and variance.

    (C1) Scale, offset, mean and variance have one element a feature.
    (R1) The result has the operand's shape.
    """
    shape, _, claims = _per_feature(op, see, op.operands[1:])
    return Meaning((Tensor(shape),), claims=claims)


@rule("stablehlo.batch_norm_training", example=BATCHES, effects=PURE)
def batch_norm_training(op: Operation, see: RuleContext) -> Meaning:
    """Normalises every feature over the batch.

    (C1) Scale and offset have one element a feature.
    (R1) The results are the operand's shape, and a mean and a variance for every feature.
    """
    shape, features, claims = _per_feature(op, see, op.operands[1:])
    vector = RankedShape.of((features,))
    return Meaning((Tensor(shape), Tensor(vector), Tensor(vector)), claims=claims)


@rule("stablehlo.batch_norm_grad", example=BATCHES, effects=PURE)
def batch_norm_grad(op: Operation, see: RuleContext) -> Meaning:
    """The gradients of a normalisation.

    (C1) Scale, mean and variance have one element a feature.
    (C2) The gradient of the output has the operand's shape.
    (R1) The results are the operand's shape, and a gradient of scale and offset for every feature.
    """
    _, features, claims = _per_feature(op, see, op.operands[1:4])
    operands = (op.operands[0], op.operands[4])
    shape, same = equal_shapes(see, operands, "C2", "the gradient's shape is not the operand's")
    vector = RankedShape.of((features,))
    return Meaning((Tensor(shape), Tensor(vector), Tensor(vector)), claims=(*claims, *same))


# Linear algebra ------------------------------------------------------------------------------------------------------


@rule("stablehlo.cholesky", example="tests/cases/stablehlo/linear_algebra.mlir", effects=PURE)
def cholesky(op: Operation, see: RuleContext) -> Meaning:
    """The triangular factor of a batch of square matrices.

    (C1) The last two extents are equal.
    (R1) The result has the operand's shape.
    """
    extents = see.dims(op.operands[0])
    if len(extents) < 2:
        raise CannotSee("a matrix has two dimensions")
    last = len(extents) - 1
    claim = equal_extents(
        "C1",
        "the matrices are not square",
        (op.operands[0], last - 1, extents[-2]),
        (op.operands[0], last, extents[-1]),
    )
    return Meaning((Tensor(RankedShape.of(extents)),), claims=(claim,))


@rule("stablehlo.triangular_solve", example="tests/cases/stablehlo/linear_algebra.mlir", effects=PURE)
def triangular_solve(op: Operation, see: RuleContext) -> Meaning:
    """Solves a batch of equations with triangular matrices.

    (C1) The last two extents of the matrices are equal.
    (C2) The unknowns that the matrices multiply are as many as their rows.
    (C3) The batch extents are equal.
    (R1) The result has the second operand's shape.
    """
    a, b = op.operands
    left, right = see.dims(a), see.dims(b)
    if len(left) < 2 or len(left) != len(right):
        raise CannotSee("the matrices differ in rank")
    last = len(left) - 1
    side = last - 1 if op.attributes.get("left_side") is True else last
    claims = [
        equal_extents("C1", "the matrices are not square", (a, last - 1, left[-2]), (a, last, left[-1])),
        equal_extents(
            "C2", "the matrices do not match the right-hand side", (a, last, left[-1]), (b, side, right[side])
        ),
    ]
    for index in range(last - 1):
        claims.append(
            equal_extents("C3", "the batch extents differ", (a, index, left[index]), (b, index, right[index]))
        )
    return Meaning((Tensor(RankedShape.of(right)),), claims=tuple(claims))


@rule("stablehlo.fft", example="tests/cases/stablehlo/linear_algebra.mlir", effects=PURE)
def fourier_transform(op: Operation, see: RuleContext) -> Meaning:
    """A discrete Fourier transform over the last dimensions.

    (C1) The last extents are the transform's lengths; for an inverse transform to real numbers, the last of them is
    half of its length and one.
    (R1) The result has the operand's extents; the last is half of its length and one for a transform of real numbers,
    and its length for an inverse transform to them.
    """
    extents = list(see.dims(op.operands[0]))
    lengths = integers(op, "fft_length", 0, 0)
    kind = str(op.attributes.get("fft_type")).rpartition(" ")[2].rstrip(">')")
    if kind not in ("FFT", "IFFT", "RFFT", "IRFFT") or not 0 < len(lengths) <= len(extents):
        raise CannotSee("the kind of the transform is not known")
    if min(lengths) < 0:
        raise CannotSee("a length of the transform is negative")
    first = len(extents) - len(lengths)
    wanted = list(lengths)
    if kind == "IRFFT":
        wanted[-1] = lengths[-1] // 2 + 1 if lengths[-1] else 0
    shown = tuple(
        (f"extent {first + index} of {op.operands[0].name}", extents[first + index]) for index in range(len(lengths))
    )
    claims = tuple(
        Claim("C1", extents[first + index] == length, "an extent is not the transform's length", shown=(shown[index],))
        for index, length in enumerate(wanted)
    )
    if kind == "RFFT":
        extents[-1] = dim(lengths[-1] // 2 + 1 if lengths[-1] else 0)
    elif kind == "IRFFT":
        extents[-1] = dim(lengths[-1])
    return Meaning((Tensor(RankedShape.of(extents)),), claims=claims)
