"""Claims that would blur the evidence against another claim if they were false at the same sizes.

The claims of one operation are false one after another in a run, and all stop it at the same place. So the sizes of a
counterexample are chosen so that the later claims of its operation hold, where there are such sizes; the earlier ones
hold as facts. What the verification of slices asks beyond their claims is asked for, too: it has the offset of an empty
slice inside of the source, where the operation allows the end of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from shapesolve.ir.program import Operation
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import implies, less_than
from shapesolve.trace.events import Obligation, Trace

STRICT_OFFSETS = frozenset({"memref.subview", "tensor.extract_slice", "tensor.insert_slice"})
"""Operations of which runtime verification wants each offset (C2) below the extent."""

_CLAUSES = (("offset ", "C2"), ("runs out-of-bounds", "C3"), ("is negative", "C1"))
"""Parts of the messages of that verification, and the clauses that they are about."""

MOST_RIVALS = 16
"""So many later claims of an operation are asked for: few operations have more."""


def rival_claims(trace: Trace) -> Mapping[Obligation, tuple[Formula, ...]]:
    """Return, by obligation, what should hold where it alone is to fail."""
    found: dict[Obligation, tuple[Formula, ...]] = {}
    for _, claims in groupby(trace.obligations, key=lambda each: id(each.op)):
        group = tuple(claims)
        if len(group) > 1:
            strict = [(each, _strict_offset(each)) for each in group]
            for number, each in enumerate(group):
                others = [other for other in group[number + 1 :] if other.claim is not each.claim]
                later = [implies(other.guard, other.claim) for other in others[:MOST_RIVALS]]
                offsets = [offset for other, offset in strict if other is not each]
                rivals = dict.fromkeys((*later, *offsets[:MOST_RIVALS]))
                rivals.pop(TRUE, None)
                found[each] = tuple(rivals)
    return found


def named_clause(op: Operation, message: str) -> str | None:
    """Return the clause that a message of runtime verification is about, or None if it does not say."""
    if op.name not in STRICT_OFFSETS:
        return None
    return next((clause for part, clause in _CLAUSES if part in message), None)


def _strict_offset(obligation: Obligation) -> Formula:
    """Return that the offset of a slice is below the extent; true of any other claim."""
    if obligation.op.name not in STRICT_OFFSETS or obligation.clause != "C2" or len(obligation.shown) != 2:
        return TRUE
    (_, offset), (_, extent) = obligation.shown
    return less_than(offset, extent)
