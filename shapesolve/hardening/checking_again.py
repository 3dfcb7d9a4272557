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


def summary(result: PruneResult, options: Options) -> str:
    """What checking the output says. Nothing is executed."""
    report = check_program(read_text(result.text, "output"), replace(options, execute=False))
    written = {each.number for each in result.written}
    others = [each for each in report.judgements if not _is_one_of(written, each)]
    open_ones = [each for each in others if isinstance(each.verdict, Refuted | Undecided)]
    unknown = [each for function in report.functions for each in function.unchecked]
    count = plural(len(others), "obligation")
    if not open_ones and not unknown:
        return f"checked again: {count} besides the checks that were put in, all proved"
    named = [f"{each.obligation.op.name} (line {each.obligation.location.line})" for each in open_ones]
    named += [f"{each.op} (line {each.location.line})" for each in unknown]
    named = list(dict.fromkeys(named))
    rest = f", and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    where = ", ".join(named[:_MOST_NAMED])
    return f"checked again: {count} besides the checks that were put in; still open in the output: {where}{rest}"


def _is_one_of(written: set[int], judgement: Judgement) -> bool:
    return judgement.obligation.kind is Kind.CHECK and judgement.obligation.op.number in written
