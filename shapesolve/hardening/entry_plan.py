"""Which conditions of a function's contract are checked at its entry, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shapesolve.contracts.contract import Condition, FunctionContract
from shapesolve.contracts.demands import Demand, demands
from shapesolve.contracts.inference import contract_of
from shapesolve.contracts.shortest import said, shortest
from shapesolve.hardening.overflow_guards import overflow_guards
from shapesolve.hardening.timing import may_come_earlier, seen_first
from shapesolve.judging.loop import Progress
from shapesolve.libraries.layering import rulebook_for
from shapesolve.options import Options
from shapesolve.proving.verdicts import Proved
from shapesolve.reading.program import Function, Operation, Program
from shapesolve.walking.inputs import scope_of
from shapesolve.walking.obligations import Trace


@dataclass(slots=True)
class EntryPlan:
    """The conditions that go to the entry of one function; ``left`` says of each of the others why it does not."""

    contract: FunctionContract
    conditions: list[Condition] = field(default_factory=list[Condition])
    left: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        return self.contract.name

    @property
    def trace(self) -> Trace:
        """The function, walked without the conditions."""
        return self.contract.report.trace

    def leave(self, text: str, why: str) -> None:
        """Do not put a condition at the entry."""
        self.conditions = [each for each in self.conditions if each.text != text]
        self.left[text] = why


def plan_of(program: Program, function: Function, options: Options, progress: Progress | None) -> EntryPlan:
    """What fails wherever it does not hold, before anything was done that others see."""
    plan = EntryPlan(contract_of(program, function, options, progress))
    first = seen_first(program, plan.trace, rulebook_for(program, options))
    needed = _needed(plan.contract)
    for condition in (*overflow_guards(plan.contract, needed), *plan.contract.conditions):
        if not condition.necessary:
            plan.left[condition.text] = "it is not proved that something fails wherever it does not hold"
        elif first is not None and not _fails_before(condition, plan.contract, needed, first):
            line = f" (line {first.location.line})" if first.location.line else ""
            plan.left[condition.text] = f"what fails comes after `{first.name}`{line}, which others see"
        else:
            plan.conditions.append(condition)
    if first is not None and plan.left:
        plan.conditions += _besides(plan, needed, first)
    return plan


def _besides(plan: EntryPlan, needed: Sequence[Demand], first: Operation) -> list[Condition]:
    """What fails early besides: of `k >= 1`, which does not go to the entry, perhaps `k >= 0`."""
    from shapesolve.solving import follows

    is_before = may_come_earlier(plan.trace, first)
    early = [each for each in needed if is_before(each.obligation)]
    known = [fact.formula for fact in plan.contract.report.assumptions]
    there = [*known, *(each.formula for each in plan.conditions)]
    open = [each for each in early if not follows(each.formula, there)]
    if not open:
        return []
    scope = scope_of(plan.trace)
    found = [each for each in shortest([each.formula for each in open], there, scope) if not follows(each, there)]
    return [
        Condition(
            each,
            said(each, scope),
            tuple(demand.obligation for demand in open if demand.formula.variables & each.variables),
            necessary=True,
        )
        for each in found
        if follows(each, [*known, *(demand.formula for demand in early)])
    ]


def _needed(contract: FunctionContract) -> list[Demand]:
    """What the obligations that are not proved demand of the inputs: wherever one does not hold, something fails."""
    unproved = {each.obligation for each in contract.report.judgements if not isinstance(each.verdict, Proved)}
    stated = [*demands(contract.report.trace).values(), *contract.demands]
    return [each for each in stated if each.exact and each.obligation in unproved]


def _fails_before(condition: Condition, contract: FunctionContract, needed: Sequence[Demand], first: Operation) -> bool:
    """Whether something fails wherever the condition does not hold, before the first operation that others see."""
    from shapesolve.solving import follows

    is_before = may_come_earlier(contract.report.trace, first)
    known = [fact.formula for fact in contract.report.assumptions]
    early = [each.formula for each in needed if is_before(each.obligation)]
    return follows(condition.formula, [*known, *early])
