"""Test that no check proves itself redundant, and that undefined behavior proves nothing."""

from __future__ import annotations

import pytest
from support.pruned_programs import fates, gone, ops, prune

from shapesolve.checker.check import trace_of
from shapesolve.errors import InputError
from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.trace.events import FoldQuery, Kind

HEAD = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
"""


def body(text: str, arguments: str = "%a: tensor<?xf32>, %n: index, %m: index") -> str:
    """A function of these operations."""
    return f"func.func @f({arguments}) {{{HEAD}{text}\n  return\n}}"


@pytest.mark.covers("inference.runtime_checks")
def test_an_assertion_that_only_itself_supports_stays() -> None:
    result = prune(
        body("""
  %p = arith.cmpi eq, %d, %c2 : index
  cf.assert %p, "two" """)
    )
    assert gone(result) == []
    assert "it fails for a: " in result.checks[0].reason


def test_first_of_two_equal_assertions_stays() -> None:
    result = prune(
        body("""
  %p = arith.cmpi eq, %d, %c2 : index
  %q = arith.cmpi eq, %c2, %d : index
  cf.assert %p, "first"
  cf.assert %q, "second"
  cf.assert %p, "third" """)
    )
    assert gone(result) == ["second", "third"]
    assert all("line 10 (cf.assert)" in check.reason for check in result.removed)


def test_a_later_assertion_does_not_remove_an_earlier_one() -> None:
    result = prune(
        body("""
  %weak = arith.cmpi uge, %d, %c1 : index
  %strong = arith.cmpi uge, %d, %c5 : index
  cf.assert %weak, "weak"
  cf.assert %strong, "strong" """)
    )
    assert gone(result) == []


def test_an_assertion_in_a_branch_supports_nothing_outside_of_it() -> None:
    result = prune(
        body("""
  %big = arith.cmpi uge, %n, %c2 : index
  %p = arith.cmpi eq, %d, %c2 : index
  scf.if %big {
    cf.assert %p, "inside"
    cf.assert %p, "again inside"
  }
  cf.assert %p, "outside"
  scf.if %big {
    cf.assert %p, "last"
  }""")
    )
    assert [each for each in gone(result) if each] == ["again inside", "last"]
    assert result.counts["scf.if"] == (2, 1)  # the one that is empty now goes


def test_an_assertion_in_a_branch_supports_the_same_branch_taken_later() -> None:
    result = prune(
        body("""
  %big = arith.cmpi uge, %n, %c2 : index
  %p = arith.cmpi eq, %d, %c2 : index
  scf.if %big {
    cf.assert %p, "inside"
  }
  scf.if %big {
    cf.assert %p, "same branch"
  } else {
    cf.assert %p, "other branch"
  }""")
    )
    assert gone(result) == ["same branch"]


def test_an_assertion_that_always_fails_stays_and_so_does_what_follows() -> None:
    result = prune(
        body("""
  %false = arith.constant false
  cf.assert %false, "always"
  cf.assert %false, "after"
  %true = arith.constant true
  cf.assert %true, "trivial" """)
    )
    assert gone(result) == []
    assert [check.verdict for check in result.checks] == ["refuted", "unreachable", "unreachable"]
    assert result.checks[0].always_fails
    assert "no proof" in result.checks[1].reason


def test_contradicting_assumptions_prune_nothing_and_are_named() -> None:
    result = prune(
        body("""
  %true = arith.constant true
  cf.assert %true, "trivial" """),
        assumptions=("a[0] > 3", "a[0] < 2"),
    )
    assert gone(result) == []
    (note,) = [note for note in result.notes if "nothing is pruned" in note]
    assert "a[0] > 3" in note
    assert "a[0] < 2" in note


def test_contradictions_in_one_function_leave_it_alone_while_others_are_pruned() -> None:
    two = body('%true = arith.constant true\n  cf.assert %true, "f"')
    contradiction = 'attributes {shapesolve.assume = ["n > 3", "n < 2"]}'
    text = two + two.replace("@f", "@g").replace('"f"', '"g"').replace(") {", f") {contradiction} {{")
    result = prune(text, min_size=2)
    assert gone(result) == ["f"]
    assert [note.split(":")[0] for note in result.notes if "nothing is pruned" in note] == ["@g"]
    assert "shapesolve.assume" in read_text(result.text).functions["f"].operation.attributes
    # What the options added is written down where it was used; the other function keeps only its own words.
    assert read_text(result.text).functions["g"].operation.attributes["shapesolve.assume"] == ("n > 3", "n < 2")


UNDEFINED_BEFORE = {
    "a cast": """
  %u = tensor.cast %a : tensor<?xf32> to tensor<2xf32>
  %p = arith.cmpi eq, %d, %c2 : index""",
    "a division": """
  %u = arith.divsi %n, %m : index
  %p = arith.cmpi ne, %m, %c0 : index""",
    "an allocation": """
  %u = tensor.empty(%n) : tensor<?xf32>
  %p = arith.cmpi sge, %n, %c0 : index""",
    "an access": """
  %u = tensor.extract %a[%n] : tensor<?xf32>
  %p = arith.cmpi slt, %n, %d : index""",
    "a quotient": """
  %u = arith.divui %d, %n : index
  %p = arith.cmpi ule, %u, %d : index""",
    "a loop": """
  %p = scf.for %i = %c0 to %n step %m iter_args(%q = %true) -> i1 {
    %r = arith.cmpi sge, %i, %c0 : index
    cf.assert %r, "inside"
    scf.yield %q : i1
  }""",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", [key for key in UNDEFINED_BEFORE if key != "a loop"])
def test_undefined_behavior_supports_removals_only_when_trusted(what: str) -> None:
    text = body(UNDEFINED_BEFORE[what] + '\n  cf.assert %p, "check"')
    careful, trusting = prune(text), prune(text, trust_ub=True)
    assert gone(careful) == []
    assert "--trust-ub would remove it" in careful.checks[0].reason
    assert gone(trusting) == ["check"]
    assert any("--trust-ub" in note for note in trusting.notes)


def test_a_counter_of_a_loop_whose_step_may_be_zero_supports_nothing() -> None:
    text = body("\n  %true = arith.constant true" + UNDEFINED_BEFORE["a loop"])
    assert gone(prune(text)) == []
    assert gone(prune(text, assumptions=("m >= 1",))) == ["inside"]


def test_a_loop_that_never_runs_stays_where_its_step_is_trusted() -> None:
    """Later operations may be defined only because the step of the loop is positive."""
    slice = "\n  %s = tensor.extract_slice %a[0] [1] [1] : tensor<?xf32> to tensor<1xf32>"
    loop = "\n  scf.for %i = %n to %n step %d {\n    scf.yield\n  }"
    result = prune(body(loop + slice), trust_ub=True)
    assert not result.simplified
    assert [each.op for each in prune(body(loop + slice), trust_ub=True, assumptions=("a[0] >= 1",)).simplified]


def test_possibly_undefined_results_are_followed_through_calls() -> None:
    text = """
