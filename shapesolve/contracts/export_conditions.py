"""Sizes that an exported program admits: what its exporter found, compared with what the operations require."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from shapesolve.contracts.contract import ExportCondition, FunctionContract, with_every_input
from shapesolve.domain.values import Tensor
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import ADMITTED, scope_of
from shapesolve.ir.declarations import Declarations, shown_text, sizes_without_zero_or_one
from shapesolve.ir.program import Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import SourcedText
from shapesolve.simplification.simplify import condition_text, shortest, shortest_and_inexpressible
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails, prove
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts, negation
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.shape_kinds import RankedShape

Infer = Callable[[Options], FunctionContract]
"""Inference of the contract of one function under some options."""

_EXPORTER = "torch.export"
_MOST = 24


def with_export_conditions(
    program: Program, contract: FunctionContract, options: Options, infer: Infer
) -> FunctionContract:
    """Return the contract with the conditions that the exporter of a program found.

    What was declared is not in a saved program, so each condition is compared with the contract of the operations
    alone, which ``infer`` infers under other options.
    """
    trace = contract.report.trace
    if program.declarations is not None:
        return _beside_the_declared(program.declarations, contract, options, infer)
    if not program.model or options.distrust:
        return contract
    found = [each for each in trace.assumptions if each.statement and each.statement.by == _EXPORTER]
    if not found:
        return contract
    given = [each.formula for each in trace.assumptions if each not in found]
    scope = scope_of(trace)
    stated = [part for each in found for part in conjuncts(each.formula)]
    kept = shortest(stated, given, scope)
    own = _own_contract(infer, options, kept, given)
    if own is None:
        return contract
    admitted = tuple(_export_condition(each, kept, given, own, condition_text(each, scope)) for each in kept[:_MOST])
    return replace(contract, admits=admitted, frozen=_frozen(contract))


def _beside_the_declared(
    declared: Declarations, contract: FunctionContract, options: Options, infer: Infer
) -> FunctionContract:
    """Return the contract with the conditions of the exporter that do not follow from what is declared.

    Where a branch goes another way the program is not the model, so its conditions hold before anything is inferred.
    """
    branches = [shown_text(each.text) for each in declared.guards if each.is_branch and not each.is_specialization]
    if branches:
        with suppress(InputError):
            given = [SourcedText.of(each, ADMITTED) for each in branches]
            contract = infer(replace(options, assumptions=(*options.assumptions, *given)))
    trace, scope = contract.report.trace, scope_of(contract.report.trace)
    facts = [each for each in trace.assumptions if not (each.statement and each.statement.by == ADMITTED)]
    known = [*(each.formula for each in facts), *(each.formula for each in contract.conditions)]
    admitted: list[ExportCondition] = []
    for guard in sorted(declared.guards, key=lambda each: not each.is_branch):
        line = f"{guard.file}:{guard.line}: {guard.source}" if guard.file else ""
        try:
            formula = parse_formula(shown_text(guard.text), scope)
        except InputError:  # of a size that is a number in the program
            admitted.append(ExportCondition(TRUE, guard.shown, model=line, is_branch=guard.is_branch))
            continue
        pieces, inexpressible = shortest_and_inexpressible([formula], known, scope)
        verdict = prove(formula, known, budget=budgets.LARGE) if pieces or inexpressible else None
        known.append(formula)
        if not pieces and not inexpressible:
            continue
        texts = [guard.shown] if inexpressible else [condition_text(each, scope) for each in pieces]
        inputs = trace.input_variables
        excluded = with_every_input(verdict.sizes, inputs) if isinstance(verdict, Refuted) else None
        not_traced = () if guard.is_branch else sizes_without_zero_or_one(texts)
        text = " and ".join(texts)
        admitted.append(ExportCondition(formula, text, (), False, excluded, line, guard.is_branch, not_traced))
    undeclared = () if options.distrust else declared.fixed
    return replace(contract, admits=tuple(admitted[:_MOST]), undeclared=undeclared)


def _own_contract(
    infer: Infer, options: Options, kept: Sequence[Formula], given: Sequence[Formula]
) -> FunctionContract | None:
    """Return the contract on the user's facts alone, if it is over the same sizes."""
    try:
        own = infer(replace(options, distrust=True))
    except InputError:
        return None
    known = frozenset(own.report.trace.input_variables)
    return own if conjunction((*kept, *given)).variables <= known else None


def _export_condition(
    formula: Formula, kept: Sequence[Formula], given: Sequence[Formula], own: FunctionContract, text: str
) -> ExportCondition:
    others = [*given, *(each for each in kept if each is not formula)]
    needs = [
        each.obligation
        for each in own.preconditions
        if each.exact and isinstance(prove(each.formula, [*others, negation(formula)], budget=budgets.LARGE), Refuted)
    ]
    conditions = [each.formula for each in own.conditions]
    is_needed = entails(formula, [*conditions, *others], budget=budgets.LARGE)
    verdict = None if is_needed else prove(formula, [*conditions, *others], budget=budgets.LARGE)
    inputs = own.report.trace.input_variables
    excluded = with_every_input(verdict.sizes, inputs) if isinstance(verdict, Refuted) else None
    return ExportCondition(formula, text, tuple(needs), is_needed, excluded if own.sufficient else None)


def _frozen(contract: FunctionContract) -> tuple[tuple[str, int, int], ...]:
    """Return the extents of arguments that are numbers."""
    trace = contract.report.trace
    return tuple(
        (argument.name, place, extent.constant)
        for argument, value in zip(trace.function.arguments, trace.inputs, strict=True)
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        for place, extent in enumerate(value.shape.dims)
        if extent.is_constant
    )
