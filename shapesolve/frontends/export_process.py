"""Client of the process that exports or runs a model: nothing of a framework is loaded in this process.

Holds the exported model, the messages between both processes, and the condensed error messages of frameworks. The
worker reports what it has found before each step that may never end, such as MLIR's passes.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from tempfile import TemporaryFile
from time import sleep
from typing import IO, Any

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.errors import InputError
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.users_frames import is_users
from shapesolve.ir.declarations import Declarations
from shapesolve.process_groups import kill_group, wait_unreaped
from shapesolve.records import value_record

Lines = Mapping[tuple[str, int], str]
"""Lines of source by file and number, counted from 1."""


@value_record
class Exported:
    """Exported model.

    Attributes:
        text: MLIR with locations, and with the exporter's facts as attributes of this project.
        lines: Lines of the model's source that locations in the text refer to.
        notes: Remarks for the report.
        level: The dialect that the model was lowered to, "" where there is no choice.
        declarations: What the user declared, beside what the exporter found.
    """

    text: str
    lines: Lines = field(default_factory=dict[tuple[str, int], str])
    notes: tuple[str, ...] = ()
    level: str = ""
    declarations: Declarations | None = None

    def encoded(self) -> dict[str, Any]:
        """Return the model as JSON can hold it."""
        lines = [[file, number, line] for (file, number), line in self.lines.items()]
        declared = None if self.declarations is None else self.declarations.encoded()
        found = {"text": self.text, "lines": lines, "notes": list(self.notes), "level": self.level}
        return {**found, "declarations": declared}

    @staticmethod
    def decoded(held: Mapping[str, Any]) -> Exported:
        """Return the model that `encoded` made a dictionary of."""
        lines = {(str(file), int(number)): str(line) for file, number, line in held["lines"]}
        declared = held.get("declarations")
        declarations = None if declared is None else Declarations.decoded(declared)
        return Exported(str(held["text"]), lines, tuple(map(str, held["notes"])), str(held["level"]), declarations)


def encoded_error(error: InputError) -> dict[str, Any]:
    """Return an error as JSON can hold it."""
    return {"error": error.message, "where": error.where, "excerpt": error.excerpt}


Begin = Callable[[Sequence[Exported | InputError], Sequence[str], int], None]
"""Callback before a level begins: the results of the levels before, the levels, and the number of operations."""


def nobody(found: Sequence[Exported | InputError], levels: Sequence[str], operations: int) -> None:
    """Ignore the results so far: the default of `Begin`."""


def only(found: Sequence[Exported | InputError]) -> Exported:
    """Return the single model of an export at one level.

    Raises:
        InputError: The error that stands in its place.
    """
    (one,) = found
    if isinstance(one, InputError):
        raise one
    return one


@value_record
class Facts:
    """Facts that an exporter states of the arguments of a function, in the size language.

    Attributes:
        origin: Who states them.
        names: Names of the arguments in the model, "" for one without a name.
        shapes: Extents of an argument, by its position.
        assumptions: Claims about the names in the shapes.
    """

    origin: str
    names: tuple[str, ...] = ()
    shapes: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    assumptions: tuple[str, ...] = ()


_COMMAND = "from shapesolve.frontends.export_worker import main; main()"


def ask(request: dict[str, Any], where: str, deadline: Deadline = NEVER) -> dict[str, Any]:
    """Return the worker's answer to a request.

    Raises:
        InputError: The worker's own error, or how it ended without an answer.
    """
    try:
        # Files, not pipes: processes that the model leaves behind would keep a pipe open after the worker has ended.
        with TemporaryFile() as output, TemporaryFile() as errors:
            try:
                exit_code = _exit_code(request, output, errors, deadline)
            except subprocess.TimeoutExpired:
                line = users_line(_contents(errors).decode("utf-8", "replace"))
                at = f"; it was at {line}" if line else ""
                raise InputError(f"{TIME_LIMIT} before the model was exported{at}", where=where) from None
            answers, complaints = _contents(output), _contents(errors)
    except OSError as error:
        raise InputError(f"no process can be started for the model: {error.strerror or error}", where=where) from None
    try:
        answer = json.loads(answers.splitlines()[-1])
    except (ValueError, IndexError):
        last = last_words(complaints.decode("utf-8", "replace"))
        how = f"by signal {-exit_code}" if exit_code < 0 else f"with exit code {exit_code}"
        raise InputError(
            f"the process that exports the model ended {how}{f': {last}' if last else ''}", where=where
        ) from None
    if UNFINISHED in answer:
        return unfinished(answer, len(request["levels"]), exit_code, where)
    if "error" in answer:
        raise error_from(answer, where)
    return answer


def _exit_code(request: Mapping[str, Any], output: IO[bytes], errors: IO[bytes], deadline: Deadline) -> int:
    """Return the exit code of a worker. All that it has started ends with it, and so do both with this process.

    Raises:
        TimeoutExpired: The deadline passed before.
        OSError: No process can be started.
    """
    command = [sys.executable, "-P", "-c", _COMMAND]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=output, stderr=errors, env=environment, start_new_session=True
    ) as process:
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):
                write(process.stdin.fileno(), request)
            wait_unreaped(process, deadline)
        except subprocess.TimeoutExpired:
            if hasattr(signal, "SIGUSR1"):  # the worker writes where it is, also within a framework's own code
                os.kill(process.pid, signal.SIGUSR1)
                sleep(_SECONDS_TO_SAY_WHERE)
            raise
        finally:
            kill_group(process.pid)
    return process.wait()


_SECONDS_TO_SAY_WHERE = 0.5
_FRAME = re.compile(r'^  File "(?P<file>[^"\n]+)", line (?P<line>\d+) in ', re.MULTILINE)


def users_line(stack: str) -> str:
    """Return the innermost line of a stack, as `faulthandler` writes it, that is no library's; "" without one."""
    for match in _FRAME.finditer(stack):
        if is_users(match["file"], "<") and "-packages" not in match["file"]:
            return f"{relative(match['file'])}:{match['line']}"
    return ""


