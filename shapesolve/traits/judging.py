"""Every operation of a file that carries the trait: what a profile says of it, and how it fares at run time."""

from __future__ import annotations

from collections.abc import Collection

from shapesolve.errors import InputError
from shapesolve.libraries.carriers import DEFAULT, OPTION, carriers_in, parse_carrier
from shapesolve.options import Options
from shapesolve.reading.program import Location, Operation, ShapedType, Type
from shapesolve.records import value_record
from shapesolve.traits.extents import shape_of_type
from shapesolve.traits.meaning import Kind, Meaning, meaning_of
from shapesolve.traits.operand_shapes import OperandShapes
from shapesolve.traits.profiles import CARRIERS, Profile, Rules
from shapesolve.traits.refused_text import Disguised, read_refused, read_refused_text
from shapesolve.traits.verifier import Demand, Effect, TypedValue, Verification, verify

ACCEPTED = "accepted"

TEXT = "-"
"""The name of a program that is no file."""


@value_record
class Judged:
    """One operation. ``meaning`` is None where it has no meaning at run time: operands or results are no tensors."""

    name: str
    operation: Operation
    verification: Verification
    meaning: Meaning | None

    @property
    def location(self) -> Location:
        return self.operation.location

    @property
    def broken(self) -> Demand | None:
        """The demand that it does not meet; None where it is accepted."""
        return self.verification.broken

    @property
    def outcome(self) -> str:
        """``accepted``, ``rejected``, ``unspecified`` or ``crashed``."""
        return ACCEPTED if self.broken is None else self.broken.effect.value

    @property
    def is_settled(self) -> bool:
        """Whether the profile says yes or no, and the meaning of a yes is known."""
        if self.broken is None:
            return self.meaning is None or self.meaning.kind is not Kind.UNDECIDED
        return self.broken.effect is not Effect.UNSPECIFIED


@value_record
class JudgedFile:
    """All operations of a file that carry the trait, in their order."""

    source: Disguised
    profile: Profile
    operations: tuple[Judged, ...]

    @property
    def exit_code(self) -> int:
        """0: all accepted; 1: some are rejected; 3: none is, but what some come to is not known, or there is none."""
        if any(judged.broken is not None and judged.is_settled for judged in self.operations):
            return 1
        return 0 if self.operations and all(judged.is_settled for judged in self.operations) else 3


def judge_file(
    path: str,
    profile: Profile,
    *,
    also: Collection[str] = (),
    options: Options | None = None,
    budget: int | None = None,
) -> JudgedFile:
    """Judge the operations of a file. ``also`` names operations that carry the trait beside those known to.

    Of the ``options``, those count that say something about sizes. Raises InputError for what MLIR cannot read for
    other reasons than the trait.
    """
    also = _broadcastable(also, OPTION)
    return _judged(read_refused(path, CARRIERS.union(also)), profile, also, options, budget)


def judge_text(
    text: str,
    profile: Profile,
    *,
    also: Collection[str] = (),
    options: Options | None = None,
    budget: int | None = None,
) -> JudgedFile:
    """As `judge_file`, of a program that is given as text."""
    also = _broadcastable(also, OPTION)
    return _judged(read_refused_text(text, TEXT, CARRIERS.union(also)), profile, also, options, budget)


def _broadcastable(carriers: Collection[str], where: str) -> frozenset[str]:
    """Return the operations that are declared to carry this trait. Raises InputError for another trait."""
    found = [parse_carrier(text, where) for text in carriers]
    for each in found:
        if each.trait != DEFAULT:
            message = f"verify judges the trait {DEFAULT} alone; {each.op}={each.trait} is for check and the others"
            raise InputError(message, where=where)
    return frozenset(each.op for each in found)


def _judged(
    source: Disguised, profile: Profile, also: Collection[str], options: Options | None, budget: int | None
) -> JudgedFile:
    stated = {each.op for each in carriers_in(source.program, ()) if each.trait == DEFAULT}
    carriers = CARRIERS.union(also, stated)
    shapes = OperandShapes(source.program, options or Options())
    judged: list[Judged] = []
    for operation in source.program.operation.walk():
        name = source.name_at(operation.location.line, operation.location.column, operation.name)
        if name in carriers:
            judged.append(judge(operation, name, profile, shapes=shapes, budget=budget))
    return JudgedFile(source, profile, tuple(judged))


def judge(
    operation: Operation,
    name: str,
    profile: Profile,
    *,
    shapes: OperandShapes,
    budget: int | None = None,
) -> Judged:
    """Judge one operation, which its author called ``name``."""
    rules = profile.rules_for(name)
    operands = [_typed(value.type) for value in operation.operands]
    results = [_typed(value.type) for value in operation.results]
    return Judged(name, operation, verify(operands, results, rules), _meaning(operation, rules, shapes, budget))


def _typed(type: Type) -> TypedValue:
    if not isinstance(type, ShapedType):
        return TypedValue(None, "", str(type))
    return TypedValue(shape_of_type(type), type.container, str(type.element))


def _meaning(operation: Operation, rules: Rules, shapes: OperandShapes, budget: int | None) -> Meaning | None:
    operands = operation.operands[: rules.taking_part]
    if not operands or len(operation.results) != 1:
        return None
    if not all(isinstance(value.type, ShapedType) for value in (*operands, *operation.results)):
        return None
    found = [shapes.of(value, shape_of_type(value.type)) for value in operands]
    facts = dict.fromkeys([*shapes.facts_of(operation), *(fact for each in found for fact in each.facts)])
    (result,) = operation.results
    type = shape_of_type(result.type)
    meaning = meaning_of(
        [each.shape for each in found], type, equal_ranks=rules.equal_ranks, facts=tuple(facts), budget=budget
    )
    shapes.define(result, type, found, None if meaning.kind is Kind.NEVER else meaning.condition)
    return meaning
