"""Sizes of 2^31 and more, which JAX computes, and which wrap around in the 32-bit arithmetic of its exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main

jax: Any = pytest.importorskip("jax")
export: Any = pytest.importorskip("jax.export")

pytestmark = pytest.mark.frontends


@pytest.mark.parametrize("rows", [2**15, 2**16])
def test_jax_computes_sizes_without_the_limit_of_its_exports(rows: int) -> None:
    """A function and its export are only compiled, for arguments that no machine needs to hold."""
    argument = jax.ShapeDtypeStruct((rows, 2**16 - 1, 1), "int8")

    def flat(x: Any) -> Any:
        return x.reshape(x.shape[0] * x.shape[1], 1)

    symbolic = jax.ShapeDtypeStruct(export.symbolic_shape("b, t, 1"), "int8")
    exported = export.export(jax.jit(flat))(symbolic)
    jax.jit(flat).lower(argument).compile()
    if rows * (2**16 - 1) < 2**31:
        jax.jit(exported.call).lower(argument).compile()
    else:
        with pytest.raises(ValueError, match="refining shapes"):
            jax.jit(exported.call).lower(argument).compile()


def test_a_file_that_jax_printed_keeps_the_arithmetic_of_its_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a program, which need not come from JAX, integers of 32 bits wrap; so they do for commands that write one."""
    symbolic = jax.ShapeDtypeStruct(export.symbolic_shape("b, t"), "float32")

    def flat(x: Any) -> Any:
        return x.reshape(x.shape[0] * x.shape[1])

    exported = export.export(jax.jit(flat))(symbolic)
    text, file = tmp_path / "flat.mlir", tmp_path / "flat"
    text.write_text(exported.mlir_module())
    file.write_bytes(exported.serialize())
    assert main(["check", "--no-execute", "--fail-on", "huge-sizes", str(text)]) == 1
    assert main(["check", "--no-execute", str(file)]) == 0
    assert "32-bit arithmetic" in capsys.readouterr().out
    assert main(["prune", str(file), "-o", str(tmp_path / "pruned.mlir")]) == 0
    assert "32-bit arithmetic" not in "".join(capsys.readouterr())
