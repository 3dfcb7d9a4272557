"""Recording of conditions on sizes during torch.export: its guards, and the model's ``torch._check`` calls."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any

from shapesolve.frontends.users_frames import Frame, is_users, package_directory
from shapesolve.records import record

_FORCING = (os.path.join("torch", "__init__.py"), os.path.join("torch", "fx", "experimental", ""))


@record
class Recording:
    """Conditions in the order in which they came up.

    Attributes:
        guards: expressions of sympy, each with the model's innermost line; the last is whether that line itself asked.
        checks: what the model states by ``torch._check``, each with the guards of its own branches before it.
    """

    guards: list[tuple[Any, Frame | None, bool]]
    checks: list[tuple[Any, tuple[Any, ...]]]


@contextmanager
def recording() -> Generator[Recording]:
    """Record what is traced inside."""
    torch: Any = import_module("torch")
    environment: Any = import_module("torch.fx.experimental.symbolic_shapes").ShapeEnv
    found = Recording([], [])
    home = package_directory("torch")
    log_guard, check_with = environment._log_guard, torch._check_with

    def logged(self: Any, prefix: str, guard: Any, forcing_spec: bool) -> Any:
        frame, is_own = _users_frame(inspect.currentframe(), home)
        if frame is None:
            frame = _frame_of_node(home)
        found.guards.append((guard, frame, is_own))
        return log_guard(self, prefix, guard, forcing_spec)

    def checked(error_type: Any, condition: Any, message: Any) -> Any:
        if isinstance(condition, torch.SymBool) and _is_users_call(inspect.currentframe(), home):
            own = tuple(guard for guard, _, is_own in found.guards if is_own)
            found.checks.append((condition.node.expr, own))
        return check_with(error_type, condition, message)

    environment._log_guard, torch._check_with = logged, checked
    try:
        yield found
    finally:
        environment._log_guard, torch._check_with = log_guard, check_with


_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


def _frame_of_node(home: str) -> Frame | None:
    """Return the model's line of the graph node that PyTorch works on, while it decomposes a program."""
    stack: Any = import_module("torch.fx.traceback").current_meta.get("stack_trace")
    frames = [(file, int(line)) for file, line in _FRAME.findall(stack or "") if is_users(file, home)]
    return frames[-1] if frames else None


def _is_users_call(frame: FrameType | None, home: str) -> bool:
    """Return whether torch._check was called by the model and not by PyTorch."""
    while frame is not None and frame.f_code.co_filename in (__file__, f"{home}__init__.py"):
        frame = frame.f_back
    return frame is not None and is_users(frame.f_code.co_filename, home)


def _users_frame(frame: FrameType | None, home: str) -> tuple[Frame | None, bool]:
    is_own = True
    while frame is not None:
        file = frame.f_code.co_filename
        if is_users(file, home):
            return (file, frame.f_lineno), is_own
        if file != __file__ and not any(part in file for part in _FORCING):
            is_own = False
        frame = frame.f_back
    return None, False
