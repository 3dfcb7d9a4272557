"""Commands as functions, for programs that use the library instead of the command line.

`torch`, `jax` and `onnx` check the models that they export in this process here.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from shapesolve.call_arguments import Texts, check_switches, checked_options, chosen_options, several
from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Exported
from shapesolve.frontends.levels import LEVELS, OWN
from shapesolve.gc_control import collector_paused
from shapesolve.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from shapesolve.checker.checked_obligation import CheckedObligation
    from shapesolve.checker.reference_runs import Run
    from shapesolve.checker.report import Report
    from shapesolve.contracts.contract import ContractReport
    from shapesolve.ir.program import Program
    from shapesolve.pruning.result import PruneResult
    from shapesolve.refinement.outcome import Refinement
    from shapesolve.shape_inference.refine_types import RefineResult
    from shapesolve.shape_inference.value_shapes import ValueShape
    from shapesolve.test_generation.vectors import SizesReport
    from shapesolve.traits.files import JudgedFile
    from shapesolve.validation.outcome import Validation
    from shapesolve.validation.watching import WatchedRun


Source = Any
"""A path (`str` or `Path`) of MLIR or of a model, ``model.py:make_model``, MLIR text (a `str` with a line break in it),
or a live ``ir.Module`` of MLIR's bindings."""

Pipeline = Any
"""The text of a pass pipeline, or a live ``PassManager`` of MLIR's bindings."""

Style = Literal["cf", "shape", "stablehlo"]
"""The dialect of inserted checks."""


def check(
    source: Source,
    *,
    assume: Texts = (),
    shapes: Texts = (),
    functions: Texts = (),
    min_size: int = 0,
    execute: bool = True,
    options: Options | None = None,
) -> Report:
    """Decide for all sizes whether a program can fail.

    Args:
        source: A path, ``model.py:make_model``, MLIR text, or a live module of MLIR's bindings.
        assume: Conditions on the sizes to assume, as `prove` reads them: ``"a[0] == b[0]"``.
        shapes: Names for the extents of arguments: ``"a=[B, T, 8]"``.
        functions: The functions to check; every entry point by default.
        min_size: The smallest size to consider.
        execute: Whether counterexamples are compiled and run.
        options: Everything else; replaces the arguments above.

    Returns:
        The report. ``print(report.text())`` prints it, ``.refuted`` lists what fails, ``.exit_code`` is that of the
        command.

    Raises:
        InputError: The source cannot be read, an assumption is not of the language, or a function does not exist.

    Example:
        >>> import shapesolve
        >>> report = shapesolve.check("model.mlir", assume="a[0] == b[0]")  # doctest: +SKIP
        >>> report.raise_if_refuted()  # doctest: +SKIP
    """
    from shapesolve.pipeline import check_program

    chosen = chosen_options(options, assume, shapes, functions, min_size, execute=execute)
    with collector_paused():
        return check_program(read(source, chosen), chosen)


def prune(
    source: Source,
    *,
    assume: Texts = (),
    shapes: Texts = (),
    functions: Texts = (),
    min_size: int = 0,
    trust_ub: bool = False,
    at_entry: bool = False,
    harden: bool = False,
    fewest: bool = False,
    style: Style = "cf",
    options: Options | None = None,
) -> PruneResult:
    """Return the program without the runtime checks that are proved; nothing is written.

    ``at_entry``: the requirements of a function are checked once at its entry, and fail earlier; ``harden``: a check
    stands before each operation that may be undefined; ``fewest``: a check is hoisted to earlier ones that it implies,
    which are removed. ``style``: the dialect of inserted checks. ``options`` replaces the arguments before it that it
    has.

    Raises:
        InputError: As `check` does, and for a combination of options that exclude each other: only one of the three,
            none with ``trust_ub`` or ``check_wraps``, and ``harden`` not with the style of ``shape``.
    """
    from shapesolve.guards.entry_guards import prune_at_entry
    from shapesolve.guards.in_place_guards import harden as hardened
    from shapesolve.pruning.prune import prune_program

    check_switches(trust_ub=trust_ub, at_entry=at_entry, harden=harden, fewest=fewest)
    if style not in get_args(Style):
        raise InputError(f"{style!r} is none of {', '.join(get_args(Style))}", where="style")
    chosen = checked_options(options) or replace(
        chosen_options(None, assume, shapes, functions, min_size), trust_ub=trust_ub
    )
    if chosen.check_wraps:
        raise InputError("pruning assumes that 64-bit arithmetic does not wrap around", where="check_wraps")
    with collector_paused():
        program = _text(source, chosen)
        if at_entry + harden + fewest > 1:
            raise InputError("give one of at_entry, harden and fewest", where="prune")
        if harden:
            return hardened(program, chosen, style)
        return prune_at_entry(program, chosen, style) if at_entry else prune_program(program, chosen, fewest=fewest)


