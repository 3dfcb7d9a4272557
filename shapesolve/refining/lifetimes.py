"""Whether memory is used only while it lives, so far as that can be told from how a program is written.

What is told is enough for buffers that are made, used and freed in one block. Of everything else (an argument that is
freed, a buffer that leaves its loop) nothing is known, and where two programs are compared that is nobody's proof.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.reading.places import places_in
from shapesolve.reading.program import Block, OpaqueType, Operation, Program, ShapedType, SymbolRef, Value
from shapesolve.walking.rulebook import Memory


class Lifetimes:
    """The lives of one program's buffers, told in the order of the walk."""

    def __init__(self, program: Program) -> None:
        self._made: dict[Value, Operation] = {}
        self._scoped: set[Value] = set()
        self._places = places_in(program)

    def doubt(self, op: Operation, memory: Memory) -> str:
        """Why it is not known that memory which begins or ends here is used only while it lives; "" if it is."""
        for value in memory.frees:
            if value not in self._made:
                return f"whether {value.name} may be freed here is not followed"
            if value in self._scoped:
                return f"{value.name} ends with the scope around it, and is freed before"
            if not self._ends_with(self._made[value], op, value, memory.allocates):
                return f"whether {value.name} is used after it was freed, or freed twice, is not followed"
        if memory.allocates:
            self._made.update(dict.fromkeys(op.results, op))
        if memory.is_scoped:
            self._scoped.update(op.results)
        if memory.is_scoped and any(self._leaves(op, result) for result in op.results):
            return f"whether {op.results[0].name} is used when its scope has ended is not followed"
        return ""

    def _ends_with(self, maker: Operation, end: Operation, value: Value, makes_anew: bool) -> bool:
        block, last = self._places.blocks[end]
        if self._places.blocks[maker][0] is not block or end.operands.count(value) != 1:
            return False
        aliases = self._uses(value, end if makes_anew else None)
        others = (user for alias, user in aliases if alias is not value or user is not end)
        return all(self._is_before(user, block, last) for user in others)

    def _is_before(self, op: Operation, block: Block, last: int) -> bool:
        """Whether an operation is done when a later one of this block runs, and has handed the memory to nobody."""
        if self._hands_on(op):
            return False
        here, number = self._places.blocks[op]
        while here is not block:
            around = self._places.around.get(here)
            if around is None or around not in self._places.blocks:
                return False  # it got out of the block, which a terminator hands on
            here, number = self._places.blocks[around]
        return number < last

    def _leaves(self, op: Operation, value: Value) -> bool:
        return any(self._hands_on(user) for _, user in self._uses(value))

    def _hands_on(self, op: Operation) -> bool:
        """Whether what an operation is given lives on elsewhere than in its results."""
        block, number = self._places.blocks[op]
        ends_block = number == len(block.operations) - 1
        calls = any(isinstance(each, SymbolRef) for each in op.attributes.values())
        return ends_block or calls or bool(op.regions) or any(map(_holds_buffers, op.operands))

    def _uses(self, value: Value, maker: Operation | None = None) -> Iterator[tuple[Value, Operation]]:
        """Who uses the memory of a value, and by which alias; what a ``maker`` of other memory gives is none."""
        waiting, seen = [value], {value}
        while waiting:
            alias = waiting.pop()
            for user in self._places.users.get(alias, ()):
                yield alias, user
                given = () if user is maker else user.results
                more = [result for result in given if _may_alias(result) and result not in seen]
                seen.update(more)
                waiting += more


def _may_alias(value: Value) -> bool:
    type = value.type
    return type.container != "vector" if isinstance(type, ShapedType) else isinstance(type, OpaqueType)


def _holds_buffers(value: Value) -> bool:
    return isinstance(value.type, ShapedType) and isinstance(value.type.element, OpaqueType)
