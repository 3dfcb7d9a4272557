"""Which facts a claim is connected to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import Formula
from shapesolve.proving.ledger import Ledger
from shapesolve.proving.reasons import Why

SMALL_SLICE = 40
"""The first slice holds at most so many facts."""

MAX_PER_VARIABLE = 400
MAX_COMPONENT = 4000


def component(
    ledger: Ledger, variables: Iterable[Variable], *, limit: int = MAX_COMPONENT, per_variable: int = MAX_PER_VARIABLE
) -> list[tuple[Formula, Why]]:
    """Facts that share variables with the given ones, directly or through other facts; the nearest and latest first.

    At most ``limit`` of them: a smaller slice can still prove, but what it refutes must be checked against the rest.
    """
    residue = ledger.residue()
    found: dict[Formula, Why] = {}
    seen: set[Variable] = set()
    queue = deque(sorted(variables, key=lambda each: each.text))
    while queue and len(found) < limit:
        variable = queue.popleft()
        if variable in seen:
            continue
        seen.add(variable)
        for formula in islice(ledger.mentioning(variable), per_variable):
            if formula not in found:
                found[formula] = residue[formula]
                queue.extend(sorted(formula.variables - seen, key=lambda each: each.text))
    return list(islice(found.items(), limit))
