"""Pairs of functions with the verdict that `refine` must give of them."""

from __future__ import annotations

from typing import NamedTuple

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs

CONSTANTS = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
"""
OPEN = "not proved"
"""The verdict of a pair that is wrong in a way that no run shows, or that is not followed."""

UNDENIED = "not refuted"
"""The verdict of a pair that is right in a way that need not be followed."""


def refined(source: str, target: str, options: Options = Options()) -> Refinement:  # noqa: B008 (frozen)
    """Return the comparison of the only functions of two programs."""
    (found,) = refine_programs(read_text(source), read_text(target), options)
    return found


class Pair(NamedTuple):
    """A source, a target, and "proved", "refuted", `OPEN` or `UNDENIED`."""

    name: str
    source: str
    target: str
    verdict: str


class Signature(NamedTuple):
    """The arguments and the result type of a function ``f``, from which pairs are made."""

    arguments: str
    result: str

    def pair(self, name: str, source: str, target: str, verdict: str) -> Pair:
        """Return the pair of functions with these bodies; the last line of a body is what it returns."""
        return Pair(name, self.function(source), self.function(target), verdict)

    def function(self, body: str) -> str:
        *operations, returned = body.strip().splitlines()
        end = f"  return {returned} : {self.result}\n"
        head = f"func.func @f({self.arguments}) -> {self.result} {{\n"
        return head + CONSTANTS + "".join(f"  {each}\n" for each in operations) + end + "}\n"


def compared(pair: Pair, *, execute: bool = False) -> Refinement:
    """Return what `refine` finds of a pair."""
    return refined(pair.source, pair.target, Options(execute=execute))


def check(pair: Pair) -> None:
    """Assert that the verdict of a pair is the right one."""
    word = compared(pair).word
    if pair.verdict.startswith("not "):
        assert word != pair.verdict.removeprefix("not ")
    else:
        assert word == pair.verdict
