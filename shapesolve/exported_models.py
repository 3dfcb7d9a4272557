"""Models that were exported in this process, checked in it: for `torch`, `jax` and `onnx` here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapesolve.collecting import collector_paused
from shapesolve.doors.exported import Exported
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.judging.report import Report


def checked(exported: Exported, name: str, options: Options | None) -> Report:
    """The report on an exported model that is called ``name``."""
    from shapesolve.doors.opening import program_of
    from shapesolve.pipeline import check_program

    with collector_paused():
        return check_program(program_of(exported, name, name), options or Options())
