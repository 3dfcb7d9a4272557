"""Test that no decision parses a sentence: reasons are types, and statuses are members of enums."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.parsed_sources import parsed

from shapesolve.pruning.result import CheckStatus
from shapesolve.solver.verdicts import VerdictKind

ROOT = Path(__file__).parents[2]
SENTENCES = ("reason", "because", "message", "sentence")
"""Final words of the names of variables and attributes that hold sentences."""
STATUSES = frozenset((*VerdictKind, *CheckStatus))
"""The values of statuses, with which nothing is compared as texts."""
SEARCHES = frozenset(
    (
        *("startswith", "endswith", "find", "rfind", "index", "rindex", "count"),
        *("partition", "rpartition", "split", "rsplit", "splitlines", "removeprefix", "removesuffix"),
    )
)

READERS = {
    "shapesolve/ir/diagnostics.py": "what MLIR says of a file",
    "constraints/stablehlo/custom_calls.py": "the assertions that JAX writes into a program",
}
"""The modules that read sentences which others wrote, and whose."""


def _files() -> Iterator[Path]:
    for folder in ("shapesolve", "constraints"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_sentence(node: ast.expr) -> bool:
    return _name(node).lower().rstrip("_").endswith(SENTENCES) and not _name(node).isupper()


def _is_status(node: ast.expr) -> bool:
    """Return whether a node is the text of a status, or several of these."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(_is_status, node.elts))
    return isinstance(node, ast.Constant) and node.value in STATUSES


def _is_text(node: ast.expr) -> bool:
    """Return whether a node is a string, an f-string, a constant of a module, or several of these."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(_is_text, node.elts))
    is_constant = isinstance(node, ast.Name) and node.id.isupper()
    is_string = isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value)
    return is_string or is_constant or isinstance(node, ast.JoinedStr)


def decided_by_words(code: str) -> list[int]:
    """List the lines that search a sentence, compare one with a text, or compare a status as a text."""
    found: list[int] = []
    for node in ast.walk(parsed(code)):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in SEARCHES and _is_sentence(value):
                found.append(node.lineno)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
                if (_is_text(left) and _is_sentence(right)) or _is_status(left) or _is_status(right):
                    found.append(node.lineno)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                pairs = ((left, right), (right, left))
                if any((_is_sentence(one) and _is_text(other)) or _is_status(other) for one, other in pairs):
                    found.append(node.lineno)
            case _:
                pass
    return sorted(found)


@pytest.mark.sweep
def test_no_code_decides_by_the_words_of_a_sentence() -> None:
    found = {str(path.relative_to(ROOT)): decided_by_words(path.read_text()) for path in _files()}
    found = {file: lines for file, lines in found.items() if lines}
    assert {file: lines for file, lines in found.items() if file not in READERS} == {}
    assert READERS.keys() - found.keys() == set(), "these read no sentences any more"


@pytest.mark.parametrize(
    "code",
    [
        'verdict.reason.startswith("it always fails")',
        'first.because.partition(": ")',
        '"budget" in answer.reason',
        "TRUSTED not in each.because",
        "each.reason == TIME_LIMIT",
        'f"{by}: " in fact.because',
        'found.word == "proved"',
        'check.verdict in ("refuted", "undecided")',
    ],
)
def test_a_decision_by_words_is_found(code: str) -> None:
    assert decided_by_words(code) == [1]


@pytest.mark.parametrize(
    "code", ["found.word is VerdictKind.PROVED", 'reason == ""', "isinstance(each.reason, Limit)", 'name in ("a", "b")']
)
def test_a_decision_by_types_is_none(code: str) -> None:
    assert decided_by_words(code) == []
