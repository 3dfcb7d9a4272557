"""Claims about other tools on the page that compares them, tried where the tool is installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.upstream_passes import after_passes

from shapesolve import check, prune
from shapesolve.cli.arguments import make_parser
from shapesolve.cli.command_tree import commands

PAGE = (Path(__file__).parents[2] / "docs" / "compared-with.md").read_text(encoding="utf-8")


def program() -> str:
    found = re.search(r'```mlir title="halves.mlir"\n(.*?)```', PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_each_command_exists() -> None:
    known = set(commands(make_parser("")))
    named = set(re.findall(r"`shapesolve ([a-z-]+)", PAGE))
    assert named and named <= known


def test_the_passes_named_keep_what_prune_removes() -> None:
    passes = re.search(r"`([a-z-]+)`, `([a-z-]+)` and `([a-z-]+)` keep the check", PAGE)
    assert passes is not None
    pipeline = ",".join((*passes.groups(), *passes.groups()))
    assert "cf.assert" in after_passes(program(), pipeline)
    assert "cf.assert" not in prune(program()).text


@pytest.mark.frontends
def test_jax_calls_a_comparison_inconclusive() -> None:
    export: Any = pytest.importorskip("jax.export")
    a, b = export.symbolic_shape("a, b")
    with pytest.raises(Exception, match="inconclusive"):
        bool(2 * (a // 2) + b >= a + b)


def test_indices_from_data_depend_on_data_but_for_short_tensors_of_indices() -> None:
    short = """func.func @f(%x: tensor<4xf32>, %ids: tensor<1xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %i = tensor.extract %ids[%c0] : tensor<1xindex>
  %v = tensor.extract %x[%i] : tensor<4xf32>
  return %v : f32
}
"""
    long = """func.func @f(%table: tensor<1x?x4xf32>, %ids: tensor<1x?xi32>) -> tensor<1x?x4xf32> {
  %0 = tosa.gather %table, %ids : (tensor<1x?x4xf32>, tensor<1x?xi32>) -> tensor<1x?x4xf32>
  return %0 : tensor<1x?x4xf32>
}
"""
    assert "needs 0 <= ids.values[0] <= 3" in check(short, execute=False).text()
    assert "depends on the data of %ids" in check(long, execute=False).text()
