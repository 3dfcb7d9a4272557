"""Loops that hand on tensors and scalars: the iteration that writes an element, and sums along a loop.

The iterations of parallel loops may run in any order, or at the same time.

A loop's result is followed where each element is written by at most one iteration, which is found by solving the place
of an insertion for the number of the iteration, and proved to be the only one. What that iteration reads of the tensor
that is handed on has to be proved not to be written by an earlier one. A scalar that each iteration combines with an
element that does not depend on it is a reduction.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from shapesolve.elements.context import ElementContext, NotFollowedError, as_dim, element_rule, is_shaped
from shapesolve.elements.moves import inserted
from shapesolve.elements.scalar_functions import FunctionKey
from shapesolve.elements.scalar_identities import is_select
from shapesolve.elements.structured import COMBINING
from shapesolve.elements.terms import (
    Access,
    Apply,
    Choice,
    Held,
    Indices,
    NotFollowed,
    Reduction,
    TensorFunction,
    Term,
    Unspecified,
    are_same,
    variables_of_term,
    with_indices,
    with_operands,
)
from shapesolve.ir.program import Operation, Value
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, ZERO, Dim, floordiv, variable
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies, less_than, negation
from shapesolve.symbolic.visitors import Instantiation

Iteration = Mapping[Variable, Dim]
"""The number of an iteration, for each variable that counts."""

PARALLEL_LOOPS = {"scf.parallel", "scf.forall", "affine.parallel"}
_MOST_TERMS = 300
_MOST_CANDIDATES = 16


@element_rule("scf.for", "affine.for")
def loop(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The element that the one iteration which writes it leaves, or the initial one; a sum of all iterations."""
    followed = _CarriedValue(op, number, ctx)
    return followed.element(indices) if indices or is_shaped(op.results[number]) else followed.reduction()


