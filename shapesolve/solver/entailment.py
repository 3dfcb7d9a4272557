"""The size language on its own: prove claims and find counterexamples without any MLIR.

Includes entailment by case distinction on one disjunctive premise. Divisions by sizes are not linear: with them a
solver does not take disjunctions apart as far as it would elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from shapesolve import deadline
from shapesolve.deadline import TIME_LIMIT, Deadline
from shapesolve.solver.limits import DEFAULT_BUDGET
from shapesolve.solver.models import default_value
from shapesolve.solver.prover import Prover
from shapesolve.solver.refuting_sizes import RefutingSizes
from shapesolve.solver.verdicts import BY_CHANCE, NOT_PROVED, Detail, Proved, Refuted, Undecided, UndecidedReason
from shapesolve.statistics import current
from shapesolve.symbolic import evaluation
from shapesolve.symbolic.atoms import Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula, Or
from shapesolve.symbolic.formulas import conjuncts, is_zero, negation
from shapesolve.symbolic.named_sizes import NamedSizes, Size, assignment
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Kind, Scope
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.symbolic.visitors import atoms_within
from shapesolve.trace.events import Fact, Source

if TYPE_CHECKING:
    from shapesolve.solver.prover import Prover
    from shapesolve.solver.verdicts import Answer, Detail, Label, Origin, Solver, Verdict
    from shapesolve.solver.z3.adapter import Z3Solver
    from shapesolve.statistics import Statistics


T = TypeVar("T")

Claim = Formula | str | Any
"""A formula, its text, in which every unknown name is a size, or a relation of sympy (which carries no types)."""


def prove(goal: Claim, assuming: Claim | Iterable[Claim] = (), *, budget: int | None = None) -> Verdict:
    """Decide whether a claim holds for all sizes that satisfy the assumptions.

    A size is an integer from 0 to 2^63-1; the claim is decided for all of them, and for shapes of unknown rank for all
    ranks. Dividing by 0 gives 0 (its remainder is the dividend); the verdict says where that matters.

    Claims are written

    - with the operators of `Dim`: ``N == M``, ``2*N + 1 <= M``, ``N % 4 == 0``, joined by ``&``, ``|``, ``~``;
    - as text, in which every unknown name is a size: ``"H % 2 == 0 and H >= 2"``. It has ``+ - * // %`` and ``**``,
      ``== != < <= > >=``, ``and``, ``or``, ``not``, ``min``, ``max``, ``abs``, ``ceildiv``, ``select(claim, a, b)``,
      ``compatible(a, b)``, ``divides(d, n)``, and for shapes ``[N, M]``, ``rank(s)``, ``s[0]``, ``numel(s)``,
      ``broadcast(s, t)``, ``broadcastable(s, t)``, ``concat(s, t)`` and ``select(claim, s, t)``;
    - as relations of sympy.

    Args:
        assuming: One claim that may be relied on, or several.
        budget: The number of solver steps for each query, not seconds: the same verdict on every machine.

    Returns:
        `Proved` (with the assumptions that were used), `Refuted` (with the smallest sizes that make the claim false),
        `Undecided` (with the reason) or `Unreachable` (the assumptions contradict each other). Ask ``.is_proved``,
        ``.is_refuted``, ``.is_undecided``; a verdict has no truth value.

    Raises:
        InputError: for text that is not of the language.
        TypeError: for what is no claim.

    Example:
        >>> from shapesolve import dims, prove
        >>> N, M = dims("N M")
        >>> prove((N * M) % M == 0, assuming=M >= 1)
        <Proved, because of M >= 1>
        >>> verdict = prove("2*(H//2) == H")
        >>> verdict
        <Refuted: H = 3>
        >>> verdict.is_refuted, verdict.sizes["H"]
        (True, 3)
        >>> prove("2*(H//2) == H", assuming="H % 4 == 0").is_proved
        True
    """
    return _judged(goal, assuming, budget, Detail.SIZES, notes=True)


def entails(
    goal: Claim,
    assuming: Claim | Iterable[Claim] = (),
    *,
    budget: int | None = None,
    refuting: RefutingSizes | None = None,
) -> bool:
    """Return whether `prove` proves a claim. Spends no time on counterexamples.

    The answers to formulas are kept for a while, since the findings of a file ask for the same; those of one
    measurement by itself, so that it counts all that its command asks for.

    Args:
        refuting: Sizes that refuted related claims, which are formulas; those that refute this one are added.
    """
    claims = (goal, *_several(assuming))
    formulas = [each for each in claims if isinstance(each, Formula)]
    question = (claims, budget, current()) if len(formulas) == len(claims) else None
    known = None if question is None else _entailed.get(question)
    if known is not None:
        return known
    if refuting is not None and question is not None and refuting.refute(formulas[0], formulas[1:]):
        return False
    verdict = _judged(goal, claims[1:], budget, Detail.PROOF, refuting=refuting)
    found = isinstance(verdict, Proved)
    is_by_chance = isinstance(verdict, Undecided) and (verdict.reason_kind in BY_CHANCE or deadline.current().passed)
    if question is not None and not is_by_chance:
        if len(_entailed) >= _MOST_ENTAILED:
            _entailed.clear()
        _entailed[question] = found
    return found


_MOST_ENTAILED = 1024
_entailed: dict[tuple[tuple[Claim, ...], int | None, Statistics | None], bool] = {}


def _judged(
    goal: Claim,
    assuming: Claim | Iterable[Claim],
    budget: int | None,
    detail: Detail,
    *,
    notes: bool = False,
    refuting: RefutingSizes | None = None,
) -> Verdict:
    reader = _Claims()
    facts = [reader.formula(each) for each in _several(assuming)]  # first, for they may say which names are shapes
    claim = reader.formula(goal)
    facts += reader.assumptions
    limit = deadline.current()
    if limit.passed:
        return Undecided(UndecidedReason.COMMAND, TIME_LIMIT)
    variables = sorted(claim.variables.union(*(fact.variables for fact in facts)), key=lambda each: each.text)
    solver = _solver(limit) if detail is not Detail.PROOF else _WithoutCores(_solver(limit))
    prover = Prover(solver, inputs=variables, budget=DEFAULT_BUDGET if budget is None else budget, deadline=limit)
    for fact in facts:
        prover.assume(Fact(fact, Source.ASSUMPTION, reader.texts.get(fact, fact.spelling)))
    verdict = prover.verdict_on(claim, detail=detail)
    sizes = prover.sizes_against(claim) if refuting is not None and verdict is NOT_PROVED else None
    if refuting is not None and sizes is not None:
        refuting.keep(sizes)
    return _with_notes(verdict, claim, facts, reader.variables, prover) if notes else verdict


class _WithoutCores:
    """A solver that finds no unsatisfiable core: which assumptions an entailment uses is not reported."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = False
    ) -> Answer:
        return self._solver.check(query, name=name, budget=budget, wants_core=False)

    def with_sources(self, origin: Origin) -> Solver:
        return _WithoutCores(self._solver.with_sources(origin))