def _contents(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def error_from(answer: Mapping[str, Any], where: str) -> InputError:
    """Return the error of an answer."""
    return InputError(str(answer["error"]), where=str(answer.get("where") or where), excerpt=answer.get("excerpt", ""))


GIVEN_UP = 1
"""The exit code of a process that was watched for too long."""

UNFINISHED = "unfinished"
"""Key of an answer that is incomplete: the name of the level whose export began, and its time limit in seconds."""


def encoded(found: Sequence[Exported | InputError]) -> list[dict[str, Any]]:
    """Return the results at several levels as JSON can hold them."""
    return [each.encoded() if isinstance(each, Exported) else encoded_error(each) for each in found]


def write(descriptor: int, answer: Mapping[str, Any]) -> None:
    """Write one answer as one line."""
    left = memoryview(json.dumps(answer).encode() + b"\n")
    while left:
        left = left[os.write(descriptor, left) :]


class Watch:
    """Writes what was found before the next level begins, and ends this process where that does not end.

    No handler of signals would run while MLIR's passes do.
    """

    def __init__(self, answers: int) -> None:
        self._answers = answers
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 (as long as the process)

    def begin(self, found: Sequence[Exported | InputError], levels: Sequence[str], operations: int) -> None:
        """Write what was found, and end this process if the next level takes too long for so many operations."""
        seconds = 30 + operations // 5
        write(self._answers, {"levels": encoded(found), UNFINISHED: [levels[len(found)], seconds]})
        faulthandler.dump_traceback_later(seconds, exit=True, file=self._nowhere)


def unfinished(answer: Mapping[str, Any], wanted: int, exit_code: int, where: str) -> dict[str, Any]:
    """Complete an answer whose worker ended during a level: that level and later ones become errors."""
    level, seconds = answer[UNFINISHED]
    how = f"had not done so after {seconds} seconds" if exit_code == GIVEN_UP else _ended(exit_code)
    error = InputError(f"torch-mlir was lowering this model to {level}, and {how}", where=where)
    levels = [*answer["levels"]]
    return {"levels": levels + [encoded_error(error)] * (wanted - len(levels))}


def _ended(exit_code: int) -> str:
    return f"ended by signal {-exit_code}" if exit_code < 0 else f"ended with exit code {exit_code}"


LONGEST = 800
"""Largest number of characters of another program's message."""

_ADVICE = re.compile(
    r'For more information, run with TORCH_LOGS="[^"\n]*"\.?'
    r"|^(consider using data-dependent friendly|Caused by: |For more information|For extended logs"
    r"|If you suspect the guard was triggered from C\+\+|For more debugging help|For C\+\+ stack trace).*$"
    r"|The error above occurred when calling torch\.export[\s\S]*",
    re.MULTILINE,
)
"""Advice in PyTorch's messages for readers who run it themselves. The cause of a specialized size, and the remedy for
it, stand between such lines."""


_NO_GPU = re.compile(r"not compiled with CUDA|NVIDIA driver|No CUDA GPUs|torch\.cuda\.is_available\(\) is False")
_ON_DATA = re.compile(r"Could not guard on data-dependent expression")
_ON_CPU = "make it on the CPU, as its sizes do not depend on the device (torch.load takes map_location='cpu')"
_CHOOSE = "this depends on data: torch._check with the condition before it chooses a side, torch.where computes both"
_HINTS = ((_NO_GPU, _ON_CPU), (_ON_DATA, _CHOOSE))


def message_of(error: BaseException) -> str:
    """Return the kind of an exception and its message, on one line and without advice."""
    message = one_line(str(error))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def message_with_hint(error: BaseException) -> str:
    """Return the message of an exception, and for a missing GPU or a branch on data what to do."""
    message = message_of(error)
    return "; ".join([message, *(hint for pattern, hint in _HINTS if pattern.search(message))])


def one_line(text: str) -> str:
    """Return a message on one line; a long one ends with an ellipsis."""
    line = " ".join(_ADVICE.sub("", text).split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rpartition(' ')[0]} ..."


def whole_message(error: BaseException) -> str:
    """Return the kind of an exception and all lines of its message, without advice."""
    lines = [line.rstrip() for line in _ADVICE.sub("", str(error)).splitlines() if line.strip()]
    return "\n".join([f"{type(error).__name__}: {lines[0]}", *lines[1:]]) if lines else type(error).__name__


def last_words(output: str) -> str:
    """Return the end of the output of a process that ended: of a traceback, the exception."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines:
        return ""
    in_traceback = any(line.startswith("Traceback (most recent call last)") for line in lines)
    return one_line(lines[-1] if in_traceback else " ".join(lines[-3:]))
