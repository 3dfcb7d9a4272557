"""Syntax trees of source files, parsed once for all tests of a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache


@cache
def parsed(source: str) -> ast.Module:
    """Parse a source text. Callers share the tree and do not change it."""
    return ast.parse(source)


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield a module and its statements, without what is inside of expressions: most of the nodes."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr))
