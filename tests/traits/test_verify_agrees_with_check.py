"""Test that `verify` and `check` agree on every program that was ever put to a real verifier."""

from __future__ import annotations

from functools import cache

import pytest
from traits.observed import Row, rows

import shapesolve
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted
from shapesolve.traits.runtime_behavior import Kind

PROFILE = "mlir-22"
"""The version that `check` reads and describes."""

NAMES_TODAY = {"tosa.div": "tosa.intdiv", "tosa.int_div": "tosa.intdiv"}

BITS = ("bitwise", "shift", "intdiv", "clz")


def _type(text: str, container: str, element: str) -> str:
    return f"{container}<{'*x' if text == '*' else '' if text == '()' else text + 'x'}{element}>"


def _program(row: Row) -> str | None:
    """The operation of a row as a program of today; None where there is no such operation."""
    op = NAMES_TODAY.get(row.op, row.op)
    element = "i32" if any(word in op for word in BITS) else "f32"
    element = "i1" if op.startswith("tosa.logical") and "shift" not in op else element
    elements = [element] * (len(row.operands) + 1)
    if op == "tosa.select":
        elements[0] = "i1"
    if op in ("tosa.equal", "tosa.greater", "tosa.greater_equal"):
        elements[-1] = "i1"
    containers = ["vector" if row.group == "vector" else "tensor"] * len(row.operands)
    types = [_type(*each) for each in zip(row.operands, containers, elements, strict=False)]
    result = _type(row.result, "tensor", elements[-1])
    names = [f"%{letter}" for letter in "abcdefghij"[: len(types)]]
    if op == "tosa.mul":
        types, names = [*types, "tensor<1xi8>"], [*names, "%s"]
    attributes = " {round = false}" if op == "tosa.arithmetic_right_shift" else ""
    arguments = ", ".join(f"{name}: {type}" for name, type in zip(names, types, strict=True))
    call = f'"{op}"({", ".join(names)}){attributes} : ({", ".join(types)}) -> {result}'
    return f"func.func @f({arguments}) -> {result} {{\n  %0 = {call}\n  return %0 : {result}\n}}\n"


@cache
def _programs() -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for row in rows() if (text := _program(row)) is not None))


def _kind_by_check(checked_obligations: list[CheckedObligation]) -> Kind | None:
    """Return the combined verdicts on shapes, or None if something is undecided."""
    verdicts = [each.verdict for each in checked_obligations if "divisor" not in each.obligation.message
                and "least number" not in each.obligation.message]  # fmt: skip
    if all(isinstance(each, Proved) for each in verdicts):
        return Kind.ALWAYS
    return Kind.SOMETIMES if any(isinstance(each, Refuted) for each in verdicts) else None


def _wrong(text: str) -> str:
    """Return the difference between the two on a program, or "" if there is none."""
    verified = shapesolve.verify(text, profile=PROFILE)
    (operation,) = verified.operations
    try:
        report = shapesolve.check(text, options=Options(execute=False))
    except InputError:
        # MLIR refuses the program before anybody can ask what it means.
        return "" if operation.outcome == "rejected" else "check cannot read what verify accepts"
    meaning = operation.runtime_behavior
    if meaning is None:
        return ""
    by_check = _kind_by_check(list(report.checked_obligations))
    expected = Kind.SOMETIMES if meaning.kind is Kind.NEVER else meaning.kind
    return "" if by_check is expected else f"verify says {meaning.kind}, check {by_check}"


def test_the_programs_are_many() -> None:
    assert len(rows()) == 2388
    assert len(_programs()) > 500


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_verify_and_check_agree(part: int) -> None:
    wrong = {text: by_check for text in _programs()[part::8] if (by_check := _wrong(text))}
    assert not wrong


@pytest.mark.process
def test_a_rank_that_differs_fails_in_both() -> None:
    text = """\
func.func @f(%a: tensor<*xf32>, %b: tensor<?x?xf32>) -> tensor<*xf32> {
  %0 = tosa.add %a, %b : (tensor<*xf32>, tensor<?x?xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
"""
    (operation,) = shapesolve.verify(text).operations
    assert operation.runtime_behavior is not None
    works = operation.runtime_behavior.works
    assert works is not None
    ranks = [len(size) for size in works.values() if not isinstance(size, int)]
    assert ranks == [2]
    assert any(isinstance(each.verdict, Refuted) for each in shapesolve.check(text).checked_obligations)
    (by_page,) = shapesolve.verify(text, profile="page-today").operations
    assert by_page.runtime_behavior is not None
    assert by_page.runtime_behavior.kind is Kind.SOMETIMES
