"""Which functions call which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.reading.program import Attribute, Function, Operation, Program, SymbolRef

_CALLEE = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""The operations that run a function of the module with their operands, and the attribute that names it."""


def called_function(program: Program, op: Operation) -> Function | None:
    """The function that a call goes to; None for an operation that is no call or whose function is not known."""
    callee = op.attributes.get(_CALLEE.get(op.name, ""))
    return program.symbols.function(op, callee) if isinstance(callee, SymbolRef) else None


def mentioned_besides(op: Operation) -> Mapping[str, Attribute]:
    """The attributes of a call that do not name the function that it goes to."""
    return {name: each for name, each in op.attributes.items() if name != _CALLEE.get(op.name)}


def calls(program: Program, bodies: Sequence[Function]) -> Mapping[Function, Sequence[Function]]:
    """By function: those that it calls."""
    found: dict[Function, list[Function]] = {}
    for function in bodies:
        for op in program.symbols.operations(function):
            callee = called_function(program, op)
            if callee is not None:
                found.setdefault(function, []).append(callee)
    return found


def reached(functions: set[Function], called: Mapping[Function, Sequence[Function]]) -> set[Function]:
    """These functions and all that they call, and so on."""
    found: set[Function] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            waiting += called.get(function, ())
    return found


def recursive(program: Program) -> frozenset[Function]:
    """The functions that call themselves, perhaps through others."""
    bodies = [function for function in program.functions.values() if function.body is not None]
    called = calls(program, bodies)
    return frozenset(each for each in bodies if each in reached(set(called.get(each, ())), called))
