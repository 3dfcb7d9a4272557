"""Names that pages mention are names that the code has: commands, options, codes, labels, values in JSON.

The tables of names are taken from the parser, the registry, the JSON schema, the enumerations and the source of the
reports, so that a renamed label or option fails here until the pages say the new name.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from shapesolve import __version__
from shapesolve.cli.arguments import make_parser
from shapesolve.cli.command_tree import commands
from shapesolve.semantics.codes import OF_NO_CLAUSE, clause_of
from shapesolve.semantics.registry import RULEBOOK
from shapesolve.validation.outcome import Standing

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md", *sorted(DOCS.rglob("*.md"))]
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda each: each.relative_to(ROOT).as_posix())

OTHERS_OPTIONS = {
    "--canonicalize",  # mlir-opt
    "--pass-pipeline",  # mlir-opt
    "--mlir-print-ir-after-all",  # mlir-opt
    "--emit-bytecode",  # mlir-opt
    "--output-format",  # ruff
    "--files",  # benchmarks/fleet.py
    "--layers",  # benchmarks/transformers.py
    "--full",  # benchmarks
}
FENCE = re.compile(r"^ *```[^\n]*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


@cache
def options_of_commands() -> dict[str, set[str]]:
    """Return the options of each command; those of the program itself are under ``""``."""
    parser = make_parser(__version__)
    parsers = {"": parser, **commands(parser)}
    return {
        name: {each for action in found._actions for each in action.option_strings} for name, found in parsers.items()
    }


def code_on(page: Path) -> Iterator[str]:
    """Yield the lines of a page's blocks of code, continued lines joined, and its code between backticks."""
    text = page.read_text(encoding="utf-8")
    for block in FENCE.findall(text):
        yield from block.replace("\\\n", " ").splitlines()
    yield from re.findall(r"``?([^`]+)``?", FENCE.sub("", text))


def command_lines(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of shapesolve on a page, and the options that are given to it."""
    for line in code_on(page):
        if re.match(r" *(?:from|import) ", line):
            continue
        for name, rest in re.findall(r"(?:^|[\s$|])shapesolve (?!--)([a-z][\w-]*)\b([^|;#&]*)", line):
            yield name, re.findall(r"(?<![\w-])--[a-z][\w-]*", rest)


@EACH_PAGE
def test_commands_have_the_options_that_pages_give_them(page: Path) -> None:
    known = options_of_commands()
    for name, given in command_lines(page):
        assert name in known
        assert set(given) - known[name] - OTHERS_OPTIONS == set(), name


@EACH_PAGE
def test_options_between_backticks_exist(page: Path) -> None:
    known = set().union(OTHERS_OPTIONS, *options_of_commands().values())
    spans = (re.match(r"(--[a-z][\w-]*)(?=[ =]|$)", each) for each in code_on(page))
    assert {each[1] for each in spans if each} - known == set()


@pytest.mark.slow
@EACH_PAGE
def test_codes_on_pages_stand_for_clauses(page: Path) -> None:
    lines = list(code_on(page))
    found = {code for line in lines for code in re.findall(r"  \[([a-z][\w-]*)\]$", line)}
    found |= {name for line in lines for name in re.findall(r"shapesolve rules ([a-z][\w.-]+)", line)}
    unknown = {
        each
        for each in found - set(OF_NO_CLAUSE)
        if each not in RULEBOOK and clause_of(each, RULEBOOK) is None and not each.startswith("my-")
    }
    assert unknown == set()


# Labels of reports --------------------------------------------------------------------------------------------------


def texts_in(node: ast.expr) -> set[str]:
    """Return the texts that an expression may be, as far as they stand in it."""
    if isinstance(node, ast.IfExp):
        return texts_in(node.body) | texts_in(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def label_positions(trees: list[ast.Module]) -> dict[str, int]:
    """Return the functions that take a label, and which argument it is."""
    found: dict[str, int] = {}
    for node in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        names = [each.arg for each in node.args.args if each.arg != "self"]
        if "label" in names:
            found[node.name] = names.index("label")
    return found


def assigned(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment binds and what to, part by part where it binds several."""
    for target in node.targets:
        parts = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            parts = list(zip(target.elts, node.value.elts, strict=True))
        yield from ((name.id, value) for name, value in parts if isinstance(name, ast.Name))


@cache
def printed_labels() -> frozenset[str]:
    """Return the labels that reports print: what is passed as one, and what functions named for labels return."""
    sources = [path for folder in ("reports", "cli") for path in sorted((ROOT / "shapesolve" / folder).glob("*.py"))]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sources]
    position = label_positions(trees)
    found: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in position:
                found |= set().union(*map(texts_in, node.args[position[called] :][:1]))
                found |= set().union(*(texts_in(each.value) for each in node.keywords if each.arg == "label"))
        elif isinstance(node, ast.FunctionDef) and node.name.endswith("label"):
            returned = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value]
            found |= set().union(*map(texts_in, returned))
        elif isinstance(node, ast.Assign):
            found |= set().union(*(texts_in(value) for name, value in assigned(node) if name.endswith("label")))
    return frozenset(found - {""})


@pytest.mark.slow
def test_the_page_on_reports_explains_labels_that_are_printed() -> None:
    text = (DOCS / "reports.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", text, re.MULTILINE)
    explained = {each for row in rows for each in re.findall(r"`([^`]+)`", row)}
    assert explained - printed_labels() == set()
    assert len(explained) > 40


@pytest.mark.slow
@EACH_PAGE
def test_pictures_of_reports_have_labels_that_are_printed(page: Path) -> None:
    lines = [line for block in FENCE.findall(page.read_text(encoding="utf-8")) for line in block.splitlines()]
    beginnings = [re.match(r" {3}([a-z][a-z -]*?) {2,}(?=\S)", line) for line in lines]
    shown = {each[1] for each in beginnings if each and len(each[0]) == len("   fails at   ")}
    assert shown - printed_labels() == set()


# Documents ----------------------------------------------------------------------------------------------------------


def enumerated(schema: object) -> Iterator[str]:
    """Yield the words that a schema allows as values."""
    if isinstance(schema, dict):
        entries = cast("dict[str, object]", schema)
        yield from (each for each in cast("list[object]", entries.get("enum", [])) if isinstance(each, str))
        if isinstance(word := entries.get("const"), str):
            yield word
        for each in entries.values():
            yield from enumerated(each)
    elif isinstance(schema, list):
        for each in cast("list[object]", schema):
            yield from enumerated(each)


def test_the_page_on_json_names_every_value_of_the_schema() -> None:
    schema = json.loads((ROOT / "shapesolve/reports/assets/documents.schema.json").read_text(encoding="utf-8"))
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    values = set(enumerated(schema))
    assert values
    assert {each for each in values if f'`"{each}"`' not in text} == set()


def test_the_page_on_json_names_no_value_that_nothing_writes() -> None:
    """Values are texts in the source, or members of an enumeration in small letters."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "shapesolve").rglob("*.py"))
    written = {each.lower() for each in re.findall(r"^    ([A-Z][A-Z_]*) = ", source, re.MULTILINE)}
    values = set(re.findall(r'`"([^"`]+)"`', (DOCS / "json.md").read_text(encoding="utf-8")))
    assert {each for each in values - written if f'"{each}"' not in source} == set()


def test_the_page_on_json_names_the_states_of_a_pass() -> None:
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    listed = re.search(r"`standing` \(((?:`\"\w+\"`(?:, )?)+)\)", text)
    assert listed
    assert set(re.findall(r"\w+", listed[1])) == {each.name.lower() for each in Standing}
