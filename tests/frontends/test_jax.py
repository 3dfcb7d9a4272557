"""End-to-end tests from a JAX function to a verdict."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shapesolve.cli.main import main

pytest.importorskip("jax")

pytestmark = pytest.mark.frontends

MODELS = Path(__file__).parent / "models" / "jax_models.py"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a file that jax.export serialized, in a process of its own."""
    path = tmp_path_factory.mktemp("saved") / "joined.export"
    code = f"""
import sys; sys.path.insert(0, {str(MODELS.parent)!r})
import jax, jax_models
from jax import export
b, n = export.symbolic_shape("b, n", constraints=["n >= 4", "mod(n, 2) == 0"])
shapes = [jax.ShapeDtypeStruct(each, "float32") for each in ((b, n), (n - 1,))]
open({str(path)!r}, "wb").write(export.export(jax.jit(jax_models.joined))(*shapes).serialize())
"""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True, env=environment)
    return path


def test_a_function_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--max-size", "1000000", f"{MODELS}:model"]) in (0, 3)
    output = " ".join(capsys.readouterr().out.split())
    assert "jax.export states, as do the assertions" in output
    assert "%x is [b, n], %y is [n], b >= 1, n >= 1" in output
    assert "REFUTED" not in output and ": error: " not in output


def test_comparisons_that_jax_cannot_decide_are_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{MODELS}:largest"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert (
        "where n >= 3 is false" in output
        and "raises ValueError: k argument to top_k must be no larger than size" in output
    )


def test_a_constraint_on_a_size_that_another_settles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-execute", f"{MODELS}:settled"]) == 0
    assert "%x is [a], a >= 3" in " ".join(capsys.readouterr().out.split())


def test_constraints_of_a_serialized_program_are_read_from_its_assertions(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--max-size", "1000000", "--no-execute", str(saved)]) in (0, 3)
    output = " ".join(capsys.readouterr().out.split())
    assert "%y is [n - 1]" in output and "n >= 4, n % 2 == 0" in output
    assert main(["check", "--max-size", "1000000", "--no-execute", "--distrust", "-v", str(saved)]) == 1
    assert "do not match the symbolic shape constraint n >= 4" in " ".join(capsys.readouterr().out.split())


def test_half_of_a_serialized_program(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "half"
    path.write_bytes(saved.read_bytes()[: saved.stat().st_size // 2])
    assert main(["check", str(path)]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("error: ") and "Traceback" not in errors


def test_levels_are_not_for_jax(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--level", "tosa", str(saved)]) == 2
    assert "JAX makes StableHLO" in capsys.readouterr().err


@pytest.mark.parametrize("kept", [0.01, 0.3, 0.5, 0.9, 0.99])
def test_a_truncated_jax_export_is_refused(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: float
) -> None:
    whole = saved.read_bytes()
    path = tmp_path / "half.export"
    path.write_bytes(whole[: int(len(whole) * kept)])
    assert main(["check", str(path)]) == 2
    result = capsys.readouterr()
    assert "Traceback" not in result.err + result.out
    assert "internal error" not in result.err


@pytest.mark.parametrize("part", range(1, 10))
def test_a_damaged_jax_export_is_refused(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], part: int
) -> None:
    held = bytearray(saved.read_bytes())
    at = len(held) * part // 10
    held[at : at + 4] = b"\xff\x00\xff\x13"
    path = tmp_path / "damaged.export"
    path.write_bytes(bytes(held))
    main(["check", str(path)])  # what is damaged may not matter
    result = capsys.readouterr()
    assert "Traceback" not in result.err + result.out
    assert "internal error" not in result.err


TWO = """\
def named():
    return lambda values, table: values[::2].sum() + table.reshape(4, -1).sum(), "n", "m, 3"
"""


def test_arguments_have_the_users_names_and_small_failures_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.py").write_text(TWO)
    assert main(["check", "two.py:named"]) == 1
    assert "large      these" not in capsys.readouterr().out
    assert main(["check", "two.py:named", "--check-wraps"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "%values is [n], %table is [m, 3]" in output
    assert output.index("where m % 4 == 0 is false") < output.index("large these")
    assert ": warning: iota needs" in output and "dynamic_iota needs" not in output


FLAT = """\
def make():
    return lambda x: x.reshape(x.shape[0] * x.shape[1]), "b, t"
"""


def test_sizes_that_only_the_export_limits_are_assumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flat.py").write_text(FLAT)
    assert main(["check", "flat.py:make"]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "assumes the export's 32-bit arithmetic on sizes" in output and "stablehlo.multiply (line " in output
    assert main(["check", "flat.py:make", "--check-wraps"]) == 3
    output = " ".join(capsys.readouterr().out.split())
    assert ": warning: reshape is safe if b*t <= 2147483647; " in output
    assert "cannot be run at such sizes" in output and "--ignore huge-sizes" in output
    assert "32-bit arithmetic" not in output
    assert main(["check", "flat.py:make", "--check-wraps", "--ignore", "huge-sizes"]) == 0


def test_a_condition_too_long_by_cases_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-execute", f"{MODELS}:patches"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "x = x.reshape(b, x.shape[1] // 4, 4, x.shape[2] // 4, 4, c)" in output
    assert "image: 2x2x2x3" in output


def test_sizes_that_cannot_be_0_are_no_exception_and_a_division_by_them_is_in_few_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", "--no-execute", f"{MODELS}:heads"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "error: reshape needs h % g == 0 [" in output
    assert "--assume 'h % g == 0'" in output and "missing" not in output
