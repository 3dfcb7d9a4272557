"""Tests of symbol names: the function that a call names, and functions that may be called otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve import check
from shapesolve.errors import InputError
from shapesolve.execution.execution import Outcome, ScalarInput
from shapesolve.execution.runner import execute
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.pruning.prune import prune_program

POSITIVE = """func.func private @g(%n: index) {
  %c1 = arith.constant 1 : index
  %k = arith.cmpi sge, %n, %c1 : index
  cf.assert %k, "positive"
  return
}
"""
ANYTHING = "func.func private @g(%n: index) { return }\n"
CALL_WITH_ONE = """func.func @f() {
  %c1 = arith.constant 1 : index
  func.call @g(%c1) : (index) -> ()
  return
}
"""
CALL = """func.func @f(%n: index) {
  func.call @g(%n) : (index) -> ()
  return
}
"""


def assertions(text: str) -> dict[str, set[str]]:
    """The verdicts on the assertions that each entry point reaches."""
    report = check(text, execute=False)
    return {
        each.name: {j.verdict.word for j in each.checked_obligations if j.obligation.op.name == "cf.assert"}
        for each in report.functions
    }


def left(text: str) -> int:
    """Return the number of assertions that pruning leaves."""
    return prune_program(read_text(text), Options()).text.count("cf.assert")


# Calls ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        (ANYTHING, POSITIVE, {"f": set[str](), "inner::@f": {"refuted"}}),
        (POSITIVE, ANYTHING, {"f": {"refuted"}, "inner::@f": set[str]()}),
    ],
)
def test_a_call_means_the_function_of_its_own_module(outer: str, inner: str, expected: dict[str, set[str]]) -> None:
    text = f"module {{\n{outer}{CALL}module @inner {{\n{inner}{CALL}}}\n}}"
    assert assertions(text) == expected
    assert left(text) == 1


def test_proofs_of_one_module_do_not_reach_another() -> None:
    text = f"{POSITIVE}{CALL_WITH_ONE}module @inner {{\n{POSITIVE}{CALL}}}"
    assert assertions(text) == {"f": {"proved"}, "inner::@f": {"refuted"}}
    assert left(text) == 1


def test_modules_of_three_levels() -> None:
    text = f"""{ANYTHING}{CALL}
module @a {{
  {POSITIVE}{CALL_WITH_ONE}
  module @b {{
    {POSITIVE}{CALL}
  }}
}}"""
    assert assertions(text) == {"f": set[str](), "a::@f": {"proved"}, "a::@b::@f": {"refuted"}}
    assert left(text) == 1


def test_functions_of_nested_modules_are_chosen_by_path_or_by_a_unique_name() -> None:
    program = read_text(f"{ANYTHING}{CALL}module @inner {{\n{POSITIVE}{CALL}func.func @h() {{ return }}}}")
    for name, found in (("@inner::@f", "inner::@f"), ("inner::@f", "inner::@f"), ("f", "f"), ("@h", "inner::@h")):
        (function,) = check_program(program, Options(functions=(name,), execute=False)).functions
        assert function.name == found
    ambiguous = read_text(f"module @a {{\n{CALL}{ANYTHING}}}\nmodule @b {{\n{CALL}{ANYTHING}}}")
    with pytest.raises(InputError, match="a::@f, a::@g, b::@f, b::@g"):
        check_program(ambiguous, Options(functions=("f",)))


@pytest.mark.process
def test_a_function_of_a_nested_module_is_executed_with_its_own_callees() -> None:
    text = f"{ANYTHING}{CALL}module @inner {{\n{POSITIVE}{CALL}}}"
    outcomes = {
        (name, n): execute(text, name, [ScalarInput(n)], runtime_checks=False).outcome
        for name in ("f", "inner::@f")
        for n in (0, 1)
    }
    assert outcomes.pop(("inner::@f", 0)) is Outcome.ABORTED
    assert set(outcomes.values()) == {Outcome.RETURNED}
    confirmed = [j.confirmation for each in check(text).functions for j in each.checked_obligations]
    assert [each.shown.name for each in confirmed if each is not None] == ["FAILED_HERE"]


# Mentions ------------------------------------------------------------------------------------------------------------

MENTIONS = {
    "an attribute of the module": f"module attributes {{my.start = @g}} {{\n{POSITIVE}{CALL_WITH_ONE}}}",
    "a list of lists": f"module attributes {{my.start = [[1, [@g]]]}} {{\n{POSITIVE}{CALL_WITH_ONE}}}",
    "a dictionary": f"module attributes {{my.start = {{a = {{b = [@g]}}}}}} {{\n{POSITIVE}{CALL_WITH_ONE}}}",
    "a list of initialisers": f"""{POSITIVE}{CALL_WITH_ONE}
"foo.global_ctors"() {{ctors = [@g], priorities = [0 : i32]}} : () -> ()""",
    "a class": f"""{POSITIVE.replace("(", '(%c: !torch.nn.Module<"c">, ', 1)}
