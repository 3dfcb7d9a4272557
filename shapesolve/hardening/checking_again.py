"""The output, checked as any file is: what is left open besides the checks that were put in."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.judging.judgement import Judgement
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.proving.verdicts import Refuted, Undecided
from shapesolve.pruning.outcome import PruneResult
from shapesolve.reading.mlir_reader import read_text
from shapesolve.walking.obligations import Kind
from shapesolve.wording.words import plural

_MOST_NAMED = 4


def checked_again(result: PruneResult, options: Options) -> PruneResult:
    """The same result with what checking the output says. Nothing is executed."""
    report = check_program(read_text(result.text, "output"), replace(options, execute=False))
    written = {each.number for each in result.written}
    others = [each for each in report.judgements if not _is_one_of(written, each)]
    named = [
        f"{each.obligation.op.name} (line {each.obligation.location.line})"
        for each in others
        if isinstance(each.verdict, Refuted | Undecided)
    ]
    named += [f"{each.op} (line {each.location.line})" for function in report.functions for each in function.unchecked]
    still_open = tuple(dict.fromkeys(named))
    note = f"the output was checked: {plural(len(others), 'obligation')} besides the checks that were put in"
    if still_open:
        rest = f", and {len(still_open) - _MOST_NAMED} more" if len(still_open) > _MOST_NAMED else ""
        note += f"; still open there: {', '.join(still_open[:_MOST_NAMED])}{rest}"
    else:
        note += ", all proved or never reached"
    return replace(result, still_open=still_open, notes=(note, *result.notes))


def _is_one_of(written: set[int], judgement: Judgement) -> bool:
    return judgement.obligation.kind is Kind.CHECK and judgement.obligation.op.number in written