def _with_notes(
    verdict: Verdict, claim: Formula, facts: Sequence[Formula], named: Iterable[Variable], prover: Prover
) -> Verdict:
    """Return a verdict that shows also the sizes which the normal form lost, and divisors that may be 0."""
    divided = [each for each in atoms_within(claim) if isinstance(each, Quotient | Remainder)]
    divisors = dict.fromkeys(each.parts[1] for each in divided if not each.parts[1].is_constant)
    if isinstance(verdict, Refuted):
        known = claim.variables.union(*(fact.variables for fact in facts))
        lost = {each: max(2, default_value(each)) for each in named if each not in known}
        zero = tuple(each for each in divisors if evaluation.evaluate(each, verdict.sizes) == 0)
        sizes = NamedSizes({**verdict.sizes, **lost})
        return replace(verdict, sizes=sizes, free=frozenset((*verdict.free, *lost)), zero_divisors=zero)
    if isinstance(verdict, Proved) and divisors:
        zero = tuple(
            each
            for each in divisors
            if isinstance(prover.verdict_on(negation(is_zero(each)), detail=Detail.VERDICT), Refuted)
        )
        return replace(verdict, zero_divisors=zero) if zero else verdict
    return verdict


def counterexample(
    goal: Claim, assuming: Claim | Iterable[Claim] = (), *, budget: int | None = None
) -> NamedSizes | None:
    """Return the smallest sizes that satisfy the assumptions and make the claim false, or None if none were found.

    None is not a proof: ask `prove` for one. Arguments and errors are those of `prove`.

    Example:
        >>> from shapesolve import counterexample, dims
        >>> N, M = dims("N M")
        >>> c = counterexample(N * M >= N)
        >>> c
        M = 0, N = 2
        >>> c[N], c["M"]
        (2, 0)
    """
    verdict = prove(goal, assuming, budget=budget)
    return verdict.sizes if isinstance(verdict, Refuted) else None


def evaluate(size: Dim, sizes: Mapping[Any, Size]) -> int:
    """Return the number that a size is; ``size.evaluate(sizes)`` is the same.

    Args:
        size: A size, or a sympy expression.
        sizes: A number for every variable, by name or by the variable itself; a tuple of extents for a shape.

    Raises:
        TypeError: for what is no size.
        KeyError: for a variable without a number.
    """
    return evaluation.evaluate(_of_kind(Dim, size), assignment(sizes))


def evaluate_shape(whole: Shape, sizes: Mapping[Any, Size]) -> tuple[int, ...] | None:
    """Return the extents of a shape, or None where it is invalid. Arguments and errors are those of `evaluate`."""
    return evaluation.evaluate_shape(_of_kind(Shape, whole), assignment(sizes))


