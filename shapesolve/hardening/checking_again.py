"""The output, checked as any file is: what is left open besides its checks."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.libraries.layering import rulebook_for
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.proving.verdicts import Refuted, Undecided
from shapesolve.pruning.outcome import PruneResult
from shapesolve.reading.mlir_reader import read_text
from shapesolve.rewriting.checks import check_name
from shapesolve.wording.words import plural

_MOST_NAMED = 4


def checked_again(result: PruneResult, options: Options) -> PruneResult:
    """The same result with what checking the output says. Nothing is executed."""
    program = read_text(result.text, "output")
    rulebook = rulebook_for(program, options)
    report = check_program(program, replace(options, execute=False, certify=False))
    others = [each for each in report.judgements if check_name(each.obligation.op, rulebook) is None]
    named = [
        f"{each.obligation.op.name} (line {each.obligation.location.line})"
        for each in others
        if isinstance(each.verdict, Refuted | Undecided)
    ]
    named += [f"{each.op} (line {each.location.line})" for function in report.functions for each in function.unchecked]
    still_open = tuple(dict.fromkeys(named))
    note = f"the output was checked: besides its checks there are {plural(len(others), 'obligation')}"
    if still_open:
        rest = f", and {len(still_open) - _MOST_NAMED} more" if len(still_open) > _MOST_NAMED else ""
        note += f"; still open there: {', '.join(still_open[:_MOST_NAMED])}{rest}"
    else:
        note += ", all proved or never reached"
    return replace(result, still_open=still_open, notes=(note, *result.notes))
