"""Levels of detail for the obligations whose results a report of pruning prints.

A report lists the first checks that stay, and folds the others away. To make failing sizes small takes most of the
questions to the solver, so the checks that are folded away get some failing sizes only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from shapesolve.checker.checked_obligation import CheckedObligation, may_become_fact
from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, ShapedType
from shapesolve.options import Options
from shapesolve.pruning.recheck import never_holds
from shapesolve.rewriting.checks import message_of
from shapesolve.solver.verdicts import Detail, Proved, Refuted
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Kind, Obligation, Source, Trace, has_facts_for_checks_only
from shapesolve.trace.visitor import Around, enclosing_regions


class ReportedDetail:
    """Level of detail for the obligations of one entry point whose results are printed.

    Checks get failing sizes. The first operation that is never defined, of those that every run reaches, is named; of
    the requirements after it only proofs are looked for.

    Once ``most_shown`` checks seem to stay, the sizes of further checks are not made small, unless the report may print
    such a check together with an earlier one, because their messages and their sizes are the same.

    Args:
        trace: The trace that is checked.
        most_shown: Number of kept checks that the report lists; None lists all.

    Attributes:
        not_shrunk: Checks whose failing sizes were not made small.
    """

    def __init__(self, trace: Trace, most_shown: int | None = None) -> None:
        self._trace = trace
        self._is_named = False
        self._left = most_shown if most_shown is not None and _is_in_order(trace) else None
        self._repeatable = set[tuple[str, str]]()
        """Names and messages of failing checks whose printed sizes a later check may have as well."""
        self.not_shrunk = set[Operation]()

    def detail(self, obligation: Obligation) -> Detail:
        """Ask for failing sizes of a check, and for a requirement that never holds, unless one was found."""
        if obligation.kind is not Kind.CHECK:
            return Detail.PROOF if self._is_named else Detail.EXTREMES
        if self._left is None or self._left > 0 or _key(obligation) in self._repeatable:
            return Detail.SHOWN
        self.not_shrunk.add(obligation.op)
        return Detail.WITNESS

    def becomes_fact(self, checked_obligation: CheckedObligation, options: Options) -> bool:
        """Return whether a raised claim is a fact for what follows it."""
        obligation = checked_obligation.obligation
        if not self._is_named and never_holds(checked_obligation):
            self._is_named = not self._around[obligation]
        becomes_fact = may_become_fact(checked_obligation, options)
        if self._left is not None and obligation.kind is Kind.CHECK:
            self._left -= _seems_to_stay(checked_obligation)
            verdict = checked_obligation.verdict
            if isinstance(verdict, Refuted) and not (becomes_fact and self._excludes_its_sizes(obligation, verdict)):
                self._repeatable.add(_key(obligation))
        return becomes_fact

    @cached_property
    def _around(self) -> Mapping[Obligation, Around]:
        return enclosing_regions(self._trace)

    @cached_property
    def _printed(self) -> frozenset[Variable]:
        """The variables whose values the printed arguments show."""
        return frozenset(_printed_variables(self._trace))

    def _excludes_its_sizes(self, obligation: Obligation, verdict: Refuted) -> bool:
        """Return whether the claim, as a fact, excludes what is printed of the sizes for every later check.

        It is a fact for all of them if it is in no region.
        """
        is_printed = obligation.claim.variables <= self._printed <= verdict.sizes.keys()
        return is_printed and not self._around[obligation] and not holds(obligation.claim, verdict.sizes)


def _key(obligation: Obligation) -> tuple[str, str]:
    return obligation.op.name, message_of(obligation.op)


def _seems_to_stay(checked_obligation: CheckedObligation) -> bool:
    """Return whether a check is not proved, or only from requirements, on which a removal must not rely."""
    verdict = checked_obligation.verdict
    return not isinstance(verdict, Proved) or any(each.source is Source.UB for each in verdict.facts)


def _is_in_order(trace: Trace) -> bool:
    """Return whether each check is raised once, in the order of the program, and is a fact for all that follow."""
    numbers = [each.op.number for each in trace.obligations if each.kind is Kind.CHECK]
    return not has_facts_for_checks_only(trace) and all(before < after for before, after in pairwise(numbers))


def _printed_variables(trace: Trace) -> Iterator[Variable]:
    """Yield the variables whose values are printed as extents or numbers of the arguments."""
    for argument, value in zip(trace.function.arguments, trace.inputs, strict=True):
        numbers: Iterable[Dim] = (value,) if isinstance(value, Dim) else ()
        if isinstance(value, Tensor) and isinstance(argument.type, ShapedType):
            numbers = value.shape.dims if isinstance(value.shape, RankedShape) else ()
        found = [each for each in map(_variable, numbers) if each is not None]
        if len(found) == sum(not each.is_constant for each in numbers):
            yield from found


def _variable(size: Dim) -> Variable | None:
    """Return the variable that a size is, or None."""
    if size.constant == 0 and len(size.terms) == 1:
        ((monomial, coefficient),) = size.terms
        if coefficient == 1 and isinstance(monomial.single, Variable):
            return monomial.single
    return None
