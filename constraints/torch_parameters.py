"""What PyTorch demands of numbers that say nothing of sizes: probabilities, bounds of random numbers, slopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shapesolve.language.dims import Dim, dim
from shapesolve.language.formulas import TRUE, Formula, at_least, conjunction, less_than, unequal
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim
from shapesolve.walking.values import Float

from .torch_values import check, is_given

Demand = Callable[[Dim, Dim], Formula]
"""What is asked of a quotient of integers, the second of which is positive."""


def _not_negative(above: Dim, below: Dim) -> Formula:
    return at_least(above, 0)


def _positive(above: Dim, below: Dim) -> Formula:
    return at_least(above, 1)


def _not_zero(above: Dim, below: Dim) -> Formula:
    return unequal(above, 0)


def probability(above: Dim, below: Dim) -> Formula:
    """The quotient lies from 0 to 1."""
    return conjunction((at_least(above, 0), at_least(below, above)))


def _is_mode(number: Dim, below: Dim) -> Formula:
    return conjunction((at_least(number, 0), at_least(2, number)))


_NEGATIVE, _UNLIKELY = "a tolerance, an exponent or a threshold is negative", "a probability is not between 0 and 1"

_DEMANDS: Mapping[str, tuple[tuple[int, Demand, str], ...]] = {
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
    "dropout": ((1, probability, _UNLIKELY),),
    "bernoulli.p": ((1, probability, _UNLIKELY),),
    "exponential": ((1, _positive, "the rate is not positive"),),
    "normal_functional": ((2, _not_negative, "the deviation is negative"),),
}
"""By an operator the positions of its numbers, what is asked of them, and what is wrong otherwise."""

_ORDERED = {"uniform": (1, 2)}
"""By an operator the positions of two numbers, the first of which is not greater."""


def ratio(see: RuleContext, value: Value) -> tuple[Dim, Dim]:
    """A number as a quotient of integers, the second of which is positive."""
    found = see.value(value)
    if isinstance(found, Dim):
        return found, dim(1)
    if isinstance(found, Float) and found.exact is TRUE:
        return found.numerator, found.denominator
    raise CannotSee(f"the number {value.name} is not known")


def parameters(op: Operation, see: RuleContext, clause: str) -> tuple[Claim, ...]:
    """The claims that the numbers that an operator is given are what it takes; those left out are."""
    name = op.name.removeprefix("torch.aten.")
    claims = [
        check(clause, demand(*ratio(see, op.operands[at])), message)
        for at, demand, message in _DEMANDS.get(name, ())
        if at < len(op.operands) and is_given(see, op.operands[at])
    ]
    if name in _ORDERED:
        (a, over), (b, under) = (ratio(see, op.operands[at]) for at in _ORDERED[name])
        claims.append(check(clause, at_least(b * over, a * under), "the first bound is greater than the second"))
    return tuple(claims)


def is_chosen_from(low: Dim, high: Dim, clause: str) -> Claim:
    """The claim that there is an integer from one up to, not including, another."""
    return check(clause, less_than(low, high), "there is no number to choose", (("low", low), ("high", high)))
