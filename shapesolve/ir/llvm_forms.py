"""Operations of the LLVM dialect that compute what one of `arith`, `math`, `cf` or `ub` computes, read as these.

MLIR lowers each to its counterpart and nothing else, and flags mean the same: nsw, nuw, exact and nneg make poison.
An operation on pointers or structures, or with a flag that no counterpart has (`disjoint`), keeps its name, as does
a branch of a loop that is undefined where it does not end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shapesolve.ir.own_attributes import ASSUME
from shapesolve.ir.program import Attribute, OpaqueAttribute, Region, ScalarType, ShapedType, Type, Value
from shapesolve.records import value_record

PREFIX = "llvm."
_PAIRS = """
    llvm.add arith.addi llvm.sub arith.subi llvm.mul arith.muli llvm.sdiv arith.divsi llvm.udiv arith.divui
    llvm.srem arith.remsi llvm.urem arith.remui llvm.and arith.andi llvm.or arith.ori llvm.xor arith.xori
    llvm.shl arith.shli llvm.lshr arith.shrui llvm.ashr arith.shrsi llvm.icmp arith.cmpi llvm.select arith.select
    llvm.trunc arith.trunci llvm.zext arith.extui llvm.sext arith.extsi llvm.bitcast arith.bitcast
    llvm.intr.smax arith.maxsi llvm.intr.smin arith.minsi llvm.intr.umax arith.maxui llvm.intr.umin arith.minui
    llvm.mlir.constant arith.constant llvm.mlir.poison ub.poison llvm.unreachable ub.unreachable
    llvm.fadd arith.addf llvm.fsub arith.subf llvm.fmul arith.mulf llvm.fdiv arith.divf llvm.frem arith.remf
    llvm.fneg arith.negf llvm.fcmp arith.cmpf llvm.fpext arith.extf llvm.fptrunc arith.truncf
    llvm.sitofp arith.sitofp llvm.uitofp arith.uitofp llvm.fptosi arith.fptosi llvm.fptoui arith.fptoui
    llvm.intr.maximum arith.maximumf llvm.intr.minimum arith.minimumf
    llvm.intr.maxnum arith.maxnumf llvm.intr.minnum arith.minnumf
    llvm.intr.abs math.absi llvm.intr.ctlz math.ctlz llvm.intr.cttz math.cttz llvm.intr.ctpop math.ctpop
    llvm.intr.sqrt math.sqrt llvm.intr.fabs math.absf llvm.intr.ceil math.ceil llvm.intr.floor math.floor
    llvm.intr.trunc math.trunc llvm.intr.round math.round llvm.intr.roundeven math.roundeven
    llvm.intr.copysign math.copysign llvm.intr.fma math.fma llvm.intr.exp math.exp llvm.intr.exp2 math.exp2
    llvm.intr.log math.log llvm.intr.log2 math.log2 llvm.intr.log10 math.log10 llvm.intr.sin math.sin
    llvm.intr.cos math.cos llvm.intr.pow math.powf llvm.intr.powi math.fpowi
    llvm.br cf.br llvm.cond_br cf.cond_br llvm.switch cf.switch llvm.return func.return
"""
LLVM_FUNCTION, FUNCTION = "llvm.func", "func.func"
"""The LLVM dialect's function, and the counterpart of one of numbers."""
NO_FUNCTION_OF_NUMBERS = (
    "no function but llvm.func, of which those with a body are read that take numbers and return at most one: "
    "none on pointers (buffers) or structures (several results)"
)
"""The reason why nothing is read of a module."""
TODAY = {**dict(re.findall(r"(\S+)\s+(\S+)", _PAIRS)), LLVM_FUNCTION: FUNCTION}
"""The counterparts by the names of the LLVM dialect."""

_ONLY_IN_LLVM = ("isDisjoint", "is_zero_poison", "is_int_min_poison")
"""Flags that make poison, and that no counterpart has."""

_HINTS = ("loop_annotation", "branch_weights", *_ONLY_IN_LLVM)
_MUST_END = "mustProgress = true"
_OVERFLOW = ("none", "nsw", "nuw", "nsw, nuw")
_NO_FAST_MATH = "#llvm.fastmath<none>"
_WITHOUT_FAST_MATH = frozenset(TODAY[PREFIX + each] for each in ("select", "sitofp", "uitofp", "fptosi", "fptoui"))
_OF_PLAIN_FUNCTIONS = {
    *("CConv", "dso_local", "function_type", "linkage", "llvm.emit_c_interface", "sym_name", "sym_visibility"),
    *("unnamed_addr", "visibility_", ASSUME),
}
_OF_CONTROL_FLOW = frozenset(PREFIX + each for each in ("br", "cond_br", "switch"))


@value_record
class Counterpart:
    """Name and attributes of the operation that computes the same."""

    name: str
    attributes: Mapping[str, Attribute]


def counterpart(
    name: str, operands: Sequence[Value], results: Sequence[Value], attributes: Mapping[str, Attribute]
) -> Counterpart | None:
    """Return the operation that computes the same as one of the LLVM dialect, or None if there is none."""
    today = TODAY.get(name)
    if today is None or today == FUNCTION or any(attributes.get(each) for each in _ONLY_IN_LLVM):
        return None
    if _MUST_END in str(attributes.get("loop_annotation", "")):
        return None
    if name not in _OF_CONTROL_FLOW and not all(_is_of_numbers(each.type) for each in (*operands, *results)):
        return None
    kept: dict[str, Attribute] = {}
    for key, value in attributes.items():
        if key == "overflowFlags":
            if not isinstance(value, int) or not 0 <= value < len(_OVERFLOW):
                return None
            kept[key] = OpaqueAttribute(f"#arith.overflow<{_OVERFLOW[value]}>")
        elif key == "fastmathFlags":
            text = value.text if isinstance(value, OpaqueAttribute) else ""
            if today not in _WITHOUT_FAST_MATH:
                kept["fastmath"] = OpaqueAttribute(text.replace("#llvm", "#arith").replace(", ", ","))
            elif text != _NO_FAST_MATH:
                return None
        elif key not in _HINTS:
            kept[key] = value
    if today == "ub.poison":
        kept["value"] = OpaqueAttribute("#ub.poison")
    return Counterpart(today, kept)


def result_types(attributes: Mapping[str, Attribute], regions: Sequence[Region]) -> tuple[Type, ...] | None:
    """Return the types of the results of an LLVM function; None if it is not one of numbers, or more is said of it.

    A declaration has none: what it computes, and on what, is not known. An attribute may make calls undefined.
    """
    if len(regions) != 1 or not regions[0].blocks or not attributes.keys() <= _OF_PLAIN_FUNCTIONS:
        return None
    if "..." in str(attributes.get("function_type", "")):
        return None
    ends = [each for block in regions[0].blocks for each in block.operations if each.name == TODAY["llvm.return"]]
    given = {tuple(operand.type for operand in each.operands) for each in ends}
    is_plain = all(_is_of_numbers(each.type) for each in regions[0].blocks[0].arguments)
    return given.pop() if is_plain and len(given) == 1 else None


def _is_of_numbers(type: Type) -> bool:
    if isinstance(type, ShapedType):
        is_fixed = type.extents is not None and None not in type.extents
        return type.container == "vector" and is_fixed and isinstance(type.element, ScalarType)
    return isinstance(type, ScalarType)
