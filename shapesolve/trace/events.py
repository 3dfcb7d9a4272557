"""What must be decided, what may be assumed, and the order of both: the trace of one function.

What was not modelled, why, and the variables that are free because of it.

What an assertion says that is no barrier, and to whom.

An assertion that only makes a witness stops the program, but operations that do not use the witness may run before it.
So it is a fact for other checks, which may stop the program just as well, and for what waits for it; for the rest it
says nothing. Where a trace has such an assertion there are two accounts of what is known: one for checks, which holds
every claim that was raised, and one for the rest.

Whether a function was walked for everything that it may be called with, as far as types tell.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.ir.program import Function, Location, Operation, ShapedType, Value
from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.derivations import maker
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.linear import Range
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.trust import ModelingAssumption, TrustedStatements


class Kind(enum.Enum):
    """What it means for a claim to be false."""

    TYPE = "type"
    """The types contradict what the operation computes: the verifier's question."""
    UB = "ub"
    """Undefined behaviour."""
    CHECK = "check"
    """A runtime check fails: the program stops in a defined way."""


class Source(enum.Enum):
    """Where a fact comes from, which decides what may be concluded from it."""

    ASSUMPTION = "assumption"
    """The user, the command line or an attribute says so."""
    BRANCH = "branch"
    """The code runs only where it holds."""
    DEFINITION = "definition"
    """What an operation computes."""
    INVARIANT = "invariant"
    """What every iteration of a loop keeps, and what bounds elements, of values that are not followed otherwise.

    It is true of whatever they are, and so does not decide by itself whether something fails."""
    CHECK = "check"
    """A runtime check that stands before."""
    UB = "ub"
    """An operation before would have been undefined behaviour otherwise."""
    TYPE = "type"
    """A type says so."""


class Origin(enum.Enum):
    """Where a statement about a function's inputs stands."""

    OPTION = "an option, or a file of facts"
    REQUIREMENT = "the function's contract"
    STATEMENT = "another attribute, or an operation, of the program"


@value_record
class Statement:
    """Somebody's statement about a function's inputs: ``by`` is an exporter, an attribute, an operation, an option."""

    origin: Origin
    by: str
    text: str

    @property
    def words(self) -> str:
        """Who says what."""
        return f"{self.by}: {self.text}"


@record
class Fact:
    """Something that holds. ``because`` is a phrase for people: "the branch is taken", "tosa.add (C1)".

    ``made_by`` is the step of the record, if one is kept, that made the formula. ``statement``: what was stated, where
    it holds for that reason. ``operation``: the name of the operation that demands it, where one does.
    """

    formula: Formula
    source: Source
    because: str
    location: Location | None = None
    made_by: int | None = None
    statement: Statement | None = None
    operation: str = ""

    @property
    def has_line(self) -> bool:
        """Whether it comes from a line of the program."""
        is_option = self.statement is not None and self.statement.origin is Origin.OPTION
        return self.location is not None and bool(self.location.line) and not is_option

    def __post_init__(self) -> None:
        made_by = maker(self.formula) if self.made_by is None else None
        if made_by is not None:
            object.__setattr__(self, "made_by", made_by)


@record
class CallSite:
    """A call that was followed once: the operation, the function, and what it is called with."""

    op: Operation
    function: Function
    arguments: tuple[Abstract, ...]


