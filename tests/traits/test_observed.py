"""Every observation of a real verifier is reproduced by the profile of its version, down to the clause."""

from __future__ import annotations

import pytest
from traits.observed import OUTCOMES, Row, rows

pytestmark = pytest.mark.slow

ROWS = rows()


def test_there_are_as_many_rows_as_were_observed() -> None:
    assert len(ROWS) == 2388


@pytest.mark.parametrize("version", ["16", "19", "22", "24"])
def test_every_row_is_reproduced(version: str) -> None:
    wrong: list[tuple[Row, object]] = []
    for row in ROWS:
        if row.version == version:
            broken = row.verification.broken
            if OUTCOMES[row.verdict] != (None if broken is None else broken.effect.value):
                wrong.append((row, broken))
    assert not wrong


def test_the_clause_is_the_one_that_the_message_is_about() -> None:
    for row in ROWS:
        broken = row.verification.broken
        if broken is not None:
            assert row.clauses, row
            assert broken.clause in row.clauses, (row, broken)
