"""Test that exactly the versions outside the tested range give a warning."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Generator
from pathlib import Path

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.versions import TESTED, KnownGood, untested

PAGE = (Path(__file__).parents[2] / "docs" / "stability.md").read_text(encoding="utf-8")
PROGRAM = "func.func @f() { return }"


@pytest.fixture(autouse=True)
def _looked_up_anew() -> Generator[None]:
    untested.cache_clear()
    yield
    untested.cache_clear()


@pytest.mark.parametrize(
    ("version", "included"),
    [("4.12.6.0", False), ("4.13", False), ("4.13.0.0", True), ("4.16.0", True), ("5.4.0.0", True), ("5.5", False)],
)
def test_a_range_of_versions_includes_its_versions(version: str, included: bool) -> None:
    assert KnownGood("p", "4.13.0", "5.4").includes(version) is included


def test_installed_versions_are_tested() -> None:
    assert untested() == ()


def test_the_report_names_an_untested_version(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = importlib.metadata.version

    def newer(name: str) -> str:
        return "20991231" if name == "torch-mlir" else installed(name)

    monkeypatch.setattr(importlib.metadata, "version", newer)
    (note,) = read_text(PROGRAM).notes
    assert "torch-mlir 20991231 is installed" in note and "20261001" in note


def test_the_report_names_no_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", unknown)
    assert untested() == ()


def test_the_page_says_the_same() -> None:
    for each in TESTED:
        (row,) = re.findall(rf"^\| {each.package}\b.*\| (.+) \| .* \|$", PAGE, re.MULTILINE)
        assert re.findall(r"[\d.]+", row) == list(dict.fromkeys((each.oldest, each.newest)))
