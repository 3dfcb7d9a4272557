"""Findings of several files in the formats of editors and of hosts of continuous integration."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath

from shapesolve.records import value_record
from shapesolve.reports.finding_line import FindingLine
from shapesolve.reports.page import visible

STREAMED = ("full", "concise", "github")
"""Formats whose text is complete after each file; the others are documents."""

_GITHUB = {"error": "error", "warning": "warning", "note": "notice"}
_GITLAB = {"error": "major", "warning": "minor", "note": "info"}
FAILURE_CODE = "unusable"
STOPPED = "stopped before all files were checked: what is here is not complete"
"""Remark in the documents of a command that was interrupted or terminated."""


@value_record
class IdentifiedFinding:
    """Finding in one line, with what identifies it when lines move.

    Attributes:
        line: The finding.
        function: The function that it is in; empty for one of the whole file.
        identity: A digest of the function, the operation, the clause and the claim.
        sizes: Sizes at which it fails, ``x: 2x3, n = 1``; "" if none are known.
    """

    line: FindingLine
    function: str
    identity: str
    sizes: str = ""

    @property
    def failing_words(self) -> str:
        """The sizes in a phrase: ``fails at x: 2x3``; "" if none are known."""
        return f"fails at {self.sizes}" if self.sizes else ""


@value_record
class FileFindings:
    """Findings of one file, or the failure because of which there are none.

    Attributes:
        file: The file.
        findings: Its findings.
        failure: The error, if the file could not be checked.
        place: The line and column of that error, 0 where they are not known.
        seconds: Time of the check.
        admits_no_input: Whether the assumptions exclude all inputs of a function.
    """

    file: str
    findings: tuple[IdentifiedFinding, ...] = ()
    failure: str = ""
    place: tuple[int, int] = (0, 0)
    seconds: float = 0.0
    admits_no_input: bool = False


def streamed_text(format_: str, file: FileFindings) -> str:
    """Return the lines of a file in a format of lines."""
    if format_ == "github":
        found = [(each.line, each.failing_words) for each in file.findings]
        if file.failure:
            found = [(FindingLine(file.file, *file.place, "error", file.failure, FAILURE_CODE), "")]
        return "".join(f"{_workflow_command(*each)}\n" for each in found)
    return "".join(f"{replace(each.line, file=visible(each.line.file))}\n" for each in file.findings)


def _workflow_command(line: FindingLine, failing_words: str) -> str:
    """Return a finding as a workflow command of GitHub Actions, with the sizes at which it fails in a second line."""
    message = "\n".join(filter(None, (line.message, failing_words)))
    properties = {"file": _posix(line.file), "line": line.line, "col": line.column, "title": f"shapesolve {line.code}"}
    shown = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    return f"::{_GITHUB[line.level]} {shown}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class GitLabReport:
    """Findings as entries of GitLab's code quality report, each with a unique fingerprint."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def entries(self, file: FileFindings) -> list[dict[str, object]]:
        """Return the entries of one file."""
        lines = [(each.line, each.identity, each.failing_words) for each in file.findings]
        if file.failure:
            line = FindingLine(file.file, *file.place, "error", file.failure, FAILURE_CODE)
            lines.append((line, FAILURE_CODE, ""))
        return [
            {
                "description": "; ".join(filter(None, (line.message, failing_words))),
                "check_name": line.code,
                "fingerprint": self._fingerprint(f"{_posix(line.file)}\0{identity}"),
                "severity": "blocker" if line.code == FAILURE_CODE else _GITLAB[line.level],
                "location": {"path": _posix(line.file), "lines": {"begin": max(line.line, 1)}},
            }
            for line, identity, failing_words in lines
        ]

    def _fingerprint(self, key: str) -> str:
        # GitLab takes two entries with one fingerprint for one.
        first = _digest(key)
        count = self._seen[first] = self._seen.get(first, 0) + 1
        return first if count == 1 else _digest(f"{key}\0{count}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def junit_pieces(suites: Iterable[str]) -> Iterator[str]:
    """Yield a document of JUnit's XML, given its suites."""
    yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="shapesolve">\n'
    yield from suites
    yield "</testsuites>\n"


def junit_suite(file: FileFindings) -> str:
    """Return the findings of a file as a suite in JUnit's XML, with a failing case for each error or warning."""
    from xml.sax.saxutils import quoteattr  # it imports an HTTP client

    failing = [each for each in file.findings if each.line.level != "note"]
    name = quoteattr(_printable(_posix(file.file)))
    errors = 1 if file.failure else 0
    cases = [_case(each) for each in failing]
    if file.failure:
        message = _printable(file.failure)
        cases = [f'    <testcase name="check" classname={name}><error message={quoteattr(message)}/></testcase>\n']
    elif not failing:
        cases = [f'    <testcase name="check" classname={name} time="{file.seconds:.3f}"/>\n']
    counts = f'tests="{len(cases)}" failures="{len(failing)}" errors="{errors}" time="{file.seconds:.3f}"'
    return f"  <testsuite name={name} {counts}>\n{''.join(cases)}  </testsuite>\n"


def _case(finding: IdentifiedFinding) -> str:
    from xml.sax.saxutils import escape, quoteattr

    line = finding.line
    name = quoteattr(_printable(f"{line.code} in @{finding.function}, line {line.line}"))
    kind = f"message={quoteattr(_printable(line.message))} type={quoteattr(line.code)}"
    text = escape(_printable("\n".join(filter(None, (str(line), finding.failing_words)))))
    file = quoteattr(_printable(_posix(line.file)))
    return f"    <testcase name={name} classname={file}>\n      <failure {kind}>{text}</failure>\n    </testcase>\n"


def _printable(text: str) -> str:
    """Return a text without characters that XML does not allow."""
    return "".join(each if each.isprintable() or each in "\t\n" else "?" for each in text)


def _posix(file: str) -> str:
    return PurePath(file).as_posix()
