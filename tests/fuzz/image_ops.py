"""TOSA's windows over images, and rows of tables: shapes only, but for the indices of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fuzz.buffer_ops import declared, holds_integers
from fuzz.machine import Array, Compiler, Env, Place, Step, handles, outside, place_of, undefined
from fuzz.tosa_ops import made


def _integers(op: Any, name: str) -> list[int]:
    return [int(each) for each in op.attributes[name]]


def _places(room: int, stride: int, place: Place) -> int:
    """Return the number of windows of which the last one ends with the image."""
    if room < 0 or stride < 1 or room % stride:
        raise undefined(place, f"room of {room} for strides of {stride}")
    return room // stride + 1


def _require_bias(bias: Array, channels: int, place: Place) -> None:
    if bias.shape[0] not in (1, channels):
        raise undefined(place, "the bias has another size")


@handles("tosa.conv2d", "tosa.conv3d", "tosa.depthwise_conv2d")
def _convolution(c: Compiler, op: Any) -> Step:
    (a, b, d, *_), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, is_by_channel = declared(op.results[0].type), op.operation.name == "tosa.depthwise_conv2d"
    pad, stride, gap = (_integers(op, name) for name in ("pad", "stride", "dilation"))

    def step(env: Env) -> None:
        image, weights = env[a].shape, env[b].shape
        if is_by_channel:
            *kernel, channels, times = weights
            made_channels = channels * times
        else:
            made_channels, *kernel, channels = weights
        if image[-1] != channels:
            raise undefined(place, "the channels differ")
        _require_bias(env[d], made_channels, place)
        rooms = [
            extent - 1 + pad[2 * axis] + pad[2 * axis + 1] - (kernel[axis] - 1) * gap[axis]
            for axis, extent in enumerate(image[1:-1])
        ]
        inner = [_places(room, by, place) for room, by in zip(rooms, stride, strict=True)]
        env[r] = made((image[0], *inner, made_channels), False, wanted, place, "convolution")

    return step


@handles("tosa.transpose_conv2d")
def _transposed(c: Compiler, op: Any) -> Step:
    (a, b, d, *_), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, pad, stride = declared(op.results[0].type), _integers(op, "out_pad"), _integers(op, "stride")

    def step(env: Env) -> None:
        image, (count, *kernel, channels) = env[a].shape, env[b].shape
        if image[-1] != channels:
            raise undefined(place, "the channels differ")
        _require_bias(env[d], count, place)
        inner: list[int] = []
        for axis in range(2):
            ends = pad[2 * axis : 2 * axis + 2]
            if any(-end >= kernel[axis] for end in ends if end < 0):
                raise undefined(place, "a whole kernel is taken away")
            inner.append((image[1 + axis] - 1) * stride[axis] + sum(ends) + kernel[axis])
        env[r] = made((image[0], *inner, count), False, wanted, place, "transposed convolution")

    return step


@handles("tosa.avg_pool2d", "tosa.max_pool2d")
def _pool(c: Compiler, op: Any) -> Step:
    (a, *_), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted = declared(op.results[0].type)
    kernel, stride, pad = (_integers(op, name) for name in ("kernel", "stride", "pad"))

    def step(env: Env) -> None:
        image = env[a].shape
        rooms = [image[1 + axis] + sum(pad[2 * axis : 2 * axis + 2]) - kernel[axis] for axis in range(2)]
        inner = [_places(room, by, place) for room, by in zip(rooms, stride, strict=True)]
        env[r] = made((image[0], *inner, image[3]), False, wanted, place, "pool")

    return step


@handles("tosa.resize")
def _resize(c: Compiler, op: Any) -> Step:
    (a, *lists), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted = declared(op.results[0].type)

    def step(env: Env) -> None:
        image, (scale, offset, border) = env[a].shape, (env[each].data for each in lists)
        inner: list[int] = []
        for axis in range(2):
            (n, d), first, last = scale[2 * axis : 2 * axis + 2], offset[axis], border[axis]
            if min(n, d) < 1 or not -n <= first < 16 * n or not -16 * n <= last < n:
                raise undefined(place, "out of range")
            stated = wanted[1 + axis]
            if image[1 + axis] == 1 and stated is not None:  # one row is repeated as often as is declared
                inner.append(stated)
            else:
                inner.append(_places((image[1 + axis] - 1) * n - first + last, d, place))
        if image[0] and image[3] and not (image[1] and image[2]):
            raise undefined(place, "there is nothing to sample")
        env[r] = made((image[0], *inner, image[3]), False, wanted, place, "resize")

    return step


def _require_rows(indices: Array, values: Sequence[int], place: Place) -> list[int]:
    found = indices.elements() or []
    if None in found:
        raise outside("an index that nobody wrote")
    if values[2] and any(not 0 <= each < values[1] for each in found):
        raise undefined(place, "there is no such row")
    return found


@handles("tosa.gather")
def _gather(c: Compiler, op: Any) -> Step:
    (a, i), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        values, indices = env[a].shape, env[i]
        if values[0] != indices.shape[0]:
            raise undefined(place, "the batch sizes differ")
        _require_rows(indices, values, place)
        env[r] = made((values[0], indices.shape[1], values[2]), integers, wanted, place, "rows")

    return step


@handles("tosa.scatter")
def _scatter(c: Compiler, op: Any) -> Step:
    (a, i, b), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        values, indices, rows = env[a].shape, env[i], env[b].shape
        count = indices.shape[1]
        if (values[0], count, values[2]) != rows or indices.shape[0] != values[0] or count > values[1]:
            raise undefined(place, "the rows do not fit")
        found = _require_rows(indices, values, place)
        each_row = [found[first : first + count] for first in range(0, len(found), count or 1)]
        if any(len(set(row)) < len(row) for row in each_row):
            raise outside("a row that is written twice")
        env[r] = made(values, integers, wanted, place, "rows")

    return step


@handles("tosa.argmax")
def _argmax(c: Compiler, op: Any) -> Step:
    (a,), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    axis, wanted = int(op.attributes["axis"].value), declared(op.results[0].type)

    def step(env: Env) -> None:
        shape = env[a].shape
        env[r] = made((*shape[:axis], *shape[axis + 1 :]), True, wanted, place, "places")

    return step
