"""``shapesolve refine``: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shapesolve.cli import main

RFC = Path(__file__).parents[1] / "rfc"
SOURCE, TARGET = str(RFC / "proposed.mlir"), str(RFC / "proposed_lowered.mlir")


def test_proved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", SOURCE, TARGET, "-f", "unary_dynamic"]) == 0
    assert "@unary_dynamic: proved: the target refines the source" in capsys.readouterr().out


@pytest.mark.slow
def test_refuted_at_0_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", SOURCE, TARGET, "-f", "all_dynamic"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "refuted, but proved for sizes >= 1" in out
    assert "%a = tensor<1xf32>, %b = tensor<0xf32>" in out
    assert "the target returned a tensor of size 1" in out
    assert main(["refine", SOURCE, TARGET, "-f", "all_dynamic", "--min-size", "1"]) == 0


def test_an_assumption(capsys: pytest.CaptureFixture[str]) -> None:
    assumption = ["--assume", "a[0] != 0 and b[0] != 0"]
    assert main(["refine", SOURCE, TARGET, "-f", "all_dynamic", *assumption]) == 0
    assert "proved" in capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", SOURCE, TARGET, "-f", "all_dynamic", "--json", "--no-execute"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["format"], document["exit_code"]) == ("shapesolve-refine-1", 1)
    (function,) = document["functions"]
    assert (function["verdict"], function["proved_from_size"]) == ("refuted", 1)
    first = function["findings"][0]
    assert first["sizes"] == {"a[0]": 1, "b[0]": 0}
    assert (first["source"]["ending"], first["target"]["ending"]) == ("returns", "undefined")
    assert "executed" not in first


def test_undecided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd, plain = tmp_path / "odd.mlir", tmp_path / "plain.mlir"
    odd.write_text('func.func @f() {\n  "test.odd"() : () -> ()\n  return\n}\n', encoding="utf-8")
    plain.write_text("func.func @f() {\n  return\n}\n", encoding="utf-8")
    assert main(["refine", str(odd), str(plain)]) == 3
    assert "no difference was found, and no proof" in capsys.readouterr().out


def test_lost_checks(tmp_path: Path) -> None:
    checked, plain = tmp_path / "checked.mlir", tmp_path / "plain.mlir"
    checked.write_text('func.func @f(%p: i1) {\n  cf.assert %p, "p"\n  return\n}\n', encoding="utf-8")
    plain.write_text("func.func @f(%p: i1) {\n  return\n}\n", encoding="utf-8")
    assert main(["refine", str(checked), str(plain), "--no-execute"]) == 1
    assert main(["refine", str(checked), str(plain), "--allow-lost-checks"]) == 0


def test_unusable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", SOURCE, str(tmp_path / "missing.mlir")]) == 2
    assert main(["refine", SOURCE, TARGET, "-f", "nobody"]) == 2
    assert main(["refine", str(RFC / "rejected.mlir"), TARGET]) == 2
    assert "broadcast-compatible" in capsys.readouterr().err
    assert main(["refine", "-", "-"]) == 2
