"""Pipelines, split into one pass each."""

from __future__ import annotations

import pytest

from shapesolve.errors import InputError
from shapesolve.validation.pipelines import split_pipeline


def split(text: str) -> list[tuple[str, str]]:
    return [(each.name, each.pipeline) for each in split_pipeline(text)]


def test_every_level_of_nesting_is_split() -> None:
    assert split("builtin.module(a,func.func(b,any(c,d)),e)") == [
        ("a", "builtin.module(a)"),
        ("b", "builtin.module(func.func(b))"),
        ("c", "builtin.module(func.func(any(c)))"),
        ("d", "builtin.module(func.func(any(d)))"),
        ("e", "builtin.module(e)"),
    ]


def test_options_stay_with_their_pass() -> None:
    text = 'builtin.module(a{x=1 y={p,q} z="),}"},func.func(b{})) '
    assert split(text) == [
        ("a", 'builtin.module(a{x=1 y={p,q} z="),}"})'),
        ("b", "builtin.module(func.func(b{}))"),
    ]


def test_empty_pipelines_have_no_pass() -> None:
    assert split("") == split("builtin.module()") == split("builtin.module(func.func())") == []


def test_passes_are_numbered_from_1() -> None:
    assert [each.number for each in split_pipeline("builtin.module(a,a)")] == [1, 2]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("builtin.module(a", 15, "a bracket is not closed"),
        ("builtin.module(a,func.func(b)", 15, "a bracket is not closed"),
        ("builtin.module(a))", 18, "a bracket is closed that was not opened"),
        ("builtin.module(a{x=1)", 17, "a brace is not closed"),
        ("func.func(a)", 1, "a file is a module: write builtin.module"),
        ("a,b", 1, "a pass stands outside of an operation"),
    ],
)
def test_errors_have_a_column(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        split_pipeline(text)
    assert raised.value.where == f"--pipeline:1:{column}"
    assert raised.value.excerpt.splitlines()[1].index("^") == column - 1
