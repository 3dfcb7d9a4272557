"""Files that people hand over by mistake: what they look like, and how to get MLIR from them."""

from __future__ import annotations

import re

_FROM_TORCH = (
    "export the model: torch_mlir.fx.export_and_import(model, *example_inputs, output_type='linalg-on-tensors', "
    "dynamic_shapes=...), and print the module into a file"
)
_FROM_JAX = "export it: jax.export.export(jax.jit(f))(*shapes).mlir_module() gives the text"
_FROM_ONNX = "import it: torch-mlir-import-onnx model.onnx (or iree-import-onnx), then lower it"
_FROM_TENSORFLOW = "convert it to StableHLO or TOSA first"

_MAGIC = (
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive: unpack it first"),
    (b"BC\xc0\xde", "LLVM bitcode: shapes are gone there; give the MLIR before it was lowered to LLVM"),
    (b"\x7fELF", "a compiled program: give the MLIR that it was compiled from"),
    (b"\x89HDF", f"an HDF5 file, such as Keras writes: {_FROM_TENSORFLOW}"),
    (b"GGUF", f"a GGUF file of weights: {_FROM_TORCH}"),
    (b"\x80", f"a Python pickle, such as older torch.save files: {_FROM_TORCH}"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\x93NUMPY", "a NumPy array"),
)

_TEXTS = (
    (r"^(; ModuleID|source_filename = |target (triple|datalayout) = |define .*@.*\{\s*$)", "LLVM IR: shapes are gone "
     "there; give the MLIR before it was lowered to LLVM"),
    (r"^HloModule\b", f"XLA's HLO text: {_FROM_JAX}"),
    (r"^\{ lambda\b", f"a jaxpr: {_FROM_JAX}"),
    (r"^(graph\(%|class GraphModule\b|ExportedProgram:)", f"a PyTorch graph: {_FROM_TORCH}"),
    (r"^#include\b", "C or C++ source"),
    (r"\A\s*(<!DOCTYPE|<html|<\?xml)", "an HTML or XML page; is the download the raw file?"),
    (r"\A\s*version https://git-lfs", "a Git LFS pointer: fetch the file with git lfs pull"),
    (r'\A\s*(\{\s*["}]|\[)', "JSON"),
    (r"^(import [\w.]+( as \w+)?\s*$|from [\w.]+ import |def \w+\(.*|class \w+.*:\s*$|#!.*python)",
     f"Python source: {_FROM_TORCH}; for JAX, {_FROM_JAX}"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.MULTILINE), words) for pattern, words in _TEXTS)
_LOOKED_AT = 4000  # characters or bytes


def foreign_binary(data: bytes) -> str | None:
    """What a file that is not MLIR looks like by its first bytes, and what to do about it; None for text."""
    if data.startswith(b"PK\x03\x04"):
        is_torch = b"data.pkl" in data[:_LOOKED_AT] or b"archive/" in data[:_LOOKED_AT]
        return f"this looks like {f'a PyTorch file: {_FROM_TORCH}' if is_torch else 'a zip archive: unpack it first'}"
    for magic, words in _MAGIC:
        if data.startswith(magic):
            return f"this looks like {words}"
    if data[4:8] == b"TFL3":
        return f"this looks like a TensorFlow Lite model: {_FROM_TENSORFLOW}"
    head = data[:_LOOKED_AT]
    if data[:1] == b"\x08" and b"\x00" not in data[:2] and re.match(rb"\x08.(\x12|:|B|\x1a)", head, re.DOTALL):
        return f"this looks like an ONNX model: {_FROM_ONNX}"
    if data[8:10] == b'{"' and b"dtype" in head:
        return f"this looks like a safetensors file of weights: {_FROM_TORCH}"
    if b"\x00" in head and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "this is a binary file that is neither MLIR text nor MLIR bytecode"
    return None


def foreign_text(text: str) -> str | None:
    """What a text that MLIR refused looks like, and what to do about it; None where it may be meant as MLIR."""
    head = text[:_LOOKED_AT]
    for pattern, words in _PATTERNS:
        if pattern.search(head):
            return f"this looks like {words}"
    return None
