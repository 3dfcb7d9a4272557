"""Any source as a Program: MLIR as it stands, a model by way of its exporter."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.doors.calling import ask
from shapesolve.doors.exported import Exported
from shapesolve.doors.kinds import Kind, Model, model_in
from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.reading.mlir_reader import read_file, read_text
from shapesolve.reading.program import Program


def open_program(source: str, options: Options) -> Program:
    """The program that a command line's FILE is. Raises InputError for what cannot be read or exported.

    A model's file is run, or loaded, by its framework in another process.
    """
    model = model_in(source)
    if model is None:
        if options.level is not None:
            raise InputError(f"{source} is MLIR, which is checked as it stands", where="--level")
        return read_file(source)
    return program_of(exported(model, options), source, model.file, _ran(model))


def program_of(exported: Exported, name: str, file: str, *notes: str) -> Program:
    """An exported model as a Program that is called ``name`` and comes from ``file``."""
    program = read_text(exported.text, name)
    lines = dict(exported.lines)
    return replace(program, model=file, lines=lines, notes=tuple(filter(None, notes)) + exported.notes + program.notes)


def exported(model: Model, options: Options) -> Exported:
    """A model at the level that the options choose."""
    request = {
        "do": "export",
        "kind": model.kind.value,
        "file": model.file,
        "name": model.name,
        "level": options.level,
        "decompose": options.decompose,
    }
    return Exported.decoded(ask(request, _where(model), options.deadline))


def _where(model: Model) -> str:
    return f"{model.file}:{model.name}" if model.name else model.file


def _ran(model: Model) -> str:
    if model.kind is Kind.CALLABLE:
        return f"{model.file} was run for the model that {model.name} makes"
    return ""
