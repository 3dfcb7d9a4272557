"""Reading of any source as a Program: MLIR directly, a model through the exporter of its framework."""

from __future__ import annotations

import enum
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from shapesolve.errors import InputError, unreadable
from shapesolve.frontends.export_process import Exported, ask, error_from, message_of
from shapesolve.frontends.levels import BOTH, LEVELS, OWN
from shapesolve.frontends.python_files import models_in, module_classes
from shapesolve.ir.program import Program
from shapesolve.ir.reader import RefusedText, read_file, read_text, with_equal_ranks
from shapesolve.options import Options
from shapesolve.preconditions.stated_contracts import add_contracts
from shapesolve.records import value_record


def open_program(source: str, options: Options, level: str = LEVELS[0]) -> Program:
    """Return the program of a source that the command line or a caller names.

    The framework loads or runs a model in another process.

    Args:
        source: A file of MLIR or of a model, or ``FILE.py:FUNCTION``.
        options: How to read it.
        level: The level of a model if the options name none.

    Raises:
        InputError: The source cannot be read or exported.
    """
    (program,) = _opened(source, options, (options.level or level,))
    if isinstance(program, InputError):
        raise program
    return program


def of_any_time(read: Callable[[], Program], options: Options) -> Program:
    """Return the program that is read, in which element-wise operations of TOSA may take operands of several ranks.

    Raises:
        InputError: The source cannot be read or exported.
    """
    try:
        return read()
    except RefusedText as refused:
        return add_contracts(with_equal_ranks(refused), options.contracts)


def open_levels(source: str, options: Options) -> Sequence[Program | InputError]:
    """Return the programs of a source: of a model without a chosen level, one for each level in `BOTH`.

    A level that cannot be reached has its error in the program's place.
    """
    return _opened(source, options, (options.level,) if options.level else BOTH)


def _opened(source: str, options: Options, levels: Sequence[str]) -> Sequence[Program | InputError]:
    model = model_in(source, options.inputs)
    if options.inputs and (model is None or model.kind is not Kind.CALLABLE):
        raise InputError("a program has its own inputs; this is for an nn.Module of a Python file", where="--inputs")
    if model is None:
        if options.level is not None:
            raise InputError(f"{source} is MLIR, which is checked as it stands", where="--level")
        return (add_contracts(read_file(source), options.contracts),)
    remark, is_own = _remark(model, options), OWN in levels

    def program(each: Exported) -> Program:
        return add_contracts(program_of(each, _where(model), model.file, remark, is_own=is_own), options.contracts)

    found = exported(model, levels, options)
    return [each if isinstance(each, InputError) else program(each) for each in found]


def program_of(exported: Exported, name: str, file: str, *notes: str, is_own: bool = True) -> Program:
    """Return an exported model as a Program; ``is_own`` if it stands for the model itself, and not for its lowering.

    JAX computes sizes without a limit, and in 32 bits in the only form that it exports.
    """
    try:
        program = read_text(exported.text, name)
    except RuntimeError as error:  # of MLIR's bindings: damaged names, say
        raise InputError(
            f"what was exported cannot be read, it seems damaged: {message_of(error)}", where=file
        ) from None
    lines = dict(exported.lines)
    all_notes = tuple(filter(None, notes)) + exported.notes + program.notes
    return replace(
        program,
        model=file,
        level=exported.level,
        lines=lines,
        notes=all_notes,
        declarations=exported.declarations,
        computes_sizes_exactly=is_own and not exported.level,
    )


def exported(model: Model, levels: Sequence[str], options: Options) -> Sequence[Exported | InputError]:
    """Return a model at each level, or the error that prevents it. JAX has only one level."""
    request = {
        "do": "export",
        "kind": model.kind.value,
        "file": model.file,
        "name": model.name,
        "levels": list(levels),
        "is_chosen": options.level is not None,
        "decompose": options.decompose,
        "trust": options.trust_exporter,
        "inputs": list(options.inputs),
    }
    answers = ask(request, _where(model), options.deadline)["levels"]
    return [error_from(each, _where(model)) if "error" in each else Exported.decoded(each) for each in answers]


def _where(model: Model) -> str:
    return f"{model.file}:{model.name}" if model.name else model.file


def _remark(model: Model, options: Options) -> str:
    """Return the report's remark on the origin of the model; "" if it needs none."""
    if model.kind is Kind.CALLABLE:
        return f"{model.file} was run for the model that {model.name} makes"
    if model.kind is Kind.TORCH and not options.distrust:
        lists = f"`shapesolve contract {model.file}` lists them"
        return f"its guards are believed, since a saved program does not say what was declared; {lists}"
    return ""


