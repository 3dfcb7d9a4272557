"""The z3 adapter; the only file that imports z3.

Satisfiable and Unsatisfiable are never guesses: a model is evaluated before it is returned, and only an unsatisfiable
answer to the query itself, or to something weaker than it, becomes Unsatisfiable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.solver.known_ranks import KnownRanks, known_ranks, with_equal_folds
from shapesolve.solver.models import Found, Query, Ranking, answered, checked, default, small_ranks, sorting_key
from shapesolve.solver.preprocessing.division import (
    BY_WRAPPING,
    Unwrapped,
    sizes_that_wrap,
    unwrapped,
    with_wrapped_sizes_named,
)
from shapesolve.solver.preprocessing.equal_variables import substitute_equal_variables
from shapesolve.solver.preprocessing.variable_bounds import substitute_fixed_variables
from shapesolve.solver.query_cache import CanonicalQueryCache
from shapesolve.solver.query_log import Assertion, asking, query_text
from shapesolve.solver.verdicts import Answer, GaveUp, Origin, Satisfiable, Solver, UndecidedReason, Unsatisfiable
from shapesolve.solver.z3.bit_vectors import BitVector, are_shown_equal
from shapesolve.solver.z3.session import PureQuery, Z3Environment, is_late
from shapesolve.solver.z3.strategies import SAFETY_NET_SECONDS, StrategySequence, too_late
from shapesolve.solver.z3.translation import Term, Translation
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import negation
from shapesolve.symbolic.limits import TooLarge

MOST_FORMULAS = 100
"""The incremental solver is emptied when it holds more formulas than this."""

LARGE_QUERIES = 2
"""Factor by which the incremental solver may exceed the formulas of a larger query; otherwise it is refilled for each.
"""

WRAPPING_SHARE = 10
"""Divisor of the budget for queries whose sizes make arithmetic wrap around: such sizes are of little interest."""

FIRST_SHARE = 20
"""Divisor of the budget for the first search for a proof for all ranks."""

MOST_ASKED_AS_THEY_ARE = 64
"""Formulas of a query beyond which equal variables become one: fewer are asked faster by the incremental solver."""

INCREMENTAL_BUDGET = 100_000
"""Steps after which a query leaves the incremental solver for one of its own."""


class Z3Solver:
    """A `Solver` that asks z3.

    Args:
        dump_directory: Where every query is written as ``NNNN-name.smt2``.
        deadline: When no query may run any more.
    """

    def __init__(self, *, seed: int = 0, dump_directory: Path | None = None, deadline: Deadline = NEVER) -> None:
        self._seed = seed
        self._deadline = deadline
        self.timed_out = 0
        """Number of queries ended by the clock rather than by their budget: another run may answer them."""
        self._dump_directory = dump_directory
        self._engine: _Engine | None = None
        self._written = 0

    def with_sources(self, origin: Origin) -> Solver:
        """Return this solver with a name for every formula in the queries that it writes."""
        return self if self._dump_directory is None else _SolverWithSources(self, origin)

    @asking
    def check(
        self, query: Query, *, name: str, budget: int, wants_core: bool = True, origin: Origin | None = None
    ) -> Answer:
        """Decide a query; ``budget`` is a z3 rlimit for each strategy, ``origin`` names formulas in files."""
        for label, formula in query:
            if formula is FALSE:
                return Unsatisfiable(frozenset((label,)), "normal form")
        if self._deadline.passed:
            return GaveUp(UndecidedReason.COMMAND, TIME_LIMIT)
        if self._engine is None:
            self._engine = _Engine(self._seed)
        if self._dump_directory is not None:
            self._dump(self._dump_directory, query, name, origin or _unknown)
        return self._answer(query, budget, self._engine, wants_core)

    def _answer(self, query: Query, budget: int, engine: _Engine, wants_core: bool) -> Answer:
        try:
            answer = engine.check(query, budget, min(SAFETY_NET_SECONDS, self._deadline.seconds), wants_core=wants_core)
        except TooLarge as limit:
            return GaveUp(UndecidedReason.SIZE, limit.message)
        except RecursionError:
            return GaveUp(UndecidedReason.SIZE, "expressions are nested too deep")
        if self._deadline.passed:
            return GaveUp(UndecidedReason.COMMAND, TIME_LIMIT) if isinstance(answer, GaveUp) else answer
        self.timed_out += engine.is_late
        return answer

    def _dump(self, directory: Path, query: Query, name: str, origin: Origin) -> None:
        assert self._engine is not None
        self._written += 1
        directory.mkdir(parents=True, exist_ok=True)
        safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-")[:80] or "query"
        text = self._engine.smtlib(name, [(origin(formula), formula) for _, formula in query])
        (directory / f"{self._written:04}-{safe}.smt2").write_text(text, encoding="utf-8")


def load() -> None:
    """Import z3, which takes 0.04 s, before the first question."""
    import z3  # noqa: F401  # pyright: ignore[reportUnusedImport]


def are_equal_bits(first: BitVector, second: BitVector) -> bool:
    """Return whether two integers of fixed width are shown to be equal for all values of their variables."""
    import z3

    return are_shown_equal(first, second, z3)


def _unknown(formula: Formula) -> str:
    return "fact"


class _SolverWithSources:
    """A solver that writes the origins of formulas in its dumps."""

    def __init__(self, solver: Z3Solver, origin: Origin) -> None:
        self._solver = solver
        self._origin = origin

    def check(self, query: Query, *, name: str, budget: int, wants_core: bool = True) -> Answer:
        return self._solver.check(query, name=name, budget=budget, wants_core=wants_core, origin=self._origin)

    def with_sources(self, origin: Origin) -> Solver:
        return _SolverWithSources(self._solver, origin)


class _Engine:
    """The state that lives as long as z3 does: its context, the translations and the incremental solver."""

    def __init__(self, seed: int) -> None:
        import z3

        self._z3: Any = z3
        self._seed = seed
        self._shared = Z3Environment(z3, seed)
        self._session = self._shared.session()
        self._renamed = CanonicalQueryCache()
        self._deadline = NEVER
        self._wants_core = True

    def check(self, query: Query, budget: int, seconds: float, *, wants_core: bool) -> Answer:
        """Decide a query, each strategy within the budget and all of them within some seconds."""
        self._wants_core = wants_core
        self._deadline = Deadline.after(seconds)
        return self._check(query, budget)

    def _check(self, query: Query, budget: int) -> Answer:
        mentioned = variables_in(formula for _, formula in query)
        symbols = sorted((each for each in mentioned if isinstance(each, ShapeSymbol)), key=sorting_key)
        return self._check_all_ranks(query, symbols, budget) if symbols else self._check_ranked(query, budget)

    @property
    def is_late(self) -> bool:
        """Return whether the last query used up its time."""
        return is_late(self._deadline)

    # All ranks ---------------------------------------------------------------------------------------------------

    def _check_all_ranks(self, query: Query, symbols: Sequence[Variable], budget: int) -> Answer:
        """Prove for all ranks with quantifiers; refute by trying small ranks, which needs none.

        A proof takes milliseconds, and where there is none, quantifiers spend the budget, whatever that takes by the
        clock: so they get a part of it before small ranks are tried, and all of it after.
        """
        ranks_known = known_ranks(query, exact=True)
        if ranks_known is not None:
            return self._check_each_rank(query, ranks_known, budget)
        folded = with_equal_folds(query)
        found = self._check_in_fresh_context(folded, max(1, budget // FIRST_SHARE))
        ranks_known = known_ranks(query, exact=False)
        tried = ranks_known is None and not isinstance(found, frozenset)
        model = self._model_of_small_rank(query, symbols, budget) if tried else None
        if model is not None:
            return model
        if isinstance(found, GaveUp):
            found = self._check_in_fresh_context(folded, budget)
        if isinstance(found, frozenset):
            return Unsatisfiable(found, "all ranks")
        if ranks_known is not None:
            return self._check_each_rank(query, ranks_known, budget)
        if isinstance(found, GaveUp) and found.reason_kind is not UndecidedReason.NOTHING_FOUND:
            return found
        return GaveUp(UndecidedReason.RANKS, "no shapes of small rank satisfy it, but larger ones might")

    def _model_of_small_rank(self, query: Query, symbols: Sequence[Variable], budget: int) -> Answer | None:
        for ranks in small_ranks(symbols):
            if self.is_late:
                return too_late()
            ranking = Ranking(ranks)
            ranked = [(label, ranking.substitution.formula(formula)) for label, formula in query]
            if any(formula is FALSE for _, formula in ranked):
                continue
            answer = self._check_ranked(ranked, budget)
            if isinstance(answer, Satisfiable):
                return checked(query, {**answer.model, **ranking.shapes_of(answer.model)}, "small ranks")
        return None

    def _check_each_rank(self, query: Query, ranks_known: KnownRanks, budget: int) -> Answer:
        """Decide a query rank by rank, where it says which ranks some shapes may have."""
        core = ranks_known.labels
        open_one: GaveUp | None = None
        for ranks in ranks_known.choices:
            if self.is_late:
                return too_late()
            ranking = Ranking(ranks)
            ranked = [(label, ranking.substitution.formula(formula)) for label, formula in query]
            false = next((label for label, formula in ranked if formula is FALSE), None)
            if false is not None:
                core |= {false}
                continue
            answer = self._check(ranked, budget)
            if isinstance(answer, Satisfiable):
                return checked(query, {**answer.model, **ranking.shapes_of(answer.model)}, answer.strategy)
            if isinstance(answer, Unsatisfiable):
                core |= answer.core
            else:
                open_one = open_one or answer
        return open_one or Unsatisfiable(core, "all ranks")

    # Known ranks -------------------------------------------------------------------------------------------------

    def _check_ranked(self, query: Query, budget: int) -> Answer:
        plain = unwrapped(query)
        return self._check_plain(query, budget) if plain is None else self._check_wrapping(query, plain, budget)

    def _check_wrapping(self, query: Query, plain: Unwrapped, budget: int) -> Answer:
        """Decide a query with wrapping arithmetic: without wrapping, by sizes near powers of 2, then in full.

        The last step has a part of the budget.
        """
        own = max((abs(label) for label, _ in query), default=0) + 1
        first = self._check_plain([*plain.query, (own, plain.nothing_wraps)], budget)
        if isinstance(first, Satisfiable):
            return checked(query, first.model, first.strategy)
        if plain.nothing_wraps is TRUE:
            return (
                replace(first, core=(first.core | plain.because) - {own}) if isinstance(first, Unsatisfiable) else first
            )
        sizes = sizes_that_wrap(query)
        if sizes is not None:
            return checked(query, sizes, BY_WRAPPING)
        answer = self._check_all_wrapping(query, first, plain, own, budget // WRAPPING_SHARE)
        weaker = with_wrapped_sizes_named(query) if isinstance(answer, GaveUp) and not self.is_late else None
        if weaker is not None:
            for_all_numbers = self._check_ranked(weaker, budget // WRAPPING_SHARE)
            if isinstance(for_all_numbers, Unsatisfiable):
                return for_all_numbers
        return answer

    def _check_all_wrapping(self, query: Query, first: Answer, plain: Unwrapped, own: int, budget: int) -> Answer:
        """Decide a query in full, given the answer where nothing wraps."""
        if isinstance(first, GaveUp):
            return first if self.is_late else self._check_plain(query, budget)
        second = self._check_plain([*query, (own, negation(plain.nothing_wraps))], budget)
        if isinstance(first, Unsatisfiable) and isinstance(second, Unsatisfiable):
            return Unsatisfiable((first.core | second.core | plain.because) - {own}, second.strategy)
        return second

    def _check_plain(self, query: Query, budget: int) -> Answer:
        for label, formula in query:
            if formula is FALSE:
                return Unsatisfiable(frozenset((label,)), "normal form")
        if not self._wants_core and len(query) > MOST_ASKED_AS_THEY_ARE:
            merged, substitutes = substitute_equal_variables(query)
            if substitutes:
                return self._check_substituted(query, merged, substitutes, budget)
        pure = self._shared.purified(query)
        if all(part.is_linear for _, part in pure):
            return self._check_linear(query, pure, budget)
        if any(part.shapes for _, part in pure):  # the other strategies know no functions and no quantifiers
            return answered(query, self._check_in_fresh_context(query, budget), "all columns")
        if not self._wants_core:
            simpler, numbers = substitute_fixed_variables(query)
            if numbers:
                return self._check_substituted(query, simpler, numbers, budget)
        return self._renamed.ask(query, budget, self._wants_core, lambda same: self._run_strategies(same, budget))

    def _run_strategies(self, query: Query, budget: int) -> Answer:
        environment = Z3Environment(self._z3, self._seed)
        return StrategySequence(environment, query, self._deadline, wants_core=self._wants_core).run(budget)

    def _check_substituted(
        self, query: Query, simpler: Query, substitutes: Mapping[Variable, Variable | int], budget: int
    ) -> Answer:
        """Decide a query by the one with substitutes for some variables, which are equal to them."""
        answer = self._check_ranked(simpler, budget)
        if not isinstance(answer, Satisfiable):
            return answer
        sizes = {
            each: by if isinstance(by, int) else answer.model.get(by, default(by)) for each, by in substitutes.items()
        }
        return checked(query, {**answer.model, **sizes}, answer.strategy)

    def _check_linear(self, query: Query, pure: PureQuery, budget: int) -> Answer:
        """Ask the incremental solver first.

        Its giving up is never final, or answers would depend on earlier queries.
        """
        if self._session.size > max(MOST_FORMULAS, LARGE_QUERIES * len(pure)):
            self._session = self._shared.session()
        found = self._session.check(pure, min(budget, INCREMENTAL_BUDGET), self._deadline, wants_core=self._wants_core)
        if isinstance(found, GaveUp) and found.reason_kind is not UndecidedReason.TIME:
            self._session = self._shared.session()
            found = self._check_in_fresh_context(query, budget)
        return answered(query, found, "linear arithmetic")

    def _check_in_fresh_context(self, query: Query, budget: int) -> Found:
        """Return the answer of a fresh z3 environment."""
        environment = Z3Environment(self._z3, self._seed)
        pure = environment.purified(query)
        return environment.session().check(pure, budget, self._deadline, wants_core=self._wants_core)

    def smtlib(self, title: str, formulas: Iterable[tuple[str, Formula]]) -> str:
        """Return a query in SMT-LIB 2, division-free, each formula with its origin."""
        environment = Z3Environment(self._z3, self._seed)
        integers = environment.integers
        declared: dict[str, None] = {}
        bounded: dict[str, Assertion] = {}
        asserted: list[Assertion] = []
        for origin, formula in formulas:
            pure = environment.purifier.purify(formula)
            asserted.append(Assertion(origin, integers.formula(pure.formula).sexpr(), f"{origin}: {formula}"))
            for each in pure.definitions:
                term = integers.formula(each).sexpr()
                bounded.setdefault(term, Assertion("definition", term, str(each)))
            for variable in pure.variables:
                declared[integers.variable(variable).decl().sexpr()] = None
                for term in (bound.sexpr() for bound in bounds(integers, variable)):
                    bounded.setdefault(term, Assertion(f"bound of {variable}", term))
            for shape in pure.shapes:
                rank, column = integers.shape(shape)
                declared |= dict.fromkeys((rank.decl().sexpr(), column.sexpr()))
                for term in (axiom.sexpr() for axiom in integers.shape_axioms(shape)):
                    bounded.setdefault(term, Assertion(f"what makes {shape} a shape", term))
        return query_text(title, [*declared], [*bounded.values(), *asserted])


def bounds(translation: Translation, variable: Variable) -> list[Term]:
    """Return a variable's bounds as terms."""
    term = translation.variable(variable)
    found: list[Term] = []
    if variable.lower is not None:
        found.append(term >= translation.number(variable.lower))
    if variable.upper is not None:
        found.append(term <= translation.number(variable.upper))
    return found
