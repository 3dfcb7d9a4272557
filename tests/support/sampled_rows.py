"""Tables of which `make test` tries some rows, and `make test-exhaustive` the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(rows: Iterable[Any], one_in: int) -> list[Any]:
    """Return rows for `parametrize`: the first of every ``one_in`` is tried by both, the others are sweeps.

    For long tables whose rows take long and the same way through the code.
    """
    return [
        row
        if not number % one_in
        else pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.exhaustive)
        for number, row in enumerate(rows)
    ]
