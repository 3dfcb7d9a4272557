"""Where the formulas of a query come from, in the words of the program."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.formulas import FALSE, Formula, negation
from shapesolve.proving.ledger import Ledger
from shapesolve.proving.reasons import Why, facts_of
from shapesolve.walking.obligations import Fact

MOST_NAMED = 3
"""A formula that follows from more facts names this many of them."""


class Origins:
    """The origins of what one prover asks. ``place`` is where the claim at hand stands, and ``claim`` what it says."""

    def __init__(self, ledger: Ledger, facts: Sequence[Fact]) -> None:
        self._ledger = ledger
        self._facts = facts
        self.place = "claim"
        self.claim: Formula = FALSE

    def __call__(self, formula: Formula) -> str:
        """``line 12: cf.assert``; "asked" for what no fact says and the claim neither."""
        why = self._ledger.kept.formulas.get(formula)
        if why is None:
            why = self._ledger.lazy_bounds.get(formula)
        if why is not None:
            return self._said(why)
        if formula is self.claim:
            return f"{self.place} holds"
        return f"{self.place} fails" if formula is negation(self.claim) else "asked"

    def _said(self, why: Why) -> str:
        facts = [self._facts[number] for number in sorted(facts_of(why))]
        named = list(dict.fromkeys(map(_words, facts)))
        more = [f"{len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
        return " and ".join([*named[:MOST_NAMED], *more]) or "known of all sizes"


def _words(fact: Fact) -> str:
    return f"line {fact.location.line}: {fact.because}" if fact.location is not None and fact.has_line else fact.because
