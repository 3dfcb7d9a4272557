"""Tests of every kind of removable check, and of its replacement."""

from __future__ import annotations

import pytest
from support.pruned_programs import fates, ops, prune

from shapesolve import Proved, check
from shapesolve.trace.events import Kind


def test_an_assertion_goes_with_what_only_fed_it() -> None:
    result = prune("""
func.func @f(%a: tensor<?x3xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %a, %c0 : tensor<?x3xf32>
  %e = tensor.dim %a, %c1 : tensor<?x3xf32>
  %p = arith.cmpi eq, %e, %c3 : index
  cf.assert %p, "three columns"
  return %d : index
}""")
    assert fates(result) == [("cf.assert", True)]
    assert ops(result.text) == ["builtin.module", "func.func", "arith.constant", "tensor.dim", "func.return"]
    assert result.counts == {"cf.assert": (1, 0)}
    (check,) = result.checks
    assert (check.message, check.location.line, check.verdict) == ("three columns", 9, "proved")
    assert check.identity == "f/cf.assert#8"


def test_an_assertion_that_the_author_states_stays_and_what_it_implies_goes() -> None:
    result = prune("""
func.func @f(%n: index, %m: index) {
  %fits = arith.cmpi sle, %n, %m : index
  cf.assert %fits, "stated" {shapesolve.declared}
  %less = arith.cmpi sgt, %n, %m : index
  %true = arith.constant true
  %fine = arith.xori %less, %true : i1
  cf.assert %fine, "implied"
  return
}""")
    assert fates(result) == [("cf.assert", False), ("cf.assert", True)]
    assert [each.verdict for each in result.checks] == ["stated", "proved"]


def test_dead_code_that_was_there_before_stays() -> None:
    result = prune("""
func.func @f(%a: tensor<?x3xf32>) {
  %true = arith.constant true
  %unused = arith.constant 7 : index
  cf.assert %true, "nothing"
  return
}""")
    assert ops(result.text) == ["builtin.module", "func.func", "arith.constant", "func.return"]
    assert "%unused = arith.constant 7" in result.text


def test_unused_operations_with_effects_or_undefined_behavior_stay() -> None:
    result = prune(
        """
func.func private @effect() -> i1
func.func @f(%n: index, %m: index) {
  %c7 = arith.constant 7 : index
  %q = arith.divui %n, %m : index
  %small = arith.cmpi ule, %q, %c7 : index
  %true = arith.constant true
  %fine = arith.ori %small, %true : i1
  cf.assert %fine, "never fails"
  %e = call @effect() : () -> i1
  %also = arith.ori %e, %true : i1
  cf.assert %also, "never fails"
  return
}""",
        trust_ub=True,
    )
    assert result.counts == {"cf.assert": (2, 0)}
    left = ops(result.text)
    assert "arith.divui" in left
    assert "func.call" in left
    assert not {"arith.ori", "arith.cmpi"} & set(left)


def test_constraints_become_witnesses_and_assumptions_are_inlined() -> None:
    result = prune("""
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, index) {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %true = arith.constant true
  %w = shape.cstr_eq %s, %t : tensor<1xindex>, tensor<1xindex>
  %v = shape.cstr_broadcastable %s, %t : tensor<1xindex>, tensor<1xindex>
  %u = shape.cstr_require %true, "of course"
  %uv = shape.assuming_all %u, %v
  %all = shape.assuming_all %w, %v
  %r:2 = shape.assuming %uv -> (tensor<?xf32>, index) {
    %c1 = arith.constant 1 : index
    shape.assuming_yield %b, %c1 : tensor<?xf32>, index
  }
  shape.assuming %all {
    "some.use"(%r#0) : (tensor<?xf32>) -> ()
  }
  return %r#0, %r#1 : tensor<?xf32>, index
}""")
    assert fates(result) == [
        ("shape.cstr_eq", False),
        ("shape.cstr_broadcastable", True),
        ("shape.cstr_require", True),
        ("shape.assuming_all", True),
        ("shape.assuming_all", True),  # of the two that it joins one is left
        ("shape.assuming", True),
        ("shape.assuming", False),
    ]
    assert "return %b, %c1 : tensor<?xf32>, index" in result.text
    assert "shape.assuming %w {" in result.text
    broadcastable = result.checks[1]
    assert "line 6 (shape.cstr_eq)" in broadcastable.reason


def test_a_constraint_on_nothing_goes() -> None:
    result = prune("""
func.func @f() {
  %w = "shape.cstr_eq"() : () -> !shape.witness
  shape.assuming %w {
    "some.op"() : () -> ()
  }
  return
}""")
    assert ops(result.text) == ["builtin.module", "func.func", "some.op", "func.return"]


def test_the_second_assumption_of_a_witness_from_outside_goes() -> None:
    result = prune("""
func.func @f(%w: !shape.witness) {
  shape.assuming %w {
    "first.op"() : () -> ()
  }
  shape.assuming %w {
    "second.op"() : () -> ()
  }
  return
}""")
    assert fates(result) == [("shape.assuming", False), ("shape.assuming", True)]
    assert ops(result.text)[2:] == ["shape.assuming", "first.op", "shape.assuming_yield", "second.op", "func.return"]


GUARD = """
func.func @f(%a: tensor<?xf32>, %b: tensor<1xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %one = arith.cmpi eq, %d, %c1 : index
  %r = scf.if %one -> (tensor<?xf32>) {
    cf.assert %one, "is one"
    %e = tensor.empty(%d) : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}"""


def test_a_guard_that_may_go_either_way_stays() -> None:
    result = prune(GUARD)
    assert fates(result) == [("scf.if", False), ("cf.assert", True)]
    assert "line 7 (the branch is taken)" in result.checks[1].reason


