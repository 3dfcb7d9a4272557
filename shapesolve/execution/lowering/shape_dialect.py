"""Executable forms of the shape dialect: assertions for its constraints, extent tensors and indices for its types.

MLIR's own pass folds first, and so loses ``shape.cstr_require false`` and ``shape.assuming (const_witness false)``
without a trace. Here nothing is folded: a constraint becomes an assertion where it stands, a witness the ``i1`` that
says whether it passed, and a region entered under a witness that did not pass aborts.

MLIR lowers the shape dialect on extent tensors and indices only, and not all of it. ``!shape.shape`` and
``!shape.size`` can also hold error values, which have no such form. Where one would arise, execution stops and reports
it: it cannot follow the program any further, which is neither an abort nor a result.

The shape operands of reshapes become indices: MLIR reads narrower integers there as if they were indices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shapesolve.execution.execution import NotExecutableError, place_of
from shapesolve.execution.lowering.builder import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    LESS,
    NOT_EQUAL,
    Builder,
    descendants,
    values_below,
)
from shapesolve.int64 import DYNAMIC
from shapesolve.ir import bindings


def assert_constraints(module: Any) -> None:
    """Rewrite every ``shape.cstr_*``, ``assuming`` and witness of ``module``."""
    found = [op for op in descendants(module.operation) if op.name in _WITNESS_REWRITES]
    for op in found:
        _WITNESS_REWRITES[op.name](op)
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
    build.require(holds, "shape.cstr_broadcastable: required broadcastable shapes")
    _replace(op, [holds])


def _cstr_eq(op: Any) -> None:
    build = Builder(op)
    operands = list(op.operands)
    holds = build.value("shape.shape_eq", operands, "i1") if len(operands) > 1 else build.boolean(True)
    build.require(holds, "shape.cstr_eq: required equal shapes")
    _replace(op, [holds])


def _cstr_require(op: Any) -> None:
    Builder(op).require(op.operands[0], str(op.attributes["msg"].value))
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
    Builder(op).require(op.operands[0], "shape.assuming: entered with a witness that did not pass")
    block = op.regions[0].blocks[0]
    *body, end = list(block.operations)
    for child in body:
        child.operation.move_before(op)
    _replace_by_yield(op, end.operation)


def _replace_by_yield(op: Any, end: Any) -> None:
    values = list(end.operands)
    end.erase()
    _replace(op, values)


_WITNESS_REWRITES: dict[str, Callable[[Any], None]] = {
    "shape.cstr_broadcastable": _cstr_broadcastable,
    "shape.cstr_eq": _cstr_eq,
    "shape.cstr_require": _cstr_require,
    "shape.const_witness": _const_witness,
    "shape.assuming_all": _assuming_all,
    "shape.assuming": _assuming,
}


_SHAPE = "!shape.shape"
_SIZE = "!shape.size"
_EXTENTS = "tensor<?xindex>"


@dataclass(frozen=True)
class _Rewriting:
    """One operation being rewritten.

    Attributes:
        build: The builder in front of it.
        may_err: Whether a result could have held an error value.
        runtime_checks: Whether to verify operations that are undefined otherwise.
    """

    op: Any
    build: Builder
    may_err: bool  # a result could have held an error value
    runtime_checks: bool

    def require(self, holds: Any, what: str) -> None:
        """Stop if the result would be an error value; if it cannot be one, it is undefined: verify if asked."""
        if self.may_err:
            name = f"{self.op.name}{_where(self.op)}"
            self.build.require(holds, f"{name} gives an error value here: {what}", ends_execution=True)
        elif self.runtime_checks:
            self.build.verify(holds, str(self.op.name), what)


def make_executable(module: Any, *, runtime_checks: bool) -> None:
    """Rewrite the operations on shapes and sizes that MLIR's own lowering leaves, or lowers without their error."""
    found = [op for op in descendants(module.operation) if op.name in _VALUE_REWRITES or op.name in _UNSUPPORTED]
    may_err = [any(str(result.type) in (_SHAPE, _SIZE) for result in op.results) for op in found]
    for op in found:
        if op.name in _UNSUPPORTED:
            raise NotExecutableError(f"{op.name}{_where(op)} has no executable form")
    retype(module, _SHAPE, _EXTENTS)
    retype(module, _SIZE, "index")
    for op, holds_errors in zip(found, may_err, strict=True):
        values = _VALUE_REWRITES[op.name](_Rewriting(op, Builder(op), holds_errors, runtime_checks))
        if values is not None:
            _replace(op, values)


def _where(op: Any) -> str:
    place = place_of(op.location)
    return f" (line {place[0]})" if place else ""


def _fitted(build: Builder, value: Any, wanted: Any) -> Any:
    return value if value.type == wanted else build.value("tensor.cast", [value], wanted)


def _const_shape(at: _Rewriting) -> list[Any]:
    extents = [int(extent) for extent in at.op.attributes["shape"]]
    if any(extent % 2**64 == DYNAMIC % 2**64 for extent in extents):  # the bindings hand it out without its sign
        raise NotExecutableError(f"shape.const_shape{_where(at.op)} with a dynamic extent has no executable form")
    kind = f"tensor<{len(extents)}xindex>"
    constant = at.build.value("arith.constant", [], kind, {"value": f"dense<{extents}> : {kind}"})
    return [_fitted(at.build, constant, at.op.results[0].type)]