@element_rule("scf.forall")
def parallel_loop(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The element that the one iteration which writes it leaves, or that of the shared tensor."""
    return _SharedTensor(op, number, ctx).element(indices)


class Loop(ABC):
    """A loop, and what its iterations hand on: a result, or the contents of a buffer."""

    def __init__(self, op: Operation, ctx: ElementContext) -> None:
        self._ranges = {each: its for each, its in ctx.iterations.items() if its.op is op}
        if "unsignedCmp" in op.attributes or len(op.regions[0].blocks) != 1:
            raise NotFollowedError("its iterations are not followed")
        self.op, self.ctx = op, ctx
        self.block = op.regions[0].blocks[0]
        self.is_parallel = op.name in PARALLEL_LOOPS
        counters = sum(not is_shaped(each) for each in self.block.arguments) if self.is_parallel else 1
        if len(self._ranges) != counters:
            raise NotFollowedError("its iterations are not followed")
        if any(each.step is not ONE for each in self._ranges.values()):
            raise NotFollowedError("its step is not known")
        self._inside = {value for inner in op.walk() if inner is not op for value in _values_of(inner)}
        self._inside.update(self.block.arguments)
        self._inner_operations = set(op.walk())
        self._terms = 0

    @abstractmethod
    def is_carried(self, term: Term) -> bool:
        """Return whether a term is an element of what an iteration is given."""

    @abstractmethod
    def require_not_written(self, buffer: Value) -> None:
        """Require that no iteration writes a buffer other than what is handed on.

        Raises:
            NotFollowedError: One may.
        """

    @abstractmethod
    def before(self, place: Indices) -> Term:
        """Return an element before the first iteration."""

    @abstractmethod
    def handed_on(self, place: Indices) -> Term:
        """Return an element that an iteration hands on."""

    @abstractmethod
    def stored(self, place: Indices) -> Term:
        """Return what an iteration of a parallel loop hands on, unspecified where it stores anything."""

    def starts(self, op: Operation, place: Indices) -> Iterator[tuple[Dim, Dim]]:
        """Yield the indices of a place with where an operation begins to write along these dimensions."""
        yield from zip(place, self.offsets(op), strict=False)

    @abstractmethod
    def offsets(self, op: Operation) -> Sequence[Dim]:
        """Return where an operation begins to write to what is handed on; nothing if it does not."""

    # Tensors -----------------------------------------------------------------------------------------------------

    def element(self, place: Indices) -> Term:
        """Return an element of the result."""
        body = self._body(place)
        written = self._changed(body, place)
        before = self.before(place)
        if written is FALSE:
            return before
        if self.ctx.only_places and not any(each in written.variables for each in self._ranges):
            return Choice(written, Unspecified(), before)  # whichever iteration it is that writes here
        accumulated = None if self.is_parallel else self._accumulated(body, place, ())
        if accumulated is not None:
            return accumulated
        writer = self._writer(written, place)
        reads = list(self._reads(body, ()))
        for read, around in reads:
            if not are_same(read, place):
                self._require_not_written(read, around, writer)
        at_writer = with_indices(body, writer)
        return Choice(self._is_iteration(writer), self._with_initial(at_writer), before)

    def _body(self, place: Indices) -> Term:
        """Return the element that an iteration hands on, in terms of those that it is given."""
        found = self.expanded(self.handed_on(place))
        self._require_known(found)
        return found

    def _changed(self, body: Term, place: Indices) -> Formula:
        """Return when an iteration changes an element; a parallel one, when it stores it, be it what it was."""
        if self.is_parallel:
            body = self.stored(place)
            self._require_known(body)
        return self._written(body, place)

    def _written(self, term: Term, place: Indices) -> Formula:
        """Return when an iteration hands on another element than it was given."""
        match term:
            case Access() | Held() if self.is_carried(term) and are_same(term.indices, place):
                return FALSE
            case Choice():
                then, otherwise = self._written(term.then, place), self._written(term.otherwise, place)
                return disjunction(
                    (conjunction((term.condition, then)), conjunction((negation(term.condition), otherwise)))
                )
            case Apply() if is_select(term):
                return disjunction(self._written(each, place) for each in term.operands[1:])
            case _:
                return TRUE

    def _writer(self, written: Formula, place: Indices) -> Iteration:
        """Return the only iteration that writes an element, if one does."""
        other = self._fresh_iteration()
        premise = conjunction((self._is_iteration(other), Instantiation(dict(other)).formula(written)))
        candidates = product(*(self._candidates(each, place) for each in self._ranges))
        for candidate in islice(candidates, _MOST_CANDIDATES):
            numbers = dict(zip(self._ranges, candidate, strict=True))
            is_same = conjunction(equal(other[each], number) for each, number in numbers.items())
            if self.ctx.proves(implies(premise, is_same)):
                return numbers
        raise NotFollowedError("which iteration writes an element is not known")

    def _candidates(self, counter: Variable, place: Indices) -> list[Dim]:
        """Return the numbers of iterations in which insertions begin at or before a place, along one dimension each."""
        found: list[Dim] = []
        for op in self.op.walk():
            for index, offset in self.starts(op, place):
                if counter not in offset.variables:
                    continue
                first = Instantiation({counter: ZERO}).size(offset)
                slope = Instantiation({counter: ONE}).size(offset) - first
                is_linear = first + slope * as_dim(counter) is offset
                if is_linear and slope.is_constant and slope.constant > 0:
                    distance = index - first
                    number = distance if slope is ONE else floordiv(distance, slope)
                    if not any(number is each for each in found):
                        found.append(number)
        return found

    def _require_not_written(self, place: Indices, around: tuple[Formula, ...], writer: Iteration) -> None:
        """Require that what the writer reads of what is handed on is still the initial element."""
        given = Instantiation(dict(writer))
        place = tuple(map(given.size, place))
        written = self._changed(self._body(place), place)
        other = self._fresh_iteration()
        premise = (
            *map(given.formula, around),
            self._is_iteration(writer),
            self._is_iteration(other),
            self._may_run_before(other, writer),
        )
        never = negation(Instantiation(dict(other)).formula(written))
        if not self.ctx.proves(implies(conjunction(premise), never)):
            raise NotFollowedError("an iteration may read what an earlier one wrote")

    def _may_run_before(self, first: Iteration, second: Iteration) -> Formula:
        if self.is_parallel:
            return negation(conjunction(equal(first[each], second[each]) for each in self._ranges))
        (counter,) = self._ranges
        return less_than(first[counter], second[counter])

    def _reads(self, term: Term, around: tuple[Formula, ...]) -> Iterator[tuple[Indices, tuple[Formula, ...]]]:
        """Yield the elements of what is handed on that a term depends on, each with when they are read."""
        match term:
            case Access() | Held() if self.is_carried(term):
                yield term.indices, around
            case Apply():
                for each in term.operands:
                    yield from self._reads(each, around)
            case Choice():
                yield from self._reads(term.then, (*around, term.condition))
                yield from self._reads(term.otherwise, (*around, negation(term.condition)))
            case Reduction():
                if term.initial is not None:
                    yield from self._reads(term.initial, around)
                indices = zip(term.indices, term.extents, strict=True)
                inside = tuple(less_than(as_dim(each), extent) for each, extent in indices)
                yield from self._reads(term.body, (*around, *inside))
            case TensorFunction():
                for each in term.operands:
                    indices = zip(each.indices, each.extents, strict=True)
                    inside = tuple(less_than(as_dim(index), extent) for index, extent in indices)
                    yield from self._reads(each.body, (*around, *inside))
            case _:
                pass

    def _with_initial(self, term: Term) -> Term:
        match term:
            case Access() | Held() if self.is_carried(term):
                return self.before(term.indices)
            case _:
                return with_operands(term, self._with_initial)

    # Scalars -----------------------------------------------------------------------------------------------------

    def reduction(self) -> Term:
        """Return a scalar that each iteration combines with an element."""
        body = self.expanded(self.handed_on(()))
        self._require_known(body)
        found = self._accumulated(body, (), ())
        if found is None:
            raise NotFollowedError("how it combines elements is not followed")
        return found

    # Both --------------------------------------------------------------------------------------------------------

    def _accumulated(self, term: Term, place: Indices, around: tuple[Formula, ...]) -> Term | None:
        """Return an element that every iteration combines with another one, or none does; None if it is no such.

        Args:
            term: The element that an iteration hands on.
            around: What holds where it does, in all iterations alike.
        """
        ((counter, its),) = self._ranges.items()
        if isinstance(term, Choice):
            if counter in term.condition.variables:
                return None
            then = self._accumulated(term.then, place, (*around, term.condition))
            otherwise = self._accumulated(term.otherwise, place, (*around, negation(term.condition)))
            return None if then is None or otherwise is None else Choice(term.condition, then, otherwise)
        if self._is_own(term, place, around):
            return self.before(place)
        index = self.ctx.fresh_index()
        given = {counter: its.first + as_dim(index)}
        trips = its.end - its.first
        match term:
            case Apply(key=FunctionKey() as key) if key.name in COMBINING and len(term.operands) == 2:
                first, second = term.operands
                own, other = (first, second) if self._is_own(first, place, around) else (second, first)
                if self._is_own(own, place, around) and not any(self._reads(other, ())):
                    return Reduction(key, self.before(place), (index,), (trips,), with_indices(other, given))
            case Reduction() if term.initial is not None and self._is_own(term.initial, place, around):
                extends = any(counter in each.variables for each in term.extents)
                if not extends and not any(self._reads(term.body, ())):
                    indices, extents = (index, *term.indices), (trips, *term.extents)
                    return Reduction(term.key, self.before(place), indices, extents, with_indices(term.body, given))
            case _:
                pass
        return None

    def _is_own(self, term: Term, place: Indices, around: tuple[Formula, ...]) -> bool:
        """Return whether a term is the element at a place of what an iteration is given."""
        if not isinstance(term, Access | Held) or not self.is_carried(term) or len(term.indices) != len(place):
            return False
        is_here = conjunction(equal(a, b) for a, b in zip(term.indices, place, strict=True))
        return are_same(term.indices, place) or self.ctx.proves(implies(conjunction(around), is_here))

    def _fresh_iteration(self) -> Iteration:
        """Return the number of any iteration, which may be negative."""
        return {each: variable(f"{self.ctx.fresh_index().name} of all", None, None) for each in self._ranges}

    def _is_iteration(self, numbers: Iteration) -> Formula:
        return conjunction(
            part
            for each, its in self._ranges.items()
            for part in (at_least(numbers[each], its.first), less_than(numbers[each], its.end))
        )

    def expanded(self, term: Term) -> Term:
        """Return a term in terms of values outside of the loop and of the one that is handed on."""
        self._terms += 1
        if self._terms > _MOST_TERMS:
            raise NotFollowedError("the expressions are too large")
        match term:
            case Access() | Held() if self.is_carried(term):
                return term
            case Held() if self.ctx.is_view(term.value):
                return self.expanded(self.ctx.held(term))
            case Held() if term.at is self.block.operations[0]:
                self.require_not_written(term.value)
                return Held(term.value, term.indices, self.op)
            case Held() if term.at in self._inner_operations and term.at is not self.op:
                return self.expanded(self.ctx.held(term))
            case Access() if term.value in self._inside:
                return self.expanded(self.ctx.expand(term))
            case Apply() | Choice() | Reduction() | TensorFunction():
                return with_operands(term, self.expanded)
            case NotFollowed():
                because = f": {term.reason}" if term.reason else ""
                raise NotFollowedError(f"{term.op.name if term.op is not None else 'its body'}{because}")
            case _:
                return term

    def _require_known(self, term: Term) -> None:
        """Require that a term depends on the number of the iteration, and on nothing else that an iteration makes."""
        for each in variables_of_term(term):
            if each not in self._ranges and self.ctx.makers.get(each) in self._inner_operations:
                raise NotFollowedError("an index or a condition is not followed")


class _CarriedValue(Loop):
    """A result of a loop, which an argument of its body hands on."""

    def __init__(self, op: Operation, number: int, ctx: ElementContext) -> None:
        super().__init__(op, ctx)
        self._argument = self.block.arguments[1 + number]
        self._initial = op.operands[len(op.operands) - len(op.results) + number]
        self._yielded = self.block.operations[-1].operands[number]

    def is_carried(self, term: Term) -> bool:
        return isinstance(term, Access) and term.value is self._argument

    def require_not_written(self, buffer: Value) -> None:
        if any(map(self.ctx.writes, self._inner_operations - {self.op, self.block.operations[-1]})):
            raise NotFollowedError("an iteration may read what an earlier one wrote")

    def before(self, place: Indices) -> Term:
        return Access(self._initial, place) if is_shaped(self._initial) else self.ctx.scalar(self._initial)

    def handed_on(self, place: Indices) -> Term:
        return Access(self._yielded, place)

    def stored(self, place: Indices) -> Term:
        return self.handed_on(place)  # no parallel loop

    def offsets(self, op: Operation) -> Sequence[Dim]:
        try:
            if op.name == "tensor.insert":
                return [self.ctx.size(each) for each in op.operands[2:]]
            if op.name == "vector.transfer_write":
                return [self.ctx.size(each) for each in op.operands[2 : 2 + op.segments[2]]]
            if op.name == "tensor.insert_slice":
                return self.ctx.mixed(op.attributes["static_offsets"], op.operands[2 : 2 + op.segments[-3]])
        except NotFollowedError:
            pass
        return ()


class _SharedTensor(Loop):
    """A result of a parallel loop, of which each iteration writes a part."""

    def __init__(self, op: Operation, number: int, ctx: ElementContext) -> None:
        super().__init__(op, ctx)
        self._argument = self.block.arguments[len(self._ranges) + number]
        self._initial = op.operands[len(op.operands) - len(op.results) + number]
        parallel = self.block.operations[-1]
        inner = parallel.regions[0].blocks[0].operations if parallel.regions else ()
        self._insertions = [each for each in inner if self._argument in each.operands]
        if len(self._insertions) != 1 or self._insertions[0].name != "tensor.parallel_insert_slice":
            raise NotFollowedError("how an iteration writes is not followed")
        if any(map(ctx.writes, self._inner_operations - {op, parallel})):
            raise NotFollowedError("an iteration may read what another one wrote")

    def is_carried(self, term: Term) -> bool:
        return isinstance(term, Access) and term.value is self._argument

    def require_not_written(self, buffer: Value) -> None:
        pass  # an iteration that writes no buffer

    def before(self, place: Indices) -> Term:
        return Access(self._initial, place)

    def handed_on(self, place: Indices) -> Term:
        return inserted(self._insertions[0], place, self.ctx)

    def stored(self, place: Indices) -> Term:
        return replace(inserted(self._insertions[0], place, self.ctx), then=Unspecified())

    def offsets(self, op: Operation) -> Sequence[Dim]:
        if op is not self._insertions[0]:
            return ()
        return self.ctx.mixed(op.attributes["static_offsets"], op.operands[2 : 2 + op.segments[-3]])


def _values_of(op: Operation) -> Iterator[Value]:
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.arguments
