"""The z3 adapter; the only file that imports z3.

Satisfiable and Unsatisfiable are never guesses: a model is evaluated before it is returned, and only an unsatisfiable
answer to the query itself, or to something weaker than it, becomes Unsatisfiable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from shapesolve.language.atoms import Variable
from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import FALSE, TRUE, Formula
from shapesolve.proving.purification import Pure, Purifier
from shapesolve.proving.small_ranks import Ranking, small_ranks
from shapesolve.proving.solver import Answer, GaveUp, Label, Satisfiable, Unsatisfiable
from shapesolve.proving.z3_translation import Term, Translation

SAFETY_NET_SECONDS = 10
"""No rung runs longer than this; steps, not seconds, are the budget."""

MOST_FORMULAS = 300
"""An incremental solver is thrown away when it holds more formulas than this."""

SMALL_BOUND = 2**31
"""An upper bound below this is asserted at once; a larger one only where a model violates it."""


Query = Sequence[tuple[Label, Formula]]


class Z3Solver:
    """A `Solver`. ``dump_directory``: where every query is written as ``NNNN-name.smt2``."""

    def __init__(self, *, seed: int = 0, dump_directory: Path | None = None) -> None:
        self._seed = seed
        self._dump_directory = dump_directory
        self._engine: _Engine | None = None
        self._asked = 0

    def check(self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int) -> Answer:
        """Decide a query; ``budget`` is a z3 rlimit for each rung."""
        self._asked += 1
        for label, formula in query:
            if formula is FALSE:
                return Unsatisfiable(frozenset((label,)), "normal form")
        if self._engine is None:
            self._engine = _Engine(self._seed)
        if self._dump_directory is not None:
            self._dump(self._dump_directory, query, name)
        return self._engine.check(query, budget)

    def _dump(self, directory: Path, query: Sequence[tuple[Label, Formula]], name: str) -> None:
        assert self._engine is not None
        directory.mkdir(parents=True, exist_ok=True)
        safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-")[:80] or "query"
        text = self._engine.smtlib([formula for _, formula in query])
        (directory / f"{self._asked:04}-{safe}.smt2").write_text(text, encoding="utf-8")


class _Engine:
    """What lives as long as z3 does: its context, translations and the incremental solver."""

    def __init__(self, seed: int) -> None:
        import z3

        self._z3: Any = z3
        self._seed = seed
        self._context: Any = self._z3.Context()
        self._purifier = Purifier()
        self._integers = Translation(z3, self._context)
        self._session = self._fresh_session()

    def _fresh_session(self) -> _Session:
        return _Session(self._z3, self._context, self._integers, self._seed)

    def check(self, query: Sequence[tuple[Label, Formula]], budget: int) -> Answer:
        pure = [(label, self._purifier.purify(formula)) for label, formula in query if formula is not TRUE]
        if any(part.shapes for _, part in pure):
            return self._check_ranks(query, pure, budget)
        if all(part.is_linear for _, part in pure):
            if self._session.size > MOST_FORMULAS:
                self._session = self._fresh_session()
            return self._check_with(self._session, query, pure, budget, "linear arithmetic")
        return self._check_with(self._fresh_session(), query, pure, budget, "non-linear integers")

    def _check_with(
        self, session: _Session, query: Query, pure: Sequence[tuple[Label, Pure]], budget: int, rung: str
    ) -> Answer:
        found = session.check(pure, budget)
        if isinstance(found, str):
            return GaveUp(found)
        if isinstance(found, frozenset):
            return Unsatisfiable(found, rung)
        return checked(query, found, rung)

    def _check_ranks(self, query: Query, pure: Sequence[tuple[Label, Pure]], budget: int) -> Answer:
        """Prove for all ranks with quantifiers; refute by trying small ranks, which needs none."""
        found = self._fresh_session().check(pure, budget)
        if isinstance(found, frozenset):
            return Unsatisfiable(found, "all ranks")
        symbols = sorted({shape.symbol for _, part in pure for shape in part.shapes}, key=lambda symbol: symbol.name)
        for ranks in small_ranks(symbols):
            ranking = Ranking(ranks)
            ranked = [(label, ranking.substitution.formula(formula)) for label, formula in query]
            if any(formula is FALSE for _, formula in ranked):
                continue
            answer = self.check(ranked, budget)
            if isinstance(answer, Satisfiable):
                return checked(query, {**answer.model, **ranking.shapes_of(answer.model)}, answer.rung)
        return GaveUp(found if isinstance(found, str) else "no shapes of small rank satisfy it")

    def smtlib(self, formulas: Iterable[Formula]) -> str:
        """A query in SMT-LIB 2, its divisions purified."""
        solver = self._z3.SimpleSolver(ctx=self._context)
        for formula in formulas:
            pure = self._purifier.purify(formula)
            solver.add(*map(self._integers.formula, pure.pieces))
            for variable in pure.variables:
                solver.add(*bounds(self._integers, variable))
            for shape in pure.shapes:
                solver.add(self._integers.shape_axiom(shape))
        return solver.to_smt2()


def checked(query: Query, found: Mapping[Variable, int | tuple[int, ...]], rung: str) -> Answer:
    """Satisfiable, if the sizes found do satisfy the query; variables that were not looked for become small."""
    sizes: dict[Variable, int | tuple[int, ...]] = {}
    for _, formula in query:
        for variable in formula.variables:
            sizes[variable] = found[variable] if variable in found else default(variable)
    for variable, size in sizes.items():
        if isinstance(size, int) and not in_bounds(variable, size):
            return GaveUp(f"z3 found sizes, but {variable} = {size} is out of its bounds")
    for _, formula in query:
        if not holds(formula, sizes):
            return GaveUp(f"z3 found sizes, but they do not satisfy `{formula}`")
    return Satisfiable(sizes, rung)


def default(variable: Variable) -> int:
    """The smallest number that a variable may be, preferring 0."""
    if variable.lower is not None and variable.lower > 0:
        return variable.lower
    return 0 if variable.upper is None else min(0, variable.upper)


def in_bounds(variable: Variable, size: int) -> bool:
    """Whether a variable may be this number."""
    return (variable.lower is None or variable.lower <= size) and (variable.upper is None or size <= variable.upper)


def bounds(translation: Translation, variable: Variable) -> list[Term]:
    """A variable's bounds as terms."""
    term = translation.variable(variable)
    found: list[Term] = []
    if variable.lower is not None:
        found.append(term >= translation.number(variable.lower))
    if variable.upper is not None:
        found.append(term <= translation.number(variable.upper))
    return found


