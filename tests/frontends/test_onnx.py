"""End-to-end tests from an ONNX model to a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main
from shapesolve.errors import InputError

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("torch_mlir")

pytestmark = pytest.mark.frontends

helper: Any = onnx.helper
FLOAT, INT64 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64


def saved(path: Path, nodes: list[Any], inputs: dict[str, Any], initializers: list[Any]) -> Path:
    given = [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in inputs.items()]
    result = helper.make_tensor_value_info("z", FLOAT, None)
    graph = helper.make_graph(nodes, "any name", given, [result], initializers)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), str(path))
    return path


@pytest.fixture
def joined(tmp_path: Path) -> Path:
    """A product, joined with another input along the second dimension."""
    weight = helper.make_tensor("w", FLOAT, [8, 64], [0.5] * 512)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], name="proj"),
        helper.make_node("Concat", ["m", "y"], ["z"], axis=1, name="join"),
    ]
    return saved(tmp_path / "joined.onnx", nodes, {"x": ["B", "T", 8], "y": ["B", "2*T", "width"]}, [weight])


def test_names_of_dimensions_are_facts(joined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(joined)]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "ONNX is trusted" in output and "%x is [B, T, 8], %y is [B, 2*T, width]" in output
    assert "needs width == 64" in output and "model join" in output
    assert "[onnx-concat-" in output and "stopped here" not in output
    assert "the model itself, run by its framework, raises ValueError: all the input array dimensions" in output
    assert main(["check", "--no-execute", "--assume", "width == 64", str(joined)]) == 0
    capsys.readouterr()
    assert main(["check", "--no-execute", "--assume", "width == 64", "--distrust", str(joined)]) == 1
    assert "y[0]" in capsys.readouterr().out


def test_weights_are_left_out_and_tables_are_not(tmp_path: Path) -> None:
    from shapesolve.frontends.onnx_import import exported_model

    nodes = [helper.make_node("Gather", ["x", "i"], ["g"], axis=0), helper.make_node("MatMul", ["g", "w"], ["z"])]
    weight = helper.make_tensor("w", FLOAT, [3, 40_000], [0.5] * 120_000)
    table = helper.make_tensor("i", INT64, [5], [2, 0, 1, 1, 2])
    text = exported_model(str(saved(tmp_path / "a.onnx", nodes, {"x": [3, 3]}, [weight, table])), "linalg").text
    assert "dense_resource<__elided__" in text and "dense<[2, 0, 1, 1, 2]>" in text
    assert "dialect_resources" not in text and len(text) < 20_000


def test_a_broken_onnx_file_exits_with_2(joined: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, data in enumerate((joined.read_bytes()[:60], b"no model at all", b"\x00" * 50)):
        path = tmp_path / f"{number}.onnx"
        path.write_bytes(data)
        assert main(["check", str(path)]) == 2
        errors = capsys.readouterr().err
        assert errors.startswith("error: ") and "Traceback" not in errors


def test_operators_that_torch_mlir_does_not_lower(tmp_path: Path) -> None:
    from shapesolve.frontends.onnx_import import exported_model

    nodes = [helper.make_node("StringNormalizer", ["x"], ["z"], name="odd")]
    path = saved(tmp_path / "a.onnx", nodes, {"x": ["N"]}, [])
    with pytest.raises(InputError, match="torch-mlir cannot"):
        exported_model(str(path), "linalg")


def test_the_reference_is_run_at_the_sizes_that_fail(joined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-execute", "--execute-original", str(joined)]) == 1
    assert "run by its framework, raises ValueError: all the input array" in " ".join(capsys.readouterr().out.split())


def test_a_node_without_a_rule_leaves_the_others_to_theirs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only ONNX demands elements enough for `TopK`, and whether the unknown node fails is not known."""
    five = helper.make_tensor("k", INT64, [1], [5])
    nodes = [
        helper.make_node("TopK", ["x", "k"], ["best", "at"], axis=1, name="best"),
        helper.make_node("MaxUnpool", ["best", "at"], ["z"], kernel_shape=[1], name="odd"),
    ]
    file = saved(tmp_path / "a.onnx", nodes, {"x": ["B", "T", 1]}, [five])
    model = onnx.load(file)
    model.opset_import[0].version = 18
    onnx.save(model, str(file))
    assert main(["check", "--level", "torch", str(file)]) == 1
    assert "onnx.TopK needs T >= 5" in capsys.readouterr().out
    assert main(["check", "--level", "torch", "--assume", "T >= 5", str(file)]) == 3
    output = " ".join(capsys.readouterr().out.split())
    assert "onnx.MaxUnpool may fail and is not checked: no rule describes it" in output


