"""Give ``!shape.shape`` and ``!shape.size`` a form that runs: extent tensors and indices.

MLIR lowers the shape dialect on extent tensors and indices only, and not all of it. The other types can also hold
error values, which have no such form. Where one would come about, execution stops and says so: it cannot follow the
program any further, which is neither an abort nor a result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .check_sites import BEYOND_EXECUTION
from .failures import NotExecutableError, place_of
from .operations import AT_LEAST, AT_MOST, EQUAL, LESS, NOT_EQUAL, Builder, descendants
from .shape_constraints import retype

_SHAPE = "!shape.shape"
_SIZE = "!shape.size"
_EXTENTS = "tensor<?xindex>"


def make_executable(module: Any) -> None:
    """Rewrite every operation on shapes and sizes that MLIR's own lowering would leave or lower without its error."""
    found = [op for op in descendants(module.operation) if op.name in _REWRITES or op.name in _UNSUPPORTED]
    may_err = {op: any(str(result.type) in (_SHAPE, _SIZE) for result in op.results) for op in found}
    for op in found:
        if op.name in _UNSUPPORTED:
            raise NotExecutableError(f"{op.name}{_where(op)} has no executable form")
    retype(module, _SHAPE, _EXTENTS)
    retype(module, _SIZE, "index")
    for op in found:
        values = _REWRITES[op.name](op, Builder(op), may_err[op])
        if values is not None:
            for old, new in zip(op.results, values, strict=True):
                old.replace_all_uses_with(new)
            op.erase()


def _where(op: Any) -> str:
    place = place_of(op.location)
    return f" (line {place[0]})" if place else ""


def _error_if_not(build: Builder, holds: Any, op: Any, what: str) -> None:
    build.demand(holds, f"{BEYOND_EXECUTION}{op.name}{_where(op)} gives an error value here: {what}")


def _fitted(build: Builder, value: Any, wanted: Any) -> Any:
    return value if value.type == wanted else build.value("tensor.cast", [value], wanted)


def _const_shape(op: Any, build: Builder, _: bool) -> list[Any]:
    extents = [int(extent) for extent in op.attributes["shape"]]
    kind = f"tensor<{len(extents)}xindex>"
    constant = build.value("arith.constant", [], kind, {"value": f"dense<{extents}> : {kind}"})
    return [_fitted(build, constant, op.results[0].type)]


def _const_size(op: Any, build: Builder, _: bool) -> list[Any]:
    return [build.index(int(op.attributes["value"].value))]


def _same(op: Any, build: Builder, _: bool) -> list[Any]:
    return [_fitted(build, op.operands[0], op.results[0].type)]


def _nothing(op: Any, build: Builder, _: bool) -> list[Any]:
    return list(op.operands)[: len(op.results)]


def _from_extents(op: Any, build: Builder, _: bool) -> list[Any]:
    kind = f"tensor<{len(op.operands)}xindex>"
    if len(op.operands):
        extents = build.value("tensor.from_elements", list(op.operands), kind)
    else:
        extents = build.value("arith.constant", [], kind, {"value": f"dense<> : {kind}"})
    return [_fitted(build, extents, op.results[0].type)]


def _div(op: Any, build: Builder, may_err: bool) -> list[Any]:
    left, right = op.operands
    nonzero = build.compare(NOT_EQUAL, right, build.index(0))
    if may_err:
        _error_if_not(build, nonzero, op, "division by zero")
    else:
        build.demand(nonzero, "shape.div: division by zero")
    return [build.value("arith.floordivsi", [left, right], "index")]


def _max(op: Any, build: Builder, _: bool) -> list[Any]:
    return [_scalar_only(op, build, "arith.maxsi")]


def _min(op: Any, build: Builder, _: bool) -> list[Any]:
    return [_scalar_only(op, build, "arith.minsi")]


def _scalar_only(op: Any, build: Builder, name: str) -> Any:
    if str(op.results[0].type) != "index":
        raise NotExecutableError(f"{op.name}{_where(op)} of whole shapes has no executable form")
    return build.value(name, list(op.operands), "index")


