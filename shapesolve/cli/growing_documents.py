"""JSON and SARIF documents of a command on many files, which grow by every file that is done.

The parts wait on disk, so that memory does not grow with the files. The document itself is written at the end,
completely or not at all, since it begins with what is known then: the exit code, the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shapesolve.cli.progress import with_stats
from shapesolve.cli.spool import Spool
from shapesolve.cli.supervisor import is_stopped
from shapesolve.reports.json_pieces import ELEMENTS, document_pieces, element_text
from shapesolve.reports.json_versions import as_version
from shapesolve.reports.sarif import Part, SarifRun


class JsonDocument:
    """Objects of files, in the version that they are printed in.

    Args:
        format_: Format of the document.
        version: One of `json_versions.READABLE`.
    """

    _DEPTH = 2

    def __init__(self, format_: str, version: int) -> None:
        self._format = format_
        self._version = version
        self.spool = Spool("--json")

    def add(self, file: Mapping[str, object]) -> None:
        """Add the object of a file.

        Raises:
            InputError: There is no place for it.
        """
        is_document = "format" in file
        found = as_version(file, self._version) if is_document else self._as_version({"file": file})["file"]
        self.spool.add(element_text(found, self._DEPTH))

    def pieces(self, document: Mapping[str, object]) -> Iterator[str]:
        """Yield the text of a document whose ``files`` are those that were added. None can be added after that."""
        whole = self._as_version({**document, "files": ELEMENTS})
        yield from document_pieces(with_stats(whole), self.spool.texts(), self._DEPTH)
        yield "\n"

    def _as_version(self, document: Mapping[str, object]) -> dict[str, object]:
        return as_version({"format": self._format, **document}, self._version)


class SarifDocument:
    """Log of one run, from the contributions of files."""

    _DEPTH = 4

    def __init__(self) -> None:
        self._run = SarifRun()
        self.spool = Spool("--sarif")

    def add(self, part: Part) -> None:
        """Add the contribution of a file.

        Raises:
            InputError: There is no place for it.
        """
        if results := self._run.add(part):
            self.spool.add(",\n".join(element_text(each, self._DEPTH) for each in results))

    def pieces(self, code: int) -> Iterator[str]:
        """Yield the text of the log, given the exit code. Nothing can be added after that."""
        if is_stopped(code):
            self._run.stop()
        yield from document_pieces(self._run.log(ELEMENTS), self.spool.texts(), self._DEPTH)
        yield "\n"
