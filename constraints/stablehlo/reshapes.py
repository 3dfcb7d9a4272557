"""Broadcasts, reshapes, permutations, constants, random numbers and extents of the stablehlo dialect."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Element, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, PURE
from shapesolve.semantics.op_semantics import Approximations, Assumes, Claim, OpSemantics, Requires, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal
from shapesolve.trace.trust import NO_SIZE_WRAPS

from ..transfer.elements import gather_elements, index_tuples, small_extents
from ..transfer.extent_tensors import constant_tensor
from ..transfer.integers import element_type, word_result, wrapped
from ..transfer.shape_checks import all_non_negative, contents, equal_counts
from .attributes import integers, keyword

BROADCASTS = "tests/cases/stablehlo/broadcasts.mlir"
RESHAPES = "tests/cases/stablehlo/reshapes.mlir"


def broadcast_claim(
    clause: str, operand: str, extents: Sequence[Dim], result: Sequence[Dim], places: Sequence[int]
) -> Claim:
    """Return the claim that every extent is 1 or that of its dimension in the result."""
    fits: list[tuple[int, Dim, int, Dim]] = [
        (index, extent, place, result[place]) for index, (extent, place) in enumerate(zip(extents, places, strict=True))
    ]
    formula = conjunction(disjunction((equal(extent, 1), equal(extent, wanted))) for _, extent, _, wanted in fits)
    shown = tuple(
        pair
        for index, extent, place, wanted in fits
        for pair in ((f"extent {index} of {operand}", extent), (f"extent {place} of the result", wanted))
    )
    return Claim(clause, formula, "an extent is neither 1 nor the result's", shown=shown)


def _broadcast_elements(
    elements: tuple[Element, ...] | None, extents: Sequence[Dim], result: Sequence[Dim], places: Sequence[int]
) -> tuple[Element, ...] | None:
    """Return the elements of a broadcast, or None if extents or elements are unknown."""
    if not all(extent.is_constant for extent in extents):
        return None
    return gather_elements(
        elements,
        extents,
        result,
        lambda index: [0 if e.constant == 1 else index[place] for e, place in zip(extents, places, strict=True)],
    )


@rule("stablehlo.broadcast_in_dim", example=BROADCASTS, effects=PURE)
def broadcast_in_dim(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor repeated along new dimensions and along those where it has extent 1.

    (C1) Every extent of the operand is 1 or the result's extent in the dimension it is mapped to.
    (R1) The result has the declared shape.
    """
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    places = integers(op, "broadcast_dimensions", len(extents), 0)
    result = [extent for extent in ctx.declared_dims(op.results[0]) if extent is not None]
    if len(result) != len(ctx.declared_dims(op.results[0])):
        raise UnknownValueError("the shape of the result is not known")
    claim = broadcast_claim("C1", operand.name, extents, result, places)
    elements = _broadcast_elements(ctx.elements(operand), extents, result, places)
    return OpSemantics((Tensor.of(result, elements),), requires=(claim,))


