"""Models with a planted bug are refuted at its line, and PyTorch raises there; models without one raise no alarm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shapesolve.checker.report import Report
from shapesolve.options import Options
from shapesolve.solver.verdicts import Refuted

pytest.importorskip("torch")

pytestmark = [pytest.mark.slow, pytest.mark.frontends]

MODELS = Path(__file__).parent / "models" / "planted_models.py"
BUGS = (
    "cached", "strided", "unet", "pyramid", "experts", "graph", "patches", "detection", "window", "short",
    "positions", "heads", "windowed", "masked", "bags",
    "pixels", "frames", "scanned", "decayed", "queried",
)  # fmt: skip
RIGHT = (
    "right_attention", "right_padded", "right_checked", "right_cropped", "right_pooled", "right_wide", "right_windowed",
    "right_pixels", "right_scanned", "right_decayed", "right_queried",
)  # fmt: skip


def checked(name: str, **options: Any) -> Report:
    """Check a model in this process."""
    from shapesolve.frontends.export_worker import model_from
    from shapesolve.frontends.open import program_of
    from shapesolve.frontends.torch_export import example_of, torch_model
    from shapesolve.frontends.torch_import import exported_program
    from shapesolve.frontends.torch_runs import run_module
    from shapesolve.pipeline import check_program

    given = model_from(str(MODELS), name)
    model = torch_model(given, name)
    assert model.declarations is not None
    places = model.declarations.places
    module, inputs = example_of(given)
    program = program_of(exported_program(model.program, level="torch", where=name, model=model), name, name)
    chosen = Options(execute=False, level="torch", **options)
    return check_program(program, chosen, run=lambda calls: run_module(module, inputs, places, calls))


def line_of_bug(name: str) -> int:
    """Return the first marked line of the class whose model a function makes."""
    text = MODELS.read_text()
    before = text[: text.index(f"def {name}(")]
    start = before.rindex("\nclass ")
    inside = before[start:]
    return before[:start].count("\n") + inside[: inside.index("# bug")].count("\n") + 1


def failures(report: Report) -> set[tuple[int, str]]:
    """Return the lines of the model that are refuted, each with what PyTorch says there."""
    found: set[tuple[int, str]] = set()
    for each in report.checked_obligations:
        if isinstance(each.verdict, Refuted):
            origin = each.obligation.op.origin
            found.add((0 if origin is None else origin.line, each.original))
    for each in report.fails_outside:
        found.add((int(each.place.rpartition(":")[2] or 0), each.message))
    return found


@pytest.mark.parametrize("suffix", ["", "_auto"])
@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found(name: str, suffix: str) -> None:
    report = checked(name + suffix)
    found = failures(report)
    assert report.exit_code == 1
    at_bug = [sentence for line, sentence in found if line == line_of_bug(name)]
    assert at_bug and all(sentence.startswith("raises") for sentence in at_bug), found
    assert all(sentence.startswith("raises") for _, sentence in found), found
    if not suffix and name != "short":  # its other branch is not in the program, which fails where PyTorch takes it
        assert {line for line, _ in found} == {line_of_bug(name)}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_model_raises_no_alarm(name: str) -> None:
    report = checked(name)
    assert not failures(report), failures(report)
    assert report.exit_code == 0


def test_a_branch_of_the_model_narrows_the_export() -> None:
    report = checked("right_padded")
    (narrower,) = [each for each in report.exporter if each.guard.is_branch]
    assert narrower.guard.shown == "T % 2 == 0" and narrower.message.startswith("returns")
    assert narrower.guard.source == "if x.shape[1] % 2:"


def test_torch_checks_of_the_model_are_declared_facts() -> None:
    report = checked("right_checked")
    assert report.program.declarations is not None
    assert "T % 2 == 0" in report.program.declarations.claims
