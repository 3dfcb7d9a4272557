"""TOSA: shapes only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fuzz.buffer_ops import declared, fitted, fresh, holds_integers
from fuzz.machine import Array, Compiler, Env, Place, Step, handles, outside, place_of, signed, undefined
from fuzz.slice_ops import joined


def broadcast_of(shapes: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """Return the broadcast of shapes, aligned at the right; None if there is none."""
    rank = max((len(shape) for shape in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for column, extent in enumerate(reversed(shape)):
            place = rank - 1 - column
            if extent == 1:
                continue
            if result[place] not in (1, extent):
                return None
            result[place] = extent
    return tuple(result)


def made(shape: Sequence[int], integers: bool, wanted: Sequence[int | None], place: Place, words: str) -> Array:
    return fresh(fitted(shape, wanted, place, words), integers, place)


# TOSA -----------------------------------------------------------------------------------------------------------------

BROADCASTING = (
    "tosa.add", "tosa.sub", "tosa.mul", "tosa.maximum", "tosa.minimum", "tosa.pow", "tosa.equal", "tosa.greater",
    "tosa.greater_equal", "tosa.select", "tosa.logical_and", "tosa.logical_or", "tosa.bitwise_and",
)  # fmt: skip


@handles(*BROADCASTING)
def _broadcasting(c: Compiler, op: Any) -> Step:
    operands = list(op.operands)[:2] if op.operation.name == "tosa.mul" else list(op.operands)
    slots, r, place = c.slots(operands), c.slot(op.results[0]), place_of(op)
    type = op.results[0].type
    wanted, integers = declared(type), holds_integers(type)

    def step(env: Env) -> None:
        shape = broadcast_of([env[slot].shape for slot in slots])
        if shape is None:
            raise undefined(place, "the shapes do not broadcast")
        env[r] = made(shape, integers, wanted, place, "broadcast")

    return step


@handles("tosa.abs", "tosa.exp", "tosa.tanh", "tosa.ceil", "tosa.floor", "tosa.reciprocal", "tosa.sigmoid",
         "tosa.cast", "tosa.logical_not", "tosa.clamp", "tosa.identity")  # fmt: skip
def unary(c: Compiler, op: Any) -> Step:
    (a,), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        env[r] = made(env[a].shape, integers, wanted, place, "elementwise")

    return step


@handles("tosa.const_shape")
def _const_shape(c: Compiler, op: Any) -> Step:
    value, r = Array((), [signed(int(each), 64) for each in op.attributes["values"]]), c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = value

    return step


def _numbers(value: Array) -> list[int]:
    return [each + 0 for each in value.data or []]


@handles("tosa.reshape")
def _tosa_reshape(c: Compiler, op: Any) -> Step:
    (a, s), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        shape, count = _numbers(env[s]), math.prod(env[a].shape)
        if any(each < -1 for each in shape) or shape.count(-1) > 1:
            raise undefined(place, "a negative size")
        if -1 in shape:
            rest = math.prod(each for each in shape if each != -1)
            if rest == 0:
                raise outside("a size that is left open beside 0")
            if count % rest:
                raise undefined(place, "the sizes do not divide the number of elements")
            shape = [count // rest if each == -1 else each for each in shape]
        if math.prod(shape) != count:
            raise undefined(place, "another number of elements")
        env[r] = made(shape, integers, wanted, place, "reshape")

    return step


@handles("tosa.transpose", "stablehlo.transpose")
def _transpose(c: Compiler, op: Any) -> Step:
    a, r, place = c.slot(op.operands[0]), c.slot(op.results[0]), place_of(op)
    attributes = op.attributes
    order = [int(each) for each in attributes["perms" if "perms" in attributes else "permutation"]]
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        env[r] = made([env[a].shape[axis] for axis in order], integers, wanted, place, "transpose")

    return step


@handles("tosa.concat", "stablehlo.concatenate")
def _join(c: Compiler, op: Any) -> Step:
    slots, r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    attributes = op.attributes
    axis = int(attributes["axis" if "axis" in attributes else "dimension"].value)
    wanted = declared(op.results[0].type)

    def step(env: Env) -> None:
        env[r] = joined([env[slot] for slot in slots], axis, wanted, place)

    return step


@handles("tosa.pad")
def _tosa_pad(c: Compiler, op: Any) -> Step:
    (a, s, _), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        amounts = _numbers(env[s])
        if any(each < 0 for each in amounts):
            raise undefined(place, "a negative padding")
        pairs = zip(amounts[::2], env[a].shape, amounts[1::2], strict=True)
        env[r] = made([sum(each) for each in pairs], integers, wanted, place, "pad")

    return step


@handles("tosa.slice")
def _tosa_slice(c: Compiler, op: Any) -> Step:
    (a, s, t), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        starts, sizes = _numbers(env[s]), _numbers(env[t])
        rests = [extent - start for start, extent in zip(starts, env[a].shape, strict=True)]
        sizes = [rest if size == -1 else size for size, rest in zip(sizes, rests, strict=True)]
        for start, size, extent in zip(starts, sizes, env[a].shape, strict=True):
            if start < 0 or size < 0 or start + size > extent:
                raise undefined(place, f"{size} from {start} of {extent}")
        env[r] = made(sizes, integers, wanted, place, "slice")

    return step


@handles("tosa.tile")
def _tile(c: Compiler, op: Any) -> Step:
    (a, s), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        multiples = _numbers(env[s])
        if any(each < 0 for each in multiples):
            raise undefined(place, "a negative multiple")
        shape = [extent * times for extent, times in zip(env[a].shape, multiples, strict=True)]
        env[r] = made(shape, integers, wanted, place, "tile")

    return step


@handles("tosa.matmul")
def _tosa_matmul(c: Compiler, op: Any) -> Step:
    a, b, *_ = c.slots(op.operands)
    r, place = c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        (n, h, inner), (m, other, w) = env[a].shape, env[b].shape
        if n != m or inner != other:
            raise undefined(place, "the matrices do not fit")
        env[r] = made((n, h, w), integers, wanted, place, "product")

    return step


@handles("tosa.reduce_sum", "tosa.reduce_max", "tosa.reduce_min", "tosa.reduce_product")
def _tosa_reduce(c: Compiler, op: Any) -> Step:
    (a,), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    axis, wanted = int(op.attributes["axis"].value), declared(op.results[0].type)
    integers = holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        shape = list(env[a].shape)
        shape[axis] = 1
        env[r] = made(shape, integers, wanted, place, "reduction")

    return step
