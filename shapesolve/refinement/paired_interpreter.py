"""Walking the two programs of a comparison so that what they do not share can never be mixed up.

Everything unknown that a walk makes gets a name that no other walk gives, except where both programs compute the same
thing in the same way (see `numbering`): that is one unknown.

Iterations of loops that differ may be one unknown as well, where they count through the same numbers. What holds in
every iteration of the source may then be used in the iteration of the same number of the target. Where it is one
certain iteration of the source that is spoken of, that in which a check fails, the target's is another one; what is
known of the others is said of them one by one (see `instances`).

Whether memory is used only while it lives, so far as that can be told from how a program is written.

What is told is enough for buffers that are made, used and freed in one block. Of everything else (an argument that is
freed, a buffer that leaves its loop) nothing is known, and where two programs are compared that is nobody's proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import NamedTuple

from shapesolve.domain.fresh_variables import Unknowns, variables_of
from shapesolve.domain.values import Abstract, Unmodelled
from shapesolve.int64 import MAX_SIZE
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import Inputs
from shapesolve.ir.control_flow import Places, places_in
from shapesolve.ir.program import Block, Function, OpaqueType, Operation, Program, Region, ShapedType, SymbolRef, Value
from shapesolve.reasons import Reason, prefixed
from shapesolve.records import record
from shapesolve.refinement.loops import Iterations
from shapesolve.refinement.value_numbering import Numbering
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import Effects
from shapesolve.semantics.regions import GenericIteration
from shapesolve.semantics.rule_errors import apply_rule
from shapesolve.semantics.rulebook import Claim, Memory, OpSemantics, Rule, RuleFunction, RuleRegistry, Yields
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import equal
from shapesolve.trace.events import Kind, Trace

UNSEEN = "U1"
"""The clause of what an operation demands that is not modelled."""

POISON = "P1"
"""The clause of what has to hold so that the result is no poison."""

NO_RULE = "no rule describes it"


@record
class Walked:
    """One program of a comparison, walked. ``side`` is "source" or "target"."""

    side: str
    program: Program
    trace: Trace
    unseen: dict[Variable, Reason]
    """The unknown truths that stand for demands which are not modelled, and what they stand for."""
    numbers: Callable[[Operation], frozenset[str]]
    """What is shared of an operation: where the other program shares it, it is the same on the same values."""
    given: frozenset[str]
    """The numbers of all operations."""
    iterations: Mapping[Variable, Iterations]
    """What unknown iterations stand for."""
    makers: Mapping[Variable, Operation | None]
    """The operations that made the unknowns."""
    own_numbers: Callable[[Operation], frozenset[str]]
    """What is shared of an operation itself."""
    value_number: Callable[[Value], str | None]
    """The number of a value that is the same in the other program where that has the number; None where it has none."""
    effects: Callable[[Operation], Effects]
    freeing: frozenset[Operation]
    """The operations that end the life of memory, which nobody notices where it is not used any more."""

    @property
    def loops(self) -> frozenset[str]:
        """The numbers of the loops that unknown iterations are of."""
        return frozenset(each.number for each in self.iterations.values())


def walk_side(
    program: Program, inputs: Inputs, rulebook: RuleRegistry, side: str, common: frozenset[str] | None = None
) -> Walked:
    """Walk one program under names that the other does not use.

    With the numbers of what both programs have in ``common``: iterations of other loops are called after the numbers
    that these count through. Nothing else is called as in a walk without.
    """
    mark = side if common is None else f"{side} in step"
    unknowns = _SidedUnknowns(side, mark, common)
    numbering = Numbering(program, mark, rulebook)
    numbering.enter_function(inputs.function)
    sided = replace(inputs, unknowns=unknowns)
    watched = _WatchedRulebook(rulebook, program, numbering, unknowns, _body=inputs.function.body)
    trace = interpret(program, sided, watched)
    if not _ends_are_known(inputs.function, rulebook):
        trace = replace(trace, results=None)
    return Walked(
        side,
        program,
        trace,
        watched.unseen,
        watched.numbers,
        numbering.given,
        unknowns.kept_iterations(),
        unknowns.makers,
        numbering.shared,
        numbering.whole,
        rulebook.effects,
        frozenset(watched.freeing),
    )


class _Maker(NamedTuple):
    """An operation that makes unknowns: its name in theirs, None where the other program cannot have it; its number.

    ``visit`` tells the times apart that the walk came to it.
    """

    name: str | None
    number: str
    op: Operation | None = None
    visit: int = 0

    def at(self, part: str) -> _Maker:
        """The same operation, at some part of its work."""
        return self if self.name is None else self._replace(name=f"{self.name}/{part}")


_NOBODY = _Maker(None, "")


class _SidedUnknowns(Unknowns):
    """Names unknowns after the operation that makes them: by its number where that is shared, else by the side."""

    def __init__(self, side: str, mark: str, common: frozenset[str] | None) -> None:
        super().__init__()
        self.side = side
        self.iterations: dict[Variable, Iterations] = {}
        self.makers: dict[Variable, Operation | None] = {}
        self.maker = _NOBODY
        self._mark = mark
        self._common = common
        self._visits = count(1)

    def visit(self) -> int:
        """A number for coming to an operation."""
        return next(self._visits)

    def name(self, wished: str) -> str:
        return self._named(wished, "")

    def size(self, name: str, lower: int | None = 0, upper: int | None = MAX_SIZE) -> Dim:
        bounds = "" if lower == 0 and upper == MAX_SIZE else _within(lower, upper)
        made = variable(self._named(name, bounds), lower, upper)
        for each in made.variables:
            self.iterations.pop(each, None)  # a name that was given before, and taken back
            self.makers[each] = self.maker.op
        return made

    def every(
        self, name: str, of: tuple[Dim, Dim, Dim], lower: int | None, upper: int | None, op: Operation | None = None
    ) -> Dim:
        """One unknown for both programs, the first of one range for the first of the other: every number occurs."""
        first, end, step = of
        if self._common is None or self.maker.number in self._common:
            made = self.size(name, lower, upper)
        else:
            made = variable(super().name(f"{first}..{end} by {step} {_within(lower, upper)}"), lower, upper)
        loop, visit = (self.maker.op, self.maker.visit) if op is None else (op, self.visit())
        stand_for = Iterations(self.maker.number, loop, visit, first, end, step, last_leaves=op is not None)
        self.iterations.update(dict.fromkeys(made.variables, stand_for))
        return made

    def kept_iterations(self) -> dict[Variable, Iterations]:
        """What unknown iterations stand for, without those that were given up because another try was made."""
        made = self.made_after(0)
        return {each: of for each, of in self.iterations.items() if each.name in made}

    def is_own(self, unknown: Variable) -> bool:
        """Whether only this program can have an unknown, as far as its name says."""
        return unknown.name.startswith(f"{self._mark}:")

    def _named(self, wished: str, bounds: str) -> str:
        if self.maker.name is None:
            return super().name(f"{self._mark}:{wished}")
        # The bounds are part of a shared name: two unknowns of one name are one unknown everywhere.
        return super().name(f"{self.maker.name}#{bounds}")


def _within(lower: int | None, upper: int | None) -> str:
    return f"[{lower}..{upper}]"


@dataclass(slots=True)
class _WatchedRulebook(RuleRegistry):
    """The rulebook, with every rule told where it stands."""

    _inner: RuleRegistry
    _program: Program
    _numbering: Numbering
    _unknowns: _SidedUnknowns
    _wrapped: dict[str, Rule] = field(default_factory=dict[str, Rule])
    _body: Region | None = None
    unseen: dict[Variable, Reason] = field(default_factory=dict[Variable, Reason])
    freeing: set[Operation] = field(default_factory=set[Operation])
    _places: Places = field(init=False)
    _lifetimes: Lifetimes = field(init=False)

    def __post_init__(self) -> None:
        self._lifetimes = Lifetimes(self._program)
        self._places = places_in(self._program)

    def __contains__(self, op: str) -> bool:
        return True  # of an operation that has no rule, demands are raised that nobody can show

    def effects(self, op: Operation) -> Effects:
        return self._inner.effects(op)

    def get(self, op: str) -> Rule | None:
        found = self._wrapped.get(op)
        if found is None:
            inner = self._inner.get(op)
            rule = Rule(op, _not_described, "", "", "") if inner is None else inner
            found = self._wrapped[op] = replace(rule, function=self._watched(rule))
        return found

    def numbers(self, op: Operation) -> frozenset[str]:
        """The shared numbers of an operation; of what no rule is asked about, those of the region that it is in."""
        region = self._places.regions.get(op)
        return self._numbering.shared(op) or (frozenset() if region is None else self._numbering.shared(region))

    def _watched(self, rule: Rule) -> RuleFunction:
        def run(op: Operation, see: RuleContext) -> OpSemantics:
            before = self._unknowns.maker
            number = self._numbering.visit(op, self._places.regions.get(op), partial(self._said, see))
            name = f"{op.name}~{number}" if self._numbering.may_name(op, number) else None
            maker = _Maker(name, number, op, self._unknowns.visit())
            self._unknowns.maker = maker
            try:
                meaning = apply_rule(rule, op, see)
            except UnknownValueError as reason:
                meaning = _unmodelled(op, see, str(reason), self._unseen(op, see, str(reason)))
            else:
                reason = meaning.unchecked or (meaning.approximations[0] if meaning.approximations else "")
                if reason and (meaning.unchecked or not meaning.free):
                    meaning = replace(meaning, claims=(*meaning.claims, *self._unseen(op, see, reason)))
            if meaning.memory.frees:
                self.freeing.add(op)
            meaning = self._unless_poison(op, see, self._alive(op, see, meaning))
            if meaning.regions:
                return self._with_regions(op, see, meaning, maker, before)
            if meaning.finish is None:
                meaning = replace(meaning, results=self._settled(op, see, meaning.results))
            self._unknowns.maker = before
            return meaning

        return run

    def _said(self, see: RuleContext, value: Value) -> str | None:
        """A size or a truth in terms of what both programs have."""
        try:
            known = see.value(value)
        except (UnknownValueError, KeyError):
            return None
        if not isinstance(known, Dim | Formula) or any(map(self._unknowns.is_own, known.variables)):
            return None
        return f"{value.type}: {known}"

    def _alive(self, op: Operation, see: RuleContext, meaning: OpSemantics) -> OpSemantics:
        """The meaning, with a demand that nobody can show where memory may be used that lives no more."""
        doubt = self._lifetimes.doubt(op, meaning.memory)
        if not doubt:
            return meaning
        maker, self._unknowns.maker = self._unknowns.maker, _NOBODY  # the same words may be right in one program only
        alive = equal(see.fresh(f"{op.name}.alive", 0, 1), 1)
        self._unknowns.maker = maker
        self._remember(alive.variables, op, doubt)
        return replace(meaning, claims=(*meaning.claims, Claim(UNSEEN, alive, doubt)))

    def _unless_poison(self, op: Operation, see: RuleContext, meaning: OpSemantics) -> OpSemantics:
        """The meaning, with what flags for overflow demand of 64 bits: there it is presumed that nothing wraps.

        Whether poison that is not returned at once does any harm is not followed.
        """
        flags = str(op.attributes.get("overflowFlags", ""))
        if meaning.presumes is TRUE or not ("nsw" in flags or "nuw" in flags) or not any(r.uses for r in op.results):
            return meaning
        users = [user for result in op.results for user in self._places.users.get(result, ())]
        if "nuw" not in flags and any(self._returns(user) for user in users):
            claim = Claim(POISON, meaning.presumes, "the result wraps, and so is poison")
        else:
            claim, _ = self._unseen(op, see, "whether it gives poison, and what that does, is not followed")
        return replace(meaning, claims=(*meaning.claims, claim))

    def _returns(self, op: Operation) -> bool:
        """Whether an operation ends the function that is compared, which has no other end."""
        body = self._body
        return body is not None and len(body.blocks) == 1 and body.blocks[0].operations[-1] is op

    def _settled(self, op: Operation, see: RuleContext, results: Sequence[Abstract]) -> tuple[Abstract, ...]:
        """The results, with an unknown made here, under the name of this operation, for what is not modelled."""
        settled: list[Abstract] = []
        for value, result in zip(op.results, results, strict=False):
            if isinstance(result, Unmodelled):
                reason, result = result.reason, see.unknown(value)
                if reason:
                    self._remember(variables_of(result), op, reason)
            settled.append(result)
        return (*settled, *results[len(settled) :])

    def _remember(self, variables: frozenset[Variable], op: Operation, reason: Reason) -> None:
        self.unseen.update(dict.fromkeys(variables, prefixed(f"{op.name} of the {self._unknowns.side}: ", reason)))

    def _unseen(self, op: Operation, see: RuleContext, reason: Reason) -> tuple[Claim, Claim]:
        """What an operation demands beyond what is modelled, as two unknown truths."""
        maker, demanding = self._unknowns.maker, self._numbering.demanding(op)
        if maker.name is None and demanding is not None:
            self._unknowns.maker = maker._replace(name=f"{op.name}?{demanding}")
        safe, goes_on = (equal(see.fresh(f"{op.name}.fine", 0, 1), 1) for _ in range(2))
        self._unknowns.maker = maker
        self._remember(safe.variables | goes_on.variables, op, reason)
        return (
            Claim(UNSEEN, safe, f"what {op.name} demands is not all modelled"),
            Claim(UNSEEN, goes_on, f"whether {op.name} stops is not modelled", Kind.CHECK),
        )

    def _with_regions(
        self, op: Operation, see: RuleContext, meaning: OpSemantics, maker: _Maker, before: _Maker
    ) -> OpSemantics:
        """What the walk makes between the runs of the regions belongs to this operation, until it is finished."""
        for run in meaning.regions:
            if run.region not in op.regions:
                self._numbering.enter_called(run.region, maker.number)
        inner = meaning.finish

        def finish(yields: Yields) -> tuple[Abstract, ...]:
            self._unknowns.maker = maker.at("results")
            try:
                return self._settled(op, see, meaning.results if inner is None else inner(yields))
            finally:
                self._unknowns.maker = before

        self._unknowns.maker = maker.at("regions")
        return replace(meaning, finish=finish)


def _ends_are_known(function: Function, rulebook: RuleRegistry) -> bool:
    """Whether a rule describes every terminator of the function's body; any other may return something else."""
    blocks = () if function.body is None else function.body.blocks
    return all(block.operations[-1].name in rulebook for block in blocks if block.operations)


