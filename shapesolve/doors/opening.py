"""Any source as a Program: MLIR as it stands, a model by way of its exporter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.doors.calling import ask, told
from shapesolve.doors.exported import Exported
from shapesolve.doors.kinds import Kind, Model, model_in
from shapesolve.doors.levels import BOTH, LEVELS
from shapesolve.doors.words import said_by
from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.reading.given_contracts import take_in
from shapesolve.reading.mlir_reader import read_file, read_text
from shapesolve.reading.program import Program


def open_program(source: str, options: Options, level: str = LEVELS[0]) -> Program:
    """The program that a command line's FILE is. Raises InputError for what cannot be read or exported.

    A model's file is run, or loaded, by its framework in another process. ``level``: where a model is looked at if the
    options do not say.
    """
    (program,) = _opened(source, options, (options.level or level,))
    if isinstance(program, InputError):
        raise program
    return program


def open_levels(source: str, options: Options) -> Sequence[Program | InputError]:
    """As `open_program`; a model of PyTorch or in ONNX for which no level is chosen, at each where it is looked at.

    Where there is no way to one of them, the reason is given in its place.
    """
    return _opened(source, options, (options.level,) if options.level else BOTH)


def _opened(source: str, options: Options, levels: Sequence[str]) -> Sequence[Program | InputError]:
    model = model_in(source)
    if model is None:
        if options.level is not None:
            raise InputError(f"{source} is MLIR, which is checked as it stands", where="--level")
        return (take_in(read_file(source), options.contracts),)
    found = exported(model, levels, options)
    return [
        each
        if isinstance(each, InputError)
        else take_in(program_of(each, source, model.file, _ran(model)), options.contracts)
        for each in found
    ]


def program_of(exported: Exported, name: str, file: str, *notes: str) -> Program:
    """An exported model as a Program that is called ``name`` and comes from ``file``."""
    try:
        program = read_text(exported.text, name)
    except RuntimeError as error:  # of MLIR's bindings: damaged names, say
        raise InputError(f"what was exported cannot be read, it seems damaged: {said_by(error)}", where=file) from None
    lines = dict(exported.lines)
    said = tuple(filter(None, notes)) + exported.notes + program.notes
    return replace(
        program, model=file, level=exported.level, lines=lines, notes=said, declarations=exported.declarations
    )


def exported(model: Model, levels: Sequence[str], options: Options) -> Sequence[Exported | InputError]:
    """A model at levels, which are not for models of JAX: there is but one."""
    request = {
        "do": "export",
        "kind": model.kind.value,
        "file": model.file,
        "name": model.name,
        "levels": list(levels),
        "is_said": options.level is not None,
        "decompose": options.decompose,
        "trust": options.trust_exporter,
    }
    answers = ask(request, _where(model), options.deadline)["levels"]
    return [told(each, _where(model)) if "error" in each else Exported.decoded(each) for each in answers]


def _where(model: Model) -> str:
    return f"{model.file}:{model.name}" if model.name else model.file


def _ran(model: Model) -> str:
    if model.kind is Kind.CALLABLE:
        return f"{model.file} was run for the model that {model.name} makes"
    return ""
