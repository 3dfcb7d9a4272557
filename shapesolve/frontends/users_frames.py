"""Frames of the user's own code in the traceback of a framework's exception."""

from __future__ import annotations

import os
from importlib import import_module

Frame = tuple[str, int]
"""A file and a line."""

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_ALGEBRA = tuple(f"{os.sep}site-packages{os.sep}{each}{os.sep}" for each in ("sympy", "opt_einsum"))
"""Directories of what the frameworks calculate with."""
_STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


def package_directory(package: str) -> str:
    """Return the directory of a package, with a separator at the end."""
    return os.path.dirname(os.path.abspath(str(import_module(package).__file__))) + os.sep


def users_frame_of(error: BaseException, package: str = "torch") -> Frame | None:
    """Return the innermost line that an exception went through and that is the model's, not the framework's."""
    home = package_directory(package)
    found: Frame | None = None
    step = error.__traceback__
    while step is not None:
        if is_users(step.tb_frame.f_code.co_filename, home):
            found = step.tb_frame.f_code.co_filename, step.tb_lineno
        step = step.tb_next
    return found


def is_users(file: str, home: str) -> bool:
    """Return whether a file is the user's: not of the framework in ``home``, of Python, or of this package."""
    if file.startswith(("<", home, _OWN)) or not os.path.isabs(file) or any(each in file for each in _ALGEBRA):
        return False
    return not file.startswith(_STANDARD) or "-packages" in file
