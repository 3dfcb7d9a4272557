"""Tests of the exit codes for a model, for its lowered program, and for both."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path

import pytest
from cli.conftest import Command

from shapesolve import check
from shapesolve.cli.fail_on import WORDS, fail_on
from shapesolve.cli.finding_filter import Selection
from shapesolve.cli.rendered_report import rendered_report

SAFE = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n"
CAST = """\
func.func @main(%a: tensor<?xf32>) -> tensor<2xf32> {
  %b = tensor.cast %a : tensor<?xf32> to tensor<2xf32>
  return %b : tensor<2xf32>
}
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "of_model", "of_lowering"),
    [
        ("model", 1, 0),
        ("possible", 1, 0),
        ("lowering", 0, 1),
        ("model,lowering", 1, 1),
        ("lowering, model", 1, 1),
        ("always", 0, 0),
        ("model,lowering,always", 0, 0),
        ("refuted", 1, 0),
        ("undecided", 1, 0),
    ],
)
def test_fail_on_selects_the_failures_that_count(words: str, of_model: int, of_lowering: int) -> None:
    given = argparse.Namespace(
        fail_on=fail_on(words),
        json=None,
        sarif=None,
        html=None,
        format="full",
        command="check",
        selection=Selection(),
        configuration=None,
    )
    safe, failing = check(SAFE), check(CAST)
    assert rendered_report(failing, given, printed=False).code == of_model
    assert rendered_report(replace(failing, lowering_of=safe), given, printed=False).code == of_lowering
    assert rendered_report(replace(safe, lowering_of=failing), given, printed=False).code == 0


@pytest.mark.parametrize("words", ["", "modell", "possible,always", "refuted,undecided", "model;lowering"])
def test_words_that_mean_nothing(words: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        fail_on(words)


OPEN = """\
func.func @open(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "my.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.add %0, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


@pytest.mark.parametrize(
    ("words", "code"), [((), 3), (("--fail-on", "refuted"), 0), (("--exit-zero",), 0), (("--fail-on", "undecided"), 3)]
)
def test_undecided_claims_count_unless_refutations_alone_do(
    words: tuple[str, ...], code: int, tmp_path: Path, command: Command
) -> None:
    path = tmp_path / "open.mlir"
    path.write_text(OPEN)
    assert command("check", str(path), "--no-execute", *words).code == code


def test_exit_zero_leaves_errors_alone(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "cast.mlir"
    path.write_text(CAST)
    assert command("check", str(path), "--no-execute").code == 1
    assert command("check", str(path), "--no-execute", "--exit-zero").code == 0
    assert command("check", str(path), str(tmp_path / "missing.mlir"), "--no-execute", "--exit-zero").code == 2


def test_the_help_names_every_word(command: Command) -> None:
    shown = " ".join(command("check", "--help").out.split())
    shown = shown.partition("--fail-on WHAT model, lowering")[2].partition("--select CODE")[0]
    assert set(re.findall(r"[\w-]+", shown)) >= set(WORDS)
    assert "of repeated options only the last counts" in shown


def test_the_last_of_repeated_options_counts(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "cast.mlir"
    path.write_text(CAST)  # fails for some sizes
    always, model = ("--fail-on", "always"), ("--fail-on", "model")
    assert command("check", str(path), "--no-execute", *always, *model).code == 1
    assert command("check", str(path), "--no-execute", *model, *always).code == 0
