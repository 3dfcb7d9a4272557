"""Python functions that compute sizes and formulas: the semantics of `evaluation`, without a traversal of the terms.

The generated source holds numbers, operators and generated names only. Every atom is computed once, and all branches of
a choice are computed, which is harmless because every operation of the language has a value for all numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from shapesolve.symbolic.atoms import Atom, BroadcastExtent, Choice, Maximum, Minimum, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import broadcast_sizes
from shapesolve.symbolic.formula_kinds import TRUE, And, Compatible, Constant, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.visitors import Visitor

Compiled = Callable[..., tuple[tuple[bool, ...], tuple[Any, ...]]]
"""A function from numbers to the truth of conditions and the values of results."""


class NotCompiledError(Exception):
    """An expression has a variable that is no parameter, or a shape of unknown rank."""


def compile_function(
    parameters: Sequence[Variable], conditions: Sequence[Formula], results: Sequence[Dim | Sequence[Dim] | None]
) -> Compiled:
    """Return a function from parameter values to the truth of the conditions and the values of the results.

    A sequence of sizes is computed as a tuple; None stands for a result that is None.

    Raises:
        NotCompiledError: An expression has variables or shapes that are no parameters.
    """
    code = _Code({parameter: f"p{number}" for number, parameter in enumerate(parameters)})
    tests = [code.formula(condition) for condition in conditions]
    values = [code.result(each) for each in results]
    signature = ", ".join(f"p{number}" for number in range(len(parameters)))
    lines = [f"def compute({signature}):", *code.lines, f"    return {_tuple(tests)}, {_tuple(values)}"]
    scope: dict[str, Any] = {"broadcast_sizes": broadcast_sizes}
    exec("\n".join(lines), scope)
    return cast("Compiled", scope["compute"])


def _tuple(items: Sequence[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items)})"


class _Code(Visitor[str, str]):
    """Code generator: writes each atom and each formula as an assignment, and expressions in terms of these.

    Attributes:
        lines: The assignments so far, in the order in which they are computed.
    """

    def __init__(self, names: Mapping[Variable, str]) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._names = names

    def _assigned(self, expression: str) -> str:
        name = f"t{len(self.lines)}"
        self.lines.append(f"    {name} = {expression}")
        return name

    def result(self, result: Dim | Sequence[Dim] | None) -> str:
        """Return the expression of a result."""
        if result is None:
            return "None"
        return self.size(result) if isinstance(result, Dim) else _tuple([self.size(part) for part in result])

    def read_size(self, size: Dim) -> str:
        terms: list[str] = []
        for monomial, coefficient in size.terms:
            factors = [
                f"{self.atom(atom)}**{power}" if power > 1 else self.atom(atom) for atom, power in monomial.factors
            ]
            terms.append(" * ".join([*([f"({coefficient})"] if coefficient != 1 else []), *factors]))
        if size.constant or not terms:
            terms.append(f"({size.constant})")
        return terms[0] if len(terms) == 1 else f"({' + '.join(terms)})"

    def read_atom(self, atom: Atom) -> str:
        match atom:
            case Variable():
                if atom not in self._names:
                    raise NotCompiledError
                return self._names[atom]
            case Quotient(parts=(a, b)) | Remainder(parts=(a, b)):
                sign, at_zero = ("//", "0") if isinstance(atom, Quotient) else ("%", self.size(a))
                divided = f"({self.size(a)}) {sign} ({self.size(b)})"
                return self._assigned(divided if b.is_constant else f"{divided} if {self.size(b)} else {at_zero}")
            case Minimum(parts=parts):
                return self._assigned(f"min({', '.join(map(self.size, parts))})")
            case Maximum(parts=parts):
                return self._assigned(f"max({', '.join(map(self.size, parts))})")
            case BroadcastExtent(parts=parts):
                return self._assigned(f"broadcast_sizes({_tuple([*map(self.size, parts)])})")
            case Choice(parts=(condition, a, b)):
                return self._assigned(f"{self.size(a)} if {self.formula(condition)} else {self.size(b)}")
            case _:
                raise NotCompiledError

    def read_formula(self, formula: Formula) -> str:
        match formula:
            case Constant():
                return str(formula is TRUE)
            case IsZero(size=size):
                return self._assigned(f"{self.size(size)} == 0")
            case IsNonNegative(size=size):
                return self._assigned(f"{self.size(size)} >= 0")
            case Compatible(parts=parts):
                return self._assigned(f"len({{{', '.join(map(self.size, parts))}}} - {{1}}) <= 1")
            case And(parts=parts):
                return self._assigned(" and ".join(map(self.formula, parts)))
            case Or(parts=parts):
                return self._assigned(" or ".join(map(self.formula, parts)))
            case Not(parts=(part,)):
                return self._assigned(f"not {self.formula(part)}")
            case _:
                raise NotCompiledError
