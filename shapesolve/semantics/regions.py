"""How an operation runs a region: the few ways that there are.

A rule says which one it means. `Once` and `Every` are one way through the region, walked once. The others say what a
loop carries from one iteration to the next, and are made of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shapesolve.domain.values import Abstract
from shapesolve.ir.program import Region, Value
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class AtMostOnce:
    """A region that runs once, or not at all.

    ``condition`` holds inside, ``because`` of what these words say. ``runs`` is the formula under which it runs: what
    is established inside holds there afterwards. None: when it runs is not known.
    """

    region: Region
    arguments: tuple[Abstract, ...] = ()
    condition: Formula = TRUE
    because: str = ""
    runs: Formula | None = TRUE

    @staticmethod
    def where(condition: Formula, because: str, *, region: Region, arguments: tuple[Abstract, ...] = ()) -> AtMostOnce:
        """A region that runs where a condition holds, and nowhere else."""
        return AtMostOnce(region=region, arguments=arguments, condition=condition, because=because, runs=condition)


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericIteration:
    """A region that runs any number of times, and carries nothing from one to the next: the run of any of them.

    ``condition`` holds inside every run. ``runs`` is the formula under which there is one; None where that is not
    known. ``iteration`` is the position in the loops around the region, for operations that ask for it.
    ``approximate`` says why the runs are not modelled exactly: there may be none on these arguments. ``kept`` is what
    every iteration keeps, of arguments that are not followed. ``in_order``: one begins where the one before has ended.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationSpace:
    """The iterations of a loop in numbers: the ``round`` of one that stands for all is how many come before it.

    The loop ``ends`` under a condition; else ``count`` is a number of iterations that it gets to.
    """

    round: Dim
    count: Dim
    ends: Formula = TRUE


@dataclass(frozen=True, slots=True, kw_only=True)
class ForLoop:
    """A region that runs again and again, each time on what it yielded the time before.

    ``carries`` are the initial values of what is carried: the last arguments of the block, behind those that this
    iteration has anyway, and the last values that the terminator yields. The rest is said of an iteration that stands
    for all, as in `Every`. ``course``: where it is said in numbers which one that is, and how many there are.
    """

    region: Region
    carries: tuple[Abstract, ...]
    arguments: tuple[Abstract, ...] = ()
    condition: Formula = TRUE
    because: str = ""
    runs: Formula | None = None
    approximate: str = ""
    course: IterationSpace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhileLoop:
    """A region that is followed by another one, which decides whether both run again.

    The region is given what the loop ``carries`` and nothing else, and runs at least once where it ``runs``. ``follow``
    makes, of what the region yields and of what this iteration carries, the second region of the same iteration, which
    yields what the next one carries. The loop then yields what the first region yields last, or, where it ``passes_on``
    what it carries, that. ``course``: where it is known how often the second region runs; the first runs once more.
    """

    region: Region
    carries: tuple[Abstract, ...]
    follow: Follow
    passes_on: bool = False
    runs: Formula = TRUE
    course: IterationSpace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CfgLoop:
    """Blocks between which control goes round: a round begins with what the first one is given, which is carried.

    ``turn`` walks a round on that, and gives what the next one begins with (None: nobody knows) and when there is one.
    ``likes`` are the arguments of the first block. A round that ``is_short`` may be followed each time that control
    comes back. ``course``: where it is known how often it does.
    """

    carries: tuple[Abstract, ...]
    likes: Sequence[Value]
    turn: Turn
    is_short: bool = False
    course: IterationSpace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnrolledLoop:
    """A region that runs a known number of times, and is walked once for each, so that nothing is left out.

    ``trips`` are the first arguments of every iteration; behind them come those that it ``carries``, as in `ForLoop`.
    """

    region: Region
    trips: tuple[tuple[Abstract, ...], ...]
    carries: tuple[Abstract, ...]
    runs: Formula | None = None


Pass = AtMostOnce | GenericIteration
"""One way through a region."""

RegionRun = AtMostOnce | GenericIteration | ForLoop | WhileLoop | UnrolledLoop

Turn = Callable[[tuple[Abstract, ...]], tuple[tuple[Abstract, ...] | None, Formula]]
"""What `Turning.turn` is."""

Follow = Callable[[tuple[Abstract, ...], tuple[Abstract, ...]], GenericIteration]
"""What `While.follow` is."""


def loop(
    *,
    region: Region,
    arguments: tuple[Abstract, ...],
    carries: tuple[Abstract, ...],
    condition: Formula = TRUE,
    because: str = "",
    runs: Formula | None = None,
    approximate: str = "",
    course: IterationSpace | None = None,
) -> GenericIteration | ForLoop:
    """A region that runs again and again, one time after the other, by whether it carries anything."""
    if not carries:
        return GenericIteration(
            region=region,
            arguments=arguments,
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
        condition=condition,
        because=because,
        runs=runs,
        approximate=approximate,
        course=course,
    )


MAX_TRIPS = 8
