"""Functions of a program: its entry points, and texts that are addressed to one of them.

``@forward: T >= 2`` is about one function; a text without a name is about every one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapesolve.errors import InputError
from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.control_flow import call_graph, called_function, non_callee_symbols, reachable_functions
from shapesolve.ir.importer import KERNEL
from shapesolve.ir.program import Function, Operation, Program, Value
from shapesolve.preconditions.stated_contracts import declared
from shapesolve.symbolic.grammar import is_name

_RUNNABLE = ("func.func", KERNEL)
"""The functions that may be entry points."""


@program_analysis
def entry_points(program: Program) -> tuple[Function, ...]:
    """Return public functions with a body, and private ones that may have unknown callers.

    A private function that is only called is checked where it is called, with the arguments of the call. So are the
    functions of a library of shape functions. A function that any other attribute of any operation names may be called
    with any arguments; a function that no entry point leads to is checked for any arguments too, and so is one that
    calls itself and states a contract, because its calls rest on that.
    """
    bodies = [function for function in program.functions.values() if function.body is not None]
    inside = library_operations(program)
    outside = [f for f in bodies if f.operation.name in _RUNNABLE and f.operation not in inside]
    called = call_graph(program, bodies)
    mentioned = _mentioned(program)
    everywhere = {callee for callees in called.values() for callee in callees}
    stated = declared(program)
    alone = {f for f in outside if stated.is_inductive(f)}
    chosen = {f for f in outside if not is_private(f) or f not in everywhere or f in mentioned} | alone
    found = reachable_functions(chosen, called)
    for function in outside:
        if function not in found:  # it is called by functions only that nothing leads to, itself perhaps
            chosen.add(function)
            found |= reachable_functions({function}, called)
    return tuple(function for function in outside if function in chosen) or tuple(bodies)


@program_analysis
def library_operations(program: Program) -> frozenset[Operation]:
    """Return the operations in libraries of shape functions: they describe others, and no run gets to them."""
    libraries = [op for op in program.operation.walk() if op.name == "shape.function_library"]
    return frozenset(op for library in libraries for op in library.walk())


def chosen(program: Program, names: Sequence[str]) -> Sequence[Function]:
    """Return the functions of these names, each once; every entry point if there are no names.

    Raises:
        InputError: There is no function of a name, or it has no body.
    """
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
    """Return the function with that path, or the only one with that short name."""
    if name in program.functions:
        return program.functions[name]
    return next((each for each in program.functions.values() if each.short_name == name), None)


def _mentioned(program: Program) -> set[Function]:
    """Return the functions that something other than the callee of a call may name, or that unread code calls.

    Code is unread in functions that are no entry points, such as kernels that the program launches and `shape.func`; no
    run gets to those in libraries of shape functions.
    """
    runnable = (each for each in program.functions.values() if each.operation.name in _RUNNABLE)
    read = {op for function in runnable for op in program.symbols.operations(function)} | library_operations(program)
    found: set[Function] = set()
    for op, functions in program.symbols.mentions().items():
        if op not in read or called_function(program, op) is None:
            found.update(functions)
            continue
        found.update(program.symbols.named(op, non_callee_symbols(op).values()))
    return found


def is_private(function: Function) -> bool:
    """Return whether a function is visible in its module only."""
    return function.operation.attributes.get("sym_visibility") == "private"


def is_unreachable(program: Program, function: Function) -> bool:
    """Return whether a function is private and no operation of its program names it, not even its own."""
    callees = call_graph(program, [each for each in program.functions.values() if each.body is not None]).values()
    named = {callee for each in callees for callee in each} | _mentioned(program)
    return is_private(function) and function not in named


_OF_FUNCTION = re.compile(r"@(?P<name>.+?)(?<!:):(?!:)\s*(?P<text>.*)", re.DOTALL)


class SourcedText(str):
    """Text with its source: ``by`` is the option or file that errors name."""

    by: str

    @classmethod
    def of(cls, text: str, by: str) -> SourcedText:
        """Return the text with an option or a file as its source."""
        found = cls(text)
        found.by = by
        return found


def source_of(text: str, option: str) -> str:
    """Return the source of a text: the option of such texts, if nothing else is known."""
    return text.by if isinstance(text, SourcedText) else option


def texts_about(function: Function, texts: Sequence[str]) -> list[str]:
    """Return the texts that are about a function: those without a name, and those with its own, ``@f: T >= 2``.

    The name is its path, or its short name.
    """
    found: list[str] = []
    for text in texts:
        match = _OF_FUNCTION.fullmatch(text)
        if match is None:
            found.append(text)
        elif match["name"] in (function.name, function.short_name):
            part = match["text"]
            found.append(SourcedText.of(part, text.by) if isinstance(text, SourcedText) else part)
    return found


def check_addressed(program: Program, texts: Sequence[str]) -> None:
    """Raise InputError for a text about a function that the program does not have."""
    bare = {function.short_name for function in program.functions.values()}
    for text in texts:
        match = _OF_FUNCTION.fullmatch(text)
        if match is not None and match["name"] not in program.functions and match["name"] not in bare:
            known = ", ".join(sorted(program.functions))
            message = f"facts are given of `{match['name']}`, and there is no such function; there are: {known}"
            raise InputError(message, where=source_of(text, program.file))


def argument_name(function: Function, index: int) -> str:
    """Return an argument's name without its sigil, or a substitute if a text cannot write it."""
    return name_among(function.arguments, index)


def name_among(arguments: Sequence[Value], index: int) -> str:
    """Return the name of one of several arguments, or a substitute that no other argument has."""
    own = arguments[index].name.lstrip("%")
    if is_name(own):
        return own
    names = {each.name.lstrip("%") for each in arguments}
    name = f"arg{index}"
    while name in names:  # ``%0`` beside an argument that is called ``%arg0``
        name = f"_{name}"
    return name


def bare_name(function: Function, index: int) -> str:
    """Return the name of an argument in the program, without the ``%``."""
    return function.arguments[index].name.lstrip("%")


def positional(function: Function) -> list[str]:
    """Return the names of the arguments by position, whatever their own names are."""
    return [f"arg{index}" for index, _ in enumerate(function.arguments)]


def position_called(function: Function, name: str) -> int | None:
    """Return the position of the argument that a text calls so, without sigil, or None if it has no such argument.

    An argument's name comes before another one's position, and that before a name that a text cannot write.
    """
    count = len(function.arguments)
    own, bare = ([name_of(function, index) for index in range(count)] for name_of in (argument_name, bare_name))
    names = [*own, *positional(function), *bare]
    return names.index(name) % count if name in names else None
