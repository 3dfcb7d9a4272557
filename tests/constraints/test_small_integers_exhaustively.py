"""Exhaustive test of integer operations for operands of few bits, and at the boundaries of wider types.

The oracle computes on plain bits the instructions that MLIR lowers to, by LLVM's language reference; the first test
reads from the lowering that they are these instructions, with these flags.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import pytest
from support.claims_at_sizes import shared_context, trace_of
from support.integer_oracles import all_hold, at

from shapesolve.ir import bindings

Instruction = Callable[[int, int, int], int | None]
"""Function from two bit patterns and the width to the bits of the result; None for undefined behavior or poison."""


def _sign(x: int, w: int) -> int:
    return x - (1 << w) if x >> (w - 1) else x


def _kept(exact: int, w: int, *, signed: bool) -> int | None:
    """``exact`` in w bits; None where the type does not hold it."""
    least, most = (-(1 << (w - 1)), (1 << (w - 1)) - 1) if signed else (0, (1 << w) - 1)
    return exact if least <= exact <= most else None


def _arithmetic(combine: Callable[[int, int], int], flags: str = "") -> Instruction:
    def run(a: int, b: int, w: int) -> int | None:
        if "nsw" in flags and _kept(combine(_sign(a, w), _sign(b, w)), w, signed=True) is None:
            return None
        if "nuw" in flags and _kept(combine(a, b), w, signed=False) is None:
            return None
        return combine(a, b)

    return run


def _towards_zero(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _sdiv(a: int, b: int, w: int, *, exact: bool = False) -> int | None:
    x, y = _sign(a, w), _sign(b, w)
    if y == 0 or (y == -1 and x == -(1 << (w - 1))):
        return None
    quotient = _towards_zero(x, y)
    return None if exact and quotient * y != x else quotient


def _srem(a: int, b: int, w: int) -> int | None:
    """Taking the remainder of what overflows in a division is undefined, says the reference."""
    quotient = _sdiv(a, b, w)
    return None if quotient is None else _sign(a, w) - quotient * _sign(b, w)


def _rounded(direction: int) -> Instruction:
    """Return the expansion by ``arith-expand`` of a quotient rounded down or up: sdiv's quotient, corrected by one."""

    def run(a: int, b: int, w: int) -> int | None:
        quotient = _sdiv(a, b, w)
        if quotient is None:
            return None
        x, y = _sign(a, w), _sign(b, w)
        same_signs = (x < 0) == (y < 0)
        return quotient + direction if quotient * y != x and same_signs == (direction > 0) else quotient

    return run


def _udiv(a: int, b: int, _: int, *, exact: bool = False) -> int | None:
    return None if b == 0 or (exact and a % b) else a // b


def _shl(flags: str = "") -> Instruction:
    def run(a: int, b: int, w: int) -> int | None:
        if b >= w:
            return None
        if "nuw" in flags and a >> (w - b) and b:
            return None  # a one was shifted out
        shifted = (a << b) & ((1 << w) - 1)
        if "nsw" in flags and _sign(shifted, w) >> b != _sign(a, w):
            return None  # a bit was shifted out that differs from the sign of the result
        return shifted

    return run


def _shr(*, signed: bool, exact: bool = False) -> Instruction:
    def run(a: int, b: int, w: int) -> int | None:
        if b >= w or (exact and a & ((1 << b) - 1)):
            return None
        return (_sign(a, w) if signed else a) >> b

    return run


def _power(a: int, b: int, w: int) -> int | None:
    """The quotient of 1 by the power for a negative exponent, as ``convert-math-to-funcs`` writes it."""
    x, y = _sign(a, w), _sign(b, w)
    if y >= 0:
        return x**y
    if x == 0:
        return None
    return x if x == -1 and y % 2 else 1 if x in (1, -1) else 0


@dataclass(frozen=True)
class Operation:
    """``text`` with %a and %b, and T for the type; ``instruction`` is what must stand in its lowering."""

    text: str
    oracle: Instruction
    instruction: str
    may_be_unknown: bool = False


def _both(name: str, combine: Callable[[int, int], int]) -> Iterable[Operation]:
    yield Operation(f"arith.{name}i %a, %b : T", _arithmetic(combine), rf"llvm.{name} %\w+, %\w+ : ")
    for flags in ("nsw", "nuw", "nsw, nuw"):
        text = f"arith.{name}i %a, %b overflow<{flags}> : T"
        yield Operation(text, _arithmetic(combine, flags), rf"llvm.{name} .* overflow<{flags}>")