func.func @f(%c: !torch.nn.Module<"c">) {{
  %c1 = arith.constant 1 : index
  func.call @g(%c, %c1) : (!torch.nn.Module<"c">, index) -> ()
  return
}}
torch.class_type @c {{
  torch.method "forward", @g
}}""",
    "an unknown operation": f"""{POSITIVE}{CALL_WITH_ONE}
"foo.start"() {{entry = @g}} : () -> ()""",
    "an unknown operation in a function": f"""{POSITIVE}{CALL_WITH_ONE}
func.func @h() {{
  "foo.start"() {{entry = @g}} : () -> ()
  return
}}""",
    "an attribute of another function": f"""{POSITIVE}{CALL_WITH_ONE}
func.func @h() attributes {{foo.fallback = @g}} {{ return }}""",
    "an attribute of an argument": f"""{POSITIVE}{CALL_WITH_ONE}
func.func @h(%n: index {{foo.by = @g}}) {{ return }}""",
    "another attribute of the call": f"""{POSITIVE}
func.func @f() {{
  %c1 = arith.constant 1 : index
  func.call @g(%c1) {{foo.later = @g}} : (index) -> ()
  return
}}""",
    "a value": f"""{POSITIVE}{CALL_WITH_ONE}
func.func @h(%n: index) {{
  %g = func.constant @g : (index) -> ()
  "foo.keep"(%g) : ((index) -> ()) -> ()
  return
}}""",
    "another module": f"""module @inner {{
{POSITIVE}{CALL_WITH_ONE}}}
"foo.start"() {{entry = @inner::@g}} : () -> ()""",
    "a module around it, from inside": f"""{POSITIVE}{CALL_WITH_ONE}
module @inner {{
  "foo.start"() {{entry = @g}} : () -> ()
}}""",
    "the attribute of a module around": f"""module attributes {{my.start = @g}} {{
module @inner {{
{POSITIVE}{CALL_WITH_ONE}}}
}}""",
    "an attribute that is not understood": f"""{POSITIVE}{CALL_WITH_ONE}
"foo.start"() {{entry = #foo<start @g>}} : () -> ()""",
    "a long attribute that is not understood": f"""{POSITIVE}{CALL_WITH_ONE}
"foo.start"() {{entry = #foo<{"a " * 200}@g{" b" * 200}>}} : () -> ()""",
    "a type in an attribute": f"""{POSITIVE}{CALL_WITH_ONE}
"foo.start"() {{entry = !foo<start @g>}} : () -> ()""",
}


@pytest.mark.parametrize("text", MENTIONS.values(), ids=MENTIONS)
def test_a_private_function_that_is_named_otherwise_may_be_called_with_anything(text: str) -> None:
    assert {word for words in assertions(text).values() for word in words} == {"proved", "refuted"}
    assert left(text) == 1


def test_a_private_function_that_is_only_called_is_judged_by_its_calls() -> None:
    assert assertions(POSITIVE + CALL_WITH_ONE) == {"f": {"proved"}}
    assert left(POSITIVE + CALL_WITH_ONE) == 0


def test_a_mention_of_the_same_name_in_another_module_is_none() -> None:
    text = f"""{POSITIVE}{CALL_WITH_ONE}
module @inner {{
  {ANYTHING}
}}
"foo.start"() {{entry = @inner::@g}} : () -> ()"""
    assert assertions(text) == {"f": {"proved"}, "inner::@g": set()}


def test_a_nested_visibility_is_visible() -> None:
    text = POSITIVE.replace("private", "nested") + CALL_WITH_ONE
    assert assertions(text) == {"g": {"refuted"}, "f": {"proved"}}
    assert left(text) == 1


@pytest.mark.parametrize("calls", ["@g", "@h"])
def test_private_functions_that_only_each_other_call_are_checked(calls: str) -> None:
    """They have no caller, so no fact about their arguments is known."""
    text = f"""func.func private @g(%n: index) {{
  %c1 = arith.constant 1 : index
  %k = arith.cmpi sge, %n, %c1 : index
  cf.assert %k, "positive"
  func.call {calls}(%c1) : (index) -> ()
  return
}}
func.func private @h(%n: index) {{
  func.call @g(%n) : (index) -> ()
  return
}}
func.func @f() {{ return }}"""
    assert "refuted" in {word for words in assertions(text).values() for word in words}
    assert left(text) == 1


def test_the_command_takes_a_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from shapesolve.cli.main import main

    path = tmp_path / "nested.mlir"
    path.write_text(f"{ANYTHING}{CALL}module @inner {{\n{POSITIVE}{CALL}}}")
    assert main(["check", str(path), "--function", "@inner::@f", "--no-execute"]) == 1
    assert "cf.assert needs n >= 1" in capsys.readouterr().out
    assert main(["check", str(path), "--function", "@f", "--no-execute"]) == 0
