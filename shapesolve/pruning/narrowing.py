"""Narrowing of shape constraints to the shapes that are not implied: ``%a`` and ``%b`` of ``%a, %b, %a, %c``.

A constraint of fewer shapes is weaker by itself, but fails where the whole would. A trial inserts it before the whole,
which stops no run that would not stop at once, and prunes: if the whole is redundant then, the narrower constraint
takes its place, with its witness.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import Operation, Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.result import InsertedCheck, Prepared, Prune, PruneResult
from shapesolve.records import value_record
from shapesolve.rewriting.checks import OF_MANY_SHAPES
from shapesolve.rewriting.dead_code import erase_dead_code
from shapesolve.rewriting.edited_program import read_again, require_edited
from shapesolve.rewriting.rewriter import Rewriter

_DEMANDS_NOTHING = "shape.shape_of"
"""The operation that makes most of the shapes; it is erased if unused."""

_FEWEST = 2
_MOST = 16
"""Largest number of shapes of a constraint that is narrowed."""


def narrowed(result: PruneResult, file: str, options: Options, prune: Prune, whole: Container[int] = ()) -> PruneResult:
    """Return the result with each constraint narrowed to as few shapes as are needed.

    Only what the program states is assumed.

    Args:
        prune: Removes the redundant checks of a program into which others were inserted.
        whole: Numbers of the constraints that stay as they are.
    """
    if not any(name in result.text for name in OF_MANY_SHAPES):
        return result
    program = read_text(result.text, file)
    found = (op for op in program.operation.walk() if op.name in OF_MANY_SHAPES and op.number not in whole)
    open = [op for op in found if _FEWEST < len(op.operands) <= _MOST]
    if not open:
        return result
    bare = replace(options.without_assumptions(), trust_ub=False)
    kept = {op.number: _Kept(op, list(range(len(op.operands)))) for op in open}
    for position in reversed(range(max(len(op.operands) for op in open))):
        trials = [each for each in kept.values() if position < len(each.op.operands) and len(each.places) > _FEWEST]
        if not trials or options.deadline.passed:
            break
        follows = _implied_wholes(program, [each.without(position) for each in trials], bare, prune)
        kept |= {each.op.number: each.without(position) for each in trials if each.op.number in follows}
    fewer = [each for each in kept.values() if len(each.places) < len(each.op.operands)]
    if not fewer:
        return result
    text = _with_fewer(program, fewer)
    comments = ["comments are not kept"] if "//" in result.text else []
    notes = dict.fromkeys((*result.notes, *comments, *(each.note for each in fewer)))
    return replace(result, text=text, notes=tuple(notes))


@value_record
class _Kept:
    """A constraint, and the positions of the shapes that it keeps."""

    op: Operation
    places: list[int]

    def without(self, position: int) -> _Kept:
        return _Kept(self.op, [each for each in self.places if each != position])

    @property
    def note(self) -> str:
        """The note about the narrowed constraint."""
        names = [each.name for each in self.op.operands]
        left = " and ".join(names[each] for each in self.places)
        return f"`{self.op.name}` of {', '.join(names)} compares {left} only: the rest follows"


def _live_operands(rewriter: Rewriter, kept: _Kept) -> list[Bindings]:
    return [rewriter.live[kept.op.number].operands[each] for each in kept.places]


def _implied_wholes(program: Program, trials: Sequence[_Kept], options: Options, prune: Prune) -> set[int]:
    """Return the numbers of the constraints that are redundant after their narrowed forms."""
    rewriter = Rewriter.of(program)
    for each in trials:
        rewriter.insert_like(each.op, _live_operands(rewriter, each), each.op)
    inserted = {-number: InsertedCheck("", each.op.name, "", ()) for number, each in enumerate(trials, 1)}
    ready = Prepared(program, *read_again(rewriter, program), inserted)
    return {each.number for each in prune(ready, options).removed}


def _with_fewer(program: Program, kept: Sequence[_Kept]) -> str:
    """Return the program text with narrowed constraints in place of the original ones."""
    rewriter = Rewriter.of(program)
    for each in kept:
        rewriter.replace_operands(each.op, _live_operands(rewriter, each), each.op)
    erased = erase_dead_code(rewriter, lambda op: op.name == _DEMANDS_NOTHING)
    operands = {each.op.number: [each.op.operands[place] for place in each.places] for each in kept}
    what = "the program with constraints of fewer shapes"
    changed, _ = require_edited(rewriter, program, what, erased=erased, operands=operands)
    assert changed.text is not None
    return changed.text
