"""Weakest preconditions of obligations over the inputs: the claim, wherever control reaches it.

A claim about every iteration of a loop is instantiated at the first and last one. That is necessary, for both run, and
short; whether it is sufficient is for a check to show. Where it is not, the iteration is eliminated by universal
quantification.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from shapesolve.ir.program import Location, Operation, ScalarType
from shapesolve.records import record, value_record
from shapesolve.simplification.quantifier_elimination import eliminate_forall
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails_each_part
from shapesolve.symbolic.atoms import Atom, Rank, Remainder, ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula, IsNonNegative, IsZero
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, implies, negation
from shapesolve.symbolic.linear import Range, equations
from shapesolve.symbolic.normal_forms import split_multiples
from shapesolve.symbolic.shape_kinds import RankedShape, UnrankedShape
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Enter, Fact, FoldQuery, MayNotReturn, Obligation, Source, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, handle_events

_MOST_INSTANCES = 16
_ANY = 2**64
_LONGEST = 3000
"""Largest length, in characters, of a claim that is instantiated at boundary iterations."""


@record
class Precondition:
    """Condition on the inputs under which an obligation holds.

    Attributes:
        obligation: The obligation.
        formula: The condition.
        exact: Whether the obligation fails wherever the condition does not hold.
    """

    obligation: Obligation
    formula: Formula
    exact: bool

    def and_also(self, other: Precondition) -> Precondition:
        """Return the conjunction with another precondition of the obligation."""
        return replace(self, formula=conjunction((self.formula, other.formula)))


@value_record
class _PathCondition:
    """The path condition of an obligation.

    Attributes:
        conditions: The conditions of the regions around it, and of returning from operations before it.
        iterations: Those of them that are about iterations.
        exact: Whether control surely reaches the obligation under them.
        input_facts: The facts about the inputs that operations before it assume in every run.
    """

    conditions: tuple[Formula, ...]
    iterations: tuple[Formula, ...]
    exact: bool
    input_facts: tuple[Formula, ...] = ()


def sufficient_preconditions(trace: Trace, obligations: Iterable[Obligation]) -> dict[Obligation, Precondition]:
    """Return preconditions that hold for every value of the unmodeled variables.

    They are exact where that is necessary for every value, too.
    """
    inputs = frozenset(trace.input_variables)
    found = _PathConditions(inputs)
    handle_events(trace, found)
    projection = _InputProjection(inputs, frozenset(), trace.ranges, found.equations)
    demanded: dict[Obligation, Precondition] = {}
    for obligation in obligations:
        claim, way = projection.substitute_definitions(obligation.claim, found.ways[obligation])
        whole = implies(conjunction(way.conditions), claim)
        about = [each for each in found.always if each.variables & whole.variables - projection.inputs]
        sufficient = projection.for_all_values(implies(conjunction(about), whole))
        if sufficient is not None and sufficient is not FALSE:
            is_exact = way.exact and entails_each_part(sufficient, [whole, *about], budgets.LARGE)
            demanded[obligation] = Precondition(obligation, sufficient, is_exact)
    return demanded


def weakest_preconditions(trace: Trace, *, all_iterations: bool = False) -> dict[Obligation, Precondition]:
    """Return the precondition of each obligation, over the function's inputs.

    Obligations over values that are neither inputs nor iterations are omitted.

    Args:
        all_iterations: Eliminate iterations by universal quantification instead of instantiating the first and last
            one; only obligations about iterations then have a precondition.
    """
    found, projection = _projected(trace)
    demanded: dict[Obligation, Precondition] = {}
    for obligation, way in found.ways.items():
        claim, way = projection.substitute_definitions(obligation.claim, way)
        formula = None if all_iterations else projection.at_boundary_iterations(claim, way)
        if formula is None:
            formula = projection.at_all_iterations(claim, way)
        if formula is not None:
            demanded[obligation] = Precondition(obligation, _without_entailed(formula, way.input_facts), way.exact)
    return demanded


def _projected(trace: Trace) -> tuple[_PathConditions, _InputProjection]:
    """Return the path conditions of a trace, and the projection of claims to what is known of its inputs."""
    inputs = frozenset(trace.input_variables)
    found = _PathConditions(inputs)
    handle_events(trace, found)
    unknown = frozenset[Variable]().union(*(each.free for each in trace.approximations), found.defined)
    return found, _InputProjection(inputs, unknown, trace.ranges, found.equations)


def _without_entailed(formula: Formula, input_facts: Sequence[Formula]) -> Formula:
    """Return a precondition without the conjuncts that the facts about the inputs entail."""
    scalar = RankedShape.of(())
    assert isinstance(scalar, RankedShape)
    scalars = {symbol: scalar for each in input_facts if (symbol := _scalar_extent(each)) is not None}
    formula = Instantiation({}, scalars).formula(formula) if scalars else formula
    about = variables_in(input_facts)
    if not formula.variables & about:
        return formula
    return conjunction(
        each
        for each in conjuncts(formula)
        if not each.variables & about or not entails_each_part(each, list(input_facts), budgets.LARGE)
    )


def _scalar_extent(fact: Formula) -> Variable | None:
    """Return the shape variable that a fact says to have rank 0."""
    rank = fact.size.atom if isinstance(fact, IsZero) else None
    whole = rank.parts[0] if isinstance(rank, Rank) else None
    return whole.symbol if isinstance(whole, UnrankedShape) else None


@record
class BranchCondition:
    """Condition of a region or of a choice between values, over the inputs.

    Attributes:
        text: The decision, as a phrase; "" if it is of no interest by itself.
        otherwise: The opposite decision.
        location: The position of the operation that decides.
        taken: The condition under which it is so, in some iteration of the loops around it.
        reached: The condition under which control reaches the decision.
        position: The number of obligations before it.
        op: The operation that decides, if the trace has it.
    """

    text: str
    otherwise: str
    location: Location
    taken: Formula
    reached: Formula
    position: int
    op: Operation | None


def branch_conditions(trace: Trace) -> list[BranchCondition]:
    """Return the decisions of a function whose conditions are over the inputs once iterations are eliminated.

    These are the regions that run conditionally, and the values that an operation on numbers chooses.
    """
    found, projection = _projected(trace)

    def possible(way: _PathCondition) -> Formula | None:
        _, way = projection.substitute_definitions(TRUE, way)
        never = negation(conjunction(way.conditions))
        if never.variables - projection.inputs:
            never = projection.at_all_iterations(FALSE, way)
        return None if never is None else negation(never)

    branches: list[BranchCondition] = []
    for texts, location, op, way, demands in found.branches:
        taken, reached = possible(way), possible(replace(way, conditions=way.conditions[:-1]))
        if taken is not None and reached is not None:
            branches.append(BranchCondition(*texts, location, taken, reached, demands, op))
    return branches


class _PathConditions(Handler[None]):
    """Collects the path condition of each obligation.

    Attributes:
        ways: The path conditions.
        defined: The variables of all facts on the way.
        equations: The facts that define values.
        always: The facts about results that hold wherever these are used.
    """

    def __init__(self, inputs: frozenset[Variable]) -> None:
        self._inputs = inputs
        self._not_stopped: list[Formula] = []
        self._input_facts: list[Formula] = []
        self.ways: dict[Obligation, _PathCondition] = {}
        self.defined: set[Variable] = set()
        self.equations: list[Formula] = []
        self.always: list[Formula] = []
        """Facts about results that hold wherever these are used."""
        self.branches: list[tuple[tuple[str, str], Location, Operation | None, _PathCondition, int]] = []
        """Decisions with their path conditions, the own condition last, and the number of obligations before."""
        self._stopped = False

    def enter(self, scope: Scope, around: Around) -> None:
        enter, condition = scope.enter, scope.enter.condition
        if condition is not None and condition.location is not None and not enter.approximate:
            self._decide(_decision(enter, condition), condition.location, enter.of, condition.formula, around)

    def fold_query(self, question: FoldQuery, around: Around) -> None:
        choice = None if question.alternative is None else question.alternative.gives
        if choice is not None and all(isinstance(each.type, ScalarType) for each in question.op.results):
            other = f"{question.op.name} gives another value than {choice if isinstance(choice, int) else choice.name}"
            self._decide(("", other), question.op.location, question.op, question.condition, around)

    def _decide(
        self, texts: tuple[str, str], location: Location, op: Operation | None, condition: Formula, around: Around
    ) -> None:
        if self._stopped or any(each.enter.approximate for each in around):
            return
        known = [each.condition for each in around if each.enter.condition is not None]
        way = _PathCondition((*self._not_stopped, *known, condition), (), exact=True)
        self.branches.append((texts, location, op, way, len(self.ways)))

    def fact(self, fact: Fact, around: Around) -> None:
        self.defined |= fact.formula.variables
        if fact.source is Source.DEFINITION:
            self.equations.append(fact.formula)
            if not around and fact.formula.variables <= self._inputs:
                self._input_facts.append(fact.formula)
        if fact.source in (Source.DEFINITION, Source.INVARIANT) and not around:
            self.always.append(fact.formula)

    def may_not_return(self, stop: MayNotReturn, around: Around) -> None:
        there = conjunction(each.condition for each in around if each.enter.condition is not None)
        is_known = not any(each.enter.repeats or each.enter.approximate for each in around)
        if stop.is_sure and is_known and there.variables <= self._inputs:
            self._not_stopped.append(negation(there))
        else:
            self._stopped = True

    def obligation(self, obligation: Obligation, around: Around) -> None:
        known = [each for each in around if each.enter.condition is not None]
        self.ways[obligation] = _PathCondition(
            (*(each.condition for each in known), *self._not_stopped),
            tuple(each.condition for each in known if each.enter.repeats),
            exact=not self._stopped and not any(each.enter.approximate for each in around),
            input_facts=tuple(self._input_facts),
        )


def _decision(enter: Enter, condition: Fact) -> tuple[str, str]:
    """Return phrases for a region that runs and for one that does not."""
    if enter.repeats:
        return "the loop runs", "the loop does not run"
    text = condition.because
    opposites = {
        "the branch is taken": "the branch is not taken",
        "the branch is not taken": "the branch is taken",
        "control gets to this block": "control does not get to this block",
    }
    return text, opposites.get(text, f"never {text}")


@value_record
class _InputProjection:
    """Projects claims onto the inputs by substitution, instantiation or quantifier elimination.

    Attributes:
        inputs: The variables of the inputs.
        unknown: Variables that cannot be eliminated.
        ranges: The ranges of loop variables.
        definitions: Equations that define variables.
    """

    inputs: frozenset[Variable]
    unknown: frozenset[Variable]
    ranges: Mapping[str, Range]
    definitions: Sequence[Formula]

    def substitute_definitions(self, claim: Formula, way: _PathCondition) -> tuple[Formula, _PathCondition]:
        """Substitute variables that were introduced for sizes on the way, in a claim and its path."""
        left = (claim.variables | conjunction(way.conditions).variables) - self.inputs
        for definition in reversed(self.definitions) if left else ():
            for variable, size in equations(definition):
                if variable not in left or variable.text in self.ranges:
                    continue
                put = Instantiation({variable: size}).formula
                claim, left = put(claim), left | (size.variables - self.inputs)
                conditions, iterations = map(put, way.conditions), map(put, way.iterations)
                way = replace(way, conditions=tuple(conditions), iterations=tuple(iterations))
                break
        return claim, way

    def at_boundary_iterations(self, claim: Formula, way: _PathCondition) -> Formula | None:
        """Instantiate a claim at the first and last iteration of its loops; None if a bound is unknown."""
        path = conjunction(way.conditions)
        rest = (claim.variables | path.variables) - self.inputs
        whole = implies(path, claim)
        if not rest:
            return whole
        if rest & self.unknown or len(str(whole)) > _LONGEST:
            return None
        bounds = [part for each in way.iterations for part in conjuncts(each)]
        numbers = sorted(rest, key=lambda each: each.text)
        choices = [
            list(
                dict.fromkeys(
                    (*_first_and_last(each, bounds), *_between_numbers(each, self.ranges.get(each.text), path))
                )
            )
            for each in numbers
        ]
        if not all(choices):
            return None
        instances: list[Formula] = []
        for chosen in islice(product(*choices), _MOST_INSTANCES):
            formula = _instantiate(whole, {number: each.value for number, each in zip(numbers, chosen, strict=True)})
            if formula is None or not formula.variables <= self.inputs:
                return None
            # The last iteration of none has a number below the first one's.
            instances.append(implies(conjunction(each.condition for each in chosen), formula))
        return conjunction(instances)

    def at_all_iterations(self, claim: Formula, way: _PathCondition) -> Formula | None:
        """Return a claim for all iterations of its loops; None if these cannot be eliminated."""
        found = implies(conjunction(way.conditions), claim)
        left = found.variables - self.inputs
        return None if left & self.unknown else self._without(found, self.ranges)

    def for_all_values(self, claim: Formula) -> Formula | None:
        """Return a claim for all values of its variables that are no inputs."""
        left = sorted(claim.variables - self.inputs, key=lambda each: each.text)
        ranges = {each.text: _any_number(each) for each in left if not isinstance(each, ShapeSymbol)}
        return self._without(claim, {**ranges, **self.ranges})

    def _without(self, found: Formula, ranges: Mapping[str, Range]) -> Formula | None:
        """Eliminate variables with known ranges from a claim, for all their values; None if that fails."""
        left = found.variables - self.inputs
        if not left or len(str(found)) > _LONGEST:
            return None
        while left:
            # The range of an inner loop may speak of the number of an outer one.
            inner = sorted(left, key=lambda each: each.text, reverse=True)
            several = (eliminate_forall(found, each, ranges[each.text]) for each in inner if each.text in ranges)
            fewer = next((each for each in several if each is not None), None)
            if fewer is None or len(str(fewer)) > _LONGEST:
                return None
            found, before = fewer, left
            left = found.variables - self.inputs
            if not left < before:
                return None
        return found


def _any_number(variable: Variable) -> Range:
    least = -_ANY if variable.lower is None else variable.lower
    return dim(least), dim((_ANY if variable.upper is None else variable.upper) + 1), ONE


@value_record
class _Iteration:
    """The number of an iteration, and the condition under which it is one."""

    value: Dim
    condition: Formula


def _between_numbers(variable: Variable, range: Range | None, path: Formula) -> list[_Iteration]:
    """Return the first and last iteration where both are constants, which the path condition need not state.

    Where a loop ends in its middle, as one of blocks does, the last iteration does not reach what stands behind.
    """
    if range is None or not all(each.is_constant for each in range):
        return []
    first, end, step = (each.constant for each in range)
    if step < 1 or first >= end:
        return []
    last = end - 1 - (end - 1 - first) % step
    if _instantiate(path, {variable: dim(last)}) is FALSE:
        last = max(first, last - step)
    return [_Iteration(dim(each), TRUE) for each in dict.fromkeys((first, last))]


def _first_and_last(variable: Variable, bounds: Sequence[Formula]) -> list[_Iteration]:
    """Return the first and last iteration of a variable as given by its bounds; empty if one is unknown."""
    if variable.lower is None:
        return []
    first = dim(variable.lower)
    found = [_Iteration(first, _within(variable, first))]
    for bound in bounds:
        if variable in bound.variables and isinstance(bound, IsNonNegative):
            room, step = _at(bound.size, variable, 0), _at(bound.size, variable, 1)
            if room is None or step is None or not (room - step).is_constant:
                return []
            pace = (room - step).constant
            if pace > 0:
                found.append(_Iteration(room // pace, _within(variable, room // pace)))
    lasts = found[1:]
    found += [_in_step(variable, last, each) for each in _steps(variable, bounds) for last in lasts]
    return list(dict.fromkeys(found)) if len(found) > 1 else []


@value_record
class _Step:
    """A stride: a variable is ``first`` plus a multiple of ``by``."""

    first: Dim
    by: Dim


def _steps(variable: Variable, bounds: Sequence[Formula]) -> list[_Step]:
    """Return the strides of a variable that are sizes."""
    found: list[_Step] = []
    for bound in bounds:
        if not isinstance(bound, IsZero):
            continue
        for atom in bound.size.atoms():
            if isinstance(atom, Remainder) and bound.size is of_atom(atom) and not atom.parts[1].is_constant:
                before, after = (_at(atom.parts[0], variable, value) for value in (0, 1))
                if before is not None and after is not None and after - before is ONE:
                    found.append(_Step(-before, atom.parts[1]))
    return found


def _in_step(variable: Variable, last: _Iteration, step: _Step) -> _Iteration:
    """Return the last iteration with this stride up to a number."""
    value = step.first + step.by * ((last.value - step.first) // step.by)
    starts = [at_least(step.by, 1), at_least(last.value, step.first), _within(variable, step.first)]
    return _Iteration(value, conjunction([last.condition, *starts]))


def _within(number: Variable, value: Dim) -> Formula:
    bounds = [at_least(value, number.lower)] if number.lower is not None else []
    return conjunction([*bounds, at_least(number.upper, value)] if number.upper is not None else bounds)


def _at(size: Dim, variable: Variable, value: int) -> Dim | None:
    try:
        return Instantiation({variable: dim(value)}).size(size)
    except ValueError:
        return None


class _IterationSubstitution(Instantiation):
    """Substitution that folds remainders of multiples of a divisor to 0: iterations have that stride."""

    def read_atom(self, atom: Atom) -> Dim:
        found = super().read_atom(atom)
        for each in found.atoms() if isinstance(atom, Remainder) else ():
            if found is of_atom(each) and isinstance(each, Remainder) and split_multiples(*each.parts)[1] is ZERO:
                return ZERO
        return found


def _instantiate(formula: Formula, values: dict[Variable, Dim]) -> Formula | None:
    try:
        return _IterationSubstitution(values).formula(formula)
    except ValueError:
        return None
