"""Terms and claims that belong to no solver: each engine is told of them in its own words, none in our normal form.

`/` is division of integers rounded down and `%` its remainder. Divisors are positive wherever the facts of a question
hold, so that nobody has to agree with us on division by 0 or by negative numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """``kind`` is ``int``, ``size``, an operator of arithmetic, or one of claims."""

    kind: str
    parts: tuple[Any, ...]

    def __add__(self, other: Term | int) -> Term:
        return Term("+", (self, term(other)))

    def __radd__(self, other: int) -> Term:
        return term(other) + self

    def __sub__(self, other: Term | int) -> Term:
        return Term("-", (self, term(other)))

    def __rsub__(self, other: int) -> Term:
        return term(other) - self

    def __neg__(self) -> Term:
        return 0 - self

    def __mul__(self, other: Term | int) -> Term:
        return Term("*", (self, term(other)))

    def __rmul__(self, other: int) -> Term:
        return term(other) * self

    def __floordiv__(self, other: Term | int) -> Term:
        return Term("//", (self, term(other)))

    def __mod__(self, other: Term | int) -> Term:
        return Term("%", (self, term(other)))

    def __le__(self, other: Term | int) -> Term:
        return Term("<=", (self, term(other)))

    def __lt__(self, other: Term | int) -> Term:
        return Term("<", (self, term(other)))

    def __ge__(self, other: Term | int) -> Term:
        return term(other) <= self

    def __gt__(self, other: Term | int) -> Term:
        return term(other) < self

    def __str__(self) -> str:
        match self.kind:
            case "int" | "size":
                return str(self.parts[0])
            case "min" | "max" | "broadcast" | "compatible":
                return f"{self.kind}({', '.join(map(str, self.parts))})"
            case _:
                return "(" + f" {self.kind} ".join(map(str, self.parts)) + ")"


def term(value: Term | int) -> Term:
    """An integer as a term, or the term itself."""
    return Term("int", (value,)) if isinstance(value, int) else value


def size(name: str) -> Term:
    """An unknown integer that is not negative."""
    return Term("size", (name,))


def same(a: Term | int, b: Term | int) -> Term:
    """``a == b``."""
    return Term("==", (term(a), term(b)))


def differ(a: Term | int, b: Term | int) -> Term:
    """``a != b``."""
    return Term("!=", (term(a), term(b)))


def least(*parts: Term | int) -> Term:
    """The minimum."""
    return Term("min", tuple(map(term, parts)))


def greatest(*parts: Term | int) -> Term:
    """The maximum."""
    return Term("max", tuple(map(term, parts)))


def broadcast(*parts: Term | int) -> Term:
    """The extent of a column of compatible sizes: the one that is not 1, if there is one."""
    return Term("broadcast", tuple(map(term, parts)))


def compatible(*parts: Term | int) -> Term:
    """Return the claim that all parts other than 1 are equal."""
    return Term("compatible", tuple(map(term, parts)))


def both(*parts: Term) -> Term:
    """Return the conjunction of claims."""
    return Term("and", parts)


def any_of(*parts: Term) -> Term:
    """Return the disjunction of claims."""
    return Term("or", parts)


NEVER = same(0, 1)


def names(*terms: Term) -> list[str]:
    """The sizes in some terms, in the order of their names."""
    found: set[str] = set()
    waiting = list(terms)
    while waiting:
        node = waiting.pop()
        if node.kind == "size":
            found.add(node.parts[0])
        elif node.kind != "int":
            waiting.extend(node.parts)
    return sorted(found)


@dataclass(frozen=True, slots=True)
class Words:
    """The spelling of one contender. Operators of arithmetic and comparisons take two arguments, others a list."""

    number: Callable[[int], Any]
    size: Callable[[str], Any]
    binary: Mapping[str, Callable[[Any, Any], Any]]
    choose: Callable[[Any, Any, Any], Any]
    all_of: Callable[[Sequence[Any]], Any]
    any_of: Callable[[Sequence[Any]], Any]

    def say(self, node: Term) -> Any:
        """A term in these words."""
        if node.kind == "int":
            return self.number(node.parts[0])
        if node.kind == "size":
            return self.size(node.parts[0])
        parts = [self.say(part) for part in node.parts]
        if node.kind in self.binary:
            return reduce(self.binary[node.kind], parts)
        match node.kind:
            case "min":
                return reduce(lambda a, b: self.choose(self.binary["<="](a, b), a, b), parts)
            case "max":
                return reduce(lambda a, b: self.choose(self.binary["<="](a, b), b, a), parts)
            case "broadcast":
                return reduce(self._broadcast, parts)
            case "compatible":
                return self.all_of([self._compatible(a, b) for a, b in combinations(parts, 2)])
            case "and":
                return self.all_of(parts)
            case "or":
                return self.any_of(parts)
            case _:
                raise ValueError(node.kind)

    def _broadcast(self, a: Any, b: Any) -> Any:
        """Return the part that is not 1; of two such parts, the least."""
        least = self.choose(self.binary["<="](a, b), a, b)
        is_one = [self.binary["=="](each, self.number(1)) for each in (a, b)]
        return self.choose(is_one[0], b, self.choose(is_one[1], a, least))

    def _compatible(self, a: Any, b: Any) -> Any:
        one, equal = self.number(1), self.binary["=="]
        return self.any_of([equal(a, b), equal(a, one), equal(b, one)])


def _array_division(a: Any, b: Any) -> Any:
    return np.floor_divide(a, np.where(b == 0, 1, b)) * (b != 0)


def on_arrays(sizes: Mapping[str, Any]) -> Words:
    """Numbers for many sizes at once: what a term is, and where a claim holds."""
    binary: dict[str, Callable[[Any, Any], Any]] = {
        "+": np.add,
        "-": np.subtract,
        "*": np.multiply,
        "//": _array_division,
        "%": lambda a, b: a - b * _array_division(a, b),
        "==": np.equal,
        "!=": np.not_equal,
        "<=": np.less_equal,
        "<": np.less,
        "min": np.minimum,
        "max": np.maximum,
    }
    return Words(
        np.int64,
        lambda name: sizes[name],
        binary,
        np.where,
        lambda parts: reduce(np.logical_and, parts),
        lambda parts: reduce(np.logical_or, parts),
    )


def in_python(sizes: Mapping[str, int]) -> Words:
    """Python's integers, which never overflow: to check one answer."""
    binary: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "//": lambda a, b: a // b if b else 0,
        "%": lambda a, b: a % b if b else a,
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "<=": lambda a, b: a <= b,
        "<": lambda a, b: a < b,
    }
    return Words(int, lambda name: sizes[name], binary, lambda c, a, b: a if c else b, all, any)