func.func private @twice(%x: index) -> index {
  %y = arith.addi %x, %x : index
  return %y : index
}
func.func @f(%a: tensor<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %q = arith.divui %d, %m : index
  %t = call @twice(%q) : (index) -> index
  %s = call @twice(%d) : (index) -> index
  %p = arith.cmpi ule, %q, %d : index
  %r = arith.cmpi sge, %t, %c0 : index
  %g = arith.cmpi sge, %s, %c0 : index
  cf.assert %r, "of a quotient"
  cf.assert %g, "of a size"
  return
}"""
    assert gone(prune(text)) == ["of a size"]
    assert gone(prune(text, assumptions=("m >= 1",))) == ["of a quotient", "of a size"]


SUM = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %r, %c0 : tensor<?xf32>
  %same = arith.cmpi sge, %d, %e : index
  %one = arith.cmpi eq, %d, %c1 : index
  %p = arith.ori %same, %one : i1
  cf.assert %p, "the sum is no longer"
  return %e : index
}"""


@pytest.mark.process
def test_the_extents_of_what_may_be_undefined_support_nothing() -> None:
    """Executed on sizes 0 and 1, the sum has size 1: the check does fail there."""
    result = prune(SUM)
    assert gone(result) == []
    assert result.checks[0].reason == (
        "redundant only if `tosa.add` (line 5) is not undefined; --trust-ub would remove it"
    )
    execution = execute(result.text, "f", [TensorInput((0,)), TensorInput((1,))], runtime_checks=False)
    assert (execution.outcome, execution.message) == (Outcome.ABORTED, "the sum is no longer")
    assert gone(prune(SUM, trust_ub=True)) == ["the sum is no longer"]
    assert gone(prune(SUM, assumptions=("a[0] == b[0]", "a[0] >= 1"))) == ["the sum is no longer"]


def test_extents_that_an_operation_was_given_are_what_they_are() -> None:
    result = prune(
        body("""
  %c3 = arith.constant 3 : index
  %u = tensor.cast %a : tensor<?xf32> to tensor<3xf32>
  %e = tensor.dim %u, %c0 : tensor<3xf32>
  %p = arith.cmpi eq, %e, %c3 : index
  cf.assert %p, "of the type"
  %q = arith.cmpi eq, %d, %c3 : index
  cf.assert %q, "of the operand" """)
    )
    assert gone(result) == ["of the type"]


