"""Python files on the command line that name no function."""

from __future__ import annotations


def models_in(file: str) -> list[str]:
    """Return a file as given; of a Python file without a function, the functions in it that make a model."""
    if not file.endswith(".py"):
        return [file]
    from shapesolve.frontends.python_files import model_makers

    return [f"{file}:{name}" for name in model_makers(file)] or [file]
