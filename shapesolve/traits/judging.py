"""Every operation of a file that carries the trait: what a profile says of it, and how it fares at run time."""

from __future__ import annotations

from collections.abc import Collection

from shapesolve.reading.program import Location, Operation, ShapedType, Type, Value
from shapesolve.records import value_record
from shapesolve.traits.extents import shape_of_type
from shapesolve.traits.meaning import Kind, Meaning, meaning_of, runtime_shape
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
        """0: all accepted; 1: some are rejected; 3: none is, but what some come to is not known."""
        if any(judged.broken is not None and judged.is_settled for judged in self.operations):
            return 1
        return 0 if all(judged.is_settled for judged in self.operations) else 3


def judge_file(path: str, profile: Profile, *, also: Collection[str] = (), budget: int | None = None) -> JudgedFile:
    """Judge the operations of a file. ``also`` names operations that carry the trait beside those known to.

    Raises InputError for what MLIR cannot read for other reasons than the trait.
    """
    return _judged(read_refused(path, CARRIERS.union(also)), profile, CARRIERS.union(also), budget)


def judge_text(text: str, profile: Profile, *, also: Collection[str] = (), budget: int | None = None) -> JudgedFile:
    """As `judge_file`, of a program that is given as text."""
    carriers = CARRIERS.union(also)
    return _judged(read_refused_text(text, TEXT, carriers), profile, carriers, budget)


def _judged(source: Disguised, profile: Profile, carriers: Collection[str], budget: int | None) -> JudgedFile:
    judged: list[Judged] = []
    for operation in source.program.operation.walk():
        name = source.name_at(operation.location.line, operation.location.column, operation.name)
        if name in carriers:
            judged.append(judge(operation, name, profile, budget=budget))
    return JudgedFile(source, profile, tuple(judged))


def judge(operation: Operation, name: str, profile: Profile, *, budget: int | None = None) -> Judged:
    """Judge one operation, which its author called ``name``."""
    rules = profile.rules_for(name)
    operands = [_typed(value.type) for value in operation.operands]
    results = [_typed(value.type) for value in operation.results]
    return Judged(name, operation, verify(operands, results, rules), _meaning(operation, rules, budget))


def _typed(type: Type) -> TypedValue:
    if not isinstance(type, ShapedType):
        return TypedValue(None, "", str(type))
    return TypedValue(shape_of_type(type), type.container, str(type.element))


def _meaning(operation: Operation, rules: Rules, budget: int | None) -> Meaning | None:
    operands = operation.operands[: rules.taking_part]
    if not operands or len(operation.results) != 1:
        return None
    if not all(isinstance(value.type, ShapedType) for value in (*operands, *operation.results)):
        return None
    shapes = [runtime_shape(runtime_name(value), shape_of_type(value.type)) for value in operands]
    return meaning_of(shapes, shape_of_type(operation.results[0].type), budget=budget)


def runtime_name(value: Value) -> str:
    """How the sizes of a value are called: ``%arg0`` has the sizes ``arg0[0]``, ``arg0[1]``."""
    return value.name.removeprefix("%")
