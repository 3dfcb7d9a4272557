"""Op semantics: what a rule says of one operation, in nine groups.

    OpSemantics(
        (Tensor.of([n, m]),),                                       # the results
        requires=(Claim("C1", n == m, "the extents differ"),),          # false: undefined behavior, or a failing check
        ensures=((n <= m, "at most one row for each column"),),         # true behind the operation
        assumes=Assumes((NO_WRAP,), no_overflow=n * m <= LARGEST_I64),  # not an obligation, but printed
    )

A group with one member in use is given as the tuple of that member; any other as its record. Evaluation order: the
operand facts hold from the beginning; then the claims are raised, in order; then the facts hold, and the declared
formulas are assumed; then the regions run; then the results exist. If a claim of undefined behavior is false, the
results are *some* values of their types, unless the shape operands say more.
"""

from __future__ import annotations

import enum
import warnings
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from shapesolve.domain.values import Abstract
from shapesolve.ir.program import Value
from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.semantics.regions import RegionRun
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.derivations import maker
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import Kind, quoted_messages
from shapesolve.trace.trust import ModelingAssumption

T = TypeVar("T")


@record
class Claim:
    """A claim of a rule.

    Attributes:
        clause: The number of the clause in the rule's docstring, "C1".
        formula: The formula that must hold.
        message: The message if it is false; the same wherever the operation runs.
        kind: Whether a false claim is undefined behavior, a type error or a check that stops the program.
        shown: Named sizes that a report of a false claim gives the values of.
        is_barrier: Whether operations behind it in the program run after it, so that they may rely on it.
        of_type: Whether it says that a result has the rank and the static extents of its type.
        may_be_dropped: Whether it is a check that the language defines, and that a lowering may leave out.
        makes_poison: Whether the results are poison if it is false, which harms whoever uses them, if anyone does.
        here: Words behind the message about the values at hand.
        of_shape_function: Whether a shape function makes it, of its result or inside it; the message names the place.
        authors_messages: What the program's author says of the failure; the errors of which one is the reason, if
            there are several. They come first.
        has_words: Whether the message has these words already.
        built_by: The derivation step that made the formula, if a record is kept.
    """

    clause: str
    formula: Formula
    message: str
    kind: Kind = Kind.UB
    shown: tuple[tuple[str, Dim], ...] = ()
    is_barrier: bool = True
    of_type: bool = False
    may_be_dropped: bool = False
    makes_poison: bool = False
    here: str = ""
    of_shape_function: bool = False
    authors_messages: tuple[str, ...] = ()
    has_words: bool = False
    built_by: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "built_by", maker(self.formula))

    @property
    def whole_message(self) -> str:
        """The message with the words of the program's author."""
        words = quoted_messages(self.authors_messages)
        return f"{words}: {self.message}" if words and not self.has_words else self.message


Yields = Sequence[tuple[Abstract, ...] | None]
"""The values that the terminator of each region yielded; None if no terminator is reached."""

Explained = tuple[Formula, str]
"""A formula, and the words that explain it."""


@value_record
class Branch:
    """An outgoing edge of a block: its condition, and the arguments given to the successor."""

    condition: Formula
    arguments: tuple[Value, ...] = ()


@value_record
class Memory:
    """Effect of an operation on the lifetime of memory.

    Attributes:
        frees: The buffers that may not be used afterwards.
        allocates: Whether its results are new buffers, to be freed at most once.
        is_scoped: Whether those are freed by themselves at the end of the scope around the operation.
    """

    frees: tuple[Value, ...] = ()
    allocates: bool = False
    is_scoped: bool = False


class PoisonFlow(enum.Enum):
    """Way of poison from the operands of an operation to its results."""

    UNKNOWN = "whether a result is poison, or the operation undefined, is not said"
    ANY_OPERAND = "a result is poison if an operand is"
    DIVIDED = "a result is poison if an operand is, and the operation is undefined if the last one is"
    DIVIDED_SIGNED = "as for a quotient, and what happens if the first operand is and the last one is -1 is not said"
    CHOSEN = "a result is poison if the first operand is, or the one of the two others that it chooses"


@record
class Results:
    """Results of an operation.

    Attributes:
        values: The abstract values of the results.
        compute: Computes the results from what the regions yielded; used instead of ``values``.
        shape_operands: As long as these operands have the extents that their types state, the extents of the results
            (and results that are numbers) are those given here, even if a claim is false. None: nothing is assumed
            where one is.
        guard: The guarding assertion: a formula that has held where the results exist.
        is_poison: Whether the results, or their contents, are poison.
        poison_flow: The way of poison from operands to results.
    """

    values: tuple[Abstract, ...] = ()
    compute: Callable[[Yields], tuple[Abstract, ...]] | None = None
    shape_operands: tuple[Value, ...] | None = None
    guard: Formula = TRUE
    is_poison: bool = False
    poison_flow: PoisonFlow = PoisonFlow.UNKNOWN


