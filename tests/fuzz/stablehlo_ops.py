"""StableHLO: shapes, and the integers that its shape assertions are computed with."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from fuzz.buffer_ops import declared, holds_integers
from fuzz.integer_ops import raise_unsupported
from fuzz.machine import Array, Compiler, Ending, Env, Step, Stop, handles, place_of, signed, undefined, width_of
from fuzz.tosa_ops import made, unary

Numbers = Callable[[int, int, int], int | None]
"""Function from two signed numbers and their width to the wrapped result; None if behavior is undefined."""


def _quotient(a: int, b: int, width: int) -> int | None:
    return (
        None
        if b == 0 or (b == -1 and a == -(1 << (width - 1)))
        else int(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))
    )


def _remainder(a: int, b: int, width: int) -> int | None:
    return None if b == 0 or (b == -1 and a == -(1 << (width - 1))) else abs(a) % abs(b) * (-1 if a < 0 else 1)


BINARY: dict[str, Numbers] = {
    "add": lambda a, b, w: a + b,
    "subtract": lambda a, b, w: a - b,
    "multiply": lambda a, b, w: a * b,
    "maximum": lambda a, b, w: max(a, b),
    "minimum": lambda a, b, w: min(a, b),
    "and": lambda a, b, w: a & b,
    "or": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
    "divide": _quotient,
    "remainder": _remainder,
    "power": lambda a, b, w: None,
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "GE": lambda a, b: a >= b,
}


def _elementwise(c: Compiler, op: Any, numbers: Numbers, width: int) -> Step:
    """Apply an operation to two tensors of one shape; integers are followed."""
    (a, b), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        if env[a].shape != env[b].shape:
            raise undefined(place, "the shapes differ")
        result = made(env[a].shape, integers, wanted, place, "elementwise")
        left, right = env[a].elements(), env[b].elements()
        if integers and left is not None and right is not None:
            found: list[Any] = []
            for x, y in zip(left, right, strict=True):
                number = None if x is None or y is None else numbers(x, y, width)
                found.append(None if number is None else signed(number, width))
            result.data = found
        env[r] = result

    return step


for _name, _numbers in BINARY.items():

    @handles(f"stablehlo.{_name}")
    def _binary(c: Compiler, op: Any, numbers: Numbers = _numbers) -> Step:
        return _elementwise(c, op, numbers, width_of(op.results[0].type.element_type))


@handles("stablehlo.compare")
def _compare(c: Compiler, op: Any) -> Step:
    direction = str(op.attributes["comparison_direction"]).split()[-1].rstrip(">")
    holds = COMPARISONS[direction]
    return _elementwise(c, op, lambda a, b, w: int(holds(a, b)), 1)


@handles("stablehlo.sign")
def _sign(c: Compiler, op: Any) -> Step:
    (a,), r = c.slots(op.operands), c.slot(op.results[0])

    def step(env: Env) -> None:
        values = env[a].elements()
        env[r] = Array(env[a].shape, None if values is None else [(each > 0) - (each < 0) for each in values])

    return step


@handles("stablehlo.select")
def _select(c: Compiler, op: Any) -> Step:
    (p, a, b), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)

    def step(env: Env) -> None:
        if env[a].shape != env[b].shape or (env[p].shape and env[p].shape != env[a].shape):
            raise undefined(place, "the shapes differ")
        flags, left, right = (env[each].elements() for each in (p, a, b))
        if flags is None or left is None or right is None:
            env[r] = Array(env[a].shape)
            return
        flags = flags if env[p].shape else flags * len(left)
        env[r] = Array(env[a].shape, [x if flag else y for flag, x, y in zip(flags, left, right, strict=True)])

    return step


@handles("stablehlo.custom_call")
def _assertion(c: Compiler, op: Any) -> Step:
    if op.attributes["call_target_name"].value != "shape_assertion":
        raise_unsupported(op)
    p, place, message = c.slot(op.operands[0]), place_of(op), op.attributes["error_message"].value

    def step(env: Env) -> None:
        if not env[p].elements()[0] + 0:
            raise Stop(Ending.ABORTED, place, message)

    return step


@handles("stablehlo.convert")
def _convert(c: Compiler, op: Any) -> Step:
    (a,), r = c.slots(op.operands), c.slot(op.results[0])
    source, target = width_of(op.operands[0].type.element_type), width_of(op.results[0].type.element_type)

    def step(env: Env) -> None:
        values = env[a].elements() if source and target else None
        env[r] = Array(
            env[a].shape, None if values is None else [None if v is None else signed(v, target) for v in values]
        )

    return step


@handles("stablehlo.reshape")
def _reshape(c: Compiler, op: Any) -> Step:
    (a,), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted = declared(op.results[0].type)

    def step(env: Env) -> None:
        shape = [each if each is not None else -1 for each in wanted]
        if -1 in shape or math.prod(shape) != math.prod(env[a].shape):
            raise undefined(place, "another number of elements")
        env[r] = Array(shape, env[a].elements())

    return step


@handles("stablehlo.reduce")
def _reduce(c: Compiler, op: Any) -> Step:
    if len(op.results) != 1:
        raise_unsupported(op)
    (a, _), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    dropped = {int(each) for each in op.attributes["dimensions"]}
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        kept = [extent for axis, extent in enumerate(env[a].shape) if axis not in dropped]
        env[r] = made(kept, integers, wanted, place, "reduction")

    return step


@handles("stablehlo.dot_general")
def _dot_general(c: Compiler, op: Any) -> Step:
    (a, b), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)
    listed = dict(re.findall(r"(\w+_dimensions) = \[([\d, ]*)\]", str(op.attributes["dot_dimension_numbers"])))
    lb, rb, lc, rc = (
        [int(each) for each in listed.get(f"{side}_{kind}_dimensions", "").split(",") if each.strip()]
        for kind in ("batching", "contracting")
        for side in ("lhs", "rhs")
    )

    def step(env: Env) -> None:
        left, right = env[a].shape, env[b].shape
        if any(left[x] != right[y] for x, y in zip([*lb, *lc], [*rb, *rc], strict=True)):
            raise undefined(place, "the shapes do not fit")
        shape = [left[axis] for axis in lb]
        shape += [extent for axis, extent in enumerate(left) if axis not in (*lb, *lc)]
        shape += [extent for axis, extent in enumerate(right) if axis not in (*rb, *rc)]
        env[r] = made(shape, integers, wanted, place, "product")

    return step


@handles("stablehlo.abs", "stablehlo.exponential", "stablehlo.negate", "stablehlo.tanh", "stablehlo.rsqrt",
         "stablehlo.sqrt", "stablehlo.log", "stablehlo.logistic")  # fmt: skip
def _unary(c: Compiler, op: Any) -> Step:
    return unary(c, op)


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
        env[r] = made(shape, integers, wanted, place, "reshape")

    return step


@handles("stablehlo.dynamic_broadcast_in_dim")
def _dynamic_broadcast(c: Compiler, op: Any) -> Step:
    if any("known" in name for name in op.attributes):
        raise_unsupported(op)
    (a, s), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
    dims = [int(each) for each in op.attributes["broadcast_dimensions"]]
    wanted, integers = declared(op.results[0].type), holds_integers(op.results[0].type)

    def step(env: Env) -> None:
        shape = [each + 0 for each in env[s].elements()]
        if any(extent < 0 for extent in shape):
            raise undefined(place, "a negative extent")
        if any(extent not in (1, shape[axis]) for extent, axis in zip(env[a].shape, dims, strict=True)):
            raise undefined(place, "the operand does not broadcast")
        env[r] = made(shape, integers, wanted, place, "broadcast")

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
        env[r] = made(shape, integers, wanted, place, "slice")

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
        env[r] = made(shape, integers, wanted, place, "pad")

    return step
