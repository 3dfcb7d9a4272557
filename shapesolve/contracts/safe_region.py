"""The region of two sizes in which a function is safe, point by point, from its contract."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence

from shapesolve.contracts.contract import FunctionContract, with_every_input
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import scope_of
from shapesolve.records import record, value_record
from shapesolve.solver.entailment import counterexample
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.evaluation import Sizes, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, equal, negation
from shapesolve.symbolic.parser import parse_shape, parse_size
from shapesolve.symbolic.shape_kinds import UnrankedShape


class PointKind(enum.StrEnum):
    """Kind of a point: the outcome of calling a function at two sizes."""

    SAFE = "safe"
    FAILS = "fails"
    OPEN = "not decided"
    EXCLUDED = "excluded by what is assumed"


@value_record
class Point:
    """Two sizes and the verdict at them.

    Attributes:
        kind: Whether the function is safe there.
        condition: The first condition of the contract that is broken; "" if none is.
    """

    kind: PointKind
    condition: str = ""


@record
class SafeRegion:
    """The points of a grid of two sizes.

    Attributes:
        function: The name of the function.
        x, y: The names of the two sizes.
        rows: The points by ``y`` and then by ``x``, both from 0.
        fixed: The other sizes that conditions mention, and their values here, by name.
    """

    function: str
    x: str
    y: str
    rows: tuple[tuple[Point, ...], ...]
    fixed: Mapping[str, int | tuple[int, ...]]


def safe_region(
    contract: FunctionContract,
    x: str,
    y: str,
    *,
    at: Mapping[str, int | tuple[int, ...]] | None = None,
    up_to: int = 16,
) -> SafeRegion:
    """Return where a function is safe, for two of its sizes from 0 to a limit.

    Args:
        x, y: The two sizes, as ``--assume`` names them: ``arg0[1]``, ``B``.
        at: Values of other sizes. Those left out have the values of the smallest call that is safe.
        up_to: The largest size.

    Raises:
        InputError: A name is none of a size of the function's inputs, or both are the same.
    """
    trace = contract.report.trace
    across, up = _size_named(contract, x), _size_named(contract, y)
    if across is up:
        raise InputError("a region is drawn over two different sizes", where=f"{x}, {y}")
    given = {_input_named(contract, name): value for name, value in (at or {}).items()}
    assumed = [each.formula for each in contract.report.assumptions]
    conditions = [each.formula for each in contract.conditions]
    sizes = {**_safe_call(contract, assumed + conditions, given), **given}
    rows = tuple(
        tuple(_point(contract, assumed, {**sizes, across: a, up: b}) for a in range(up_to + 1))
        for b in range(up_to + 1)
    )
    mentioned = variables_in(assumed + conditions) | given.keys()
    fixed = {each.name: sizes[each] for each in trace.input_variables if each in mentioned - {across, up}}
    return SafeRegion(contract.name, x, y, rows, fixed)


def _size_named(contract: FunctionContract, name: str) -> Variable:
    found = _input_named(contract, name)
    if isinstance(found, ShapeSymbol):
        raise InputError(_unknown(contract), where=name)
    return found


def _input_named(contract: FunctionContract, name: str) -> Variable:
    """Return the variable of an input.

    Raises:
        InputError: No input has that name.
    """
    scope = scope_of(contract.report.trace)
    inputs = contract.report.trace.input_variables
    named = next((each for each in inputs if each.name == name), None)
    if named is not None:
        return named
    for parse in (parse_size, parse_shape):
        try:
            found = parse(name, scope)
        except InputError:
            continue
        variable = found.symbol if isinstance(found, UnrankedShape) else found.atom if isinstance(found, Dim) else None
        if isinstance(variable, Variable) and variable in inputs:
            return variable
    raise InputError(_unknown(contract), where=name)


def _unknown(contract: FunctionContract) -> str:
    names = ", ".join(each.name for each in contract.report.trace.input_variables)
    return f"no input of @{contract.name} has that size: there are {names or 'no sizes that are not known'}"


def _safe_call(contract: FunctionContract, conditions: Sequence[Formula], given: Sizes) -> Sizes:
    """Return the sizes of a small call that is safe, with those that are given; small sizes if there is none."""
    numbers = [equal(of_atom(each), value) for each, value in given.items() if isinstance(value, int)]
    found = counterexample(negation(conjunction([*conditions, *numbers])))
    return with_every_input(found or {}, contract.report.trace.input_variables)


def _point(contract: FunctionContract, assumed: Sequence[Formula], sizes: Sizes) -> Point:
    if any(_holds(each, sizes) is False for each in assumed):
        return Point(PointKind.EXCLUDED)
    if contract.hopeless:
        return Point(PointKind.FAILS)
    broken = [(each, held) for each in contract.conditions if not (held := _holds(each.formula, sizes))]
    known = next((each for each, held in broken if held is False and each.necessary), None)
    if known is not None:
        return Point(PointKind.FAILS, known.text)
    if broken:
        return Point(PointKind.OPEN, broken[0][0].text)
    return Point(PointKind.SAFE if contract.sufficient else PointKind.OPEN)


def _holds(formula: Formula, sizes: Sizes) -> bool | None:
    """Return whether a formula holds; None if it speaks of more than the inputs."""
    try:
        return holds(formula, sizes)
    except KeyError:
        return None
