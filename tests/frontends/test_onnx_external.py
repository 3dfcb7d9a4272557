"""Shapes of ONNX models that are in files beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shapesolve.frontends.onnx_import import exported_model

onnx: Any = pytest.importorskip("onnx")
numpy: Any = pytest.importorskip("numpy")
pytest.importorskip("torch_mlir")

pytestmark = pytest.mark.frontends

helper: Any = onnx.helper
FLOAT = onnx.TensorProto.FLOAT


def saved(path: Path) -> Any:
    """Save a model that reshapes by numbers in another file, and return it."""
    x = helper.make_tensor_value_info("x", FLOAT, ["T"])
    y = helper.make_tensor_value_info("y", FLOAT, [None, None])
    held = [onnx.numpy_helper.from_array(numpy.int64([-1, 7]), "shape")]
    graph = helper.make_graph([helper.make_node("Reshape", ["x", "shape"], ["y"])], "main", [x], [y], held)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, path, save_as_external_data=True, size_threshold=0, location="held.data")
    return onnx.load(path, load_external_data=False)


def lists_the_shape(path: Path) -> bool:
    """Return whether the imported program has the numbers."""
    return "[-1, 7]" in exported_model(str(path), "torch").text


def test_a_shape_in_a_file_beside_the_model_is_read(tmp_path: Path) -> None:
    saved(tmp_path / "m.onnx")
    assert lists_the_shape(tmp_path / "m.onnx")


@pytest.mark.parametrize(
    ("key", "value"), [("location", "../held.data"), ("location", "gone"), ("length", "8"), ("offset", "8")]
)
def test_no_other_bytes_are_read(key: str, value: str, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    model = saved(inner / "m.onnx")
    (tmp_path / "held.data").write_bytes((inner / "held.data").read_bytes())
    (tensor,) = model.graph.initializer
    stated = {each.key: each.value for each in tensor.external_data} | {key: value}
    del tensor.external_data[:]
    for name, text in stated.items():
        tensor.external_data.add(key=name, value=text)
    onnx.save(model, inner / "m.onnx")
    assert not lists_the_shape(inner / "m.onnx")


@pytest.mark.parametrize("location", ["a\0b", "circle", "c" * 5000])
def test_a_file_that_no_path_leads_to_leaves_the_shape_unknown(location: str, tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    model = saved(tmp_path / "m.onnx")
    next(each for each in model.graph.initializer[0].external_data if each.key == "location").value = location
    onnx.save(model, tmp_path / "m.onnx")
    assert not lists_the_shape(tmp_path / "m.onnx")
