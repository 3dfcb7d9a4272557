"""Exit codes of a model, of what it is lowered to, and of both."""

from __future__ import annotations

import argparse
from dataclasses import replace

import pytest

from shapesolve import check
from shapesolve.cli.fail_on import fail_on
from shapesolve.cli.rendered_report import rendered_report

SAFE = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n"
CAST = """\
func.func @main(%a: tensor<?xf32>) -> tensor<2xf32> {
  %b = tensor.cast %a : tensor<?xf32> to tensor<2xf32>
  return %b : tensor<2xf32>
}
"""


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
    ],
)
def test_failures_that_count(words: str, of_model: int, of_lowering: int) -> None:
    given = argparse.Namespace(fail_on=fail_on(words), json=None, sarif=None)
    safe, failing = check(SAFE), check(CAST)
    assert rendered_report(failing, given, printed=False).code == of_model
    assert rendered_report(replace(failing, lowering_of=safe), given, printed=False).code == of_lowering
    assert rendered_report(replace(safe, lowering_of=failing), given, printed=False).code == 0


@pytest.mark.parametrize("words", ["", "modell", "possible,always", "model;lowering"])
def test_words_that_mean_nothing(words: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        fail_on(words)
