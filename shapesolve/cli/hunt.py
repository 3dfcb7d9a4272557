"""``shapesolve hunt``: programs on which passes go wrong, sorted by cause."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic

from shapesolve.cli.checked_files import may_fork, preload
from shapesolve.cli.file_discovery import find_sources
from shapesolve.cli.hunt_options import MOST_PROGRAMS
from shapesolve.cli.output_files import write
from shapesolve.cli.progress import PATIENCE_SECONDS, json_text, write_progress
from shapesolve.cli.supervisor import report_progress
from shapesolve.cli.worker_pool import CrashedWorker, map_in_processes
from shapesolve.errors import InputError, plural, unreadable
from shapesolve.execution import fork_server
from shapesolve.execution.runner import use_fork_server
from shapesolve.gc_control import collector_paused
from shapesolve.hunting.causes import Cause, Sighting, added, sighting_of
from shapesolve.hunting.hunt import Trial, trials
from shapesolve.hunting.passes import hunted_passes
from shapesolve.hunting.record import HuntRecord, counted, document_of, record_in
from shapesolve.hunting.samples import Sample, Samples
from shapesolve.options import Options
from shapesolve.records import value_record
from shapesolve.reports.hunting import cause_line, hunt_page, print_hunt
from shapesolve.reports.page import Page
from shapesolve.validation.outcome import Standing, StepResult, Validation
from shapesolve.validation.saved import BEFORE, REDUCED, save_program
from shapesolve.validation.validate import Request, runner_for

RECORD, REPORT = "hunt.json", "report.md"
LOGGED_SECONDS = 60.0
"""Seconds between two lines off a terminal."""


class _TimeUp(Exception):
    """End of the time that the hunt may take."""


@value_record
class _Tried:
    """Outcome of one program. ``refusal`` says why it could not be used."""

    counts: dict[str, dict[str, int]]
    sightings: tuple[Sighting, ...] = ()
    refusal: str = ""


def run(arguments: argparse.Namespace) -> int:
    """Hunt, print the outcome and return the exit code."""
    found = _resumed(arguments) if arguments.resume is not None else _new(arguments)
    runner = runner_for(found.tool, arguments.pass_seconds)
    request = Request(runner, hunted_passes(runner, found.passes), tool=found.tool, each_alone=True)
    found = replace(found, runner=runner.title)
    samples = Samples(found.files, found.seed, generated=found.generated)
    directory: str | None = arguments.resume or arguments.save
    hunt = _Hunt(arguments, request, samples, found, directory)
    interrupted = False
    try:
        hunt.run()
    except KeyboardInterrupt:
        interrupted = True
    _print(hunt.found, arguments)
    if directory is not None:
        _save(hunt.found, directory, request)
    if interrupted:
        raise KeyboardInterrupt
    return hunt.found.exit_code


def _new(arguments: argparse.Namespace) -> HuntRecord:
    """Return the record of a new hunt.

    Raises:
        InputError: A file is missing, or the directory holds a hunt already.
    """
    if arguments.save is not None and (Path(arguments.save) / RECORD).exists():
        raise InputError(f"{arguments.save} holds a hunt already; --resume continues it", where="--save")
    files = tuple(each.name for each in find_sources(arguments.files) if not each.searched or each.name[-5:] == ".mlir")
    return HuntRecord(arguments.seed or 0, arguments.passes, arguments.tool, files, arguments.generate)


def _resumed(arguments: argparse.Namespace) -> HuntRecord:
    """Return the record of the hunt that is continued.

    Raises:
        InputError: There is none, or an option contradicts it.
    """
    fixed = {
        "FILE": arguments.files,
        "--passes": arguments.passes,
        "--tool": arguments.tool,
        "--seed": arguments.seed,
        "--save": arguments.save,
        "--no-generate": not arguments.generate,
    }
    for name, value in fixed.items():
        if value not in (None, [], False):
            raise InputError(f"{name} is that of the hunt which is continued", where="--resume")
    path = Path(arguments.resume) / RECORD
    try:
        return record_in(json.loads(path.read_text(encoding="utf-8")), str(path))
    except OSError as error:
        raise InputError(f"{path}: {unreadable(error)}", where="--resume") from None
    except ValueError:
        raise InputError("this is not the record of a hunt", where=str(path)) from None


class _Hunt:
    """A hunt in progress. ``found`` is its record so far."""

    def __init__(
        self, arguments: argparse.Namespace, request: Request, samples: Samples, found: HuntRecord, to: str | None
    ) -> None:
        self.found = found
        self._arguments = arguments
        self._request = request
        self._samples = samples
        self._directory = to
        self._options = Options(
            min_size=arguments.min_size,
            budget=arguments.budget,
            execute=arguments.execute,
            shapes_only=arguments.shapes_only,
        )
        self._progress = _Progress(found.seconds, arguments.seconds)

    def run(self) -> None:
        """Try programs until the time is up, or none is left."""
        first, most = self.found.tried, MOST_PROGRAMS if self._arguments.programs is None else self._arguments.programs
        count = most if self._samples.count is None else min(most, max(self._samples.count - first, 0))
        with suppress(_TimeUp), closing(self._tried(first, count)) as results:
            for number, each in enumerate(results, first):
                self._add(number, each)
                self._progress.tick(self.found)

    def _tried(self, first: int, count: int) -> Generator[_Tried | CrashedWorker]:
        if not may_fork(self._arguments):
            for number in range(first, first + count):
                yield self._one(number)
            return
        processes = min(self._arguments.jobs, count)
        with use_fork_server(places=processes):
            preload()

            def work(number: int, place: int) -> _Tried:
                fork_server.use_socket(place)
                return self._one(first + number)

            def tick() -> None:
                self._progress.tick(self.found)

            if processes:
                yield from map_in_processes(work, count, processes, tick)

    def _one(self, number: int) -> _Tried:
        """Try one program, with the causes that are known now."""
        counts: dict[str, Counter[str]] = {}
        sightings: list[Sighting] = []
        causes, seconds = self.found.causes, self._arguments.reduce_seconds
        sample = self._samples[number]
        try:
            with collector_paused():
                for trial in trials(sample, self._request, self._options, causes, reduce_seconds=seconds):
                    counts.setdefault(trial.result.step.name, Counter())[_counted_as(trial.result).value] += 1
                    if trial.result.standing.is_finding:
                        sightings.append(self._sighting(trial, sample))
        except InputError as error:
            return _Tried({}, refusal=f"{sample.name}: {error.message}")
        return _Tried({name: dict(each) for name, each in counts.items()}, tuple(sightings))

    def _sighting(self, trial: Trial, sample: Sample) -> Sighting:
        from shapesolve.reports.page import CapturedText, Page
        from shapesolve.reports.validation import print_validation

        shown = trial.result if trial.reduced is None else trial.reduced
        alone = replace(shown, step=replace(shown.step, number=1))
        kept = CapturedText(sys.stdout)
        file = sample.name if trial.reduced is None else "reduced.mlir"
        print_validation(Validation(file, self._request.runner.title, (alone,)), Page(kept, color="never"))
        evidence = kept.getvalue()
        return sighting_of(shown, sample.name, is_reduced=trial.reduced is not None, evidence=evidence)

    def _add(self, number: int, tried: _Tried | CrashedWorker) -> None:
        if isinstance(tried, CrashedWorker):
            tried = _Tried({}, refusal=f"{self._samples[number].name}: {tried.how}")
        if tried.refusal and number < (self._samples.count or 0):
            self._progress.say(tried.refusal)
        causes = self.found.causes
        for sighting in tried.sightings:
            before = len(causes)
            causes, cause = added(causes, sighting)
            if len(causes) > before:
                self._progress.say(_news(cause))
        self.found = replace(
            self.found,
            tried=number + 1,
            refused=self.found.refused + bool(tried.refusal),
            seconds=self._progress.seconds,
            counts=counted(self.found.counts, tried.counts),
            causes=causes,
        )
        if self._directory is not None:
            _save_record(self.found, self._directory)


def _counted_as(result: StepResult) -> Standing:
    """Return the standing that a result counts as: a proof that leaves out contents or effects does not settle."""
    return Standing.NOT_COMPARED if result.standing is Standing.PROVED and result.is_partial else result.standing


def _news(cause: Cause) -> str:
    return f"cause {cause.number}: {cause_line(cause)}"


def _print(found: HuntRecord, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print(json_text(document_of(found), arguments.json_version))
    else:
        print_hunt(found, Page(color=arguments.color), verbose=arguments.verbose)


def _save(found: HuntRecord, directory: str, request: Request) -> None:
    """Write the page, the record, and a folder for each cause."""
    _save_record(found, directory)
    with _writing(directory):
        write(str(Path(directory) / REPORT), hunt_page(found), "--save")
    for cause in found.causes:
        shown = cause.shown
        folder = str(Path(directory) / f"{cause.number:03}-{shown.complaint.pass_name}")
        programs = {REDUCED if shown.is_reduced else BEFORE: shown.program}
        save_program(folder, programs, shown.output, shown.pipeline, request.tool)


def _save_record(found: HuntRecord, directory: str) -> None:
    with _writing(directory):
        Path(directory).mkdir(parents=True, exist_ok=True)
        write(str(Path(directory) / RECORD), f"{json.dumps(document_of(found), indent=1)}\n", "--save")


@contextmanager
def _writing(directory: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{directory}: {error.strerror or error}", where="--save") from None


class _Progress:
    """Progress of a hunt on standard error: a line that is rewritten on a terminal, one line a minute elsewhere.

    Args:
        before: The seconds that the hunt took in earlier runs.
        limit: The seconds that this run may take.
    """

    def __init__(self, before: float, limit: float) -> None:
        self._before = before
        self._limit = limit
        self._started = self._reported_at = self._logged = monotonic()
        self._on_terminal = sys.stderr.isatty()

    @property
    def seconds(self) -> float:
        """The seconds of all runs."""
        return self._before + monotonic() - self._started

    def tick(self, found: HuntRecord) -> None:
        """Show the progress.

        Raises:
            _TimeUp: The time is up.
        """
        now = monotonic()
        if now - self._reported_at >= PATIENCE_SECONDS:
            self._reported_at = now
            report_progress()
            words = f"{plural(found.tried, 'program')}, {plural(len(found.causes), 'cause')}, {self.seconds:.0f} s"
            if self._on_terminal:
                write_progress(f"\r\x1b[K{words}")
            elif now - self._logged >= LOGGED_SECONDS:
                self._logged = now
                write_progress(f"{words}\n")
        if now - self._started >= self._limit:
            if self._on_terminal:
                write_progress("\r\x1b[K")
            raise _TimeUp

    def say(self, words: str) -> None:
        """Write a line."""
        erase = "\r\x1b[K" if self._on_terminal else ""
        write_progress(f"{erase}{words}\n")
