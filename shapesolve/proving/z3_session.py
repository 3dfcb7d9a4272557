"""One z3 solver that answers many queries: every formula stands behind a guard literal and is asserted once.

Measured on 210 linear queries of a few formulas each: 0.16 s, against 0.24 s with a fresh solver for each and 0.58 s
where the solver is never emptied.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import Formula
from shapesolve.proving.obstacles import Obstacle
from shapesolve.proving.purification import Pure
from shapesolve.proving.solver import GaveUp, Label
from shapesolve.proving.z3_translation import Term, Translation

SMALL_BOUND = 2**31
"""An upper bound below this is asserted at once; a larger one, which slows z3 down, only where a model violates it."""

PureQuery = Sequence[tuple[Label, Pure]]

Found = frozenset[Label] | dict[Variable, int] | GaveUp
"""An unsatisfiable core, a model, or the reason for having neither."""

CLOCK_SECONDS = 0.01
"""A query that z3 gave up so shortly before its time was over was ended by the clock."""


class Session:
    """One incremental z3 solver, in which every formula stands behind a guard literal."""

    def __init__(self, z3: Any, context: Any, translation: Translation, seed: int) -> None:
        self._z3 = z3
        self._context = context
        self._translation = translation
        self._solver: Any = z3.SimpleSolver(ctx=context)
        self._solver.set(random_seed=seed)
        self._solver.set("core.minimize", True)
        self._guards: dict[Formula | Variable, Term] = {}
        self._bounded: set[object] = set()
        self._budget = 0
        self._wants_core = True
        self._deadline = 0.0

    @property
    def size(self) -> int:
        """The number of formulas in it."""
        return len(self._guards)

    def check(self, query: PureQuery, budget: int, seconds: float, *, wants_core: bool) -> Found:
        """Decide a query within a number of steps and, as a safety net, seconds."""
        self._budget = budget
        self._wants_core = wants_core
        self._deadline = monotonic() + seconds
        self._solver.set(rlimit=budget, timeout=max(1, int(seconds * 1000)), ctrl_c=False)
        guards: dict[Term, Label | None] = {}
        variables: dict[Variable, None] = {}
        for label, part in query:
            for variable in part.variables:
                variables[variable] = None
            for shape in part.shapes:
                self._once(shape, self._translation.shape_axioms(shape))
            guards.setdefault(self._guard(part.formula), label)
        for _, part in query:
            for definition in part.definitions:
                guards.setdefault(self._guard(definition), None)
        for variable in variables:
            self._bound(variable)
        return self._run(guards, tuple(variables))

    def _run(self, guards: dict[Term, Label | None], variables: tuple[Variable, ...]) -> Found:
        outcome = self._solver.check(*guards)
        if outcome == self._z3.unsat:
            labels = (guards.get(term) for term in (self._solver.unsat_core() if self._wants_core else guards))
            return frozenset(label for label in labels if label is not None)
        if outcome != self._z3.sat:
            return gave_up(self._solver, self._budget, self._deadline)
        model = self._solver.model()
        sizes: dict[Variable, int] = {}
        violated: dict[Term, None] = {}
        for variable in variables:
            value = self._translation.value(model, variable)
            sizes[variable] = value
            if variable.upper is not None and value > variable.upper:
                violated[self._upper_guard(variable)] = None
        if violated and any(term not in guards for term in violated):
            return self._run({**guards, **dict.fromkeys(violated)}, variables)
        return sizes

    def _guard(self, formula: Formula) -> Term:
        found = self._guards.get(formula)
        if found is None:
            found = self._guards[formula] = self._z3.Bool(f"fact!{len(self._guards)}", self._context)
            self._solver.assert_exprs(self._translation.implies(found, self._translation.formula(formula)))
        return found

    def _upper_guard(self, variable: Variable) -> Term:
        found = self._guards.get(variable)
        if found is None:
            assert variable.upper is not None
            found = self._guards[variable] = self._z3.Bool(f"bound!{len(self._guards)}", self._context)
            term = self._translation.variable(variable)
            self._solver.add(self._z3.Implies(found, term <= self._translation.number(variable.upper)))
        return found

    def _bound(self, variable: Variable) -> None:
        if variable in self._bounded:
            return
        term = self._translation.variable(variable)
        facts: list[Term] = []
        if variable.lower is not None:
            facts.append(term >= self._translation.number(variable.lower))
        if variable.upper is not None and variable.upper < SMALL_BOUND:
            facts.append(term <= self._translation.number(variable.upper))
        self._once(variable, facts)

    def _once(self, key: object, facts: list[Term]) -> None:
        if key not in self._bounded:
            self._bounded.add(key)
            self._solver.add(*facts)


def gave_up(solver: Term, budget: int, deadline: float) -> GaveUp:
    """Why a z3 solver does not know. It may call by one name what the clock ended and what the budget did."""
    text = solver.reason_unknown()
    if "timeout" in text or monotonic() > deadline - CLOCK_SECONDS:
        return GaveUp(Obstacle.TIME, "it took too long")
    if "resource" in text or "rlimit" in text or "cancel" in text:
        return GaveUp(Obstacle.BUDGET, f"the budget of {budget:,} steps was spent")
    return GaveUp(Obstacle.NOTHING_FOUND, f"z3 does not know ({text})")