def test_operators_of_other_domains_are_not_those_of_onnx(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model's own `Add` joins its operands; of that of another domain nothing is known."""
    joined = helper.make_node("Concat", ["a", "b"], ["c"], axis=0)
    own = helper.make_function("own", "Add", ["a", "b"], ["c"], [joined], [helper.make_opsetid("", 17)])
    for domain, functions, expected in (("own", [own], 0), ("other", [], 3)):
        nodes = [helper.make_node("Add", ["x", "y"], ["z"], domain=domain, name="sum")]
        file = saved(tmp_path / f"{domain}.onnx", nodes, {"x": ["A", "T"], "y": ["B", "T"]}, [])
        model = onnx.load(file)
        model.functions.extend(functions)
        model.opset_import.append(helper.make_opsetid(domain, 1))
        onnx.save(model, str(file))
        assert main(["check", "--level", "torch", str(file)]) == expected
        output = capsys.readouterr().out
        assert ("onnx.other.Add may fail and is not checked" in output) is (domain == "other")


def test_the_nearest_element_has_no_corners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """torch-mlir writes that they are not aligned, which PyTorch refuses: judged so, no call would be safe."""
    scales = helper.make_tensor("s", FLOAT, [4], [1.0, 1.0, 2.0, 2.0])
    for places in ({"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}, {}):
        nodes = [
            helper.make_node("MaxPool", ["x"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
            helper.make_node("Resize", ["p", "", "s"], ["r"], mode="nearest", **places),
            helper.make_node("Add", ["x", "r"], ["z"]),
        ]
        file = str(saved(tmp_path / "a.onnx", nodes, {"x": ["N", 3, "H", "W"]}, [scales]))
        known = ["--level", "torch", "--assume", "H >= 4 and W >= 4"]
        assert main(["check", file, *known, "--assume", "H % 2 == 0", "--no-execute"]) == 1
        assert "EVERY CALL FAILS" not in capsys.readouterr().out
        assert main(["check", file, *known, "--assume", "H % 2 == 0 and W % 2 == 0"]) == 0
        assert "not checked" not in capsys.readouterr().out


def test_means_have_as_many_strides_as_dimensions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """torch-mlir writes two more, which PyTorch refuses."""
    for kernel, extents in (([3], ["L"]), ([2, 2], ["H", "W"]), ([2, 2, 2], ["D", "H", "W"])):
        nodes = [helper.make_node("AveragePool", ["x"], ["z"], kernel_shape=kernel, strides=kernel)]
        file = str(saved(tmp_path / "a.onnx", nodes, {"x": ["N", 3, *extents]}, []))
        large = " and ".join(f"{each} >= 4" for each in extents)
        assert main(["check", file, "--level", "torch", "--assume", large, "--no-execute"]) == 0
        assert "not checked" not in capsys.readouterr().out


@pytest.mark.parametrize(("opset", "length", "expected"), [(18, 4, 3), (18, 2, 3), (21, 4, 0)])
def test_groups_of_older_opsets_have_parameters_of_their_own(
    tmp_path: Path, opset: int, length: int, expected: int
) -> None:
    """The four channels' parameters are wrong before opset 21, which has one for each channel."""
    scale, shift = (helper.make_tensor(name, FLOAT, [length], [1.0] * length) for name in ("a", "b"))
    nodes = [helper.make_node("GroupNormalization", ["x", "a", "b"], ["z"], num_groups=2, name="groups")]
    file = saved(tmp_path / "a.onnx", nodes, {"x": ["N", 4, "T"]}, [scale, shift])
    model = onnx.load(file)
    model.opset_import[0].version = opset
    onnx.save(model, str(file))
    assert main(["check", "--no-execute", "--level", "torch", "--min-size", "1", str(file)]) == expected


OLDER: dict[str, tuple[int, dict[str, Any], list[Any], list[Any]]] = {
    "Add": (6, {"broadcast": 1, "axis": 1}, ["N", "C", "T"], ["C"]),
    "PRelu": (6, {}, ["N", "C", "T"], ["C"]),
    "Sum": (6, {}, ["N", "C"], ["N", "C"]),
    "Concat": (3, {}, ["N", "C"], ["N", "D"]),
    "BatchNormalization": (7, {"spatial": 0}, ["N", 2, 3], [2, 3]),
}


@pytest.mark.parametrize("name", OLDER)
def test_what_an_older_opset_means_otherwise_is_not_checked(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """These are right models: channels are aligned from the front, the axis is 1, parameters are those of places."""
    opset, attributes, first, second = OLDER[name]
    given = ["x", *["s"] * (4 if name == "BatchNormalization" else 1)]
    nodes = [helper.make_node(name, given, ["z"], name="old", **attributes)]
    file = saved(tmp_path / "a.onnx", nodes, {"x": first, "s": second}, [])
    model = onnx.load(file)
    model.opset_import[0].version = opset
    onnx.save(model, str(file))
    assert main(["check", "--no-execute", "--level", "torch", str(file)]) == 3
    output = " ".join(capsys.readouterr().out.split())
    assert "not checked" in output and "refuted" not in output


PAIRS: dict[str, tuple[list[tuple[str, str, str, dict[str, Any]]], dict[str, list[Any]], dict[str, list[Any]], str]] = {
    "sequence": (
        [("SequenceConstruct", "x z", "q", {}), ("ConcatFromSequence", "q", "z1", {"axis": 1})],
        {"x": ["B", "T"], "z": ["C", "T"]},
        {"x": ["B", "T"], "z": ["B", "S"]},
        "needs B == C",
    ),
    "regions": (
        [("RoiAlign", "x r b", "a", {"output_height": 2, "output_width": 2}), ("Add", "a s", "z1", {})],
        {"x": [1, "C", "H", 8], "r": ["R", 4], "s": ["R", 3, 2, 2]},
        {"x": [1, "C", "H", 8], "r": ["R", 4], "s": ["R", "C", 2, 2]},
        "onnx.Add needs",
    ),
    "transposed": (
        [("ConvTranspose", "x k", "z1", {"strides": [2], "output_shape": [6]})],
        {"x": ["B", 1, "H"]},
        {"x": ["B", 1, 3]},
        "needs H >= 2",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_planted_bug_is_found_and_its_twin_is_right(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps, wrong, right, expected = PAIRS[name]
    nodes = [
        helper.make_node(op, inputs.split(), [output], name=output, **attributes)
        for op, inputs, output, attributes in steps
    ]
    nodes.append(helper.make_node("Identity", ["z1"], ["z"], name="last"))
    numbers = [helper.make_tensor("b", INT64, [2], [0, 0]), helper.make_tensor("k", FLOAT, [1, 1, 3], [1.0, 2.0, 3.0])]
    for shapes, code in ((wrong, 1), (right, 0)):
        options = ["--assume", "R == 2"] if name == "regions" else []
        path = saved(tmp_path / "a.onnx", nodes, shapes, numbers)
        assert main(["check", "--level", "torch", *options, str(path)]) == code
        output = " ".join(capsys.readouterr().out.split())
        assert (expected in output) == bool(code) and ("model z1" in output) == bool(code), output
