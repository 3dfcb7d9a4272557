"""Interpretation of the two programs of a comparison in one namespace of variables.

A fresh variable gets a name that no other interpretation gives, except where both programs compute the same thing in
the same way (`value_numbering`): there it is one variable.

Iterations of loops that differ may be one variable as well, if they have the same iteration space. What holds in every
iteration of the source may then be used in the iteration of the same number of the target. Where one certain iteration
of the source is meant, that in which a check fails, the target's is another one; facts about the others are
instantiated one by one (`loop_instances`).

`Lifetimes` tells whether memory is used only while it lives, as far as the program's text shows: enough for buffers
that are allocated, used and freed in one block. Of everything else (an argument that is freed, a buffer that leaves its
loop) nothing is known, which is no proof where two programs are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import NamedTuple

from shapesolve.domain.fresh_variables import FreshVariables, variables_of
from shapesolve.domain.values import Abstract, Unmodeled
from shapesolve.int64 import MAX_SIZE
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import Inputs
from shapesolve.ir.control_flow import Places, places_in
from shapesolve.ir.program import Function, Operation, Program, Region, Value
from shapesolve.reasons import MissingSemantics, Reason, prefixed
from shapesolve.records import record
from shapesolve.refinement.lifetimes import Lifetimes
from shapesolve.refinement.loops import Iterations
from shapesolve.refinement.poison import PoisonTracking
from shapesolve.refinement.undefined_contents import UndefinedContents
from shapesolve.refinement.value_numbering import Numbering
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import Effects
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Yields
from shapesolve.semantics.regions import GenericIteration
from shapesolve.semantics.registry import Rule, RuleFunction, RuleRegistry
from shapesolve.semantics.rule_errors import apply_rule
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, of_atom, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Kind, Trace

UNMODELED = "U1"
"""The clause of a requirement that is not modeled."""


@record
class Interpretation:
    """One interpreted program of a comparison.

    Attributes:
        side: "source" or "target".
        program: The program.
        trace: The trace.
        unmodeled: Bits that stand for unmodeled requirements, with the reasons.
        numbers: Returns the shared value numbers of an operation: equal ones compute the same from the same values.
        all_numbers: The numbers of all operations.
        iterations: The iteration spaces of generic iterations.
        makers: The operations that introduced the fresh variables.
        own_numbers: Returns the shared value numbers of an operation itself.
        value_number: Returns the number of a value that equals the other program's value of that number; None without
            one.
        effects: Returns the effects of an operation.
        freeing: The operations that end the life of memory, which is not observable if it is not used any more.
        clean_results: The formulas under which the results are not poison; None if they are returned in several places.
        result_arguments: For each result of the source, the argument that takes it, None if it is returned; empty if
            none is an argument.
    """

    side: str
    program: Program
    trace: Trace
    unmodeled: dict[Variable, Reason]
    numbers: Callable[[Operation], frozenset[str]]
    all_numbers: frozenset[str]
    iterations: Mapping[Variable, Iterations]
    makers: Mapping[Variable, Operation | None]
    own_numbers: Callable[[Operation], frozenset[str]]
    value_number: Callable[[Value], str | None]
    effects: Callable[[Operation], Effects]
    freeing: frozenset[Operation]
    clean_results: tuple[Formula, ...] | None = None
    result_arguments: tuple[int | None, ...] = ()

    @property
    def loops(self) -> frozenset[str]:
        """The value numbers of the loops that generic iterations are of."""
        return frozenset(each.number for each in self.iterations.values())


def interpret_side(
    program: Program, inputs: Inputs, registry: RuleRegistry, side: str, common: frozenset[str] | None = None
) -> Interpretation:
    """Interpret one program under names that the other does not use.

    Args:
        common: The value numbers that both programs have. Iterations of other loops are named after their iteration
            space then, and nothing else is named as without.
    """
    contents = UndefinedContents(places_in(program))
    while True:
        found = _interpret_once(program, inputs, registry, side, common, contents)
        if not contents.grew:
            return found
        contents.start(side)


def _interpret_once(
    program: Program,
    inputs: Inputs,
    registry: RuleRegistry,
    side: str,
    common: frozenset[str] | None,
    contents: UndefinedContents,
) -> Interpretation:
    mark = side if common is None else f"{side} in step"
    unknowns = _SidedUnknowns(side, mark, common)
    numbering = Numbering(program, mark, registry)
    numbering.enter_function(inputs.function)
    sided = replace(inputs, unknowns=unknowns)
    watched = _NumberingRegistry(registry, program, numbering, unknowns, contents, _body=inputs.function.body)
    trace = interpret(program, sided, watched)
    if not _ends_are_known(inputs.function, registry):
        trace = replace(trace, results=None)
    return Interpretation(
        side,
        program,
        trace,
        watched.unmodeled,
        watched.numbers,
        numbering.all_numbers,
        unknowns.kept_iterations(),
        unknowns.makers,
        numbering.shared,
        numbering.whole,
        registry.effects,
        frozenset(watched.freeing),
        watched.clean_results(),
    )


class _Maker(NamedTuple):
    """An operation that introduces fresh variables.

    Attributes:
        name: Its part of their names; None if the other program cannot have it.
        number: Its value number.
        op: The operation.
        visit: Distinguishes the times that the interpreter reached it.
    """

    name: str | None
    number: str
    op: Operation | None = None
    visit: int = 0

    def at(self, part: str) -> _Maker:
        """Return the same operation, at some part of its work."""
        return self if self.name is None else self._replace(name=f"{self.name}/{part}")


_NO_MAKER = _Maker(None, "")


class _SidedUnknowns(FreshVariables):
    """Names fresh variables after the operation that introduces them: by a shared value number, or the side."""

    def __init__(self, side: str, mark: str, common: frozenset[str] | None) -> None:
        super().__init__()
        self.side = side
        self.iterations: dict[Variable, Iterations] = {}
        self.makers: dict[Variable, Operation | None] = {}
        self.maker = _NO_MAKER
        self._mark = mark
        self._common = common
        self._visits = count(1)

    def visit(self) -> int:
        """Return a number for reaching an operation."""
        return next(self._visits)

    def name(self, wished: str) -> str:
        return self._named(wished, "")

    def size(
        self, name: str, lower: int | None = 0, upper: int | None = MAX_SIZE, kind: type[Variable] = Variable
    ) -> Dim:
        bounds = "" if lower == 0 and upper == MAX_SIZE else _within(lower, upper)
        made = of_atom(kind.of(self._named(name, bounds), lower, upper))
        for each in made.variables:
            self.iterations.pop(each, None)  # a name that was given before, and taken back
            self.makers[each] = self.maker.op
        return made

    def any_of_range(
        self, name: str, of: tuple[Dim, Dim, Dim], lower: int | None, upper: int | None, op: Operation | None = None
    ) -> Dim:
        """Return one variable for both programs, whose ranges start together: every number occurs."""
        first, end, step = of
        if self._common is None or self.maker.number in self._common:
            made = self.size(name, lower, upper)
        else:
            made = variable(super().name(f"{first}..{end} by {step} {_within(lower, upper)}"), lower, upper)
        loop, visit = (self.maker.op, self.maker.visit) if op is None else (op, self.visit())
        iteration_range = Iterations(self.maker.number, loop, visit, first, end, step, last_leaves=op is not None)
        self.iterations.update(dict.fromkeys(made.variables, iteration_range))
        return made

    def kept_iterations(self) -> dict[Variable, Iterations]:
        """Return the iteration spaces without those that were rolled back."""
        made = self.names_after(0)
        return {each: of for each, of in self.iterations.items() if each.name in made}

    def is_own(self, unknown: Variable) -> bool:
        """Return whether only this program can have a variable, as far as its name says."""
        return unknown.name.startswith(f"{self._mark}:")

    def _named(self, wished: str, bounds: str) -> str:
        if self.maker.name is None:
            return super().name(f"{self._mark}:{wished}")
        # The bounds are part of a shared name: two unknowns of one name are one unknown everywhere.
        return super().name(f"{self.maker.name}#{bounds}")


def _within(lower: int | None, upper: int | None) -> str:
    return f"[{lower}..{upper}]"


@dataclass(slots=True)
class _NumberingRegistry(RuleRegistry):
    """The rule registry, with every rule wrapped to number its operation and to claim what is not modeled."""

    _inner: RuleRegistry
    _program: Program
    _numbering: Numbering
    _unknowns: _SidedUnknowns
    _contents: UndefinedContents
    _wrapped: dict[str, Rule] = field(default_factory=dict[str, Rule])
    _body: Region | None = None
    unmodeled: dict[Variable, Reason] = field(default_factory=dict[Variable, Reason])
    freeing: set[Operation] = field(default_factory=set[Operation])
    _places: Places = field(init=False)
    _lifetimes: Lifetimes = field(init=False)
    _poison: PoisonTracking = field(init=False)

    def __post_init__(self) -> None:
        self._lifetimes = Lifetimes(self._program)
        self._places = places_in(self._program)
        self._poison = PoisonTracking(
            self._unknown_bit, self._numbering.entered, self._places, self._body, self._inner.effects, self._contents
        )

    def clean_results(self) -> tuple[Formula, ...] | None:
        """Return the formulas under which the results are not poison; None if they are returned in several places."""
        if self._body is None or len(self._body.blocks) != 1:
            return None
        returned = self._body.blocks[0].operations[-1].operands
        return self._poison.results(returned, may_be_anything=self._unknowns.side == "source")

    def __contains__(self, op: str) -> bool:
        return True  # an operation without a rule gets unprovable requirements

    def effects(self, op: Operation) -> Effects:
        return self._inner.effects(op)

    def get(self, op: str) -> Rule | None:
        found = self._wrapped.get(op)
        if found is None:
            inner = self._inner.get(op)
            rule = Rule(op, _not_described, "", "", "") if inner is None else inner
            found = self._wrapped[op] = replace(rule, function=self._wrap(rule))
        return found

    def numbers(self, op: Operation) -> frozenset[str]:
        """Return an operation's shared numbers; those of the region around it if no rule is applied to it."""
        region = self._places.regions.get(op)
        return self._numbering.shared(op) or (frozenset() if region is None else self._numbering.shared(region))

    def _wrap(self, rule: Rule) -> RuleFunction:
        def run(op: Operation, ctx: RuleContext) -> OpSemantics:
            before = self._unknowns.maker
            number = self._numbering.visit(op, self._places.regions.get(op), partial(self._shared_form, ctx))
            name = f"{op.name}~{number}" if self._numbering.may_name(op, number) else None
            maker = _Maker(name, number, op, self._unknowns.visit())
            self._unknowns.maker = maker
            try:
                semantics = apply_rule(rule, op, ctx)
            except UnknownValueError as unknown_value:
                given = unknown_value.args[0] if unknown_value.args else ""
                cause: Reason = given if isinstance(given, MissingSemantics) else str(unknown_value)
                unmodeled = self._unmodeled_claims(op, ctx, cause)
                semantics = self._poison.follow(op, ctx, _unknown_semantics(op, ctx, cause, unmodeled), number)
            else:
                semantics = self._poison.follow(op, ctx, semantics, number)
                unknown, approximations = semantics.requires.unknown, semantics.approximations
                reason = unknown or (approximations.reasons[0] if approximations.reasons else "")
                if reason and (unknown or not approximations.variables):
                    semantics = semantics.with_claims(*self._unmodeled_claims(op, ctx, reason))
            if semantics.memory.frees:
                self.freeing.add(op)
            semantics = self._require_alive(op, ctx, semantics)
            if semantics.regions:
                return self._with_regions(op, ctx, semantics, maker, before)
            if semantics.results.compute is None:
                semantics = replace(semantics, results=self._fill_unmodeled(op, ctx, semantics.results.values))
            self._unknowns.maker = before
            return semantics

        return run

    def _shared_form(self, ctx: RuleContext, value: Value) -> str | None:
        """Return a size or a truth in terms of what both programs have; None if it has no such form."""
        try:
            known = ctx.value(value)
        except (UnknownValueError, KeyError):
            return None
        if not isinstance(known, Dim | Formula) or any(map(self._unknowns.is_own, known.variables)):
            return None
        return f"{value.type}: {known}"

    def _require_alive(self, op: Operation, ctx: RuleContext, semantics: OpSemantics) -> OpSemantics:
        """Add an unprovable requirement if memory may be used after its life."""
        doubt = self._lifetimes.unproved_use(op, semantics.memory)
        if not doubt:
            return semantics
        maker, self._unknowns.maker = self._unknowns.maker, _NO_MAKER  # the same words may be right in one program only
        alive = ctx.unmodeled_truth(f"{op.name} uses memory that is alive")
        self._unknowns.maker = maker
        self._remember(alive.variables, op, doubt)
        return semantics.with_claims(Claim(UNMODELED, alive, doubt))

    def _unknown_bit(self, op: Operation, ctx: RuleContext, text: str, reason: Reason) -> Formula:
        """Return a truth that nothing is known of, one for both programs if an operation of both has this text."""
        maker = self._unknowns.maker
        shared = self._numbering.may_name(op, maker.number)
        self._unknowns.maker = maker._replace(name=f"{op.name}!{maker.number}!{text}") if shared else _NO_MAKER
        bit = ctx.unmodeled_truth(f"{op.name} is harmless")
        self._unknowns.maker = maker
        self._remember(bit.variables, op, reason)
        return bit

    def _fill_unmodeled(self, op: Operation, ctx: RuleContext, results: Sequence[Abstract]) -> tuple[Abstract, ...]:
        """Replace unmodeled results by fresh variables, made here under the name of this operation."""
        settled: list[Abstract] = []
        for value, result in zip(op.results, results, strict=False):
            if isinstance(result, Unmodeled):
                reason, result = result.reason, ctx.unknown(value)
                if reason:
                    self._remember(variables_of(result), op, reason)
            settled.append(result)
        return (*settled, *results[len(settled) :])

    def _remember(self, variables: frozenset[Variable], op: Operation, reason: Reason) -> None:
        self.unmodeled.update(dict.fromkeys(variables, prefixed(f"{op.name} of the {self._unknowns.side}: ", reason)))

    def _unmodeled_claims(self, op: Operation, ctx: RuleContext, reason: Reason) -> tuple[Claim, Claim]:
        """Return two claims on fresh bits for an operation's unmodeled requirements and checks."""
        maker, demanding = self._unknowns.maker, self._numbering.demanding(op)
        if maker.name is None and demanding is not None:
            self._unknowns.maker = maker._replace(name=f"{op.name}?{demanding}")
        safe, goes_on = (ctx.unmodeled_truth(f"{op.name} {goes}") for goes in ("is safe", "goes on"))
        self._unknowns.maker = maker
        self._remember(safe.variables | goes_on.variables, op, reason)
        return (
            Claim(UNMODELED, safe, f"what {op.name} demands is not all modeled"),
            Claim(UNMODELED, goes_on, f"whether {op.name} stops is not modeled", Kind.CHECK),
        )

    def _with_regions(
        self, op: Operation, ctx: RuleContext, semantics: OpSemantics, maker: _Maker, before: _Maker
    ) -> OpSemantics:
        """Attribute variables made between the runs of the regions to this operation, until it is done."""
        for run in semantics.regions:
            if run.region not in op.regions:
                self._numbering.enter_called(run.region, maker.number)
        inner = semantics.results.compute

        def finish(yields: Yields) -> tuple[Abstract, ...]:
            self._unknowns.maker = maker.at("results")
            try:
                self._poison.leave(op, ctx, (run.region for run in semantics.regions))
                return self._fill_unmodeled(op, ctx, semantics.results.values if inner is None else inner(yields))
            finally:
                self._unknowns.maker = before

        self._unknowns.maker = maker.at("regions")
        return replace(semantics, results=replace(semantics.results, compute=finish))


def _ends_are_known(function: Function, registry: RuleRegistry) -> bool:
    """Return whether a rule describes every terminator of the body; any other may return something else."""
    blocks = () if function.body is None else function.body.blocks
    return all(block.operations[-1].name in registry for block in blocks if block.operations)


def _not_described(op: Operation, ctx: RuleContext) -> OpSemantics:
    raise UnknownValueError(MissingSemantics.NO_RULE)


def _unknown_semantics(op: Operation, ctx: RuleContext, reason: Reason, unmodeled: tuple[Claim, ...]) -> OpSemantics:
    """Return the semantics of an unknown operation: it may be undefined, may stop, and returns anything."""
    runs = tuple(
        GenericIteration(
            region=region,
            arguments=tuple(ctx.unknown(argument) for argument in region.blocks[0].arguments),
            approximate=f"{op.name} is not modeled",
        )
        for region in op.regions
        if region.blocks
    )
    return OpSemantics(
        tuple(Unmodeled(reason) for _ in op.results),
        requires=unmodeled,
        regions=runs,
        approximations=Approximations((reason,), frozenset()),
    )
