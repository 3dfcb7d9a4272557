"""Texts that are parsed once in a scope."""

from __future__ import annotations

from shapesolve.simplification.simplify import parse_in
from shapesolve.symbolic.dims import dims
from shapesolve.symbolic.scope import Scope


def test_a_text_is_read_once_and_anew_where_the_scope_got_more_names() -> None:
    n = dims("n")[0]
    scope = Scope.closed({"n": n})
    assert parse_in("n % 2 == 0", scope) is parse_in("n % 2 == 0", scope) is (n % 2 == 0)
    assert parse_in("m >= -3 and n >= 1", scope) is None
    scope.declare_integer("m")
    read = parse_in("m >= -3 and n >= 1", scope)
    assert read is not None and {each.text for each in read.variables} == {"n", "m"}


def test_scopes_share_no_parsed_claims() -> None:
    n, m = dims("n m")
    assert parse_in("x >= 1", Scope.closed({"x": n})) is (n >= 1)
    assert parse_in("x >= 1", Scope.closed({"x": m})) is (m >= 1)
    assert parse_in("x >= 1", Scope.closed({"y": m})) is None
