"""What a comparison does not look at, where it matters for the two programs at hand.

Compared are how runs end, the sizes that they give and integers (`results`). Contents are, where both programs compute
them alike (`numbering`). Other contents are not, nor is the memory that is left behind where it is not written alike,
nor which check it is that ends a run, nor what is called that is not there to be looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shapesolve.reading.program import Operation, ScalarType, ShapedType, Type
from shapesolve.refining.effects import effect_difference, same_writes, unfollowed_calls
from shapesolve.refining.outcome import Omission, Part
from shapesolve.refining.paired_walk import Walked
from shapesolve.refining.results import holds_sizes
from shapesolve.walking.call_graph import called_function
from shapesolve.walking.effects import touches_buffers
from shapesolve.walking.obligations import Kind, Trace


def left_out(
    source: Walked, target: Walked, compared: Collection[str], *, allow_lost_checks: bool
) -> tuple[Omission, ...]:
    """What two runs may differ in where the target refines the source. ``compared`` names values that were compared."""
    alike = _alike(source, target)
    found = [
        Omission(Part.CONTENTS, f"{words} ({type})")
        for position, type in enumerate(source.trace.function.result_types)
        if position not in alike and (words := _of_result(f"result {position}", type)) and words not in compared
    ]
    has_buffers = any(touches_buffers(op) for each in (source, target) for op in each.trace.positions)
    if has_buffers and not same_writes(source, target):
        found.append(Omission(Part.CONTENTS, "what buffers hold"))
    if effect_difference(source, target):
        phrases = dict.fromkeys((*_of_calls(source), *_of_calls(target)))
        found.extend(Omission(Part.EFFECTS, words) for words in phrases)
    if not allow_lost_checks and len(_messages(source.trace) | _messages(target.trace)) > 1:
        found.append(Omission(Part.MESSAGES, "which check fails where one does, and its message"))
    return tuple(found)


def _alike(source: Walked, target: Walked) -> set[int]:
    """The results that both programs compute alike, by position. A buffer's value says nothing of what it holds."""
    ours, theirs = _returned(source), _returned(target)
    if ours is None or theirs is None or len(ours.operands) != len(theirs.operands):
        return set()
    return {
        position
        for position, (a, b) in enumerate(zip(ours.operands, theirs.operands, strict=True))
        if (number := source.value_number(a)) is not None and number == target.value_number(b)
    }


def _returned(walked: Walked) -> Operation | None:
    """The one operation that a function returns by."""
    body = walked.trace.function.body
    is_one = body is not None and len(body.blocks) == 1 and walked.trace.results is not None
    return body.blocks[0].operations[-1] if body is not None and is_one else None


def _of_result(name: str, type: Type) -> str:
    if isinstance(type, ShapedType):
        return "" if holds_sizes(type) or type.container == "memref" else f"the elements of {name}"
    return f"the value of {name}" if isinstance(type, ScalarType) and type.kind != "index" else ""


def _of_calls(walked: Walked) -> Iterator[str]:
    for op in unfollowed_calls(walked):
        called = called_function(walked.program, op)
        assert called is not None
        yield f"whether @{called.name} is called, and what it does besides giving results"


def _messages(trace: Trace) -> set[tuple[str, str]]:
    """The checks of a program, by what they say when they fail."""
    return {(each.op.name, each.message) for each in trace.obligations if each.kind is Kind.CHECK}
