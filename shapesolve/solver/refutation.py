"""Refutations from answers of the solver: completed to all variables, checked against all facts, and shrunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.solver.alternatives import free_sizes, may_change, smaller_counterexample
from shapesolve.solver.assumptions import OverflowAssumptions, fails_only_if_it_wraps
from shapesolve.solver.budgets import FEW_QUESTIONS, ShrinkingAllowance
from shapesolve.solver.eliminated_variables import EliminatedVariables, QueryInputs
from shapesolve.solver.local_search import lowered, mixed
from shapesolve.solver.models import CachingModel, Model, ReportedModel, out_of_bounds
from shapesolve.solver.preprocessing.division import BY_WRAPPING
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.rewriting import without_fresh_quotients
from shapesolve.solver.reachability import SMALL_SLICE, Reachability, component
from shapesolve.solver.remembered_sizes import LastSizes
from shapesolve.solver.shrinking import Counterexample, smallest
from shapesolve.solver.size_order import is_believable, preferred
from shapesolve.solver.verdicts import (
    MADE_SMALL,
    Detail,
    Effort,
    Refuted,
    Satisfiable,
    Solver,
    Undecided,
    UndecidedReason,
    Unsatisfiable,
)
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.evaluation import Sizes, holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, negation
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.variable_subset import VariableSubset
from shapesolve.trace.events import Fact, OverflowAssumption, Source

_OBSTACLES = {
    UndecidedReason.BUDGET: UndecidedReason.BUDGET,
    UndecidedReason.NON_LINEAR: UndecidedReason.BUDGET,
    UndecidedReason.TIME: UndecidedReason.TIME,
    UndecidedReason.COMMAND: UndecidedReason.COMMAND,
}
"""Obstacles of the search for sizes that violate no overflow assumption, as reported; any other: nothing was found."""

MOST_ISOLATED = 24
"""Searches of one function for sizes at which only the present claim fails; each may take as many questions as another
counterexample, and the first findings are those that are read."""

MOST_TRIED = 8
"""Largest number of values, from the least on, tried for a variable of a claim that is no input."""


class RefutationBuilder:
    """Builds refutations at the current program point of a prover.

    Args:
        facts: All facts that were ever assumed; the prover adds to them.
        active: The numbers of the facts that hold; the prover changes them.
        inputs: The variables whose sizes are reported.
        extents: The least and the largest extent of inputs of unknown rank.
    """

    def __init__(
        self,
        propagator: Propagator,
        reach: Reachability,
        overflow: OverflowAssumptions,
        solver: Solver,
        *,
        facts: Sequence[Fact],
        active: Sequence[int],
        inputs: Sequence[Variable],
        extents: tuple[int, int],
        budget: int,
    ) -> None:
        self._propagator = propagator
        self._reach = reach
        self._overflow = overflow
        self._solver = solver
        self._facts = facts
        self._active = active
        self._inputs = inputs
        self._places = {each: place for place, each in enumerate(inputs)}
        self._extents = extents
        self._unnamed = list(map(Model().__getitem__, inputs))  # the values of inputs that a model does not name
        self._budget = budget
        self._patience = ShrinkingAllowance()
        self._eliminated = EliminatedVariables(propagator, inputs)
        self._evaluated = LastSizes()
        self._isolations_left = MOST_ISOLATED
        self.rivals: tuple[Formula, ...] = ()
        """Claims that should hold at the sizes against the present claim, where there are such sizes."""

    def completed(self, answer: Satisfiable) -> Model:
        """Return the model of an answer, extended to every variable."""
        sizes = Model({**self._reach.model, **answer.model})
        self.complete(sizes)
        return sizes

    def complete(self, sizes: Model) -> None:
        """Give every eliminated variable the value of its definition."""
        self._eliminated.complete(sizes)

    def violated(self, claim: Formula, sizes: Model) -> str | None:
        """Return a constraint that the sizes violate, or None if they refute the claim."""
        if holds(claim, CachingModel(sizes)):
            return "the negated claim"
        evaluated = self._evaluated.of(sizes)
        broken = evaluated.first_broken([self._facts[number].formula for number in self._active])
        if broken is not None:
            return f"`{self._facts[self._active[broken]].formula}`"
        changed = Model({each: sizes[each] for each in evaluated.unchecked if each in sizes})
        if out_of_bounds(changed, self._inputs, self._extents) is not None:
            return out_of_bounds(sizes, self._inputs, self._extents)
        evaluated.unchecked.clear()
        return None

    def _wraps(self, sizes: Model) -> OverflowAssumption | None:
        """Return an overflow assumption that the sizes violate, or None."""
        return self._overflow.violated(self._evaluated.of(sizes))

    def smallest(
        self, claim: Formula, answer: Satisfiable, query: list[tuple[int, Formula]], name: str, effort: Effort
    ) -> Refuted | Undecided:
        """Return a refutation by sizes that falsify the claim, shrunk if the effort asks for them."""
        extended, inputs = self._with_definitions(query)
        present = variables_in(formula for _, formula in extended)
        start = self.completed(answer)
        if effort.detail in MADE_SMALL:  # a model has a number for what it does not name, too
            start.update({each: start[each] for each in sorted(inputs.variables, key=lambda each: each.text)})
            if not effort.questions:
                start = self._lowered(claim, query[0][1], start)
        numbered = [each for each in inputs.searched if not isinstance(each, ShapeSymbol)]
        tried: list[Counterexample] = []
        isolated: tuple[Counterexample, frozenset[Variable]] | None = None
        if effort.detail in MADE_SMALL and effort.questions and answer.strategy != BY_WRAPPING:
            made_small = smallest(
                self._solver,
                extended,
                inputs.searched,
                budget=self._budget,
                name=name,
                start=start,
                questions=effort.questions,
                allowance=self._patience,
                is_speculative=effort.questions <= FEW_QUESTIONS,
                counts=inputs.counts,
            )
            isolated = self._isolated(claim, query, inputs.every, made_small, name, effort)
            if isolated is not None:
                tried.append(isolated[0])
                present |= isolated[1]
            tried.append(made_small)
        tried.append(Counterexample(start, smallest=False, needs=None))
        broken: str | None = None
        for least in tried:
            sizes = self._completed_sizes(least.model)
            broken = self.violated(claim, sizes)
            wraps = self._wraps(sizes) if broken is None else None
            if wraps is not None:
                return self._elsewhere(claim, query, name, effort, wraps, sizes)
            if broken is None:
                always = effort.detail is not Detail.VERDICT and self._always_fails(query, name)
                small, is_least = effort.detail in MADE_SMALL, least.smallest
                if always and small:
                    sizes, is_first = self._with_unrestricted(claim, present, sizes)
                    is_least = is_least and is_first
                within: Sizes = self._within(claim, sizes) if small else {}
                refuted = Refuted(
                    answer.strategy,
                    self._reported(sizes),
                    is_least,
                    least.needs,
                    always,
                    without_fresh_quotients(negation(query[0][1]), self._propagator.shares),
                    within=within,
                    isolated=isolated is not None and least is isolated[0],
                )
                is_tried_out = effort.questions <= FEW_QUESTIONS
                if always or not small or (is_tried_out and not is_believable(sizes, numbered)):
                    return refuted
                return self._varied(refuted, claim, [formula for _, formula in extended], inputs, sizes, name)
        return Undecided(UndecidedReason.NOTHING_FOUND, f"the sizes that were found do not satisfy {broken}")

    def _isolated(
        self,
        claim: Formula,
        query: Sequence[tuple[int, Formula]],
        inputs: Sequence[Variable],
        found: Counterexample,
        name: str,
        effort: Effort,
    ) -> tuple[Counterexample, frozenset[Variable]] | None:
        """Return sizes at which the rivals hold, too, with the variables that they and the query mention.

        They are the first such sizes in the order of `size_order`; None where the sizes that were found are such sizes,
        where there are none, where they take more sizes of 0 or 1, or after many searches.
        """
        sizes = self._completed_sizes(found.model)
        if all(holds(each, sizes) for each in self.rivals) or not self._isolations_left:
            return None
        self._isolations_left -= 1
        try:
            apart = conjunction((query[0][1], *(self._propagator.simplify(each)[0] for each in self.rivals)))
        except (TooLarge, RecursionError):
            return None
        if apart is FALSE:
            return None
        facts = [formula for formula, _ in component(self._propagator, apart.variables)]
        wider = [(0, apart), *enumerate(dict.fromkeys((*facts, *(formula for _, formula in query[1:]))), 1)]
        answer = self._solver.check(wider, name=f"{name}-isolated", budget=self._budget, wants_core=False)
        if not isinstance(answer, Satisfiable):
            return None
        extended, shown = self._with_definitions(wider)
        start = self.completed(answer)
        start.update({each: start[each] for each in shown.variables})
        least = smallest(
            self._solver,
            extended,
            shown.searched,
            budget=self._budget,
            name=f"{name}-isolated",
            start=start,
            questions=effort.questions,
            is_speculative=effort.questions <= FEW_QUESTIONS,
            counts=shown.counts,
        )
        isolated = self._completed_sizes(least.model)
        if (
            not all(holds(each, isolated) for each in (*self.rivals, negation(claim)))
            or self.violated(claim, isolated) is not None
            or self._wraps(isolated) is not None
            or self._small_sizes(isolated, inputs) > self._small_sizes(sizes, inputs)
            or not is_believable(isolated, [each for each in shown.searched if not isinstance(each, ShapeSymbol)])
        ):
            return None
        return Counterexample(least.model, smallest=least.smallest, needs=found.needs), shown.variables

    def _small_sizes(self, sizes: Sizes, variables: Sequence[Variable]) -> tuple[int, int]:
        """Return how many sizes of inputs are 0, and how many of the variables are 1; not of what may be negative."""
        zeros = [each for each in self._inputs if each.lower is not None and each.lower >= 0 and sizes[each] == 0]
        ones = [each for each in variables if each.lower is not None and each.lower >= 0 and sizes[each] == 1]
        return len(zeros), len(ones)

    def _completed_sizes(self, model: Mapping[Variable, int | tuple[int, ...]]) -> Model:
        sizes = Model({**self._reach.model, **model})
        self.complete(sizes)
        return sizes

    def _with_definitions(self, query: Sequence[tuple[int, Formula]]) -> tuple[list[tuple[int, Formula]], QueryInputs]:
        """Return the query with the definitions of inputs, and the inputs that it is about."""
        extended = list(query)
        if query[0][1] is TRUE:  # whatever gets here fails, so that only the facts say which sizes are small
            facts = component(self._propagator, self._propagator.free_variables(self._inputs), limit=SMALL_SLICE)
            extended = list(enumerate([TRUE, *(formula for formula, _ in facts)]))
        present = variables_in(formula for _, formula in extended)
        if query[0][1] is TRUE:
            definitions = filter(None, map(self._propagator.definition, self._inputs))
            present = present.union(*(size.variables for size, _ in definitions))
        inputs = self._eliminated.inputs_of(present)
        return [*extended, *enumerate(inputs.definitions, len(extended))], inputs

    def _with_unrestricted(self, claim: Formula, present: frozenset[Variable], sizes: Model) -> tuple[Model, bool]:
        """Return sizes with the most believable value of each input outside of the query, and whether each has it.

        ``present`` are the variables of the query.
        """
        best: dict[Variable, int] = {}
        for each in self._inputs:
            value = None if isinstance(each, ShapeSymbol) or each in present else preferred(each)
            if value is not None and self._propagator.definition(each) is None:
                best[each] = value
        found = Model({**sizes, **best})
        self.complete(found)
        if self.violated(claim, found) is None and self._wraps(found) is None:
            return found, True
        return sizes, all(sizes[each] == value for each, value in best.items())

    def _lowered(self, claim: Formula, against: Formula, sizes: Model) -> Model:
        """Return sizes that still falsify a claim, with smaller inputs where that takes no solver."""
        sizes = self._nearer(claim, against, sizes) or sizes
        free = self._propagator.free_variables(self._inputs)
        found = Model(lowered(self._propagator, against, sizes, free & against.variables))
        self.complete(found)
        return found

    def _varied(
        self,
        refuted: Refuted,
        claim: Formula,
        query: list[Formula],
        inputs: QueryInputs,
        sizes: Model,
        name: str,
    ) -> Refuted:
        """Add alternative sizes to the refutation: free sizes, and smaller ones that fail as well."""
        if any(isinstance(each, ShapeSymbol) for each in inputs.searched):
            return refuted
        free = free_sizes(self._solver, query, inputs.every, sizes, budget=self._budget, name=name)
        kept = [each for each in inputs.every if each not in free]
        about, solved = frozenset(inputs.every), self._propagator.simplifier.solved
        apart = [
            each
            for each in self._inputs
            if each not in about and (each not in solved or self._may_change(each, query, kept, sizes, name))
        ]
        shown = [each for each in kept if each.lower is not None and each.lower >= 0]
        floor = min((n for each in shown if not each.is_bit and isinstance(n := sizes[each], int)), default=None)
        also: Sizes | None = None
        if floor is not None and floor > 0:

            def fails(other: Model) -> bool:
                self.complete(other)
                return self.violated(claim, other) is None and self._wraps(other) is None

            changeable = [
                each for each in inputs.searched if each not in free and each.lower is not None and each.lower >= 0
            ]
            also = smaller_counterexample(changeable, shown, sizes, fails)
        if also is not None and free:
            there = self._completed_sizes(Model({**sizes, **also}))
            kept_free = free_sizes(self._solver, query, inputs.every, there, budget=self._budget, name=f"{name}-also")
            told = [each for each in free if each not in kept_free or there[each] != sizes[each]]  # facts may tie it
            also = {**also, **{each: n for each in told if isinstance(n := there[each], int)}}
        floor = None if floor is None else min(floor, 2)
        every = frozenset((*free, *apart))
        chosen = [
            VariableSubset(self._places, each) if each and each <= self._places.keys() else each
            for each in (every, self._restricted(every))
        ]
        return replace(refuted, floor=floor, also=also, free=chosen[0], restricted=chosen[1])

    def _restricted(self, variables: frozenset[Variable]) -> frozenset[Variable]:
        """Return those of the variables that a fact mentions that does not hold for all sizes of the domain.

        What is assumed of one size alone is its domain, which reports state.
        """
        active = (self._facts[number] for number in self._active)
        facts = dict.fromkeys(
            each.formula for each in active if each.source is not Source.ASSUMPTION or len(each.formula.variables) > 1
        )
        found = set[Variable]()
        for each in facts:
            mentioned = each.variables & variables
            if not mentioned <= found and Propagator().prove(each) is None:
                found |= mentioned
        return frozenset(found)

    def _within(self, claim: Formula, sizes: Model) -> Sizes:
        """Return values of variables in the claim other than inputs, as small as fails if that is near the bound."""
        inside = sorted(claim.variables.difference(self._inputs), key=lambda each: each.name) if self._inputs else []
        found = sizes
        for each in inside:
            number = found[each]
            if each.lower is None or not isinstance(number, int) or self._propagator.definition(each) is not None:
                continue
            for less in range(each.lower, min(number, each.lower + MOST_TRIED)):
                other = Model({**found, each: less})
                self.complete(other)
                if self.violated(claim, other) is None and self._wraps(other) is None:
                    found = other
                    break
        return {each: found[each] for each in inside}

    def _may_change(
        self, variable: Variable, query: Sequence[Formula], kept: Sequence[Variable], sizes: Model, name: str
    ) -> bool:
        """Return whether a variable outside of a query may have another value while the ``kept`` ones stay."""
        definition = self._propagator.definition(variable)
        if definition is None:
            return True
        size = definition[0]
        if not size.variables <= variables_in(query):
            return not size.is_constant
        numbers = {each: dim(n) for each in kept if isinstance(n := sizes[each], int)}
        return may_change(self._solver, query[1:], size, numbers, sizes, budget=self._budget, name=name)

    def _elsewhere(
        self,
        claim: Formula,
        query: list[tuple[int, Formula]],
        name: str,
        effort: Effort,
        wraps: OverflowAssumption,
        sizes: Model,
    ) -> Refuted | Undecided:
        """Search for sizes that falsify the claim without violating an overflow assumption, as the first ones did."""
        overflow = self._overflow.formulas()
        given = {formula for _, formula in query}
        if given.issuperset(overflow):
            return fails_only_if_it_wraps([wraps])
        variables = variables_in((*given, *overflow))
        facts = [formula for formula, _ in component(self._propagator, variables)]
        query = [query[0], *enumerate(dict.fromkeys((*overflow, *facts)), 1)]
        near = self._nearer(claim, query[0][1], sizes)
        if near is not None:
            return self.smallest(claim, Satisfiable(near, "small sizes"), query, name, effort)
        answer = self._solver.check(query, name=f"{name}-presumed", budget=self._budget)
        if isinstance(answer, Satisfiable):
            return self.smallest(claim, answer, query, name, effort)
        if isinstance(answer, Unsatisfiable):
            core = {formula for number, formula in query if number in answer.core}
            return fails_only_if_it_wraps(self._overflow.among(core) or [wraps])
        return Undecided(_OBSTACLES.get(answer.reason_kind, UndecidedReason.NOTHING_FOUND), answer.reason)

    def _nearer(self, claim: Formula, against: Formula, sizes: Model) -> Model | None:
        """Return sizes that falsify the claim and violate no overflow assumption, made of others, or None."""
        kept = self._reach.model, *self._reach.witnesses.kept
        for other in mixed(self._propagator, kept, sizes, against.variables):
            self.complete(other)
            if self.violated(claim, other) is None and self._wraps(other) is None:
                return other
        return None

    def _always_fails(self, query: list[tuple[int, Formula]], name: str) -> bool:
        if self._reach.witnesses.allow(negation(query[0][1])) or self._reach.against(query[0][1]) is not None:
            return False
        if self._propagator.prove(query[0][1]) is not None:
            return True
        turned = [(0, negation(query[0][1])), *query[1:]]
        answer = self._solver.check(turned, name=f"{name}-always", budget=self._budget, wants_core=False)
        return isinstance(answer, Unsatisfiable)

    def _reported(self, sizes: Model) -> ReportedModel:
        inputs = self._inputs
        return ReportedModel(zip(inputs, map(sizes.get, inputs, self._unnamed), strict=True) if inputs else sizes)
