"""Symbolic execution of one function, in program order, into a Trace.

The interpreter applies rules and knows no operation by name. Where a rule has no answer, results become fresh
variables, and an Approximation is recorded.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from shapesolve.deadline import NEVER, Deadline
from shapesolve.domain.fresh_variables import FreshVariables, variables_of
from shapesolve.domain.values import Abstract, ListValue, UnknownValue, Unmodeled
from shapesolve.interpreter.call_paths import CallPaths
from shapesolve.interpreter.callees import CalleeCache
from shapesolve.interpreter.control_flow import CfgInterpreter
from shapesolve.interpreter.fold_queries import FoldQueries
from shapesolve.interpreter.inputs import Inputs
from shapesolve.interpreter.loops.iterations import invariant
from shapesolve.interpreter.loops.loop_interpreter import LoopInterpreter
from shapesolve.interpreter.obligations import ObligationBuilder
from shapesolve.interpreter.operation_effects import EffectsRecorder, KeptEffects, ReadValues
from shapesolve.interpreter.poison import OpStart, PoisonTracking
from shapesolve.interpreter.state import Checkpoint, GuardingAssertions, Limits
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UbWeakening, UndefinedOps
from shapesolve.ir.control_flow import reachable_blocks, used_before_definition
from shapesolve.ir.data_flow import Provenance, aliased, data_provenance
from shapesolve.ir.program import Block, Function, Operation, Program, Region, Value
from shapesolve.preconditions.stated_contracts import KeptContract, StatedContract, StatedContracts, declared
from shapesolve.reasons import Limit, MissingSemantics, Reason
from shapesolve.semantics.context import KnownValues, ProgramLookup, RuleContext, UnknownValueError
from shapesolve.semantics.declared_types import check_declared_type
from shapesolve.semantics.op_semantics import Branch, Claim, OpSemantics, Yields
from shapesolve.semantics.regions import AtMostOnce, ForLoop, GenericIteration, Pass, RegionRun, UnrolledLoop, WhileLoop
from shapesolve.semantics.registry import Rule, RuleRegistry
from shapesolve.semantics.rule_errors import (
    RuleFailure,
    apply_rule,
    call_rule_part,
    result_count_mismatch,
    rule_failure,
)
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.derivations import begin, current
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.limits import TooLarge
from shapesolve.trace.events import (
    Approximation,
    CallSite,
    Enter,
    Event,
    Fact,
    FoldQuery,
    Iterations,
    Leave,
    MayNotReturn,
    OverflowAssumption,
    Source,
    Trace,
)
from shapesolve.trace.trust import NO_WRAP, OVERFLOW_TEXTS, ModelingAssumption

_log = logging.getLogger("shapesolve.interpreter")


@stage("walk")
def interpret(
    program: Program,
    inputs: Inputs,
    registry: RuleRegistry,
    undefined_ops: UndefinedOps = NO_UNDEFINED_OPS,
    deadline: Deadline = NEVER,
    kept: KeptEffects | None = None,
) -> Trace:
    """Interpret the function that the inputs belong to.

    Results of the ``undefined_ops`` are right only where these are defined. Operations that are met after the deadline
    are not modeled.

    Args:
        kept: The effects of operations in the last interpretation under these assumptions, which are repeated where
            they recur, and replaced by those of this one.
    """
    trace = _FunctionInterpreter(program, inputs, registry, undefined_ops, deadline, kept).run()
    _log.info(
        "@%s: %d operations reached, %d obligations, %d not modeled",
        *(trace.function.name, len(trace.reached), len(trace.obligations), len(trace.approximations)),
    )
    return trace


class _FunctionInterpreter(ProgramLookup):
    """State and main loop of the symbolic execution of one function."""

    def __init__(
        self,
        program: Program,
        inputs: Inputs,
        registry: RuleRegistry,
        undefined_ops: UndefinedOps,
        deadline: Deadline,
        kept: KeptEffects | None,
    ) -> None:
        self.program = program
        self.deadline = deadline
        self.inputs = inputs
        self.registry = registry
        is_certified = current() is not None
        is_kept = kept is not None and not is_certified and _has_one_block(inputs.function)
        self.values: dict[Value, Abstract] = KnownValues() if is_certified else ReadValues() if is_kept else {}
        self.unknowns: FreshVariables = inputs.unknowns
        self.iteration: tuple[Dim, ...] | None = None
        self._names_before = 0  # how many names were given before the operation at hand
        self.events: list[Event] = []
        self.approximations: list[Approximation] = []
        self.modeling: dict[ModelingAssumption, None] = dict.fromkeys(inputs.modeling)
        self.reached: dict[Operation, int] = {}
        self.reused: dict[Operation, int] = {}
        self.calls: list[Region] = []
        self.sites: tuple[CallSite, ...] = ()
        self.call_paths = CallPaths()
        self.guards = GuardingAssertions()
        self.obligations = ObligationBuilder(inputs.function.name, registry)
        self.positions: dict[Operation, int] = {}
        self.aliased = aliased(program)
        self.poison = PoisonTracking()
        self.limits = Limits(program)
        self.not_interpreted: set[Operation] = set()
        self.context = RuleContext(self)
        self.ub_weakening = UbWeakening(undefined_ops, self.unknowns, self.values)
        self.loops = LoopInterpreter(self)
        self.branching = CfgInterpreter(self, self.loops)
        self.callees = CalleeCache(self)
        self.branches: dict[Operation, tuple[Branch, ...]] = {}
        self.fold_queries = FoldQueries(program, self.values, registry, self.events)
        self.recorder: EffectsRecorder | None = None
        if kept is not None and isinstance(self.values, ReadValues):
            self.recorder = EffectsRecorder(self, self.values, kept)

    def asked_program(self) -> Program:
        if self.recorder is not None:
            self.recorder.asked_program = True
        return self.program

    def provenance_of(self, value: Value) -> Provenance:
        return data_provenance(self.asked_program()).get(value, Provenance())

    @property
    def contracts(self) -> StatedContracts:
        return declared(self.asked_program())

    def kept(self, contract: StatedContract) -> KeptContract | None:
        return self.inputs.kept(contract)

    @property
    def distrusts(self) -> bool:
        return self.inputs.distrust

    @property
    def computes_sizes_exactly(self) -> bool:
        return self.program.computes_sizes_exactly

    def wraps(self, op: Operation) -> bool:
        return bool(self.inputs.wrapping) and (op.name, op.location) in self.inputs.wrapping

    def run(self) -> Trace:
        function = self.inputs.function
        self.events.extend((*self.inputs.facts, *self.inputs.in_memory))
        results: tuple[Abstract, ...] | None = None
        if function.body is not None:
            if self.recorder is not None:
                self.recorder.begin(self.inputs.values)
            self.calls.append(function.body)
            results = self.branching.region(function.body, self.inputs.values)
        return Trace(
            function=function,
            inputs=self.inputs.values,
            input_variables=self.inputs.variables,
            events=tuple(self.events),
            assumed=len(self.inputs.facts),
            results=results,
            approximations=tuple(self.approximations),
            modeling_assumptions=tuple(self.modeling),
            reached=self.reached,
            reused=self.reused,
            values=self.values if self.recorder is None else dict(self.values),
            positions=self.positions,
            not_interpreted=frozenset(self.not_interpreted),
            arbitrary_values=self.ub_weakening.arbitrary,
            assumed_undefined=self.ub_weakening.assumed_undefined,
            ranges=self.unknowns.ranges,
        )

    # Regions -----------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> tuple[Abstract, ...] | None:
        """Interpret a block. Return what its terminator yields, if it ends the region."""
        interpret = self.interpret_operation
        if self.recorder is not None and not self.recorder.is_inside:
            interpret = self.recorder.interpret
        for op in block.operations[:-1]:
            interpret(op)
        if not block.operations:
            return None
        last = block.operations[-1]
        if last.results or last.regions or last.name in self.registry:
            interpret(last)
        return None if last.successors else tuple(self.context.value(operand) for operand in last.operands)

    def run_region(self, op: Operation, run: Pass) -> tuple[Abstract, ...] | None:
        """Interpret one pass through a region. Return what its terminator yields."""
        called = self.program.symbols.function_with(run.region)
        if called is not None:
            self._interpret_each_time()
        pending = None if called is None else self.callees.pending(op, called, run)
        earlier = None if pending is None else self.callees.earlier(pending)
        if earlier is not None:
            self.reused[op] = self.reused.get(op, 0) + 1
            return earlier.yielded
        reason = self._stop_reason(op, run.region, called)
        if reason:
            self.not_interpreted.add(op)
            self._interpret_each_time()
            self.events.append(MayNotReturn(op, str(reason)))
            if not self.callees.is_known_undecided(op, self.guards.guard_at(op)):
                self.add_unknown_requirement(op, reason)
                self.callees.mark_undecided(op, self.guards.guard_at(op))
            return None
        if len(run.arguments) != len(run.region.blocks[0].arguments if run.region.blocks else ()):
            run = self._havoc_arguments(op, run)
        outer, guards, sites = self.iteration, self.guards.here, self.sites
        self.guards.here = self.guards.guard_at(op)
        self.calls.append(run.region)
        if called is not None:
            self.sites = (*sites, CallSite(op, called, run.arguments))
        condition = None
        if run.condition is not TRUE:
            condition = Fact(run.condition, Source.BRANCH, run.because or f"inside {op.name}", op.location)
        self.poison.enter(op, run)
        match run:
            case AtMostOnce():
                self.events.append(Enter(condition, iteration=run.iteration))
            case GenericIteration():
                self.iteration = run.iteration if run.iteration is not None else outer
                self.events.append(Enter(condition, run.approximate, repeats=True, of=op, is_sequential=run.in_order))
                if run.kept is not None:
                    self.events.append(invariant(run.kept, op))
            case _:
                assert_never(run)
        yielded = self.branching.region(run.region, run.arguments)
        self.events.append(Leave(run.runs, self._iterations(run)))
        self.calls.pop()
        self.iteration, self.guards.here, self.sites = outer, guards, sites
        if pending is not None:
            self.callees.keep(pending, yielded)
        return yielded

    def _stop_reason(self, op: Operation, region: Region, called: Function | None) -> str:
        reason = self.limits.stop_reason(region, self.calls, self.callees.times_reinterpreted(op))
        return reason if reason or called is None else self.call_paths.follow(self.sites, op)

    def _iterations(self, run: Pass) -> Iterations | None:
        """Return the iterations that all have run where this pass ends, if their numbers are known."""
        if not isinstance(run, GenericIteration) or run.approximate or run.is_followed or run.runs is None:
            return None
        varying = self.unknowns.names_after(self._names_before)
        numbers = [variable for each in (*run.arguments, *(run.iteration or ())) for variable in variables_of(each)]
        own = {each.name for each in numbers} & varying & self.unknowns.ranges.keys()
        ranges = {name: self.unknowns.ranges[name] for name in own}
        bounds = {variable.name for each in ranges.values() for size in each for variable in size.variables}
        return Iterations(ranges, varying) if ranges and bounds.isdisjoint(varying) else None

    def _havoc_arguments(self, op: Operation, run: Pass) -> Pass:
        wanted = run.region.blocks[0].arguments if run.region.blocks else ()
        rule = self.registry.get(op.name)
        assert rule is not None  # only a rule makes a region run
        failure = rule_failure(rule, f"it gave {len(run.arguments)} values to a block of {len(wanted)} arguments")
        self.add_rule_failure(op, failure)
        return replace(run, arguments=tuple(self.havoc(argument, op, str(failure)) for argument in wanted))

    def _run(self, op: Operation, run: RegionRun) -> tuple[Abstract, ...] | None:
        match run:
            case AtMostOnce() | GenericIteration():
                return self.run_region(op, run)
            case UnrolledLoop():
                with self.ub_weakening.inside_loop():
                    return self.loops.interpret_unrolled(op, run)
            case ForLoop() | WhileLoop():
                with self.ub_weakening.inside_loop():
                    return self.loops.interpret_carrying(op, run)
            case _:
                assert_never(run)

    # Operations --------------------------------------------------------------------------------------------------

    def interpret_operation(self, op: Operation) -> None:
        """Interpret one operation, and what is nested in it."""
        self.limits.visits += 1
        self.reached[op] = self.reached.get(op, 0) + 1
        self.obligations.visit(op)
        begin()
        rule = self.registry.get(op.name)
        since = OpStart(self.unknowns, self.unknowns.count, self.events, len(self.events))
        outer, self._names_before = self._names_before, since.count
        try:
            if rule is None:
                runs = self._interpret_unmodeled(op, MissingSemantics.NO_RULE)
            else:
                runs = self._within_limits(op, rule)
            free = self.poison.leave(op, runs, self.values, since)
            if free:
                self.approximations.append(
                    Approximation(op.name, self.poison.reason(op), op.location, free, True, True)
                )
        finally:
            self._names_before = outer
        self.positions[op] = len(self.events)

    def _interpret_each_time(self) -> None:
        """Note that the operation at hand must be interpreted each time."""
        if self.recorder is not None:
            self.recorder.may_recur = False

    def _within_limits(self, op: Operation, rule: Rule) -> Sequence[RegionRun]:
        """Apply a rule; leave the operation undecided after the deadline, or if its results are too large."""
        if self.deadline.passed:
            return self._leave_undecided(op, rule, Limit.TIME)
        before = Checkpoint(self, op)
        try:
            return self._by_rule(op, rule)
        except TooLarge as limit:
            before.roll_back(self)
            return self._leave_undecided(op, rule, limit.message)

    def _by_rule(self, op: Operation, rule: Rule) -> Sequence[RegionRun]:
        try:
            semantics = apply_rule(rule, op, self.context)
        except UnknownValueError as reason:
            cause = next((each for each in reason.args if isinstance(each, MissingSemantics)), str(reason))
            self._interpret_unmodeled(op, cause)
            if isinstance(reason, RuleFailure):
                self.add_rule_failure(op, reason)
            return ()
        self._apply(op, rule, semantics)
        return semantics.regions

    def _apply(self, op: Operation, rule: Rule, semantics: OpSemantics) -> None:
        if semantics.results.is_poison:
            self.poison.begin(op)
        defined, since = TRUE, len(self.events)
        if self.ub_weakening.undefined_ops.ops:
            semantics, defined = self.ub_weakening.weaken_semantics(op, semantics)
        source = Source.INVARIANT if semantics.ensures.are_invariants else Source.DEFINITION
        self.events.extend(
            Fact(formula, source, because, op.location) for formula, because in semantics.ensures.operand_facts
        )
        for claim in semantics.requires.claims:
            self.add_obligation(op, claim)
        self.events.extend(Fact(formula, source, because, op.location) for formula, because in semantics.ensures.facts)
        for formula, because in semantics.ensures.declared:
            self.events.append(Fact(formula, Source.ASSUMPTION, because, op.location))
        if semantics.assumes.no_overflow is not TRUE:
            self.events.append(
                OverflowAssumption(
                    semantics.assumes.no_overflow,
                    f"{op.name} {semantics.assumes.overflow_effect}",
                    op.location,
                    op.name,
                    assumed=next(filter(semantics.assumes.modeling.__contains__, OVERFLOW_TEXTS), NO_WRAP),
                )
            )
        given = self.guards.guard_at(op)
        self.events.extend(FoldQuery(condition, op, guard=given) for condition in semantics.folds.queries)
        self.events.extend(replace(each, guard=given) for each in self.fold_queries.before(op, semantics))
        for reason, free in semantics.approximations.causes:
            self.approximate(op, reason, free, demands_known=bool(semantics.approximations.variables))
        if semantics.requires.unknown:
            self.approximate(op, semantics.requires.unknown, frozenset())
        if semantics.successors.may_not_return:
            self.events.append(MayNotReturn(op, semantics.successors.may_not_return))
        self.modeling.update(dict.fromkeys(semantics.assumes.modeling))
        self.branches[op] = semantics.successors.edges
        yields = [self._run(op, run) for run in semantics.regions]
        self._set_results(op, semantics, self._results(op, rule, semantics, yields), defined, since)
        self.guards.guard(op, semantics)

    def _results(self, op: Operation, rule: Rule, semantics: OpSemantics, yields: Yields) -> Sequence[Abstract]:
        finish = semantics.results.compute
        if finish is None:
            return semantics.results.values
        try:
            results = call_rule_part(rule, lambda: finish(yields))
            if len(results) != len(op.results):
                raise rule_failure(rule, result_count_mismatch(results, op))
        except UnknownValueError as reason:
            if isinstance(reason, RuleFailure):
                self.add_rule_failure(op, reason)
            return tuple(Unmodeled(str(reason)) for _ in op.results)
        except TooLarge as limit:
            return tuple(Unmodeled(limit.message) for _ in op.results)
        return results

    def add_rule_failure(self, op: Operation, failure: RuleFailure) -> None:
        """Add an undecided obligation for an operation whose rule failed: its requirements are unknown."""
        self.add_unknown_requirement(op, str(failure), "T4", "what it demands is not known, because its rule failed")

    def _set_results(
        self, op: Operation, semantics: OpSemantics, results: Sequence[Abstract], defined: Formula, since: int
    ) -> None:
        settled: list[Abstract] = []
        declared: list[list[Claim]] = []
        for value, result in zip(op.results, results, strict=True):
            if isinstance(result, Unmodeled):
                known, claims = self.havoc(value, op, result.reason), list[Claim]()
            else:
                known, claims = check_declared_type(value, result)
            for claim in claims:
                self.add_obligation(op, claim)
            settled.append(known)
            declared.append(claims)
        if self.ub_weakening.undefined_ops.ops:
            settled, facts = self.ub_weakening.weaken_results(op, semantics, defined, settled, declared)
            self.events.extend(Fact(formula, Source.DEFINITION, because, op.location) for formula, because in facts)
        for value, known in zip(op.results, settled, strict=True):
            self.values[value] = known
        asked = self.fold_queries.after(op, semantics, [each for claims in declared for each in claims], since)
        self.events.extend(replace(each, guard=self.guards.guard_at(op)) for each in asked)

    def add_obligation(self, op: Operation, claim: Claim) -> None:
        if self.sites:
            self.call_paths.add_claim(self.sites, claim.formula)
        guard = self.guards.guard_at(op)
        self.events.append(self.obligations.obligation(op, claim, self.reached[op], guard, self.sites))

    # What is not modeled ----------------------------------------------------------------------------------------

    def _interpret_unmodeled(self, op: Operation, reason: Reason) -> tuple[()]:
        self._interpret_each_time()
        free: set[Variable] = set()
        self.fold_queries.forget(op)
        if self.registry.get(op.name) is None:  # it may change the lists that it is given
            self.values.update(
                (each, UnknownValue()) for each in op.operands if isinstance(self.values.get(each), ListValue)
            )
        for value in op.results:
            result = self.ub_weakening.unknown(self.unknowns.of_type(value.type, value.name, contents=True))
            free |= variables_of(result)
            self.values[value] = result
        self.approximate(op, reason, frozenset(free))
        self.events.append(MayNotReturn(op, str(reason)))
        for region in op.regions:
            reached, dead = reachable_blocks(region)
            for value in used_before_definition(reached):
                self.values[value] = self.havoc(value, op, reason)
            for block in reached:
                self.events.append(Enter(None, approximate=f"{op.name} is not modeled"))
                for argument in block.arguments:
                    self.values[argument] = self.havoc(argument, op, reason)
                self.block(block)
                self.events.append(Leave(None))
            self.branching.interpret_dead_blocks(dead)
        return ()

    def _leave_undecided(self, op: Operation, rule: Rule, reason: Reason) -> Sequence[RegionRun]:
        self.obligations.visit(op)
        runs = self._interpret_unmodeled(op, reason)
        if rule.has_requirements:
            self.add_unknown_requirement(op, reason)
        return runs

    def add_unknown_requirement(self, op: Operation, reason: Reason, clause: str = "T3", message: str = "") -> None:
        """Add an obligation that is undecided: whether the operation is safe is unknown."""
        demands = self.unknowns.unmodeled_truth(f"{op.name} is safe")
        self.approximate(op, reason, demands.variables)
        self.add_obligation(op, Claim(clause, demands, message or f"{reason}, and so is not known to be safe"))

    def havoc(self, value: Value, op: Operation, reason: Reason) -> Abstract:
        """Return an unknown value of a value's type, with an approximation for the reason."""
        unknown = self.ub_weakening.unknown(self.unknowns.of_type(value.type, value.name, contents=True))
        if reason and variables_of(unknown):
            self.approximate(op, reason, variables_of(unknown), demands_known=True)
        return unknown

    def approximate(
        self, op: Operation, reason: Reason, free: frozenset[Variable], *, demands_known: bool = False
    ) -> None:
        """Record that an operation is not modeled exactly, and the variables that are free because of it."""
        self.approximations.append(Approximation(op.name, reason, op.location, free, demands_known))


def _has_one_block(function: Function) -> bool:
    return function.body is not None and len(function.body.blocks) == 1
