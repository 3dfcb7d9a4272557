"""Syntax trees of source files, parsed once for all tests of a process."""

from __future__ import annotations

import ast
from functools import cache


@cache
def parsed(source: str) -> ast.Module:
    """Parse a source text. Callers share the tree and do not change it."""
    return ast.parse(source)
