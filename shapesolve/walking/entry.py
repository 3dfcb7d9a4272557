"""Which functions of a program are called from outside."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.errors import InputError
from shapesolve.reading.analyses import program_analysis
from shapesolve.reading.program import Function, Program
from shapesolve.walking.call_graph import called_function, calls, mentioned_besides, reached
from shapesolve.walking.declared import declared


@program_analysis
def entry_points(program: Program) -> tuple[Function, ...]:
    """Public functions with a body, and private ones of which not every caller is seen.

    A private function that is only called is checked where it is called, with the arguments of the call. So is what a
    library of shape functions holds. One that is mentioned otherwise, by whatever attribute of whatever operation, may
    be called with any arguments; one that no entry point leads to is checked for any arguments too, and one that calls
    itself and states a contract, because its calls rest on that.
    """
    bodies = [function for function in program.functions.values() if function.body is not None]
    libraries = [op for op in program.operation.walk() if op.name == "shape.function_library"]
    inside = {op for library in libraries for op in library.walk()}
    outside = [f for f in bodies if f.operation.name == "func.func" and f.operation not in inside]
    called = calls(program, bodies)
    mentioned = _mentioned(program)
    everywhere = {callee for callees in called.values() for callee in callees}
    stated = declared(program)
    alone = {f for f in outside if stated.is_judged_alone(f)}
    chosen = {f for f in outside if not _is_private(f) or f not in everywhere or f in mentioned} | alone
    found = reached(chosen, called)
    for function in outside:
        if function not in found:  # it is called by functions only that nothing leads to, itself perhaps
            chosen.add(function)
            found |= reached({function}, called)
    return tuple(function for function in outside if function in chosen) or tuple(bodies)


def chosen(program: Program, names: Sequence[str]) -> Sequence[Function]:
    """The functions of these names, each once; every entry point without names. Raises InputError for another name."""
    if not names:
        return entry_points(program)
    found: list[Function] = []
    for name in names:
        function = _named(program, name.removeprefix("@"))
        if function is None or function.body is None:
            known = ", ".join(sorted(each for each, f in program.functions.items() if f.body is not None)) or "none"
            raise InputError(f"there is no function `{name}` with a body; there are: {known}", where=program.file)
        if all(each is not function for each in found):
            found.append(function)
    return found


def _named(program: Program, name: str) -> Function | None:
    """The function of that path, or the only one of that name."""
    if name in program.functions:
        return program.functions[name]
    return next((each for each in program.functions.values() if each.short_name == name), None)


def _mentioned(program: Program) -> set[Function]:
    """The functions that something may name which is no call."""
    found: set[Function] = set()
    for op, functions in program.symbols.mentions().items():
        if called_function(program, op) is None:
            found.update(functions)
            continue
        found.update(program.symbols.named(op, mentioned_besides(op).values()))
    return found


def _is_private(function: Function) -> bool:
    return function.operation.attributes.get("sym_visibility") == "private"
