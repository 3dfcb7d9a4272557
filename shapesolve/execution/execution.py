"""Inputs and results of an execution, with the words that describe them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod
from typing import Any

from shapesolve.domain.values import Abstract, Float, Size, Tensor, Witness, validity
from shapesolve.ir.program import ScalarType, ShapedType, Type
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.evaluation import Assignment, evaluate, evaluate_extents, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.events import Trace

#: Line and column, both counted from 1.
Place = tuple[int, int]

#: What one result says about itself: the extents of a tensor, the value of an integer, or nothing (floats, tuples).
ResultSize = tuple[int, ...] | int | None


@dataclass(frozen=True)
class TensorInput:
    """A tensor or memref argument.

    Attributes:
        values: Its integers in row-major order. Without them it is filled with one number throughout: see
            ``integer_fill`` and ``zero_floats`` of the execution.
        floats: The numbers of a tensor of f16, bf16, f32 or f64 in row-major order. If some argument has them, floats
            in results are returned as the integers of their bits.
    """

    extents: tuple[int, ...]
    values: tuple[int, ...] | None = None
    floats: tuple[float, ...] | None = None


@dataclass(frozen=True)
class ScalarInput:
    """An argument of type ``index``, ``iN`` or ``fN``, of which only the last takes a float."""

    value: int | float


Input = TensorInput | ScalarInput


class Outcome(Enum):
    """The way in which an execution ended."""

    RETURNED = "returned"
    """The function returned; its results have sizes."""

    ABORTED = "aborted"
    """A check in the program, or one inserted to verify its operations, did not hold."""

    CRASHED = "crashed"
    """The process was ended by a signal: memory out of bounds, division by zero."""

    TIMED_OUT = "timed out"
    """The function was still running when its time was up."""

    NOT_EXECUTABLE = "not executable"
    """The program never got to an end that says anything: no lowering, too large, arguments that do not fit."""


@dataclass(frozen=True)
class Execution:
    """Result of one call of one function."""

    outcome: Outcome
    result_extents: tuple[ResultSize, ...]
    """Per result, when it returned: extents of a tensor, value of an integer scalar, None for others."""

    message: str
    """One paragraph: what the failing check said, or why there is no answer. Empty when the function returned."""

    failing_location: Place | None
    """Location of the failing operation in the text, or None if unknown."""

    with_runtime_checks: bool
    """Whether operations were verified while running, or only the program's own assertions were."""

    failing_op: str = ""
    """The operation of the original program that failed, such as ``tosa.add``; empty if not known."""

    result_values: tuple[tuple[int, ...] | None, ...] = ()
    """Per result, when it returned: the integers of a small integer tensor in row-major order, None for others."""

    argument_values: tuple[tuple[int, ...] | None, ...] = ()
    """Per argument, when the function returned: what a small tensor given with contents holds then; None for others.

    Empty if there is none. Floats are the integers of their bits.
    """

    lowered_op: str = ""
    """The operation of the lowered program that a failing check verifies; empty for an assertion of the program."""

    @property
    def failed_in_lowering(self) -> bool:
        """Return whether the failing operation is the lowering of one of PyTorch's operators.

        Their semantics is PyTorch's. Their lowering by torch-mlir may fail where they do not, and is no evidence about
        them.
        """
        return self.outcome is Outcome.ABORTED and self.failing_op.startswith("torch.")

    @property
    def failed_in_lowered_form(self) -> bool:
        """Return whether a check of a loop failed that an operation of another dialect was lowered to.

        A lowering may require more than the operation does: of channels that a type of TOSA leaves open, of 1 and 0.
        """
        return (
            self.outcome is Outcome.ABORTED
            and self.with_runtime_checks
            and self.failing_op.startswith(("tosa.", "stablehlo.", "chlo."))
            and self.lowered_op not in ("", self.failing_op)
        )


@dataclass(frozen=True)
class ExecutionLimits:
    """Resource limits of one execution. The processor time holds for each call; lowering has ``lowering_seconds``."""

    timeout_seconds: float = 30.0
    memory_limit_bytes: int = 1 << 30
    lowering_seconds: float = 120.0