@rule("stablehlo.dynamic_broadcast_in_dim", example=BROADCASTS, effects=PURE)
def dynamic_broadcast_in_dim(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor repeated along new dimensions and along those where it has extent 1, to a shape that is computed.

    (C1) No size of the result is negative.
    (C2) Every extent of the operand is 1 or the result's extent in the dimension it is mapped to.
    (C3) Dimensions that are said to expand have extent 1, and those said not to expand keep their extent.
    (R1) The result has the sizes that the second operand holds.
    """
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    places = integers(op, "broadcast_dimensions", len(extents), 0)
    held = contents(ctx, op.operands[1], len(ctx.declared_dims(op.results[0])))
    claims = [
        *all_non_negative("C1", held.values, "a size of the result is negative"),
        broadcast_claim("C2", operand.name, extents, held.values, places),
    ]
    for attribute, message in (
        ("known_expanding_dimensions", "a dimension that is said to expand is not 1"),
        ("known_nonexpanding_dimensions", "a dimension that is said not to expand does"),
    ):
        for index in integers(op, attribute, 0, 0):
            extent, wanted = extents[index], held.values[places[index]]
            formula = equal(extent, 1 if "nonexpanding" not in attribute else wanted)
            shown = ((f"extent {index} of {operand.name}", extent), (f"extent {places[index]} of the result", wanted))
            claims.append(Claim("C3", formula, message, shown=shown))
    elements = _broadcast_elements(ctx.elements(operand), extents, held.values, places)
    result = Tensor.of(held.values, elements)
    return OpSemantics(
        Results((result,), shape_operands=(op.operands[1],)),
        requires=claims,
        approximations=Approximations(held.reasons, held.free),
    )


@rule("stablehlo.broadcast", example=BROADCASTS, effects=PURE)
def broadcast_leading(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor repeated along new leading dimensions.

    (R1) The result has the given sizes, then the operand's extents.
    """
    sizes = integers(op, "broadcast_sizes", 0, 0)
    return OpSemantics((Tensor.of([*map(dim, sizes), *ctx.dims(op.operands[0])]),))


@rule("stablehlo.reshape", example=RESHAPES, effects=PURE)
def reshape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same elements in the same order, under a shape that is declared.

    (C1) The number of elements stays the same.
    (R1) The result has the declared shape.
    """
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    result = [extent for extent in ctx.declared_dims(op.results[0]) if extent is not None]
    if len(result) != len(ctx.declared_dims(op.results[0])):
        raise UnknownValueError("the shape of the result is not known")
    claim = equal_counts("C1", operand, extents, result)
    return OpSemantics((Tensor.of(result, ctx.elements(operand)),), requires=(claim,))


@rule("stablehlo.dynamic_reshape", example=RESHAPES, effects=PURE)
def dynamic_reshape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same elements in the same order, under a shape that is computed.

    (C1) No size of the result is negative.
    (C2) The number of elements stays the same.
    (R1) The result has the sizes that the second operand holds.
    """
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    held = contents(ctx, op.operands[1], len(ctx.declared_dims(op.results[0])))
    claims = (
        *all_non_negative("C1", held.values, "a size of the result is negative"),
        equal_counts("C2", operand, extents, held.values),
    )
    result = Tensor.of(held.values, ctx.elements(operand))
    return OpSemantics(
        Results((result,), shape_operands=(op.operands[1],)),
        requires=claims,
        approximations=Approximations(held.reasons, held.free),
    )


@rule("stablehlo.transpose", example=RESHAPES, effects=PURE)
def transpose(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A permutation of the dimensions.

    (R1) Extent i of the result is the operand's extent permutation[i].
    """
    extents = ctx.dims(op.operands[0])
    order = integers(op, "permutation", len(extents), 0)
    result = [extents[source] for source in order]
    back = [order.index(source) for source in range(len(order))]
    elements = gather_elements(ctx.elements(op.operands[0]), extents, result, lambda index: [index[i] for i in back])
    return OpSemantics((Tensor.of(result, elements),))


@rule("stablehlo.reverse", example=RESHAPES, effects=PURE)
def reverse(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements in reverse order along some dimensions.

    (R1) The result has the operand's shape.
    """
    extents = ctx.dims(op.operands[0])
    backwards = integers(op, "dimensions", 0, 0)

    def place(index: tuple[int, ...]) -> list[int]:
        return [extents[d].constant - 1 - i if d in backwards else i for d, i in enumerate(index)]

    return OpSemantics((Tensor.of(extents, gather_elements(ctx.elements(op.operands[0]), extents, extents, place)),))


EXAMPLE = "tests/cases/stablehlo/sizes.mlir"


@rule("stablehlo.constant", example=EXAMPLE, effects=PURE)
def constant(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A constant tensor.

    (R1) The result has the declared shape and the listed elements.
    """
    return OpSemantics((constant_tensor(op, "value"),))


@rule("stablehlo.iota", example=EXAMPLE, effects=PURE)
def iota(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Counts from 0 along one dimension.

    (R1) The result has the declared shape.
    """
    extents = [extent for extent in ctx.declared_dims(op.results[0]) if extent is not None]
    return OpSemantics((Tensor.of(extents, _iota_elements(op, [e.constant for e in extents])),))


def _iota_elements(op: Operation, extents: list[int]) -> tuple[Element, ...] | None:
    """Return the elements of a small integer iota, or None."""
    type = element_type(op.results[0].type)
    along = op.attributes.get("iota_dimension")
    if type.kind == "float" or not isinstance(along, int):
        return None
    small = small_extents(map(dim, extents))
    return None if small is None else tuple(wrapped(dim(index[along]), type.width) for index in index_tuples(small))


@rule("stablehlo.dynamic_iota", example=EXAMPLE, effects=PURE)
def dynamic_iota(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Counts from 0 along one dimension of a tensor whose shape is computed.

    (C1) No size is negative.
    (R1) The result has the sizes that the operand holds.
    """
    return _tensor_of_computed_shape(op, ctx, op.operands[0])


@rule("stablehlo.rng", example=EXAMPLE, effects=ANY_RESULT)
def random(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Random numbers between two bounds.

    (C1) No size is negative.
    (R1) The result has the sizes that the third operand holds.
    """
    return _tensor_of_computed_shape(op, ctx, op.operands[2])


def _tensor_of_computed_shape(op: Operation, ctx: RuleContext, shape: Value) -> OpSemantics:
    held = contents(ctx, shape, len(ctx.declared_dims(op.results[0])))
    claims = all_non_negative("C1", held.values, "a size of the result is negative")
    result = Tensor.of(held.values)
    return OpSemantics(
        Results((result,), shape_operands=(shape,)),
        requires=claims,
        approximations=Approximations(held.reasons, held.free),
    )


@rule("stablehlo.rng_bit_generator", example=EXAMPLE, effects=ANY_RESULT)
def random_bits(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Random bits, and the generator's next state.

    (C1) The state has two elements for THREE_FRY, two or three for PHILOX.
    (R1) The next state has the shape of the state, and the bits have the declared shape.
    """
    declared = [extent for extent in ctx.declared_dims(op.results[1]) if extent is not None]
    if len(declared) != len(ctx.declared_dims(op.results[1])):
        raise UnknownValueError("the shape of the bits is not known")
    results = (Tensor(ctx.shape(op.operands[0])), Tensor.of(declared))
    return OpSemantics(
        results, requires=Requires(state_claims("C1", op, ctx), unknown=unknown_state_requirement(op, ctx))
    )


_STATES = {"THREE_FRY": (2,), "PHILOX": (2, 3)}
"""Algorithm -> allowed lengths of its state. Other algorithms depend on the implementation: XLA takes 2 or 3."""


def unknown_state_requirement(op: Operation, ctx: RuleContext) -> str:
    """Return why the requirement on a random generator's state, the first operand, is unknown; "" if it is known.

    For an unknown algorithm it is known only where the state has 2 or 3 elements, which XLA accepts.
    """
    extents = ctx.dims(op.operands[0])
    is_usual = len(extents) == 1 and extents[0].is_constant and extents[0].constant in (2, 3)
    if keyword(op, "rng_algorithm") in _STATES or is_usual:
        return ""
    return "how many elements the state has is up to the implementation"


def state_claims(clause: str, op: Operation, ctx: RuleContext) -> tuple[Claim, ...]:
    """Return the claim that the state, the first operand, has the algorithm's length; none if it always has."""
    lengths = _STATES.get(keyword(op, "rng_algorithm"))
    if lengths is None:
        return ()
    state, extents = op.operands[0], ctx.dims(op.operands[0])
    if len(extents) != 1:
        raise UnknownValueError("the state is not of one dimension")
    formula = disjunction(equal(extents[0], length) for length in lengths)
    message = f"the state does not have {' or '.join(map(str, lengths))} elements"
    shown = ((f"extent 0 of {state.name}", extents[0]),)
    return () if formula is TRUE else (Claim(clause, formula, message, shown=shown),)


@rule("stablehlo.get_dimension_size", example=EXAMPLE, effects=PURE, largest_size=2**31 - 1)
def get_dimension_size(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One extent of a tensor, as an i32.

    (R1) The result is the extent. An i32 holds no more than 2^31 - 1, so a program that asks is checked up to that.
    """
    dimension = op.attributes.get("dimension")
    extents = ctx.dims(op.operands[0])
    if not isinstance(dimension, int) or not 0 <= dimension < len(extents):
        raise UnknownValueError("which extent is meant is not known")
    size, fits = wrapped(extents[dimension], 32), TRUE
    if ctx.is_exact(op, element_type(op.results[0].type)):
        size, fits = word_result(extents[dimension], 32)
    return OpSemantics((Tensor.of((), (size,)),), assumes=Assumes((NO_SIZE_WRAPS,), fits))


@rule("stablehlo.set_dimension_size", example=EXAMPLE, effects=PURE)
def set_dimension_size(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of which only the first elements along one dimension remain.

    (C1) The new size is at least 0 and at most the extent.
    (R1) The result has the new size there, and the other extents of the operand.
    """
    dimension = op.attributes.get("dimension")
    extents = list(ctx.dims(op.operands[0]))
    if not isinstance(dimension, int) or not 0 <= dimension < len(extents):
        raise UnknownValueError("which extent is meant is not known")
    (size,) = ctx.integers(op.operands[1])
    inside = conjunction((at_least(size, 0), at_least(extents[dimension], size)))
    shown = (("the new size", size), (f"extent {dimension} of {op.operands[0].name}", extents[dimension]))
    claim = Claim("C1", inside, "the new size is not one that the tensor has", shown=shown)
    extents[dimension] = size
    return OpSemantics((Tensor.of(extents),), requires=(claim,))
