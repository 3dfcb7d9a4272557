"""Hoisting of checks before weaker ones, which become redundant.

Of ``a >= 1`` and a later ``a >= 4`` in straight-line code the second implies the first, but only from where the first
stands. It may move there, with the operations that make its operands, where nothing between does more than compute and
check. A run that fails at one of them still fails, perhaps with another message, and one that would be undefined
between them may stop instead; every other run does what it did. An operation that moves with a check is defined
unconditionally, for it may run where it did not; nor does it wrap around there, or a check that keeps sizes small
enough would follow from one that such sizes deceive.

Nothing is removed here: pruning does that, with a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import Location, Operation, Program
from shapesolve.options import Options
from shapesolve.pruning.code_motion import CodeMotion
from shapesolve.pruning.entry_claims import EntryClaims
from shapesolve.pruning.result import Prepared
from shapesolve.pruning.straight_line import straight_lines
from shapesolve.reasons import listed
from shapesolve.records import value_record
from shapesolve.rewriting.checks import can_be_asked, makes_witness
from shapesolve.rewriting.edited_program import require_edited
from shapesolve.rewriting.rewriter import Rewriter
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.shape_functions.registries import registry_for
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails
from shapesolve.symbolic.atoms import variables_in
from shapesolve.symbolic.formula_kinds import Formula

_MOST_QUESTIONS = 300


@value_record
class Hoist:
    """A check that moves before another operation.

    Attributes:
        check: The check.
        before: The operation before which it moves.
        operand_ops: The operations between that make its operands, in program order.
        implied: The checks that follow from it there.
        is_silent: Whether a run that fails says so by the same message.
    """

    check: Operation
    before: Operation
    operand_ops: tuple[Operation, ...]
    implied: tuple[Operation, ...]
    is_silent: bool = False

    def note(self, place: Callable[[Operation], Location]) -> str:
        """Describe the move. ``place`` returns the location of an operation in the original."""
        lines = [str(place(each).line) for each in self.implied]
        implied = f"line{'s' if lines[1:] else ''} {listed(lines)}"
        moves = f"{self.check.name} (line {place(self.check).line}) moves up to line {place(self.before).line}"
        message = "prints the same message" if self.is_silent else "may print another message"
        return f"{moves} and replaces what it implies ({implied}); a run that fails {message}"


def find_hoists(program: Program, kept: frozenset[int], options: Options, *, silent: bool = False) -> list[Hoist]:
    """Return the moves worth trying, of checks that stay: ``kept`` are their numbers.

    Args:
        silent: Only constraints that make witnesses move, and only before others with the same message.
    """
    book = registry_for(program, options)
    lines = [each for each in straight_lines(program, book) if _has_several(each, kept, book, silent=silent)]
    if not lines:
        return []
    entry_claims, places = EntryClaims(program, options), places_in(program)
    return [
        move
        for ops in lines
        for move in _Search(CodeMotion(ops, places, entry_claims, book, silent=silent), kept).moves()
    ]


def _has_several(ops: Sequence[Operation], kept: frozenset[int], book: RuleRegistry, *, silent: bool) -> bool:
    found = [op for op in ops if op.number in kept and can_be_asked(op, book)]
    if not silent:
        return len(found) > 1
    names = [op.name for op in found if makes_witness(op)]
    return len(set(names)) < len(names)


def apply_hoists(prepared: Prepared, moves: Sequence[Hoist]) -> Prepared:
    """Return the program after these moves, ready to be pruned.

    Raises:
        RewriteError: The program differs otherwise, or MLIR rejects it.
    """
    program = prepared.program
    rewriter = Rewriter.of(program)
    for move in moves:
        rewriter.move_up((*move.operand_ops, move.check), move.before)
    changed, order = require_edited(rewriter, program, "the program with checks moved")
    return prepared.edited(changed, order, [each.note for each in moves])


class _Search:
    """Search for moves within straight-line code."""

    def __init__(self, motion: CodeMotion, kept: frozenset[int]) -> None:
        self._motion = motion
        self._ops = motion.ops
        self._kept = kept
        self._entry_claims = motion.entry_claims
        self._asked = 0

    def moves(self) -> Iterator[Hoist]:
        """Return the moves, those of earlier checks first; a check that is spared does not move."""
        checks = [place for place, op in enumerate(self._ops) if self._is_check(op)]
        found: list[Hoist] = []
        implied: set[Operation] = set()
        for place in reversed(checks):
            move = None if self._ops[place] in implied else self._move(place, checks)
            if move is not None:
                found.append(move)
                implied |= {*move.implied}
        return iter(found[::-1])

    def _is_check(self, op: Operation) -> bool:
        return (
            op.number in self._kept
            and can_be_asked(op, self._motion.book)
            and self._entry_claims.claims(op) is not None
        )

    def _move(self, place: int, checks: Sequence[int]) -> Hoist | None:
        start = self._motion.earliest(place)
        seen = [each for each in checks if start <= each < place and self._motion.may_stand_before(each, place)]
        operand_ops: dict[int, tuple[Operation, ...]] = {}
        for first in reversed(seen):  # what cannot move that far cannot move farther
            moved = self._motion.operand_ops(self._ops[place].operands, first, self._known(first, checks))
            if moved is None:
                break
            operand_ops[first] = moved
        followers = [each for each in seen if each in operand_ops and self._entails(each, place, checks)]
        if not followers:
            return None
        first, implied = followers[0], tuple(self._ops[each] for each in followers)
        return Hoist(self._ops[place], self._ops[first], operand_ops[first], implied, self._motion.silent)

    def _entails(self, earlier: int, later: int, checks: Sequence[int]) -> bool:
        """Return whether an earlier check follows from a later one and from those before it."""
        claims, by = self._entry_claims.claims(self._ops[earlier]), self._entry_claims.claims(self._ops[later])
        assert claims is not None
        assert by is not None
        facts = [*by, *self._known(earlier, checks)]
        if self._asked >= _MOST_QUESTIONS or not _are_connected(claims, by, facts):
            return False
        self._asked += 1
        return all(entails(each, facts, budget=budgets.MEDIUM) for each in claims)

    def _known(self, place: int, checks: Sequence[int]) -> list[Formula]:
        """Return the facts at a position: claims of the checks before it, and assumptions."""
        before = [
            each for other in checks if other < place for each in self._entry_claims.claims(self._ops[other]) or ()
        ]
        return [*before, *self._entry_claims.assumed(self._ops[place])]


def _are_connected(claims: Sequence[Formula], by: Sequence[Formula], facts: Sequence[Formula]) -> bool:
    """Return whether claims may depend on each other: they share variables, perhaps through facts."""
    reached = variables_in(claims)
    left = list(facts)
    while True:
        near = [each for each in left if not reached.isdisjoint(each.variables)]
        if not near or any(each in near for each in by):
            return bool(near)
        left = [each for each in left if each not in near]
        reached = reached.union(*(each.variables for each in near))
