"""Verdicts, the reasons for undecided ones, and the interface of a solver.

Each of the four verdicts carries its evidence or its reason; none can be made without it. As text a verdict is one
line: ``Refuted: H = 3``.

A query is a conjunction of labeled formulas. Nothing here knows which solver stands behind `Solver`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import field
from html import escape
from json import dumps
from typing import TYPE_CHECKING, Protocol
from warnings import warn

from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.solver.propagation.trail import Justification, facts_of
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.named_sizes import NamedSizes
from shapesolve.trace.events import Fact, Source


class UndecidedReason(enum.Enum):
    """Reason why a claim is undecided or a query unanswered."""

    BUDGET = "the budget was spent"
    TIME = "a limit of time, not of steps, ended the question: another run may answer it"
    COMMAND = "the time limit of the command was reached"
    NON_LINEAR = "it is not linear, and the budget was spent"
    RANKS = "the ranks that were tried do not settle it"
    SIZE = "an expression grew too large"
    APPROXIMATION = "whether it fails depends on something that is not modeled, or not known"
    NOTHING_FOUND = "neither a proof nor a failure was found"
    FACTS = "the facts could not be shown to hold together"
    EXECUTION = "running the program contradicts what was predicted"
    MEMORY = "nothing makes it fail that fits into memory"
    OVERFLOW = "arithmetic that is assumed not to wrap around may do so here"
    ENORMOUS = "only sizes of 2^30 and more make it fail, at which the model itself cannot be run"

    @property
    def code(self) -> str:
        """Its name in JSON, which once was another word for an overflow assumption."""
        return "presumption" if self is UndecidedReason.OVERFLOW else self.name.lower()


BY_CHANCE = frozenset((UndecidedReason.TIME, UndecidedReason.COMMAND))
"""Reasons to give up that another attempt may overcome."""


class VerdictKind(enum.StrEnum):
    """The kind of a verdict. As text it is the word that reports print."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    UNREACHABLE = "unreachable"


def _listed(facts: Sequence[Fact]) -> str:
    return ", ".join(
        fact.because if fact.source is Source.ASSUMPTION and fact.statement is None else fact.formula.text
        for fact in facts
    )


def _divisors(sizes: Sequence[Dim]) -> str:
    return f"dividing by {' or '.join(map(str, sizes))} where it is 0 gives 0, its remainder the dividend"


class _Verdict:
    """Questions that every verdict answers. A verdict has no truth value: undecided is neither."""

    __slots__ = ()

    @property
    def word(self) -> VerdictKind:
        raise NotImplementedError

    @property
    def is_proved(self) -> bool:
        """Return whether the claim holds for all sizes."""
        return self.word is VerdictKind.PROVED

    @property
    def is_refuted(self) -> bool:
        """Return whether the claim fails for some sizes."""
        return self.word is VerdictKind.REFUTED

    @property
    def is_undecided(self) -> bool:
        """Return whether neither a proof nor a counterexample was found."""
        return self.word is VerdictKind.UNDECIDED

    @property
    def is_unreachable(self) -> bool:
        """Return whether the assumptions contradict each other."""
        return self.word is VerdictKind.UNREACHABLE

    def __bool__(self) -> bool:
        raise TypeError(f"a verdict ({self.word}) has no truth value; ask .is_proved, .is_refuted or .is_undecided")

    def __repr__(self) -> str:
        return f"<{self}>"

    def _repr_html_(self) -> str:
        kind, _, rest = str(self).partition(":")
        return f"<b>{escape(kind)}</b>{':' if rest else ''}{escape(rest)}"

    def text(self) -> str:
        """Return the verdict in one line."""
        return str(self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name != "rung" or "strategy" not in self.__slots__:
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)
            warn(f"{type(self).__name__}.rung is now {type(self).__name__}.strategy", DeprecationWarning, stacklevel=2)
            return self.strategy

    def to_json(self) -> str:
        """Return the verdict as a JSON object: ``verdict``, ``text``, and the ``sizes`` of a refutation."""
        sizes = {each.name: size for each, size in self.sizes.items()} if isinstance(self, Refuted) else None
        return dumps({"verdict": self.word, "text": str(self), **({} if sizes is None else {"sizes": sizes})})


