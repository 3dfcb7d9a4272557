"""Test of comparisons with the LLVM dialect, whose flags make poison as its reference says."""

from __future__ import annotations

import pytest

import shapesolve
from shapesolve.solver.verdicts import VerdictKind

HEAD = "func.func @f(%a: i8, %b: i8, %w: i16, %x: f32, %y: f32) -> {type} {{\n"


def outcome(source: str, target: str, type: str = "i8") -> VerdictKind:
    texts = [f"{HEAD.format(type=type)}{each}\nreturn %r : {type}\n}}\n" for each in (source, target)]
    (found,) = shapesolve.refine(*texts)
    assert not (found.word is VerdictKind.PROVED and found.is_partial)
    return found.word


RIGHT = [
    ("%r = arith.addi %a, %b overflow<nsw> : i8", "%r = llvm.add %b, %a : i8"),
    ("%r = arith.addi %a, %b overflow<nsw,nuw> : i8", "%r = llvm.add %a, %b overflow<nuw> : i8"),
    ("%r = llvm.sdiv exact %a, %b : i8", "%r = arith.divsi %a, %b : i8"),
    ("%r = arith.maxui %a, %b : i8", '%c = llvm.icmp "ugt" %a, %b : i8\n%r = llvm.select %c, %a, %b : i1, i8'),
    (
        "%k = arith.constant 4 : i8\n%r = arith.remui %a, %k : i8",
        "%k = llvm.mlir.constant(3 : i8) : i8\n%r = llvm.and %a, %k : i8",
    ),
    (
        "%r = arith.remsi %a, %b : i8",
        "%q = llvm.sdiv %a, %b : i8\n%m = llvm.mul %q, %b : i8\n%r = llvm.sub %a, %m : i8",
    ),
    (
        "%c = arith.cmpi slt, %a, %b : i8\n%r = arith.select %c, %a, %b : i8",
        '%c = llvm.icmp "slt" %a, %b : i8\nllvm.cond_br %c, ^x(%a : i8), ^x(%b : i8)\n^x(%r: i8):',
    ),
    ("%p = ub.poison : i8\n%r = arith.addi %a, %p : i8", "%r = llvm.mlir.constant(3 : i8) : i8"),
    ("%k = llvm.mlir.constant(9 : i8) : i8\n%r = llvm.shl %a, %k : i8", "%r = llvm.mlir.constant(3 : i8) : i8"),
]
WRONG = [
    ("%r = arith.addi %a, %b : i8", "%r = llvm.add %a, %b overflow<nsw> : i8"),
    ("%r = arith.addi %a, %b overflow<nsw> : i8", "%r = llvm.add %a, %b overflow<nuw> : i8"),
    ("%r = arith.subi %a, %b : i8", "%r = llvm.sub %b, %a : i8"),
    ("%r = arith.divsi %a, %b : i8", "%r = llvm.udiv %a, %b : i8"),
    ("%r = arith.divui %a, %b : i8", "%r = llvm.udiv exact %a, %b : i8"),
    ("%r = arith.maxsi %a, %b : i8", '%c = llvm.icmp "ugt" %a, %b : i8\n%r = llvm.select %c, %a, %b : i1, i8'),
    ("%r = arith.trunci %w : i16 to i8", "%r = llvm.trunc %w overflow<nsw> : i16 to i8"),
    (
        "%k = arith.constant 1 : i8\n%r = arith.shrui %a, %k : i8",
        "%k = arith.constant 1 : i8\n%r = llvm.lshr exact %a, %k : i8",
    ),
    ("%r = arith.constant 3 : i8", "%r = llvm.mlir.poison : i8"),
    (
        "%c = arith.cmpi slt, %a, %b : i8\n%r = arith.select %c, %a, %b : i8",
        '%c = llvm.icmp "slt" %a, %b : i8\nllvm.cond_br %c, ^y, ^x(%b : i8)\n^y:\nllvm.unreachable\n^x(%r: i8):',
    ),
]


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize(("source", "target"), RIGHT)
def test_a_right_pair_is_proved(source: str, target: str) -> None:
    assert outcome(source, target) is VerdictKind.PROVED


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize(("source", "target"), WRONG)
def test_a_wrong_pair_is_refuted(source: str, target: str) -> None:
    assert outcome(source, target) is VerdictKind.REFUTED


@pytest.mark.process
def test_disjoint_bits_are_not_proved() -> None:
    assert outcome("%r = arith.ori %a, %b : i8", "%r = llvm.or disjoint %a, %b : i8") is VerdictKind.UNDECIDED


@pytest.mark.process
def test_a_loop_that_must_end_is_not_proved() -> None:
    """A loop that does not end is undefined if it must."""
    loop = "llvm.br ^x\n^x:\nllvm.br ^x {}\n^y:\n%r = llvm.add %a, %b : i8"
    must_end = loop.format("{loop_annotation = #llvm.loop_annotation<mustProgress = true>}")
    assert outcome(loop.format(""), must_end) is VerdictKind.UNDECIDED
    assert outcome(loop.format(""), loop.format("")) is VerdictKind.PROVED


@pytest.mark.process
def test_widths_and_signs_of_casts_count() -> None:
    assert (
        outcome("%r = arith.extui %a : i8 to i16", "%r = llvm.zext nneg %a : i8 to i16", "i16") is VerdictKind.REFUTED
    )
    assert outcome("%r = arith.cmpf olt, %x, %y : f32", '%r = llvm.fcmp "ogt" %y, %x : f32', "i1") is VerdictKind.PROVED


@pytest.mark.process
def test_runs_show_what_is_not_followed() -> None:
    assert outcome("%r = arith.subf %x, %y : f32", "%r = llvm.fsub %y, %x : f32", "f32") is VerdictKind.REFUTED
    overflowing = "%k = llvm.mlir.constant(1 : index) : i8\n%r = llvm.add %a, %k : i8"
    assert outcome("%r = arith.ori %a, %b : i8", "%r = llvm.add %a, %b : i8") is VerdictKind.REFUTED
    assert outcome("%r = arith.addi %a, %b : i8", overflowing) is VerdictKind.REFUTED


@pytest.mark.process
def test_functions_of_numbers_are_compared_after_the_signature_is_lowered() -> None:
    head = "llvm.func @f(%a: i64, %b: i64) -> i64 {{\n%r = llvm.{} : i64\nllvm.return %r : i64\n}}"
    source = "func.func @f(%a: index, %b: index) -> index {\n%r = arith.subi %a, %b : index\nreturn %r : index\n}"
    words = [
        shapesolve.refine(source, head.format(each))[0].word
        for each in ("sub %a, %b", "sub %b, %a", "sub %a, %b overflow<nsw>")
    ]
    assert words == [VerdictKind.PROVED, VerdictKind.REFUTED, VerdictKind.REFUTED]


@pytest.mark.process
def test_a_pipeline_down_to_llvm_functions_is_proved() -> None:
    source = """func.func @f(%a: i32, %n: index, %c: i1) -> i32 {
      cf.cond_br %c, ^end(%a : i32), ^else
    ^else:
      %k = arith.index_cast %n : index to i32
      %m = arith.muli %k, %a : i32
      cf.br ^end(%m : i32)
    ^end(%r: i32):
      return %r : i32
    }"""
    passes = "convert-cf-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts"
    found = shapesolve.validate(source, f"builtin.module({passes})")
    assert [each.standing.value for each in found.steps] == ["nothing to prove", "proved", "proved", "proved"]
