"""Functions of JAX are run by JAX at the sizes that fail, and findings stand at the user's lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli.main import main

pytest.importorskip("jax")

pytestmark = pytest.mark.frontends

MODEL = """
import jax
import jax.numpy as jnp
from jax import export

def split(unused, x):
    t = x.shape[0]
    return x.reshape(t // 2, 2)

def make():
    return split, "t", "t"

def exported():
    return export.export(jax.jit(split))(*export.symbolic_args_specs((jnp.ones(4), jnp.ones(4)), "t"))
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


def test_jax_raises_at_the_sizes_that_fail(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The argument that the export drops is passed to the function all the same."""
    assert main(["check", f"{model}:make"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert (
        "model.py:8:" in output and "needs t % 2 == 0" in output and "in split: return x.reshape(t // 2, 2)" in output
    )
    assert "raises TypeError: cannot reshape array of shape (3,) (size 3) into shape (1, 2)" in output
    assert "called" not in output and "_wrapped_jax_export_main" not in output


def test_an_export_is_called_where_there_is_no_function(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{model}:exported"]) == 1
    assert "the model itself, run by its framework, raises" in " ".join(capsys.readouterr().out.split())


def test_constraints_of_a_scope_are_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "halves.py"
    path.write_text(
        "import jax\nfrom jax import export\n\ndef halves(x):\n    middle = x.shape[0] // 2\n"
        "    return x[:middle] + x[middle:]\n\ndef make():\n    scope = export.SymbolicScope(['t >= 7', 't <= 100'])\n"
        "    return halves, jax.ShapeDtypeStruct(export.symbolic_shape('t', scope=scope), 'float32')\n"
    )
    assert main(["check", f"{path}:make"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "fails at inputs [7]" in output
    assert "the model fails where t % 2 == 0 is false" in output


def test_a_finding_stands_at_no_line_of_what_jax_calculates_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stood in a file of opt_einsum."""
    path = tmp_path / "heads.py"
    path.write_text(
        "import jax.numpy as jnp\n\ndef heads(q, k):\n"
        "    return jnp.einsum('bthd,bshd->bhts', q, k)\n\ndef make():\n"
        "    return heads, 'b, t, 2*g, 8', 'b, s, g, 8'\n"
    )
    assert main(["check", f"{path}:make"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "heads.py:4: error: the model fails where g == 1 is false" in output and "opt_einsum" not in output