def contract(
    source: Source,
    *,
    assume: Texts = (),
    shapes: Texts = (),
    functions: Texts = (),
    min_size: int = 0,
    options: Options | None = None,
) -> ContractReport:
    """Return the sizes for which each function is safe: conditions, what needs each, and whether they are exact.

    Nothing is executed. ``options`` replaces all other arguments.

    Raises:
        InputError: As `check` does.
    """
    from shapesolve.contracts.inference import contracts_of_program

    chosen = chosen_options(options, assume, shapes, functions, min_size)
    with collector_paused():
        return contracts_of_program(read(source, chosen), chosen)


def sizes(
    source: Source,
    *,
    assume: Texts = (),
    shapes: Texts = (),
    functions: Texts = (),
    min_size: int = 0,
    execute: bool = True,
    options: Options | None = None,
) -> SizesReport:
    """Return the few sizes worth testing each function at, with what each covers and the expected result.

    ``options`` replaces all other arguments.

    Raises:
        InputError: As `check` does.
    """
    from shapesolve.test_generation.vectors import sizes_of_program

    chosen = chosen_options(options, assume, shapes, functions, min_size, execute=execute)
    with collector_paused():
        return sizes_of_program(read(source, chosen, OWN), chosen)


def refine(
    source: Source,
    target: Source,
    *,
    assume: Texts = (),
    shapes: Texts = (),
    functions: Texts = (),
    min_size: int = 0,
    execute: bool = True,
    allow_lost_checks: bool = False,
    options: Options | None = None,
) -> tuple[Refinement, ...]:
    """Decide whether ``target`` refines ``source`` for all sizes: one result for every pair of functions.

    Functions are paired by name; a single one of each program is paired anyway. ``allow_lost_checks``: where a check of
    the source fails, the target may do anything. ``options`` replaces the arguments before it that it has.

    Raises:
        InputError: As `check` does, and if functions or their signatures do not match.
    """
    from shapesolve.frontends.open import of_any_time
    from shapesolve.refinement.refine import refine_programs

    check_switches(allow_lost_checks=allow_lost_checks)
    chosen = chosen_options(options, assume, shapes, functions, min_size, execute=execute)
    with collector_paused():
        old, new = (of_any_time(partial(_text, each, chosen), chosen) for each in (source, target))
        return refine_programs(old, new, chosen, allow_lost_checks=allow_lost_checks)


def validate(
    source: Source,
    pipeline: Pipeline,
    *,
    tool: str | None = None,
    end_to_end: bool = False,
    pass_seconds: float = 60.0,
    assume: Texts = (),
    shapes: Texts = (),
    functions: Texts = (),
    min_size: int = 0,
    execute: bool = True,
    allow_lost_checks: bool = False,
    options: Options | None = None,
) -> Validation:
    """Run the passes of a pipeline one by one, and decide for each whether its output refines its input.

    ``pipeline`` is a text, or a live ``PassManager`` of MLIR's bindings, whose passes are run on a copy of the program:
    neither the manager nor a live module changes. ``tool`` is another program with the options of mlir-opt.
    ``end_to_end`` compares only the ends. A pass that takes longer than ``pass_seconds`` is a finding. ``options``
    replaces the arguments before it that it has.

    Raises:
        InputError: As `check` does, and if the passes cannot be run.
    """
    from shapesolve.validation.validate import request_for, validate_program

    check_switches(end_to_end=end_to_end, allow_lost_checks=allow_lost_checks)
    chosen = chosen_options(options, assume, shapes, functions, min_size, execute=execute)
    request = request_for(
        _pipeline(pipeline),
        tool=tool,
        pass_seconds=pass_seconds,
        end_to_end=end_to_end,
        allow_lost_checks=allow_lost_checks,
    )
    with collector_paused():
        return validate_program(_text(source, chosen), request, chosen)


