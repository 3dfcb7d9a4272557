"""Input files as text or bytecode, and errors for other formats.

Files that people hand over by mistake are recognized, and the error says how to get MLIR from them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from shapesolve.errors import InputError, unreadable
from shapesolve.records import value_record

LARGEST_FILE = 200 * 2**20  # bytes
DEEPEST_NESTING = (
    500  # brackets; MLIR's recursive parser overflows its stack at about 6,000 and takes the process along
)
LONGEST_NUMBER = 5_000  # decimal digits; the time that MLIR's parser takes grows with their square
BYTECODE = b"ML\xefR"
STDIN, STRING = "<stdin>", "<string>"  # as Python calls programs that are not in a file

_OPENING, _CLOSING = b"([{<", b")]}>"
_NOT_BRACKETS = bytes(sorted(set(range(256)) - set(_OPENING + _CLOSING)))
_LONG_NUMBER = re.compile(rf'(?<![\w"])[0-9]{{{LONGEST_NUMBER + 1}}}', re.ASCII)
_ALIGNED_TO_0 = re.compile(r'"0x0{8}(?=[0-9a-fA-F])')
_LINE = re.compile(r"(?P<file>.+?)(:\d+){1,2}", re.DOTALL)
"""A place in a file, as `explain` takes it."""
_STEP = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1)}


@value_record
class FileContent:
    """Content of a file: ``text``, or None if ``data`` is MLIR bytecode."""

    file: str
    data: bytes
    text: str | None
    notes: tuple[str, ...] = ()


_sent: dict[str, bytes] = {}
"""Contents that came from elsewhere, by path."""


@contextmanager
def contents_from(contents: Mapping[str, bytes]) -> Generator[None]:
    """Serve these contents for these paths inside the context, instead of the files on this machine."""
    _sent.update(contents)
    try:
        yield
    finally:
        for each in contents:
            del _sent[each]


def load(path: str) -> FileContent:
    """Return the content of a file ("-": the standard input).

    Raises:
        InputError: The content cannot be MLIR.
    """
    file = STDIN if path == "-" else path
    data = _bytes(path, file)
    if data.startswith(BYTECODE):
        return FileContent(file, data, None)
    text, notes = _decoded(data, file)
    return FileContent(file, data, text, notes)


def check_name(path: str) -> None:
    """Raise InputError for the empty name, which Python takes for the current directory."""
    if not path:
        raise InputError("the name of an input is empty; the current directory is `.`", where="''")


def check_text(text: str, file: str) -> None:
    """Raise InputError for an empty text, or one that MLIR's parser would not survive or not finish in time."""
    if not text.strip():
        raise InputError("the file is blank" if text else "the file is empty", where=file)
    _check_nesting(text, file)
    _check_resources(text, file)
    if number := _LONG_NUMBER.search(text):
        raise InputError(f"a number has more than {LONGEST_NUMBER:,} digits", where=_place(text, number.start(), file))


def _check_nesting(text: str, file: str) -> None:
    brackets = text.encode("utf-8", "replace").replace(b"->", b"").translate(None, _NOT_BRACKETS)
    for _ in range(8):  # peels the innermost pairs at the speed of C, which leaves next to nothing of honest text
        for pair in (b"()", b"[]", b"{}", b"<>"):
            brackets = brackets.replace(pair, b"")
    deepest = max(accumulate(map(_STEP.__getitem__, brackets)), default=0)
    if deepest > DEEPEST_NESTING:
        raise InputError(f"brackets are nested more than {DEEPEST_NESTING} deep", where=file)


def _check_resources(text: str, file: str) -> None:
    begin = text.find("{-#")
    if begin >= 0 and (blob := _ALIGNED_TO_0.search(text, begin)):
        raise InputError(
            "the alignment of a resource, its first 4 bytes, is 0; it has to be 1, 2, 4 or another power of 2",
            where=_place(text, blob.start(), file),
        )


def _place(text: str, position: int, file: str) -> str:
    line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    return f"{file}:{line}:{column}"


def _bytes(path: str, file: str) -> bytes:
    check_name(path)
    try:
        if path in _sent:
            return _limited(BytesIO(_sent[path]), file)
        if path == "-":
            if sys.stdin is None:  # as Python leaves it where it was closed
                raise InputError("standard input is closed", where=file)
            return _limited(sys.stdin.buffer, file)
        with Path(path).open("rb") as stream:
            return _limited(stream, file)
    except OSError as error:
        raise InputError(f"{unreadable(error)}{_hint(path)}", where=file) from None
    except ValueError as error:  # a path with a null byte
        raise InputError(str(error), where=repr(file)) from None


def _hint(path: str) -> str:
    """Return the way out if a path that does not exist is a line of a file that does; else an empty text."""
    found = _LINE.fullmatch(path)
    is_line = found is not None and os.path.isfile(found["file"]) and not os.path.exists(path)
    return f"; shapesolve explain {path} explains what stands there" if is_line else ""


def _limited(stream: BinaryIO, file: str) -> bytes:
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(
            f"the file is larger than {LARGEST_FILE // 2**20} MB; weights need not be in it: "
            "print with --mlir-elide-elementsattrs-if-larger=16 and --mlir-elide-resource-strings-if-larger=16",
            where=file,
        )
    return data


def _decoded(data: bytes, file: str) -> tuple[str, tuple[str, ...]]:
    foreign = foreign_binary(data)
    if foreign:
        raise InputError(foreign, where=file)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), ("the file is in UTF-16, as PowerShell writes it; read as that",)
        except UnicodeDecodeError:
            raise InputError("the file starts as UTF-16 text but is not", where=file) from None
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise InputError(
            f"byte {data[error.start]:#04x} is not UTF-8 text, nor is the file MLIR bytecode",
            where=f"{file}:{line}:{column}",
        ) from None


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
    """Return the format of a file that is not MLIR by its first bytes, with advice; None for text."""
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
    """Return the format of a text that MLIR refused, with advice; None if it may be meant as MLIR."""
    head = text[:_LOOKED_AT]
    for pattern, words in _PATTERNS:
        if pattern.search(head):
            return f"this looks like {words}"
    return None
