"""What an assertion says that is no barrier, and to whom.

An assertion that only makes a witness stops the program, but operations that do not use the witness may run before it.
So it is a fact for other checks, which may stop the program just as well, and for what waits for it; for the rest it
says nothing. Where a trace has such an assertion there are two accounts of what is known: one for checks, which holds
every claim that was raised, and one for the rest.
"""

from __future__ import annotations

from shapesolve.language.formulas import TRUE, Formula
from shapesolve.walking.obligations import Fact, Kind, Obligation, Trace


def needs_two_accounts(trace: Trace) -> bool:
    """Whether what is known to checks is not known to everything."""
    return any(not obligation.is_barrier for obligation in trace.obligations)


def is_of_checks(obligation: Obligation) -> bool:
    """Whether an obligation may rely on the account for checks."""
    return obligation.kind is Kind.CHECK


def waited_for(obligation: Obligation) -> Formula:
    """What an obligation may rely on besides its account."""
    return TRUE if is_of_checks(obligation) else obligation.given


def told_to_the_rest(obligation: Obligation) -> tuple[Fact, Formula] | None:
    """The fact of a claim that was raised for the account of the rest, and where it holds; None: it is not told."""
    return (obligation.as_fact(), obligation.given) if obligation.is_barrier else None
