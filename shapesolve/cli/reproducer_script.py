"""Script that calls a model so that it raises, for ``--reproducer FILE.py``."""

from __future__ import annotations

from pathlib import Path

from shapesolve.frontends.open import Kind, Model

_FILE = """\
import importlib.util
import sys

sys.path.insert(0, {folder!r})
specification = importlib.util.spec_from_file_location({module!r}, {path!r})
model = importlib.util.module_from_spec(specification)
sys.modules[specification.name] = model
specification.loader.exec_module(model)
{name} = model.{name}
"""


def script(source: Model, call: str, original: str) -> str:
    """Return a script that makes one call of a model, which was seen to raise."""
    return "\n".join([f"# {original}", "import torch", "", *import_lines(source), call, ""])


def import_lines(source: Model) -> list[str]:
    """Return the lines that import the function that makes a model; none for a file of a model."""
    name = source.name.partition(".")[0]
    if source.kind is Kind.CALLABLE and source.file.endswith(".py"):
        path = Path(source.file).resolve()
        module = path.stem if path.stem.isidentifier() else "model_to_run"
        return [_FILE.format(folder=str(path.parent), module=module, path=str(path), name=name)]
    return [f"from {source.file} import {name}", ""] if source.kind is Kind.CALLABLE else []
