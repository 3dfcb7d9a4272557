"""Which numbers and extents exist only if an operation was not undefined.

The walk gives the result of `a / b` the meaning of a quotient. Where b may be 0 there is no quotient, and what a check
says of it may be anything: such a check stays, unless undefined behaviour is trusted not to happen. The same holds for
the extents of what adds two tensors that may not broadcast. Both are followed from use to use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from shapesolve.reading.program import Location, Operation, Program, ScalarType, ShapedType, Value
from shapesolve.rewriting.coverage import Coverage
from shapesolve.rewriting.replay import Replay
from shapesolve.walking.obligations import Fact, Kind, Source

_TENSOR = (
    "cast reshape expand_shape collapse_shape empty generate splat pad extract_slice insert_slice insert from_elements"
)
_MEMREF = "alloc alloca subview cast reinterpret_cast"
_BUFFERIZATION = "alloc_tensor to_tensor to_buffer"
_STABLEHLO = "dynamic_reshape dynamic_broadcast_in_dim dynamic_iota"
BEARS_GIVEN_EXTENTS = frozenset(
    f"{dialect}.{name}"
    for dialect, names in (
        ("tensor", _TENSOR),
        ("memref", _MEMREF),
        ("bufferization", _BUFFERIZATION),
        ("stablehlo", _STABLEHLO),
    )
    for name in names.split()
)
"""Operations whose results have the extents that they are given, whether or not what they demand holds.

So do all of linalg: a result has the extents of the tensor that it is written to.
"""


class Definedness:
    """Knows for every operation whether what it is given may be undefined, and by which operation."""

    def __init__(self, program: Program, replays: Sequence[Replay], coverage: Coverage) -> None:
        self._coverage = coverage
        self._users: dict[Value, list[Operation]] = defaultdict(list)
        self._ended_by: dict[Operation, Operation] = {}  # the operation around the last one of each block
        self._at: dict[Location, list[Operation]] = defaultdict(list)
        for op in program.operation.walk():
            self._at[op.location].append(op)
            for operand in op.operands:
                self._users[operand].append(op)
            for region in op.regions:
                for block in region.blocks:
                    self._ended_by.update(dict.fromkeys(block.operations[-1:], op))
        self._cause: dict[Value, Operation] = {}
        self._caused: dict[Operation, Operation] = {}
        self._callers = coverage.callers()
        for replay in replays:
            for op, judgements in replay.judgements.items():
                if any(each.obligation.kind is not Kind.CHECK and each.verdict.word != "proved" for each in judgements):
                    self._doubt(op)

    def cause(self, op: Operation, facts: Iterable[Fact]) -> Operation | None:
        """An operation that an operation's operands, or facts, lean on and that may be undefined; None for none."""
        if op in self._caused:
            return self._caused[op]
        for fact in facts:
            if fact.source in (Source.TYPE, Source.ASSUMPTION):
                continue
            for origin in self._at.get(fact.location, ()) if fact.location is not None else ():
                if origin in self._caused:
                    return self._caused[origin]
        return None

    def _doubt(self, op: Operation) -> None:
        made = [each for each in (*op.results, *_arguments(op)) if _is_followed(each)]
        if op.name in BEARS_GIVEN_EXTENTS or op.name.startswith("linalg."):
            made = [each for each in made if _is_number(each)]
        if made:
            self._caused.setdefault(op, op)
            self._follow(made, op)

    def _follow(self, values: Iterable[Value], cause: Operation) -> None:
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if value in self._cause or not _is_followed(value):
                continue
            self._cause[value] = cause
            for op in self._users[value]:
                self._caused.setdefault(op, cause)
                waiting += self._given(op)

    def _given(self, op: Operation) -> list[Value]:
        """What may depend on the operands of an operation."""
        given = [*op.results, *_arguments(op)]
        for function in self._coverage.mentioned(op):
            given += function.arguments
        if (around := self._ended_by.get(op)) is not None:
            function = self._coverage.function_of(op)
            if function is not None and function.operation is around:
                given += [result for caller in self._callers.get(function.name, ()) for result in caller.results]
            else:
                given += [*around.results, *_arguments(around)]
        return given


def _arguments(op: Operation) -> list[Value]:
    return [argument for region in op.regions for block in region.blocks for argument in block.arguments]


def _is_number(value: Value) -> bool:
    """Whether the value is numbers or truths, or holds them."""
    type = value.type.element if isinstance(value.type, ShapedType) else value.type
    return not (isinstance(type, ScalarType) and type.kind == "float")


def _is_followed(value: Value) -> bool:
    """Whether anything is known of a value beyond its type."""
    if isinstance(value.type, ShapedType) and (value.type.extents is None or None in value.type.extents):
        return True
    return _is_number(value)
