"""Region execution: the ways in which an operation runs a region.

A rule states which one applies. `AtMostOnce` and `GenericIteration` are one pass through the region, interpreted once.
The loops state what is carried from one iteration to the next, and are interpreted as passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shapesolve.domain.values import Abstract
from shapesolve.ir.program import Region, Value
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import IterationNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class AtMostOnce:
    """A region that runs once, or not at all.

    Attributes:
        region: The region that runs.
        arguments: The values of its block arguments.
        condition: A formula that holds inside.
        because: The words that explain ``condition``.
        runs: The formula under which the region runs: facts established inside hold there afterwards. None if unknown.
        iteration: The iteration that it is, of a loop whose body is interpreted once for each.
    """

    region: Region
    arguments: tuple[Abstract, ...] = ()
    condition: Formula = TRUE
    because: str = ""
    runs: Formula | None = TRUE
    iteration: IterationNumber | None = None

    @staticmethod
    def where(condition: Formula, because: str, *, region: Region, arguments: tuple[Abstract, ...] = ()) -> AtMostOnce:
        """Return a region that runs exactly where a condition holds."""
        return AtMostOnce(region=region, arguments=arguments, condition=condition, because=because, runs=condition)


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericIteration:
    """Any of the runs of a region that runs any number of times and carries nothing from one to the next.

    Attributes:
        region: The region that runs.
        arguments: The values of its block arguments in the generic iteration.
        condition: A formula that holds inside every run.
        because: The words that explain ``condition``.
        runs: The formula under which there is a run; None if that is unknown.
        iteration: The position in the loops around the region, for operations that ask for it.
        approximate: Why the runs are not modeled exactly: there may be none on these arguments. "" if they are.
        kept: The invariant of arguments whose values are not known.
        in_order: Whether each run begins where the one before has ended.
        is_followed: Whether another region runs between a run and the next one, as in a while loop: where the region
            is left, not all of its runs are over.
    """

    region: Region
    arguments: tuple[Abstract, ...] = ()
    condition: Formula = TRUE
    because: str = ""
    runs: Formula | None = None
    iteration: tuple[Dim, ...] | None = None
    approximate: str = ""
    kept: Formula | None = None
    in_order: bool = False
    is_followed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationSpace:
    """The iterations of a loop as numbers.

    Attributes:
        round: The number of iterations before the generic one.
        count: The trip count if the loop ends; else a number of iterations that it reaches.
        ends: The condition under which the loop ends.
    """

    round: Dim
    count: Dim
    ends: Formula = TRUE


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapesOfIterations:
    """Values yielded in each iteration that must have the same shape in all of them.

    Attributes:
        clause: The clause of the claims.
        collected: The number of values that the terminator yields behind the carried ones. The loop yields those of its
            first iteration; an `UnrolledLoop` without iterations yields none.
        keeps_carried: Whether each carried value must keep the shape that it begins with, too.
    """

    clause: str
    collected: int = 0
    keeps_carried: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ForLoop:
    """A region that runs repeatedly, each time on the values that it yielded the time before.

    Attributes:
        region: The body.
        carries: The initial loop-carried values. They are the arguments of the block behind the first ones, and the
            last values that the terminator yields, but for those that are collected.
        arguments: The values of the first arguments of the block, in the generic iteration.
        elements: The values of its last arguments, behind the carried ones.
        shapes: The values whose shapes must agree; None if there are none, and none are collected.
        condition: A formula that holds inside every iteration, as in `GenericIteration`; so are the next three.
        because: The words that explain ``condition``.
        runs: The formula under which there is an iteration; None if that is unknown.
        approximate: Why the iterations are not modeled exactly; "" if they are.
        iteration_space: The iteration space, if it is known.
    """

    region: Region
    carries: tuple[Abstract, ...]
    arguments: tuple[Abstract, ...] = ()
    elements: tuple[Abstract, ...] = ()
    shapes: ShapesOfIterations | None = None
    condition: Formula = TRUE
    because: str = ""
    runs: Formula | None = None
    approximate: str = ""
    iteration_space: IterationSpace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhileLoop:
    """A region followed by a second one that decides whether both run again.

    The loop yields what the first region yields last, or the loop-carried values themselves if it ``passes_on`` those.

    Attributes:
        region: The first region, which is given the loop-carried values and nothing else.
        carries: The initial loop-carried values.
        follow: Makes the second region of the same iteration from what the first one yields and from the values that
            this iteration carries. It yields what the next iteration carries.
        passes_on: Whether the loop yields the loop-carried values.
        runs: The formula under which the first region runs at least once.
        iteration_space: The iteration space of the second region, if it is known; the first one runs once more.
    """

    region: Region
    carries: tuple[Abstract, ...]
    follow: Follow
    passes_on: bool = False
    runs: Formula = TRUE
    iteration_space: IterationSpace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CfgLoop:
    """A natural loop of blocks. An iteration begins with the arguments of the header, which are loop-carried.

    Attributes:
        carries: The initial loop-carried values.
        likes: The arguments of the header.
        turn: Interprets an iteration on carried values; see `Turn`.
        is_short: Whether the body is short enough to be interpreted once for each iteration.
        iteration_space: The iteration space of the back edges, if it is known.
    """

    carries: tuple[Abstract, ...]
    likes: Sequence[Value]
    turn: Turn
    is_short: bool = False
    iteration_space: IterationSpace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnrolledLoop:
    """A region that runs a known number of times and is interpreted once for each.

    Attributes:
        region: The body.
        trips: The values of the first arguments of the block, for every iteration.
        carries: The initial loop-carried values, which are the arguments behind those, as in `ForLoop`; so are the next
            two.
        elements: The values of the last arguments, in every iteration.
        shapes: The values whose shapes must agree.
        runs: The formula under which the loop runs; None if that is unknown.
    """

    region: Region
    trips: tuple[tuple[Abstract, ...], ...]
    carries: tuple[Abstract, ...]
    elements: tuple[Abstract, ...] = ()
    shapes: ShapesOfIterations | None = None
    runs: Formula | None = None


Pass = AtMostOnce | GenericIteration
"""One pass through a region."""

RegionRun = AtMostOnce | GenericIteration | ForLoop | WhileLoop | UnrolledLoop

Turn = Callable[[tuple[Abstract, ...]], tuple[tuple[Abstract, ...] | None, Formula]]
"""Interprets one iteration on carried values.

