"""Vectors: arrays of a fixed shape, read from tensors and buffers and written to them, whole or what a mask selects."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from fuzz.buffer_ops import copied, declared, holds_integers, mixed, segments
from fuzz.integer_ops import raise_unsupported
from fuzz.machine import Array, Compiler, Env, Place, Step, every_index, handles, outside, place_of, undefined

Check = Callable[[Env], list[int]]


def _filled(shape: Sequence[int], holds: bool, at: Callable[[tuple[int, ...]], Any]) -> Array:
    return Array(shape, [at(indices) for indices in every_index(shape)] if holds else None)


# Transfers ------------------------------------------------------------------------------------------------------------


def _dimensions(op: Any) -> list[int | None]:
    """Return the dimension of the tensor or buffer for each dimension of the vector; None if it is repeated."""
    results = op.attributes["permutation_map"].value.results
    return [getattr(each, "position", None) for each in results]


def _beginning(c: Compiler, op: Any, whole: Any, indices: Sequence[Any], vector: Any) -> Check:
    """Return the beginning of a transfer, which is undefined where it may not be there."""
    along, place, a, slots = _dimensions(op), place_of(op), c.slot(whole), c.slots(indices)
    marked = [bool(each.value) for each in op.attributes["in_bounds"]]
    lengths = list(vector.type.shape)

    def begins(env: Env) -> list[int]:
        start = [env[slot] + 0 for slot in slots]
        for dimension, (index, extent) in enumerate(zip(start, env[a].shape, strict=True)):
            number = along.index(dimension) if dimension in along else None
            length = 1 if number is None else lengths[number] if marked[number] else 0
            if index < 0 or (length and index + length > extent):
                raise undefined(place, f"index {index} of dimension {dimension}, which has {extent}")
        return start

    return begins


def _moved(start: Sequence[int], along: Sequence[int | None], indices: Sequence[int]) -> list[int]:
    found = list(start)
    for dimension, index in zip(along, indices, strict=True):
        if dimension is not None:
            found[dimension] += index
    return found


def _is_inside(array: Array, indices: Sequence[int]) -> bool:
    return all(0 <= index < extent for index, extent in zip(indices, array.shape, strict=True))


@handles("vector.transfer_read")
def _transfer_read(c: Compiler, op: Any) -> Step:
    (source,), indices, (padding,), mask = segments(op)
    if mask:
        raise_unsupported(op)
    result = op.results[0]
    begins, along = _beginning(c, op, source, indices, result), _dimensions(op)
    a, p, r, shape = c.slot(source), c.slot(padding), c.slot(result), list(result.type.shape)
    follows = holds_integers(result.type)

    def step(env: Env) -> None:
        array, start = env[a], begins(env)

        def at(indices: tuple[int, ...]) -> Any:
            there = _moved(start, along, indices)
            return array.data[array.position(there)] if _is_inside(array, there) else env[p]

        env[r] = _filled(shape, follows, at)

    return step


@handles("vector.transfer_write")
def _transfer_write(c: Compiler, op: Any) -> Step:
    (vector,), (whole,), indices, mask = segments(op)
    if mask:
        raise_unsupported(op)
    begins, along = _beginning(c, op, whole, indices, vector), _dimensions(op)
    v, a, results = c.slot(vector), c.slot(whole), c.slots(op.results)

    def step(env: Env) -> None:
        start, array = begins(env), copied(env[a]) if results else env[a]
        for indices in every_index(env[v].shape):
            there = _moved(start, along, indices)
            if array.data is not None and _is_inside(array, there):
                array.data[array.position(there)] = env[v].data[env[v].position(indices)]
        for slot in results:
            env[slot] = array

    return step


# Masks ----------------------------------------------------------------------------------------------------------------


@handles("vector.create_mask", "vector.constant_mask")
def _mask(c: Compiler, op: Any) -> Step:
    r, shape, slots = c.slot(op.results[0]), list(op.results[0].type.shape), c.slots(op.operands)
    attribute = "mask_dim_sizes"
    listed = [int(each) for each in op.attributes[attribute]] if attribute in op.attributes else None

    def step(env: Env) -> None:
        ends = [env[slot] + 0 for slot in slots] if listed is None else listed
        env[r] = _filled(shape, True, lambda at: int(all(i < end for i, end in zip(at, ends, strict=True))))

    return step


def _selected(mask: Array, start: Sequence[int], packs: bool) -> dict[int, list[int]]:
    """Return the place of each element of the vector that a mask selects; ``packs``: one after the other."""
    lanes = [lane for lane, is_set in enumerate(mask.elements() or ()) if is_set + 0]
    return {lane: [*start[:-1], start[-1] + (count if packs else lane)] for count, lane in enumerate(lanes)}


def _require_inside(array: Array, there: Sequence[int], place: Place) -> None:
    if not _is_inside(array, there):
        raise undefined(place, f"{tuple(there)} is selected and outside of {array.shape}")


@handles("vector.maskedload", "vector.expandload")
def _masked_load(c: Compiler, op: Any) -> Step:
    a, *indices, m, other = c.slots(op.operands)
    r, place, packs = c.slot(op.results[0]), place_of(op), op.operation.name == "vector.expandload"

    def step(env: Env) -> None:
        array, made = env[a], copied(env[other])
        for lane, there in _selected(env[m], [env[slot] + 0 for slot in indices], packs).items():
            _require_inside(array, there, place)
            if made.data is not None:
                made.data[lane] = array.data[array.position(there)]
        env[r] = made

    return step


@handles("vector.maskedstore", "vector.compressstore")
def _masked_store(c: Compiler, op: Any) -> Step:
    a, *indices, m, v = c.slots(op.operands)
    place, packs = place_of(op), op.operation.name == "vector.compressstore"

    def step(env: Env) -> None:
        array = env[a]
        for lane, there in _selected(env[m], [env[slot] + 0 for slot in indices], packs).items():
            _require_inside(array, there, place)
            if array.data is not None:
                array.data[array.position(there)] = env[v].data[lane]

    return step


# Elements -------------------------------------------------------------------------------------------------------------


@handles("vector.broadcast")
def _broadcast(c: Compiler, op: Any) -> Step:
    (a,), r, shape = c.slots(op.operands), c.slot(op.results[0]), list(op.results[0].type.shape)
    if hasattr(op.operands[0].type, "shape"):
        raise_unsupported(op)

    def step(env: Env) -> None:
        env[r] = Array(shape, [env[a]] * math.prod(shape))

    return step


def _position(c: Compiler, op: Any, whole: int) -> Check:
    """A position in a vector, operand number ``whole``, which is undefined outside of it."""
    operands, place = list(op.operands), place_of(op)
    listed = [int(each) for each in op.attributes["static_position"]]
    numbers, lengths = mixed(c, listed, operands[whole + 1 :]), declared(operands[whole].type)

    def position(env: Env) -> list[int]:
        if -1 in listed:
            raise outside("poison")
        found = numbers(env)
        if any(length is not None and not 0 <= index < length for index, length in zip(found, lengths, strict=False)):
            raise undefined(place, f"{tuple(found)} is outside of {lengths}")
        return found

    return position


@handles("vector.extract")
def _extract(c: Compiler, op: Any) -> Step:
    position, a, r = _position(c, op, 0), c.slot(op.operands[0]), c.slot(op.results[0])
    is_part = hasattr(op.results[0].type, "shape")

    def step(env: Env) -> None:
        array, at = env[a], position(env)
        rest = array.shape[len(at) :]
        part = _filled(rest, array.data is not None, lambda inner: array.data[array.position([*at, *inner])])
        env[r] = part if is_part else part.data and part.data[0]

    return step


@handles("vector.insert")
def _insert(c: Compiler, op: Any) -> Step:
    if hasattr(op.operands[0].type, "shape"):
        raise_unsupported(op)
    position, (v, a), r = _position(c, op, 1), c.slots(list(op.operands)[:2]), c.slot(op.results[0])

    def step(env: Env) -> None:
        made, at = copied(env[a]), position(env)
        if made.data is not None:
            made.data[made.position(at)] = env[v]
        env[r] = made

    return step
