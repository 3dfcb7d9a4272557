"""Structured operations: iteration spaces, indexing maps and bodies; StableHLO's reductions and contractions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapesolve.elements.context import (
    ElementContext,
    NotFollowedError,
    as_dim,
    element_rule,
    element_type,
    integer_list,
    is_shaped,
)
from shapesolve.elements.scalar_functions import DOT_PRODUCT, Body, ContractionKey, function_key
from shapesolve.elements.terms import Access, Apply, NotFollowed, Reduction, Term
from shapesolve.ir.attributes import is_whole
from shapesolve.ir.program import AffineExpression, AffineMap, OpaqueAttribute, Operation, Region, Value
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, ceildiv, dim, floordiv, remainder

_OF_ARITH = "addf mulf addi muli andi ori xori maxsi maxui minsi minui maximumf minimumf maxnumf minnumf"
_OF_STABLEHLO = "add multiply maximum minimum and or xor"
COMBINING = {f"arith.{each}" for each in _OF_ARITH.split()} | {f"stablehlo.{each}" for each in _OF_STABLEHLO.split()}

_STRUCTURED = (
    "generic map fill copy transpose broadcast reduce matmul batch_matmul batch_reduce_matmul matvec vecmat "
    "batch_matvec batch_vecmat dot contract elementwise mmt4d add sub mul div div_unsigned max min abs ceil exp floor "
    "log negf reciprocal round rsqrt sqrt square tanh erf powf select matmul_transpose_a matmul_transpose_b "
    "conv_1d conv_2d conv_1d_nwc_wcf conv_1d_ncw_fcw conv_2d_nhwc_hwcf conv_2d_nchw_fchw conv_2d_nhwc_fhwc "
    "depthwise_conv_2d_nhwc_hwc pooling_nhwc_sum pooling_nhwc_max pooling_nhwc_min pooling_nchw_sum pooling_nchw_max"
)


@element_rule(*(f"linalg.{each}" for each in _STRUCTURED.split()))
def structured(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """The body at the iterations that write the element, combined if there are several."""
    return written(op, len(op.operands) - len(op.results), number, indices, ctx)


def written(op: Operation, first: int, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """Return the element that a structured operation writes to one of its outputs.

    Args:
        first: The number of operands before the outputs.
        number: The number of the output.
    """
    maps = op.indexing_maps
    if maps is None or len(maps) != len(op.operands):
        raise NotFollowedError("it has no indexing maps")
    if len(op.regions[0].blocks[0].arguments) != len(op.operands):
        raise NotFollowedError("its region does not take its operands")
    output = first + number
    if not maps or any(each.symbols for each in maps):
        raise NotFollowedError("its indexing maps have symbols")
    results = maps[output].results
    if any(each.kind != "dim" for each in results) or len({each.value for each in results}) != len(results):
        raise NotFollowedError("its output is not a permutation of loops")
    known: dict[int, Dim] = {each.value: index for each, index in zip(results, indices, strict=True)}
    reduced = [each for each in range(maps[output].dims) if each not in known]
    atoms = [ctx.fresh_index() for _ in reduced]
    places = {**known, **dict(zip(reduced, map(as_dim, atoms), strict=True))}
    loops = [places[each] for each in range(maps[output].dims)]
    block_arguments = op.regions[0].blocks[0].arguments
    arguments = dict(zip(block_arguments, operand_elements(op, loops, ctx), strict=True))
    accumulators = [each for each, its in zip(block_arguments[first:], maps[first:], strict=True) if _accumulates(its)]
    body = Body(op.regions[0], {**arguments, **dict.fromkeys(accumulators, _running(op))}, ctx, loops)
    yielded = body.yielded[number]
    if not reduced:
        return body.term(yielded)
    accumulator = block_arguments[output]
    combining, other = _combination(body, yielded, accumulator, op.regions[0])
    key, _ = function_key(combining, combining.operands)
    extents = tuple(trip_count(op, each, ctx) for each in reduced)
    return Reduction(key, arguments[accumulator], tuple(atoms), extents, body.term(other))


def _accumulates(output: AffineMap) -> bool:
    """Return whether several iterations write one element of an output, so that each reads what the last one wrote."""
    return {each.value for each in output.results if each.kind == "dim"} != set(range(output.dims))


def _running(op: Operation) -> Term:
    return NotFollowed(op, "an element depends on the order of its iterations")


def operand_elements(op: Operation, loops: list[Dim], ctx: ElementContext) -> list[Term]:
    """Return the element of each operand in one iteration."""
    assert op.indexing_maps is not None
    found: list[Term] = []
    for operand, each in zip(op.operands, op.indexing_maps, strict=True):
        places = tuple(_affine(result, loops) for result in each.results)
        found.append(ctx.element(operand, places, op) if is_shaped(operand) else ctx.scalar(operand))
    return found


def mapped(map: AffineMap, operands: Sequence[Dim]) -> tuple[Dim, ...]:
    """Return the results of a map of dimensions and symbols."""
    return tuple(_affine(each, operands[: map.dims], operands[map.dims :]) for each in map.results)


def _affine(expression: AffineExpression, loops: Sequence[Dim], symbols: Sequence[Dim] = ()) -> Dim:
    if expression.kind == "dim":
        return loops[expression.value]
    if expression.kind == "constant":
        return dim(expression.value)
    if expression.kind == "symbol" and expression.value < len(symbols):
        return symbols[expression.value]
    if expression.left is None or expression.right is None:
        raise NotFollowedError("its indexing maps have symbols")
    left, right = (_affine(each, loops, symbols) for each in (expression.left, expression.right))
    match expression.kind:
        case "add":
            return left + right
        case "mul":
            return left * right
        case "mod":
            return remainder(left, right)
        case "floordiv":
            return floordiv(left, right)
        case _:
            return ceildiv(left, right)


def trip_count(op: Operation, loop: int, ctx: ElementContext) -> Dim:
    """Return the trip count of a loop, from an operand that it runs over."""
    assert op.indexing_maps is not None
    for operand, each in zip(op.operands, op.indexing_maps, strict=True):
        for place, result in enumerate(each.results):
            if result.kind == "dim" and result.value == loop and is_shaped(operand):
                return ctx.extents(operand)[place]
    raise NotFollowedError("the extent of a loop is not known")


def _combination(body: Body, yielded: Value, accumulator: Value, region: Region) -> tuple[Operation, Value]:
    """Return the operation that combines the accumulator with an element, and the element.

    Raises:
        NotFollowedError: The accumulator is used otherwise.
    """
    way = body.unwrapped(yielded)
    op = body.definition(way[-1])
    ways = [] if op is None or op.name not in COMBINING else [body.unwrapped(each) for each in op.operands]
    of_accumulator = [each for each in ways if each[-1] is accumulator]
    uses = sum(inner.operands.count(accumulator) for block in region.blocks for inner in block.operations)
    alone = uses == 1 and all(value.uses == 1 for each in (way, *of_accumulator) for value in each)
    if op is None or len(of_accumulator) != 1 or not alone:
        raise NotFollowedError("it combines elements in a way that is not followed")
    return op, op.operands[1 if ways[0] is of_accumulator[0] else 0]


@element_rule("stablehlo.reduce")
def reduce(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """All elements along the dimensions, combined with the initial value."""
    if len(op.operands) != 2:
        raise NotFollowedError("it reduces several tensors")
    reduced = integer_list(op, "dimensions")
    region = op.regions[0]
    body = Body(region, {}, ctx)
    combining = body.definition(body.yielded[0])
    if (
        combining is None
        or combining.name not in COMBINING
        or set(combining.operands) != set(region.blocks[0].arguments)
    ):
        raise NotFollowedError("it combines elements in a way that is not followed")
    extents = ctx.extents(op.operands[0])
    atoms = {each: ctx.fresh_index() for each in reduced}
    given = iter(indices)
    places = tuple(as_dim(atoms[each]) if each in atoms else next(given) for each in range(len(extents)))
    key, _ = function_key(combining, combining.operands)
    # How often the initial value is taken is left open by StableHLO, so this is no reduction of another dialect.
    return Reduction(
        (op.name, key),
        Access(op.operands[1]),
        tuple(atoms.values()),
        tuple(extents[each] for each in atoms),
        Access(op.operands[0], places),
    )


_DIMENSIONS = re.compile(r"(\w+) = \[([\d, ]*)\]")


@element_rule("stablehlo.dot_general")
def dot_general(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """Sum of products along the contracting dimensions; batch dimensions come first."""
    attribute = op.attributes.get("dot_dimension_numbers")
    if not isinstance(attribute, OpaqueAttribute) or not is_whole(attribute):
        raise NotFollowedError("")
    numbers = {
        name: [int(each) for each in text.split(",") if each.strip()]
        for name, text in _DIMENSIONS.findall(attribute.text)
    }
    left, right = op.operands
    left_extents, right_extents = ctx.extents(left), ctx.extents(right)
    given = iter(indices)
    at_left, at_right = dict[int, Dim](), dict[int, Dim]()
    for a, b in zip(
        numbers.get("lhs_batching_dimensions", []), numbers.get("rhs_batching_dimensions", []), strict=True
    ):
        at_left[a] = at_right[b] = next(given)
    atoms: list[Variable] = []
    extents: list[Dim] = []
    contracting = numbers.get("lhs_contracting_dimensions", []), numbers.get("rhs_contracting_dimensions", [])
    for a, b in zip(*contracting, strict=True):
        atoms.append(ctx.fresh_index())
        at_left[a] = at_right[b] = as_dim(atoms[-1])
        extents.append(left_extents[a])
    for places, operand in ((at_left, left_extents), (at_right, right_extents)):
        places.update({each: next(given) for each in range(len(operand)) if each not in places})
    others = {key: repr(each) for key, each in op.attributes.items() if key != "dot_dimension_numbers"}
    types = (element_type(left), element_type(right), element_type(op.results[0]))
    factors = (
        Access(left, tuple(at_left[each] for each in range(len(left_extents)))),
        Access(right, tuple(at_right[each] for each in range(len(right_extents)))),
    )
    is_float = set(types) <= {"f32", "f64"}
    key = DOT_PRODUCT if is_float and len(set(types)) == 1 else (op.name, "product", types)
    product = Apply(key, factors, is_commutative=types[0] == types[1])
    sum_of_products = ContractionKey(types, tuple(sorted(others.items())))
    return Reduction(sum_of_products, None, tuple(atoms), tuple(extents), product)