def _concat(op: Any, build: Builder, _: bool) -> list[Any]:
    joined = build.value(
        "tensor.concat", [_fitted(build, each, build.type(_EXTENTS)) for each in op.operands], _EXTENTS, {"dim": "0"}
    )
    return [_fitted(build, joined, op.results[0].type)]


def _broadcast(op: Any, build: Builder, may_err: bool) -> None:
    if len(op.operands) < 2:
        return
    holds = build.value("shape.is_broadcastable", list(op.operands), "i1")
    if may_err:
        _error_if_not(build, holds, op, "the shapes do not broadcast")
    else:
        build.demand(holds, "shape.broadcast: the shapes do not broadcast, and an extent tensor cannot hold the error")


def _meet(op: Any, build: Builder, _: bool) -> list[Any]:
    left, right = op.operands
    if str(op.results[0].type) == "index":
        holds = build.compare(EQUAL, left, right)
    else:
        holds = build.value("shape.shape_eq", [left, right], "i1")
    _error_if_not(build, holds, op, "the operands contradict each other")
    return [_fitted(build, left, op.results[0].type)]


def _get_extent(op: Any, build: Builder, may_err: bool) -> list[Any]:
    extents, position = op.operands
    rank = build.extent(extents, 0)
    _in_range(op, build, may_err, position, rank)
    return [build.value("tensor.extract", [extents, position], "index")]


def _dim(op: Any, build: Builder, may_err: bool) -> list[Any]:
    value, position = op.operands
    if "tensor" not in str(value.type):
        raise NotExecutableError(f"shape.dim{_where(op)} of {value.type} has no executable form")
    rank = build.value("tensor.rank", [value], "index")
    _in_range(op, build, may_err, position, rank)
    return [build.value("tensor.dim", [value, position], "index")]


def _in_range(op: Any, build: Builder, may_err: bool, position: Any, rank: Any) -> None:
    inside = build.value(
        "arith.andi",
        [build.compare(AT_LEAST, position, build.index(0)), build.compare(LESS, position, rank)],
        "i1",
    )
    if may_err:
        _error_if_not(build, inside, op, "there is no such dimension")
    else:
        build.demand(inside, f"{op.name}: there is no such dimension")


def _split_at(op: Any, build: Builder, may_err: bool) -> None:
    extents, position = op.operands
    rank = build.extent(extents, 0)
    low = build.value("arith.subi", [build.index(0), rank], "index")
    inside = build.value(
        "arith.andi", [build.compare(AT_LEAST, position, low), build.compare(AT_MOST, position, rank)], "i1"
    )
    if may_err:
        _error_if_not(build, inside, op, "the position lies outside of the shape")
    else:
        build.demand(inside, "shape.split_at: the position lies outside of the shape")


def _shape_of(op: Any, build: Builder, _: bool) -> None:
    """MLIR lowers it to an extent tensor of the rank the operand has; the declared type may say less."""
    if not hasattr(op.operands[0].type, "has_rank"):
        raise NotExecutableError(f"shape.shape_of{_where(op)} of {op.operands[0].type} has no executable form")


_Rewrite = Callable[[Any, Builder, bool], "list[Any] | None"]

_REWRITES: dict[str, _Rewrite] = {
    "shape.broadcast": _broadcast,
    "shape.concat": _concat,
    "shape.const_shape": _const_shape,
    "shape.const_size": _const_size,
    "shape.debug_print": _nothing,
    "shape.dim": _dim,
    "shape.div": _div,
    "shape.from_extent_tensor": _same,
    "shape.from_extents": _from_extents,
    "shape.get_extent": _get_extent,
    "shape.index_to_size": _same,
    "shape.max": _max,
    "shape.meet": _meet,
    "shape.min": _min,
    "shape.shape_of": _shape_of,
    "shape.size_to_index": _same,
    "shape.split_at": _split_at,
    "shape.to_extent_tensor": _same,
}

_UNSUPPORTED = frozenset({"shape.with_shape", "shape.value_of", "shape.value_as_shape"})
