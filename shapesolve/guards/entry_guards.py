"""Guards at a function's entry, and the removal of every check that they prove.

A condition is checked at the entry only if it is proved that wherever it does not hold, the function fails or is
undefined before it has any effect that others see. So a run that would have failed fails earlier, one that was
undefined stops with a message, and every other run does what it did.

The assumptions on a function (`shapesolve.assume`, `--assume`, `--min-size`, names of sizes) are about calls from
outside. A guard that only follows under them would stop a call from inside which returned.

Of checks `a < 2**31` and `b < 2**31` and, of sizes that are at least 1, `a*b <= 100` the last one implies the others in
whole numbers. A guard computes `a*b` in 64 bits: 2**32 times 2**32 is 0 there, and passes. So a check of the program
follows from the guards only where it does whatever the products are; `overflow_guards` adds those that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from shapesolve.checker.check import trace_of
from shapesolve.checker.obligation_checker import Progress
from shapesolve.contracts.contract import Condition, FunctionContract
from shapesolve.contracts.inference import contract_of
from shapesolve.contracts.weakest_preconditions import Precondition, weakest_preconditions
from shapesolve.guards.comparisons import known_from, may_overflow
from shapesolve.guards.condition_builder import ConditionWriter
from shapesolve.guards.dialects import IndexTerms, Insertion, NotExpressibleError, StablehloTerms, Terms, WitnessTerms
from shapesolve.guards.guarded_bodies import require_one_block, wrap
from shapesolve.guards.stated_facts import computed_in_every_run, stated_in_every_run
from shapesolve.guards.value_sources import value_sources
from shapesolve.guards.verification import mismatched_guards, prepared, pruned_with_guards, renamed, selected_functions
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.control_flow import called_function, places_in
from shapesolve.ir.program import Function, Operation, Program, ShapedType, Value, is_buffer
from shapesolve.options import Options
from shapesolve.pruning.justifications import OpaqueProducts
from shapesolve.pruning.result import InsertedCheck, Prepared, PruneResult
from shapesolve.reasons import listed
from shapesolve.semantics.effects import ANY_RESULT
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.shape_functions.registries import registry_for
from shapesolve.simplification.empty_tensors import unless_empty
from shapesolve.simplification.simplify import condition_text, shortest
from shapesolve.solver.entailment import divides_by_sizes, entails
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjuncts
from shapesolve.trace.events import Kind, Obligation, Trace, assumes
from shapesolve.trace.visitor import enclosing_regions

STYLES: dict[str, type[Terms]] = {"cf": IndexTerms, "shape": WitnessTerms, "stablehlo": StablehloTerms}
"""The terms in which guards can be written, by name."""

EARLIER = (
    "a run that would have failed stops at the entry, one that would have been undefined stops with a message, and "
    "every other run does what it did"
)
PARTLY = (
    "a run that stops at the entry would have failed or been undefined, and every other run does what it did, which "
    "may be to fail or to be undefined later"
)


def prune_at_entry(
    program: Program, options: Options, style: str = "cf", progress: Progress | None = None
) -> PruneResult:
    """Prune a program that was read from text, with its requirements checked at its entry.

    Args:
        style: The terms of the guards, a key of `STYLES`.

    Raises:
        InputError, RewriteError: As for `prune_program`.
    """
    functions = selected_functions(program, options, style, STYLES)
    plans = [plan_of(program, each, options, progress) for each in functions]
    bare = options.without_assumptions()
    draft = _drafted(program, plans, options, style)
    while draft is not None:
        wrong = _rejected_guards(draft, plans, options, bare)
        if not wrong:
            break
        for number, why in wrong.items():
            check = draft.ready.written[number]
            plan = next(each for each in plans if each.name == check.function)
            plan.leave(check.condition, why)
        draft = _drafted(program, plans, options, style)
    result = pruned_with_guards(program, draft and draft.ready, options)
    return replace(result, noted=(*_notes(plans, result), *result.noted))


@dataclass(slots=True)
class _Draft:
    """A program with guards at its entries.

    Attributes:
        ready: The program, ready to be pruned.
        formulas: The formula that each guard should check, by number.
    """

    ready: Prepared
    formulas: dict[int, Formula] = field(default_factory=dict[int, Formula])


def _rejected_guards(draft: _Draft, plans: Sequence[EntryPlan], options: Options, bare: Options) -> dict[int, str]:
    """Return the numbers of the guards that must not be written, with the reasons."""
    traces = [each.trace for each in plans if each.conditions]
    stopping = stopping_calls(draft.ready, draft.formulas, plans, options)
    return dict.fromkeys(stopping, "it might stop a call inside of the program, which need not be as is assumed") | (
        dict.fromkeys(
            mismatched_guards(draft.ready, draft.formulas, traces, bare),
            "what would be written is not proved to mean the same",
        )
    )


def _drafted(program: Program, plans: Sequence[EntryPlan], options: Options, style: str) -> _Draft | None:
    """Return the program with the planned guards; None if there are none."""
    insertion = Insertion.of(program)
    written: dict[int, InsertedCheck] = {}
    formulas: dict[int, Formula] = {}
    for plan in plans:
        live = insertion.live[plan.trace.function.operation.number]
        _insert(insertion, live, plan, STYLES[style], written, formulas)
    if not formulas:
        return None
    return _Draft(prepared(program, insertion, written, [each.contract.report for each in plans], options), formulas)


def _insert(
    insertion: Insertion,
    function: Bindings,
    plan: EntryPlan,
    style: type[Terms],
    written: dict[int, InsertedCheck],
    formulas: dict[int, Formula],
) -> None:
    """Insert a function's conditions before its first operation."""
    if not plan.conditions:
        return
    block = function.regions[0].blocks[0]
    before = next(iter(block.operations)).operation
    terms = style(insertion, before)
    arguments = zip(plan.trace.inputs, block.arguments, plan.trace.function.arguments, strict=True)
    checked = [fact.formula for fact in plan.contract.report.assumptions]
    values = ((value, live, each.type) for value, live, each in arguments)
    sources = value_sources(values, stated_in_every_run(plan.trace))
    is_known = known_from(checked)
    writer = ConditionWriter(terms, sources, is_known, computed_in_every_run(plan.trace))
    checks: list[Bindings] = []
    # What says that a divisor is positive stands before what divides by it, and what bounds a sum before the sum.
    planned = sorted(plan.conditions, key=lambda each: (divides_by_sizes(each.formula), may_overflow(each.formula)))
    weaker: list[Condition] = []
    for condition in chain(planned, weaker):  # the list grows on the way
        is_planned = all(each is not condition for each in weaker)
        if not is_planned and is_known(condition.formula, ()):
            continue
        try:
            if style is WitnessTerms:
                require_one_block(function)
            truth = writer.write(condition.formula)
        except NotExpressibleError as reason:
            if is_planned:
                plan.leave(condition.text, f"it cannot be written there: {reason}")
                weaker += plan.implied_by(condition)
            continue
        if not is_planned:
            plan.conditions.append(condition)
        if writer.is_exact:
            checked.append(condition.formula)
        message = _message(condition)
        checks.append(terms.require(truth, message))
        needed_by = dict.fromkeys((each.op.name, each.location) for each in condition.needed_by)
        split = unless_empty(condition.formula)
        shown = "" if split is None else split.text
        written[-insertion.inserted] = InsertedCheck(plan.name, condition.text, message, tuple(needed_by), shown=shown)
        formulas[-insertion.inserted] = condition.formula
    if checks and style is WitnessTerms:
        wrap(insertion, function, checks)


