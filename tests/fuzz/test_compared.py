"""Test that docs/compared.md, the list of operations and their independent implementations, is up to date."""

from __future__ import annotations

import re

import pytest
from fuzz import compared


@pytest.mark.slow
def test_page_is_true_and_names_every_operation() -> None:
    """Regenerate the page if this fails: ``PYTHONPATH=tests python -m fuzz.compared > docs/compared.md``."""
    found = compared.comparisons()
    rows = re.findall(r"^\| `([\w.-]+)` \| (.+) \|$", compared.PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {op: set() if cell == "nothing yet" else set(cell.split(", ")) for op, cell in rows}
    assert listed.keys() == found.keys()
    assert {op: oracles - found[op] for op, oracles in listed.items() if oracles - found[op]} == {}


def test_every_file_that_counts_as_a_comparison_is_there() -> None:
    for places in compared.SOURCES.values():
        for place in places:
            assert (compared.TESTS / place).is_file(), place
