"""Structured loops: one after the other, while something holds, or all at once."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import TRUE, Formula, at_least, conjunction, negation
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Block, Operation, ScalarType, ShapedType, Type, Value
from shapesolve.walking.effects import PURE
from shapesolve.walking.limits import MAX_BODY
from shapesolve.walking.region_runs import Every, Once, Unrolled, While, loop
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, Simpler, Yields, rule
from shapesolve.walking.unknowns import integer_range
from shapesolve.walking.values import Abstract, Opaque, Tensor, Unmodelled

from .integers import NO_WRAP, element_type, is_mathematical, unsigned, wrapped
from .iteration import Counter, counter, ends_in_range, known_trips, last_fits, nested, positive_step
from .operand_lists import mixed, segment
from .scf import NOT_REACHED

UNORDERED = "a reduction in no particular order is not followed"


@rule("scf.for", example="tests/cases/scf/for.mlir", effects=PURE)
def for_loop(op: Operation, see: RuleContext) -> Meaning:
    """A loop from a lower bound up to, not including, an upper bound.

    (C1) The step is positive.
    (C2) The first number that the loop does not reach is one that the counter's type holds (narrow types).
    (R1) The results are what the last iteration yields, or the initial values where there is none: followed for at most
    8 iterations with constant bounds, and else where no iteration changes them, or each by the same amount, or in
    a way that says what they are in each: sums, limits, turns, choices by the number of the iteration. Of what changes
    otherwise is known what stays equal, what never falls or rises, and what its changes are multiples of.
    """
    block = op.regions[0].blocks[0]
    type = element_type(block.arguments[0].type)
    unsigned_bounds = bool(op.attributes.get("unsignedCmp"))
    lower, upper, step = (
        unsigned(see.integer(operand), type.width) if unsigned_bounds else see.integer(operand)
        for operand in op.operands[:3]
    )
    within = (0, 2**type.width - 1) if unsigned_bounds else integer_range(type)
    carried = tuple(see.value(operand) for operand in op.operands[3:])
    count = counter(block.arguments[0], lower, upper, step, see, within)
    claims = [positive_step(step, "C1")]
    if not is_mathematical(type):
        claims.append(last_fits(count, within, "C2"))
    trips = known_trips(lower, upper, step) if worth_following(block) else None
    if trips is not None:
        run = Unrolled(region=op.regions[0], trips=tuple((number,) for number in trips), carries=carried, runs=TRUE)
    else:
        run = loop(
            region=op.regions[0],
            # Between the bounds no signed number wraps around; of unsigned ones, those from half of the range up do.
            arguments=(wrapped(count.value, type.width) if unsigned_bounds else count.value,),
            carries=carried,
            condition=count.condition,
            because="inside the loop",
            runs=count.runs,
            course=count.course,
        )
    return Meaning(
        claims=tuple(claims),
        regions=(run,),
        finish=lambda yields: carried_out(op, yields),
        leans_on=_leans([step]) if is_mathematical(type) else (),
        presumes=ends_in_range([count], within[1]) if is_mathematical(type) else TRUE,
        simpler=Simpler(runs=(negation(count.runs), conjunction((count.runs, at_least(step, upper - lower))))),
    )


def worth_following(block: Block) -> bool:
    """Whether iterations may change something of interest, and each is short."""
    inner = [each for op in block.operations for each in op.walk()]
    if len(inner) > MAX_BODY or any(each.name in ("scf.for", "scf.while", "affine.for") for each in inner):
        return False
    return any(_is_open(argument.type) for argument in block.arguments[1:])


def _is_open(type: Type) -> bool:
    if isinstance(type, ShapedType):
        element = type.element
        integers = isinstance(element, ScalarType) and element.kind != "float" and type.container != "memref"
        return type.extents is None or None in type.extents or integers
    return not isinstance(type, ScalarType) or type.kind != "float"


def carried_out(op: Operation, yields: Yields) -> tuple[Abstract, ...]:
    """The results of a loop: what it carries at its end."""
    if not op.results:
        return ()
    last = yields[0]
    return tuple(Unmodelled(NOT_REACHED) for _ in op.results) if last is None else last


@rule("scf.while", example="tests/cases/scf/while.mlir", effects=PURE)
def while_loop(op: Operation, see: RuleContext) -> Meaning:
    """A loop that runs its second region as long as its first region gives `true` to `scf.condition`.

    (R1) The results are what `scf.condition` is given beside `false`, in the run that ends the loop: followed where no
    iteration changes them, or in a way that `scf.for` follows and the condition says how many there are, or one falls
    to what the condition excludes and not beyond. Of what changes otherwise is known what stays equal, what never falls
    or rises, and what its changes are multiples of.
    """
    before, after = op.regions

    def follow(yielded: tuple[Abstract, ...], carried: tuple[Abstract, ...]) -> Every:
        condition = yielded[0]
        if not isinstance(condition, Formula):
            return Every(region=after, arguments=yielded[1:], approximate="the condition of the loop is not known")
        return Every(
            region=after, arguments=yielded[1:], condition=condition, because="the loop goes on", runs=condition
        )

    run = While(region=before, carries=tuple(see.value(operand) for operand in op.operands), follow=follow)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        last = yields[0]
        return tuple(Unmodelled(NOT_REACHED) for _ in op.results) if last is None else last[1:]

    return Meaning(regions=(run,), finish=finish)


@rule("scf.parallel", example="tests/cases/scf/parallel.mlir", effects=PURE)
def parallel(op: Operation, see: RuleContext) -> Meaning:
    """Nested loops whose iterations run in any order.

    (C1) Every step is positive.
    (R1) The results are reductions in no particular order; only their shapes where these cannot change are followed.
    """
    lowers, uppers, steps = ([see.integer(operand) for operand in segment(op, group)] for group in range(3))
    counters = _counters(op.regions[0].blocks[0].arguments, lowers, uppers, steps, see)
    results = tuple(_unordered(result) for result in op.results)
    return Meaning(
        claims=tuple(positive_step(step, "C1") for step in steps),
        regions=(nested(op.regions[0], counters),),
        finish=lambda _: results,
        leans_on=_leans(steps),
        presumes=ends_in_range(counters),
    )


def _unordered(result: Value) -> Abstract:
    type = result.type
    if isinstance(type, ScalarType) and type.kind == "float":
        return Opaque()
    if isinstance(type, ShapedType) and type.extents is not None and None not in type.extents:
        return Tensor(RankedShape.of(extent for extent in type.extents if extent is not None))
    return Unmodelled(UNORDERED)


@rule("scf.reduce", example="tests/cases/scf/parallel.mlir", effects=PURE)
def reduce(op: Operation, see: RuleContext) -> Meaning:
    """Combines the values of all iterations of the loop around it, two at a time, in no particular order."""
    runs = tuple(
        Every(
            region=region,
            arguments=(see.unknown(region.blocks[0].arguments[0]), see.unknown(region.blocks[0].arguments[1])),
            approximate=UNORDERED,
        )
        for region in op.regions
    )
    return Meaning(regions=runs)


@rule("scf.forall", example="tests/cases/scf/forall.mlir", effects=PURE)
def forall(op: Operation, see: RuleContext) -> Meaning:
    """Nested loops whose iterations run at the same time and each write a part of shared tensors.

    (C1) Every step is positive.
    (R1) Each result has the shape of its shared tensor.
    """
    lowers, uppers, steps = (
        mixed(op, see, name, segment(op, group))
        for group, name in enumerate(("staticLowerBound", "staticUpperBound", "staticStep"))
    )
    block = op.regions[0].blocks[0]
    counters = _counters(block.arguments, lowers, uppers, steps, see)
    shared = tuple(Tensor(see.shape(operand)) for operand in segment(op, 3))
    return Meaning(
        claims=tuple(positive_step(step, "C1") for step in steps),
        regions=(nested(op.regions[0], counters, *shared),),
        finish=lambda _: shared,
        leans_on=_leans(steps),
        presumes=ends_in_range(counters),
    )


@rule("scf.forall.in_parallel", example="tests/cases/scf/forall.mlir", effects=PURE)
def in_parallel(op: Operation, see: RuleContext) -> Meaning:
    """Says which parts of the shared tensors an iteration writes."""
    return Meaning(regions=tuple(Once(region=region) for region in op.regions))


def _counters(
    arguments: Sequence[Value], lowers: Sequence[Dim], uppers: Sequence[Dim], steps: Sequence[Dim], see: RuleContext
) -> list[Counter]:
    bounds = zip(lowers, uppers, steps, strict=True)
    return [counter(argument, *each, see) for argument, each in zip(arguments, bounds, strict=False)]


def _leans(steps: Sequence[Dim]) -> tuple[str, ...]:
    return () if all(step.is_constant and step.constant == 1 for step in steps) else (NO_WRAP,)
