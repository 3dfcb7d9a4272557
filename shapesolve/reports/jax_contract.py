"""A contract for JAX: symbolic shapes, and constraints as ``jax.export.symbolic_shape`` takes them.

JAX compares with ``==``, ``>=`` and ``<=``, knows ``mod``, ``floordiv``, ``max`` and ``min``, and takes every size for
at least 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shapesolve.diagnosis.frameworks import JaxContract
from shapesolve.domain.values import Tensor
from shapesolve.reports.contract import headline
from shapesolve.reports.page import Page
from shapesolve.reports.torch_contract import python_name
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import Atom, Maximum, Minimum, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim, of_atom, of_monomial
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero, Not
from shapesolve.symbolic.shape_kinds import RankedShape

_WORDS: dict[type[Atom], str] = {Quotient: "floordiv", Remainder: "mod", Minimum: "min", Maximum: "max"}
_RESERVED = (*_WORDS.values(), "non_negative")

Names = Mapping[Variable, str]


@stage("report")
def print_for_jax(contracts: Iterable[JaxContract], page: Page) -> None:
    """Print a Python file that defines ``f_shapes`` and ``f_constraints`` for every function ``f``."""
    page.verbatim("# Contracts for jax.export.symbolic_args_specs(args, f_shapes, constraints=f_constraints).")
    for contract in contracts:
        page.verbatim()
        for line in jax_lines(contract):
            page.verbatim(line)


def jax_lines(contract: JaxContract) -> list[str]:
    """Return the Python of one function's contract."""
    function = contract.contract
    lines = [f"# @{function.name}: {headline(function)}", *(f"#   {each}" for each in function.complete)]
    if function.hopeless or function.report.contradiction:
        return lines
    names = _names(contract.sizes)
    shapes = [_shape(value, names) for value in function.report.trace.inputs]
    constraints: list[str] = []
    inexpressible: list[str] = []
    for constraint in contract.constraints:
        words = jax_constraints(constraint.formula, names)
        if words is None:
            inexpressible.append(f"# not said: {constraint.text}")
        else:
            constraints += words
    return [
        *lines,
        *_listed(python_name(f"{function.name}_shapes"), shapes),
        *_listed(python_name(f"{function.name}_constraints"), [f'"{each}"' for each in dict.fromkeys(constraints)]),
        *dict.fromkeys(inexpressible),
    ]


def _listed(name: str, items: Sequence[str]) -> list[str]:
    return [f"{name} = (", *(f"    {each}," for each in items), ")"] if items else [f"{name} = ()"]


def _names(sizes: Sequence[Variable]) -> dict[Variable, str]:
    found: dict[Variable, str] = {}
    for each in sizes:
        found[each] = python_name(each.name, (*_RESERVED, *found.values()))
    return found


def _shape(value: object, names: Names) -> str:
    """Return the symbolic shape of an argument as a string; ``None`` stands for the shape of the argument itself."""
    if not isinstance(value, Tensor) or not isinstance(value.shape, RankedShape):
        return "None"
    # `_`: whatever the argument has there.
    return f'"{", ".join(jax_size(each, names) or "_" for each in value.shape.dims)}"'


def jax_constraints(condition: Formula, names: Names) -> list[str] | None:
    """Return the constraints that together mean a condition, or None if JAX cannot express it."""
    match condition:
        case IsNonNegative() if isinstance((condition.size + 1).atom, Variable):  # JAX knows it
            return []
        case IsZero():
            return _equality(condition.size, names)
        case IsNonNegative():
            return _compared(condition.size, ">=", names)
        case Not(parts=(IsZero() as inner,)):
            low, high = inner.size.bounds()
            if low is not None and low >= 0:
                return _compared(inner.size - 1, ">=", names)
            return _compared(-inner.size - 1, ">=", names) if high is not None and high <= 0 else None
        case _:
            return None


def _equality(size: Dim, names: Names) -> list[str] | None:
    """Return an equality with one size, product or quotient on the left, or None if there is no such form.

    JAX replaces the left side by the right one wherever it stands.
    """
    for monomial, coefficient in size.terms:
        atom = monomial.single
        others = size.variables if atom is None else (size - of_atom(atom) * coefficient).variables
        if coefficient in (1, -1) and isinstance(atom, Variable) and atom not in others:
            left, right = (
                jax_size(of_atom(atom), names),
                jax_size((of_atom(atom) * coefficient - size) * coefficient, names),
            )
            return None if left is None or right is None else [f"{left} == {right}"]
    if len(size.terms) == 1:
        return _compared(size, "==", names)
    both = [_compared(size, sign, names) for sign in (">=", "<=")]
    return None if None in both else [text for each in both for text in each or ()]


def _compared(size: Dim, sign: str, names: Names) -> list[str] | None:
    left = right = size - size
    for monomial, coefficient in size.terms:
        term = of_monomial(monomial) * abs(coefficient)
        left, right = (left + term, right) if coefficient > 0 else (left, right + term)
    left, right = (left + size.constant, right) if size.constant > 0 else (left, right - size.constant)
    texts = jax_size(left, names), jax_size(right, names)
    return None if None in texts else [f"{texts[0]} {sign} {texts[1]}"]


def jax_size(size: Dim, names: Names) -> str | None:
    """Return a size as JAX writes it, or None if JAX cannot express it."""
    texts: list[str] = []
    for monomial, coefficient in size.terms:
        factors = [_power(atom, power, names) for atom, power in monomial.factors]
        if None in factors:
            return None
        product = "*".join(str(each) for each in factors)
        texts.append(product if coefficient == 1 else f"{coefficient}*{product}")
    if size.constant or not texts:
        texts.append(str(size.constant))
    return " + ".join(texts).replace("+ -", "- ")


def _power(atom: Atom, power: int, names: Names) -> str | None:
    if isinstance(atom, Variable):
        text = names.get(atom)
    else:
        word = _WORDS.get(type(atom))
        parts = [jax_size(each, names) if isinstance(each, Dim) else None for each in atom.parts]
        text = None
        if word is not None and None not in parts:
            *before, last = [str(each) for each in parts]
            text = last
            for each in reversed(before):
                text = f"{word}({each}, {text})"
    if text is None:
        return None
    return text if power == 1 else f"{text}^{power}"