@record
class Requires:
    """Requirements of an operation.

    Attributes:
        claims: The claims that are raised, in order.
        unknown: Why it is unknown whether these are all; "" if they are.
        unknown_makes_poison: Whether the results are poison, and nothing worse, where an unknown requirement is broken.
    """

    claims: tuple[Claim, ...] = ()
    unknown: str = ""
    unknown_makes_poison: bool = False


@record
class Ensures:
    """Formulas that hold behind an operation, or that are stated.

    Attributes:
        facts: Formulas that hold behind the claims.
        declared: Formulas that a contract states, which are assumed behind the claims.
        operand_facts: Formulas about the operands that hold before the claims.
        are_invariants: Whether the facts only bound the variables of approximations, and are true of all they stand
            for.
    """

    facts: tuple[Explained, ...] = ()
    declared: tuple[Explained, ...] = ()
    operand_facts: tuple[Explained, ...] = ()
    are_invariants: bool = False


@record
class Successors:
    """Control flow behind an operation.

    Attributes:
        edges: The outgoing edges of the terminator of a block, one for each successor; exactly one is taken.
        may_not_return: Why control may not go on after the operation, for sizes that are not known; "" if it does.
    """

    edges: tuple[Branch, ...] = ()
    may_not_return: str = ""


@record
class Approximations:
    """Inexactness of the results.

    Attributes:
        reasons: Reasons for which the results are not exact.
        variables: The variables that stand for what is not known.
        by_reason: For each reason, those variables that are unknown because of it; () where each holds for all.
    """

    reasons: tuple[Reason, ...] = ()
    variables: frozenset[Variable] = frozenset()
    by_reason: tuple[frozenset[Variable], ...] = ()

    @property
    def causes(self) -> tuple[tuple[Reason, frozenset[Variable]], ...]:
        """The reasons, each with the variables that are unknown because of it."""
        return tuple(zip(self.reasons, self.by_reason or (self.variables,) * len(self.reasons), strict=True))

    def joined(self, other: Approximations) -> Approximations:
        """Return both approximations together; each reason keeps its own variables."""
        variables = self.variables | other.variables
        free: dict[Reason, frozenset[Variable]] = {}
        for reason, those in (*self.causes, *other.causes):
            free[reason] = free.get(reason, frozenset()) | those
        if frozenset[Variable]().union(*free.values()) != variables:  # some have no reason of their own
            return Approximations(tuple(free), variables)
        return Approximations(tuple(free), variables, tuple(free.values()))


@record
class Assumes:
    """Assumptions of the model under which the results are right.

    Attributes:
        modeling: The assumptions in words.
        no_overflow: The overflow assumption: the results are right only where it holds.
        overflow_effect: The effect of the operation where it does not, in words.
        flags_hold: The condition under which no result is poison by a flag of the operation, where that is not claimed.
    """

    modeling: tuple[ModelingAssumption, ...] = ()
    no_overflow: Formula = TRUE
    overflow_effect: str = "wraps around"
    flags_hold: Formula = TRUE


@value_record
class Folds:
    """Simpler forms of an operation with their conditions, for a rewriter. They hold where all its requirements do.

    Attributes:
        branches: For each region, the condition under which it alone runs, so that the results are what it yields.
        chooses: Values (an operand or a constant) with the condition under which the result is that value.
        copies: Values with the condition under which the result has the extents and the elements of that value.
        runs: The conditions under which the region never runs, so that the results are the initial carried values, and
            under which it runs once.
        queries: Conditions that choose between regions: the fold queries whether one always holds here. They are asked
            behind the facts, before the regions run.
    """

    branches: tuple[Formula, ...] = ()
    chooses: tuple[tuple[Value | int, Formula], ...] = ()
    copies: tuple[tuple[Value, Formula], ...] = ()
    runs: tuple[Formula, ...] = ()
    queries: tuple[Formula, ...] = ()


