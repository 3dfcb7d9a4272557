"""Rules from a Python file that a user names. Running it runs whatever code it holds."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path

from shapesolve.errors import InputError
from shapesolve.walking.rulebook import Rulebook, RuleError, receiving


def load_rule_file(path: str, rulebook: Rulebook) -> None:
    """Run a file; the rules that it registers go into this rulebook alone.

    Raises InputError where it cannot be run, registers nothing, or registers a rule for an operation that has one.
    """
    file = Path(path)
    if not file.is_file():
        reason = "this is a directory; give a file in it" if file.is_dir() else "there is no such file"
        raise InputError(reason, where=path)
    before = len(rulebook)
    spec = importlib.util.spec_from_file_location(path, file)  # named by its path, for that is what errors quote
    if spec is None or spec.loader is None:
        raise InputError("a file of rules has a name that ends in .py", where=path)
    module = importlib.util.module_from_spec(spec)
    outer = sys.modules.get(path)
    sys.modules[path] = module  # dataclasses in it look themselves up
    try:
        with receiving(rulebook):
            spec.loader.exec_module(module)
    except RuleError as error:
        raise InputError(str(error), where=path) from None
    except Exception as error:
        raise InputError(f"this file of rules cannot be run: {_said(error)}", where=_where(path, error)) from error
    except SystemExit:
        raise InputError("this file of rules ends the process", where=path) from None
    finally:
        sys.modules.pop(path)
        if outer is not None:
            sys.modules[path] = outer
    if len(rulebook) == before:
        raise InputError('no rule is registered here: put @rule("dialect.op", example=...) on a function', where=path)


def _said(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _where(path: str, error: Exception) -> str:
    """The line of the file that the error passed through last."""
    file = Path(path).resolve()
    if isinstance(error, SyntaxError) and error.lineno is not None and error.filename is not None:
        return f"{path}:{error.lineno}:{error.offset or 1}" if Path(error.filename).resolve() == file else path
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each.lineno for each in frames if Path(each.filename).resolve() == file]
    return f"{path}:{lines[-1]}" if lines and lines[-1] else path
