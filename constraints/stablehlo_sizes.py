"""StableHLO's sources: constants, sizes read from tensors, and tensors made from nothing but a shape."""

from __future__ import annotations

from shapesolve.language.dims import dim
from shapesolve.language.formulas import TRUE, at_least, conjunction, disjunction, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import ANY_RESULT, PURE
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Element, Tensor

from .agreement import contents, not_negative
from .constant_tensors import constant_tensor
from .integers import element_type, wrapped
from .row_major import places, small_extents
from .stablehlo_attributes import word

EXAMPLE = "tests/cases/stablehlo/sizes.mlir"


@rule("stablehlo.constant", example=EXAMPLE, effects=PURE)
def constant(op: Operation, see: RuleContext) -> Meaning:
    """A constant tensor.

    (R1) The result has the declared shape and the listed elements.
    """
    return Meaning((constant_tensor(op, "value"),))


@rule("stablehlo.iota", example=EXAMPLE, effects=PURE)
def iota(op: Operation, see: RuleContext) -> Meaning:
    """Counts from 0 along one dimension.

    (R1) The result has the declared shape.
    """
    extents = [extent for extent in see.declared_dims(op.results[0]) if extent is not None]
    return Meaning((Tensor(RankedShape.of(extents), _counted(op, [e.constant for e in extents])),))


def _counted(op: Operation, extents: list[int]) -> tuple[Element, ...] | None:
    type = element_type(op.results[0].type)
    along = op.attributes.get("iota_dimension")
    if type.kind == "float" or type.is_boolean or not isinstance(along, int):
        return None
    small = small_extents(map(dim, extents))
    return None if small is None else tuple(wrapped(dim(index[along]), type.width) for index in places(small))


@rule("stablehlo.dynamic_iota", example=EXAMPLE, effects=PURE)
def dynamic_iota(op: Operation, see: RuleContext) -> Meaning:
    """Counts from 0 along one dimension of a tensor whose shape is computed.

    (C1) No size is negative.
    (R1) The result has the sizes that the operand holds.
    """
    return _of_computed_shape(op, see, op.operands[0])


@rule("stablehlo.rng", example=EXAMPLE, effects=ANY_RESULT)
def random(op: Operation, see: RuleContext) -> Meaning:
    """Random numbers between two bounds.

    (C1) No size is negative.
    (R1) The result has the sizes that the third operand holds.
    """
    return _of_computed_shape(op, see, op.operands[2])


def _of_computed_shape(op: Operation, see: RuleContext, shape: Value) -> Meaning:
    held = contents(see, shape, len(see.declared_dims(op.results[0])))
    claims = not_negative("C1", held.values, "a size of the result is negative")
    result = Tensor(RankedShape.of(held.values))
    return Meaning((result,), claims=claims, approximations=held.reasons, free=held.free, bears=(shape,))


@rule("stablehlo.rng_bit_generator", example=EXAMPLE, effects=ANY_RESULT)
def random_bits(op: Operation, see: RuleContext) -> Meaning:
    """Random bits, and the generator's next state.

    (C1) The state has two elements for THREE_FRY, two or three for PHILOX.
    (R1) The next state has the shape of the state, and the bits have the declared shape.
    """
    declared = [extent for extent in see.declared_dims(op.results[1]) if extent is not None]
    if len(declared) != len(see.declared_dims(op.results[1])):
        raise CannotSee("the shape of the bits is not known")
    results = (Tensor(see.shape(op.operands[0])), Tensor(RankedShape.of(declared)))
    return Meaning(results, claims=state_claims("C1", op, see), unchecked=state_unchecked(op, see))


_STATES = {"THREE_FRY": (2,), "PHILOX": (2, 3)}
"""How many elements the state of an algorithm has; that of any other is up to who implements it: XLA takes 2 or 3."""


def state_unchecked(op: Operation, see: RuleContext) -> str:
    """Why nobody knows whether the state, the first operand, is one of the generator's algorithm."""
    extents = see.dims(op.operands[0])
    is_usual = len(extents) == 1 and extents[0].is_constant and extents[0].constant in (2, 3)
    if word(op, "rng_algorithm") in _STATES or is_usual:
        return ""
    return "how many elements the state has is up to the implementation"


def state_claims(clause: str, op: Operation, see: RuleContext) -> tuple[Claim, ...]:
    """The claim that the state, the first operand, is one of the generator's algorithm; none where it always is."""
    lengths = _STATES.get(word(op, "rng_algorithm"))
    if lengths is None:
        return ()
    state, extents = op.operands[0], see.dims(op.operands[0])
    if len(extents) != 1:
        raise CannotSee("the state is not of one dimension")
    formula = disjunction(equal(extents[0], length) for length in lengths)
    message = f"the state does not have {' or '.join(map(str, lengths))} elements"
    shown = ((f"extent 0 of {state.name}", extents[0]),)
    return () if formula is TRUE else (Claim(clause, formula, message, shown=shown),)


@rule("stablehlo.get_dimension_size", example=EXAMPLE, effects=PURE, largest_size=2**31 - 1)
def get_dimension_size(op: Operation, see: RuleContext) -> Meaning:
    """One extent of a tensor, as an i32.

    (R1) The result is the extent. An i32 holds no more than 2^31 - 1, so a program that asks is checked up to that.
    """
    dimension = op.attributes.get("dimension")
    extents = see.dims(op.operands[0])
    if not isinstance(dimension, int) or not 0 <= dimension < len(extents):
        raise CannotSee("which extent is meant is not known")
    return Meaning((Tensor(RankedShape.of(()), (wrapped(extents[dimension], 32),)),))


@rule("stablehlo.set_dimension_size", example=EXAMPLE, effects=PURE)
def set_dimension_size(op: Operation, see: RuleContext) -> Meaning:
    """A tensor of which only the first elements along one dimension remain.

    (C1) The new size is at least 0 and at most the extent.
    (R1) The result has the new size there, and the other extents of the operand.
    """
    dimension = op.attributes.get("dimension")
    extents = list(see.dims(op.operands[0]))
    if not isinstance(dimension, int) or not 0 <= dimension < len(extents):
        raise CannotSee("which extent is meant is not known")
    (size,) = see.integers(op.operands[1])
    inside = conjunction((at_least(size, 0), at_least(extents[dimension], size)))
    shown = (("the new size", size), (f"extent {dimension} of {op.operands[0].name}", extents[dimension]))
    claim = Claim("C1", inside, "the new size is not one that the tensor has", shown=shown)
    extents[dimension] = size
    return Meaning((Tensor(RankedShape.of(extents)),), claims=(claim,))
