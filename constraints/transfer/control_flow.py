"""Induction variables of counted loops, results of branching and repeating regions, and conditions held in a tensor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.domain.fresh_variables import INDEX_RANGE, integer_range
from shapesolve.domain.join import join
from shapesolve.domain.values import Abstract, Tensor, Unmodeled
from shapesolve.ir.program import Operation, Region, Value
from shapesolve.reasons import Reason
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Claim, OpSemantics, Results, Yields
from shapesolve.semantics.regions import MAX_TRIPS, ForLoop, GenericIteration, IterationSpace, WhileLoop, loop
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, ceildiv, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies, less_than
from shapesolve.symbolic.normal_forms import maximum

from .integers import as_truth


@value_record
class InductionVariable:
    """The induction variable of a counted loop at an unknown iteration.

    Attributes:
        value: Its value in that iteration.
        condition: The formula that holds of the value in every iteration.
        runs: The condition under which there is an iteration.
        lower, upper, step: The bounds of the loop, the upper one excluded, and the step.
        iteration: The number of iterations before that one.
    """

    value: Dim
    condition: Formula
    runs: Formula
    lower: Dim
    upper: Dim
    step: Dim
    iteration: Dim

    @property
    def iteration_space(self) -> IterationSpace:
        """The iteration space of the loop."""
        return IterationSpace(round=self.iteration, count=maximum(0, ceildiv(self.upper - self.lower, self.step)))


def induction_variable(
    argument: Value,
    lower: Dim,
    upper: Dim,
    step: Dim,
    ctx: RuleContext,
    within: tuple[int, int] | None = None,
    *,
    whole: bool = True,
) -> InductionVariable:
    """Return the induction variable that counts from ``lower`` up to, not including, ``upper``.

    Its value is ``lower + step*k`` for a constant step above 1; an unknown step is described by a remainder.

    Args:
        argument: The block argument that is the induction variable.
        lower: The first value, if there is one.
        upper: The bound that is not reached.
        step: The distance of successive values.
        ctx: The source of fresh variables.
        within: The least and the greatest number of its type; by default those of the argument's type.
        whole: Whether the loop is known to reach its end, so that every number occurs.
    """
    runs = less_than(lower, upper)
    name = argument.name
    least, most = within or integer_range(argument.type)
    low, high = lower.bounds()[0], upper.bounds()[1]
    least = least if low is None else max(least, low)
    most = most if high is None else min(most, high - 1)
    if step.is_constant and step.constant > 1:
        last = max(0, (most - least) // step.constant)
        if whole:
            round = ctx.every(f"{name}.round", (dim(0), ceildiv(upper - lower, step), dim(1)), 0, last)
        else:
            round = ctx.fresh(f"{name}.round", 0, last)
        value = lower + round * step
        return InductionVariable(value, conjunction((runs, less_than(value, upper))), runs, lower, upper, step, round)
    most = max(least, most)
    value = ctx.every(name, (lower, upper, step), least, most) if whole else ctx.fresh(name, least, most)
    inside = [runs, at_least(value, lower), less_than(value, upper)]
    if not step.is_constant:
        inside.append(equal(remainder(value - lower, step), 0))
    return InductionVariable(value, conjunction(inside), runs, lower, upper, step, floordiv(value - lower, step))


def positive_step(step: Dim, clause: str) -> Claim:
    """Return the claim that a step is positive."""
    return Claim(clause, at_least(step, 1), "the step of the loop is not positive", shown=(("step", step),))


def counter_end_fits(count: InductionVariable, within: tuple[int, int], clause: str) -> Claim:
    """Return the claim that the first value that the loop does not reach is representable in its type."""
    beyond = _beyond(count)
    fits = implies(count.runs, at_least(within[1], beyond))
    return Claim(clause, fits, "the loop's counter wraps at its end", shown=(("last value", beyond),))


def counter_ends_fit(counters: Iterable[InductionVariable], most: int = INDEX_RANGE[1]) -> Formula:
    """Return the formula that no 64-bit counter wraps at the end of its loop."""
    return conjunction(implies(each.runs, at_least(most, _beyond(each))) for each in counters)


def _beyond(count: InductionVariable) -> Dim:
    """Return the first value of the counter that the loop does not reach."""
    return count.lower + ceildiv(count.upper - count.lower, count.step) * count.step


def known_trips(lower: Dim, upper: Dim, step: Dim) -> tuple[Dim, ...] | None:
    """Return the values of the induction variable of a short loop with constant bounds, in order, else None."""
    if not (lower.is_constant and upper.is_constant and step.is_constant) or step.constant < 1:
        return None
    numbers = range(lower.constant, upper.constant, step.constant)
    return tuple(dim(number) for number in numbers) if len(numbers) <= MAX_TRIPS else None


def counted_loop(
    region: Region, count: InductionVariable, value: Dim, carried: tuple[Abstract, ...]
) -> GenericIteration | ForLoop:
    """Return a sequential loop with an induction variable, whose region is given it as ``value``."""
    return loop(
        region=region,
        arguments=(value,),
        carries=carried,
        condition=count.condition,
        because="inside the loop",
        runs=count.runs,
        iteration_space=count.iteration_space,
    )


def nested_loop_body(region: Region, counters: Sequence[InductionVariable], *further: Abstract) -> GenericIteration:
    """Return the generic iteration of nested loops that carry nothing. ``further`` arguments follow the counters."""
    return GenericIteration(
        region=region,
        arguments=(*(each.value for each in counters), *further),
        condition=conjunction(each.condition for each in counters),
        because="inside the loop",
        runs=conjunction(each.runs for each in counters),
    )


NOT_KNOWN = "what the region yields is not known"


def join_region_results(op: Operation, conditions: Sequence[Formula], yields: Yields) -> tuple[Abstract, ...]:
    """Return the results of an operation of whose regions exactly one runs.

    That is the first region whose condition holds, or else the last one, which needs no condition.
    """
    results: list[Abstract] = []
    for index in range(len(op.results)):
        columns = [None if yielded is None else yielded[index] for yielded in yields]
        value = columns[-1]
        for condition, other in zip(reversed(conditions), reversed(columns[:-1]), strict=True):
            value = None if value is None or other is None else join(condition, other, value)
        results.append(Unmodeled(NOT_KNOWN) if value is None else value)
    return tuple(results)


def while_loop_semantics(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of a while loop: its second region runs again while the first one yields true.

    The first region hands the carried values on to the second one. They are the operands at first.
    """
    before, after = op.regions
    next_one = after.blocks[-1].operations[-1].operands
    check_region_types(op.operands, before.blocks[0].arguments, after.blocks[0].arguments, next_one)

    def follow(yielded: tuple[Abstract, ...], carried: tuple[Abstract, ...]) -> GenericIteration:
        found = yielded[0]
        if not isinstance(found, Tensor) or found.elements is None or len(found.elements) != 1:
            return GenericIteration(
                region=after, arguments=carried, approximate="the condition of the loop is not known"
            )
        condition = as_truth(found.elements[0])
        return GenericIteration(
            region=after, arguments=carried, condition=condition, because="the loop goes on", runs=condition
        )

    carries = tuple(ctx.value(operand) for operand in op.operands)
    run = WhileLoop(region=before, carries=carries, follow=follow, passes_on=True)
    return OpSemantics(Results(compute=lambda yields: carried_results(op, yields[0])), regions=(run,))


