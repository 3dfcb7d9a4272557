"""Functions that make a model, found in a Python file that is not run."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.frontends.python_files import model_makers

SOURCE = """\
raise SystemExit("this file is not run")

def first():
    return Net(), (zeros(2),)

def with_default(n=3, *, flag=False):
    if flag:
        return torch.export.export(Net(), (zeros(n),))
    return None

def of_jax():
    return export.export(jax.jit(f))(shapes)

def needs(n):
    return Net(), (zeros(n),)

def needs_too(*, n):
    return Net(), (zeros(n),)

def _helper():
    return Net(), (zeros(2),)

def count():
    def inner():
        return 1, 2
    return 3

def config():
    return Config()

def small():
    return smaller()

def smaller():
    return needs(2)

def recursive():
    return recursive()

class Net:
    def forward(self):
        return 1, 2
"""


def test_functions_that_make_a_model_are_found(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(SOURCE)
    assert model_makers(str(path)) == ("first", "with_default", "of_jax", "small", "smaller")


def test_files_that_are_no_python(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\ndef f(:\n")
    with pytest.raises(InputError, match="no valid Python") as caught:
        model_makers(str(path))
    assert caught.value.where == f"{path}:2"


@pytest.mark.process
def test_a_package_in_the_current_directory_is_not_taken_for_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model's own imports are still looked for there, and beside the model."""
    other, models = tmp_path / "shapesolve", tmp_path / "models"
    other.mkdir()
    models.mkdir()
    (other / "__init__.py").write_text("raise SystemExit('another checkout')\n")
    (tmp_path / "around.py").write_text("SIZE = 2\n")
    (models / "beside.py").write_text("SIZE = 3\n")
    (models / "model.py").write_text("import around, beside\n\ndef make():\n    return around.SIZE, beside.SIZE\n")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "models/model.py:make"]) == 2
    assert "this returns (int, int); " in capsys.readouterr().err
