"""Certificates read again: which commands a file holds, and whether it is one that may be given to a solver.

A file of somebody else's is not trusted: SMT-LIB has commands that write files. Only those that a certificate needs
pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from shapesolve.certifying.files import HEADER
from shapesolve.errors import InputError
from shapesolve.records import value_record

ALLOWED = frozenset(
    ("set-info", "set-logic", "declare-const", "declare-fun", "define-fun", "assert", "check-sat", "push", "pop")
)
TOKEN = re.compile(r';[^\n]*|\|[^|]*\||"(?:[^"]|"")*"|[()]|[^();|"]+')
LARGEST = 50_000_000

DEPTH = 24
"""How deep lists stand in each other in what is read at once."""


def _read_at_once() -> re.Pattern[str]:
    word = r'[^();|"]++|\|[^|]*+\||"(?:[^"]|"")*+"|;[^\n]*+'
    inside = word
    for _ in range(DEPTH):
        inside = rf"{word}|\((?:{inside})*+\)"
    return re.compile(rf'(?:\s++|;[^\n]*+)*+\(([^\s();|"]++)(?=[\s)])(?:{inside})*+\)')


COMMAND = _read_at_once()
"""What stands before a command, its name, and the rest of it."""


@value_record
class Script:
    """One certificate. ``about`` is what its comments say: file, function, operation, clause, line, identity."""

    path: Path
    text: str
    is_proof: bool
    questions: int
    about: dict[str, str]


def scripts_in(directory: Path) -> list[Script]:
    """Every certificate in a directory, at any depth, by name. Raises InputError where there is none."""
    if not directory.is_dir():
        raise InputError(f"there is no directory {directory}")
    found = [script for path in sorted(directory.rglob("*.smt2")) if (script := read_script(path)) is not None]
    if not found:
        raise InputError(f"{directory} holds no certificate; shapesolve check FILE --certify DIR writes them")
    return found


def read_script(path: Path) -> Script | None:
    """A certificate; None for a file that does not begin as one. Raises InputError for one that asks for more."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError("this file is too large for a certificate", where=str(path))
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"cannot be read: {reason}", where=str(path)) from None
    if not text.startswith(HEADER):
        return None
    questions = 0
    for name in names_of(text, path):
        if name not in ALLOWED:
            raise InputError(f"a certificate has no command {name[:40]}; the file is not run", where=str(path))
        questions += name == "check-sat"
    if not questions:
        raise InputError("this certificate asks nothing", where=str(path))
    is_proof = text.startswith(f"{HEADER} of a proof")
    return Script(path, text, is_proof, questions, dict(_about(text)))


def names_of(text: str, path: Path) -> Iterator[str]:
    """What the commands of an SMT-LIB text are called."""
    position = 0
    while match := COMMAND.match(text, position):
        yield match[1]
        position = match.end()
    for command in commands_of(text, path, position):
        yield command[1:].split(None, 1)[0].rstrip(")")


def commands_of(text: str, path: Path, position: int = 0) -> Iterator[str]:
    """The commands of an SMT-LIB text from a position on, without its comments."""
    depth, pieces = 0, list[str]()
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise InputError("this is not SMT-LIB", where=str(path))
        token, position = match.group(), match.end()
        if token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
            if depth < 0:
                raise InputError("this is not SMT-LIB", where=str(path))
            if depth == 0:
                yield "".join((*pieces, token)).replace("( ", "(", 1)
                pieces.clear()
                continue
        elif token.startswith(";"):
            continue
        elif depth == 0:
            if not token.isspace():
                raise InputError("this is not SMT-LIB", where=str(path))
            continue
        pieces.append(token)
    if depth:
        raise InputError("this file ends in the middle of a command", where=str(path))


def _about(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n")[1:]:
        if not line.startswith("; "):
            return
        word, _, rest = line[2:].partition(" ")
        yield word, rest.strip()
