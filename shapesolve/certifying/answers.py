"""What a solver says to a certificate."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from shapesolve.certifying.scripts import Script


class Word(enum.Enum):
    """The answer to one question."""

    CONFIRMED = "confirmed"
    DISAGREES = "disagrees"
    """The solver found sizes that satisfy everything: what we called proved is false, or stated wrongly."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Answer:
    """``detail``: why a question stayed open, or the sizes that contradict us."""

    word: Word
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A certificate and the answer to each of its questions, in their order."""

    script: Script
    answers: tuple[Answer, ...]
    seconds: float
    proofs: tuple[Path, ...] = ()


class Checker(Protocol):
    """Anything that answers certificates. ``name`` is the solver and its version."""

    name: str

    def check(self, script: Script) -> Checked:
        """Ask every question of a certificate."""
        ...
