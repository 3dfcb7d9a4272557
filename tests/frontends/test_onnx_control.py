"""Branches and loops of ONNX against its reference implementation, at every small size."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main
from shapesolve.options import Options

onnx: Any = pytest.importorskip("onnx")
reference: Any = pytest.importorskip("onnx.reference")
numpy: Any = pytest.importorskip("numpy")
pytest.importorskip("torch_mlir")

pytestmark = pytest.mark.frontends

helper: Any = onnx.helper
FLOAT, INT64, BOOL = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.BOOL
Extent = int | str


def node(op: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    return helper.make_node(op, inputs.split(), outputs.split(), name=outputs.split()[0], **attributes)


def value(name: str, *shape: Extent | None, type: int = FLOAT) -> Any:
    return helper.make_tensor_value_info(name, type, shape)


def model(nodes: list[Any], inputs: list[Any], constants: dict[str, Any]) -> Any:
    held = [onnx.numpy_helper.from_array(numpy.array(each), name) for name, each in constants.items()]
    graph = helper.make_graph(nodes, "main", inputs, [helper.make_tensor_value_info("y", FLOAT, None)], held)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def branch(t: Extent, s: Extent) -> Any:
    """The five greatest of more than three; for fewer, a sum that broadcasts."""
    chosen = [
        helper.make_graph(nodes, out, [], [helper.make_empty_tensor_value_info(out)])
        for nodes, out in (([node("TopK", "x five", "big at", axis=0)], "big"), ([node("Add", "x z", "sum")], "sum"))
    ]
    nodes = [
        node("Shape", "x", "t", start=0, end=1),
        node("Squeeze", "t axis", "n"),
        node("Greater", "n three", "long"),
        helper.make_node("If", ["long"], ["y"], then_branch=chosen[0], else_branch=chosen[1]),
    ]
    return model(nodes, [value("x", t), value("z", s)], {"five": [5], "axis": [0], "three": 3})


def loop(t: Extent, s: Extent) -> Any:
    """Adds as many rows of the second input as the first has, behind the first one."""
    inside = [
        node("Add", "i one", "next"),
        node("Gather", "z next", "row", axis=0),
        node("Add", "total row", "more"),
        node("Identity", "on", "still"),
    ]
    taken = [value("i", type=INT64), value("on", type=BOOL), value("total", 3)]
    body = helper.make_graph(inside, "body", taken, [value("still", type=BOOL), value("more", 3)])
    nodes = [
        node("Shape", "x", "t", start=0, end=1),
        node("Squeeze", "t axis", "n"),
        node("ReduceSum", "x axis", "first", keepdims=0),
        helper.make_node("Loop", ["n", "yes", "first"], ["y"], body=body),
    ]
    return model(nodes, [value("x", t, 3), value("z", s, 3)], {"axis": [0], "one": 1, "yes": True})


def collected(t: Extent, s: Extent) -> Any:
    """Collects as many rows of the second input as the first has, and adds the second one."""
    row = [node("Gather", "z i", "row", axis=0), node("Identity", "on", "still")]
    body = helper.make_graph(
        row, "body", [value("i", type=INT64), value("on", type=BOOL)], [value("still", type=BOOL), value("row", 3)]
    )
    nodes = [
        node("Shape", "x", "t", start=0, end=1),
        node("Squeeze", "t axis", "n"),
        helper.make_node("Loop", ["n", "yes"], ["rows"], body=body),
        node("Add", "rows z", "y"),
    ]
    return model(nodes, [value("x", t, 3), value("z", s, 3)], {"axis": [0], "yes": True})


def growing(t: Extent, s: Extent) -> Any:
    """Collects a cache that grows by the second input in each iteration."""
    inside = [node("Concat", "cache z", "more", axis=0), node("Identity", "on", "still")]
    taken = [value("i", type=INT64), value("on", type=BOOL), value("cache", None, 3)]
    yielded = [value("still", type=BOOL), value("more", None, 3), value("more", None, 3)]
    nodes = [
        node("Shape", "x", "t", start=0, end=1),
        node("Squeeze", "t axis", "n"),
        helper.make_node(
            "Loop", ["n", "yes", "z"], ["last", "y"], body=helper.make_graph(inside, "body", taken, yielded)
        ),
    ]
    return model(nodes, [value("x", t, 3), value("z", s, 3)], {"axis": [0], "yes": True})


def scanned(t: Extent, s: Extent) -> Any:
    """Scans both inputs with a state, and joins what is collected with the second one."""
    inside = [node("Add", "state a", "new"), node("Mul", "new b", "product")]
    taken = [value("state", 3), value("a", 3), value("b", 3)]
    body = helper.make_graph(inside, "body", taken, [value("new", 3), value("product", 3)])
    nodes = [
        node("ReduceSum", "z axis", "first", keepdims=0),
        helper.make_node("Scan", ["first", "x", "z"], ["last", "rows"], body=body, num_scan_inputs=2),
        node("Concat", "rows z", "y", axis=1),
    ]
    return model(nodes, [value("x", t, 3), value("z", s, 3)], {"axis": [0]})


def state(t: Extent, s: Extent) -> Any:
    """Adds the parts of the first input to a state as long as the second one."""
    body = helper.make_graph(
        [node("Add", "state a", "new")], "body", [value("state", None), value("a", 3)], [value("new", None)]
    )
    body.output.append(value("a", 3))
    nodes = [
        node("ReduceSum", "z axis", "first", keepdims=0),
        helper.make_node("Scan", ["first", "x"], ["last", "y"], body=body, num_scan_inputs=1),
    ]
    return model(nodes, [value("x", t, 3), value("z", 2, s)], {"axis": [0]})


def inputs_of(made: Any) -> dict[str, Any]:
    return {
        each.name: numpy.ones([one.dim_value for one in each.type.tensor_type.shape.dim], numpy.float32)
        for each in made.graph.input
    }


def raises(made: Any) -> bool:
    given = inputs_of(made)
    try:
        reference.ReferenceEvaluator(made).run(None, given)
    except Exception:
        return True
    return False


@pytest.mark.parametrize("make", [branch, loop])
def test_claims_inside_fail_where_the_reference_implementation_raises(
    make: Callable[[Extent, Extent], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shapesolve.onnx

    path = tmp_path / "model.onnx"
    outcomes = set[bool]()
    for t, s in product(range(7), range(4)):
        made = make(t, s)
        onnx.save(made, str(path))
        report = shapesolve.onnx.check(path, options=Options(execute=False))
        wanted = raises(made)
        outcomes.add(wanted)
        assert report.exit_code == int(wanted), (t, s, report.text())
    assert outcomes == {False, True}
    onnx.save(make("T", "S"), str(path))
    assert main(["check", "--level", "torch", str(path)]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "run by its framework, raises" in output and "returns" not in output


@pytest.mark.parametrize("make", [loop, collected, growing, scanned, state])
def test_claims_inside_fail_where_onnxruntime_raises(make: Callable[[Extent, Extent], Any], tmp_path: Path) -> None:
    runtime: Any = pytest.importorskip("onnxruntime")
    import shapesolve.onnx

    options = runtime.SessionOptions()
    options.log_severity_level = 4
    path = tmp_path / "model.onnx"
    outcomes = set[bool]()
    for t, s in product(range(5), range(4)):
        made = make(t, s)
        onnx.save(made, str(path))
        report = shapesolve.onnx.check(path, options=Options(execute=False))
        try:
            runtime.InferenceSession(str(path), options).run(None, inputs_of(made))
            wanted = False
        except Exception:
            wanted = True
        outcomes.add(wanted)
        assert report.exit_code == int(wanted), (t, s, report.text())
    assert outcomes == {False, True}
