"""What was not modelled, why, and the variables that are free because of it."""

from __future__ import annotations

from shapesolve.language.atoms import Variable
from shapesolve.reading.program import Location
from shapesolve.records import value_record
from shapesolve.walking.reasons import Reason


@value_record
class Approximation:
    """Something of the program that the walk let go of.

    A proof stands whatever the free variables are. A refutation that leans on one of them may be an artefact.
    ``demands_known``: what the operation demands was raised all the same; only what it computes was let go of.
    ``is_undefined``: it may differ from one compilation to the next, so that an execution shows nothing of it.
    """

    op: str
    cause: Reason
    location: Location
    free: frozenset[Variable]
    demands_known: bool = False
    is_undefined: bool = False

    @property
    def reason(self) -> str:
        """The cause, as a phrase for people."""
        return str(self.cause)
