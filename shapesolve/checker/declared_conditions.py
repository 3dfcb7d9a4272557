"""Conditions on the declared sizes of an exported model that hold together."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.checker.report import FunctionReport
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import shape_names
from shapesolve.ir.declarations import Declarations
from shapesolve.options import Options
from shapesolve.preconditions.functions import texts_about
from shapesolve.simplification.simplify import condition_text, conjunction_text, shortest_and_inexpressible
from shapesolve.solver.entailment import entails
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

BUDGET = 200_000
"""Budget of the solver for a question about conditions of an exporter."""


class Conditions:
    """Conditions on the declared symbols that hold together.

    Attributes:
        scope: The declared symbols; numbers among the arguments may be negative.
        formulas: The conditions.
    """

    def __init__(self, scope: Scope, texts: Sequence[str]) -> None:
        self.scope = scope
        self.formulas = [parse_formula(each, scope) for each in texts]

    @staticmethod
    def declared(function: FunctionReport, declared: Declarations, options: Options) -> Conditions | None:
        """Return all that is declared, here or on the command line; None where a text of that cannot be read here."""
        texts = [*declared.claims, *declared.not_zero]
        own = function.trace.function
        names = [argument.name.lstrip("%") for argument in own.arguments]
        scope = Scope.free()
        for position in declared.scalars:
            scope.declare_integer(declared.shapes[position][0])
        try:
            for name in shape_names(own, options.shapes):
                for text, given in zip(declared.shapes.get(name.argument or 0, ()), name.names, strict=False):
                    if given not in ("?", "_"):
                        texts.append(f"{text} == {given}")
            texts += [declared.over_symbols(each, names) for each in texts_about(own, options.assumptions)]
            if options.min_size:
                texts += [
                    f"{each} >= {options.min_size}" for each in sorted(declared_symbols(declared, with_scalars=False))
                ]
            return Conditions(scope, texts)
        except InputError:
            return None

    def entail(self, text: str) -> bool:
        """Return whether a condition follows from these."""
        return entails(parse_formula(text, self.scope), self.formulas, budget=BUDGET)

    def add(self, text: str) -> None:
        """Add a condition."""
        self.formulas.append(parse_formula(text, self.scope))

    def shortest(self, *texts: str) -> tuple[str, ...]:
        """Return the parts of some conditions in their shortest form, given these; none where they follow from them."""
        formulas = [parse_formula(each, self.scope) for each in texts]
        pieces, inexpressible = shortest_and_inexpressible(formulas, self.formulas, self.scope)
        return texts if inexpressible else tuple(condition_text(each, self.scope) for each in pieces)

    def joined(self, texts: Sequence[str]) -> str:
        """Return some conditions as one, bounds of one size as a chain: ``1 <= H % 4 <= 2``."""
        return conjunction_text([parse_formula(each, self.scope) for each in texts], self.scope) if texts else ""


def declared_symbols(declared: Declarations, *, with_scalars: bool) -> set[str]:
    """Return the names of sizes that are declared, or of integer arguments besides."""
    return {
        each
        for position, texts in declared.shapes.items()
        if with_scalars or position not in declared.scalars
        for each in texts
        if each.isidentifier()
    }
