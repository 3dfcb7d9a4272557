"""Tests of guards at function entry: the inserted checks, the removed ones, and the ones that must stay."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from guards.changed_programs import changed
from support.refined_pairs import refined

from shapesolve import Proved, Unreachable, prune
from shapesolve.errors import InputError
from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.pruning.result import PruneResult
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Refuted
from shapesolve.trace.events import Kind

EXAMPLES = Path(__file__).parents[2] / "examples"


def conditions(result: PruneResult) -> list[str]:
    return [each.condition for each in result.written]


@cache
def at_entry(text: str, style: Literal["cf", "shape", "stablehlo"] = "cf") -> PruneResult:
    """A text with its checks at the entry. Checking the output finds open what is said to be, and nothing else."""
    result = changed(text, "at_entry", style)
    report = check_program(read_text(result.text), Options(execute=False))
    unproved = [
        f"{each.obligation.op.name} (line {each.obligation.location.line})"
        for each in report.checked_obligations
        if not isinstance(each.verdict, Proved | Unreachable) and each.obligation.kind is not Kind.CHECK
    ]
    assert set(unproved) <= set(result.still_open)
    failing = {each.obligation.op.number for each in report.checked_obligations if isinstance(each.verdict, Refuted)}
    assert len(failing - {each.number for each in result.written}) <= len(result.kept) + len(result.still_open)
    return result


def refines(source: str, target: str) -> list[str]:
    """Return, for each function, the verdict on whether the second text refines the first one."""
    options = Options(execute=False)
    return [each.word for each in refine_programs(read_text(source), read_text(target), options)]


# The examples -----------------------------------------------------------------------------------------------------


TRANSFORMER = [
    "arg0[0] == arg1[0]",
    "arg0[1] == arg1[1]",
    "arg1[1] >= 1",
    "arg2[0] >= 1",
    "arg0[0] == arg2[0]",
    "arg1[1] == arg2[2]",
    "arg1[1] == arg2[3]",
]


@pytest.mark.slow
@pytest.mark.parametrize("style", [pytest.param("cf", marks=pytest.mark.exhaustive), "shape", "stablehlo"])
def test_a_transformer_checks_seven_sizes_at_its_door_and_nothing_after(style: str) -> None:
    text = (EXAMPLES / "transformer.mlir").read_text()
    result = at_entry(text, style=style)
    assert result.counts == {"cf.assert": (33, 0)}
    assert conditions(result) == TRANSFORMER
    assert result.still_open == ()
    assert {each.op for each in result.written} == {
        {"cf": "cf.assert", "shape": "shape.cstr_require", "stablehlo": "stablehlo.custom_call"}[style]
    }
    if style != "stablehlo":  # sizes beyond 2^31 - 1 are not told apart there
        assert refines(text, result.text) == ["proved"]


@pytest.mark.slow
def test_assumed_conditions_are_not_checked() -> None:
    options = Options(min_size=1, shapes=("arg0=[B, S, 8]", "arg1=[B, S, 8]", "arg2=[C, 1, S, T]"))
    result = prune(EXAMPLES / "transformer.mlir", at_entry=True, options=options)
    assert conditions(result) == ["B == C", "S == T"]
    assert result.still_open == ()
    assert "shapesolve.shape" in result.text
    assert any("written down" in note for note in result.notes)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["linear", "unet", "jax_assertions", "tosa_chain", "transformer_flattened"])
def test_the_output_refines_the_example(name: str) -> None:
    text = (EXAMPLES / f"{name}.mlir").read_text()
    result = at_entry(text)
    assert result.still_open == ()
    assert not any(removed != 0 for _, removed in result.counts.values())
    assert set(refines(text, result.text)) == {"proved"}


@pytest.mark.slow
def test_the_reasons_name_what_was_put_in() -> None:
    result = at_entry((EXAMPLES / "transformer.mlir").read_text())
    reasons = {each.location.line: each.reason for each in result.removed}
    assert reasons[40] == "implied by the check of `arg0[0] == arg1[0]`"
    assert [(op, place.line) for op, place in result.written[1].needed_by] == [
        ("cf.assert", 42),
        ("tensor.reshape", 173),
    ]


@pytest.mark.slow
def test_a_transformer_returns_what_it_returned_and_stops_everywhere_else() -> None:
    text = (EXAMPLES / "transformer.mlir").read_text()
    sizes = [
        (2, 3, 2, 3, 2, 3, 3),
        (1, 1, 1, 1, 1, 1, 1),
        (0, 1, 0, 1, 0, 1, 1),
        (1, 0, 1, 0, 1, 0, 0),
        (2, 2, 1, 2, 2, 2, 2),
        (2, 1, 2, 2, 2, 1, 1),
        (2, 2, 2, 2, 1, 2, 2),
        (2, 2, 2, 2, 2, 2, 1),
    ]
    inputs = [
        [TensorInput((b, s, 8)), TensorInput((c, t, 8)), TensorInput((m, 1, rows, columns))]
        for b, s, c, t, m, rows, columns in sizes
    ]
    before = execute_many(text, "forward", inputs, runtime_checks=False)
    after = execute_many(at_entry(text).text, "forward", inputs, runtime_checks=False)
    assert [each.outcome for each in after] == [Outcome.RETURNED] * 2 + [Outcome.ABORTED] * 6
    for old, new in zip(before[:2], after[:2], strict=True):
        assert (new.outcome, new.result_extents) == (old.outcome, old.result_extents)
    assert all(any(text in each.message for text in TRANSFORMER) for each in after[2:])


# What may not come earlier ----------------------------------------------------------------------------------------

STORED_FIRST = """
func.func @f(%m: memref<?xi32>, %t: tensor<?xf32>, %u: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %i = arith.constant 7 : i32
  %n = memref.dim %m, %c0 : memref<?xi32>
  %some = arith.cmpi sge, %n, %c0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %e = tensor.dim %u, %c0 : tensor<?xf32>
  memref.store %i, %m[%c0] : memref<?xi32>
  %same = arith.cmpi eq, %d, %e : index
  cf.assert %same, "same"
  return
}
"""


def test_no_failure_overtakes_what_others_see() -> None:
    result = at_entry(STORED_FIRST)
    assert conditions(result) == ["m[0] >= 1"]  # that the store itself needs
    assert result.counts == {"cf.assert": (1, 1)}
    assert any("comes after memref.store" in note for note in result.notes)


OWN_BUFFER = """
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %i = arith.constant 7 : i32
  %m = memref.alloc() : memref<4xi32>
  %v = memref.subview %m[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  memref.store %i, %v[%c0] : memref<2xi32, strided<[1], offset: 1>>
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %e = tensor.dim %u, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %d, %e : index
  cf.assert %same, "same"
  return
}
"""


def test_a_private_buffer_is_not_visible() -> None:
    result = at_entry(OWN_BUFFER)
    assert conditions(result) == ["t[0] == u[0]"]
    assert result.counts == {"cf.assert": (1, 0)}


@pytest.mark.parametrize(
    "before",
    [
        "func.call @outside() : () -> ()",
        "vector.print %d : index",
        "%g = memref.get_global @kept : memref<4xi32>\n  memref.store %i, %g[%c0] : memref<4xi32>",
        "func.call @writes(%m) : (memref<?xi32>) -> ()",
        "%v = memref.subview %m[0] [0] [1] : memref<?xi32> to memref<0xi32, strided<[1]>>\n"
        "  memref.copy %v, %v : memref<0xi32, strided<[1]>> to memref<0xi32, strided<[1]>>",
    ],
)
def test_whatever_others_may_see_stays_before(before: str) -> None:
    text = f"""
