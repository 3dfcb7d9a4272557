"""Test that integers at the ends of 64 bits are tried where a proof assumes that arithmetic does not overflow."""

from __future__ import annotations

import pytest

import shapesolve
from shapesolve.deadline import Deadline
from shapesolve.options import Options
from shapesolve.solver.verdicts import VerdictKind

pytestmark = pytest.mark.process

ONE = "%one = arith.constant 1 : {type}\n"
LESS = """%x = arith.subi %a, %one{flags} : {type}
%c = arith.cmpi sle, %a, %x : {type}
%r = arith.select %c, %one, %a : {type}
"""
"""The argument, but 1 for the least integer."""


def program(body: str, type: str, flags: str = "") -> str:
    head = f"func.func @f(%a: {type}, %b: {type}) -> {type} {{\n"
    return head + (ONE + body).format(type=type, flags=flags) + f"return %r : {type}\n}}\n"


def word(source: str, target: str) -> VerdictKind:
    (found,) = shapesolve.refine(source, target)
    return found.word


SAME = "%r = arith.muli %a, %one : {type}\n"


@pytest.mark.parametrize("type", ["index", "i64", "i32"])
def test_what_wraps_around_counts_on_both_sides(type: str) -> None:
    assert word(program(SAME, type), program(LESS, type)) is VerdictKind.REFUTED
    assert word(program(LESS, type), program(SAME, type)) is VerdictKind.REFUTED


@pytest.mark.parametrize("type", ["index", "i64"])
def test_a_source_with_a_flag_is_not_defined_where_it_wraps(type: str) -> None:
    flagged = program(LESS, type, " overflow<nsw>")
    assert word(flagged, program(SAME, type)) is VerdictKind.PROVED


@pytest.mark.parametrize("type", ["index", "i64"])
def test_a_flag_for_another_is_refuted(type: str) -> None:
    source, target = (program(f"%r = arith.addi %a, %b overflow<{flag}> : {{type}}\n", type) for flag in ("nuw", "nsw"))
    assert word(source, target) is VerdictKind.REFUTED
    assert word(target, source) is VerdictKind.REFUTED
    assert word(source, program("%r = arith.addi %b, %a : {type}\n", type)) is VerdictKind.PROVED


@pytest.mark.parametrize(("op", "type"), [("addi", "index"), ("addi", "i64"), ("subi", "i64"), ("muli", "i64")])
def test_a_flag_besides_another_is_refuted(op: str, type: str) -> None:
    source, target = (
        program(f"%r = arith.{op} %a, %b overflow<{flags}> : {{type}}\n", type) for flags in ("nuw", "nsw,nuw")
    )
    assert word(source, target) is VerdictKind.REFUTED
    assert word(target, source) is VerdictKind.PROVED


@pytest.mark.parametrize("type", ["index", "i64"])
def test_a_sum_that_both_have_may_overflow(type: str) -> None:
    """The greatest integer is kept by the source alone."""
    plus_one = "%s = arith.addi %a, %one{flags} : {type}\n"
    source = plus_one + "%c = arith.cmpi sgt, %s, %a : {type}\n%r = arith.select %c, %s, %a : {type}\n"
    target = "%r = arith.addi %a, %one : {type}\n"
    assert word(program(source, type), program(target, type)) is VerdictKind.REFUTED
    assert word(program(source, type, " overflow<nsw>"), program(target, type)) is VerdictKind.PROVED


def test_integers_of_other_widths_are_tried_at_their_ends() -> None:
    """A sum with a natural number is assumed to be no less, which is false where it wraps."""
    head = "func.func @f(%a: index, %b: i8) -> i1 {\n"
    wide = "%x = arith.extsi %b : i8 to i64\n%d = arith.index_cast %x : i64 to index\n"
    sums = "%s = arith.addi %a, %d : index\n%r = arith.cmpi sge, %s, %a : index\n"
    sign = "%z = arith.constant 0 : index\n%r = arith.cmpi sge, %d, %z : index\n"
    source, target = (f"{head}{wide}{each}return %r : i1\n}}\n" for each in (sums, sign))
    assert word(source, target) is VerdictKind.REFUTED


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("%s = arith.addi %a, %b : {type}\n%r = arith.subi %s, %b : {type}\n", SAME),
        ("%r = arith.addi %a, %b : {type}\n", "%n = arith.subi %b, %one : {type}\n%m = arith.addi %a, %n : {type}\n"
         "%r = arith.addi %m, %one : {type}\n"),
        ("%r = arith.divsi %a, %b : {type}\n", "%m = arith.muli %a, %one : {type}\n%r = arith.divsi %m, %b : {type}\n"),
    ],
)  # fmt: skip
def test_what_wraps_back_is_proved(source: str, target: str) -> None:
    assert word(program(source, "index"), program(target, "index")) is VerdictKind.PROVED


def test_a_quotient_of_what_overflowed_is_refuted_by_the_pass_alone() -> None:
    divided = program("%r = index.ceildivs %a, %b\n", "index")
    found = shapesolve.validate(divided, "builtin.module(convert-index-to-llvm)")
    (refinement,) = found.steps[0].refinements
    (finding,) = refinement.refuted
    assert finding.overflows and refinement.above is None
    assert sorted(finding.verdict.sizes.values()) == [-1, 2**63 - 1]  # type: ignore[union-attr]
    proved = shapesolve.validate(divided.replace("ceildivs", "divs"), "builtin.module(convert-index-to-llvm)")
    assert not proved.findings


@pytest.mark.parametrize(("source", "target"), [(SAME, LESS), (LESS, SAME)])
def test_integers_that_are_not_tried_in_time_are_undecided(source: str, target: str) -> None:
    """A proof that assumes that nothing overflows says nothing of what wraps around."""
    late = Options(deadline=Deadline.after(-1.0))
    (found,) = shapesolve.refine(program(source, "i64"), program(target, "i64"), options=late)
    assert found.word is VerdictKind.UNDECIDED
