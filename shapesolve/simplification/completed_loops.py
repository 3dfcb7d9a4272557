"""Facts about all iterations of a loop that has ended.

A claim that is raised in the generic iteration was raised in each of them. Behind the loop it therefore holds for every
number that the iterations had: ``to[0] > i`` of an ``i`` below ``n`` says ``to[0] >= n``. That is stated only where the
claim depends on nothing else that may differ from one iteration to the next.
"""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.simplification.quantifier_elimination import of_all
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Leave

_MOST_VARIABLES = 12
"""A claim on more variables is not generalized: it would be long, and help little."""


def generalization(leave: Leave) -> Callable[[Formula], Formula | None] | None:
    """Return what generalizes a claim of the region that ends here to all iterations; None if it has none."""
    iterations = leave.iterations
    if iterations is None:
        return None

    def generalized(claim: Formula) -> Formula | None:
        names = {each.name for each in claim.variables}
        varying = names & iterations.varying
        if not varying:
            return claim
        if not varying <= iterations.ranges.keys() or len(names) > _MOST_VARIABLES:
            return None
        found = of_all(claim, iterations.ranges)
        return None if any(each.name in varying for each in found.variables) else found

    return generalized
