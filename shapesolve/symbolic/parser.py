"""Sizes, shapes and claims from text: ``"N >= 2"``, ``"H % 16 == 0"``, ``"arg0[1] == arg1[0]"``, ``"[B, 2*T + 1]"``.

The text is read by the grammar in `shapesolve.symbolic.grammar` and never evaluated as Python. The printed form of a
Dim or a Formula is read back as the same object; a Shape prints its extents, not the condition under which it is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import cast

from shapesolve.errors import InputError
from shapesolve.symbolic import formulas
from shapesolve.symbolic.dims import Dim, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, implies, negation, truth
from shapesolve.symbolic.functions import CALLS, OF_SHAPES, ROUNDED
from shapesolve.symbolic.grammar import Form, Tree, mistake, tree
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.symbolic.limits import CASES_OF_A_POWER, TooLarge, make_room
from shapesolve.symbolic.scope import Kind, Scope, suggestion
from shapesolve.symbolic.segments import sliced
from shapesolve.symbolic.shape_kinds import INVALID, RankedShape, Shape
from shapesolve.symbolic.shapes import same_shape
from shapesolve.symbolic.size_limits import MAX_BITS, MAX_POWER, oversize_product_reason, oversize_reason

__all__ = ["Kind", "Scope", "errors_in", "names_in", "parse_formula", "parse_shape", "parse_size"]

MAX_ITEMS = 100
"""Longer shapes and lists of arguments are refused."""


def parse_formula(text: str, scope: Scope) -> Formula:
    """Parse a claim.

    Raises:
        InputError: The text is no claim; the error has a caret under the mistake.
    """
    with _bounded_depth(text):
        return _Reader(text, scope, Kind.CLAIM).claim()


def parse_size(text: str, scope: Scope) -> Dim:
    """Parse a size.

    Raises:
        InputError: The text is no size; the error has a caret under the mistake.
    """
    with _bounded_depth(text):
        return _Reader(text, scope, Kind.SIZE).size()


def parse_shape(text: str, scope: Scope) -> Shape:
    """Parse a shape.

    Raises:
        InputError: The text is no shape; the error has a caret under the mistake.
    """
    with _bounded_depth(text):
        return _Reader(text, scope, Kind.SHAPE).shape()


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of sizes and shapes in a text, in order, each once.

    Raises:
        InputError: The text cannot be parsed.
    """
    with _bounded_depth(text):
        return tuple(dict.fromkeys(_names(tree(text))))


def errors_in(text: str) -> frozenset[str]:
    """Return the names in ``is an error`` or ``is not an error`` claims of a text.

    Raises:
        InputError: The text cannot be parsed.
    """
    with _bounded_depth(text):
        return frozenset(_called_errors(tree(text)))


@contextmanager
def _bounded_depth(text: str) -> Generator[None]:
    make_room(text.count("(") + text.count("["))  # the reader is as deep as the text, whatever the term becomes
    try:
        yield
    except TooLarge as limit:
        raise mistake(limit.message, text, 0, len(text)) from None
    except RecursionError:  # the caller may have left little of the stack
        raise mistake("this is nested too deep", text, 0, len(text)) from None


_SIZE_FORMS = {Form.NUMBER, Form.INDEX, Form.NEGATIVE, Form.POWER, Form.PRODUCT, Form.SUM}
_SHAPE_FORMS = {Form.SHAPE, Form.INVALID, Form.SLICE}
_COMPARED: dict[str, Callable[[Dim, Dim], Formula]] = {
    "==": formulas.equal,
    "!=": formulas.unequal,
    ">=": formulas.at_least,
    "<=": lambda a, b: formulas.at_least(b, a),
    "<": formulas.less_than,
    ">": lambda a, b: formulas.less_than(b, a),
}