_MOST_WORDS = 3
"""The most messages of the program's author in one check at the entry."""


def _message(condition: Condition) -> str:
    """Return the condition, after the messages of the program's author for what needs it.

    A message that ends in the condition is that of an earlier check at the entry, and says it already.
    """
    reasons = dict.fromkeys(words for each in condition.needed_by if (words := each.authors_words))
    words = list(islice(reasons, _MOST_WORDS))
    is_said = any(each == condition.text or each.endswith(f": {condition.text}") for each in words)
    return ": ".join(words if is_said else [*words, condition.text])


def _notes(plans: Sequence[EntryPlan], result: PruneResult) -> tuple[str, ...]:
    notes: list[str] = []
    if any(each.conditions for each in plans):
        notes.append(PARTLY if result.kept or result.still_open else EARLIER)
    for plan in plans:
        if plan.contract.hopeless:
            notes.append(f"@{plan.name}: nothing is checked at its entry, because no sizes are safe")
        left: dict[str, list[str]] = {}
        for text, why in plan.left.items():
            left.setdefault(why, []).append(f"`{text}`")
        for why, texts in left.items():
            is_or_are = "is" if len(texts) == 1 else "are"
            notes.append(f"@{plan.name}: {listed(texts)} {is_or_are} not checked at the entry: {why}")
    return tuple(notes)


