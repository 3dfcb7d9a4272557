"""Certificates of programs, checked under the assumptions of their case, and cvc5's answers to them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from support.case_files import read_case

from shapesolve.certificates.checkers import Checked, Word
from shapesolve.certificates.cvc5_checker import Cvc5Checker
from shapesolve.certificates.reader import script_of
from shapesolve.certificates.writer import Certificate
from shapesolve.checker.check import check_function
from shapesolve.checker.report import FunctionReport
from shapesolve.ir.reader import read_file
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.solver.verdicts import Proved

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*(ROOT / "examples").glob("*.mlir"), *(ROOT / "tests" / "cases").rglob("*.mlir")])
SECONDS = 60.0


@dataclass(frozen=True)
class Unconfirmed:
    """A question that cvc5 did not confirm."""

    identity: str
    word: Word
    detail: str


def reports_of(path: Path) -> list[FunctionReport]:
    """Return the reports of every entry point, checked with certificates, under the assumptions of a case."""
    assumptions = read_case(path).assumptions if "cases" in path.parts else {}
    program = read_file(str(path))
    return [
        check_function(
            program,
            function,
            Options(assumptions=tuple(assumptions.get(function.name, ())), execute=False, certify=True),
        )
        for function in entry_points(program)
    ]


def proved_in(report: FunctionReport) -> int:
    """Return the number of proved obligations."""
    return sum(isinstance(checked_obligation.verdict, Proved) for checked_obligation in report.checked_obligations)


def asked(certificates: list[Certificate], seconds: float = SECONDS) -> list[Checked]:
    """Return cvc5's answer to the text alone."""
    checker = Cvc5Checker(seconds)
    with tempfile.TemporaryDirectory() as directory:
        checked: list[Checked] = []
        for certificate in certificates:
            path = Path(directory) / certificate.name
            script = script_of(path, certificate.text.encode())
            assert script is not None
            assert script.is_proof == certificate.is_proof
            checked.append(checker.check(script))
    return checked


def unconfirmed(checked: list[Checked]) -> list[Unconfirmed]:
    """The questions that were not confirmed."""
    return [
        Unconfirmed(
            each.script.about.get("identity", f"{each.script.path.stem}, question {number}"), answer.word, answer.detail
        )
        for each in checked
        for number, answer in enumerate(each.answers, 1)
        if answer.word is not Word.CONFIRMED
    ]
