"""What comes down to one of its alternatives: a branch that gives what the other gives, a choice, a loop of one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from shapesolve.language.formulas import TRUE
from shapesolve.pruning.rejudging import Rejudged
from shapesolve.reading.program import Operation, Region
from shapesolve.rewriting.checks import GUARD, LOOP, Shortcut
from shapesolve.walking.obligations import Way


def shortcut_of(op: Operation, entries: Sequence[Rejudged], changed: AbstractSet[int]) -> Shortcut | None:
    """What an operation comes down to wherever it runs; None where it needs all of its alternatives.

    ``changed`` are the numbers of the operations that will be others.
    """
    first, *others = (each.always(op) for each in entries)
    for way in reversed([each for each in first if all(each in other for other in others)]):
        because = _because(op, way, entries, changed)
        if because:
            return Shortcut(way, because)
    return None


def _because(op: Operation, way: Way, entries: Sequence[Rejudged], changed: AbstractSet[int]) -> str:
    """The phrase for an alternative that can be left alone; "" for one that cannot."""
    if op.name == GUARD:
        is_safe = _can_go(op.regions[1 - way.number], entries)
        return "its branches give the same" if is_safe and _can_always_run(op, way.number, entries, changed) else ""
    if not all(each.is_defined(op) or op in each.doubts.ops for each in entries):
        return ""  # what it demands is trusted, and later proofs may lean on that
    if op.name == LOOP:
        return "its loop runs once" if way.number else "its loop never runs"
    if way.gives is None:
        return ""
    return f"it is always {way.gives if isinstance(way.gives, int) else way.gives.name}"


def _inside(region: Region) -> Iterable[Operation]:
    return (op for block in region.blocks for op in block.operations)


def _can_go(region: Region, entries: Sequence[Rejudged]) -> bool:
    """Whether nothing in a region is undefined: later proofs may lean on that."""
    return all(each.is_defined(inner) for op in _inside(region) for inner in op.walk() for each in entries)


def _can_always_run(guard: Operation, way: int, entries: Sequence[Rejudged], changed: AbstractSet[int]) -> bool:
    """Whether a branch may run though its condition does not hold: what it does was compared, and demands nothing."""
    for op in _inside(guard.regions[way]):
        if op.regions or op.number in changed:
            return False
        said = (judgement.obligation.claim for each in entries for judgement in each.judgements.get(op, ()))
        if any(claim is not TRUE for claim in said):
            return False
    return True
