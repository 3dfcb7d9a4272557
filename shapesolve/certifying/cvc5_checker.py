"""cvc5 as a checker of certificates; the only file that imports cvc5.

It reads the SMT-LIB text with its own parser: nothing of what made the certificate takes part.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any

from shapesolve.certifying.answers import Answer, Checked, Word
from shapesolve.certifying.scripts import Script
from shapesolve.errors import InputError

INSTALL = "pip install 'shapesolve[certify]'"
MOST_SIZES = 12


class Cvc5Checker:
    """``seconds`` bound each question. ``proofs``: the directory that cvc5's proofs go into, if they are wanted.

    Raises InputError where cvc5 is not installed.
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

    def check(self, script: Script) -> Checked:
        """Ask every question of a certificate."""
        started = monotonic()
        solver = self._cvc5.Solver(self._cvc5.TermManager())
        solver.setOption("tlimit-per", str(max(1, int(self._seconds * 1000))))
        solver.setOption("produce-models", "true")
        solver.setOption("incremental", "false" if script.is_proof else "true")
        if self._proofs is not None:
            solver.setOption("produce-proofs", "true")
        answers: list[Answer] = []
        proofs: list[Path] = []
        try:
            for _ in self._questions(solver, script):
                answers.append(self._ask(solver))
                if self._proofs is not None and answers[-1].word is Word.CONFIRMED:
                    proofs.append(self._kept(solver, script, len(answers), self._proofs))
        except RuntimeError as error:  # cvc5's own errors are of this kind
            reason = " ".join(str(error).split())[:200]
            answers += [Answer(Word.OPEN, f"cvc5 gave up: {reason}")] * (script.questions - len(answers))
        return Checked(script, tuple(answers), monotonic() - started, tuple(proofs))

    def _questions(self, solver: Any, script: Script) -> Any:
        """Run a script, and stop wherever it asks."""
        parser = self._cvc5.InputParser(solver)
        parser.setStringInput(self._cvc5.InputLanguage.SMT_LIB_2_6, script.text, script.path.name)
        symbols = parser.getSymbolManager()
        self._symbols = symbols
        while not (command := parser.nextCommand()).isNull():
            if command.getCommandName() == "check-sat":
                yield None
            else:
                said = command.invoke(solver, symbols).strip()
                if said.startswith("(error"):
                    raise RuntimeError(said)

    def _ask(self, solver: Any) -> Answer:
        result = solver.checkSat()
        if result.isUnsat():
            return Answer(Word.CONFIRMED)
        if result.isSat():
            return Answer(Word.DISAGREES, self._sizes(solver))
        why = str(result.getUnknownExplanation()).rpartition(".")[2].replace("_", " ").lower()
        took_long = why in ("timeout", "resourceout")
        return Answer(Word.OPEN, f"no answer in {self._seconds:g} s" if took_long else f"cvc5 does not know ({why})")

    def _sizes(self, solver: Any) -> str:
        declared = [term for term in self._symbols.getDeclaredTerms() if term.getSort().isInteger()]
        shown = [f"{_bare(str(term))} = {solver.getValue(term)}" for term in declared[:MOST_SIZES]]
        return ", ".join(shown) + (", ..." if len(declared) > MOST_SIZES else "")

    def _kept(self, solver: Any, script: Script, number: int, directory: Path) -> Path:
        proof = solver.proofToString(solver.getProof()[0])
        suffix = "" if script.is_proof else f".{number:02}"
        target = directory / f"{script.path.stem}{suffix}.cpc"
        text = proof.decode("utf-8") if isinstance(proof, bytes) else str(proof)
        target.write_text(text, encoding="utf-8")
        return target


def _bare(symbol: str) -> str:
    return symbol.strip("|")
