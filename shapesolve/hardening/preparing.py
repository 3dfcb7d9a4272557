"""The text of a program with checks put in, read again, and that it is the original with nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.errors import InputError
from shapesolve.hardening.terms import Insertion
from shapesolve.pruning.outcome import WrittenCheck
from shapesolve.pruning.prepared import Prepared
from shapesolve.reading.bindings import verifies
from shapesolve.reading.mlir_reader import read_text
from shapesolve.reading.program import Program, Value
from shapesolve.rewriting.checks import RewriteError
from shapesolve.rewriting.printer import written
from shapesolve.rewriting.same_attributes import has_same_attributes

_RECORDED = ("shapesolve.assume", "arg_attrs")


def prepared(
    original: Program,
    insertion: Insertion,
    checks: Mapping[int, WrittenCheck],
    left_alone: frozenset[str],
    notes: Sequence[str],
) -> Prepared:
    """What became of a program. Raises RewriteError where it is not the original with operations put in."""
    if not verifies(insertion.module.operation):
        raise RewriteError("MLIR does not accept the program with the checks")
    text, origins = written(insertion, original), tuple(insertion.order())
    try:
        program = read_text(text, original.file)
    except InputError as error:
        raise RewriteError(f"the program with the checks cannot be read again: {error}") from error
    _require_only_added(original, program, origins)
    return Prepared(original, program, origins, checks, left_alone, tuple(notes))


def _require_only_added(original: Program, program: Program, origins: Sequence[int]) -> None:
    """Every operation of the original is there, in its order, with its operands and attributes.

    What an operation uses that was put in is a result of a region around, which yields what was used.
    """
    ops = list(program.operation.walk())
    if len(ops) != len(origins):
        raise RewriteError("the program with the checks does not read back as it was written")
    kept = [op for op, number in zip(ops, origins, strict=True) if number >= 0]
    added = [op for op, number in zip(ops, origins, strict=True) if number < 0]
    same: dict[Value, Value] = {}
    pictures = list(original.operation.walk())
    if len(kept) != len(pictures):
        raise RewriteError("the program with the checks has lost operations")
    for op, picture in zip(kept, pictures, strict=True):
        same.update(zip(op.results, picture.results, strict=True))
        for region, other in zip(op.regions, picture.regions, strict=True):
            for block, theirs in zip(region.blocks, other.blocks, strict=True):
                same.update(zip(block.arguments, theirs.arguments, strict=True))
    for op in added:
        for region in op.regions:
            yielded = region.blocks[0].operations[-1].operands
            same.update((result, same[value]) for result, value in zip(op.results, yielded, strict=True))
    for op, picture in zip(kept, pictures, strict=True):
        is_same = op.name == picture.name and [same.get(each) for each in op.operands] == list(picture.operands)
        if not is_same or not has_same_attributes(op, picture, _RECORDED):
            raise RewriteError(f"{picture.location}: {picture.name} is another one in the program with the checks")
