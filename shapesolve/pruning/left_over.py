"""Whether the checks that went held where they stood, by what is known already of the original and of what is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import TRUE, Formula
from shapesolve.proving.verdicts import Proved
from shapesolve.pruning.alignment import Stood
from shapesolve.pruning.rejudging import Rejudged
from shapesolve.reading.program import Operation
from shapesolve.records import record
from shapesolve.walking.obligations import Trace, Way
from shapesolve.walking.provenance import terms_of


@record
class Left:
    """An entry point ``before``, and what was ``found`` of what is left of it.

    ``stood`` are the claims of the checks that are gone, which were asked as well; None where it is not seen where they
    stood.
    """

    before: Rejudged
    found: Rejudged
    stood: Sequence[Stood] | None

    @property
    def holds(self) -> bool:
        """Whether every check that is gone was asked where it stood, and proved there."""
        return self.stood is not None and all(
            isinstance(each.verdict, Proved)
            for op in {claim.op for _, claim in self.stood}
            for each in self.found.judgements[op]
        )

    @property
    def assumes_the_same(self) -> bool:
        """Whether the inputs are the same unknown values as before, and the same is assumed of them."""
        return _assumed(self.before.trace) == _assumed(self.found.trace)

    def asks(self, op: Operation) -> bool:
        """Whether a check that is gone was asked as often as it was reached."""
        return bool(self.stood) and len(self.found.checks(op)) == self.before.trace.reached.get(op)


def _assumed(trace: Trace) -> tuple[list[int], set[Formula], tuple[Variable, ...]]:
    terms = [id(term) for value in trace.inputs for term in terms_of(value)]  # equal terms are one object
    return terms, {fact.formula for fact in trace.assumptions} - {TRUE}, trace.input_variables


def hold_where_they_stood(found: Iterable[Left], checks: Iterable[Operation]) -> bool:
    """Whether the checks that are gone were proved, given only what is left; if not, it must be seen otherwise."""
    known = list(found)
    if not known or not all(left.holds for left in known):
        return False
    return all(any(left.asks(op) for left in known) for op in checks)


def held_as_judged(
    entries: Sequence[Rejudged],
    with_less: Sequence[Sequence[Rejudged]],
    checks: Iterable[Operation],
    ways: Mapping[Operation, Way],
) -> bool:
    """Whether what goes was proved where the original was judged, or where it was judged ``with_less`` assumed.

    That is proof enough where nothing was opened, and the program says what is assumed, or what is left of it assumes
    the same. Then the program with its checks marked is the original, and what is judged there has been: the proof of a
    check leans on what comes before it, so on no other that goes unless that was proved before. With less assumed,
    nothing leaned on those that were not proved like that.
    """
    if not all(any(_held(found, op) for found in (entries, *with_less)) for op in checks):
        return False
    return all(any(_came_down(found, op, way) for found in (entries, *with_less)) for op, way in ways.items())


def _came_down(found: Sequence[Rejudged], op: Operation, way: Way) -> bool:
    there = [each for each in found if op in each.ways]
    return bool(there) and all(way in each.always(op) for each in there)


def _held(found: Sequence[Rejudged], op: Operation) -> bool:
    there = [each for each in found if op in each.judgements]
    verdicts = [judgement.verdict for each in there for judgement in each.checks(op)]
    if not verdicts or not all(isinstance(each, Proved) for each in verdicts):
        return False
    return any(len(each.checks(op)) == each.trace.reached.get(op) for each in there)
