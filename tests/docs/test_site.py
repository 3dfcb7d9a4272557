"""The pages of the documentation site: none is forgotten, and what they take from docstrings exists."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.notebook_pages import NOTEBOOKS, write_pages

ROOT = Path(__file__).parents[2]
FOUND = (path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))
PAGES = sorted(page for page in FOUND if not page.startswith("notebooks/"))  # these are made, and never stored
NOTEBOOK_PAGES = [f"notebooks/{each.stem}.md" for each in NOTEBOOKS]
GENERATED = ("compared.md", "coverage.md", "theorems.md")
FOR_CONTRIBUTORS = (
    *GENERATED,
    *("architecture.md", "certificates.md", "glossary.md", "performance.md", "rewrites.md", "rfc.md", "soundness.md"),
    "upstream-findings.md",
)
API_PAGES = [page for page in PAGES if page.startswith("api/")]


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    assert sorted(re.findall(r"[\w/-]+\.md", navigation)) == sorted([*PAGES, *NOTEBOOK_PAGES])


@pytest.mark.parametrize("page", API_PAGES)
def test_referenced_objects_exist_and_have_docstrings(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    entries = re.findall(r"^::: (\S+)((?:\n    .*)*)", text, re.MULTILINE)
    assert entries
    for target, options in entries:
        listed = re.search(r"members: \[(.*)\]", options)
        found = resolved(target)
        assert found.__doc__, target
        for name in listed[1].split(", ") if listed else []:
            assert hasattr(found, name), f"{target}.{name}"


@pytest.mark.parametrize("module", ["shapesolve", "shapesolve.rules"])
def test_every_public_name_is_on_a_page_of_the_interface(module: str) -> None:
    text = "\n".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in API_PAGES)
    assert {each for each in import_module(module).__all__ if not re.search(rf"\b{each}\b", text)} == set()


@pytest.mark.parametrize("page", [page for page in API_PAGES if page != "api/rules.md"])
def test_documented_imports_work(page: str) -> None:
    """Functions and classes of a module that the page does not name as their home come from the package itself."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    package = import_module("shapesolve")
    for target, options in re.findall(r"^::: (\S+)((?:\n    .*)*)", text, re.MULTILINE):
        listed = re.search(r"members: \[(.*)\]", options)
        names = listed[1].split(", ") if listed else [target.rpartition(".")[2]]
        for name in names:
            is_elsewhere = f"`{target}`" in text or f"`{target}." in text or name == "Source"
            assert hasattr(package, name) or is_elsewhere, name


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


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_with_what_its_reader_can_do(page: str) -> None:
    title, opening, *_ = (ROOT / "docs" / page).read_text(encoding="utf-8").split("\n\n")
    assert title.startswith("# ")
    assert re.match("After this page (?:you|your) ", opening)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in FOR_CONTRIBUTORS])
def test_a_page_for_users_names_no_test(page: str) -> None:
    """An installed package contains no tests."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert re.findall(r"`(?:make |tests/)[\w/.]*`?", text) == []


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them; of docstrings, their names."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found: set[str] = set()
    for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        count = next(number for number in range(100) if (f"{anchor}-{number}" if number else anchor) not in found)
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *(ROOT / "docs" / page for page in PAGES)], ids=lambda each: each.name
)
def test_an_anchor_that_is_linked_exists(page: Path) -> None:
    for link, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            target = page.parent / link if link else page
            assert anchor in anchors(target), f"{link}#{anchor}"


@pytest.mark.slow
def test_the_site_is_built(tmp_path: Path) -> None:
    """Zensical builds every page, and the text of docstrings is on the pages of the Python interface."""
    if find_spec("zensical") is None or find_spec("nbconvert") is None:
        pytest.skip("Zensical or nbconvert is not installed: pip install 'shapesolve[docs]'")
    for name in ("docs", "shapesolve"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    write_pages(tmp_path / "docs" / "notebooks")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "build" / "site"
    assert {page.relative_to(site).as_posix() for page in site.rglob("*.html")} >= {
        page.removesuffix(".md") + ".html" for page in (*PAGES, *NOTEBOOK_PAGES)
    }
    first = (site / "notebooks" / "01_a_size_is_a_variable.html").read_text(encoding="utf-8")
    assert "M + 2*N" in first  # what a cell printed
    assert 'href="02_broadcastable.html"' in first
    pictures = re.findall(r'<img[^>]* src="([^"]+\.png)"', first)
    assert pictures
    assert all((site / "notebooks" / each).is_file() for each in pictures)
    commands = (site / "api" / "commands.html").read_text(encoding="utf-8")
    assert "Decide for all sizes whether a program can fail." in commands
