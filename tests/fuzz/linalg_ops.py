"""Structured operations: the ranges of their loops, what they access, and bodies that check something."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fuzz.buffer_ops import fresh as blank
from fuzz.buffer_ops import holds_integers, read
from fuzz.control_ops import affine_map
from fuzz.integer_ops import raise_unsupported
from fuzz.machine import LARGEST, Compiler, Env, Place, Step, every_index, handles, outside, place_of, undefined

from shapesolve.ir import bindings

NAMED = (
    "linalg.fill", "linalg.copy", "linalg.add", "linalg.sub", "linalg.mul", "linalg.matmul", "linalg.batch_matmul",
    "linalg.matvec", "linalg.vecmat", "linalg.dot", "linalg.exp", "linalg.conv_1d", "linalg.pooling_nwc_max",
    "linalg.conv_2d_nchw_fchw", "linalg.pooling_nchw_max", "linalg.conv_2d_nhwc_hwcf", "linalg.select", "linalg.max",
)  # fmt: skip


@handles("linalg.generic", "linalg.map", "linalg.reduce", "linalg.transpose", "linalg.broadcast", *NAMED)
def _loops(c: Compiler, op: Any) -> Step:
    """Ranges from the first extent that is just its loop; where a range is empty nothing is demanded."""

    name = op.operation.name
    live = [
        each.value if hasattr(each, "value") else each for each in bindings.linalg().get_indexing_maps(op.operation)
    ]
    maps, dims = [affine_map(each) for each in live], live[0].n_dims
    operands = list(op.operands)[: len(maps)]
    shaped = [hasattr(each.type, "shape") for each in operands]
    slots, results, place = c.slots(operands), c.slots(op.results), place_of(op)
    body = c.inline(op.regions[0]) if name == "linalg.generic" else None
    inputs = len(operands) - len(op.results) if len(op.results) else len(operands) - 1
    follows = body is not None and _asks_for_more_than_data(op)
    integers = any(hasattr(v.type, "shape") and holds_integers(v.type) for v in op.results)
    origin = _origins(live, dims)
    ir = bindings.ir()
    pure = [[isinstance(each, ir.AffineDimExpr) for each in map.results] for map in live]
    if None in origin:
        raise_unsupported(op)

    def step(env: Env) -> None:
        shapes = [env[slot].shape if is_shaped else () for slot, is_shaped in zip(slots, shaped, strict=True)]
        ranges = [shapes[operand][axis] for operand, axis in origin]
        if all(ranges):
            for of, shape, exact in zip(maps, shapes, pure, strict=True):
                try:
                    ends = of([0] * dims), of([each - 1 for each in ranges])
                except ZeroDivisionError:
                    raise undefined(place, "an index is divided by a number that is not positive") from None
                for low, high, extent, is_loop in zip(*ends, shape, exact, strict=True):
                    inside = high + 1 == extent if is_loop else min(low, high) >= 0 and max(low, high) < extent
                    if not inside:
                        raise undefined(place, f"the loops {ranges} do not fit {shape}")
            if follows:
                assert body is not None
                _run_body(env, ranges, maps, slots, shaped, body, place)
        made = [env[slot] for slot in slots[inputs:]]
        for r, array in zip(results, made, strict=False):
            env[r] = blank(array.shape, True, place) if integers else array

    return step


def _origins(live: Sequence[Any], dims: int) -> list[Any]:
    ir = bindings.ir()
    origin: list[Any] = [None] * dims
    for operand, map in enumerate(live):
        for axis, expression in enumerate(map.results):
            if isinstance(expression, ir.AffineDimExpr):
                loop = expression.position
                origin[loop] = origin[loop] or (operand, axis)
    return origin


def _asks_for_more_than_data(op: Any) -> bool:
    return any(each.operation.name in ("cf.assert", "linalg.index") for each in op.regions[0].blocks[0].operations)


_POSITION: list[tuple[int, ...]] = []


def _run_body(
    env: Env, ranges: list[int], maps: Any, slots: Sequence[int], shaped: Sequence[bool], body: Any, place: Place
) -> None:
    if math.prod(ranges) > LARGEST:
        raise outside("too large")
    for at in every_index(ranges):
        _POSITION.append(at)
        try:
            values = [
                read(env[slot], of(list(at)), place) if is_shaped else env[slot]
                for slot, of, is_shaped in zip(slots, maps, shaped, strict=True)
            ]
            body(env, tuple(values))
        finally:
            _POSITION.pop()


@handles("linalg.index")
def _index(c: Compiler, op: Any) -> Step:
    r, dimension = c.slot(op.results[0]), int(op.attributes["dim"].value)

    def step(env: Env) -> None:
        env[r] = _POSITION[-1][dimension]

    return step
