"""Programs that MLIR itself refuses: read all the same, for the verifier to be judged is ours.

The names of the operations that carry the trait are replaced by the name of an operation that nobody knows, so that no
verifier looks at it. Nothing else moves: every line and column stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from shapesolve.errors import InputError
from shapesolve.reading.file_content import load
from shapesolve.reading.mlir_reader import read_file, read_text
from shapesolve.reading.program import Program
from shapesolve.records import record

_STAND_IN = "a.b"
_LEXEME = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|(?<![\w.$#%@!\-])[A-Za-z_][\w$]*(?:\.[\w$]+)+')
_CALL = re.compile(r"\s*\(")
_VALUE = r"%[\w$.\-#]+"
_OPERANDS = re.compile(rf"\s+({_VALUE}(?:\s*,\s*{_VALUE})*)[ \t]+(?=[:{{])")


@record
class Disguised:
    """A program, and the operations whose name was replaced, by line and column."""

    program: Program
    names: dict[tuple[int, int], str]

    def name_at(self, line: int, column: int, name: str) -> str:
        """The name that the author wrote for an operation at a place."""
        return self.names.get((line, column), name)


def read_refused(path: str, carriers: Collection[str]) -> Disguised:
    """The program in a file, whatever a verifier says of the operations named. Raises InputError as reading does."""
    content = load(path)
    if content.text is None:
        return Disguised(read_file(path), {})
    return read_refused_text(content.text, content.file, carriers)


def read_refused_text(text: str, file: str, carriers: Collection[str]) -> Disguised:
    """The program in a text, whatever a verifier says of the operations named."""
    try:
        read = read_text(text, file)
    except InputError:
        disguised, offsets = _disguise(text, carriers)
        if not offsets:
            raise
    else:
        disguised, offsets = ("", {}) if read.refused_text is None else _disguise(text, carriers)
        if not offsets:
            return Disguised(read, {})
    try:
        program = read_text(disguised, file)
    except InputError as error:
        raise InputError(
            error.message, where=error.where, excerpt=_undisguised(error.excerpt, disguised, text)
        ) from None
    names = {_place(text, offset): name for offset, name in offsets.items()}
    return Disguised(replace(program, text=text), names)


def _undisguised(excerpt: str, disguised: str, text: str) -> str:
    """An excerpt with the lines that the author wrote. Both texts have the same lines, equally long."""
    pairs = [(a, b) for a, b in zip(disguised.split("\n"), text.split("\n"), strict=True) if a != b]
    shown: list[str] = []
    for line in excerpt.split("\n"):
        seen = line.strip().removeprefix("...").removesuffix("...")
        found = next(((a, b) for a, b in pairs if len(seen) > 3 and seen in a), None)
        if found is not None:
            start = found[0].index(seen)
            line = line.replace(seen, found[1][start : start + len(seen)])
        shown.append(line)
    return "\n".join(shown)


def _place(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def _disguise(text: str, carriers: Collection[str]) -> tuple[str, dict[int, str]]:
    pieces: list[str] = []
    offsets: dict[int, str] = {}
    done = 0
    for start, end, name, written in _replacements(text, carriers):
        pieces += [text[done:start], written]
        offsets[start] = name
        done = end
    return "".join([*pieces, text[done:]]), offsets


def _replacements(text: str, carriers: Collection[str]) -> Iterator[tuple[int, int, str, str]]:
    """Where a name stands (with its operands, where the custom form is written), and what to write there instead."""
    for match in _LEXEME.finditer(text):
        lexeme = match[0]
        if lexeme.startswith('"') and lexeme[1:-1] in carriers and _CALL.match(text, match.end()):
            name = lexeme[1:-1]
            yield match.start(), match.end(), name, f'"{_stand_in(len(name))}"'
        elif lexeme in carriers:
            operands = _OPERANDS.match(text, match.end())
            if operands is not None:
                yield match.start(), operands.end(), lexeme, _generic(text, match, operands)


def _stand_in(length: int) -> str:
    return _STAND_IN.ljust(length, "b")


def _generic(text: str, name: re.Match[str], operands: re.Match[str]) -> str:
    """``tosa.add %a, %b :`` as ``"a.b"(  %a, %b) :``: as long, every value where it was."""
    called = f'"{_STAND_IN}"('
    before = called.ljust(operands.start(1) - name.start())
    after = ")".ljust(operands.end() - operands.end(1))
    return before + operands[1] + after
