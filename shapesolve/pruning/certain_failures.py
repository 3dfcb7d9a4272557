"""Functions of which every call fails, as `check` says.

A removal must not rely on what an operation requires, so pruning decides each claim without the requirements before it.
A run gets past a claim only if it met all of them, though: claims that may each hold alone may contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.obligation_checker import Policy, check_obligations
from shapesolve.checker.report import claims_of_every_call, fails_for_all
from shapesolve.ir.program import Location
from shapesolve.options import Options
from shapesolve.pruning.recheck import FunctionRecheck, checker_of
from shapesolve.pruning.result import CertainFailure
from shapesolve.solver.verdicts import Detail, Proved, Refuted


def certain_failures(
    entries: Iterable[FunctionRecheck], options: Options, place: Callable[[Location], Location]
) -> tuple[CertainFailure, ...]:
    """Return the first claim of each function that fails in every call, if any input is admitted.

    Args:
        place: Returns the location in the original of a location in this program.
    """
    found: list[CertainFailure] = []
    for each in entries:
        failing = None if each.contradiction else each.certain_failure or _failing_together(each, options)
        if failing is not None:
            claim, is_first = failing.obligation, isinstance(failing.verdict, Refuted)
            location = place(claim.location)
            found.append(CertainFailure(each.trace.function.name, claim.op.name, location, claim.message, is_first))
    return tuple(found)


def _failing_together(found: FunctionRecheck, options: Options) -> CheckedObligation | None:
    """Return the first claim that fails wherever the claims before it hold, if every call reaches it unless it fails.

    Only claims that are not proved alone are asked about, and mostly some known sizes answer.
    """
    proved = {each.obligation for each in found.all if isinstance(each.verdict, Proved)}
    left = {each for each in claims_of_every_call(found.trace) if each not in proved}
    if len(left) < 2:
        return None
    policy = Policy(should_check=frozenset(left).__contains__, detail=lambda _: Detail.EXTREMES)
    checker, _ = checker_of(found.trace, options, policy)
    for each in check_obligations(found.trace, checker):
        if each.obligation in left:
            if fails_for_all(each.verdict):
                return each
            left.remove(each.obligation)
            if not left:
                break
    return None
