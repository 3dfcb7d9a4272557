"""What a function needs, checked once at its entry; then every check that this proves goes.

A condition is checked there only if it is proved that wherever it does not hold, the function fails or is undefined
before it has done anything that others see. So a run that would have failed fails earlier, one that was undefined stops
with a message, and every other run does what it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from shapesolve.contracts.cases import divides_by_sizes
from shapesolve.contracts.contract import Condition
from shapesolve.hardening.calls_inside import stopping_calls
from shapesolve.hardening.checking_again import checked_again
from shapesolve.hardening.entry_plan import EntryPlan, plan_of
from shapesolve.hardening.homes import homes_of
from shapesolve.hardening.index_terms import IndexTerms, WitnessTerms
from shapesolve.hardening.meaning import differing
from shapesolve.hardening.preparing import prepared
from shapesolve.hardening.request import functions_asked
from shapesolve.hardening.stablehlo_terms import StablehloTerms
from shapesolve.hardening.terms import Insertion, Terms, Unwritable
from shapesolve.hardening.wrapping import require_one_block, wrap
from shapesolve.hardening.writing import ConditionWriter
from shapesolve.judging.loop import Progress
from shapesolve.language.formulas import Formula, at_least
from shapesolve.options import Options
from shapesolve.pruning.outcome import PruneResult, WrittenCheck
from shapesolve.pruning.prepared import Prepared
from shapesolve.pruning.prune import prune_prepared
from shapesolve.reading.bindings import Bindings
from shapesolve.reading.crash_trial import parsed_text
from shapesolve.reading.program import Program
from shapesolve.reading.shared_contexts import context_for
from shapesolve.rewriting.assumption_attributes import RECORDED, record

STYLES: dict[str, type[Terms]] = {"cf": IndexTerms, "shape": WitnessTerms, "stablehlo": StablehloTerms}
"""The terms in which checks can be written, by their names."""

EARLIER = (
    "a run that would have failed stops at the entry, one that would have been undefined stops with a message, and "
    "every other run does what it did"
)
PARTLY = (
    "a run that stops at the entry would have failed or been undefined, and every other run does what it did, which "
    "may be to fail or to be undefined later"
)


def prune_at_entry(
    program: Program, options: Options, style: str = "cf", progress: Progress | None = None
) -> PruneResult:
    """Prune a program that was read from text, with what it needs checked at its entry, in the terms of ``style``.

    Raises InputError and RewriteError as `prune_program` does.
    """
    functions = functions_asked(program, options, style, STYLES)
    plans = [plan_of(program, each, options, progress) for each in functions]
    bare = replace(options, assumptions=(), shapes=(), min_size=0)
    draft = _drafted(program, plans, options, style)
    while draft is not None:
        wrong = _wrong(draft, plans, options, bare)
        if not wrong:
            break
        for number, why in wrong.items():
            check = draft.ready.written[number]
            plan = next(each for each in plans if each.name == check.function)
            plan.leave(check.condition, why)
        draft = _drafted(program, plans, options, style)
    if draft is None:
        result = prune_prepared(Prepared.untouched(program), options)
        result = checked_again(result, bare if result.removed else options)
    else:
        result = checked_again(prune_prepared(draft.ready, replace(bare, tolerant=True)), bare)
    return replace(result, notes=(*_notes(plans, result), *result.notes))


@dataclass(slots=True)
class _Draft:
    """A program with checks at its entries, and what each of them should require, by its number."""

    ready: Prepared
    formulas: dict[int, Formula] = field(default_factory=dict[int, Formula])


def _wrong(draft: _Draft, plans: Sequence[EntryPlan], options: Options, bare: Options) -> dict[int, str]:
    """The checks that must not be written, by their numbers, and why."""
    traces = [each.trace for each in plans if each.conditions]
    stopping = stopping_calls(draft.ready, draft.formulas, plans, options)
    return dict.fromkeys(stopping, "it might stop a call inside of the program, which need not be as is assumed") | (
        dict.fromkeys(
            differing(draft.ready, draft.formulas, traces, bare), "what would be written is not proved to mean the same"
        )
    )


def _drafted(program: Program, plans: Sequence[EntryPlan], options: Options, style: str) -> _Draft | None:
    """The program with what is planned; None where that is nothing."""
    assert program.text is not None
    insertion = Insertion(parsed_text(context_for(program.text), program.text), program)
    written: dict[int, WrittenCheck] = {}
    formulas: dict[int, Formula] = {}
    for plan in plans:
        live = insertion.live[plan.trace.function.operation.number]
        _put_in(insertion, live, plan, STYLES[style], written, formulas)
    if not formulas:
        return None
    satisfiable = [each for each in plans if not each.contract.report.contradiction]
    recorded = [
        record(insertion.live[each.trace.function.operation.number], each.trace.function, options)
        for each in satisfiable
    ]
    alone = frozenset(each.name for each in plans if each not in satisfiable)
    ready = prepared(program, insertion, written, alone, [RECORDED] if any(recorded) else [])
    return _Draft(ready, formulas)


def _put_in(
    insertion: Insertion,
    function: Bindings,
    plan: EntryPlan,
    style: type[Terms],
    written: dict[int, WrittenCheck],
    formulas: dict[int, Formula],
) -> None:
    """Put a function's conditions before its first operation."""
    from shapesolve.solving import follows

    if not plan.conditions:
        return
    block = function.regions[0].blocks[0]
    before = next(iter(block.operations)).operation
    terms = style(insertion, before)
    arguments = zip(plan.trace.inputs, block.arguments, plan.trace.function.arguments, strict=True)
    checked = [fact.formula for fact in plan.contract.report.assumptions]
    homes = homes_of((value, live, each.type) for value, live, each in arguments)
    writer = ConditionWriter(terms, homes, lambda divisor: follows(at_least(divisor, 1), checked))
    checks: list[Bindings] = []
    # What says that a divisor is positive stands before what divides by it.
    for condition in sorted(plan.conditions, key=lambda each: divides_by_sizes(each.formula)):
        try:
            if style is WitnessTerms:
                require_one_block(function)
            truth = writer.whole(condition.formula)
        except Unwritable as reason:
            plan.leave(condition.text, f"it cannot be written there: {reason}")
            continue
        checked.append(condition.formula)
        message = _message(condition)
        checks.append(terms.require(truth, message))
        needed_by = dict.fromkeys((each.op.name, each.location) for each in condition.needed_by)
        written[-insertion.made] = WrittenCheck(plan.name, condition.text, message, tuple(needed_by))
        formulas[-insertion.made] = condition.formula
    if checks and style is WitnessTerms:
        wrap(insertion, function, checks)


def _message(condition: Condition) -> str:
    """The condition, after what the program's author says of what needs it."""
    said = dict.fromkeys(each.said[1:-1].replace('" or "', " or ") for each in condition.needed_by if each.said)
    return ": ".join([*said, condition.text])


def _notes(plans: Sequence[EntryPlan], result: PruneResult) -> tuple[str, ...]:
    notes: list[str] = []
    if any(each.conditions for each in plans):
        notes.append(PARTLY if result.kept or result.still_open else EARLIER)
    for plan in plans:
        if plan.contract.hopeless:
            notes.append(f"@{plan.name}: nothing is checked at its entry, because no sizes are safe")
        notes += [f"@{plan.name}: `{text}` is not checked at the entry: {why}" for text, why in plan.left.items()]
    return tuple(notes)