@dataclass(slots=True)
class EntryPlan:
    """The guards for the entry of one function.

    Attributes:
        contract: The function's contract.
        conditions: The conditions to check at the entry.
        left: The other conditions' texts, with the reasons.
        early: The exact preconditions of what fails before any observable effect.
    """

    contract: FunctionContract
    conditions: list[Condition] = field(default_factory=list[Condition])
    left: dict[str, str] = field(default_factory=dict[str, str])
    early: Sequence[Precondition] = ()

    @property
    def name(self) -> str:
        return self.contract.name

    @property
    def trace(self) -> Trace:
        """The function's trace without the conditions."""
        return self.contract.report.trace

    def leave(self, text: str, why: str) -> None:
        """Drop a condition from the entry."""
        self.conditions = [each for each in self.conditions if each.text != text]
        self.left[text] = why

    def implied_by(self, condition: Condition) -> list[Condition]:
        """Return what single operations demand and a condition, beside the others, implies: weaker conditions."""
        scope, known = scope_of(self.trace), [condition.formula, *(each.formula for each in self.conditions)]
        return [
            Condition(each.formula, condition_text(each.formula, scope), (each.obligation,), necessary=True)
            for each in self.early
            if each.formula is not condition.formula and entails(each.formula, known)
        ]


def plan_of(program: Program, function: Function, options: Options, progress: Progress | None) -> EntryPlan:
    """Plan guards for the conditions without which something fails before any observable effect."""
    plan = EntryPlan(contract_of(program, function, options, progress))
    first = first_observable_effect(program, plan.trace, registry_for(program, options))
    needed = _needed(plan.contract)
    plan.early = _before(needed, plan.trace, first)
    for condition in (*overflow_guards(plan.contract, needed), *plan.contract.conditions):
        if not condition.necessary:
            plan.left[condition.text] = "it is not proved that something fails wherever it does not hold"
        elif first is not None and not _fails_before(condition, plan.contract, needed, first):
            line = f" (line {first.location.line})" if first.location.line else ""
            plan.left[condition.text] = f"what fails comes after {first.name}{line}, whose effect callers can see"
        else:
            plan.conditions.append(condition)
    if plan.left:
        weaker = _weaker_conditions(plan)
        plan.conditions += weaker
        for each in weaker:
            plan.left.pop(each.text, None)
    return plan


def _before(needed: Sequence[Precondition], trace: Trace, first: Operation | None) -> list[Precondition]:
    """Return the preconditions of what fails before the first observable effect."""
    is_before = None if first is None else precedes_effects(trace, first)
    return [each for each in needed if is_before is None or is_before(each.obligation)]


def _weaker_conditions(plan: EntryPlan) -> list[Condition]:
    """Return weaker conditions that fail early: of `k >= 1`, which does not go to the entry, perhaps `k >= 0`."""
    known = [fact.formula for fact in plan.contract.report.assumptions]
    there = [*known, *(each.formula for each in plan.conditions)]
    open = [each for each in plan.early if not entails(each.formula, there)]
    if not open:
        return []
    scope = scope_of(plan.trace)
    found = [each for each in shortest([each.formula for each in open], there, scope) if not entails(each, there)]
    return [
        Condition(
            each,
            condition_text(each, scope),
            tuple(demand.obligation for demand in open if demand.formula.variables & each.variables),
            necessary=True,
        )
        for each in found
        if entails(each, [*known, *(demand.formula for demand in plan.early)])
    ]


def _needed(contract: FunctionContract) -> list[Precondition]:
    """Return the exact preconditions of unproved obligations: wherever one does not hold, something fails."""
    unproved = {each.obligation for each in contract.report.checked_obligations if not isinstance(each.verdict, Proved)}
    stated = [*weakest_preconditions(contract.report.trace).values(), *contract.preconditions]
    return [each for each in stated if each.exact and each.obligation in unproved]


def _fails_before(
    condition: Condition, contract: FunctionContract, needed: Sequence[Precondition], first: Operation
) -> bool:
    """Return whether something fails before the first observable effect wherever the condition is false."""
    is_before = precedes_effects(contract.report.trace, first)
    known = [fact.formula for fact in contract.report.assumptions]
    early = [each.formula for each in needed if is_before(each.obligation)]
    return entails(condition.formula, [*known, *early])


