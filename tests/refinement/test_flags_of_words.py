"""Test that flags of 64-bit arithmetic are compared by what each says, whatever else is assumed not to overflow."""

from __future__ import annotations

import pytest

import shapesolve
from shapesolve.solver.verdicts import VerdictKind

ARGUMENTS = "%a: {type}, %b: {type}, %c: {type}, %n: {type}, %p: i1"
BODIES = {
    "straight": "%r = arith.addi %a, %b {flags} : {type}\nreturn %r : {type}",
    "block": "%0 = arith.addi %a, %b {flags} : {type}\ncf.br ^end(%0 : {type})\n^end(%r: {type}):\nreturn %r : {type}",
    "scf.if": """%r = scf.if %p -> {type} {{
        %0 = arith.addi %a, %b {flags} : {type}
        scf.yield %0 : {type}
    }} else {{
        scf.yield %c : {type}
    }}
    return %r : {type}""",
    "select": """%0 = arith.muli %a, %b {flags} : {type}
    %r = arith.select %p, %0, %c : {type}
    return %r : {type}""",
    "stored": """%m = memref.alloc() : memref<{type}>
    %0 = arith.subi %a, %b {flags} : {type}
    memref.store %0, %m[] : memref<{type}>
    %r = memref.load %m[] : memref<{type}>
    return %r : {type}""",
    "of a sum": """%0 = arith.addi %b, %c : {type}
    %r = arith.addi %0, %a {flags} : {type}
    return %r : {type}""",
}


def program(body: str, type: str, flags: str = "") -> str:
    flags = f"overflow<{flags}>" if flags else ""
    return f"func.func @f({ARGUMENTS}) -> {{type}} {{{{\n{body}\n}}}}".format(type=type, flags=flags)


def word(source: str, target: str) -> VerdictKind:
    (found,) = shapesolve.refine(source, target, execute=False)
    return found.word


@pytest.mark.parametrize(("body", "type"), [("straight", "index"), *((body, "i64") for body in BODIES)])
def test_a_flag_is_not_another(body: str, type: str) -> None:
    changes = [("nuw", "nsw,nuw"), ("nuw", "nsw"), ("nsw", "nuw"), ("nsw", "nsw,nuw"), ("", "nsw"), ("", "nuw")]
    for before, after in changes:
        found = word(program(BODIES[body], type, before), program(BODIES[body], type, after))
        assert found is not VerdictKind.PROVED, (before, after)


@pytest.mark.parametrize("type", ["index", "i64"])
@pytest.mark.parametrize("body", ["straight", "block", "select"])
def test_a_flag_may_be_dropped(body: str, type: str) -> None:
    for before, after in [("nsw,nuw", "nsw"), ("nsw,nuw", "nuw"), ("nsw", ""), ("nuw", "nuw")]:
        source, target = (program(BODIES[body], type, each) for each in (before, after))
        assert word(source, target) is VerdictKind.PROVED, (before, after)


def test_a_flag_of_what_may_have_wrapped_is_that_of_the_same_operation_alone() -> None:
    """The source is defined for -2^62, 2^62 and 2^62; the second sum of the target is given one that has wrapped."""
    source = "%0 = arith.addi %a, %b overflow<nsw> : {type}\n%r = arith.addi %0, %c overflow<nsw> : {type}\n"
    target = "%0 = arith.addi %b, %c : {type}\n%r = arith.addi %0, %a overflow<nsw> : {type}\n"
    ends = "return %r : {type}"
    assert word(program(source + ends, "i64"), program(target + ends, "i64")) is not VerdictKind.PROVED
    assert word(program(target + ends, "i64"), program(target + ends, "i64")) is VerdictKind.PROVED


@pytest.mark.parametrize("divisor", [-1, 2])
def test_a_quotient_of_poison_by_minus_one_is_not_said_to_be_defined(divisor: int) -> None:
    """The target divides where the source does not: poison may be the least integer."""
    sum = "%s = arith.addi %a, %b overflow<nsw> : {type}\n%m = arith.constant DIVISOR : {type}\n"
    quotient = "%q = arith.divsi %s, %m : {type}\n"
    chosen = "%r = arith.select %p, %q, %c : {type}\nreturn %r : {type}"
    branch = (
        "%r = scf.if %p -> {type} {{\n" + quotient + "scf.yield %q : {type}\n}} else {{\nscf.yield %c : {type}\n}}\n"
    )
    source = program((sum + branch + "return %r : {type}").replace("DIVISOR", str(divisor)), "i8")
    target = program((sum + quotient + chosen).replace("DIVISOR", str(divisor)), "i8")
    assert word(source, target) is not VerdictKind.PROVED or divisor == 2
    whole = program((sum + quotient + "return %q : {type}").replace("DIVISOR", str(divisor)), "i8")
    assert word(whole, whole.replace("%a, %b overflow", "%b, %a overflow")) is VerdictKind.PROVED
