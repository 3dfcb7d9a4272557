"""A shape function of a library: applied to values of a walk, it is the meaning of an operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from shapesolve.errors import InputError
from shapesolve.language.atoms import Variable
from shapesolve.language.dims import dim
from shapesolve.language.evaluation import evaluate, evaluate_shape
from shapesolve.language.formulas import FALSE, TRUE, Formula, conjunction
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.libraries.following import error_claims, followed
from shapesolve.libraries.passing import ATTRIBUTE, attribute_value, described, fits, in_form_of, passed, takes
from shapesolve.reading.program import Attribute, Function, Location, Operation, Program, ScalarType, ShapedType, Type
from shapesolve.walking.inputs import Inputs
from shapesolve.walking.rulebook import Claim, Meaning, Rule, Rulebook
from shapesolve.walking.sight import Sight
from shapesolve.walking.unknowns import Unknowns
from shapesolve.walking.values import Abstract, Size, Tensor, Unmodelled
from shapesolve.walking.walk import walk

Extents = Sequence[int]
"""A concrete shape."""


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A shape function on given arguments.

    ``results`` are sizes of results where all ``claims`` hold; ``valid`` says where they do. ``approximations`` are
    what of the function was not modelled; ``free`` the variables that stand for it.
    """

    results: tuple[Abstract, ...]
    claims: tuple[Claim, ...]
    facts: tuple[tuple[Formula, str], ...] = ()
    stated: tuple[tuple[Formula, str], ...] = ()
    approximations: tuple[str, ...] = ()
    free: frozenset[Variable] = frozenset()
    leans_on: tuple[str, ...] = ()

    @property
    def valid(self) -> Formula:
        """Where nothing that the function demands fails and no result is an error."""
        return conjunction(claim.formula for claim in self.claims)

    @property
    def message(self) -> str | None:
        """What is said of the first claim that never holds."""
        return next((claim.message for claim in self.claims if claim.formula is FALSE), None)


@dataclass(frozen=True, slots=True, eq=False)
class ShapeFunction:
    """A `shape.func` that a library maps operations to.

    ``program`` is the library's file with the functions of this library alone, so that calls find their callees.
    ``rulebook`` is what the operations in the body mean. ``operations`` are those that are mapped to it.
    """

    name: str
    function: Function
    program: Program
    library: str
    rulebook: Rulebook
    operations: tuple[str, ...] = ()
    attributes: tuple[str | None, ...] = field(default=())

    @property
    def location(self) -> Location:
        return self.function.location

    @property
    def arity(self) -> int:
        """How many operands it takes."""
        return sum(1 for each in self.attributes if each is None)

    def misfit(self, op: Operation) -> str | None:
        """Why this function does not describe an operation; None where it does."""
        if len(op.operands) != self.arity:
            return f"{op.name} has {len(op.operands)} operands here, and @{self.name} takes {self.arity}"
        if len(op.results) != len(self.function.result_types):
            return (
                f"{op.name} has {len(op.results)} results here, and @{self.name} returns "
                f"{len(self.function.result_types)}"
            )
        operands = iter(op.operands)
        for position, (argument, named) in enumerate(zip(self.function.arguments, self.attributes, strict=True)):
            if named is not None:
                if attribute_value(argument.type, op.attributes.get(named)) is None:
                    there = f"its attribute `{named}`" if named in op.attributes else f"an attribute `{named}`"
                    return f"argument {position} of @{self.name} wants {there} as {argument.type}"
                continue
            operand = next(operands)
            if not takes(argument.type, operand.type):
                return (
                    f"argument {position} of @{self.name} has type {argument.type}, which does not take the operand "
                    f"{operand.name} of type {operand.type}"
                )
        for position, (result, returned) in enumerate(zip(op.results, self.function.result_types, strict=True)):
            if not fits(returned, result.type):
                return (
                    f"result {position} of {op.name} has type {result.type}, which the {returned} that @{self.name} "
                    "returns does not describe"
                )
        return None

    def rule(self, op: str) -> Rule:
        """What an operation means by this function."""
        words = (
            f"What the shape function @{self.name} of the library @{self.library} says ({self.location}).\n\n"
            f"(V1) @{self.name} gives no error.\n(V2) No extent is negative."
        )
        clauses = {"V1": f"@{self.name} gives no error.", "V2": "No extent is negative."}
        return Rule(op, self.meaning, str(self.location), f"@{self.library}", words, clauses)

    def meaning(self, op: Operation, see: Sight) -> Meaning:
        """The meaning of an operation that the function describes."""
        applied = self.applied([see.value(each) for each in op.operands], op.attributes, see.unknowns)
        results = tuple(
            in_form_of(result.type, value) for result, value in zip(op.results, applied.results, strict=True)
        )
        return Meaning(
            results=results,
            claims=applied.claims,
            facts=applied.facts,
            stated=applied.stated,
            approximations=applied.approximations,
            free=applied.free,
            leans_on=applied.leans_on,
        )

    def applied(
        self, operands: Sequence[Abstract], attributes: dict[str, Attribute] | object, unknowns: Unknowns
    ) -> Applied:
        """The function on values of any walk: what it returns, and everything that must hold for that."""
        given = attributes if isinstance(attributes, dict) else {}
        arguments = self._arguments(operands, given)
        trace = walk(self.program, Inputs(self.function, arguments, (), (), unknowns), self.rulebook)
        made = followed(trace, self.name, unknowns.truth)
        returned = trace.results
        if returned is None:
            unknown = tuple(Unmodelled(f"what @{self.name} returns is not known") for _ in self.function.result_types)
            return self._applied(made, unknown, ())
        results: list[Abstract] = []
        claims: list[Claim] = []
        for value, type in zip(returned, self.function.result_types, strict=True):
            result, valid, positive = described(value, type)
            results.append(result)
            claims += error_claims(trace, self.name, valid)
            claims.append(Claim("V1", valid, f"the shape function @{self.name} gives an error ({self.location})"))
            if positive is not TRUE:
                message = f"the shape function @{self.name} gives a negative extent ({self.location})"
                claims.append(Claim("V2", positive, message, shown=_shown(result)))
        return self._applied(made, tuple(results), tuple(claims))
