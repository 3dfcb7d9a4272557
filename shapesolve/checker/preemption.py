"""Refutations that an earlier failure or an operation that may not return can preempt.

In straight-line code a raised claim is a fact for what follows, so sizes that break a later claim satisfy the earlier
ones. Three things are no facts afterwards. An unknown operation, a call into the unknown or a loop that may never end
can stop the program for unknown sizes (`MayNotReturn`). A body that repeats is checked for one iteration that
stands for all, and nothing says that earlier ones got through. A claim raised in a region that is only possibly
executed, such as a block that a branch leads to, is forgotten when the region ends. So sizes that break a claim behind
these may never get that far. Such a refutation becomes undecided, with its sizes as a candidate that an execution can
confirm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.ir.program import Operation
from shapesolve.records import record
from shapesolve.simplification.completed_loops import generalization
from shapesolve.solver.verdicts import Refuted, Undecided, UndecidedReason
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import Sizes, evaluate, holds_if_determined
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import conjunction, implies
from shapesolve.symbolic.limits import TooLarge
from shapesolve.trace.events import MayNotReturn, Obligation, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, handle_events

_UNANSWERED = frozenset(
    (
        UndecidedReason.BUDGET,
        UndecidedReason.TIME,
        UndecidedReason.COMMAND,
        UndecidedReason.NON_LINEAR,
        UndecidedReason.RANKS,
        UndecidedReason.SIZE,
        UndecidedReason.NOTHING_FOUND,
        UndecidedReason.FACTS,
        UndecidedReason.EXECUTION,
    )
)
"""Reasons for which an undecided claim may fail for any sizes."""


@record
class _Hazard:
    """A possible end of the program before an obligation.

    Attributes:
        first: Position of the first obligation that it may preempt.
        op: The operation that may end the program.
        because: Why, for an operation that may not return.
        way: Conditions that hold wherever it is reached.
        claim: Position of the obligation that may fail; None for an operation that may not return.
        repeats: Whether any iteration of a body may meet it.
        at: Position of the first obligation behind it in program order, or its own.
        around: The regions around it.
    """

    first: int
    op: Operation
    because: str
    path_conditions: tuple[Formula, ...]  # what holds wherever it is reached
    claim: int | None
    repeats: bool
    at: int
    around: tuple[Scope, ...]


def withdraw_preempted(trace: Trace, checked_obligations: Sequence[CheckedObligation]) -> tuple[CheckedObligation, ...]:
    """Return the checked obligations, with refutations that may be preempted turned into candidates."""
    if not any(isinstance(each.verdict, Refuted) for each in checked_obligations):
        return tuple(checked_obligations)
    found = _Hazards(checked_obligations)
    handle_events(trace, found)
    if not found.hazards:
        return tuple(checked_obligations)
    return tuple(
        _unless_stopped(position, checked_obligations, found, frozenset(trace.input_variables))
        for position, _ in enumerate(checked_obligations)
    )


class _Hazards(Handler[None]):
    """Collects what may end the program, and the path conditions of each obligation."""

    def __init__(self, checked_obligations: Sequence[CheckedObligation]) -> None:
        self.hazards: list[_Hazard] = []
        self.ways: list[tuple[Formula, ...]] = []
        self.regions: list[tuple[Scope, ...]] = []
        self._checked_obligations = checked_obligations
        self.of_all: dict[int, Formula] = {}
        """By position: a formula on what is known outside of loops, where the claim holds wherever it is raised."""
        self._first: dict[Scope, int] = {}  # the position among the obligations at which a region begins
        self._begun: dict[tuple[Operation, Scope | None], int] = {}  # the same of loops whose second region may follow

    def enter(self, scope: Scope, around: Around) -> None:
        self._first[scope] = len(self.ways)
        loop = scope.enter.of
        if scope.enter.repeats and loop is not None and len(loop.regions) > 1:
            key = loop, around[-1] if around else None
            begun = self._begun.pop(key, None)
            if begun is None:
                self._begun[key] = len(self.ways)
            else:
                self._first[scope] = begun  # both regions of an iteration run before the next one

    def leave(self, scope: Scope, around: Around) -> None:
        for position in range(self._first[scope], len(self.ways)):
            claim = self.of_all.pop(position, None)
            outside = None if claim is None else _outside(claim, scope)
            if outside is not None:
                self.of_all[position] = outside

    def may_not_return(self, stop: MayNotReturn, around: Around) -> None:
        self._add(around, len(self.ways), stop.op, stop.because, None)

    def obligation(self, obligation: Obligation, around: Around) -> None:
        position = len(self.ways)
        if not _is_satisfied(around, self._checked_obligations[position]):
            self._add(around, position + 1, obligation.op, "", position)
        self.ways.append(_path(around))
        self.regions.append(tuple(around))
        self.of_all[position] = obligation.claim

    def _add(self, around: Around, after: int, op: Operation, because: str, claim: int | None) -> None:
        body = next((number for number, scope in enumerate(around) if scope.enter.repeats), None)
        at, regions = len(self.ways), tuple(around)
        if body is None:
            self.hazards.append(_Hazard(after, op, because, _path(around), claim, False, at, regions))
            return
        first = self._first[around[body]]  # an earlier iteration may meet it first
        self.hazards.append(_Hazard(first, op, because, _path(around[:body]), claim, True, at, regions))


def _outside(claim: Formula, scope: Scope) -> Formula | None:
    """Return what makes a claim hold wherever it is raised in a region, stated outside of it; None if unknown."""
    if not scope.is_kept or scope.leave.runs is None:
        return None
    try:
        if scope.enter.repeats:
            generalize = generalization(scope.leave)
            of_all = None if generalize is None else generalize(claim)
            return None if of_all is None else implies(scope.leave.runs, of_all)
        return implies(scope.leave.runs, claim)
    except TooLarge:
        return None


def _is_satisfied(around: Around, checked_obligation: CheckedObligation) -> bool:
    """Return whether sizes that refute a later claim certainly satisfy this one, where it is reached.

    The built-in rules know when each region runs that is not approximate; those of users need not.
    """
    return all(scope.is_kept and not scope.enter.repeats for scope in around) and not _fails_unless_unmodeled(
        checked_obligation
    )


def _fails_unless_unmodeled(checked_obligation: CheckedObligation) -> bool:
    """Return whether a claim fails unless something unmodeled prevents it: it may fail for all sizes."""
    verdict = checked_obligation.verdict
    return (
        isinstance(verdict, Undecided)
        and verdict.reason_kind is UndecidedReason.APPROXIMATION
        and verdict.candidate is not None
    )


def _path(around: Around) -> tuple[Formula, ...]:
    return tuple(scope.condition for scope in around if scope.enter.condition is not None)


def _unless_stopped(
    position: int, checked_obligations: Sequence[CheckedObligation], found: _Hazards, inputs: frozenset[Variable]
) -> CheckedObligation:
    checked_obligation = checked_obligations[position]
    verdict = checked_obligation.verdict
    if not isinstance(verdict, Refuted):
        return checked_obligation
    for hazard in found.hazards:
        if hazard.first > position or _is_elsewhere(hazard, found.ways[position], verdict.sizes):
            continue
        sizes: Sizes = verdict.sizes
        first = _in_first_iteration(hazard, found.regions[position], verdict) if hazard.repeats else None
        if first is not None:
            if hazard.at > position:  # no iteration came before, and in this one it stands behind
                continue
            sizes = first
        elif hazard.repeats:  # of an iteration the sizes tell one, and others come before it
            sizes = {each: sizes[each] for each in inputs & sizes.keys()}
        of_all = None if hazard.claim is None else found.of_all.get(hazard.claim)
        if of_all is not None and holds_if_determined(of_all, sizes) is True:
            continue
        reason = _reason(hazard, position, checked_obligations, sizes)
        if reason:
            return replace(checked_obligation, verdict=Undecided(UndecidedReason.APPROXIMATION, reason, verdict))
    return checked_obligation


def _in_first_iteration(hazard: _Hazard, scopes: Sequence[Scope], refuted: Refuted) -> Sizes | None:
    """Return values at which a claim fails in the first iteration of each loop around a hazard; None if unknown.

    ``scopes`` are the regions around the claim, which has to be in all of these loops. A loop whose variable the claim
    does not mention may be in any iteration in which the claim is reached.
    """
    values: dict[Variable, int | tuple[int, ...]] = {**refuted.sizes, **refuted.within}
    chosen, counted = False, set[str]()
    for scope in hazard.around:
        if not scope.enter.repeats:
            continue
        loop, iterations = scope.enter.of, scope.leave.iterations
        is_known = loop is not None and len(loop.regions) == 1 and scope.enter.is_sequential
        if not is_known or iterations is None or not any(scope is each for each in scopes):
            return None
        named = {each.name: each for each in (*scope.condition.variables, *refuted.within)}
        for name, (first, _, _) in iterations.ranges.items():
            number = evaluate(first, values) if first.variables <= values.keys() else None
            variable = named.get(name)
            if variable is None or number is None or values.get(variable, number) != number:
                return None
            chosen = chosen or variable not in values
            values[variable] = number
            counted.add(name)
    is_reached = all(holds_if_determined(condition, values) is True for condition in _path(scopes))
    is_same = not chosen or (is_reached and counted.issuperset(each.name for each in refuted.within))
    return values if is_same else None


def _is_elsewhere(hazard: _Hazard, way: tuple[Formula, ...], sizes: Sizes) -> bool:
    """Return whether these sizes, or the obligation's path conditions, exclude the hazard."""
    if any(holds_if_determined(condition, sizes) is False for condition in hazard.path_conditions):
        return True
    return conjunction((*hazard.path_conditions, *way)) is FALSE


