"""What a comparison does not look at, where it matters for the two programs at hand.

Compared are how runs end and the sizes that they give (`results`). Other numbers are not, nor is the memory that is
left behind, nor which check it is that ends a run.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.reading.program import ScalarType, ShapedType, Type
from shapesolve.refining.results import holds_sizes
from shapesolve.walking.effects import touches_buffers
from shapesolve.walking.obligations import Kind, Trace


def left_out(source: Trace, target: Trace, *, allow_lost_checks: bool) -> tuple[str, ...]:
    """What two runs may differ in where the target refines the source, in phrases."""
    found = [
        f"{words} ({type})"
        for position, type in enumerate(source.function.result_types)
        if (words := _of_result(f"result {position}", type))
    ]
    found.extend(_of_memory((source, target)))
    if not allow_lost_checks and len(_messages(source) | _messages(target)) > 1:
        found.append("which check fails where one does, and its message")
    return tuple(found)


def _of_result(name: str, type: Type) -> str:
    if isinstance(type, ShapedType):
        return "" if holds_sizes(type) or type.container == "memref" else f"the elements of {name}"
    return f"the number that {name} is" if isinstance(type, ScalarType) and type.kind != "index" else ""


def _of_memory(traces: tuple[Trace, ...]) -> Iterator[str]:
    if any(touches_buffers(op) for trace in traces for op in trace.positions):
        yield "what buffers hold"


def _messages(trace: Trace) -> set[tuple[str, str]]:
    """The checks of a program, by what they say when they fail."""
    return {(each.op.name, each.message) for each in trace.obligations if each.kind is Kind.CHECK}