OPERATIONS = (
    *_both("add", lambda a, b: a + b),
    *_both("sub", lambda a, b: a - b),
    *_both("mul", lambda a, b: a * b),
    Operation("arith.divsi %a, %b : T", _sdiv, "llvm.sdiv %"),
    Operation("arith.divsi %a, %b exact : T", lambda a, b, w: _sdiv(a, b, w, exact=True), "llvm.sdiv exact"),
    Operation("arith.remsi %a, %b : T", _srem, "llvm.srem"),
    Operation("arith.floordivsi %a, %b : T", _rounded(-1), "llvm.sdiv"),
    Operation("arith.ceildivsi %a, %b : T", _rounded(1), "llvm.sdiv"),
    Operation("arith.divui %a, %b : T", _udiv, "llvm.udiv %"),
    Operation("arith.divui %a, %b exact : T", lambda a, b, w: _udiv(a, b, w, exact=True), "llvm.udiv exact"),
    Operation("arith.remui %a, %b : T", lambda a, b, _: a % b if b else None, "llvm.urem"),
    Operation("arith.ceildivui %a, %b : T", lambda a, b, _: -(-a // b) if b else None, "llvm.udiv"),
    Operation("arith.maxsi %a, %b : T", lambda a, b, w: max(_sign(a, w), _sign(b, w)), "intr.smax"),
    Operation("arith.minsi %a, %b : T", lambda a, b, w: min(_sign(a, w), _sign(b, w)), "intr.smin"),
    Operation("arith.maxui %a, %b : T", lambda a, b, _: max(a, b), "intr.umax"),
    Operation("arith.minui %a, %b : T", lambda a, b, _: min(a, b), "intr.umin"),
    Operation("arith.andi %a, %b : T", lambda a, b, _: a & b, "llvm.and", may_be_unknown=True),
    Operation("arith.ori %a, %b : T", lambda a, b, _: a | b, "llvm.or", may_be_unknown=True),
    Operation("arith.xori %a, %b : T", lambda a, b, _: a ^ b, "llvm.xor", may_be_unknown=True),
    Operation("arith.shli %a, %b : T", _shl(), "llvm.shl %"),
    Operation("arith.shli %a, %b overflow<nsw> : T", _shl("nsw"), "llvm.shl .*overflow<nsw>"),
    Operation("arith.shli %a, %b overflow<nuw> : T", _shl("nuw"), "llvm.shl .*overflow<nuw>"),
    Operation("arith.shli %a, %b overflow<nsw, nuw> : T", _shl("nsw, nuw"), "llvm.shl .*overflow<nsw, nuw>"),
    Operation("arith.shrsi %a, %b : T", _shr(signed=True), "llvm.ashr %"),
    Operation("arith.shrsi %a, %b exact : T", _shr(signed=True, exact=True), "llvm.ashr exact"),
    Operation("arith.shrui %a, %b : T", _shr(signed=False), "llvm.lshr %"),
    Operation("arith.shrui %a, %b exact : T", _shr(signed=False, exact=True), "llvm.lshr exact"),
    Operation("math.absi %a : T", lambda a, _, w: abs(_sign(a, w)), "intr.abs.*is_int_min_poison = false"),
    Operation("math.ctlz %a : T", lambda a, _, w: w - a.bit_length(), "intr.ctlz.*is_zero_poison = false", True),
    Operation(
        "math.cttz %a : T",
        lambda a, _, w: (a & -a).bit_length() - 1 if a else w,
        "intr.cttz.*is_zero_poison = false",
        may_be_unknown=True,
    ),
    Operation("math.ctpop %a : T", lambda a, _, __: a.bit_count(), "intr.ctpop", may_be_unknown=True),
    Operation("math.ipowi %a, %b : T", _power, "llvm.sdiv|math.ipowi", may_be_unknown=True),
)
IDS = [each.text.replace("%a, %b ", "").replace(" : T", "").replace(" %a", "") for each in OPERATIONS]
INDEX: Mapping[str, str] = {
    "add": "addi", "sub": "subi", "mul": "muli", "divs": "divsi", "rems": "remsi", "floordivs": "floordivsi",
    "ceildivs": "ceildivsi", "divu": "divui", "remu": "remui", "ceildivu": "ceildivui", "shl": "shli", "shrs": "shrsi",
    "shru": "shrui", "maxs": "maxsi", "mins": "minsi", "maxu": "maxui", "minu": "minui",
}  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS, ids=IDS)
def test_the_oracle_is_of_what_mlir_lowers_to(operation: Operation) -> None:
    text = f"func.func @f(%a: i4, %b: i4) -> i4 {{\n%0 = {operation.text.replace('T', 'i4')}\nreturn %0 : i4\n}}"
    passes = "builtin.module(func.func(arith-expand),convert-math-to-llvm,convert-arith-to-llvm)"
    with shared_context():
        module = bindings.ir().Module.parse(text)
        bindings.passmanager().PassManager.parse(passes).run(module.operation)
        lowered = str(module)
    assert re.search(operation.instruction, lowered), lowered


def _spelled(value: int, width: int) -> str:
    return ("false", "true")[value] if width == 1 else f"{_sign(value, width)} : i{width}"


def _program(text: str, type: str, first: str = "", second: str = "") -> str:
    constants = "\n".join(f"%{name} = arith.constant {each}" for name, each in (("x", first), ("y", second)) if each)
    used = text.replace("%a", "%x" if first else "%a").replace("%b", "%y" if second else "%b")
    return f"func.func @f(%a: {type}, %b: {type}) -> {type} {{\n{constants}\n%0 = {used}\nreturn %0 : {type}\n}}"


@dataclass(frozen=True)
class Judged:
    """Result of a rule for some operands: whether all requirements hold, and the bits of the result if known."""

    defined: bool
    result: int | None


def _judged(text: str, width: int, a: int, b: int) -> Judged:
    trace = _traced(text)
    given = {"a": a, "b": b} if width == 1 else {"a": _sign(a, width), "b": _sign(b, width)}
    if not all_hold(trace, given):
        return Judged(False, None)
    result = at(trace, given)
    return Judged(True, None if result is None else result & ((1 << width) - 1))


_traced = cache(trace_of)


def _compare(operation: Operation, text: str, width: int, a: int, b: int, *, must_know: bool) -> None:
    expected = operation.oracle(a, b, width)
    judged = _judged(text, width, a, b)
    assert judged.defined == (expected is not None), (text, a, b, expected)
    if expected is not None and (must_know or judged.result is not None):
        assert judged.result == expected & ((1 << width) - 1), (text, a, b)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize("operation", OPERATIONS, ids=IDS)
def test_every_pair_of_operands(operation: Operation, width: int) -> None:
    type, values = f"i{width}", range(1 << width)
    text = operation.text.replace("T", type)
    flagged_shift = "sh" in text and ("exact" in text or "overflow" in text)
    for b in values:
        with_constant = _program(text, type, second=_spelled(b, width))
        for a in values:
            if not flagged_shift:  # by how much it shifts must be known: else it is open
                _compare(operation, _program(text, type), width, a, b, must_know=False)
            _compare(operation, with_constant, width, a, b, must_know=not operation.may_be_unknown)


CASTS: Mapping[str, Callable[[int, int, int], int | None]] = {
    "arith.extsi %a": lambda a, source, _: _sign(a, source),
    "arith.extui %a": lambda a, _, __: a,
    "arith.extui %a nneg": lambda a, source, _: a if _sign(a, source) >= 0 else None,
    "arith.trunci %a": lambda a, _, __: a,
    "arith.trunci %a overflow<nsw>": lambda a, source, target: _kept(_sign(a, source), target, signed=True),
    "arith.trunci %a overflow<nuw>": lambda a, _, target: _kept(a, target, signed=False),
    "arith.index_cast %a": lambda a, source, _: _sign(a, source),
    "arith.index_castui %a": lambda a, _, __: a,
    "arith.index_castui %a nneg": lambda a, source, _: a if _sign(a, source) >= 0 else None,
}


@pytest.mark.parametrize("source", [1, 2, 4, 6])
@pytest.mark.parametrize("text", CASTS)
def test_every_operand_of_a_cast(text: str, source: int) -> None:
    target = 64 if "index" in text else 8 if "ext" in text else source - source // 2
    if target == source:
        return  # nothing is narrower than one bit
    to = "index" if "index" in text else f"i{target}"
    trace = trace_of(f"func.func @f(%a: i{source}) -> {to} {{\n%0 = {text} : i{source} to {to}\nreturn %0 : {to}\n}}")
    for a in range(1 << source):
        given = {"a": a if source == 1 else _sign(a, source)}
        expected = CASTS[text](a, source, target)
        assert all_hold(trace, given) == (expected is not None), a
        if expected is not None:
            result = at(trace, given)
            assert result is not None
            assert result & ((1 << target) - 1) == expected & ((1 << target) - 1), a


@pytest.mark.exhaustive
@pytest.mark.parametrize("type", ["i3", "i8", "i16", "i32", "i64", "index", "vector", "index dialect"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=IDS)
def test_the_boundaries_of_wider_types(operation: Operation, type: str) -> None:
    width = int(type[1:]) if type[1:].isdigit() else 64
    text, kind = operation.text, type
    if type == "index dialect":
        named = {f"arith.{old} %a, %b : T": f"index.{new} %a, %b" for new, old in INDEX.items()}
        if text not in named:
            pytest.skip("the dialect has no such operation")
        text, kind = named[text], "index"
    if type == "vector":
        width, kind = 8, "vector<1xi8>"
    least, ones = 1 << (width - 1), (1 << width) - 1
    for a in (0, 1, 2, least - 1, least, least + 1, ones):
        for b in (0, 1, 2, width - 1, width, least, ones):
            if "pow" in text and b >= 9:
                continue  # Python would compute the power
            expected = operation.oracle(a, b, width)
            element = "index" if kind == "index" else f"i{width}"
            first, second = (f"{_sign(each, width)} : {element}" for each in (a, b))
            if type == "vector":
                first, second = (f"dense<{each.split()[0]}> : {kind}" for each in (first, second))
            program = _program(text.replace("T", kind), kind, first, second)
            trace = _traced(program)
            defined = all_hold(trace, {})
            assert defined == (expected is not None), (program, expected)
