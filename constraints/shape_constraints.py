"""The shape dialect's constraints: questions about shapes, assertions, and the witnesses that they make.

An assertion is where the program stops, so it carries the obligation. A witness remembers that it comes from one;
where a witness comes from elsewhere (a constant, an argument), the region that assumes it carries the obligation.
"""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.language.formulas import TRUE, Formula, conjunction, equal
from shapesolve.language.shapes import Shape, broadcastable, same_shape
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE, STOPS
from shapesolve.walking.obligations import Kind
from shapesolve.walking.region_runs import Once
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, Yields, rule
from shapesolve.walking.values import Abstract, Unmodelled, Witness

from .extent_tensors import quoted, shown_extents, spelled

QUESTIONS = "tests/cases/shape/questions.mlir"
ASSERTIONS = "tests/cases/shape/assertions.mlir"


def _all_same(*shapes: Shape) -> Formula:
    return conjunction(same_shape(shapes[0], other) for other in shapes[1:])


@rule("shape.is_broadcastable", example=QUESTIONS, effects=PURE)
def is_broadcastable(op: Operation, see: RuleContext) -> Meaning:
    """Whether shapes broadcast together, aligned from the right.

    (R1) True where in every column all extents that are not 1 are equal, and no operand is an error.
    """
    read = spelled(see, *op.operands)
    return read.meaning(broadcastable(*read.shapes))


@rule("shape.shape_eq", example=QUESTIONS, effects=PURE)
def shape_eq(op: Operation, see: RuleContext) -> Meaning:
    """Whether shapes are equal.

    (R1) True where all ranks and extents are; an error equals only an error.
    """
    read = spelled(see, *op.operands)
    return read.meaning(_all_same(*read.shapes))


@rule("shape.cstr_broadcastable", example=ASSERTIONS, effects=STOPS)
def cstr_broadcastable(op: Operation, see: RuleContext) -> Meaning:
    """Asserts that shapes broadcast together, aligned from the right.

    (C1) In every column all extents that are not 1 are equal.
    (R1) The witness passes where they are.
    """
    return _assertion(op, see, broadcastable, "the shapes do not broadcast")


@rule("shape.cstr_eq", example=ASSERTIONS, effects=STOPS)
def cstr_eq(op: Operation, see: RuleContext) -> Meaning:
    """Asserts that shapes are equal.

    (C1) All ranks and extents are equal.
    (R1) The witness passes where they are.
    """
    return _assertion(op, see, _all_same, "the shapes are not equal")


def _assertion(op: Operation, see: RuleContext, claim: Callable[..., Formula], message: str) -> Meaning:
    if not op.operands:
        return Meaning(results=(Witness(TRUE, asserted=True),))
    try:
        read = spelled(see, *op.operands)
    except CannotSee as reason:
        # The assertion is there whatever it is about: an unknown outcome, so that it is not left out of the report.
        outcome = see.fresh(op.results[0].name, 0, 1)
        unknown = equal(outcome, 1)
        return Meaning(
            results=(Witness(unknown, asserted=True),),
            claims=(Claim("C1", unknown, message, Kind.CHECK, is_barrier=False),),
            approximations=(str(reason),),
            free=outcome.variables,
        )
    formula = claim(*read.shapes)
    asserted = Claim("C1", formula, message, Kind.CHECK, shown_extents(op, read.shapes), is_barrier=False)
    return read.meaning(Witness(formula, asserted=True), claims=(asserted,))


@rule("shape.cstr_require", example=ASSERTIONS, effects=STOPS)
def cstr_require(op: Operation, see: RuleContext) -> Meaning:
    """Asserts a condition.

    (C1) The condition holds.
    (R1) The witness passes where it does.
    """
    condition = see.truth(op.operands[0])
    said = quoted(op, "msg")
    claim = Claim("C1", condition, "the requirement fails", Kind.CHECK, is_barrier=False, said=said)
    return Meaning(results=(Witness(condition, asserted=True),), claims=(claim,))


@rule("shape.const_witness", example=ASSERTIONS, effects=PURE)
def const_witness(op: Operation, see: RuleContext) -> Meaning:
    """A witness that is known to pass, or known not to.

    (R1) The witness passes where the constant is true. Nothing stops here when it is false.
    """
    passing = op.attributes.get("passing") is True
    return Meaning(results=(Witness(TRUE, asserted=True) if passing else Witness(~TRUE),))


@rule("shape.assuming_all", example=ASSERTIONS, effects=PURE)
def assuming_all(op: Operation, see: RuleContext) -> Meaning:
    """Several witnesses as one.

    (R1) The witness passes where all do.
    """
    found = [see.value(operand) for operand in op.operands]
    passing = conjunction(see.witness(operand) for operand in op.operands)
    return Meaning(results=(Witness(passing, all(isinstance(w, Witness) and w.asserted for w in found)),))


@rule("shape.assuming", example=ASSERTIONS, effects=STOPS)
def assuming(op: Operation, see: RuleContext) -> Meaning:
    """Runs its region where a witness passes, and stops the program where it does not.

    (C1) The witness passes. (That of a `shape.cstr_*` is judged there, once; it is not asked for again.)
    (R1) The results are what the region yields. Whatever is computed from them happens only where the witness passes;
    other operations may run before the assertion is looked at, and may not rely on it.
    """
    witness = see.value(op.operands[0])
    if not isinstance(witness, Witness):
        raise CannotSee(f"the witness {op.operands[0].name} is not known")
    claims: tuple[Claim, ...] = ()
    if not witness.asserted:
        claims = (Claim("C1", witness.passing, f"the witness {op.operands[0].name} does not pass", Kind.CHECK),)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        yielded = yields[0]
        if yielded is None:
            return tuple(Unmodelled("what the region yields is not known") for _ in op.results)
        return yielded

    run = Once.where(witness.passing, f"the witness {op.operands[0].name} passes", region=op.regions[0])
    return Meaning(claims=claims, regions=(run,), finish=finish, guard=witness.passing)


@rule("shape.assuming_yield", example=ASSERTIONS, effects=PURE)
def assuming_yield(op: Operation, see: RuleContext) -> Meaning:
    """Ends the region of shape.assuming with its results."""
    return Meaning()
