"""Worker process: runs passes of the installed MLIR, and reports each on a line of standard output.

``python -m shapesolve.validation.pass_worker``, a request on standard input. A pass may crash: then the last line names
it. With ``--serve`` there is a request on every line, each served by a fork: what MLIR takes to load is paid once. The
process is confined as one that lowers programs: it writes no file and starts no program.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import time
from typing import Any

from shapesolve.execution import sandbox
from shapesolve.execution.execution import describe_diagnostics
from shapesolve.ir import bindings
from shapesolve.validation.pass_runs import PassEnding, fingerprint

_MEMORY_BYTES = 6 << 30
_MOST_ERRORS = 1 << 20


def main() -> None:
    """Serve one request from standard input or, if asked to serve, one on each line, in a fork of this process."""
    is_server = "--serve" in sys.argv
    request: dict[str, Any] = {} if is_server else json.loads(sys.stdin.buffer.read())
    events = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sandbox.watch_address_space()
    sandbox.end_with_parent()
    bindings.assume_exclusive_process()
    context = bindings.new_context(threads=False)
    bindings.register_stablehlo_passes()
    bindings.passmanager()
    if not is_server:
        _limit(request)
    sandbox.confine_lowering([*sys.path, sys.prefix, sys.base_prefix])
    if is_server:
        for line in sys.stdin.buffer:
            _serve_in_fork(json.loads(line), context, events)
    else:
        _serve(request, context, events)


def _limit(request: dict[str, Any]) -> None:
    sandbox.limit(float(request["seconds"]) * (len(request["steps"]) + 1), _MEMORY_BYTES, open_files=64)


def _serve(request: dict[str, Any], context: Any, events: int) -> None:
    """Parse a pipeline, or run passes on a module."""

    def send_event(event: str, **fields: object) -> None:
        _write(events, {"event": event, **fields})

    with context, bindings.without_dialect_classes():
        if "pipeline" in request:
            _parse_pipeline(request["pipeline"], send_event)
        else:
            _run_passes(context, request, float(request["seconds"]), send_event)


def _serve_in_fork(request: dict[str, Any], context: Any, events: int) -> None:
    """Serve a request in a process that may crash, then tell how it ended and what it wrote to standard error."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.dup2(writing, 2)
            os.close(reading)
            os.close(writing)
            sandbox.end_with_parent()
            _limit(request)
            _serve(request, context, events)
            status = 0
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
        finally:
            os._exit(status)
    os.close(writing)
    errors = b""
    with open(reading, "rb") as pipe:
        while piece := pipe.read(1 << 16):
            errors = errors if len(errors) > _MOST_ERRORS else errors + piece
    _, ended = os.waitpid(child, 0)
    os.write(events, b"\n")  # the worker may have ended within a line
    _write(
        events,
        {"event": "ended", "status": os.waitstatus_to_exitcode(ended), "errors": errors.decode("utf-8", "replace")},
    )


def _write(events: int, document: dict[str, object]) -> None:
    left = f"{json.dumps(document)}\n".encode()
    while left:
        left = left[os.write(events, left) :]


def _parse_pipeline(pipeline: str, send_event: Any) -> None:
    try:
        send_event("pipeline", text=str(bindings.passmanager().PassManager.parse(pipeline)))
    except ValueError as error:
        send_event("refused", message=str(error))


def _run_passes(context: Any, request: dict[str, Any], seconds: float, send_event: Any) -> None:
    ir, parse = bindings.ir(), bindings.passmanager().PassManager.parse
    source = request["module"] if request["is_text"] else base64.b64decode(request["module"])
    sandbox.set_alarm(seconds)
    try:
        module = ir.Module.parse(source, context)
    except ir.MLIRError as error:
        send_event("refused", message=describe_diagnostics(error))
        return
    original = before = fingerprint(_printed(module, context))
    send_event("parsed")
    for number, pipeline in enumerate(request["steps"]):
        if request["each_alone"] and number:
            module, before = ir.Module.parse(source, context), original
        send_event("begin", step=number)
        sandbox.set_alarm(seconds)
        started = time.monotonic()
        manager = parse(pipeline)
        manager.enable_verifier(False)
        ending, message = PassEnding.RAN, ""
        try:
            manager.run(module.operation)
        except ir.MLIRError as error:
            ending, message = PassEnding.FAILED, describe_diagnostics(error)
        else:
            try:
                module.operation.verify()
            except ir.MLIRError as error:
                ending, message = PassEnding.INVALID, describe_diagnostics(error)
        spent = time.monotonic() - started
        text = None
        if ending is PassEnding.RAN:
            text = _printed(module, context)
            after = fingerprint(text)
            text, before = None if after == before else text, after
        send_event("end", step=number, ending=ending.name, text=text, message=message, seconds=spent)
        if ending is not PassEnding.RAN and not request["each_alone"]:
            return


def _printed(module: Any, context: Any) -> str:
    """Return the module in custom form or, where MLIR cannot parse that again, in generic form."""
    ir = bindings.ir()
    text = str(module)
    handler = context.attach_diagnostic_handler(lambda diagnostic: True)  # pyright: ignore[reportUnknownLambdaType]
    try:
        ir.Module.parse(text, context)
        return text
    except ir.MLIRError:
        return str(module.operation.get_asm(print_generic_op_form=True))
    finally:
        handler.detach()


if __name__ == "__main__":
    main()
