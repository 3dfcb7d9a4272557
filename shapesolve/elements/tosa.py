"""Elements of TOSA operations: scalar functions with broadcasting, and moves.

A function has the name that its lowering to linalg gives it, so that both sides of a lowering are one function. Where
TOSA leaves a choice, or the lowering is more than one operation, it keeps its own name.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.elements.context import (
    ElementContext,
    NotFollowedError,
    as_dim,
    element_rule,
    element_type,
    integer_list,
)
from shapesolve.elements.moves import padded, permuted, reversed_along, stretched
from shapesolve.elements.scalar_functions import COMMUTATIVE, FLOATS, FunctionKey, exact_float, function_key
from shapesolve.elements.terms import Access, Apply, Leaf, Reduction, Term
from shapesolve.ir.program import Operation, Value
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ZERO, Dim, remainder

_OF_FLOATS = {
    "tosa.add": "arith.addf",
    "tosa.sub": "arith.subf",
    "tosa.mul": "arith.mulf",
    "tosa.negate": "arith.negf",
    "tosa.maximum": "arith.maximumf",
    "tosa.minimum": "arith.minimumf",
    "tosa.pow": "math.powf",
    "tosa.abs": "math.absf",
    "tosa.ceil": "math.ceil",
    "tosa.cos": "math.cos",
    "tosa.erf": "math.erf",
    "tosa.exp": "math.exp",
    "tosa.floor": "math.floor",
    "tosa.log": "math.log",
    "tosa.rsqrt": "math.rsqrt",
    "tosa.sin": "math.sin",
    "tosa.tanh": "math.tanh",
}
_OF_INTEGERS = {
    "tosa.add": "arith.addi",
    "tosa.sub": "arith.subi",
    "tosa.maximum": "arith.maxsi",
    "tosa.minimum": "arith.minsi",
    "tosa.bitwise_and": "arith.andi",
    "tosa.bitwise_or": "arith.ori",
    "tosa.bitwise_xor": "arith.xori",
    "tosa.logical_and": "arith.andi",
    "tosa.logical_or": "arith.ori",
    "tosa.logical_xor": "arith.xori",
}
_PREDICATES = {"tosa.equal": (1, 0), "tosa.greater": (2, 4), "tosa.greater_equal": (3, 5)}
"""The predicates of `arith.cmpf` (ordered) and of `arith.cmpi` (signed)."""
_OF_ONE_OPERAND = frozenset(
    f"tosa.{each}" for each in ["bitwise_not", "cast", "clamp", "clz", "logical_not", "reciprocal", "sigmoid"]
)
"""Operations that keep their names where no function of arith is the same for all numbers."""
_WIDTHS = {f"i{each}": each for each in (1, 8, 16, 32, 64)}
_WIDENED = frozenset((each, other) for each in ("f16", "bf16") for other in ("f32", "f64")) | {("f32", "f64")}
_WITH_PARAMETERS = {"tosa.mul": 2, "tosa.negate": 1}
"""Numbers of operands that are elements; behind them are a shift and zero points."""
_NEGATED_IN = {"i8": "i16", "i16": "i32"}
"""Types in which the negated integers of others are held before they are clipped; what more bits give is the same."""
_ADDED_IN_THEIR_TYPE = frozenset(["f32", "f64"])
_MAY_IGNORE_NAN = ("tosa.maximum", "tosa.minimum")


@element_rule(*sorted({*_OF_FLOATS, *_OF_INTEGERS, *_PREDICATES, *_OF_ONE_OPERAND, "tosa.select"}))
def elementwise(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """Element-wise operations: an operand of extent 1 is stretched."""
    operands = op.operands[: _WITH_PARAMETERS.get(op.name, len(op.operands))]
    if op.name == "tosa.negate":
        _require_no_zero_points(op.operands[1:], ctx)
        if (type := element_type(operands[0])) in _NEGATED_IN:
            return _negated(type, _stretched(operands[0], indices, ctx))
    key = _function(op, operands)
    elements = tuple(_stretched(each, indices, ctx) for each in operands)
    composed = _composed(op, key, elements[0])
    if composed is not None:
        return composed
    return Apply(key, elements, key.name in COMMUTATIVE and len(elements) == 2)


def _function(op: Operation, operands: Sequence[Value]) -> FunctionKey:
    types, results = tuple(map(element_type, operands)), tuple(map(element_type, op.results))
    if op.name in _OF_ONE_OPERAND:
        return function_key(op, operands)[0]
    if op.name == "tosa.select":
        return FunctionKey("arith.select", (), types, results)
    is_float = set(types) <= FLOATS
    if op.name in _PREDICATES:
        predicate = ("predicate", repr(_PREDICATES[op.name][not is_float]))
        return FunctionKey("arith.cmpf" if is_float else "arith.cmpi", (predicate,), types, results)
    name = (_OF_FLOATS if is_float else _OF_INTEGERS).get(op.name)
    if name is None:
        raise NotFollowedError("it rounds, or has zero points")
    if op.name in _MAY_IGNORE_NAN and "IGNORE" in str(op.attributes.get("nan_mode", "")):
        raise NotFollowedError("it ignores what is no number")
    return FunctionKey(name, (), types, results)


def _composed(op: Operation, key: FunctionKey, element: Term) -> Term | None:
    """Return an operation of one operand by functions of arith that are all of it; None if it is no such operation."""
    (type,), (result,) = key.operands[:1], key.results
    is_float, is_integer = type in FLOATS, type in _WIDTHS
    if op.name == "tosa.clamp" and (is_integer or is_float) and "IGNORE" not in str(op.attributes.get("nan_mode", "")):
        return _clamped(op, type, element)
    if op.name in ("tosa.bitwise_not", "tosa.logical_not") and is_integer:
        ones = Leaf(("constant", type, 1 if type == "i1" else -1))
        return Apply(FunctionKey("arith.xori", (), (type, type), (type,)), (element, ones), is_commutative=True)
    if op.name == "tosa.cast" and (name := _cast(type, result)) is not None:
        return Apply(FunctionKey(name, (), (type,), (result,)), (element,))
    return None


def _clamped(op: Operation, type: str, element: Term) -> Term | None:
    """Return a clamped element, by functions in the order of the lowering; any other order has the same result."""
    maximum, minimum = ("arith.maximumf", "arith.minimumf") if type in FLOATS else ("arith.maxsi", "arith.minsi")
    bounds = [(maximum, op.attributes.get("min_val")), (minimum, op.attributes.get("max_val"))]
    for name, bound in reversed(bounds) if type in FLOATS else bounds:
        if not isinstance(bound, int | float):
            return None
        limit = Leaf(("constant", type, exact_float(bound)))
        element = Apply(FunctionKey(name, (), (type, type), (type,)), (element, limit), is_commutative=True)
    return element


def _negated(type: str, element: Term) -> Term:
    """Return a negated integer, clipped to its type: the least one becomes the greatest."""
    wide, half = _NEGATED_IN[type], 2 ** (_WIDTHS[type] - 1)
    found: Term = Apply(FunctionKey("arith.extsi", (), (type,), (wide,)), (element,))
    found = Apply(FunctionKey("arith.subi", (), (wide, wide), (wide,)), (Leaf(("constant", wide, 0)), found))
    limit = Leaf(("constant", wide, half - 1))
    found = Apply(FunctionKey("arith.minsi", (), (wide, wide), (wide,)), (found, limit), is_commutative=True)
    return Apply(FunctionKey("arith.trunci", (), (wide,), (type,)), (found,))


def _cast(type: str, result: str) -> str | None:
    """Return the function of arith that converts numbers of a type as TOSA does; None if there is none."""
    before, after = _WIDTHS.get(type), _WIDTHS.get(result)
    if before is not None and after is not None and before != after and after > 1:
        return "arith.trunci" if before > after else "arith.extui" if before == 1 else "arith.extsi"
    if before is not None and result in FLOATS:
        return "arith.uitofp" if before == 1 else "arith.sitofp"
    if (type, result) in _WIDENED:
        return "arith.extf"
    return "arith.truncf" if (result, type) in _WIDENED else None


def _stretched(operand: Value, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    if len(ctx.extents(operand)) != len(indices):
        raise NotFollowedError("the ranks of its operands differ")
    return stretched(operand, indices, ctx)


@element_rule("tosa.identity")
def identity(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """The same element."""
    return Access(op.operands[number], indices)


@element_rule("tosa.transpose")
def transpose(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """Dimension ``perms[i]`` of the operand is dimension ``i`` of the result."""
    if "perms" not in op.attributes:
        raise NotFollowedError("its permutation is an operand")
    return permuted(integer_list(op, "perms"), op, indices)


@element_rule("tosa.reverse")
def reverse(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """The index along the axis counted from the end."""
    axis = op.attributes["axis"]
    assert isinstance(axis, int)
    return reversed_along([axis], op, indices, ctx)


@element_rule("tosa.pad")
def pad(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """The operand shifted by the low padding, the one number of the last operand elsewhere."""
    operand, padding, outside = op.operands
    extents, low = ctx.extents(operand), ctx.elements(padding)[::2]
    return padded(operand, indices, extents, low, Access(outside, (ZERO,)))


@element_rule("tosa.tile")
def tile(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """The operand, again and again along each dimension."""
    extents = ctx.extents(op.operands[0])
    return Access(op.operands[0], tuple(remainder(*each) for each in zip(indices, extents, strict=True)))


@element_rule("tosa.slice")
def slice_(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """The element as far behind the start."""
    starts = ctx.elements(op.operands[1])
    return Access(op.operands[0], tuple(index + start for index, start in zip(indices, starts, strict=True)))


@element_rule("tosa.reduce_sum")
def reduce_sum(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """The sum along the axis, from zero."""
    (operand,), axis, index = op.operands, op.attributes["axis"], ctx.fresh_index()
    assert isinstance(axis, int)
    place = (*indices[:axis], as_dim(index), *indices[axis + 1 :])
    return _sum(op, index, ctx.extents(operand)[axis], Access(operand, place))


@element_rule("tosa.matmul")
def matmul(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """The sum of products, from zero."""
    left, right, *zero_points = op.operands
    _require_no_zero_points(zero_points, ctx)
    batch, row, column = indices
    index = ctx.fresh_index()
    type = element_type(left)
    factors = Access(left, (batch, row, as_dim(index))), Access(right, (batch, as_dim(index), column))
    product = Apply(FunctionKey("arith.mulf", (), (type, type), (type,)), factors, is_commutative=True)
    return _sum(op, index, ctx.extents(left)[2], product)


def _sum(op: Operation, index: Variable, extent: Dim, body: Term) -> Reduction:
    """Return a sum of floats, which are added in the type of the result."""
    types = {element_type(each) for each in (*op.operands, *op.results)}
    type = element_type(op.results[0])
    if types - {type} or type not in _ADDED_IN_THEIR_TYPE:
        raise NotFollowedError("it rounds, or may overflow")
    return Reduction(FunctionKey("arith.addf", (), (type, type), (type,)), _zero(type), (index,), (extent,), body)


def _require_no_zero_points(operands: Sequence[Value], ctx: ElementContext) -> None:
    """Require that zero points are the constant 0, which those of floats have to be.

    Raises:
        NotFollowedError: One may be another number.
    """
    if not all(_is_zero(ctx.computed(Access(each, (ZERO,))), element_type(each)) for each in operands):
        raise NotFollowedError("its zero points are not known")


def _is_zero(term: Term, type: str) -> bool:
    return isinstance(term, Leaf) and term.key == _zero(type).key


def _zero(type: str) -> Leaf:
    return Leaf(("constant", type, exact_float(0.0) if type in FLOATS else 0))
