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

from shapesolve.records import record

Frame = tuple[str, int]
"""A file and a line."""

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
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
    home = os.path.dirname(os.path.abspath(str(torch.__file__))) + os.sep
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
    frames = [(file, int(line)) for file, line in _FRAME.findall(stack or "") if _is_users(file, home)]
    return frames[-1] if frames else None


def users_frame_of(error: BaseException) -> Frame | None:
    """Return the innermost line that an exception went through and that is the model's."""
    home = os.path.dirname(os.path.abspath(str(import_module("torch").__file__))) + os.sep
    found: Frame | None = None
    step = error.__traceback__
    while step is not None:
        if _is_users(step.tb_frame.f_code.co_filename, home):
            found = step.tb_frame.f_code.co_filename, step.tb_lineno
        step = step.tb_next
    return found


def _is_users_call(frame: FrameType | None, home: str) -> bool:
    """Return whether torch._check was called by the model and not by PyTorch."""
    while frame is not None and frame.f_code.co_filename in (__file__, f"{home}__init__.py"):
        frame = frame.f_back
    return frame is not None and _is_users(frame.f_code.co_filename, home)


def _users_frame(frame: FrameType | None, home: str) -> tuple[Frame | None, bool]:
    is_own = True
    while frame is not None:
        file = frame.f_code.co_filename
        if _is_users(file, home):
            return (file, frame.f_lineno), is_own
        if file != __file__ and not any(part in file for part in _FORCING):
            is_own = False
        frame = frame.f_back
    return None, False


def _is_users(file: str, home: str) -> bool:
    if file.startswith(("<", home, _OWN)) or not os.path.isabs(file):
        return False
    return not file.startswith(_STANDARD) or "-packages" in file
