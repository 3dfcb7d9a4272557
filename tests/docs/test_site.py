"""The pages of the documentation site: none is forgotten, and what they take from docstrings exists."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))
API_PAGES = [page for page in PAGES if page.startswith("api/")]


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    assert sorted(re.findall(r"[\w/-]+\.md", navigation)) == PAGES


@pytest.mark.parametrize("page", API_PAGES)
def test_what_a_page_takes_from_docstrings_exists_and_has_one(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    entries = re.findall(r"^::: (\S+)((?:\n    .*)*)", text, re.MULTILINE)
    assert entries
    for target, options in entries:
        listed = re.search(r"members: \[(.*)\]", options)
        found = resolved(target)
        assert found.__doc__, target
        for name in listed[1].split(", ") if listed else []:
            assert hasattr(found, name), f"{target}.{name}"


def resolved(target: str) -> object:
    try:
        return import_module(target)
    except ModuleNotFoundError:
        home, _, name = target.rpartition(".")
        return getattr(import_module(home), name)


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in link:
            assert (ROOT / "docs" / page).parent.joinpath(link).exists(), link
