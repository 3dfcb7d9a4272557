"""An analysis of a program is computed once, and belongs to that program alone."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest

from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text

TEXT = "func.func @f() { return }"


def test_an_analysis_is_computed_once_for_each_of_its_arguments() -> None:
    asked: list[str] = []

    @program_analysis
    def named(program: Program, name: str) -> bool:
        asked.append(name)
        return name in program.functions

    program = read_text(TEXT)
    assert [named(program, each) for each in ("f", "g", "f", "g")] == [True, False, True, False]
    assert asked == ["f", "g"]


def test_a_copy_of_a_program_begins_with_no_analyses() -> None:
    @program_analysis
    def count(program: Program) -> int:
        return len(program.functions)

    program = read_text(TEXT)
    assert count(program) == 1
    assert count(replace(program, functions={})) == 0
    assert count(program) == 1


def test_an_analysis_that_fails_is_not_kept() -> None:
    answers = iter((ValueError("not yet"), None))

    @program_analysis
    def fails_once(program: Program) -> int:
        if (error := next(answers)) is not None:
            raise error
        return program.size

    program = read_text(TEXT)
    with pytest.raises(ValueError, match="not yet"):
        fails_once(program)
    assert fails_once(program) == program.size


@pytest.mark.slow
def test_results_go_with_their_program() -> None:
    class Result:
        pass

    @program_analysis
    def result(program: Program) -> Result:
        return Result()

    program = read_text(TEXT)
    kept = weakref.ref(result(program))
    assert kept() is not None
    del program
    gc.collect()
    assert kept() is None
