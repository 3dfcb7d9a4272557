"""Messages of exporters in reports: shortened where they are long, whole where they are short."""

from __future__ import annotations

from shapesolve.reports.exporter_text import shortened

HEAD, FIXES = "UserError: Constraints violated (H, W)!", ["Suggested fixes:", "  H = 8*_H", "  W = 8*_W"]


def test_a_short_message_is_whole() -> None:
    lines = [HEAD, "  - one", "  - two", "  - three", *FIXES]
    assert shortened(lines) == lines


def test_long_lists_keep_the_first_conditions_and_the_fixes() -> None:
    lines = [HEAD, *(f"  - condition {number}" for number in range(9)), *FIXES]
    assert shortened(lines) == [HEAD, "  - condition 0", "  - condition 1", "  - and 7 more (--verbose)", *FIXES]


def test_a_long_message_without_a_list_is_cut() -> None:
    lines = [f"line {number}" for number in range(30)]
    assert shortened(lines) == [*lines[:9], "and 21 more lines (--verbose)"]
