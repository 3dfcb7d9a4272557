"""The process that exports a model. One request comes as JSON on standard input, one answer goes to standard output."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any, cast

from shapesolve.doors.exported import Exported
from shapesolve.errors import InputError

Request = Mapping[str, Any]


def main() -> None:
    """Answer one request. What the user's code and the frameworks print goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    request = json.loads(sys.stdin.buffer.read())
    try:
        answer = _WORK[request["do"]](request)
    except InputError as error:
        answer = {"error": error.message, "where": error.where, "excerpt": error.excerpt}
    except MemoryError:
        answer = {"error": "there is not enough memory to export this model"}
    with os.fdopen(answers, "wb") as stream:
        stream.write(json.dumps(answer).encode())
    sys.stderr.flush()
    os._exit(0)  # frameworks leave threads behind that must not be waited for


def _export(request: Request) -> dict[str, Any]:
    return _exported(request).encoded()


def _exported(request: Request) -> Exported:
    kind, file = request["kind"], request["file"]
    if kind == "pt2":
        from shapesolve.doors.torch_model import loaded

        return _from_torch(loaded(file), request)
    if kind == "callable":
        return _of_callable(request)
    raise InputError(f"there is no door for {kind}", where=file)


def _of_callable(request: Request) -> Exported:
    from shapesolve.doors.torch_model import RETURNS, is_torch, torch_model
    from shapesolve.doors.user_code import made_by

    where = f"{request['file']}:{request['name']}"
    given = made_by(request["file"], request["name"])
    if is_torch(given):
        return _from_torch(torch_model(given, where), request)
    raise InputError(f"this returns {_shown(given)}; {RETURNS}", where=where)


def _shown(given: Any) -> str:
    if isinstance(given, list | tuple):
        parts = cast("tuple[object, ...]", given)
        return f"({', '.join(type(each).__name__ for each in parts)})"
    return f"something of the type {type(given).__name__}"


def _from_torch(model: Any, request: Request) -> Exported:
    from shapesolve.doors.torch_program import exported_program

    where = f"{request['file']}:{request['name']}" if request["name"] else request["file"]
    return exported_program(model.program, level=request["level"], decompose=request["decompose"], where=where)


_WORK: Mapping[str, Callable[[Request], dict[str, Any]]] = {"export": _export}


if __name__ == "__main__":
    main()
