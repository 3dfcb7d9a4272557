"""Reasons for which a value is not modeled: phrases, and records for those on which a decision depends."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import replace

from shapesolve.deadline import TIME_LIMIT
from shapesolve.records import value_record

WEIGHTS = "the weights"

NO_INPUT = "the precondition admits no input"
"""Statement of every command whose precondition is contradictory: its other answers then prove nothing."""

_MORE = " more arguments"


@value_record
class DataDependence:
    """Dependence on the contents of tensors, which the program does not determine.

    Attributes:
        arguments: The arguments that the data comes from, as many as are named.
        others: The number of further arguments that it comes from.
        of_weights: Whether it comes from the weights as well.
        value: The value that holds the data, if it is none of the arguments.
        before: The beginning of the sentence.
    """

    arguments: tuple[str, ...]
    others: int = 0
    of_weights: bool = False
    value: str = ""
    before: str = ""

    def __str__(self) -> str:
        more = [f"{self.others}{_MORE}"] if self.others else []
        names = [*self.arguments, *more, *([WEIGHTS] if self.of_weights else [])]
        return f"{self.before}depends on the data of {listed(names)}{f', in {self.value}' if self.value else ''}"


class Limit(enum.StrEnum):
    """Limit of the run because of which something was not modeled."""

    TIME = TIME_LIMIT


class MissingSemantics(enum.StrEnum):
    """Reason that the user can do away with, by saying what an operation means."""

    NO_RULE = "no rule describes it"
    NO_BODY = "the function that is called has no body here"


Reason = str | DataDependence
"""Reason for which something is not modeled; `str` makes the phrase for people. `Limit` and `MissingSemantics` are."""


def prefixed(words: str, reason: Reason) -> Reason:
    """Return the reason with words put before it."""
    return replace(reason, before=f"{words}{reason.before}") if isinstance(reason, DataDependence) else words + reason


def merged(reasons: Iterable[DataDependence]) -> DataDependence:
    """Return one dependence on all of the data, without names of intermediate values."""
    found = list(reasons)
    arguments = tuple(dict.fromkeys(name for each in found for name in each.arguments))
    others = next((each.others for each in found if each.others), 0)
    return DataDependence(arguments, others, any(each.of_weights for each in found))


def listed(names: Sequence[str]) -> str:
    """Join at least one name with commas and "and": ``a, b and c``."""
    return f"{', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"
