"""Whether a round learned anything that the round before did not know already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.judging.judgement import Judgement
from shapesolve.proving.verdicts import Proved, Unreachable
from shapesolve.pruning.completeness import Completeness
from shapesolve.pruning.rejudging import Rejudged
from shapesolve.reading.program import Operation
from shapesolve.records import value_record
from shapesolve.walking.obligations import Way


@value_record
class Known:
    """What a round found that decided everything it could: the entry points, as if nothing were undefined.

    ``completeness`` says of what that speaks; ``origins`` what an operation was in that round, for those of the program
    that it wrote.
    """

    entries: Sequence[Rejudged]
    completeness: Completeness
    origins: Mapping[Operation, Operation]

    def spoke_of(self, completeness: Completeness) -> bool:
        """Whether it spoke of all operations of which can be spoken in what is left."""
        return not any(
            completeness.obstacle(op) is None and self.completeness.obstacle(origin)
            for op, origin in self.origins.items()
        )

    def is_all(self, now: Sequence[Rejudged]) -> bool:
        """Whether the same is found ``now``, in what is left.

        Then the same is doubted, the same contradicts, and what was not proved with doubts or with less assumed is not
        proved now. What came down to one of its alternatives may have taught something: a demand that is proved now.
        """
        before = {each.trace.function.name: each for each in self.entries}
        return all(
            each.trace.function.name in before and self._says_the_same(before[each.trace.function.name], each)
            for each in now
        )

    def _says_the_same(self, before: Rejudged, now: Rejudged) -> bool:
        return all(
            (origin := self.origins.get(op)) is not None and _found_of(before, origin) == _found_of(now, op)
            for op in now.trace.reached
            if op in now.judgements or op in now.answers or op in now.ways
        )


_Found = tuple[list[tuple[str, type | None]], list[bool | None], list[tuple[int, bool]]]


def _found_of(found: Rejudged, op: Operation) -> _Found:
    """Of the claims of an operation whether they are proved or out of reach, and what is known of its alternatives."""
    always: list[Way] = found.always(op)
    return (
        [(each.obligation.clause, _decisive(each)) for each in found.judgements.get(op, ())],
        [each.truth for each in found.answers.get(op, ())],
        [(way.number, way in always) for way in found.ways.get(op, {})],
    )


def _decisive(judgement: Judgement) -> type | None:
    """The kind of a verdict by which something may go, or is cut off."""
    return next((kind for kind in (Proved, Unreachable) if isinstance(judgement.verdict, kind)), None)
