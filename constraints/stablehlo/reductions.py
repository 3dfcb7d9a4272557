"""Reductions, windows, sorting, batch normalization and linear algebra of the stablehlo dialect.

Reductions of small integer tensors are evaluated element by element, since programs compute shapes with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

from shapesolve.domain.values import Abstract, Element, Tensor
from shapesolve.ir.program import Operation, Region, ScalarType, ShapedType, Value
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Claim, OpSemantics, Results
from shapesolve.semantics.regions import GenericIteration, UnrolledLoop
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

from ..transfer.elements import combining_operation, constants
from ..transfer.extent_tensors import ranked_dims
from ..transfer.integers import element_type
from ..transfer.shape_checks import dilated_extent, equal_extents, equal_shapes, padded_extent, window_count
from ..transfer.strided_slices import integer_of
from .attributes import integers, paddings

REDUCTIONS = "tests/cases/stablehlo/reductions.mlir"
WINDOWS = "tests/cases/stablehlo/windows.mlir"
BATCHES = "tests/cases/stablehlo/batch_norm.mlir"


def scalar_region(ctx: RuleContext, region: Region) -> GenericIteration:
    """Return the execution of a region on arbitrary scalars, which may never run.

    MLIR's verifier also accepts such regions on larger tensors, but StableHLO does not define their semantics.

    Raises:
        UnknownValueError: An argument of the region is no scalar.
    """
    if any(isinstance(each.type, ShapedType) and each.type.rank != 0 for each in region.blocks[0].arguments):
        raise UnknownValueError("its region is not one on scalars")
    scalars = tuple(ctx.unknown(argument) for argument in region.blocks[0].arguments)
    why = "what the region is given, if it runs at all, is not followed"
    return GenericIteration(region=region, arguments=scalars, approximate=why)


def _inputs(op: Operation, ctx: RuleContext, count: int) -> tuple[tuple[Dim, ...], tuple[Claim, ...]]:
    shape, claims = equal_shapes(ctx, op.operands[:count], "C1", "the inputs' shapes differ")
    return ranked_dims(shape, op.operands[0].name), claims


def _results_of_shape(op: Operation, shape: Shape) -> tuple[Abstract, ...]:
    return tuple(Tensor(shape) for _ in op.results)


@rule("stablehlo.reduce", example=REDUCTIONS, effects=PURE)
def reduce(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds one or more tensors together along some dimensions.

    (C1) All inputs have the same shape.
    (R1) The results have the extents that are not folded.
    (R2) Small tensors of integers hold what the body makes of all that is folded, where that does not depend on the
    order, nor on how often the initial value takes part.
    """
    extents, claims = _inputs(op, ctx, len(op.results))
    folded = integers(op, "dimensions", 0, 0)
    shape = RankedShape.of(extent for index, extent in enumerate(extents) if index not in folded)
    known = _foldable(op, extents, ctx)
    return _folded(op, ctx, shape, claims, None if known is None else _reduced_elements(*known, folded))


def _folded(
    op: Operation,
    ctx: RuleContext,
    shape: Shape,
    claims: tuple[Claim, ...],
    groups: Iterable[list[Element]] | None,
) -> OpSemantics:
    """Return the semantics of a fold of each group of elements to one, in row-major order; None if they are unknown."""
    runs = None if groups is None else _loops(op, ctx, groups)
    if runs is None:
        return OpSemantics(_results_of_shape(op, shape), requires=claims, regions=(scalar_region(ctx, op.regions[0]),))
    results = Results(_results_of_shape(op, shape), compute=lambda yields: (Tensor(shape, _yielded_elements(yields)),))
    return OpSemantics(results, requires=claims, regions=runs)