def test_a_guard_that_is_never_taken_goes_with_the_checks_in_it() -> None:
    result = prune(GUARD, min_size=0, assumptions=("a[0] >= 2",))
    assert fates(result) == [("scf.if", True), ("cf.assert", True)]
    assert result.checks[0].reason == "its condition is always false, implied by --assume: a[0] >= 2"
    assert result.checks[1].reason == "it stands in a branch that is never taken"
    assert ops(result.text) == ["builtin.module", "func.func", "func.return"]
    assert "return %a : tensor<?xf32>" in result.text


def test_a_guard_that_is_always_taken_leaves_its_first_branch() -> None:
    result = prune(GUARD, assumptions=("a[0] == 1",))
    assert fates(result) == [("scf.if", True), ("cf.assert", True)]
    assert "return %e : tensor<?xf32>" in result.text


def test_guards_without_results_and_inside_each_other() -> None:
    result = prune("""
func.func @f(%n: index) attributes {shapesolve.assume = "n >= 3"} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %neg = arith.cmpi slt, %n, %c0 : index
  scf.if %neg {
    "never.op"() : () -> ()
  }
  %pos = arith.cmpi sgt, %n, %c0 : index
  scf.if %pos {
    %big = arith.cmpi sgt, %n, %c5 : index
    scf.if %big {
      scf.if %neg {
        cf.assert %neg, "absurd"
      } else {
        "kept.op"() : () -> ()
      }
    }
  }
  return
}""")
    assert fates(result) == [
        ("scf.if", True),
        ("scf.if", True),
        ("scf.if", False),
        ("scf.if", True),
        ("cf.assert", True),
    ]
    left = ops(result.text)
    assert "never.op" not in left
    assert left.count("scf.if") == 1
    assert "kept.op" in left


def test_a_shape_assertion_of_stablehlo_goes() -> None:
    result = prune("""
func.func @f(%a: tensor<?xf32>) attributes {shapesolve.assume = "a[0] >= 4 and a[0] <= 100"} {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %c4 = stablehlo.constant dense<4> : tensor<i32>
  %p = stablehlo.compare GE, %n, %c4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%p, %n) {error_message = "{0} is less than 4", has_side_effect = true}
    : (tensor<i1>, tensor<i32>) -> ()
  stablehlo.custom_call @something_else(%p) {has_side_effect = true} : (tensor<i1>) -> ()
  return
}""")
    assert fates(result) == [("stablehlo.custom_call @shape_assertion", True)]
    assert result.checks[0].message == "{0} is less than 4"
    assert ops(result.text).count("stablehlo.custom_call") == 1


def test_an_assertion_of_tosa_goes() -> None:
    result = prune("""
func.func @f() {
  %a = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  tosa.assert_equal_shape %a, %b {allow_broadcast = false} : (!tosa.shape<2>, !tosa.shape<2>) -> ()
  tosa.assert_equal_shape %a, %c {allow_broadcast = true} : (!tosa.shape<2>, !tosa.shape<2>) -> ()
  return
}""")
    assert fates(result) == [("tosa.assert_equal_shape", True), ("tosa.assert_equal_shape", False)]
    assert result.checks[1].always_fails


def test_later_rounds_use_the_removals_of_earlier_ones() -> None:
    """The result of a guard is one thing or the other until the guard is gone."""
    result = prune("""
func.func @f(%a: tensor<?xf32>, %w: !shape.witness) attributes {shapesolve.assume = "a[0] >= 2"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %one = arith.cmpi eq, %d, %c1 : index
  %v = scf.if %one -> (!shape.witness) {
    scf.yield %w : !shape.witness
  } else {
    %t = shape.const_witness true
    scf.yield %t : !shape.witness
  }
  shape.assuming %v {
    "some.op"() : () -> ()
  }
  return
}""")
    assert fates(result) == [("scf.if", True), ("shape.assuming", True)]
    assert ops(result.text) == ["builtin.module", "func.func", "some.op", "func.return"]


BEHIND_A_WITNESS = """
func.func @f(%x: index, %h: index) -> index {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sge, %h, %c1 : index
  %w = shape.cstr_require %p, "at least one"
  {body}
  return %r : index
}}"""


@pytest.mark.parametrize(
    "body",
    [
        'cf.assert %p, "again"\n %r = arith.remui %x, %h : index',
        "%m = arith.maxsi %h, %c1 : index\n %r = arith.remui %x, %m : index",
        "%r = scf.if %p -> index {\n %q = arith.remui %x, %h : index\n scf.yield %q : index\n"
        "} else {\n scf.yield %c0 : index\n }",
    ],
)
def test_unguarded_operations_do_not_rest_on_a_witness(body: str) -> None:
    """An assertion that only makes a witness is no barrier: what stands behind it may run before."""
    text = BEHIND_A_WITNESS.format(body=body)
    result = prune(text)
    demands = [
        each for each in check(result.text, execute=False).checked_obligations if each.obligation.kind is not Kind.CHECK
    ]
    assert all(isinstance(each.verdict, Proved) for each in demands)
    assert result.removed == ()


def test_guarded_operations_rest_on_their_witness() -> None:
    result = prune(
        BEHIND_A_WITNESS.format(
            body="""%r = shape.assuming %w -> index {
    cf.assert %p, "again"
    %m = arith.maxsi %h, %c1 : index
    %q = arith.remui %x, %m : index
    shape.assuming_yield %q : index
  }"""
        )
    )
    assert "cf.assert" not in result.text
    assert "arith.maxsi" not in result.text
