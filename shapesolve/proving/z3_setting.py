"""A z3 context with everything that was translated into it.

What z3 answers within a budget depends on all that its context has seen, names and order of terms included. So every
question that may end by the budget gets a setting of its own: then its answer does not depend on what was asked before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

from shapesolve.language.formulas import TRUE, Formula
from shapesolve.proving.purification import Purifier
from shapesolve.proving.solver import Label
from shapesolve.proving.z3_session import PureQuery, Session
from shapesolve.proving.z3_translation import Translation

_REAL_STEPS: tuple[tuple[str, dict[str, bool]], ...] = (
    ("simplify", {"elim_and": True, "blast_distinct": True}),
    ("purify-arith", {"complete": False}),
    ("propagate-values", {}),
    ("solve-eqs", {}),
    ("purify-arith", {"complete": False}),
    ("elim-uncnstr", {}),
    ("elim-term-ite", {}),
    ("solve-eqs", {}),
    ("purify-arith", {"complete": False}),
    ("simplify", {"elim_and": True, "blast_distinct": True}),
    ("tseitin-cnf-core", {}),
    ("simplify", {"elim_and": True, "blast_distinct": True}),
    ("nlsat", {}),
)


_LARGEST_KEPT = (32 << 20) - (64 << 10)
"""Just below the largest block of memory that glibc, having seen one freed, keeps for the next of its size."""


@cache
def _context_of(z3: Any) -> Any:
    """z3's class of contexts; one that was interrupted while it was made has nothing to give back, and says nothing.

    Each asks for 17 MB. A block made and freed before them, of which no page is touched, lets glibc keep what they give
    back; or it goes to the kernel, which clears 4,000 pages for the next one: a sixth of the time of some commands.
    """
    bytes(_LARGEST_KEPT)
    return type("Context", (z3.Context,), {"owner": False})


class Setting:
    """A context, names for quotients, and translations. Making one costs about a millisecond."""

    def __init__(self, z3: Any, seed: int) -> None:
        self.z3 = z3
        self.context: Any = _context_of(z3)()
        self.purifier = Purifier()
        self.integers = Translation(z3, self.context)
        self._seed = seed

    @cached_property
    def reals(self) -> Translation:
        """Translations in which sizes range over the reals."""
        return Translation(self.z3, self.context, real=True)

    def session(self) -> Session:
        """An empty incremental solver."""
        return Session(self.z3, self.context, self.integers, self._seed)

    def real_solver(self) -> Any:
        """A solver of polynomials over the reals: z3's `qfnra-nlsat` without its step `factor`.

        Where the budget ends that step, z3 5.4 frees memory and uses it after (`polynomial::manager` of
        `factor_simplifier`), which ends the process now or later. Without it no less is decided.
        """
        steps = [self.z3.With(self.z3.Tactic(name, ctx=self.context), **given) for name, given in _REAL_STEPS]
        return self.z3.Then(*steps, ctx=self.context).solver()

    def purified(self, query: Sequence[tuple[Label, Formula]]) -> PureQuery:
        """The query without divisions."""
        return [(label, self.purifier.purify(formula)) for label, formula in query if formula is not TRUE]
