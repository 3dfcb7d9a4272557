"""Integers: arith, index, math, ub, and constants."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fuzz.machine import (
    BROKEN_FLAG,
    Array,
    Compiler,
    Env,
    Step,
    bits,
    handles,
    outside,
    place_of,
    signed,
    undefined,
    width_of,
)

Binary = Callable[[int, int, int], int | None]


class Undefined(Exception):
    """The operation has undefined behavior for these numbers."""


class Poison(Exception):
    """The result is poison."""


def _quotient(a: int, b: int, w: int) -> int:
    if b == 0 or (b == -1 and a == -(1 << (w - 1))):
        raise Undefined
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _floor_quotient(a: int, b: int, w: int) -> int:
    if b == 0 or (b == -1 and a == -(1 << (w - 1))):
        raise Undefined
    return a // b


def _ceil_quotient(a: int, b: int, w: int) -> int:
    if b == 0 or (b == -1 and a == -(1 << (w - 1))):
        raise Undefined
    return -(-a // b)


def _nonzero(operation: Callable[[int, int], int]) -> Binary:
    def of_bits(a: int, b: int, w: int) -> int:
        if bits(b, w) == 0:
            raise Undefined
        return operation(bits(a, w), bits(b, w))

    return of_bits


def _remainder(a: int, b: int, w: int) -> int:
    if b == 0 or (b == -1 and a == -(1 << (w - 1))):
        raise Undefined
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


def _shift(operation: Callable[[int, int, int], int]) -> Binary:
    def by(a: int, b: int, w: int) -> int:
        if not 0 <= bits(b, w) < w:
            raise Poison
        return operation(a, bits(b, w), w)

    return by


WRAPPING: dict[str, Binary] = {
    "addi": lambda a, b, w: a + b,
    "subi": lambda a, b, w: a - b,
    "muli": lambda a, b, w: a * b,
}
BINARY: dict[str, Binary] = {
    **WRAPPING,
    "divsi": _quotient,
    "floordivsi": _floor_quotient,
    "ceildivsi": _ceil_quotient,
    "divui": _nonzero(lambda a, b: a // b),
    "ceildivui": _nonzero(lambda a, b: -(-a // b)),
    "remsi": _remainder,
    "remui": _nonzero(lambda a, b: a % b),
    "maxsi": lambda a, b, w: max(a, b),
    "minsi": lambda a, b, w: min(a, b),
    "maxui": lambda a, b, w: max(bits(a, w), bits(b, w)),
    "minui": lambda a, b, w: min(bits(a, w), bits(b, w)),
    "andi": lambda a, b, w: a & b,
    "ori": lambda a, b, w: a | b,
    "xori": lambda a, b, w: a ^ b,
    "shli": _shift(lambda a, b, w: a << b),
    "shrsi": _shift(lambda a, b, w: a >> b),
    "shrui": _shift(lambda a, b, w: bits(a, w) >> b),
}
INDEX_NAMES = {
    "add": "addi", "sub": "subi", "mul": "muli", "divs": "divsi", "floordivs": "floordivsi", "ceildivs": "ceildivsi",
    "divu": "divui", "ceildivu": "ceildivui", "rems": "remsi", "remu": "remui", "maxs": "maxsi", "mins": "minsi",
    "maxu": "maxui", "minu": "minui", "and": "andi", "or": "ori", "xor": "xori", "shl": "shli", "shrs": "shrsi",
    "shru": "shrui",
}  # fmt: skip


def as_signed(value: int, width: int) -> int:
    """Return the signed value of a number; a true i1 is -1."""
    return -value if width == 1 else value


LEANING = {"arith.addi", "arith.subi", "arith.muli", "arith.shli"}
"""Operations that reports assume not to wrap at 64 bits, with or without overflow flags."""
FLAG = re.compile(r"\b(nsw|nuw|exact|nneg|disjoint)\b")


def flags_of(op: Any) -> frozenset[str]:
    """Return the flags of an operation. Some of them is not among the attributes, so it is read off the spelling."""
    spelled = str(op).partition(":")[0] if " = " in str(op) else ""
    return frozenset(FLAG.findall(spelled))


def _promise(name: str, flags: frozenset[str], operation: Binary) -> Callable[[int, int, int], bool] | None:
    """Return whether the numbers keep what the flags promise; None where there are no flags."""
    if not flags:
        return None
    if name in ("arith.addi", "arith.subi", "arith.muli", "arith.shli"):
        return lambda a, b, w: _does_not_wrap(flags, operation, a, b, w)
    if name in ("arith.divsi", "arith.divui"):
        read = bits if name == "arith.divui" else as_signed
        return lambda a, b, w: read(b, w) == 0 or read(a, w) % read(b, w) == 0
    if name in ("arith.shrsi", "arith.shrui"):
        return lambda a, b, w: bits(b, w) >= w or bits(a, w) % (1 << bits(b, w)) == 0
    return lambda a, b, w: False


def _does_not_wrap(flags: frozenset[str], operation: Binary, a: int, b: int, w: int) -> bool:
    def stays(left: int, right: int, low: int, high: int) -> bool:
        try:
            value = operation(left, right, w)
        except (Undefined, Poison):
            return True  # the operation itself says so
        return value is not None and low <= value <= high

    if "nsw" in flags and not stays(as_signed(a, w), as_signed(b, w), -(1 << (w - 1)), (1 << (w - 1)) - 1):
        return False
    return "nuw" not in flags or stays(bits(a, w), bits(b, w), 0, (1 << w) - 1)


def _binary(name: str, operation: Binary) -> None:
    @handles(name)
    def make(c: Compiler, op: Any) -> Step:
        width = width_of(op.results[0].type)
        if not width:
            raise_unsupported(op)
        (a, b), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)
        low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
        promised = _promise(name, flags_of(op), operation)

        def step(env: Env) -> None:
            left, right = env[a], env[b]
            if promised is not None and not promised(left + 0, right + 0, width):
                if width == 64 and name in LEANING:
                    raise outside("64-bit arithmetic wraps")
                raise undefined(place, BROKEN_FLAG)
            if width == 1:
                left, right = -left, -right
            try:
                value = operation(left, right, width)
            except Undefined:
                raise undefined(place, name) from None
            except Poison:
                raise outside("poison") from None
            assert value is not None
            if not low <= value <= high:
                if width == 64 and (not 0 <= value < 2**64 or name.rpartition(".")[2] not in UNSIGNED):
                    raise outside("64-bit arithmetic wraps")
                value = signed(value, width)
            env[r] = value & 1 if width == 1 else value

        return step


UNSIGNED = {"divui", "ceildivui", "remui", "maxui", "minui", "shrui"} | {
    "divu", "ceildivu", "remu", "maxu", "minu", "shru",
}  # fmt: skip


def raise_unsupported(op: Any) -> None:
    """Raise an error for an unsupported form of an operation."""
    from fuzz.machine import Unsupported

    raise Unsupported(f"{op.operation.name} on {op.results[0].type if len(op.results) else 'this'}")


for _name, _operation in BINARY.items():
    _binary(f"arith.{_name}", _operation)
for _name, _same in INDEX_NAMES.items():
    _binary(f"index.{_name}", BINARY[_same])

PREDICATES: list[Callable[[int, int, int], bool]] = [
    lambda a, b, w: a == b,
    lambda a, b, w: a != b,
    lambda a, b, w: a < b,
    lambda a, b, w: a <= b,
    lambda a, b, w: a > b,
    lambda a, b, w: a >= b,
    lambda a, b, w: bits(a, w) < bits(b, w),
    lambda a, b, w: bits(a, w) <= bits(b, w),
    lambda a, b, w: bits(a, w) > bits(b, w),
    lambda a, b, w: bits(a, w) >= bits(b, w),
]
INDEX_PREDICATES = {"eq": 0, "ne": 1, "slt": 2, "sle": 3, "sgt": 4, "sge": 5, "ult": 6, "ule": 7, "ugt": 8, "uge": 9}


def _comparison(c: Compiler, op: Any, predicate: Callable[[int, int, int], bool]) -> Step:
    width = width_of(op.operands[0].type)
    if not width:
        raise_unsupported(op)
    (a, b), r = c.slots(op.operands), c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = int(predicate(as_signed(env[a], width) + 0, as_signed(env[b], width) + 0, width))

    return step


@handles("arith.cmpi")
def _cmpi(c: Compiler, op: Any) -> Step:
    return _comparison(c, op, PREDICATES[int(op.attributes["predicate"].value)])


@handles("index.cmp")
def _index_cmp(c: Compiler, op: Any) -> Step:
    name = str(op.attributes["pred"]).partition("<")[2].partition(">")[0].split(" ")[-1]
    return _comparison(c, op, PREDICATES[INDEX_PREDICATES[name]])


def constant_value(type: Any, attribute: Any) -> Any:
    """Return the value of a constant: a number, an array of numbers, or None for floats."""
    width = width_of(type)
    if width:
        text = str(attribute).partition(" :")[0]
        return {"true": 1, "false": 0}.get(text) if text in ("true", "false") else signed(int(text), width)
    if hasattr(type, "shape") and width_of(type.element_type):
        shape = tuple(type.shape)
        inner = width_of(type.element_type)
        return Array(shape, [signed(int(each), inner) for each in attribute])
    if hasattr(type, "shape"):
        return Array(tuple(type.shape), None)
    return float(attribute.value) if str(type) in ("f16", "bf16", "f32", "f64") else None


@handles("arith.constant", "index.constant", "index.bool.constant", "tosa.const", "stablehlo.constant")
def _constant(c: Compiler, op: Any) -> Step:
    attributes = op.attributes
    name = "values" if op.operation.name == "tosa.const" else "value"
    value, r = constant_value(op.results[0].type, attributes[name]), c.slot(op.results[0])

    def step(env: Env) -> None:
        env[r] = value

    return step


@handles("arith.index_cast", "arith.extsi", "arith.trunci", "index.casts")
def _sign_cast(c: Compiler, op: Any) -> Step:
    return _cast(c, op, lambda value, source: as_signed(value, source))


@handles("arith.index_castui", "arith.extui", "index.castu")
def _zero_cast(c: Compiler, op: Any) -> Step:
    return _cast(c, op, bits)


def _cast(c: Compiler, op: Any, reading: Callable[[int, int], int]) -> Step:
    source, target = width_of(op.operands[0].type), width_of(op.results[0].type)
    if not source or not target:
        raise_unsupported(op)
    (a,), r, place, flags = c.slots(op.operands), c.slot(op.results[0]), place_of(op), flags_of(op)

    def step(env: Env) -> None:
        value = reading(env[a] + 0, source)
        if "nneg" in flags and as_signed(env[a], source) < 0:
            raise undefined(place, BROKEN_FLAG)
        if "nsw" in flags and as_signed(signed(value, target), target) != as_signed(env[a], source):
            raise undefined(place, BROKEN_FLAG)
        if "nuw" in flags and bits(value, target) != bits(env[a], source):
            raise undefined(place, BROKEN_FLAG)
        env[r] = signed(value, target)

    return step


@handles("arith.select")
def _select(c: Compiler, op: Any) -> Step:
    if width_of(op.operands[0].type) != 1:
        raise_unsupported(op)
    (p, a, b), r = c.slots(op.operands), c.slot(op.results[0])

    def step(env: Env) -> None:
        if isinstance(env[a], Array) and env[a].shape != env[b].shape:
            raise outside("whether tensors of different shapes may be selected between")
        env[r] = env[a] if env[p] + 0 else env[b]

    return step


@handles("arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended")
def _extended(c: Compiler, op: Any) -> Step:
    width, name = width_of(op.operands[0].type), op.operation.name
    if not width or width == 64:
        raise_unsupported(op)
    (a, b), (low, high) = c.slots(op.operands), c.slots(op.results)

    def step(env: Env) -> None:
        read = as_signed if name == "arith.mulsi_extended" else bits
        left, right = read(env[a] + 0, width), read(env[b] + 0, width)
        whole = left + right if name == "arith.addui_extended" else left * right
        env[low] = signed(whole, width)
        env[high] = int(whole >= 1 << width) if name == "arith.addui_extended" else signed(whole >> width, width)

    return step


def _count(name: str, of: Callable[[int, int], int]) -> None:
    @handles(name)
    def make(c: Compiler, op: Any) -> Step:
        width = width_of(op.results[0].type)
        if not width:
            raise_unsupported(op)
        (a,), r = c.slots(op.operands), c.slot(op.results[0])

        def step(env: Env) -> None:
            env[r] = signed(of(env[a] + 0, width), width)

        return step


_count("math.ctpop", lambda a, w: bits(a, w).bit_count())
_count("math.ctlz", lambda a, w: w - bits(a, w).bit_length())
_count("math.cttz", lambda a, w: w if a == 0 else (a & -a).bit_length() - 1)


@handles("math.absi")
def _absi(c: Compiler, op: Any) -> Step:
    width = width_of(op.results[0].type)
    if not width or width == 1:
        raise_unsupported(op)
    (a,), r = c.slots(op.operands), c.slot(op.results[0])

    def step(env: Env) -> None:
        if env[a] == -(1 << (width - 1)):
            raise outside("poison")
        env[r] = abs(env[a])

    return step


@handles("ub.poison")
def _poison(c: Compiler, op: Any) -> Step:
    raise_unsupported(op)
    raise AssertionError


@handles("math.ipowi")
def _ipowi(c: Compiler, op: Any) -> Step:
    width = width_of(op.results[0].type)
    if not width or width in (1, 64):
        raise_unsupported(op)
    (a, b), r, place = c.slots(op.operands), c.slot(op.results[0]), place_of(op)

    def step(env: Env) -> None:
        base, exponent = env[a] + 0, env[b] + 0
        if exponent >= 0:
            env[r] = signed(pow(base, exponent, 1 << width), width)
        elif base == 0:
            raise undefined(place, "0 to a negative power")
        else:
            env[r] = (base if exponent % 2 else 1) if abs(base) == 1 else 0

    return step
