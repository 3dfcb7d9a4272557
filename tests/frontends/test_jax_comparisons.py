"""Comparisons of sizes that jax.export finds inconclusive: proved ones are answered, others are findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shapesolve.checker.exporter_findings import Outside
from shapesolve.checker.report import Report
from shapesolve.cli.main import main
from shapesolve.errors import InputError

jax: Any = pytest.importorskip("jax")

pytestmark = pytest.mark.frontends

MODELS = """\
import jax

def first_five(x):
    return jax.lax.slice(x, (0,), (5,)) * 2

def head():
    return first_five, "t"
"""


def check(function: Callable[..., Any], *shapes: str, constraints: tuple[str, ...] = ()) -> Report:
    from shapesolve import jax as checker

    return checker.check(function, *shapes, constraints=constraints)


def nested(x: Any) -> Any:
    b, t = x.shape
    if b * t < b or t * t + 1 <= t:
        return x.never()
    return x.sum(0) if b * t * t >= b * t else x.never()


def first_three(x: Any) -> Any:
    return x[:3] if x.shape[0] > 3 else x


def added(x: Any, y: Any) -> Any:
    return x + y


def test_proved_comparisons_are_answered() -> None:
    report = check(nested, "b, t")
    assert report.exit_code == 0 and not report.exporter
    assert {str(each.formula) for each in report.functions[0].assumptions} <= {"b >= 1", "t >= 1"}


def test_a_comparison_that_decides_between_two_branches_narrows_the_export() -> None:
    report = check(first_three, "n")
    (finding,) = report.exporter
    assert finding.guard.text == "n >= 4" and finding.outside is Outside.RETURNS
    assert finding.at == "[2]" and finding.said == "returns [2]" and report.exit_code == 0
    assert not check(first_three, "n", constraints=("n >= 4",)).exporter


@pytest.mark.parametrize("least", range(2, 9))
def test_the_function_fails_on_one_side(least: int) -> None:
    def first(x: Any) -> Any:
        return jax.lax.slice(x, (0,), (least,))

    report = check(first, "t")
    (finding,) = report.fails_outside
    assert finding.guard.text == f"t >= {least}" and "TypeError" in finding.said and report.exit_code == 1
    size = int(finding.at.strip("[]"))
    with pytest.raises(TypeError):
        first(jax.numpy.ones(size))


def test_the_line_of_the_model_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heads.py").write_text(MODELS)
    assert main(["check", "heads.py:head"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "REFUTED heads.py:4: the model fails requires t >= 5" in said
    assert "model heads.py:4: return jax.lax.slice(x, (0,), (5,)) * 2 fails at inputs [2]" in said


def test_another_refusal_is_said_in_full_with_failing_sizes() -> None:
    with pytest.raises(InputError, match=r"the function fails for inputs \[\d\], \[\d\]: it raises TypeError") as found:
        check(added, "n", "m")
    assert found.value.excerpt == "TypeError: add got incompatible shapes for broadcasting: (n,), (m,)."
