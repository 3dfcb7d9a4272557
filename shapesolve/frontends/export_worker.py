"""Worker process that exports a model, and runs the user's own Python for that.

One request comes as JSON on standard input, one answer goes to standard output. Before a step that may never end, a
line with the results so far is written.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import json
import logging
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import (
    Begin,
    Exported,
    Watch,
    encoded,
    encoded_error,
    message_of,
    message_with_hint,
    write,
)
from shapesolve.frontends.model_run import ModelRun
from shapesolve.frontends.python_files import returned_line
from shapesolve.frontends.shown_paths import relative
from shapesolve.ir.declarations import Declarations
from shapesolve.process_groups import end_group_at_end_of

Request = Mapping[str, Any]
Levels = Sequence[Exported | InputError]

_MODULE = "model_under_check"
_EXTRAS = ("torch", "jax", "onnx")


def main() -> None:
    """Answer one request. What the user's code and the frameworks print goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1)  # the parent asks where a model is that does not end
    request = json.loads(sys.stdin.buffer.readline())
    _end_with_parent()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _silence(answers))
    try:
        answer = _WORK[request["do"]](request, Watch(answers).begin)
    except InputError as error:
        answer = encoded_error(error)
    except MemoryError:
        answer = {"error": "there is not enough memory to export this model"}
    except Exception as error:
        answer = {"error": f"internal error, please report: {message_of(error)}"}
    faulthandler.cancel_dump_traceback_later()
    write(answers, answer)
    sys.stderr.flush()
    os._exit(0)  # frameworks leave threads behind that must not be waited for


def _end_with_parent() -> None:
    """Tie this process, and those that the model starts, to the parent by its end of standard input, now empty."""
    pipe, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    end_group_at_end_of(pipe)


