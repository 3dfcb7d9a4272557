"""Files of a finding: the programs before and after the pass, the pass, and the command that shows it again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
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
    folder = str(Path(directory) / folder_name(file, result))
    shown = result if reduced is None else reduced
    programs = {BEFORE: result.before} if reduced is None else {BEFORE: result.before, REDUCED: reduced.before}
    save_program(folder, programs, shown.after, result.step.pipeline, request.tool)
    return folder


def make_folder(folder: str) -> None:
    """Make a folder, and those that it is in.

    Raises:
        InputError: It cannot be made.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{folder} is no directory", where="--save") from None
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}", where="--save") from None
    except ValueError as error:  # a path with a null byte
        raise InputError(f"{folder!r}: {error}", where="--save") from None


def remove_if_empty(folder: str) -> None:
    """Remove a folder that nothing was saved in."""
    with suppress(OSError):
        Path(folder).rmdir()


def save_program(
    folder: str, programs: Mapping[str, str | bytes], output: str | bytes | None, pipeline: str, tool: str | None
) -> None:
    """Write programs on which a pass goes wrong, by name, the output for the last, the pass, and a command for it.

    Raises:
        InputError: They cannot be written.
    """
    named = [] if tool is None else ["--tool", tool]
    command = shlex.join(["shapesolve", "validate", list(programs)[-1], *named, "--pipeline", pipeline])
    path = Path(folder)
    make_folder(folder)
    try:
        for name, program in programs.items():
            _write(path / name, program)
        if output:
            _write(path / AFTER, output)
        _write(path / PASS, f"{pipeline}\n")
        _write(path / REPRODUCER, f'#!/bin/sh\ncd "$(dirname "$0")" || exit 2\nexec {command}\n')
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}", where="--save") from None


def _write(path: Path, text: str | bytes) -> None:
    if isinstance(text, str):
        path.write_text(text, encoding="utf-8", newline="\n")
    else:
        path.write_bytes(text)
