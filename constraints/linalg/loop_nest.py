"""The loop nest of a structured operation: iteration space, requirements of accesses, values that the body reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from itertools import combinations

from shapesolve.domain.fresh_variables import ELEMENT, variables_of
from shapesolve.domain.values import Abstract, Float, IntegerInterval, Tensor
from shapesolve.ir.program import AffineExpression, AffineMap, Operation, ScalarType, ShapedType, Type, Value, is_float
from shapesolve.reasons import Reason
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Claim
from shapesolve.semantics.regions import AtMostOnce, GenericIteration
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import (
    at_least,
    conjunction,
    conjuncts,
    disjunction,
    equal,
    implies,
    less_than,
    negation,
)

from ..transfer.affine_maps import divisors_positive, evaluate_expression, linear_coefficients
from ..transfer.floats import FORMATS
from ..transfer.integers import as_truth, element_type
from ..transfer.intervals import IntervalEnvironment
from ..transfer.strided_slices import integer_of


@record
class Origin:
    """The extent that gives the range of a loop.

    Attributes:
        operand: The position of the operand.
        dimension: The dimension of that operand.
        name: The name of the extent in messages.
        size: The extent.
    """

    operand: int
    dimension: int
    name: str
    size: Dim


@record
class LoopNest:
    """The loops of one structured operation.

    Attributes:
        operands: The operands with an indexing map.
        maps: The indexing maps, one per operand.
        extents: The extents of each operand; none for a scalar.
        ranges: The trip count of each loop.
        sources: The extent that gives each range.
        runs: The condition that no range is empty.
    """

    operands: tuple[Value, ...]
    maps: tuple[AffineMap, ...]
    extents: tuple[tuple[Dim, ...], ...]
    ranges: tuple[Dim, ...]
    sources: tuple[Origin, ...]
    runs: Formula


def loop_nest(op: Operation, ctx: RuleContext, maps: Sequence[AffineMap] | None = None) -> LoopNest:
    """Return the loops of a structured operation.

    Each range is the first extent, in operand order, that is indexed by its loop alone.

    Raises:
        UnknownValueError: The indexing maps or the ranks of operands are not known, or no operand gives a range.
    """
    found = tuple(maps) if maps is not None else op.indexing_maps
    if not found or len(found) > len(op.operands):
        raise UnknownValueError("its indexing maps are not known")
    operands = op.operands[: len(found)]
    extents = tuple(ctx.dims(each) if isinstance(each.type, ShapedType) else () for each in operands)
    origins: dict[int, Origin] = {}
    for place, (operand, map, sizes) in enumerate(zip(operands, found, extents, strict=True)):
        if len(map.results) != len(sizes):
            raise UnknownValueError(f"the rank of {operand.name} is not that of its indexing map")
        for number, (result, size) in enumerate(zip(map.results, sizes, strict=True)):
            if result.kind == "dim":
                origins.setdefault(result.value, Origin(place, number, f"extent {number} of {operand.name}", size))
    if len(origins) != found[0].dims:
        raise UnknownValueError("no operand gives the range of one of its loops")
    ordered = tuple(origins[loop] for loop in range(found[0].dims))
    ranges = tuple(origin.size for origin in ordered)
    return LoopNest(operands, found, extents, ranges, ordered, conjunction(at_least(size, 1) for size in ranges))


def access_claims(nest: LoopNest, ctx: RuleContext) -> tuple[Claim, ...]:
    """Return clauses C1 (extents indexed by one loop alone) and C2 (all other accesses), for loops that run at all."""
    claims: list[Claim] = []
    for place, (operand, map, extents) in enumerate(zip(nest.operands, nest.maps, nest.extents, strict=True)):
        for number, (result, extent) in enumerate(zip(map.results, extents, strict=True)):
            name = f"extent {number} of {operand.name}"
            if result.kind != "dim":
                claims.append(_access(nest, ctx, result, name, extent))
                continue
            origin = nest.sources[result.value]
            if (origin.operand, origin.dimension) == (place, number):
                continue
            formula = implies(nest.runs, equal(origin.size, extent))
            shown = ((origin.name, origin.size), (name, extent))
            claims.append(Claim("C1", formula, f"{name} is not {origin.name}", shown=shown))
    return tuple(claims)


def _access(nest: LoopNest, ctx: RuleContext, expression: AffineExpression, name: str, extent: Dim) -> Claim:
    linear, divided = linear_coefficients(expression, len(nest.ranges)), TRUE
    if linear is None:
        # Such an access is not monotone in general, so the claim is about a generic iteration.
        at = _position(nest, ctx)
        first = last = evaluate_expression(expression, at)
        divided = divisors_positive(AffineMap(len(at), 0, (expression,)), at)
        where = conjunction(less_than(index, size) for index, size in zip(at, nest.ranges, strict=True))
    else:
        coefficients, constant = linear
        first = last = dim(constant)
        for coefficient, size in zip(coefficients, nest.ranges, strict=True):
            reach = (size - 1) * coefficient
            first, last = (first + reach, last) if coefficient < 0 else (first, last + reach)
        where = nest.runs
    inside = conjunction((divided, at_least(first, 0), less_than(last, extent)))
    shown = (("first access", first), ("last access", last), (name, extent))
    return Claim("C2", implies(where, inside), f"the loops run past {name}", shown=shown)


def _position(nest: LoopNest, ctx: RuleContext) -> tuple[Dim, ...]:
    """Return a generic position in the iteration space."""
    return tuple(ctx.every(f"loop{number}", (ZERO, size, ONE)) for number, size in enumerate(nest.ranges))


def output_count(op: Operation, nest: LoopNest) -> int:
    """Return the number of output operands, which are the last ones."""
    if len(op.segments) == 2:
        return op.segments[1]
    if op.results:
        return len(op.results)
    return len(nest.operands) // 2 if op.name == "linalg.reduce" else 1


def initial_shapes(op: Operation, nest: LoopNest, ctx: RuleContext) -> tuple[Abstract, ...]:
    """Return the results of an operation on tensors: each has the shape of its output operand."""
    if not op.results:
        return ()
    return tuple(Tensor(ctx.tensor(each).shape) for each in nest.operands[-len(op.results) :])


def shape_operands(op: Operation, nest: LoopNest) -> tuple[Value, ...] | None:
    """Return the output operands, whose extents are those of the results, or None without results."""
    return nest.operands[-len(op.results) :] if op.results else None


@record
class Body:
    """The run of a body on unknown elements.

    Attributes:
        run: The region execution.
        approximations: The reasons why elements are not known.
        free: The variables that stand for unknown elements.
        inside: The intervals of positions and elements. Those with a step vary independently of each other.
        since: The number of fresh variables before the body.
    """

    run: AtMostOnce | GenericIteration
    approximations: tuple[Reason, ...]
    free: frozenset[Variable]
    inside: Mapping[Variable, IntegerInterval]
    since: int


def body(op: Operation, nest: LoopNest, ctx: RuleContext) -> Body:
    """Return the run of the body at a generic position, on elements of which few are known."""
    since, asked = ctx.unknowns.count, _asked(op)
    conditions, bounds, at = [nest.runs], dict[Variable, IntegerInterval](), None
    if asked:
        at = _position(nest, ctx)
        conditions = [less_than(index, size) for index, size in zip(at, nest.ranges, strict=True)]
        for index, size in zip(at, nest.ranges, strict=True):
            bounds |= dict.fromkeys(index.variables, IntegerInterval(ZERO, size - 1, step=1))
    count = len(nest.operands) - output_count(op, nest)
    arguments = op.regions[0].blocks[0].arguments
    reads = elements_read(ctx, nest.operands[:count], nest.maps[:count], arguments[:count], nest.runs, asked)
    reads += [unknown_element(ctx, *each) for each in zip(nest.operands[count:], arguments[count:], strict=False)]
    for each in reads:
        conditions.append(each.condition)
        bounds |= each.bounds
    varies = at is not None or any(each.varies for each in reads)
    run = _run(op, nest, tuple(each.value for each in reads), conjunction(conditions), at, varies)
    reasons = dict.fromkeys(each.reason for each in reads if each.reason)
    return Body(run, tuple(reasons), frozenset[Variable]().union(*(each.free for each in reads)), bounds, since)


def _asked(op: Operation) -> frozenset[int]:
    """Return the loops whose index the body reads."""
    inner = (each for block in op.regions[0].blocks for first in block.operations for each in first.walk())
    return frozenset(integer_of(each, "dim") for each in inner if each.name == "linalg.index")


def _run(
    op: Operation,
    nest: LoopNest,
    arguments: tuple[Abstract, ...],
    inside: Formula,
    at: tuple[Dim, ...] | None,
    varies: bool,
) -> AtMostOnce | GenericIteration:
    """Return the run of a body.

    If no known value ``varies`` by position, all runs are alike, and one that happens at most once stands for them.
    """
    region, because = op.regions[0], f"inside the loops of {op.name}"
    if not varies:
        return AtMostOnce(region=region, arguments=arguments, condition=inside, because=because, runs=nest.runs)
    return GenericIteration(
        region=region, arguments=arguments, condition=inside, because=because, runs=nest.runs, iteration=at
    )


def with_bounds(
    ctx: RuleContext, nest: LoopNest, inner: Body, results: tuple[Abstract, ...], yielded: tuple[Abstract, ...] | None
) -> tuple[Abstract, ...]:
    """Return the results with intervals of their elements if the body computes these from bounded values."""
    if yielded is None or len(yielded) != len(results):
        return results
    maps = nest.maps[-len(results) :] if results else ()
    made = ctx.unknowns.names_after(inner.since)
    known = IntervalEnvironment({**ctx.unknowns.element_intervals(made), **inner.inside}, made)
    return tuple(
        Tensor(result.shape, between=_bounds(value, known, nest.runs, of.type))
        if isinstance(result, Tensor) and isinstance(value, Dim | Float | Formula) and _writes_all(map)
        else result
        for result, value, map, of in zip(results, yielded, maps, nest.operands[-len(results) :], strict=True)
    )


def _writes_all(map: AffineMap) -> bool:
    """Return whether different iterations write different elements, so that all or none are written."""
    return sorted(each.value for each in map.results if each.kind == "dim") == list(range(map.dims)) and all(
        each.kind == "dim" for each in map.results
    )


def _bounds(
    value: Dim | Float | Formula, known: IntervalEnvironment, runs: Formula, type: Type
) -> IntegerInterval | None:
    """Return the interval of a value that is computed from bounded values and values of the outside."""
    if isinstance(value, Float):
        format = FORMATS.get(element_type(type).text)
        found = None if format is None else known.floats(value, format)
    elif isinstance(value, Formula):
        found = known.truth(value)
    else:
        found = known.interval(value).between
    return None if found is None else replace(found, where=conjunction((runs, found.where)))


@record
class Read:
    """An element that a body reads.

    Attributes:
        value: The element.
        condition: The formula that holds of it.
        bounds: The intervals of the variables in it.
        free: The variables that stand for unknown values.
        reason: The reason why they are unknown.
        varies: Whether it takes each of several known values at some position.
    """

    value: Abstract
    condition: Formula = TRUE
    bounds: Mapping[Variable, IntegerInterval] = field(default_factory=dict[Variable, IntegerInterval])
    free: frozenset[Variable] = frozenset()
    reason: Reason = ""
    varies: bool = False


def elements_read(
    ctx: RuleContext,
    operands: Sequence[Value],
    maps: Sequence[AffineMap],
    arguments: Sequence[Value],
    runs: Formula,
    asked: AbstractSet[int],
) -> list[Read]:
    """Return the element for each argument of a body. ``asked`` are the loops whose index the body reads."""
    bounded = [_bounds_of(ctx, operand, argument, runs) for operand, argument in zip(operands, arguments, strict=True)]
    ways = [None if each is None or not each.step else _loops(map) for each, map in zip(bounded, maps, strict=True)]
    alone = _independent(ways, asked)
    return [
        _any_of(ctx, operand, between)
        if between is not None and number in alone
        else element_read(ctx, operand, argument, between)
        for number, (operand, argument, between) in enumerate(zip(operands, arguments, bounded, strict=True))
    ]


def _is_truth(type: object) -> bool:
    return isinstance(type, ScalarType) and type.is_boolean


def element_read(ctx: RuleContext, operand: Value, argument: Value, between: IntegerInterval | None) -> Read:
    """Return the element if it is the same at every position, else an unknown one with its bounds."""
    known = _element(ctx, operand)
    if known is not None:
        return Read(known)
    return unknown_element(ctx, operand, argument, between)


def unknown_element(ctx: RuleContext, operand: Value, argument: Value, between: IntegerInterval | None = None) -> Read:
    """Return an element of which nothing but its bounds is known."""
    value = ctx.unknowns.of_type(argument.type, f"{operand.name}{ELEMENT}", contents=True)
    if between is not None and is_float(argument):
        return _float_of(ctx, operand, between)
    free = variables_of(value)
    if not argument.uses or not free:
        return Read(value)
    if between is not None and isinstance(value, Formula):
        value = _as_all_are(value, between)
        free &= variables_of(value)
        if not free:
            return Read(value)
    if between is None or not isinstance(value, Dim):
        return Read(value, free=free, reason=ctx.reason_unknown(argument, operand.name))
    return Read(value, between.contains(value), dict.fromkeys(free, between.subset_bounds), free, _only_bounds(operand))


def _as_all_are(truth: Formula, between: IntegerInterval) -> Formula:
    """Return an unknown truth value that equals the common value of all elements where they have one."""
    if between.low is not between.high:
        return truth
    unless = negation(between.where)
    return conjunction((truth, unless)) if between.low is ZERO else disjunction((truth, unless))


def _float_of(ctx: RuleContext, operand: Value, between: IntegerInterval) -> Read:
    """Return a float of which only the interval of its numerator is known."""
    numerator = ctx.fresh(f"{operand.name}{ELEMENT}", None, None)
    value, free = Float(numerator, dim(between.denominator)).where(between.where), numerator.variables
    bounds = dict.fromkeys(free, between.subset_bounds)
    return Read(value, between.contains(numerator), bounds, free, _only_bounds(operand))


def _only_bounds(operand: Value) -> str:
    return f"of what {operand.name} holds only the bounds are known"


def _bounds_of(ctx: RuleContext, operand: Value, argument: Value, runs: Formula) -> IntegerInterval | None:
    """Return the interval of the elements of an operand that are read, or None.

    It has a step only if its condition is known to hold in the body.
    """
    if not argument.uses or not isinstance(operand.type, ShapedType):
        return None
    between = element_interval(ctx, operand)
    if between is None or _element(ctx, operand) is not None:
        return None
    if is_float(operand):
        return between.subset_bounds
    both_known = between.low.is_constant and between.high.is_constant
    holds = set(conjuncts(between.where)) <= set(conjuncts(runs))
    if _is_truth(operand.type.element):
        return replace(between, where=TRUE) if holds else between
    return between if holds and (both_known or between.step == 1) else between.subset_bounds


def _loops(map: AffineMap) -> frozenset[int] | None:
    """Return the loops that index an operand, or None unless each dimension has a loop of its own."""
    loops = {each.value for each in map.results if each.kind == "dim"}
    return frozenset(loops) if len(loops) == len(map.results) else None


def _independent(ways: Sequence[frozenset[int] | None], asked: AbstractSet[int]) -> set[int]:
    """Return the accesses whose loops neither another access nor the body uses."""
    alone = {number for number, loops in enumerate(ways) if loops is not None and not loops & asked}
    clashing = {
        number
        for pair in combinations(sorted(alone), 2)
        if (ways[pair[0]] or frozenset()) & (ways[pair[1]] or frozenset())
        for number in pair
    }
    return alone - clashing


def _any_of(ctx: RuleContext, operand: Value, between: IntegerInterval) -> Read:
    """Return an element that takes each integer of the interval at some position, independently of other elements."""
    low, high = between.low, between.high
    if low.is_constant and between.step == 1:
        upper = high.constant if high.is_constant else high.bounds()[1]
        value = ctx.fresh(f"{operand.name}{ELEMENT}", low.constant, upper)
        known = IntegerInterval(low, high, step=1)
        return Read(value, at_least(high, value), dict.fromkeys(value.variables, known), varies=True)
    last = (high - low) if between.step == 1 else dim((high - low).constant // between.step)
    place = ctx.fresh(f"{operand.name}.place")
    known = IntegerInterval(ZERO, last, step=1)
    value = low + place * between.step
    return Read(value, at_least(last, place), dict.fromkeys(place.variables, known), varies=True)


def element_interval(ctx: RuleContext, operand: Value) -> IntegerInterval | None:
    """Return the interval of the elements of an operand, or None."""
    found = ctx.value(operand)
    return found.between if isinstance(found, Tensor) else None


def _element(ctx: RuleContext, operand: Value) -> Abstract | None:
    """Return the value that the body reads of an input if it is the same at every position, else None."""
    if not isinstance(operand.type, ShapedType):
        return ctx.value(operand)
    elements, between = ctx.elements(operand), element_interval(ctx, operand)
    if elements and all(element is elements[0] for element in elements):
        return elements[0]
    if between is None or between.single_value is None:
        return None
    if is_float(operand):
        return Float(between.single_value, dim(between.denominator))
    return as_truth(between.single_value) if _is_truth(operand.type.element) else between.single_value
