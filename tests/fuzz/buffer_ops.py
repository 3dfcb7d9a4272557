"""Tensors and buffers: memref, tensor, bufferization."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from fuzz.control_ops import spread
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
    row_major,
    undefined,
    width_of,
)


def holds_integers(type: Any) -> bool:
    """Whether contents of this shaped type are followed."""
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
    """Every index lies within its extent."""
    if len(indices) != len(array.shape) or any(
        not 0 <= index < extent for index, extent in zip(indices, array.shape, strict=True)
    ):
        raise undefined(place, f"{tuple(indices)} is outside of {array.shape}")


def read(array: Array, indices: Sequence[int], place: Place) -> Any:
    """One element."""
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

    def step(env: Env) -> None:
        shape, at = env[a].shape, env[index] + 0
        if not 0 <= at < len(shape):
            raise undefined(place, "there is no such dimension")
        env[r] = shape[at]

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


@handles("memref.dealloc", "linalg.index_placeholder")
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


# Slices and shapes ----------------------------------------------------------------------------------------------------


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
        if made.data is not None:
            for indices in every_index(shape):
                inner = [index - first for index, first in zip(indices, before, strict=True)]
                inside = all(0 <= index < extent for index, extent in zip(inner, array.shape, strict=True))
                value = array.data[array.position(inner)] if inside else body(env, indices)[0]
                made.data[made.position(indices)] = value
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


# Linalg ---------------------------------------------------------------------------------------------------------------

NAMED = (
    "linalg.fill", "linalg.copy", "linalg.add", "linalg.sub", "linalg.mul", "linalg.matmul", "linalg.batch_matmul",
    "linalg.matvec", "linalg.vecmat", "linalg.dot", "linalg.exp", "linalg.conv_1d", "linalg.pooling_nwc_max",
)  # fmt: skip


@handles("linalg.generic", "linalg.map", "linalg.reduce", "linalg.transpose", "linalg.broadcast", *NAMED)
def _loops(c: Compiler, op: Any) -> Step:
    """Ranges from the first extent that is just its loop; where a range is empty nothing is demanded."""
    from fuzz.control_ops import affine_map

    from shapesolve.reading import bindings

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
                for low, high, extent, is_loop in zip(
                    of([0] * dims), of([each - 1 for each in ranges]), shape, exact, strict=True
                ):
                    inside = high + 1 == extent if is_loop else min(low, high) >= 0 and max(low, high) < extent
                    if not inside:
                        raise undefined(place, f"the loops {ranges} do not fit {shape}")
            if follows:
                assert body is not None
                _run_body(env, ranges, maps, slots, shaped, body, place)
        made = [env[slot] for slot in slots[inputs:]]
        for r, array in zip(results, made, strict=False):
            env[r] = Array(array.shape, [None] * math.prod(array.shape)) if integers else array

    return step


def _origins(live: Sequence[Any], dims: int) -> list[Any]:
    from shapesolve.reading import bindings

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


__all__ = ["declared", "fresh", "pairwise", "read", "row_major", "spread", "write"]
