"""Syntax trees of source files, parsed once for all tests of a process."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache


@cache
def parsed(source: str) -> ast.Module:
    """Parse a source text. Callers share the tree and do not change it."""
    return ast.parse(source)


@cache
def statements(tree: ast.Module) -> Sequence[ast.AST]:
    """Return a module and its statements, without what is inside of expressions: most of the nodes."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr))
    return found
