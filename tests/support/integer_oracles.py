"""Two independent implementations of integer operations: plain Python on bits, and MLIR's constant folding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, trunc

from support.claims_at_sizes import shared_context

from shapesolve.ir import bindings
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Trace

WIDTHS = {"i1": 1, "i3": 3, "i8": 8, "i32": 32, "i64": 64, "index": 64}


def bits(value: int, width: int) -> int:
    """A number as unsigned bits."""
    return value & (2**width - 1)


def number(value: int, width: int) -> int:
    """Bits as a signed number."""
    value = bits(value, width)
    return value - 2**width if value >> (width - 1) else value


Reference = Callable[[int, int, int], int | None]
"""Function from two signed numbers and the width to the result's bits; None if the result is undefined or poison."""


def _signed_quotient(rounded: Callable[[Fraction], int]) -> Reference:
    def quotient(a: int, b: int, width: int) -> int | None:
        return None if b == 0 or (b == -1 and a == -(2 ** (width - 1))) else rounded(Fraction(a, b))

    return quotient


def _unsigned_quotient(rounded: Callable[[Fraction], int]) -> Reference:
    return lambda a, b, width: rounded(Fraction(bits(a, width), bits(b, width))) if b else None


def _remainder(a: int, b: int, width: int) -> int | None:
    """LLVM leaves it undefined where the quotient does not fit, and x86 ends the process."""
    return None if b == 0 or (b == -1 and a == -(2 ** (width - 1))) else a - b * trunc(Fraction(a, b))


def _shift(of: Callable[[int, int, int], int]) -> Reference:
    return lambda a, b, width: of(a, bits(b, width), width) if bits(b, width) < width else None


REFERENCES: Mapping[str, Reference] = {
    "addi": lambda a, b, _: a + b,
    "subi": lambda a, b, _: a - b,
    "muli": lambda a, b, _: a * b,
    "divsi": _signed_quotient(trunc),
    "floordivsi": _signed_quotient(floor),
    "ceildivsi": _signed_quotient(ceil),
    "divui": _unsigned_quotient(floor),
    "ceildivui": _unsigned_quotient(ceil),
    "remsi": _remainder,
    "remui": lambda a, b, w: bits(a, w) % bits(b, w) if b else None,
    "maxsi": lambda a, b, _: max(a, b),
    "minsi": lambda a, b, _: min(a, b),
    "maxui": lambda a, b, w: max(bits(a, w), bits(b, w)),
    "minui": lambda a, b, w: min(bits(a, w), bits(b, w)),
    "andi": lambda a, b, _: a & b,
    "ori": lambda a, b, _: a | b,
    "xori": lambda a, b, _: a ^ b,
    "shli": _shift(lambda a, b, _: a << b),
    "shrsi": _shift(lambda a, b, _: a >> b),
    "shrui": _shift(lambda a, b, w: bits(a, w) >> b),
}
INDEX_NAMES = {
    "addi": "add", "subi": "sub", "muli": "mul", "divsi": "divs", "floordivsi": "floordivs", "ceildivsi": "ceildivs",
    "divui": "divu", "ceildivui": "ceildivu", "remsi": "rems", "remui": "remu", "maxsi": "maxs", "minsi": "mins",
    "maxui": "maxu", "minui": "minu", "andi": "and", "ori": "or", "xori": "xor", "shli": "shl", "shrsi": "shrs",
    "shrui": "shru",
}  # fmt: skip
PREDICATES: Mapping[str, Callable[[int, int, int], bool]] = {
    "eq": lambda a, b, _: a == b,
    "ne": lambda a, b, _: a != b,
    "slt": lambda a, b, _: a < b,
    "sle": lambda a, b, _: a <= b,
    "sgt": lambda a, b, _: a > b,
    "sge": lambda a, b, _: a >= b,
    "ult": lambda a, b, w: bits(a, w) < bits(b, w),
    "ule": lambda a, b, w: bits(a, w) <= bits(b, w),
    "ugt": lambda a, b, w: bits(a, w) > bits(b, w),
    "uge": lambda a, b, w: bits(a, w) >= bits(b, w),
}


def at(trace: Trace, inputs: Mapping[str, int], result: int = 0) -> int | None:
    """A result of a trace for inputs by name, i1 as 0 or 1; None where it depends on anything else."""
    assert trace.results is not None
    value = trace.results[result]
    assert isinstance(value, Dim | Formula), value
    if any(variable.name not in inputs for variable in value.variables):
        return None
    assignment = {variable: inputs[variable.name] for variable in value.variables}
    return int(holds(value, assignment)) if isinstance(value, Formula) else evaluate(value, assignment)


def all_hold(trace: Trace, inputs: Mapping[str, int]) -> bool:
    """Return whether every claim of a trace is true for inputs by name."""
    return all(
        holds(obligation.claim, {variable: inputs[variable.name] for variable in obligation.claim.variables})
        for obligation in trace.obligations
    )


def folded(operations: Sequence[str]) -> list[list[str]]:
    """Return MLIR's folds of operations with constant operands: the spelling of each result's constant, or "".

    Each operation is a text such as ``arith.addi %a, %b : i8`` in which ``[5 : i8]`` stands for a constant operand.
    """
    functions: list[str] = []
    for position, text in enumerate(operations):
        body, types = text.rsplit("->", 1)
        lines: list[str] = []

        def constant(match: re.Match[str], lines: list[str] = lines) -> str:
            lines.append(f"%c{len(lines)} = arith.constant {match[1]}")
            return f"%c{len(lines) - 1}"

        body = re.sub(r"\[(-?\d+ : \w+)\]", constant, body)
        results = [each.strip() for each in types.split(",")]
        names = [f"%r#{index}" for index in range(len(results))] if len(results) > 1 else ["%r"]
        lines += [f"%r{f':{len(results)}' if len(results) > 1 else ''} = {body}"]
        lines += [f"return {', '.join(names)} : {', '.join(results)}"]
        functions.append(f"func.func @f{position}() -> ({', '.join(results)}) {{\n" + "\n".join(lines) + "\n}")
    with shared_context():
        module = bindings.ir().Module.parse("\n".join(functions))
        bindings.passmanager().PassManager.parse("builtin.module(canonicalize)").run(module.operation)
    found: list[list[str]] = []
    for function in module.body.operations:
        returned = list(function.regions[0].blocks[0].operations)[-1]
        found.append([_spelled(operand) for operand in returned.operands])
    return found


def _spelled(operand: bindings.Bindings) -> str:
    owner = operand.owner
    if not hasattr(owner, "name") or owner.name not in ("arith.constant", "index.constant", "index.bool.constant"):
        return "poison" if getattr(owner, "name", "") == "ub.poison" else ""
    text = str(owner.attributes["value"])
    return {"true": "1", "false": "0"}.get(text, text.split(" : ")[0])
