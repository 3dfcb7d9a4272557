"""Operations on or to floats whose values are known: scalars, and the elements of small tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from shapesolve.domain.fresh_variables import integer_range
from shapesolve.domain.values import Abstract, Element, Float, Tensor
from shapesolve.ir.program import OpaqueAttribute, Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Approximations, Assumes, Claim, OpSemantics
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, either, implies
from shapesolve.symbolic.normal_forms import choose
from shapesolve.trace.trust import HOLDS_SIZES, NO_WRAP

from .elementwise import element_rows
from .floats import (
    FORMATS,
    ROUNDINGS,
    Format,
    Rounded,
    add_floats,
    compare_floats,
    convert_float,
    divide_floats,
    magnitude,
    min_or_max,
    multiply_floats,
    negate_float,
    of_integer,
    round_to_integer,
    square_root,
)
from .integers import element_type, is_mathematical, signed, typed, unsigned, wrapped

ROUNDS = "rounds"
BEYOND = "floats that are rounded are not followed"


@dataclass(slots=True, eq=False)
class FloatComputation:
    """The state of one operation on floats.

    Attributes:
        op: The operation.
        ctx: The source of fresh variables.
        no_overflow: The assumptions made so far, as formulas.
        modeling: The same in words, in order.
        free: The fresh variables, which stand for rounded values.
        claims: The demands on the operands.
    """

    op: Operation
    ctx: RuleContext
    no_overflow: list[Formula] = field(default_factory=list[Formula])
    modeling: dict[str, None] = field(default_factory=dict[str, None])
    free: set[Variable] = field(default_factory=set[Variable])
    claims: list[Claim] = field(default_factory=list[Claim])

    def value_of(self, rounded: Rounded) -> Float:
        """Record the assumption of a rounded float and return its value."""
        self.assume(rounded.no_overflow, HOLDS_SIZES)
        return rounded.value

    def assume(self, formula: Formula, words: str) -> None:
        """Record an assumption, unless it is trivial."""
        if formula is not TRUE:
            self.no_overflow.append(formula)
            self.modeling[words] = None

    def with_assumptions(self, semantics: OpSemantics) -> OpSemantics:
        """Return the semantics with the recorded assumptions and fresh variables."""
        effect = ROUNDS if HOLDS_SIZES in self.modeling else semantics.assumes.overflow_effect
        return replace(
            semantics,
            approximations=Approximations((BEYOND,) if self.free else (), frozenset(self.free)),
            assumes=Assumes(tuple(self.modeling), conjunction(self.no_overflow), effect),
        )

    def fresh(self, least: int | None = None, most: int | None = None) -> Dim:
        """Return a fresh integer."""
        made = self.ctx.fresh(f"{self.op.results[0].name}.rounded", least, most)
        self.free |= made.variables
        return made

    def unmodeled_truth(self) -> Formula:
        """Return a fresh truth value for a comparison of floats that are not known exactly."""
        made = self.ctx.unmodeled_truth(f"{self.op.results[0].name} is true of the rounded floats")
        self.free |= made.variables
        return made


Compute = Callable[[FloatComputation, tuple[Element, ...]], Element | None]
"""Computes an element of the result from one element of each operand; None if it is not modeled."""


def elementwise_floats(op: Operation, ctx: RuleContext, otherwise: OpSemantics, compute: Compute | None) -> OpSemantics:
    """Return the semantics of an operation whose one result is computed element by element.

    ``otherwise`` gives the shape of the result, and the whole semantics if an element is not known.
    """
    rows = (
        None
        if compute is None or _is_loose(op)
        else element_rows([operand_elements(operand, ctx) for operand in op.operands])
    )
    return (
        otherwise if compute is None or rows is None else elementwise_floats_of_rows(op, ctx, otherwise, compute, rows)
    )


def elementwise_floats_of_rows(
    op: Operation, ctx: RuleContext, otherwise: OpSemantics, compute: Compute, rows: Sequence[tuple[Element, ...]]
) -> OpSemantics:
    """Return these semantics for operands given as rows: one element of each operand per element of the result."""
    work = FloatComputation(op, ctx)
    try:
        found = [compute(work, row) for row in rows]
    except UnknownValueError:
        return otherwise
    known = tuple(each for each in found if each is not None)
    if len(known) != len(found):
        return otherwise
    shape = otherwise.results.values[0]
    result: Abstract = Tensor(shape.shape, known) if isinstance(shape, Tensor) else known[0]
    semantics = replace(otherwise, results=replace(otherwise.results, values=(result,)))
    return work.with_assumptions(semantics.with_claims(*work.claims) if work.claims else semantics)


def _is_loose(op: Operation) -> bool:
    """Return whether the operation has fast-math flags or a rounding mode: its results may not be IEEE's default."""
    flags = op.attributes.get("fastmath")
    spelled = flags.text if isinstance(flags, OpaqueAttribute) else ""
    return bool(op.attributes.get("roundingmode")) or (spelled != "" and "<none>" not in spelled)


def operand_elements(operand: Value, ctx: RuleContext) -> tuple[Element, ...] | None:
    """Return the elements of an operand, a scalar being one element, or None if they are not known."""
    found = ctx.value(operand)
    if isinstance(found, Dim | Formula | Float):
        return (found,)
    return found.elements if isinstance(found, Tensor) else None


