"""Modeling assumptions: unproved statements and limits that the verdicts of a function rest on."""

from __future__ import annotations

from shapesolve.ir.declarations import LEFT_OPEN, RAISED_BY_MODEL
from shapesolve.records import value_record

_UNCHECKED = "is trusted, which nothing checks"
_RAISED = "is trusted: the model itself raises outside, wherever that was tried, but its lowering need not"
_LEFT_OPEN = (
    "is trusted: nothing checks the former at run time, and where the latter was tried, the model itself raises"
)
_ASSERTED = "states, as do the assertions at the entry of"


@value_record
class TrustedStatements:
    """Statements that are believed without a proof.

    Attributes:
        by: Their author: an exporter, or a function without a body that is inlined by its contract.
        texts: The statements.
        at_run_time: Whether a runtime check is what is missing; a contract without a body has no check at all.
        asserted_by: The function whose assertions at its entry check the same, if any.
    """

    by: str
    texts: tuple[str, ...]
    at_run_time: bool = True
    asserted_by: str = ""

    @property
    def is_unchecked(self) -> bool:
        """Return whether nothing in the program checks them."""
        return not self.asserted_by

    def __str__(self) -> str:
        unchecked = f"{_UNCHECKED}{' at run time' if self.at_run_time else ''}"
        unchecked = {RAISED_BY_MODEL: _RAISED, LEFT_OPEN: _LEFT_OPEN}.get(self.by, unchecked)
        how = unchecked if self.is_unchecked else f"{_ASSERTED} @{self.asserted_by}"
        return f"{self.by} {how} (--distrust): {', '.join(self.texts)}"


ModelingAssumption = str | TrustedStatements
"""An assumption that verdicts rest on; `str` makes the phrase for people."""
