"""Runs of configured models for an editor: one process a run, which ends with it."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from typing import Any

from shapesolve.process_groups import end_group
from shapesolve.records import value_record

SECONDS = 600.0
"""Time after which a run is ended from outside; its own limits are shorter."""


@value_record
class ConfiguredModel:
    """A model that the configuration of a project names.

    Attributes:
        source: The model as it is named there, ``FILE.py:FUNCTION``.
        file: The absolute path of its file.
        directory: The directory of the configuration, in which the model runs.
        command: The command that analyzes it.
    """

    source: str
    file: str
    directory: str
    command: tuple[str, ...]


@value_record
class ModelFinding:
    """A finding about a model.

    Attributes:
        level: "error", "warning" or "note".
        message: Its text.
        code: Its stable name.
        places: The lines of the model that lead to it, each with its file, the innermost first.
    """

    level: str
    message: str
    code: str
    places: tuple[tuple[str, int], ...]


@value_record
class ModelAnalysis:
    """Result of a run.

    Attributes:
        findings: The findings.
        shapes: The shapes of lines, by file.
        error: Why there are neither; "" otherwise.
    """

    findings: tuple[ModelFinding, ...] = ()
    shapes: Mapping[str, tuple[tuple[int, str], ...]] | None = None
    error: str = ""

    @property
    def files(self) -> frozenset[str]:
        """The files that the diagnostics are about."""
        return frozenset([*(self.shapes or {}), *(file for each in self.findings for file, _ in each.places)])

    def without_results(self, error: str = "") -> ModelAnalysis:
        """Return an analysis of the same files that says no more than an error, if there is one."""
        return ModelAnalysis((), dict.fromkeys(self.files, ()), error)


async def run(model: ConfiguredModel) -> ModelAnalysis:
    """Return the analysis of a model; where this is cancelled, its processes are killed."""
    try:
        process = await asyncio.create_subprocess_exec(
            *model.command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, cwd=model.directory, start_new_session=True
        )
    except OSError as error:
        return ModelAnalysis(error=f"no process can be started for the model: {error.strerror or error}")
    try:
        output, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    except TimeoutError:
        return ModelAnalysis(error=f"the analysis had not ended after {SECONDS:.0f} seconds")
    finally:
        await end_group(process)
    try:
        return _decoded(json.loads(output))
    except ValueError:
        return ModelAnalysis(error=f"the process that analyzes the model ended with exit code {process.returncode}")


def _decoded(answer: Mapping[str, Any]) -> ModelAnalysis:
    if "error" in answer:
        return ModelAnalysis(error=str(answer["error"]))
    findings = [
        ModelFinding(each["level"], each["message"], each["code"], tuple((file, line) for file, line in each["places"]))
        for each in answer["findings"]
    ]
    shapes = {file: tuple((line, text) for line, text in lines) for file, lines in answer["shapes"].items()}
    return ModelAnalysis(tuple(findings), shapes)