def holds(formula: Formula, sizes: Mapping[Any, Size]) -> bool:
    """Return whether a formula is true. Arguments and errors are those of `evaluate`."""
    return evaluation.holds(_of_kind(Formula, formula), assignment(sizes))


def _of_kind(kind: type[T], value: object) -> T:
    if _is_of_sympy(value):
        from shapesolve.sympy import from_sympy

        value = from_sympy(value)
    if not isinstance(value, kind):
        raise TypeError(f"a {kind.__name__} is needed here, not {type(value).__name__} {value!r}")
    return value


@lru_cache(maxsize=1)
def _solver(limit: Deadline) -> Z3Solver:
    """Return the solver for all queries before a deadline: starting one costs more than most queries."""
    from shapesolve.solver.z3.adapter import Z3Solver

    return Z3Solver(deadline=limit)


def _several(claims: Claim | Iterable[Claim]) -> Iterable[Claim]:
    """Return the claims of a list, and one claim as a list of one."""
    if isinstance(claims, str | Formula) or _is_of_sympy(claims):
        return (claims,)
    if not isinstance(claims, Iterable):
        raise TypeError(f"the assumptions are a claim or a list of claims, not {type(claims).__name__}")
    return cast("Iterable[Claim]", claims)


def _is_of_sympy(value: object) -> bool:
    """Return whether a value is an object of sympy, which is not loaded for that."""
    sympy: Any = sys.modules.get("sympy")
    return sympy is not None and isinstance(value, sympy.Basic)


class _Claims:
    """Converts claims of every kind to formulas; one name is one variable in all of them."""

    def __init__(self) -> None:
        self._scope = Scope.free()
        self._reader: Any = None
        self.texts: dict[Formula, str] = {}

    @property
    def assumptions(self) -> list[Formula]:
        """Return the facts that the assumptions of sympy's symbols state."""
        return [] if self._reader is None else self._reader.facts

    @property
    def variables(self) -> list[Variable]:
        """Return the sizes that texts name."""
        names = sorted(name for name in self._scope.names if self._scope.kind(name) is Kind.SIZE)
        return [atom for name in names if isinstance(atom := self._scope.size(name).atom, Variable)]

    def formula(self, claim: Claim) -> Formula:
        """Convert a claim. Raises InputError for text that cannot be read and TypeError for what is no claim."""
        if isinstance(claim, Formula):
            return claim
        if isinstance(claim, str):
            found = parse_formula(claim, self._scope)
            self.texts.setdefault(found, " ".join(claim.split()))  # assumptions are read first
            return found
        if not _is_of_sympy(claim):
            hint = ": one side of the comparison was no size" if isinstance(claim, bool) else ""
            raise TypeError(
                f"a claim is a formula, its text or a relation of sympy, not {type(claim).__name__} {claim!r}{hint}"
            )
        if self._reader is None:
            from shapesolve.sympy import Reader

            self._reader = Reader()
        found = self._reader.read(claim)
        if not isinstance(found, Formula):
            raise TypeError(f"a claim compares sizes; {claim} is a size or a shape")
        return found


_MOST_CASES = 6


def divides_by_sizes(condition: Formula) -> bool:
    """Return whether a size is divided by another one, and not by a number."""
    divided = [each for each in atoms_within(condition) if isinstance(each, Quotient | Remainder)]
    return any(not each.parts[1].is_constant for each in divided)


def entails_each_part(claim: Formula, premises: Sequence[Formula], budget: int) -> bool:
    """Return whether every conjunct of a claim is proved from the premises."""
    return all(entails(part, premises, budget=budget) for part in conjuncts(claim))


def not_implied(
    parts: Sequence[Formula], known: Sequence[Formula], budget: int, *, longest: int | None = None
) -> list[Formula]:
    """Return the parts that do not follow from the others and what is known; the longest are tried first.

    Parts of more than ``longest`` characters are kept without a query.
    """
    kept = list(dict.fromkeys(parts))
    lengths = {part: len(str(part)) for part in kept}
    for part in sorted(kept, key=lengths.__getitem__, reverse=True):
        rest = [each for each in kept if each is not part]
        if (longest is None or lengths[part] <= longest) and entails_each_part(part, [*known, *rest], budget):
            kept = rest
    return kept


def entails_by_cases(claim: Formula, premises: Sequence[Formula], budget: int) -> bool:
    """Return whether a claim is proved from premises, or in each case of one disjunctive premise."""
    if entails_each_part(claim, premises, budget):
        return True
    known = [part for each in premises for part in conjuncts(each)]
    plain = [each for each in known if not isinstance(each, Or)]
    several = [each for each in known if isinstance(each, Or) and divides_by_sizes(each)]
    return any(
        all(entails_each_part(claim, [*plain, case], budget) or _excludes(plain, case, budget) for case in whole.parts)
        for whole in several
        if len(whole.parts) <= _MOST_CASES
    )


def _excludes(known: Sequence[Formula], case: Formula, budget: int) -> bool:
    return entails_each_part(negation(case), known, budget)
