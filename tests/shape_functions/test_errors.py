"""Tests of errors, with their places, in shape function libraries that upstream does not check."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.library_programs import BINARY, USE, checked, library_text, written

from shapesolve.cli.main import main
from shapesolve.errors import InputError

GOOD = "my.op = @binary"


def shape_function(
    body: str, signature: str = "(%a: !shape.value_shape, %b: !shape.value_shape) -> !shape.shape"
) -> str:
    return f"  func @binary{signature} {{\n{body}\n  }}\n"


BAD: dict[str, tuple[str, str, str]] = {
    "no such function": (BINARY, "my.op = @nosuch", r"1:1: the mapping of my.op .* @nosuch.* it has: @binary"),
    "no symbol": (BINARY, 'my.op = "binary"', r"1:1: the mapping of my.op .* is not the name of a function"),
    "nested symbol": (BINARY, "my.op = @lib::@binary", r"1:1: the mapping of my.op .* is not the name of a function"),
    "func.func": (
        BINARY + "  func.func @g(%a: index) -> index { func.return %a : index }",
        "my.op = @g",
        r"9:3: the mapping of my.op .* @g, which is a func.func and not a shape.func",
    ),
    "blocks": (
        shape_function(
            "    %0 = shape_of %a : !shape.value_shape -> !shape.shape\n"
            "    cf.br ^bb1\n  ^bb1:\n    return %0 : !shape.shape"
        ),
        GOOD,
        r"2:3: @binary.* has several blocks",
    ),
    "argument": (
        shape_function("    return %b : !shape.shape", "(%a: !shape.witness, %b: !shape.shape) -> !shape.shape"),
        GOOD,
        r"2:3: argument 0 of @binary.* has type !shape.witness",
    ),
    "effects": (
        BINARY.replace("-> !shape.shape {", '-> !shape.shape attributes {shapesolve.effects = "none"} {'),
        GOOD,
        r'3:3: shapesolve.effects on @binary.* may only say "pure"',
    ),
    "no result": (
        shape_function("    return", "(%a: !shape.shape, %b: !shape.shape)"),
        GOOD,
        r"2:3: .*returns nothing",
    ),
    "result type": (
        shape_function("    return %a : tensor<2xf32>", "(%a: tensor<2xf32>, %b: !shape.shape) -> tensor<2xf32>"),
        GOOD,
        r"2:3: result 0 of @binary.* is neither a shape nor a number",
    ),
    "returns another type": (
        shape_function("    %0 = const_size 1\n    return %0 : !shape.size"),
        GOOD,
        r"4:5: @binary.* returns !shape.size as its result 0, which is declared as !shape.shape",
    ),
    "returns too many": (
        shape_function(
            "    %0 = shape_of %a : !shape.value_shape -> !shape.shape\n    return %0, %0 : !shape.shape, !shape.shape"
        ),
        GOOD,
        r"4:5: @binary.* returns 2 values where it is declared to return 1",
    ),
    "recursion": (
        shape_function(
            "    %t = value_of %a : tensor<?xf32>\n"
            '    %u = "my.op"(%t, %t) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n'
            "    %s = shape_of %u : tensor<?xf32> -> !shape.shape\n"
            "    return %s : !shape.shape"
        ),
        GOOD,
        r"2:3: @binary leads back to itself: @binary -> @binary",
    ),
    "recursion by a call": (
        shape_function(
            "    %c = arith.constant 1 : index\n    %d = func.call @g(%c) : (index) -> index\n"
            "    %s = shape_of %a : !shape.value_shape -> !shape.shape\n    return %s : !shape.shape"
        )
        + "  func.func @g(%a: index) -> index {\n    %0 = func.call @g(%a) : (index) -> index\n"
        "    func.return %0 : index\n  }",
        GOOD,
        r"2:3: @binary leads back to itself: @g -> @g",
    ),
    "attribute": (
        shape_function(
            "    %0 = shape_of %a : !shape.value_shape -> !shape.shape\n    return %0 : !shape.shape",
            "(%a: !shape.value_shape, %b: index {shapesolve.attribute = 3}) -> !shape.shape",
        ),
        GOOD,
        r"2:3: shapesolve.attribute on argument 1 of @binary.* wants the name of an attribute",
    ),
    "a built-in rule": (
        BINARY,
        "tosa.add = @binary",
        r"3:3: tosa.add has a rule already .*which a library does not replace",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_library_is_refused_at_its_line(name: str, tmp_path: Path) -> None:
    body, mapping, message = BAD[name]
    path = written(tmp_path, library_text(body, mapping))
    with pytest.raises(InputError) as caught:
        checked(USE, path)
    assert re.match(rf"{re.escape(path)}:{message}", str(caught.value).split("\n", 1)[0]), str(caught.value)


MISUSED: dict[str, tuple[str, str, str]] = {
    "operands": (
        BINARY,
        '"my.op"(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>',
        "my.op has 1 operand here, and @binary takes 2",
    ),
    "results": (
        BINARY,
        '"my.op"(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> ()',
        "my.op has 0 results here, and @binary returns 1",
    ),
    "result type": (
        BINARY,
        '"my.op"(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> index',
        "result 0 of my.op has type index",
    ),
    "operand type": (
        BINARY,
        '"my.op"(%a, %i) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>',
        "argument 1 of @binary has type !shape.value_shape, which does not take the operand %i of type index",
    ),
    "attribute": (
        shape_function(
            "    %0 = shape_of %a : !shape.value_shape -> !shape.shape\n    return %0 : !shape.shape",
            '(%a: !shape.value_shape, %b: index {shapesolve.attribute = "axis"}) -> !shape.shape',
        ),
        '"my.op"(%a) {axis = "x"} : (tensor<?x?xf32>) -> tensor<?x?xf32>',
        "argument 1 of @binary wants its attribute `axis` as index",
    ),
}


@pytest.mark.parametrize("name", MISUSED)
def test_a_wrong_use_of_a_function_is_refused_at_the_operation(name: str, tmp_path: Path) -> None:
    body, use, message = MISUSED[name]
    assigned = use if use.endswith("()") else f"%r = {use}"
    text = f"func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %i: index) {{\n  {assigned}\n  return\n}}\n"
    with pytest.raises(InputError) as caught:
        checked(text, written(tmp_path, library_text(body, GOOD)))
    assert re.match(rf"model.mlir:2:\d+: {re.escape(message)}", str(caught.value)), str(caught.value)
    assert "is declared here" in str(caught.value)


def test_an_operation_mapped_twice_is_refused(tmp_path: Path) -> None:
    first = written(tmp_path, library_text(BINARY, GOOD), "a.mlir")
    second = written(tmp_path, library_text(BINARY, GOOD, "other"), "b.mlir")
    with pytest.raises(InputError, match=r"b.mlir:3:3: my.op is mapped twice") as caught:
        checked(USE, first, second)
    assert "a.mlir:3:3: and here" in str(caught.value)
    assert checked(USE, first, first).checked_obligations  # the same file twice is the same library


def test_recursion_across_files(tmp_path: Path) -> None:
    def leads_to(op: str) -> str:
        return shape_function(
            "    %t = value_of %a : tensor<?xf32>\n"
            f'    %u = "{op}"(%t, %t) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n'
            "    %s = shape_of %u : tensor<?xf32> -> !shape.shape\n    return %s : !shape.shape"
        )

    first = written(tmp_path, library_text(leads_to("my.other"), GOOD), "a.mlir")
    second = written(
        tmp_path, library_text(leads_to("my.op").replace("@binary", "@second"), "my.other = @second"), "b.mlir"
    )
    with pytest.raises(InputError, match=r"@binary leads back to itself: @binary -> @second -> @binary"):
        checked(USE, first, second)


def test_a_missing_or_empty_library_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = written(tmp_path, USE, "model.mlir")
    empty = written(tmp_path, "func.func @f() { return }", "empty.mlir")
    for library, sentence in (
        (str(tmp_path / "missing.mlir"), "there is no such file"),
        (empty, "no shape.function_library here maps an operation"),
        ("-", "a library is not read from standard input"),
        (written(tmp_path, "shape.function_library @x {", "cut.mlir"), "cut.mlir:1:"),
    ):
        assert main(["check", model, "--library", library]) == 2
        assert sentence in capsys.readouterr().err