memref.global "private" @kept : memref<4xi32>
func.func private @outside()
func.func private @writes(%m: memref<?xi32>) {{
  %c0 = arith.constant 0 : index
  %i = arith.constant 7 : i32
  %n = memref.dim %m, %c0 : memref<?xi32>
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {{
    memref.store %i, %m[%c0] : memref<?xi32>
  }}
  return
}}
func.func @f(%m: memref<?xi32>, %t: tensor<?xf32>, %u: tensor<?xf32>) {{
  %c0 = arith.constant 0 : index
  %i = arith.constant 7 : i32
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %e = tensor.dim %u, %c0 : tensor<?xf32>
  {before}
  %same = arith.cmpi eq, %d, %e : index
  cf.assert %same, "same"
  return
}}
"""
    result = at_entry(text)
    assert conditions(result) == []
    assert result.counts["cf.assert"] == (1, 1)


def test_failures_of_later_iterations_stay_behind_earlier_effects() -> None:
    text = """
func.func @f(%m: memref<8xindex>, %t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %below = arith.cmpi slt, %i, %d : index
    cf.assert %below, "below"
    memref.store %i, %m[%i] : memref<8xindex>
  }
  return
}
"""
    result = at_entry(text)
    assert conditions(result) == []
    assert result.counts == {"cf.assert": (1, 1)}


@pytest.mark.slow
def test_checks_of_data_stay_where_they_are() -> None:
    text = """
