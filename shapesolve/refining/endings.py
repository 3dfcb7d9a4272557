"""Whether a run of the target gets past what may go on for ever: a loop that nobody knows to end, a call of itself.

What the source got past, the target gets past where it is the same there: the same operation on the same values, whose
numbers are shared (`numbering`). Of anything else nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.formulas import conjunction
from shapesolve.proving.prover import Prover
from shapesolve.proving.verdicts import Obstacle, Proved, Undecided, Unreachable, Verdict
from shapesolve.reading.program import Operation
from shapesolve.records import record
from shapesolve.refining.guards import Guarded
from shapesolve.refining.outcome import Behaviour, Ending, Finding
from shapesolve.refining.paired_walk import Walked
from shapesolve.walking.obligations import Stop

Passed = Sequence[Guarded]
"""The stops of the source that it got past, where it came to them."""


@record
class Endings:
    """What is known of the end of the target's runs, from both programs as they were walked."""

    source: Walked
    target: Walked

    def finding(self, prover: Prover, stop: Stop, passed: Passed, source: Behaviour) -> Finding | None:
        """Whether the target gets past a place that the prover has come to; None where it never comes there."""
        if isinstance(prover.reachable(), Unreachable):
            return None
        place = f"line {stop.op.location.line}: " if stop.op.location.line else ""
        question = f"{place}the target gets past {stop.op.name}"
        return Finding(question, self._verdict(prover, stop, passed), source, Behaviour(Ending.RETURNS))

    def _verdict(self, prover: Prover, stop: Stop, passed: Passed) -> Verdict:
        for places in self._the_same(stop.op, passed):
            verdict = prover.judge(conjunction(each.guard for each in places))
            if isinstance(verdict, Proved):
                return verdict
        reason = f"{stop.because}, and the source is not known to have got past the same"
        return Undecided(Obstacle.APPROXIMATION, reason)

    def _the_same(self, op: Operation, passed: Passed) -> Iterable[Sequence[Guarded]]:
        """The same in the source, each with every place where the source came by."""
        numbers = self.target.numbers(op)
        places: dict[Operation, list[Guarded]] = {}
        for each in passed:
            if isinstance(each.event, Stop) and numbers and self.source.numbers(each.event.op) == numbers:
                places.setdefault(each.event.op, []).append(each)
        return [found for found in places.values() if not any(each.approximate for each in found)]
