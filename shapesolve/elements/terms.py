"""Terms for one element of a tensor at symbolic indices.

Scalar functions are uninterpreted: two elements are equal if the same function is applied to equal elements. Indices
and conditions on them are sizes and formulas, which the solver decides.
"""

from __future__ import annotations

from shapesolve.ir.program import Operation, Value
from shapesolve.records import record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula


@record
class Access:
    """Element of a value of the program; a scalar has no indices."""

    value: Value
    indices: tuple[Dim, ...] = ()


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
class Unspecified:
    """Element that may be anything, of a tensor that was not initialized."""


@record
class NotFollowed:
    """Element that an operation computes in a way that is not followed."""

    op: Operation | None
    reason: str = ""


Term = Access | Leaf | Number | Truth | Apply | Choice | Reduction | Unspecified | NotFollowed
