"""The `scf` dialect: structured branches, and sequential, conditional and parallel loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.fresh_variables import integer_range
from shapesolve.domain.join import join
from shapesolve.domain.values import Abstract, Tensor, UnknownValue, Unmodeled
from shapesolve.ir.control_flow import MAX_BODY
from shapesolve.ir.program import Block, Operation, ScalarType, ShapedType, Type, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Assumes, Folds, OpSemantics, Results, Yields
from shapesolve.semantics.regions import AtMostOnce, GenericIteration, UnrolledLoop, WhileLoop
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, negation
from shapesolve.trace.trust import NO_WRAP

from .transfer.control_flow import (
    InductionVariable,
    counted_loop,
    counter_end_fits,
    counter_ends_fit,
    induction_variable,
    known_trips,
    nested_loop_body,
    positive_step,
)
from .transfer.integers import element_type, is_mathematical, unsigned, wrapped
from .transfer.strided_slices import mixed_integers, segment

NOT_REACHED = "a region's end is not reached"


@rule(
    "scf.yield", "scf.condition", "scf.reduce.return", "affine.yield", example="tests/cases/scf/if.mlir", effects=PURE
)
def ends(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a region with the values that it yields."""
    return OpSemantics()


@rule("scf.if", example="tests/cases/scf/if.mlir", effects=PURE)
def branch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of two regions, by a condition.

    (R1) The results are what the first region yields where the condition holds, else what the second yields.
    """
    condition = ctx.truth(op.operands[0])
    either = branches(op, condition)
    return replace(either, folds=replace(either.folds, branches=(condition, negation(condition))))


def branches(op: Operation, condition: Formula) -> OpSemantics:
    """Return the semantics of running the first region if a condition holds, else the second one, if any."""
    arms = [(op.regions[0], condition, "the branch is taken")]
    if len(op.regions) > 1 and op.regions[1].blocks:
        arms.append((op.regions[1], negation(condition), "the branch is not taken"))
    runs = tuple(AtMostOnce.where(each, because, region=region) for region, each, because in arms)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        return join_arm_results(op, [(condition, yields[0]), (TRUE, yields[-1])]) if op.results else ()

    return OpSemantics(Results(compute=finish), regions=runs, folds=Folds(queries=(condition,)))


def join_arm_results(
    op: Operation, arms: Sequence[tuple[Formula, tuple[Abstract, ...] | None]]
) -> tuple[Abstract, ...]:
    """Return the results of the first arm whose condition holds; the last arm needs no condition."""
    *earlier, (_, last) = arms
    if last is None:
        return tuple(Unmodeled(NOT_REACHED) for _ in op.results)
    results = last
    for condition, yielded in reversed(earlier):
        if yielded is None:
            return tuple(Unmodeled(NOT_REACHED) for _ in op.results)
        results = tuple(
            b if isinstance(b, Unmodeled) else join(condition, a, b) for a, b in zip(yielded, results, strict=True)
        )
    return results


@rule("scf.index_switch", example="tests/cases/scf/index_switch.mlir", effects=PURE)
def index_switch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of several regions, by a number.

    (R1) The results are what the region of the number's case yields, else what the default region yields.
    """
    number = ctx.integer(op.operands[0])
    cases = op.attributes.get("cases")
    if not isinstance(cases, tuple) or len(cases) + 1 != len(op.regions):
        raise UnknownValueError("the cases cannot be read")
    chosen = [equal(number, case) for case in cases if isinstance(case, int)]
    default = conjunction(negation(each) for each in chosen)
    conditions = (default, *chosen)
    runs = tuple(
        AtMostOnce.where(condition, "this case is chosen", region=region)
        for region, condition in zip(op.regions, conditions, strict=True)
    )

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        return join_arm_results(op, [*zip(chosen, yields[1:], strict=True), (TRUE, yields[0])])

    return OpSemantics(Results(compute=finish), regions=runs)


