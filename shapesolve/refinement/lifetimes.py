"""Lifetimes of buffers, and uses of memory that lives, as far as the text of a program shows."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import Block, OpaqueType, Operation, Program, ShapedType, SymbolRef, Value
from shapesolve.semantics.op_semantics import Memory


class Lifetimes:
    """The lives of one program's buffers, in program order."""

    def __init__(self, program: Program) -> None:
        self._made: dict[Value, Operation] = {}
        self._scoped: set[Value] = set()
        self._places = places_in(program)

    def unproved_use(self, op: Operation, memory: Memory) -> str:
        """Return why memory that begins or ends here may be used outside its life; "" if it is not."""
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
        if memory.is_scoped and any(self._is_captured(op, result) for result in op.results):
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
        """Return whether an operation is done when a later one of this block runs, and keeps no alias."""
        if self._captures(op):
            return False
        here, number = self._places.blocks[op]
        while here is not block:
            around = self._places.around.get(here)
            if around is None or around not in self._places.blocks:
                return False  # it got out of the block, which a terminator hands on
            here, number = self._places.blocks[around]
        return number < last

    def _is_captured(self, op: Operation, value: Value) -> bool:
        return any(self._captures(user) for _, user in self._uses(value))

    def _captures(self, op: Operation) -> bool:
        """Return whether an operand may live on elsewhere than in the operation's results.

        Arguments of its regions may be aliases; users inside of them are users themselves.
        """
        block, number = self._places.blocks[op]
        ends_block = number == len(block.operations) - 1
        calls = any(isinstance(each, SymbolRef) for each in op.attributes.values())
        blocks = (block for region in op.regions for block in region.blocks)
        enters = any(_may_alias(argument) for block in blocks for argument in block.arguments)
        return ends_block or calls or enters or any(map(_holds_buffers, op.operands))

    def _uses(self, value: Value, maker: Operation | None = None) -> Iterator[tuple[Value, Operation]]:
        """Yield each user of a value's memory with the alias; the results of a ``maker`` of new memory are none."""
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
