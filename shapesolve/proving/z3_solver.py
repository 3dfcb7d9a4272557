"""The z3 adapter; the only file that imports z3.

Satisfiable and Unsatisfiable are never guesses: a model is evaluated before it is returned, and only an unsatisfiable
answer to the query itself, or to something weaker than it, becomes Unsatisfiable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.language.atoms import Variable
from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import FALSE, TRUE, Formula
from shapesolve.language.limits import TooLarge
from shapesolve.proving.elimination import Case, Eliminator, default, starting_case
from shapesolve.proving.observing import asking
from shapesolve.proving.obstacles import Obstacle
from shapesolve.proving.purification import Pure, Purifier, sorting_key
from shapesolve.proving.query_files import Assertion, query_text
from shapesolve.proving.small_ranks import Ranking, small_ranks
from shapesolve.proving.solver import Answer, GaveUp, Label, Origin, Satisfiable, Solver, Unsatisfiable
from shapesolve.proving.z3_session import CLOCK_SECONDS, Found, PureQuery, Session
from shapesolve.proving.z3_translation import Term, Translation

SAFETY_NET_SECONDS = 10
"""No query runs much longer than this; steps, not seconds, are the budget. What it ends is said to be ended by it."""

MOST_FORMULAS = 100
"""The incremental solver is emptied when it holds more formulas than this."""

INCREMENTAL_BUDGET = 100_000
"""Steps after which a query leaves the incremental solver for one of its own."""

MOST_MINIMIZED = 12
"""Unsatisfiable cores up to this size are minimized where z3 does not do it."""

BIT_VECTOR_BOUNDS = (15, 255, 4095)

MOST_CASES = 150
"""Cases of one query that are looked at."""

MOST_CONTRADICTIONS = 1_500
"""Cases of one query that contradict themselves at sight, which costs little."""

MANY_CASES = "substitution and cases do not settle it"

Query = Sequence[tuple[Label, Formula]]


class Z3Solver:
    """A `Solver`. ``dump_directory``: where every query is written as ``NNNN-name.smt2``.

    ``deadline``: when no query shall run any more.
    """

    def __init__(self, *, seed: int = 0, dump_directory: Path | None = None, deadline: Deadline = NEVER) -> None:
        self._seed = seed
        self._deadline = deadline
        self.timed_out = 0
        """How many queries the clock ended, not the budget: another run may answer them."""
        self._dump_directory = dump_directory
        self._engine: _Engine | None = None
        self._asked = 0

    def told(self, origin: Origin) -> Solver:
        """This solver with names for what is asked through it, where queries are written."""
        return self if self._dump_directory is None else _Told(self, origin)

    @asking
    def check(
        self, query: Query, *, name: str, budget: int, wants_core: bool = True, origin: Origin | None = None
    ) -> Answer:
        """Decide a query; ``budget`` is a z3 rlimit for each rung, ``origin`` names formulas in files."""
        self._asked += 1
        for label, formula in query:
            if formula is FALSE:
                return Unsatisfiable(frozenset((label,)), "normal form")
        if self._deadline.passed:
            return GaveUp(Obstacle.COMMAND, TIME_LIMIT)
        if self._engine is None:
            self._engine = _Engine(self._seed)
        if self._dump_directory is not None:
            self._dump(self._dump_directory, query, name, origin or _unknown)
        return self._answer(query, budget, self._engine, wants_core)

    def _answer(self, query: Query, budget: int, engine: _Engine, wants_core: bool) -> Answer:
        try:
            answer = engine.check(query, budget, min(SAFETY_NET_SECONDS, self._deadline.seconds), wants_core=wants_core)
        except TooLarge as limit:
            return GaveUp(Obstacle.SIZE, limit.message)
        except RecursionError:
            return GaveUp(Obstacle.SIZE, "expressions are nested too deep")
        if self._deadline.passed:
            return GaveUp(Obstacle.COMMAND, TIME_LIMIT) if isinstance(answer, GaveUp) else answer
        self.timed_out += engine.is_late
        return answer

    def _dump(self, directory: Path, query: Query, name: str, origin: Origin) -> None:
        assert self._engine is not None
        directory.mkdir(parents=True, exist_ok=True)
        safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-")[:80] or "query"
        text = self._engine.smtlib(name, [(origin(formula), formula) for _, formula in query])
        (directory / f"{self._asked:04}-{safe}.smt2").write_text(text, encoding="utf-8")


def _unknown(formula: Formula) -> str:
    return "fact"


class _Told:
    """A solver that writes where what is asked comes from."""

    def __init__(self, solver: Z3Solver, origin: Origin) -> None:
        self._solver = solver
        self._origin = origin

    def check(self, query: Query, *, name: str, budget: int, wants_core: bool = True) -> Answer:
        return self._solver.check(query, name=name, budget=budget, wants_core=wants_core, origin=self._origin)

    def told(self, origin: Origin) -> Solver:
        return _Told(self._solver, origin)


class _Engine:
    """What lives as long as z3 does: its context, the translations and the incremental solver."""

    def __init__(self, seed: int) -> None:
        import z3

        self._z3: Any = z3
        self._seed = seed
        self._context: Any = self._z3.Context()
        self._purifier = Purifier()
        self._integers = Translation(z3, self._context)
        self._reals = Translation(z3, self._context, real=True)
        self._session = self._fresh_session()
        self._deadline = 0.0
        self._wants_core = True

    def _fresh_session(self) -> Session:
        return Session(self._z3, self._context, self._integers, self._seed)

    def check(self, query: Query, budget: int, seconds: float, *, wants_core: bool) -> Answer:
        """Decide a query, each rung within the budget and all of them within some seconds."""
        self._wants_core = wants_core
        self._deadline = monotonic() + seconds
        pure = self._purified(query)
        mentioned = frozenset[Variable]().union(*(formula.variables for _, formula in query))
        symbols = sorted(mentioned & self._purifier.symbols, key=sorting_key)
        if symbols:
            return self._check_all_ranks(query, pure, symbols, budget)
        return self._check_ranked(query, pure, budget)

    def _purified(self, query: Query) -> PureQuery:
        return [(label, self._purifier.purify(formula)) for label, formula in query if formula is not TRUE]

    @property
    def _seconds(self) -> float:
        return self._deadline - monotonic()

    @property
    def is_late(self) -> bool:
        """Whether the last query used up its time."""
        return self._seconds < CLOCK_SECONDS

    # All ranks ---------------------------------------------------------------------------------------------------

    def _check_all_ranks(self, query: Query, pure: PureQuery, symbols: Sequence[Variable], budget: int) -> Answer:
        """Prove for all ranks with quantifiers; refute by trying small ranks, which needs none."""
        found = self._fresh_session().check(pure, budget, self._seconds, wants_core=self._wants_core)
        if isinstance(found, frozenset):
            return Unsatisfiable(found, "all ranks")
        for ranks in small_ranks(symbols):
            if self.is_late:
                return _too_late()
            ranking = Ranking(ranks)
            ranked = [(label, ranking.substitution.formula(formula)) for label, formula in query]
            if any(formula is FALSE for _, formula in ranked):
                continue
            answer = self._check_ranked(ranked, self._purified(ranked), budget)
            if isinstance(answer, Satisfiable):
                return checked(query, {**answer.model, **ranking.shapes_of(answer.model)}, "small ranks")
        if isinstance(found, GaveUp) and found.obstacle is not Obstacle.NOTHING_FOUND:
            return found
        return GaveUp(Obstacle.RANKS, "no shapes of small rank satisfy it, but larger ones might")

    # Known ranks -------------------------------------------------------------------------------------------------

    def _check_ranked(self, query: Query, pure: PureQuery, budget: int) -> Answer:
        if all(part.is_linear for _, part in pure):
            return self._check_linear(query, pure, budget)
        rungs: tuple[Callable[[], Answer], ...] = (
            lambda: self._check_reals(pure, budget // 100),
            lambda: self._check_integers(query, pure, budget // 50),
            lambda: self._check_cases(query, budget),
            lambda: self._check_bit_vectors(query, pure, budget // 10),
            lambda: self._check_reals(pure, budget // 10),
            lambda: self._check_integers(query, pure, budget),
        )
        for rung in rungs:
            answer = rung()
            if not isinstance(answer, GaveUp):
                return answer
            if self.is_late:
                return _too_late()
        return GaveUp(Obstacle.NON_LINEAR, f"it is not linear, and the budget of {budget:,} steps was spent")

    def _check_linear(self, query: Query, pure: PureQuery, budget: int) -> Answer:
        """The incremental solver first; but it never gives up for good, or answers would depend on earlier queries."""
        if self._session.size > MOST_FORMULAS:
            self._session = self._fresh_session()
        found = self._session.check(pure, min(budget, INCREMENTAL_BUDGET), self._seconds, wants_core=self._wants_core)
        if isinstance(found, GaveUp) and found.obstacle is not Obstacle.TIME:
            self._session = self._fresh_session()
            found = self._session.check(pure, budget, self._seconds, wants_core=self._wants_core)
        return self._answer(query, found, "linear arithmetic")

    def _check_integers(self, query: Query, pure: PureQuery, budget: int) -> Answer:
        found = self._fresh_session().check(pure, budget, self._seconds, wants_core=self._wants_core)
        return self._answer(query, found, "non-linear integers")

    def _answer(self, query: Query, found: Found, rung: str) -> Answer:
        if isinstance(found, GaveUp):
            return found
        return Unsatisfiable(found, rung) if isinstance(found, frozenset) else checked(query, found, rung)

    def _check_reals(self, pure: PureQuery, budget: int) -> Answer:
        """No real numbers satisfy the query, so no integers do. Real solutions say nothing."""
        core = dict(pure)
        if not self._refuted_by_reals(core, budget):
            return GaveUp(Obstacle.NOTHING_FOUND, "real numbers satisfy it")
        for label in sorted(core, reverse=True) if self._wants_core and len(core) <= MOST_MINIMIZED else ():
            fewer = {other: part for other, part in core.items() if other != label}
            if self._refuted_by_reals(fewer, budget):
                core = fewer
        return Unsatisfiable(frozenset(core), "real relaxation")

    def _refuted_by_reals(self, core: Mapping[Label, Pure], budget: int) -> bool:
        solver = self._z3.Tactic("qfnra-nlsat", ctx=self._context).solver()
        solver.set(rlimit=budget, timeout=max(1, int(self._seconds * 1000)), ctrl_c=False)
        solver.add(*self._asserted(core.values(), self._reals))
        return bool(solver.check() == self._z3.unsat)

    def _check_bit_vectors(self, query: Query, pure: PureQuery, budget: int) -> Answer:
        """With small bounds on everything z3 turns the query into bits. This only ever finds sizes."""
        parts = [part for _, part in pure]
        variables = dict.fromkeys(variable for part in parts for variable in part.variables)
        for bound in BIT_VECTOR_BOUNDS:
            if self.is_late:
                break
            solver = self._z3.Tactic("qfnia", ctx=self._context).solver()
            solver.set(rlimit=budget, timeout=max(1, int(self._seconds * 1000)), ctrl_c=False)
            solver.add(*self._asserted(parts, self._integers))
            for variable in variables:
                term = self._integers.variable(variable)
                solver.add(term <= bound, term >= (-bound if variable.lower is None else variable.lower))
            if solver.check() == self._z3.sat:
                model = solver.model()
                return checked(query, {v: self._integers.value(model, v) for v in variables}, "bit-vectors")
        return GaveUp(
            Obstacle.NOTHING_FOUND, f"no sizes up to {BIT_VECTOR_BOUNDS[-1]:,} satisfy it, or the budget was spent"
        )

    def _asserted(self, parts: Iterable[Pure], translation: Translation) -> list[Term]:
        """Pure formulas with their definitions and the lower bounds of their variables."""
        terms: dict[Term, None] = {}
        for part in parts:
            terms.update(dict.fromkeys(map(translation.formula, part.pieces)))
            for variable in part.variables:
                if variable.lower is not None:
                    terms[translation.variable(variable) >= translation.number(variable.lower)] = None
        return list(terms)

    # Cases -------------------------------------------------------------------------------------------------------

    def _check_cases(self, query: Query, budget: int) -> Answer:
        """Substitute and split, then decide every case."""
        eliminator = Eliminator(frozenset[Variable]().union(*(formula.variables for _, formula in query)))
        waiting = [starting_case(query)]
        core: frozenset[Label] = frozenset()
        looked = contradictions = 0
        while waiting and contradictions < MOST_CONTRADICTIONS:
            case = eliminator.simplified(waiting.pop())
            if case.contradiction is not None:
                core |= case.contradiction
                contradictions += 1
                continue
            looked += 1
            cases = eliminator.split_at_zero(case) or eliminator.split_by_divisor(case)
            if cases is None:
                answer = self._check_case(query, case, budget // 20)
                if isinstance(answer, Satisfiable):
                    return answer
                if isinstance(answer, Unsatisfiable):
                    core |= answer.core
                    continue
                cases = eliminator.split_by_residue(case) or eliminator.expanded(case)
            if cases is None or looked > MOST_CASES or self.is_late:
                return GaveUp(Obstacle.NOTHING_FOUND, MANY_CASES)
            waiting.extend(reversed(cases))
        return GaveUp(Obstacle.NOTHING_FOUND, MANY_CASES) if waiting else Unsatisfiable(core, "substitution and cases")

    def _check_case(self, query: Query, case: Case, budget: int) -> Answer:
        numbered = [(number, self._purifier.purify(formula)) for number, (formula, _) in enumerate(case.formulas)]
        found = self._fresh_session().check(numbered, budget, self._seconds, wants_core=self._wants_core)
        if isinstance(found, GaveUp):
            return found
        if isinstance(found, frozenset):
            origins = (case.formulas[number][1] for number in found)
            return Unsatisfiable(frozenset[Label]().union(*origins), "substitution and cases")
        return checked(query, case.sizes(found), "substitution and cases")

    def smtlib(self, title: str, formulas: Iterable[tuple[str, Formula]]) -> str:
        """A query in SMT-LIB 2, its divisions purified, each formula with where it comes from."""
        declared: dict[str, None] = {}
        bounded: dict[str, Assertion] = {}
        asserted: list[Assertion] = []
        for origin, formula in formulas:
            pure = self._purifier.purify(formula)
            asserted.append(Assertion(origin, self._integers.formula(pure.formula).sexpr(), f"{origin}: {formula}"))
            for each in pure.definitions:
                term = self._integers.formula(each).sexpr()
                bounded.setdefault(term, Assertion("definition", term, str(each)))
            for variable in pure.variables:
                declared[self._integers.variable(variable).decl().sexpr()] = None
                for term in (bound.sexpr() for bound in bounds(self._integers, variable)):
                    bounded.setdefault(term, Assertion(f"bound of {variable}", term))
            for shape in pure.shapes:
                rank, column = self._integers.shape(shape)
                declared |= dict.fromkeys((rank.decl().sexpr(), column.sexpr()))
                term = self._integers.shape_axiom(shape).sexpr()
                bounded.setdefault(term, Assertion(f"what makes {shape} a shape", term))
        return query_text(title, [*declared], [*bounded.values(), *asserted])


def _too_late() -> GaveUp:
    return GaveUp(Obstacle.TIME, f"it took longer than {SAFETY_NET_SECONDS} seconds")


def checked(query: Query, found: Mapping[Variable, int | tuple[int, ...]], rung: str) -> Answer:
    """Satisfiable, if the sizes found do satisfy the query; variables that were not looked for become small."""
    sizes: dict[Variable, int | tuple[int, ...]] = {}
    mentioned = frozenset[Variable]().union(*(formula.variables for _, formula in query))
    for variable in sorted(mentioned, key=sorting_key):
        sizes[variable] = found[variable] if variable in found else default(variable)
    for variable, size in sizes.items():
        if isinstance(size, int) and not in_bounds(variable, size):
            return GaveUp(Obstacle.NOTHING_FOUND, f"z3 found sizes, but {variable} = {size} is out of its bounds")
    for _, formula in query:
        if not holds(formula, sizes):
            return GaveUp(Obstacle.NOTHING_FOUND, f"z3 found sizes, but they do not satisfy `{formula}`")
    return Satisfiable(sizes, rung)


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
