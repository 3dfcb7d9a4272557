"""Test that the table of checks in docs/contracts.md is up to date."""

from __future__ import annotations

import pytest
from guards import counted_checks


@pytest.mark.exhaustive
def test_the_table_of_counted_checks_is_measured() -> None:
    """If this fails, ``PYTHONPATH=tests python -m guards.counted_checks`` prints the table."""
    page = counted_checks.PAGE.read_text(encoding="utf-8")
    written = page.partition(counted_checks.BEGIN)[2].partition(counted_checks.END)[0].strip()
    assert written == counted_checks.table()