@rule("stablehlo.map", example=REDUCTIONS, effects=PURE)
def map_(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A function of scalars, element by element.

    (C1) All inputs have the same shape.
    (R1) The result has that shape.
    """
    return _same_shape_semantics(op, ctx)


@rule("stablehlo.sort", example=REDUCTIONS, effects=PURE)
def sort(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Sorts one or more tensors together along a dimension.

    (C1) All inputs have the same shape.
    (R1) The results have that shape.
    """
    return _same_shape_semantics(op, ctx)


def _same_shape_semantics(op: Operation, ctx: RuleContext) -> OpSemantics:
    extents, claims = _inputs(op, ctx, len(op.operands))
    return OpSemantics(
        _results_of_shape(op, RankedShape.of(extents)), requires=claims, regions=(scalar_region(ctx, op.regions[0]),)
    )


@record
class _Windows:
    """Windows along each dimension: their extents, and the distances between windows, in them and in the input."""

    sizes: Sequence[int]
    strides: Sequence[int]
    gaps: Sequence[int]
    base: Sequence[int]
    padding: Sequence[tuple[int, int]]

    def counts(self, extents: Sequence[Dim]) -> list[Dim]:
        """Return the number of window positions along each dimension."""
        return [
            window_count(
                padded_extent(dilated_extent(extent, self.base[index]), *self.padding[index]),
                dilated_extent(dim(self.sizes[index]), self.gaps[index]),
                self.strides[index],
            )
            for index, extent in enumerate(extents)
        ]

    def groups(self, elements: Sequence[Element], extents: Sequence[int]) -> Iterator[list[Element]]:
        """Yield the elements in each window, both in row-major order; the padding is left out."""
        counts = [count.constant for count in self.counts(tuple(map(dim, extents)))]
        of_place = dict(zip(product(*map(range, extents)), elements, strict=True))
        for position in product(*map(range, counts)):
            places = (
                tuple(
                    divmod(at * stride + offset * gap - low, base)
                    for at, stride, offset, gap, (low, _), base in zip(
                        position, self.strides, offsets, self.gaps, self.padding, self.base, strict=True
                    )
                )
                for offsets in product(*map(range, self.sizes))
            )
            whole = (tuple(at for at, _ in place) for place in places if not any(rest for _, rest in place))
            yield [of_place[place] for place in whole if place in of_place]


def _windows(op: Operation, rank: int) -> _Windows:
    """Return the windows of an operation."""
    sizes = integers(op, "window_dimensions", rank, 1)
    strides, gaps = integers(op, "window_strides", rank, 1), integers(op, "window_dilations", rank, 1)
    return _Windows(sizes, strides, gaps, integers(op, "base_dilations", rank, 1), paddings(op, rank))


@rule("stablehlo.reduce_window", example=WINDOWS, effects=PURE)
def reduce_window(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds every window of one or more tensors.

    (C1) All inputs have the same shape.
    (R1) An extent of the results is how many windows fit into the dilated and padded input.
    (R2) Small tensors of integers hold what the body makes of each window, where that does not depend on the order, nor
    on how often the initial value takes part.
    """
    extents, claims = _inputs(op, ctx, len(op.results))
    windows = _windows(op, len(extents))
    shape, known = RankedShape.of(windows.counts(extents)), _foldable(op, extents, ctx)
    return _folded(op, ctx, shape, claims, None if known is None else windows.groups(*known))


@rule("stablehlo.select_and_scatter", example=WINDOWS, effects=PURE)
def select_and_scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Selects one element of every window, and adds a value from the source there.

    (C1) The source has one element a window.
    (R1) The result has the operand's shape.
    """
    extents, source = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    claims = tuple(
        Claim(
            "C1",
            places == extent,
            "the source does not have one element a window",
            shown=((f"windows in dimension {index}", places), (f"extent {index} of {op.operands[1].name}", extent)),
        )
        for index, (places, extent) in enumerate(zip(_windows(op, len(extents)).counts(extents), source, strict=True))
    )
    return OpSemantics(
        (Tensor.of(extents),), requires=claims, regions=tuple(scalar_region(ctx, each) for each in op.regions)
    )


# Normalisation -------------------------------------------------------------------------------------------------------


def _per_feature(op: Operation, ctx: RuleContext, vectors: Sequence[Value]) -> tuple[Shape, Dim, tuple[Claim, ...]]:
    """Return the operand's shape, its number of features, and clause C1 for each vector."""
    extents, feature = ctx.dims(op.operands[0]), integer_of(op, "feature_index")
    if not 0 <= feature < len(extents):
        raise UnknownValueError("which dimension holds the features is not known")
    known = (op.operands[0], feature, extents[feature])
    message = "a vector does not have one element a feature"
    claims = tuple(equal_extents("C1", message, (value, 0, ctx.dims(value)[0]), known) for value in vectors)
    return RankedShape.of(extents), extents[feature], claims


@rule("stablehlo.batch_norm_inference", example=BATCHES, effects=PURE)
def batch_norm_inference(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalises every feature with a known mean and variance.

    (C1) Scale, offset, mean and variance have one element a feature.
    (R1) The result has the operand's shape.
    """
    shape, _, claims = _per_feature(op, ctx, op.operands[1:])
    return OpSemantics((Tensor(shape),), requires=claims)


@rule("stablehlo.batch_norm_training", example=BATCHES, effects=PURE)
def batch_norm_training(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalises every feature over the batch.

    (C1) Scale and offset have one element a feature.
    (R1) The results are the operand's shape, and a mean and a variance for every feature.
    """
    shape, features, claims = _per_feature(op, ctx, op.operands[1:])
    vector = RankedShape.of((features,))
    return OpSemantics((Tensor(shape), Tensor(vector), Tensor(vector)), requires=claims)


@rule("stablehlo.batch_norm_grad", example=BATCHES, effects=PURE)
def batch_norm_grad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The gradients of a normalisation.

    (C1) Scale, mean and variance have one element a feature.
    (C2) The gradient of the output has the operand's shape.
    (R1) The results are the operand's shape, and a gradient of scale and offset for every feature.
    """
    _, features, claims = _per_feature(op, ctx, op.operands[1:4])
    operands = (op.operands[0], op.operands[4])
    shape, same = equal_shapes(ctx, operands, "C2", "the gradient's shape is not the operand's")
    vector = RankedShape.of((features,))
    return OpSemantics((Tensor(shape), Tensor(vector), Tensor(vector)), requires=(*claims, *same))


# Linear algebra ------------------------------------------------------------------------------------------------------


@rule("stablehlo.cholesky", example="tests/cases/stablehlo/linear_algebra.mlir", effects=PURE)
def cholesky(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The triangular factor of a batch of square matrices.

    (C1) The last two extents are equal.
    (R1) The result has the operand's shape.
    """
    extents = ctx.dims(op.operands[0])
    if len(extents) < 2:
        raise UnknownValueError("a matrix has two dimensions")
    last = len(extents) - 1
    claim = equal_extents(
        "C1",
        "the matrices are not square",
        (op.operands[0], last - 1, extents[-2]),
        (op.operands[0], last, extents[-1]),
    )
    return OpSemantics((Tensor.of(extents),), requires=(claim,))


@rule("stablehlo.triangular_solve", example="tests/cases/stablehlo/linear_algebra.mlir", effects=PURE)
def triangular_solve(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Solves a batch of equations with triangular matrices.

    (C1) The last two extents of the matrices are equal.
    (C2) The unknowns that the matrices multiply are as many as their rows.
    (C3) The batch extents are equal.
    (R1) The result has the second operand's shape.
    """
    a, b = op.operands
    left, right = ctx.dims(a), ctx.dims(b)
    if len(left) < 2 or len(left) != len(right):
        raise UnknownValueError("the matrices differ in rank")
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
    return OpSemantics((Tensor.of(right),), requires=claims)


@rule("stablehlo.fft", example="tests/cases/stablehlo/linear_algebra.mlir", effects=PURE)
def fourier_transform(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A discrete Fourier transform over the last dimensions.

    (C1) The last extents are the lengths of a transform of real numbers; for an inverse transform to them, the last is
    half of its length and one. A transform from complex to complex numbers demands nothing.
    (R1) The result has the operand's extents; the last is half of its length and one for a transform of real numbers,
    and its length for an inverse transform to them.
    """
    extents = list(ctx.dims(op.operands[0]))
    lengths = integers(op, "fft_length", 0, 0)
    kind = str(op.attributes.get("fft_type")).rpartition(" ")[2].rstrip(">')")
    if kind not in ("FFT", "IFFT", "RFFT", "IRFFT") or not 0 < len(lengths) <= len(extents):
        raise UnknownValueError("the kind of the transform is not known")
    if min(lengths) < 0:
        raise UnknownValueError("a length of the transform is negative")
    first = len(extents) - len(lengths)
    wanted = list(lengths)
    if kind == "IRFFT":
        wanted[-1] = lengths[-1] // 2 + 1 if lengths[-1] else 0
    shown = tuple(
        (f"extent {first + index} of {op.operands[0].name}", extents[first + index]) for index in range(len(lengths))
    )
    claims = tuple(
        Claim("C1", extents[first + index] == length, "an extent is not the transform's length", shown=(shown[index],))
        for index, length in enumerate(wanted if "RFFT" in kind else ())
    )
    if kind == "RFFT":
        extents[-1] = dim(lengths[-1] // 2 + 1 if lengths[-1] else 0)
    elif kind == "IRFFT":
        extents[-1] = dim(lengths[-1])
    return OpSemantics((Tensor.of(extents),), requires=claims)


_MOST_ELEMENTS = 16
"""The most elements of an input, or of a result, that are followed."""

_MOST_FOLDED = 64
"""The most elements that are folded, each as often as it is in a window."""


def _foldable(
    op: Operation, extents: Sequence[Dim], ctx: RuleContext
) -> tuple[Sequence[Element], Sequence[int]] | None:
    """Return the elements and extents of an input whose elements the operation may fold in any order.

    The specification leaves open the order, and how often the initial value takes part, if at all: so the body must be
    a known associative and commutative operation on integers, of which the initial value is the identity.

    Returns:
        None if that does not hold, or elements are unknown or too many.
    """
    numbers, elements = constants(extents), ctx.elements(op.operands[0])
    if len(op.results) != 1 or numbers is None or elements is None or len(elements) != prod(numbers):
        return None
    if not 1 <= len(elements) <= _MOST_ELEMENTS or not _is_identity(ctx.elements(op.operands[1]), op):
        return None
    return elements, numbers


def _loops(op: Operation, ctx: RuleContext, groups: Iterable[list[Element]]) -> tuple[UnrolledLoop, ...] | None:
    """Return one loop per element of the result over what is folded to it, or None if that is too much."""
    (initial,) = ctx.elements(op.operands[1]) or (None,)
    found: list[UnrolledLoop] = []
    left = _MOST_FOLDED
    for group in groups:
        left -= len(group)
        if left < 0 or initial is None:
            return None
        first, *rest = group or [initial]
        trips = tuple((_scalar(each),) for each in rest)
        found.append(UnrolledLoop(region=op.regions[0], trips=trips, carries=(_scalar(first),)))
    return tuple(found) if len(found) <= _MOST_ELEMENTS else None


def _yielded_elements(yields: Sequence[tuple[Abstract, ...] | None]) -> tuple[Element, ...] | None:
    """Return the elements that the loops yield, or None if one is unknown."""
    found: list[Element] = []
    for each in yields:
        last = each[0] if each is not None and len(each) == 1 else None
        if not isinstance(last, Tensor) or last.elements is None or len(last.elements) != 1:
            return None
        found.append(last.elements[0])
    return tuple(found)


def _scalar(element: Element) -> Tensor:
    return Tensor.of((), (element,))


def _is_identity(start: tuple[Element, ...] | None, op: Operation) -> bool:
    """Return whether the initial value is the identity of the operation in the body."""
    type = element_type(op.results[0].type)
    name = combining_operation(op)
    if start is None or len(start) != 1 or name is None or type.kind != "integer" or type.text.startswith("ui"):
        return False
    (value,) = start
    if isinstance(value, Formula):
        return value is {"stablehlo.and": TRUE, "stablehlo.or": FALSE}.get(name)
    return isinstance(value, Dim) and not type.is_boolean and value is _identity(name, type)


def _identity(name: str, type: ScalarType) -> Dim | None:
    """Return the identity of an operation on signed integers of this type, or None."""
    least, most = -(2 ** (type.width - 1)), 2 ** (type.width - 1) - 1
    found = {"add": 0, "multiply": 1, "maximum": least, "minimum": most, "and": -1, "or": 0}
    number = found.get(name.removeprefix("stablehlo."))
    return None if number is None else dim(number)


def _reduced_elements(
    elements: Sequence[Element], extents: Sequence[int], folded: Sequence[int]
) -> Iterator[list[Element]]:
    """Yield the elements reduced to each element of the result, both in row-major order."""
    groups: dict[tuple[int, ...], list[Element]] = {}
    for place, element in zip(product(*map(range, extents)), elements, strict=True):
        kept = tuple(at for index, at in enumerate(place) if index not in folded)
        groups.setdefault(kept, []).append(element)
    return iter(groups.values())
