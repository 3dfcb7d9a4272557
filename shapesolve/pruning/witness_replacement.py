"""Replacement witnesses for a removed one.

An assertion that only makes a witness is no barrier, so what its witness guards rests on that witness alone. Where the
assertion follows from others like it that stay, what it guarded waits for their witnesses instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shapesolve.ir.control_flow import Places, places_in
from shapesolve.ir.program import Operation, Program
from shapesolve.pruning.call_coverage import CallCoverage
from shapesolve.pruning.justifications import Key, key_of, key_of_claim
from shapesolve.pruning.recheck import FunctionRecheck
from shapesolve.rewriting.checks import ASSUMING, ASSUMING_ALL
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import conjunction
from shapesolve.trace.events import Fact, Kind


class WitnessReplacements:
    """The assertions of a program that make witnesses, and the operations that wait for these."""

    def __init__(self, program: Program, entries: Sequence[FunctionRecheck], coverage: CallCoverage) -> None:
        self._entries = entries
        self._completeness = coverage
        raised = (checked_obligation.obligation for entry in entries for checked_obligation in entry.all)
        self._makers: dict[Key, Operation] = {key_of_claim(each): each.op for each in raised if not each.is_barrier}
        self._program = program

    @property
    def _places(self) -> Places:
        """Def-use and nesting of the program, computed only if it has such assertions: few programs do."""
        return places_in(self._program)

    def of(self, op: Operation, basis: Sequence[Fact], known: Mapping[int, Sequence[Operation]]) -> list[Operation]:
        """Return the assertions whose witnesses must replace that of ``op``, which follows from ``basis``.

        Args:
            known: Earlier replacements, by the number of the replaced witness's operation.
        """
        if not self._makers or not op.results:
            return []
        makers = (self._makers[key_of(each)] for each in basis if key_of(each) in self._makers)
        around = self._around(op, known)
        wanted = [each for each in dict.fromkeys(makers) if each not in around and not self._is_guarded_by(op, each)]
        return wanted if wanted and self._is_relied_on(op) else []

    def is_seen(self, maker: Operation, op: Operation) -> bool:
        """Return whether the results of one operation are in scope at a later one."""
        return self._places.stands_around(maker, op)

    def _around(self, op: Operation, known: Mapping[int, Sequence[Operation]]) -> set[Operation]:
        """Return the assertions whose witnesses guard the regions around an operation."""
        found: set[Operation] = set()
        above = self._places.above(op)
        while above is not None:
            if above.name == ASSUMING:
                left = self._makers_of(above)
                while left:
                    maker = left.pop()
                    found.add(maker)
                    left += known.get(maker.number, ())
                    left += self._makers_of(maker) if maker.name == ASSUMING_ALL else ()
            above = self._places.above(above)
        return found

    def _makers_of(self, op: Operation) -> list[Operation]:
        """Return the operations that produce the operands of another one."""
        return [self._places.makers[each] for each in op.operands if each in self._places.makers]

    def _is_guarded_by(self, op: Operation, maker: Operation) -> bool:
        """Return whether the uses of an operation wait, wherever it runs, for another one's assertion."""
        for entry in self._entries:
            claims = [each.obligation.claim for each in entry.checks(maker)]
            given = [each.obligation.guard for each in entry.checks(op)]
            if any(conjunction((each, claim)) is not each for each in given for claim in claims):
                return False
        return True

    def _is_relied_on(self, op: Operation) -> bool:
        """Return whether something with a requirement may wait for what an operation asserts."""
        return any(self._completeness.mentioned(each) or self._has_requirements(each) for each in self._waiting(op))

    def _has_requirements(self, op: Operation) -> bool:
        function = self._completeness.function_of(op)
        if op.name.endswith(".return") and function is not None and self._completeness.callers().get(function.name):
            return True
        obligations = (each.obligation for entry in self._entries for each in entry.checked_obligations.get(op, ()))
        return any(each.kind is not Kind.CHECK and each.claim is not TRUE for each in obligations)

    def _waiting(self, op: Operation) -> Iterator[Operation]:
        """Yield the users of a witness, the operations that it guards, and their users."""
        found: set[Operation] = set()
        left = [user for result in op.results for user in self._places.users.get(result, ())]
        while left:
            user = left.pop()
            if user in found:
                continue
            found.add(user)
            yield user
            left += [each for result in user.results for each in self._places.users.get(result, ())]
            inner = [each for each in user.walk() if each is not user]
            left += inner if user.name == ASSUMING else []
            arguments = [each for region in user.regions for block in region.blocks for each in block.arguments]
            left += [each for argument in arguments for each in self._places.users.get(argument, ())]
            above = self._places.above(user)
            if above is not None and above.results and user is self._places.blocks[user][0].operations[-1]:
                left.append(above)