@rule("scf.execute_region", example="tests/cases/scf/execute_region.mlir", effects=PURE)
def execute_region(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A region that runs once.

    (R1) The results are what the region yields.
    """

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        return join_arm_results(op, [(TRUE, yields[0])])

    return OpSemantics(Results(compute=finish), regions=(AtMostOnce(region=op.regions[0]),))


UNORDERED = "a reduction in no particular order is not followed"


@rule("scf.for", example="tests/cases/scf/for.mlir", effects=PURE)
def for_loop(op: Operation, ctx: RuleContext) -> OpSemantics:
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
        unsigned(ctx.integer(operand), type.width) if unsigned_bounds else ctx.integer(operand)
        for operand in op.operands[:3]
    )
    within = (0, 2**type.width - 1) if unsigned_bounds else integer_range(type)
    carried = tuple(ctx.value(operand) for operand in op.operands[3:])
    count = induction_variable(block.arguments[0], lower, upper, step, ctx, within)
    claims = [positive_step(step, "C1")]
    if not is_mathematical(type):
        claims.append(counter_end_fits(count, within, "C2"))
    trips = known_trips(lower, upper, step) if should_unroll(block) else None
    if trips is not None:
        run = UnrolledLoop(region=op.regions[0], trips=tuple((number,) for number in trips), carries=carried, runs=TRUE)
    else:
        # Signed values between the bounds do not wrap; unsigned ones from half of the range up do.
        value = wrapped(count.value, type.width) if unsigned_bounds else count.value
        run = counted_loop(op.regions[0], count, value, carried)
    return OpSemantics(
        Results(compute=lambda yields: loop_results(op, yields)),
        requires=claims,
        regions=(run,),
        folds=Folds(runs=(negation(count.runs), conjunction((count.runs, at_least(step, upper - lower))))),
        assumes=Assumes(
            _modeling([step]) if is_mathematical(type) else (),
            counter_ends_fit([count], within[1]) if is_mathematical(type) else TRUE,
        ),
    )


def should_unroll(block: Block) -> bool:
    """Return whether iterations are short and may carry a value of interest."""
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


def loop_results(op: Operation, yields: Yields) -> tuple[Abstract, ...]:
    """Return the results of a loop: the values it carries at its end."""
    if not op.results:
        return ()
    last = yields[0]
    return tuple(Unmodeled(NOT_REACHED) for _ in op.results) if last is None else last


@rule("scf.while", example="tests/cases/scf/while.mlir", effects=PURE)
def while_loop(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loop that runs its second region as long as its first region gives `true` to `scf.condition`.

    (R1) The results are what `scf.condition` is given beside `false`, in the run that ends the loop: followed where no
    iteration changes them, or in a way that `scf.for` follows and the condition says how many there are, or one falls
    to what the condition excludes and not beyond. Of what changes otherwise is known what stays equal, what never falls
    or rises, and what its changes are multiples of.
    """
    before, after = op.regions

    def follow(yielded: tuple[Abstract, ...], carried: tuple[Abstract, ...]) -> GenericIteration:
        condition = yielded[0]
        if not isinstance(condition, Formula):
            return GenericIteration(
                region=after, arguments=yielded[1:], approximate="the condition of the loop is not known"
            )
        return GenericIteration(
            region=after, arguments=yielded[1:], condition=condition, because="the loop goes on", runs=condition
        )

    run = WhileLoop(region=before, carries=tuple(ctx.value(operand) for operand in op.operands), follow=follow)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        last = yields[0]
        return tuple(Unmodeled(NOT_REACHED) for _ in op.results) if last is None else last[1:]

    return OpSemantics(Results(compute=finish), regions=(run,))


@rule("scf.parallel", example="tests/cases/scf/parallel.mlir", effects=PURE)
def parallel(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Nested loops whose iterations run in any order.

    (C1) Every step is positive.
    (R1) The results are reductions in no particular order; only their shapes where these cannot change are followed.
    """
    lowers, uppers, steps = ([ctx.integer(operand) for operand in segment(op, group)] for group in range(3))
    counters = _counters(op.regions[0].blocks[0].arguments, lowers, uppers, steps, ctx)
    results = tuple(_unordered(result) for result in op.results)
    return OpSemantics(
        Results(compute=lambda _: results),
        requires=tuple(positive_step(step, "C1") for step in steps),
        regions=(nested_loop_body(op.regions[0], counters),),
        assumes=Assumes(_modeling(steps), counter_ends_fit(counters)),
    )


def _unordered(result: Value) -> Abstract:
    type = result.type
    if isinstance(type, ScalarType) and type.kind == "float":
        return UnknownValue()
    if isinstance(type, ShapedType) and type.extents is not None and None not in type.extents:
        return Tensor.of(extent for extent in type.extents if extent is not None)
    return Unmodeled(UNORDERED)


@rule("scf.reduce", example="tests/cases/scf/parallel.mlir", effects=PURE)
def reduce(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Combines the values of all iterations of the loop around it, two at a time, in no particular order."""
    runs = tuple(
        GenericIteration(
            region=region,
            arguments=(ctx.unknown(region.blocks[0].arguments[0]), ctx.unknown(region.blocks[0].arguments[1])),
            approximate=UNORDERED,
        )
        for region in op.regions
    )
    return OpSemantics(regions=runs)


@rule("scf.forall", example="tests/cases/scf/forall.mlir", effects=PURE)
def forall(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Nested loops whose iterations run at the same time and each write a part of shared tensors.

    (C1) Every step is positive.
    (R1) Each result has the shape of its shared tensor.
    """
    lowers, uppers, steps = (
        mixed_integers(op, ctx, name, segment(op, group))
        for group, name in enumerate(("staticLowerBound", "staticUpperBound", "staticStep"))
    )
    block = op.regions[0].blocks[0]
    counters = _counters(block.arguments, lowers, uppers, steps, ctx)
    shared = tuple(Tensor(ctx.shape(operand)) for operand in segment(op, 3))
    return OpSemantics(
        Results(compute=lambda _: shared),
        requires=tuple(positive_step(step, "C1") for step in steps),
        regions=(nested_loop_body(op.regions[0], counters, *shared),),
        assumes=Assumes(_modeling(steps), counter_ends_fit(counters)),
    )


@rule("scf.forall.in_parallel", example="tests/cases/scf/forall.mlir", effects=PURE)
def in_parallel(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Says which parts of the shared tensors an iteration writes."""
    return OpSemantics(regions=tuple(AtMostOnce(region=region) for region in op.regions))


def _counters(
    arguments: Sequence[Value], lowers: Sequence[Dim], uppers: Sequence[Dim], steps: Sequence[Dim], ctx: RuleContext
) -> list[InductionVariable]:
    bounds = zip(lowers, uppers, steps, strict=True)
    return [induction_variable(argument, *each, ctx) for argument, each in zip(arguments, bounds, strict=False)]


def _modeling(steps: Sequence[Dim]) -> tuple[str, ...]:
    return () if all(step.is_constant and step.constant == 1 for step in steps) else (NO_WRAP,)
