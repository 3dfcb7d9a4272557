"""Tensors and buffers: memref, tensor, bufferization."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from fuzz.integer_ops import raise_unsupported
from fuzz.machine import (
    DYNAMIC,
    LARGEST,
    LICENCE,
    Array,
    Compiler,
    Env,
    Licence,
    Place,
    Step,
    every_index,
    handles,
    outside,
    place_of,
    undefined,
    width_of,
)


def holds_integers(type: Any) -> bool:
    """Return whether contents of this shaped type are followed."""
    return bool(width_of(type.element_type))


def declared(type: Any) -> tuple[int | None, ...]:
    """The extents that a ranked type states; None for `?`."""
    if not hasattr(type, "shape") or not getattr(type, "has_rank", True):
        raise_unsupported_type(type)
    return tuple(None if extent == DYNAMIC else extent for extent in type.shape)


def raise_unsupported_type(type: Any) -> None:
    """A type that is not known here."""
    from fuzz.machine import Unsupported

    raise Unsupported(str(type))


def require_fit(shape: Sequence[int], wanted: Sequence[int | None], place: Place, words: str) -> None:
    """Extents that a type states are those that there are."""
    if _misfits(shape, wanted):
        raise undefined(place, f"{words}: {tuple(shape)} where the type says {tuple(wanted)}")


def _misfits(shape: Sequence[int], wanted: Sequence[int | None]) -> bool:
    return len(shape) != len(wanted) or any(
        want is not None and want != extent for extent, want in zip(shape, wanted, strict=True)
    )


def fitted(shape: Sequence[int], wanted: Sequence[int | None], place: Place, words: str) -> tuple[int, ...]:
    """The shape of a result whose type states extents; where these differ, what a compiled program may go on with."""
    if not _misfits(shape, wanted) or LICENCE.chosen is Licence.STOP or len(shape) != len(wanted):
        require_fit(shape, wanted, place, words)
        return tuple(shape)
    LICENCE.used = True
    if LICENCE.chosen is Licence.COMPUTED:
        return tuple(shape)
    return tuple(extent if want is None else want for extent, want in zip(shape, wanted, strict=True))


def fresh(shape: Sequence[int], integers: bool, place: Place) -> Array:
    """A new array whose contents nobody has written."""
    if any(extent < 0 for extent in shape):
        raise undefined(place, f"a negative extent: {tuple(shape)}")
    count = math.prod(shape)
    if integers and count > LARGEST:
        raise outside("too large")
    return Array(shape, [None] * count if integers else None)


def copied(array: Array) -> Array:
    """The same contents in memory of its own."""
    return Array(array.shape, array.elements())


def require_inside(array: Array, indices: Sequence[int], place: Place) -> None:
    """Raise undefined behavior unless every index lies within its extent."""
    if len(indices) != len(array.shape) or any(
        not 0 <= index < extent for index, extent in zip(indices, array.shape, strict=True)
    ):
        raise undefined(place, f"{tuple(indices)} is outside of {array.shape}")


def read(array: Array, indices: Sequence[int], place: Place) -> Any:
    """Read one element."""
    require_inside(array, indices, place)
    return None if array.data is None else array.data[array.position(indices)]


def write(array: Array, indices: Sequence[int], value: Any, place: Place) -> None:
    """Write one element."""
    require_inside(array, indices, place)
    if array.data is not None:
        array.data[array.position(indices)] = value


def mixed(c: Compiler, static: Any, operands: Sequence[Any]) -> Callable[[Env], list[int]]:
    """Numbers of which some are attributes and some operands."""
    slots, numbers = iter(c.slots(operands)), list(static)
    places = [next(slots) if number == DYNAMIC else None for number in numbers]
    pairs = list(zip(numbers, places, strict=True))
    return lambda env: [number if slot is None else env[slot] + 0 for number, slot in pairs]


def segments(op: Any) -> list[list[Any]]:
    """The operand groups of an operation."""
    groups: list[list[Any]] = []
    operands = list(op.operands)
    for count in list(op.attributes["operandSegmentSizes"]):
        groups.append(operands[:count])
        operands = operands[count:]
    return groups


# Making and asking ----------------------------------------------------------------------------------------------------


@handles("tensor.dim", "memref.dim")
def _dim(c: Compiler, op: Any) -> Step:
    (a, index), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    type = op.operands[0].type
    stated = declared(type) if getattr(type, "has_rank", True) else ()

    def step(env: Env) -> None:
        shape, at = env[a].shape, env[index] + 0
        if not 0 <= at < len(shape):
            raise undefined(place, "there is no such dimension")
        known = stated[at] if stated else None  # what a type states is folded before anything else is looked at
        env[r] = shape[at] if known is None else known

    return step


@handles("tensor.rank", "memref.rank")
def _rank(c: Compiler, op: Any) -> Step:
    (a,), r = c.slots(op.operands), c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = len(env[a].shape)

    return step


@handles("tensor.empty", "memref.alloc", "memref.alloca", "bufferization.alloc_tensor")
def _empty(c: Compiler, op: Any) -> Step:
    type = op.results[0].type
    wanted, integers, place, r = declared(type), holds_integers(type), place_of(op), c.slot(op.results[0])
    name = op.operation.name
    sizes = list(op.operands) if name == "tensor.empty" else segments(op)[0]
    if name != "tensor.empty" and len(op.operands) != len(sizes):
        raise_unsupported(op)
    extents = mixed(c, [DYNAMIC if extent is None else extent for extent in wanted], sizes)

    def step(env: Env) -> None:
        env[r] = fresh(extents(env), integers, place)

    return step


@handles("memref.dealloc")
def _no_effect(c: Compiler, op: Any) -> Step:
    return lambda env: None


@handles("tensor.cast", "memref.cast")
def _cast(c: Compiler, op: Any) -> Step:
    wanted, (a,), r, place = declared(op.results[0].type), c.slots(op.operands), c.slot(op.results[0]), place_of(op)

    def step(env: Env) -> None:
        shape = fitted(env[a].shape, wanted, place, "cast")
        env[r] = env[a] if shape == env[a].shape else Array(shape)

    return step


@handles("bufferization.to_tensor", "bufferization.to_buffer")
def _to_other(c: Compiler, op: Any) -> Step:
    (a,), r = c.slots(op.operands), c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = copied(env[a])

    return step


@handles("memref.copy")
def _copy(c: Compiler, op: Any) -> Step:
    (a, b), place = c.slots(op.operands), place_of(op)

    def step(env: Env) -> None:
        source, target = env[a], env[b]
        require_fit(source.shape, target.shape, place, "copy")
        values = source.elements()
        if values is not None:
            for indices, value in zip(every_index(target.shape), values, strict=True):
                target.data[target.position(indices)] = value

    return step


@handles("tensor.splat")
def _splat(c: Compiler, op: Any) -> Step:
    type, place, r = op.results[0].type, place_of(op), c.slot(op.results[0])
    value, *sizes = list(op.operands)
    v = c.slot(value)
    extents = mixed(c, [DYNAMIC if extent is None else extent for extent in declared(type)], sizes)
    integers = holds_integers(type)

    def step(env: Env) -> None:
        made = fresh(extents(env), integers, place)
        if made.data is not None:
            made.data = [env[v]] * len(made.data)
        env[r] = made

    return step


@handles("tensor.generate")
def _generate(c: Compiler, op: Any) -> Step:
    type, place, r = op.results[0].type, place_of(op), c.slot(op.results[0])
    extents = mixed(c, [DYNAMIC if extent is None else extent for extent in declared(type)], list(op.operands))
    integers, body = holds_integers(type), c.inline(op.regions[0])

    def step(env: Env) -> None:
        made = fresh(extents(env), integers, place)
        if math.prod(made.shape) > LARGEST:
            raise outside("too large")
        for indices in every_index(made.shape):
            (value,) = body(env, indices)
            if made.data is not None:
                made.data[made.position(indices)] = value
        env[r] = made

    return step


# Elements -------------------------------------------------------------------------------------------------------------


@handles("tensor.extract", "memref.load")
def _extract(c: Compiler, op: Any) -> Step:
    (a, *rest), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)

    def step(env: Env) -> None:
        env[r] = read(env[a], [env[slot] + 0 for slot in rest], place)

    return step


@handles("memref.store")
def _store(c: Compiler, op: Any) -> Step:
    (v, a, *rest), place = c.slots(op.operands), place_of(op)
    return lambda env: write(env[a], [env[slot] + 0 for slot in rest], env[v], place)


@handles("tensor.insert")
def _insert(c: Compiler, op: Any) -> Step:
    (v, a, *rest), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)

    def step(env: Env) -> None:
        made = copied(env[a])
        write(made, [env[slot] + 0 for slot in rest], env[v], place)
        env[r] = made

    return step


@handles("tensor.from_elements")
def _from_elements(c: Compiler, op: Any) -> Step:
    slots, r, shape = c.slots(op.operands), c.slot(op.results[0]), tuple(op.results[0].type.shape)
    integers = holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        env[r] = Array(shape, [env[slot] for slot in slots] if integers else None)

    return step
