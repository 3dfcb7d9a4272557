"""Semantics of every operation of the size language in SMT-LIB, written independently of the normal forms.

Divisions follow the language, not SMT-LIB: they round down whatever the sign of the divisor, and dividing by 0 gives
quotient 0 and the dividend as remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from itertools import combinations

from shapesolve.records import value_record

PRELUDE = """\
; a // b rounded down, and 0 where b is 0; a % b with the sign of b, and a where b is 0
(define-fun quotient ((a Int) (b Int)) Int (ite (= b 0) 0 (ite (> b 0) (div a b) (div (- a) (- b)))))
(define-fun remainder ((a Int) (b Int)) Int (ite (= b 0) a (ite (> b 0) (mod a b) (- (mod (- a) (- b))))))
(define-fun least ((a Int) (b Int)) Int (ite (<= a b) a b))
(define-fun greatest ((a Int) (b Int)) Int (ite (>= a b) a b))
; what two extents broadcast to (the least that is not 1, where they do not), and whether they do
(define-fun joint ((a Int) (b Int)) Int (ite (= a 1) b (ite (or (= b 1) (<= a b)) a b)))
(define-fun agree ((a Int) (b Int)) Bool (or (= a b) (= a 1) (= b 1)))"""

UNDEFINED = " ?"
"""The end of the name of an integer that stands for a term without a definition in SMT-LIB: it may have any value."""


@value_record
class ShapeTerm:
    """A shape as terms.

    Attributes:
        rank: Its rank.
        column: Its extent in a column counted from the right, 1 outside.
        valid: The condition under which the shape is valid.
        extents: The extents from left to right, if the rank is known.
    """

    rank: str
    column: Callable[[str], str]
    valid: str
    extents: tuple[str, ...] | None = None


Term = str | ShapeTerm


def number(value: int) -> str:
    """Return an integer literal; Booleans count as numbers, too."""
    return str(int(value)) if value >= 0 else f"(- {-value})"


def divided(word: str, a: str, b: str) -> str:
    """Return a quotient or remainder; by a positive literal, SMT-LIB's own."""
    if b.isdecimal() and b != "0":
        return f"({'div' if word == 'quotient' else 'mod'} {a} {b})"
    return f"({word} {a} {b})"


def folded(word: str, parts: Sequence[str]) -> str:
    """Return a function of two arguments folded over many."""
    return reduce(lambda a, b: f"({word} {a} {b})", parts)


def all_of(parts: Sequence[str]) -> str:
    """Return a conjunction."""
    return "true" if not parts else parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"


def any_of(parts: Sequence[str]) -> str:
    """Return a disjunction."""
    return "false" if not parts else parts[0] if len(parts) == 1 else f"(or {' '.join(parts)})"


def agreeing(parts: Sequence[str]) -> str:
    """Return the term that sizes are compatible in one column."""
    return all_of([f"(agree {a} {b})" for a, b in combinations(parts, 2)])


def joint(parts: Sequence[str]) -> str:
    """Return the broadcast of sizes in one column."""
    return folded("joint", parts) if parts else "1"


def broadcast_shape(parts: Sequence[ShapeTerm], valid: str) -> ShapeTerm:
    """Return the broadcast of shapes, column by column."""
    rank = folded("greatest", [part.rank for part in parts]) if parts else "0"
    return ShapeTerm(rank, lambda index: joint([part.column(index) for part in parts]), valid)


def concatenation(parts: Sequence[ShapeTerm], valid: str) -> ShapeTerm:
    """Return the concatenation of shapes."""

    def column(index: str) -> str:
        found = "1"
        for number, part in enumerate(parts):
            behind = [each.rank for each in parts[number + 1 :]]
            place = f"(- {index} {' '.join(behind)})" if behind else index
            inside = f"(and (<= 0 {place}) (< {place} {part.rank}))"
            found = f"(ite {inside} {part.column(place)} {found})"
        return found

    return ShapeTerm(f"(+ {' '.join(part.rank for part in parts)})", column, valid)


