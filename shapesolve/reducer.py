"""Test-case reduction: makes a program smaller while a predicate holds, from hundreds of lines to a few.

Every candidate is the module with one change (functions or operations dropped, a region put in place of its
operation, a value replaced by a constant or by another one of its type, results and arguments dropped, an extent made
small or the first extent dropped in all types that have it), printed by MLIR after it has verified. The first candidate
for which the predicate holds replaces the module, until no change does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from shapesolve.deadline import NEVER, Deadline
from shapesolve.errors import InputError
from shapesolve.ir import bindings
from shapesolve.ir.reader import context_for

StillFails = Callable[[str], bool]
"""Callback that returns whether a candidate still has the property in question. InputError counts as no."""

MOST_ATTEMPTS = 3000
_CHUNKS = (32, 8, 2, 1)

_Edit = Callable[[Any, list[Any], int], bool]
"""Changes a live module at one of its operations; False where the change does not apply there."""


def reduce(text: str, still_fails: StillFails, *, attempts: int = MOST_ATTEMPTS, deadline: Deadline = NEVER) -> str:
    """Return the smallest text found for which ``still_fails``; the text itself if the predicate does not hold for it.

    ``attempts`` bounds the number of candidates, ``deadline`` the time.

    Raises:
        InputError: The text is no valid module.
    """
    current = _changed(text, lambda module, operations, position: True, 0)
    if current is None:
        raise InputError("this text is not a valid module, so there is nothing to reduce")
    if not _holds(still_fails, current):
        return text
    left = attempts
    shrunk = True
    while shrunk and left > 0 and not deadline.passed:
        before = current
        for edit in _edits():
            current, left = _everywhere(current, edit, still_fails, left, deadline)
        current, left = _smaller_types(current, still_fails, left, deadline)
        shrunk = current != before
    return current


def _everywhere(text: str, edit: _Edit, still_fails: StillFails, left: int, deadline: Deadline) -> tuple[str, int]:
    """Apply a change at every operation, the last one first."""
    position = _count(text) - 1
    while position >= 0 and left > 0 and not deadline.passed:
        candidate = _changed(text, edit, position)
        if candidate is not None and candidate != text:
            left -= 1
            if _holds(still_fails, candidate):
                text = candidate
                position = min(position, _count(text))
        position -= 1
    return text, left


def _smaller_types(text: str, still_fails: StillFails, left: int, deadline: Deadline) -> tuple[str, int]:
    """Apply changes of types, each in the whole text at once, until none of them helps."""
    tried: set[str] = set()
    while left > 0 and not deadline.passed:
        wanted = (each for each in _retyped(text) if each not in tried)
        candidate = next(wanted, None)
        if candidate is None:
            break
        tried.add(candidate)
        printed = _changed(candidate, lambda module, operations, position: True, 0)
        if printed is not None and printed != text:
            left -= 1
            if _holds(still_fails, printed):
                text = printed
    return text, left


_EXTENTS = re.compile(r"(?<=<)(?:(?:\?|\d+)x)+(?=[a-z!])")
"""The extents of a shaped type, such as ``?x8x``."""


def _retyped(text: str) -> Iterator[str]:
    """Yield the text with one static extent made small everywhere, and with the first extent of one rank dropped."""
    found = {each.group() for each in _EXTENTS.finditer(text)}
    extents = {each for shape in found for each in shape.split("x") if each.isdigit()}
    for each in sorted(extents, key=int, reverse=True):
        for small in (1, 2):
            if int(each) > small:
                yield _EXTENTS.sub(lambda shape: _replaced(shape.group(), each, str(small)), text)  # noqa: B023
    for rank in sorted({shape.count("x") for shape in found}, reverse=True):
        yield _EXTENTS.sub(lambda shape: _without_first(shape.group(), rank), text)  # noqa: B023


def _replaced(shape: str, extent: str, by: str) -> str:
    return "x".join(by if each == extent else each for each in shape.split("x"))


def _without_first(shape: str, rank: int) -> str:
    return shape.partition("x")[2] if shape.count("x") == rank else shape


def _holds(still_fails: StillFails, candidate: str) -> bool:
    try:
        return still_fails(candidate)
    except InputError:
        return False


def _count(text: str) -> int:
    with context_for(text):
        return len(_operations(bindings.ir().Module.parse(text)))


def _operations(module: Any) -> list[Any]:
    """Return all operations inside a module, in program order."""
    found: list[Any] = []

    def visit(operation: Any) -> None:
        for region in operation.regions:
            for block in region.blocks:
                for each in block.operations:
                    found.append(each)
                    visit(each)

    visit(module.operation)
    return found


def _changed(text: str, edit: _Edit, position: int) -> str | None:
    """Return the text with a change at the operation at a position; None if it does not apply or is invalid."""
    ir = bindings.ir()
    context = context_for(text)
    handler = context.attach_diagnostic_handler(_swallow)
    try:
        with context, ir.Location.unknown(context):
            module = ir.Module.parse(text)
            operations = _operations(module)
            if operations and (position >= len(operations) or not edit(module, operations, position)):
                return None
            return str(module) if bindings.verifies(module.operation) else None
    except (ir.MLIRError, ValueError, IndexError):
        return None
    finally:
        handler.detach()


def _swallow(diagnostic: Any) -> bool:
    return True


def _edits() -> list[_Edit]:
    return [
        _drop_function,
        *(_dropper(size) for size in _CHUNKS),
        _inline_region,
        _use_operand,
        _use_argument,
        *(_constant(value) for value in (0, 1)),
        _drop_results,
        _drop_arguments,
        _drop_attributes,
    ]


# Changes --------------------------------------------------------------------------------------------------------------


def _is_used(operation: Any) -> bool:
    return any(True for result in operation.results for _ in result.uses)


def _is_terminator(operation: Any) -> bool:
    block = list(operation.operation.block.operations)
    return block[-1] == operation and operation.operation.parent.name != "builtin.module"


def _drop_function(module: Any, operations: list[Any], position: int) -> bool:
    operation = operations[position]
    if operation.operation.name != "func.func":
        return False
    operation.operation.erase()
    return True


def _dropper(size: int) -> _Edit:
    def drop(module: Any, operations: list[Any], position: int) -> bool:
        """Drop operations without used results, in a stretch of the program, the last one first."""
        dropped = 0
        for operation in reversed(operations[max(0, position - size + 1) : position + 1]):
            name = operation.operation.name
            if name == "func.func" or _is_terminator(operation) or _is_used(operation):
                continue
            dropped += 1
            operation.operation.erase()
        return dropped > 0

    return drop


def _inline_region(module: Any, operations: list[Any], position: int) -> bool:
    """Replace an operation by the operations of its first region that has one block."""
    operation = operations[position]
    if operation.operation.name in ("func.func", "builtin.module") or _is_terminator(operation):
        return False
    blocks = [list(region.blocks) for region in operation.regions]
    chosen = next((each[0] for each in blocks if len(each) == 1 and len(list(each[0].operations)) > 1), None)
    if chosen is None:
        return False
    *inner, last = list(chosen.operations)
    for argument in chosen.arguments:
        fitting = [each for each in operation.operands if each.type == argument.type]
        if not fitting:
            return False
        argument.replace_all_uses_with(fitting[0])
    yielded = list(last.operands)[-len(list(operation.results)) :] if len(list(operation.results)) else []
    for each in inner:
        each.operation.move_before(operation.operation)
    for result, value in zip(operation.results, yielded, strict=True):
        if result.type != value.type:
            return False
        result.replace_all_uses_with(value)
    operation.operation.erase()
    return True


def _use_operand(module: Any, operations: list[Any], position: int) -> bool:
    """Replace a result by an operand."""
    operation = operations[position]
    if not _is_used(operation) or len(list(operation.results)) != 1:
        return False
    fitting = [each for each in operation.operands if each.type == operation.results[0].type]
    if not fitting:
        return False
    operation.results[0].replace_all_uses_with(fitting[0])
    operation.operation.erase()
    return True


def _use_argument(module: Any, operations: list[Any], position: int) -> bool:
    """Replace a result by an argument of the function."""
    operation = operations[position]
    if not _is_used(operation) or len(list(operation.results)) != 1:
        return False
    around = operation.operation
    while around.name != "func.func":
        if around.parent is None:
            return False
        around = around.parent.operation
    fitting = [each for each in around.regions[0].blocks[0].arguments if each.type == operation.results[0].type]
    if not fitting:
        return False
    operation.results[0].replace_all_uses_with(fitting[0])
    operation.operation.erase()
    return True


def _constant(value: int) -> _Edit:
    def replace(module: Any, operations: list[Any], position: int) -> bool:
        """Replace an integer by a constant."""
        ir = bindings.ir()
        operation = operations[position]
        if not _is_used(operation) or len(list(operation.results)) != 1:
            return False
        type = operation.results[0].type
        if not isinstance(type, ir.IndexType | ir.IntegerType):
            return False
        attribute = ir.IntegerAttr.get(type, value)
        if operation.operation.name == "arith.constant" and _is_as_small(operation.attributes["value"], value):
            return False
        with ir.InsertionPoint(operation.operation):
            made = ir.Operation.create("arith.constant", results=[type], attributes={"value": attribute})
        operation.results[0].replace_all_uses_with(made.results[0])
        operation.operation.erase()
        return True

    return replace


def _is_as_small(attribute: Any, value: int) -> bool:
    """Return whether a constant is this small already: 0 is not replaced by 1."""
    return str(attribute).partition(" :")[0] in {str(each) for each in range(value + 1)} | {"true", "false"}


def _terminators(function: Any) -> list[Any]:
    last = (list(block.operations)[-1] for region in function.regions for block in region.blocks)
    return [each for each in last if each.operation.name == "func.return"]


def _drop_results(module: Any, operations: list[Any], position: int) -> bool:
    """Drop the last result of a function."""
    ir = bindings.ir()
    function = operations[position]
    if function.operation.name != "func.func" or not len(function.type.results):
        return False
    for each in _terminators(function):
        with ir.InsertionPoint(each.operation):
            ir.Operation.create("func.return", operands=list(each.operands)[:-1])
        each.operation.erase()
    kept = list(function.type.results)[:-1]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(list(function.type.inputs), kept))
    return True


def _drop_arguments(module: Any, operations: list[Any], position: int) -> bool:
    """Drop the unused arguments of a function."""
    ir = bindings.ir()
    function = operations[position]
    if function.operation.name != "func.func" or not len(function.regions[0].blocks):
        return False
    block = function.regions[0].blocks[0]
    unused = [number for number, each in enumerate(block.arguments) if not any(True for _ in each.uses)]
    if not unused:
        return False
    kept = [each for number, each in enumerate(function.type.inputs) if number not in unused]
    attributes = function.attributes
    if "arg_attrs" in attributes:
        stated = [each for number, each in enumerate(attributes["arg_attrs"]) if number not in unused]
        attributes["arg_attrs"] = ir.ArrayAttr.get(stated)
    for number in reversed(unused):
        block.erase_argument(number)
    attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(kept, list(function.type.results)))
    return True


def _drop_attributes(module: Any, operations: list[Any], position: int) -> bool:
    """Drop the attributes of a function's arguments."""
    function = operations[position]
    if function.operation.name != "func.func" or "arg_attrs" not in function.attributes:
        return False
    del function.attributes["arg_attrs"]
    return True
