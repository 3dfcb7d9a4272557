"""What is asked for when checks are to be put into a program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.pruning.prune import require_prunable
from shapesolve.reading.program import Function, Program
from shapesolve.rewriting.assumption_attributes import check_recordable
from shapesolve.walking.entry import chosen


def functions_asked(program: Program, options: Options, style: str, styles: Iterable[str]) -> Sequence[Function]:
    """The functions that get checks, in the terms of one of these ``styles``.

    Raises InputError and RewriteError as `prune_program` does.
    """
    require_prunable(program, options)
    if style not in styles:
        raise InputError(f"checks are put there in the terms of {' or '.join(styles)}, not of {style}", where="style")
    if options.trust_ub:
        raise InputError("what may be undefined is checked, so nothing is trusted", where="--trust-ub")
    functions = chosen(program, options.functions)
    check_recordable(functions, options)
    return functions
