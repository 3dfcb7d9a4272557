"""Programs before and after bufferization: tensors are buffers, and results returned buffers or out-parameters."""

from __future__ import annotations

import pytest

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Ending, Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import VerdictKind

SOURCE = """\
func.func @f(%a: tensor<?x4xf32>, %k: index) -> (index, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x4xf32>
  %ok = arith.cmpi ule, %k, %m : index
  cf.assert %ok, "too many rows"
  %s = tensor.extract_slice %a[0, 0] [%k, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  return %m, %s : index, tensor<?x4xf32>
}
"""
CHECKED = """\
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x4xf32>
  %ok = arith.cmpi ule, %k, %m : index
  cf.assert %ok, "too many rows"
"""
VIEW = "  %s = memref.subview %a[0, 0] [%k, 4] [1, 1] : memref<?x4xf32> to memref<?x4xf32, strided<[4, 1]>>\n"
COPIED = "  memref.copy %s, %r : memref<?x4xf32, strided<[4, 1]>> to memref<?x4xf32>\n"


def out_parameter(body: str, type: str = "memref<?x4xf32>", before: str = CHECKED) -> str:
    arguments = f"%a: memref<?x4xf32>, %k: index, %out: {type}"
    return f"func.func @f({arguments}) -> index {{\n{before}{body}  return %m : index\n}}"


def returned(body: str, before: str = CHECKED) -> str:
    results = "(index, memref<?x4xf32>)"
    end = "  return %m, %r : index, memref<?x4xf32>\n"
    return f"func.func @f(%a: memref<?x4xf32>, %k: index) -> {results} {{\n{before}{body}{end}}}"


def refined(
    target: str, *, source: str = SOURCE, assumptions: tuple[str, ...] = (), execute: bool = False
) -> Refinement:
    options = Options(execute=execute, assumptions=assumptions)
    (found,) = refine_programs(read_text(source), read_text(target), options)
    return found


def endings(found: Refinement) -> tuple[Ending, Ending]:
    assert found.word is VerdictKind.REFUTED
    return found.refuted[0].source.ending, found.refuted[0].target.ending


def allocated(size: str) -> str:
    return f"  %r = memref.alloc({size}) : memref<?x4xf32>\n"


def test_a_returned_buffer_refines_a_returned_tensor() -> None:
    found = refined(returned(VIEW + allocated("%k") + COPIED))
    assert found.word is VerdictKind.PROVED and not found.not_compared
    uncopied = refined(returned(VIEW + allocated("%k")))
    assert uncopied.word is VerdictKind.PROVED and "contents" in uncopied.not_compared


@pytest.mark.process
def test_a_returned_buffer_of_another_size() -> None:
    found = refined(returned(allocated("%m")), execute=True)
    assert endings(found) == (Ending.RETURNS, Ending.RETURNS)
    finding = found.refuted[0]
    assert finding.compared is not None and finding.compared.what == "extent 0 of result 1"
    assert finding.executed is not None and finding.executed.confirms


def test_an_out_parameter_refines_a_result() -> None:
    copy = "  memref.copy %s, %out : memref<?x4xf32, strided<[4, 1]>> to memref<?x4xf32>\n"
    found = refined(out_parameter(VIEW + copy))
    assert found.word is VerdictKind.PROVED and not found.not_compared
    uncopied = refined(out_parameter(VIEW))
    assert uncopied.word is VerdictKind.PROVED and "contents" in uncopied.not_compared


@pytest.mark.slow
def test_an_out_parameter_that_gets_another_size() -> None:
    copy = allocated("%m") + "  memref.copy %r, %out : memref<?x4xf32> to memref<?x4xf32>\n"
    found = refined(out_parameter(copy))
    assert endings(found) == (Ending.RETURNS, Ending.UNDEFINED)
    assert found.refuted[0].target.obligation is not None
    assert found.refuted[0].target.obligation.op.name == "memref.copy"


def test_a_static_out_parameter() -> None:
    target = out_parameter("", "memref<3x4xf32>")
    found = refined(target)
    assert endings(found) == (Ending.RETURNS, Ending.RETURNS)
    assert refined(target, assumptions=("%k == 3",)).word is VerdictKind.PROVED


def test_an_unchecked_out_parameter_loses_a_check() -> None:
    unchecked = "  %c0 = arith.constant 0 : index\n  %m = memref.dim %a, %c0 : memref<?x4xf32>\n"
    assert endings(refined(out_parameter("", before=unchecked))) == (Ending.ABORTS, Ending.RETURNS)


def test_the_size_of_an_out_parameter_is_not_known_where_the_source_aborts() -> None:
    early = """\
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x4xf32>
  %n = memref.dim %out, %c0 : memref<?x4xf32>
  %ok = arith.cmpi ule, %n, %m : index
  cf.assert %ok, "too many rows"
"""
    assert endings(refined(out_parameter("", before=early))) == (Ending.ABORTS, Ending.RETURNS)


def test_out_parameters_of_a_buffer_program() -> None:
    source = returned(VIEW + allocated("%k") + COPIED)
    target = out_parameter(
        VIEW + allocated("%k") + COPIED + "  memref.copy %r, %out : memref<?x4xf32> to memref<?x4xf32>\n"
    )
    assert refined(target, source=source).word is VerdictKind.PROVED


