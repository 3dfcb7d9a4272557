"""Integers for which arithmetic of a program overflows: a proof assumes that none does.

Where operations of the source say so, it wraps around. Both programs are interpreted at numbers at the ends of 64 bits,
for which arithmetic wraps as the machine's does, and run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.ir.program import ScalarType
from shapesolve.refinement.concrete import compared_at
from shapesolve.refinement.interpretations import Interpretations
from shapesolve.refinement.outcome import BY_RUN, Behavior, Ending, Finding, Side, executed
from shapesolve.solver.verdicts import Refuted, Undecided, UndecidedReason
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.named_sizes import NamedSizes
from shapesolve.trace.assumed_overflow import open_assumptions
from shapesolve.trace.events import Trace

_WRAPPING = ("arith.", "index.")
"""Dialects whose arithmetic wraps around, or is poison by its flags; elsewhere it is not said."""

_QUESTION = "the target does the same where arithmetic wraps around"
_FEW = 6
_MOST_NUMBERS = 3
_MOST_RUNS = 4


def overflow_finding(
    interpretations: Interpretations, endings: frozenset[Ending], deadline: Deadline = NEVER
) -> Finding | None:
    """Return a finding if both programs, run with integers for which one or both overflow, differ.

    Args:
        interpretations: Functions of at most three integers; of others nothing is found.
        endings: The endings of the source that are compared.
        deadline: When no more integers are tried; what was not tried is undecided.
    """
    source, target = (each.trace for each in interpretations.sides)
    ours, theirs = ({each.formula for each in open_assumptions(trace)} for trace in (source, target))
    overflowing = ours | theirs
    widths = _integers(source)
    if not overflowing or not 0 < len(widths) <= _MOST_NUMBERS:
        return None
    sides = Side(interpretations.source.program, source), Side(interpretations.target.program, target)
    runs = 0
    for sizes in _assignments(widths):
        if deadline.passed:
            returns = Behavior(Ending.RETURNS)
            return Finding(_QUESTION, Undecided(UndecidedReason.COMMAND, TIME_LIMIT), returns, returns, overflows=True)
        if all(_holds(each, sizes) for each in overflowing) or not _is_defined(source, sizes):
            continue
        found = compared_at(*interpretations.at(sizes), interpretations.entries, sizes)
        if found is None or found.source.ending not in endings:
            continue
        other = found.target if found.difference is None else found.difference.difference
        if found.difference is None and found.source.ending is found.target.ending:
            continue
        runs += 1
        shown = executed(sides, (found.source, other), sizes)
        if not isinstance(shown, str) and not shown.contradicts:  # what is poison may be the same number
            return Finding(_QUESTION, Refuted(BY_RUN, sizes), found.source, other, shown, overflows=True)
        if runs == _MOST_RUNS:
            return None
    return None


def _integers(source: Trace) -> dict[Variable, int]:
    """Return the variables of integer arguments, with their bits; none if there are other arguments."""
    found: dict[Variable, int] = {}
    for argument, value in zip(source.function.arguments, source.inputs, strict=True):
        type = argument.type
        if (
            not isinstance(type, ScalarType)
            or type.kind == "float"
            or not isinstance(value, Dim)
            or not isinstance(value.atom, Variable)
        ):
            return {}
        found[value.atom] = type.width
    return found


def _assignments(widths: dict[Variable, int]) -> Iterator[NamedSizes]:
    tried = [_ends(width) for width in widths.values()]
    for numbers in product(*(tried if len(widths) < _MOST_NUMBERS else [each[:_FEW] for each in tried])):
        yield NamedSizes(dict(zip(widths, numbers, strict=True)))


def _ends(width: int) -> list[int]:
    half = 2 ** (width - 1)
    return [half - 1, -half, 1 - half, half - 2, -1, 1, 0, 2, -2]


def _is_defined(source: Trace, sizes: NamedSizes) -> bool:
    """Return whether the source is given arguments that it admits, and wraps around only where that is defined."""
    if not all(_holds(each.formula, sizes) for each in source.assumptions):
        return False
    wrapping = (each.operation for each in open_assumptions(source) if not _holds(each.formula, sizes))
    return all(each.startswith(_WRAPPING) for each in wrapping)


def _holds(formula: Formula, sizes: NamedSizes) -> bool:
    """Return whether a formula is known to hold; one with other variables is not."""
    return formula.variables <= sizes.keys() and holds(formula, sizes)
