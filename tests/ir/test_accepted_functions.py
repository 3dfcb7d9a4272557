"""Test of files with functions that MLIR refuses: the others are read, with their locations."""

from __future__ import annotations

from itertools import product

import pytest
from support.refused_functions import SAME, UNKNOWN_OP, WRONG_TYPE

from shapesolve.errors import InputError
from shapesolve.ir.function_texts import declared, function_around
from shapesolve.ir.reader import AcceptedFunctions, RefusedText, accepted_functions, read_text

WRONG_HEAD = """\
func.func @head(%x: tensor<?xfoo>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
"""
CALLS = """\
func.func @calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @unknown(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
REFUSED = {"unknown": (UNKNOWN_OP, 3), "typed": (WRONG_TYPE, 2), "head": (WRONG_HEAD, 1)}


def accepted(text: str) -> AcceptedFunctions | None:
    with pytest.raises(RefusedText) as refused:
        read_text(text, "a.mlir")
    return accepted_functions(refused.value)


@pytest.mark.parametrize(
    "kinds", [kinds for n in (1, 2, 3) for kinds in product(REFUSED, repeat=n) if len(set(kinds)) == n]
)
@pytest.mark.parametrize("nested", [False, True])
def test_other_functions_keep_their_places(kinds: tuple[str, ...], nested: bool) -> None:
    parts, refused_lines, accepted_lines = ["module {"] if nested else ["// head"], [], []
    line = 2
    for number, kind in enumerate(kinds):
        text, place = REFUSED[kind]
        parts += [text.rstrip("\n"), SAME.format(name=f"f{number}").rstrip("\n")]
        refused_lines.append(line + place - 1)
        line += text.count("\n")
        accepted_lines.append(line)
        line += 4
    parts.append("}" if nested else "")
    found = accepted("\n".join(parts))
    assert found is not None
    assert found.program is not None
    assert [int(each.where.split(":")[1]) for each in found.refusals] == refused_lines
    bodies = [each for each in found.program.functions.values() if each.body is not None]
    assert [(each.name, each.location.line) for each in bodies] == [
        (f"f{number}", line) for number, line in enumerate(accepted_lines)
    ]
    assert found.program.refused == kinds


def test_a_refused_function_is_still_declared_for_its_callers() -> None:
    found = accepted(CALLS + UNKNOWN_OP)
    assert found is not None
    assert found.program is not None
    assert [(name, each.body is None) for name, each in found.program.functions.items()] == [
        ("calls", False),
        ("unknown", True),
    ]


def test_callers_of_a_function_without_a_readable_head_are_refused_too() -> None:
    found = accepted(CALLS.replace("@unknown", "@head") + WRONG_HEAD + SAME.format(name="f"))
    assert found is not None
    assert found.program is not None
    assert (found.program.refused, list(found.program.functions)) == (("calls", "head"), ["calls", "f"])
    assert found.refusals[0].excerpt.endswith("hint: MLIR refuses @head itself")


def test_nothing_is_read_where_the_refusal_is_outside_of_functions() -> None:
    assert accepted(SAME.format(name="f") + "my.op\n") is None
    assert accepted(SAME.format(name="f").rstrip().rstrip("}")) is None


def test_old_spellings_are_read_beside_refused_functions() -> None:
    old = SAME.format(name="old").replace(
        "tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>)", "tosa.negate %x : (tensor<?xf32>)"
    )
    found = accepted(UNKNOWN_OP + old)
    assert found is not None
    assert found.program is not None
    assert "tosa.negate of one operand is an old spelling" in found.program.notes[0]
    assert [each.name for each in found.program.functions.values() if each.body is not None] == ["old"]


def test_a_declaration_is_not_taken_for_the_function_behind_it() -> None:
    text = "func.func private @ext(index)\n" + SAME.format(name="f")
    assert function_around(text, 1) is None
    function = function_around(text, 3)
    assert function is not None
    assert function.name == "f"
    assert declared(text, function).count("\n") == text.count("\n")


def test_the_text_itself_stays_refused() -> None:
    with pytest.raises(InputError, match="my"):
        read_text(UNKNOWN_OP + SAME.format(name="f"), "a.mlir")
