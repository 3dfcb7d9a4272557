"""Terms for one element of a tensor at symbolic indices.

Scalar functions are uninterpreted: two elements are equal if the same function is applied to equal elements. Indices
and conditions on them are sizes and formulas, which the solver decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from shapesolve.ir.program import Operation, Value
from shapesolve.records import record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.visitors import Instantiation

Indices = tuple[Dim, ...]


@record
class IterationRange:
    """Iterations of a loop by number: from ``first`` by ``step`` up to but not including ``end``."""

    op: Operation | None
    first: Dim
    end: Dim
    step: Dim


@record
class Access:
    """Element of a value of the program; a scalar has no indices."""

    value: Value
    indices: tuple[Dim, ...] = ()


@record
class Held:
    """Element of a buffer.

    Attributes:
        value: The buffer.
        indices: The indices of the element.
        at: The operation that finds the element when it is about to run.
    """

    value: Value
    indices: tuple[Dim, ...]
    at: Operation


@record
class Leaf:
    """Element of something that both programs have: an argument, a constant.

    Attributes:
        key: What it is: equal keys mean the same tensor.
        indices: The indices of the element.
    """

    key: object
    indices: tuple[Dim, ...] = ()


@record
class Number:
    """Integer of type ``index``."""

    value: Dim


@record
class Truth:
    """Boolean that depends on sizes and indices only."""

    holds: Formula


@record
class Apply:
    """Uninterpreted function of elements.

    Attributes:
        key: The function: the operation, its attributes and types.
        operands: The elements it is applied to.
        is_commutative: Whether two operands may be exchanged.
    """

    key: object
    operands: tuple[Term, ...]
    is_commutative: bool = False


@record
class Choice:
    """One of two elements, by a condition on sizes and indices."""

    condition: Formula
    then: Term
    otherwise: Term


@record
class Reduction:
    """Combination of an initial element with one for each point of an iteration space, in any order.

    Attributes:
        key: The function that combines.
        initial: The initial element; None without one.
        indices: The variables of the iteration space.
        extents: The extents of the iteration space; each index is at least 0 and less.
        body: The element at one point.
    """

    key: object
    initial: Term | None
    indices: tuple[Variable, ...]
    extents: tuple[Dim, ...]
    body: Term


@record
class WholeOperand:
    """Tensor of which a function may read every element.

    Attributes:
        indices: The variables of the indices of an element.
        extents: The extents.
        body: The element at the indices.
    """

    indices: tuple[Variable, ...]
    extents: tuple[Dim, ...]
    body: Term


@record
class TensorFunction:
    """Element of the result of an uninterpreted function of whole tensors.

    Attributes:
        key: The function: the operation, its attributes, regions and types.
        operands: The tensors.
        indices: The indices of the element.
    """

    key: object
    operands: tuple[WholeOperand, ...]
    indices: tuple[Dim, ...]


@record
class Unspecified:
    """Element that may be anything, of a tensor that was not initialized."""


@record
class NotFollowed:
    """Element that an operation computes in a way that is not followed."""

    op: Operation | None
    reason: str = ""


Term = Access | Held | Leaf | Number | Truth | Apply | Choice | Reduction | TensorFunction | Unspecified | NotFollowed


def with_indices(term: Term, indices: Mapping[Variable, Dim]) -> Term:
    """Return a term with other indices for the variables of a reduction."""
    return _renaming(term, Instantiation(dict(indices)))


def _renaming(term: Term, given: Instantiation) -> Term:
    match term:
        case Access() | Held() | Leaf():
            return replace(term, indices=tuple(map(given.size, term.indices)))
        case Number():
            return Number(given.size(term.value))
        case Truth():
            return Truth(given.formula(term.holds))
        case Apply():
            return replace(term, operands=tuple(_renaming(each, given) for each in term.operands))
        case Choice():
            then, otherwise = _renaming(term.then, given), _renaming(term.otherwise, given)
            return Choice(given.formula(term.condition), then, otherwise)
        case Reduction():
            initial = None if term.initial is None else _renaming(term.initial, given)
            extents = tuple(map(given.size, term.extents))
            return replace(term, initial=initial, extents=extents, body=_renaming(term.body, given))
        case TensorFunction():
            operands = tuple(
                WholeOperand(each.indices, tuple(map(given.size, each.extents)), _renaming(each.body, given))
                for each in term.operands
            )
            return TensorFunction(term.key, operands, tuple(map(given.size, term.indices)))
        case _:
            return term


def with_operands(term: Term, change: Callable[[Term], Term]) -> Term:
    """Return a term whose operands are each changed; a term without operands stays."""
    match term:
        case Apply():
            return replace(term, operands=tuple(map(change, term.operands)))
        case Choice():
            return Choice(term.condition, change(term.then), change(term.otherwise))
        case Reduction():
            initial = None if term.initial is None else change(term.initial)
            return replace(term, initial=initial, body=change(term.body))
        case TensorFunction():
            return replace(term, operands=tuple(replace(each, body=change(each.body)) for each in term.operands))
        case _:
            return term


def variables_of_term(term: Term) -> Iterator[Variable]:
    """Yield the variables of the indices, extents and conditions of a term."""
    match term:
        case Access() | Held() | Leaf():
            for each in term.indices:
                yield from each.variables
        case Number():
            yield from term.value.variables
        case Truth():
            yield from term.holds.variables
        case Apply():
            for each in term.operands:
                yield from variables_of_term(each)
        case Choice():
            yield from term.condition.variables
            yield from variables_of_term(term.then)
            yield from variables_of_term(term.otherwise)
        case Reduction():
            for each in term.extents:
                yield from each.variables
            if term.initial is not None:
                yield from variables_of_term(term.initial)
            yield from variables_of_term(term.body)
        case TensorFunction():
            yield from _variables_of_operands(term)
        case _:
            pass


def _variables_of_operands(term: TensorFunction) -> Iterator[Variable]:
    for each in term.indices:
        yield from each.variables
    for operand in term.operands:
        for extent in operand.extents:
            yield from extent.variables
        yield from variables_of_term(operand.body)


def are_same(first: Sequence[Dim], second: Sequence[Dim]) -> bool:
    """Return whether indices are the same expressions."""
    return len(first) == len(second) and all(a is b for a, b in zip(first, second, strict=True))
