"""Protocol between parent and worker: JSON, one request and then one event per line."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from shapesolve.execution.execution import (
    Execution,
    ExecutionLimits,
    Input,
    Outcome,
    Place,
    ResultSize,
    ScalarInput,
    TensorInput,
)
from shapesolve.records import value_record
from shapesolve.semantics.registry import Executable, executable

NOTHING = Executable(frozenset())


@dataclass(frozen=True)
class Request:
    """Request to lower one function once, and to call it with each of ``runs``.

    It is refused if the program holds more than what is ``executable``.
    """

    text: bytes
    function: str
    runs: tuple[tuple[Input, ...], ...]
    runtime_checks: bool
    integer_fill: int
    timeout_seconds: float
    memory_limit_bytes: int
    lowering_seconds: float
    zero_floats: bool = False
    executable: Executable = NOTHING
    last: Place | None = None
    first: Place | None = None
    vectors: bool = False


def execution_request(
    text: str | bytes,
    function: str,
    runs: Iterable[Sequence[Input]],
    limits: ExecutionLimits,
    *,
    runtime_checks: bool,
    integer_fill: int = 1,
    zero_floats: bool = False,
    last: Place | None = None,
    first: Place | None = None,
    vectors: bool = False,
) -> Request:
    """Return an execution request.

    Raises:
        ValueError: A size is one that no tensor can have.
    """
    return Request(
        text.encode() if isinstance(text, str) else text,
        function,
        tuple(map(_possible, runs)),
        runtime_checks,
        integer_fill,
        limits.timeout_seconds,
        limits.memory_limit_bytes,
        limits.lowering_seconds,
        zero_floats,
        executable(),
        last,
        first,
        vectors,
    )


def _possible(inputs: Sequence[Input]) -> tuple[Input, ...]:
    for position, given in enumerate(inputs):
        if isinstance(given, TensorInput) and any(extent < 0 for extent in given.extents):
            raise ValueError(f"argument {position} has a negative extent: {given.extents}")
    return tuple(inputs)


def encode_request(request: Request) -> bytes:
    """Return the request as one JSON document."""
    fields = {
        **vars(request),
        "text": base64.b64encode(request.text).decode("ascii"),
        "runs": [[_encode_input(given) for given in run] for run in request.runs],
        "executable": _encode_executable(request.executable),
    }
    return json.dumps(fields).encode("ascii")


def decode_request(document: bytes) -> Request:
    """Return the request of a JSON document."""
    fields = cast("dict[str, Any]", json.loads(document))
    fields["text"] = base64.b64decode(fields["text"])
    fields["runs"] = tuple(tuple(_decode_input(given) for given in run) for run in fields["runs"])
    for name in ("last", "first"):
        fields[name] = None if fields[name] is None else tuple(fields[name])
    fields["executable"] = _decode_executable(fields["executable"])
    return Request(**fields)


def _encode_executable(allowed: Executable) -> object:
    return [sorted(allowed.names), allowed.families, dict(allowed.only), dict(allowed.outside)]


def _decode_executable(encoded: Any) -> Executable:
    names, families, only, outside = encoded
    values = {op: (attribute, tuple(each)) for op, (attribute, each) in only.items()}
    return Executable(frozenset(names), tuple(families), values, outside)


def _encode_input(given: Input) -> object:
    if isinstance(given, ScalarInput):
        return given.value
    return [list(given.extents), *(None if each is None else list(each) for each in (given.values, given.floats))]


def _decode_input(encoded: Any) -> Input:
    if isinstance(encoded, int | float):
        return ScalarInput(encoded)
    extents, *contents = encoded
    return TensorInput(tuple(extents), *(None if each is None else tuple(each) for each in contents))


def encode_event(kind: str, **fields: object) -> bytes:
    """Return one line that reports progress of the worker."""
    return json.dumps({"event": kind, **fields}).encode("ascii") + b"\n"


def decode_events(stream: bytes) -> list[dict[str, Any]]:
    """Return all complete events of ``stream``; a line cut short by the end of the worker is dropped."""
    lines = stream.split(b"\n")[:-1]
    return [cast("dict[str, Any]", json.loads(line)) for line in lines if line]


def encode_execution(execution: Execution) -> dict[str, object]:
    """Return an execution as plain JSON values."""
    return {**vars(execution), "outcome": execution.outcome.value}


def decode_execution(fields: dict[str, Any]) -> Execution:
    """Return the execution of plain JSON values."""
    place = fields["failing_location"]
    sizes, values = _decode_results(fields["result_extents"], fields["result_values"])
    return Execution(
        outcome=Outcome(fields["outcome"]),
        result_extents=sizes,
        message=fields["message"],
        failing_location=None if place is None else (place[0], place[1]),
        with_runtime_checks=fields["with_runtime_checks"],
        failing_op=fields["failing_op"],
        result_values=values,
        argument_values=_decode_values(fields["argument_values"]),
        lowered_op=fields["lowered_op"],
    )


class UnreadableError(Exception):
    """A message does not follow the protocol."""


@value_record
class Answer:
    """Short report of the process that calls a function: each page of memory that it writes to is copied.

    Attributes:
        check: The number of the check that failed, or None.
        outcome: The outcome, with ``message``.
        sizes, values: The results when it returned.
        left: What arguments that were given with contents hold then.
    """

    check: int | None = None
    outcome: Outcome = Outcome.RETURNED
    message: str = ""
    sizes: tuple[ResultSize, ...] = ()
    values: tuple[tuple[int, ...] | None, ...] = ()
    left: tuple[tuple[int, ...] | None, ...] = ()


def encode_answer(answer: Answer) -> bytes:
    """Return an answer as one line."""
    if answer.check is not None:
        return b"%d\n" % answer.check
    fields = [answer.outcome.value, answer.message, answer.sizes, answer.values, answer.left]
    return json.dumps(fields).encode("ascii") + b"\n"


def decode_answers(written: bytes) -> list[Answer]:
    """Return all complete answers. Raises UnreadableError."""
    try:
        return [_decode_answer(json.loads(line)) for line in written.split(b"\n")[:-1]]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise UnreadableError from None


def _decode_answer(fields: Any) -> Answer:
    if not isinstance(fields, list):
        return Answer(check=int(fields))
    outcome, message, sizes, values, left = cast("list[Any]", fields)
    return Answer(None, Outcome(outcome), message, *_decode_results(sizes, values), _decode_values(left))


def _decode_results(
    sizes: list[Any], values: list[Any]
) -> tuple[tuple[ResultSize, ...], tuple[tuple[int, ...] | None, ...]]:
    return tuple(map(_decode_size, sizes)), _decode_values(values)


def _decode_values(values: list[Any]) -> tuple[tuple[int, ...] | None, ...]:
    return tuple(None if each is None else tuple(each) for each in values)


def _decode_size(size: Any) -> ResultSize:
    return tuple(cast("list[int]", size)) if isinstance(size, list) else size
