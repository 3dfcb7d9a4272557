"""Rewrites of a compiler: a program before, a program after, what is required, and programs that are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stablehlo_programs import Expression, function

RANKS = range(5)


@dataclass(frozen=True)
class Rewrite:
    """A rewrite of the elements of a tensor.

    Attributes:
        family: The operation that it is about.
        name: What it does.
        arguments: Types, as in ``?x4xf32, f32``; ``*`` stands for dynamic extents of rank 0 to 4.
        before, after: The programs.
        requires: Preconditions on extents, in the language of assumptions.
        wrong: A program that is wrong in place of ``after``.
        least_rank: The least rank for ``*``.
        ideal: Whether the rewrite is right over the real numbers and the integers but wrong over floats or machine
            integers.
    """

    family: str
    name: str
    arguments: str
    before: Expression
    after: Expression
    requires: tuple[str, ...] = ()
    wrong: Expression | None = None
    least_rank: int = 0
    ideal: bool = False

    @property
    def instances(self) -> Iterator[str]:
        """The types of the arguments, once for each rank."""
        if "*" not in self.arguments:
            yield self.arguments
            return
        for rank in RANKS[self.least_rank :]:
            yield self.arguments.replace("*", "?x" * rank)

    def pair(self, arguments: str, after: Expression | None = None) -> tuple[str, str]:
        """Return both programs as MLIR, or the one before and another one."""
        before, extents = function(arguments, self.before)
        return before, function(arguments, after or self.after, extents)[0]


@dataclass(frozen=True)
class Family:
    """Makes rewrites about one operation."""

    name: str

    def __call__(
        self,
        name: str,
        arguments: str,
        before: Expression,
        after: Expression,
        requires: tuple[str, ...] = (),
        wrong: Expression | None = None,
        *,
        least_rank: int = 0,
        ideal: bool = False,
    ) -> Rewrite:
        return Rewrite(self.name, name, arguments, before, after, requires, wrong, least_rank, ideal)