def slice_of(whole: ShapeTerm, start: str, stop: str, valid: str) -> ShapeTerm:
    """Return the extents of a shape from one dimension up to another, clamped to its ends."""
    first = f"(greatest 0 (least {start} {whole.rank}))"
    last = f"(greatest {first} (least {stop} {whole.rank}))"

    def column(index: str) -> str:
        inside = f"(and (<= 0 {index}) (< {index} (- {last} {first})))"
        return f"(ite {inside} {whole.column(f'(+ (- {whole.rank} {last}) {index})')} 1)"

    return ShapeTerm(f"(- {last} {first})", column, valid)


def shapes_agree(parts: Sequence[ShapeTerm]) -> str:
    """Return the term that the extents of shapes are compatible, aligned from the right."""
    ranked = [part.extents for part in parts if part.extents is not None]
    if len(ranked) == len(parts):
        rank = max(map(len, ranked), default=0)
        columns = [[extents[-1 - i] for extents in ranked if i < len(extents)] for i in range(rank)]
        return all_of([agreeing(column) for column in reversed(columns)])
    pairs = [f"(agree {a.column('i')} {b.column('i')})" for a, b in combinations(parts, 2)]
    return f"(forall ((i Int)) {all_of(pairs)})" if pairs else "true"


def same_extents(a: ShapeTerm, b: ShapeTerm) -> str:
    """Return the term that ranks and extents are equal, whether the shapes are valid or not."""
    if a.extents is not None and b.extents is not None:
        if len(a.extents) != len(b.extents):
            return "false"
        return all_of([f"(= {x} {y})" for x, y in zip(a.extents, b.extents, strict=True)])
    return f"(and (= {a.rank} {b.rank}) (forall ((i Int)) (= {a.column('i')} {b.column('i')})))"


def same_shape(a: ShapeTerm, b: ShapeTerm) -> str:
    """Return the term that both shapes are valid and equal, or both invalid."""
    both = all_of([a.valid, b.valid, same_extents(a, b)])
    return f"(or {both} (and (not {a.valid}) (not {b.valid})))"


def shapes_broadcast(*parts: ShapeTerm) -> str:
    """Return the term that shapes are valid and broadcast together."""
    return all_of([*(part.valid for part in parts), shapes_agree(parts)])


_SIMPLE: dict[str, str] = {
    "add": "(+ {} {})",
    "sub": "(- {} {})",
    "mul": "(* {} {})",
    "neg": "(- {})",
    "ceildiv": "(- (quotient (- {}) {}))",
    "choose": "(ite {} {} {})",
    "is_zero": "(= {} 0)",
    "is_non_negative": "(>= {} 0)",
    "equal": "(= {} {})",
    "unequal": "(not (= {} {}))",
    "at_least": "(>= {} {})",
    "less_than": "(< {} {})",
    "negation": "(not {})",
    "implies": "(=> {} {})",
    "equivalent": "(= {} {})",
    "either": "(ite {} {} {})",
}


def _divides(divisor: str, size: str) -> str:
    return f"(= {divided('remainder', size, divisor)} 0)"


_FUNCTIONS: dict[str, Callable[..., Term]] = {
    "floordiv": partial(divided, "quotient"),
    "remainder": partial(divided, "remainder"),
    "divides": _divides,
    "minimum": lambda *parts: folded("least", parts),
    "maximum": lambda *parts: folded("greatest", parts),
    "broadcast_extent": lambda *parts: joint(parts),
    "compatible": lambda *parts: agreeing(parts),
    "conjunction": lambda *parts: all_of(parts),
    "disjunction": lambda *parts: any_of(parts),
    "broadcastable": shapes_broadcast,
    "same_shape": same_shape,
    "same_extents": same_extents,
    "broadcast_of_unranked": lambda *parts: broadcast_shape(parts[:-1], parts[-1]),
}


def operation_term(operation: str, arguments: Sequence[Term], chosen: Term) -> Term:
    """Return an operation on terms. ``chosen`` is its result where the operation leaves it open."""
    if operation == "vouched_broadcast_extent":
        parts = [str(each) for each in arguments]
        return f"(ite {agreeing(parts)} {joint(parts)} {chosen})"
    if operation in _SIMPLE:
        return _SIMPLE[operation].format(*arguments)
    return _FUNCTIONS[operation](*arguments)


OPERATIONS = frozenset({*_SIMPLE, *_FUNCTIONS, "vouched_broadcast_extent"})
"""Every operation that a record may hold."""
