"""Sizes by name: assignments that a user gives, and those that a user is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, cast, overload

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.natural_order import natural_order
from shapesolve.symbolic.shape_kinds import UnrankedShape

Size = int | tuple[int, ...]
"""The value of a variable: a number, and the extents of a shape of unknown rank."""


class NamedSizes(dict[Variable, Size]):
    """Numbers by variable, which are also found by a size, a shape or a name: ``c[N]`` and ``c["N"]``.

    As text it is ``N = 3, M = 2``.
    """

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Dim) -> int: ...
        @overload
        def __getitem__(self, key: UnrankedShape) -> tuple[int, ...]: ...
        @overload
        def __getitem__(self, key: Variable | str) -> Size: ...
        def __getitem__(self, key: Any) -> Any: ...

    def __missing__(self, key: object) -> Size:
        variable = self._variable(key)
        if variable is None:
            known = ", ".join(each.name for each in self)
            raise KeyError(f"no size is called {name_of(key)}" + (f"; there are {known}" if known else ""))
        return self[variable]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or self._variable(key) is not None

    def get(self, key: object, default: Any = None, /) -> Any:
        """Return the number of a size, or the default if there is none."""
        return self[cast("Variable", key)] if key in self else default

    def _variable(self, key: object) -> Variable | None:
        """Return the variable of the same name, with or without the `%` of an SSA value."""
        name = name_of(key)
        return next((each for each in self if each.name in (name, f"%{name}")), None)

    def __str__(self) -> str:
        return ", ".join(f"{each.name} = {size_text(self[each])}" for each in sorted(self, key=_by_name))

    def __repr__(self) -> str:
        return str(self) or "no sizes"


def _by_name(variable: Variable) -> str:
    return natural_order(variable.name)


def size_text(size: Size) -> str:
    """Return the text of a number or of the extents of a shape."""
    return str(size) if isinstance(size, int) else f"[{', '.join(map(str, size))}]"


def name_of(key: object) -> str:
    """Return the name of a variable that is given as text, as a size, as a shape or as a symbol of sympy.

    Raises:
        TypeError: The key is none of these.
    """
    named = key.atom if isinstance(key, Dim) else key.symbol if isinstance(key, UnrankedShape) else key
    name = key if isinstance(key, str) else getattr(named, "name", None)
    if not isinstance(name, str):
        raise TypeError(f"a variable or its name is needed here, not {type(key).__name__} {key!r}")
    return name


def assignment(sizes: Mapping[Any, Size]) -> Mapping[Variable, Size]:
    """Return an assignment from numbers by variable, size, shape or name.

    Raises:
        TypeError: The argument is no mapping, a key names no variable, or a number is no integer.
    """
    if not isinstance(sizes, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"sizes are a mapping from variables or names to numbers, not {type(sizes).__name__}")
    return _ByName({name_of(key): _checked(key, size) for key, size in sizes.items()})


class _ByName(dict[Variable, Size]):
    """An assignment that finds a variable by its name."""

    def __init__(self, names: Mapping[str, Size]) -> None:
        self._names = names

    def __missing__(self, variable: Variable) -> Size:
        if variable.name not in self._names:
            known = ", ".join(self._names) or "none"
            raise KeyError(f"no number is given for {variable.name}; there are numbers for: {known}")
        return self._names[variable.name]


def _checked(key: object, size: object) -> Size:
    if isinstance(size, tuple | list):
        return tuple(index(extent) for extent in cast("Sequence[SupportsIndex]", size))
    if isinstance(size, SupportsIndex) and not isinstance(size, bool):
        return index(size)
    raise TypeError(f"the number of {key} is {size!r}, which is no integer")
