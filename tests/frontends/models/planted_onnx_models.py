"""Models in ONNX, some with one shape bug each that shows for some sizes only.

The node with the bug is called ``bug``. Each function here makes a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 18
Shape = Sequence[int | str]


def model(
    nodes: Sequence[Any], inputs: Mapping[str, Shape], constants: Mapping[str, Any], rank: int, opset: int = OPSET
) -> Any:
    """Return a model of float inputs, with arrays as initializers and the result ``y`` of a rank."""
    given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * rank)
    held = [numpy_helper.from_array(np.asarray(each), name) for name, each in constants.items()]
    graph = helper.make_graph(list(nodes), "main", given, [output], held)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    onnx.checker.check_model(made)
    return made


def node(op: str, inputs: str, outputs: str, name: str = "", **attributes: Any) -> Any:
    """Return a node; names of values are separated by blanks, ``-`` is an omitted input."""
    given = ["" if each == "-" else each for each in inputs.split()]
    return helper.make_node(op, given, outputs.split(), name=name or outputs.split()[0], **attributes)


def weights(*shape: int) -> Any:
    """Return float weights that are not all equal."""
    return (np.arange(np.prod(shape), dtype=np.float32).reshape(shape) % 7 - 3) / 4


def skip() -> Any:
    """Goes down by a convolution of stride 2 and comes up again."""
    nodes = [
        node("Conv", "x k", "down", strides=[2, 2], pads=[1, 1, 1, 1]),
        node("Resize", "down - scales", "up", mode="nearest", nearest_mode="floor",
             coordinate_transformation_mode="asymmetric"),
        node("Add", "x up", "y", "bug"),
    ]  # fmt: skip
    constants = {"k": weights(3, 3, 3, 3), "scales": np.float32([1, 1, 2, 2])}
    return model(nodes, {"x": ["B", 3, "H", 16]}, constants, 4)


def pairs() -> Any:
    """Puts pairs of steps into one."""
    nodes = [node("Reshape", "x shape", "cut", "bug"), node("ReduceSum", "cut axis", "y", keepdims=0)]
    return model(nodes, {"x": ["T", 6]}, {"shape": np.int64([-1, 2, 6]), "axis": np.int64([1])}, 2)


def positions() -> Any:
    """Adds a table of 16 positions, of which the sequence has more."""
    nodes = [
        node("Shape", "x", "length", start=1, end=2),
        node("Slice", "table zero length", "rows"),
        node("Add", "x rows", "y", "bug"),
    ]
    return model(nodes, {"x": ["B", "T", 4]}, {"table": weights(16, 4), "zero": np.int64([0])}, 3)


def interleaved() -> Any:
    """Joins the steps at even and at odd places."""
    nodes = [
        node("Slice", "x zero end axis two", "even"),
        node("Slice", "x one end axis two", "odd"),
        node("Concat", "even odd", "y", "bug", axis=2),
    ]
    numbers = {"zero": 0, "one": 1, "two": 2, "axis": 1, "end": 2**31 - 1}
    return model(nodes, {"x": ["B", "T", 4]}, {name: np.int64([each]) for name, each in numbers.items()}, 3)


def halves() -> Any:
    """Adds two halves, of which the second may be shorter."""
    nodes = [node("Split", "x", "first second", axis=1, num_outputs=2), node("Add", "first second", "y", "bug")]
    return model(nodes, {"x": ["B", "T"]}, {}, 2)


def masked() -> Any:
    """Masks attention to a memory as if that were as long as the sequence."""
    nodes = [
        node("Transpose", "keys", "turned", perm=[0, 2, 1]),
        node("MatMul", "x turned", "scores"),
        node("Shape", "x", "length", start=1, end=2),
        node("Concat", "length length", "square", axis=0),
        node("ConstantOfShape", "square", "mask"),
        node("Add", "scores mask", "hidden", "bug"),
        node("Softmax", "hidden", "weights", axis=-1),
        node("MatMul", "weights keys", "y"),
    ]
    return model(nodes, {"x": ["B", "T", 8], "keys": ["B", "S", 8]}, {}, 3)


def heads() -> Any:
    """A fused projection whose heads are split by a length that was halved."""
    nodes = [
        node("Shape", "x", "size"),
        node("Gather", "size one", "length"),
        node("Div", "length two", "half"),
        node("Concat", "zero half two last", "parts", axis=0),
        node("Reshape", "x parts", "cut", "bug"),
        node("ReduceMax", "cut axis", "y", keepdims=0),
    ]
    numbers = {"one": [1], "two": [2], "zero": [0], "last": [8], "axis": [2]}
    return model(nodes, {"x": ["B", "T", 8]}, {name: np.int64(each) for name, each in numbers.items()}, 3)


def grid() -> Any:
    """Anchors of a grid beside what a convolution gives."""
    nodes = [
        node("Conv", "image k", "found", strides=[2, 2], pads=[1, 1, 1, 1]),
        node("Shape", "image", "sides", start=2, end=4),
        node("Div", "sides two", "half"),
        node("Concat", "fixed half", "wanted", axis=0),
        node("ConstantOfShape", "wanted", "anchors"),
        node("Mul", "found anchors", "y", "bug"),
    ]
    return model(
        nodes,
        {"image": [1, 3, "H", "W"]},
        {"k": weights(4, 3, 3, 3), "two": np.int64([2]), "fixed": np.int64([1, 4])},
        4,
    )


def pyramid() -> Any:
    """Joins pooled levels, one of which rounds up."""
    nodes = [
        node("MaxPool", "x", "up", kernel_shape=[2], strides=[2], ceil_mode=1),
        node("AveragePool", "x", "down", kernel_shape=[2], strides=[2]),
        node("Concat", "up down", "y", "bug", axis=1),
    ]
    return model(nodes, {"x": ["B", 4, "L"]}, {}, 3)


def best() -> Any:
    """The ten best boxes."""
    nodes = [
        node("ReduceSum", "boxes axis", "scores", keepdims=0),
        node("TopK", "scores ten", "best places", "bug", axis=0),
        node("Gather", "boxes places", "y", axis=0),
    ]
    return model(nodes, {"boxes": ["N", 4]}, {"ten": np.int64([10]), "axis": np.int64([1])}, 2)


# Without a bug ---------------------------------------------------------------------------------------------------


def right_attention() -> Any:
    """Self-attention in two heads."""
    nodes = [
        node("MatMul", "x w", "fused"),
        node("Split", "fused", "q k v", axis=2, num_outputs=3),
        *(node("Reshape", f"{each} heads", f"{each}_cut") for each in "qkv"),
        *(node("Transpose", f"{each}_cut", f"{each}_heads", perm=[0, 2, 1, 3]) for each in "qv"),
        node("Transpose", "k_cut", "k_heads", perm=[0, 2, 3, 1]),
        node("MatMul", "q_heads k_heads", "scores"),
        node("Softmax", "scores", "weights", axis=-1),
        node("MatMul", "weights v_heads", "mixed"),
        node("Transpose", "mixed", "back", perm=[0, 2, 1, 3]),
        node("Reshape", "back whole", "joined"),
        node("Add", "x joined", "y"),
    ]
    constants = {"w": weights(8, 24), "heads": np.int64([0, 0, 2, 4]), "whole": np.int64([0, 0, 8])}
    return model(nodes, {"x": ["B", "T", 8]}, constants, 3)


def right_images() -> Any:
    """Convolution, pooling and a linear head on the mean over an image of any sides."""
    nodes = [
        node("Conv", "x k", "found", pads=[1, 1, 1, 1]),
        node("Relu", "found", "kept"),
        node("MaxPool", "kept", "small", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
        node("GlobalAveragePool", "small", "mean"),
        node("Flatten", "mean", "flat", axis=1),
        node("Gemm", "flat w", "y", transB=1),
    ]
    return model(nodes, {"x": ["B", 3, "H", "W"]}, {"k": weights(4, 3, 3, 3), "w": weights(2, 4)}, 2)


def right_padded() -> Any:
    """Pads to an even length, and halves it."""
    nodes = [
        node("Shape", "x", "length", start=1, end=2),
        node("Mod", "length two", "rest"),
        node("Concat", "zero zero zero zero rest zero", "pads", axis=0),
        node("Pad", "x pads", "even"),
        node("Reshape", "even cut", "pairs"),
        node("ReduceMean", "pairs axis", "y", keepdims=0),
    ]
    numbers = {"two": [2], "zero": [0], "cut": [0, -1, 2, 4], "axis": [2]}
    return model(nodes, {"x": [2, "T", 4]}, {name: np.int64(each) for name, each in numbers.items()}, 3)


def right_last() -> Any:
    """Compares each step with the one before it, and keeps the first."""
    nodes = [
        node("Slice", "x start last axis", "before"),
        node("Slice", "x start first axis", "one"),
        node("Concat", "one before", "shifted", axis=1),
        node("Slice", "shifted start end axis", "y0"),
        node("Shape", "y0", "size"),
        node("Expand", "scale size", "wide"),
        node("Mul", "y0 wide", "y"),
    ]
    numbers = {"start": [0], "last": [-1], "first": [1], "axis": [1], "end": [2**31 - 1]}
    constants = {name: np.int64(each) for name, each in numbers.items()} | {"scale": weights(4)}
    return model(nodes, {"x": ["B", "T", 4]}, constants, 3)


def right_crossed() -> Any:
    """Cross-attention by Einsum with a mask made for both lengths."""
    nodes = [
        node("Einsum", "x keys", "scores", equation="bqd,bkd->bqk"),
        node("Shape", "x", "t", start=1, end=2),
        node("Shape", "keys", "s", start=1, end=2),
        node("Concat", "t s", "size", axis=0),
        node("ConstantOfShape", "size", "mask"),
        node("Trilu", "mask", "low", upper=0),
        node("Add", "scores low", "hidden"),
        node("Softmax", "hidden", "weights", axis=-1),
        node("Einsum", "weights keys", "y", equation="bqk,bkd->bqd"),
    ]
    return model(nodes, {"x": ["B", "T", 8], "keys": ["B", "S", 8]}, {}, 3)


def right_resized() -> Any:
    """Resizes a small level to the sides of a large one, and joins both."""
    nodes = [
        node("MaxPool", "image", "small", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
        node("Shape", "image", "size"),
        node("Resize", "small - - size", "big", mode="linear"),
        node("Concat", "image big", "both", axis=1),
        node("InstanceNormalization", "both s b", "y"),
    ]
    return model(nodes, {"image": [2, 3, "H", "W"]}, {"s": weights(6), "b": weights(6)}, 4)


def right_lstm() -> Any:
    """An LSTM over a sequence and its last state."""
    nodes = [
        node("Transpose", "x", "first", perm=[1, 0, 2]),
        node("LSTM", "first w r", "all last cell", hidden_size=4),
        node("Squeeze", "all one", "flat"),
        node("Transpose", "flat", "back", perm=[1, 0, 2]),
        node("Concat", "x back", "y", axis=2),
    ]
    return model(nodes, {"x": ["B", "T", 3]}, {"w": weights(1, 16, 3), "r": weights(1, 16, 4), "one": np.int64([1])}, 3)


def right_windows() -> Any:
    """Windows of 4 of a length that is padded to a multiple, back and cropped."""
    nodes = [
        node("Shape", "x", "length", start=1, end=2),
        node("Neg", "length", "minus"),
        node("Mod", "minus four", "rest"),
        node("Concat", "zeros rest zero", "pads", axis=0),
        node("Pad", "x pads", "wide"),
        node("Reshape", "wide cut", "windows"),
        node("Softmax", "windows", "weights", axis=2),
        node("Mul", "windows weights", "mixed"),
        node("Reshape", "mixed flat", "long"),
        node("Slice", "long zero length axis", "short"),
        node("Add", "x short", "y"),
    ]
    numbers = {"four": [4], "zeros": [0, 0, 0, 0], "zero": [0], "cut": [0, -1, 4, 6], "flat": [2, -1, 6], "axis": [1]}
    return model(nodes, {"x": [2, "T", 6]}, {name: np.int64(each) for name, each in numbers.items()}, 3)


def phases() -> Any:
    """Four phases of an image."""
    return model([node("SpaceToDepth", "x", "y", "bug", blocksize=2)], {"x": ["N", 3, "H", "W"]}, {}, 4)


def right_phases() -> Any:
    """Four phases of an image that is padded to even sizes."""
    nodes = [
        node("Shape", "x", "sizes", start=2),
        node("Mod", "sizes two", "rest"),
        node("Concat", "zeros rest", "pads", axis=0),
        node("Pad", "x pads", "even"),
        node("SpaceToDepth", "even", "y", blocksize=2),
    ]
    numbers = {"two": np.int64([2]), "zeros": np.zeros(6, np.int64)}
    return model(nodes, {"x": ["N", 3, "H", "W"]}, numbers, 4)


def _chosen(count: list[Any], inputs: Mapping[str, Shape]) -> Any:
    """Return a model that chooses the boxes of the best ``k`` scores."""
    nodes = [
        *count,
        node("TopK", "scores k", "values places", "bug", axis=1),
        node("Unsqueeze", "places last", "index"),
        node("Expand", "index four", "indices"),
        node("GatherElements", "boxes indices", "y", axis=1),
    ]
    numbers = {"last": [2], "four": [1, 1, 4], "five": [5]} | ({} if count else {"k": [5]})
    held = {name: np.int64(each) for name, each in numbers.items()}
    return model(nodes, inputs, held, 3)


def chosen() -> Any:
    """Chooses five boxes, of which an image may have fewer."""
    return _chosen([], {"scores": ["B", "A"], "boxes": ["B", "A", 4]})


def right_chosen() -> Any:
    """Chooses five boxes, or all if there are fewer."""
    count = [node("Shape", "scores", "count", start=1), node("Min", "count five", "k")]
    return _chosen(count, {"scores": ["B", "A"], "boxes": ["B", "A", 4]})


def branched() -> Any:
    """Takes the five greatest of more than three."""
    empty = helper.make_empty_tensor_value_info
    five = helper.make_graph([node("TopK", "x five", "five_of at", "bug", axis=1)], "five", [], [empty("five_of")])
    every = helper.make_graph([node("Identity", "x", "all_of")], "all", [], [empty("all_of")])
    nodes = [
        node("Shape", "x", "length", start=1),
        node("Squeeze", "length axis", "count"),
        node("Greater", "count three", "long"),
        helper.make_node("If", ["long"], ["kept"], name="kept", then_branch=five, else_branch=every),
        node("Relu", "kept", "y"),
    ]
    numbers = {"axis": [0], "three": 3, "five": [5]}
    return model(nodes, {"x": ["B", "T"]}, {name: np.int64(each) for name, each in numbers.items()}, 2)


def _counted(count: Sequence[Any], inputs: Mapping[str, Shape]) -> Any:
    """Return a model that adds steps of a memory in a loop, as many as a vector ``number`` says."""
    inside = [
        node("Gather", "keys i", "key", "bug", axis=1),
        node("Add", "total key", "more"),
        node("Identity", "on", "still"),
    ]
    value = helper.make_tensor_value_info
    given = [value("i", TensorProto.INT64, []), value("on", TensorProto.BOOL, [])]
    body = helper.make_graph(
        inside,
        "body",
        [*given, value("total", TensorProto.FLOAT, ["B", 4])],
        [value("still", TensorProto.BOOL, []), value("more", TensorProto.FLOAT, ["B", 4])],
    )
    nodes = [
        node("Shape", "x", "length", start=1, end=2),
        *count,
        node("Squeeze", "number axis", "trips"),
        node("ReduceSum", "x one", "first", keepdims=0),
        helper.make_node("Loop", ["trips", "yes", "first"], ["y"], name="loop", body=body),
    ]
    held = {"axis": np.int64([0]), "one": np.int64([1]), "yes": np.bool_(True)}
    return model(nodes, inputs, held, 2)


def counted() -> Any:
    """Adds a step of the memory for each of the sequence."""
    count = [node("Identity", "length", "number")]
    return _counted(count, {"x": ["B", "T", 4], "keys": ["B", "S", 4]})


def right_counted() -> Any:
    """Adds as many steps of the memory as both have."""
    count = [node("Shape", "keys", "others", start=1, end=2), node("Min", "length others", "number")]
    return _counted(count, {"x": ["B", "T", 4], "keys": ["B", "S", 4]})


def _decoded(length: str, inputs: Mapping[str, Shape]) -> Any:
    """Return a model that collects the states of a loop over the steps of a memory, as many as an input has."""
    value, kinds = helper.make_tensor_value_info, TensorProto
    inside = [
        node("Gather", "memory i", "step", "bug", axis=1),
        node("Add", "state step", "sum"),
        node("Tanh", "sum", "new"),
        node("Identity", "on", "still"),
    ]
    given = [value("i", kinds.INT64, []), value("on", kinds.BOOL, []), value("state", kinds.FLOAT, ["B", 4])]
    yielded = [value("still", kinds.BOOL, []), *(value("new", kinds.FLOAT, ["B", 4]) for _ in range(2))]
    nodes = [
        node("Shape", length, "length", start=1, end=2),
        node("Squeeze", "length axis", "trips"),
        node("ReduceMean", "memory one", "first", keepdims=0),
        helper.make_node(
            "Loop",
            ["trips", "yes", "first"],
            ["last", "states"],
            body=helper.make_graph(inside, "body", given, yielded),
        ),
        node("Transpose", "states", "y", perm=[1, 0, 2]),
    ]
    held = {"axis": np.int64([0]), "one": np.int64([1]), "yes": np.bool_(True)}
    return model(nodes, inputs, held, 3)


def decoded() -> Any:
    """Decodes as many steps of the memory as the sequence has."""
    return _decoded("x", {"x": ["B", "T", 4], "memory": ["B", "S", 4]})


def right_decoded() -> Any:
    """Decodes every step of the memory."""
    return _decoded("memory", {"x": ["B", "T", 4], "memory": ["B", "S", 4]})


def rotated() -> Any:
    """Rotates heads by a table of 16 positions, of which the sequence has more."""
    nodes = [
        node("Shape", "x", "length", start=2, end=3),
        *(node("Slice", f"{each} zero length", f"{each}_rows") for each in ("cos", "sin")),
        *(node("Unsqueeze", f"{each}_rows zero", f"{each}_all") for each in ("cos", "sin")),
        node("RotaryEmbedding", "x cos_all sin_all", "y", "bug"),
    ]
    tables = {"cos": weights(16, 4), "sin": weights(16, 4), "zero": np.int64([0])}
    return model(nodes, {"x": [1, 2, "T", 8]}, tables, 4, opset=23)


def right_rotated() -> Any:
    """Rotates heads by angles of as many positions as the sequence has."""
    nodes = [
        node("Shape", "x", "length", start=2, end=3),
        node("Squeeze", "length zero", "count"),
        node("Range", "first count step", "places"),
        node("Cast", "places", "numbers", to=TensorProto.FLOAT),
        node("Unsqueeze", "numbers one", "column"),
        node("Mul", "column rates", "rows"),
        node("Unsqueeze", "rows zero", "angles"),
        node("Cos", "angles", "cos"),
        node("Sin", "angles", "sin"),
        node("RotaryEmbedding", "x cos sin", "y"),
    ]
    numbers = {"zero": np.int64([0]), "one": np.int64([1]), "first": np.int64(0), "step": np.int64(1)}
    return model(nodes, {"x": [1, 2, "T", 8]}, numbers | {"rates": weights(4)}, 4, opset=23)


def _strided(joined: Any, inputs: Mapping[str, Shape]) -> Any:
    """Return a model that runs an LSTM over the steps at even and at odd places, and joins the states."""
    nodes = [
        node("Slice", "x zero end zero two", "even"),
        node("Slice", "x one end zero two", "odd"),
        node("LSTM", "even w r", "a last_a cell_a", hidden_size=4),
        node("LSTM", "odd w r", "b last_b cell_b", hidden_size=4),
        joined,
    ]
    numbers = {"zero": np.int64([0]), "one": np.int64([1]), "two": np.int64([2]), "end": np.int64([2**62])}
    return model(nodes, inputs, numbers | {"w": weights(1, 16, 3), "r": weights(1, 16, 4)}, 4)


def strided() -> Any:
    """Adds the states at even and odd places, of which there may be one more."""
    return _strided(node("Add", "a b", "y", "bug"), {"x": ["T", "B", 3]})


def right_strided() -> Any:
    """Puts the states at odd places behind those at even ones."""
    return _strided(node("Concat", "a b", "y", axis=0), {"x": ["T", "B", 3]})


BUGS = (
    "skip", "pairs", "positions", "interleaved", "halves", "masked", "heads", "grid", "pyramid", "best", "phases",
    "chosen", "branched", "counted", "decoded", "rotated", "strided",
)  # fmt: skip
RIGHT = (
    "right_attention", "right_images", "right_padded", "right_last", "right_crossed", "right_resized", "right_lstm",
    "right_windows", "right_phases", "right_chosen", "right_counted",
    "right_decoded", "right_rotated", "right_strided",
)  # fmt: skip
