"""Checkers of certificates: their answers, and any SMT-LIB solver as a program that is given a file."""

from __future__ import annotations

import enum
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Protocol

from shapesolve.certificates.reader import Script
from shapesolve.errors import InputError
from shapesolve.records import value_record


class Word(enum.Enum):
    """The kind of an answer to one query."""

    CONFIRMED = "confirmed"
    DISAGREES = "disagrees"
    """The solver found sizes that satisfy everything: what we called proved is false, or stated wrongly."""
    OPEN = "open"


@value_record
class Answer:
    """An answer to one query.

    Attributes:
        word: The kind of answer.
        detail: The reason why a query stayed open, or the sizes that contradict the proof.
    """

    word: Word
    detail: str = ""


UNDEFINED_TERM = "it depends on a term that SMT-LIB does not define, a fold over a shape of unknown rank"
"""The reason where sizes were found for a question in which such a term may have any value."""

WITH_LEMMAS = "with the help of lemmas"


def decisive(answers: Sequence[Answer]) -> Answer:
    """Return one answer to a proof that was asked about alone, and then with the help of lemmas."""
    first = answers[0]
    if first.word is Word.OPEN and any(each.word is Word.CONFIRMED for each in answers):
        return Answer(Word.CONFIRMED, WITH_LEMMAS)
    return first


@value_record
class Checked:
    """A certificate and its answers: one for a proof; of lemmas, one for each in their order."""

    script: Script
    answers: tuple[Answer, ...]
    seconds: float
    proofs: tuple[Path, ...] = ()


class Checker(Protocol):
    """Interface of a checker. ``name`` is the solver and its version."""

    name: str

    def check(self, script: Script) -> Checked:
        """Decide every query of a certificate."""
        ...


WORDS = {"unsat": Word.CONFIRMED, "sat": Word.DISAGREES, "unknown": Word.OPEN}


class SolverProgram:
    """A solver program as a checker.

    Args:
        program: The name or path of the program.
        seconds: The time limit of each query.

    Raises:
        InputError: There is no such program.
    """

    def __init__(self, program: str, seconds: float) -> None:
        found = shutil.which(program)
        if found is None:
            raise InputError(f"there is no program `{program}`", where="--solver")
        self._program = str(Path(found).resolve())
        self._seconds = seconds
        self.name = Path(program).name
        self._options = ["--incremental"] if self.name.startswith("cvc5") else []  # which else takes one question only

    def check(self, script: Script) -> Checked:
        """Decide every query of a certificate."""
        started = monotonic()
        with tempfile.TemporaryDirectory(prefix="shapesolve-certify-") as directory:
            target = Path(directory) / "certificate.smt2"  # a solver may take a name that begins with - for an option
            target.write_text(script.text, encoding="utf-8")
            answers = self._answers(target, script.questions, is_complete=script.is_complete)
        decided = (decisive(answers),) if script.is_proof else answers
        return Checked(script, decided, monotonic() - started)

    def _answers(self, target: Path, count: int, *, is_complete: bool) -> tuple[Answer, ...]:
        late = f"no answer in {self._seconds:g} s a question"
        try:
            ended = subprocess.run(
                [self._program, *self._options, str(target)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self._seconds * count,
                cwd=target.parent,
                check=False,
            )
            output, missing = ended.stdout, "it said nothing that is an answer"
            wrong = _error(ended.stdout) or _error(ended.stderr)
        except subprocess.TimeoutExpired as error:
            output, missing, wrong = error.stdout or b"", late, ""
        except OSError as error:
            raise InputError(f"{self._program} cannot be run: {error.strerror or error}", where="--solver") from None
        if wrong:  # whatever it then says is about something else
            return (Answer(Word.OPEN, f"it reports {wrong}"),) * count
        lines = [line.strip() for line in output.decode("utf-8", "replace").split("\n")]
        found = [_answer(line, is_complete=is_complete) for line in lines if line in WORDS]
        return tuple([*found, *[Answer(Word.OPEN, missing)] * count][:count])


def _answer(line: str, *, is_complete: bool) -> Answer:
    if line == "sat" and not is_complete:
        return Answer(Word.OPEN, UNDEFINED_TERM)
    return Answer(WORDS[line], "it does not know" if line == "unknown" else "")


def _error(output: bytes) -> str:
    for line in output.decode("utf-8", "replace").split("\n"):
        if "error" in line.lower():
            return " ".join(line.split())[:200]
    return ""