def check_region_types(given: Sequence[Value], *taken: Sequence[Value]) -> None:
    """Check that regions take values under the types they have, since nothing would check other extents.

    Raises:
        UnknownValueError: A type differs.
    """
    types = [value.type for value in given]
    if any([value.type for value in values] != types for values in taken):
        raise UnknownValueError("its regions take values of other types than it does")


def carried_results(op: Operation, carried: tuple[Abstract, ...] | None) -> tuple[Abstract, ...]:
    """Return the results of a loop, which are the values it carries, or unmodeled results if these are unknown."""
    return tuple(Unmodeled(NOT_KNOWN) for _ in op.results) if carried is None else carried


@value_record
class Condition:
    """The one element of a tensor<i1> as a formula.

    Attributes:
        formula: The truth value, a fresh one if the element is unknown.
        reasons: The reason why it is unknown.
        free: The variables that stand for unknown values.
    """

    formula: Formula
    reasons: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()


def condition_of(ctx: RuleContext, value: Value) -> Condition:
    """Return the truth value of a tensor of one element."""
    elements = ctx.elements(value)
    if elements is not None and len(elements) == 1:
        return Condition(as_truth(elements[0]))
    outcome = ctx.fresh(value.name, 0, 1)
    return Condition(equal(outcome, 1), (f"the truth of {value.name} is not followed",), outcome.variables)
