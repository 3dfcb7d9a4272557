"""Sequences of tensors in ONNX, where it is known how many there are, and vectors of random length."""

from __future__ import annotations

from shapesolve.domain.values import Abstract, ListValue, NoneValue, Tensor, UnknownValue
from shapesolve.ir.program import Operation, Value
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, ceildiv, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, equal, less_than
from shapesolve.symbolic.normal_forms import choose, minimum
from shapesolve.symbolic.shape_kinds import RankedShape

from ..torch.operands import always_raises, check, extent_pairs
from .nodes import axis, integer_attribute, operand

EXAMPLE = "tests/cases/onnx/sequences.mlir"
_MOST = 64
"""Largest number of tensors of a sequence that is followed."""


@record
class _Parts:
    """Parts of a tensor, as many as it takes: all of one size along an axis but the last, which may be smaller.

    Attributes:
        extents: The extents of the tensor.
        axis: The axis.
        size: The size.
        keeps: Whether parts have the axis; then each has one element along it otherwise.
    """

    extents: tuple[Dim, ...]
    axis: int
    size: Dim
    keeps: bool

    @property
    def count(self) -> Dim:
        """The number of parts."""
        return ceildiv(self.extents[self.axis], self.size)

    def part(self, at: Dim) -> Tensor:
        """Return the part in a place, counted from the front."""
        extent = minimum(self.size, self.extents[self.axis] - at * self.size)
        return Tensor.of([*self.extents[: self.axis], *([extent] * self.keeps), *self.extents[self.axis + 1 :]])


def _parts(ctx: RuleContext, value: Value) -> _Parts | None:
    """Return the parts that a sequence is, None if it is another one."""
    op = ctx.producer(value)
    if op is None or op.name != "onnx.SplitToSequence" or isinstance(ctx.value(value), ListValue):
        return None
    sizes, extents = operand(op, ctx, 1), ctx.dims(op.operands[0])
    at, size = axis(integer_attribute(op, "axis", 0), len(extents)), dim(1)
    if sizes is not None:
        if ctx.dims(sizes):
            return None
        (size,) = ctx.integers(sizes)
        if size.is_constant and size.constant < 1:
            return None
    return _Parts(extents, at, size, sizes is not None or bool(integer_attribute(op, "keepdims", 1)))


def _tensors(ctx: RuleContext, value: Value) -> tuple[Tensor, ...]:
    found = ctx.value(value)
    if not isinstance(found, ListValue):
        raise UnknownValueError(f"how many tensors {value.name} holds is not followed")
    tensors = tuple(each for each in found.items if isinstance(each, Tensor))
    if len(tensors) != len(found.items):
        raise UnknownValueError(f"{value.name} holds other things than tensors")
    return tensors


def _place(op: Operation, ctx: RuleContext, position: int, count: int) -> int | None:
    """Return a place in a sequence, counted from the front, None if it is none of these."""
    (number,) = ctx.integers(op.operands[position])
    if not number.is_constant:
        raise UnknownValueError("which tensor of the sequence it is, is computed, and not followed")
    at = number.constant
    return at % count if -count <= at < count else None


def _no_place(op: Operation, count: int) -> OpSemantics:
    return always_raises(op, "C1", f"the sequence has {count} tensors, and none in this place")


