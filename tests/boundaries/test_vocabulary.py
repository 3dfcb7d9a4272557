"""Test that retired words of `docs/glossary.md` do not return, with what vocabulary.toml says of words."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.parsed_sources import parsed, statements

pytestmark = pytest.mark.sweep

ROOT = Path(__file__).parents[2]
WORDS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text("utf-8"))
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
GLOSSARY = ROOT / "docs" / "glossary.md"


def retired() -> frozenset[str]:
    """The words of the last column of the glossary that have no other meaning in the field."""
    rows = ROW.findall(GLOSSARY.read_text(encoding="utf-8"))
    words = {each.strip().replace("-", " ") for row in rows[1:] for each in row[3].split(",")}
    return frozenset(words - {"", "retired"})


@cache
def python_files() -> dict[Path, ast.Module]:
    """Every Python file of the repository."""
    places = (ROOT / each for each in ("shapesolve", "constraints", "tests", "benchmarks", "examples"))
    paths = [path for place in places for path in sorted(place.rglob("*.py"))]
    return {path: parsed(path.read_text(encoding="utf-8")) for path in paths}


@cache
def sources() -> dict[Path, ast.Module]:
    """Python files except for examples, and for models, which are written as users write them."""
    return {
        path: tree
        for path, tree in python_files().items()
        if "models" not in path.parts and path.relative_to(ROOT).parts[0] != "examples"
    }


def folder_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if parts[0] != "shapesolve" else (parts[1] if len(parts) > 2 else "top")


def words_of(name: str) -> list[str]:
    """The words of an identifier, in lower case and in the singular."""
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return [word[:-1] if word.endswith("s") and word[:-1] in retired_words() else word for word in words]


@cache
def retired_words() -> frozenset[str]:
    return retired() - frozenset(WORDS["other_meanings"])


def definitions(tree: ast.Module) -> Iterator[str]:
    """Names of functions, classes, methods, and fields; parameters and locals are left out."""
    for node in statements(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            for child in node.body:
                if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
                    yield child.target.id


def test_words_with_another_meaning_are_words_of_the_glossary() -> None:
    assert set(WORDS["other_meanings"]) <= retired()


def named_with(words: Collection[str], names: Iterable[str]) -> list[str]:
    """List the names that hold one of some words, or several that follow each other."""
    single = {each for each in words if " " not in each}
    several = [f" {each} " for each in words if " " in each]
    spelled = {name: words_of(name) for name in frozenset(names)}
    return sorted(
        name
        for name, own in spelled.items()
        if not single.isdisjoint(own) or any(each in f" {' '.join(own)} " for each in several)
    )


def own_sources() -> Iterator[tuple[Path, ast.Module]]:
    """Yield the modules of the package and its rules."""
    yield from ((path, tree) for path, tree in sources().items() if folder_of(path) not in ("tests", "benchmarks"))


def test_names_hold_no_retired_word() -> None:
    """Names of modules, functions, classes and fields of the package and its rules, by word."""
    names = (name for path, tree in own_sources() for name in (path.stem, *definitions(tree)))
    assert named_with(retired_words(), names) == []


def identifiers(tree: ast.Module) -> Iterator[str]:
    """Names that are defined or used: definitions, parameters, locals, fields, and arguments by keyword."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case _:
                pass


def test_identifiers_hold_no_word_that_is_gone() -> None:
    """Parameters and locals of the package and its rules, too, hold none of the words that are gone everywhere."""
    words: list[str] = WORDS["identifiers"]["words"]
    assert set(words) <= retired()
    assert named_with(words, (name for _, tree in own_sources() for name in identifiers(tree))) == []


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in statements(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield text


def first_words(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the first word of each docstring and of each description below a constant or a field.

    "Whether" is left out below flags, where it is usual.
    """
    own = {
        id(node.body[0])
        for node in statements(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body
    }
    for node in statements(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            word = re.match(r"\W*(\w*)", node.value.value)
            if word and (word[1] != "Whether" or id(node) in own):
                yield node.lineno, word[1]


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    """No docstring of any Python file, of constants too, begins with a noun clause ("What a rule says ...")."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word} ..."
        for path, tree in python_files().items()
        for line, word in first_words(tree)
        if word in WORDS["first_words"]["words"]
    ]
    assert found == []


def prose() -> Iterator[tuple[str, str]]:
    """Pages, and the docstrings and comments of the package, each with its kind."""
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))):
        if path != GLOSSARY:
            yield "pages", path.read_text(encoding="utf-8")
    for path, tree in own_sources():
        comments = (line.partition("  # ")[2] or line for line in path.read_text(encoding="utf-8").splitlines())
        yield "source", "\n".join((*docstrings(tree), *(line for line in comments if line.lstrip().startswith("#"))))


def test_prose_holds_no_retired_word() -> None:
    """Words that name nobody and nothing, and British spellings, in pages, docstrings and comments."""
    found: Counter[str] = Counter()
    words = re.compile(rf"\b({'|'.join(WORDS['prose']['words'])})", re.IGNORECASE)
    for kind, text in prose():
        found.update(f"{word.lower()} in {kind}" for word in words.findall(text))
    assert found == {}
