"""The loop nest that a structured operation is: its ranges, what its accesses demand, and its body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import ONE, ZERO, Dim, dim
from shapesolve.language.formulas import TRUE, Formula, at_least, conjunction, equal, implies, less_than
from shapesolve.reading.program import AffineExpression, AffineMap, Operation, ShapedType, Type, Value
from shapesolve.records import record
from shapesolve.walking.reasons import Reason
from shapesolve.walking.region_runs import Every, Once
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim
from shapesolve.walking.values import Abstract, Between, Float, Tensor

from .affine_linear import linear_coefficients
from .affine_maps import divisors_positive, evaluate_expression
from .bounded import Bounded
from .float_numbers import FORMATS
from .integers import element_type
from .linalg_reads import readings, unknown
from .operand_lists import integer_of


@record
class Origin:
    """The extent that gives the range of a loop: which operand's (by position) and which of its dimensions."""

    operand: int
    dimension: int
    name: str
    size: Dim


@record
class LoopNest:
    """The loops of one operation. ``origins`` says which extent gives each range; ``runs``: no range is empty."""

    operands: tuple[Value, ...]
    maps: tuple[AffineMap, ...]
    extents: tuple[tuple[Dim, ...], ...]  # per operand; nothing for a scalar
    ranges: tuple[Dim, ...]
    origins: tuple[Origin, ...]
    runs: Formula


def loop_nest(op: Operation, see: RuleContext, maps: Sequence[AffineMap] | None = None) -> LoopNest:
    """The loops of a structured operation: each range is the first extent, in operand order, that is just its loop."""
    found = tuple(maps) if maps is not None else op.indexing_maps
    if not found or len(found) > len(op.operands):
        raise CannotSee("its indexing maps are not known")
    operands = op.operands[: len(found)]
    extents = tuple(see.dims(each) if isinstance(each.type, ShapedType) else () for each in operands)
    origins: dict[int, Origin] = {}
    for place, (operand, map, sizes) in enumerate(zip(operands, found, extents, strict=True)):
        if len(map.results) != len(sizes):
            raise CannotSee(f"the rank of {operand.name} is not that of its indexing map")
        for number, (result, size) in enumerate(zip(map.results, sizes, strict=True)):
            if result.kind == "dim":
                origins.setdefault(result.value, Origin(place, number, f"extent {number} of {operand.name}", size))
    if len(origins) != found[0].dims:
        raise CannotSee("no operand gives the range of one of its loops")
    ordered = tuple(origins[loop] for loop in range(found[0].dims))
    ranges = tuple(origin.size for origin in ordered)
    return LoopNest(operands, found, extents, ranges, ordered, conjunction(at_least(size, 1) for size in ranges))


def access_claims(nest: LoopNest, see: RuleContext) -> tuple[Claim, ...]:
    """Clauses C1 (extents that are just a loop) and C2 (all other accesses), where the loops run at all."""
    claims: list[Claim] = []
    for place, (operand, map, extents) in enumerate(zip(nest.operands, nest.maps, nest.extents, strict=True)):
        for number, (result, extent) in enumerate(zip(map.results, extents, strict=True)):
            name = f"extent {number} of {operand.name}"
            if result.kind != "dim":
                claims.append(_access(nest, see, result, name, extent))
                continue
            origin = nest.origins[result.value]
            if (origin.operand, origin.dimension) == (place, number):
                continue
            formula = implies(nest.runs, equal(origin.size, extent))
            shown = ((origin.name, origin.size), (name, extent))
            claims.append(Claim("C1", formula, f"{name} is not {origin.name}", shown=shown))
    return tuple(claims)


def _access(nest: LoopNest, see: RuleContext, expression: AffineExpression, name: str, extent: Dim) -> Claim:
    linear, divided = linear_coefficients(expression, len(nest.ranges)), TRUE
    if linear is None:
        # Not monotone in general, so the claim is about any one iteration.
        at = _position(nest, see)
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


def _position(nest: LoopNest, see: RuleContext) -> tuple[Dim, ...]:
    """Any position within the ranges."""
    return tuple(see.every(f"loop{number}", (ZERO, size, ONE)) for number, size in enumerate(nest.ranges))


def outputs(op: Operation, nest: LoopNest) -> int:
    """How many of the operands are outputs; they are the last ones."""
    if len(op.segments) == 2:
        return op.segments[1]
    if op.results:
        return len(op.results)
    return len(nest.operands) // 2 if op.name == "linalg.reduce" else 1