def stopping_calls(
    prepared: Prepared, formulas: Mapping[int, Formula], plans: Sequence[EntryPlan], options: Options
) -> set[int]:
    """Return the numbers of the guards that may stop an internal call which would have returned."""
    bare = options.without_assumptions()
    found: set[int] = set()
    named = {each for functions in prepared.original.symbols.mentions().values() for each in functions}
    for plan in plans:
        if plan.conditions and assumes(plan.trace) and plan.trace.function in named:
            found |= _stopping(prepared, formulas, plan.trace.function, bare)
    return found


def _stopping(prepared: Prepared, formulas: Mapping[int, Formula], function: Function, bare: Options) -> set[int]:
    before = trace_of(prepared.original, function, bare, required_only=True)
    after = trace_of(prepared.program, prepared.program.functions[function.name], bare, required_only=True)
    needed = [*(fact.formula for fact in before.assumptions), *_demanded(prepared.original, before, bare)]
    found: set[int] = set()
    for obligation in after.obligations:
        number = prepared.originals[obligation.op.number]
        if number in formulas and obligation.kind is Kind.CHECK and not obligation.calls:
            claim = renamed(obligation, after, before)
            if claim is None or not entails(claim, needed):
                found.add(number)
    return found


def _demanded(program: Program, trace: Trace, options: Options) -> list[Formula]:
    """Return the exact preconditions of what precedes every observable effect: where one is false, something fails."""
    is_before = precedes_effects(trace, first_observable_effect(program, trace, registry_for(program, options)))
    return [each.formula for each in weakest_preconditions(trace).values() if each.exact and is_before(each.obligation)]


def overflow_guards(contract: FunctionContract, needed: Sequence[Precondition]) -> list[Condition]:
    """Return the program's checks that do not follow from the contract if products are arbitrary numbers.

    Args:
        needed: The exact preconditions of unproved obligations.
    """
    opaque = OpaqueProducts()
    known = [opaque.formula(fact.formula) for fact in contract.report.assumptions]
    written = [opaque.formula(each.formula) for each in contract.conditions]
    if not opaque.found:
        return []
    scope = scope_of(contract.report.trace)
    guards: list[Condition] = []
    for demand in needed:
        for part in conjuncts(demand.formula) if demand.obligation.kind is Kind.CHECK else ():
            alike = opaque.formula(part)
            if not entails(alike, [*known, *written]):
                written.append(alike)
                guards.append(Condition(part, condition_text(part, scope), (demand.obligation,), necessary=True))
    return guards


def first_observable_effect(program: Program, trace: Trace, registry: RuleRegistry) -> Operation | None:
    """Return the first operation of a trace with an observable effect; None if there is none."""
    seen = _Seen(program, trace, registry)
    return next((op for op in trace.reached if seen.is_seen(op)), None)


def precedes_effects(trace: Trace, first: Operation | None) -> Callable[[Obligation], bool]:
    """Return a predicate: whether an obligation always precedes the first observable effect."""
    if first is None:
        return lambda obligation: True
    order = {op: number for number, op in enumerate(trace.reached)}  # in the order of the first visits
    around = enclosing_regions(trace)

    def is_before(obligation: Obligation) -> bool:
        op = obligation.op
        once = trace.reached[op] == 1 and not any(scope.enter.repeats for scope in around[obligation])
        return once and order[op] <= order[first]

    return is_before


class _Seen:
    """Finds operations with effects that a caller can observe."""

    def __init__(self, program: Program, trace: Trace, registry: RuleRegistry) -> None:
        self._program = program
        self._trace = trace
        self._rulebook = registry
        self._makers = places_in(program).makers

    def is_seen(self, op: Operation) -> bool:
        """Return whether an operation changes more than its results and buffers that the function made itself."""
        if not self._rulebook.effects(op).writes or op.successors:
            return False
        called = called_function(self._program, op)
        if called is not None and called.body is not None and op not in self._trace.not_interpreted:
            return False  # what the callee does is looked at there
        buffers = [each for each in op.operands if is_buffer(each.type)]
        return not buffers or op.name not in self._rulebook or not all(map(self._is_own, buffers))

    def _is_own(self, buffer: Value) -> bool:
        """Return whether a buffer is allocated here from nothing outside, or is a view of such a one."""
        maker = self._makers.get(buffer)
        if maker is None or maker.regions:
            return False
        shaped = [each for each in maker.operands if isinstance(each.type, ShapedType)]
        if not shaped:
            return self._rulebook.effects(maker) == ANY_RESULT  # it holds whatever was there before
        return all(is_buffer(each.type) and self._is_own(each) for each in shaped)
