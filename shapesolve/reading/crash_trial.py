"""Reads what is known to crash MLIR in a process of its own first.

Of 1,500 bytecode files with a few bytes changed, 6 made MLIR overrun its memory. Of text, one thing is known: the
verifier of ``torch.bind_symbolic_shape`` follows a null pointer where a symbol is not a ``torch.symbolic_int``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

from shapesolve.reading import bindings
from shapesolve.reading.bindings import Bindings

PORTABLE = b"StableHLO_v"  # the producer that StableHLO's portable artifacts name, as jax.export writes them
_SECONDS = 60

_BINDING = re.compile(r"torch\.bind_symbolic_shape")
_BINDING_OF_NAMES = re.compile(r"(?<![\"])torch\.bind_symbolic_shape\s+%[\w$.\-#]+\s*,\s*\[([^\]]*)\]")
_SYMBOL = re.compile(r"(%[\w$.\-]+)\s*=\s*torch\.symbolic_int\b")


def parsed_text(context: Bindings, data: str | bytes) -> Bindings:
    """The module in text, or in plain bytecode. Raises what the bindings raise."""
    with context:
        return bindings.ir().Module.parse(data)


def parsed_bytecode(context: Bindings, data: bytes) -> Bindings:
    """The module in bytecode or in a StableHLO portable artifact. Raises what the bindings raise."""
    if PORTABLE in data[:64]:
        return bindings.stablehlo().deserialize_portable_artifact(context, data)
    return parsed_text(context, data)


def is_suspect(text: str) -> bool:
    """Whether a text holds what is known to crash MLIR, as far as a glance can tell."""
    if "torch.bind_symbolic_shape" not in text:
        return False
    listed = _BINDING_OF_NAMES.findall(text)
    if len(listed) != len(_BINDING.findall(text)):
        return True
    used = {name.strip() for names in listed for name in names.split(",") if name.strip()}
    return not used <= set(_SYMBOL.findall(text))


def survives(data: bytes) -> bool:
    """Whether a process lives through reading these bytes, whatever it says of them. Costs about 0.4 s."""
    command = [sys.executable, "-c", "from shapesolve.reading.crash_trial import try_stdin; try_stdin()"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        run = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return False
    except OSError:  # no process can be started here: take the risk
        return True
    return run.returncode in (0, 1)


def try_stdin() -> None:
    """What the other process runs: exits with 0 if the bytes on standard input read, 1 if they are refused."""
    context = bindings.new_context()
    handler = context.attach_diagnostic_handler(lambda diagnostic: True)  # pyright: ignore[reportUnknownLambdaType]
    try:
        parsed_bytecode(context, sys.stdin.buffer.read())
    except Exception:
        sys.exit(1)
    finally:
        handler.detach()
