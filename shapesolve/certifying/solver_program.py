"""Any SMT-LIB solver as a checker of certificates: a program that is given a file."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from time import monotonic

from shapesolve.certifying.answers import UNDEFINED_TERM, Answer, Checked, Word, decisive
from shapesolve.certifying.scripts import Script
from shapesolve.errors import InputError

WORDS = {"unsat": Word.CONFIRMED, "sat": Word.DISAGREES, "unknown": Word.OPEN}


class SolverProgram:
    """``seconds`` bound each question. Raises InputError where there is no such program."""

    def __init__(self, program: str, seconds: float) -> None:
        found = shutil.which(program)
        if found is None:
            raise InputError(f"there is no program `{program}`", where="--solver")
        self._program = str(Path(found).resolve())
        self._seconds = seconds
        self.name = Path(program).name
        self._options = ["--incremental"] if self.name.startswith("cvc5") else []  # which else takes one question only

    def check(self, script: Script) -> Checked:
        """Ask every question of a certificate."""
        started = monotonic()
        with tempfile.TemporaryDirectory(prefix="shapesolve-certify-") as directory:
            target = Path(directory) / "certificate.smt2"  # a solver may take a name that begins with - for an option
            target.write_text(script.text, encoding="utf-8")
            answers = self._answers(target, script.questions, is_complete=script.is_complete)
        told = (decisive(answers),) if script.is_proof else answers
        return Checked(script, told, monotonic() - started)

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
            said, missing = ended.stdout, "it said nothing that is an answer"
            wrong = _error(ended.stdout) or _error(ended.stderr)
        except subprocess.TimeoutExpired as error:
            said, missing, wrong = error.stdout or b"", late, ""
        except OSError as error:
            raise InputError(f"{self._program} cannot be run: {error.strerror or error}", where="--solver") from None
        if wrong:  # whatever it then says is about something else
            return (Answer(Word.OPEN, f"it reports {wrong}"),) * count
        lines = [line.strip() for line in said.decode("utf-8", "replace").split("\n")]
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