def _reason(hazard: _Hazard, position: int, checked_obligations: Sequence[CheckedObligation], sizes: Sizes) -> str:
    """Return why the hazard may come first; "" if it does not."""
    if hazard.claim is None:
        place = f" (line {hazard.op.location.line})" if hazard.op.location.line else ""
        return f"{hazard.op.name}{place} may not let the program get here: {hazard.because}"
    if hazard.claim == position or not _may_stop(
        checked_obligations[hazard.claim], checked_obligations[position], sizes
    ):
        return ""
    line = checked_obligations[hazard.claim].obligation.location.line
    what = "an iteration" if hazard.repeats else "the program"
    return f"{what} may fail earlier, at line {line}"


def _may_stop(other: CheckedObligation, checked_obligation: CheckedObligation, sizes: Sizes) -> bool:
    """Return whether a claim can fail for sizes that matter to the claim of another operation."""
    if _place(other) == _place(checked_obligation):  # the program stops at the same place, whichever claim it is
        return False
    if holds_if_determined(other.obligation.claim, sizes) is True:
        return False
    if isinstance(other.verdict, Refuted) or _fails_unless_unmodeled(other):
        return True
    if not isinstance(other.verdict, Undecided):
        return False
    if other.verdict.reason_kind in _UNANSWERED:  # its variables may follow from others by facts that no one looked at
        return True
    return not other.obligation.claim.variables.isdisjoint(checked_obligation.obligation.claim.variables)


def _place(checked_obligation: CheckedObligation) -> tuple[Operation, ...]:
    """Return the call path of an operation and the operation itself."""
    return (*(each.op for each in checked_obligation.obligation.calls), checked_obligation.obligation.op)
