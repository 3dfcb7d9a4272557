"""Inductive invariants of the numbers that a loop carries.

A number is one extent, one element, or a value that is a number. It stays as it is, or grows by the same amount from
iteration to iteration, or is loose: then a variable stands for it, one for all that begin alike and change alike, and
the invariant says that it never falls below (or rises above) its first value, which numbers its changes are multiples
of, and between which ends it is after some iterations, if each changes it by a bounded amount. All of this is a
candidate, and an iteration that is given the candidate must yield it again: that is an invariant by induction. Then the
recurrence of a loose number may give a closed form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations

from shapesolve.domain.fresh_variables import FreshVariables, integer_range
from shapesolve.domain.values import Abstract, Size, Tensor
from shapesolve.domain.widening import Part, Place, changes, covers, widen
from shapesolve.int64 import MAX_SIZE
from shapesolve.interpreter.loops.changes import (
    Change,
    bounded_change,
    is_at_most,
    is_closer,
    kept_by,
    premises,
    within_reach,
)
from shapesolve.interpreter.loops.closed_forms import boolean_recurrence, closed_forms
from shapesolve.interpreter.loops.iteration_spans import is_non_negative
from shapesolve.interpreter.loops.kept_ends import End, kept_ends
from shapesolve.interpreter.loops.recurrences import at_iteration
from shapesolve.ir.program import ShapedType, Type, Value
from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.derivations import unrecorded
from shapesolve.symbolic.dims import ZERO, Dim, of_atom
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, equal
from shapesolve.symbolic.normal_forms import as_number, maximum
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.visitors import Instantiation

_MOST_ORDERED = 6
"""The most loose numbers that are compared in pairs."""

NumberPlace = tuple[int, Place]
"""The position of a carried value, and the place of a number in it."""

Names = frozenset[str]


def numbers(value: Abstract) -> dict[Place, Dim]:
    """Return the numbers that a value consists of."""
    if isinstance(value, Dim):
        return {Part.WHOLE: value}
    if isinstance(value, Size):
        return {Part.NUMBER: value.value}
    shape = value.shape if isinstance(value, Tensor) else value
    found: dict[Place, Dim] = {}
    if isinstance(shape, RankedShape):
        found.update((("extent", index), extent) for index, extent in enumerate(shape.dims))
    for index, element in enumerate((isinstance(value, Tensor) and value.elements) or ()):
        if isinstance(element, Dim):
            found["element", index] = element
    return found


def with_numbers(value: Abstract, new: Mapping[Place, Dim]) -> Abstract:
    """Return the value with other numbers in some places."""
    if not new:
        return value
    match value:
        case Size():
            return Size(new[Part.NUMBER], value.valid)
        case RankedShape():
            return _with_extents(value, new)
        case Tensor(shape=shape, elements=elements):
            if elements is not None:
                elements = tuple(new.get(("element", index), element) for index, element in enumerate(elements))
            return replace(value, shape=_with_extents(shape, new), elements=elements)
        case _:
            return new[Part.WHOLE]


def _with_extents(shape: Shape, new: Mapping[Place, Dim]) -> Shape:
    if not isinstance(shape, RankedShape):
        return shape
    extents = (new.get(("extent", index), extent) for index, extent in enumerate(shape.dims))
    return RankedShape.of(extents, shape.valid)


def instantiated(value: Abstract, put: Instantiation) -> Abstract:
    """Return the value with variables replaced: in a truth value, or in all of its numbers and when it is an error."""
    match value:
        case Formula():
            return put.formula(value)
        case Size():
            return Size(put.size(value.value), put.formula(value.valid))
        case RankedShape():
            return RankedShape.of(map(put.size, value.dims), put.formula(value.valid))
        case _:
            return with_numbers(value, {place: put.size(each) for place, each in numbers(value).items()})


@value_record
class CarriedValues:
    """The values that a loop carries at one point.

    Attributes:
        values: The abstract values.
        facts: Formulas that define the variables in them.
        kept: The invariant.
        free: The variables that stand for any number.
        wholly: For each value, whether nothing of it is known.
    """

    values: tuple[Abstract, ...]
    facts: tuple[Formula, ...]
    kept: Formula
    free: frozenset[Variable]
    wholly: tuple[bool, ...]


@dataclass(slots=True)
class InvariantCandidate:
    """An invariant candidate for the carried values, corrected until an iteration keeps it.

    Attributes:
        initial: The initial values.
        likes: The SSA values that give types and names.
        loose: For each value, the places of loose numbers.
        growing: The amount by which a number grows in each iteration.
        group_numbers: Group numbers that distinguish loose numbers which began alike and changed differently.
        lasting: The observed change of loose numbers, in an iteration where the loop ``goes_on``.
        bounded: The bounds of these changes.
        together: Pairs of loose numbers whose sum (sign 1) or difference (-1) is bounded closer than they are.
        ordered: Pairs of loose numbers of which the first is never more than the second.
        ends: The ends that loose numbers keep within.
        followed: For each loose number that is never more than some number was before, which one.
        goes_on: The condition under which there is a next iteration.
        least: Lower bounds of loose numbers; None if an iteration may go below.
        forms: The closed forms.
        cautious: Whether every number that changes becomes loose.
    """

    initial: tuple[Abstract, ...]
    likes: Sequence[Value]
    loose: list[set[Place]] = field(default_factory=list[set[Place]])
    growing: dict[NumberPlace, Dim] = field(default_factory=dict[NumberPlace, Dim])
    group_numbers: dict[NumberPlace, int] = field(default_factory=dict[NumberPlace, int])
    lasting: dict[NumberPlace, Dim] = field(default_factory=dict[NumberPlace, Dim])
    bounded: dict[NumberPlace, Change] = field(default_factory=dict[NumberPlace, Change])
    together: list[tuple[NumberPlace, NumberPlace, int, Change]] = field(
        default_factory=list[tuple[NumberPlace, NumberPlace, int, Change]]
    )
    ordered: list[tuple[NumberPlace, NumberPlace]] = field(default_factory=list[tuple[NumberPlace, NumberPlace]])
    ends: dict[NumberPlace, tuple[End, ...]] = field(default_factory=dict[NumberPlace, tuple[End, ...]])
    followed: dict[NumberPlace, NumberPlace] = field(default_factory=dict[NumberPlace, NumberPlace])
    goes_on: Formula = TRUE
    least: dict[NumberPlace, int | None] = field(default_factory=dict[NumberPlace, int | None])
    forms: dict[NumberPlace, Dim] = field(default_factory=dict[NumberPlace, Dim])
    cautious: bool = False

    def __post_init__(self) -> None:
        self.loose = [set() for _ in self.initial]

    def drop_all(self) -> None:
        """Keep nothing."""
        self.keep_only_unchanged()
        self.loose = [{Part.WHOLE} for _ in self.initial]

    def keep_only_unchanged(self) -> None:
        """Treat growing numbers as arbitrary, so that only unchanged values remain invariant."""
        for position, place in self.growing:
            self.loose[position].add(place)
        self.growing, self.group_numbers, self.cautious = {}, {}, True

    @property
    def max_iteration(self) -> int:
        """An upper bound of the iteration number: an integer of few bits that grows has room for no more."""
        rounds = [MAX_SIZE]
        for (position, place), step in self.growing.items():
            pace = step.constant if step.is_constant else 0
            low, high = integer_range(_element_type(self.likes[position]))
            first = numbers(self.initial[position])[place].bounds()[0 if pace > 0 else 1]
            if pace and first is not None and not _is_extent(place):
                rounds.append(max(0, (high - first) // pace if pace > 0 else (first - low) // -pace))
        return min(rounds)

    def values_after(self, rounds: Dim, unknowns: FreshVariables, *, is_exact: bool) -> CarriedValues:
        """Return the carried values after a number of iterations; ``is_exact`` is False if that number is unknown."""
        values: list[Abstract] = []
        facts: list[Formula] = []
        free: set[Variable] = set()
        alike: dict[object, Dim] = {}
        for position, (value, like) in enumerate(zip(self.initial, self.likes, strict=True)):
            if isinstance(value, Formula) and (position, Part.WHOLE) in self.forms:
                values.append(equal(at_iteration(self.forms[position, Part.WHOLE], rounds), 1))
                continue
            grown = self._grown(position, rounds)
            named = {place for place, number in grown.items() if _may_be_no_size(place, number)}
            kept, varying = widen(value, self.loose[position] | named, like, unknowns)
            of_kept = numbers(kept)
            closer = dict(self._with_lower_bounds(position, of_kept))
            kept = with_numbers(kept, closer)
            varying |= {each for number in closer.values() for each in number.variables}
            of_kept = numbers(kept)
            for place in named:
                facts.append(equal(of_kept[place], grown.pop(place)))
                varying -= of_kept[place].variables
            free |= varying
            grown.update(self._shared_variables(position, of_kept, alike))
            values.append(with_numbers(kept, grown))
        wholly = tuple(Part.WHOLE in each for each in self.loose)
        kept = self.invariant_of(values, rounds if is_exact else None)
        return CarriedValues(tuple(values), tuple(facts), kept, frozenset(free), wholly)

    def _grown(self, position: int, rounds: Dim) -> dict[Place, Dim]:
        at_first = numbers(self.initial[position])
        grown = {
            place: at_first[place] + rounds * step for (owner, place), step in self.growing.items() if owner == position
        }
        return grown | {
            place: at_iteration(form, rounds) for (owner, place), form in self.forms.items() if owner == position
        }

    def solve(
        self, given: Sequence[Abstract], yielded: Sequence[Abstract], put: Instantiation, known: Formula, inside: Names
    ) -> bool:
        """Find closed forms of loose numbers from their change in an iteration; return whether there are any.

        ``put`` puts `ITERATION` for the number of the iteration, in which ``known`` holds. ``inside`` are names that
        mean nothing outside of it.
        """
        standing: dict[Variable, list[NumberPlace]] = {}
        first: dict[Variable, Dim] = {}
        after: dict[Variable, Dim] = {}
        for where, at_first, variable, then in self._changing(given, yielded):
            standing.setdefault(variable, []).append(where)
            first[variable], after[variable] = at_first, put.size(then)
        found = closed_forms(first, after, conjuncts(put.formula(known)), inside - {each.name for each in first})
        for variable, form in found.items():
            for position, place in standing[variable]:
                self.forms[position, place] = form
                self.loose[position].discard(place)
        return bool(found)

    def _changing(
        self, given: Sequence[Abstract], yielded: Sequence[Abstract]
    ) -> Iterator[tuple[NumberPlace, Dim, Variable, Dim]]:
        """Yield loose numbers: their place, first value, variable, and recurrence."""
        for position, (at_first, now, then) in enumerate(zip(self.initial, given, yielded, strict=True)):
            if isinstance(at_first, Formula) and isinstance(now, Formula) and isinstance(then, Formula):
                if self.loose[position] and len(now.variables) == 1:
                    (variable,) = now.variables
                    yield (position, Part.WHOLE), as_number(at_first), variable, boolean_recurrence(then, variable)
                continue
            old, new = numbers(now), numbers(then)
            for place, first in self.loose_numbers(position):
                variable = old[place].atom if place in old else None
                if place in self.loose[position] and place in new and isinstance(variable, Variable):
                    yield (position, place), first, variable, new[place]

    def _with_lower_bounds(self, position: int, kept: Mapping[Place, Dim]) -> Iterator[tuple[Place, Dim]]:
        """Yield the variables of loose numbers, bounded from below by the first values."""
        for place, first in () if self.cautious else self.loose_numbers(position):
            now = kept[place].atom if place in kept else None
            low = self.least.setdefault((position, place), first.bounds()[0])
            if isinstance(now, Variable) and low is not None and (now.lower is None or now.lower < low):
                yield place, of_atom(Variable.of(now.name, low, now.upper))

    def _shared_variables(
        self, position: int, kept: Mapping[Place, Dim], alike: dict[object, Dim]
    ) -> Iterator[tuple[Place, Dim]]:
        """Yield loose numbers for which the variable of another one stands."""
        if self.cautious:
            return
        for place, first in self.loose_numbers(position):
            if place not in kept:
                continue
            kind = (first, kept[place].bounds(), self.group_numbers.get((position, place), 0))
            same = alike.setdefault(kind, kept[place])
            if same is not kept[place]:
                yield place, same

    def loose_numbers(self, position: int) -> Iterable[tuple[Place, Dim]]:
        """Return the places of the loose numbers of a value, with their first values."""
        places = self.loose[position]
        return [each for each in numbers(self.initial[position]).items() if covers(places, each[0])]

    def _invariants(self, values: Sequence[Abstract], rounds: Dim | None) -> Iterator[Formula]:
        """Yield what is known of loose numbers by how they change, and by the number of iterations if it is known."""
        for (position, place), change in self.lasting.items():
            now, first = numbers(values[position]).get(place), numbers(self.initial[position])[place]
            if now is not None:
                yield from kept_by(change, self.goes_on, first, now)
                bounds = self.bounded.get((position, place))
                yield from () if rounds is None or bounds is None else within_reach(bounds, rounds, first, now)
        for one, other, sign, bounds in self.together if rounds is not None else ():
            now, first = (_both(both, one, other, sign) for both in (values, self.initial))
            if rounds is not None and now is not None and first is not None:
                yield from within_reach(bounds, rounds, first, now)
        for low, high in self.ordered:
            less, more = (numbers(values[position]).get(place) for position, place in (low, high))
            if less is not None and more is not None:
                yield at_least(more, less)
        for (position, place), ends in self.ends.items():
            now, first = numbers(values[position]).get(place), numbers(self.initial[position])[place]
            yield from () if now is None else (each.keeps(first, now) for each in ends)
        for position, place in self.followed:
            now = numbers(values[position]).get(place)
            if now is not None:
                yield at_least(self._greatest_first((position, place)), now)

    def _greatest_first(self, where: NumberPlace) -> Dim:
        """Return the greatest first value among a number and those that it follows."""
        found: dict[NumberPlace, Dim] = {}
        while where not in found:
            found[where] = numbers(self.initial[where[0]])[where[1]]
            where = self.followed[where]
        return maximum(*found.values())

    def correct(self, given: Sequence[Abstract], yielded: Sequence[Abstract], inside: Names) -> bool:
        """Drop what an iteration did not keep; return False if it kept all.

        ``inside`` are names that mean nothing outside of the iteration.
        """
        wrong = self._split_groups(given, yielded) | self._weaken_lower_bounds(yielded)
        for position, (before, last) in enumerate(zip(given, yielded, strict=True)):
            old, new = numbers(before), numbers(last)
            for place in changes(before, last):
                if covers(self.loose[position], place):
                    continue
                step = self.growing.get((position, place))
                with unrecorded():
                    change = new[place] - old[place] if place in old and place in new else None
                if step is not None and change is step:
                    continue
                wrong = True
                self.growing.pop((position, place), None)
                if change is None or step is not None or self.cautious or _touches(change, inside):
                    self.loose[position].add(place)
                else:
                    self.growing[position, place] = change
            for place in [place for owner, place in self.growing if owner == position]:
                if covers(self.loose[position], place) or (place in new and new[place] is old[place]):
                    wrong = True
                    del self.growing[position, place]
                    self.loose[position].add(place)
        return wrong

    def _weaken_lower_bounds(self, yielded: Sequence[Abstract]) -> bool:
        """Drop the lower bounds of loose numbers that an iteration may go below; return whether there were any."""
        fallen = False
        for (position, place), low in self.least.items():
            new = numbers(yielded[position]).get(place)
            now = None if new is None else new.bounds()[0]
            if low is not None and (now is None or now < low):
                self.least[position, place] = None
                fallen = True
        return fallen

    def _split_groups(self, given: Sequence[Abstract], yielded: Sequence[Abstract]) -> bool:
        """Separate numbers that one variable stood for and that changed differently; return whether there were any."""
        if self.cautious:
            return False
        groups: dict[Dim, dict[object, list[NumberPlace]]] = {}
        for position, (before, last) in enumerate(zip(given, yielded, strict=True)):
            old, new = numbers(before), numbers(last)
            for place, _ in self.loose_numbers(position):
                if place in old:
                    groups.setdefault(old[place], {}).setdefault(new.get(place), []).append((position, place))
        parted = False
        for kinds in groups.values():
            for members in list(kinds.values())[1:]:
                number = 1 + max(self.group_numbers.values(), default=0)
                self.group_numbers.update(dict.fromkeys(members, number))
                parted = True
        return parted

    def observe(
        self,
        given: Sequence[Abstract],
        yielded: Sequence[Abstract],
        goes_on: Formula,
        known: Sequence[Formula] = (),
        varying: Names = frozenset(),
    ) -> None:
        """Record how carried numbers change in an iteration that leaves the others unchanged, if the loop continues.

        ``known`` holds in each iteration. ``varying`` are names that mean nothing outside of it.
        """
        self.lasting, self.goes_on = {}, goes_on
        for position, (before, last) in enumerate(zip(given, yielded, strict=True)):
            old, new = numbers(before), numbers(last)
            for place, _ in self.loose_numbers(position):
                if place in old and place in new:
                    with unrecorded():
                        self.lasting[position, place] = new[place] - old[place]
        few = list(self.lasting)[:_MOST_ORDERED]
        with unrecorded():
            now = {(position, place): numbers(given[position])[place] for position, place in self.lasting}
            self.bounded = {
                each: bounded_change(change, now[each], known, varying) for each, change in self.lasting.items()
            }
            self.together = []
            for one, other in combinations(few, 2):
                for sign in (1, -1):
                    change, both = (each[one] + each[other] * sign for each in (self.lasting, now))
                    bounds = bounded_change(change, both, known, varying)
                    if is_closer(bounds, self.bounded[one], self.bounded[other], sign):
                        self.together.append((one, other, sign, bounds))
            premise, then = premises(goes_on), {each: numbers(yielded[each[0]])[each[1]] for each in few}
            self.ends = {each: tuple(kept_ends(now[each], then[each], premise, varying)) for each in few}
        self.ordered = [
            (low, high) for low, high in permutations(few, 2) if self._stay_ordered(low, high, given, yielded)
        ]
        self.followed = self._followed(few, given, yielded)

    def _followed(
        self, few: Sequence[NumberPlace], given: Sequence[Abstract], yielded: Sequence[Abstract]
    ) -> dict[NumberPlace, NumberPlace]:
        """Return numbers that are after an iteration at most what one of them was before, as in Euclid's algorithm.

        By induction none exceeds the greatest first value of those that it follows, one after the other.
        """
        with unrecorded():
            now = {(position, place): numbers(given[position])[place] for position, place in few}
            found: dict[NumberPlace, NumberPlace] = {}
            for position, place in few:
                then = numbers(yielded[position])[place]
                other = next((each for each in few if is_at_most(then, now[each], self.goes_on)), None)
                if other is not None:
                    found[position, place] = other
        while any(other not in found for other in found.values()):
            found = {each: other for each, other in found.items() if other in found}
        return found if any(each != other for each, other in found.items()) else {}

    def _stay_ordered(
        self, low: NumberPlace, high: NumberPlace, given: Sequence[Abstract], yielded: Sequence[Abstract]
    ) -> bool:
        """Return whether one number is at most another at first, and after each iteration before which it was."""
        with unrecorded():
            first, now, then = (
                numbers(values[high[0]])[high[1]] - numbers(values[low[0]])[low[1]]
                for values in (self.initial, given, yielded)
            )
            known = (now, *premises(self.goes_on))
            return is_non_negative(first, ZERO) and any(is_non_negative(then, premise) for premise in known)

    def invariant_of(self, values: Sequence[Abstract], rounds: Dim | None) -> Formula:
        """Return the observed invariant for values that this candidate gave after ``rounds`` iterations, if known."""
        return conjunction(self._invariants(values, rounds))


def _both(values: Sequence[Abstract], one: NumberPlace, other: NumberPlace, sign: int) -> Dim | None:
    """Return the sum, or the difference, of two numbers of some values."""
    first, second = (numbers(values[position]).get(place) for position, place in (one, other))
    return None if first is None or second is None else first + second * sign


def _may_be_no_size(place: Place, number: Dim) -> bool:
    """Return whether a number is an extent that its form does not show to be at least 0."""
    low = number.bounds()[0]
    return _is_extent(place) and (low is None or low < 0)


def _is_extent(place: Place) -> bool:
    return isinstance(place, tuple) and place[0] == "extent"


def _element_type(value: Value) -> Type:
    return value.type.element if isinstance(value.type, ShapedType) else value.type


def _touches(number: Dim, names: Names) -> bool:
    return any(variable.name in names for variable in number.variables)
