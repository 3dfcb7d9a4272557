"""PyTorch's own answer to a call, on the processor: the shapes of the results, or that it raises.

``python tests/support/torch_oracle.py`` writes the table that is compared where PyTorch is not installed.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[1] / "constraints" / "torch_table.json"
EACH = 24
CHANGED = 12
RAISES = "raises"
_OF_OURS = ("not implemented for", "positional", "Expected a value of type", "Unknown keyword")
"""Messages of PyTorch for a call that does not match the operator's schema."""

Outcome = list[Any] | str
"""Extents of each result (a number for a number, nested lists for a list of tensors), or `RAISES`."""


class NoCallError(Exception):
    """The operands are none that the operator takes, whatever their sizes."""


def operator(name: str) -> Any:
    """PyTorch's operator, which has a schema."""
    torch: Any = importlib.import_module("torch")

    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")


def outcome(name: str, arguments: list[Any]) -> Outcome:
    """Return PyTorch's result. Raises `NoCallError`."""
    torch: Any = importlib.import_module("torch")

    function = operator(name)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            given = function(*_positional(function, arguments), **_named(function, arguments))
        except (RuntimeError, IndexError, ValueError, TypeError) as error:
            if isinstance(error, TypeError) or any(each in str(error) for each in _OF_OURS):
                raise NoCallError(f"{name}({arguments}): {error}") from error
            return RAISES
    return [_shown(each) for each in (given if isinstance(given, tuple) else (given,))]


def _positional(function: Any, arguments: list[Any]) -> list[Any]:
    pairs = zip(arguments, function._schema.arguments, strict=False)
    return [_given(value, wanted) for value, wanted in pairs if not wanted.kwarg_only]


def _named(function: Any, arguments: list[Any]) -> dict[str, Any]:
    pairs = zip(arguments, function._schema.arguments, strict=False)
    return {wanted.name: _given(value, wanted) for value, wanted in pairs if wanted.kwarg_only}


def _given(value: Any, wanted: Any) -> Any:
    torch: Any = importlib.import_module("torch")

    if isinstance(value, dict):
        if "v" in value:
            return torch.tensor(value["v"], dtype=torch.int64).reshape(value["t"])
        if "q" in value:
            return torch.quantize_per_tensor(torch.ones(value["t"]), 0.5, 1, torch.qint8)
        kind = (
            torch.int8
            if "s" in value
            else torch.bool
            if "b" in value
            else torch.complex64
            if "c" in value
            else torch.float32
        )
        return torch.ones(value["t"], dtype=kind)
    if isinstance(value, list):
        return [_given(each, wanted) for each in value]
    if wanted.name == "dtype" and isinstance(value, int):
        return _kinds()[value]
    return value


def _kinds() -> dict[int, Any]:
    """The kinds of elements by PyTorch's numbers of them."""
    torch: Any = importlib.import_module("torch")

    quantized = {12: torch.qint8, 13: torch.quint8, 14: torch.qint32}
    return {4: torch.int64, 6: torch.float32, 7: torch.float64, **quantized}


def _shown(value: Any) -> Any:
    torch: Any = importlib.import_module("torch")

    if isinstance(value, torch.Tensor):
        return list(value.shape)
    if isinstance(value, list):
        return [_shown(each) for each in value]
    return value


def recorded() -> list[tuple[str, list[Any], Outcome]]:
    """The calls of the table, and what PyTorch gave."""
    return [(name, *row) for name, rows in json.loads(TABLE.read_text(encoding="utf-8")).items() for row in rows]


def _write() -> None:
    from support.torch_instances import calls
    from support.torch_mutations import changed

    rows: dict[str, list[Any]] = {}
    drawn = ((name, arguments, outcome(name, arguments)) for name, arguments in calls(EACH))
    for name, arguments, given in (*drawn, *changed(CHANGED)):
        row = [arguments, given]
        if row not in rows.setdefault(name, []) and math.inf not in arguments:  # which JSON cannot write
            rows[name].append(row)
    lines = (f"{json.dumps(name)}: {json.dumps(each, separators=(',', ':'))}" for name, each in rows.items())
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    _write()