def watching(
    manager: Any,
    *,
    context: Any = None,
    assume: Texts = (),
    min_size: int = 0,
    execute: bool = True,
    allow_lost_checks: bool = False,
    options: Options | None = None,
) -> WatchedRun:
    """Return a context manager that compares the steps of your own run of a live ``PassManager``.

        with shapesolve.watching(manager) as watched:
            manager.run(module.operation)
        print(watched.validation)

    Passes written in Python are compared, too. ``context`` is that of the module, if none is entered; in the block it
    runs without threads. Only one run of the manager is compared. If a pass fails, the error leaves the block, and the
    steps before it are compared all the same. ``options`` replaces the arguments before it that it has.

    Raises:
        InputError: No context is given or entered, or the object is no pass manager.
    """
    from shapesolve.validation.watching import WatchedRun

    check_switches(allow_lost_checks=allow_lost_checks)
    if not hasattr(manager, "enable_ir_printing"):
        raise InputError(f"a PassManager of MLIR's bindings is needed, not {type(manager).__name__}")
    chosen = checked_options(options) or Options(assumptions=several(assume), min_size=min_size, execute=execute)
    return WatchedRun(manager, chosen, context=context, allow_lost_checks=allow_lost_checks)


def reduce(source: Source, keep: Callable[[str], bool], *, attempts: int = 3000) -> str:
    """Return the smallest program found, as MLIR text, for which ``keep`` still answers true.

    Operations are dropped, values become arguments, ranks and extents shrink. ``keep`` is called with the text of at
    most ``attempts`` candidates, all of them valid modules.

        small = reduce("model.mlir", lambda text: "tensor.pad" in text)

    Raises:
        InputError: As `check` does, and if ``keep`` answers false for the program itself.
        TypeError: ``keep`` cannot be called.
    """
    from shapesolve.reducer import reduce as reduce_text

    if not callable(keep):
        raise TypeError(f"a function that says whether to keep a text is needed, not {type(keep).__name__}")
    text = _text(source, Options()).text or ""
    if not keep(text):
        raise InputError("the program itself is not one to keep, so there is nothing to reduce")
    return reduce_text(text, keep, attempts=attempts)


def shape_of(
    source: Source,
    *,
    assume: Texts = (),
    shapes: Texts = (),
    functions: Texts = (),
    min_size: int = 0,
    options: Options | None = None,
) -> Mapping[str, tuple[ValueShape, ...]]:
    """Return the symbolic shape of every value that has one, by function, in program order.

    ``options`` replaces all other arguments.

    Raises:
        InputError: As `check` does.
    """
    from shapesolve.preconditions.functions import chosen
    from shapesolve.shape_inference.known_extents import infer
    from shapesolve.shape_inference.value_shapes import value_shapes

    wanted = chosen_options(options, assume, shapes, functions, min_size)
    with collector_paused():
        program = read(source, wanted)
        return {
            each.name: tuple(value_shapes(infer(program, each, wanted))) for each in chosen(program, wanted.functions)
        }


def refine_types(
    source: Source, *, assume: Texts = (), signatures: bool = False, options: Options | None = None
) -> RefineResult:
    """Return the program with every `?` replaced that is proved to be one number; nothing is written.

    ``signatures``: the types of arguments and results, too, unless something calls the function.

    Raises:
        InputError: As `check` does.
    """
    from shapesolve.shape_inference.refine_types import refine_program

    check_switches(signatures=signatures)
    with collector_paused():
        chosen = checked_options(options) or Options(assumptions=several(assume))
        return refine_program(_text(source, chosen), chosen, signatures=signatures)


def facts(source: Source, *, options: Options | None = None) -> str:
    """Return the preconditions that a program or its exporter states, as the text of a file for ``--facts``.

    "" if there are none.

    Raises:
        InputError: As `check` does.
    """
    from shapesolve.checker.entry_assertions import with_entry_assertions
    from shapesolve.preconditions.attributes import stated_in
    from shapesolve.preconditions.fact_files import facts_text
    from shapesolve.preconditions.functions import entry_points

    with collector_paused():
        program = with_entry_assertions(read(source, options), checked_options(options) or Options())
        return facts_text([(function, stated_in(program, function)) for function in entry_points(program)])


