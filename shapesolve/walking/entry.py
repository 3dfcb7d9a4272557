"""Which functions of a program are called from outside."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.reading.program import Attribute, Function, Operation, Program, SymbolRef


def entry_points(program: Program) -> list[Function]:
    """Public functions with a body, and private ones that nothing in the module calls, or not only calls.

    A private function that is called is checked where it is called, with the arguments of the call. So is what a
    library of shape functions holds. One that is mentioned otherwise may be called with any arguments.
    """
    bodies = [function for function in program.functions.values() if function.body is not None]
    inner = [op for function in bodies for op in function.operation.walk()]
    called = {callee.name for op in inner if (callee := _callee(op)) is not None}
    mentioned = {symbol.name for op in inner for symbol in _symbols(tuple(op.attributes.values()), _callee(op))}
    libraries = [op for op in program.operation.walk() if op.name == "shape.function_library"]
    inside = {op for library in libraries for op in library.walk()}
    outside = [f for f in bodies if f.operation.name == "func.func" and f.operation not in inside]
    chosen = [f for f in outside if not _is_private(f) or f.name not in called or f.name in mentioned]
    return chosen or bodies


def _callee(op: Operation) -> SymbolRef | None:
    callee = op.attributes.get("callee")
    return callee if op.name == "func.call" and isinstance(callee, SymbolRef) else None


def _symbols(attribute: Attribute, other_than: SymbolRef | None) -> Iterator[SymbolRef]:
    match attribute:
        case SymbolRef() if attribute is not other_than:
            yield attribute
        case tuple():
            for part in attribute:
                yield from _symbols(part, other_than)
        case _:
            pass


def _is_private(function: Function) -> bool:
    return function.operation.attributes.get("sym_visibility") == "private"
