"""The page on commands is what the parser says."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_page_is_made_from_the_parser(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man", "--markdown"]) == 0
    expected = PAGE.read_text(encoding="utf-8")
    assert capsys.readouterr().out == expected, "run: shapesolve man --markdown > docs/cli.md"
