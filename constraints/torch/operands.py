"""Access to the operands of PyTorch's operators: tensors, numbers, lists of these, and omitted operands.

PyTorch raises an error for an invalid argument: a defined abort, so all claims of these rules are checks. An invalid
dimension number raises one, too; since it is a constant that no exporter gets wrong, such an operation is unmodeled
instead.

Also the requirements on arguments that do not concern sizes: probabilities, bounds of random numbers, slopes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from shapesolve.domain.values import (
    Abstract,
    Float,
    IntegerInterval,
    ListValue,
    NoneValue,
    StringValue,
    Tensor,
    Unmodeled,
)
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than, unequal
from shapesolve.symbolic.normal_forms import as_number, choose
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import broadcast, broadcastable
from shapesolve.trace.events import Kind

from ..transfer.extent_tensors import shown_dims

LARGEST = 2**63 - 1
"""The end of a slice that means "to the end"."""

Shown = tuple[tuple[str, Dim], ...]


def check(clause: str, formula: Formula, message: str, shown: Shown = ()) -> Claim:
    """Return a claim whose violation makes PyTorch raise an error.

    A lowering of the operation may omit the check.
    """
    return Claim(clause, formula, message, Kind.CHECK, shown, may_be_dropped=True)


def claim_of_some(
    semantics: OpSemantics,
    ctx: RuleContext,
    clause: str,
    formula: Formula,
    words: tuple[str, str, str],
    shown: Shown,
    *,
    decider: str,
) -> OpSemantics:
    """Return semantics with a claim that some implementations of an operation make, and others do not.

    Args:
        semantics: The semantics without it.
        clause: The clause that names it.
        formula: What some implementations demand.
        words: The message of the claim; what the others do, as in "the runtime scans no parts"; and what depends on the
            implementation, as in "a scan may have no parts".
        shown: The sizes that the claim shows.
        decider: What it depends on.
    """
    if formula is TRUE:
        return semantics
    message, otherwise, open_question = words
    taken = ctx.unmodeled_truth(otherwise)
    claim = check(clause, disjunction((formula, taken)), message, shown)
    left_open = Approximations((f"whether {open_question} depends on {decider}",), taken.variables)
    return replace(semantics.with_claims(claim), approximations=semantics.approximations.joined(left_open))


def always_fails(op: Operation, claim: Claim) -> OpSemantics:
    """Return the semantics of an operation that raises an error at all sizes, so has no results."""
    return OpSemantics(tuple(Unmodeled("") for _ in op.results), requires=(claim,))


def always_raises(op: Operation, clause: str, message: str, shown: Shown = ()) -> OpSemantics:
    """Return the semantics of an operation that raises an error at all sizes, by the clause that is violated."""
    return always_fails(op, check(clause, FALSE, message, shown))


def is_present(ctx: RuleContext, value: Value) -> bool:
    """Return whether an optional operand is not None."""
    return not isinstance(ctx.value(value), NoneValue)


def is_tensor(ctx: RuleContext, value: Value) -> bool:
    """Return whether a value is known to be a tensor."""
    return isinstance(ctx.value(value), Tensor)


def list_items(ctx: RuleContext, value: Value) -> tuple[Abstract, ...]:
    """Return the abstract values in a list.

    Raises:
        UnknownValueError: The list is unknown.
    """
    found = ctx.value(value)
    if not isinstance(found, ListValue):
        raise UnknownValueError(f"what the list {value.name} holds is not known")
    return found.items


def tensor_extents(ctx: RuleContext, value: Value) -> tuple[tuple[Dim, ...], ...]:
    """Return the extents of the tensors in a list.

    Raises:
        UnknownValueError: The list, or the rank of a tensor in it, is unknown.
    """
    found: list[tuple[Dim, ...]] = []
    for each in list_items(ctx, value):
        if not isinstance(each, Tensor) or not isinstance(each.shape, RankedShape):
            raise UnknownValueError(f"the shapes of the tensors in {value.name} are not known")
        found.append(each.shape.dims)
    return tuple(found)


def integers(ctx: RuleContext, value: Value) -> tuple[Dim, ...]:
    """Return the integers in a list, where a single number is a list of one and a truth value is 0 or 1.

    Raises:
        UnknownValueError: The list or a number in it is unknown.
    """
    found = ctx.value(value)
    listed = found.items if isinstance(found, ListValue) else (found,)
    numbers = [as_number(each) if isinstance(each, Formula) else each for each in listed]
    known = tuple(each for each in numbers if isinstance(each, Dim))
    if len(known) != len(numbers):
        raise UnknownValueError(f"the numbers in {value.name} are not known")
    return known


def constants(ctx: RuleContext, value: Value) -> tuple[int, ...]:
    """Return the integers in a list of constants.

    Raises:
        UnknownValueError: A number is not constant.
    """
    numbers = integers(ctx, value)
    if not all(each.is_constant for each in numbers):
        raise UnknownValueError(f"{value.name} is computed, and not followed here")
    return tuple(each.constant for each in numbers)


def constant(ctx: RuleContext, value: Value) -> int:
    """Return a constant integer, or a constant truth value as 0 or 1.

    Raises:
        UnknownValueError: The number is not constant.
    """
    (found,) = constants(ctx, value)
    return found


def text(ctx: RuleContext, value: Value) -> str:
    """Return a constant string.

    Raises:
        UnknownValueError: The string is unknown.
    """
    found = ctx.value(value)
    if not isinstance(found, StringValue):
        raise UnknownValueError(f"the text {value.name} is not known")
    return found.text


def axis(number: int, rank: int, *, one_more: bool = False) -> int:
    """Return a dimension number counted from the front, where a scalar counts as a vector.

    Args:
        number: The dimension; negative numbers count from the end.
        rank: The rank of the tensor.
        one_more: Whether the dimension is one to be inserted.

    Raises:
        UnknownValueError: There is no such dimension.
    """
    count = max(rank + one_more, 1)
    if not -count <= number < count:
        raise UnknownValueError(f"there is no dimension {number} in rank {rank}")
    return number % count


def axis_of(ctx: RuleContext, value: Value, rank: int) -> int:
    """Return the dimension that an operand names, where a scalar counts as a vector."""
    return axis(constant(ctx, value), rank)


def nonscalar_axis_of(ctx: RuleContext, value: Value, extents: Sequence[Dim]) -> int:
    """Return the dimension that an operand names, for operators that reject scalars."""
    return nonscalar_axis(constant(ctx, value), extents)


def nonscalar_axis(number: int, extents: Sequence[Dim]) -> int:
    """Return a dimension number counted from the front, for operators that reject scalars.

    Raises:
        UnknownValueError: There is no such dimension.
    """
    if not extents:
        raise UnknownValueError("a scalar has no dimension to be named")
    return axis(number, len(extents))


def axes_of(ctx: RuleContext, value: Value, rank: int) -> tuple[int, ...]:
    """Return the dimensions that an operand lists; all of them if it is omitted or empty.

    Raises:
        UnknownValueError: A dimension does not exist, or is listed twice.
    """
    listed = constants(ctx, value) if is_present(ctx, value) else ()
    found = tuple(axis(each, rank) for each in listed) or tuple(range(rank))
    if len(set(found)) != len(found):
        raise UnknownValueError("a dimension is named twice")
    return found


def extent_pairs(name: str, extents: Sequence[Dim]) -> Shown:
    """Return the extents with their names, as a counterexample shows them."""
    return tuple((f"extent {index} of {name}", extent) for index, extent in enumerate(extents))


def same_shape_claim(
    clause: str, value: Value, extents: Sequence[Dim], wanted: Sequence[Dim], owner: str, message: str = ""
) -> Claim:
    """Return the claim that a tensor has the wanted extents, those of ``owner`` in a counterexample."""
    same = len(extents) == len(wanted)
    formula = conjunction(equal(a, b) for a, b in zip(extents, wanted, strict=True)) if same else FALSE
    shown = (*extent_pairs(value.name, extents), *extent_pairs(owner, wanted))
    return check(clause, formula, message or f"{value.name} has not the shape of {owner}", shown)


def broadcast_shape(ctx: RuleContext, values: Sequence[Value]) -> tuple[Shape, tuple[Claim, ...]]:
    """Return the broadcast shape of tensors, and the claim, clause C1, that they broadcast."""
    shapes = [ctx.shape(value) for value in values]
    if len(shapes) == 1:
        return shapes[0], ()
    formula = broadcastable(*shapes)
    shown = tuple(pair for value, shape in zip(values, shapes, strict=True) for pair in shown_dims(value, shape))
    found = broadcast(*shapes)
    shape = RankedShape.of(found.dims) if isinstance(found, RankedShape) else found
    return shape, (check("C1", formula, "the operands do not broadcast", shown),)


def broadcast_extents(
    shapes: Sequence[Sequence[Dim]], clause: str, message: str, shown: Shown
) -> tuple[list[Dim], Claim]:
    """Return the broadcast extents of several shapes, and the claim that they broadcast.

    Where they never do, the extents are those of an operand of the highest rank.
    """
    joint = broadcast(*shapes)
    claim = check(clause, broadcastable(*shapes), message, shown)
    return list(joint.dims if isinstance(joint, RankedShape) else max(shapes, key=len)), claim


def is_expandable(extents: Sequence[Dim], wanted: Sequence[Dim]) -> Formula:
    """Return the condition under which a shape can be expanded to another."""
    if len(extents) > len(wanted):
        return FALSE
    pairs = zip(extents, wanted[len(wanted) - len(extents) :], strict=True)
    return conjunction(disjunction((equal(have, 1), equal(have, want))) for have, want in pairs)


def is_valid_index(number: Dim, extent: Dim) -> Formula:
    """Return the condition under which an index is in bounds; negative ones count from the end."""
    return conjunction((at_least(number + extent, 0), less_than(number, extent)))


def index_from_front(number: Dim, extent: Dim) -> Dim:
    """Return an index counted from the front; a negative one counts from the end."""
    return choose(at_least(number, 0), number, number + extent)


def tensor_from(ctx: RuleContext, source: Value, extents: Iterable[Dim | int]) -> Tensor:
    """Return a tensor whose elements are taken from another: all of them in any order and number, or none."""
    return Tensor.of(map(dim, extents), between=ctx.tensor(source).between)


def interval_of_some(ctx: RuleContext, source: Value) -> IntegerInterval | None:
    """Return the interval of some elements of a tensor, if one is known for all."""
    between = ctx.tensor(source).between
    return None if between is None else between.subset_bounds


ArgumentPredicate = Callable[[Dim, Dim], Formula]
"""Requirement on a number, given as numerator and positive denominator."""


def _not_negative(above: Dim, below: Dim) -> Formula:
    return at_least(above, 0)


def _positive(above: Dim, below: Dim) -> Formula:
    return at_least(above, 1)


def _not_zero(above: Dim, below: Dim) -> Formula:
    return unequal(above, 0)


def is_probability(above: Dim, below: Dim) -> Formula:
    """Return the condition 0 <= above / below <= 1."""
    return conjunction((at_least(above, 0), at_least(below, above)))


def _is_mode(number: Dim, below: Dim) -> Formula:
    return conjunction((at_least(number, 0), at_least(2, number)))


_NEGATIVE, _UNLIKELY = "a tolerance, an exponent or a threshold is negative", "a probability is not between 0 and 1"

_REQUIREMENTS: Mapping[str, tuple[tuple[int, ArgumentPredicate, str], ...]] = {
    "cosine_similarity": ((3, _not_negative, _NEGATIVE),),
    "celu": ((1, _not_zero, "the slope, which is divided by, is 0"),),
    "softshrink": ((1, _not_negative, _NEGATIVE),),
    "isclose": ((2, _not_negative, _NEGATIVE), (3, _not_negative, _NEGATIVE)),
    **dict.fromkeys(
        ("cdist", "_cdist_forward"), ((2, _not_negative, _NEGATIVE), (3, _is_mode, "there is no such mode"))
    ),
    **dict.fromkeys(("avg_pool2d", "avg_pool3d"), ((6, _not_zero, "the divisor is 0"),)),
    "huber_loss": ((3, _positive, "the width is not positive"),),
    "smooth_l1_loss": ((3, _not_negative, _NEGATIVE),),
    "dropout": ((1, is_probability, _UNLIKELY),),
    "bernoulli.p": ((1, is_probability, _UNLIKELY),),
    "exponential": ((1, _positive, "the rate is not positive"),),
    "normal_functional": ((2, _not_negative, "the deviation is negative"),),
}
"""Operator -> (position of a numeric argument, requirement, message if violated)."""

_ORDERED_BOUNDS = {"uniform": (1, 2)}
"""Operator -> positions of two numbers, the first of which must not exceed the second."""


def ratio(ctx: RuleContext, value: Value) -> tuple[Dim, Dim]:
    """Return a number as numerator and positive denominator.

    Raises:
        UnknownValueError: The number is unknown, or not known to be exact.
    """
    found = ctx.value(value)
    if isinstance(found, Dim):
        return found, dim(1)
    if isinstance(found, Float) and found.exact is TRUE:
        return found.numerator, found.denominator
    raise UnknownValueError(f"the number {value.name} is not known")


def argument_claims(op: Operation, ctx: RuleContext, clause: str) -> tuple[Claim, ...]:
    """Return the claims that the numeric arguments of an operator are valid; omitted ones are."""
    name = op.name.removeprefix("torch.aten.")
    claims = [
        check(clause, demand(*ratio(ctx, op.operands[at])), message)
        for at, demand, message in _REQUIREMENTS.get(name, ())
        if at < len(op.operands) and is_present(ctx, op.operands[at])
    ]
    if name in _ORDERED_BOUNDS:
        (a, over), (b, under) = (ratio(ctx, op.operands[at]) for at in _ORDERED_BOUNDS[name])
        claims.append(check(clause, at_least(b * over, a * under), "the first bound is greater than the second"))
    return tuple(claims)


def nonempty_range(low: Dim, high: Dim, clause: str) -> Claim:
    """Return the claim that the half-open range [low, high) contains an integer."""
    return check(clause, less_than(low, high), "there is no number to choose", (("low", low), ("high", high)))
