"""What the source demands in the first and the last iteration of a loop, said of the inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shapesolve.contracts.demands import demands
from shapesolve.refining.guards import guarded_events
from shapesolve.refining.paired_walk import Walked
from shapesolve.walking.obligations import Fact, Obligation


def in_first_and_last(walked: Walked) -> Iterator[Fact]:
    """What holds of the inputs where a program returns, because it did all iterations: no fact speaks of these."""
    if not walked.iterations:
        return
    inputs, iterations = set(walked.trace.input_variables), walked.iterations.keys()
    demanded = demands(walked.trace)
    for each in guarded_events(walked.trace):
        obligation = each.event
        demand = demanded.get(obligation) if isinstance(obligation, Obligation) else None
        if demand is None or not demand.exact or each.approximate:  # it may never have been asked
            continue
        inner = (each.guard.variables | demand.obligation.claim.variables) - inputs
        if inner and inner <= iterations:  # of anything else it is not known that it occurs
            yield replace(demand.obligation.as_fact(), formula=demand.formula)
