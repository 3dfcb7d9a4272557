"""Shape inference as a question: nothing is reported, printed or raised about the program."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import cast

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.errors import InputError
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import Function, Program
from shapesolve.ir.reader import read_module, read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.semantics.registry import RuleError
from shapesolve.shape_functions.registries import registry_for, shape_functions
from shapesolve.shape_functions.shape_function import ShapeFunction
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.events import Trace
from shapesolve.trace.visitor import enclosing_regions

_DEFAULTS = Options()


def library(source: str | PathLike[str] | Bindings) -> Mapping[str, ShapeFunction]:
    """Return the shape functions of the libraries in a file, by the operation that they describe.

    Args:
        source: A path, the text of MLIR (with a line break in it), or a live module of MLIR's bindings.

    Raises:
        InputError: if the source or a library in it cannot be used.
        TypeError: for any other source.
    """
    if isinstance(source, PathLike):
        return shape_functions(None, [fspath(cast("PathLike[str]", source))])
    if isinstance(source, str):
        return shape_functions(None, [read_text(source) if "\n" in source else source])
    if not hasattr(source, "operation"):
        raise TypeError(f"a library is a path, the text of MLIR or a live module, not {type(source).__name__}")
    return shape_functions(None, [read_module(source)])


def shapes_of(
    source: Program | str, function: str | None = None, *, options: Options = _DEFAULTS
) -> tuple[Shape | None, ...] | None:
    """The shapes of a function's results as functions of the shapes of its arguments. A pure question.

    ``source`` is a program or its text, ``function`` the name of the function (default: the only entry point). The
    answer is None where the text is no program, the function does not exist, or some operation in it always fails; a
    result whose shape is not known is None.
    """
    if not isinstance(source, str | Program):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"shapes_of takes a program or the text of MLIR, not {type(source).__name__}")
    if not isinstance(options, Options):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"options are an Options, not {type(options).__name__}")
    try:
        program = read_text(source) if isinstance(source, str) else source
        chosen = program.functions.get(function) if function is not None else _only(program)
        if chosen is None or chosen.body is None:
            return None
        trace = interpret(program, make_inputs(chosen, assumptions=options.assumptions), registry_for(program, options))
    except (InputError, RuleError):
        return None
    if trace.results is None or _always_fails(trace):
        return None
    return tuple(_shape(each) for each in trace.results)


def _only(program: Program) -> Function | None:
    found = entry_points(program)
    return found[0] if len(found) == 1 else None


def _always_fails(trace: Trace) -> bool:
    """Return whether a claim that never holds stands outside of all regions."""
    return any(each.claim is FALSE and not around for each, around in enclosing_regions(trace).items())


def _shape(value: Abstract) -> Shape | None:
    match value:
        case Tensor():
            return value.shape
        case Shape():
            return value
        case _:
            return None
