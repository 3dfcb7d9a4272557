"""Cache of solver answers: exact queries, and queries that differ only in the names of their variables.

Pruning interprets and checks a program again and again: with weakening semantics, with fewer assumptions, with checks
removed. Most queries recur exactly, for formulas are hash-consed and names are given in program order.

Twenty calls of one function ask the same about other arguments. So a query is also put in canonical form, its
variables numbered by where they stand in it, and the answer is kept for all queries with that form.

The position of a variable is compressed to a number, which only proposes an order of the variables: that two queries
are the same is seen from their formulas, renamed and in normal form. Variables with equal positions, or whose numbers
coincide, are ordered by their own names; then two queries may be taken for different ones, never the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from shapesolve.records import value_record
from shapesolve.solver.known_proofs import KnownProofs
from shapesolve.solver.models import Query, checked, sorting_key
from shapesolve.solver.verdicts import BY_CHANCE, Answer, GaveUp, Label, Origin, Satisfiable, Solver, Unsatisfiable
from shapesolve.symbolic.atoms import Atom, Choice, Monomial, Quotient, Remainder, ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.formula_kinds import Constant, Formula, IsZero
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.visitors import Instantiation

_Question = tuple[tuple[Formula, ...], int, bool]


class QueryCache:
    """Answers to queries of the same formulas in the same order, with the same budget.

    Attributes:
        proofs: Proofs of the claims that checks of the same program asked about.
    """

    def __init__(self) -> None:
        self.proofs = KnownProofs()
        self._kept: dict[_Question, Answer] = {}

    def without_proofs(self) -> QueryCache:
        """Return a cache that shares the answers of solvers, and knows no proofs: what verifies proves anew."""
        other = QueryCache()
        other._kept = self._kept
        return other

    def get(self, question: _Question) -> Answer | None:
        """Return the cached answer, whose labels are positions, or None."""
        return self._kept.get(question)

    def keep(self, question: _Question, answer: Answer) -> None:
        """Cache an answer, unless it may differ in another run."""
        if not (isinstance(answer, GaveUp) and answer.reason_kind in BY_CHANCE):
            self._kept[question] = answer


class CachingSolver:
    """A `Solver` that asks another one only queries that are not in its cache."""

    def __init__(self, solver: Solver, answers: QueryCache) -> None:
        self._solver = solver
        self._answers = answers

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        """Decide a query, from the cache if possible."""
        formulas = tuple(formula for _, formula in query)
        question = (formulas, budget, wants_core)
        answer = self._answers.get(question)
        if answer is None:
            answer = self._solver.check(list(enumerate(formulas)), name=name, budget=budget, wants_core=wants_core)
            self._answers.keep(question, answer)
        if isinstance(answer, Unsatisfiable):
            return replace(answer, core=frozenset(query[position][0] for position in answer.core))
        return answer

    def with_sources(self, origin: Origin) -> CachingSolver:
        """Return a solver with the same cache that knows where the formulas come from."""
        return CachingSolver(self._solver.with_sources(origin), self._answers)


_ROUNDS = 4
_LARGEST = 60_000
"""Characters of a question; longer ones are asked as they are."""

_MOST_KEPT = 4_000

Asked = tuple[tuple[Formula, ...], int, bool]
"""The formulas of a question, its budget, and whether a core is wanted."""


@value_record
class CanonicalQuery:
    """A query with numbered variables.

    Attributes:
        query: The query; labels are positions.
        labels: The original label of each position.
        names: The original variable of each numbered one.
    """

    query: Query
    labels: tuple[int, ...]
    names: Mapping[Variable, Variable]

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return tuple(formula for _, formula in self.query)

    def read(self, answer: Answer, query: Query) -> Answer:
        """Return the answer in the names of the original query; sizes are evaluated in it."""
        match answer:
            case Unsatisfiable(core=core):
                return replace(answer, core=frozenset(self.labels[position] for position in core))
            case Satisfiable(model=model):
                return checked(query, {self.names[each]: size for each, size in model.items()}, answer.strategy)
            case _:
                return answer


class CanonicalQueryCache:
    """Cache of answers by canonical query."""

    def __init__(self) -> None:
        self._kept: dict[Asked, Answer] = {}

    def ask(self, query: Query, budget: int, wants_core: bool, solve: Callable[[Query], Answer]) -> Answer:
        """Return the cached answer of the canonical query, or that of ``solve``."""
        renamed = canonical_query(query)
        if renamed is None:
            return solve(query)
        asked = (renamed.formulas, budget, wants_core)
        answer = self._kept.get(asked)
        if answer is None:
            answer = solve(renamed.query)
            if len(self._kept) < _MOST_KEPT and not (isinstance(answer, GaveUp) and answer.reason_kind in BY_CHANCE):
                self._kept[asked] = answer
        return renamed.read(answer, query)


def canonical_query(query: Query) -> CanonicalQuery | None:
    """Return the query with numbered variables; None if that is not worthwhile, or not possible."""
    if sum(len(formula.text) for _, formula in query) > _LARGEST:
        return None
    variables = variables_in(formula for _, formula in query)
    if any(isinstance(each, ShapeSymbol) for each in variables):
        return None
    order = _order([formula for _, formula in query], variables)
    fresh = {each: variable(f"x{number}", each.lower, each.upper) for number, each in enumerate(order)}
    new = Instantiation(fresh)
    try:
        formulas = [(new.formula(formula), label) for label, formula in query]
    except TooLarge:
        return None
    if any(isinstance(formula, Constant) for formula, _ in formulas):
        return None
    formulas.sort(key=lambda each: (len(each[0].text), each[0].text))
    names = {value.atom: each for each, value in fresh.items()}
    return CanonicalQuery(
        [(position, formula) for position, (formula, _) in enumerate(formulas)],
        tuple(label for _, label in formulas),
        {new: old for new, old in names.items() if isinstance(new, Variable)},
    )


def _order(formulas: Sequence[Formula], variables: frozenset[Variable]) -> list[Variable]:
    """Order the variables by where they stand in the formulas, independently of the order of the formulas."""
    places = {each: hash(_bounds(each)) for each in variables}
    different = len(set(places.values()))
    for _ in range(_ROUNDS):
        places = _VariablePositions(places).in_all(formulas)
        before, different = different, len(set(places.values()))
        if different in (before, len(variables)):
            break
    return sorted(variables, key=lambda each: (places[each], sorting_key(each)))


def _bounds(each: Variable) -> tuple[int, int, int, int]:
    return each.lower is None, each.lower or 0, each.upper is None, each.upper or 0


_IN_ORDER = (Quotient, Remainder, Choice)
"""Atoms whose parts cannot change places."""


class _VariablePositions:
    """Positions of variables, as numbers that are the same in every run.

    Variables with equal positions have equal numbers. ``known`` numbers variables by a coarser order.
    """

    def __init__(self, known: Mapping[Variable, int]) -> None:
        self._known = known
        self._numbers: dict[object, int] = {}
        self._products: dict[Monomial, int] = {}
        self._found: dict[Variable, list[int]] = {each: [] for each in known}

    def in_all(self, formulas: Sequence[Formula]) -> dict[Variable, int]:
        for formula in formulas:
            self._note(formula, 0)
        return {each: hash((self._known[each], *sorted(places))) for each, places in self._found.items()}

    def _note(self, node: object, place: int) -> None:
        """Record the positions of the variables in a node, which itself has a position."""
        if isinstance(node, Variable):
            self._found[node].append(place)
        elif isinstance(node, Dim):
            self._note_sum(node, place, 1)
        elif isinstance(node, IsZero):
            self._note_sum(node.size, hash((place, self._number(node))), self._sign(node.size))
        elif isinstance(node, Atom | Formula):
            here = hash((place, self._number(node)))
            for position, part in enumerate(node.parts):
                self._note(part, hash((here, position if isinstance(node, _IN_ORDER) else 0)))

    def _note_sum(self, size: Dim, place: int, sign: int) -> None:
        for monomial, coefficient in size.terms:
            here = hash((place, self._signed(coefficient, sign), self._product(monomial)))
            for atom, power in monomial.factors:
                self._note(atom, hash((here, self._number(atom), power)))

    # Numbers of what stands there, whatever the names in it are --------------------------------------------------

    def _number(self, node: object) -> int:
        if isinstance(node, Variable):
            return self._known[node]
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = self._read(node)
        return found

    def _read(self, node: object) -> int:
        kind = crc32(type(node).__name__.encode())
        if isinstance(node, Dim):
            return hash((kind, self._sum(node, 1)))
        if isinstance(node, IsZero):
            return hash((kind, self._sum(node.size, self._sign(node.size))))
        if isinstance(node, Atom | Formula):
            parts = [self._number(part) for part in node.parts]
            return hash((kind, *(parts if isinstance(node, _IN_ORDER) else sorted(parts))))
        return kind

    def _sum(self, size: Dim, sign: int) -> int:
        terms = [(self._signed(coefficient, sign), self._product(monomial)) for monomial, coefficient in size.terms]
        return hash((self._signed(size.constant, sign), *sorted(terms)))

    def _product(self, monomial: Monomial) -> int:
        found = self._products.get(monomial)
        if found is None:
            factors = sorted((self._number(atom), power) for atom, power in monomial.factors)
            found = self._products[monomial] = hash(tuple(factors))
        return found

    def _sign(self, size: Dim) -> int:
        """Return the orientation of an equation, which names decide in its normal form; 0 if it is symmetric."""
        one, other = self._sum(size, 1), self._sum(size, -1)
        return (one < other) - (one > other)

    @staticmethod
    def _signed(number: int, sign: int) -> int:
        return number * sign if sign else abs(number)
