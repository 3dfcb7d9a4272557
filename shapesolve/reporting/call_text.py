"""How an obligation inside a function that is called was reached, and what that function needs."""

from __future__ import annotations

from shapesolve.diagnosis.callee_requirements import CalleeRequirement
from shapesolve.walking.obligations import Obligation
from shapesolve.wording.words import shortened

LONGEST = 120


def calls_on_the_way(obligation: Obligation) -> str:
    """``line 12 calls @helper, line 5 calls @inner``; "" for what stands in the function itself."""
    return ", ".join(f"line {each.op.location.line} calls @{each.function.name}" for each in obligation.calls)


def need_of_callee(need: CalleeRequirement) -> str:
    """``@helper needs n % 2 == 0; this call gives n + 1``."""
    if len(need.given) == 1:
        gives = shortened(need.given[0][1], LONGEST)
    else:
        gives = ", ".join(f"{name} = {shortened(text, LONGEST)}" for name, text in need.given)
    return f"@{need.function} needs {need.condition}; this call gives {gives}"