@record
class Proved(_Verdict):
    """The claim holds wherever the facts do, and the facts are satisfiable together.

    Attributes:
        strategy: The strategy that found the proof.
        zero_divisors: Sizes of the claim that may be 0 and divide something.
    """

    strategy: str
    _justification: Justification = ()
    _facts: Sequence[Fact] = ()
    zero_divisors: tuple[Dim, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that the proof used, in program order."""
        return tuple(self._facts[number] for number in sorted(facts_of(self._justification)))

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of these facts in their function."""
        return facts_of(self._justification)

    @property
    def word(self) -> VerdictKind:
        return VerdictKind.PROVED

    def __str__(self) -> str:
        proved = f"Proved, because of {_listed(self.facts)}" if self.facts else "Proved"
        return f"{proved} ({_divisors(self.zero_divisors)})" if self.zero_divisors else proved


@record
class Refuted(_Verdict):
    """These sizes satisfy the facts and make the claim false.

    Attributes:
        strategy: The strategy that found the sizes.
        sizes: The counterexample.
        smallest: Whether the sizes are known to be the first with no size below ``floor`` in the order that
            ``docs/json.md`` states.
        needs: The small sizes without which nothing fails, such as "some size is 0"; None if nothing is known.
        always: Whether the claim fails for all sizes that reach it.
        condition: The claim simplified under the facts: what the sizes would have to satisfy.
        floor: 2, else 1, else 0; None if no size matters.
        also: Sizes with a 0 or 1 instead that fail as well; with those of `free` that make a difference there.
        free: Sizes that may have any value that the facts allow without changing the failure.
        restricted: Those of `free` that a fact restricts beyond their declared domain.
        within: Values of variables of the claim beside the inputs, such as a loop's variable in a failing iteration.
        zero_divisors: Sizes of the claim that are 0 here and divide something.
        isolated: Whether smaller sizes were passed over because other claims of the operation fail there, too.
    """

    strategy: str
    sizes: NamedSizes
    smallest: bool = False
    needs: str | None = None
    always: bool = False
    condition: Formula | None = None
    floor: int | None = None
    also: Sizes | None = None
    free: Set[Variable] = frozenset()
    restricted: Set[Variable] = frozenset()
    within: Sizes = field(default_factory=dict[Variable, "int | tuple[int, ...]"])
    zero_divisors: tuple[Dim, ...] = ()
    isolated: bool = False

    @property
    def fixed_elsewhere(self) -> frozenset[Variable]:
        """The free sizes that make a difference at the sizes of ``also``."""
        return frozenset(each for each in self.also or () if each in self.free)

    @property
    def word(self) -> VerdictKind:
        return VerdictKind.REFUTED

    def __str__(self) -> str:
        sizes = str(self.sizes)
        if not sizes:
            return "Refuted: it fails for all sizes" if self.always else "Refuted"
        anything = " (any sizes do)" if self.sizes.keys() <= self.free else ""
        divisors = f" ({_divisors(self.zero_divisors)})" if self.zero_divisors else ""
        return f"Refuted: {sizes}{anything}{divisors}"


@value_record
class SizeLimit:
    """A limit up to which a claim is proved.

    Attributes:
        most: The largest size.
        condition: The condition that the inputs which matter are no larger.
    """

    most: int
    condition: Formula


@record
class Undecided(_Verdict):
    """Neither proved nor refuted.

    Attributes:
        candidate: Sizes that may fail, if an approximation stood in the way.
        can_be_executed: Whether executing these sizes would tell; not if they fail by something undefined.
        unmodeled: The reasons in ``reason``, if each is an approximation.
        limit: A limit on the inputs up to which the claim is proved, if one was found.
    """

    reason_kind: UndecidedReason
    reason: str
    candidate: Refuted | None = None
    can_be_executed: bool = True
    unmodeled: tuple[Reason, ...] = ()
    limit: SizeLimit | None = None

    @classmethod
    def approximated(
        cls, reasons: Sequence[Reason], candidate: Refuted, can_be_executed: bool, limit: SizeLimit | None = None
    ) -> Undecided:
        """Return the verdict that approximations leave undecided whether sizes fail."""
        reason = "; ".join(map(str, reasons))
        return cls(UndecidedReason.APPROXIMATION, reason, candidate, can_be_executed, tuple(reasons), limit)

    @property
    def word(self) -> VerdictKind:
        return VerdictKind.UNDECIDED

    def __str__(self) -> str:
        return f"Undecided: {self.reason}"


@record
class Unreachable(_Verdict):
    """The facts contradict each other: the claim is never put to the test. Not a proof."""

    _justification: Justification
    _facts: Sequence[Fact]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that contradict each other."""
        return tuple(self._facts[number] for number in sorted(facts_of(self._justification)))

    def is_because_of(self, contradiction: Justification) -> bool:
        """Return whether this contradiction is the reason, the object itself."""
        return self._justification is contradiction

    @property
    def word(self) -> VerdictKind:
        return VerdictKind.UNREACHABLE

    def __str__(self) -> str:
        return f"Unreachable: {_listed(self.facts)} cannot hold together"


NOT_PROVED = Undecided(UndecidedReason.NOTHING_FOUND, "it was not proved")
"""The verdict if no reason is asked for."""

NOT_SEEN = Undecided(UndecidedReason.NOTHING_FOUND, "it is not seen at sight, and no solver was asked")
"""The verdict where a solver may know more."""

Verdict = Proved | Refuted | Undecided | Unreachable


Label = int
"""The caller's number for a formula of a query; unsat cores are made of them."""


@value_record
class Unsatisfiable:
    """No sizes satisfy the query.

    Attributes:
        core: Labels of formulas that contradict each other; all labels if no core was asked for.
        strategy: The strategy that found it.
    """

    core: frozenset[Label]
    strategy: str


@value_record
class Satisfiable:
    """These sizes satisfy the query; they were checked with `shapesolve.symbolic.evaluation`."""

    model: Mapping[Variable, int | tuple[int, ...]]
    strategy: str


@value_record
class GaveUp:
    """The solver does not know.

    Attributes:
        reason_kind: The kind of reason.
        reason: The reason in detail: "the budget of 2,000,000 steps was spent".
    """

    reason_kind: UndecidedReason
    reason: str


Origin = Callable[[Formula], str]
"""Callback that returns the origin of a formula as a phrase: ``line 12: cf.assert``."""

Answer = Unsatisfiable | Satisfiable | GaveUp


class Solver(Protocol):
    """Interface of a decision procedure for conjunctions of formulas."""

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        """Decide a query.

        Args:
            query: Labeled formulas.
            name: The name of the query in dumps and statistics.
            budget: The number of solver steps, not seconds.
            wants_core: Whether an unsatisfiable core is needed; finding it costs.
        """
        ...

    def with_sources(self, origin: Origin) -> Solver:
        """Return the same solver, which writes the origin of formulas in its dumps."""
        ...


class Detail(enum.Enum):
    """Evidence that is wanted of a verdict: the more, the more queries it takes for a claim that is not proved."""

    SIGHT = "whether it is proved without asking a solver"
    PROOF = "whether it is proved"
    EXTREMES = "whether it is proved, or fails for all sizes"
    VERDICT = "which of the four it is"
    ALWAYS = "and whether the claim fails for all sizes"
    WITNESS = "and some sizes for which it fails, if it does, decided as `SHOWN`"
    SHOWN = "and the smallest sizes for which it fails, if it does"
    SIZES = "and the smallest sizes for which it fails, unless what is not modeled prevents it"


MADE_SMALL = (Detail.SHOWN, Detail.SIZES)
"""Details whose sizes are made small."""

BELIEVABLE_FIRST = (Detail.WITNESS, *MADE_SMALL)
"""Details for which believable sizes are tried before a solver is asked."""


@value_record
class Effort:
    """The detail, and how many questions may be asked to make sizes smaller; none keeps them as they are."""

    questions: int
    detail: Detail
