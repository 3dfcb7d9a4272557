"""Cache of rendered reports, by the content of a file, the options, and the versions of everything that decides.

A report is kept in every format and as the layout of its text, brief, verbose and quiet, so that another ``--format``,
verbosity, width or color reads it. Entries are JSON, so that reading one runs nothing, and are written to another name
and renamed, so that two processes may share a directory. A damaged entry counts as none. Reports that depend on the
clock are not kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from shapesolve import __version__
from shapesolve.cli.finding_filter import Selection
from shapesolve.cli.rendered_report import RenderedReport, verbosity_of
from shapesolve.cli.summary_table import Outcome, Tally
from shapesolve.errors import InputError
from shapesolve.frontends.open import model_in
from shapesolve.reports.finding_formats import FileFindings, IdentifiedFinding
from shapesolve.reports.finding_line import FindingLine
from shapesolve.reports.sarif import Part

DIRECTORY = ".shapesolve_cache"
FORMAT = 4
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Reports of shapesolve, which can be deleted at any time.\n"
_PACKAGES = ("z3-solver", "torch-mlir", "numpy", "python-flint", "sympy", "pathspec", "rich")
_UNRELATED = (
    *("alone", "baseline", "cache", "config", "configuration", "deadline", "exclude", "files", "force", "gitignore"),
    *("jobs", "json", "json_version", "names", "no_config", "sarif", "searched", "selection", "stats", "traceback"),
    *("is_only_file", "scheduler", "format", "html", "is_cached", "color", "quiet", "verbose"),
)
"""Options that do not change what is kept of a report, or that the key has in another form."""


class ReportCache:
    """Reports of a directory, read and written under keys that `key` gives."""

    def __init__(self, directory: Path, arguments: argparse.Namespace) -> None:
        self._directory = directory / f"v{FORMAT}"
        self._root = directory
        self._arguments = arguments
        self._common = _digest(_version_parts(), _option_parts(arguments))

    def key(self, file: str) -> str | None:
        """Return the key of a file; None if its report is not kept."""
        try:
            if file == "-" or model_in(file) is not None:
                return None
            content = Path(file).read_bytes()
        except (OSError, ValueError, InputError):
            return None
        arguments = self._arguments
        selection: Selection = arguments.selection
        known = (selection.known or {}).get(arguments.names.get(file, ""), {})
        own = (file, str(file in arguments.searched), json.dumps(known, sort_keys=True))
        return _digest((self._common, *own, hashlib.sha256(content).hexdigest()))

    def holds(self, key: str) -> bool:
        """Return whether there is an entry under a key; it may be damaged."""
        return self._path(key).is_file()

    def load(self, key: str, *, printed: bool) -> list[RenderedReport] | None:
        """Return the reports under a key, with their texts if they are ``printed``; None if they cannot be read."""
        try:
            values = json.loads(self._path(key).read_text("utf-8"))
            return [_report(each, self._text(each) if printed else "") for each in values] or None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _text(self, values: Json) -> str:
        from shapesolve.reports.page import CapturedText, Page
        from shapesolve.reports.page_layout import print_layout

        stream = CapturedText(sys.stdout)
        print_layout(values["layouts"][verbosity_of(self._arguments)], Page(stream, color=self._arguments.color))
        return stream.getvalue()

    def store(self, key: str, reports: Sequence[RenderedReport]) -> None:
        """Keep reports under a key, unless one of them is a failure. A directory that cannot be written is no error."""
        if any(each.failed or not each.is_reproducible for each in reports):
            return
        with suppress(OSError):
            self._prepare(self._path(key).parent)
            self._write(self._path(key), [_values(each) for each in reports])

    def _write(self, path: Path, values: Sequence[object]) -> None:
        """Write a file under another name and rename it."""
        handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as stream:
                json.dump(values, stream)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise

    def _path(self, key: str) -> Path:
        return self._directory / key[:2] / f"{key[2:]}.json"

    def _prepare(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
            path = self._root / name
            if not path.exists():
                path.write_text(text, "utf-8")


def open_cache(arguments: argparse.Namespace, *, several: bool) -> ReportCache | None:
    """Return the cache of a command, or None if it should not have one.

    It is beside the configuration or else in the current directory, and only for several files or where there is a
    configuration: a check of one file leaves nothing behind.
    """
    hangs_on_more = (
        *(arguments.certify, arguments.dump_queries, arguments.rules, arguments.timeout, arguments.stats),
        *(arguments.html, arguments.execute_original),
    )
    if not arguments.cache or any(hangs_on_more) or not getattr(arguments, "alone", False):
        return None
    if arguments.configuration is not None:
        return ReportCache(Path(os.path.dirname(os.path.abspath(arguments.configuration.path))) / DIRECTORY, arguments)
    return ReportCache(Path(DIRECTORY), arguments) if several else None


def _digest(*parts: Sequence[str]) -> str:
    text = "\0".join(each for some in parts for each in some)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _version_parts() -> list[str]:
    """Return the versions of everything that decides, and the state of the package's own files."""
    from importlib.metadata import PackageNotFoundError, entry_points, version

    parts = [__version__, platform.python_version(), platform.system(), platform.machine(), str(FORMAT)]
    for name in _PACKAGES:
        try:
            parts.append(version(name))
        except PackageNotFoundError:
            parts.append("")
    for each in sorted(entry_points(group="shapesolve.rules"), key=lambda each: each.name):
        parts += [each.name, each.value, each.dist.version if each.dist is not None else ""]
    rules = find_spec("shapesolve.constraints")
    # A version stays while somebody works on the code.
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    beside = () if rules is None else rules.submodule_search_locations or ()
    for package in (own, *beside):
        for directory, _, names in sorted(os.walk(package)):
            for name in sorted(names):
                if name.endswith((".py", ".toml")):
                    state = os.stat(os.path.join(directory, name))
                    parts.append(f"{name} {state.st_size} {state.st_mtime_ns}")
    return parts