def test_a_check_that_leans_on_a_check_of_something_undefined_stays() -> None:
    result = prune(
        body("""
  %q = arith.divui %d, %n : index
  %p = arith.cmpi eq, %q, %c2 : index
  cf.assert %p, "quotient"
  %r = arith.cmpi uge, %d, %c2 : index
  cf.assert %r, "size" """)
    )
    assert gone(result) == []
    assert "redundant only if `arith.divui` (line 8) is not undefined" in result.checks[1].reason


CALLED = """
func.func private @same(%x: index, %y: index) {
  %p = arith.cmpi eq, %x, %y : index
  cf.assert %p, "same"
  return
}
"""


def caller(name: str, *calls: str) -> str:
    """A function of two numbers that makes these calls."""
    lines = "\n".join(f"  func.call @same({each}) : (index, index) -> ()" for each in calls)
    return f"func.func @{name}(%n: index, %m: index) {{\n{lines}\n  return\n}}\n"


def test_a_check_in_a_callee_goes_when_every_call_proves_it() -> None:
    assert gone(prune(CALLED + caller("f", "%n, %n", "%m, %m"))) == ["same"]


def test_a_check_in_a_callee_stays_when_one_call_does_not_prove_it() -> None:
    assert gone(prune(CALLED + caller("f", "%n, %n", "%n, %m", "%n, %m"))) == []


def test_a_check_in_a_callee_stays_when_another_function_does_not_prove_it() -> None:
    result = prune(CALLED + caller("f", "%n, %n") + caller("g", "%n, %m"))
    assert gone(result) == []
    assert result.checks[0].reason.startswith("from @g it fails for")


def test_a_check_in_a_callee_stays_when_another_function_was_not_checked() -> None:
    result = prune(CALLED + caller("f", "%n, %n") + caller("g", "%n, %n"), functions=("f",))
    assert gone(result) == []
    assert result.checks[0].reason == "@g, which was not checked, reaches it too"


def test_a_check_in_a_public_function_must_hold_for_any_arguments() -> None:
    assert gone(prune(CALLED.replace("private ", "") + caller("f", "%n, %n"))) == []


def test_a_check_below_a_recursive_call_stays() -> None:
    result = prune("""
func.func private @down(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sge, %n, %c0 : index
  cf.assert %p, "not negative"
  %less = arith.subi %n, %c1 : index
  func.call @down(%less) : (index) -> ()
  return
}
func.func @f() {
  %c3 = arith.constant 3 : index
  call @down(%c3) : (index) -> ()
  return
}""")
    assert gone(result) == []
    assert result.checks[0].reason == "a way from @f into @down was not followed"


def test_a_check_in_a_function_that_is_handed_on_stays() -> None:
    result = prune(
        CALLED
        + """
func.func @f(%n: index, %m: index) {
  %f = func.constant @same : (index, index) -> ()
  func.call @same(%n, %n) : (index, index) -> ()
  func.call_indirect %f(%n, %m) : (index, index) -> ()
  return
}"""
    )
    assert gone(result) == []


def test_a_check_that_nothing_reaches_stays() -> None:
    result = prune("""
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c1) to (%c0) step (%c1) {
    %true = arith.constant true
    cf.assert %true, "no iteration"
  }
  return
}""")
    assert gone(result) == []


def test_a_check_goes_with_a_loop_that_never_runs() -> None:
    result = prune("""
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %c0 step %c1 {
    %true = arith.constant true
    cf.assert %true, "no iteration"
  }
  return
}""")
    assert gone(result) == ["no iteration"]
    assert result.checks[0].reason == "it stands in a loop that never runs"


def test_blocks_support_what_they_dominate_for_certain() -> None:
    result = prune(
        """
func.func @f(%n: index, %b: i1) {
  %c2 = arith.constant 2 : index
  %p = arith.cmpi uge, %n, %c2 : index
  cf.assert %p, "entry"
  cf.cond_br %b, ^one(%n : index), ^two
^one(%x: index):
  cf.assert %p, "dominated"
  %q = arith.cmpi uge, %x, %c2 : index
  cf.assert %q, "argument"
  cf.br ^two
^two:
  cf.assert %q2, "also"
  return
}""".replace("%q2", "%p")
    )
    assert gone(result) == ["dominated", "argument", "also"]


