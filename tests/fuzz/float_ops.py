"""Floats: scalars of arith and math, computed as IEEE 754 has them. An argument or an element, not known, is None.

Sums, products and quotients are computed in f64 and rounded once more: for f32, f16 and bf16 that is the same as
rounding once, for f64 has more than twice their digits.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy
from fuzz.integer_ops import as_signed, flags_of, raise_unsupported
from fuzz.machine import BROKEN_FLAG, Compiler, Env, Step, bits, handles, outside, place_of, undefined, width_of

FLOATS = ("f16", "bf16", "f32", "f64")


def nearest(value: float, type: str) -> float:
    """The float of a type that is nearest to an f64, ties to even."""
    if type == "f64" or math.isnan(value) or math.isinf(value):
        return value
    if type == "bf16":
        return _with_digits(value, 8)
    with numpy.errstate(over="ignore"):
        return float(numpy.float64(value).astype(numpy.float32 if type == "f32" else numpy.float16))


def _with_digits(value: float, digits: int) -> float:
    if value == 0:
        return value
    fraction, exponent = math.frexp(value)
    if exponent < -125:
        raise outside("a float that is not normal")
    made = math.ldexp(round(Fraction(fraction) * 2**digits), exponent - digits)
    return math.copysign(math.inf, value) if abs(made) >= 2.0**128 else made


def _of_integer(value: int, type: str) -> float:
    if type == "f32":
        return float(numpy.int64(value).astype(numpy.float32)) if abs(value) < 2**63 else float(value)
    if abs(value) > 2**53 and type != "f64":
        return math.inf if type == "f16" else _unfollowed()
    return nearest(float(value), type)


def _unfollowed() -> float:
    raise outside("a float that is rounded twice")


def _quotient(a: float, b: float) -> float:
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def _greatest(a: float, b: float) -> float:
    return math.nan if math.isnan(a) or math.isnan(b) else max(a, b)


def _least(a: float, b: float) -> float:
    return math.nan if math.isnan(a) or math.isnan(b) else min(a, b)


def _whole(of: Callable[[Fraction], int]) -> Callable[[float], float]:
    def rounded(value: float) -> float:
        if math.isnan(value) or math.isinf(value):
            return value
        return math.copysign(float(of(Fraction(value))), value)

    return rounded


def _away(value: Fraction) -> int:
    far = math.floor(abs(value) + Fraction(1, 2))
    return far if value >= 0 else -far


ONE: dict[str, Callable[[float], float]] = {
    "arith.negf": operator.neg,
    "arith.extf": float,
    "arith.truncf": float,
    "math.absf": abs,
    "math.floor": _whole(math.floor),
    "math.ceil": _whole(math.ceil),
    "math.trunc": _whole(math.trunc),
    "math.round": _whole(_away),
    "math.roundeven": _whole(round),
}
TWO: dict[str, Callable[[float, float], float]] = {
    "arith.addf": operator.add,
    "arith.subf": operator.sub,
    "arith.mulf": operator.mul,
    "arith.divf": _quotient,
    "arith.maximumf": _greatest,
    "arith.minimumf": _least,
}


def _strict(op: Any) -> bool:
    flags = str(op.attributes["fastmath"]) if "fastmath" in op.attributes else ""
    return (not flags or "none" in flags) and "roundingmode" not in op.attributes


def _scalars(op: Any) -> bool:
    types = [each.type for each in (*op.operands, *op.results)]
    return all(str(each) in FLOATS or width_of(each) for each in types)


def _computed(name: str, compute: Callable[..., float]) -> None:
    @handles(name)
    def make(c: Compiler, op: Any) -> Step:
        if not _scalars(op):
            raise_unsupported(op)
        slots, r, type = c.slots(op.operands), c.slot(op.results[0]), str(op.results[0].type)
        strict = _strict(op)

        def step(env: Env) -> None:
            given = [env[slot] for slot in slots]
            env[r] = nearest(compute(*given), type) if strict and None not in given else None

        return step


for _name, _compute in {**ONE, **TWO}.items():
    _computed(_name, _compute)


@handles("math.exp", "math.rsqrt", "math.tanh", "math.sqrt")
def _not_followed(c: Compiler, op: Any) -> Step:
    if not _scalars(op):
        raise_unsupported(op)
    r = c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = None

    return step


@handles("arith.sitofp", "arith.uitofp")
def _from_integer(c: Compiler, op: Any) -> Step:
    if not _scalars(op):
        raise_unsupported(op)
    (a,), r, type = c.slots(op.operands), c.slot(op.results[0]), str(op.results[0].type)
    width, is_signed = width_of(op.operands[0].type), op.operation.name == "arith.sitofp"
    place, natural = place_of(op), "nneg" in flags_of(op)

    def step(env: Env) -> None:
        value = env[a] + 0
        if natural and as_signed(value, width) < 0:
            raise undefined(place, BROKEN_FLAG)
        if not is_signed:
            value = bits(value, width)
        elif width == 1:
            value = -value
        env[r] = _of_integer(value, type)

    return step


@handles("arith.fptosi", "arith.fptoui")
def _to_integer(c: Compiler, op: Any) -> Step:
    if not _scalars(op):
        raise_unsupported(op)
    (a,), r, width = c.slots(op.operands), c.slot(op.results[0]), width_of(op.results[0].type)
    is_signed = op.operation.name == "arith.fptosi"
    least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)

    def step(env: Env) -> None:
        value = env[a]
        if value is None:
            env[r] = None
            return
        if math.isnan(value) or math.isinf(value) or not least <= math.trunc(value) <= most:
            raise outside("poison: a float that is no integer of this type")
        whole = math.trunc(value) & ((1 << width) - 1)
        env[r] = whole - (1 << width) if width > 1 and whole >> (width - 1) else whole

    return step


ORDERED: tuple[Callable[[float, float], bool], ...] = (
    lambda a, b: a == b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a != b,
    lambda a, b: True,
)
"""Ordered predicates in the order of their numbers, oeq to ord; the unordered ones follow, and also hold for NaN."""


@handles("arith.cmpf")
def _compare(c: Compiler, op: Any) -> Step:
    if not _scalars(op):
        raise_unsupported(op)
    (a, b), r, predicate = c.slots(op.operands), c.slot(op.results[0]), int(op.attributes["predicate"].value)
    strict = _strict(op)

    def holds(x: float, y: float) -> bool:
        unordered = math.isnan(x) or math.isnan(y)
        if predicate in (0, 15):
            return predicate == 15
        if predicate < 8:
            return not unordered and ORDERED[predicate - 1](x, y)
        return unordered or (predicate < 14 and ORDERED[predicate - 8](x, y))

    def step(env: Env) -> None:
        known = strict and env[a] is not None and env[b] is not None
        env[r] = int(holds(env[a], env[b])) if known else None

    return step
