"""Tables of which `make test` tries some rows, and `make test-exhaustive` the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest


def sampled(
    rows: Iterable[Any], one_in: int, also: Collection[object] = (), *, name: Callable[[Any], object] = lambda row: row
) -> list[Any]:
    """Return rows for `parametrize`, of which some are left to `make test-exhaustive`.

    For long tables whose rows take long and mostly the same way through the code.

    Args:
        rows: The rows.
        one_in: The first of each so many is tried by `make test`.
        also: Names of rows that it tries besides: they reach lines that no other row that it tries does.
        name: The name of a row.
    """
    return [
        row
        if number % one_in == 0 or name(row) in also
        else pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.exhaustive)
        for number, row in enumerate(rows)
    ]
