"""Shapes that ONNX's inference states wrongly, against its reference implementation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main

onnx: Any = pytest.importorskip("onnx")
reference: Any = pytest.importorskip("onnx.reference")
numpy: Any = pytest.importorskip("numpy")
pytest.importorskip("torch_mlir")

pytestmark = pytest.mark.frontends

helper: Any = onnx.helper
FLOAT = onnx.TensorProto.FLOAT
Shapes = dict[str, list[int | str]]


def model(nodes: list[Any], inputs: Shapes, results: list[str], **integers: int) -> Any:
    given = [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in inputs.items()]
    held = [onnx.numpy_helper.from_array(numpy.array(each), name) for name, each in integers.items()]
    graph = helper.make_graph(
        nodes, "main", given, [helper.make_empty_tensor_value_info(each) for each in results], held
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)


def attention() -> Any:
    """Heads in the last dimension, with a past and an unknown number of new keys."""
    results = ["y", "keys", "values", "scores"]
    node = helper.make_node("Attention", [*"qkv", "", "a", "b"], results, q_num_heads=2, kv_num_heads=1)
    inputs: Shapes = {"q": [1, 3, 4], "k": [1, "n", 2], "v": [1, "n", 2], "a": [1, 1, 2, 2], "b": [1, 1, 2, 2]}
    return model([node, helper.make_node("Relu", ["scores"], ["z"])], inputs, ["y", "z"])


def spectrogram() -> Any:
    """Half of the numbers of each frame, as the default asks for."""
    nodes = [helper.make_node("STFT", ["x", "step", "", "size"], ["s"]), helper.make_node("Add", ["s", "y"], ["z"])]
    return model(nodes, {"x": ["n", 5, 1], "y": [1, 1, 2, 2]}, ["z"], step=9, size=3)


def products() -> Any:
    """Products of a column and a matrix, which broadcast."""
    nodes = [
        helper.make_node("Einsum", ["x", "y"], ["e"], equation="ij,ij->ij"),
        helper.make_node("Concat", ["e", "w"], ["z"], axis=0),
    ]
    return model(nodes, {"x": ["n", 1], "y": ["n", 3], "w": [1, 3]}, ["z"])


@pytest.mark.parametrize("made", [attention, spectrogram, products])
def test_sizes_that_run_are_proved(made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(made(), path)
    assert main(["check", "--no-execute", "--assume", "n >= 1", str(path)]) == 0, capsys.readouterr().out
    for n in (1, 2, 5):
        inputs = made().graph.input
        shapes = [[each.dim_value or n for each in given.type.tensor_type.shape.dim] for given in inputs]
        values = {given.name: numpy.ones(shape, numpy.float32) for given, shape in zip(inputs, shapes, strict=True)}
        reference.ReferenceEvaluator(made()).run(None, values)


def test_types_that_the_file_states_inside_a_graph_are_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """onnxruntime takes [1, 4] for the shape, and raises for others; inference without the type proves them all."""
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("Shape", ["a"], ["s"]),
        helper.make_node("Reshape", ["x", "s"], ["y"]),
    ]
    edited = model(nodes, {"x": ["n", 4]}, ["y"])
    edited.graph.value_info.append(helper.make_tensor_value_info("a", FLOAT, [1, 4]))
    path = tmp_path / "m.onnx"
    onnx.save(edited, path)
    assert main(["check", "--no-execute", str(path)]) == 1
    assert "onnx.Relu needs n == 1" in capsys.readouterr().out
