"""What a solver says to a certificate."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from shapesolve.certifying.scripts import Script
from shapesolve.records import value_record


class Word(enum.Enum):
    """The answer to one question."""

    CONFIRMED = "confirmed"
    DISAGREES = "disagrees"
    """The solver found sizes that satisfy everything: what we called proved is false, or stated wrongly."""
    OPEN = "open"


@value_record
class Answer:
    """``detail``: why a question stayed open, or the sizes that contradict us."""

    word: Word
    detail: str = ""


UNDEFINED_TERM = "it depends on a term that SMT-LIB does not define, a fold over a shape of unknown rank"
"""The reason where sizes were found for a question in which such a term may have any value."""

WITH_LEMMAS = "with the help of lemmas"


def decisive(answers: Sequence[Answer]) -> Answer:
    """One answer to a proof that was asked about alone, and then with the help of lemmas."""
    first = answers[0]
    if first.word is Word.OPEN and any(each.word is Word.CONFIRMED for each in answers):
        return Answer(Word.CONFIRMED, WITH_LEMMAS)
    return first


@value_record
class Checked:
    """A certificate and its answers: one for a proof; of lemmas, one for each in their order."""

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