@record
class Obligation:
    """Something that must hold.

    ``shown`` names the sizes that the claim is about, for counterexamples. ``identity`` is stable under edits
    elsewhere in the file. ``given`` are the assertions that the operation waits for because it uses what they guard.
    What comes later in the program may rely on the claim if it ``is_barrier``; an assertion that only makes a witness
    is none: operations that do not use the witness may run before it. ``calls`` are those on the way to it, from the
    outermost one in. ``demand`` is the message without what it says of the values at hand, and without what the
    program's author ``said``.
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
    is_barrier: bool = True
    given: Formula = TRUE
    made_by: int | None = None  # the step of the record, if one is kept, that made the claim
    of_type: bool = False  # whether a result has the rank and the extents that its type states
    may_be_dropped: bool = False  # a check that a lowering may leave out, so that a run need not show it
    calls: tuple[CallSite, ...] = ()
    demand: str = ""
    said: str = ""

    def as_fact(self) -> Fact:
        """The claim, once it has been raised, as a fact for what follows it."""
        kind = self.kind  # members of an enumeration are slow to look up in a dictionary
        source = Source.CHECK if kind is Kind.CHECK else Source.UB if kind is Kind.UB else Source.TYPE
        because = f"{self.op.name} ({self.clause})"
        return Fact(self.claim, source, because, self.location, self.made_by, operation=self.op.name)


@record
class Enter:
    """A region begins.

    ``condition`` holds inside; ``approximate`` says why the way here is not modelled exactly. ``repeats``: what is
    inside stands for any number of iterations: of the loop that ``of`` is, one after the other where ``in_order``.
    """

    condition: Fact | None
    approximate: str = ""
    repeats: bool = False
    of: Operation | None = None
    in_order: bool = False


@record
class Leave:
    """The innermost region ends.

    What was known or raised inside holds afterwards wherever ``runs`` does; None: nothing survives.
    """

    runs: Formula | None


class Way(NamedTuple):
    """One of an operation's alternatives: of several regions, the ``number`` of one; of a loop, that of its runs.

    Of a choice between values, it ``gives`` an operand or a constant.
    """

    number: int
    gives: Value | int | None = None


@record
class FoldQuery:
    """Something that a rewriter may ask where an operation runs: whether the condition always holds there, or never.

    Nothing is demanded and nothing follows from it. With a ``way``, it is asked only whether it always holds: then that
    is all that the operation comes down to. ``given`` are the assertions that the operation waits for.
    """

    condition: Formula
    op: Operation
    way: Way | None = None
    given: Formula = TRUE


@record
class OverflowAssumption:
    """Something that the modelling takes for granted: a result of 64-bit arithmetic lies in the range of its type.

    Nothing follows from it. Sizes that break it are no counterexample, and where no sizes satisfy it no verdict stands.
    ``because`` says what happens otherwise: "arith.addi wraps around". Of sizes that are merely ``unlikely``, nothing
    more follows than that they are no counterexample.
    """

    formula: Formula
    because: str
    location: Location | None = None
    unlikely: bool = False


@record
class MayNotReturn:
    """The program may end here, or never get further, for sizes that nobody knows. ``because`` says why, as a phrase.

    ``is_sure``: no run that comes here gets further. What is proved behind it stands; sizes that break a claim behind
    it may never get there.
    """

    op: Operation
    because: str
    is_sure: bool = False


Event = Fact | Obligation | FoldQuery | OverflowAssumption | Enter | Leave | MayNotReturn


@record
class Trace:
    """One function, walked: its inputs, its facts and obligations in program order, its results.

    ``inputs`` holds what each argument is; ``results`` what each result is, or None when no return was reached. The
    first ``assumed`` events are what is assumed of the inputs.
    ``values`` holds what every value is; of one
    that was computed several times (in a loop, in a function called twice), what it was the last time. ``unfollowed``
    are the operations that were once walked without what they run. ``stands_for``
    gives for variables that a doubted operation brought in that operation. ``ranges`` gives for the name of a variable
    that stands for every number of a range that range.
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
    unfollowed: frozenset[Operation] = frozenset()
    stands_for: Mapping[Variable, Operation] = field(default_factory=dict[Variable, Operation])
    ranges: Mapping[str, Range] = field(default_factory=dict[str, Range])

    @property
    def assumptions(self) -> tuple[Fact, ...]:
        """What is assumed of the inputs."""
        return tuple(event for event in self.events[: self.assumed] if isinstance(event, Fact))

    @property
    def leans_on(self) -> tuple[str, ...]:
        """The assumptions of the modelling itself, as phrases for people."""
        return tuple(map(str, self.modeling_assumptions))

    @property
    def trusted(self) -> tuple[TrustedStatements, ...]:
        """The statements that are believed without a proof."""
        return tuple(each for each in self.modeling_assumptions if isinstance(each, TrustedStatements))

    @property
    def obligations(self) -> tuple[Obligation, ...]:
        return tuple(event for event in self.events if isinstance(event, Obligation))


@value_record
class Approximation:
    """Something of the program that the walk let go of.

    A proof stands whatever the free variables are. A refutation that leans on one of them may be an artefact.
    ``demands_known``: what the operation demands was raised all the same; only what it computes was let go of.
    ``is_undefined``: it may differ from one compilation to the next, so that an execution shows nothing of it.
    """

    op: str
    cause: Reason
    location: Location
    free: frozenset[Variable]
    demands_known: bool = False
    is_undefined: bool = False

    @property
    def reason(self) -> str:
        """The cause, as a phrase for people."""
        return str(self.cause)


def needs_two_accounts(trace: Trace) -> bool:
    """Whether what is known to checks is not known to everything."""
    return any(not obligation.is_barrier for obligation in trace.obligations)


def is_of_checks(obligation: Obligation) -> bool:
    """Whether an obligation may rely on the account for checks."""
    return obligation.kind is Kind.CHECK


def waited_for(obligation: Obligation) -> Formula:
    """What an obligation may rely on besides its account."""
    return TRUE if is_of_checks(obligation) else obligation.given


def facts_for_non_checks(obligation: Obligation) -> tuple[Fact, Formula] | None:
    """The fact of a claim that was raised for the account of the rest, and where it holds; None: it is not told."""
    return (obligation.as_fact(), obligation.given) if obligation.is_barrier else None


def assumes(trace: Trace) -> bool:
    """Whether something is assumed of a function's arguments beyond what their types say, be it by names of sizes."""
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
