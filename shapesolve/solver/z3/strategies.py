"""Strategies for one non-linear query, from fast ones that often suffice to slow ones.

Every strategy is sound alone: its unsatisfiable answers are proofs, and its models are evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from shapesolve.deadline import Deadline
from shapesolve.solver.models import Query, answered, checked
from shapesolve.solver.preprocessing.division import DivisionFree
from shapesolve.solver.preprocessing.elimination import Case, Eliminator, starting_case
from shapesolve.solver.preprocessing.products import linearized
from shapesolve.solver.verdicts import Answer, GaveUp, Label, Satisfiable, UndecidedReason, Unsatisfiable
from shapesolve.solver.z3.session import Z3Environment, is_late, limit
from shapesolve.solver.z3.translation import Term, Translation
from shapesolve.symbolic.atoms import variables_in

SAFETY_NET_SECONDS = 10
"""No query runs much longer than this; steps, not seconds, are the budget. What it ends is said to be ended by it."""

MOST_MINIMIZED = 12
"""Unsatisfiable cores up to this size are minimized where z3 does not do it."""

BIT_VECTOR_BOUNDS = (15, 255, 4095)

MOST_CASES = 150
"""Cases of one query that are looked at."""

MOST_CONTRADICTIONS = 1_500
"""Cases of one query that contradict themselves at sight, which costs little."""

MANY_CASES = "substitution and cases do not settle it"


class StrategySequence:
    """The strategies for one query, in an environment of its own. ``deadline``: when the clock ends it."""

    def __init__(self, environment: Z3Environment, query: Query, deadline: Deadline, *, wants_core: bool) -> None:
        self._environment = environment
        self._query = query
        self._pure = environment.purified(query)
        self._deadline = deadline
        self._wants_core = wants_core

    def run(self, budget: int) -> Answer:
        """Return the first answer of a strategy, each within the budget."""
        strategies: tuple[Callable[[], Answer], ...] = (
            lambda: self._check_reals(budget // 100),
            lambda: self._check_integers(budget // 50),
            lambda: self._check_cases(budget),
            lambda: self._check_bit_vectors(budget // 10),
            lambda: self._check_reals(budget // 10),
            lambda: self._check_integers(budget),
        )
        for strategy in strategies:
            answer = strategy()
            if not isinstance(answer, GaveUp):
                return answer
            if is_late(self._deadline):
                return too_late()
        return GaveUp(UndecidedReason.NON_LINEAR, f"it is not linear, and the budget of {budget:,} steps was spent")

    def _check_integers(self, budget: int) -> Answer:
        found = self._environment.session().check(self._pure, budget, self._deadline, wants_core=self._wants_core)
        return answered(self._query, found, "non-linear integers")

    def _check_reals(self, budget: int) -> Answer:
        """Prove that no real numbers satisfy the query, so no integers do. Real solutions are inconclusive."""
        core = dict(self._pure)
        if not self._refuted_by_reals(core, budget):
            return GaveUp(UndecidedReason.NOTHING_FOUND, "real numbers satisfy it")
        for label in sorted(core, reverse=True) if self._wants_core and len(core) <= MOST_MINIMIZED else ():
            fewer = {other: part for other, part in core.items() if other != label}
            if self._refuted_by_reals(fewer, budget):
                core = fewer
        return Unsatisfiable(frozenset(core), "real relaxation")

    def _refuted_by_reals(self, core: Mapping[Label, DivisionFree], budget: int) -> bool:
        solver = self._environment.real_solver()
        limit(solver, budget, self._deadline)
        solver.add(*self._asserted(core.values(), self._environment.reals))
        return bool(solver.check() == self._environment.z3.unsat)

    def _check_bit_vectors(self, budget: int) -> Answer:
        """Search for a model with small bounds on all variables, which z3 bit-blasts. Never proves."""
        parts = [part for _, part in self._pure]
        variables = dict.fromkeys(variable for part in parts for variable in part.variables)
        for bound in BIT_VECTOR_BOUNDS:
            if is_late(self._deadline):
                break
            solver = self._environment.z3.Tactic("qfnia", ctx=self._environment.context).solver()
            limit(solver, budget, self._deadline)
            solver.add(*self._asserted(parts, self._environment.integers))
            for variable in variables:
                term = self._environment.integers.variable(variable)
                solver.add(term <= bound, term >= (-bound if variable.lower is None else variable.lower))
            if solver.check() == self._environment.z3.sat:
                model = solver.model()
                return checked(
                    self._query, {v: self._environment.integers.value(model, v) for v in variables}, "bit-vectors"
                )
        return GaveUp(
            UndecidedReason.NOTHING_FOUND,
            f"no sizes up to {BIT_VECTOR_BOUNDS[-1]:,} satisfy it, or the budget was spent",
        )

    def _asserted(self, parts: Iterable[DivisionFree], translation: Translation) -> list[Term]:
        """Return the terms of division-free formulas, their definitions and the lower bounds of their variables."""
        parts = tuple(parts)
        formulas = dict.fromkeys(piece for part in parts for piece in part.pieces)
        variables = dict.fromkeys(variable for part in parts for variable in part.variables)
        terms = [translation.formula(formula) for formula in formulas]
        for variable in variables:
            if variable.lower is not None:
                terms.append(translation.at_least(translation.variable(variable), translation.number(variable.lower)))
        return terms

    # Cases -------------------------------------------------------------------------------------------------------

    def _check_cases(self, budget: int) -> Answer:
        """Substitute and split, then decide every case."""
        eliminator = Eliminator(variables_in(formula for _, formula in self._query))
        waiting = [starting_case(self._query)]
        core: frozenset[Label] = frozenset()
        looked = contradictions = 0
        while waiting and contradictions < MOST_CONTRADICTIONS:
            case = eliminator.simplified(waiting.pop())
            if case.contradiction is not None:
                core |= case.contradiction
                contradictions += 1
                continue
            looked += 1
            cases = (
                eliminator.split_by_condition(case)
                or eliminator.split_at_zero(case)
                or eliminator.split_by_divisor(case)
            )
            if cases is None:
                answer = self._check_case(case, budget // 20)
                if isinstance(answer, Satisfiable):
                    return answer
                if isinstance(answer, GaveUp):
                    answer = self._check_products(case, budget // 20)
                if isinstance(answer, Unsatisfiable):
                    core |= answer.core
                    continue
                cases = eliminator.split_by_residue(case) or eliminator.expanded(case)
            if cases is None or looked > MOST_CASES or is_late(self._deadline):
                return GaveUp(UndecidedReason.NOTHING_FOUND, MANY_CASES)
            waiting.extend(reversed(cases))
        return (
            GaveUp(UndecidedReason.NOTHING_FOUND, MANY_CASES)
            if waiting
            else Unsatisfiable(core, "substitution and cases")
        )

    def _check_case(self, case: Case, budget: int) -> Answer:
        numbered = [
            (number, self._environment.purifier.purify(formula)) for number, (formula, _) in enumerate(case.formulas)
        ]
        found = self._environment.session().check(numbered, budget, self._deadline, wants_core=self._wants_core)
        if isinstance(found, GaveUp):
            return found
        if isinstance(found, frozenset):
            return _case_excluded(case, found)
        return checked(self._query, case.sizes(found), "substitution and cases")

    def _check_products(self, case: Case, budget: int) -> Answer:
        """Prove by linear arithmetic and lemmas about products that no sizes satisfy a case. Never finds sizes."""
        purifier = self._environment.purifier
        parts = [purifier.purify(formula) for formula, _ in case.formulas]
        linear = linearized(parts, purifier.multiples(parts))
        if linear is not None:
            found = self._environment.session().check(
                [*enumerate(linear)], budget, self._deadline, wants_core=self._wants_core
            )
            if isinstance(found, frozenset):
                return _case_excluded(case, found)
        return GaveUp(UndecidedReason.NOTHING_FOUND, "linear arithmetic and lemmas about products do not exclude it")


def _case_excluded(case: Case, numbers: frozenset[Label]) -> Unsatisfiable:
    """Return that some of a case's formulas exclude it, with the labels that they come from."""
    origins = (case.formulas[number][1] for number in numbers)
    return Unsatisfiable(frozenset[Label]().union(*origins), "substitution and cases")


def too_late() -> GaveUp:
    """Return the answer for a query that the clock ended, not the budget."""
    return GaveUp(UndecidedReason.TIME, f"it took longer than {SAFETY_NET_SECONDS} seconds")