_CALLABLE = re.compile(r"(?P<file>.*\.py):(?P<name>[A-Za-z_][\w.]*)", re.DOTALL)
_IMPORTABLE = re.compile(r"(?P<file>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<name>[A-Za-z_][\w.]*)")
_MLIR_FILES = (".mlir", ".mlirbc", ".bc")
_BYTECODE, _PORTABLE = b"ML\xefR", b"StableHLO_v"
_PROGRAMS = ("models/model.json", "serialized_exported_program.json")  # of newer and older versions of PyTorch
_LOOKED_AT = 1 << 20  # bytes


class Kind(enum.Enum):
    """Kinds of sources that are models."""

    CALLABLE = "callable"
    """``model.py:make_model``: a Python function that makes the model."""
    TORCH = "pt2"
    """A file written by ``torch.export.save``."""
    ONNX = "onnx"
    JAX = "jax"
    """A file serialized by ``jax.export``."""


@value_record
class Model:
    """A source that is not MLIR: ``file`` (or a module's name), and for a callable its ``name`` in it."""

    kind: Kind
    file: str
    name: str = ""


def model_in(source: str, inputs: Sequence[str] = ()) -> Model | None:
    """Return the model that a source names, None where it is to be read as MLIR.

    The inputs choose a module of a Python file that names none.

    Raises:
        InputError: The source is missing or damaged, or the package that it needs is not installed.
    """
    path = Path(source)
    if source == "-" or _is_file(path):
        return _of_file(path, source, inputs)
    if source.endswith(".py:"):
        raise _without_function(source[:-1])
    callable_ = _CALLABLE.fullmatch(source)
    if callable_:
        if not _is_file(Path(callable_["file"])):
            raise InputError("there is no such file", where=callable_["file"])
        return Model(Kind.CALLABLE, callable_["file"], callable_["name"])
    importable = _IMPORTABLE.fullmatch(source)
    if importable and not importable["file"].endswith(_MLIR_FILES):
        return Model(Kind.CALLABLE, importable["file"], importable["name"])
    return None


def _only_model(file: str, inputs: Sequence[str]) -> str:
    """Return the source of the one model in a Python file.

    Raises:
        InputError: It has none, or several.
    """
    sources = models_in(file, inputs)
    if len(sources) > 1:
        raise InputError(f"several models are in it: name one, {' or '.join(sources)}", where=file)
    if sources == [file]:
        raise _without_function(file)
    return sources[0]


def _without_function(file: str) -> InputError:
    message = f"this is Python: say which function in it makes the model, as in {file}:make_model"
    modules = module_classes(file) if _is_file(Path(file)) else {}
    if modules:
        name, parameters = next(iter(modules.items()))
        given = " ".join(f"--inputs '{each}=f32[B,8]'" for each in parameters)
        choice = f"or name one of its modules ({', '.join(modules)}) with its inputs, as in {file}:{name} {given}"
        message = f"{message}; {choice}"
    return InputError(message, where=file)


def file_of(source: str) -> str:
    """Return the file of a source, without the name of a function in it."""
    callable_ = None if _is_file(Path(source)) else _CALLABLE.fullmatch(source)
    return callable_["file"] if callable_ else source


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _of_file(path: Path, source: str, inputs: Sequence[str]) -> Model | None:
    if source == "-":
        return None
    suffix = path.suffix.lower()
    if suffix == ".py":
        return model_in(_only_model(source, inputs))
    if suffix == ".pt2":
        _check_torch_archive(path, source)
        needs("torch")
        return Model(Kind.TORCH, source)
    if suffix == ".onnx":
        _check_not_empty(path, source)
        needs("onnx")
        return Model(Kind.ONNX, source)
    if _is_jax_export(path):
        needs("jax")
        return Model(Kind.JAX, source)
    return None


def _check_not_empty(path: Path, source: str) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(unreadable(error), where=source) from None
    if not size:
        raise InputError("the file is empty", where=source)


def _check_torch_archive(path: Path, source: str) -> None:
    _check_not_empty(path, source)
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except OSError as error:
        raise InputError(unreadable(error), where=source) from None
    except zipfile.BadZipFile:
        raise InputError(
            "this is no archive of torch.export.save, or only half of one: write it again", where=source
        ) from None
    if not any(name.endswith(_PROGRAMS) for name in names):
        raise InputError(
            "this archive holds no exported program: write it with torch.export.save(torch.export.export(...), path)",
            where=source,
        )


def _is_jax_export(path: Path) -> bool:
    """Return whether a file is a flat buffer that contains a portable StableHLO artifact."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_LOOKED_AT)
    except OSError:
        return False
    place = head.find(_BYTECODE)
    return place > 0 and _PORTABLE in head[place : place + 32]


def needs(package: str) -> None:
    """Raise InputError with the command that installs a missing framework."""
    words = {"torch": "PyTorch", "jax": "JAX", "onnx": "the onnx package"}[package]
    if find_spec(package) is None:
        raise InputError(f"{words} is not installed, which this needs: pip install 'shapesolve[{package}]'")
