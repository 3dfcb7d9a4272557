"""Hypothesis strategies for sizes that satisfy claims, and for shapes that satisfy a contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shapesolve.contracts.contract import ContractReport, FunctionContract
from shapesolve.domain.values import Tensor
from shapesolve.errors import InputError
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.evaluation import evaluate, evaluate_shape
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjuncts
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Kind, Scope
from shapesolve.symbolic.visitors import Instantiation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Value = int | tuple[int, ...]
Draw = Callable[[Any], Any]


def sizes_where(*claims: str | Formula, max_size: int = 16) -> SearchStrategy[dict[str, int]]:
    """Return a strategy for sizes, by name, that satisfy all claims.

    Args:
        claims: Formulas, or texts in which every name is a size.
        max_size: The largest size that is drawn.

    Raises:
        InputError: A text is no claim, or a claim is about shapes of unknown rank.

    Example: ``@given(sizes_where("C % G == 0", "G >= 1"))``.
    """
    scope = Scope.free()
    formulas = [parse_formula(each, scope) if isinstance(each, str) else each for each in claims]
    texts = variables_in(scope.size(name) for name in _sizes_in(scope))
    named = _by_name(texts | variables_in(formulas))

    def named_sizes(draw: Draw) -> dict[str, int]:
        sizes = _drawn(draw, named, formulas, max_size)
        return {each.name: sizes[each] for each in named}

    return _composite(named_sizes)


def shapes_of(
    contract: ContractReport | FunctionContract, function: str | None = None, *, max_size: int = 16
) -> SearchStrategy[dict[str, Value]]:
    """Return a strategy for the arguments of a function that satisfy its contract.

    What is drawn has the shape of each tensor (a tuple) and the number of each size, by the argument's name without
    the ``%``.

    Args:
        contract: The result of `shapesolve.contract`.
        function: The name of the function, if there are several.
        max_size: The largest size that is drawn.

    Raises:
        InputError: There is no such function, or no sizes are safe for it, or an argument is of unknown rank.

    Example: ``@given(shapes_of(shapesolve.contract("model.mlir")))``.
    """
    chosen = _function(contract, function)
    if chosen.hopeless or chosen.report.contradiction:
        raise InputError("no sizes are safe for this function: there is nothing to draw", where=chosen.name)
    trace = chosen.report.trace
    arguments = {
        each.name.removeprefix("%"): trace.values[each] for each in trace.function.arguments if each in trace.values
    }
    formulas = [each.formula for each in chosen.conditions] + [each.formula for each in trace.assumptions]
    inside = [each.shape if isinstance(each, Tensor) else each for each in arguments.values()]
    variables = frozenset[Variable]().union(
        *(each.variables for each in formulas), *(getattr(each, "variables", frozenset[Variable]()) for each in inside)
    )
    named = _by_name(variables)

    def named_shapes(draw: Draw) -> dict[str, Value]:
        sizes = _drawn(draw, named, formulas, max_size)
        found: dict[str, Value] = {}
        for name, value in arguments.items():
            if isinstance(value, Tensor):
                extents = evaluate_shape(value.shape, sizes)
                if extents is not None:
                    found[name] = extents
            elif isinstance(value, Dim):
                found[name] = evaluate(value, sizes)
        return found

    return _composite(named_shapes)


def _sizes_in(scope: Scope) -> list[str]:
    return [name for name in scope.names if scope.kind(name) is Kind.SIZE]


def _function(contract: ContractReport | FunctionContract, name: str | None) -> FunctionContract:
    if isinstance(contract, FunctionContract):
        return contract
    found = [each for each in contract.functions if name in (None, each.name)]
    if len(found) != 1:
        known = ", ".join(each.name for each in contract.functions) or "none"
        raise InputError(f"name one function of this contract; it has: {known}", where="shapes_of")
    return found[0]


def _by_name(variables: Iterable[Variable]) -> list[Variable]:
    found = sorted(variables, key=lambda each: each.name)
    unranked = [each for each in found if isinstance(each, ShapeSymbol)]
    if unranked:
        raise InputError(f"the rank of {unranked[0]} is not known: give it a shape", where=unranked[0].name)
    return found


def _drawn(
    draw: Draw, variables: Sequence[Variable], formulas: Sequence[Formula], max_size: int
) -> Mapping[Variable, int]:
    """Draw one size after the other out of those that falsify no claim at once.

    A size that an equation fixes has one candidate; where the choice before leaves none, the example is rejected.
    """
    st: Any = import_module("hypothesis.strategies")
    hypothesis: Any = import_module("hypothesis")
    sizes: dict[Variable, int] = {}
    left = [part for each in formulas for part in conjuncts(each)]
    for variable in variables:
        low = max(variable.lower or 0, 0) if variable.lower is not None else 0
        high = max_size if variable.upper is None else min(variable.upper, max_size)
        candidates = {
            number: claims for number in range(low, high + 1) if (claims := _with(left, variable, number)) is not None
        }
        if not candidates:
            hypothesis.reject()
        sizes[variable] = draw(st.sampled_from(sorted(candidates, key=_believable)))
        left = candidates[sizes[variable]]
    return sizes


def _believable(number: int) -> tuple[bool, int]:
    """Return the order in which examples shrink: 2, 3, ... before 0 and 1."""
    return number < 2, number


def _with(claims: Sequence[Formula], variable: Variable, number: int) -> list[Formula] | None:
    """Return the claims with a number for a variable, without those that hold; None if one is false."""
    by = Instantiation({variable: dim(number)})
    found: list[Formula] = []
    for each in claims:
        claim = by.formula(each) if variable in each.variables else each
        if claim is FALSE:
            return None
        if claim is not TRUE:
            found.append(claim)
    return found


def _composite(function: Callable[[Draw], Any]) -> Any:
    """Return a strategy of what a function draws.

    Raises:
        ModuleNotFoundError: hypothesis is not installed.
    """
    st: Any = import_module("hypothesis.strategies")
    return st.composite(function)()
