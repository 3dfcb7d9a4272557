"""Events of a trace: the obligations, facts and regions of one function, in program order.

An assertion that only makes a witness stops the program, but operations that do not use the witness may run before it.
So it is a fact for other checks, which may stop the program just as well, and for the operations that it guards; for
others it says nothing. A trace with such an assertion has two sets of facts: one for checks, with every raised claim,
and one for all other obligations.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import field
from operator import attrgetter
from typing import NamedTuple

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.ir.program import Function, Location, Operation, ShapedType, Value
from shapesolve.reasons import Reason, prefixed
from shapesolve.records import record, value_record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.derivations import maker
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.linear import Range
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.trust import HOLDS_SIZES, NO_WRAP, ModelingAssumption, TrustedStatements


class Kind(enum.Enum):
    """Consequence of a false claim."""

    TYPE = "type"
    """The types contradict what the operation computes: the verifier's question."""
    UB = "ub"
    """Undefined behavior."""
    CHECK = "check"
    """A runtime check fails: the program stops in a defined way."""


class Source(enum.Enum):
    """Origin of a fact, which decides what may be concluded from it."""

    ASSUMPTION = "assumption"
    """Stated by the user, the command line or an attribute."""
    BRANCH = "branch"
    """Condition of a branch: the code runs only if it holds."""
    DEFINITION = "definition"
    """Equation for the result of an operation."""
    INVARIANT = "invariant"
    """Loop invariant, or bound of elements, for values that are not followed otherwise.

    It holds for any of these values, and so does not alone decide whether a claim fails."""
    CHECK = "check"
    """Claim of an earlier runtime check."""
    UB = "ub"
    """Requirement of an earlier operation, whose behavior is undefined otherwise."""
    TYPE = "type"
    """Consequence of a declared type."""


class Origin(enum.Enum):
    """Origin of a statement about a function's inputs."""

    OPTION = "an option, or a file of facts"
    REQUIREMENT = "the function's contract"
    STATEMENT = "another attribute, or an operation, of the program"


@value_record
class Statement:
    """Statement about a function's inputs.

    Attributes:
        by: The exporter, attribute, operation or option that states it.
    """

    origin: Origin
    by: str
    text: str

    @property
    def words(self) -> str:
        """The statement and its author."""
        return f"{self.by}: {self.text}"


@record
class Fact:
    """Formula that holds from its position on.

    Attributes:
        because: A phrase for people: "the branch is taken", "tosa.add [tosa-add-broadcast]".
        built_by: The derivation step that built the formula, if a record is kept.
        statement: The statement that it comes from, if any.
        operation: The name of the operation that requires it, if any.
    """

    formula: Formula
    source: Source
    because: str
    location: Location | None = None
    built_by: int | None = None
    statement: Statement | None = None
    operation: str = ""

    @property
    def has_line(self) -> bool:
        """Return whether it comes from a line of the program."""
        is_option = self.statement is not None and self.statement.origin is Origin.OPTION
        return self.location is not None and bool(self.location.line) and not is_option

    @property
    def source_text(self) -> str:
        """The source as text: ``line 12: tosa.add [tosa-add-broadcast]``."""
        return (
            f"line {self.location.line}: {self.because}"
            if self.location is not None and self.has_line
            else self.because
        )

    def __post_init__(self) -> None:
        made_by = maker(self.formula) if self.built_by is None else None
        if made_by is not None:
            object.__setattr__(self, "built_by", made_by)


@record
class CallSite:
    """Inlined call: the operation, the callee, and the arguments."""

    op: Operation
    function: Function
    arguments: tuple[Abstract, ...]


@record
class Obligation:
    """Claim that must hold where control reaches its operation.

    Attributes:
        message: The requirement in words.
        shown: The sizes that the claim is about, by name, for counterexamples.
        identity: An identifier that is stable under edits elsewhere in the file.
        ordinal: The position of the claim among those of its clause in one visit of the operation, from 1.
        is_barrier: Whether everything later in the program may rely on the claim. An assertion that only makes a
            witness is none: operations that do not use the witness may run before it.
        guard: The assertions that guard the operation, because it uses their witness.
        calls: The calls that lead to it, from the outermost one in.
        of_shape_function: Whether a shape function makes the claim, of its result or inside it; the message names the
            place.
        requirement: The message without the values at hand and without ``authors_messages``.
        authors_messages: The messages of the program's author, of which one is the reason.
    """

    claim: Formula
    kind: Kind
    op: Operation
    clause: str
    message: str
    shown: tuple[tuple[str, Dim], ...]
    location: Location
    identity: str
    words: str = ""  # of the clause, in the rule's docstring
    code: str = ""  # of the clause, "tosa-add-broadcast"
    is_barrier: bool = True
    guard: Formula = TRUE
    built_by: int | None = None  # the step of the record, if one is kept, that made the claim
    of_type: bool = False  # whether a result has the rank and the extents that its type states
    may_be_dropped: bool = False  # a check that a lowering may leave out, so that a run need not show it
    calls: tuple[CallSite, ...] = ()
    requirement: str = ""
    of_shape_function: bool = False
    ordinal: int = 1
    authors_messages: tuple[str, ...] = ()

    @property
    def authors_words(self) -> str:
        """The words of the program's author for a failure, without quotes; empty without any."""
        message = self.op.attributes.get("msg")
        return " or ".join(self.authors_messages) or (message if isinstance(message, str) else "")

    def as_fact(self) -> Fact:
        """Return the claim as a fact for later events."""
        return Fact(self.claim, self.source, self.label, self.location, self.built_by, operation=self.op.name)

    @property
    def source(self) -> Source:
        """The source of the claim, once it is a fact."""
        kind = self.kind  # members of an enumeration are slow to look up in a dictionary
        return Source.CHECK if kind is Kind.CHECK else Source.UB if kind is Kind.UB else Source.TYPE

    @property
    def label(self) -> str:
        """The operation and the code of the clause: ``tosa.add [tosa-add-broadcast]``."""
        return f"{self.op.name} [{self.code}]"


