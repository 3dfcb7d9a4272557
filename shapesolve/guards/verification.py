"""Verification of inserted guards: their claims, read again from the text, against the intended formulas.

The text must be the original with nothing but the guards added, and the output is checked as any file is: the result
lists what is not proved besides its checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from shapesolve.checker.check import trace_of
from shapesolve.checker.report import FunctionReport
from shapesolve.domain.values import Abstract
from shapesolve.errors import InputError, plural
from shapesolve.guards.dialects import Insertion
from shapesolve.ir.bindings import verifies
from shapesolve.ir.program import Function, Operation, Program, Value
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.preconditions.functions import chosen
from shapesolve.pruning.prune import prune_prepared, require_prunable
from shapesolve.pruning.result import InsertedCheck, Prepared, PruneResult
from shapesolve.records import value_record
from shapesolve.rewriting.assumption_attributes import RECORDED, check_recordable, record
from shapesolve.rewriting.checks import ASSUMING, RewriteError, check_name
from shapesolve.rewriting.correspondence import ASSUMPTION_ATTRIBUTES, matched_values
from shapesolve.rewriting.printer import written
from shapesolve.rewriting.same_attributes import has_same_attributes
from shapesolve.shape_functions.registries import registry_for
from shapesolve.simplification.quantifier_elimination import of_all
from shapesolve.solver import budgets
from shapesolve.solver.entailment import divides_by_sizes, entails_by_cases, prove
from shapesolve.solver.verdicts import Proved, Refuted, Undecided
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.linear import Range
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Kind, Obligation, Trace
from shapesolve.trace.visitor import Around, enclosing_regions


def mismatched_guards(
    prepared: Prepared, formulas: Mapping[int, Formula], traces: Sequence[Trace], options: Options
) -> set[int]:
    """Return the numbers of the guards whose claims are not proved equivalent to their formulas.

    Earlier guards are facts: together the claims mean what the formulas together do.

    Args:
        formulas: Formulas over the inputs of ``traces``, by guard number.
        traces: Traces of the original's functions.
        options: The options for the program with guards.
    """
    found = set(formulas)
    for before in traces:
        after = trace_of(prepared.program, prepared.program.functions[before.function.name], options)
        known = [fact.formula for fact in before.assumptions]
        for obligation in after.obligations:
            number = prepared.originals[obligation.op.number]
            if number in formulas and obligation.kind is Kind.CHECK and not obligation.calls:
                claim = renamed(obligation, after, before)
                if claim is not None and _same(claim, formulas[number], known):
                    found.discard(number)
                known.append(formulas[number])
    return found


def renamed(obligation: Obligation, after: Trace, before: Trace) -> Formula | None:
    """Return the claim over the inputs of the other trace: arguments without names have some now."""
    pairs = list(zip(after.input_variables, before.input_variables, strict=True))
    if all(new is old for new, old in pairs):
        return obligation.claim
    try:
        return Instantiation({new: of_atom(old) for new, old in pairs}).formula(obligation.claim)
    except ValueError:  # shapes of unknown rank
        return None


def _same(a: Formula, b: Formula, known: Sequence[Formula]) -> bool:
    return a is b or all(_entails(x, [*known, y]) or _by_cases(x, [*known, y]) for x, y in ((a, b), (b, a)))


def _by_cases(claim: Formula, premises: Sequence[Formula]) -> bool:
    return any(map(divides_by_sizes, premises)) and entails_by_cases(claim, premises, budgets.LARGE)


def unimplied_guards(
    prepared: Prepared, guards: Mapping[int, Guard], functions: Sequence[Function], options: Options
) -> set[int]:
    """Return the numbers of the guards that are not proved to follow from their operations' requirements.

    A guard that does follow stops no run that would have been defined.
    """
    found: set[int] = set()
    for function in functions:
        trace = trace_of(prepared.program, prepared.program.functions[function.name], options)
        known = [fact.formula for fact in trace.assumptions]
        around = enclosing_regions(trace)
        last: dict[int, dict[int, list[Formula]]] = {}  # requirements, by operation and by check before it
        visits: list[tuple[int, Formula, list[Formula]]] = []
        for obligation in trace.obligations:
            number = prepared.originals[obligation.op.number]
            guard = guards.get(number)
            if guard is not None and obligation.kind is Kind.CHECK:
                demanded = last.setdefault(guard.op.number, {})[number] = list[Formula]()
                visits.append((number, obligation.claim, demanded))
            else:
                for demanded in last.get(number, {}).values():
                    demanded.append(of_all(obligation.claim, _of_its_own(trace.ranges, around[obligation])))
        found |= {number for number, claim, demanded in visits if not _entails(claim, [*known, *demanded])}
    return found


def _of_its_own(ranges: Mapping[str, Range], around: Around) -> Mapping[str, Range]:
    """Return the ranges of loops that an operation is itself, without those of the loops around it."""
    outer = {variable.text for each in around for variable in each.condition.variables}
    return {name: range for name, range in ranges.items() if name not in outer}


def _entails(claim: Formula, premises: Sequence[Formula]) -> bool:
    return claim in premises or isinstance(prove(claim, premises), Proved)


def prepared(
    original: Program,
    insertion: Insertion,
    checks: Mapping[int, InsertedCheck],
    reports: Sequence[FunctionReport],
    options: Options,
) -> Prepared:
    """Return the program with guards and the options' assumptions, read again and ready to be pruned.

    Nothing is assumed or pruned in functions whose assumptions exclude all inputs.

    Args:
        reports: The reports on the functions with guards.

    Raises:
        RewriteError: It is not the original with operations inserted.
    """
    functions = [each.trace.function for each in reports if not each.contradiction]
    recorded = [record(insertion.live[each.operation.number], each, options) for each in functions]
    if not verifies(insertion.module.operation):
        raise RewriteError("MLIR does not accept the program with the checks")
    text, origins = written(insertion, original), tuple(insertion.order())
    try:
        program = read_text(text, original.file)
    except InputError as error:
        raise RewriteError(f"the program with the checks cannot be read again: {error}") from error
    _require_only_added(original, program, origins)
    left_alone = frozenset(each.name for each in reports if each.contradiction)
    return Prepared(original, program, origins, checks, left_alone, (RECORDED,) if any(recorded) else ())


def _require_only_added(original: Program, program: Program, origins: Sequence[int]) -> None:
    """Require every operation of the original, in its order, with its operands and attributes.

    An inserted result that an operation uses is that of a region around, which yields the original value.
    """
    ops = list(program.operation.walk())
    if len(ops) != len(origins):
        raise RewriteError("the program with the checks does not read back as it was written")
    kept = [op for op, number in zip(ops, origins, strict=True) if number >= 0]
    added = [op for op, number in zip(ops, origins, strict=True) if number < 0]
    same: dict[Value, Value] = {}
    source_ops = list(original.operation.walk())
    if len(kept) != len(source_ops):
        raise RewriteError("the program with the checks has lost operations")
    for op, source_op in zip(kept, source_ops, strict=True):
        same.update(matched_values(op, source_op))
    for op in added:
        for region in op.regions if op.name == ASSUMING else ():
            yielded = region.blocks[0].operations[-1].operands
            same.update((result, same[value]) for result, value in zip(op.results, yielded, strict=True))
    for op, source_op in zip(kept, source_ops, strict=True):
        is_same = op.name == source_op.name and [same.get(each) for each in op.operands] == list(source_op.operands)
        if not is_same or not has_same_attributes(op, source_op, ASSUMPTION_ATTRIBUTES):
            raise RewriteError(f"{source_op.location}: {source_op.name} is another one in the program with the checks")


_MOST_NAMED = 4


def pruned_with_guards(program: Program, ready: Prepared | None, options: Options) -> PruneResult:
    """Prune a program with guards, or the original if it has none, and check the output without assumptions."""
    bare = options.without_assumptions()
    if ready is not None:
        return _with_output_check(prune_prepared(ready, replace(bare, tolerant=True)), bare)
    result = prune_prepared(Prepared.untouched(program), options)
    return _with_output_check(result, bare if result.removed else options)


def _with_output_check(result: PruneResult, options: Options) -> PruneResult:
    """Return the result with the notes of a check of the output. Nothing is executed."""
    program = read_text(result.text, "output")
    registry = registry_for(program, options)
    report = check_program(program, replace(options, execute=False, certify=False))
    others = [each for each in report.checked_obligations if check_name(each.obligation.op, registry) is None]
    named = [
        f"{each.obligation.op.name} (line {each.obligation.location.line})"
        for each in others
        if isinstance(each.verdict, Refuted | Undecided)
    ]
    named += [f"{each.op} (line {each.location.line})" for function in report.functions for each in function.unchecked]
    still_open = tuple(dict.fromkeys(named))
    if still_open:
        rest = f", and {len(still_open) - _MOST_NAMED} more" if len(still_open) > _MOST_NAMED else ""
        note = f"in the output, these may still be undefined or fail: {', '.join(still_open[:_MOST_NAMED])}{rest}"
    else:
        proved = f" ({plural(len(others), 'claim')} proved)" if others else ""
        note = f"in the output, nothing but its checks can fail{proved}"
    return replace(result, still_open=still_open, noted=(note, *result.noted))


def selected_functions(program: Program, options: Options, style: str, styles: Iterable[str]) -> Sequence[Function]:
    """Return the functions that get guards.

    Raises:
        InputError, RewriteError: As for `prune_program`, or the ``style`` is none of ``styles``.
    """
    require_prunable(program, options)
    if style not in styles:
        raise InputError(f"checks are put there in the terms of {' or '.join(styles)}, not of {style}", where="style")
    if options.trust_ub:
        raise InputError("what may be undefined is checked, so nothing is trusted", where="--trust-ub")
    functions = chosen(program, options.functions)
    check_recordable(functions, options)
    return functions


@value_record
class Guard:
    """A check to be written before an operation.

    Attributes:
        op: The operation.
        formula: The condition, over the abstract values of ``operands``.
        message: The message of its failure.
        operands: The abstract value of each operand, or of each value that operands are computed from.
        makers: The operations that make these values; arguments have none.
        known: What the operation needs before this, and what is proved.
    """

    op: Operation
    formula: Formula
    message: str
    operands: Mapping[Value, Abstract]
    makers: Mapping[Value, Operation]
    known: Sequence[Formula] = ()