def test_an_argument_that_is_written_before_it_is_returned_is_not_its_contents() -> None:
    source = "func.func @f(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}"
    target = """\
func.func @f(%a: memref<?xf32>, %x: f32) -> memref<?xf32> {
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  return %a : memref<?xf32>
}
"""
    found = refined(target, source=source)
    assert found.word is VerdictKind.PROVED
    assert "the elements of result 0 (tensor<?xf32>)" in found.left_out


def test_buffers_are_no_tensors() -> None:
    buffers = "func.func @f(%a: memref<?xf32>) {\n  return\n}"
    tensors = "func.func @f(%a: tensor<?xf32>) {\n  return\n}"
    assert refined(buffers, source=tensors).word is VerdictKind.PROVED
    with pytest.raises(InputError, match=r"argument 0 is memref<\?xf32> in the source and tensor<\?xf32>"):
        refined(tensors, source=buffers)


def test_out_parameters_of_other_element_types() -> None:
    with pytest.raises(InputError, match=r"result 1 is tensor<\?x4xf32> in the source and memref<\?x4xf64>"):
        refined(out_parameter("", "memref<?x4xf64>"))


def test_a_buffer_that_structured_operations_used_is_freed() -> None:
    source = """\
func.func @f(%a: tensor<?xf32>, %x: f32) -> index {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  return %m : index
}
"""
    target = """\
func.func @f(%a: memref<?xf32>, %x: f32) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  memref.dealloc %b : memref<?xf32>
  return %m : index
}
"""
    assert refined(target, source=source).word is VerdictKind.PROVED
    late = target.replace("  memref.dealloc %b : memref<?xf32>\n", "").replace(
        "  linalg.add", "  memref.dealloc %b : memref<?xf32>\n  linalg.add"
    )
    assert refined(late, source=source).word is VerdictKind.UNDECIDED


def test_the_assumption_that_out_parameters_do_not_overlap_is_reported() -> None:
    source = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
"""
    target = """\
func.func @f(%a: memref<?xf32>, %out: memref<?xf32>) {
  memref.copy %a, %out : memref<?xf32> to memref<?xf32>
  return
}
"""
    found = refined(target, source=source)
    assert found.word is VerdictKind.PROVED
    assert found.compares_elements
    assert "out-parameters are taken to overlap no other memory" in found.notes
    assert not refined(source, source=source).notes


@pytest.mark.process
def test_runs_show_what_an_out_parameter_gets() -> None:
    """Results that are returned stand at other places in the target, as out-parameters are none of them."""
    source = """func.func @f(%a: tensor<?xf32>, %x: f32, %i: index) -> (tensor<?xf32>, f32, f32) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %b = tensor.insert %x into %a[%c0] : tensor<?xf32>
  %y = tensor.extract %a[%c0] : tensor<?xf32>
  %z = arith.addf %y, %x : f32
  return %b, %y, %z : tensor<?xf32>, f32, f32
}"""
    target = """func.func @f(%a: memref<?xf32>, %x: f32, %i: index, %out: memref<?xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  memref.copy %a, %out : memref<?xf32> to memref<?xf32>
  %y = memref.load %a[%c0] : memref<?xf32>
  %z = arith.addf %y, %x : f32
  memref.store %x, %out[%c0] : memref<?xf32>
  return %y, %z : f32, f32
}"""
    assert refined(target, source=source, execute=True).word == "proved"
    for old, new, where in (
        ("store %x, %out", "store %y, %out", "element [0] of result 0"),
        ("return %y, %z", "return %z, %y", "result 1"),
        ("return %y, %z", "return %y, %y", "result 2"),
    ):
        (finding,) = refined(target.replace(old, new), source=source, execute=True).refuted
        assert finding.executed is not None and finding.executed.words.startswith(where)


IN_PLACE = """func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %x = memref.load %b[%c0] : memref<?xf32>
  memref.store %x, %a[%k] : memref<?xf32>
  return %a : memref<?xf32>
}"""
INSERTED = """func.func @f(%a: tensor<?xf32> {attribute}, %b: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %b[%c0] : tensor<?xf32>
  %r = tensor.insert %x into %a[%k] : tensor<?xf32>
  return %r : tensor<?xf32>
}"""


def test_the_buffer_of_a_tensor_may_hold_a_result() -> None:
    """It belongs to the function, unless the source says that it is not to be written. Nothing else is left in it."""
    found = refined(IN_PLACE, source=INSERTED.replace("{attribute}", ""))
    assert found.word is VerdictKind.PROVED and not found.not_compared
    assert "buffers of tensor arguments are taken to overlap no other memory, and may hold results" in found.notes
    kept = refined(IN_PLACE, source=INSERTED.replace("attribute", "bufferization.writable = false"))
    assert "what buffers hold" in kept.left_out
    beside = IN_PLACE.replace("  return", "  memref.store %x, %b[%k] : memref<?xf32>\n  return")
    assert "what buffers hold" in refined(beside, source=INSERTED.replace("{attribute}", "")).left_out
    wrong = IN_PLACE.replace("load %b", "load %a")
    assert refined(wrong, source=INSERTED.replace("{attribute}", "")).not_compared
