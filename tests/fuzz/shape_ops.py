"""The shape dialect on extent tensors: no errors, no unknown ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fuzz.buffer_ops import declared, require_fit
from fuzz.control_ops import spread
from fuzz.integer_ops import raise_unsupported
from fuzz.machine import Array, Compiler, Ending, Env, Step, Stop, handles, outside, place_of, undefined, width_of
from fuzz.tosa_ops import broadcast_of


def _only_extent_tensors(op: Any) -> None:
    for value in (*op.operands, *op.results):
        if str(value.type) in ("!shape.shape", "!shape.size", "!shape.value_shape"):
            raise_unsupported(op)


def _extents(c: Compiler, operands: Sequence[Any]) -> Any:
    slots = c.slots(operands)

    def extents(env: Env) -> list[list[int]]:
        return [[each + 0 for each in env[slot].elements()] for slot in slots]

    return extents


def _unwrapped(value: int) -> int:
    """Return an index that fits its 64 bits. Reports assume that none wraps, but for constants, which are computed."""
    if not -(1 << 63) <= value < 1 << 63:
        raise outside("64-bit arithmetic wraps")
    return value


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
        if extents[env[i]] < 0:
            raise outside("an extent is negative")
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
        env[r] = len(extents) if is_rank else _unwrapped(math.prod(extents))

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
        value = left + right if name == "shape.add" else left * right if name == "shape.mul" else left // right
        env[r] = _unwrapped(value)

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
