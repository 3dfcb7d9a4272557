"""The process that exports a model. One request comes as JSON on standard input, one answer goes to standard output.

Before it, a line says what there is already whenever something begins that may not end.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from shapesolve.doors.exported import Begin, Exported, encoded_error
from shapesolve.doors.watching import Watch, encoded, write
from shapesolve.doors.words import said_by
from shapesolve.errors import InputError

Request = Mapping[str, Any]
Levels = Sequence[Exported | InputError]


def main() -> None:
    """Answer one request. What the user's code and the frameworks print goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    request = json.loads(sys.stdin.buffer.read())
    try:
        answer = _WORK[request["do"]](request, Watch(answers).begin)
    except InputError as error:
        answer = encoded_error(error)
    except MemoryError:
        answer = {"error": "there is not enough memory to export this model"}
    except Exception as error:
        answer = {"error": f"internal error, please report: {said_by(error)}"}
    faulthandler.cancel_dump_traceback_later()
    write(answers, answer)
    sys.stderr.flush()
    os._exit(0)  # frameworks leave threads behind that must not be waited for


def _export(request: Request, begin: Begin) -> dict[str, Any]:
    return {"levels": encoded(_exported(request, begin))}


def _exported(request: Request, begin: Begin) -> Levels:
    kind, file = request["kind"], request["file"]
    if kind == "pt2":
        from shapesolve.doors.torch_model import loaded

        return _from_torch(loaded(file), request, begin)
    if kind == "onnx":
        from shapesolve.doors.onnx_model import exported_at

        return exported_at(file, request["levels"], begin)
    if kind == "jax":
        from shapesolve.doors.jax_model import loaded as loaded_by_jax

        return _from_jax(loaded_by_jax(file), request)
    return _of_callable(request, begin)


def _of_callable(request: Request, begin: Begin) -> Levels:
    from shapesolve.doors.jax_model import export, is_export, is_jax
    from shapesolve.doors.torch_model import RETURNS, is_torch, torch_model
    from shapesolve.doors.user_code import made_by

    where = _where(request)
    given = made_by(request["file"], request["name"])
    if is_torch(given):
        return _from_torch(torch_model(given, where), request, begin)
    if is_jax(given):
        return _from_jax(given if is_export(given) else export(given[0], given[1:], (), where), request)
    raise InputError(f"this returns {_shown(given)}; {RETURNS}", where=where)


def _shown(given: Any) -> str:
    if isinstance(given, list | tuple):
        parts = cast("tuple[object, ...]", given)
        return f"({', '.join(type(each).__name__ for each in parts)})"
    return f"something of the type {type(given).__name__}"


def _from_jax(given: Any, request: Request) -> Levels:
    from shapesolve.doors.jax_model import exported_program

    if request["is_said"] and request["levels"] != ["stablehlo"]:
        raise InputError("JAX makes StableHLO, and that is what is checked", where="--level")
    return [exported_program(given, _where(request))]


def _where(request: Request) -> str:
    return f"{request['file']}:{request['name']}" if request["name"] else request["file"]


def _from_torch(model: Any, request: Request, begin: Begin) -> Levels:
    from shapesolve.doors.torch_program import exported_at

    where, decompose = _where(request), request["decompose"]
    trusted = None if request["trust"] else model
    return exported_at(model.program, request["levels"], decompose=decompose, where=where, begin=begin, model=trusted)


def _run(request: Request, _: Begin) -> dict[str, Any]:
    from shapesolve.doors.original import run_onnx, run_torch
    from shapesolve.doors.torch_model import is_torch, loaded, torch_model
    from shapesolve.doors.user_code import made_by

    kind, file = request["kind"], request["file"]
    if kind == "onnx":
        return {"answers": [(each, "") for each in run_onnx(file, request["calls"])]}
    if kind == "pt2":
        model, function = loaded(file), f"torch.export.load({file!r}).module()"
    else:
        given = made_by(file, request["name"])
        if not is_torch(given):
            raise InputError(f"{_where(request)} makes no model of PyTorch", where="--execute-original")
        model = torch_model(given, _where(request))
        name = request["name"]
        function = f"{name}()[0]" if model.eager is not None else f"{name}().module()"
    return {"answers": run_torch(model, request["calls"], function)}


def _run_at(request: Request, _: Begin) -> dict[str, Any]:
    """Run a model of PyTorch itself, without any export."""
    from shapesolve.doors.torch_model import example_of, is_program, is_torch
    from shapesolve.doors.torch_runs import run_module
    from shapesolve.doors.user_code import made_by

    given = made_by(request["file"], request["name"])
    if not is_torch(given) or is_program(given):
        raise InputError("this makes no model of PyTorch that can be run", where=_where(request))
    run, inputs = example_of(given)
    return {"answers": run_module(run, inputs, request["places"], request["calls"])}


_WORK: Mapping[str, Callable[[Request, Begin], dict[str, Any]]] = {
    "export": _export,
    "run": _run,
    "run at": _run_at,
}


if __name__ == "__main__":
    main()