def quoted_messages(messages: Sequence[str]) -> str:
    """Return messages of which one applies: ``"a" or "b"``."""
    return " or ".join(f'"{each}"' for each in messages)


class IterationNumber(NamedTuple):
    """Iteration of a loop whose body is interpreted once for each.

    Attributes:
        loop: The loop.
        number: The number of the iteration, counted from 1.
        total: The number of iterations.
    """

    loop: Operation
    number: int
    total: int


@record
class Enter:
    """Begin of a region.

    Attributes:
        condition: The fact that holds inside.
        approximate: The reason for which the condition is not modeled exactly, if any.
        repeats: Whether the region stands for any number of iterations.
        of: The loop whose iterations these are.
        is_sequential: Whether the iterations run one after the other.
        iteration: The iteration that the region is, of a loop whose iterations have a region each.
    """

    condition: Fact | None
    approximate: str = ""
    repeats: bool = False
    of: Operation | None = None
    is_sequential: bool = False
    iteration: IterationNumber | None = None

    @property
    def formula(self) -> Formula:
        """The formula that holds inside."""
        return TRUE if self.condition is None else self.condition.formula


@record
class Iterations:
    """Iterations that a generic iteration represents: all of them have run once its region ends.

    Attributes:
        ranges: The ranges of the variables that stand for every number of a range, by their names.
        varying: The names of variables that may differ from one iteration to the next, with those of ``ranges``.
    """

    ranges: Mapping[str, Range]
    varying: frozenset[str]


@record
class Leave:
    """End of the innermost region.

    Attributes:
        runs: The condition under which the facts and claims of the region hold afterwards; None if none of them
            survives.
        iterations: What the region's facts say of every iteration; None if only of the generic one.
    """

    runs: Formula | None
    iterations: Iterations | None = None


class Alternative(NamedTuple):
    """Alternative of an operation.

    Attributes:
        number: The index of one of several regions; for a loop, the number of its iterations.
        gives: For a choice between values, the chosen operand or constant.
    """

    number: int
    gives: Value | int | None = None


@record
class FoldQuery:
    """Question of a rewriter at an operation: whether the condition always holds there, or never.

    It is neither an obligation nor a fact.

    Attributes:
        alternative: If given, the query is only whether the condition always holds: then the operation folds to this
            alternative.
        guard: The assertions that guard the operation.
    """

    condition: Formula
    op: Operation
    alternative: Alternative | None = None
    guard: Formula = TRUE


@record
class MemoryBound:
    """Bound on the number of elements of an argument that has a place in memory for each of them.

    Attributes:
        dims: The extents of the argument.
        most: The largest number of elements.
        bytes: The largest number of bytes.
    """

    dims: tuple[Dim, ...]
    most: int
    bytes: int


@record
class OverflowAssumption:
    """Assumption of the modeling that a result of arithmetic lies in the range of its type.

    It is no fact. Sizes that violate it are no counterexample, and if no sizes satisfy it, no verdict stands.

    Attributes:
        because: The consequence of a violation: "arith.addi wraps around".
        operation: The name of the operation that computes the result; "" for one of an argument.
        assumed: The assumption on all such operations, in words.
        unlikely: Whether a violation is merely unlikely; then its only effect is that such sizes are no counterexample.
        memory: The bound that the formula states, if every argument that exists keeps it.
    """

    formula: Formula
    because: str
    location: Location | None = None
    operation: str = ""
    assumed: str = NO_WRAP
    unlikely: bool = False
    memory: MemoryBound | None = None

    @property
    def rounds(self) -> bool:
        """Return whether a violation rounds a size, instead of wrapping around."""
        return self.assumed == HOLDS_SIZES


@record
class MayNotReturn:
    """Operation at which the program may end or never continue, for unknown sizes.

    Claims proved behind it stand; sizes that falsify a claim behind it may never get there.

    Attributes:
        because: The reason, as a phrase.
        is_sure: Whether no run continues behind it.
    """

    op: Operation
    because: str
    is_sure: bool = False


Event = Fact | Obligation | FoldQuery | OverflowAssumption | Enter | Leave | MayNotReturn