Returns the values that the next one begins with (None if unknown), and the condition under which there is a next one.
"""

Follow = Callable[[tuple[Abstract, ...], tuple[Abstract, ...]], GenericIteration]
"""Makes the second region of a `WhileLoop` iteration from what the first one yielded and the carried values."""


def loop(
    *,
    region: Region,
    arguments: tuple[Abstract, ...],
    carries: tuple[Abstract, ...],
    elements: tuple[Abstract, ...] = (),
    shapes: ShapesOfIterations | None = None,
    condition: Formula = TRUE,
    because: str = "",
    runs: Formula | None = None,
    approximate: str = "",
    iteration_space: IterationSpace | None = None,
) -> GenericIteration | ForLoop:
    """Return a sequential loop: a `ForLoop` if it carries or collects values, else a `GenericIteration`."""
    if not carries and shapes is None:
        return GenericIteration(
            region=region,
            arguments=(*arguments, *elements),
            condition=condition,
            because=because,
            runs=runs,
            approximate=approximate,
            in_order=True,
        )
    return ForLoop(
        region=region,
        carries=carries,
        arguments=arguments,
        elements=elements,
        shapes=shapes,
        condition=condition,
        because=because,
        runs=runs,
        approximate=approximate,
        iteration_space=iteration_space,
    )


MAX_TRIPS = 8
"""The most iterations of a loop that are interpreted one by one."""
