"""Files of several modules, as ``mlir-opt --split-input-file`` reads them: a line ``// -----`` ends each part."""

from __future__ import annotations

import re

from shapesolve.errors import InputError, NoFunctionError
from shapesolve.ir.input_files import load
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.records import value_record

MARKER = "// -----"
_MARKERS = re.compile(rf"^{re.escape(MARKER)}[ \t]*\r?\n?", re.MULTILINE)


@value_record
class Part:
    """Part of a file. ``line`` is the number of lines before it."""

    text: str
    line: int

    @property
    def padded(self) -> str:
        """The text after as many empty lines as precede it in the file, so that a parser's line numbers agree."""
        return "\n" * self.line + self.text


def split_text(text: str) -> list[Part]:
    """Return the parts of a text, blank ones included."""
    parts: list[Part] = []
    start = 0
    for marker in (*_MARKERS.finditer(text), None):
        end = len(text) if marker is None else marker.start()
        parts.append(Part(text[start:end], text.count("\n", 0, start)))
        start = end if marker is None else marker.end()
    return parts


def load_parts(path: str) -> tuple[str, list[Part]]:
    """Return the name of a file of text ("-": the standard input) and its parts.

    Raises:
        InputError: It cannot be read, or is bytecode.
    """
    content = load(path)
    if content.text is None:
        raise InputError("bytecode holds one module and cannot be split", where=content.file)
    return content.file, split_text(content.text)


def read_parts(path: str) -> list[Program | InputError]:
    """Return the programs of the parts of a file, or their errors. Parts without a function are left out.

    Raises:
        InputError: The file cannot be read, or no part has a function.
    """
    file, parts = load_parts(path)
    found: list[Program | InputError] = []
    for part in parts:
        if not part.text.strip():
            continue
        try:
            found.append(read_text(part.padded, file))
        except NoFunctionError:
            continue
        except InputError as error:
            found.append(error)
    if not found:
        raise NoFunctionError("no part of this file has a function, so there is nothing to check", where=file)
    return found