def verify(source: str | Path, *, profile: str = "mlir-22", carriers: Texts = ()) -> JudgedFile:
    """Compare the Broadcastable trait's verifier on each operation that carries it with the behavior at run time.

    ``source`` is a path, or MLIR text, even one that a verifier rejects. ``carriers`` are operations with the trait
    beside those that are known to have it.

    Raises:
        InputError: The source cannot be read for other reasons, or a profile does not exist.
    """
    from shapesolve.traits.files import verify_file, verify_text
    from shapesolve.traits.profiles import profile_named

    chosen = profile_named(profile)
    with collector_paused():
        if isinstance(source, str) and "\n" in source:
            return verify_text(source, chosen, also=several(carriers))
        if not isinstance(source, str | PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"verify takes a path or the text of MLIR, not {type(source).__name__}")
        return verify_file(str(source), chosen, also=several(carriers))


def explain(
    source: Source,
    line: int | None = None,
    *,
    assume: Texts = (),
    shapes: Texts = (),
    functions: Texts = (),
    min_size: int = 0,
    execute: bool = True,
    options: Options | None = None,
) -> list[CheckedObligation]:
    """Return the decisions at one line of the source: obligations, verdicts with their facts, and execution results.

    Without a line, all of them. The list is empty where there is nothing to prove. ``options`` replaces the arguments
    before it but the line.

    Raises:
        InputError: As `check` does.
    """
    if line is not None and (not isinstance(line, int) or isinstance(line, bool)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a line is an integer, not {type(line).__name__} {line!r}")
    chosen = chosen_options(options, assume, shapes, functions, min_size, execute=execute)
    decided = check(source, options=chosen).checked_obligations
    return [each for each in decided if line is None or each.obligation.location.line == line]


def lower(model: str | PathLike[str], *, level: str | None = None) -> str:
    """Return the MLIR that reports on a model of PyTorch, JAX or ONNX speak of.

    Args:
        model: A file, or ``FILE.py:FUNCTION``.
        level: The level to export to, as ``--level`` takes it; None for the model's own operators.

    Raises:
        InputError: The source is no model, or cannot be exported.
    """
    from shapesolve.frontends.levels import OWN
    from shapesolve.frontends.open import open_program

    program = open_program(fspath(model), Options(level=level), OWN)
    if not program.model or program.text is None:
        raise InputError("this is no model of PyTorch, JAX or ONNX: there is nothing to export", where=fspath(model))
    return program.text


def read(source: Source, options: Options | None = None, level: str = LEVELS[0]) -> Program:
    """Read any source as a Program.

    ``level`` is that of a model if the options name none.

    Raises:
        InputError: The source cannot be read.
    """
    from shapesolve.frontends.open import open_program
    from shapesolve.ir.reader import read_module, read_text
    from shapesolve.preconditions.stated_contracts import add_contracts

    options = checked_options(options) or Options()
    if isinstance(source, PathLike):
        return open_program(fspath(cast("PathLike[str]", source)), options, level)
    if isinstance(source, str):
        if not source:
            raise InputError("the text of a program is empty")
        is_text = "\n" in source
        return add_contracts(read_text(source), options.contracts) if is_text else open_program(source, options, level)
    if not hasattr(source, "operation"):
        raise TypeError(
            f"a program is a path, the text of MLIR or a live module of MLIR's bindings, not {type(source).__name__}"
        )
    return add_contracts(read_module(source), options.contracts)


def _text(source: Source, options: Options) -> Program:
    """Read any source as a Program that has a text: that of a live module is its print."""
    return read(str(source) if hasattr(source, "operation") else source, options)


def _pipeline(pipeline: Pipeline) -> str:
    """Return the text of a pipeline: a live pass manager prints it, with all options."""
    if isinstance(pipeline, str):
        return pipeline
    if not (hasattr(pipeline, "run") and hasattr(pipeline, "enable_verifier")):
        raise TypeError(f"a pipeline is a text or a PassManager of MLIR's bindings, not {type(pipeline).__name__}")
    return str(pipeline)


def checked(exported: Exported, name: str, options: Options | None, run: Run | None = None) -> Report:
    """Return the report on an exported model.

    Args:
        exported: The model.
        name: What reports call it.
        options: How to check.
        run: Runs the model itself, where this process can.
    """
    from shapesolve.frontends.open import program_of
    from shapesolve.pipeline import check_program

    with collector_paused():
        return check_program(program_of(exported, name, name), options or Options(), run=run)
