"""The shape function libraries that a program declares, checked as upstream does not check them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shapesolve.ir.own_attributes import EFFECTS
from shapesolve.ir.program import Attribute, DictAttribute, Function, Location, Operation, Program, SymbolRef
from shapesolve.records import record
from shapesolve.shape_functions.argument_passing import is_argument, is_result
from shapesolve.shape_functions.locations import error_at
from shapesolve.shape_functions.signature import Signature, signature_of

LIBRARY, FUNCTION, RETURN = "shape.function_library", "shape.func", "shape.return"
LISTED = "shape.lib"
PURE = "pure"


@record
class Declaration:
    """One entry of a mapping: an operation and the function that describes it.

    ``program`` is the file with the functions of this library alone. ``signature`` is what attributes say of the
    function's arguments and results.
    """

    op: str
    function: Function
    library: str
    location: Location
    program: Program
    signature: Signature


def declarations(program: Program, *, all_libraries: bool = False) -> list[Declaration]:
    """The entries of the libraries that the module's attribute `shape.lib` lists.

    ``all_libraries``: where it lists none, those of every library in the file. Raises InputError for an entry that
    cannot be used.
    """
    chosen = _listed(program)
    if chosen is None:
        chosen = [op for op in program.operation.walk() if op.name == LIBRARY] if all_libraries else []
    return [each for library in chosen for each in _entries(program, library)]


def unlisted(program: Program) -> list[Operation]:
    """The libraries in a file that its module does not list, and which therefore mean nothing to it."""
    listed = _listed(program) or ()
    return [op for op in program.operation.walk() if op.name == LIBRARY and op not in listed]


def _listed(program: Program) -> list[Operation] | None:
    given = program.operation.attributes.get(LISTED)
    if given is None:
        return None
    each = given if isinstance(given, tuple) else (given,)
    found = [program.symbols.operation(program.operation, name) for name in each if isinstance(name, SymbolRef)]
    return [op for op in dict.fromkeys(found) if op is not None and op.name == LIBRARY]


def _symbol(op: Operation) -> str:
    return str(op.attributes.get("sym_name", ""))


def _entries(program: Program, library: Operation) -> Iterator[Declaration]:
    mapping = library.attributes.get("mapping")
    by_operation = {function.operation: function for function in program.functions.values()}
    inside = [op for region in library.regions for block in region.blocks for op in block.operations]
    functions = {_symbol(op): replace(by_operation[op], name=_symbol(op)) for op in inside if op in by_operation}
    scoped = replace(program, functions=functions)
    if not isinstance(mapping, DictAttribute):
        return
    for name, value in mapping.entries.items():
        function = _function(program, library, name, value, functions)
        signature = _checked(program, name, function)
        yield Declaration(name, function, _symbol(library), function.location, scoped, signature)


def _function(
    program: Program, library: Operation, name: str, value: Attribute, functions: dict[str, Function]
) -> Function:
    where = f"the mapping of {name} in the library @{_symbol(library)}"
    if not isinstance(value, SymbolRef) or "::" in value.name:
        raise error_at(program, library.location, f"{where} is not the name of a function: write `{name} = @function`")
    function = functions.get(value.name)
    if function is None:
        known = ", ".join(f"@{each}" for each, f in functions.items() if f.operation.name == FUNCTION) or "none"
        message = f"{where} names @{value.name}, which the library does not have; it has: {known}"
        raise error_at(program, library.location, message)
    if function.operation.name != FUNCTION:
        message = f"{where} names @{value.name}, which is a {function.operation.name} and not a {FUNCTION}"
        raise error_at(program, function.location, message, "inside a library, `func @f` declares a shape.func")
    return function


def _checked(program: Program, op: str, function: Function) -> Signature:
    """Return what attributes say of the function, once everything about it is in order.

    A function without a body describes results that only the run time knows.
    """
    name = f"@{function.name}, the shape function of {op},"
    if function.body is not None and len(function.body.blocks) > 1:
        raise error_at(
            program, function.location, f"{name} has several blocks; only structured control flow is followed"
        )
    for position, argument in enumerate(function.arguments):
        if not is_argument(argument.type):
            message = f"argument {position} of {name} has type {argument.type}, as which no operand is passed"
            raise error_at(program, function.location, message)
    if not function.result_types:
        raise error_at(program, function.location, f"{name} returns nothing")
    for position, type in enumerate(function.result_types):
        if not is_result(type):
            message = f"result {position} of {name} has type {type}, which is neither a shape nor a number"
            raise error_at(program, function.location, message)
    if function.operation.attributes.get(EFFECTS, PURE) != PURE:
        raise error_at(program, function.location, f'{EFFECTS} on {name} may only say "{PURE}"')
    if function.body is not None:
        _check_return(program, name, function)
    return signature_of(program, name, function)


def _check_return(program: Program, name: str, function: Function) -> None:
    assert function.body is not None
    operations = function.body.blocks[0].operations
    end = operations[-1] if operations else None
    if end is None or end.name != RETURN:
        raise error_at(program, function.location, f"{name} does not end in {RETURN}")
    returned = [str(operand.type) for operand in end.operands]
    declared = [str(type) for type in function.result_types]
    if len(returned) != len(declared):
        message = f"{name} returns {len(returned)} values where it is declared to return {len(declared)}"
        raise error_at(program, end.location, message)
    for position, (is_type, wanted) in enumerate(zip(returned, declared, strict=True)):
        if is_type != wanted:
            message = f"{name} returns {is_type} as its result {position}, which is declared as {wanted}"
            raise error_at(program, end.location, message)
