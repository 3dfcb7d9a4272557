"""The contracts of the small programs, each made once for all tests of a process."""

from __future__ import annotations

from functools import lru_cache

from support.small_programs import PROGRAMS

from shapesolve.contracts.contract import FunctionContract
from shapesolve.contracts.inference import contracts_of_program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options


@lru_cache(None)
def small(name: str, least: int = 0) -> FunctionContract:
    """The contract of a small program for sizes from ``least`` up."""
    (found,) = contracts_of_program(read_text(PROGRAMS[name].text), Options(execute=False, min_size=least)).functions
    return found
