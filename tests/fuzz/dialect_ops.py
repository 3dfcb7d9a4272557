"""The dialects above: tosa, stablehlo, and shape on extent tensors (no errors, no unknown ranks)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fuzz.buffer_ops import declared, fitted, fresh, holds_integers, joined, require_fit
from fuzz.control_ops import spread
from fuzz.integer_ops import raise_unsupported
from fuzz.machine import (
    Array,
    Compiler,
    Ending,
    Env,
    Place,
    Step,
    Stop,
    handles,
    outside,
    place_of,
    signed,
    undefined,
    width_of,
)


def broadcast_of(shapes: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """What shapes broadcast to, aligned at the right; None where they do not."""
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


def _made(shape: Sequence[int], integers: bool, wanted: Sequence[int | None], place: Place, words: str) -> Array:
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
        env[r] = _made(shape, integers, wanted, place, "broadcast")

    return step


@handles("tosa.abs", "tosa.exp", "tosa.tanh", "tosa.ceil", "tosa.floor", "tosa.reciprocal", "tosa.sigmoid",
         "tosa.cast", "tosa.logical_not", "tosa.clamp", "tosa.identity")  # fmt: skip
def _unary(c: Compiler, op: Any) -> Step:
    (a,), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        env[r] = _made(env[a].shape, integers, wanted, place, "elementwise")

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
        env[r] = _made(shape, integers, wanted, place, "reshape")

    return step


@handles("tosa.transpose", "stablehlo.transpose")
def _transpose(c: Compiler, op: Any) -> Step:
    a, r, place = c.slot(op.operands[0]), c.slot(op.results[0]), place_of(op)
    attributes = op.attributes
    order = [int(each) for each in attributes["perms" if "perms" in attributes else "permutation"]]
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        env[r] = _made([env[a].shape[axis] for axis in order], integers, wanted, place, "transpose")

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
        env[r] = _made([sum(each) for each in pairs], integers, wanted, place, "pad")

    return step


@handles("tosa.slice")
def _tosa_slice(c: Compiler, op: Any) -> Step:
    (a, s, t), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        starts, sizes = _numbers(env[s]), _numbers(env[t])
        for start, size, extent in zip(starts, sizes, env[a].shape, strict=True):
            if start < 0 or size < 0 or start + size > extent:
                raise undefined(place, f"{size} from {start} of {extent}")
        env[r] = _made(sizes, integers, wanted, place, "slice")

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
        env[r] = _made(shape, integers, wanted, place, "tile")

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
        env[r] = _made((n, h, w), integers, wanted, place, "product")

    return step


@handles("tosa.reduce_sum", "tosa.reduce_max", "tosa.reduce_min", "tosa.reduce_product")
def _tosa_reduce(c: Compiler, op: Any) -> Step:
    (a,), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    axis, wanted = int(op.attributes["axis"].value), declared(op.results[0].type)
    integers = holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        shape = list(env[a].shape)
        shape[axis] = 1
        env[r] = _made(shape, integers, wanted, place, "reduction")

    return step


# StableHLO ------------------------------------------------------------------------------------------------------------


@handles("stablehlo.add", "stablehlo.multiply", "stablehlo.maximum", "stablehlo.minimum", "stablehlo.subtract",
         "stablehlo.divide", "stablehlo.power", "stablehlo.compare")  # fmt: skip
def _equal_shapes(c: Compiler, op: Any) -> Step:
    (a, b), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)
    if integers and not declared(op.operands[0].type):
        raise_unsupported(op)

    def step(env: Env) -> None:
        if env[a].shape != env[b].shape:
            raise undefined(place, "the shapes differ")
        env[r] = _made(env[a].shape, integers, wanted, place, "elementwise")

    return step


@handles("stablehlo.abs", "stablehlo.exponential", "stablehlo.negate", "stablehlo.convert", "stablehlo.tanh")
def _stablehlo_unary(c: Compiler, op: Any) -> Step:
    return _unary(c, op)


@handles("stablehlo.get_dimension_size")
def _dimension_size(c: Compiler, op: Any) -> Step:
    (a,), r, axis = c.slots(op.operands), c.slot(op.results[0]), int(op.attributes["dimension"].value)

    def step(env: Env) -> None:
        env[r] = Array((), [env[a].shape[axis]])

    return step


@handles("stablehlo.dynamic_reshape")
def _dynamic_reshape(c: Compiler, op: Any) -> Step:
    (a, s), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        shape = [each + 0 for each in env[s].elements()]
        if any(extent < 0 for extent in shape) or math.prod(shape) != math.prod(env[a].shape):
            raise undefined(place, "another number of elements")
        env[r] = _made(shape, integers, wanted, place, "reshape")

    return step


@handles("stablehlo.dynamic_broadcast_in_dim")
def _dynamic_broadcast(c: Compiler, op: Any) -> Step:
    (a, s), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    dims = [int(each) for each in op.attributes["broadcast_dimensions"]]
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        shape = [each + 0 for each in env[s].elements()]
        if any(extent < 0 for extent in shape):
            raise undefined(place, "a negative extent")
        if any(extent not in (1, shape[axis]) for extent, axis in zip(env[a].shape, dims, strict=True)):
            raise undefined(place, "the operand does not broadcast")
        env[r] = _made(shape, integers, wanted, place, "broadcast")

    return step


@handles("stablehlo.slice")
def _stablehlo_slice(c: Compiler, op: Any) -> Step:
    (a,), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    attributes = op.attributes
    starts, limits, strides = (
        [int(each) for each in attributes[name]] for name in ("start_indices", "limit_indices", "strides")
    )
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        if any(limit > extent for limit, extent in zip(limits, env[a].shape, strict=True)):
            raise undefined(place, "the slice ends behind the operand")
        shape = [-(-(b - a) // by) for a, b, by in zip(starts, limits, strides, strict=True)]
        env[r] = _made(shape, integers, wanted, place, "slice")

    return step


@handles("stablehlo.pad")
def _stablehlo_pad(c: Compiler, op: Any) -> Step:
    (a, _), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    attributes = op.attributes
    low, high, inner = (
        [int(each) for each in attributes[name]]
        for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        shape = [
            before + extent + max(extent - 1, 0) * gap + behind
            for before, extent, gap, behind in zip(low, env[a].shape, inner, high, strict=True)
        ]
        env[r] = _made(shape, integers, wanted, place, "pad")

    return step


# Shape ----------------------------------------------------------------------------------------------------------------


def _only_extent_tensors(op: Any) -> None:
    for value in (*op.operands, *op.results):
        if str(value.type) in ("!shape.shape", "!shape.size", "!shape.value_shape"):
            raise_unsupported(op)


def _extents(c: Compiler, operands: Sequence[Any]) -> Any:
    slots = c.slots(operands)

    def extents(env: Env) -> list[list[int]]:
        return [[each + 0 for each in env[slot].elements()] for slot in slots]

    return extents


@handles("shape.shape_of")
def _shape_of(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    (a,), r = c.slots(op.operands), c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = Array((len(env[a].shape),), list(env[a].shape))

    return step


@handles("shape.const_shape")
def _shape_constant(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    extents, r = [int(each) for each in op.attributes["shape"]], c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = Array((len(extents),), extents)

    return step


@handles("shape.broadcast")
def _broadcast(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    shapes, r, place = _extents(c, op.operands), c.slot(op.results[0]), place_of(op)
    wanted = declared(op.results[0].type)

    def step(env: Env) -> None:
        joint = broadcast_of(shapes(env))
        if joint is None:
            raise undefined(place, "the shapes do not broadcast")
        require_fit((len(joint),), wanted, place, "rank")
        env[r] = Array((len(joint),), list(joint))

    return step


@handles("shape.is_broadcastable", "shape.shape_eq")
def _question(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    shapes, r = _extents(c, op.operands), c.slot(op.results[0])
    asks_equality = op.operation.name == "shape.shape_eq"

    def step(env: Env) -> None:
        given = shapes(env)
        holds = all(each == given[0] for each in given) if asks_equality else broadcast_of(given) is not None
        env[r] = int(holds)

    return step


@handles("shape.cstr_broadcastable", "shape.cstr_eq")
def _constraint(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    shapes, r, place = _extents(c, op.operands), c.slot(op.results[0]), place_of(op)
    asks_equality = op.operation.name == "shape.cstr_eq"
    words = "required equal shapes" if asks_equality else "required broadcastable shapes"

    def step(env: Env) -> None:
        given = shapes(env)
        holds = all(each == given[0] for each in given) if asks_equality else broadcast_of(given) is not None
        if not holds:
            raise Stop(Ending.ABORTED, place, words)
        env[r] = 1

    return step


@handles("shape.cstr_require")
def _require(c: Compiler, op: Any) -> Step:
    (p,), r, place, message = c.slots(op.operands), c.slot(op.results[0]), place_of(op), op.attributes["msg"].value

    def step(env: Env) -> None:
        if not env[p] + 0:
            raise Stop(Ending.ABORTED, place, message)
        env[r] = 1

    return step


@handles("shape.const_witness")
def _const_witness(c: Compiler, op: Any) -> Step:
    r, passing = c.slot(op.results[0]), int(op.attributes["passing"].value)

    def step(env: Env) -> None:
        env[r] = passing

    return step


@handles("shape.assuming_all")
def _assuming_all(c: Compiler, op: Any) -> Step:
    slots, r = c.slots(op.operands), c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = int(all(env[slot] + 0 for slot in slots))

    return step


@handles("shape.assuming")
def _assuming(c: Compiler, op: Any) -> Step:
    (w,), results, body, place = c.slots(op.operands), c.slots(op.results), c.inline(op.regions[0]), place_of(op)

    def step(env: Env) -> None:
        if not env[w]:
            raise undefined(place, "the witness does not pass")
        spread(env, results, body(env, ()))

    return step


@handles("shape.get_extent")
def _get_extent(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    (a, i), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)

    def step(env: Env) -> None:
        extents = env[a].elements()
        if not 0 <= env[i] + 0 < len(extents):
            raise undefined(place, "there is no such extent")
        env[r] = extents[env[i]]

    return step


@handles("shape.dim")
def _shape_dim(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    (a, i), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)

    def step(env: Env) -> None:
        if not 0 <= env[i] + 0 < len(env[a].shape):
            raise undefined(place, "there is no such extent")
        env[r] = env[a].shape[env[i]]

    return step


@handles("shape.rank", "shape.num_elements")
def _of_shape(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    (a,), r, is_rank = c.slots(op.operands), c.slot(op.results[0]), op.operation.name == "shape.rank"

    def step(env: Env) -> None:
        extents = [each + 0 for each in env[a].elements()]
        env[r] = len(extents) if is_rank else math.prod(extents)

    return step


@handles("shape.add", "shape.mul", "shape.div")
def _arithmetic(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    (a, b), r, place, name = c.slots(op.operands), c.slot(op.results[0]), place_of(op), op.operation.name
    assert width_of(op.results[0].type)

    def step(env: Env) -> None:
        left, right = env[a] + 0, env[b] + 0
        if name == "shape.div" and right == 0:
            raise undefined(place, "division by zero")
        env[r] = left + right if name == "shape.add" else left * right if name == "shape.mul" else left // right

    return step


@handles("shape.concat")
def _concat(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    shapes, r, place, wanted = (
        _extents(c, op.operands),
        c.slot(op.results[0]),
        place_of(op),
        declared(op.results[0].type),
    )

    def step(env: Env) -> None:
        both = [each for shape in shapes(env) for each in shape]
        require_fit((len(both),), wanted, place, "rank")
        env[r] = Array((len(both),), both)

    return step


@handles("shape.reduce")
def _reduce(c: Compiler, op: Any) -> Step:
    _only_extent_tensors(op)
    (a, *initial), results, body = c.slots(op.operands), c.slots(op.results), c.inline(op.regions[0])

    def step(env: Env) -> None:
        values = tuple([env[slot] for slot in initial])
        for index, extent in enumerate(env[a].elements()):
            values = body(env, (index, extent, *values))
        spread(env, results, values)

    return step
