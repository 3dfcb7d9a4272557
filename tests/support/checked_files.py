"""Reports of the examples that more than one test looks at, made once in a process."""

from __future__ import annotations

from functools import cache

from shapesolve.checker.report import Report
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_file
from shapesolve.options import Options
from shapesolve.pipeline import check_program


@cache
def program_of(path: str) -> Program:
    return read_file(path)


@cache
def executed_report(path: str) -> Report:
    """The file checked under no assumptions, its own included, with its counterexamples executed."""
    return check_program(program_of(path), Options(distrust=True))
