"""Which witnesses stand in for one that goes.

An assertion that only makes a witness is no barrier, so what its witness guards rests on that witness alone. Where the
assertion follows from others like it that stay, what it guarded waits for theirs from then on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from shapesolve.language.formulas import TRUE, conjunction
from shapesolve.pruning.checks import ASSUMING, ASSUMING_ALL
from shapesolve.pruning.completeness import Completeness
from shapesolve.pruning.grounds import Key, key_of
from shapesolve.pruning.rejudging import Rejudged
from shapesolve.reading.program import Block, Operation, Program, Value
from shapesolve.walking.obligations import Fact, Kind


class StandIns:
    """The assertions of a program that make witnesses, and what waits for these."""

    def __init__(self, program: Program, entries: Sequence[Rejudged], completeness: Completeness) -> None:
        self._entries = entries
        self._completeness = completeness
        raised = (judgement.obligation for entry in entries for judgement in entry.all)
        self._makers: dict[Key, Operation] = {key_of(each.as_fact()): each.op for each in raised if not each.is_barrier}
        self._users: dict[Value, list[Operation]] = defaultdict(list)
        self._maker: dict[Value, Operation] = {}
        self._above: dict[Operation, Operation] = {}
        self._block: dict[Operation, Block] = {}
        if self._makers:
            self._look_around(program)

    def _look_around(self, program: Program) -> None:
        for op in program.operation.walk():
            self._maker.update(dict.fromkeys(op.results, op))
            for operand in op.operands:
                self._users[operand].append(op)
            for block in (block for region in op.regions for block in region.blocks):
                for inner in block.operations:
                    self._above[inner] = op
                    self._block[inner] = block

    def of(self, op: Operation, grounds: Sequence[Fact], known: Mapping[int, Sequence[Operation]]) -> list[Operation]:
        """The assertions whose witnesses must stand in for that of ``op``, which follows from ``grounds``.

        ``known`` are those that stand in for witnesses before.
        """
        if not self._makers or not op.results:
            return []
        makers = (self._makers[key_of(each)] for each in grounds if key_of(each) in self._makers)
        around = self._around(op, known)
        wanted = [each for each in dict.fromkeys(makers) if each not in around and not self._waits_for(op, each)]
        return wanted if wanted and self._is_relied_on(op) else []

    def is_seen(self, maker: Operation, op: Operation) -> bool:
        """Whether what one operation makes is in scope where another one stands that comes after it."""
        above: Operation | None = op
        while above is not None:
            if self._block.get(above) is self._block[maker]:
                return True
            above = self._above.get(above)
        return False

    def _around(self, op: Operation, known: Mapping[int, Sequence[Operation]]) -> set[Operation]:
        """The assertions whose witnesses guard what an operation stands in."""
        found: set[Operation] = set()
        above = self._above.get(op)
        while above is not None:
            if above.name == ASSUMING:
                left = [self._maker[each] for each in above.operands if each in self._maker]
                while left:
                    maker = left.pop()
                    found.add(maker)
                    left += known.get(maker.number, ())
                    handed = maker.operands if maker.name == ASSUMING_ALL else ()
                    left += [self._maker[each] for each in handed if each in self._maker]
            above = self._above.get(above)
        return found

    def _waits_for(self, op: Operation, maker: Operation) -> bool:
        """Whether what an operation uses waits, wherever it runs, for what another one asserts."""
        for entry in self._entries:
            claims = [each.obligation.claim for each in entry.checks(maker)]
            given = [each.obligation.given for each in entry.checks(op)]
            if any(conjunction((each, claim)) is not each for each in given for claim in claims):
                return False
        return True

    def _is_relied_on(self, op: Operation) -> bool:
        """Whether something demands anything that waits for what an operation asserts; also where that is not seen."""
        return any(self._completeness.mentioned(each) or self._demands(each) for each in self._waiting(op))

    def _demands(self, op: Operation) -> bool:
        function = self._completeness.function_of(op)
        if op.name.endswith(".return") and function is not None and self._completeness.callers().get(function.name):
            return True
        said = (each.obligation for entry in self._entries for each in entry.judgements.get(op, ()))
        return any(each.kind is not Kind.CHECK and each.claim is not TRUE for each in said)

    def _waiting(self, op: Operation) -> Iterator[Operation]:
        """The operations that use a witness, what it guards, and what is computed from that."""
        found: set[Operation] = set()
        left = [user for result in op.results for user in self._users[result]]
        while left:
            user = left.pop()
            if user in found:
                continue
            found.add(user)
            yield user
            left += [each for result in user.results for each in self._users[result]]
            inner = [each for each in user.walk() if each is not user]
            left += inner if user.name == ASSUMING else []
            arguments = [each for region in user.regions for block in region.blocks for each in block.arguments]
            left += [each for argument in arguments for each in self._users[argument]]
            if user in self._above and user is self._block[user].operations[-1] and self._above[user].results:
                left.append(self._above[user])
