"""Test of reused interpretations of a callee: same verdicts and pruning as interpreting each call."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.call_graphs import call_graph

from shapesolve import check
from shapesolve.checker.report import FunctionReport
from shapesolve.interpreter import state
from shapesolve.interpreter.callees import CalleeCache
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.result import CheckOutcome

WORST_FIRST = ("refuted", "depends on data", "undecided", "proved", "unreachable")


def worst(function: FunctionReport) -> Mapping[tuple[int, str], str]:
    """The worst verdict of all visits, by line and clause."""
    found: dict[tuple[int, str], str] = {}
    for each in function.checked_obligations:
        place = each.obligation.location.line, each.obligation.clause
        words = (found.get(place, WORST_FIRST[-1]), each.verdict.word)
        found[place] = min(words, key=WORST_FIRST.index)
    return found


def is_unreachable(*checks: CheckOutcome) -> bool:
    """Return whether some run of a check is known never to come: of one program that may be seen, of the other not."""
    return any("contradict each other" in each.reason for each in checks)


def walk_each_anew(patch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        return None

    patch.setattr(CalleeCache, "pending", none)
    patch.setattr(state, "MAX_REPEATS", state.MAX_VISITS)


@pytest.mark.exhaustive
def test_verdicts_are_those_of_walking_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    reused = 0
    for seed in range(12):
        text = call_graph(seed)
        with monkeypatch.context() as patch:
            walk_each_anew(patch)
            every = check(text, execute=False).functions
        functions = check(text, execute=False).functions
        assert [worst(each) for each in functions] == [worst(each) for each in every], seed
        reused += sum(sum(each.trace.reused.values()) for each in functions)
        assert not any(each.trace.reused for each in every)
    assert reused > 20


@pytest.mark.exhaustive
def test_removals_equal_those_of_walking_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    removed = 0
    for seed in range(20, 28):
        text = call_graph(seed)
        with monkeypatch.context() as patch:
            walk_each_anew(patch)
            every = prune_program(read_text(text), Options(execute=False)).checks
        checks = prune_program(read_text(text), Options(execute=False)).checks
        pairs = [(ours, theirs) for ours, theirs in zip(checks, every, strict=True) if not is_unreachable(ours, theirs)]
        assert all(ours.removed == theirs.removed for ours, theirs in pairs), seed
        removed += sum(ours.removed for ours, _ in pairs)
    assert removed > 3


def calling(helper: str, main: str) -> str:
    return f"""func.func private @helper(%x: index, %y: index) -> index {{
{helper}
}}
func.func @main(%a: index, %b: index) -> index {{
{main}
}}"""


GREATER = """  %k = arith.cmpi sgt, %x, %y : index
  cf.assert %k, "greater"
  return %x : index"""


def call(result: str, x: str, y: str) -> str:
    return f"  {result} = func.call @helper({x}, {y}) : (index, index) -> index"


def judged(text: str) -> tuple[list[str], int]:
    """The verdicts of the assertions, and how many calls an earlier walk stood for."""
    (function,) = check(text, execute=False).functions
    words = [str(each.verdict.word) for each in function.checked_obligations if each.obligation.op.name == "cf.assert"]
    return words, sum(function.trace.reused.values())


def test_the_same_arguments_are_walked_once() -> None:
    text = calling(GREATER, "\n".join([call("%0", "%a", "%b"), call("%1", "%0", "%b"), "  return %1 : index"]))
    assert judged(text) == (["refuted"], 1)


def test_other_arguments_are_walked_again() -> None:
    text = calling(GREATER, "\n".join([call("%0", "%a", "%b"), call("%1", "%b", "%a"), "  return %1 : index"]))
    assert judged(text) == (["refuted", "refuted"], 0)


def test_a_walk_in_a_branch_does_not_stand_for_one_behind_it() -> None:
    inside = f"  %c = arith.cmpi sgt, %a, %b : index\n  scf.if %c {{\n{call('%0', '%a', '%b')}\n  }}"
    text = calling(GREATER, "\n".join([inside, call("%1", "%a", "%b"), "  return %1 : index"]))
    assert judged(text) == (["proved", "refuted"], 0)


def test_a_walk_in_a_branch_stands_for_one_under_the_same_condition() -> None:
    inside = "  scf.if %c {{\n{}\n  }}"
    first, second = (inside.format(call(name, "%a", "%b")) for name in ("%0", "%1"))
    condition = "  %c = arith.cmpi sge, %a, %b : index"
    text = calling(GREATER, "\n".join([condition, first, second, "  return %a : index"]))
    assert judged(text) == (["refuted"], 1)


def test_a_walk_in_one_arm_does_not_stand_for_one_in_the_other() -> None:
    arms = f"  scf.if %c {{\n{call('%0', '%a', '%b')}\n  }} else {{\n{call('%1', '%a', '%b')}\n  }}"
    text = calling(GREATER, "\n".join(["  %c = arith.cmpi sgt, %a, %b : index", arms, "  return %a : index"]))
    assert judged(text) == (["proved", "refuted"], 0)


def test_a_walk_in_a_loop_does_not_stand_for_one_behind_it() -> None:
    loop = f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %b step %c1 {{
{call("%0", "%b", "%c0")}
  }}"""
    text = calling(GREATER, "\n".join([loop, call("%1", "%b", "%c0"), "  return %1 : index"]))
    assert judged(text) == (["proved", "refuted"], 0)


