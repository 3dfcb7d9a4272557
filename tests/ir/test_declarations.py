"""Claims of options over the symbols that are declared of an exported model's extents."""

from __future__ import annotations

import pytest

from shapesolve.ir.declarations import Declarations

DECLARED = Declarations(shapes={0: ("B", "3", "x__2"), 1: ("2*B", "x__2"), 2: ("n",)}, scalars=(2,))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x[2] >= 1", "x__2 >= 1"),
        ("%x[2] >= 1", "x__2 >= 1"),
        ("x[1] == 3", "3 == 3"),
        ("x[0] % 2 == 0", "B % 2 == 0"),
        ("y[0] % 4 == 0 and y[1] == x[2]", "(2*B) % 4 == 0 and x__2 == x__2"),
        ("x[7] == n", "x__7 == n"),
        ("other[0] == 1", "other[0] == 1"),
    ],
)
def test_an_extent_is_what_is_declared_of_it(text: str, expected: str) -> None:
    assert DECLARED.over_symbols(text, ["x", "y", "n"]) == expected
