"""Reasons why something is not modelled: phrases, and records of those that something is decided by."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import replace

from shapesolve.deadline import TIME_LIMIT
from shapesolve.records import value_record

WEIGHTS = "the weights"

_MORE = " more arguments"


@value_record
class DataDependence:
    """A dependence on contents of tensors that nobody knows who has the program only.

    Attributes:
        arguments: The arguments that the data comes from, as many as are named.
        others: How many more arguments it comes from.
        of_weights: Whether it comes from the weights as well.
        value: The value that holds the data, where it is none of the arguments.
        before: Words that the sentence begins with.
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
    """A limit of the run because of which something was not modelled."""

    TIME = TIME_LIMIT


Reason = str | DataDependence
"""Why something is not modelled; `str` makes the phrase for people. A `Limit` is one of them."""


def prefixed(words: str, reason: Reason) -> Reason:
    """The same reason with words before it."""
    return replace(reason, before=f"{words}{reason.before}") if isinstance(reason, DataDependence) else words + reason


def merged(reasons: Iterable[DataDependence]) -> DataDependence:
    """One dependence on all of the data, whatever the values on the way are called."""
    found = list(reasons)
    arguments = tuple(dict.fromkeys(name for each in found for name in each.arguments))
    others = next((each.others for each in found if each.others), 0)
    return DataDependence(arguments, others, any(each.of_weights for each in found))


def listed(names: Sequence[str]) -> str:
    """Join at least one name as people list them: ``a, b and c``."""
    return f"{', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"