func.func @f(%t: tensor<?xf32>, %ids: tensor<?xi64>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %k = arith.constant 3 : index
  %enough = arith.cmpi sge, %n, %k : index
  cf.assert %enough, "enough"
  %e = tensor.extract %ids[%c0] : tensor<?xi64>
  %i = arith.index_cast %e : i64 to index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %inside = arith.cmpi ult, %i, %d : index
  cf.assert %inside, "inside"
  %again = arith.cmpi sgt, %n, %c0 : index
  cf.assert %again, "again"
  %x = tensor.extract %t[%i] : tensor<?xf32>
  return %x : f32
}
"""
    result = at_entry(text)
    assert conditions(result) == ["n >= 3", "ids[0] >= 1"]
    assert [each.message for each in result.kept] == ["inside"]
    assert refines(text, result.text) in (["proved"], ["undecided"])


def test_a_function_that_is_never_safe_is_left_as_it_is() -> None:
    text = """
func.func @f(%t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %never = arith.cmpi slt, %d, %c0 : index
  cf.assert %never, "never"
  return
}
"""
    result = at_entry(text)
    assert result.written == ()
    assert result.text == text
    assert any("no sizes are safe" in note for note in result.notes)


# Whatever functions look like -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "body", "expected"),
    [
        ("%n: i32", "%z = arith.constant 4 : i32\n %p = arith.cmpi sge, %n, %z : i32", "n >= 4"),
        ("%n: i64", "%z = arith.constant -3 : i64\n %p = arith.cmpi slt, %n, %z : i64", "n <= -4"),
        ("%n: index, %k: index", "%q = arith.addi %n, %k : index\n %p = arith.cmpi eq, %q, %n : index", "k == 0"),
        (
            "%s: tensor<2xi32>",
            "%c1 = arith.constant 1 : index\n %e = tensor.extract %s[%c1] : tensor<2xi32>\n"
            " %z = arith.constant 2 : i32\n %p = arith.cmpi eq, %e, %z : i32",
            "s.values[1] == 2",
        ),
        (
            "%m: memref<?x?xf32>",
            "%c1 = arith.constant 1 : index\n %d = memref.dim %m, %c1 : memref<?x?xf32>\n"
            " %c3 = arith.constant 3 : index\n %q = arith.remui %d, %c3 : index\n"
            " %c0 = arith.constant 0 : index\n %p = arith.cmpi eq, %q, %c0 : index",
            "m[1] % 3 == 0",
        ),
        (
            "%t: tensor<*xf32>",
            "%r = tensor.rank %t : tensor<*xf32>\n %c3 = arith.constant 3 : index\n"
            " %p = arith.cmpi eq, %r, %c3 : index",
            "rank(t) == 3",
        ),
        (
            "%t: tensor<*xf32>, %u: tensor<*xf32>",
            "%a = shape.shape_of %t : tensor<*xf32> -> tensor<?xindex>\n"
            " %b = shape.shape_of %u : tensor<*xf32> -> tensor<?xindex>\n"
            " %p = shape.is_broadcastable %a, %b : tensor<?xindex>, tensor<?xindex>",
            "broadcastable(t, u)",
        ),
        ("%n: i1", "%p = arith.andi %n, %n : i1", "n == 1"),
        (
            "%0: tensor<?xf32>",
            "%c0 = arith.constant 0 : index\n %2 = tensor.dim %0, %c0 : tensor<?xf32>\n"
            " %p = arith.cmpi sgt, %2, %c0 : index",
            "arg0[0] >= 1",
        ),
        (
            "%x: tensor<?xf32>, %n: index",
            "%c0 = arith.constant 0 : index\n %d = tensor.dim %x, %c0 : tensor<?xf32>\n"
            " %k = arith.subi %d, %n : index\n %q = arith.divui %d, %k : index\n"
            " %c2 = arith.constant 2 : index\n %p = arith.cmpi eq, %q, %c2 : index",
            "x[0]//(x[0] - n) == 2",
        ),
    ],
)
def test_every_kind_of_argument(arguments: str, body: str, expected: str) -> None:
    text = f'func.func @f({arguments}) {{\n {body}\n cf.assert %p, "is so"\n return\n}}\n'
    result = at_entry(text)
    assert conditions(result) == [expected]
    assert result.counts == {"cf.assert": (1, 0)}
    assert result.still_open == ()


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        ("%x: f32", "%p = arith.cmpf oeq, %x, %x : f32"),
    ],
)
def test_inexpressible_checks_stay(arguments: str, body: str) -> None:
    text = f'func.func @f({arguments}) {{\n {body}\n cf.assert %p, "is so"\n return\n}}\n'
    result = at_entry(text)
    assert (result.written, result.text) == ((), text)
    assert [each.message for each in result.kept] == ["is so"]


def test_a_loop_among_blocks_and_a_callee() -> None:
    text = """
