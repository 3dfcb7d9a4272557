"""Equality of the elements of two programs' results, at all indices.

Terms are compared from the results backwards. Conditions on indices split the comparison; equal functions are compared
by their operands, reductions by iteration space and body. Only a proof counts: everything else leaves the elements
uncompared, with the operation at which the comparison ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count, islice, permutations

from shapesolve.elements import (
    buffers,
    dynamic_moves,
    loops,
    moves,
    scalar_functions,
    structured,
    tensor_functions,
    tosa,
    vectors,
)
from shapesolve.elements.candidates import Candidate, candidate
from shapesolve.elements.integers import KnownIntegers
from shapesolve.elements.lockstep import Lockstep
from shapesolve.elements.machine_integers import BitsComparison, bits_type
from shapesolve.elements.reductions import as_sum, comparable, flattened, is_exact, single_element
from shapesolve.elements.scalar_identities import hoisted, is_select, simplified
from shapesolve.elements.sides import ElementSide
from shapesolve.elements.terms import (
    Access,
    Apply,
    Choice,
    Held,
    Leaf,
    NotFollowed,
    Number,
    Reduction,
    TensorFunction,
    Term,
    Truth,
    Unspecified,
    WholeOperand,
    with_indices,
)
from shapesolve.ir.program import Operation, Value
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Detail, Proved, Unreachable
from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, equal, equivalent, less_than, negation
from shapesolve.trace.events import Fact, Source

MOST_STEPS = 2000
MOST_CLAIMS = 300
MOST_ORDERS = 24
MOST_BITS = 12
"""Largest number of questions about bits for one result."""
_DEEPEST = 80
_MODULES = (buffers, dynamic_moves, loops, moves, scalar_functions, structured, tensor_functions, tosa, vectors)
assert all(each.__name__ for each in _MODULES), "they register the rules"


class _Mismatch(Exception):
    """Elements that are not shown to be equal.

    Args:
        reason: Why they are not.
        may_differ: Whether both are followed, so that another form may show that they are equal.
    """

    def __init__(self, reason: str, *, may_differ: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.may_differ = may_differ


class ElementComparison:
    """Compares elements under the facts of a prover."""

    def __init__(self, source: ElementSide, target: ElementSide, prover: Prover, *, for_runs: bool) -> None:
        self._source = source
        self._target = target
        self._prover = prover
        self._for_runs = for_runs
        self._steps = count()
        self._claims = count()
        self._bits = count()
        self._numbers = count()
        for side in (source, target):
            side.context.proves = self._is_proved
        self._integers = [KnownIntegers(each.context.computed, self._is_proved) for each in (source, target)]
        self.reorders = False
        """Whether reductions were found to combine the same terms, perhaps in another order."""
        self.candidates: list[Candidate] = []
        """Results and buffers whose elements are followed in the source, and not shown to be equal; none if not
        ``for_runs``, as finding sizes for them takes many times as long as the comparison."""

    def difference(self, position: int, extents: Sequence[Dim]) -> str:
        """Return "" if both programs return the same elements at a position, else why that is not known."""
        values = self._source.returned[position], self._target.returned[position]
        ours, theirs, inside = self._elements(values, extents, f"result {position}")
        try:
            self._compare_all(ours, theirs, inside)
        except _Mismatch as found:
            self._add_candidate(ours, inside, values[0], extents, position)
            return found.reason
        return ""

    def difference_left(
        self, number: int, values: tuple[Value, Value], extents: Sequence[Dim], position: int | None
    ) -> str:
        """Return "" if both programs leave the same elements in two buffers, else why that is not known.

        Args:
            number: Distinguishes the variables of the indices.
            values: The buffer of the source, or the tensor that became one, and that of the target.
            position: The position of the argument that the buffer is; None of a result.
        """
        ours, theirs, inside = self._elements(values, extents, f"buffer {number}")
        try:
            self._compare_all(ours, theirs, inside)
        except _Mismatch as found:
            if position is not None:
                self._add_candidate(ours, inside, values[0], extents, position, is_argument=True)
            return found.reason
        return ""

    def in_lockstep(self) -> Lockstep:
        """Return what matches the steps in which both programs change memory."""
        return Lockstep((self._source, self._target), self._are_equal_under, self._holds_under)

    def _are_equal_under(self, ours: Term, theirs: Term, condition: Formula) -> bool:
        try:
            self._compare_all(ours, theirs, condition, is_root=False)
        except _Mismatch:
            return False
        return True

    def _holds_under(self, claim: Formula, condition: Formula) -> bool:
        return self._are_equal_under(Truth(claim), Truth(TRUE), condition)

    def _add_candidate(
        self,
        term: Term,
        inside: Formula,
        value: Value,
        extents: Sequence[Dim],
        position: int,
        *,
        is_argument: bool = False,
    ) -> None:
        """Have runs look at a value if its elements inside of it are determined by the source."""
        if not self._for_runs:
            return
        self._claims = count()
        sides = self._source, self._target
        found: list[Candidate | None] = []

        def look() -> None:
            found.append(candidate(sides, self._prover, term, value, extents, position, is_argument=is_argument))

        with suppress(_Mismatch):
            self._under(inside, look)
        self.candidates += [each for each in found if each is not None]

    def _elements(self, values: tuple[Value, Value], extents: Sequence[Dim], name: str) -> tuple[Term, Term, Formula]:
        """Return an element of a value in each program, and that its index lies inside; the name is the index's."""
        indices = tuple(variable(f"index {place} of {name}", 0) for place in range(len(extents)))
        inside = conjunction(less_than(index, extent) for index, extent in zip(indices, extents, strict=True))
        ours, theirs = (
            side.context.element(value, indices, side.end)
            for side, value in zip((self._source, self._target), values, strict=True)
        )
        return ours, theirs, inside

    def _compare_all(self, ours: Term, theirs: Term, inside: Formula, *, is_root: bool = True) -> None:
        self._steps, self._claims, self._bits = count(), count(), count()
        self._under(inside, lambda: self._compare(ours, theirs, 0, is_root=is_root))

    def _under(self, condition: Formula, compare: Callable[[], None]) -> None:
        """Compare where a condition holds, unless it holds nowhere."""
        self._prover.enter(Fact(condition, Source.BRANCH, "the index lies inside"))
        try:
            if not isinstance(self._prover.reachable(), Unreachable):
                compare()
        finally:
            self._prover.leave(None)

    def _compare(self, ours: Term, theirs: Term, depth: int, *, is_root: bool = False) -> None:
        """Compare two elements.

        Raises:
            _Mismatch: They are not shown to be equal.
        """
        if depth > _DEEPEST or next(self._steps) >= MOST_STEPS:
            raise _Mismatch("the expressions are too large")
        first, second = self._unfolded(ours, self._source), self._unfolded(theirs, self._target)
        if self._is_common(first, second):
            return
        ours, theirs = first[-1], second[-1]
        if isinstance(ours, Choice):
            then, otherwise = ours.then, ours.otherwise
            self._under(ours.condition, lambda: self._compare(then, theirs, depth + 1, is_root=is_root))
            excluded = negation(ours.condition)
            self._under(excluded, lambda: self._compare(otherwise, theirs, depth + 1, is_root=is_root))
        elif isinstance(theirs, Choice):
            then, otherwise = theirs.then, theirs.otherwise
            self._under(theirs.condition, lambda: self._compare(ours, then, depth + 1, is_root=is_root))
            excluded = negation(theirs.condition)
            self._under(excluded, lambda: self._compare(ours, otherwise, depth + 1, is_root=is_root))
        elif isinstance(ours, Unspecified) and is_root:
            return  # the source leaves it open, and no other element depends on it
        else:
            self._compare_heads(ours, theirs, depth, (first, second))

    def _compare_heads(self, ours: Term, theirs: Term, depth: int, chains: tuple[list[Term], list[Term]]) -> None:
        try:
            self._compare_alike(ours, theirs, depth, chains)
        except _Mismatch as found:
            if not found.may_differ or not self._compare_rewritten(ours, theirs, depth, chains):
                raise

    def _compare_rewritten(self, ours: Term, theirs: Term, depth: int, chains: tuple[list[Term], list[Term]]) -> bool:
        """Compare two elements in a form in which they resemble each other; return whether they have one."""
        claim = self._claim_on_integers(ours, theirs)
        if claim is not None:
            self._require(claim, chains)
            return True
        if self._are_equal_bits(ours, theirs, depth):
            return True
        source, target = self._source.context.computed, self._target.context.computed
        if isinstance(ours, Reduction) or isinstance(theirs, Reduction):
            return self._compare_other_reductions(ours, theirs, depth, chains)
        if isinstance(ours, Apply) and isinstance(theirs, Apply) and is_select(ours) != is_select(theirs):
            first = ours if is_select(ours) else hoisted(ours, source)
            second = theirs if is_select(theirs) else hoisted(theirs, target)
            if first is not None and second is not None:
                self._compare(first, second, depth + 1)
                return True
        return False

    def _are_equal_bits(self, ours: Term, theirs: Term, depth: int) -> bool:
        """Return whether two elements are the same integer, whatever the integers are that they are computed from."""
        type = bits_type(ours) or bits_type(theirs)
        if type is None or self._target.is_unpredictable or next(self._bits) >= MOST_BITS:
            return False
        return BitsComparison(
            self._source.context.computed, self._target.context.computed, lambda a, b: self._is_equal(a, b, depth + 1)
        ).are_equal(ours, theirs, type)

    def _is_equal(self, ours: Term, theirs: Term, depth: int) -> bool:
        try:
            self._compare(ours, theirs, depth)
        except _Mismatch:
            return False
        return True

    def _claim_on_integers(self, ours: Term, theirs: Term) -> Formula | None:
        first, second = self._integers
        a = first.integer(ours)
        b = None if a is None else second.integer(theirs)
        if a is not None and b is not None:
            return equal(a, b)
        holds = first.boolean(ours)
        other = None if holds is None else second.boolean(theirs)
        return None if holds is None or other is None else equivalent(holds, other)

    def _compare_other_reductions(
        self, ours: Term, theirs: Term, depth: int, chains: tuple[list[Term], list[Term]]
    ) -> bool:
        source, target = self._source.context.computed, self._target.context.computed
        if isinstance(ours, Reduction) and isinstance(theirs, Reduction):
            first, second = flattened(as_sum(ours), source), as_sum(theirs)
            second = flattened(second if is_exact(second) else theirs, target)
            is_new = first is not ours or second is not theirs or ours.key != theirs.key
            if is_new and len(first.indices) == len(second.indices) and comparable(first, second, source):
                self._compare_reductions(first, second, depth, chains)
                return True
        for each, other, peek in ((ours, theirs, source), (theirs, ours, target)):
            single = single_element(each, peek, is_source=each is ours) if isinstance(each, Reduction) else None
            if single is not None:
                pair = (single, other) if each is ours else (other, single)
                self._compare(*pair, depth + 1)
                return True
        return False

    def _compare_alike(self, ours: Term, theirs: Term, depth: int, chains: tuple[list[Term], list[Term]]) -> None:
        match ours, theirs:
            case NotFollowed(), _:
                raise _Mismatch(_reason(ours, "source"))
            case _, NotFollowed():
                raise _Mismatch(_reason(theirs, "target"))
            case Leaf(), Leaf() if ours.key == theirs.key and len(ours.indices) == len(theirs.indices):
                self._require_equal(ours.indices, theirs.indices, chains)
            case Number(), Number():
                self._require(equal(ours.value, theirs.value), chains)
            case Truth(), Truth():
                self._require(equivalent(ours.holds, theirs.holds), chains)
            case Apply(), Apply() if ours.key == theirs.key and len(ours.operands) == len(theirs.operands):
                self._compare_operands(ours, theirs, depth)
            case TensorFunction(), TensorFunction() if ours.key == theirs.key:
                self._require_equal(ours.indices, theirs.indices, chains)
                for first, second in zip(ours.operands, theirs.operands, strict=True):
                    self._compare_whole(first, second, depth, chains)
            case Reduction(), Reduction() if self._may_be_equal(ours, theirs):
                self._compare_reductions(ours, theirs, depth, chains)
            case _:
                raise _Mismatch(self._difference_reason(chains), may_differ=True)

    def _compare_operands(self, ours: Apply, theirs: Apply, depth: int) -> None:
        try:
            for a, b in zip(ours.operands, theirs.operands, strict=True):
                self._compare(a, b, depth + 1)
        except _Mismatch:
            if not ours.is_commutative:
                raise
            first, second = theirs.operands
            self._compare(ours.operands[0], second, depth + 1)
            self._compare(ours.operands[1], first, depth + 1)

    def _compare_whole(
        self, ours: WholeOperand, theirs: WholeOperand, depth: int, chains: tuple[list[Term], list[Term]]
    ) -> None:
        self._require_equal(ours.extents, theirs.extents, chains)
        fresh = [variable(f"iteration {next(self._numbers)}", 0) for _ in ours.indices]
        first, second = (
            with_indices(each.body, dict(zip(each.indices, fresh, strict=True))) for each in (ours, theirs)
        )
        inside = conjunction(less_than(a, b) for a, b in zip(fresh, ours.extents, strict=True))
        self._under(inside, lambda: self._compare(first, second, depth + 1))

    def _compare_reductions(
        self, ours: Reduction, theirs: Reduction, depth: int, chains: tuple[list[Term], list[Term]]
    ) -> None:
        if ours.initial is not None and theirs.initial is not None:
            self._compare(ours.initial, theirs.initial, depth + 1)
        reason: _Mismatch | None = None
        for order, is_reversed in self._orders(len(theirs.indices)):
            extents = [theirs.extents[each] for each in order]
            try:
                self._require_equal(ours.extents, extents, chains)
                fresh = [variable(f"iteration {next(self._numbers)}", 0) for _ in ours.indices]
                first = with_indices(ours.body, dict(zip(ours.indices, fresh, strict=True)))
                atoms = [theirs.indices[each] for each in order]
                places = [
                    extent - 1 - index if place in is_reversed else index
                    for place, (index, extent) in enumerate(zip(fresh, ours.extents, strict=True))
                ]
                second = with_indices(theirs.body, dict(zip(atoms, places, strict=True)))
                inside = conjunction(less_than(a, b) for a, b in zip(fresh, ours.extents, strict=True))
                self._under(inside, lambda: self._compare(first, second, depth + 1))  # noqa: B023
            except _Mismatch as found:
                reason = reason or found
            else:
                self.reorders = True
                return
        if reason is not None:
            raise reason

    @staticmethod
    def _orders(rank: int) -> Iterator[tuple[tuple[int, ...], frozenset[int]]]:
        """Yield orders of an iteration space: permutations, then each dimension from its end."""
        for order in islice(permutations(range(rank)), MOST_ORDERS):
            yield order, frozenset()
        for place in range(rank):
            yield tuple(range(rank)), frozenset([place])

    @staticmethod
    def _may_be_equal(ours: Reduction, theirs: Reduction) -> bool:
        same_initial = (ours.initial is None) is (theirs.initial is None)
        return ours.key == theirs.key and len(ours.indices) == len(theirs.indices) and same_initial

    def _unfolded(self, term: Term, side: ElementSide) -> list[Term]:
        """Return a term and its successive unfoldings, until it has none."""
        found = [term]
        while True:
            last = found[-1]
            if isinstance(last, Access):
                following = side.context.expand(last)
            elif isinstance(last, Held):
                following = side.context.held(last)
            elif isinstance(last, Apply):
                following = simplified(last, side.context.computed) or self._chosen(last, side)
            else:
                return found
            if following is None:
                return found
            if next(self._steps) >= MOST_STEPS:
                raise _Mismatch("the expressions are too large")
            found.append(following)

    def _chosen(self, term: Apply, side: ElementSide) -> Choice | None:
        """Return a choice by a comparison of positions as one by a condition on indices."""
        if not is_select(term) or not isinstance(side.context.computed(term.operands[0]), Apply | Truth):
            return None
        condition = self._integers[side is self._target].boolean(term.operands[0])
        return None if condition is None else Choice(condition, term.operands[1], term.operands[2])

    def _is_common(self, first: Sequence[Term], second: Sequence[Term]) -> bool:
        """Return whether both terms are at some step the same element of a value that both programs compute alike."""
        numbered = [(each, self._target.number(each.value)) for each in second if isinstance(each, Access)]
        for each in first:
            number = self._source.number(each.value) if isinstance(each, Access) else None
            if number is None or not isinstance(each, Access):
                continue
            for other, its in numbered:
                if its == number and len(each.indices) == len(other.indices):
                    claim = conjunction(equal(a, b) for a, b in zip(each.indices, other.indices, strict=True))
                    if self._is_proved(claim):
                        return True
        return False

    def _require_equal(
        self, first: Iterable[Dim], second: Iterable[Dim], chains: tuple[list[Term], list[Term]]
    ) -> None:
        self._require(conjunction(equal(a, b) for a, b in zip(first, second, strict=True)), chains)

    def _require(self, claim: Formula, chains: tuple[list[Term], list[Term]]) -> None:
        if not self._is_proved(claim):
            raise _Mismatch(self._difference_reason(chains), may_differ=True)

    def _is_proved(self, claim: Formula) -> bool:
        if next(self._claims) >= MOST_CLAIMS:
            raise _Mismatch("the expressions are too large")
        return isinstance(self._prover.verdict_on(claim, name="element", detail=Detail.PROOF), Proved | Unreachable)

    def _difference_reason(self, chains: tuple[list[Term], list[Term]]) -> str:
        lines = [_line(chain, side) for chain, side in zip(chains, (self._source, self._target), strict=True)]
        places = " and ".join(
            f"{line} of the {word}" for line, word in zip(lines, ("source", "target"), strict=True) if line
        )
        return f"not shown to be equal at {places}" if places else "these elements are not shown to be equal"


def _line(chain: Sequence[Term], side: ElementSide) -> str:
    """Return the line of the last operation in a chain."""
    for each in reversed(chain):
        found = side.context.definitions.get(each.value) if isinstance(each, Access) else None
        if found is not None and found[0].location.line:
            return f"line {found[0].location.line}"
    return ""


def _reason(term: Term, side: str) -> str:
    assert isinstance(term, NotFollowed)
    if term.op is None:
        return f"{term.reason} of the {side}"
    because = f": {term.reason}" if term.reason else ""
    return f"{_place(term.op)}{term.op.name} of the {side} is not followed{because}"


def _place(op: Operation) -> str:
    return f"line {op.location.line}: " if op.location.line else ""