@record
class Trace:
    """Result of interpreting one function.

    Attributes:
        inputs: The value of each argument.
        events: The events, in program order.
        assumed: The number of leading events that are assumptions about the inputs.
        results: The value of each result, or None if no return was reached.
        values: The value of every SSA value; if it was computed several times (in a loop, or in a function called
            twice), the last one.
        unfollowed: The operations that were interpreted at least once without the code that they run.
        stands_for: The possibly undefined operation that introduced each arbitrary value.
        assumed_undefined: Operations taken as possibly undefined, each with its requirements on arbitrary values.
        ranges: The range of each variable that stands for every number of a range, by its name.
    """

    function: Function
    inputs: tuple[Abstract, ...]
    input_variables: tuple[Variable, ...]
    events: tuple[Event, ...]
    assumed: int
    results: tuple[Abstract, ...] | None
    approximations: tuple[Approximation, ...]
    modeling_assumptions: tuple[ModelingAssumption, ...]
    reached: dict[Operation, int]  # how many times each operation was walked
    reused: Mapping[Operation, int] = field(default_factory=dict[Operation, int])
    """By call: how many times its callee was not walked, because an earlier walk of it stands for that one."""
    values: Mapping[Value, Abstract] = field(default_factory=dict[Value, Abstract])
    positions: Mapping[Operation, int] = field(default_factory=dict[Operation, int])
    not_interpreted: frozenset[Operation] = frozenset()
    arbitrary_values: Mapping[Variable, Operation] = field(default_factory=dict[Variable, Operation])
    assumed_undefined: Mapping[Operation, frozenset[Formula]] = field(
        default_factory=dict[Operation, frozenset[Formula]]
    )
    ranges: Mapping[str, Range] = field(default_factory=dict[str, Range])
    overflow_proofs: object = None
    """The proofs of its overflow assumptions, once a report asked for them."""
    _obligations: tuple[Obligation, ...] | None = field(default=None, init=False, repr=False)

    @property
    def assumptions(self) -> tuple[Fact, ...]:
        """The facts assumed about the inputs."""
        return tuple(event for event in self.events[: self.assumed] if isinstance(event, Fact))

    @property
    def modeling_texts(self) -> tuple[str, ...]:
        """The assumptions of the modeling itself, as phrases for people."""
        return tuple(map(str, self.modeling_assumptions))

    @property
    def trusted(self) -> tuple[TrustedStatements, ...]:
        """The statements that are believed without a proof."""
        return tuple(each for each in self.modeling_assumptions if isinstance(each, TrustedStatements))

    @property
    def obligations(self) -> tuple[Obligation, ...]:
        """The obligations, in program order."""
        if self._obligations is None:
            found = tuple([event for event in self.events if isinstance(event, Obligation)])
            object.__setattr__(self, "_obligations", found)
        assert self._obligations is not None
        return self._obligations


@value_record
class Approximation:
    """Part of the program that the interpreter does not model.

    A proof holds for all values of the free variables. A refutation that depends on one of them may be an artifact.

    Attributes:
        free: The variables for unknown values.
        requirements_known: Whether the requirements of the operation were raised all the same, and only its results are
            unknown.
        is_undefined: Whether it may differ from one compilation to the next, so that an execution shows nothing about
            it.
    """

    op: str
    cause: Reason
    location: Location
    free: frozenset[Variable]
    requirements_known: bool = False
    is_undefined: bool = False

    @property
    def reason(self) -> str:
        """The cause, as a phrase for people."""
        return str(self.cause)

    @property
    def named_cause(self) -> Reason:
        """The cause, after the name of the operation: ``my.op: no rule describes it``."""
        return prefixed(f"{self.op}: ", self.cause)


_IS_BARRIER = attrgetter("is_barrier")


def has_facts_for_checks_only(trace: Trace) -> bool:
    """Return whether some facts hold for checks only."""
    return not all(map(_IS_BARRIER, trace.obligations))


def may_use_facts_for_checks(obligation: Obligation) -> bool:
    """Return whether an obligation may rely on the facts for checks."""
    return obligation.kind is Kind.CHECK


def guarding_premise(obligation: Obligation) -> Formula:
    """Return the formula that an obligation may assume in addition to its facts."""
    return TRUE if may_use_facts_for_checks(obligation) else obligation.guard


def facts_for_non_checks(obligation: Obligation) -> tuple[Fact, Formula] | None:
    """Return the fact that a raised claim gives all later events, and its condition; None if it gives none."""
    return (obligation.as_fact(), obligation.guard) if obligation.is_barrier else None


def assumes(trace: Trace) -> bool:
    """Return whether a function's arguments have assumptions beyond their types, such as shared names of sizes."""
    if any(each.source is Source.ASSUMPTION for each in trace.assumptions):
        return True
    extents = [
        extent.atom
        for argument, value in zip(trace.function.arguments, trace.inputs, strict=True)
        if isinstance(argument.type, ShapedType) and isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        for stated, extent in zip(argument.type.extents or (), value.shape.dims, strict=False)
        if stated is None
    ]
    return len(set(extents)) < len(extents) or not all(isinstance(each, Variable) for each in extents)
