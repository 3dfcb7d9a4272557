"""cvc5 as a checker of certificates; the only file that imports cvc5.

It parses the SMT-LIB text itself: nothing that made the certificate takes part.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from shapesolve.certificates.checkers import UNDEFINED_TERM, Answer, Checked, Word, decisive
from shapesolve.certificates.reader import Script
from shapesolve.errors import InputError
from shapesolve.statistics import stage

INSTALL = "pip install 'shapesolve[certify]'"
MOST_SIZES = 12

_TRIALS = ((0, 60), (1, 60), (0, 6), (1, 1))
"""Trials of a proof that comes with lemmas: its query without (0) or with (1) them, and the divisor of the time limit.
"""


class Cvc5Checker:
    """cvc5 as a checker.

    Args:
        seconds: The time limit of each query.
        proofs: The directory for cvc5's proofs, or None.

    Raises:
        InputError: cvc5 is not installed.
    """

    def __init__(self, seconds: float, proofs: Path | None = None) -> None:
        try:
            import cvc5
        except ImportError:
            raise InputError(f"cvc5 is not installed: {INSTALL}, or --solver PATH for another solver") from None
        self._cvc5: Any = cvc5
        self._seconds = seconds
        self._proofs = proofs
        self.name = f"cvc5 {cvc5.__version__}"

    @stage("certify")
    def check(self, script: Script) -> Checked:
        """Decide every query of a certificate; of a proof the last query, with lemmas, only if it is needed."""
        started = monotonic()
        if not script.is_proof:
            answers, proofs = self._asked(script, range(script.questions), self._seconds)
            return Checked(script, answers, monotonic() - started, proofs)
        given: dict[int, Answer] = {}
        proofs: tuple[Path, ...] = ()
        for number, part in _TRIALS if script.questions > 1 else ((0, 1),):
            (given[number],), proofs = self._asked(script, range(number, number + 1), self._seconds / part)
            if given[number].word is not Word.OPEN:
                break
        return Checked(script, (decisive(list(given.values())),), monotonic() - started, proofs)

    def _asked(self, script: Script, wanted: range, seconds: float) -> tuple[tuple[Answer, ...], tuple[Path, ...]]:
        """Return the answers to the wanted queries, and the proofs; the other queries are skipped."""
        solver = self._cvc5.Solver(self._cvc5.TermManager())
        solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
        solver.setOption("produce-models", "true")
        solver.setOption("incremental", "false" if script.is_proof else "true")
        if self._proofs is not None:
            solver.setOption("produce-proofs", "true")
        answers: list[Answer] = []
        proofs: list[Path] = []
        try:
            for number in self._questions(solver, script):
                if number not in wanted:
                    continue
                answers.append(self._ask(solver, seconds, is_complete=script.is_complete))
                if self._proofs is not None and answers[-1].word is Word.CONFIRMED:
                    proofs.append(self._kept(solver, script, number, self._proofs))
                if number == wanted[-1]:
                    break
        except RuntimeError as error:  # cvc5's own errors are of this kind
            reason = " ".join(str(error).split())[:200]
            answers += [Answer(Word.OPEN, f"cvc5 gave up: {reason}")] * (len(wanted) - len(answers))
        return tuple(answers), tuple(proofs)

    def _questions(self, solver: Any, script: Script) -> Iterator[int]:
        """Run a script, and yield the number of each query where the script asks it."""
        number = 0
        parser = self._cvc5.InputParser(solver)
        parser.setStringInput(self._cvc5.InputLanguage.SMT_LIB_2_6, script.text, script.path.name)
        symbols = parser.getSymbolManager()
        self._symbols = symbols
        while not (command := parser.nextCommand()).isNull():
            if command.getCommandName() == "check-sat":
                yield number
                number += 1
            else:
                answer = command.invoke(solver, symbols).strip()
                if answer.startswith("(error"):
                    raise RuntimeError(answer)

    def _ask(self, solver: Any, seconds: float, *, is_complete: bool) -> Answer:
        result = solver.checkSat()
        if result.isUnsat():
            return Answer(Word.CONFIRMED)
        if result.isSat():
            return Answer(Word.DISAGREES, self._sizes(solver)) if is_complete else Answer(Word.OPEN, UNDEFINED_TERM)
        why = str(result.getUnknownExplanation()).rpartition(".")[2].replace("_", " ").lower()
        took_long = why in ("timeout", "resourceout")
        return Answer(Word.OPEN, f"no answer in {seconds:g} s" if took_long else f"cvc5 does not know ({why})")

    def _sizes(self, solver: Any) -> str:
        declared = [term for term in self._symbols.getDeclaredTerms() if term.getSort().isInteger()]
        shown = [f"{_bare(str(term))} = {solver.getValue(term)}" for term in declared[:MOST_SIZES]]
        return ", ".join(shown) + (", ..." if len(declared) > MOST_SIZES else "")

    def _kept(self, solver: Any, script: Script, number: int, directory: Path) -> Path:
        proof = solver.proofToString(solver.getProof()[0])
        suffix = "" if script.is_proof else f".{number + 1:02}"
        target = directory / f"{script.path.stem}{suffix}.cpc"
        text = proof.decode("utf-8") if isinstance(proof, bytes) else str(proof)
        target.write_text(text, encoding="utf-8")
        return target


def _bare(symbol: str) -> str:
    return symbol.strip("|")
