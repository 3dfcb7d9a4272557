"""Syntax trees of source files, parsed once for all tests of a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache

_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
"""Fields of a statement that hold lists of statements, or what holds these."""


@cache
def parsed(source: str) -> ast.Module:
    """Parse a source text. Callers share the tree and do not change it."""
    return ast.parse(source)


@cache
def statements(tree: ast.Module) -> Sequence[ast.AST]:
    """Return a module and its statements, handlers and cases, without expressions: most of the nodes."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(inner_statements(node))
    return found


def inner_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements, handlers and cases directly inside of one of these, or of a module."""
    for block in _BLOCKS:
        yield from getattr(node, block, ())
