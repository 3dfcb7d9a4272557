"""Instances of facts about loops, at chosen iterations.

A trace states what holds in a generic iteration of a loop, so it holds with any iteration's number in its place. Other
unknown values inside the loop depend on the iteration: they get other names for another one. Chosen are the first and
the last iteration, and those that the other program is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from shapesolve.records import record, value_record
from shapesolve.refinement.loops import Guarded, Iterations, Loops, Nest, numbers, shared
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, floordiv, of_atom, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies, less_than
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Fact, Obligation, Source
from shapesolve.trace.visitor import Scope

_MOST_OF_ONE = 48
_MOST = 300
"""Largest number of instances for one query; `_MOST_OF_ONE` is that of one fact."""


@record
class _Repeated:
    """A fact that holds in every iteration of some loops.

    Attributes:
        position: The position of its event.
        fact: The fact.
        around: The loops around it.
        nest: The same, and the loop that its own operation is.
        outside: Variables that are the same in all iterations.
    """

    position: int
    fact: Fact
    around: Nest
    nest: Nest
    outside: frozenset[Variable]


@value_record
class Chosen:
    """Iterations of the other program.

    Attributes:
        numbers: The variables of its loops, from the outermost in.
        iterations: Their iteration spaces.
    """

    numbers: Sequence[Variable]
    iterations: Mapping[Variable, Iterations]


NO_ITERATIONS = Chosen((), {})


@value_record
class _Precedes:
    """An order constraint: an iteration of some loops comes before the generic one, or is that one."""

    nest: Nest
    or_equal: bool

    def at(self, values: Mapping[Variable, Dim]) -> Formula:
        """Return the condition under which the iteration of these numbers precedes."""
        found: list[Formula] = []
        equal_so_far: list[Formula] = []
        for number in numbers(self.nest):
            found.append(conjunction([*equal_so_far, less_than(values[number], of_atom(number))]))
            equal_so_far.append(equal(values[number], of_atom(number)))
        return disjunction([*found, conjunction(equal_so_far)] if self.or_equal else found)


ANYWHERE = _Precedes((), or_equal=True)


class LoopInstances:
    """The facts that one program repeats in its loops.

    Args:
        common: Loop variables whose iterations are the same ones in the other program.
        in_step: The same program with the iterations of the other one: unknown values there are the same.
    """

    def __init__(
        self,
        interpretation: Interpretation,
        events: Sequence[Guarded],
        common: frozenset[Variable],
        in_step: LoopInstances | None = None,
    ) -> None:
        self._in_step = in_step
        self._common = common
        self._iterations = interpretation.iterations
        loops = {each.op for each in interpretation.iterations.values()} | {None}
        self._inner = {made for made, op in interpretation.makers.items() if op in loops}
        self._loops = Loops(interpretation.trace, interpretation.iterations)
        self._last = {each.enter.of: each.enter for event in events for each in event.around if each.enter.repeats}
        self._facts = (
            [] if common >= interpretation.iterations.keys() else list(self._repeated(interpretation, events, common))
        )
        # What else is demanded is shown where it is demanded, of all iterations.
        self._checks = [each for each in self._facts if each.fact.source is Source.CHECK]

    def nests(self) -> list[Chosen]:
        """Return the loops that only this program has, with those around them."""
        found = dict.fromkeys(tuple(numbers(each.nest)) for each in self._facts)
        longest = [each for each in found if not any(other[: len(each)] == each and other != each for other in found)]
        return [Chosen(each, self._iterations) for each in longest]

    def around(self, event: Guarded) -> Chosen:
        """Return the iterations that an event is in; none if they are not known."""
        nest = self._loops.around(event.around)
        return NO_ITERATIONS if nest is None else Chosen(tuple(numbers(nest)), self._iterations)

    # Facts -------------------------------------------------------------------------------------------------------

    def in_all(self, chosen: Sequence[Chosen]) -> Iterator[Fact]:
        """Yield what holds after all iterations of all loops."""
        return _unique_facts(self._instances(each, chosen) for each in self._facts)

    def before(self, check: Guarded, position: int, chosen: Sequence[Chosen]) -> Iterator[Fact]:
        """Return the facts that hold where an event is the first failure, in the generic iteration.

        The iterations of earlier loops are all done, and those of the loops around it that have lower numbers; of its
        own, what stands before it. It is the first in the order of the numbers: where the iterations of a loop have no
        order, the first failure in it may be chosen so.
        """
        nest = self._loops.around(check.around)
        if nest is None:
            return iter(())
        return _unique_facts(
            self._instances(each, chosen, own=both, precedes=_Precedes(both, or_equal=each.position < position))
            for each in sorted(self._facts, key=lambda each: (not shared(each.around, nest), -each.position))
            if (both := shared(each.around, nest)) or each.position < position
        )

    def earlier(self, around: Sequence[Scope], scope: Scope, chosen: Chosen) -> Iterator[Fact]:
        """Return what holds inside a loop in which nothing has failed so far: it held in earlier iterations."""
        nest = self._loops.around((*around, scope)) if scope.enter.is_sequential else None
        if not nest:
            return iter(())
        outer, before = nest[:-1], _Precedes(nest, or_equal=False)
        return _unique_facts(
            chain(
                [self._facts_in_step(nest, before)],
                (
                    self._instances(each, [chosen], kept=outer, own=nest[-1:], precedes=before)
                    for each in self._checks
                    if shared(each.around, nest) == nest
                ),
            )
        )

    def left(self, around: Sequence[Scope], scope: Scope, chosen: Chosen) -> Iterator[Fact]:
        """Return what holds behind a loop in which nothing has failed: it held in all iterations."""
        nest = self._loops.around((*around, scope)) if scope.enter.repeats else None
        if not nest or self._last.get(scope.enter.of) is not scope.enter:
            return iter(())
        outer = nest[:-1]
        return _unique_facts(
            chain(
                [self._facts_in_step(nest, _Precedes(outer, or_equal=True))],
                (
                    self._instances(each, [chosen], kept=outer)
                    for each in self._checks
                    if shared(each.around, nest) == nest
                ),
            )
        )

    def _facts_in_step(self, nest: Nest, precedes: _Precedes) -> Iterator[Fact]:
        """Yield what holds in the other program's iteration, where that precedes the generic one."""
        if self._in_step is None:
            return
        theirs = [self._in_step._loops.of(each.op) for each in nest]
        values: dict[Variable, Dim] = {}
        for own, other in zip(nest, theirs, strict=True):
            if other is None or len(own.numbers) != len(other.numbers):
                return
            values.update(zip(own.numbers, map(of_atom, other.numbers), strict=True))
        for each in self._in_step._checks:
            if list(each.around[: len(nest)]) == theirs:
                yield replace(each.fact, formula=implies(precedes.at(values), each.fact.formula), built_by=None)

    def _repeated(
        self, interpretation: Interpretation, events: Sequence[Guarded], common: frozenset[Variable]
    ) -> Iterator[_Repeated]:
        outside = frozenset(interpretation.trace.input_variables)
        for position, each in enumerate(events):
            fact = each.fact
            if fact is None or fact.formula is TRUE:
                continue
            variables, around = fact.formula.variables, self._loops.around(each.around)
            nest = () if around is None else self._nest(each, around, variables)
            is_whole = variables & self._iterations.keys() <= set(
                numbers(nest)
            )  # of no iteration that is not told apart
            if is_whole and not common.issuperset(numbers(nest)) and not _has_shapes(variables - outside):
                yield _Repeated(position, fact, around or (), nest, outside)
            if not any(scope.enter.repeats for scope in each.around):
                outside |= variables - self._iterations.keys() - self._inner

    def _nest(self, each: Guarded, around: Nest, variables: frozenset[Variable]) -> Nest:
        """Return the loops around an event, and the one that its operation is: one that works on many positions."""
        own = self._loops.of(each.event.op) if isinstance(each.event, Obligation) else None
        return around if own is None or own in around or variables.isdisjoint(own.numbers) else (*around, own)

    # Instances ---------------------------------------------------------------------------------------------------

    def _instances(
        self,
        each: _Repeated,
        chosen: Sequence[Chosen],
        *,
        kept: Nest = (),
        own: Nest = (),
        precedes: _Precedes = ANYWHERE,
    ) -> Iterator[Fact]:
        """Yield instances of a fact at chosen iterations.

        Args:
            chosen: The iterations.
            kept: Loops that stay at the generic iteration.
            own: Loops of which the generic iteration and the one before it are among the chosen, as for those in
                common.
            precedes: The condition on the iterations.
        """
        interpretation, fixed = self._common.union(numbers(own)), frozenset(numbers(kept))
        loops = tuple(numbers(each.nest))
        for one in chosen or (NO_ITERATIONS,):
            for values in islice(self._values(loops, {}, one, interpretation, fixed), _MOST_OF_ONE):
                if any(value is not of_atom(number) for number, value in values.items()):
                    formula = self._instance(each, values, precedes)
                    if formula is not TRUE:
                        yield replace(each.fact, formula=formula, built_by=None)

    def _values(
        self,
        loops: tuple[Variable, ...],
        values: dict[Variable, Dim],
        chosen: Chosen,
        interpretation: frozenset[Variable],
        fixed: frozenset[Variable],
    ) -> Iterator[dict[Variable, Dim]]:
        """Yield the numbers of chosen iterations of all loops, from the outermost in."""
        if not loops:
            yield values
            return
        number, *others = loops
        options = [of_atom(number)] if number in interpretation | fixed else []
        if number not in fixed:
            options.extend(self._options(number, values, chosen))
        if number in interpretation:
            options.append(of_atom(number) - self._iterations[number].step)
        for value in dict.fromkeys(options):
            yield from self._values(tuple(others), {**values, number: value}, chosen, interpretation, fixed)

    def _options(self, number: Variable, values: Mapping[Variable, Dim], chosen: Chosen) -> Iterator[Dim]:
        """Yield iterations of one loop: those that correspond to the other program's, the first and the last."""
        own, by = self._iterations[number], Instantiation(values)
        first, end, step = map(by.size, (own.first, own.end, own.step))
        for other in chosen.numbers:
            yield of_atom(other)
            theirs = chosen.iterations[other].first
            if theirs is not first:
                yield of_atom(other) - theirs + first
        yield first
        last = first + floordiv(end - 1 - first, step) * step
        yield last
        if own.last_leaves:
            yield last - step

    def _instance(self, each: _Repeated, values: Mapping[Variable, Dim], precedes: _Precedes) -> Formula:
        """Return the fact at iterations of these numbers, if there are such; TRUE if it cannot be stated."""
        which = ", ".join(f"{number} = {value}" for number, value in values.items())
        rest = each.fact.formula.variables - each.outside - values.keys()
        copies = {inner: variable(f"{inner} where {which}", inner.lower, inner.upper) for inner in rest}
        try:
            held = Instantiation({**values, **copies}).formula(each.fact.formula)
            bounds = [_within(number, value) for number, value in values.items()]
            return implies(conjunction([*bounds, precedes.at(values)]), held)
        except (TooLarge, ValueError):
            return TRUE


def _unique_facts(found: Iterable[Iterable[Fact]]) -> Iterator[Fact]:
    """Return every fact once, up to `_MOST`."""
    seen: dict[Formula, Fact] = {}
    for each in islice((fact for facts in found for fact in facts), _MOST):
        seen.setdefault(each.formula, each)
    return iter(seen.values())


def _has_shapes(variables: Iterable[Variable]) -> bool:
    """Return whether a shape of unknown rank is among the variables: such have no copies."""
    return any(isinstance(each, ShapeSymbol) for each in variables)


def _within(number: Variable, value: Dim) -> Formula:
    """Return the condition that a value is within a variable's bounds."""
    low = at_least(value, number.lower) if number.lower is not None else TRUE
    return conjunction([low, at_least(number.upper, value)]) if number.upper is not None else low
