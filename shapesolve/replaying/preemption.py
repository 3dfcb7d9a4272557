"""Refutations that an iteration may come before.

A body that runs once for every iteration is judged for one iteration that stands for all. What is established there
does not hold afterwards, and nothing says that earlier iterations got through. So where a claim of such a body can
fail, sizes that break another claim of the body, or one behind it, may never get that far: the loop may stop first.
Such a refutation is left open, with its sizes as a candidate that an execution can confirm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from shapesolve.proving.verdicts import Obstacle, Refuted, Undecided
from shapesolve.replaying.judgement import Judgement
from shapesolve.walking.obligations import Enter, Leave, Obligation, Trace


@dataclass(slots=True, eq=False)
class _Body:
    """A body that stands for many iterations, and the positions of the obligations in it."""

    first: int
    repeats: bool
    inside: list[int] = field(default_factory=list[int])


def left_open(trace: Trace, judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """The judgements, without refutations that an iteration may come before."""
    bodies = _bodies(trace)
    if not bodies:
        return tuple(judgements)
    return tuple(_unless_stopped(position, judgements, bodies) for position, _ in enumerate(judgements))


def _bodies(trace: Trace) -> list[_Body]:
    found: list[_Body] = []
    opened: list[_Body] = []
    position = 0
    for event in trace.events:
        match event:
            case Enter():
                opened.append(_Body(position, event.repeats))
            case Leave():
                body = opened.pop()
                if body.repeats and body.inside:
                    found.append(body)
            case Obligation():
                for body in opened:
                    body.inside.append(position)
                position += 1
            case _:
                pass
    return found


def _unless_stopped(position: int, judgements: Sequence[Judgement], bodies: Sequence[_Body]) -> Judgement:
    judgement = judgements[position]
    verdict = judgement.verdict
    if not isinstance(verdict, Refuted):
        return judgement
    for body in bodies:
        if body.first > position:
            continue
        for other in body.inside:
            if other != position and _may_stop(judgements[other], judgement):
                line = judgements[other].obligation.location.line
                reason = f"an iteration may stop before, at line {line}"
                return replace(judgement, verdict=Undecided(Obstacle.APPROXIMATION, reason, verdict))
    return judgement


def _may_stop(other: Judgement, judgement: Judgement) -> bool:
    """Whether a claim of a body can fail for sizes that matter to the claim of another operation."""
    if other.obligation.op is judgement.obligation.op:  # the program stops at the same place, whichever claim it is
        return False
    if isinstance(other.verdict, Refuted):
        return True
    if not isinstance(other.verdict, Undecided):
        return False
    return not other.obligation.claim.variables.isdisjoint(judgement.obligation.claim.variables)
