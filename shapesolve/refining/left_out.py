"""What a comparison does not look at, where it matters for the two programs at hand.

Compared are how runs end and the sizes that they give (`results`). Other numbers are not, nor is the memory that is
left behind, nor which check it is that ends a run, nor what is called that is not there to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.reading.program import ScalarType, ShapedType, Type
from shapesolve.refining.outcome import Side
from shapesolve.refining.results import holds_sizes
from shapesolve.walking.call_graph import called_function
from shapesolve.walking.declared import declared
from shapesolve.walking.effects import touches_buffers
from shapesolve.walking.obligations import Kind, Trace


def left_out(ours: Side, theirs: Side, *, allow_lost_checks: bool) -> tuple[str, ...]:
    """What two runs may differ in where the target refines the source, in phrases."""
    source, target = ours.trace, theirs.trace
    found = [
        f"{words} ({type})"
        for position, type in enumerate(source.function.result_types)
        if (words := _of_result(f"result {position}", type))
    ]
    found.extend(_of_memory((source, target)))
    found.extend(dict.fromkeys((*_of_calls(ours), *_of_calls(theirs))))
    if not allow_lost_checks and len(_messages(source) | _messages(target)) > 1:
        found.append("which check fails where one does, and its message")
    return tuple(found)


def _of_result(name: str, type: Type) -> str:
    if isinstance(type, ShapedType):
        return "" if holds_sizes(type) or type.container == "memref" else f"the elements of {name}"
    return f"the value of {name}" if isinstance(type, ScalarType) and type.kind != "index" else ""


def _of_memory(traces: tuple[Trace, ...]) -> Iterator[str]:
    if any(touches_buffers(op) for trace in traces for op in trace.positions):
        yield "what buffers hold"


def _of_calls(side: Side) -> Iterator[str]:
    for op in side.trace.positions:
        called = called_function(side.program, op)
        alone = declared(side.program).is_judged_alone
        if called is not None and (called.body is None or alone(called) or op in side.trace.unfollowed):
            yield f"whether @{called.name} is called, and what it does besides giving results"


def _messages(trace: Trace) -> set[tuple[str, str]]:
    """The checks of a program, by what they say when they fail."""
    return {(each.op.name, each.message) for each in trace.obligations if each.kind is Kind.CHECK}
