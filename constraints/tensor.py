"""Tensors: making them, their sizes, casts."""

from __future__ import annotations

from math import prod

from shapesolve.language.dims import ONE, ZERO, Dim
from shapesolve.language.formulas import TRUE, Formula, at_least, conjunction, less_than
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, ScalarType, ShapedType, Type
from shapesolve.walking.effects import ANY_RESULT, PURE
from shapesolve.walking.region_runs import Every
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, Simpler, rule
from shapesolve.walking.values import Element, Float, Tensor

from .copies import same_elements
from .extents import borne_by_cast, extent_of, not_negative
from .extents import cast as cast_shape
from .operand_lists import declared_with
from .row_major import small_extents


def holds_integers(type: Type) -> bool:
    """Whether a shaped type's elements are integers, or an element type is one."""
    element = type.element if isinstance(type, ShapedType) else type
    return isinstance(element, ScalarType) and element.kind != "float"


@rule("tensor.yield", example="tests/cases/tensor/generate.mlir", effects=PURE)
def yields(op: Operation, see: RuleContext) -> Meaning:
    """Ends the region of a tensor operation with the value of one element."""
    return Meaning()


@rule("tensor.empty", example="tests/cases/tensor/empty.mlir", effects=ANY_RESULT)
def empty(op: Operation, see: RuleContext) -> Meaning:
    """A tensor of the given sizes with unspecified contents.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    """
    extents = declared_with(see, op.results[0], op.operands)
    return Meaning((Tensor(RankedShape.of(extents)),), claims=not_negative(extents), is_undefined=True, bears=())


@rule("tensor.dim", example="tests/cases/tensor/dim.mlir", effects=PURE)
def extent(op: Operation, see: RuleContext) -> Meaning:
    """The size of one dimension.

    (C1) The index is at least 0 and below the rank.
    (R1) The result is the extent of that dimension.
    """
    return extent_of(op, see)


@rule("tensor.rank", example="tests/cases/tensor/dim.mlir", effects=PURE)
def rank(op: Operation, see: RuleContext) -> Meaning:
    """The number of dimensions.

    (R1) The result is the rank.
    """
    return Meaning((see.shape(op.operands[0]).rank,))


@rule("tensor.cast", "tensor.bitcast", example="tests/cases/tensor/cast.mlir", effects=PURE)
def cast(op: Operation, see: RuleContext) -> Meaning:
    """The same tensor under another type. Nothing is checked when the program runs: the type is believed.

    (C1) The operand has the rank of the result's type.
    (C2) The operand has every extent that the result's type states.
    (R1) The result has the shape and the elements of the operand.
    """
    (operand,) = op.operands
    tensor = see.tensor(operand)
    declared = see.declared(op.results[0])
    shape, claims = cast_shape(tensor.shape, operand, declared)
    bears = borne_by_cast(tensor.shape, operand, declared)
    simpler = Simpler(copies=((operand, TRUE),) if same_elements(operand, op.results[0]) else ())
    if holds_integers(operand.type) != holds_integers(op.results[0].type) or _reads_other_floats(op):
        return Meaning((Tensor(shape),), claims=claims, bears=bears, simpler=simpler)
    elements = tensor.elements
    count = shape.dims[0] if isinstance(shape, RankedShape) and shape.dims else None
    if elements is None and tensor.spells is not None and count is not None and count.is_constant:
        elements = tuple(tensor.spelled_element(count - 1 - number) for number in range(count.constant))
    between = tensor.between if operand.type == op.results[0].type or op.name == "tensor.cast" else None
    return Meaning(
        (Tensor(shape, elements, tensor.spells, between=between, signs=tensor.signs),),
        claims=claims,
        bears=bears,
        simpler=simpler,
    )


def _reads_other_floats(op: Operation) -> bool:
    """Whether the bits of floats are read as floats of another type."""
    before, after = (value.type.element for value in (*op.operands, *op.results) if isinstance(value.type, ShapedType))
    return not holds_integers(before) and before != after


@rule("tensor.from_elements", example="tests/cases/tensor/elements.mlir", effects=PURE)
def from_elements(op: Operation, see: RuleContext) -> Meaning:
    """A tensor of the given elements in row-major order.

    (R1) The result has the declared shape, which is static, and these elements.
    """
    elements = [see.value(operand) for operand in op.operands]
    known = tuple(element for element in elements if isinstance(element, Dim | Formula | Float))
    kept: tuple[Element, ...] | None = known if len(known) == len(elements) else None
    return Meaning((Tensor(RankedShape.of(declared_with(see, op.results[0], ())), kept),))


@rule("tensor.splat", example="tests/cases/tensor/elements.mlir", effects=PURE)
def splat(op: Operation, see: RuleContext) -> Meaning:
    """A tensor that holds one value everywhere.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    """
    value = see.value(op.operands[0])
    extents = declared_with(see, op.results[0], op.operands[1:])
    small = small_extents(extents)
    elements = (value,) * prod(small) if small is not None and isinstance(value, Dim | Formula | Float) else None
    return Meaning((Tensor(RankedShape.of(extents), elements),), claims=not_negative(extents), bears=())


@rule("tensor.generate", example="tests/cases/tensor/generate.mlir", effects=PURE)
def generate(op: Operation, see: RuleContext) -> Meaning:
    """A tensor whose elements the region computes from their position.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    (R2) The region runs once for every position, so not at all where a size is 0.
    """
    extents = declared_with(see, op.results[0], op.operands)
    run = over_positions(op, see, extents)
    return Meaning((Tensor(RankedShape.of(extents)),), claims=not_negative(extents), regions=(run,), bears=())


def over_positions(op: Operation, see: RuleContext, extents: tuple[Dim, ...], *, always: bool = True) -> Every:
    """The run of a region for the positions of a tensor: for each of them with ``always``, else for some or none."""
    region = op.regions[0]
    arguments = region.blocks[0].arguments
    names = (argument.name.lstrip("%") for argument in arguments)
    if always:
        indices = tuple(see.every(each, (ZERO, size, ONE)) for each, size in zip(names, extents, strict=True))
    else:
        indices = tuple(map(see.fresh, names))
    inside = conjunction(less_than(index, extent) for index, extent in zip(indices, extents, strict=True))
    runs = conjunction(at_least(extent, 1) for extent in extents) if always else None
    because = f"at a position of {op.results[0].name}"
    return Every(region=region, arguments=indices, condition=inside, because=because, runs=runs)
