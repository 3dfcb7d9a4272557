"""``shapesolve certify``: an independent solver checks the certificates in a directory."""

from __future__ import annotations

import argparse
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from shapesolve.certificates.checkers import Word
from shapesolve.certificates.cvc5_checker import Cvc5Checker
from shapesolve.certificates.reader import read_scripts
from shapesolve.cli.progress import ProgressBar, json_text
from shapesolve.errors import InputError
from shapesolve.reports.certificates import certified_document, print_certified
from shapesolve.reports.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapesolve.certificates.checkers import Checked, Checker

DISAGREES, OPEN = 1, 3


def run(arguments: argparse.Namespace) -> int:
    """Check every certificate, print a report and return the exit code."""
    scripts = read_scripts(arguments.directory)
    checker = _checker(arguments)
    started = monotonic()
    checked: list[Checked] = []
    with ProgressBar(wanted=not arguments.json) as progress:
        for number, script in enumerate(scripts):
            progress(script.about.get("function", "@").removeprefix("@"), number, len(scripts))
            checked.append(checker.check(script))
    seconds = monotonic() - started
    code = exit_code(checked)
    if arguments.json:
        print(json_text(certified_document(checked, checker.name, seconds, code), arguments.json_version))
    else:
        print_certified(checked, checker.name, seconds, Page(color=arguments.color), verbose=arguments.verbose)
    return code


def exit_code(checked: Sequence[Checked]) -> int:
    """Return 1 if the solver disagrees, 3 if it leaves something open, 0 if it confirms everything."""
    words = {answer.word for each in checked for answer in each.answers}
    return DISAGREES if Word.DISAGREES in words else OPEN if Word.OPEN in words else 0


def _checker(arguments: argparse.Namespace) -> Checker:
    proofs: Path | None = arguments.proofs
    if arguments.solver is not None:
        from shapesolve.certificates.checkers import SolverProgram

        if proofs is not None:
            raise InputError(
                "only the cvc5 of the extra shapesolve[certify] keeps its proofs; leave out --solver", where="--proofs"
            )
        return SolverProgram(arguments.solver, arguments.timeout)
    checker = Cvc5Checker(arguments.timeout, proofs)
    if proofs is not None:
        _make_empty(proofs)
    return checker


def _make_empty(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        occupied = next((each for each in directory.iterdir() if each.suffix != ".cpc"), None)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{directory}: {reason}", where="--proofs") from None
    if occupied is not None:
        raise InputError(f"{directory} holds {occupied.name}; give a directory of its own", where="--proofs")
