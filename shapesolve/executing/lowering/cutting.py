"""Cut a function off after an operation: to see whether it fails there, nothing that follows has to be lowered."""

from __future__ import annotations

from typing import Any

from shapesolve.executing.execution import Place
from shapesolve.executing.failures import place_of
from shapesolve.executing.lowering.operations import descendants, symbol_of
from shapesolve.reading import bindings

_RETURN = "func.return"


def cut_off(module: Any, function: str, last: Place) -> bool:
    """Let ``function`` end after its last operation in, or around, the line of ``last``; its results are any values.

    Whether it was done: a function of several blocks, or without such an operation, is left as it is.
    """
    found = [op.operation for op in module.body.operations if symbol_of(op) == function and op.operation.regions]
    blocks = list(found[0].regions[0].blocks) if found else []
    if len(blocks) != 1:
        return False
    body = [op.operation for op in blocks[0].operations]
    if not body or body[-1].name != _RETURN:
        return False
    positions = [number for number, op in enumerate(body[:-1]) if _is_in_line(op, last[0])]
    if not positions:
        return False
    _end_after(found[0], body, positions[-1])
    return True


def _is_in_line(op: Any, line: int) -> bool:
    return any((place := place_of(each.location)) is not None and place[0] == line for each in (op, *descendants(op)))


def is_at_or_behind(op: Any, line: int) -> bool:
    """Whether an operation, or one in it, was written in a line or behind it; constants are moved and are not asked."""
    if op.name == "arith.constant":
        return False
    return any((place := place_of(each.location)) is not None and place[0] >= line for each in (op, *descendants(op)))


def _end_after(function: Any, body: list[Any], position: int) -> None:
    """Return what the rest would have used, so that nothing which was computed for it becomes dead code.

    What is computed from no operands stays out: it fails for no sizes, and may be all the weights of a model.
    """
    ir = bindings.ir()
    kept, rest = body[: position + 1], body[position + 1 :]
    made = [result for op in kept if list(op.operands) for result in op.results]
    uses = [_uses(result) for result in made]
    for op in reversed(rest):
        op.erase()
    live = [each for each, before in zip(made, uses, strict=True) if _uses(each) < before and _can_be_returned(each)]
    with ir.InsertionPoint(kept[-1].block), kept[-1].location:
        ir.Operation.create(_RETURN, operands=live)
    kind = function.attributes["function_type"].value
    function.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(kind.inputs, [each.type for each in live], context=function.context)
    )
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]


def _uses(value: Any) -> int:
    return sum(1 for _ in value.uses)


def _can_be_returned(value: Any) -> bool:
    ir = bindings.ir()
    kind = value.type
    if isinstance(kind, ir.RankedTensorType | ir.UnrankedTensorType | ir.MemRefType):
        kind = kind.element_type
    return isinstance(kind, ir.IndexType | ir.IntegerType | ir.FloatType)
