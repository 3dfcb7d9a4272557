"""The four verdicts. Each carries its evidence or its reason; none can be made without it.

As text a verdict is one line: ``Refuted: H = 3``.

Why a claim stays undecided, or a question unanswered.

The port to a solver: what may be asked, and the only three things that it may answer.

A query is a conjunction of labelled formulas. Nothing here knows which solver stands behind it.

How much is wanted of a verdict: the more, the more questions it takes where a claim is not proved.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.solver.propagation.trail import Why, facts_of
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Fact


class Obstacle(enum.Enum):
    """What stood in the way."""

    BUDGET = "the budget was spent"
    TIME = "a limit of time, not of steps, ended the question: another run may answer it"
    COMMAND = "the time limit of the command was reached"
    NON_LINEAR = "it is not linear, and the budget was spent"
    RANKS = "the ranks that were tried do not settle it"
    SIZE = "an expression grew too large"
    APPROXIMATION = "whether it fails depends on something that is not modelled, or not known"
    NOTHING_FOUND = "neither a proof nor a failure was found"
    FACTS = "the facts could not be shown to hold together"
    EXECUTION = "running the program contradicts what was predicted"
    MEMORY = "nothing makes it fail that fits into memory"
    PRESUMPTION = "arithmetic that is assumed not to wrap around may do so here"


BY_CHANCE = frozenset((Obstacle.TIME, Obstacle.COMMAND))
"""Why a solver gave up where another try may do better."""


__all__ = [
    "NOT_PROVED",
    "NOT_SEEN",
    "Obstacle",
    "Proved",
    "Refuted",
    "Sizes",
    "Undecided",
    "Unreachable",
    "Verdict",
    "VerdictKind",
]


class VerdictKind(enum.StrEnum):
    """The kind of a verdict. As text it is the word that reports print."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    UNREACHABLE = "unreachable"


def _listed(facts: Sequence[Fact]) -> str:
    return ", ".join(fact.formula.text for fact in facts)


def _named(size: tuple[Variable, int | tuple[int, ...]]) -> str:
    return size[0].text


def _spelled(size: int | tuple[int, ...]) -> str:
    return str(size) if isinstance(size, int) else f"[{', '.join(map(str, size))}]"


@record
class Proved:
    """The claim holds wherever the facts do, and the facts can hold together. ``rung`` says what found it."""

    rung: str
    _why: Why = ()
    _facts: Sequence[Fact] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that the proof used, in program order."""
        return tuple(self._facts[number] for number in sorted(facts_of(self._why)))

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of these facts in their function."""
        return facts_of(self._why)

    @property
    def word(self) -> VerdictKind:
        return VerdictKind.PROVED

    def __str__(self) -> str:
        return f"Proved, because of {_listed(self.facts)}" if self.facts else "Proved"

    def __repr__(self) -> str:
        return f"<{self}>"


@record
class Refuted:
    """These sizes satisfy the facts and make the claim false.

    ``smallest``: they are the first ones in the order that `counterexamples` describes: of those with no size below
    ``floor`` (2, else 1, else 0; None where no size matters) the smallest. ``also`` are sizes with a 0 or 1 instead
    that fail as well. Whatever the facts let the sizes in ``free`` be, it fails. ``needs`` says when the failure exists
    only with a size 0 or 1. ``always``: the claim fails for all sizes that reach it. ``condition`` is what the
    claim comes to where the facts hold: what the sizes would have to satisfy. ``within`` are numbers of what the claim
    speaks of beside the inputs, such as a loop's variable in an iteration that fails.
    """

    rung: str
    sizes: Sizes
    smallest: bool = False
    needs: str | None = None
    always: bool = False
    condition: Formula | None = None
    floor: int | None = None
    also: Sizes | None = None
    free: frozenset[Variable] = frozenset()
    within: Sizes = field(default_factory=dict[Variable, "int | tuple[int, ...]"])

    @property
    def word(self) -> VerdictKind:
        return VerdictKind.REFUTED

    def __str__(self) -> str:
        sizes = ", ".join(f"{name.text} = {_spelled(size)}" for name, size in sorted(self.sizes.items(), key=_named))
        return f"Refuted: {sizes}" if sizes else "Refuted"

    def __repr__(self) -> str:
        return f"<{self}>"


