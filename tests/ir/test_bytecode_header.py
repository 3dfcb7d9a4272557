"""Test of the error for bytecode that MLIR refuses: its producer, and how to write it again."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from shapesolve.errors import InputError
from shapesolve.ir import bindings
from shapesolve.ir.bytecode_header import producer, rewriting_hint
from shapesolve.ir.reader import read_file


def bytecode() -> bytes:
    text = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n"
    with bindings.new_context():
        module = bindings.ir().Module.parse(text)
        stream = io.BytesIO()
        module.operation.write_bytecode(stream)
    return stream.getvalue()


def test_the_producer_is_named() -> None:
    name, version = producer(bytecode()) or ("", 0)
    assert name.startswith("MLIR") and version >= 6


@pytest.mark.parametrize("data", [b"", b"ML\xefR", b"ML\xefR\x0dMLIR", b"ML\xefR\x0d\xff\xff\0", b"ML\xefR\x0cMLIR\0"])
def test_a_damaged_header_has_no_producer(data: bytes) -> None:
    assert producer(data) is None
    assert "-emit-bytecode-version=3" in rewriting_hint(data) and "written by" not in rewriting_hint(data)


@pytest.mark.process
def test_refused_bytecode_names_the_rewriting_hint(tmp_path: Path) -> None:
    data = bytecode()
    path = tmp_path / "f.mlirbc"
    path.write_bytes(data[: len(data) * 2 // 3])
    with pytest.raises(InputError, match=r"hint: it was written by MLIR.* in version .*-emit-bytecode-version=3, or"):
        read_file(str(path))
