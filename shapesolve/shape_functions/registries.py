"""The rule registry of one run: the registry of the process below the user's rules and shape functions.

A rule file is Python code: reading it runs the code.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from shapesolve.errors import InputError, TimeLimitError
from shapesolve.ir.program import Operation, Program, SymbolRef
from shapesolve.ir.reader import read_file
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.semantics.registry import RuleError, RuleRegistry, load_rules, registering_in
from shapesolve.shape_functions.carriers import with_carriers
from shapesolve.shape_functions.declarations import LIBRARY, Declaration, declarations, unlisted
from shapesolve.shape_functions.locations import error_at
from shapesolve.shape_functions.shape_function import ShapeFunction


@record
class _Layered:
    program: Program
    options: Options
    registry: RuleRegistry


_latest: _Layered | None = None


def registry_for(program: Program, options: Options) -> RuleRegistry:
    """Return the rule registry of a program: built-in rules, rule files, and the libraries of options and program.

    The latest registry is kept, since each function of a program is interpreted alone.

    Raises:
        InputError: for a rule file or a library that cannot be used, or that would replace a rule.
    """
    global _latest
    kept = _latest
    if kept is not None and kept.program is program and kept.options == options:
        return kept.registry
    registry = _layered(program, options)
    _latest = _Layered(program, options, registry)
    return registry


def _layered(program: Program, options: Options) -> RuleRegistry:
    book = load_rules()
    if options.rules:
        book = RuleRegistry(book)
        for path in options.rules:
            load_rule_file(path, book)
    book = with_carriers(program, options.carriers, book)
    functions = shape_functions(program, options.libraries, book)
    if not functions:
        return book
    _check_uses(program, functions)
    return next(iter(functions.values())).registry


def library_notes(program: Program, options: Options) -> tuple[str, ...]:
    """Return the notes of a report on libraries in the program that are not used."""
    if not any(op.name == LIBRARY for op in program.operation.walk()):
        return ()
    book = registry_for(program, options)
    notes = [
        f"{op.location}: the library @{op.attributes.get('sym_name')} is not used: shape.lib does not list it"
        for op in unlisted(program)
    ]
    for each in declarations(program):
        rule = book.get(each.op)
        if rule is not None and rule.module != f"@{each.library}":
            notes.append(
                f"{each.location}: {each.op} keeps the rule that it has ({rule.module}): @{each.function.name} of the "
                f"library @{each.library} is not used"
            )
    return tuple(notes)


def shape_functions(
    program: Program | None, libraries: Sequence[str | Program] = (), registry: RuleRegistry | None = None
) -> Mapping[str, ShapeFunction]:
    """The shape functions by operation: those of these libraries, files or read, and those that the program lists.

    Raises InputError for a library that cannot be used: what it maps does not exist or has a form that no operation
    has, an operation is mapped twice, a function leads back to itself, or a library in a file of its own maps an
    operation that has a rule. In the program itself such an entry is passed over.
    """
    below = registry or load_rules()
    book = RuleRegistry(below)
    chosen: dict[str, Declaration] = {}
    for each in _all(program, libraries, below):
        other = chosen.get(each.op)
        if other is not None:
            message = f"{each.op} is mapped twice: here to @{each.function.name} of the library @{each.library}"
            also = f"{other.location}: and here to @{other.function.name} of the library @{other.library}"
            raise error_at(each.program, each.location, message, also)
        chosen[each.op] = each
    _check_recursion(chosen)
    functions = {
        each.op: ShapeFunction(each.function.name, each.function, each.program, each.library, book, each.signature)
        for each in chosen.values()
    }
    for op, function in functions.items():
        book.register(function.rule(op))
    for each in chosen.values():
        _check_uses(each.program, functions, list(_reached(each)))
    return functions


def _all(program: Program | None, libraries: Sequence[str | Program], below: RuleRegistry) -> Iterator[Declaration]:
    if program is not None:
        yield from (each for each in declarations(program) if each.op not in below)
    for source in dict.fromkeys(libraries):
        if source == "-":
            raise InputError("a library is not read from standard input; give a file", where="--library")
        library = read_file(source) if isinstance(source, str) else source
        found = declarations(library, all_libraries=True)
        if not found:
            raise InputError("no shape.function_library here maps an operation", where=library.file)
        for each in found:
            rule = below.get(each.op)
            if rule is not None:
                message = f"{each.op} has a rule already ({rule.module}), which a library does not replace"
                raise error_at(library, each.location, message, f"leave `{each.op} = @{each.function.name}` out")
            yield each


# Recursion -----------------------------------------------------------------------------------------------------------


def _reached(declaration: Declaration) -> Iterator[Operation]:
    """The operations of a shape function and of all that it calls."""
    seen: set[str] = set()
    waiting = [declaration.function]
    while waiting:
        function = waiting.pop()
        if function.name in seen:
            continue
        seen.add(function.name)
        for op in function.operation.walk():
            yield op
            callee = op.attributes.get("callee")
            called = declaration.program.symbols.function(op, callee) if isinstance(callee, SymbolRef) else None
            if called is not None:
                waiting.append(called)


def _check_recursion(chosen: Mapping[str, Declaration]) -> None:
    for each in chosen.values():
        trail = _cycle_through(each, chosen)
        if trail is not None:
            names = " -> ".join(f"@{name}" for name in trail)
            raise error_at(each.program, each.location, f"@{each.function.name} leads back to itself: {names}")


def _cycle_through(declaration: Declaration, chosen: Mapping[str, Declaration]) -> list[str] | None:
    """The names on a way from a function through calls and mapped operations back to one of them."""
    done: set[object] = set()

    def visit(op: Operation, within: Declaration, trail: list[tuple[Operation, str]]) -> list[str] | None:
        name = str(op.attributes.get("sym_name"))
        for position, (passed, _) in enumerate(trail):
            if passed is op:
                return [*(each for _, each in trail[position:]), name]
        if op in done:
            return None
        longer = [*trail, (op, name)]
        for inner in op.walk():
            callee = inner.attributes.get("callee")
            called = within.program.symbols.function(inner, callee) if isinstance(callee, SymbolRef) else None
            if called is not None:
                found = visit(called.operation, within, longer)
            elif inner.name in chosen:
                found = visit(chosen[inner.name].function.operation, chosen[inner.name], longer)
            else:
                continue
            if found is not None:
                return found
        done.add(op)
        return None

    return visit(declaration.function.operation, declaration, [])


# Uses ----------------------------------------------------------------------------------------------------------------


def _check_uses(
    program: Program, functions: Mapping[str, ShapeFunction], operations: Sequence[Operation] | None = None
) -> None:
    """Every mapped operation has the form that its shape function describes."""
    for op in operations if operations is not None else program.operation.walk():
        function = functions.get(op.name)
        problem = function.misfit(op) if function is not None else None
        if function is not None and problem is not None:
            note = f"{function.location}: @{function.name} of the library @{function.library} is declared here"
            raise error_at(program, op.location, problem, note)


def load_rule_file(path: str, registry: RuleRegistry) -> None:
    """Run a file; the rules that it registers go into this registry alone.

    Raises InputError where it cannot be run, registers nothing, or registers a rule for an operation that has one.
    """
    file = Path(path)
    if not file.is_file():
        reason = "this is a directory; give a file in it" if file.is_dir() else "there is no such file"
        raise InputError(reason, where=path)
    before = len(registry)
    spec = importlib.util.spec_from_file_location(path, file)  # named by its path, for that is what errors quote
    if spec is None or spec.loader is None:
        raise InputError("a file of rules has a name that ends in .py", where=path)
    module = importlib.util.module_from_spec(spec)
    outer = sys.modules.get(path)
    sys.modules[path] = module  # dataclasses in it look themselves up
    try:
        with registering_in(registry):
            spec.loader.exec_module(module)
    except RuleError as error:
        raise InputError(str(error), where=path) from None
    except TimeLimitError:
        raise
    except Exception as error:
        raise InputError(
            f"this file of rules cannot be run: {_error_text(error)}", where=_where(path, error)
        ) from error
    except SystemExit:
        raise InputError("this file of rules ends the process", where=path) from None
    finally:
        sys.modules.pop(path)
        if outer is not None:
            sys.modules[path] = outer
    if len(registry) == before:
        raise InputError('no rule is registered here: put @rule("dialect.op", example=...) on a function', where=path)


def _error_text(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _where(path: str, error: Exception) -> str:
    """The line of the file that the error passed through last."""
    file = Path(path).resolve()
    if isinstance(error, SyntaxError) and error.lineno is not None and error.filename is not None:
        return f"{path}:{error.lineno}:{error.offset or 1}" if Path(error.filename).resolve() == file else path
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each.lineno for each in frames if Path(each.filename).resolve() == file]
    return f"{path}:{lines[-1]}" if lines and lines[-1] else path
