"""Overflow of arithmetic that is assumed not to happen, because no proof was found that it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shapesolve.int64 import as_power
from shapesolve.ir.program import Location
from shapesolve.records import record
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.trace.events import OverflowAssumption, Trace
from shapesolve.trace.trust import OVERFLOW_TEXTS, AssumedNoOverflow, ModelingAssumption

Place = Callable[[Location], Location]
"""Returns the location to show for a location in a program."""


@record
class OverflowProofs:
    """Result of looking for proofs.

    Attributes:
        assumed: The assumptions for which no proof was found, in program order.
        of_empty: Those of them that are proved where no argument is empty.
        max_bytes: The largest number of bytes of an argument, if a proof uses that; else 0.
    """

    assumed: tuple[OverflowAssumption, ...] = ()
    of_empty: frozenset[OverflowAssumption] = frozenset()
    max_bytes: int = 0


def modeling_assumptions(trace: Trace, place: Place = lambda location: location) -> tuple[ModelingAssumption, ...]:
    """Return the assumptions that verdicts rest on, with the operations that may overflow in place of a general one.

    ``place`` returns the location to show for one in the program.
    """
    return (*(each for each in trace.modeling_assumptions if each not in OVERFLOW_TEXTS), *_assumed(trace, place))


def assumption_texts(trace: Trace, *, in_full: bool = True) -> tuple[str, ...]:
    """Return these assumptions and the limit on memory as phrases; ``in_full``, with all operations concerned."""
    assumed = modeling_assumptions(trace)
    return (*(full_texts(assumed) if in_full else map(str, assumed)), *filter(None, [memory_words(trace)]))


def full_texts(assumptions: Iterable[ModelingAssumption]) -> list[str]:
    """Return assumptions as phrases with all operations that may overflow."""
    return [each.in_full if isinstance(each, AssumedNoOverflow) else str(each) for each in assumptions]


def memory_words(trace: Trace) -> str:
    """Return the limit on the memory of arguments that proofs use, as a phrase; "" if none does."""
    most = overflow_proofs(trace).max_bytes
    return f"no argument takes more than {as_power(most)} bytes (--max-bytes)" if most else ""


def _assumed(trace: Trace, place: Place) -> list[AssumedNoOverflow]:
    found = overflow_proofs(trace)
    groups: dict[tuple[str, bool], dict[tuple[str, int], None]] = {}
    for each in found.assumed:
        line = 0 if each.location is None else place(each.location).line
        groups.setdefault((each.assumed, each in found.of_empty), {})[each.operation, line] = None
    order = [(words, of_empty) for words in OVERFLOW_TEXTS for of_empty in (False, True)]
    return [AssumedNoOverflow(each[0], tuple(groups[each]), each[1]) for each in order if each in groups]


def overflow_proofs(trace: Trace) -> OverflowProofs:
    """Return which overflow assumptions are proved; none is where no proofs were looked for."""
    if isinstance(trace.overflow_proofs, OverflowProofs):
        return trace.overflow_proofs
    return OverflowProofs(tuple(open_assumptions(trace)))


def open_assumptions(trace: Trace) -> list[OverflowAssumption]:
    """Return the overflow assumptions of operations."""
    found = (each for each in trace.events if isinstance(each, OverflowAssumption))
    return [each for each in found if not each.unlikely and each.formula is not TRUE]
