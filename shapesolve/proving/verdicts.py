"""The four verdicts. Each carries its evidence or its reason; none can be made without it.

As text a verdict is one line: ``Refuted: H = 3``.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import field

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import Formula
from shapesolve.proving.obstacles import Obstacle
from shapesolve.proving.reasons import Why, facts_of
from shapesolve.records import record
from shapesolve.walking.obligations import Fact
from shapesolve.walking.reasons import Reason

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

Sizes = Mapping[Variable, int | tuple[int, ...]]


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