def _silence(answers: int) -> None:
    """Keep a process that the model forks from answering."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, answers)
    os.close(nowhere)


def _export(request: Request, begin: Begin) -> dict[str, Any]:
    return {"levels": encoded(_exported(request, begin))}


def _exported(request: Request, begin: Begin) -> Levels:
    kind, file = request["kind"], request["file"]
    if kind == "pt2":
        from shapesolve.frontends.torch_export import loaded

        return _from_torch(loaded(file), request, begin)
    if kind == "onnx":
        from shapesolve.frontends.onnx_import import exported_at

        return exported_at(file, request["levels"], begin)
    if kind == "jax":
        from shapesolve.frontends.jax_export import loaded as loaded_by_jax

        return _from_jax(loaded_by_jax(file), None, request)
    return _of_callable(request, begin)


def _of_callable(request: Request, begin: Begin) -> Levels:
    from shapesolve.frontends.jax_export import export, is_export, is_jax
    from shapesolve.frontends.torch_export import RETURNS, is_torch, torch_model

    where = _where(request)
    given = model_of(request)[0]
    if is_torch(given):
        file, name = request["file"], request["name"]
        return _from_torch(torch_model(given, where, partial(returned_line, file, name)), request, begin)
    if is_jax(given):
        return _from_jax(*((given, None) if is_export(given) else export(given[0], given[1:], (), where)), request)
    raise InputError(f"this returns {_shown(given)}; {RETURNS}", where=where)


def _shown(given: Any) -> str:
    if isinstance(given, list | tuple):
        parts = cast("tuple[object, ...]", given)
        return f"({', '.join(type(each).__name__ for each in parts)})"
    return f"something of the type {type(given).__name__}"


def _from_jax(given: Any, declared: Declarations | None, request: Request) -> Levels:
    from shapesolve.frontends.jax_export import exported_program

    if request["is_chosen"] and request["levels"] != ["stablehlo"]:
        raise InputError("JAX makes StableHLO, and that is what is checked", where="--level")
    return [exported_program(given, _where(request), declared)]


def _where(request: Request) -> str:
    return f"{request['file']}:{request['name']}" if request["name"] else request["file"]


def _from_torch(model: Any, request: Request, begin: Begin) -> Levels:
    from shapesolve.frontends.torch_import import exported_at

    where, decompose = _where(request), request["decompose"]
    trusted = None if request["trust"] else model
    return exported_at(model.program, request["levels"], decompose=decompose, where=where, begin=begin, model=trusted)


def _run(request: Request, _: Begin) -> dict[str, Any]:
    from shapesolve.frontends.jax_export import is_jax
    from shapesolve.frontends.reference_run import run_onnx, run_program, run_torch
    from shapesolve.frontends.torch_export import example_of, is_program, is_torch, loaded, torch_model
    from shapesolve.frontends.torch_facts import argument_places

    kind, file = request["kind"], request["file"]
    if kind == "onnx":
        return _answers(run_onnx(file, request["calls"]))
    calls, how = request["calls"], {"every_call": request["every_call"], "needed": request["needed"]}
    if kind == "pt2":
        program, function = loaded(file).program, f"torch.export.load({file!r}).module()"
        return _answers(run_program(program, calls, function, **how))
    if kind == "jax":
        return _run_jax(None, request)
    (given, expression), name = model_of(request), request["name"]
    if is_jax(given):
        return _run_jax(given, request)
    if not is_torch(given):
        raise InputError(f"{_where(request)} makes no model", where="--execute-original")
    if is_program(given):
        return _answers(run_program(given, calls, f"{name}().module()", **how))
    model, inputs = example_of(given)
    places = request["places"]
    if places is None:  # of an export whose facts are trusted
        places = argument_places(torch_model(given, _where(request)).program)
    return _answers(run_torch(model, inputs, places, calls, expression, **how))


def _run_jax(given: Any, request: Request) -> dict[str, Any]:
    """Run a JAX function, or its exported program if there is no function."""
    from shapesolve.frontends.jax_export import export, is_export, loaded
    from shapesolve.frontends.reference_run import run_jax

    if given is None or is_export(given):
        function, exported = None, loaded(request["file"]) if given is None else given
    else:
        function, exported = given[0], export(given[0], given[1:], (), _where(request))[0]
    return _answers(run_jax(function, exported, request["calls"]))


def _run_at(request: Request, _: Begin) -> dict[str, Any]:
    """Run a model of PyTorch itself, without any export."""
    from shapesolve.frontends.torch_export import example_of, is_program, is_torch
    from shapesolve.frontends.torch_runs import run_module

    given, expression = model_of(request)
    if not is_torch(given) or is_program(given):
        raise InputError("this makes no model of PyTorch that can be run", where=_where(request))
    run, inputs = example_of(given)
    found = run_module(run, inputs, request["places"], request["calls"], expression, believes_checks=True)
    return _answers(found)


def _answers(runs: Sequence[ModelRun]) -> dict[str, Any]:
    return {"answers": [each.encoded() for each in runs]}


_WORK: Mapping[str, Callable[[Request, Begin], dict[str, Any]]] = {"export": _export, "run": _run, "run at": _run_at}


def model_from(file: str, name: str) -> Any:
    """Return the model that a function of a Python file, or of an importable module, makes.

    Something of that name that is not callable is returned as it is.

    Raises:
        InputError: There is nothing of that name, or the code raises; with the user's line.
    """
    where = f"{file}:{name}"
    found = _guarded(lambda: _named(file, name), file, where)
    return _guarded(found, file, where) if _is_function(found) else found


def _named(file: str, name: str) -> Any:
    module = _loaded(file)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            contents = cast("dict[str, object]", vars(module))
            named = sorted(each for each, value in contents.items() if callable(value) and each[0] != "_")
            raise InputError(f"there is no `{name}` in it; it has: {', '.join(named[:12]) or 'none'}", where=file)
        found = getattr(found, part)
    return found


def model_of(request: Request) -> tuple[Any, str]:
    """Return the model that a request names, with the inputs that it gives, and an expression for its module.

    Raises:
        InputError: There is none, or the inputs are for something that is no module or has inputs already.
    """
    file, name, texts = request["file"], request["name"], request["inputs"]
    where = f"{file}:{name}"
    found = _guarded(lambda: _named(file, name), file, where)
    expression = name
    if isinstance(found, type) and hasattr(found, "named_parameters"):
        if texts:
            made: Any = found
            found, expression = _guarded(lambda: made().eval(), file, where), f"{name}().eval()"
    elif _is_function(found):
        found, expression = _guarded(found, file, where), f"{name}()"
    is_module = hasattr(found, "named_parameters") and hasattr(found, "forward")
    if not texts:
        if is_module:
            hint = f"say what its inputs are, as in: shapesolve check {where} --inputs 'x=f32[B,3,H,W]'"
            raise InputError(f"this is a torch.nn.Module without example inputs; {hint}", where=where)
        return found, f"{expression}[0]"
    if not is_module:
        raise InputError(f"{where} is no torch.nn.Module alone: its example inputs are its own", where="--inputs")
    from shapesolve.frontends.torch_inputs import with_inputs

    return with_inputs(found, texts, where), expression


def _is_function(found: Any) -> bool:
    """Return whether a callable makes the model. A module or an exported program is the model itself."""
    return callable(found) and not hasattr(found, "graph_signature") and not hasattr(found, "named_parameters")


def _loaded(file: str) -> ModuleType:
    sys.path.insert(0, "")  # for the model's imports; this package was not looked for there
    if not file.endswith(".py"):
        return importlib.import_module(file)
    path = Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    specification = importlib.util.spec_from_file_location(_name(path), path)
    if specification is None or specification.loader is None:
        raise InputError("this cannot be loaded as Python", where=file)
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


def _name(path: Path) -> str:
    return path.stem if path.stem.isidentifier() and path.stem not in sys.modules else _MODULE


def _guarded(work: Callable[[], Any], file: str, where: str) -> Any:
    try:
        return work()
    except InputError:
        raise
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        hint = f": pip install 'shapesolve[{package}]'" if package in _EXTRAS else ""
        place = _line(error, file) or where
        raise InputError(f"it imports `{error.name}`, which is not installed{hint}", where=place) from None
    except SyntaxError as error:
        place = f"{relative(error.filename)}:{error.lineno}" if error.filename else where
        raise InputError(f"this is no valid Python: {error.msg}", where=place) from None
    except SystemExit as ended:
        raise InputError(
            f"it ends the process (exit code {ended.code}) instead of making a model", where=where
        ) from None
    except KeyboardInterrupt as error:
        raise InputError("it was interrupted", where=_line(error, file) or where) from None
    except Exception as error:
        raise InputError(f"it raises {message_with_hint(error)}", where=_line(error, file) or where) from None


def _line(error: BaseException, file: str) -> str:
    """Return the last line of the user's file that an exception went through, "" without one."""
    path = str(Path(file).resolve())
    frames = [each for each in traceback.extract_tb(error.__traceback__) if str(Path(each.filename).resolve()) == path]
    return f"{file}:{frames[-1].lineno}" if frames else ""
