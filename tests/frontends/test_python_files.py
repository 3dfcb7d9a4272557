"""Functions that make a model, found in a Python file that is not run."""

from __future__ import annotations

from pathlib import Path

import pytest

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

class Net:
    def forward(self):
        return 1, 2
"""


def test_functions_that_make_a_model_are_found(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(SOURCE)
    assert model_makers(str(path)) == ("first", "with_default", "of_jax")


def test_files_that_are_no_python(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\ndef f(:\n")
    with pytest.raises(InputError, match="no valid Python") as caught:
        model_makers(str(path))
    assert caught.value.where == f"{path}:2"
