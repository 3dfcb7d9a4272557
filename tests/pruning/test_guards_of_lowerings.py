"""Test of the table in docs/guards.md: guards of lowered programs as they are, canonicalized, and pruned."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.pruned_programs import prune
from support.tosa_programs import MAKERS, STATED, tosa_program
from support.upstream_passes import after_passes

from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.reader import read_text

PAGE = (Path(__file__).parents[2] / "docs" / "guards.md").read_text(encoding="utf-8")
LOWERING = "func.func(tosa-make-broadcastable,tosa-to-linalg-named,tosa-to-linalg,tosa-to-tensor,tosa-to-arith)"
CLEANING = "canonicalize,cse,int-range-optimizations,canonicalize,cse"
ROWS = {
    name.strip(): cells
    for name, *cells in re.findall(r"^\| ([^|`]+) \| (\d+) \| (\d+) \| (\d+) \| (\d*) ?\|$", PAGE, re.M)
}


def guards(text: str) -> int:
    """Return the number of guards of a program."""
    return sum(op.name == "scf.if" for op in read_text(text, "model.mlir").operation.walk())


def test_the_page_lists_all_programs() -> None:
    assert list(ROWS) == list(MAKERS)
    assert {name for name, cells in ROWS.items() if cells[3]} == set(STATED)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", MAKERS)
def test_as_many_guards_go_as_the_page_says(name: str) -> None:
    lowered = after_passes(tosa_program(name), LOWERING)
    counted = [lowered, after_passes(lowered, CLEANING), prune(lowered).text]
    if name in STATED:
        counted.append(prune(lowered, shapes=tuple(STATED[name])).text)
    assert [guards(each) for each in counted] == [int(each) for each in ROWS[name] if each]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in MAKERS if name not in STATED])
def test_a_lowered_program_still_gives_what_it_gave(name: str) -> None:
    lowered = after_passes(tosa_program(name), LOWERING)
    (shape,) = re.findall(r"%arg0: tensor<([\dx?]+)xf32>", lowered)[:1]
    sizes = (0, 1, 2, 5)
    runs = [
        [
            TensorInput(
                tuple(int(each) if each.isdigit() else size + place for place, each in enumerate(shape.split("x")))
            )
        ]
        for size in sizes
    ]
    original, pruned = (
        execute_many(each, "main", runs, runtime_checks=False) for each in (lowered, prune(lowered).text)
    )
    assert {each.outcome for each in original} == {Outcome.RETURNED}
    assert [(each.outcome, each.result_extents) for each in pruned] == [
        (each.outcome, each.result_extents) for each in original
    ]
