"""Requirements of called functions on their arguments, where something inside fails for those of a call.

The function is walked once more for any arguments. The demand of the same obligation is there one in its own names,
which stand beside what the call gives for them.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from shapesolve.checker.check import trace_of
from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.weakest_preconditions import weakest_preconditions
from shapesolve.domain.fresh_variables import given_at
from shapesolve.errors import InputError
from shapesolve.int64 import MAX_SIZE
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.program import Function, Operation, Program
from shapesolve.options import Options
from shapesolve.records import value_record
from shapesolve.simplification.simplify import conjunction_text, shortest_and_unsaid
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.trace.events import CallSite, Obligation, Trace

MOST_REQUIREMENTS = 20
"""Obligations of one function for which the requirement of a callee is looked for."""

_Place = tuple[tuple[Operation, ...], Operation, str]
"""The calls on the way from a function to an operation, the operation, and the clause."""


@value_record
class CalleeRequirement:
    """Requirement of a called function, in its own names, with what the call gives for each of these."""

    function: str
    condition: str
    given: tuple[tuple[str, str], ...]


class CalleeRequirements:
    """Finds the requirements of the functions of a program that are called, and walks each of them once."""

    def __init__(self, program: Program, options: Options) -> None:
        self._program = program
        bare = replace(options, assumptions=(), shapes=(), min_size=0, max_size=MAX_SIZE)
        self._options = replace(bare, certify=False, execute=False, dump_directory=None)
        self._traces: dict[Function, Trace | None] = {}

    def of(self, report: FunctionReport, wanted: Container[Obligation]) -> dict[Obligation, CalleeRequirement]:
        """Return, by refuted obligation, the requirement of the outermost function called on the way to it.

        Only ``wanted`` obligations are looked at, and of those only the first of the function.
        """
        refuted = [each.obligation for each in report.judgements if isinstance(each.verdict, Refuted)]
        inside = [each for each in refuted if each.calls][:MOST_REQUIREMENTS]
        found = {each: self._requirement(each, report.trace) for each in inside if each in wanted}
        return {each: requirement for each, requirement in found.items() if requirement is not None}

    def _requirement(self, obligation: Obligation, trace: Trace) -> CalleeRequirement | None:
        site = obligation.calls[0]
        alone = self._walked(site.function)
        there = None if alone is None else _counterpart(obligation, trace, alone, site)
        if alone is None or there is None:
            return None
        demand = weakest_preconditions(alone).get(there)
        if demand is None or not demand.exact or demand.formula is TRUE or demand.formula is FALSE:
            return None
        scope = scope_of(alone)
        parts, unsaid = shortest_and_unsaid([demand.formula], [fact.formula for fact in alone.assumptions], scope)
        given = given_at(alone.inputs, site.arguments)
        named = sorted({v for part in parts for v in part.variables}, key=lambda each: each.text)
        if unsaid or not parts or any(each not in given for each in named):
            return None
        text = conjunction_text(parts, scope)
        return CalleeRequirement(site.function.name, text, tuple((each.name, str(given[each])) for each in named))

    def _walked(self, function: Function) -> Trace | None:
        """The function for any arguments; None where what it states of them is not of the language."""
        if function not in self._traces:
            try:
                self._traces[function] = trace_of(self._program, function, self._options)
            except InputError:
                self._traces[function] = None
        return self._traces[function]


def _counterpart(obligation: Obligation, trace: Trace, alone: Trace, site: CallSite) -> Obligation | None:
    """The obligation that is the same one where the function is walked alone; None where there are more or fewer."""
    ours = [
        each for each in trace.obligations if each.calls[:1] == (site,) and _place(each, 1) == _place(obligation, 1)
    ]
    theirs = [each for each in alone.obligations if _place(each, 0) == _place(obligation, 1)]
    return theirs[ours.index(obligation)] if len(ours) == len(theirs) else None


def _place(obligation: Obligation, skipped: int) -> _Place:
    return tuple(each.op for each in obligation.calls[skipped:]), obligation.op, obligation.clause