class _Reader:
    """Translates a syntax tree to sizes, shapes and formulas, resolving its names in a scope."""

    def __init__(self, text: str, scope: Scope, wanted: Kind) -> None:
        self.text = text
        self.scope = scope
        self.tree = tree(text)
        if scope.is_free:
            self.declare_names(wanted)

    def claim(self) -> Formula:
        return self.formula_of(self.tree)

    def size(self) -> Dim:
        return self.size_of(self.tree)

    def shape(self) -> Shape:
        return self.shape_of(self.tree)

    # Which name is what ------------------------------------------------------------------------------------------

    def declare_names(self, wanted: Kind) -> None:
        """Infer the kind of each undeclared name from its position, and declare it; by default a size."""
        known = -1
        kinds: dict[str, Kind] = {}
        for _ in range(10):  # `a == b and b == c and rank(c) == 2` needs a round for every `==`
            if len(kinds) == known:
                break
            known = len(kinds)
            self.learn(self.tree, wanted, kinds)
        for name in _names(self.tree):
            if self.scope.kind(name) is None:
                self.scope.declare(name, kinds.get(name, Kind.SIZE))

    def learn(self, part: Tree, wanted: Kind | None, kinds: dict[str, Kind]) -> None:
        if part.form is Form.NAME and wanted is not None and self.scope.kind(part.word) is None:
            kinds.setdefault(part.word, wanted)
        for inner, kind in self.wanted(part, wanted, kinds):
            self.learn(inner, kind, kinds)

    def wanted(self, part: Tree, wanted: Kind | None, kinds: dict[str, Kind]) -> Iterator[tuple[Tree, Kind | None]]:
        """Yield the parts of a tree, each with the kind that its position requires."""
        if part.form in (Form.INDEX, Form.SLICE):
            yield from zip(part.parts, (Kind.SHAPE, Kind.SIZE, Kind.SIZE), strict=False)
        elif part.form is Form.COMPARISON or (part.form is Form.CALL and part.word in OF_SHAPES):
            alike = _of_one_kind(part)
            known = (self.kind(inner, kinds) for inner in alike)
            common = next((kind for kind in known if kind is not None), None)
            fallback = wanted if part.form is Form.CALL else None
            yield from ((inner, Kind.CLAIM) for inner in part.parts[: len(part.parts) - len(alike)])
            yield from ((inner, common or fallback) for inner in alike)
        elif part.form is Form.ERROR:
            yield part.parts[0], None
        elif part.form is Form.CALL:
            call = CALLS.get(part.word)
            yield from ((inner, call.wanted(i) if call else None) for i, inner in enumerate(part.parts))
        else:
            kind = Kind.SIZE if part.form in _SIZE_FORMS | _SHAPE_FORMS else Kind.CLAIM
            yield from ((inner, kind) for inner in part.parts)

    def kind(self, part: Tree, kinds: dict[str, Kind] | None = None) -> Kind | None:
        """Return the kind of a tree; None for a name, or a choice or broadcast of names, that may still be either."""
        if part.form is Form.NAME:
            return self.scope.kind(part.word) or (kinds or {}).get(part.word)
        if part.form is Form.CALL:
            if part.word in OF_SHAPES:
                known = (self.kind(inner, kinds) for inner in _of_one_kind(part))
                return next((kind for kind in known if kind is not None), None)
            return CALLS[part.word].kind if part.word in CALLS else None
        if part.form in _SIZE_FORMS:
            return Kind.SIZE
        return Kind.SHAPE if part.form in _SHAPE_FORMS else Kind.CLAIM

    # Mistakes ----------------------------------------------------------------------------------------------------

    def wrong(self, message: str, part: Tree) -> InputError:
        return mistake(message, self.text, part.start, part.end)

    def confused(self, part: Tree, wanted: Kind) -> InputError:
        """Return the error for a tree of the wrong kind."""
        kind = self.kind(part)
        if part.form is Form.CALL and part.word not in CALLS:
            return mistake(self.unknown_call(part.word), self.text, part.start, part.start + len(part.word))
        if part.form is Form.NAME and kind is None:
            if self.scope.integer_list(part.word) is not None:
                return self.wrong(f"`{part.word}` is a list of integers; use one, such as `{part.word}[0]`", part)
            return self.wrong(f"`{part.word}` is not known; {suggestion(part.word, self.scope.names)}", part)
        if part.form is Form.NAME and self.scope.is_ambiguous(part.word):
            return self.wrong(f"`{part.word}` is the name both of a size and of a shape; rename one", part)
        if part.form is Form.NAME and kind is not None and wanted is not Kind.CLAIM and self.scope.is_free:
            return self.wrong(
                f"`{part.word}` is used both as a size and as a shape; a {wanted.value} is needed here", part
            )
        shown = " ".join(self.text[part.start : part.end].split())
        shown = shown if len(shown) <= 40 else f"{shown[:37]}..."
        example = {
            (Kind.SIZE, Kind.CLAIM): f"such as `{shown} == 0`",
            (Kind.SHAPE, Kind.CLAIM): f"such as `rank({shown}) == 2`",
            (Kind.SHAPE, Kind.SIZE): f"such as `{shown}[0]`",
            (Kind.CLAIM, Kind.SIZE): f"such as `select({shown}, 1, 0)`",
            (Kind.SIZE, Kind.SHAPE): f"such as `[{shown}]`",
        }.get((kind or Kind.SIZE, wanted), "")
        return self.wrong(
            f"`{shown}` is a {(kind or Kind.SIZE).value}; a {wanted.value} is needed here"
            + f", {example}" * bool(example),
            part,
        )

    def unknown_call(self, word: str) -> str:
        return f"there is no function `{word}`; {suggestion(word, CALLS)}"

    def checked(self, value: Dim, part: Tree) -> Dim:
        """Return the size itself.

        Raises:
            InputError: The size exceeds the limits.
        """
        if message := oversize_reason(value):
            raise self.wrong(message, part)
        return value

    # Sizes -------------------------------------------------------------------------------------------------------

    def size_of(self, part: Tree) -> Dim:
        match part.form:
            case Form.NUMBER:
                return dim(int(part.word))
            case Form.NEGATIVE:
                return -self.size_of(part.parts[0])
            case Form.SUM:
                return self.sum_of(part)
            case Form.PRODUCT:
                return self.product_of(part)
            case Form.POWER:
                return self.power_of(part)
            case Form.INDEX:
                return self.extent_of(part)
            case Form.CALL:
                return self.checked(cast("Dim", self.called(part, Kind.SIZE)), part)
            case Form.NAME if self.known(part) is Kind.SIZE:
                return self.scope.size(part.word)
            case _:
                raise self.confused(part, Kind.SIZE)

    def sum_of(self, part: Tree) -> Dim:
        signs = ("+", *part.words)
        terms = [
            self.size_of(inner) if sign == "+" else -self.size_of(inner)
            for sign, inner in zip(signs, part.parts, strict=True)
        ]
        while len(terms) > 1:  # pairwise, so that a long sum takes no quadratic time
            pairs = [a + b for a, b in zip(terms[::2], terms[1::2], strict=False)]
            terms = pairs + terms[len(terms) - len(terms) % 2 :]
        return self.checked(terms[0], part)

    def product_of(self, part: Tree) -> Dim:
        total = self.size_of(part.parts[0])
        for before, sign, inner in zip(part.parts, part.words, part.parts[1:], strict=False):
            if sign == "/":
                start = self.text.index("/", before.end)
                raise mistake("`/` makes a fraction; write `//`, or `floor(a / b)`", self.text, start, start + 1)
            value = self.size_of(inner)
            if sign == "*":
                total = self.multiplied(total, value, part)
            elif value.is_constant and value.constant == 0:
                raise self.wrong("this divides by 0", inner)
            else:
                total = floordiv(total, value) if sign == "//" else remainder(total, value)
            total = self.checked(total, part)
        return total

    def multiplied(self, a: Dim, b: Dim, part: Tree) -> Dim:
        if message := oversize_product_reason(a, b):
            raise self.wrong(message, part)
        return a * b

    def fraction_of(self, part: Tree) -> tuple[Dim, Dim]:
        """Return numerator and denominator of the argument of a rounding: sums, products and quotients of sizes."""
        if part.form is Form.NEGATIVE:
            top, bottom = self.fraction_of(part.parts[0])
            return -top, bottom
        if part.form is Form.SUM:
            top, bottom = self.fraction_of(part.parts[0])
            for sign, inner in zip(part.words, part.parts[1:], strict=True):
                more, under = self.fraction_of(inner)
                added = self.multiplied(top, under, part), self.multiplied(more, bottom, part)
                top = added[0] + added[1] if sign == "+" else added[0] - added[1]
                bottom = self.multiplied(bottom, under, part)
            return self.checked(top, part), bottom
        if part.form is not Form.PRODUCT or "/" not in part.words:
            return self.size_of(part), dim(1)
        last = part.parts[-1]
        whole = replace(part, parts=part.parts[:-1], words=part.words[:-1], end=part.parts[-2].end)
        top, bottom = self.fraction_of(whole if whole.words else whole.parts[0])
        over, under = self.fraction_of(last)
        if part.words[-1] in ("//", "%"):
            raise self.wrong(f"`{part.words[-1]}` takes integers; a fraction stands before it", part)
        if part.words[-1] == "/":
            if over.is_constant and over.constant == 0:
                raise self.wrong("this divides by 0", last)
            over, under = under, over
        product = self.multiplied(top, over, part), self.multiplied(bottom, under, part)
        return self.checked(product[0], part), self.checked(product[1], part)

    def power_of(self, part: Tree) -> Dim:
        *bases, last = part.parts
        power = self.size_of(last)
        for base in reversed(bases):
            power = self.raised(self.size_of(base), power, part)
        return power

    def raised(self, base: Dim, power: Dim, part: Tree) -> Dim:
        exponent = part.parts[-1]
        if not power.is_constant:
            raise self.wrong(f"an exponent is a constant; {CASES_OF_A_POWER}", exponent)
        most = MAX_BITS if base.is_constant else MAX_POWER
        if not 0 <= power.constant <= most:
            raise self.wrong(f"an exponent is at least 0 and at most {most}", exponent)
        if base.is_constant and base.constant.bit_length() <= MAX_BITS:  # 2**64 is in every sum that wraps around
            return self.checked(dim(base.constant**power.constant), part)
        total = dim(1)
        for _ in range(power.constant):
            total = self.checked(self.multiplied(total, base, part), part)
        return total

    def extent_of(self, part: Tree) -> Dim:
        if (listed := self.listed(part.parts[0])) is not None:
            return self.checked(listed.element(self.size_of(part.parts[1])), part)
        whole, position = self.shape_of(part.parts[0]), self.size_of(part.parts[1])
        if not position.is_constant:
            return self.checked(whole.extent(position), part)
        index = position.constant
        if whole.rank.is_constant and not -whole.rank.constant <= index < whole.rank.constant:
            rank = whole.rank.constant
            allowed = f"an index is {-rank} to {rank - 1}" if rank else "it has no extents"
            shown = self.text[part.parts[0].start : part.parts[0].end]
            raise self.wrong(f"`{shown}` has rank {rank}; {allowed}", part.parts[1])
        return whole.extent(index) if index >= 0 else whole.column(-1 - index)

    def listed(self, part: Tree) -> IntegerList | None:
        """Return the list of integers with this name, or None if the name is no list."""
        return self.scope.integer_list(part.word) if part.form is Form.NAME and self.known(part) is None else None

    # Shapes ------------------------------------------------------------------------------------------------------

    def shape_of(self, part: Tree) -> Shape:
        match part.form:
            case Form.INVALID:
                return INVALID
            case Form.SHAPE:
                self.limit(part)
                return RankedShape.of([self.size_of(inner) for inner in part.parts])
            case Form.SLICE:
                return self.slice_of(part)
            case Form.CALL:
                return cast("Shape", self.called(part, Kind.SHAPE))
            case Form.NAME if self.known(part) is Kind.SHAPE:
                return self.scope.shape(part.word)
            case _:
                raise self.confused(part, Kind.SHAPE)

    def slice_of(self, part: Tree) -> Shape:
        whole, *ends = part.parts
        inner = self.shape_of(whole)
        rank = inner.rank
        places = {"start": dim(0), "stop": rank}
        for word, end in zip(part.words, ends, strict=True):
            place = self.size_of(end)
            places[word] = rank + place if place.is_constant and place.constant < 0 else place
        return sliced(inner, places["start"], places["stop"], inner.valid)

    def known(self, part: Tree) -> Kind | None:
        """Return the kind of a name, or None where it is ambiguous."""
        return None if self.scope.is_ambiguous(part.word) else self.scope.kind(part.word)

    # Claims ------------------------------------------------------------------------------------------------------

    def formula_of(self, part: Tree) -> Formula:
        match part.form:
            case Form.TRUTH:
                return truth(part.word == "true")
            case Form.NOT:
                return negation(self.formula_of(part.parts[0]))
            case Form.AND:
                return conjunction([self.formula_of(inner) for inner in part.parts])
            case Form.OR:
                return disjunction([self.formula_of(inner) for inner in part.parts])
            case Form.IMPLICATION:
                *premises, conclusion = [self.formula_of(inner) for inner in part.parts]
                return implies(conjunction(premises), conclusion)  # a -> b -> c  is  (a and b) -> c
            case Form.COMPARISON:
                return self.comparison_of(part)
            case Form.ERROR:
                return self.error_of(part.parts[0])
            case Form.CALL:
                return cast("Formula", self.called(part, Kind.CLAIM))
            case _:
                raise self.confused(part, Kind.CLAIM)

    def comparison_of(self, part: Tree) -> Formula:
        kinds = [self.kind(inner) for inner in part.parts]
        if Kind.SHAPE in kinds:
            return self.shape_comparison(part)
        sizes = [self.size_of(inner) for inner in part.parts]
        return conjunction([_COMPARED[sign](a, b) for sign, (a, b) in zip(part.words, pairwise(sizes), strict=True)])

    def shape_comparison(self, part: Tree) -> Formula:
        kinds = [self.kind(inner) for inner in part.parts]
        if Kind.SIZE in kinds:
            raise self.confused(part.parts[kinds.index(Kind.SHAPE)], Kind.SIZE)
        if any(sign not in ("==", "!=") for sign in part.words):
            raise self.wrong("shapes compare with `==` and `!=` only", part)
        shapes = [self.shape_of(inner) for inner in part.parts]
        claims = [same_shape(a, b) for a, b in pairwise(shapes)]
        return conjunction(
            [claim if sign == "==" else negation(claim) for sign, claim in zip(part.words, claims, strict=True)]
        )

    def error_of(self, part: Tree) -> Formula:
        if part.form is not Form.NAME:
            raise self.wrong("only a name can be followed by `is an error`", part)
        if self.known(part) is None:
            raise self.confused(part, Kind.SIZE)
        return negation(self.scope.validity(part.word))

    # Calls -------------------------------------------------------------------------------------------------------

    def limit(self, part: Tree) -> None:
        if len(part.parts) > MAX_ITEMS:
            raise self.wrong(f"a list holds at most {MAX_ITEMS} items", part)

    def called(self, part: Tree, wanted: Kind) -> Dim | Shape | Formula:
        call = CALLS.get(part.word)
        if part.word in OF_SHAPES and wanted is Kind.SHAPE and self.kind(part) is not Kind.SIZE:
            call = OF_SHAPES[part.word]
        if call is None or call.kind is not wanted:
            raise self.confused(part, wanted)
        if not call.takes(len(part.parts)):
            raise self.wrong(f"`{part.word}` is written `{call.usage}`", part)
        self.limit(part)
        if part.word in ROUNDED:
            return call.implementation(*self.fraction_of(part.parts[0]))
        return call.implementation(*(self.value_of(inner, call.wanted(i)) for i, inner in enumerate(part.parts)))

    def value_of(self, part: Tree, wanted: Kind) -> Dim | Shape | Formula:
        if wanted is Kind.SIZE:
            return self.size_of(part)
        return self.shape_of(part) if wanted is Kind.SHAPE else self.formula_of(part)


def _of_one_kind(part: Tree) -> Sequence[Tree]:
    """Return the parts of a comparison, a broadcast or a choice that are all sizes or all shapes."""
    return part.parts[1:] if part.form is Form.CALL and part.word == "select" else part.parts


def _names(part: Tree) -> Iterator[str]:
    if part.form is Form.NAME:
        yield part.word
    for inner in part.parts:
        yield from _names(inner)


def _called_errors(part: Tree) -> Iterator[str]:
    if part.form is Form.ERROR:
        yield from (inner.word for inner in part.parts if inner.form is Form.NAME)
    for inner in part.parts:
        yield from _called_errors(inner)
