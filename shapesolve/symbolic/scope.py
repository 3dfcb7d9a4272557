"""Scopes: the sizes and shapes that the names in a text denote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum

from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.symbolic.shapes import unranked

_LISTED = 12  # known names that an error lists


class Kind(Enum):
    """Kind of an expression; the value is its name in messages."""

    SIZE = "size"
    SHAPE = "shape"
    CLAIM = "claim"


class Scope:
    """Names that a text may use. Make one with `Scope.free` or `Scope.closed`."""

    def __init__(
        self,
        sizes: Mapping[str, Dim],
        shapes: Mapping[str, Shape],
        lower: int | None,
        valid: Mapping[str, Formula] | None = None,
        lists: Mapping[str, IntegerList] | None = None,
    ) -> None:
        self._sizes = dict(sizes)
        self._shapes = dict(shapes)
        self._valid = dict(valid or {})
        self.lists: Mapping[str, IntegerList] = dict(lists or {})
        """The lists of integers of unknown length; their elements can be named, as ``s.values[0]``."""
        self._lower = lower
        self.parsed_claims: dict[str, Formula | None] = {}
        """Claims by the texts that were read in this scope, None for what is no claim, until it gets more names."""

    @staticmethod
    def free(lower: int = 0) -> Scope:
        """Return a scope in which every name is a variable: a size of at least ``lower``, or a shape of unknown rank.

        The scope remembers the kind of each name, so that one scope for several texts gives one meaning to each name.
        """
        return Scope({}, {}, lower)

    @staticmethod
    def closed(
        sizes: Mapping[str, Dim] | None = None,
        shapes: Mapping[str, Shape] | None = None,
        valid: Mapping[str, Formula] | None = None,
        lists: Mapping[str, IntegerList] | None = None,
    ) -> Scope:
        """Return a scope of these names only. A name in both mappings can be used as neither.

        ``valid`` gives, for sizes that may be errors, the condition under which they are none; ``lists`` are those
        of unknown length, of which elements can be used.
        """
        return Scope(sizes or {}, shapes or {}, None, valid, lists)

    def with_sizes(self, sizes: Mapping[str, Dim]) -> Scope:
        """Return a scope with these sizes in place of what has their names here."""
        known = {name: size for name, size in self._sizes.items() if name not in sizes} | dict(sizes)
        shapes = {name: whole for name, whole in self._shapes.items() if name not in sizes}
        return Scope(known, shapes, self._lower, self._valid, self.lists)

    @property
    def is_free(self) -> bool:
        """Return whether undeclared names may be used."""
        return self._lower is not None

    def is_ambiguous(self, name: str) -> bool:
        """Return whether a name is known both as a size and as a shape."""
        return _spelled(name, self._sizes) is not None and _spelled(name, self._shapes) is not None

    def kind(self, name: str) -> Kind | None:
        """Return the kind of a name, or None if it is not declared."""
        if _spelled(name, self._shapes) is not None:
            return Kind.SHAPE
        return None if _spelled(name, self._sizes) is None else Kind.SIZE

    def declare(self, name: str, kind: Kind) -> None:
        """Declare a name as a fresh size or shape.

        Raises:
            ValueError: The scope is closed.
        """
        if self._lower is None:
            raise ValueError("a closed scope takes no new names")
        self.parsed_claims.clear()
        if kind is Kind.SHAPE:
            self._shapes[name] = unranked(name)
        else:
            self._sizes[name] = variable(name, self._lower)

    def declare_integer(self, name: str) -> None:
        """Declare a name as a fresh integer, which may be negative."""
        self.parsed_claims.clear()
        self._sizes[name] = variable(name, None, None)

    def size(self, name: str) -> Dim:
        """Return the size of this name.

        Raises:
            KeyError: There is none.
        """
        return self._sizes[_spelled(name, self._sizes) or name]

    def shape(self, name: str) -> Shape:
        """Return the shape of this name.

        Raises:
            KeyError: There is none.
        """
        return self._shapes[_spelled(name, self._shapes) or name]

    def integer_list(self, name: str) -> IntegerList | None:
        """Return the list of integers of this name, or None if there is none."""
        return self.lists.get(_spelled(name, self.lists) or name)

    def validity(self, name: str) -> Formula:
        """Return the condition under which the size or shape of this name is no error.

        Raises:
            KeyError: There is none.
        """
        if self.kind(name) is Kind.SHAPE:
            return self.shape(name).valid
        return self._valid.get(_spelled(name, self._sizes) or name, TRUE)

    @property
    def names(self) -> frozenset[str]:
        """The declared names; the elements of a list stand for its signs."""
        signs = [held.signs for held in self.lists.values() if held.signs is not None]
        shapes = (name for name, whole in self._shapes.items() if not any(whole is each for each in signs))
        return frozenset({*self._sizes, *shapes, *self.lists})


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return a sentence about a name that is not among the declared ones."""
    names = sorted(known)
    if not names:
        return "no names are known here"
    alike = [spelled for spelled in names if spelled.lower() == name.lower()] or get_close_matches(name, names, n=1)
    shown = ", ".join(names[:_LISTED]) + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")
    return f"did you mean `{alike[0]}`? Known are {shown}" if alike else f"known are {shown}"


def _spelled(name: str, names: Mapping[str, object]) -> str | None:
    """Return the key of a name, which may come with or without the `%` of an SSA value."""
    for spelling in (name, name.removeprefix("%"), f"%{name}"):
        if spelling in names:
            return spelling
    return None
