"""z3 without any preparation: its own division, one solver for each question."""

from __future__ import annotations

from typing import Any

import z3
from questions import Question

from shapesolve.solver.z3.translation import Translation
from shapesolve.symbolic.atoms import Atom, Quotient, Remainder, Variable
from shapesolve.symbolic.formulas import negation

SECONDS = 2


class NativeDivision(Translation):
    """Divisions as z3's `div` and `mod`, which round differently for negative divisors."""

    def atom(self, atom: Atom) -> Any:
        if not isinstance(atom, Quotient | Remainder):
            return super().atom(atom)
        a, b = (self.size(part) for part in atom.parts)
        positive, zero = (a / b, z3.IntVal(0)) if isinstance(atom, Quotient) else (a % b, a)
        negative = (-a) / (-b) if isinstance(atom, Quotient) else -((-a) % (-b))
        if atom.parts[1].is_constant:
            return positive
        return z3.If(b > 0, positive, z3.If(b == 0, zero, negative))


class PlainZ3:
    """Answers with z3's models, unchecked."""

    def __call__(self, question: Question) -> str | dict[Variable, int] | None:
        translation = NativeDivision(z3, z3.main_ctx())
        query = [negation(question.goal), *question.facts]
        variables = frozenset[Variable]().union(*(formula.variables for formula in query))
        solver: Any = z3.Solver()
        solver.set(timeout=SECONDS * 1000)
        for formula in query:
            solver.add(translation.formula(formula))
        for variable in sorted(variables, key=str):
            solver.add(translation.variable(variable) >= variable.lower)
        answer = solver.check()
        if answer == z3.unsat:
            return "valid"
        if answer != z3.sat:
            return None
        model = solver.model()
        return {variable: translation.value(model, variable) for variable in variables}
