"""Test of claims behind an operation that may not return: sizes that falsify the claim may never reach it."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Proved, Refuted, Undecided

FUNCTION = """{helpers}
func.func @f(%n: index, %m: index, %c: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %big = arith.cmpi sge, %n, %c3 : index
  %same = arith.cmpi eq, %n, %m : index
{before}
  cf.assert %big, "behind"
  return
}}
"""

BLOCKS = """cf.cond_br %c, ^a, ^b
  ^a:
    cf.assert %big, "inside"
    cf.br ^b
  ^b:
"""
ROUND = """cf.cond_br %c, ^a, ^b
  ^a:
    cf.br ^b
  ^b:
    cf.cond_br %c, ^a, ^d
  ^d:
"""
"""Control gets between the two blocks by two ways, and that is not followed."""

LOOP = """cf.br ^a
  ^a:
    cf.cond_br %c, ^a, ^b
  ^b:
"""

MAY_STOP = {
    "an unknown operation": ("", '"foo.bar"() : () -> ()'),
    "an unknown operation with a region": ("", '"foo.bar"() ({\n "foo.end"() : () -> ()\n}) : () -> ()'),
    "async.execute": ("", "%t = async.execute {\n async.yield\n}"),
    "an unknown operation that is sometimes run": ("", 'scf.if %c {\n "foo.bar"() : () -> ()\n}'),
    "an unknown operation in a loop": ("", 'scf.for %i = %c0 to %c3 step %c1 {\n "foo.bar"() : () -> ()\n}'),
    "a declared function": ("func.func private @g()", "func.call @g() : () -> ()"),
    "a function that calls a declared one": (
        "func.func private @g()\nfunc.func private @h() {\n func.call @g() : () -> ()\n return\n}",
        "func.call @h() : () -> ()",
    ),
    "a function that is a value": (
        "func.func @g() { return }",
        "%g = func.constant @g : () -> ()\nfunc.call_indirect %g() : () -> ()",
    ),
    "a recursive function": (
        "func.func @g(%k: index) {\n func.call @g(%k) : (index) -> ()\n return\n}",
        "func.call @g(%n) : (index) -> ()",
    ),
    "blocks that go round": ("", f"scf.execute_region {{\n{ROUND} scf.yield\n}}"),
    "blocks of a called function that go round": (
        f"func.func private @g(%c: i1) {{\n{ROUND} return\n}}",
        "func.call @g(%c) : (i1) -> ()",
    ),
    "blocks of a loop whose condition changes": (
        "",
        """scf.execute_region {
    cf.br ^a(%m : index)
  ^a(%i: index):
    %j = arith.muli %i, %i : index
    %k = arith.cmpi slt, %j, %c3 : index
    cf.cond_br %k, ^a(%j : index), ^b
  ^b:
    scf.yield
  }""",
    ),
    "blocks of a loop that ends nobody knows when": (
        "",
        """scf.execute_region {
    cf.br ^a
  ^a:
    %k = "foo.bar"() : () -> i1
    cf.cond_br %k, ^a, ^b
  ^b:
    scf.yield
  }""",
    ),
    "a check in an earlier round between blocks": (
        "",
        """scf.execute_region {
    cf.br ^a(%m : index)
  ^a(%i: index):
    %j = arith.addi %i, %c1 : index
    %k = arith.cmpi sge, %i, %c1 : index
    cf.assert %k, "positive"
    cf.cond_br %same, ^a(%j : index), ^b
  ^b:
    scf.yield
  }""",
    ),
    "a loop whose condition changes": (
        "",
        """%r = scf.while (%i = %m) : (index) -> index {
    %k = arith.cmpi slt, %i, %c3 : index
    scf.condition(%k) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.muli %i, %i : index
    scf.yield %j : index
  }""",
    ),
    "a loop with blocks in its condition": (
        "",
        f"""scf.while : () -> () {{
    scf.execute_region {{
{ROUND}      scf.yield
    }}
    scf.condition(%c)
  }} do {{
    scf.yield
  }}""",
    ),
    "a check of what a loop computes": (
        "",
        """%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
    %y = arith.addi %x, %i : index
    %z = arith.muli %y, %y : index
    scf.yield %z : index
  }
  %small = arith.cmpi slt, %r, %c3 : index
  cf.assert %small, "small" """,
    ),
}


def behind(helpers: str, before: str) -> Refuted | Undecided:
    """The verdict on the assertion at the end of @f, with nothing executed."""
    report = check(FUNCTION.format(helpers=helpers, before=before), execute=False)
    (function,) = [each for each in report.functions if each.name == "f"]
    verdict = function.checked_obligations[-1].verdict
    assert isinstance(verdict, Refuted | Undecided)
    return verdict


@pytest.mark.slow
@pytest.mark.parametrize(("helpers", "before"), MAY_STOP.values(), ids=MAY_STOP)
def test_claims_behind_a_possible_stop_are_undecided(helpers: str, before: str) -> None:
    verdict = behind(helpers, before)
    assert isinstance(verdict, Undecided)
    assert verdict.candidate is not None


GOES_ON = {
    "nothing": ("", ""),
    "a function with a body": ("func.func private @g() { return }", "func.call @g() : () -> ()"),
    "a check in a loop that need not run": (
        "",
        """%r = scf.while (%i = %m) : (index) -> index {
    scf.condition(%same) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    %k = arith.cmpi sge, %i, %c1 : index
    cf.assert %k, "positive"
    scf.yield %j : index
  }""",
    ),
    "a loop that ends": ("", "scf.for %i = %c0 to %n step %c1 {\n}"),
    "a region of one block": ("", "scf.execute_region {\n scf.yield\n}"),
    "blocks that do nothing": (
        "",
        "scf.execute_region {\n cf.cond_br %c, ^a, ^b\n^a:\n cf.br ^b\n^b:\n scf.yield\n}",
    ),
    "blocks that check something else": (
        "",
        """%other = arith.cmpi sle, %n, %c3 : index
  scf.execute_region {
    cf.cond_br %c, ^a, ^b
  ^a:
    cf.assert %other, "passes where the other fails"
    cf.br ^b
  ^b:
    scf.yield
  }""",
    ),
    "blocks in a region": ("", f"scf.execute_region {{\n{BLOCKS} scf.yield\n}}"),
    "blocks in a function that is called": (
        f"func.func private @g(%c: i1, %big: i1) {{\n{BLOCKS} return\n}}",
        "func.call @g(%c, %big) : (i1, i1) -> ()",
    ),
    "blocks in a region of a region": ("", f"scf.if %c {{\n scf.execute_region {{\n{BLOCKS} scf.yield\n}}\n}}"),
    "an unknown operation that is not run": ("", 'scf.if %big {\n "foo.bar"() : () -> ()\n}'),
    "blocks that go round where something else holds": ("", f"scf.execute_region {{\n{LOOP} scf.yield\n}}"),
    "blocks of a called function that go round where something else holds": (
        f"func.func private @g(%c: i1) {{\n{LOOP} return\n}}",
        "func.call @g(%c) : (i1) -> ()",
    ),
    "a loop that is not entered, or never left": (
        "",
        "scf.while : () -> () {\n scf.condition(%c)\n} do {\n scf.yield\n}",
    ),
    "a block that goes round itself elsewhere": ("", "cf.cond_br %c, ^a, ^b\n^a:\n cf.br ^a\n^b:"),
    "blocks that count": (
        "",
        """scf.execute_region {
    cf.br ^a(%c0 : index)
  ^a(%i: index):
    %j = arith.addi %i, %c1 : index
    %k = arith.cmpi slt, %i, %m : index
    cf.cond_br %k, ^a(%j : index), ^b
  ^b:
    scf.yield
  }""",
    ),
    "a loop that does not run for some numbers, and never ends for others": (
        "",
        """%r = scf.while (%i = %m) : (index) -> index {
    %k = arith.cmpi slt, %i, %c3 : index
    scf.condition(%k) %i : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  }""",
    ),
    "a loop that does not run": (
        "",
        "scf.while : () -> () {\n scf.condition(%big)\n} do {\n scf.yield\n}",
    ),
}


@pytest.mark.parametrize(("helpers", "before"), GOES_ON.values(), ids=GOES_ON)
def test_claims_behind_an_operation_that_continues_are_refuted(helpers: str, before: str) -> None:
    assert isinstance(behind(helpers, before), Refuted)


def test_the_other_branch_is_refuted() -> None:
    report = check(
        """func.func @f(%n: index, %c: i1) {
  %c3 = arith.constant 3 : index
  %big = arith.cmpi sge, %n, %c3 : index
  scf.if %c {
    "foo.bar"() : () -> ()
  } else {
    cf.assert %big, "in the other branch"
  }
  return
}""",
        execute=False,
    )
    assert [each.verdict.word for each in report.checked_obligations if each.obligation.op.name == "cf.assert"] == [
        "refuted"
    ]


@pytest.mark.process
def test_an_execution_that_gets_there_confirms() -> None:
    helpers, before = MAY_STOP["blocks that go round"]
    text = FUNCTION.format(helpers=helpers, before=before.replace("%c, ^a", "%big, ^a"))
    (checked_obligation,) = check(text).checked_obligations
    assert isinstance(checked_obligation.verdict, Refuted)
    assert checked_obligation.verdict.strategy == "execution"


@pytest.mark.process
def test_an_execution_that_does_not_get_there_leaves_it_open() -> None:
    before = """%no = arith.cmpi ne, %c1, %c1 : index
  scf.execute_region {
    cf.cond_br %no, ^a, ^b
  ^a:
    cf.br ^b
  ^b:
    cf.assert %big, "inside"
    cf.cond_br %no, ^a, ^d
  ^d:
    scf.yield
  }"""
    *_, last = check(FUNCTION.format(helpers="", before=before)).checked_obligations
    assert isinstance(last.verdict, Undecided)


def test_a_check_on_the_only_way_is_believed_behind_it() -> None:
    helpers, before = GOES_ON["blocks in a region"]
    always = "%yes = arith.cmpi eq, %c1, %c1 : index\n" + before.replace("%c,", "%yes,")
    *_, last = check(FUNCTION.format(helpers=helpers, before=always), execute=False).checked_obligations
    assert isinstance(last.verdict, Proved)


def test_a_refinement_is_not_refuted_by_sizes_that_may_never_get_there() -> None:
    source = "func.func private @g()\nfunc.func @f(%n: index) {\n func.call @g() : () -> ()\n return\n}"
    target = """func.func private @g()
func.func @f(%n: index) {
  %c3 = arith.constant 3 : index
  %big = arith.cmpi sge, %n, %c3 : index
  func.call @g() : () -> ()
  cf.assert %big, "new"
  return
}"""
    refinements = refine_programs(read_text(source), read_text(target), Options(execute=False))
    assert "refuted" not in {each.verdict.word for function in refinements for each in function.findings}
