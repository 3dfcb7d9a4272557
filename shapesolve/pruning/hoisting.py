"""Hoisting of checks before weaker ones, which become redundant.

Of ``a >= 1`` and a later ``a >= 4`` in one block the second implies the first, but only from where the first stands. It
may move there, with the operations that make its operands, where nothing between does more than compute and check. A
run that fails at one of them still fails, perhaps with another message, and one that would be undefined between them
may stop instead; every other run does what it did. An operation that moves with a check is defined unconditionally, for
it may run where it did not; nor does it wrap around there, or a check that keeps sizes small enough would follow from
one that such sizes deceive.

Nothing is removed here: pruning does that, with a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from shapesolve.checker.check import trace_of
from shapesolve.ir.bindings import verifies
from shapesolve.ir.control_flow import call_graph, called_function, reachable_functions
from shapesolve.ir.program import Block, Function, Location, Operation, Program, Value
from shapesolve.ir.reader import context_for, parsed_text, read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import chosen
from shapesolve.pruning.call_coverage import CallCoverage
from shapesolve.pruning.result import Prepared
from shapesolve.reasons import listed
from shapesolve.records import value_record
from shapesolve.rewriting.checks import RewriteError, can_be_asked, makes_witness
from shapesolve.rewriting.correspondence import matched_values
from shapesolve.rewriting.printer import written
from shapesolve.rewriting.rewriter import Rewriter
from shapesolve.rewriting.same_attributes import has_same_attributes
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.shape_functions.registries import registry_for
from shapesolve.solver import budgets
from shapesolve.symbolic.atoms import variables_in
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import Kind, OverflowAssumption, Trace

_MOST_QUESTIONS = 300
_FARTHEST = 400
"""Number of preceding operations that are searched for a check's destination."""


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
    blocks = [each for each in program.operation.nested_blocks() if _has_several(each, kept, book, silent=silent)]
    if not blocks:
        return []
    entry_claims = _EntryClaims(
        program, [trace_of(program, each, options) for each in chosen(program, options.functions)]
    )
    return [move for block in blocks for move in _Search(block, kept, entry_claims, book, silent=silent).moves()]


def _has_several(block: Block, kept: frozenset[int], book: RuleRegistry, *, silent: bool) -> bool:
    found = [op for op in block.operations if op.number in kept and can_be_asked(op, book)]
    if not silent:
        return len(found) > 1
    names = [op.name for op in found if makes_witness(op)]
    return len(set(names)) < len(names)


def _has_same_message(op: Operation, other: Operation) -> bool:
    """Return whether two failing constraints cannot be told apart: MLIR lowers a kind of them to one message."""
    return op.name == other.name and makes_witness(op) and has_same_attributes(op, other)


def apply_hoists(prepared: Prepared, moves: Sequence[Hoist]) -> Prepared:
    """Return the program after these moves, ready to be pruned.

    Raises:
        RewriteError: The program differs otherwise, or MLIR rejects it.
    """
    program = prepared.program
    assert program.text is not None
    rewriter = Rewriter(parsed_text(context_for(program.text), program.text), program)
    for move in moves:
        place = {number: position for position, number in enumerate(rewriter.order())}
        target = rewriter.live[move.before.number]
        for each in (*move.operand_ops, move.check):
            if place[each.number] > place[move.before.number]:
                rewriter.live[each.number].move_before(target)
    if not verifies(rewriter.module.operation):
        raise RewriteError("MLIR does not accept the program with checks moved")
    text, order = written(rewriter, program), tuple(rewriter.order())
    changed = read_text(text, program.file)
    _require_permutation(program, changed, order)
    origins = tuple(prepared.originals[number] for number in order)
    source_ops = list(prepared.original.operation.walk())
    notes = [each.note(lambda op: source_ops[prepared.originals[op.number]].location) for each in moves]
    return replace(prepared, program=changed, originals=origins, notes=(*prepared.notes, *notes))


def _require_permutation(original: Program, changed: Program, origins: Sequence[int]) -> None:
    """Require that every operation is there exactly once, with its operands and attributes."""
    source_ops, ops = list(original.operation.walk()), list(changed.operation.walk())
    if sorted(origins) != list(range(len(source_ops))) or len(ops) != len(source_ops):
        raise RewriteError("the program with checks moved has lost operations")
    same: dict[Value, Value] = {}
    for op, number in zip(ops, origins, strict=True):
        same.update(matched_values(op, source_ops[number]))
    for op, number in zip(ops, origins, strict=True):
        source_op = source_ops[number]
        is_same = op.name == source_op.name and [same.get(each) for each in op.operands] == list(source_op.operands)
        if not is_same or not has_same_attributes(op, source_op):
            raise RewriteError(
                f"{source_op.location}: {source_op.name} is another one in the program with checks moved"
            )


def _rerun_functions(program: Program, trace: Trace) -> set[Function]:
    """Return the functions that run more often than they were interpreted: one trace covers several calls."""
    again = {called_function(program, op) for op, times in trace.reused.items() if times}
    bodies = [each for each in program.functions.values() if each.body is not None]
    return (
        reachable_functions({each for each in again if each is not None}, call_graph(program, bodies))
        if again
        else set()
    )


