"""Motion of checks in straight-line code: how far up one may move, and what moves with it.

A run that fails at a check that moved up fails earlier; nothing but computing and checking may stand between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shapesolve.ir.control_flow import Places
from shapesolve.ir.program import Operation, Value
from shapesolve.pruning.entry_claims import EntryClaims
from shapesolve.pruning.straight_line import is_inlined
from shapesolve.rewriting.checks import OF_MANY_SHAPES, can_be_asked, makes_witness
from shapesolve.rewriting.same_attributes import has_same_attributes
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.symbolic.formula_kinds import Formula

_FARTHEST = 400
"""Number of preceding operations that are searched for a check's destination."""


def has_same_message(op: Operation, other: Operation) -> bool:
    """Return whether two failing constraints cannot be told apart: MLIR lowers a kind of them to one message."""
    return op.name == other.name and makes_witness(op) and has_same_attributes(op, other)


def _is_part_of(op: Operation, check: Operation) -> bool:
    """Return whether an operation is a constraint that fails only where another one does, whatever its shapes hold."""
    is_constraint = op.name in OF_MANY_SHAPES and has_same_message(op, check)
    return is_constraint and set(op.operands) <= set(check.operands)


class CodeMotion:
    """Motion of checks within straight-line code.

    Attributes:
        ops: The operations, in the order in which they run.
        silent: Whether a check moves only before others with the same message.
    """

    def __init__(
        self, ops: Sequence[Operation], places: Places, entry_claims: EntryClaims, book: RuleRegistry, *, silent: bool
    ) -> None:
        self.ops = ops
        self.entry_claims = entry_claims
        self.book = book
        self.silent = silent
        self._within = frozenset(ops)
        self._places = places
        self._made: Mapping[Value, int] = {value: place for place, op in enumerate(ops) for value in op.results}

    def earliest(self, place: int) -> int:
        """Return the position of the first operation that a check may move before."""
        start = place
        while start > 0 and place - start < _FARTHEST and self._may_move_before(self.ops[start - 1], self.ops[place]):
            start -= 1
        return start

    def _may_move_before(self, op: Operation, check: Operation) -> bool:
        """Return whether a failure of a check may come before the operation: it only computes, or checks."""
        if op.regions or op.successors:
            return is_inlined(op, self._within)
        effects = self.book.effects(op)
        if effects.writes or not effects.stops:
            return not effects.writes
        # One that takes a tensor for a shape assumes that it holds sizes, which an earlier check may be there to check.
        if not self.entry_claims.may_be_no_shapes(check) <= self.entry_claims.may_be_no_shapes(op):
            return _is_part_of(op, check)
        return has_same_message(op, check) if self.silent else can_be_asked(op, self.book)

    def may_stand_before(self, first: int, place: int) -> bool:
        """Return whether the results of a check that moves before an earlier operation stay in scope of their uses."""
        return self._places.stands_around(self.ops[first], self.ops[place])

    def operand_ops(
        self, values: Iterable[Value], start: int, known: Sequence[Formula]
    ) -> tuple[Operation, ...] | None:
        """Return the operations from a position on that values depend on; None if they cannot move there.

        Args:
            known: What is known at the position.
        """
        needed: set[int] = set()
        waiting = list(values)
        while waiting:
            maker = self._made.get(waiting.pop())
            if maker is not None and maker >= start and maker not in needed:
                needed.add(maker)
                waiting += self.ops[maker].operands
        ops = [self.ops[each] for each in sorted(needed)]
        # What reads would read the same: nothing between writes. What checks, or is not defined by itself, may not run.
        # That all of it is pure is asked so that neither hangs on what was looked at elsewhere.
        if any(op.regions or self.book.effects(op) != PURE for op in ops):
            return None
        if any(self.entry_claims.may_be_no_shapes(op) for op in ops):
            return None
        return tuple(ops) if all(self.entry_claims.may_run(op, known) for op in ops) else None