def test_a_check_on_one_way_keeps_what_stands_on_the_other() -> None:
    result = prune(
        """
func.func @f(%n: index, %m: index, %b: i1) {
  %c2 = arith.constant 2 : index
  %p = arith.cmpi uge, %n, %c2 : index
  cf.cond_br %b, ^one(%n : index), ^two(%m : index)
^one(%x: index):
  cf.assert %p, "on one way"
  cf.br ^three(%x : index)
^two(%y: index):
  cf.assert %p, "on the other"
  %q = arith.cmpi uge, %m, %c2 : index
  cf.assert %q, "m"
  cf.br ^three(%y : index)
^three(%z: index):
  cf.assert %p, "on both"
  %r = arith.cmpi uge, %z, %c2 : index
  cf.assert %r, "either"
  %s = arith.cmpi uge, %m, %c2 : index
  cf.assert %s, "on one only"
  return
}"""
    )
    assert gone(result) == ["on both", "either"]


def test_an_iteration_does_not_lean_on_the_one_before() -> None:
    result = prune("""
func.func @f(%n: index, %start: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> index {
    %p = arith.cmpi slt, %x, %c9 : index
    cf.assert %p, "small"
    cf.assert %p, "still small"
    %y = arith.addi %x, %c1 : index
    scf.yield %y : index
  }
  %p = arith.cmpi slt, %r, %c9 : index
  cf.assert %p, "after"
  return %r : index
}""")
    assert gone(result) == ["still small"]


def test_a_witness_that_never_passes_keeps_its_region() -> None:
    result = prune("""
func.func @f() {
  %false = arith.constant false
  %w = shape.cstr_require %false, "never"
  shape.assuming %w {
    "some.op"() : () -> ()
  }
  %v = shape.const_witness false
  shape.assuming %v {
    "some.op"() : () -> ()
  }
  return
}""")
    assert not result.removed
    assert result.checks[0].always_fails
    assert [op for op in ops(result.text) if op == "shape.assuming"] == ["shape.assuming"] * 2


def test_a_witness_out_of_a_branch_is_not_taken_for_a_passing_one() -> None:
    result = prune("""
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = scf.if %c -> (!shape.witness) {
    %x = shape.cstr_eq %s, %t : tensor<1xindex>, tensor<1xindex>
    scf.yield %x : !shape.witness
  } else {
    %y = shape.cstr_eq %s, %s : tensor<1xindex>, tensor<1xindex>
    scf.yield %y : !shape.witness
  }
  shape.assuming %w {
    "some.op"() : () -> ()
  }
  return
}""")
    assert fates(result)[1:] == [("shape.cstr_eq", False), ("shape.cstr_eq", True), ("shape.assuming", False)]


def test_a_condition_that_is_not_known_stays() -> None:
    result = prune("""
func.func @f(%x: f32) {
  %p = "some.question"(%x) : (f32) -> i1
  cf.assert %p, "who knows"
  cf.assert %p, "the same"
  return
}""")
    assert gone(result) == ["the same"]


def test_a_bound_on_sizes_is_no_reason() -> None:
    with pytest.raises(InputError, match="--max-size"):
        prune(body(""), max_size=8)


def test_a_guard_raises_a_question_and_no_obligation() -> None:
    program = read_text(
        body("""
  %p = arith.cmpi eq, %d, %c2 : index
  scf.if %p {
    cf.assert %p, "inside"
  }""")
    )
    trace = trace_of(program, program.functions["f"], Options())
    questions = [event for event in trace.events if isinstance(event, FoldQuery)]
    assert [str(question.condition) for question in questions] == ["a[0] == 2"]
    assert [obligation.op.name for obligation in trace.obligations if obligation.kind is Kind.CHECK] == ["cf.assert"]


def test_a_check_is_shown_to_fail_where_the_operation_before_it_is_defined() -> None:
    """A removal must not rely on the divisor, but at a divisor of 0 no run gets to the assertion."""
    result = prune(
        body("""
  %r = arith.remui %d, %n : index
  %p = arith.cmpi eq, %r, %c0 : index
  cf.assert %p, "divides" """)
    )
    assert gone(result) == []
    (check,) = result.checks
    assert "it fails for a: " in check.reason
    assert ", n = 0" not in check.reason


def test_sizes_are_shown_where_only_an_undefined_operation_arrives() -> None:
    result = prune(
        body("""
  %r = arith.remui %d, %n : index
  %p = arith.cmpi ne, %n, %c0 : index
  cf.assert %p, "divides" """)
    )
    assert gone(result) == []
    (check,) = result.checks
    assert "it fails for a: " in check.reason and ", n = 0" in check.reason
