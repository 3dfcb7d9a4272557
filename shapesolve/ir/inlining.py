"""Inlining: copies of the bodies of functions in place of calls of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from shapesolve.ir.copies import Values, copied_region, program_with_bodies, substituted, with_counted_uses
from shapesolve.ir.program import Block, Function, Operation, Program, Region, SymbolRef, Value

_MOST_OPERATIONS = 2000
"""Largest number of operations that copies add to a program."""
_SAY_NOTHING_OF_CALLS = frozenset(["function_type", "no_inline", "sym_name", "sym_visibility"])
_LIFETIME_OF_CALL = "memref.alloca"


def inlined_program(program: Program) -> Program:
    """Return a program that does the same, with calls inlined; itself if none is.

    Calls stay of functions that are declared only, have several blocks, call themselves, state contracts, or allocate
    what lives as long as the call. The copies have the numbers and locations of the operations that they are copies of.
    """
    modules = {op for region in program.operation.regions for block in region.blocks for op in block.operations}
    if any(each.operation not in modules for each in program.functions.values()):
        return program  # a name may mean another function inside
    inlining = _Inlining(program)
    found = {
        each.operation: inlining.region(each.body, {}, (each.name,))
        for each in program.functions.values()
        if each.body is not None and inlining.has_calls(each.body)
    }
    return program_with_bodies(program, {op: with_counted_uses(body) for op, body in found.items()})


class _Inlining:
    """Inlines calls of a program's functions."""

    def __init__(self, program: Program) -> None:
        self._functions = program.functions
        self._asserted = program.asserted
        self._left = _MOST_OPERATIONS

    def has_calls(self, body: Region) -> bool:
        """Return whether a call is inlined in the body of a function."""
        operations = (op for block in body.blocks for each in block.operations for op in each.walk())
        return any(self._callee(op, ()) is not None for op in operations)

    def region(self, region: Region, values: Values, calling: tuple[str, ...]) -> Region:
        """Return a copy of a region in which calls are inlined.

        Args:
            values: What stands for the values from outside.
            calling: The names of the functions whose bodies it is in.
        """
        if len(region.blocks) != 1:
            return copied_region(region, values)
        (block,) = region.blocks
        return Region((Block(block.arguments, tuple(self._operations(block.operations, dict(values), calling))),))

    def _operations(
        self, operations: Iterable[Operation], values: dict[Value, Value], calling: tuple[str, ...]
    ) -> Iterator[Operation]:
        """Yield the operations of a block, and add to ``values`` what stands for the results of calls."""
        for op in operations:
            callee = self._callee(op, calling)
            if callee is None or callee.body is None:
                regions = tuple(self.region(each, values, calling) for each in op.regions)
                yield replace(op, operands=substituted(op.operands, values), regions=regions)
                continue
            (body,) = with_counted_uses(callee.body).blocks
            *inner, end = body.operations
            own = dict(zip(body.arguments, substituted(op.operands, values), strict=True))
            self._left -= sum(1 for _ in callee.operation.walk())
            yield from self._operations(inner, own, (*calling, callee.name))
            values.update(zip(op.results, substituted(end.operands, own), strict=True))

    def _callee(self, op: Operation, calling: tuple[str, ...]) -> Function | None:
        """Return the function whose body takes the place of an operation; None if it stays."""
        name = op.attributes.get("callee") if op.name == "func.call" else None
        callee = self._functions.get(name.name) if isinstance(name, SymbolRef) and len(name.path) == 1 else None
        if callee is None or callee.body is None or callee.name in calling or len(callee.body.blocks) != 1:
            return None
        (body,) = callee.body.blocks
        states = any(callee.argument_attributes) or callee in self._asserted
        if states or not set(callee.operation.attributes) <= _SAY_NOTHING_OF_CALLS:
            return None
        if not body.operations or body.operations[-1].name != "func.return":
            return None
        inside = list(callee.operation.walk())
        if len(inside) > self._left or any(each.name == _LIFETIME_OF_CALL for each in inside):
            return None
        return callee
