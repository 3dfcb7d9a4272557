"""Requirements of one function on its inputs, as the shortest text that is proved to mean the same.

A claim on every element, or on every iteration of a loop, becomes a condition on sizes where that is all it takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.weakest_preconditions import Precondition, weakest_preconditions
from shapesolve.interpreter.inputs import scope_of
from shapesolve.simplification.readable import readable_claim
from shapesolve.simplification.simplify import conjunction_text, shortest_and_unsaid
from shapesolve.solver.entailment import entails
from shapesolve.solver.verdicts import Refuted, Verdict
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Formula, Or
from shapesolve.symbolic.formulas import conjuncts
from shapesolve.trace.concretization import with_source_names
from shapesolve.trace.events import Obligation, Trace
from shapesolve.trace.visitor import Around, enclosing_regions

_LONGEST = 240
"""Characters of a claim; a longer one is not shortened."""
_BUDGET = 300_000


class Requirements:
    """Requirements of one function on its inputs. Weakest preconditions are computed once, when first needed."""

    def __init__(self, function: FunctionReport) -> None:
        self.function = function
        self._demands: dict[bool, Mapping[Obligation, Precondition]] = {}

    def text(self, judgement: CheckedObligation) -> str:
        """Return the condition on the sizes that an obligation requires, in the fewest words."""
        obligation, verdict = judgement.obligation, judgement.verdict
        usual = required(obligation, verdict, self.function.trace)
        if not isinstance(verdict, Refuted) or min(len(usual), len(str(obligation.claim))) > _LONGEST:
            return usual
        claim = obligation.claim
        if not claim.variables <= set(self.function.trace.input_variables):
            demand = self.on_inputs(obligation)
            return usual if demand is None else self._shortened(demand) or usual
        if not isinstance(claim, And | Or) and "%" not in usual and "//" not in usual:
            return usual
        short = self._shortened(claim)
        return short if short and len(short) < len(usual) else usual

    def on_inputs(self, obligation: Obligation) -> Formula | None:
        """Return the condition on the inputs that exactly makes a claim on elements or iterations hold, or None."""
        around = self._surroundings[obligation]
        there = [each.enter.condition.formula for each in around if each.enter.condition is not None]
        known = [*there, *(fact.formula for fact in self.function.assumptions)]
        for of_all in (False, True):
            demand = self._demanded(of_all).get(obligation)
            if demand is None or not demand.exact or demand.formula in (TRUE, FALSE):
                continue
            premises = [demand.formula, *known]
            if all(entails(part, premises, budget=_BUDGET) for part in conjuncts(obligation.claim)):
                return demand.formula
        return None

    @cached_property
    def _surroundings(self) -> Mapping[Obligation, Around]:
        return enclosing_regions(self.function.trace)

    def _demanded(self, of_all: bool) -> Mapping[Obligation, Precondition]:
        """Return the demands at the ends of loops or, ``of_all``, in all of their iterations."""
        if of_all not in self._demands:
            self._demands[of_all] = weakest_preconditions(self.function.trace, of_all=of_all)
        return self._demands[of_all]

    def _shortened(self, condition: Formula) -> str:
        """Return a condition in few words; empty where the size language cannot say all of it."""
        scope = scope_of(self.function.trace)
        known = [fact.formula for fact in self.function.assumptions]
        pieces, unsaid = shortest_and_unsaid(list(conjuncts(condition)), known, scope)
        return "" if unsaid else conjunction_text(pieces, scope)


def required(obligation: Obligation, verdict: Verdict, trace: Trace) -> str:
    """What the sizes have to satisfy: where the claim fails, what it comes to under the facts, if that is shorter."""
    claim = obligation.claim
    if isinstance(verdict, Refuted) and verdict.condition is not None and verdict.condition is not FALSE:
        claim = min(claim, verdict.condition, key=lambda each: len(str(each)))
    return readable_claim(with_source_names(claim, trace))
