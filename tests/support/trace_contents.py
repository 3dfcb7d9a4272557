"""Contents of traces as plain data, to compare two interpretations of one function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from shapesolve.domain.values import Float, ListValue, NoneValue, Size, Tensor, UnknownValue, Witness
from shapesolve.interpreter.callees import identity_key
from shapesolve.trace import events
from shapesolve.trace.events import Trace


def content(part: object) -> object:
    """Return something equal for equal parts of traces, whose terms are one object if they are equal."""
    if isinstance(part, Tensor | ListValue | Size | Witness | Float | UnknownValue | NoneValue):
        return identity_key(part)
    if isinstance(part, tuple):
        return tuple(map(content, part))
    if isinstance(part, Mapping):
        return {key: content(value) for key, value in part.items()}
    if is_dataclass(part) and type(part).__module__ == events.__name__:
        return type(part), *(content(getattr(part, each.name)) for each in fields(part))
    return part


def contents(trace: Trace) -> dict[str, object]:
    """Return all that a trace consists of."""
    return {each.name: content(getattr(trace, each.name)) for each in fields(trace)}
