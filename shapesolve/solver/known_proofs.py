"""Proofs that earlier checks of a program found, and facts that wait until a claim needs more than these.

Pruning checks a program several times: with other operations possibly undefined, with assumptions left out, with checks
removed. Nearly every claim is proved again, from the same facts. A claim that follows from some facts follows wherever
they hold, whatever else does, so an earlier proof is one lookup for each fact that it used.

Where that answers claim after claim, the propagator is not asked anything. So facts wait as long as the kept sizes
satisfy them, which shows that some sizes get here, and are propagated when a claim has no such proof. Those of a scope
in which every claim has one are never propagated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shapesolve.records import record
from shapesolve.solver.assumptions import OverflowAssumptions
from shapesolve.solver.models import Model
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.reachability import Reachability
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.atoms import ShapeSymbol
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Fact, OverflowAssumption

MOST_PROOFS = 4
"""Largest number of proofs that are kept of one claim."""


@record
class _Proof:
    """The strategy that found a proof, and the facts that it used."""

    strategy: str
    used: tuple[Formula, ...]


class KnownProofs:
    """Proofs by claim, found by earlier checks of one program."""

    def __init__(self) -> None:
        self._proofs: dict[Formula, list[Proved | _Proof]] = {}

    def learn(self, proved: Sequence[tuple[Formula, Proved]]) -> None:
        """Keep the proofs of a finished check."""
        for claim, verdict in proved:
            kept = self._proofs.setdefault(claim, [])
            if len(kept) < MOST_PROOFS:
                kept.append(verdict)

    def proof_of(self, claim: Formula, active: Mapping[Formula, Sequence[int]], facts: Sequence[Fact]) -> Proved | None:
        """Return a known proof from facts that hold here, or None.

        Args:
            active: The numbers of the facts that hold here, by formula.
            facts: All facts, by number.
        """
        kept = self._proofs.get(claim, [])
        for position, each in enumerate(kept):
            if isinstance(each, Proved):
                each = kept[position] = _Proof(each.strategy, tuple(fact.formula for fact in each.facts))
            if all(map(active.get, each.used)):
                return Proved(each.strategy, tuple(active[formula][0] for formula in each.used), facts)
        return None


class WaitingFacts:
    """Facts, overflow assumptions and scopes that a propagator was not told of yet, in program order."""

    def __init__(self, propagator: Propagator, reach: Reachability, overflow: OverflowAssumptions) -> None:
        self._propagator = propagator
        self._reach = reach
        self._overflow = overflow
        self._waiting: list[tuple[Formula, int] | OverflowAssumption | None] = []
        """None stands for the beginning of a scope."""

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def reached(self) -> bool:
        """True if sizes are kept that satisfy everything, so that nothing need be decided to know it."""
        return bool(self._waiting) or (self._reach.is_settled and self._overflow.is_settled)

    def add_fact(self, formula: Formula, number: int) -> bool:
        """Let a fact wait, if the kept sizes satisfy it; return whether it does."""
        return self._add((formula, number), formula)

    def add_overflow_assumption(self, assumption: OverflowAssumption) -> bool:
        """Let an overflow assumption wait, if the kept sizes satisfy it; return whether it does."""
        return self._add(assumption, assumption.formula)

    def begin(self, condition: Formula | None) -> bool:
        """Let a scope wait, if the kept sizes satisfy its condition; return whether it does."""
        return self._add(None, condition)

    def _add(self, item: tuple[Formula, int] | OverflowAssumption | None, formula: Formula | None) -> bool:
        if not self.reached or not (formula is None or self._is_satisfied(formula)):
            return False
        self._waiting.append(item)
        return True

    def _is_satisfied(self, formula: Formula) -> bool:
        """Return whether the kept sizes satisfy a formula, or others that satisfy everything are kept instead."""
        if any(isinstance(each, ShapeSymbol) for each in formula.variables):
            return False
        model = self._reach.model
        if self._holds(formula, model):
            return True
        everything = [formula, *self._formulas(), *self._overflow.active_formulas]
        is_wanted = self._reach.switch_to_witness(lambda other: all(self._holds(each, other) for each in everything))
        return is_wanted and self._overflow.hold()

    def is_false_somewhere(self, claim: Formula) -> bool:
        """Return whether the kept sizes, which satisfy everything, make a claim false."""
        has_shapes = any(isinstance(each, ShapeSymbol) for each in claim.variables)
        return not has_shapes and not self._holds(claim, self._reach.model)

    def _holds(self, formula: Formula, model: Model) -> bool:
        return holds(formula, self._overflow.sizes_of(formula.variables, model))

    def _formulas(self) -> Iterator[Formula]:
        for item in self._waiting:
            if item is not None:
                yield item.formula if isinstance(item, OverflowAssumption) else item[0]

    def end(self) -> tuple[bool, list[OverflowAssumption]]:
        """Forget what waits in the innermost scope; return whether the scope did, and its overflow assumptions."""
        inside: list[OverflowAssumption] = []
        while self._waiting:
            item = self._waiting.pop()
            if item is None:
                return True, inside
            if isinstance(item, OverflowAssumption):
                inside.insert(0, item)
        return False, inside

    def settle(self, budget: int) -> None:
        """Find sizes that satisfy everything, after a fact that the kept ones do not satisfy was propagated."""
        self._reach.settle(budget)
        if self._reach.is_settled:
            self._overflow.hold()

    def propagate(self) -> None:
        """Tell the propagator everything."""
        waiting, self._waiting = self._waiting, []
        for item in waiting:
            if item is None:
                self._reach.push()
                self._propagator.push()
                self._overflow.push()
            elif isinstance(item, OverflowAssumption):
                self._overflow.add(item)
            else:
                self._propagator.assume(*item)
