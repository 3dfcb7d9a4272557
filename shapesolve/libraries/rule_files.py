"""Rules from a Python file that a user names. Running it runs whatever code it holds."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from itertools import count
from pathlib import Path

from shapesolve.errors import InputError
from shapesolve.walking.rulebook import Rulebook, RuleError, receiving

_numbers = count(1)


def load_rule_file(path: str, rulebook: Rulebook) -> None:
    """Run a file; the rules that it registers go into this rulebook alone.

    Raises InputError where it cannot be run, registers nothing, or registers a rule for an operation that has one.
    """
    file = Path(path)
    if not file.is_file():
        reason = "this is a directory; give a file in it" if file.is_dir() else "there is no such file"
        raise InputError(reason, where=path)
    before = len(rulebook)
    name = f"shapesolve_rules_{next(_numbers)}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError("a file of rules has a name that ends in .py", where=path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses in it look themselves up
    try:
        with receiving(rulebook):
            spec.loader.exec_module(module)
    except RuleError as error:
        raise InputError(str(error).replace(name, path), where=path) from None
    except Exception as error:
        raise InputError(f"this file of rules cannot be run: {_said(error)}", where=_where(path, error)) from error
    except SystemExit:
        raise InputError("this file of rules ends the process", where=path) from None
    finally:
        sys.modules.pop(name, None)
    if len(rulebook) == before:
        raise InputError('no rule is registered here: put @rule("dialect.op", example=...) on a function', where=path)


def _said(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _where(path: str, error: Exception) -> str:
    """The line of the file that the error passed through last."""
    if isinstance(error, SyntaxError) and error.lineno is not None and error.filename == path:
        return f"{path}:{error.lineno}:{error.offset or 1}"
    resolved = Path(path).resolve()
    lines = [
        each.lineno for each in traceback.extract_tb(error.__traceback__) if Path(each.filename).resolve() == resolved
    ]
    return f"{path}:{lines[-1]}" if lines and lines[-1] else path
