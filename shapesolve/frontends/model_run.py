"""Runs of a model by its own framework: how each ended, and what the framework says."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from shapesolve.records import value_record


class Ended(enum.Enum):
    """End of a run."""

    RETURNED = "returns"
    RAISED = "raises"
    NOT_RUN = ""


@value_record
class ModelRun:
    """Run of a model.

    Attributes:
        ended: How it ended.
        detail: The shapes of the results, the exception, or why the model was not run.
        place: The model's line that raises, "" where none does or it is not known.
        call: A Python expression that repeats the call, "" where none is wanted or none fits a line.
    """

    ended: Ended
    detail: str
    place: str = ""
    call: str = ""

    @property
    def returned(self) -> bool:
        """True if the model came to its end."""
        return self.ended is Ended.RETURNED

    @property
    def raised(self) -> bool:
        """True if the model raised an error."""
        return self.ended is Ended.RAISED

    @property
    def text(self) -> str:
        """Behavior of the framework, in words."""
        return f"{self.ended.value} {self.detail}".strip()

    @classmethod
    def returning(cls, results: Sequence[Any]) -> ModelRun:
        """Return the run that ended with results, of which those that have a shape are named."""
        shapes = [str(list(each.shape)) for each in results if hasattr(each, "shape")]
        return cls(Ended.RETURNED, ", ".join(shapes) or "no tensor")

    def encoded(self) -> list[str]:
        """Return the fields as they are sent between processes."""
        return [self.ended.value, self.detail, self.place, self.call]

    @classmethod
    def decoded(cls, fields: Sequence[str]) -> ModelRun:
        """Return the run that `encoded` made the fields of."""
        ended, *texts = fields
        return cls(Ended(ended), *map(str, texts))
