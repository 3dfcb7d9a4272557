"""Reader of certificate files that checks that a solver may run them.

Files of others are not trusted: SMT-LIB has commands that write files. Only the commands that a certificate needs
pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from shapesolve.certificates.manifest import NAME, Entry, hash_of, read_bounded, read_manifest
from shapesolve.certificates.semantics import UNDEFINED
from shapesolve.certificates.writer import HEADER
from shapesolve.errors import InputError, unreadable
from shapesolve.records import value_record

ALLOWED = frozenset(
    ("set-info", "set-logic", "declare-const", "declare-fun", "define-fun", "assert", "check-sat", "push", "pop")
)
TOKEN = re.compile(r';[^\n]*|\|[^|]*\||"(?:[^"]|"")*"|[()]|[^();|"]+')

DEPTH = 24
"""Nesting depth of parentheses up to which one match of `COMMAND` reads a command."""


def _read_at_once() -> re.Pattern[str]:
    word = r'[^();|"]++|\|[^|]*+\||"(?:[^"]|"")*+"|;[^\n]*+'
    inside = word
    for _ in range(DEPTH):
        inside = rf"{word}|\((?:{inside})*+\)"
    return re.compile(rf'(?:\s++|;[^\n]*+)*+\(([^\s();|"]++)(?=[\s)])(?:{inside})*+\)')


COMMAND = _read_at_once()
"""Pattern of a command with the white space and comments before it; group 1 is the command's name."""


@value_record
class Script:
    """A certificate file.

    Attributes:
        about: The fields of its comments: file, function, operation, clause, line, identity.
    """

    path: Path
    text: str
    is_proof: bool
    questions: int
    about: dict[str, str]

    @property
    def is_complete(self) -> bool:
        """Return whether every term is defined, so that sizes that a solver finds contradict the proof."""
        return f"{UNDEFINED}|" not in self.text


MOST_NAMED = 10


def read_scripts(directory: Path) -> list[Script]:
    """Return the certificates that the manifest of a directory lists, by name.

    Raises:
        InputError: there is no manifest, it lists nothing, or a certificate is missing, changed or added.
    """
    if not directory.is_dir():
        raise InputError(f"there is no directory {directory}")
    present = {path.relative_to(directory).as_posix(): path for path in sorted(directory.rglob("*.smt2"))}
    if not present and not (directory / NAME).exists():
        raise InputError(f"{directory} holds no certificate; shapesolve check FILE --certify DIR writes them")
    entries = read_manifest(directory)
    contents = {entry.name: _content(present[entry.name]) for entry in entries if entry.name in present}
    listed = {entry.name for entry in entries}
    missing = [entry.name for entry in entries if entry.name not in present]
    changed = [entry.name for entry in entries if entry.name in contents and not _is_as_written(entry, contents)]
    added = [name for name, path in present.items() if name not in listed and _is_certificate(path)]
    problems = [
        f"{_names(names)} {'is' if len(names) == 1 else 'are'} {problem}"
        for names, problem in ((missing, "missing"), (changed, "changed"), (added, "added"))
        if names
    ]
    if problems:
        raise InputError(
            f"{directory} is not what check --certify wrote: {'; '.join(problems)}; "
            f"write the certificates again: shapesolve check FILE --certify {directory}"
        )
    if not entries:
        raise InputError(f"{directory} holds no certificate: nothing was proved when it was written")
    return [_listed_script(entry, present[entry.name], contents[entry.name]) for entry in entries]


def _names(names: list[str]) -> str:
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _is_as_written(entry: Entry, contents: dict[str, bytes]) -> bool:
    return hash_of(contents[entry.name]) == entry.sha256


def _listed_script(entry: Entry, path: Path, content: bytes) -> Script:
    script = script_of(path, content)
    if script is None or (script.is_proof, script.questions) != (entry.is_proof, entry.questions):
        raise InputError("this file is not the certificate that the manifest says it is", where=str(path))
    return script


def _content(path: Path) -> bytes:
    try:
        return read_bounded(path, "a certificate")
    except OSError as error:
        raise InputError(unreadable(error), where=str(path)) from None


def _is_certificate(path: Path) -> bool:
    return path.is_file() and _content(path).startswith(HEADER.encode())


def script_of(path: Path, content: bytes) -> Script | None:
    """Return the certificate that a file contains, or None if it does not begin as one.

    Raises:
        InputError: the file has commands that a certificate has not, or asks or asserts nothing.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("cannot be read: it is not UTF-8", where=str(path)) from None
    if not text.startswith(HEADER):
        return None
    is_proof = text.startswith(f"{HEADER} of a proof")
    questions = 0
    asserted = False  # since the question before, of lemmas; of a proof, at all
    for name in command_names(text, path):
        if name not in ALLOWED:
            raise InputError(f"a certificate has no command {name[:40]}; the file is not run", where=str(path))
        asserted = asserted or name == "assert"
        if name == "check-sat":
            if not asserted:
                raise InputError("this certificate asks without asserting anything", where=str(path))
            questions += 1
            asserted = is_proof
    if not questions:
        raise InputError("this certificate asks nothing", where=str(path))
    return Script(path, text, is_proof, questions, dict(_about(text)))


def command_names(text: str, path: Path) -> Iterator[str]:
    """Yield the names of the commands of an SMT-LIB text."""
    position = 0
    while match := COMMAND.match(text, position):
        yield match[1]
        position = match.end()
    for command in commands_of(text, path, position):
        yield command[1:].split(None, 1)[0].rstrip(")")


def commands_of(text: str, path: Path, position: int = 0) -> Iterator[str]:
    """Yield the commands of an SMT-LIB text from a position on, without its comments."""
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