_NO_RESULTS, _NO_REQUIREMENTS, _NO_FACTS = Results(), Requires(), Ensures()
_FALLS_THROUGH, _NO_MEMORY, _NO_FOLDS = Successors(), Memory(), Folds()
_EXACT, _NO_ASSUMPTIONS = Approximations(), Assumes()
_GROUPS: dict[str, Any] = {
    "results": Results,
    "requires": Requires,
    "ensures": Ensures,
    "successors": Successors,
    "folds": Folds,
    "approximations": Approximations,
    "assumes": Assumes,
}
FLAT_ARGUMENTS = {
    "claims": ("requires", "claims"),
    "unchecked": ("requires", "unknown"),
    "facts": ("ensures", "facts"),
    "stated": ("ensures", "declared"),
    "known": ("ensures", "operand_facts"),
    "only_bounds": ("ensures", "are_invariants"),
    "finish": ("results", "compute"),
    "bears": ("results", "shape_operands"),
    "guard": ("results", "guard"),
    "is_undefined": ("results", "is_poison"),
    "branches": ("successors", "edges"),
    "may_end": ("successors", "may_not_return"),
    "simpler": ("folds", ""),
    "asks": ("folds", "queries"),
    "free": ("approximations", "variables"),
    "leans_on": ("assumes", "modeling"),
    "presumes": ("assumes", "no_overflow"),
    "otherwise": ("assumes", "overflow_effect"),
}
"""The flat arguments of the version before, with the group and its field that each is now; "": the whole group."""


def _accept_flat(init: T) -> T:
    """Make a constructor accept the flat arguments of the version before, with a warning."""
    build = cast(Callable[..., None], init)

    @wraps(build)
    def accepting(self: OpSemantics, results: Any = _NO_RESULTS, **groups: Any) -> None:
        if not FLAT_ARGUMENTS.keys().isdisjoint(groups):
            groups = _grouped_arguments({"results": results, **groups})
        else:
            groups["results"] = results
        build(self, **groups)

    return cast(Any, accepting)


def _grouped_arguments(groups: dict[str, Any]) -> dict[str, Any]:
    flat = {name: groups.pop(name) for name in FLAT_ARGUMENTS if name in groups}
    now = ", ".join(
        f"{name} is now {group}.{part}".rstrip(".") for name in flat for group, part in (FLAT_ARGUMENTS[name],)
    )
    warnings.warn(f"OpSemantics takes groups: {now}", DeprecationWarning, stacklevel=3)
    for name, value in flat.items():
        group, part = FLAT_ARGUMENTS[name]
        there = groups.get(group, _GROUPS[group]())
        there = there if isinstance(there, _GROUPS[group]) else _GROUPS[group](there)
        groups[group] = replace(there, **{part: value}) if part else replace(value, queries=there.queries)
    return groups


@record
class OpSemantics:
    """The op semantics of one operation in its context; results are given first, everything else by name.

    Attributes:
        results: The results, or how they are computed.
        requires: The requirements.
        ensures: The facts.
        regions: The region executions, in order.
        successors: Where control goes.
        memory: The effect on the lifetime of memory.
        folds: Simpler forms of the operation.
        approximations: Why the results are not exact.
        assumes: The assumptions of the model.
    """

    results: Results
    requires: Requires
    ensures: Ensures
    regions: tuple[RegionRun, ...]
    successors: Successors
    memory: Memory
    folds: Folds
    approximations: Approximations
    assumes: Assumes

    @_accept_flat
    def __init__(
        self,
        results: Results | tuple[Abstract, ...] = _NO_RESULTS,
        *,
        requires: Requires | Sequence[Claim] = _NO_REQUIREMENTS,
        ensures: Ensures | tuple[Explained, ...] = _NO_FACTS,
        regions: tuple[RegionRun, ...] = (),
        successors: Successors | tuple[Branch, ...] = _FALLS_THROUGH,
        memory: Memory = _NO_MEMORY,
        folds: Folds = _NO_FOLDS,
        approximations: Approximations | tuple[Reason, ...] = _EXACT,
        assumes: Assumes | tuple[ModelingAssumption, ...] = _NO_ASSUMPTIONS,
    ) -> None:
        put = object.__setattr__
        put(self, "results", results if isinstance(results, Results) else Results(results))
        put(self, "requires", requires if isinstance(requires, Requires) else Requires(tuple(requires)))
        put(self, "ensures", ensures if isinstance(ensures, Ensures) else Ensures(ensures))
        put(self, "regions", regions)
        put(self, "successors", successors if isinstance(successors, Successors) else Successors(successors))
        put(self, "memory", memory)
        put(self, "folds", folds)
        is_group = isinstance(approximations, Approximations)
        put(self, "approximations", approximations if is_group else Approximations(approximations))
        put(self, "assumes", assumes if isinstance(assumes, Assumes) else Assumes(assumes))

    def with_claims(self, *claims: Claim) -> OpSemantics:
        """Return the semantics with these requirements appended."""
        return replace(self, requires=replace(self.requires, claims=(*self.requires.claims, *claims)))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a flat field of the version before, with a warning."""
            if name not in FLAT_ARGUMENTS:
                raise AttributeError(f"'OpSemantics' object has no attribute '{name}'")
            group, part = FLAT_ARGUMENTS[name]
            warnings.warn(f"{name} is now {group}.{part}".rstrip("."), DeprecationWarning, stacklevel=2)
            return getattr(getattr(self, group), part) if part else getattr(self, group)