func.func private @helper(%t: tensor<?xf32>) -> tensor<4xf32> {
  %r = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<4xf32> {
  %r = call @helper(%t) : (tensor<?xf32>) -> tensor<4xf32>
  cf.br ^a(%n : index)
^a(%i: index):
  return %r : tensor<4xf32>
}
"""
    result = at_entry(text)
    assert conditions(result) == ["t[0] == 4"]
    assert result.still_open == ()
    shaped = at_entry(text, style="shape")
    assert conditions(shaped) == []
    assert any("several blocks" in note for note in shaped.notes)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["cf", "shape"])
def test_divisors_bounded_by_an_earlier_condition(style: str) -> None:
    """``shape.assuming`` lets the division be computed before the number is known to be positive."""
    result = at_entry(
        """
func.func @f(%x: tensor<?x?x?xf32>, %h: index) -> tensor<?x?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %d = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %q = arith.divui %d, %h : index
  %s = tensor.from_elements %b, %t, %h, %q : tensor<4xindex>
  %r = tensor.reshape %x(%s) : (tensor<?x?x?xf32>, tensor<4xindex>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}""",
        style=style,
    )
    assert conditions(result) == ["h >= 1", "x[2] % h == 0 or x[1] == 0 or x[0] == 0"]
    assert result.still_open == ()


@pytest.mark.slow
def test_again_changes_nothing_that_matters() -> None:
    text = (EXAMPLES / "unet.mlir").read_text()
    once = at_entry(text)
    twice = at_entry(once.text)
    assert conditions(twice) == conditions(once)
    assert twice.counts == {"cf.assert": (2, 0)}


def test_messages_do_not_grow() -> None:
    text = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "not alike"
  %c = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}
"""
    once = prune(text, at_entry=True).text
    assert '"not alike: a[0] == b[0]"' in once
    assert prune(once, at_entry=True).text == once


def test_only_the_function_that_is_named() -> None:
    text = """
func.func @f(%t: tensor<?xf32>) -> tensor<4xf32> {
  %r = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @g(%t: tensor<?xf32>) -> tensor<5xf32> {
  %r = tensor.cast %t : tensor<?xf32> to tensor<5xf32>
  return %r : tensor<5xf32>
}
"""
    result = prune(text, at_entry=True, options=Options(functions=("g",)))
    assert [(each.function, each.condition) for each in result.written] == [("g", "t[0] == 5")]
    found = check_program(read_text(result.text), Options(execute=False))
    assert [f.name for f in found.functions if any(isinstance(j.verdict, Refuted) for j in f.checked_obligations)] == [
        "f",
        "g",
    ]


def test_nothing_is_trusted_that_is_checked() -> None:
    with pytest.raises(InputError, match="nothing is trusted"):
        prune((EXAMPLES / "unet.mlir").read_text(), at_entry=True, trust_ub=True)


# Products that wrap around ----------------------------------------------------------------------------------------


GUARDED_PRODUCT = """
func.func @f(%x: tensor<0x?xf32>, %y: tensor<0x?xf32>) {
  %c1 = arith.constant 1 : index
  %a = tensor.dim %x, %c1 : tensor<0x?xf32>
  %b = tensor.dim %y, %c1 : tensor<0x?xf32>
  %most = arith.constant 2147483648 : index
  %some = arith.constant 100 : index
  %a_is_there = arith.cmpi sge, %a, %c1 : index
  cf.assert %a_is_there, "a is 0"
  %b_is_there = arith.cmpi sge, %b, %c1 : index
  cf.assert %b_is_there, "b is 0"
  GUARDS
  %product = arith.muli %a, %b : index
  %few = arith.cmpi sle, %product, %some : index
  cf.assert %few, "too many"
  return
}
"""
GUARDS = """
  %a_fits = arith.cmpi slt, %a, %most : index
  cf.assert %a_fits, "a is too large"
  %b_fits = arith.cmpi slt, %b, %most : index
  cf.assert %b_fits, "b is too large"
"""


@pytest.mark.process
def test_no_wrap_conditions_are_checked_though_the_product_implies_them() -> None:
    text = GUARDED_PRODUCT.replace("GUARDS", GUARDS)
    result = at_entry(text)
    assert result.counts == {"cf.assert": (5, 0)}
    assert {"x[1] <= 2147483647", "y[1] <= 2147483647", "x[1]*y[1] <= 100"} < set(conditions(result))
    vast = TensorInput((0, 2**32))
    for each in (text, result.text):
        (run,) = execute_many(each, "f", [(vast, vast)], runtime_checks=False)
        assert run.outcome is Outcome.ABORTED, each


def test_a_product_without_guards_gets_none() -> None:
    assert conditions(at_entry(GUARDED_PRODUCT.replace("GUARDS", ""))) == ["x[1] >= 1", "y[1] >= 1", "x[1]*y[1] <= 100"]


@pytest.mark.slow
@pytest.mark.parametrize("style", ["cf", "shape"])
def test_divisors_are_checked_behind_their_positivity(style: Literal["cf", "shape"]) -> None:
    result = at_entry(
        """
func.func @f(%x: tensor<?xf32>, %h: index) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %c1 = arith.constant 1 : index
  %at_least_one = arith.cmpi sge, %h, %c1 : index
  cf.assert %at_least_one, "heads"
  %r = arith.remui %d, %h : index
  %p = arith.cmpi eq, %r, %c0 : index
  cf.assert %p, "equal parts"
  return %r : index
}""",
        style,
    )
    assert conditions(result) == ["h >= 1", "x[0] % h == 0"]
    assert result.still_open == ()
    assert result.counts["cf.assert"] == (2, 0)


def test_early_failures_are_checked_though_later_ones_need_more() -> None:
    result = at_entry("""
func.func @f(%x: tensor<?xf32>, %k: index, %m: memref<1xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = tensor.extract_slice %x[0] [%k] [1] : tensor<?xf32> to tensor<?xf32>
  %z = arith.constant 0.0 : f32
  memref.store %z, %m[%c0] : memref<1xf32>
  %v = tensor.extract %a[%c0] : tensor<?xf32>
  return %v : f32
}""")
    assert sorted(conditions(result)) == ["k >= 0", "x[0] >= k"]
    assert any("`k >= 1` is not checked at the entry" in note for note in result.notes)
    assert [each.split(" ")[0] for each in result.still_open] == ["tensor.extract"]


def test_the_number_of_elements_of_a_shape_of_unknown_rank_is_checked() -> None:
    text = """func.func @f(%c: i1, %x: tensor<*xf32>, %s: !shape.shape, %n: !shape.size) {
  %t = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %chosen = arith.select %c, %s, %t : !shape.shape
  %count = shape.num_elements %chosen : !shape.shape -> !shape.size
  %i = shape.size_to_index %count : !shape.size
  %j = shape.size_to_index %n : !shape.size
  %fits = arith.cmpi sle, %i, %j : index
  cf.assert %fits, "too many elements"
  return
}"""
    result = at_entry(text)
    assert conditions(result) == ["n >= select(c == 1, numel(s), numel(x))"]
    assert result.text.count("shape.num_elements") == 2
    found = refined(text, result.text, Options(execute=False))
    assert found.word == "proved"


def test_a_simple_condition_stands_where_the_one_that_implies_it_cannot_be_written() -> None:
    text = """
func.func @f(%x: tensor<?xf32>, %n: index, %a: tensor<*xf32>, %b: tensor<*xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %k = arith.subi %d, %n : index
  %q = arith.divsi %c100, %k : index
  %s = shape.shape_of %a : tensor<*xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<*xf32> -> !shape.shape
  %u = shape.broadcast %s, %t : !shape.shape, !shape.shape -> !shape.shape
  %f = shape.num_elements %u : !shape.shape -> !shape.size
  %e = shape.size_to_index %f : !shape.size
  %more = arith.cmpi sgt, %k, %e : index
  cf.assert %more, "enough"
  return %q : index
}
"""
    result = at_entry(text)
    assert "n != x[0]" in conditions(result)
    assert any("it cannot be written there: the shape `broadcast(a, b)` is computed" in note for note in result.notes)
    assert not result.still_open
    assert len(result.kept) == 1
