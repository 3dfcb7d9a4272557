"""Guards in front of possibly undefined operations, as few as suffice; implied checks are removed.

An operation's requirement is decided where everything before it has held. So what follows from earlier guards, or from
the checks of the program, is not written again. A requirement is stated over the operation's own operands, whatever
they are: the same however often it runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from shapesolve.checker.check import check_function
from shapesolve.checker.obligation_checker import Progress
from shapesolve.checker.report import FunctionReport
from shapesolve.domain.fresh_variables import FreshVariables, variables_of
from shapesolve.domain.values import Abstract, Unmodeled
from shapesolve.guards.comparisons import known_from
from shapesolve.guards.condition_builder import ConditionWriter
from shapesolve.guards.dialects import IndexTerms, Insertion, NotExpressibleError, StablehloTerms, Terms
from shapesolve.guards.value_sources import value_sources
from shapesolve.guards.verification import Guard, prepared, pruned_with_guards, selected_functions, unimplied_guards
from shapesolve.ir.bindings import Bindings, verifies
from shapesolve.ir.control_flow import places_in
from shapesolve.ir.data_flow import Provenance, aliased
from shapesolve.ir.program import SHAPE_TYPE, SIZE_TYPE, Function, Operation, Program, Value
from shapesolve.options import Options
from shapesolve.preconditions.stated_contracts import KeptContract, StatedContract, declared
from shapesolve.pruning.result import InsertedCheck, Prepared, PruneResult
from shapesolve.reasons import listed
from shapesolve.semantics.context import ProgramLookup, RuleContext, UnknownValueError
from shapesolve.semantics.declared_types import check_declared_type
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Claim
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.semantics.rule_errors import apply_rule
from shapesolve.shape_functions.registries import registry_for
from shapesolve.simplification.comparisons import canonical
from shapesolve.simplification.empty_tensors import unless_empty
from shapesolve.simplification.quantifier_elimination import of_all
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver import budgets
from shapesolve.solver.entailment import divides_by_sizes, entails, not_implied
from shapesolve.solver.verdicts import Refuted, Undecided
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.visitors import has_division
from shapesolve.trace.events import Kind

STYLES: Mapping[str, type[Terms]] = {"cf": IndexTerms, "stablehlo": StablehloTerms}
"""The terms in which guards can be written in place, by name."""

COMBINING = "scf.forall.in_parallel"
"""Terminator of an iteration that may hold nothing but its writes to the shared tensors."""


def harden(program: Program, options: Options, style: str = "cf", progress: Progress | None = None) -> PruneResult:
    """Insert guards into a program that was read from text, before what may be undefined, and prune it.

    Raises:
        InputError, RewriteError: As for `prune_program`.
    """
    functions = selected_functions(program, options, style, STYLES)
    quiet = replace(options, execute=False, certify=False)
    reports = [check_function(program, each, quiet, progress) for each in functions]
    plan = _planned(program, reports, options)
    bare = options.without_assumptions()
    draft = _drafted(program, plan, reports, options, STYLES[style])
    while draft.guards:
        wrong = unimplied_guards(draft.ready, draft.guards, [each.trace.function for each in reports], bare)
        if not wrong:
            break
        for number in wrong:
            plan.leave(draft.guards[number], "what would be written is not proved to follow from what it demands")
        draft = _drafted(program, plan, reports, options, STYLES[style])
    result = pruned_with_guards(program, draft.ready if draft.guards else None, options)
    left: dict[str, list[str]] = {}
    for op, why in plan.left:
        left.setdefault(why, []).append(f"{op.name} (line {op.location.line})")
    notes = [f"no check is put before {listed(list(dict.fromkeys(ops)))}: {why}" for why, ops in left.items()]
    return replace(result, noted=(*notes, *result.noted))


@dataclass(slots=True)
class _Plan:
    """The guards to be written, in program order.

    Attributes:
        guards: The guards.
        left: Operations without a guard, with the reasons.
    """

    guards: list[Guard] = field(default_factory=list[Guard])
    left: list[tuple[Operation, str]] = field(default_factory=list[tuple[Operation, str]])

    def leave(self, guard: Guard, why: str) -> None:
        self.guards.remove(guard)
        self.left.append((guard.op, why))


def _planned(program: Program, reports: list[FunctionReport], options: Options) -> _Plan:
    plan = _Plan()
    registry = registry_for(program, options)
    local = LocalClaims(program, registry)
    for op, keys in sorted(open_requirements(reports, registry).items(), key=lambda item: item[0].number):
        guards, left = guards_of(op, keys, local)
        plan.guards += guards
        plan.left += [(op, why) for why in left]
    return plan


@dataclass(slots=True)
class _Draft:
    """A program with guards.

    Attributes:
        ready: The program, ready to be pruned.
        guards: What each guard should check, by number.
    """

    ready: Prepared
    guards: dict[int, Guard]


def _drafted(
    program: Program, plan: _Plan, reports: list[FunctionReport], options: Options, style: type[Terms]
) -> _Draft:
    insertion = Insertion.of(program)
    owners = program.owners()
    written: dict[int, InsertedCheck] = {}
    guards: dict[int, Guard] = {}
    checked: dict[Operation, list[Formula]] = {}
    for guard in list(plan.guards):
        start, before = insertion.inserted, checked.setdefault(guard.op, [])
        try:
            is_exact = _insert(insertion, guard, _live_arguments(insertion, guard, owners.get(guard.op)), style, before)
        except NotExpressibleError as reason:
            insertion.roll_back(start)
            plan.leave(guard, str(reason))
            continue
        function = owners.get(guard.op)
        name = function.name if function is not None else ""
        if is_exact:
            before.append(guard.formula)
        needed_by = ((guard.op.name, guard.op.location),)
        guards[-insertion.inserted] = guard
        split = unless_empty(guard.formula)
        written[-insertion.inserted] = InsertedCheck(
            name, readable_claim(guard.formula), guard.message, needed_by, shown="" if split is None else split.text
        )
    return _Draft(prepared(program, insertion, written, reports, options), guards)


def _live_arguments(insertion: Insertion, guard: Guard, function: Function | None) -> dict[Value, Bindings]:
    """Return the live arguments of the function, and those of blocks inside it that a guard mentions."""
    if function is None:
        return {}
    live = insertion.live[function.operation.number].regions[0].blocks[0].arguments
    found = dict(zip(function.arguments, live, strict=True))
    missing = guard.operands.keys() - guard.makers.keys() - found.keys()
    for op in function.operation.walk() if missing else ():
        for region, live_region in zip(op.regions, insertion.live[op.number].regions, strict=True):
            for block, live_block in zip(region.blocks, live_region.blocks, strict=True):
                if not missing.isdisjoint(block.arguments):
                    found |= zip(block.arguments, live_block.arguments, strict=True)
    return found


def _insert(
    insertion: Insertion,
    guard: Guard,
    arguments: Mapping[Value, Bindings],
    style: type[Terms],
    checked: Sequence[Formula],
) -> bool:
    """Write a guard before its operation, and return whether no sum or product in it may overflow.

    Args:
        arguments: The live arguments of the function around it, and those of inner blocks that the guard mentions.
        checked: What the guards of the same operation before it check.

    Raises:
        NotExpressibleError: It cannot be written there.
    """
    live = insertion.live[guard.op.number]
    place = live.parent if live.parent.name == COMBINING else live
    terms = style(insertion, place)
    there = dict(zip(guard.op.operands, live.operands, strict=True))
    there |= {value: argument for value, argument in arguments.items() if value in guard.operands}
    for value, maker in guard.makers.items():
        there.setdefault(value, insertion.live[maker.number].results[maker.results.index(value)])
    sources = value_sources((abstract, there[value], value.type) for value, abstract in guard.operands.items())
    writer = ConditionWriter(terms, sources, known_from([*guard.known, *checked]))
    terms.require(writer.write(guard.formula), guard.message)
    if not verifies(place.parent):
        raise NotExpressibleError("MLIR accepts no check there")
    return writer.is_exact


_NOT_KNOWN = ("T3", "T4")
"""Clauses which say that the requirements of an operation are unknown."""


Key = tuple[str, str]
"""A claim of an operation, whatever it runs on: its clause and its message."""


def open_requirements(reports: Iterable[FunctionReport], registry: RuleRegistry) -> dict[Operation, dict[Key, None]]:
    """Return, by operation, the requirements that are not proved each time it runs.

    The checks of the program are not among them; those inside a shape function are.
    """
    found: dict[Operation, dict[Key, None]] = {}
    for report in reports:
        for checked_obligation in report.checked_obligations:
            obligation = checked_obligation.obligation
            rule = registry.get(obligation.op.name)
            is_demand = obligation.kind is not Kind.CHECK or (rule is not None and rule.is_shape_function)
            if is_demand and isinstance(checked_obligation.verdict, Refuted | Undecided):
                found.setdefault(obligation.op, {})[obligation.clause, obligation.requirement] = None
    return found


def guards_of(op: Operation, keys: Collection[Key], local: LocalClaims) -> tuple[list[Guard], list[str]]:
    """Return the guards for the unproved requirements of an operation, and the reasons for having no others."""
    found: dict[Key, Guard] = {}
    left: list[str] = []
    for key in keys:
        try:
            found[key] = _guard_of(op, key, keys, local)
        except UnknownValueError as reason:
            left.append(str(reason))
    return _needed(op, found, local) if len(found) > 1 and not left else [*found.values()], left


def _needed(op: Operation, guards: Mapping[Key, Guard], local: LocalClaims) -> list[Guard]:
    """Return the guards without what later ones of the operation, or its proved requirements, imply.

    A later guard may be all that protects its own division from a zero, so one that divides by a size makes none
    redundant.
    """
    claims, _ = local.of(op)
    proved = [each.formula for each in claims if (each.clause, each.message) not in guards]
    kept: list[Guard] = []
    for guard in reversed([*guards.values()]):
        later = [each.formula for each in kept if not has_division(each.formula)]
        facts = [*later, *proved]
        parts = [
            each for each in conjuncts(guard.formula) if not later or not entails(each, facts, budget=budgets.MEDIUM)
        ]
        if parts:
            kept.insert(0, replace(guard, formula=conjunction(parts)))
    return kept


def _guard_of(op: Operation, key: Key, unproved: Collection[Key], local: LocalClaims) -> Guard:
    """Return the guard for one of the unproved requirements of an operation.

    Raises:
        UnknownValueError: There is none; the text is the reason, as a phrase.
    """
    clause, message = key
    if clause in _NOT_KNOWN:
        raise UnknownValueError(message)
    for may_be_errors in (False, True):
        claims, operands = local.of(op, may_be_errors=may_be_errors)
        wanted = [each for each in claims if (each.clause, each.message) == key]
        formula = canonical(conjunction(each.formula for each in wanted))
        if not divides_by_sizes(formula):
            formula = conjunction(not_implied(conjuncts(formula), (), budgets.MEDIUM))
        if formula is not TRUE:
            text = wanted[0].whole_message if wanted else message
            # A later requirement may be proved by this one.
            before = takewhile(lambda each: (each.clause, each.message) != key, claims)
            known = tuple(each.formula for each in before if (each.clause, each.message) not in unproved)
            return Guard(op, formula, f"{op.name}: {text}", operands, local.makers_of(operands), known)
    raise UnknownValueError(f"`{message}` cannot be said of its operands alone")


_DEEPEST = 8
"""Largest number of nested operations through which constants, and what may be an error, are computed."""

_MAY_BE_ERRORS = (SHAPE_TYPE, SIZE_TYPE)


class _Values(dict[Value, Abstract]):
    def __missing__(self, value: Value) -> Abstract:
        raise UnknownValueError(f"it depends on {value.name}, which is no operand")


class LocalClaims:
    """Applies the rules of operations to operands of which only the types are known, constants apart."""

    def __init__(self, program: Program, registry: RuleRegistry) -> None:
        self._program = program
        self._rulebook = registry
        self._makers = places_in(program).makers
        self._exposed = aliased(program)

    def of(self, op: Operation, *, may_be_errors: bool = False) -> tuple[Sequence[Claim], Mapping[Value, Abstract]]:
        """Return an operation's claims with the abstract values of its operands and of other values in the claims.

        Args:
            may_be_errors: Compute operands that may be errors from the tensors and numbers that they come from, whose
                abstract values are returned in their place: whether a shape is an error cannot be asked of itself.

        Raises:
            UnknownValueError: No rule describes it, or it depends on more than these.
        """
        around = _Around(self._program, self._exposed)
        computed: set[Value] = set()
        try:
            for operand in dict.fromkeys((*op.operands, *_contract_arguments(op, around))):
                if may_be_errors:
                    self._trace_back(operand, around, computed, _DEEPEST)
                else:
                    around.values[operand] = self._operand(operand, around)
            operands = {value: abstract for value, abstract in around.values.items() if value not in computed}
            return self._claims(op, around), operands
        except TooLarge as limit:
            raise UnknownValueError(limit.message) from None

    def _claims(self, op: Operation, around: _Around) -> list[Claim]:
        rule = self._rulebook.get(op.name)
        if rule is None:
            raise UnknownValueError("no rule describes it")
        semantics = apply_rule(rule, op, RuleContext(around))
        claims = list(semantics.requires.claims)
        if semantics.results.compute is None:
            for value, result in zip(op.results, semantics.results.values, strict=True):
                if not isinstance(result, Unmodeled):
                    claims += check_declared_type(value, result)[1]
        return [replace(each, formula=of_all(each.formula, around.unknowns.ranges)) for each in claims]

    def makers_of(self, values: Iterable[Value]) -> dict[Value, Operation]:
        """Return the operations that make some values; arguments have none."""
        return {value: self._makers[value] for value in values if value in self._makers}

    def _trace_back(self, value: Value, around: _Around, computed: set[Value], depth: int) -> None:
        """Give a value that may be an error the abstract value that its operation computes, others one of their own."""
        if value in around.values:
            return
        op = self._makers.get(value)
        rule = None if op is None else self._rulebook.get(op.name)
        is_pure = op is not None and not op.regions and self._rulebook.effects(op) == PURE
        if op is not None and rule is not None and is_pure and depth and str(value.type) in _MAY_BE_ERRORS:
            for operand in op.operands:
                self._trace_back(operand, around, computed, depth - 1)
            semantics = apply_rule(rule, op, RuleContext(around))
            results = semantics.results.values
            if not semantics.requires.claims and not isinstance(found := results[op.results.index(value)], Unmodeled):
                around.values[value] = check_declared_type(value, found)[0]
                computed.add(value)
                return
        around.values[value] = self._operand(value, around)

    def _operand(self, value: Value, around: _Around) -> Abstract:
        constant = self._constant(value, around, _DEEPEST)
        if constant is not None:
            return constant
        # A guard cannot ask whether a value is an error; that it follows from the requirement is verified afterwards.
        return around.unknowns.of_type(value.type, value.name, contents=True, errors=False)

    def _constant(self, value: Value, around: _Around, depth: int) -> Abstract | None:
        """Return the value that is computed from constants alone; None if it is not."""
        op = self._makers.get(value)
        rule = None if op is None else self._rulebook.get(op.name)
        if op is None or rule is None or not depth or op.regions or self._rulebook.effects(op) != PURE:
            return None
        inner = _Around(self._program, self._exposed)
        for operand in op.operands:
            found = self._constant(operand, around, depth - 1)
            if found is None:
                return None
            inner.values[operand] = found
        try:
            semantics = apply_rule(rule, op, RuleContext(inner))
        except (UnknownValueError, TooLarge):
            return None
        if semantics.requires.claims or semantics.results.compute is not None:
            return None
        result = semantics.results.values[op.results.index(value)]
        if isinstance(result, Unmodeled):
            return None
        known, claims = check_declared_type(value, result)
        return known if not claims and not variables_of(known) else None


def _contract_arguments(op: Operation, around: _Around) -> Sequence[Value]:
    """Return the arguments that a return's contract mentions: those of a function that ensures something."""
    contract = around.contracts.returning_from(op)
    return contract.function.arguments if contract is not None and contract.ensures else ()


class _Around(ProgramLookup):
    """The surroundings of one operation: its operands, and nothing else."""

    def __init__(self, program: Program, aliased: frozenset[Value]) -> None:
        self.values: dict[Value, Abstract] = _Values()
        self.unknowns = FreshVariables()
        self.iteration: tuple[Dim, ...] | None = None
        self.aliased = aliased
        self.contracts = declared(program)
        self.distrusts = False
        self.computes_sizes_exactly = program.computes_sizes_exactly
        self.program = program

    def wraps(self, op: Operation) -> bool:
        """Return False: what is known of an operation by itself assumes that it does not wrap."""
        return False

    def provenance_of(self, value: Value) -> Provenance:
        return Provenance()

    def kept(self, contract: StatedContract) -> KeptContract | None:
        """Return None: the results of a call do not matter here."""
        return None
