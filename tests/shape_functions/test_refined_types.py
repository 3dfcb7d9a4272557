"""Test that proved sizes are written into types, and that the program is otherwise unchanged."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.library_programs import BINARY, library_text, written

from shapesolve.errors import InputError
from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import ShapedType
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.shape_inference.refine_types import RefineResult, refine_program

CASES = sorted(
    path
    for folder in ("shape", "tensor", "tosa", "linalg", "scf", "func", "stablehlo")
    for path in (Path(__file__).parents[1] / "cases" / folder).glob("*.mlir")
)

EXAMPLES = Path(__file__).parents[2] / "examples"

CHECKED = """func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %a, %c0 : tensor<?x4xf32>
  %before = tensor.empty(%d) : tensor<?x4xf32>
  %u = linalg.exp ins(%a : tensor<?x4xf32>) outs(%before : tensor<?x4xf32>) -> tensor<?x4xf32>
  %ok = arith.cmpi eq, %d, %c3 : index
  cf.assert %ok, "three rows"
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %s = linalg.add ins(%u, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %t = linalg.add ins(%s, %s : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = tensor.cast %t : tensor<?x4xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""

COMPUTED = """func.func @f(%a: tensor<?xf32>, %b: tensor<?x1xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.addi %n, %c2 : index
  %k = arith.subi %m, %n : index
  %e = tensor.empty(%k, %n) : tensor<?x?xf32>
  %one = arith.constant 1.0 : f32
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %x = tensor.extract_slice %f[0, 0] [%k, 3] [1, 1] : tensor<?x?xf32> to tensor<?x3xf32>
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  return %f, %y : tensor<?x?xf32>, tensor<?xf32>
}
"""


def refined(text: str, *, signatures: bool = False, **options: Any) -> RefineResult:
    return refine_program(read_text(text), Options(execute=False, **options), signatures=signatures)


def types(result: RefineResult) -> dict[str, str]:
    return {each.value: each.after for each in result.refinements}


def test_only_after_the_check() -> None:
    result = refined(CHECKED)
    assert types(result) == {"%s": "tensor<3x4xf32>", "%t": "tensor<3x4xf32>", "%r": "tensor<3x4xf32>"}
    reasons = {
        (fact.because, fact.location.line if fact.location else 0)
        for r in result.refinements
        for e in r.extents
        for fact in e.facts
    }
    assert reasons == {("cf.assert [cf-assert-condition]", 8)}
    assert "%before : tensor<?x4xf32>" in result.text


@pytest.mark.process
@pytest.mark.parametrize("text", [CHECKED, COMPUTED], ids=["checked", "computed"])
def test_a_refined_program_ends_like_the_original_at_sizes_around_every_check(text: str) -> None:
    """Both programs end in the same way, on sizes on both sides of every check."""
    result = refined(text)
    assert result.refinements
    second = 4 if text is CHECKED else 1
    runs = [
        [TensorInput((n, 4) if text is CHECKED else (n,)), TensorInput((m, second))]
        for n, m in product((0, 1, 3), (1, 3))
    ]
    before = execute_many(text, "f", runs, runtime_checks=True)
    after = execute_many(result.text, "f", runs, runtime_checks=True)
    outcomes = {each.outcome for each in before}
    assert Outcome.RETURNED in outcomes and Outcome.NOT_EXECUTABLE not in outcomes
    for run, old, new in zip(runs, before, after, strict=True):
        assert (old.outcome, old.result_extents) == (new.outcome, new.result_extents), run
    if text is CHECKED:
        assert Outcome.ABORTED in outcomes


@pytest.mark.slow
@pytest.mark.parametrize("name", ["linear", "tosa_chain_lowered"])
def test_execution_of_examples(name: str) -> None:
    text = (EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8")
    result = refined(text)
    assert result.refinements
    outcomes = set[Outcome]()
    for function in entry_points(read_text(text)):
        runs = [
            [
                TensorInput(tuple(size if extent is None else extent for extent in argument.type.extents or ()))
                for argument in function.arguments
                if isinstance(argument.type, ShapedType)
            ]
            for size in (0, 1, 2, 4)
        ]
        before = execute_many(text, function.name, runs, runtime_checks=True)
        after = execute_many(result.text, function.name, runs, runtime_checks=True)
        for old, new in zip(before, after, strict=True):
            assert (old.outcome, old.result_extents) == (new.outcome, new.result_extents), function.name
            outcomes.add(old.outcome)
    assert Outcome.RETURNED in outcomes


def test_functions_that_compute_a_constant() -> None:
    assert types(refined(COMPUTED))["%f"] == "tensor<2x?xf32>"
    assert types(refined(COMPUTED))["%y"] == "tensor<6xf32>"


DEAD = """func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %s = "tosa.add"(%a, %b) : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %t = tensor.cast %a : tensor<?xf32> to tensor<1xf32>
  %u = tosa.tanh %a : (tensor<?xf32>) -> tensor<?xf32>
  return %u : tensor<?xf32>
}
"""


def test_undefined_behavior_elsewhere_is_not_leant_on() -> None:
    """%u comes after a cast of %a to one element, which is undefined elsewhere but makes nothing that %u needs."""
    assert types(refined(DEAD)) == {"%s": "tensor<4xf32>"}
    assert types(refined(DEAD, trust_ub=True)) == {"%s": "tensor<4xf32>", "%u": "tensor<1xf32>"}


def test_signatures_are_refined_only_if_asked() -> None:
    text = """func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> attributes {shapesolve.assume = ["a[0] == 4"]} {
  %u = tosa.tanh %a : (tensor<?xf32>) -> tensor<?xf32>
  return %u : tensor<?xf32>
}
"""
    kept = refined(text)
    assert "@f(%a: tensor<?xf32>) -> tensor<?xf32>" in kept.text
    assert types(kept) == {"%u": "tensor<4xf32>"}
    opened = refined(text, signatures=True)
    assert "@f(%a: tensor<4xf32>) -> tensor<4xf32>" in opened.text
    assert "tensor.cast" not in opened.text
    caller = """func.func @g(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = func.call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
    called = refined(text + caller, signatures=True)
    assert called.text == text + caller  # not even inside: @g may call it with other sizes
    assert called.notes == ("@f is left as it is: it is called, and nobody checks there what is assumed of it",)
    named = (text + caller).replace(
        ') -> tensor<?xf32> attributes {shapesolve.assume = ["a[0] == 4"]}', ") -> tensor<?xf32>"
    )
    named = named.replace("@f(%a: tensor<?xf32>", '@f(%a: tensor<?xf32> {shapesolve.shape = "[4]"}', 1)
    for functions in ((), ("f",)):
        assert refined(named, functions=functions).text == named  # what a name says is assumed, too


def test_facts_of_one_caller_are_not_written_into_the_callee() -> None:
    text = """func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = func.call @h(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @h(%a: tensor<?xf32>) -> tensor<?xf32> {
  %u = tosa.tanh %a : (tensor<?xf32>) -> tensor<?xf32>
  return %u : tensor<?xf32>
}
"""
    result = refined(text)
    assert types(result) == {"%x": "tensor<4xf32>"}
    assert "%u = tosa.tanh %a : (tensor<?xf32>) -> tensor<?xf32>" in result.text
    assert "call @h(%cast) : (tensor<?xf32>) -> tensor<?xf32>" in result.text


def test_results_of_calls_are_cast() -> None:
    text = """func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = func.call @h(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %u = tosa.tanh %r : (tensor<?xf32>) -> tensor<?xf32>
  return %u : tensor<?xf32>
}
func.func private @h(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
"""
    assert types(refined(text)) == {"%x": "tensor<4xf32>", "%u": "tensor<4xf32>"}
    assert "call @h(%cast) : (tensor<?xf32>) -> tensor<?xf32>" in refined(text, signatures=True).text


def test_casts_where_a_type_is_needed() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %p: i1) -> tensor<?xf32> attributes {shapesolve.assume = ["a[0] == 4"]} {
  %u = tosa.tanh %a : (tensor<?xf32>) -> tensor<?xf32>
  %r = scf.if %p -> (tensor<?xf32>) {
    %v = tosa.tanh %u : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %v : tensor<?xf32>
  } else {
    scf.yield %u : tensor<?xf32>
  }
  "other.op"(%u) : (tensor<?xf32>) -> ()
  %m = bufferization.to_buffer %u : tensor<?xf32> to memref<?xf32>
  return %r : tensor<?xf32>
}
"""
    result = refined(text)
    assert types(result) == {"%u": "tensor<4xf32>", "%v": "tensor<4xf32>"}
    assert '"other.op"(%cast) : (tensor<?xf32>) -> ()' in result.text
    assert re.search(r"scf.yield %cast\w* : tensor<\?xf32>", result.text)


def test_a_loop_that_changes_a_value() -> None:
    text = """func.func @f(%n: index, %init: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %init : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<?xf32>) {
    %e = tensor.concat dim(0) %acc, %init : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""
    assert types(refined(text)) == {"%x": "tensor<4xf32>"}


LOOP = """func.func @{name}(%a: tensor<?xf32>) -> tensor<?xf32> attributes {{shapesolve.assume = ["a[0] == 2"]}} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<?xf32>
    cond {{
      %more = stablehlo.compare LE, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %sum = stablehlo.{op} : tensor<?xf32>
      stablehlo.return %i, %{next} : tensor<i32>, tensor<?xf32>
    }}
  %1 = stablehlo.negate %0#1 : tensor<?xf32>
  return %1 : tensor<?xf32>
}}
"""


def test_results_of_regions_are_cast() -> None:
    """StableHLO's verifier lets the results of a loop have other types than what its body yields."""
    result = refined(LOOP.format(name="f", op="negate %x", next="x"))
    assert types(result) == {"%sum": "tensor<2xf32>", "%1": "tensor<2xf32>"}
    assert re.search(r": tensor<i32>, tensor<\?xf32>$", result.text, re.MULTILINE)


CHOOSING = """func.func @{name}(%a: tensor<?xf32>, %n: index, %u: f32, %v: f32) -> tensor<?xf32>
    attributes {{shapesolve.assume = ["a[0] == 2"]}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {{
    %sum = stablehlo.{op} : tensor<?xf32>
    %p = arith.cmpf olt, %u, %v : f32
    %some = arith.select %p, %{next}, %x : tensor<?xf32>
    scf.yield %some : tensor<?xf32>
  }}
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}}
"""


def test_a_loop_keeps_its_shape_behind_its_own_cast_whichever_is_chosen() -> None:
    loop = CHOOSING.format(name="f", op="add %x, %a", next="sum")
    result = refined(loop + CHOOSING.format(name="g", op="negate %x", next="x"))
    assert types(result) == {"%sum": "tensor<2xf32>", "%1": "tensor<2xf32>"}
    assert not result.notes and result.text.count("-> tensor<2xf32>") == 2


SWAPPING = """func.func @f(%a: tensor<?xf32>, %n: index, %u: f32, %v: f32) -> tensor<?xf32>
    attributes {shapesolve.assume = ["a[0] == 2"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (tensor<?xf32>, tensor<?xf32>) {
    %sum = stablehlo.add %x, %y : tensor<?xf32>
    %p = arith.cmpf olt, %u, %v : f32
    %some = arith.select %p, %sum, %x : tensor<?xf32>
    scf.yield %y, %some : tensor<?xf32>, tensor<?xf32>
  }
  %1 = stablehlo.negate %0#0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def test_a_function_that_would_lose_a_proof_is_left() -> None:
    """The body's own cast hides from the walk that both of the loop's numbers keep the shape."""
    loop = SWAPPING
    result = refined(loop + CHOOSING.format(name="g", op="negate %x", next="x"))
    assert types(result) == {"%sum": "tensor<2xf32>", "%1": "tensor<2xf32>"}
    (note,) = result.notes
    assert note.startswith("@f is left as it is: refined, it could not be proved to be as good (")
    assert loop.split("\n")[5].strip() in result.text


def test_nothing_to_refine_is_the_same_text() -> None:
    text = "// kept\nfunc.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n"
    assert refined(text).text == text


def test_contradicting_assumptions_refine_no_type() -> None:
    """If no sizes satisfy the assumptions, every claim would follow."""
    result = refined(CHECKED, assumptions=("a[0] == 1", "a[0] == 2"))
    assert not result.refinements and result.inferred[0].contradiction


def test_values_that_are_never_reached_are_not_refined() -> None:
    text = CHECKED.replace("%ok = arith.cmpi eq, %d, %c3 : index", "%ok = arith.cmpi slt, %d, %c0 : index")
    assert not [each for each in refined(text).refinements if each.value in ("%s", "%t")]


def test_a_limit_on_sizes_is_refused() -> None:
    with pytest.raises(InputError, match="for all sizes"):
        refined(CHECKED, max_size=3)


def test_encodings_and_memrefs_are_left_alone() -> None:
    text = """func.func @f(%a: tensor<?xf32, "x">, %m: memref<?xf32>) attributes {
    shapesolve.assume = ["a[0] == 4", "m[0] == 4"]} {
  %u = "tosa.tanh"(%a) : (tensor<?xf32, "x">) -> tensor<?xf32, "x">
  return
}
"""
    assert not refined(text, signatures=True).refinements


def test_operands_of_unregistered_operations_keep_their_types(tmp_path: Path) -> None:
    path = written(tmp_path, library_text(BINARY, "my.op = @binary"))
    text = """func.func @f(%a: tensor<2x?xf32>, %b: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %r = "my.op"(%a, %b) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
    assert not refined(text).refinements
    assert types(refined(text, libraries=(path,))) == {"%r": "tensor<2x3xf32>"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_case_file_refines_to_a_valid_program_with_no_type_less_precise(path: Path) -> None:
    """Every case file refines to a program that MLIR verifies, with the same signatures and no type less precise."""
    program = read_text(path.read_text(encoding="utf-8"))
    for signatures in (False, True):
        result = refine_program(program, Options(execute=False), signatures=signatures)
        again = read_text(result.text)
        assert again.functions.keys() == program.functions.keys()
        for name, function in program.functions.items():
            other = again.functions[name]
            if not signatures:
                assert [str(each.type) for each in other.arguments] == [str(each.type) for each in function.arguments]
                assert list(map(str, other.result_types)) == list(map(str, function.result_types))
        before = [op for op in program.operation.walk() if op.name != "tensor.cast"]
        after = [op for op in again.operation.walk() if op.name != "tensor.cast"]
        assert [op.name for op in before] == [op.name for op in after]
        for old, new in zip(before, after, strict=True):
            for x, y in zip(old.results, new.results, strict=True):
                if isinstance(x.type, ShapedType) and isinstance(y.type, ShapedType) and x.type.extents is not None:
                    assert y.type.extents is not None
                    assert all(e in (None, f) for e, f in zip(x.type.extents, y.type.extents, strict=True))
                else:
                    assert str(x.type) == str(y.type)
