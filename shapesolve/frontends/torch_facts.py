"""Facts that ``torch.export`` knows of the sizes of a program's inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shapesolve.frontends.export_process import Facts
from shapesolve.preconditions.python_guards import extent_of, guard_text, identifier, normalized_claims, size_text

ORIGIN = "torch.export"
ARGUMENTS = ("TensorArgument", "SymIntArgument")
"""Inputs of a program that the exported function has as well."""
_MOST = 2**63 - 1
_IMAGE = "NCHW"


def facts_of(program: Any) -> tuple[Facts, tuple[str, ...]]:
    """Return the facts of an ``ExportedProgram``, and the guards without a text in the size language."""
    inputs = user_inputs(program)
    symbols = _symbols(inputs)
    numbers = {name: name for name, value in inputs if not hasattr(value, "shape")}  # arguments that are integers
    names = _names(symbols, _declared_names(inputs), _place_names(inputs), frozenset(numbers))
    shapes: dict[int, tuple[str, ...]] = {}
    for position, (name, value) in enumerate(inputs):
        if hasattr(value, "shape"):
            shapes[position] = tuple(size_text(_expression(each), names) or "_" for each in value.shape)
        elif (symbol := _symbol(value)) is not None and symbol not in symbols:
            names[symbol] = name
    claims: dict[str, None] = {}
    for symbol, name in names.items():
        is_extent = symbol in symbols
        claims.update(dict.fromkeys(_range(program.range_constraints, symbol, name, is_extent=is_extent)))
    claims.update(dict.fromkeys(_scalars(inputs, symbols, names)))
    inexpressible: list[str] = []
    positions = {name: position for position, (name, _) in enumerate(inputs)}
    for guard in getattr(program, "_guards_code", None) or ():
        text = guard_text(guard, lambda name, dimension: _extent(shapes, positions, name, dimension), numbers.get)
        if text is None:
            inexpressible.append(guard)
        else:
            claims[text] = None
    facts = Facts(ORIGIN, tuple(name for name, _ in inputs), shapes, normalized_claims(claims, numbers))
    return facts, tuple(inexpressible)


def argument_places(program: Any) -> tuple[int, ...]:
    """Return where the arguments of the exported function stand among the leaves of the example inputs."""
    wanted = [spec.arg for spec in program.graph_signature.input_specs if spec.kind.name == "USER_INPUT"]
    return tuple(number for number, each in enumerate(wanted) if type(each).__name__ in ARGUMENTS)


def user_inputs(program: Any) -> list[tuple[str, Any]]:
    """Return the arguments of the exported function: their names and their symbolic values."""
    wanted = [spec.arg.name for spec in program.graph_signature.input_specs if spec.kind.name == "USER_INPUT"
              and type(spec.arg).__name__ in ARGUMENTS]  # fmt: skip
    values = {node.name: node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"}
    return [(name, values.get(name)) for name in wanted]


def _expression(size: Any) -> Any:
    """Return a size as an expression of sympy, or as `_Number`."""
    node = getattr(size, "node", None)
    return _Number(int(size)) if node is None else node.expr


def settled_extent(size: Any) -> int | None:
    """Return the constant value of a size, given or found by torch.export, or None."""
    return _finite(_expression(size))


class _Number:
    """An integer that looks like sympy's."""

    is_Integer = True  # noqa: N815 (sympy's name)

    def __init__(self, value: int) -> None:
        self._value = value

    def __int__(self) -> int:
        return self._value


def _symbol(size: Any) -> str | None:
    expression = _expression(size) if hasattr(size, "node") else None
    return str(expression) if getattr(expression, "is_Symbol", False) else None


def _symbols(inputs: Sequence[tuple[str, Any]]) -> dict[str, list[tuple[str, int]]]:
    """Return the extents that mention only one symbol, by symbol and in order."""
    found: dict[str, list[tuple[str, int]]] = {}
    for name, value in inputs:
        for dimension, size in enumerate(getattr(value, "shape", ())):
            symbols = sorted(map(str, getattr(_expression(size), "free_symbols", ())))
            for symbol in symbols:
                found.setdefault(symbol, []).extend([(name, dimension)] * (len(symbols) == 1))
    return found


def _declared_names(inputs: Sequence[tuple[str, Any]]) -> Mapping[tuple[str, int], str]:
    """Return the names that the user gave to extents. Files do not contain them."""
    modes = (getattr(value, "fake_mode", None) for _, value in inputs)
    environments = (getattr(mode, "shape_env", None) for mode in modes)
    environment = next((each for each in environments if each is not None), None)
    found: dict[tuple[str, int], str] = {}
    named: Mapping[str, Any] = getattr(environment, "source_name_to_debug_name", None) or {}
    for source, name in named.items():
        place = extent_of(source)
        if place is not None:
            found[place] = str(name)
    return found


def _place_names(inputs: Sequence[tuple[str, Any]]) -> Mapping[tuple[str, int], str]:
    """Return names for extents that are a symbol each: ``image_H`` in arguments of rank 4, else ``tokens_1``."""
    found: dict[tuple[str, int], str] = {}
    for name, value in inputs:
        shape = getattr(value, "shape", ())
        letters: Sequence[object] = _IMAGE if len(shape) == len(_IMAGE) else range(len(shape))
        for dimension, (size, letter) in enumerate(zip(shape, letters, strict=True)):
            if _symbol(size) is not None:
                found[name, dimension] = f"{name}_{letter}"
    return found


def _names(
    symbols: Mapping[str, list[tuple[str, int]]],
    given: Mapping[tuple[str, int], str],
    by_place: Mapping[tuple[str, int], str],
    taken: frozenset[str],
) -> dict[str, str]:
    """Return a name for each symbol.

    The name is ``T`` where the user called an extent ``T + 1``, unless an integer is called ``T``; otherwise it is
    made of the first extent that is the symbol.
    """
    names: dict[str, str] = {}
    for symbol, places in symbols.items():
        words = [set(re.findall(r"[A-Za-z_]\w*", given.get(each, ""))) for each in places]
        placed = next((by_place[each] for each in places if each in by_place), symbol)
        chosen = next((min(each) for each in words if len(each) == 1), placed)
        names[symbol] = identifier(chosen, taken.union(names.values()))
    return names


def _range(constraints: Mapping[Any, Any], symbol: str, name: str, *, is_extent: bool) -> list[str]:
    """Return the bounds of a symbol, without that an extent is not negative."""
    allowed = next((each for key, each in constraints.items() if str(key) == symbol), None)
    claims: list[str] = []
    least, most = (_finite(getattr(allowed, side, None)) for side in ("lower", "upper"))
    if least is not None and (least > 0 or not is_extent):
        claims.append(f"{name} >= {least}")
    if most is not None and most < _MOST:
        claims.append(f"{name} <= {most}")
    return claims


def _finite(bound: Any) -> int | None:
    return int(bound) if getattr(bound, "is_Integer", False) else None


def _scalars(inputs: Sequence[tuple[str, Any]], symbols: Mapping[str, object], names: Mapping[str, str]) -> list[str]:
    """Return claims that equate integer arguments with the symbols that shapes mention."""
    claims: list[str] = []
    for name, value in inputs:
        if not hasattr(value, "shape") and (symbol := _symbol(value)) in symbols:
            claims.append(f"{name} == {names[str(symbol)]}")
    return claims


def _extent(
    shapes: Mapping[int, tuple[str, ...]], positions: Mapping[str, int], name: str, dimension: int
) -> str | None:
    shape = shapes.get(positions.get(name, -1), ())
    text = shape[dimension] if 0 <= dimension < len(shape) else "_"
    return None if text == "_" else text