def _const_size(at: _Rewriting) -> list[Any]:
    return [at.build.index(int(at.op.attributes["value"].value))]


def _same(at: _Rewriting) -> list[Any]:
    return [_fitted(at.build, at.op.operands[0], at.op.results[0].type)]


def _forward(at: _Rewriting) -> list[Any]:
    return list(at.op.operands)[: len(at.op.results)]


def _from_extents(at: _Rewriting) -> list[Any]:
    kind = f"tensor<{len(at.op.operands)}xindex>"
    if len(at.op.operands):
        extents = at.build.value("tensor.from_elements", list(at.op.operands), kind)
    else:
        extents = at.build.value("arith.constant", [], kind, {"value": f"dense<> : {kind}"})
    return [_fitted(at.build, extents, at.op.results[0].type)]


def _div(at: _Rewriting) -> list[Any]:
    left, right = at.op.operands
    at.require(at.build.compare(NOT_EQUAL, right, at.build.index(0)), "division by zero")
    return [at.build.value("arith.floordivsi", [left, right], "index")]


def _max(at: _Rewriting) -> list[Any]:
    return [_of_sizes(at, "arith.maxsi")]


def _min(at: _Rewriting) -> list[Any]:
    return [_of_sizes(at, "arith.minsi")]


def _of_sizes(at: _Rewriting, name: str) -> Any:
    if str(at.op.results[0].type) != "index":
        raise NotExecutableError(f"{at.op.name}{_where(at.op)} of whole shapes has no executable form")
    return at.build.value(name, list(at.op.operands), "index")


def _concat(at: _Rewriting) -> list[Any]:
    parts = [_fitted(at.build, each, at.build.type(_EXTENTS)) for each in at.op.operands]
    joined = at.build.value("tensor.concat", parts, _EXTENTS, {"dim": "0 : i64"})
    return [_fitted(at.build, joined, at.op.results[0].type)]


def _broadcast(at: _Rewriting) -> None:
    if len(at.op.operands) > 1:
        holds = at.build.value("shape.is_broadcastable", list(at.op.operands), "i1")
        at.require(holds, "the shapes do not broadcast")


def _meet(at: _Rewriting) -> list[Any]:
    left, right = at.op.operands
    if str(at.op.results[0].type) == "index":
        holds = at.build.compare(EQUAL, left, right)
    else:
        holds = at.build.value("shape.shape_eq", [left, right], "i1")
    at.require(holds, "the operands contradict each other")
    return [_fitted(at.build, left, at.op.results[0].type)]


def _get_extent(at: _Rewriting) -> list[Any]:
    extents, position = at.op.operands
    _require_position(at, position, at.build.extent(extents, 0))
    return [at.build.value("tensor.extract", [extents, position], "index")]


def _dim(at: _Rewriting) -> list[Any]:
    value, position = at.op.operands
    if not str(value.type).startswith("tensor"):
        raise NotExecutableError(f"shape.dim{_where(at.op)} of {value.type} has no executable form")
    _require_position(at, position, at.build.value("tensor.rank", [value], "index"))
    return [at.build.value("tensor.dim", [value, position], "index")]


def _require_position(at: _Rewriting, position: Any, rank: Any) -> None:
    not_below = at.build.compare(AT_LEAST, position, at.build.index(0))
    below = at.build.compare(LESS, position, rank)
    at.require(at.build.value("arith.andi", [not_below, below], "i1"), "there is no such dimension")


def _split_at(at: _Rewriting) -> None:
    extents, position = at.op.operands
    rank = at.build.extent(extents, 0)
    lowest = at.build.value("arith.subi", [at.build.index(0), rank], "index")
    inside = [at.build.compare(AT_LEAST, position, lowest), at.build.compare(AT_MOST, position, rank)]
    at.require(at.build.value("arith.andi", inside, "i1"), "the position lies outside of the shape")


_VALUE_REWRITES: dict[str, Callable[[_Rewriting], list[Any] | None]] = {
    "shape.broadcast": _broadcast,
    "shape.concat": _concat,
    "shape.const_shape": _const_shape,
    "shape.const_size": _const_size,
    "shape.debug_print": _forward,
    "shape.dim": _dim,
    "shape.div": _div,
    "shape.from_extent_tensor": _same,
    "shape.from_extents": _from_extents,
    "shape.get_extent": _get_extent,
    "shape.index_to_size": _same,
    "shape.max": _max,
    "shape.meet": _meet,
    "shape.min": _min,
    "shape.size_to_index": _same,
    "shape.split_at": _split_at,
    "shape.to_extent_tensor": _same,
}

_UNSUPPORTED = frozenset({"shape.with_shape", "shape.value_of", "shape.value_as_shape"})


def widen_reshape_operands(module: Any) -> None:
    """Cast the shape operand of every ``tensor.reshape`` to ``index``."""
    for op in [each for each in descendants(module.operation) if each.name == "tensor.reshape"]:
        shape = op.operands[1]
        if str(shape.type.element_type) != "index":
            extents = ", ".join("?" if extent < 0 else str(extent) for extent in shape.type.shape)
            op.operands[1] = Builder(op).value("arith.index_cast", [shape], f"tensor<{extents}xindex>")