def bytes_of(bits: int) -> int:
    """Return the bytes of an element of so many bits: a power of 2."""
    return 1 << (-(-bits // 8) - 1).bit_length()


def too_many_bytes(taken: int, limit: int) -> str:
    """Return the reason why arguments larger than the limit are not built."""
    return f"the arguments take {taken:,} bytes, and the limit is {limit:,}"


_VERIFICATION = re.compile(
    r"ERROR: Runtime op verification failed\n(?P<op>.*)\n\^ (?P<detail>.*?)\n?Location: (?P<location>.*)", re.DOTALL
)
_MOST_BOUNDED = 2**16
"""The most elements of an argument that are written one by one, within the bounds that are assumed of them."""
_OP_NAME = re.compile(r'^\s*(?:%[^=]*=\s*)?"?(?P<name>[a-zA-Z_]\w*(?:\.\w+)+)')
_PRINTED = re.compile(r"(?P<summary>operation '[\w.]+'[^:]*): [%\"].*")
"""An operation in full behind its name: its place says more than a line of types does."""


class NotExecutableError(Exception):
    """The program cannot be executed; the message says why, for people."""


def one_paragraph(text: str) -> str:
    """Return the text with every run of white space replaced by one blank."""
    return " ".join(text.split())


def verified_op(message: str) -> str:
    """Return the operation that a message of MLIR's runtime verification names, or "" if it is another message."""
    found = _VERIFICATION.match(message)
    name = None if found is None else _OP_NAME.match(found["op"])
    return name["name"] if name else ""


def clean_assertion(message: str, original_op: str) -> str:
    """Return the message of a ``cf.assert`` without the wrapping of MLIR's own runtime verification.

    ``original_op`` is the operation the user wrote at that place, which may have become another one meanwhile.
    """
    found = _VERIFICATION.match(message)
    if found is None:
        return one_paragraph(message)
    lowered = verified_op(message)
    who = original_op or lowered
    detail = one_paragraph(found["detail"])
    through = f" (as {lowered})" if lowered and lowered != who else ""
    return f"{who}{through}: {detail}" if who else detail


def place_of(location: Any) -> Place | None:
    """Return line and column of an MLIR location, looking through names, call sites and fusions."""
    if hasattr(location, "start_line"):
        return int(location.start_line), int(location.start_col)
    inner = getattr(location, "child_loc", None) or getattr(location, "callee", None)
    if inner is not None:
        return place_of(inner)
    places = (place_of(part) for part in getattr(location, "locations", ()))
    return next((place for place in places if place is not None), None)


def describe_diagnostics(error: Any) -> str:
    """Return the first error of an ``MLIRError`` with its operation and place, as one paragraph."""
    diagnostics = list(getattr(error, "error_diagnostics", []))
    if not diagnostics:
        return one_paragraph(str(error))
    first = diagnostics[0]
    message = _PRINTED.sub(r"\g<summary>", one_paragraph(str(first.message)))
    notes = [str(note.message).partition("see current operation: ")[2] for note in first.notes]
    name = next((found["name"] for note in notes if (found := _OP_NAME.match(note))), "")
    who = f"{name}: " if name and name not in message else ""
    place = place_of(first.location)
    where = f" (line {place[0]}, column {place[1]})" if place else ""
    return who + message + where


def arguments(trace: Trace, sizes: Assignment, most_bytes: int | None = None) -> tuple[Input, ...] | str:
    """Return the arguments of the function at these sizes, or the reason why there are none.

    They may take at most ``most_bytes``. Contents that the sizes do not determine are left to the execution.
    """
    found: list[Input] = []
    for argument, value in zip(trace.function.arguments, trace.inputs, strict=True):
        try:
            given = _argument(argument.type, value, sizes)
        except KeyError as missing:
            return f"no size was found for {missing.args[0]}"
        if isinstance(given, str):
            return f"{argument.name}: {given}"
        found.append(given)
    taken = _bytes_taken(trace, found)
    return too_many_bytes(taken, most_bytes) if most_bytes is not None and taken > most_bytes else tuple(found)


def _bytes_taken(trace: Trace, given: Sequence[Input]) -> int:
    """Return the bytes of all tensors whose element size is known before the execution."""
    total = 0
    for argument, each in zip(trace.function.arguments, given, strict=True):
        if isinstance(argument.type, ShapedType) and isinstance(each, TensorInput):
            element = argument.type.element
            total += prod(each.extents) * (bytes_of(element.width) if isinstance(element, ScalarType) else 0)
    return total


def _argument(type: Type, value: Abstract, sizes: Assignment) -> Input | str:
    if not holds(validity(value), sizes):
        return "an error value cannot be passed"
    match value:
        case Tensor():
            return _tensor(value, sizes)
        case Dim() | Formula():
            return ScalarInput(_number(value, sizes))
        case Shape():
            extents = evaluate_extents(value, sizes)
            return TensorInput((len(extents),), extents)
        case Size():
            return ScalarInput(evaluate(value.value, sizes))
        case Witness():
            return ScalarInput(int(holds(value.passing, sizes)))
        case _:
            if isinstance(type, ScalarType):
                return ScalarInput(0)
            return f"a value of type {type} cannot be passed"


def _tensor(value: Tensor, sizes: Assignment) -> Input | str:
    extents = evaluate_extents(value.shape, sizes)
    if any(extent < 0 for extent in extents):
        return f"it has a negative extent: {extents}"
    numbers = tuple(_number(each, sizes) for each in value.elements or () if not isinstance(each, Float))
    if value.elements is not None and len(numbers) == len(value.elements):
        return TensorInput(extents, numbers)
    if value.spells is not None:
        spelled = evaluate_extents(value.spells, sizes)
        if (count := prod(extents)) == len(spelled):
            held = (evaluate(value.spelled_element(dim(count - 1 - number)), sizes) for number in range(count))
            return TensorInput(extents, tuple(held))
    if value.between is not None and (count := prod(extents)) <= _MOST_BOUNDED:
        low, high = evaluate(value.between.low, sizes), evaluate(value.between.high, sizes)
        if low <= high:
            return TensorInput(extents, tuple(_bounded_number(number, low, high) for number in range(count)))
    return TensorInput(extents)


def _bounded_number(position: int, low: int, high: int) -> int:
    """Return the content at a position: both ends first, then inward; 0 or what is next to it between far ends."""
    if max(-low, high) > _MOST_BOUNDED:
        return min(max(low, 0), high)
    step = position // 2 % (high - low + 1)
    return low + step if position % 2 else high - step


def _number(value: Dim | Formula, sizes: Assignment) -> int:
    return evaluate(value, sizes) if isinstance(value, Dim) else int(holds(value, sizes))
