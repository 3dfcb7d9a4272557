"""Behavior of a model at sizes that its exporter excludes: one line a finding, selected and ignored as all are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shapesolve.cli.main import main

pytest.importorskip("jax")

pytestmark = pytest.mark.frontends

MODEL = """\
import jax


def halves(x):
    h = x.shape[0] // 2
    return x[:h] + x[h:]


def either(x):
    return x[:3] if x.shape[0] > 3 else x * 2


def heads(x):
    first = x[:3] if x.shape[0] > 3 else x
    return first + jax.numpy.ones(3)


make = halves, 't'
narrow = either, 't'
late = heads, 't'
"""


def lines(name: str, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str]]:
    code = main(["check", f"model.py:{name}", "--format", "concise", "--no-execute", *options])
    return code, [line for line in capsys.readouterr().out.splitlines() if line.startswith("model.py:")]


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODEL)


def test_sizes_at_which_the_model_fails_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    code, (first, second) = lines("make", capsys)
    assert code == 1
    sentence = "the model fails for inputs [5], where (t <= 3 or t % 2 == 0) is false: it "
    assert first.startswith(f"model.py:6: error: {sentence}")
    assert first.endswith("  [exporter-model-fails]") and len(first) <= 200
    assert second.startswith("model.py:6: note: this export only admits ")
    assert second.endswith("  [exporter-narrower-than-declared]")


def test_sizes_at_which_the_model_returns_are_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    code, (only,) = lines("narrow", capsys)
    assert code == 0
    assert only.startswith("model.py:10: note: this export only admits t ") and "the model itself returns" in only


def test_a_failure_stands_at_the_line_that_raises(capsys: pytest.CaptureFixture[str]) -> None:
    code, (only,) = lines("late", capsys)
    assert code == 1 and only.startswith("model.py:15: error: the model fails for inputs [2], where t >= ")
    assert main(["check", "model.py:late", "--no-execute"]) == 1
    sentence = " ".join(capsys.readouterr().out.split())
    assert "model.py:15: error: the model fails where t >= " in sentence
    assert "model model.py:14: first = x[:3] if x.shape[0] > 3 else x" in sentence


def test_they_are_selected_and_ignored_by_their_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines("make", capsys, "--ignore", "exporter") == (0, [])
    code, (only,) = lines("make", capsys, "--select", "exporter-model-fails")
    assert code == 1 and "error" in only


def test_ignored_findings_are_not_printed_as_failures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "model.py:make", "--no-execute", "--ignore", "exporter-model-fails"]) == 0
    sentence = capsys.readouterr().out
    assert "REFUTED" not in sentence and "the model FAILS" not in sentence
    assert "left out: 1 exporter-model-fails (not selected)" in sentence


def test_sarif_has_the_same_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "model.py:make", "--no-execute", "--format", "sarif"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    levels = {each["ruleId"]: each["level"] for each in run["results"]}
    assert levels == {"exporter-model-fails": "error", "exporter-narrower-than-declared": "note"}
    assert {each["id"] for each in run["tool"]["driver"]["rules"]} >= set(levels)