def _not_described(op: Operation, see: RuleContext) -> OpSemantics:
    raise UnknownValueError(NO_RULE)


def _unmodelled(op: Operation, see: RuleContext, reason: Reason, unseen: tuple[Claim, ...]) -> OpSemantics:
    """An operation of which nothing is known: whether it can run, whether it stops, and what it gives."""
    runs = tuple(
        GenericIteration(
            region=region,
            arguments=tuple(see.unknown(argument) for argument in region.blocks[0].arguments),
            approximate=f"{op.name} is not modelled",
        )
        for region in op.regions
        if region.blocks
    )
    return OpSemantics(
        tuple(Unmodelled(reason) for _ in op.results),
        claims=unseen,
        regions=runs,
        approximations=(reason,),
        free=frozenset(),
    )


class Lifetimes:
    """The lives of one program's buffers, told in the order of the walk."""

    def __init__(self, program: Program) -> None:
        self._made: dict[Value, Operation] = {}
        self._scoped: set[Value] = set()
        self._places = places_in(program)

    def doubt(self, op: Operation, memory: Memory) -> str:
        """Why it is not known that memory which begins or ends here is used only while it lives; "" if it is."""
        for value in memory.frees:
            if value not in self._made:
                return f"whether {value.name} may be freed here is not followed"
            if value in self._scoped:
                return f"{value.name} ends with the scope around it, and is freed before"
            if not self._ends_with(self._made[value], op, value, memory.allocates):
                return f"whether {value.name} is used after it was freed, or freed twice, is not followed"
        if memory.allocates:
            self._made.update(dict.fromkeys(op.results, op))
        if memory.is_scoped:
            self._scoped.update(op.results)
        if memory.is_scoped and any(self._leaves(op, result) for result in op.results):
            return f"whether {op.results[0].name} is used when its scope has ended is not followed"
        return ""

    def _ends_with(self, maker: Operation, end: Operation, value: Value, makes_anew: bool) -> bool:
        block, last = self._places.blocks[end]
        if self._places.blocks[maker][0] is not block or end.operands.count(value) != 1:
            return False
        aliases = self._uses(value, end if makes_anew else None)
        others = (user for alias, user in aliases if alias is not value or user is not end)
        return all(self._is_before(user, block, last) for user in others)

    def _is_before(self, op: Operation, block: Block, last: int) -> bool:
        """Whether an operation is done when a later one of this block runs, and has handed the memory to nobody."""
        if self._hands_on(op):
            return False
        here, number = self._places.blocks[op]
        while here is not block:
            around = self._places.around.get(here)
            if around is None or around not in self._places.blocks:
                return False  # it got out of the block, which a terminator hands on
            here, number = self._places.blocks[around]
        return number < last

    def _leaves(self, op: Operation, value: Value) -> bool:
        return any(self._hands_on(user) for _, user in self._uses(value))

    def _hands_on(self, op: Operation) -> bool:
        """Whether what an operation is given lives on elsewhere than in its results."""
        block, number = self._places.blocks[op]
        ends_block = number == len(block.operations) - 1
        calls = any(isinstance(each, SymbolRef) for each in op.attributes.values())
        return ends_block or calls or bool(op.regions) or any(map(_holds_buffers, op.operands))

    def _uses(self, value: Value, maker: Operation | None = None) -> Iterator[tuple[Value, Operation]]:
        """Who uses the memory of a value, and by which alias; what a ``maker`` of other memory gives is none."""
        waiting, seen = [value], {value}
        while waiting:
            alias = waiting.pop()
            for user in self._places.users.get(alias, ()):
                yield alias, user
                given = () if user is maker else user.results
                more = [result for result in given if _may_alias(result) and result not in seen]
                seen.update(more)
                waiting += more


def _may_alias(value: Value) -> bool:
    type = value.type
    return type.container != "vector" if isinstance(type, ShapedType) else isinstance(type, OpaqueType)


def _holds_buffers(value: Value) -> bool:
    return isinstance(value.type, ShapedType) and isinstance(value.type.element, OpaqueType)
