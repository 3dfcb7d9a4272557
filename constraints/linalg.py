"""Structured operations with a body of their own."""

from __future__ import annotations

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import ASKS_WHERE, PURE, on_values
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, Simpler, rule

from .copies import copied, handed_on
from .linalg_contents import contents
from .linalg_loops import access_claims, bearers, body, initial_shapes, loop_nest, with_bounds
from .operand_lists import integer_of


@rule("linalg.generic", "linalg.map", "linalg.reduce", example="tests/cases/linalg/generic.mlir", effects=on_values)
def structured(op: Operation, see: RuleContext) -> Meaning:
    """A loop nest over the index space of the operands. The range of a loop is the first extent that is just its index.

    A nest with an empty range touches nothing, so the clauses are about nests without one.

    (C1) Every extent that is just one loop index equals the range of that loop.
    (C2) Every other index expression stays between 0 and its extent, and divides by positive numbers.
    (R1) Every result has the shape of its output operand, whatever the ranges are.
    (R2) The body runs once for every position of the nest.
    (R3) Small tensors of integers hold what the body yields at each position, or what it makes of all in any order.
    (R4) Where every position writes an element of its own, all elements lie between the bounds of what the body yields.
    """
    nest = loop_nest(op, see)
    shapes = initial_shapes(op, nest, see)
    exact = contents(op, nest, see)
    if exact is not None:
        return Meaning(
            shapes,
            claims=access_claims(nest, see),
            regions=exact.runs,
            finish=lambda yields: exact.results(shapes, yields) or shapes,
            bears=bearers(op, nest),
        )
    inner = body(op, nest, see)
    source = handed_on(op)
    return Meaning(
        shapes,
        claims=access_claims(nest, see),
        regions=(inner.run,),
        finish=lambda yields: with_bounds(see, nest, inner, shapes, yields[0]),
        approximations=inner.approximations,
        free=inner.free,
        bears=bearers(op, nest),
        simpler=Simpler(copies=() if source is None else copied(op, nest, see, source)),
    )


@rule("linalg.yield", example="tests/cases/linalg/generic.mlir", effects=PURE)
def yields(op: Operation, see: RuleContext) -> Meaning:
    """Ends the body of a structured operation."""
    return Meaning()


@rule("linalg.index", example="tests/cases/linalg/generic.mlir", effects=ASKS_WHERE)
def index(op: Operation, see: RuleContext) -> Meaning:
    """The position in one of the loops around the body.

    (R1) The result is at least 0 and below the range of that loop.
    """
    loop = integer_of(op, "dim")
    if loop >= len(see.iteration):
        raise CannotSee("there is no loop of that number")
    return Meaning((see.iteration[loop],))