def initial_shapes(op: Operation, nest: LoopNest, see: RuleContext) -> tuple[Abstract, ...]:
    """The results of an operation on tensors: each has the shape of its output operand."""
    if not op.results:
        return ()
    return tuple(Tensor(see.tensor(each).shape) for each in nest.operands[-len(op.results) :])


def bearers(op: Operation, nest: LoopNest) -> tuple[Value, ...] | None:
    """What bears the extents of the results: the output operands."""
    return nest.operands[-len(op.results) :] if op.results else None


@record
class Body:
    """The run of a body, and the unknown elements that it runs on."""

    run: Once | Every
    approximations: tuple[Reason, ...]
    free: frozenset[Variable]
    inside: Mapping[Variable, Between]
    """What is known of positions and elements within the body. Those with a step vary independently of each other."""
    since: int
    """How many names were given before the body."""


def body(op: Operation, nest: LoopNest, see: RuleContext) -> Body:
    """The body at any position within the ranges, on elements of which only few are known."""
    since, asked = see.unknowns.count, _asked(op)
    conditions, bounds, at = [nest.runs], dict[Variable, Between](), None
    if asked:
        at = _position(nest, see)
        conditions = [less_than(index, size) for index, size in zip(at, nest.ranges, strict=True)]
        for index, size in zip(at, nest.ranges, strict=True):
            bounds |= dict.fromkeys(index.variables, Between(ZERO, size - 1, step=1))
    count = len(nest.operands) - outputs(op, nest)
    arguments = op.regions[0].blocks[0].arguments
    reads = readings(see, nest.operands[:count], nest.maps[:count], arguments[:count], nest.runs, asked)
    reads += [unknown(see, *each) for each in zip(nest.operands[count:], arguments[count:], strict=False)]
    for each in reads:
        conditions.append(each.condition)
        bounds |= each.bounds
    varies = at is not None or any(each.varies for each in reads)
    run = _run(op, nest, tuple(each.value for each in reads), conjunction(conditions), at, varies)
    reasons = dict.fromkeys(each.reason for each in reads if each.reason)
    return Body(run, tuple(reasons), frozenset[Variable]().union(*(each.free for each in reads)), bounds, since)


def _asked(op: Operation) -> frozenset[int]:
    """The loops whose number the body asks for."""
    inner = (each for block in op.regions[0].blocks for first in block.operations for each in first.walk())
    return frozenset(integer_of(each, "dim") for each in inner if each.name == "linalg.index")


def _run(
    op: Operation,
    nest: LoopNest,
    arguments: tuple[Abstract, ...],
    inside: Formula,
    at: tuple[Dim, ...] | None,
    varies: bool,
) -> Once | Every:
    """The run of a body: where nothing ``varies`` that is known, all runs are alike as far as anything is."""
    region, because = op.regions[0], f"inside the loops of {op.name}"
    if not varies:
        return Once(region=region, arguments=arguments, condition=inside, because=because, runs=nest.runs)
    return Every(region=region, arguments=arguments, condition=inside, because=because, runs=nest.runs, iteration=at)


def with_bounds(
    see: RuleContext,
    nest: LoopNest,
    inner: Body,
    results: tuple[Abstract, ...],
    yielded: tuple[Abstract, ...] | None,
) -> tuple[Abstract, ...]:
    """The results, with bounds of their elements where the body computes these from what is bounded."""
    if yielded is None or len(yielded) != len(results):
        return results
    maps = nest.maps[-len(results) :] if results else ()
    made = see.unknowns.made_after(inner.since)
    known = Bounded({**see.unknowns.bounds_among(made), **inner.inside}, made)
    return tuple(
        Tensor(result.shape, between=_bounds(value, known, nest.runs, of.type))
        if isinstance(result, Tensor) and isinstance(value, Dim | Float | Formula) and _writes_all(map)
        else result
        for result, value, map, of in zip(results, yielded, maps, nest.operands[-len(results) :], strict=True)
    )


def _writes_all(map: AffineMap) -> bool:
    """Whether every position of the loops writes an element of its own, so that all are written if any is."""
    return sorted(each.value for each in map.results if each.kind == "dim") == list(range(map.dims)) and all(
        each.kind == "dim" for each in map.results
    )


def _bounds(value: Dim | Float | Formula, known: Bounded, runs: Formula, type: Type) -> Between | None:
    """Between which numbers a value lies that is computed from what is bounded, and from what is known outside."""
    if isinstance(value, Float):
        format = FORMATS.get(element_type(type).text)
        found = None if format is None else known.floats(value, format)
    elif isinstance(value, Formula):
        found = known.truth(value)
    else:
        found = known.ends(value).between
    return None if found is None else replace(found, where=conjunction((runs, found.where)))