@record
class Undecided:
    """Neither proved nor refuted. ``candidate``: sizes that may fail, if an approximation stood in the way.

    ``can_be_executed``: executing these sizes would tell; not where they fail by something undefined.
    ``not_modelled`` are the reasons that ``reason`` says, where each is one of something that is not modelled.
    """

    obstacle: Obstacle
    reason: str
    candidate: Refuted | None = None
    can_be_executed: bool = True
    not_modelled: tuple[Reason, ...] = ()

    @classmethod
    def approximated(cls, reasons: Sequence[Reason], candidate: Refuted, can_be_executed: bool) -> Undecided:
        """Leave undecided whether sizes fail, because of what is not modelled."""
        said = "; ".join(map(str, reasons))
        return cls(Obstacle.APPROXIMATION, said, candidate, can_be_executed, tuple(reasons))

    @property
    def word(self) -> VerdictKind:
        return VerdictKind.UNDECIDED

    def __str__(self) -> str:
        return f"Undecided: {self.reason}"

    def __repr__(self) -> str:
        return f"<{self}>"


@record
class Unreachable:
    """The facts contradict each other: the claim is never put to the test. Not a proof."""

    _why: Why
    _facts: Sequence[Fact]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Facts that contradict each other."""
        return tuple(self._facts[number] for number in sorted(facts_of(self._why)))

    @property
    def word(self) -> VerdictKind:
        return VerdictKind.UNREACHABLE

    def __str__(self) -> str:
        return f"Unreachable: {_listed(self.facts)} cannot hold together"

    def __repr__(self) -> str:
        return f"<{self}>"


NOT_PROVED = Undecided(Obstacle.NOTHING_FOUND, "it was not proved")
"""The verdict where nobody wants to know more."""

NOT_SEEN = Undecided(Obstacle.NOTHING_FOUND, "it is not seen at sight, and no solver was asked")
"""The verdict where a solver may know more."""

Verdict = Proved | Refuted | Undecided | Unreachable


Label = int
"""The caller's number for a formula of a query; unsat cores are made of them."""


@value_record
class Unsatisfiable:
    """No sizes satisfy the query.

    ``core``: labels of formulas that contradict each other, all of them where nobody asked which; ``rung``: what found
    it.
    """

    core: frozenset[Label]
    rung: str


@value_record
class Satisfiable:
    """These sizes satisfy the query; they were checked with `shapesolve.symbolic.evaluation`."""

    model: Mapping[Variable, int | tuple[int, ...]]
    rung: str


@value_record
class GaveUp:
    """The solver does not know. ``reason`` says more than the obstacle: "the budget of 2,000,000 steps was spent"."""

    obstacle: Obstacle
    reason: str


Origin = Callable[[Formula], str]
"""Where a formula comes from, in a few words: ``line 12: cf.assert``."""

Answer = Unsatisfiable | Satisfiable | GaveUp


class Solver(Protocol):
    """Anything that decides conjunctions of formulas."""

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        """Decide a query. ``name`` is for dumps and statistics, ``budget`` counts solver steps, not seconds.

        ``wants_core``: whether anybody will look at which formulas contradict each other; finding that out costs.
        """
        ...

    def told(self, origin: Origin) -> Solver:
        """The same solver, which can name what it is asked in whatever it writes for people."""
        ...


class Detail(enum.Enum):
    """What somebody will look at."""

    SIGHT = "whether it is proved without asking a solver"
    PROOF = "whether it is proved"
    EXTREMES = "whether it is proved, or fails for all sizes"
    VERDICT = "which of the four it is"
    ALWAYS = "and whether the claim fails for all sizes"
    SHOWN = "and the smallest sizes for which it fails, if it does"
    SIZES = "and the smallest sizes for which it fails, unless what is not modelled prevents it"


MADE_SMALL = (Detail.SHOWN, Detail.SIZES)


@value_record
class Effort:
    """The detail, and how many questions may be asked to make sizes smaller."""

    questions: int
    detail: Detail
