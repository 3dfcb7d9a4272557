"""Operations whose elements depend on whole tensors in a way that is not followed: gather, scatter, sort, convolutions.

Two such elements are equal if the operations are the same, and all elements of their operands are.
"""

from __future__ import annotations

from shapesolve.elements.context import ElementContext, NotFollowedError, as_dim, element_rule, element_type, is_shaped
from shapesolve.elements.scalar_functions import FLOATS
from shapesolve.elements.scalar_identities import COMMUTATIVE, with_less
from shapesolve.elements.terms import Access, Indices, TensorFunction, Term, WholeOperand
from shapesolve.ir.attributes import is_whole
from shapesolve.ir.program import Operation, Region, ShapedType, SymbolRef, Value, is_buffer

_STABLEHLO = (
    "gather dynamic_gather scatter sort reduce_window select_and_scatter convolution dynamic_conv fft cholesky "
    "triangular_solve"
)
_TOSA = "conv2d conv3d depthwise_conv2d transpose_conv2d max_pool2d avg_pool2d argmax gather scatter"


@element_rule(
    *(f"stablehlo.{each}" for each in _STABLEHLO.split()), *(f"tosa.{each}" for each in _TOSA.split()), "tensor.gather"
)
def tensor_function(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The same function of equal operands."""
    if op.name == "stablehlo.sort" and op.attributes.get("is_stable") is not True:
        raise NotFollowedError("it is not stable")  # two of them may leave equal keys in different orders
    operands = tuple(_whole(each, ctx) for each in op.operands)
    types = [[str(_elements(each)) for each in values] for values in (op.operands, op.results)]
    key = (op.name, number, str(types), _attributes(op), tuple(map(_spelled, op.regions)))
    return TensorFunction(key, operands, indices)


def _whole(value: Value, ctx: ElementContext) -> WholeOperand:
    if not is_shaped(value) or is_buffer(value.type):
        raise NotFollowedError("an operand is no tensor")
    extents = ctx.extents(value)
    indices = tuple(ctx.fresh_index() for _ in extents)
    return WholeOperand(indices, extents, Access(value, tuple(map(as_dim, indices))))


def _elements(value: Value) -> str:
    rank = len(value.type.extents) if isinstance(value.type, ShapedType) and value.type.extents is not None else None
    return f"{element_type(value)} {rank}"


def _attributes(op: Operation) -> tuple[tuple[str, str], ...]:
    if not all(map(is_whole, op.attributes.values())) or any(
        isinstance(each, SymbolRef) for each in op.attributes.values()
    ):
        raise NotFollowedError("its attributes are too long")
    return tuple((name, repr(each)) for name, each in sorted(op.attributes.items()))


def _spelled(region: Region) -> tuple[object, ...]:
    """Return the text of a region of one block that uses nothing outside of it, alike for exchanged operands.

    Raises:
        NotFollowedError: It does.
    """
    if len(region.blocks) != 1:
        raise NotFollowedError("its region has several blocks")
    block = region.blocks[0]
    names = {argument: f"^{place}" for place, argument in enumerate(block.arguments)}
    found: list[object] = [tuple(str(each.type) for each in block.arguments)]
    for op in block.operations:
        if op.regions or not all(each in names for each in op.operands):
            raise NotFollowedError("its region uses a value from outside")
        attributes, operands = _ordered(op, tuple(names[each] for each in op.operands))
        found.append((op.name, operands, attributes, tuple(str(each.type) for each in op.results)))
        for each in op.results:
            names[each] = f"%{len(names)}"
    return tuple(found)


def _ordered(op: Operation, operands: tuple[str, ...]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return attributes and operands in one form for operations that differ in the order of their operands only."""
    attributes = _attributes(op)
    if op.name in COMMUTATIVE or op.name == "stablehlo.add" or op.name == "stablehlo.multiply":
        return attributes, tuple(sorted(operands))
    if op.name != "stablehlo.compare":
        return attributes, operands
    if element_type(op.operands[0]) in FLOATS:  # an order that is not total need not be named
        attributes = tuple(each for each in attributes if each[0] != "compare_type" or "TOTALORDER" in each[1])
    exchanged = with_less(attributes)
    return (attributes, operands) if exchanged is None else (exchanged, operands[::-1])
