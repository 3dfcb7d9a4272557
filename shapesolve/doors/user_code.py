"""Runs the user's own Python: the function that makes a model."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from shapesolve.doors.words import said_by
from shapesolve.errors import InputError

_MODULE = "model_under_check"
_EXTRAS = ("torch", "jax", "onnx")


def made_by(file: str, name: str) -> Any:
    """What the function ``name`` of a Python file, or of an importable module, returns.

    Something there that is not callable is taken as it is. Raises InputError where there is no such thing, and with the
    user's line where the code raises.
    """
    where = f"{file}:{name}"
    module = _guarded(lambda: _loaded(file), file, where)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            contents = cast("dict[str, object]", vars(module))
            named = sorted(each for each, value in contents.items() if callable(value) and each[0] != "_")
            raise InputError(f"there is no `{name}` in it; it has: {', '.join(named[:12]) or 'none'}", where=file)
        found = getattr(found, part)
    return _guarded(found, file, where) if _is_function(found) else found


def _is_function(found: Any) -> bool:
    """Whether it is called for the model, rather than being it: of modules and programs, calling is running."""
    return callable(found) and not hasattr(found, "graph_signature") and not hasattr(found, "named_parameters")


def _loaded(file: str) -> ModuleType:
    if not file.endswith(".py"):
        sys.path.insert(0, "")
        return importlib.import_module(file)
    path = Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    specification = importlib.util.spec_from_file_location(_name(path), path)
    if specification is None or specification.loader is None:
        raise InputError("this cannot be loaded as Python", where=file)
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


def _name(path: Path) -> str:
    return path.stem if path.stem.isidentifier() and path.stem not in sys.modules else _MODULE


def _guarded(work: Callable[[], Any], file: str, where: str) -> Any:
    try:
        return work()
    except InputError:
        raise
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        hint = f": pip install 'shapesolve[{package}]'" if package in _EXTRAS else ""
        place = _line(error, file) or where
        raise InputError(f"it imports `{error.name}`, which is not installed{hint}", where=place) from None
    except SyntaxError as error:
        place = f"{error.filename}:{error.lineno}" if error.filename else where
        raise InputError(f"this is no valid Python: {error.msg}", where=place) from None
    except SystemExit as ended:
        raise InputError(
            f"it ends the process (exit code {ended.code}) instead of making a model", where=where
        ) from None
    except KeyboardInterrupt as error:
        raise InputError("it was interrupted", where=_line(error, file) or where) from None
    except Exception as error:
        raise InputError(f"it raises {said_by(error)}", where=_line(error, file) or where) from None


def _line(error: BaseException, file: str) -> str:
    """The last line of the user's file that the exception went through."""
    path = str(Path(file).resolve())
    frames = [each for each in traceback.extract_tb(error.__traceback__) if str(Path(each.filename).resolve()) == path]
    return f"{file}:{frames[-1].lineno}" if frames else ""
