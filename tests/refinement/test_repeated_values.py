"""Loops that hand on a value twice, against loops that do so once, and against programs that are not the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.refined_pairs import refined

from shapesolve.ir.program import Operation
from shapesolve.ir.reader import read_text
from shapesolve.ir.repeated_values import without_repeated_values
from shapesolve.ir.structured_programs import structured_program
from shapesolve.options import Options
from shapesolve.solver.verdicts import VerdictKind

TWICE = (Path(__file__).parent / "upstream" / "condition_given_twice.mlir").read_text(encoding="utf-8")
ONCE = (
    TWICE.replace("%r:3", "%r:2")
    .replace("(i32, i32, i32)", "(i32, i32)")
    .replace("%v, %v, %s : i32, i32, i32", "%v, %s : i32, i32")
    .replace("%a: i32, %b: i32, %c: i32", "%b: i32, %c: i32")
    .replace("%r#2", "%r#1")
)


def loops(text: str) -> list[Operation]:
    program = structured_program(read_text(text), False)
    return [op for op in program.functions["f"].operation.walk() if op.name == "scf.while"]


def test_each_value_is_handed_on_once() -> None:
    (loop,) = loops(TWICE)
    assert len(loop.results) == len(loop.regions[1].blocks[0].arguments) == 2
    assert len(loop.regions[0].blocks[0].operations[-1].operands) == 3


def test_a_loop_without_repeated_values_stays() -> None:
    body = read_text(ONCE).functions["f"].body
    assert body is not None
    assert without_repeated_values(body) is body


def test_an_inner_loop_is_merged_before_the_loop_around_it() -> None:
    """The outer loop hands on two results of the inner one, which are the same."""
    text = """func.func @f(%n: i32) -> i32 {
      %0 = arith.constant 0 : i32
      %r:2 = scf.while (%s = %0) : (i32) -> (i32, i32) {
        %i:2 = scf.while (%t = %s) : (i32) -> (i32, i32) {
          %more = arith.cmpi slt, %t, %n : i32
          %u = arith.muli %t, %n : i32
          scf.condition(%more) %u, %u : i32, i32
        } do {
        ^bb0(%a: i32, %b: i32):
          scf.yield %b : i32
        }
        %again = arith.cmpi slt, %i#0, %n : i32
        scf.condition(%again) %i#0, %i#1 : i32, i32
      } do {
      ^bb0(%a: i32, %b: i32):
        scf.yield %b : i32
      }
      return %r#1 : i32
    }"""
    assert [len(each.results) for each in loops(text)] == [1, 1]


@pytest.mark.parametrize(("source", "target"), [(TWICE, ONCE), (ONCE, TWICE)])
def test_both_forms_are_the_same(source: str, target: str) -> None:
    found = refined(source, target)
    assert (found.word, found.is_partial) == (VerdictKind.PROVED, False)


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        ("scf.yield %b", "scf.yield %c"),
        ("%r#1", "%r#0"),
        (r"addi %s, %2 : i32", "addi %s, %20 : i32"),
        (r"slt, %s, %n", "sle, %s, %n"),
        (r"%v, %s : i32, i32", "%s, %v : i32, i32"),
    ],
)
def test_other_loops_are_not(pattern: str, other: str) -> None:
    target = re.sub(pattern, other, ONCE)
    assert target != ONCE
    found = refined(TWICE, target, Options(execute=False))
    assert found.word is not VerdictKind.PROVED or found.is_partial
