"""Slices, joins and reshapes of tensors and buffers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from fuzz.buffer_ops import copied, declared, fitted, fresh, mixed, require_fit, segments
from fuzz.integer_ops import raise_unsupported
from fuzz.machine import Array, Compiler, Env, Place, Step, every_index, handles, outside, place_of, undefined


def kept_dimensions(sizes: Sequence[int], static: Sequence[int], wanted: Sequence[int | None]) -> list[int]:
    """The dimensions of a slice that its type keeps: sizes that are the attribute 1 may be left out."""
    if len(wanted) == len(sizes):
        return list(range(len(sizes)))
    found: list[int] = []
    for axis, size in enumerate(static):
        want = wanted[len(found)] if len(found) < len(wanted) else -1
        if size == 1 and want != 1:
            continue
        found.append(axis)
    if len(found) != len(wanted):
        raise outside("which dimensions the slice leaves out")
    return found


def require_slice(
    shape: Sequence[int], offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int], place: Place
) -> None:
    """A slice lies within a whole: offsets up to the extent, and every element inside."""
    for extent, offset, size, stride in zip(shape, offsets, sizes, strides, strict=True):
        if size < 0:
            raise undefined(place, "a slice of a negative size")
        if not 0 <= offset <= extent:
            raise undefined(place, f"offset {offset} of {extent}")
        if size and not (0 <= offset < extent and 0 <= offset + (size - 1) * stride < extent):
            raise undefined(place, f"elements {offset}, {size}, {stride} of {extent}")


def _slice_parts(c: Compiler, op: Any, first: int) -> list[Callable[[Env], list[int]]]:
    groups = segments(op)[first:]
    names = ("static_offsets", "static_sizes", "static_strides")
    return [mixed(c, op.attributes[name], group) for name, group in zip(names, groups, strict=True)]


@handles("tensor.extract_slice", "memref.subview")
def _extract_slice(c: Compiler, op: Any) -> Step:
    parts, r, place = _slice_parts(c, op, 1), c.slot(op.results[0]), place_of(op)
    wanted, static, a = declared(op.results[0].type), list(op.attributes["static_sizes"]), c.slot(op.operands[0])
    shares = op.operation.name == "memref.subview"

    def step(env: Env) -> None:
        array = env[a]
        offsets, sizes, strides = (part(env) for part in parts)
        require_slice(array.shape, offsets, sizes, strides, place)
        kept = kept_dimensions(sizes, static, wanted)
        shape = [sizes[axis] for axis in kept]
        steps = tuple(array.strides[axis] * strides[axis] for axis in kept)
        view = Array(fitted(shape, wanted, place, "slice"), array.data, array.position(offsets), steps)
        env[r] = view if shares else copied(view)

    return step


@handles("tensor.insert_slice")
def _insert_slice(c: Compiler, op: Any) -> Step:
    parts, r, place = _slice_parts(c, op, 2), c.slot(op.results[0]), place_of(op)
    s, a = c.slot(op.operands[0]), c.slot(op.operands[1])
    static, source_type = list(op.attributes["static_sizes"]), declared(op.operands[0].type)

    def step(env: Env) -> None:
        source, array = env[s], copied(env[a])
        offsets, sizes, strides = (part(env) for part in parts)
        require_slice(array.shape, offsets, sizes, strides, place)
        kept = kept_dimensions(sizes, static, source_type)
        require_fit(source.shape, [sizes[axis] for axis in kept], place, "inserted slice")
        if array.data is not None:
            for indices in every_index(source.shape):
                whole = list(offsets)
                for axis, index in zip(kept, indices, strict=True):
                    whole[axis] += index * strides[axis]
                array.data[array.position(whole)] = source.data[source.position(indices)]
        env[r] = array

    return step


@handles("tensor.concat")
def _concat(c: Compiler, op: Any) -> Step:
    slots, r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    axis, wanted = int(op.attributes["dim"].value), declared(op.results[0].type)

    def step(env: Env) -> None:
        env[r] = joined([env[slot] for slot in slots], axis, wanted, place)

    return step


def joined(parts: Sequence[Array], axis: int, wanted: Sequence[int | None], place: Place) -> Array:
    """Arrays one after the other along an axis."""
    shape = list(parts[0].shape)
    for part in parts[1:]:
        others = [
            (mine, theirs)
            for number, (mine, theirs) in enumerate(zip(shape, part.shape, strict=True))
            if number != axis
        ]
        if any(mine != theirs for mine, theirs in others):
            raise undefined(place, f"{part.shape} cannot be joined to {tuple(shape)}")
    shape[axis] = sum(part.shape[axis] for part in parts)
    joint = fitted(shape, wanted, place, "join")
    if joint != tuple(shape):
        return Array(joint)
    made = fresh(shape, parts[0].data is not None, place)
    start = 0
    for part in parts:
        if made.data is not None and part.data is not None:
            for indices in every_index(part.shape):
                at = list(indices)
                at[axis] += start
                made.data[made.position(at)] = part.data[part.position(indices)]
        start += part.shape[axis]
    return made


@handles("tensor.pad")
def _pad(c: Compiler, op: Any) -> Step:
    groups, r, place = segments(op), c.slot(op.results[0]), place_of(op)
    low, high = mixed(c, op.attributes["static_low"], groups[1]), mixed(c, op.attributes["static_high"], groups[2])
    a, wanted, body = c.slot(op.operands[0]), declared(op.results[0].type), c.inline(op.regions[0])
    may_stop = len(list(op.regions[0].blocks[0].operations)) > 1

    def step(env: Env) -> None:
        array, before, behind = env[a], low(env), high(env)
        if any(each < 0 for each in (*before, *behind)):
            raise undefined(place, "a negative padding")
        shape = [sum(each) for each in zip(before, array.shape, behind, strict=True)]
        joint = fitted(shape, wanted, place, "pad")
        if joint != tuple(shape):
            env[r] = Array(joint)
            return
        made = fresh(shape, array.data is not None, place)
        if made.data is not None or may_stop:
            for indices in every_index(shape):
                inner = [index - first for index, first in zip(indices, before, strict=True)]
                inside = all(0 <= index < extent for index, extent in zip(inner, array.shape, strict=True))
                padding = None if inside else body(env, indices)[0]
                if made.data is not None:
                    made.data[made.position(indices)] = array.data[array.position(inner)] if inside else padding
        env[r] = made

    return step


def _groups(op: Any) -> list[list[int]]:
    return [[int(each.value) for each in group] for group in op.attributes["reassociation"]]


@handles("tensor.expand_shape", "memref.expand_shape")
def _expand(c: Compiler, op: Any) -> Step:
    groups, r, place = _groups(op), c.slot(op.results[0]), place_of(op)
    a, wanted = c.slot(op.operands[0]), declared(op.results[0].type)
    extents = mixed(c, op.attributes["static_output_shape"], list(op.operands)[1:])
    _only_dense(op)

    def step(env: Env) -> None:
        array, shape = env[a], extents(env)
        if any(extent < 0 for extent in shape):
            raise undefined(place, "a negative extent")
        for group, extent in zip(groups, array.shape, strict=True):
            if math.prod(shape[axis] for axis in group) != extent:
                raise undefined(place, f"{extent} expanded to {[shape[axis] for axis in group]}")
        shape = fitted(shape, wanted, place, "expand")
        env[r] = Array(shape, array.data, array.offset)

    return step


@handles("tensor.collapse_shape", "memref.collapse_shape")
def _collapse(c: Compiler, op: Any) -> Step:
    groups, r, place = _groups(op), c.slot(op.results[0]), place_of(op)
    a, wanted = c.slot(op.operands[0]), declared(op.results[0].type)
    _only_dense(op)

    def step(env: Env) -> None:
        array = env[a]
        shape = [math.prod(array.shape[axis] for axis in group) for group in groups]
        shape = fitted(shape, wanted, place, "collapse")
        env[r] = Array(shape, array.data, array.offset)

    return step


def _only_dense(op: Any) -> None:
    if op.operation.name.startswith("memref") and "strided" in str(op.operands[0].type):
        raise_unsupported(op)


@handles("tensor.reshape")
def _reshape(c: Compiler, op: Any) -> Step:
    (a, s), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted = declared(op.results[0].type)

    def step(env: Env) -> None:
        array, shape = env[a], [each + 0 for each in env[s].elements()]
        if any(extent < 0 for extent in shape) or math.prod(shape) != math.prod(array.shape):
            raise undefined(place, f"{array.shape} reshaped to {shape}")
        shape = fitted(shape, wanted, place, "reshape")
        env[r] = Array(shape, array.elements())

    return step