def test_fresh_results_of_a_callee_differ_by_call() -> None:
    helper = '  %q = "my.op"(%x, %y) : (index, index) -> index\n  return %q : index'
    same = '  %k = arith.cmpi eq, %0, %1 : index\n  cf.assert %k, "same"\n  return %0 : index'
    text = calling(helper, "\n".join([call("%0", "%a", "%b"), call("%1", "%a", "%b"), same]))
    words, reused = judged(text)
    assert words == ["undecided"]
    assert not reused


@pytest.mark.parametrize("effect", ["vector.print %x : index", '"my.op"(%x) : (index) -> ()'])
def test_a_callee_that_others_notice_is_walked_each_time(effect: str) -> None:
    text = calling(
        f"  {effect}\n  return %x : index",
        "\n".join([call("%0", "%a", "%b"), call("%1", "%a", "%b"), "  return %1 : index"]),
    )
    assert judged(text) == ([], 0)


def test_checks_proved_for_the_first_of_two_equal_calls_go() -> None:
    """Two equal calls share one interpretation, so a proof for the first holds for both."""
    guard = '  %k = arith.cmpi sgt, %a, %b : index\n  cf.assert %k, "guard"'
    text = calling(GREATER, "\n".join([guard, call("%0", "%a", "%b"), call("%1", "%a", "%b"), "  return %1 : index"]))
    outcome = prune_program(read_text(text), Options(execute=False))
    assert [each.removed for each in outcome.checks] == [True, False]


def test_nothing_goes_where_an_unequal_call_fails() -> None:
    guard = '  %k = arith.cmpi sgt, %a, %b : index\n  cf.assert %k, "guard"'
    calls = [call("%0", "%a", "%b"), call("%1", "%a", "%b"), call("%2", "%b", "%a")]
    text = calling(GREATER, "\n".join([guard, *calls, "  return %2 : index"]))
    outcome = prune_program(read_text(text), Options(execute=False))
    assert not any(each.removed for each in outcome.checks)


@pytest.mark.slow
@pytest.mark.parametrize("leaf", ["%x : index", pytest.param("%q : index", marks=pytest.mark.exhaustive)])
def test_forty_functions_that_call_the_next_one_twice(leaf: str) -> None:
    """The callee is walked once, or, where what it yields is another value each time, not followed for ever."""
    last = f"""  %q = "my.op"(%x) : (index) -> index
  %k = arith.cmpi sge, %q, %x : index
  cf.assert %k, "big"
  return {leaf}"""
    text = f"func.func private @f40(%x: index) -> index {{\n{last}\n}}\n"
    for number in range(40):
        visibility = "private " if number else ""
        text += f"""func.func {visibility}@f{number}(%x: index) -> index {{
  %0 = func.call @f{number + 1}(%x) : (index) -> index
  %1 = func.call @f{number + 1}(%0) : (index) -> index
  return %1 : index
}}
"""
    (function,) = check(text, execute=False).functions
    assert {each.verdict.word for each in function.checked_obligations} == {"undecided"}
    assert len(function.checked_obligations) < 300


@pytest.mark.slow
def test_a_call_that_is_not_followed_is_not_said_to_be_unsafe_for_all_sizes() -> None:
    """Calls with other numbers each time: the last of them are not followed."""
    depth = 20
    functions = [
        f"""func.func {"private " if number else ""}@f{number}(%n: index) -> index {{
          %k = arith.constant {2**number} : index
          %m = arith.addi %n, %k : index
          %a = call @f{number + 1}(%n) : (index) -> index
          %b = call @f{number + 1}(%m) : (index) -> index
          return %b : index
        }}"""
        for number in range(depth)
    ]
    last = f"""func.func private @f{depth}(%n: index) -> index {{
      %zero = arith.constant 0 : index
      %is = arith.cmpi sge, %n, %zero : index
      cf.assert %is, "negative"
      return %n : index
    }}"""
    report = check("\n".join([*functions, last]), execute=False)
    words = " ".join(report.text().split())
    assert "is not known to be safe" in words
    assert "no sizes" not in words
