"""Checks at the entry of a function that its own program calls, perhaps with what no caller was assumed to give.

What is assumed of a function (`shapesolve.assume`, `--assume`, `--min-size`, names of sizes) is said of calls from
outside. A check that only follows under that would stop a call from inside which returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.contracts.demands import demands
from shapesolve.hardening.entry_plan import EntryPlan
from shapesolve.hardening.meaning import renamed
from shapesolve.hardening.timing import may_come_earlier, seen_first
from shapesolve.judging.traces import trace_of
from shapesolve.language.formulas import Formula
from shapesolve.libraries.layering import rulebook_for
from shapesolve.options import Options
from shapesolve.pruning.prepared import Prepared
from shapesolve.reading.program import Function, Program
from shapesolve.walking.assuming import assumes
from shapesolve.walking.obligations import Kind, Trace


def stopping_calls(
    prepared: Prepared, formulas: Mapping[int, Formula], plans: Sequence[EntryPlan], options: Options
) -> set[int]:
    """The checks that may stop a call from inside of the program which would have returned, by their numbers."""
    bare = replace(options, assumptions=(), shapes=(), min_size=0)
    found: set[int] = set()
    named = {each for functions in prepared.original.symbols.mentions().values() for each in functions}
    for plan in plans:
        if plan.conditions and assumes(plan.trace) and plan.trace.function in named:
            found |= _stopping(prepared, formulas, plan.trace.function, bare)
    return found


def _stopping(prepared: Prepared, formulas: Mapping[int, Formula], function: Function, bare: Options) -> set[int]:
    from shapesolve.solving import follows

    before = trace_of(prepared.original, function, bare, required_only=True)
    after = trace_of(prepared.program, prepared.program.functions[function.name], bare, required_only=True)
    needed = [*(fact.formula for fact in before.assumptions), *_demanded(prepared.original, before, bare)]
    found: set[int] = set()
    for obligation in after.obligations:
        number = prepared.origins[obligation.op.number]
        if number in formulas and obligation.kind is Kind.CHECK and not obligation.calls:
            claim = renamed(obligation, after, before)
            if claim is None or not follows(claim, needed):
                found.add(number)
    return found


def _demanded(program: Program, trace: Trace, options: Options) -> list[Formula]:
    """What the function needs before it does anything that others see: wherever one does not hold, something fails."""
    is_before = may_come_earlier(trace, seen_first(program, trace, rulebook_for(program, options)))
    return [each.formula for each in demands(trace).values() if each.exact and is_before(each.obligation)]
