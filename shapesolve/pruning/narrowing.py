"""Narrowing of shape constraints to the shapes that are not implied: ``%a`` and ``%b`` of ``%a, %b, %a, %c``.

A constraint of fewer shapes is weaker by itself, but fails where the whole would. A trial inserts it before the whole,
which stops no run that would not stop at once, and prunes: if the whole is redundant then, the narrower constraint
takes its place, with its witness. A `shape.assuming_all` joins each witness once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import Operation, Program
from shapesolve.options import Options
from shapesolve.pruning.result import InsertedCheck, Prepared, Prune
from shapesolve.records import value_record
from shapesolve.rewriting.checks import ASSUMING_ALL, OF_MANY_SHAPES
from shapesolve.rewriting.dead_code import erase_dead_code
from shapesolve.rewriting.edited_program import read_again, require_edited
from shapesolve.rewriting.rewriter import Rewriter

_DEMANDS_NOTHING = "shape.shape_of"
"""The operation that makes most of the shapes; it is erased if unused."""

_FEWEST = 2
_MOST = 40
"""Largest number of different shapes of a constraint of which each is tried to be left out: one more prune for each."""


def find_narrowings(program: Program, options: Options, prune: Prune) -> list[Narrowing]:
    """Return the constraints that fewer shapes suffice for, and joins of repeated witnesses.

    Only what the program states is assumed.

    Args:
        prune: Removes the redundant checks of a program into which others were inserted.
    """
    ops = list(program.operation.walk())
    again = [_distinct(op) for op in ops if op.name == ASSUMING_ALL and len(set(op.operands)) < len(op.operands)]
    long = (op for op in ops if op.name in OF_MANY_SHAPES and len(op.operands) > _FEWEST)
    open = [op for op in long if len(set(op.operands)) >= _FEWEST]
    if not open:
        return again
    bare = replace(options.without_assumptions(), trust_ub=False)
    kept = {op.number: _distinct(op) for op in open}
    tried = [number for number, each in kept.items() if len(each.places) <= _MOST]
    for position in reversed(range(max(len(op.operands) for op in open))):
        trials = [kept[number] for number in tried if position in kept[number].places]
        trials = [each for each in trials if len(each.places) > _FEWEST]
        if options.deadline.passed:
            break
        if not trials:
            continue
        follows = _implied_wholes(program, [each.without(position) for each in trials], bare, prune)
        kept |= {each.op.number: each.without(position) for each in trials if each.op.number in follows}
    return [*again, *(each for each in kept.values() if len(each.places) < len(each.op.operands))]


def _distinct(op: Operation) -> Narrowing:
    """Return the operation with each of its operands once."""
    return Narrowing(op, tuple(op.operands.index(each) for each in dict.fromkeys(op.operands)))


def apply_narrowings(prepared: Prepared, narrowings: Sequence[Narrowing]) -> Prepared:
    """Return the program with narrowed constraints in place of the original ones, ready to be pruned.

    Raises:
        RewriteError: The program differs otherwise, or MLIR rejects it.
    """
    program = prepared.program
    rewriter = Rewriter.of(program)
    for each in narrowings:
        rewriter.replace_operands(each.op, _live_operands(rewriter, each), each.op)
    erased = erase_dead_code(rewriter, lambda op: op.name == _DEMANDS_NOTHING)
    operands = {each.op.number: [each.op.operands[place] for place in each.places] for each in narrowings}
    what = "the program with constraints of fewer shapes"
    changed, order = require_edited(rewriter, program, what, erased=erased, operands=operands)
    return prepared.edited(changed, order, [lambda place, each=each: each.note for each in narrowings])


@value_record
class Narrowing:
    """A constraint, and the positions of the shapes that it keeps."""

    op: Operation
    places: tuple[int, ...]

    def without(self, position: int) -> Narrowing:
        return Narrowing(self.op, tuple(each for each in self.places if each != position))

    @property
    def note(self) -> str:
        """The note about the narrowed constraint."""
        names = [each.name for each in self.op.operands]
        if self.op.name == ASSUMING_ALL:
            return f"`{self.op.name}` of {', '.join(names)} joins each witness once"
        left = " and ".join(names[each] for each in self.places)
        return f"`{self.op.name}` of {', '.join(names)} compares {left} only: the rest follows"


def _live_operands(rewriter: Rewriter, narrowing: Narrowing) -> list[Bindings]:
    return [rewriter.live[narrowing.op.number].operands[each] for each in narrowing.places]


def _implied_wholes(program: Program, trials: Sequence[Narrowing], options: Options, prune: Prune) -> set[int]:
    """Return the numbers of the constraints that are redundant after their narrowed forms."""
    rewriter = Rewriter.of(program)
    for each in trials:
        rewriter.insert_like(each.op, _live_operands(rewriter, each), each.op)
    inserted = {-number: InsertedCheck("", each.op.name, "", ()) for number, each in enumerate(trials, 1)}
    ready = Prepared(program, *read_again(rewriter, program), inserted)
    return {each.number for each in prune(ready, options).removed}
