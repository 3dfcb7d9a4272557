"""Turn the shape dialect's constraints into assertions.

MLIR's own pass folds first, and so loses ``shape.cstr_require false`` and ``shape.assuming (const_witness false)``
without a trace. Here nothing is folded: a constraint becomes an assertion where it stands, a witness the ``i1`` that
says whether it passed, and a region entered under a witness that did not pass aborts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapesolve.executing.lowering.operations import Builder, descendants, values_below
from shapesolve.reading import bindings


def assert_constraints(module: Any) -> None:
    """Rewrite every ``shape.cstr_*``, ``assuming`` and witness of ``module``."""
    found = [op for op in descendants(module.operation) if op.name in _REWRITES]
    for op in found:
        _REWRITES[op.name](op)
    retype(module, "!shape.witness", "i1")


def retype(module: Any, old: str, new: str) -> None:
    """Give every value of type ``old`` the type ``new``, in function types too."""
    ir = bindings.ir()
    before, after = (ir.Type.parse(spelled, module.context) for spelled in (old, new))
    for value in values_below(module.operation):
        if value.type == before:
            value.set_type(after)
    for op in descendants(module.operation):
        if op.name == "func.func":
            kind = op.attributes["function_type"].value
            sides = [[after if each == before else each for each in side] for side in (kind.inputs, kind.results)]
            op.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*sides, context=module.context))


def _replace(op: Any, values: list[Any]) -> None:
    for old, new in zip(op.results, values, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def _cstr_broadcastable(op: Any) -> None:
    build = Builder(op)
    holds = build.value("shape.is_broadcastable", list(op.operands), "i1")
    build.demand(holds, "shape.cstr_broadcastable: required broadcastable shapes")
    _replace(op, [holds])


def _cstr_eq(op: Any) -> None:
    build = Builder(op)
    operands = list(op.operands)
    holds = build.value("shape.shape_eq", operands, "i1") if len(operands) > 1 else build.boolean(True)
    build.demand(holds, "shape.cstr_eq: required equal shapes")
    _replace(op, [holds])


def _cstr_require(op: Any) -> None:
    Builder(op).demand(op.operands[0], str(op.attributes["msg"].value))
    _replace(op, [op.operands[0]])


def _const_witness(op: Any) -> None:
    _replace(op, [Builder(op).boolean(bool(op.attributes["passing"].value))])


def _assuming_all(op: Any) -> None:
    build = Builder(op)
    holds = op.operands[0]
    for other in list(op.operands)[1:]:
        # Built before the witnesses change their type: the verifier sees this only once all are i1.
        holds = build.build("arith.andi", [holds, other], ["i1"]).results[0]
    _replace(op, [holds])


def _assuming(op: Any) -> None:
    Builder(op).demand(op.operands[0], "shape.assuming: entered with a witness that did not pass")
    block = op.regions[0].blocks[0]
    *body, end = list(block.operations)
    for child in body:
        child.operation.move_before(op)
    _replace_by_yield(op, end.operation)


def _replace_by_yield(op: Any, end: Any) -> None:
    values = list(end.operands)
    end.erase()
    _replace(op, values)


_REWRITES: dict[str, Callable[[Any], None]] = {
    "shape.cstr_broadcastable": _cstr_broadcastable,
    "shape.cstr_eq": _cstr_eq,
    "shape.cstr_require": _cstr_require,
    "shape.const_witness": _const_witness,
    "shape.assuming_all": _assuming_all,
    "shape.assuming": _assuming,
}
