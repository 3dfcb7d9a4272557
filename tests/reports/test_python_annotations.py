"""Contracts as Python signatures with shapes, in the spellings of jaxtyping and Pyrefly."""

from __future__ import annotations

import ast
from io import StringIO

import pytest

import shapesolve
from shapesolve.options import Options
from shapesolve.reports.page import Page
from shapesolve.reports.python_annotations import print_annotations

PROGRAM = """
func.func @dense(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @joined(%x: tensor<?x4xbf16>, %y: tensor<?x4xbf16>, %n: index, %z: tensor<?xi64>) -> (tensor<?x4xbf16>, i1) {
  %0 = tensor.concat dim(0) %x, %y : (tensor<?x4xbf16>, tensor<?x4xbf16>) -> tensor<?x4xbf16>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %0, %c0 : tensor<?x4xbf16>
  %e = tensor.dim %z, %c0 : tensor<?xi64>
  %ok = arith.cmpi eq, %d, %e : index
  cf.assert %ok, "one id a row"
  %c2 = arith.constant 2 : index
  %r = arith.remui %d, %c2 : index
  %even = arith.cmpi eq, %r, %c0 : index
  cf.assert %even, "pairs"
  return %0, %even : tensor<?x4xbf16>, i1
}
func.func @sum_first(%z: tensor<?xf32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  %e = tensor.dim %z, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %d, %e : index
  cf.assert %ok, "as long as both"
  return %z : tensor<?xf32>
}
func.func @of_data(%x: tensor<1xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.extract %x[%c0] : tensor<1xindex>
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @unranked(%x: tensor<*xf8E4M3FN>) -> tensor<*xf8E4M3FN> {
  return %x : tensor<*xf8E4M3FN>
}
func.func @never(%x: tensor<2xf32>) {
  %no = arith.constant false
  cf.assert %no, "never"
  return
}
"""


@pytest.fixture(scope="module")
def report() -> shapesolve.ContractReport:
    return shapesolve.contract(PROGRAM, options=Options(execute=False))


def written(report: shapesolve.ContractReport, *, is_pyrefly: bool, is_model: bool = False) -> str:
    stream = StringIO()
    print_annotations(report.functions, Page(stream), is_pyrefly=is_pyrefly, is_model=is_model)
    return stream.getvalue()


def heads(text: str) -> dict[str, str]:
    found = [line.removesuffix(": ...") for line in text.splitlines() if line.startswith("def ")]
    return {each.split("(")[0].split("[")[0].removeprefix("def "): each for each in found}


@pytest.mark.slow
def test_a_report_becomes_signatures_of_jaxtyping(report: shapesolve.ContractReport) -> None:
    text = written(report, is_pyrefly=False)
    ast.parse(text)
    assert text.startswith("from jaxtyping import BFloat16, Float32, Int64, Shaped\nfrom torch import Tensor\n")
    found = heads(text)
    assert found["dense"] == (
        'def dense(x: Float32[Tensor, "M K"], w: Float32[Tensor, "K N"], b: Float32[Tensor, "M N"])'
        ' -> Float32[Tensor, "M N"]'
    )
    assert found["joined"] == (
        'def joined(x: BFloat16[Tensor, "M 4"], y: BFloat16[Tensor, "K 4"], n: int, z: Int64[Tensor, "K+M"])'
        ' -> tuple[BFloat16[Tensor, "K+M 4"], bool]'
    )
    assert "\n#   (K + M) % 2 == 0\n" in text
    assert found["unranked"] == 'def unranked(x: Shaped[Tensor, "..."]) -> Shaped[Tensor, "..."]'


@pytest.mark.slow
def test_a_sum_of_sizes_that_are_not_known_yet_is_a_comment(report: shapesolve.ContractReport) -> None:
    """jaxtyping computes with names that stood alone in an earlier annotation."""
    text = written(report, is_pyrefly=False)
    found = heads(text)["sum_first"]
    assert found.startswith('def sum_first(z: Float32[Tensor, "_"], x: Float32[Tensor, "')
    assert "#   z: extent 0 is " in text


@pytest.mark.slow
def test_a_report_becomes_signatures_of_pyrefly(report: shapesolve.ContractReport) -> None:
    text = written(report, is_pyrefly=True)
    found = heads(text)
    assert found["dense"] == "def dense[M, K, N](x: Tensor[M, K], w: Tensor[K, N], b: Tensor[M, N]) -> Tensor[M, N]"
    assert found["joined"] == (
        "def joined[M, K](x: Tensor[M, 4], y: Tensor[K, 4], n: int, z: Tensor[K + M]) -> tuple[Tensor[K + M, 4], bool]"
    )
    assert found["unranked"] == "def unranked(x: Tensor) -> Tensor"
    assert "jaxtyping" not in text


@pytest.mark.parametrize("is_pyrefly", [False, True])
def test_functions_without_a_signature_are_comments(report: shapesolve.ContractReport, *, is_pyrefly: bool) -> None:
    text = written(report, is_pyrefly=is_pyrefly)
    assert "# @never: safe for no sizes at all" in text
    assert "never" not in heads(text)
    of_data = heads(text)["of_data"]
    assert of_data.endswith("-> Tensor" if is_pyrefly else '-> Float32[Tensor, "_"]')


def test_a_function_of_a_model_is_a_method(report: shapesolve.ContractReport) -> None:
    assert "def dense(self, x: " in written(report, is_pyrefly=False, is_model=True)


@pytest.mark.frontends
def test_jaxtyping_takes_what_is_written(report: shapesolve.ContractReport) -> None:
    pytest.importorskip("jaxtyping")
    pytest.importorskip("torch")
    exec(compile(written(report, is_pyrefly=False), "annotations", "exec"), {})


@pytest.mark.parametrize("is_pyrefly", [False, True])
def test_words_of_the_size_language_are_explained_where_they_are_used(
    report: shapesolve.ContractReport, *, is_pyrefly: bool
) -> None:
    added = shapesolve.contract(
        "func.func @added(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %0 = chlo.broadcast_add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
        "  return %0 : tensor<?xf32>\n}\n",
        options=Options(execute=False),
    )
    text = written(added, is_pyrefly=is_pyrefly)
    assert "#   where compatible(a, b): a == b, or one of them is 1\n" in text
    assert text.count("broadcast(a, b): b where a is 1, else a") == text.count("broadcast(") - 1 == 1
    assert "#   where " not in written(report, is_pyrefly=is_pyrefly)
