"""Conditions on the declared sizes of an exported model that hold together."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from shapesolve.checker.exporter_findings import Undeclared, fixed_sizes
from shapesolve.checker.report import FunctionReport
from shapesolve.errors import InputError
from shapesolve.interpreter.named_extents import shape_names
from shapesolve.ir.declarations import Declarations
from shapesolve.options import Options
from shapesolve.preconditions.functions import texts_about
from shapesolve.simplification.simplify import condition_text, conjunction_text, shortest_and_inexpressible
from shapesolve.solver.entailment import entails, prove
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula, IsZero
from shapesolve.symbolic.formulas import is_non_negative
from shapesolve.symbolic.grammar import MAX_TEXT
from shapesolve.symbolic.parser import parse_formula, parse_size
from shapesolve.symbolic.scope import Scope

BUDGET = 200_000
"""Budget of the solver for a question about conditions of an exporter."""

_SAMPLES = 4
_USUAL = 2


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
        undeclared = (each for each in fixed_sizes(declared) if each.undeclared is Undeclared.NOT_EMPTY)
        texts = [*declared.claims, *(each.guard.text for each in undeclared)]
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
        """Return the parts of some conditions in their shortest form, given these; none where they follow from them.

        They stay as they are where a part cannot be written, or is too long to be read again.
        """
        formulas = [parse_formula(each, self.scope) for each in texts]
        pieces, inexpressible = shortest_and_inexpressible(formulas, self.formulas, self.scope)
        found = tuple(condition_text(each, self.scope) for each in pieces)
        return texts if inexpressible or any(len(each) > MAX_TEXT for each in found) else found

    def joined(self, texts: Sequence[str]) -> str:
        """Return some conditions as one, bounds of one size as a chain: ``1 <= H % 4 <= 2``.

        The text is empty where it is too long to be read again.
        """
        text = conjunction_text([parse_formula(each, self.scope) for each in texts], self.scope) if texts else ""
        return text if len(text) <= MAX_TEXT else ""

    def outside(self, text: str, before: Sequence[Formula], declared: Declarations) -> list[Mapping[str, int]]:
        """Return a few declared sizes that a condition excludes and others admit, the smallest first.

        Sizes on both sides of an equation are among them: a model that fails beyond a size may return below it.
        """
        found: list[Mapping[str, int]] = []
        known, seen = [*self.formulas, *before], list[Formula]()
        excluding = parse_formula(text, self.scope)
        own_symbols = {each.text for each in excluding.variables}
        symbols = declared_symbols(declared, with_scalars=True) | own_symbols
        mentioned = {each for fact in known for each in fact.variables}  # ``T`` may stand in ``2*T + 1`` alone
        symbols |= {each.text for each in mentioned if not isinstance(each, ShapeSymbol)}
        sides = deque([excluding])
        if isinstance(excluding, IsZero):
            (difference,) = excluding.parts
            sides = deque([is_non_negative(difference), is_non_negative(-difference)])
        while sides and len(seen) < _SAMPLES:
            verdict = prove(sides[0], [*known, *seen], budget=BUDGET)
            if not isinstance(verdict, Refuted):
                sides.popleft()
                continue
            sides.rotate()
            sizes = {each.text: number for each, number in verdict.sizes.items() if isinstance(number, int)}
            own = {name: sizes.get(name, 2) for name in symbols}
            usual = [{name: own[name] if name in own_symbols else other for name in symbols} for other in (2, 3)]
            found += [
                each for each in (*usual, own) if all(holds_at(fact, each) for fact in (*self.formulas, *before))
            ][:_USUAL]
            same = " and ".join(f"{name} == {number}" for name, number in own.items() if name in own_symbols)
            if not same:
                break
            seen.append(parse_formula(f"not ({same})", self.scope))
        return found


def holds_at(formula: Formula, sizes: Mapping[str, int]) -> bool:
    """Return whether a condition holds at sizes, which are enough to say so."""
    try:
        return holds(formula, {each: sizes[each.text] for each in formula.variables})
    except (KeyError, ZeroDivisionError):
        return False


def sizes_of_symbols(declared: Declarations, given: Mapping[int, Sequence[int]]) -> dict[str, int]:
    """Return the sizes of the declared symbols at arguments, of ``H`` also where ``4*H`` is declared alone.

    Args:
        declared: The declarations.
        given: The extents of each argument that has some, the value of a number, by position.
    """
    sizes: dict[str, int] = {}
    for position, numbers in given.items():
        for text, number in zip(declared.shapes.get(position, ()), numbers, strict=False):
            size = parse_size(text, Scope.free())
            for monomial, factor in size.terms if len(size.terms) == 1 else ():
                found, rest = divmod(number - size.constant, factor)
                if isinstance(monomial.single, Variable) and not rest:
                    sizes[monomial.single.text] = found
    return sizes


def declared_symbols(declared: Declarations, *, with_scalars: bool) -> set[str]:
    """Return the names of sizes that are declared, or of integer arguments besides."""
    return {
        each
        for position, texts in declared.shapes.items()
        if with_scalars or position not in declared.scalars
        for each in texts
        if each.isidentifier()
    }