class _Session:
    """One incremental z3 solver, in which every formula stands behind a guard literal."""

    def __init__(self, z3: Any, context: Any, translation: Translation, seed: int) -> None:
        self._z3 = z3
        self._context = context
        self._translation = translation
        self._solver: Any = z3.SimpleSolver(ctx=context)
        self._solver.set(random_seed=seed, timeout=SAFETY_NET_SECONDS * 1000)
        self._guards: dict[Formula | Variable, Term] = {}
        self._bounded: set[object] = set()
        self._budget = 0

    @property
    def size(self) -> int:
        """The number of formulas in it."""
        return len(self._guards)

    def check(self, query: Sequence[tuple[Label, Pure]], budget: int) -> frozenset[Label] | dict[Variable, int] | str:
        """The labels of an unsatisfiable core, or a model, or the reason for having none."""
        if budget != self._budget:
            self._budget = budget
            self._solver.set(rlimit=budget)
        guards: dict[Term, Label | None] = {}
        variables: dict[Variable, None] = {}
        for label, part in query:
            for variable in part.variables:
                variables[variable] = None
            for shape in part.shapes:
                self._once(shape, [self._translation.shape_axiom(shape)])
            guards.setdefault(self._guard(part.formula), label)
        for _, part in query:
            for definition in part.definitions:
                guards.setdefault(self._guard(definition), None)
        for variable in variables:
            self._bound(variable)
        return self._run(guards, tuple(variables))

    def _run(
        self, guards: dict[Term, Label | None], variables: tuple[Variable, ...]
    ) -> frozenset[Label] | dict[Variable, int] | str:
        outcome = self._solver.check(*guards)
        if outcome == self._z3.unsat:
            labels = (guards.get(term) for term in self._solver.unsat_core())
            return frozenset(label for label in labels if label is not None)
        if outcome != self._z3.sat:
            return self._reason()
        model = self._solver.model()
        sizes: dict[Variable, int] = {}
        violated: dict[Term, None] = {}
        for variable in variables:
            value = model.eval(self._translation.variable(variable), model_completion=True).as_long()
            sizes[variable] = value
            if variable.upper is not None and value > variable.upper:
                violated[self._upper_guard(variable)] = None
        if violated and any(term not in guards for term in violated):
            return self._run({**guards, **dict.fromkeys(violated)}, variables)
        return sizes

    def _reason(self) -> str:
        reason = self._solver.reason_unknown()
        if "resource" in reason or "rlimit" in reason or "canceled" in reason:
            return f"the budget of {self._budget:,} steps was spent"
        if "timeout" in reason:
            return f"it took longer than {SAFETY_NET_SECONDS} seconds"
        return f"z3 does not know: {reason}"

    def _guard(self, formula: Formula) -> Term:
        found = self._guards.get(formula)
        if found is None:
            found = self._guards[formula] = self._z3.Bool(f"fact!{len(self._guards)}", self._context)
            self._solver.add(self._z3.Implies(found, self._translation.formula(formula)))
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
