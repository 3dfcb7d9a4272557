"""Contracts in the terms of PyTorch and JAX: the conditions that are left for their checks and constraints."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.contracts.contract import FunctionContract
from shapesolve.domain.values import Tensor
from shapesolve.interpreter.inputs import scope_of
from shapesolve.records import record, value_record
from shapesolve.simplification.affine import AffineSizes, affine_sizes
from shapesolve.simplification.simplify import condition_text
from shapesolve.solver import budgets
from shapesolve.solver.entailment import divides_by_sizes, entails_each_part, not_implied
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import Quotient, Remainder, ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.visitors import atoms_within


@value_record
class Check:
    """Condition to check at run time.

    Attributes:
        text: The condition.
        is_defined: Whether every size that it divides by is known to be nonzero.
    """

    text: str
    is_defined: bool


@record
class TorchContract:
    """A contract in the terms of PyTorch: sizes that a ``Dim`` can express, and checks of the rest."""

    contract: FunctionContract
    sizes: AffineSizes
    checks: tuple[Check, ...]


@value_record
class Constraint:
    """A condition on sizes, and its text."""

    formula: Formula
    text: str


@record
class JaxContract:
    """A contract in the terms of JAX: the sizes of its symbolic shapes, in order, and constraints on them."""

    contract: FunctionContract
    sizes: tuple[Variable, ...]
    constraints: tuple[Constraint, ...]


@stage("diagnose")
def torch_contract(function: FunctionContract) -> TorchContract:
    """Return a contract in the terms of PyTorch; nothing where the function is safe for no sizes."""
    if function.hopeless or function.report.contradiction:
        return TorchContract(function, AffineSizes(), ())
    extents = _extents(function)
    parts = _parts(function)
    sizes = affine_sizes(list(_variables(extents)), _whole(function))
    left = _uncondition_text(function, extents, sizes, parts)
    scope = scope_of(function.report.trace)
    # A check that a divisor is not 0 comes before those that divide.
    checks = [
        Check(condition_text(each, scope), _is_defined(each, parts)) for each in sorted(left, key=divides_by_sizes)
    ]
    return TorchContract(function, sizes, tuple(checks))


@stage("diagnose")
def jax_contract(function: FunctionContract) -> JaxContract:
    """Return a contract in the terms of JAX, where every size is at least 1."""
    if function.hopeless or function.report.contradiction:
        return JaxContract(function, (), ())
    names = [each for each in _variables(_extents(function)) if not isinstance(each, ShapeSymbol)]
    parts = _parts(function)
    # JAX does not draw every conclusion: it is told the bounds of a size even where something else implies them.
    bounds = [each for each in parts if len(each.variables) == 1]
    at_least_one = [at_least(of_atom(each), 1) for each in names]
    needed = not_implied([each for each in parts if each not in bounds], [*bounds, *at_least_one], budgets.MEDIUM)
    scope = scope_of(function.report.trace)
    kept = dict.fromkeys(each for each in parts if each in bounds or each in needed)
    return JaxContract(function, tuple(names), tuple(Constraint(each, condition_text(each, scope)) for each in kept))


def _whole(function: FunctionContract) -> list[Formula]:
    given = [fact.formula for fact in function.report.assumptions]
    return [*given, *(condition.formula for condition in function.conditions)]


def _parts(function: FunctionContract) -> list[Formula]:
    return [part for each in _whole(function) for part in conjuncts(each)]


def _extents(function: FunctionContract) -> list[Dim]:
    shapes = [each.shape for each in function.report.trace.inputs if isinstance(each, Tensor)]
    return [each for shape in shapes if isinstance(shape, RankedShape) for each in shape.dims]


def _variables(extents: Sequence[Dim]) -> dict[Variable, None]:
    return dict.fromkeys(v for extent in extents for v in sorted(extent.variables, key=lambda each: each.text))


def _uncondition_text(
    function: FunctionContract, extents: Sequence[Dim], sizes: AffineSizes, parts: Sequence[Formula]
) -> list[Formula]:
    """Return the conditions that no ``Dim`` expresses, in the contract's form where a whole condition is inexpressible.

    What follows from the others and from the ``Dim``s is left out.
    """
    inexpressible = list(sizes.inexpressible)
    auto = {v for each in extents if sizes.expression(each) is None for v in each.variables}
    for condition in function.conditions:  # what is said of a size that no Dim shows is checked too
        if condition.formula.variables & auto and condition.formula not in inexpressible:
            inexpressible.append(condition.formula)
    return not_implied(inexpressible, [each for each in parts if each not in inexpressible], budgets.MEDIUM)


def _is_defined(formula: Formula, parts: Sequence[Formula]) -> bool:
    """Return whether the other conditions make every divisor positive, so that nothing is divided by 0."""
    divided = {each.parts[1] for each in atoms_within(formula) if isinstance(each, Quotient | Remainder)}
    own = conjuncts(formula)
    others = [each for each in parts if each not in own and not divides_by_sizes(each)]
    return entails_each_part(conjunction(at_least(each, 1) for each in divided), others, budgets.MEDIUM)
