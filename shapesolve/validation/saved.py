"""Files of a finding: the programs before and after the pass, the pass, and the command that shows it again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from shapesolve.errors import InputError
from shapesolve.validation.outcome import StepResult
from shapesolve.validation.validate import Request

BEFORE, AFTER, REDUCED, PASS, REPRODUCER = "before.mlir", "after.mlir", "reduced.mlir", "pass.txt", "reproduce.sh"
_OTHER = re.compile(r"[^A-Za-z0-9_.-]+")


def folder_name(file: str, result: StepResult) -> str:
    """Return the name of the folder of a finding: ``model-03-canonicalize``."""
    stem = Path(file).stem if file != "-" else "stdin"
    return _OTHER.sub("-", f"{stem}-{result.step.number:02}-{result.step.name}").strip("-")


def save_finding(directory: str, file: str, result: StepResult, reduced: StepResult | None, request: Request) -> str:
    """Write the files of a finding into a folder of the directory, and return its path.

    Raises:
        InputError: They cannot be written.
    """
    folder = Path(directory) / folder_name(file, result)
    shown = result if reduced is None else reduced
    input_file = BEFORE if reduced is None else REDUCED
    tool = [] if request.tool is None else ["--tool", request.tool]
    command = shlex.join(["shapesolve", "validate", input_file, *tool, "--pipeline", result.step.pipeline])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / BEFORE, result.before)
        if reduced is not None:
            _write(folder / REDUCED, reduced.before)
        if shown.after is not None:
            _write(folder / AFTER, shown.after)
        _write(folder / PASS, f"{result.step.pipeline}\n")
        _write(folder / REPRODUCER, f'#!/bin/sh\ncd "$(dirname "$0")" || exit 2\nexec {command}\n')
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}", where="--save") from None
    return str(folder)


def _write(path: Path, text: str | bytes) -> None:
    if isinstance(text, str):
        path.write_text(text, encoding="utf-8", newline="\n")
    else:
        path.write_bytes(text)
