"""Test that a program with unbounded interpretation ends with the verdicts decided so far."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.interpreter import state
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program
from shapesolve.solver.verdicts import Undecided


def doubling(levels: int, first: str) -> str:
    """@f calls a function that calls the next one twice, and so on ``levels`` times, and then asks for a size.

    The last one prints: no walk of it stands for another.
    """
    text = f"func.func private @g0(%n: index) {{\n{first}\n  vector.print %n : index\n  return\n}}\n"
    for level in range(1, levels + 1):
        text += f"""func.func private @g{level}(%n: index) {{
  func.call @g{level - 1}(%n) : (index) -> ()
  func.call @g{level - 1}(%n) : (index) -> ()
  return
}}
"""
    return f"""{text}func.func @f(%n: index) {{
  func.call @g{levels}(%n) : (index) -> ()
  %c9 = arith.constant 9 : index
  %k = arith.cmpi ne, %n, %c9 : index
  cf.assert %k, "nine"
  return
}}"""


POSITIVE = """\
  %c1 = arith.constant 1 : index
  %k = arith.cmpi sge, %n, %c1 : index
  cf.assert %k, "positive" """

LOOPS = """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %k = arith.cmpi slt, %i, %c4 : index
    cf.assert %k, "inside"
  }"""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "MAX_VISITS", 500)
    monkeypatch.setattr(state, "MAX_REPEATS", 500)


@pytest.mark.usefixtures("few")
def test_functions_that_call_the_next_one_twice() -> None:
    (function,) = check(doubling(30, POSITIVE), execute=False).functions
    *others, last = function.checked_obligations
    assert isinstance(last.verdict, Undecided)
    assert "operations nothing more is followed" in last.verdict.reason
    assert len(others) < 1000
    assert {each.verdict.word for each in others} == {"refuted", "proved", "undecided"}
    assert any("operations nothing more is followed" in each.reason for each in function.approximations)


def test_the_limit_is_beyond_what_programs_need() -> None:
    (function,) = check(doubling(6, POSITIVE), execute=False).functions
    assert {each.verdict.word for each in function.checked_obligations} == {"refuted", "proved"}
    assert not function.approximations


@pytest.mark.slow
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("first", [POSITIVE, LOOPS])
def test_nothing_is_pruned_that_was_not_seen_everywhere(first: str) -> None:
    """A claim proved at all visited calls may fail at others."""
    program = read_text(doubling(30, first))
    assert prune_program(program, Options()).text.count("cf.assert") == 2


CALLED_AT_TWO_DEPTHS = """
func.func private @g(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %few = arith.cmpi sle, %n, %c1 : index
    cf.assert %few, "few"
  }
  return
}
func.func private @h(%n: index) {
  call @g(%n) : (index) -> ()
  return
}
func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  call @g(%c1) : (index) -> ()
  call @h(%n) : (index) -> ()
  return
}
"""


def test_nothing_is_pruned_in_a_loop_that_was_followed_in_one_call_and_not_in_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Called by @f the loop runs once; called by @h it runs as often as a caller likes, which is not seen."""
    monkeypatch.setattr(state, "MAX_DEPTH", 2)
    (few,) = prune_program(read_text(CALLED_AT_TWO_DEPTHS), Options()).checks
    assert not few.removed
    assert few.reason == "a way from @f to it was not followed"


@pytest.mark.slow
def test_nested_loops_are_interpreted_within_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each inner loop is interpreted again for every trial of its outer loop."""
    monkeypatch.setattr(state, "MAX_VISITS", 1_000)
    depth = 14
    text = "func.func @f(%n: index, %a: index) -> index {\n  %c0 = arith.constant 0 : index\n"
    text += "  %c1 = arith.constant 1 : index\n"
    carried = "%a"
    for level in range(depth):
        text += f"scf.for %i{level} = %c0 to %n step %c1 iter_args(%x{level} = {carried}) -> (index) {{\n"
        text = text.replace(f"scf.for %i{level} ", f"%r{level} = scf.for %i{level} ")
        carried = f"%x{level}"
    text += f"%s = arith.addi {carried}, %c1 : index\nscf.yield %s : index\n}}\n"
    for level in range(depth - 2, -1, -1):
        text += f"scf.yield %r{level + 1} : index\n}}\n"
    text += "return %r0 : index\n}"
    (function,) = check(text, execute=False).functions
    assert function.checked_obligations
    assert any("operations nothing more is followed" in each.reason for each in function.approximations)