class _EntryClaims:
    """Claims, requirements and overflow assumptions of operations that are interpreted exactly once."""

    def __init__(self, program: Program, traces: Sequence[Trace]) -> None:
        self._completeness = CallCoverage(program, traces)
        self._times: dict[Operation, int] = {}
        self._checks: dict[Operation, list[Formula]] = {}
        self._demands: dict[Operation, list[Formula]] = {}
        self._presumed: dict[Location, list[Formula]] = {}
        self._unknown = {(each.op, each.location) for trace in traces for each in trace.approximations}
        self._traces = traces
        for trace in traces:
            for op, times in trace.reached.items():
                self._times[op] = self._times.get(op, 0) + times
            for function in _rerun_functions(program, trace):
                for op in program.symbols.operations(function):
                    self._times[op] = self._times.get(op, 0) + 1
            for each in trace.obligations:
                kind = self._checks if each.kind is Kind.CHECK else self._demands
                kind.setdefault(each.op, []).append(each.claim)
            for event in trace.events:
                if isinstance(event, OverflowAssumption) and event.location is not None:
                    self._presumed.setdefault(event.location, []).append(event.formula)

    def assumed(self, op: Operation) -> list[Formula]:
        """Return the assumptions on the inputs wherever an operation runs; other functions may use the same names."""
        (trace,) = (each for each in self._traces if op in each.reached)
        return [fact.formula for fact in trace.assumptions]

    def claims(self, op: Operation) -> list[Formula] | None:
        """Return the claims of a check; None if they are not known, or the operation has other requirements."""
        if not self._is_seen_once(op) or op in self._demands:
            return None
        return self._checks.get(op)

    def may_run(self, op: Operation, facts: Sequence[Formula]) -> bool:
        """Return whether an operation is always defined, and does not wrap around where the facts hold."""
        from shapesolve.solver.entailment import entails

        if not self._is_seen_once(op) or op in self._checks:
            return False
        if not all(each is TRUE or entails(each, budget=budgets.MEDIUM) for each in self._demands.get(op, ())):
            return False
        return all(entails(each, facts, budget=budgets.MEDIUM) for each in self._presumed.get(op.location, ()))

    def _is_seen_once(self, op: Operation) -> bool:
        """Return whether one interpretation of an operation says all that is known of every run of it."""
        is_known = (op.name, op.location) not in self._unknown
        return self._times.get(op) == 1 and is_known and self._completeness.missing(op) is None


class _Search:
    """Search for moves within one block."""

    def __init__(
        self, block: Block, kept: frozenset[int], entry_claims: _EntryClaims, book: RuleRegistry, *, silent: bool
    ) -> None:
        self._ops = block.operations
        self._silent = silent
        self._kept = kept
        self._entry_claims = entry_claims
        self._book = book
        self._asked = 0
        self._made: Mapping[Value, int] = {value: place for place, op in enumerate(self._ops) for value in op.results}

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
        return op.number in self._kept and can_be_asked(op, self._book) and self._entry_claims.claims(op) is not None

    def _move(self, place: int, checks: Sequence[int]) -> Hoist | None:
        start = self._start(place)
        followers = [each for each in checks if start <= each < place and self._entails(each, place, checks)]
        for number, first in enumerate(followers):
            operand_ops = self._operand_ops(place, first, checks)
            if operand_ops is not None:
                implied = tuple(self._ops[each] for each in followers[number:])
                return Hoist(self._ops[place], self._ops[first], operand_ops, implied, self._silent)
        return None

    def _start(self, place: int) -> int:
        """Return the position of the first operation that a check may move before."""
        start = place
        while start > 0 and place - start < _FARTHEST and self._may_move_before(self._ops[start - 1], self._ops[place]):
            start -= 1
        return start

    def _may_move_before(self, op: Operation, check: Operation) -> bool:
        """Return whether a failure of a check may come before the operation: it only computes, or checks."""
        if op.regions or op.successors:
            return False
        effects = self._book.effects(op)
        if effects.writes or not effects.stops:
            return not effects.writes
        return _has_same_message(op, check) if self._silent else can_be_asked(op, self._book)

    def _entails(self, earlier: int, later: int, checks: Sequence[int]) -> bool:
        """Return whether an earlier check follows from a later one and from those before it."""
        from shapesolve.solver.entailment import entails

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

    def _operand_ops(self, place: int, start: int, checks: Sequence[int]) -> tuple[Operation, ...] | None:
        """Return the operations between that a check depends on, in program order; None if they cannot move."""
        needed: set[int] = set()
        waiting = [place]
        while waiting:
            for value in self._ops[waiting.pop()].operands:
                maker = self._made.get(value)
                if maker is not None and maker >= start and maker not in needed:
                    needed.add(maker)
                    waiting.append(maker)
        ops = [self._ops[each] for each in sorted(needed)]
        # What reads would read the same: nothing between writes. What checks, or is not defined by itself, may not run.
        # That all of it is pure is asked so that neither hangs on what was looked at elsewhere.
        if any(op.regions or self._book.effects(op) != PURE for op in ops):
            return None
        known = self._known(start, checks)
        return tuple(ops) if all(self._entry_claims.may_run(op, known) for op in ops) else None


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
