"""Theorems: statements about the specification, with expected and actual results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from shapesolve.records import value_record
from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved, Refuted, Verdict, VerdictKind
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, implies


class Topic(Enum):
    """The topic of a theorem; the value is a heading."""

    INFERENCE = "Dimension inference"
    VERIFICATION = "Verification"
    COMPARISON = "Who accepts more"
    ERASURE = "Erasing static sizes"
    BROADCAST = "Broadcasting at run time"
    SHAPE_DIALECT = "The shape dialect"
    LATTICE = "Meet and join"
    LOWERING = "Lowerings"


COLUMN = "all sizes; one column, and columns do not interact, so all ranks"
SIZES = "all sizes"
RANKS = "all sizes, all ranks"


@value_record
class Claim:
    """A goal with assumptions."""

    goal: Formula
    assuming: tuple[Formula, ...] = ()

    @property
    def whole(self) -> Formula:
        """The implication of the goal by the assumptions."""
        return implies(conjunction(self.assuming), self.goal) if self.assuming else self.goal


@value_record
class Theorem:
    """One statement, true if all of its claims are.

    Attributes:
        words: The statement in words.
        symbols: The statement in symbols.
        state: Makes the claims.
        instance: The smallest case in which the statement fails, as `instance_text` writes it; "" if it is true.
        lesson: The consequence, where it is not plain.
    """

    topic: Topic
    scope: str
    name: str
    words: str
    symbols: str
    state: Callable[[], Sequence[Claim]]
    instance: str = ""
    lesson: str = ""

    @property
    def expected(self) -> VerdictKind:
        """The expected verdict."""
        return VerdictKind.REFUTED if self.instance else VerdictKind.PROVED


@value_record
class Result:
    """The verdicts on a theorem. ``instance`` is where it fails."""

    theorem: Theorem
    verdicts: tuple[Verdict, ...]

    @property
    def word(self) -> VerdictKind:
        if all(isinstance(verdict, Proved) for verdict in self.verdicts):
            return VerdictKind.PROVED
        return VerdictKind.REFUTED if self.refuted is not None else VerdictKind.UNDECIDED

    @property
    def refuted(self) -> Refuted | None:
        return next((verdict for verdict in self.verdicts if isinstance(verdict, Refuted)), None)

    @property
    def instance(self) -> str:
        return instance_text(self.refuted.sizes) if self.refuted is not None else ""

    @property
    def as_expected(self) -> bool:
        """Return whether the verdict, and the instance of a refuted statement, are the expected ones."""
        return self.word is self.theorem.expected and self.instance == self.theorem.instance


def decide(theorem: Theorem) -> Result:
    """Prove or refute a theorem, without cached results."""
    return Result(theorem, tuple(prove(claim.goal, claim.assuming) for claim in theorem.state()))


def instance_text(sizes: Sizes) -> str:
    """Return an instance as text, such as ``d = ?, e = 2, erasing d``.

    An extent whose ``.dynamic`` is 1 is a `?`, whatever its size.
    """
    values: Mapping[str, int | tuple[int, ...]] = {variable.text: size for variable, size in sizes.items()}
    shown: list[str] = []
    for name, value in values.items():
        if name.endswith(".dynamic") or name.startswith("erase "):
            continue
        if values.get(f"{name}.dynamic") == 1:
            shown.append(f"{name} = ?")
        else:
            shown.append(f"{name} = {value if isinstance(value, int) else list(value)}")
    gone = [name.removeprefix("erase ") for name, value in values.items() if name.startswith("erase ") and value == 1]
    return ", ".join(shown) + (f", erasing {', '.join(gone)}" if gone else "")


def same(*formulas: Formula) -> list[Claim]:
    """Return claims without assumptions, leaving out those that are true as written."""
    return [Claim(formula) for formula in formulas if formula is not TRUE] or [Claim(TRUE)]
