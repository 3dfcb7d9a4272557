"""Questions in shuffled order: an answer must not depend on earlier questions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

Question = TypeVar("Question")


def print_shuffled(asked: Sequence[Question], seed: int, line: Callable[[Question], str]) -> None:
    """Ask in an order of the seed's, and print a line for each question, in the order of the lines."""
    shuffled = list(asked)
    random.Random(seed).shuffle(shuffled)
    print("\n".join(sorted(map(line, shuffled))))
