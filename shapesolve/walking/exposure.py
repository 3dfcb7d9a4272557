"""Tensors that share memory with a buffer: what they hold may be written to by whoever has the buffer.

A tensor is a value and never changes, until an operation turns it into a buffer, or a buffer into it, without a copy.
Whether there is one is not known, nor who may write when, so that nothing is believed of the contents of such tensors,
nor of those that take part in the same computations on integers, or on floats of the same type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shapesolve.reading.analyses import program_analysis
from shapesolve.reading.program import Block, Operation, Program, Region, ScalarType, ShapedType, SymbolRef, Value


@program_analysis
def exposed(program: Program) -> frozenset[Value]:
    """The tensors of numbers whose contents may change."""
    operations = list(program.operation.walk())
    shared = [value for op in operations if not op.regions for value in _shared(op)]
    if not shared:
        return frozenset()
    groups = _Groups()
    for op in operations:
        alike: dict[str, list[Value]] = {}
        for value in _connected(op, program):
            kind = _kind(value)
            if kind:
                alike.setdefault(kind, []).append(value)
        for values in alike.values():
            groups.join(values)
    chosen = {groups.leader(value) for value in shared}
    return frozenset(value for value in groups.members() if groups.leader(value) in chosen)


def _shared(op: Operation) -> Iterator[Value]:
    for ours, theirs in ((op.operands, op.results), (op.results, op.operands)):
        if any(isinstance(value.type, ShapedType) and value.type.container == "memref" for value in theirs):
            yield from filter(_kind, ours)


def _kind(value: Value) -> str:
    """What a tensor holds: "integers", or the type of its floats; empty for all else."""
    type = value.type
    if not isinstance(type, ShapedType) or type.container != "tensor" or not isinstance(type.element, ScalarType):
        return ""
    return str(type.element) if type.element.kind == "float" else "integers"


def _connected(op: Operation, program: Program) -> Iterator[Value]:
    """What an operation takes, gives and hands to its regions, or to whatever function it names."""
    yield from op.operands
    yield from op.results
    for region in op.regions:
        yield from _handed(region)
    if op.regions:
        return
    named = {each.name.rpartition("::@")[2] for each in op.attributes.values() if isinstance(each, SymbolRef)}
    for function in program.functions.values() if named else ():
        if function.body is not None and function.name.rpartition("::@")[2].partition("#")[0] in named:
            yield from _handed(function.body)


def _handed(region: Region) -> Iterator[Value]:
    for block in region.blocks:
        yield from block.arguments
        yield from _yielded(block)


def _yielded(block: Block) -> Iterable[Value]:
    return block.operations[-1].operands if block.operations else ()


class _Groups:
    """Values in groups, joined as one goes."""

    def __init__(self) -> None:
        self._above: dict[Value, Value] = {}

    def leader(self, value: Value) -> Value:
        while (above := self._above.setdefault(value, value)) is not value:
            self._above[value] = value = self._above[above]
        return value

    def join(self, values: Iterable[Value]) -> None:
        leaders = [self.leader(value) for value in values]
        for other in leaders[1:]:
            self._above[self.leader(other)] = self.leader(leaders[0])

    def members(self) -> Iterable[Value]:
        return tuple(self._above)
