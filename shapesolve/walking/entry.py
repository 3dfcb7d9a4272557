"""Which functions of a program are called from outside."""

from __future__ import annotations

from shapesolve.reading.program import Function, Program, SymbolRef


def entry_points(program: Program) -> list[Function]:
    """Public functions with a body, and private ones that nothing in the module calls.

    A private function that is called is checked where it is called, with the arguments of the call. So is what a
    library of shape functions holds.
    """
    bodies = [function for function in program.functions.values() if function.body is not None]
    called = {
        callee.name
        for function in bodies
        for op in function.operation.walk()
        if isinstance(callee := op.attributes.get("callee"), SymbolRef)
    }
    libraries = [op for op in program.operation.walk() if op.name == "shape.function_library"]
    inside = {op for library in libraries for op in library.walk()}
    outside = [f for f in bodies if f.operation.name == "func.func" and f.operation not in inside]
    chosen = [f for f in outside if not _is_private(f) or f.name not in called]
    return chosen or bodies


def _is_private(function: Function) -> bool:
    return function.operation.attributes.get("sym_visibility") == "private"
