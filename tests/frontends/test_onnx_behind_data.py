"""Sizes that fail in an ONNX model behind a node whose own requirement depends on data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import shapesolve.onnx
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.cli.main import main
from shapesolve.solver.verdicts import Refuted

onnx: Any = pytest.importorskip("onnx")
numpy: Any = pytest.importorskip("numpy")
pytest.importorskip("torch_mlir")

pytestmark = pytest.mark.frontends

helper: Any = onnx.helper
FLOAT, INT64 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
NO_SHAPE = None


def node(op: str, inputs: str, output: str, name: str = "", **attributes: Any) -> Any:
    return helper.make_node(op, inputs.split(), [output], name=name or output, **attributes)


def save(path: Path, nodes: list[Any], inputs: dict[str, tuple[int, list[Any]]], rows: int, **model: Any) -> str:
    """Save a model that looks up ``rows`` embeddings of four numbers, and return its path."""
    held = {
        "table": numpy.ones((rows, 4), "f"),
        "places": numpy.ones((20, 4), "f"),
        "axes": numpy.array([0]),
        "end": numpy.array([9]),
    }
    used = {each for one in nodes for each in one.input}
    constants = [onnx.numpy_helper.from_array(held[name], name) for name in held if name in used]
    given = [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()]
    out = helper.make_tensor_value_info("y", FLOAT, NO_SHAPE)
    graph = helper.make_graph(nodes, "main", given, [out], constants)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9, **model), path)
    return str(path)


def node_of(each: CheckedObligation) -> str:
    origin = each.obligation.op.origin
    return "" if origin is None else origin.module


IDS = {"ids": (INT64, ["B", "T"])}


@pytest.mark.parametrize("rows", [30, 1], ids=["many rows", "one row, where 1 is no index"])
def test_sizes_that_fail_behind_a_lookup_are_refuted(
    rows: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty positions are added to T looked-up rows."""
    monkeypatch.setenv("COLUMNS", "120")
    nodes = [node("Gather", "table ids", "rows"), node("Add", "rows places", "y", "with_places")]
    file = save(tmp_path / "model.onnx", nodes, IDS, rows)
    assert main(["check", file]) == 1
    printed = capsys.readouterr().out
    assert "error: onnx.Add needs compatible(20, T)" in printed
    assert "model      with_places" in printed
    assert "raises ValueError" in printed
    assert ("(with integers all 0)" in printed) == (rows == 1)
    assert "onnx.Gather depends on the data of ids" in printed  # which stays open


def test_right_sizes_behind_a_lookup_are_proved(tmp_path: Path) -> None:
    nodes = [node("Gather", "table ids", "rows"), node("Add", "rows rows", "y")]
    report = shapesolve.onnx.check(save(tmp_path / "model.onnx", nodes, IDS, 30))
    assert not report.count(Refuted)
    assert [node_of(each) for each in report.checked_obligations if each.is_about_data] == ["rows"]


def test_sizes_of_a_node_with_its_own_requirement_on_data_are_refuted(tmp_path: Path) -> None:
    """The second lookup takes places of T rows, where the updates have one place for each of S."""
    inputs = {**IDS, "x": (FLOAT, ["S", 4]), "at": (INT64, ["T", 1])}
    nodes = [node("Gather", "table ids", "rows"), node("ReduceSum", "rows axes", "sum", keepdims=0)]
    nodes.append(node("ScatterND", "x at sum", "y", "scatter"))
    report = shapesolve.onnx.check(save(tmp_path / "model.onnx", nodes, {**inputs, "ids": (INT64, ["B", "U"])}, 30))
    refuted = [each for each in report.checked_obligations if isinstance(each.verdict, Refuted)]
    assert [node_of(each) for each in refuted] == ["scatter"]
    assert all(each.model_run is not None and each.model_run.raised for each in refuted)


@pytest.mark.parametrize("names", [("", ""), ("same", "same")], ids=["no names", "one name of two nodes"])
def test_a_node_that_its_name_does_not_tell_stays_undecided(names: tuple[str, str], tmp_path: Path) -> None:
    lookup, add = node("Gather", "table ids", "rows"), node("Add", "rows places", "y")
    lookup.name, add.name = names
    report = shapesolve.onnx.check(save(tmp_path / "model.onnx", [lookup, add], IDS, 30))
    assert not report.count(Refuted)
    assert sum(each.is_about_data for each in report.checked_obligations) == 2


def test_a_node_inside_a_function_of_the_model_is_not_taken_for_one_outside(tmp_path: Path) -> None:
    """A node of the function and one of the graph have one name; the one outside raises before."""
    inner = helper.make_function(
        "own", "Plus", ["a", "b"], ["c"], [node("Add", "a b", "c", "add")], [helper.make_opsetid("", 18)]
    )
    outer = helper.make_node("Plus", ["rows", "places"], ["y"], domain="own", name="call")
    file = save(tmp_path / "model.onnx", [node("Gather", "table ids", "rows"), outer], IDS, 30, functions=[inner])
    assert not shapesolve.onnx.check(file).count(Refuted)
