"""Refutations that something may come before.

What is raised in straight order is a fact for what follows, so that sizes which break a later claim satisfy the earlier
ones. Three things are no facts afterwards. An operation that nobody knows, a call into the unknown or a loop that may
never end can stop the program for sizes that nobody knows (`Stop`). A body that runs once for every iteration is judged
for one iteration that stands for all, and nothing says that earlier ones got through. What is raised in a region of
which nobody knows whether it runs, such as a block that a branch leads to, is forgotten when it ends. So sizes that
break a claim behind these may never get that far. Such a refutation is left open, with its sizes as a candidate that an
execution can confirm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shapesolve.judging.judgement import Judgement
from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import FALSE, Formula, conjunction
from shapesolve.proving.verdicts import Obstacle, Refuted, Sizes, Undecided
from shapesolve.reading.program import Operation
from shapesolve.walking.obligations import Enter, Event, Leave, Obligation, Stop, Trace


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """A region that is run. ``first`` is the position among the obligations at which it begins.

    ``repeats``: it stands for many iterations. ``is_kept``: what is raised in it is known afterwards where it ran.
    """

    first: int
    condition: Formula | None
    repeats: bool
    is_kept: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Hazard:
    """Something that may end the program: a claim by its position, or else what ``because`` says of ``op``.

    It comes before the obligations from ``first`` on. ``repeats``: in any iteration of a body.
    """

    first: int
    op: Operation
    because: str
    way: tuple[Formula, ...]  # what holds wherever it is reached
    claim: int | None
    repeats: bool


def left_open(trace: Trace, judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """The judgements, without refutations that something may come before."""
    if not any(isinstance(each.verdict, Refuted) for each in judgements):
        return tuple(judgements)
    hazards, ways = _hazards(trace, judgements)
    if not hazards:
        return tuple(judgements)
    return tuple(_unless_stopped(position, judgements, hazards, ways) for position, _ in enumerate(judgements))


def _hazards(trace: Trace, judgements: Sequence[Judgement]) -> tuple[list[_Hazard], list[tuple[Formula, ...]]]:
    """What may end the program, and the conditions on the way to each obligation."""
    hazards: list[_Hazard] = []
    ways: list[tuple[Formula, ...]] = []
    opened: list[_Scope] = []
    ends = _ends(trace.events)
    for number, event in enumerate(trace.events):
        match event:
            case Enter():
                leave = trace.events[ends[number]]
                is_kept = not event.approximate and isinstance(leave, Leave) and leave.runs is not None
                condition = None if event.condition is None else event.condition.formula
                opened.append(_Scope(len(ways), condition, event.repeats, is_kept))
            case Leave():
                opened.pop()
            case Stop():
                hazards.append(_hazard(opened, len(ways), event.op, event.because, None))
            case Obligation():
                if not _is_satisfied(opened, judgements[len(ways)]):
                    hazards.append(_hazard(opened, len(ways), event.op, "", len(ways)))
                ways.append(_way(opened))
            case _:
                pass
    return hazards, ways


def _is_satisfied(opened: Sequence[_Scope], judgement: Judgement) -> bool:
    """Whether sizes that refute a later claim satisfy this one for certain, so far as it is reached."""
    return all(scope.is_kept and not scope.repeats for scope in opened) and not _leans_on_the_unknown(judgement)


def _leans_on_the_unknown(judgement: Judgement) -> bool:
    """Whether the claim fails unless what is not modelled prevents it: it may fail for all sizes."""
    verdict = judgement.verdict
    return isinstance(verdict, Undecided) and verdict.obstacle is Obstacle.APPROXIMATION and bool(verdict.candidate)


def _ends(events: Sequence[Event]) -> dict[int, int]:
    found: dict[int, int] = {}
    opened: list[int] = []
    for number, event in enumerate(events):
        if isinstance(event, Enter):
            opened.append(number)
        elif isinstance(event, Leave):
            found[opened.pop()] = number
    return found


def _hazard(opened: Sequence[_Scope], position: int, op: Operation, because: str, claim: int | None) -> _Hazard:
    bodies = [scope for scope in opened if scope.repeats]
    if bodies:  # an earlier iteration may meet it first
        outer = opened[: opened.index(bodies[0])]
        return _Hazard(bodies[0].first, op, because, _way(outer), claim, repeats=True)
    after = position if claim is None else position + 1
    return _Hazard(after, op, because, _way(opened), claim, repeats=False)


def _way(opened: Sequence[_Scope]) -> tuple[Formula, ...]:
    return tuple(scope.condition for scope in opened if scope.condition is not None)


def _unless_stopped(
    position: int, judgements: Sequence[Judgement], hazards: Sequence[_Hazard], ways: Sequence[tuple[Formula, ...]]
) -> Judgement:
    judgement = judgements[position]
    verdict = judgement.verdict
    if not isinstance(verdict, Refuted):
        return judgement
    for hazard in hazards:
        if hazard.first > position or _is_elsewhere(hazard, ways[position], verdict.sizes):
            continue
        reason = _reason(hazard, position, judgements, verdict.sizes)
        if reason:
            return replace(judgement, verdict=Undecided(Obstacle.APPROXIMATION, reason, verdict))
    return judgement


def _is_elsewhere(hazard: _Hazard, way: tuple[Formula, ...], sizes: Sizes) -> bool:
    """Whether these sizes, or what else leads to the obligation, do not lead to the hazard."""
    if any(_truth(condition, sizes) is False for condition in hazard.way):
        return True
    return conjunction((*hazard.way, *way)) is FALSE


def _reason(hazard: _Hazard, position: int, judgements: Sequence[Judgement], sizes: Sizes) -> str:
    """Why the hazard may come first; empty where it does not."""
    if hazard.claim is None:
        place = f"line {hazard.op.location.line}: " if hazard.op.location.line else ""
        return f"{place}{hazard.op.name} may not let the program get here: {hazard.because}"
    if hazard.claim == position or not _may_stop(judgements[hazard.claim], judgements[position], sizes):
        return ""
    line = judgements[hazard.claim].obligation.location.line
    what = "an iteration" if hazard.repeats else "the program"
    return f"{what} may stop before, at line {line}"


def _may_stop(other: Judgement, judgement: Judgement, sizes: Sizes) -> bool:
    """Whether a claim can fail for sizes that matter to the claim of another operation."""
    if other.obligation.op is judgement.obligation.op:  # the program stops at the same place, whichever claim it is
        return False
    if _truth(other.obligation.claim, sizes) is True:
        return False
    if isinstance(other.verdict, Refuted) or _leans_on_the_unknown(other):
        return True
    if not isinstance(other.verdict, Undecided):
        return False
    return not other.obligation.claim.variables.isdisjoint(judgement.obligation.claim.variables)


def _truth(formula: Formula, sizes: Sizes) -> bool | None:
    """Whether a formula holds; None where the sizes do not say."""
    return holds(formula, sizes) if formula.variables <= sizes.keys() else None
