"""Contracts written into the program: ``shapesolve.assume`` attributes on its functions."""

from __future__ import annotations

from shapesolve.contracts.contract import ContractReport, FunctionContract
from shapesolve.domain.values import Tensor
from shapesolve.errors import InputError
from shapesolve.int64 import MAX_SIZE
from shapesolve.interpreter.named_extents import shape_names
from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings, ir
from shapesolve.ir.own_attributes import ASSUME, ENSURES, REQUIRES, SHAPE
from shapesolve.ir.program import Program
from shapesolve.ir.reader import context_for, parsed_text
from shapesolve.options import Options
from shapesolve.preconditions.attributes import claims_in
from shapesolve.preconditions.functions import argument_name, texts_about
from shapesolve.rewriting.printer import written
from shapesolve.rewriting.rewriter import Rewriter
from shapesolve.statistics import stage
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.shape_kinds import RankedShape

_ARGUMENTS = "arg_attrs"


@stage("rewrite")
@bindings.without_dialect_classes()
def with_contracts(report: ContractReport, options: Options) -> str:
    """Return the text of the program with every function's conditions and the options' assumptions as attributes.

    Checking that text without options gives what was verified.

    Raises:
        InputError: The program was not read from text.
    """
    program = report.program
    if program.text is None:
        raise InputError("only what was read from text can be written with its contract", where=program.file)
    context = context_for(program.text)
    rewriter = Rewriter(parsed_text(context, program.text), program)
    with context:
        for function in report.functions:
            live = rewriter.live[function.report.trace.function.operation.number]
            _state(live, function, options)
        for contract in options.contracts:
            _write_stated(rewriter, program, contract.function.removeprefix("@"))
    return written(rewriter, program)


def _write_stated(rewriter: Rewriter, program: Program, name: str) -> None:
    """Write what a side file states that a function requires and ensures."""
    function = program.functions[name]
    for attribute in (REQUIRES, ENSURES):
        texts = claims_in(function, attribute)
        if texts is not None:
            listed = [ir().StringAttr.get(each) for each in texts]
            rewriter.live[function.operation.number].attributes[attribute] = ir().ArrayAttr.get(listed)


def _state(live: Bindings, function: FunctionContract, options: Options) -> None:
    before = function.report.trace.function.operation.attributes.get(ASSUME, ())
    stated = [str(each) for each in (before if isinstance(before, tuple) else (before,))]
    given = texts_about(function.report.trace.function, options.assumptions)
    texts = [*stated, *given, *_bounds(function, options), *function.texts]
    if texts:
        unique = dict.fromkeys(texts)
        live.attributes[ASSUME] = ir().ArrayAttr.get([ir().StringAttr.get(each) for each in unique])
    _name(live, function, options)


def _bounds(function: FunctionContract, options: Options) -> list[str]:
    """Return the options' smallest and largest size as texts, for every dynamic extent."""
    found: list[str] = []
    for index, value in enumerate(function.report.trace.inputs):
        if not isinstance(value, Tensor) or not isinstance(value.shape, RankedShape):
            continue
        name = argument_name(function.report.trace.function, index)
        for position, extent in enumerate(value.shape.dims):
            found += _bound(name if name.isidentifier() else f"arg{index}", position, extent, options)
    return found


def _bound(name: str, position: int, extent: Dim, options: Options) -> list[str]:
    if extent.is_constant:
        return []
    found = [f"{name}[{position}] >= {options.min_size}"] if options.min_size > 0 else []
    return [*found, f"{name}[{position}] <= {options.max_size}"] if options.max_size < MAX_SIZE else found


def _name(live: Bindings, function: FunctionContract, options: Options) -> None:
    """Write the names of sizes that the command line gave."""
    names = shape_names(function.report.trace.function, options.shapes)
    if not names:
        return
    count = len(function.report.trace.function.arguments)
    empty = ir().DictAttr.get({})
    given = list(live.attributes[_ARGUMENTS]) if _ARGUMENTS in live.attributes else [empty] * count
    for name in names:
        assert name.argument is not None
        entries = {each.name: each.attr for each in given[name.argument]}
        entries[SHAPE] = ir().StringAttr.get(name.text)
        given[name.argument] = ir().DictAttr.get(entries)
    live.attributes[_ARGUMENTS] = ir().ArrayAttr.get(given)
