"""What a function needs that is called, where something in it fails for what a caller gives.

The function is walked once more for any arguments. What is demanded there at the same place is said in its own names,
beside what the call gives for these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from shapesolve.contracts.demands import demands
from shapesolve.contracts.shortest import said_together, shortest_and_unsaid
from shapesolve.errors import InputError
from shapesolve.index_type import MAX_SIZE
from shapesolve.judging.report import CalleeNeed, FunctionReport
from shapesolve.judging.traces import trace_of
from shapesolve.language.formulas import FALSE, TRUE
from shapesolve.options import Options
from shapesolve.proving.verdicts import Refuted
from shapesolve.reading.program import Function, Operation, Program
from shapesolve.walking.inputs import scope_of
from shapesolve.walking.obligations import CallSite, Obligation, Trace
from shapesolve.walking.renaming import given_at

MOST_NEEDS = 20
"""Of one function, so many are looked for."""

_Place = tuple[tuple[Operation, ...], Operation, str]
"""The calls on the way from a function to an operation, the operation, and the clause."""


class CalleeNeeds:
    """Finds what functions need, and walks each of them once."""

    def __init__(self, program: Program, options: Options) -> None:
        self._program = program
        bare = replace(options, assumptions=(), shapes=(), min_size=0, max_size=MAX_SIZE)
        self._options = replace(bare, certify=False, execute=False, dump_directory=None)
        self._traces: dict[Function, Trace | None] = {}

    def of(self, report: FunctionReport) -> Mapping[Obligation, CalleeNeed]:
        """By refuted obligation: what the outermost function called on the way to it needs, where that can be said.

        It is looked for when it is asked for: a report in short leaves out what takes long to find.
        """
        refuted = [each.obligation for each in report.judgements if isinstance(each.verdict, Refuted)]
        inside = [each for each in refuted if each.calls][:MOST_NEEDS]
        return _Needs(inside, lambda obligation: self._need(obligation, report.trace))

    def _need(self, obligation: Obligation, trace: Trace) -> CalleeNeed | None:
        site = obligation.calls[0]
        alone = self._walked(site.function)
        there = None if alone is None else _counterpart(obligation, trace, alone, site)
        if alone is None or there is None:
            return None
        demand = demands(alone).get(there)
        if demand is None or not demand.exact or demand.formula is TRUE or demand.formula is FALSE:
            return None
        scope = scope_of(alone)
        parts, unsaid = shortest_and_unsaid([demand.formula], [fact.formula for fact in alone.assumptions], scope)
        given = given_at(alone.inputs, site.arguments)
        named = sorted({v for part in parts for v in part.variables}, key=lambda each: each.text)
        if unsaid or not parts or any(each not in given for each in named):
            return None
        text = said_together(parts, scope)
        return CalleeNeed(site.function.name, text, tuple((each.name, str(given[each])) for each in named))

    def _walked(self, function: Function) -> Trace | None:
        """The function for any arguments; None where what it states of them is not of the language."""
        if function not in self._traces:
            try:
                self._traces[function] = trace_of(self._program, function, self._options)
            except InputError:
                self._traces[function] = None
        return self._traces[function]


class _Needs(Mapping[Obligation, CalleeNeed]):
    """The needs that are found for some obligations; each is looked for once."""

    def __init__(self, inside: Sequence[Obligation], find: Callable[[Obligation], CalleeNeed | None]) -> None:
        self._inside = dict.fromkeys(inside)
        self._find = cache(find)

    def __getitem__(self, obligation: Obligation) -> CalleeNeed:
        need = self._find(obligation) if obligation in self._inside else None
        if need is None:
            raise KeyError(obligation)
        return need

    def __iter__(self) -> Iterator[Obligation]:
        return (each for each in self._inside if self._find(each) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _counterpart(obligation: Obligation, trace: Trace, alone: Trace, site: CallSite) -> Obligation | None:
    """The obligation that is the same one where the function is walked alone; None where there are more or fewer."""
    ours = [
        each for each in trace.obligations if each.calls[:1] == (site,) and _place(each, 1) == _place(obligation, 1)
    ]
    theirs = [each for each in alone.obligations if _place(each, 0) == _place(obligation, 1)]
    return theirs[ours.index(obligation)] if len(ours) == len(theirs) else None


def _place(obligation: Obligation, skipped: int) -> _Place:
    return tuple(each.op for each in obligation.calls[skipped:]), obligation.op, obligation.clause
