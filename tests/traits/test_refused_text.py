"""Programs that MLIR refuses are read all the same, with every name and place as the author wrote it."""

from __future__ import annotations

import pytest

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.traits.files import DisguisedProgram, read_unverified_text
from shapesolve.traits.profiles import CARRIERS

HEAD = "func.func @f(%a: tensor<3xf32>, %b: tensor<2xf32>, %s: tensor<1xi8>) {\n"


def _read(body: str) -> DisguisedProgram:
    return read_unverified_text(f"{HEAD}{body}\n  return\n}}\n", "x.mlir", CARRIERS)


def _named(source: DisguisedProgram) -> list[tuple[int, int, str, tuple[str, ...]]]:
    found: list[tuple[int, int, str, tuple[str, ...]]] = []
    for op in source.program.operation.walk():
        name = source.name_at(op.location.line, op.location.column, op.name)
        if name in CARRIERS:
            found.append((op.location.line, op.location.column, name, tuple(value.name for value in op.operands)))
    return found


@pytest.mark.parametrize(
    ("line", "column", "name"),
    [
        ('  %0 = "tosa.add"(%a, %b) : (tensor<3xf32>, tensor<2xf32>) -> tensor<?xf32>', 8, "tosa.add"),
        ("  %0 = tosa.add %a, %b : (tensor<3xf32>, tensor<2xf32>) -> tensor<?xf32>", 8, "tosa.add"),
        ("  %0 = tosa.sub   %a ,%b  {x = 1 : i32} : (tensor<3xf32>, tensor<2xf32>) -> tensor<?xf32>", 8, "tosa.sub"),
        ('  %long = "test.broadcastable" (%a, %b) : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>', 11,
         "test.broadcastable"),
        ("  %0 = tosa.pow %a, %b : (tensor<3xf32>, tensor<2xf32>) -> tensor<?xf32> loc(\"m.py\":3:4)", 8, "tosa.pow"),
    ],
)  # fmt: skip
def test_an_operation_that_mlir_refuses_is_read_with_its_name_place_and_operands(
    line: str, column: int, name: str
) -> None:
    if name != "test.broadcastable":  # MLIR's bindings do not know its dialect, so that they cannot refuse it
        with pytest.raises(InputError):
            read_text(f"{HEAD}{line}\n  return\n}}\n")
    assert _named(_read(line)) == [(2, column, name, ("%a", "%b"))]


def test_columns_are_characters() -> None:
    first = '  %0 = "tosa.abs"(%a) {note = "é"} : (tensor<3xf32>) -> tensor<2xf32>'
    second = " %1 = tosa.abs %0 : (tensor<2xf32>) -> tensor<3xf32>"
    assert [(column, name) for _, column, name, _ in _named(_read(first + second))] == [
        (8, "tosa.abs"),
        (len(first) + 7, "tosa.abs"),
    ]


def test_names_in_comments_and_strings_stay() -> None:
    body = '  // tosa.add %a, %b : x\n  "my.op"(%a) {x = "tosa.add", y = "\\"tosa.add\\"("} : (tensor<3xf32>) -> ()'
    source = _read(body)
    assert not source.names
    assert source.program.text is not None
    assert body in source.program.text


def test_other_errors_keep_the_names_of_the_source() -> None:
    line = "  %0 = tosa.add %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<?xf32>"
    with pytest.raises(InputError, match="expects different type than prior uses") as caught:
        _read(line)
    assert line in caught.value.excerpt
    assert "a.b" not in str(caught.value)


def test_a_valid_program_is_read_as_it_is() -> None:
    source = _read("  %0 = tosa.abs %a : (tensor<3xf32>) -> tensor<3xf32>")
    assert _named(source) == [(2, 8, "tosa.abs", ("%a",))]
