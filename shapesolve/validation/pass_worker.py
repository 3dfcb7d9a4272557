"""Worker process: runs passes of the installed MLIR, and reports each on a line of standard output.

``python -m shapesolve.validation.pass_worker``, a request on standard input. A pass may crash: then the last line names
it. The process is confined as one that lowers programs: it writes no file and starts no program.
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


def main() -> None:
    """Serve one request: parse a pipeline, or run passes on a module."""
    request = json.loads(sys.stdin.buffer.read())
    events = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    seconds = float(request["seconds"])
    sandbox.watch_address_space()
    sandbox.end_with_parent()
    bindings.assume_exclusive_process()
    context = bindings.new_context(threads=False)
    bindings.register_stablehlo_passes()
    bindings.passmanager()
    sandbox.limit(seconds * (len(request["steps"]) + 1), _MEMORY_BYTES, open_files=64)
    sandbox.confine_lowering([*sys.path, sys.prefix, sys.base_prefix])

    def tell(event: str, **fields: object) -> None:
        events.write(json.dumps({"event": event, **fields}) + "\n")
        events.flush()

    with context, bindings.without_dialect_classes():
        if "pipeline" in request:
            _parse_pipeline(request["pipeline"], tell)
        else:
            _run_passes(context, request, seconds, tell)


def _parse_pipeline(pipeline: str, tell: Any) -> None:
    try:
        tell("pipeline", text=str(bindings.passmanager().PassManager.parse(pipeline)))
    except ValueError as error:
        tell("refused", message=str(error))


def _run_passes(context: Any, request: dict[str, Any], seconds: float, tell: Any) -> None:
    ir, parse = bindings.ir(), bindings.passmanager().PassManager.parse
    source = request["module"] if request["is_text"] else base64.b64decode(request["module"])
    sandbox.set_alarm(seconds)
    try:
        module = ir.Module.parse(source, context)
    except ir.MLIRError as error:
        tell("refused", message=describe_diagnostics(error))
        return
    before = fingerprint(_printed(module, context))
    tell("parsed")
    for number, pipeline in enumerate(request["steps"]):
        tell("begin", step=number)
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
        tell("end", step=number, ending=ending.name, text=text, message=message, seconds=spent)
        if ending is not PassEnding.RAN:
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