def _option_parts(arguments: argparse.Namespace) -> list[str]:
    """Return the options that a report depends on, with the contents of the files that they name."""
    options = {name: value for name, value in vars(arguments).items() if name not in _UNRELATED}
    parts = [f"{name}={options[name]!r}" for name in sorted(options)]
    selection = arguments.selection
    parts += [repr(selection.select), repr(selection.ignore), str(selection.known is None)]
    parts.append(repr(arguments.configuration is None))
    files = [*arguments.facts, *arguments.library]
    if arguments.configuration is not None:
        files += [arguments.configuration.path, *(f for each in arguments.configuration.per_file for f in each.facts)]
    for file in files:
        with suppress(OSError, ValueError):
            parts.append(hashlib.sha256(Path(file).read_bytes()).hexdigest())
    return parts


Json = dict[str, Any]


def _values(report: RenderedReport) -> Json:
    findings = report.findings
    return {
        "code": report.code,
        "level": report.level,
        "layouts": report.layouts,
        "object": report.object,
        "sarif": None if report.sarif is None else _part_values(report.sarif),
        "continues": report.continues,
        "tally": [report.tally.outcome.value, list(report.tally.verdicts)],
        "findings": None if findings is None else [findings.file, [_finding_values(e) for e in findings.findings]],
    }


def _part_values(part: Part) -> Json:
    return {"rules": dict(part.rules), "results": list(part.results), "notifications": list(part.notifications)}


def _finding_values(finding: IdentifiedFinding) -> list[Any]:
    line = finding.line
    place = [line.file, line.line, line.column, line.level]
    return [*place, line.message, line.code, line.is_complete, finding.function, finding.identity, finding.sizes]


def _report(values: Json, text: str) -> RenderedReport:
    outcome, verdicts = values["tally"]
    findings = values["findings"]
    part = cast("Json | None", values["sarif"])
    return RenderedReport(
        values["code"],
        text,
        False,
        values["level"],
        cast("Mapping[str, object] | None", values["object"]),
        None if part is None else Part(part["rules"], part["results"], part["notifications"]),
        (),
        continues=values["continues"],
        tally=Tally(Outcome(outcome), tuple(verdicts)),
        findings=None if findings is None else FileFindings(findings[0], tuple(map(_finding, findings[1]))),
        is_reused=True,
    )


def _finding(values: list[Any]) -> IdentifiedFinding:
    *line, function, identity, sizes = values
    return IdentifiedFinding(FindingLine(*line), function, identity, sizes)
