"""Passes of the installed MLIR, run in a process of their own because passes crash."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

from shapesolve.errors import InputError
from shapesolve.execution import sandbox
from shapesolve.validation.pass_runs import PassEnding, PassRun
from shapesolve.validation.pass_server import Answer, PassServer, answer_alone, can_serve
from shapesolve.validation.pipelines import WHERE, PassStep, split_pipeline

_START_SECONDS = 30.0
_PLACE = re.compile(
    r"^(?:MLIR Textual PassPipeline Parser|<MLIR-PassPipeline>)?:?1:(?P<column>\d+): (?:error: )?(?P<rest>.*)"
)


class InstalledPasses:
    """Passes of the installed MLIR.

    Args:
        pass_seconds: The seconds that one pass may take.
    """

    def __init__(self, pass_seconds: float) -> None:
        self._seconds = pass_seconds
        self._server = PassServer()

    @property
    def title(self) -> str:
        """MLIR, with the package that it is from and the version of that."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            return f"the installed MLIR (torch-mlir {version('torch-mlir')})"
        except PackageNotFoundError:  # built from source, perhaps
            return "the installed MLIR"

    def steps(self, pipeline: str) -> tuple[PassStep, ...]:
        split_pipeline(pipeline)  # errors of form are placed better by us
        events, status, errors = self._ask({"pipeline": pipeline, "steps": []}, 0)
        if not events:
            raise InputError(f"the process that runs passes ended: {_ending(status, errors)}", where=WHERE)
        answer = events[0]
        if answer["event"] == "refused":
            raise pipeline_error(answer["message"], pipeline)
        return split_pipeline(answer["text"])

    def run(self, module: str | bytes, steps: Sequence[PassStep]) -> Iterator[PassRun]:
        return self._run(module, steps, each_alone=False)

    def run_each(self, module: str | bytes, steps: Sequence[PassStep]) -> Iterator[PassRun]:
        left = steps
        while left:
            done = 0
            for each in self._run(module, left, each_alone=True):
                done += 1
                yield each
            left = left[done:] if done else ()

    def _run(self, module: str | bytes, steps: Sequence[PassStep], *, each_alone: bool) -> Iterator[PassRun]:
        """Run passes in one process, up to the first that ends it."""
        is_text = isinstance(module, str)
        given = module if isinstance(module, str) else base64.b64encode(module).decode()
        pipelines = [each.pipeline for each in steps]
        request: dict[str, object] = {"module": given, "is_text": is_text, "steps": pipelines, "each_alone": each_alone}
        events, status, errors = self._ask(request, len(steps))
        refused = [each["message"] for each in events if each["event"] == "refused"]
        if refused:
            raise InputError(f"MLIR refuses the program: {refused[0]}")
        ended = [each for each in events if each["event"] == "end"]
        for each in ended:
            step = steps[int(each["step"])]
            yield PassRun(step, PassEnding[each["ending"]], each["text"], each["message"], each["seconds"])
        begun = [int(each["step"]) for each in events if each["event"] == "begin"]
        if len(begun) > len(ended):
            yield interrupted_run(steps[begun[-1]], status, errors, self._seconds)
        elif not any(each["event"] == "parsed" for each in events):
            raise InputError(f"MLIR crashes on the program: {_ending(status, errors)}")

    def _ask(self, request: dict[str, object], count: int) -> Answer:
        """Return the answer of a worker."""
        longest = _START_SECONDS + (count + 1) * self._seconds
        complete = {**request, "seconds": self._seconds}
        return self._server.answer(complete, longest) if can_serve else answer_alone(complete, longest)


def interrupted_run(step: PassStep, status: int, errors: str, seconds: float) -> PassRun:
    """Return the run of a pass that ended its process, with a negative status for a signal."""
    if sandbox.Ending(b"", -status if status < 0 else 0).timed_out:
        return PassRun(step, PassEnding.TIMED_OUT, message=f"still running after {seconds:g} seconds", seconds=seconds)
    return PassRun(step, PassEnding.CRASHED, message=_ending(status, errors))


def _ending(status: int, errors: str) -> str:
    words = last_words(errors)
    return f"{ending_words(status)}: {words}" if words else ending_words(status)


def ending_words(status: int) -> str:
    """Return the ending of a process in words; a negative status, or one above 128 of a shell, is a signal."""
    number = -status if status < 0 else status - 128
    return sandbox.signal_name(number) if number > 0 else f"exit code {status}"


_TELLING = re.compile(r"Assertion .* failed|LLVM ERROR: .*|UNREACHABLE executed.*|.*\berror: .*|Fatal.*|\w+Error: .*")


def last_words(errors: str) -> str:
    """Return the sentence on standard error that says why a process ended, or an empty text."""
    found = next((match[0] for match in map(_TELLING.search, errors.splitlines()) if match), "")
    return found.strip()[:300]


def pipeline_error(message: str, pipeline: str) -> InputError:
    """Return MLIR's message about a pipeline as an error, with the column if the message has one.

    MLIR counts columns in the text inside the outermost operation.
    """
    text = message.strip()
    lines = [line for line in text.splitlines() if line.strip()]
    match = _PLACE.match(lines[0]) if lines else None
    if match is None:
        return InputError("; ".join(line.strip() for line in lines) or "MLIR refuses it", where=WHERE, excerpt=pipeline)
    quoted = lines[1] if len(lines) > 1 else ""
    offset = pipeline.find(quoted.strip()) if quoted else -1
    column = int(match["column"]) + max(offset, 0)
    return InputError(
        match["rest"],
        where=f"{WHERE}:1:{column}",
        excerpt=f"{pipeline}\n{' ' * (column - 1)}^" if offset >= 0 else pipeline,
    )