@rule("onnx.SequenceConstruct", "onnx.SequenceEmpty", example=EXAMPLE, effects=STOPS)
def sequence(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A sequence of the operands.

    (R1) The result holds them in order.
    """
    return OpSemantics((ListValue(tuple(ctx.tensor(each) for each in op.operands)),))


@rule("onnx.SequenceLength", example=EXAMPLE, effects=STOPS)
def length(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of tensors of a sequence.

    (R1) The result is a scalar that holds it.
    """
    parts = _parts(ctx, op.operands[0])
    count = dim(len(_tensors(ctx, op.operands[0]))) if parts is None else parts.count
    return OpSemantics((Tensor.of([], (count,)),))


@rule("onnx.SequenceAt", example=EXAMPLE, effects=STOPS)
def tensor_in_sequence(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One tensor of a sequence; negative places count from the end.

    (C1) The sequence has a tensor in this place.
    (R1) The result is this tensor.
    """
    parts = _parts(ctx, op.operands[0])
    if parts is not None:
        (number,) = ctx.integers(op.operands[1])
        is_there = conjunction((at_least(number, -parts.count), less_than(number, parts.count)))
        shown = (("tensors", parts.count), ("place", number))
        claim = check("C1", is_there, "the sequence has no tensor in this place", shown)
        place = choose(at_least(number, 0), number, number + parts.count)
        return OpSemantics((parts.part(place),), requires=(claim,))
    tensors = _tensors(ctx, op.operands[0])
    at = _place(op, ctx, 1, len(tensors))
    return _no_place(op, len(tensors)) if at is None else OpSemantics((tensors[at],))


@rule("onnx.SequenceInsert", "onnx.SequenceErase", example=EXAMPLE, effects=STOPS)
def changed_sequence(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A sequence with one more tensor, or with one less: at the end, or in a place.

    (C1) The sequence has this place; a tensor may also be inserted behind the last one.
    (R1) The result holds the other tensors in order.
    """
    tensors = _tensors(ctx, op.operands[0])
    inserts = op.name == "onnx.SequenceInsert"
    position, count = (2, len(tensors) + 1) if inserts else (1, len(tensors))
    at: int | None = count - 1
    if operand(op, ctx, position) is not None:
        (number,) = ctx.integers(op.operands[position])
        if inserts and number.is_constant and number.constant < 0:
            count -= 1  # a place from the end is one of the tensors that are there
        at = _place(op, ctx, position, count)
    if at is None or not count:
        return _no_place(op, len(tensors))
    new: tuple[Abstract, ...] = (ctx.tensor(op.operands[1]),) if inserts else ()
    return OpSemantics((ListValue((*tensors[:at], *new, *tensors[at + (not inserts) :])),))


@rule("onnx.ConcatFromSequence", example=EXAMPLE, effects=STOPS)
def concatenated(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The tensors of a sequence one behind the other along an axis, or along a new one.

    (C1) There are tensors, all of the same rank.
    (C2) They have the same extents, except along the axis unless it is new.
    (R1) The result has the sum of the extents along the axis, or as many as there are tensors along the new one.
    """
    parts = _parts(ctx, op.operands[0])
    if parts is not None:
        return _whole(op, parts)
    every = [each.shape.dims for each in _tensors(ctx, op.operands[0]) if isinstance(each.shape, RankedShape)]
    if len(every) != len(_tensors(ctx, op.operands[0])):
        raise UnknownValueError("a tensor has no known rank")
    if not every or any(len(each) != len(every[0]) for each in every):
        return always_raises(op, "C1", "there are no tensors, or tensors of different ranks")
    is_new, first = bool(integer_attribute(op, "new_axis", 0)), every[0]
    at = axis(integer_attribute(op, "axis", 0), len(first), ends_at_rank=is_new)
    claims: list[Claim] = []
    for number, other in enumerate(every[1:], 1):
        same = conjunction(
            equal(a, b) for index, (a, b) in enumerate(zip(first, other, strict=True)) if is_new or index != at
        )
        shown = (*extent_pairs("tensor 0", first), *extent_pairs(f"tensor {number}", other))
        claims.append(check("C2", same, f"the extents of tensor {number} are not those of tensor 0", shown))
    total: Dim = dim(len(every)) if is_new else sum((each[at] for each in every), dim(0))
    result = [*first[:at], total, *first[at if is_new else at + 1 :]]
    return OpSemantics((Tensor.of(result),), requires=claims)


def _whole(op: Operation, parts: _Parts) -> OpSemantics:
    """Return the semantics of putting the parts of a tensor together again."""
    is_new = bool(integer_attribute(op, "new_axis", 0))
    at = axis(integer_attribute(op, "axis", 0), len(parts.extents) - (not parts.keeps), ends_at_rank=is_new)
    some = check("C1", at_least(parts.count, 1), "there are no tensors", (("tensors", parts.count),))
    if not is_new and parts.keeps and at == parts.axis:
        return OpSemantics((Tensor.of(parts.extents),), requires=(some,))
    last, first = parts.part(parts.count - 1).shape, parts.part(dim(0)).shape
    assert isinstance(last, RankedShape) and isinstance(first, RankedShape)
    alike = conjunction(equal(a, b) for a, b in zip(first.dims, last.dims, strict=True))
    same = check("C2", alike, "the last tensor has other extents", extent_pairs("the last", last.dims))
    middle = [parts.count] if is_new else [first.dims[at] * parts.count]
    result = [*first.dims[:at], *middle, *first.dims[at if is_new else at + 1 :]]
    return OpSemantics((Tensor.of(result),), requires=(some, same))


@rule("onnx.SplitToSequence", example=EXAMPLE, effects=STOPS)
def split_sequence(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Parts of a tensor along an axis: of given sizes, of one size but the last, or single elements.

    (C1) The sizes sum up to the extent.
    (C3) The one size is positive.
    (R1) The result holds the parts in order.
    """
    source, sizes = op.operands[0], operand(op, ctx, 1)
    extents = ctx.dims(source)
    at = axis(integer_attribute(op, "axis", 0), len(extents))
    claims: list[Claim] = []
    parts: list[Dim]
    keeps = sizes is not None or bool(integer_attribute(op, "keepdims", 1))
    if sizes is not None and ctx.dims(sizes):
        parts = list(ctx.integers(sizes))
        total = sum(parts, dim(0))
        shown = ((f"extent {at} of {source.name}", extents[at]), ("sum", total))
        if any(not each.is_constant or each.constant < 0 for each in parts):
            raise UnknownValueError("the sizes are computed or negative, and not followed")
        claims.append(check("C1", equal(total, extents[at]), "the sizes do not sum up to the extent", shown))
    else:
        size = ctx.integers(sizes)[0] if sizes is not None else dim(1)
        positive = check("C3", at_least(size, 1), "the size of the parts is not positive", (("size", size),))
        is_known = size.is_constant and size.constant > 0 and extents[at].is_constant
        whole, rest = divmod(extents[at].constant, size.constant) if is_known else (0, 0)
        if not is_known or whole > _MOST:
            return OpSemantics((UnknownValue(),), requires=(positive,))
        parts = [size] * whole + [dim(rest)] * bool(rest)
    found = [Tensor.of([*extents[:at], *([each] if keeps else []), *extents[at + 1 :]]) for each in parts]
    return OpSemantics((ListValue(tuple(found)),), requires=claims)


@rule("onnx.Optional", "onnx.OptionalGetElement", example=EXAMPLE, effects=STOPS)
def optional(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor or sequence that may be missing, or the one that is there.

    (C1) Where it is taken, it is there.
    (R1) The result is the operand, or nothing.
    """
    given = operand(op, ctx, 0)
    if given is not None:
        return OpSemantics((_present(ctx, given),))
    if op.name == "onnx.OptionalGetElement":
        return always_raises(op, "C1", "there is no element")
    return OpSemantics((NoneValue(),))


@rule("onnx.OptionalHasElement", example=EXAMPLE, effects=STOPS)
def has_element(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Presence of a tensor or sequence that may be missing.

    (R1) The result is a truth value.
    """
    given = operand(op, ctx, 0)
    if given is not None:
        _present(ctx, given)
    return OpSemantics((Tensor.of((), (FALSE if given is None else TRUE,)),))


def _present(ctx: RuleContext, given: Value) -> Tensor | ListValue:
    found = ctx.value(given)
    if not isinstance(found, Tensor | ListValue):
        raise UnknownValueError(f"whether {given.name} is there is not known")
    return found
