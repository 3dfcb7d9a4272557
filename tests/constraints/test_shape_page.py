"""The shape dialect's page, line by line: its types, laws, tables and examples."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.claims_at_sizes import trace_of

from shapesolve.api import check
from shapesolve.domain.values import Abstract, Size, Tensor, Witness
from shapesolve.solver.verdicts import Proved, Refuted
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.shape_kinds import INVALID, RankedShape, Shape
from shapesolve.trace.events import Kind

S, Z, W, E = "!shape.shape", "!shape.size", "!shape.witness", "tensor<?xindex>"
UNRANKED = "[*]"


def _argument(name: str, page: str) -> tuple[str, str]:
    """The argument and the opening line for a shape as the page prints it: ``[*]``, ``[1, ?]``, ``[]``."""
    extents = page.strip("[]").replace(" ", "").split(",") if page != "[]" else []
    type = "*x" if page == UNRANKED else "".join(f"{extent}x" for extent in extents)
    return f"%in_{name}: tensor<{type}f32>", f"  %{name} = shape.shape_of %in_{name} : tensor<{type}f32> -> {S}"


def _text(shapes: Sequence[str], body: str, returns: str = "") -> str:
    """A function over shapes %a, %b, ... as the page prints them. ``returns``: the type of %x, which it returns."""
    pairs = [_argument(name, page) for name, page in zip("abc", shapes, strict=False)]
    arguments, opening = ", ".join(pair[0] for pair in pairs), "\n".join(pair[1] for pair in pairs)
    end = f"  return %x : {returns}\n" if returns else "  return\n"
    result = f" -> {returns}" if returns else ""
    return f"func.func @f({arguments}){result} {{\n{opening}\n  {body}\n{end}}}\n"


def _result(shapes: Sequence[str], body: str, returns: str = S) -> Abstract:
    results = trace_of(_text(shapes, body, returns)).results
    assert results is not None
    return results[0]


def _printed(shape: Abstract) -> str:
    """A shape as the page prints it."""
    if isinstance(shape, Tensor) and shape.elements is not None:
        shape = RankedShape.of([each for each in shape.elements if isinstance(each, Dim)])
    assert isinstance(shape, Shape)
    if shape is INVALID:
        return "[invalid]"
    if not isinstance(shape, RankedShape):
        return UNRANKED
    return f"[{', '.join(str(each) if each.is_constant else '?' for each in shape.dims)}]"


def _verdicts(text: str, *, assume: Sequence[str] = ()) -> dict[str, str]:
    report = check(text, assume=assume, execute=False)
    return {
        f"{each.obligation.op.name} {each.obligation.clause}": each.verdict.word for each in report.checked_obligations
    }


# Types -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("[*]", marks=pytest.mark.covers("shape.printed.unranked")),
        pytest.param("[?, 2]", marks=pytest.mark.covers("shape.printed.partly_known")),
        pytest.param("[3, 4]", marks=pytest.mark.covers("shape.printed.static")),
        pytest.param("[]", marks=pytest.mark.covers("shape.printed.scalar")),
        pytest.param("[1]", marks=pytest.mark.covers("shape.printed.one_element")),
    ],
)
def test_shapes_as_the_page_prints_them(page: str) -> None:
    assert _printed(_result([page], f'%x = "shape.debug_print"(%a) : ({S}) -> {S}')) == page


@pytest.mark.covers("shape.printed.invalid")
@pytest.mark.covers("shape.type.shape")
def test_an_invalid_shape() -> None:
    shape = _result(["[2]", "[3]"], f"%x = shape.broadcast %a, %b : {S}, {S} -> {S}")
    assert shape is INVALID
    assert str(shape) == "invalid"


@pytest.mark.covers("shape.type.size")
@pytest.mark.covers("shape.law.unknown_addition")
@pytest.mark.covers("shape.law.unknown_product")
@pytest.mark.parametrize("op", ["add", "mul"])
def test_an_unknown_size_does_not_become_known(op: str) -> None:
    trace = trace_of(
        f"func.func @f(%n: {Z}) -> ({Z}, {Z}) {{\n  %two = shape.const_size 2\n"
        f"  %x = shape.{op} %n, %two : {Z}, {Z} -> {Z}\n  %y = shape.{op} %two, %two : {Z}, {Z} -> {Z}\n"
        f"  return %x, %y : {Z}, {Z}\n}}"
    )
    assert trace.results is not None
    unknown, known = trace.results
    assert isinstance(unknown, Size)
    assert isinstance(known, Size)
    assert not unknown.value.is_constant
    assert str(known.value) == "4"
    assert str(unknown.valid) == str(known.valid) == "true"


@pytest.mark.covers("shape.type.witness")
def test_a_witness_from_outside_must_pass() -> None:
    text = f"func.func @f(%w: {W}) {{\n  shape.assuming %w {{\n  }}\n  return\n}}\n"
    assert _verdicts(text) == {"shape.assuming C1": "refuted"}
    (witness,) = trace_of(text).inputs
    assert isinstance(witness, Witness)


@pytest.mark.covers("shape.type.value_shape")
@pytest.mark.covers("shape.law.value_conforms")
@pytest.mark.parametrize(("other", "verdict"), [("[?, 3]", "refuted"), ("[2, 3]", "proved"), ("[2, 4]", "refuted")])
def test_a_value_has_the_shape_that_it_is_given(other: str, verdict: str) -> None:
    value = "%v = shape.with_shape %in_a, %b : tensor<2x3xf32>, !shape.shape"
    text = _text(["[2, 3]", other], f"{value}\n  %x = shape.value_of %v : tensor<2x3xf32>")
    assert _verdicts(text)["shape.value_of C1"] == verdict


@pytest.mark.covers("shape.type.extent_tensor")
@pytest.mark.covers("shape.law.error_as_extents")
def test_an_error_has_no_place_in_an_extent_tensor() -> None:
    body = f"%j = shape.broadcast %a, %b : {S}, {S} -> {S}\n  %x = shape.to_extent_tensor %j : {S} -> {E}"
    text = _text(["[?]", "[?]"], body, E)
    assert _verdicts(text) == {"shape.to_extent_tensor C1": "refuted"}
    assert [each.kind for each in trace_of(text).obligations] == [Kind.UB]


# Laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.covers("shape.law.error_in_error_out")
@pytest.mark.parametrize(
    "operation",
    [
        f"shape.broadcast %j, %c : {S}, {S} -> {S}",
        f"shape.concat %c, %j : {S}, {S} -> {S}",
        f"shape.meet %c, %j : {S}, {S} -> {S}",
        f"shape.max %j, %c : {S}, {S} -> {S}",
        f'"shape.debug_print"(%j) : ({S}) -> {S}',
    ],
)
def test_an_error_goes_through(operation: str) -> None:
    broken = f"%j = shape.broadcast %a, %b : {S}, {S} -> {S}\n  %x = {operation}"
    result = _result(["[2]", "[3]", "[2]"], broken)
    assert isinstance(result, Shape)
    assert str(result.valid) == "false"


@pytest.mark.covers("shape.law.error_extent")
@pytest.mark.covers("shape.law.error_as_index")
def test_an_extent_of_an_error_is_an_error() -> None:
    body = (
        f"%j = shape.broadcast %a, %b : {S}, {S} -> {S}\n  %n = shape.const_size 0\n"
        f"  %d = shape.get_extent %j, %n : {S}, {Z} -> {Z}\n  %x = shape.size_to_index %d : {Z}"
    )
    assert _verdicts(_text(["[?]", "[?]"], body)) == {"shape.size_to_index C1": "refuted"}
    assert _verdicts(_text(["[?]", "[1]"], body)) == {"shape.size_to_index C1": "proved"}


@pytest.mark.covers("shape.law.negative_index")
def test_a_negative_index_is_no_size() -> None:
    text = "func.func @f(%i: index) {\n  %x = shape.index_to_size %i\n  return\n}\n"
    assert _verdicts(text) == {"shape.index_to_size C1": "refuted"}
    assert _verdicts(text, assume=["i >= 0"]) == {"shape.index_to_size C1": "proved"}


@pytest.mark.covers("shape.law.index_range")
def test_the_index_to_split_at_is_in_range() -> None:
    text = (
        "func.func @f(%t: tensor<?x?xf32>, %i: index) {\n"
        "  %s = shape.shape_of %t : tensor<?x?xf32> -> tensor<2xindex>\n"
        f'  %x:2 = "shape.split_at"(%s, %i) : (tensor<2xindex>, index) -> ({E}, {E})\n  return\n}}\n'
    )
    assert _verdicts(text) == {"shape.split_at C1": "refuted"}
    assert _verdicts(text, assume=["i >= -2", "i <= 2"]) == {"shape.split_at C1": "proved"}
    assert _verdicts(text, assume=["i >= -3", "i <= 2"]) == {"shape.split_at C1": "refuted"}


@pytest.mark.covers("shape.law.own_message")
@pytest.mark.parametrize("operation", ['broadcast %s, %t {error = "too long"}', 'meet %s, %t, error = "too long"'])
def test_a_failure_has_its_own_words(operation: str) -> None:
    one = "tensor<1xindex>"
    trace = trace_of(
        f"func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {{\n"
        f"  %s = shape.shape_of %a : tensor<?xf32> -> {one}\n  %t = shape.shape_of %b : tensor<?xf32> -> {one}\n"
        f"  %x = shape.{operation} : {one}, {one} -> {one}\n  return\n}}\n"
    )
    (obligation,) = trace.obligations
    assert obligation.message.startswith('"too long": ')


@pytest.mark.covers("shape.law.assumed")
def test_guarded_operations_rely_on_their_witness() -> None:
    inside = f"%e = shape.to_extent_tensor %j : {S} -> {E}"
    body = (
        f"%j = shape.meet %a, %b : {S}, {S} -> {S}\n  %w = shape.cstr_eq %a, %b : {S}, {S}\n"
        f"  shape.assuming %w {{\n    {inside}\n  }}"
    )
    assert _verdicts(_text([UNRANKED, UNRANKED], body)) == {
        "shape.cstr_eq C1": "refuted",
        "shape.to_extent_tensor C1": "proved",
    }


# Tables ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        pytest.param("[*]", "[1, 2]", "[*]", marks=pytest.mark.covers("shape.broadcast.unranked")),
        pytest.param("[3]", "[2, 1]", "[2, 3]", marks=pytest.mark.covers("shape.broadcast.shorter")),
        pytest.param("[2, 3]", "[2, 3]", "[2, 3]", marks=pytest.mark.covers("shape.broadcast.equal")),
        pytest.param("[1, 3]", "[2, 1]", "[2, 3]", marks=pytest.mark.covers("shape.broadcast.one")),
        pytest.param("[2, 3]", "[2, 4]", "[invalid]", marks=pytest.mark.covers("shape.broadcast.error")),
        pytest.param("[2]", "[0]", "[invalid]", marks=pytest.mark.covers("shape.broadcast.error")),
    ],
)
def test_broadcast_of_two_shapes_is_the_same_in_both_orders(a: str, b: str, result: str) -> None:
    for shapes in ((a, b), (b, a)):
        assert _printed(_result(shapes, f"%x = shape.broadcast %a, %b : {S}, {S} -> {S}")) == result


@pytest.mark.covers("shape.broadcast.unknown")
@pytest.mark.parametrize(("assumed", "extent"), [("in_b[0] == 1", "4"), ("in_b[0] == 4", "4")])
def test_beside_an_unknown_extent_the_other_one_is_taken(assumed: str, extent: str) -> None:
    body = (
        f"%j = shape.broadcast %a, %b : {S}, {S} -> {S}\n  %e = shape.to_extent_tensor %j : {S} -> tensor<1xindex>\n"
        f"  %c = shape.const_shape [{extent}] : tensor<1xindex>\n"
        "  %x = shape.cstr_eq %e, %c : tensor<1xindex>, tensor<1xindex>"
    )
    assert set(_verdicts(_text(["[4]", "[?]"], body), assume=[assumed]).values()) == {"proved"}


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        pytest.param("[*]", "[*]", "[*]", marks=pytest.mark.covers("shape.join.1")),
        pytest.param("[*]", "[1, ?]", "[1, ?]", marks=pytest.mark.covers("shape.join.2")),
        pytest.param("[1, 2]", "[1, ?]", "[1, 2]", marks=pytest.mark.covers("shape.join.3")),
        pytest.param("[*]", "[1, 2]", "[1, 2]", marks=pytest.mark.covers("shape.join.4")),
        pytest.param("[]", "[]", "[]", marks=pytest.mark.covers("shape.join.5")),
        pytest.param("[]", "[*]", "[]", marks=pytest.mark.covers("shape.join.6")),
        pytest.param("[]", "[?, ?]", "[invalid]", marks=pytest.mark.covers("shape.join.7")),
        pytest.param("[1, ?]", "[2, ?, ?]", "[invalid]", marks=pytest.mark.covers("shape.join.8")),
    ],
)
def test_meet_of_two_shapes_is_the_same_in_both_orders(a: str, b: str, result: str) -> None:
    for shapes in ((a, b), (b, a)):
        assert _printed(_result(shapes, f"%x = shape.meet %a, %b : {S}, {S} -> {S}")) == result


@pytest.mark.parametrize(
    ("index", "head", "tail"),
    [
        pytest.param(0, "[]", "[4, 5, 6]", marks=pytest.mark.covers("shape.split_at.0")),
        pytest.param(1, "[4]", "[5, 6]", marks=pytest.mark.covers("shape.split_at.1")),
        pytest.param(2, "[4, 5]", "[6]", marks=pytest.mark.covers("shape.split_at.2")),
        pytest.param(3, "[4, 5, 6]", "[]", marks=pytest.mark.covers("shape.split_at.3")),
        pytest.param(4, "[invalid]", "[invalid]", marks=pytest.mark.covers("shape.split_at.4")),
        pytest.param(-1, "[4, 5]", "[6]", marks=pytest.mark.covers("shape.split_at.minus_1")),
        pytest.param(-2, "[4]", "[5, 6]", marks=pytest.mark.covers("shape.split_at.minus_2")),
        pytest.param(-3, "[]", "[4, 5, 6]", marks=pytest.mark.covers("shape.split_at.minus_3")),
        pytest.param(-4, "[invalid]", "[invalid]", marks=pytest.mark.covers("shape.split_at.minus_4")),
    ],
)
def test_split_at_gives_the_extents_before_and_after_an_index(index: int, head: str, tail: str) -> None:
    for order, wanted in (("%x, %y", head), ("%y, %x", tail)):
        body = f'%i = shape.const_size {index}\n  {order} = "shape.split_at"(%a, %i) : ({S}, {Z}) -> ({S}, {S})'
        assert _printed(_result(["[4, 5, 6]"], body)) == wanted


# Examples ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "sizes", "result"),
    [
        pytest.param(
            "[2, ?]",
            "[?, 3]",
            ["in_a[1] == 3", "in_b[0] == 2"],
            "[2, 3]",
            marks=pytest.mark.covers("shape.example.any.1"),
        ),
        pytest.param(
            "[?, ?]",
            "[1, 2]",
            ["in_a[0] == 1", "in_a[1] == 2"],
            "[1, 2]",
            marks=pytest.mark.covers("shape.example.any.2"),
        ),
    ],
)
@pytest.mark.covers("shape.law.any_disagrees")
def test_any_of_two_shapes_is_known_only_where_they_agree(a: str, b: str, sizes: list[str], result: str) -> None:
    body = f"%y = shape.any %a, %b : {S}, {S} -> {S}\n  %c = shape.const_shape {result} : {S}\n"
    text = _text([a, b], f"{body}  %w = shape.cstr_eq %y, %c : {S}, {S}")
    assert _verdicts(text, assume=sizes) == {"shape.cstr_eq C1": "proved"}
    assert _verdicts(text) == {"shape.cstr_eq C1": "refuted"}, "disagreeing is allowed, but the result is anything then"


@pytest.mark.parametrize(
    ("op", "shapes", "passes"),
    [
        pytest.param(
            "cstr_broadcastable",
            ["[2, 2]", "[3, 1, 2]"],
            True,
            marks=pytest.mark.covers("shape.example.cstr_broadcastable.1"),
        ),
        pytest.param(
            "cstr_broadcastable",
            ["[2, 2]", "[3, 2]"],
            False,
            marks=pytest.mark.covers("shape.example.cstr_broadcastable.2"),
        ),
        pytest.param("cstr_eq", ["[1, 2]"] * 3, True, marks=pytest.mark.covers("shape.example.cstr_eq.1")),
        pytest.param("cstr_eq", ["[2, 2]", "[1, 2]"], False, marks=pytest.mark.covers("shape.example.cstr_eq.2")),
    ],
)
def test_shape_constraints_are_proved_or_refuted_for_constant_shapes(op: str, shapes: list[str], passes: bool) -> None:
    names = ", ".join(f"%{name}" for name, _ in zip("abc", shapes, strict=False))
    body = f"%w = shape.{op} {names} : {', '.join([S] * len(shapes))}"
    (checked_obligation,) = check(_text(shapes, body), execute=False).checked_obligations
    assert isinstance(checked_obligation.verdict, Proved if passes else Refuted)


@pytest.mark.parametrize(
    ("second", "passes"),
    [
        pytest.param("shape.const_witness false", False, marks=pytest.mark.covers("shape.example.assuming_all.1")),
        pytest.param("shape.const_witness true", True, marks=pytest.mark.covers("shape.example.assuming_all.2")),
    ],
)
def test_all_witnesses_pass_or_none(second: str, passes: bool) -> None:
    body = f"%v = shape.cstr_eq %a, %a : {S}, {S}\n  %w = {second}\n  %x = shape.assuming_all %v, %w"
    witness = _result(["[2]"], body, W)
    assert isinstance(witness, Witness)
    assert str(witness.passing) == str(passes).lower()


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        pytest.param("[2, 3]", "[4, 5]", "[2, 3, 4, 5]", marks=pytest.mark.covers("shape.example.concat.1")),
        pytest.param("[]", "[]", "[]", marks=pytest.mark.covers("shape.example.concat.2")),
        pytest.param("[]", "[4, 5, 6]", "[4, 5, 6]", marks=pytest.mark.covers("shape.example.concat.3")),
    ],
)
def test_concat_of_two_shapes_has_the_extents_of_both(a: str, b: str, result: str) -> None:
    assert _printed(_result([a, b], f"%x = shape.concat %a, %b : {S}, {S} -> {S}")) == result


@pytest.mark.parametrize(
    ("operation", "returns", "result"),
    [
        pytest.param(f"shape.const_shape [] : {S}", S, "[]", marks=pytest.mark.covers("shape.example.const_shape.1")),
        pytest.param(
            f"shape.const_shape [1, 2, 3] : {S}",
            S,
            "[1, 2, 3]",
            marks=pytest.mark.covers("shape.example.const_shape.2"),
        ),
        pytest.param("shape.const_size 10", Z, "10", marks=pytest.mark.covers("shape.example.const_size")),
        pytest.param(
            "shape.from_extents %i, %i : index, index",
            S,
            "[7, 7]",
            marks=pytest.mark.covers("shape.example.from_extents.1"),
        ),
        pytest.param(
            f'"shape.from_extents"() : () -> {S}', S, "[]", marks=pytest.mark.covers("shape.example.from_extents.2")
        ),
    ],
)
def test_constant_operations_give_their_value(operation: str, returns: str, result: str) -> None:
    found = _result([], f"%i = arith.constant 7 : index\n  %x = {operation}", returns)
    assert (str(found.value) if isinstance(found, Size) else _printed(found)) == result


@pytest.mark.covers("shape.example.reduce")
def test_the_number_of_elements_is_a_fold() -> None:
    body = (
        f"%one = shape.const_size 1\n  %x = shape.reduce(%a, %one) : {S} -> {Z} {{\n"
        f"    ^bb0(%i: index, %d: {Z}, %sofar: {Z}):\n      %more = shape.mul %sofar, %d : {Z}, {Z} -> {Z}\n"
        f"      shape.yield %more : {Z}\n  }}"
    )
    folded, counted = (_result(["[?, 3, ?]"], each, Z) for each in (body, f"%x = shape.num_elements %a : {S} -> {Z}"))
    assert isinstance(folded, Size)
    assert isinstance(counted, Size)
    assert folded.value is counted.value
    assert str(folded.value) == "3*in_a[0]*in_a[2]"
