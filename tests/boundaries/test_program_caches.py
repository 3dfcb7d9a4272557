"""Test that results about a program are stored with it: nothing else caches programs, functions or reports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.parsed_sources import parsed

ROOT = Path(__file__).parents[2]
CACHES = frozenset(("cache", "lru_cache"))
WEAK = frozenset(("WeakKeyDictionary", "WeakValueDictionary", "WeakSet"))
OF_PROGRAMS = frozenset(
    ("Program", "Function", "Operation", "Block", "Region", "Value", "Trace", "FunctionReport", "Report")
)


def _named(node: ast.expr | None) -> set[str]:
    """The names that an expression, or an annotation, mentions."""
    nodes = ast.walk(node) if node is not None else ()
    return {
        each.id if isinstance(each, ast.Name) else each.attr
        for each in nodes
        if isinstance(each, ast.Name | ast.Attribute)
    }


def caches_of_programs(code: str) -> Iterator[str]:
    """List what a module, or an instance of its classes, caches by programs or by parts of them."""
    body = parsed(code).body
    for node in (*body, *(inner for each in body if isinstance(each, ast.ClassDef) for inner in each.body)):
        match node:
            case ast.FunctionDef(name=name, decorator_list=decorators, args=arguments):
                every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
                keys = set[str]().union(*(_named(each.annotation) for each in every))
                if any(_named(each) & CACHES for each in decorators) and keys & OF_PROGRAMS:
                    yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if (
                _named(node.value) & WEAK
            ):
                yield name
            case _:
                pass


@pytest.mark.sweep
def test_no_module_caches_programs() -> None:
    paths = [path for folder in ("shapesolve", "constraints") for path in sorted((ROOT / folder).rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): names for path in paths if (names := [*caches_of_programs(path.read_text())])}
    assert found == {}


@pytest.mark.parametrize(
    "code",
    [
        "@lru_cache(maxsize=2)\ndef found(program: Program) -> int: ...",
        "@functools.cache\ndef found(a: int, *, of: Sequence[Operation]) -> int: ...",
        "found: WeakKeyDictionary[Report, int] = WeakKeyDictionary()",
        "class Cached:\n    found: dict[Report, int] = field(default_factory=WeakKeyDictionary)",
    ],
)
def test_a_cache_of_programs_is_found(code: str) -> None:
    assert [*caches_of_programs(code)] == ["found"]


def test_other_caches_are_none_of_programs() -> None:
    assert not [*caches_of_programs("@cache\ndef found(size: Dim) -> int: ...")]
