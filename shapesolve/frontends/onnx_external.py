"""Small initializers of an ONNX model that are in another file, as exporters write large models."""

from __future__ import annotations

from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

from shapesolve.frontends.onnx_inference import graphs_in


def read_small_initializers(model: Any, folder: Path, most_elements: int) -> None:
    """Put initializers of few elements into a model, from files in its folder or in folders within.

    One that cannot be read so stays outside, and its contents are unknown.
    """
    external = import_module("onnx").TensorProto.EXTERNAL
    for graph in graphs_in(model.graph):
        for tensor in graph.initializer:
            if tensor.data_location == external:
                _read(tensor, folder, most_elements)


def _read(tensor: Any, folder: Path, most_elements: int) -> None:
    onnx = import_module("onnx")
    stated = {each.key: each.value for each in tensor.external_data}
    try:
        path = (folder / stated.get("location", "")).resolve()
        count, size = prod(tensor.dims), int(onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize)
        begin, length = int(stated.get("offset", 0)), int(stated.get("length", count * size))
        if count > most_elements or length != count * size or min(tensor.dims, default=0) < 0:
            return
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            return
        with path.open("rb") as file:
            file.seek(begin)
            found = file.read(length)
    except (KeyError, OSError, RuntimeError, ValueError):  # links in a circle are a RuntimeError
        return
    if len(found) == length:
        tensor.raw_data = found
        tensor.data_location = onnx.TensorProto.DEFAULT
        del tensor.external_data[:]
