"""Programs that show items of the source documents, with the answers that the documents state.

A program stands in ``tests/coverage/programs/DOCUMENT.toml``: the items that it shows, the sentence of the document,
its text, and the commands that apply with the exit code and the words that each must give. What a document asks of
functions that a compiler calls is shown by a script in Python, run by the command ``python SCRIPT``. Tests run every
command; what was answered otherwise is recorded beside the programs.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from shapesolve.records import value_record

PROGRAMS = "tests/coverage/programs"

ANSWERS = "tests/coverage/wrong_answers.json"
"""File of known wrong answers, by program and command. Every answer that it does not list is right."""


@value_record
class Run:
    """Command with its expected answer: an exit code and texts, in which any white space equals one space."""

    command: str
    exit: int
    says: tuple[str, ...]

    def key(self, program: Program) -> str:
        """Return the unique name of this run."""
        return f"{program.name}: {self.command}"


@value_record
class Program:
    """Program that shows items.

    Attributes:
        name: Unique name.
        items: Ids of the items that it shows.
        document: The sentence of the document that states the answers.
        text: The program.
        runs: The commands with their expected answers.
        script: A script that uses the program through the Python API; "" if there is none.
    """

    name: str
    items: tuple[str, ...]
    document: str
    text: str
    runs: tuple[Run, ...]
    script: str = ""


def programs_in(root: Path) -> tuple[Program, ...]:
    """Return the programs of a repository, in the order of their files."""
    found: list[Program] = []
    for path in sorted((root / PROGRAMS).glob("*.toml")):
        for number, each in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["program"], 1):
            runs = tuple(Run(run["command"], run["exit"], tuple(run["says"])) for run in each["runs"])
            name = f"{path.stem}/{number} ({each['items'][0]})"
            text, script = each.get("text", ""), each.get("script", "")
            found.append(Program(name, tuple(each["items"]), each["document"], text, runs, script))
    return tuple(found)


def wrong_answers(root: Path) -> dict[str, str]:
    """Return the recorded wrong answers of this repository, by the name of the run."""
    path = root / ANSWERS
    recorded: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return recorded
