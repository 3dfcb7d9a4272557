"""A counterexample step by step: what every value on the way to an operation is at the given sizes."""

from __future__ import annotations

from collections.abc import Mapping

from shapesolve.proving.verdicts import Sizes
from shapesolve.reading.places import places_in
from shapesolve.reading.program import Location, Operation, Program, Value
from shapesolve.records import value_record
from shapesolve.walking.obligations import Trace
from shapesolve.wording.words import value_at


@value_record
class Step:
    """One value: its SSA name, what it is, the operation that makes it ("" for an argument), and where."""

    name: str
    value: str
    op: str
    location: Location | None


def steps_to(program: Program, trace: Trace, op: Operation, sizes: Sizes) -> list[Step]:
    """The values that an operation's operands are computed from, in program order, as far as the sizes decide them."""
    makers = places_in(program).makers
    needed = _needed(op, makers)
    steps: list[tuple[int, Step]] = []
    for value in needed:
        if value not in trace.values:
            continue
        shown = value_at(value.type, trace.values[value], sizes)
        if shown is None:
            continue
        maker = makers.get(value)
        number = -1 if maker is None else maker.number
        where = None if maker is None else maker.location
        steps.append((number, Step(value.name, shown, "" if maker is None else maker.name, where)))
    return [step for _, step in sorted(steps, key=lambda each: each[0])]


def _needed(op: Operation, makers: Mapping[Value, Operation]) -> list[Value]:
    """All values that an operation's operands are computed from; what is used inside its regions counts."""
    found: dict[Value, None] = {}
    waiting = [operand for inner in op.walk() for operand in inner.operands]
    while waiting:
        value = waiting.pop()
        if value in found:
            continue
        found[value] = None
        maker = makers.get(value)
        if maker is not None:
            waiting.extend(operand for inner in maker.walk() for operand in inner.operands)
    return list(found)
