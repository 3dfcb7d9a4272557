"""Documents of a check (JSON, SARIF, HTML, GitLab, JUnit) that grow by every file that is done.

The parts wait on disk, so that memory does not grow with the files. The document itself is written at the end,
completely or not at all, since it begins with what is known then: the exit code, the rules, the index.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from shapesolve.cli.output_files import STDOUT, write_pieces
from shapesolve.cli.rendered_report import RenderedReport
from shapesolve.cli.spool import Spool
from shapesolve.cli.supervisor import is_stopped
from shapesolve.reports.json_pieces import array_pieces, element_text

if TYPE_CHECKING:
    from shapesolve.reports.finding_formats import FileFindings


class _Document(Protocol):
    spool: Spool

    def add(self, report: RenderedReport) -> None: ...

    def pieces(self, code: int) -> Iterator[str]: ...


class Documents:
    """Documents that a command line asks for."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._found: list[tuple[str, str, _Document]] = []
        if arguments.format in ("gitlab", "junit"):
            self._found.append((STDOUT, "--format", _GitLab() if arguments.format == "gitlab" else _JUnit()))
        if arguments.json is not None:
            self._found.append((arguments.json, "--json", _Json(arguments.json_version)))
        if arguments.sarif is not None:
            self._found.append((arguments.sarif, "--sarif", _Sarif()))
        if arguments.html is not None:
            self._found.append((arguments.html, "--html", _Html()))

    def add(self, report: RenderedReport) -> None:
        """Add a report to each of them.

        Raises:
            InputError: There is no place for it.
        """
        for _, _, each in self._found:
            each.add(report)

    def write(self, code: int) -> None:
        """Write the documents, given the exit code of the command.

        Raises:
            InputError: One cannot be written.
        """
        for path, option, each in self._found:
            write_pieces(path, each.pieces(code), option)

    def close(self) -> None:
        """Give up what waits on disk."""
        for _, _, each in self._found:
            each.spool.close()


class _Json:
    def __init__(self, version: int) -> None:
        from shapesolve.cli.growing_documents import JsonDocument
        from shapesolve.reports.certificates import CHECK

        self._document = JsonDocument(CHECK, version)
        self.spool = self._document.spool

    def add(self, report: RenderedReport) -> None:
        if report.object is not None:
            self._document.add(report.object)

    def pieces(self, code: int) -> Iterator[str]:
        from shapesolve.reports.check_json import document_of

        return self._document.pieces(document_of([], code))


class _Sarif:
    def __init__(self) -> None:
        from shapesolve.cli.growing_documents import SarifDocument

        self._document = SarifDocument()
        self.spool = self._document.spool

    def add(self, report: RenderedReport) -> None:
        if report.sarif is not None:
            self._document.add(report.sarif)

    def pieces(self, code: int) -> Iterator[str]:
        return self._document.pieces(code)


class _Html:
    def __init__(self) -> None:
        self._titles: list[str] = []
        self.spool = Spool("--html")

    def add(self, report: RenderedReport) -> None:
        if report.html is not None:
            title, fragment = report.html
            self._titles.append(title)
            self.spool.add(fragment)

    def pieces(self, code: int) -> Iterator[str]:
        from shapesolve.reports.html_report import page_pieces

        return page_pieces(self._titles, self.spool.texts())


class _GitLab:
    _DEPTH = 1

    def __init__(self) -> None:
        from shapesolve.reports.finding_formats import GitLabReport

        self._report = GitLabReport()
        self.spool = Spool("--format")

    def add(self, report: RenderedReport) -> None:
        if report.findings is not None:
            self.add_findings(report.findings)

    def add_findings(self, findings: FileFindings) -> None:
        if entries := self._report.entries(findings):
            self.spool.add(",\n".join(element_text(each, self._DEPTH) for each in entries))

    def pieces(self, code: int) -> Iterator[str]:
        from shapesolve.reports.finding_formats import STOPPED, FileFindings

        if is_stopped(code):
            self.add_findings(FileFindings("shapesolve", failure=STOPPED))
        yield "["
        yield from array_pieces(self.spool.texts(), self._DEPTH)
        yield "\n"


class _JUnit:
    def __init__(self) -> None:
        self.spool = Spool("--format")

    def add(self, report: RenderedReport) -> None:
        from shapesolve.reports.finding_formats import junit_suite

        if report.findings is not None:
            self.spool.add(junit_suite(replace(report.findings, seconds=report.seconds)))

    def pieces(self, code: int) -> Iterator[str]:
        from shapesolve.reports.finding_formats import STOPPED, FileFindings, junit_pieces, junit_suite

        stopped = [junit_suite(FileFindings("shapesolve", failure=STOPPED))] if is_stopped(code) else []
        return junit_pieces(chain(self.spool.texts(), stopped))