def format_of(value: Value) -> Format:
    """Return the float format of a value's type or of its elements.

    Raises:
        UnknownValueError: The format is not modeled.
    """
    found = FORMATS.get(element_type(value.type).text)
    if found is None:
        raise UnknownValueError(f"floats of type {element_type(value.type)} are not followed")
    return found


def _floats(row: Sequence[Element]) -> list[Float]:
    found = [each for each in row if isinstance(each, Float)]
    if len(found) != len(row):
        raise UnknownValueError("an element is no float")
    return found


# Floats of floats --------------------------------------------------------------------------------------------------


def _rounding(function: Callable[[Float, Float, Format], Rounded]) -> Compute:
    """Return the computation that rounds a function of two floats to the result's format."""

    def compute(work: FloatComputation, row: tuple[Element, ...]) -> Element:
        a, b = _floats(row)
        return work.value_of(function(a, b, format_of(work.op.results[0])))

    return compute


def _exact(function: Callable[..., Float | None]) -> Compute:
    """Return the computation of a function of floats whose results need no rounding."""

    def compute(work: FloatComputation, row: tuple[Element, ...]) -> Element | None:
        return function(*_floats(row))

    return compute


def _greater(a: Float, b: Float) -> Float:
    return min_or_max(a, b, "max")


def _lesser(a: Float, b: Float) -> Float:
    return min_or_max(a, b, "min")


def _clamped(low: Float, a: Float, high: Float) -> Float:
    return _lesser(_greater(a, low), high)


def _rounded(how: str) -> Compute:
    def compute(work: FloatComputation, row: tuple[Element, ...]) -> Element:
        (a,) = _floats(row)
        found = round_to_integer(a, how, work.fresh)
        return Float(found.value, exact=found.known, whole=found.known, error=None, defined=found.known)

    return compute


def _recast(work: FloatComputation, row: tuple[Element, ...]) -> Element:
    (a,) = _floats(row)
    source, target = format_of(work.op.operands[0]), format_of(work.op.results[0])
    return a if target.holds(source) else work.value_of(convert_float(a, target))


def _root(work: FloatComputation, row: tuple[Element, ...]) -> Element | None:
    (a,) = _floats(row)
    return square_root(a, format_of(work.op.results[0]))


OPERATIONS: dict[str, Compute] = {
    "add": _rounding(add_floats),
    "sub": _rounding(lambda a, b, format: add_floats(a, negate_float(b), format)),
    "mul": _rounding(multiply_floats),
    "div": _rounding(divide_floats),
    "neg": _exact(negate_float),
    "abs": _exact(magnitude),
    "sqrt": _root,
    "max": _exact(_greater),
    "min": _exact(_lesser),
    "clamp": _exact(_clamped),
    "cast": _recast,
    **{how: _rounded(how) for how in ROUNDINGS},
}
"""The computations of float operations, by name."""


# Integers and floats -----------------------------------------------------------------------------------------------


def from_integer(*, without_sign: bool) -> Compute:
    """Convert an integer to a float. A true i1 is 1 if read ``without_sign``, else -1."""

    def compute(work: FloatComputation, row: tuple[Element, ...]) -> Element:
        source = element_type(work.op.operands[0].type)
        value = unsigned(row[0], source.width) if without_sign else signed(row[0])
        return work.value_of(of_integer(value, format_of(work.op.results[0])))

    return compute


def to_integer(*, without_sign: bool, clause: str = "") -> Compute:
    """Convert a float to an integer, rounded towards zero. NaNs and values out of range become any integer.

    With a clause, the operand is demanded to fit where its integer is known: the result would be poison.
    """

    def compute(work: FloatComputation, row: tuple[Element, ...]) -> Element:
        (a,) = _floats(row)
        target = element_type(work.op.results[0].type)
        format_of(work.op.operands[0])
        found = round_to_integer(a, "trunc", work.fresh)
        least, most = (0, 2**target.width - 1) if without_sign else integer_range(target)
        value = found.value
        if a.infinite and clause:
            work.claims.append(Claim(clause, FALSE, "the operand is infinite", makes_poison=True))
        # A size is assumed to fit, as all 64-bit arithmetic.
        if is_mathematical(target) and found.known is TRUE and not value.is_constant:
            lowest, most = integer_range(target)
            work.assume(conjunction((at_least(value, lowest), at_least(most, value))), NO_WRAP)
            fits = at_least(value, least) if without_sign else TRUE
        else:
            fits = conjunction((at_least(value, least), at_least(most, value)))
            if clause and found.known is not FALSE:
                shown = (("the operand, rounded towards zero", value),)
                claim = implies(found.known, fits)
                work.claims.append(Claim(clause, claim, "the value does not fit", shown=shown, makes_poison=True))
            value = wrapped(value, target.width) if without_sign else value
        known = conjunction((found.known, fits))
        if known is not TRUE:
            value = choose(known, value, work.fresh(*integer_range(target)))
        return typed(value, target)

    return compute


def comparison(predicate: str) -> Compute:
    """Compare floats that are numbers."""

    def compute(work: FloatComputation, row: tuple[Element, ...]) -> Element:
        a, b = _floats(row)
        formula, known = compare_floats(predicate, a, b)
        return formula if known is TRUE else either(known, formula, work.unmodeled_truth())

    return compute
