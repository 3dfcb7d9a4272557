"""Asks a process of its own to export a model, or to run it: nothing of a framework is loaded in this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.doors.watching import UNFINISHED, unfinished
from shapesolve.doors.words import last_words
from shapesolve.errors import InputError

_COMMAND = "from shapesolve.doors.child import main; main()"


def ask(request: dict[str, Any], where: str, deadline: Deadline = NEVER) -> dict[str, Any]:
    """What the other process answers. Raises InputError with its complaint, or with how it ended without one."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    seconds = None if deadline is NEVER else max(deadline.seconds, 0.1)
    try:
        run = subprocess.run(
            [sys.executable, "-c", _COMMAND],
            input=json.dumps(request).encode(),
            capture_output=True,
            env=environment,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{TIME_LIMIT} before the model was exported", where=where) from None
    except OSError as error:
        raise InputError(f"no process can be started for the model: {error.strerror or error}", where=where) from None
    try:
        answer = json.loads(run.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        said = last_words(run.stderr.decode("utf-8", "replace"))
        how = f"by signal {-run.returncode}" if run.returncode < 0 else f"with exit code {run.returncode}"
        raise InputError(
            f"the process that exports the model ended {how}{f': {said}' if said else ''}", where=where
        ) from None
    if UNFINISHED in answer:
        return unfinished(answer, len(request["levels"]), run.returncode, where)
    if "error" in answer:
        raise told(answer, where)
    return answer


def told(answer: Mapping[str, Any], where: str) -> InputError:
    """The other process's complaint."""
    return InputError(str(answer["error"]), where=str(answer.get("where") or where), excerpt=answer.get("excerpt", ""))
