"""PyTorch's ranges of floats: how many numbers lie between two, so far apart."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import ONE, ZERO
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import TRUE, Formula, conjunction, disjunction
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning
from shapesolve.walking.values import Abstract, Float, Tensor

from .float_elements import Arithmetic, is_float
from .float_numbers import FORMATS, added, compared, divided, integral, negated
from .torch_scalar_floats import as_float
from .torch_values import check

_F64 = FORMATS["f64"]


def float_range(op: Operation, see: RuleContext, given: Sequence[Abstract]) -> Meaning:
    """The floats from the first number (0, where one is given) up to the next, some steps (1) apart.

    PyTorch subtracts and divides in f64, and rounds up. CannotSee where it is not known whether the step leads there.
    """
    if not is_float(op.results[0]):
        raise CannotSee("the ends of a range of integers are floats, which are cut off first")
    work = Arithmetic(op, see)
    numbers = [as_float(work, each) for each in given]
    start, end = (Float(ZERO), numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
    step = numbers[2] if len(numbers) > 2 else Float(ONE)
    up = conjunction((_known("gt", step, Float(ZERO)), _known("ge", end, start)))
    down = conjunction((_known("lt", step, Float(ZERO)), _known("le", end, start)))
    claim = check("C1", disjunction((up, down)), "the step does not lead to the end")
    distance = work.kept(added(end, negated(start), _F64))
    found = integral(work.kept(divided(distance, step, _F64)), "ceil", work.fresh)
    count = found.value if found.known is TRUE else choose(found.known, found.value, work.fresh(0))
    return work.on(Meaning((Tensor(RankedShape.of((count,))),), claims=(claim,)))


def _known(predicate: str, a: Float, b: Float) -> Formula:
    formula, where = compared(predicate, a, b)
    if where is not TRUE:
        raise CannotSee("whether the step leads to the end is not known: floats that are rounded are not followed")
    return formula
