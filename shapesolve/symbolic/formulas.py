"""Constructors of formulas: comparisons, compatibility and connectives, in normal form.

Formulas are immutable and hash-consed like Dims. The constructors here decide everything that needs no facts,
so ``N + 1 >= 1`` is `TRUE` as soon as it is written. A Formula has no truth value in Python: prove it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from shapesolve.symbolic.atoms import (
    BroadcastExtent,
    Choice,
    Maximum,
    Minimum,
    MinMax,
    Remainder,
    UnmodeledTruth,
    Validity,
    Variable,
    common_factor,
    variables_in,
)
from shapesolve.symbolic.derivations import recorded
from shapesolve.symbolic.dims import ONE, Dim, DimLike, dim, divide_by_content, of_atom, scaled_down, weighted_sum
from shapesolve.symbolic.formula_kinds import (
    FALSE,
    TRUE,
    And,
    Comparison,
    Compatible,
    CompatibleShapes,
    Constant,
    Formula,
    IsNonNegative,
    IsZero,
    Not,
    Or,
    SameShape,
)
from shapesolve.symbolic.interning import Interned
from shapesolve.symbolic.limits import MAX_CLAIM_CHARACTERS, check_length
from shapesolve.symbolic.natural_order import natural_order
from shapesolve.symbolic.printing import formatted, signed

if TYPE_CHECKING:
    from shapesolve.symbolic.shape_kinds import Shape

_interned: Interned[tuple[object, ...], Formula] = Interned()


NO_ERROR = " is not an error"


def _make(
    kind: type[Formula], parts: tuple[Dim | Formula | Shape, ...], text: str, variables: frozenset[Variable]
) -> Formula:
    key = (kind, *parts)
    found = _interned.found(key)
    return _interned.keep(key, kind.new(parts, text, variables)) if found is None else found


def unpickled(kind: type[Formula], parts: tuple[Any, ...], text: str, written: tuple[Any, str, Any] | None) -> Formula:
    """Return the formula of a kind with parts in normal form, and its spelling if it has none here."""
    found = _make(kind, parts, text, variables_in(parts))
    return found if written is None or found.written else found.written_as(*written)


def listed(parts: Iterable[object]) -> tuple[object, ...]:
    """Return the argument tuple of a function of one iterable, as a tuple that can be iterated twice."""
    return (tuple(parts),)


def not_a_formula(value: object) -> TypeError:
    """Return the error for an operand that is not a formula."""
    hint = "; one side of its comparison was no size" if isinstance(value, bool) else ""
    hint = "; `parse_formula` reads text" if isinstance(value, str) else hint
    return TypeError(f"a formula is needed here, not {type(value).__name__} {value!r}{hint}")


def truth(value: bool) -> Formula:
    """Return `TRUE` or `FALSE`."""
    return TRUE if value else FALSE


# Comparisons -----------------------------------------------------------------------------------------------------


@recorded()
def is_zero(size: Dim) -> Formula:
    """Return the formula ``size == 0``."""
    known = _interned.found((IsZero, size))  # then the size is in normal form
    if known is not None:
        return known
    size = divide_by_content(size)
    if size.is_constant:
        return truth(size.constant == 0)
    by_cases = _by_cases(size, is_zero)
    if by_cases is not None:
        return by_cases
    if size.constant % common_factor(size.terms):
        return FALSE
    shifted = _shifted_remainder(size)
    if shifted is not None:
        return is_zero(shifted)
    low, high = size.bounds()
    if (low is not None and low > 0) or (high is not None and high < 0):
        return FALSE
    return _make(IsZero, (size,), _statement(size) or _relation(size, "=="), size.variables)


def _shifted_remainder(size: Dim) -> Dim | None:
    """Return ``n % k - c`` for ``(n + 7) % k - d``, which is 0 where that is; None for any other size."""
    atom = (size - size.constant).atom if size.terms[0][1] == 1 else None
    if not isinstance(atom, Remainder) or not atom.parts[1].is_constant:
        return None
    (number, divisor), value = atom.parts, -size.constant
    if not number.constant or divisor.constant <= 0 or not 0 <= value < divisor.constant:
        return None
    return (number - number.constant) % divisor - (value - number.constant) % divisor.constant


@recorded()
def is_non_negative(size: Dim) -> Formula:
    """Return the formula ``size >= 0``."""
    known = _interned.found((IsNonNegative, size))
    if known is not None:
        return known
    for _ in range(8):  # as in `primitive`
        factor = common_factor(size.terms)
        if factor <= 1:
            break
        size = scaled_down(size - size.constant, factor) + size.constant // factor
    if size.is_constant:
        return truth(size.constant >= 0)
    by_cases = _by_cases(size, is_non_negative)
    if by_cases is None:
        by_cases = _by_extreme(size)
    if by_cases is not None:
        return by_cases
    low, high = size.bounds()
    if low is not None and low >= 0:
        return TRUE
    if high is not None and high < 0:
        return FALSE
    return _make(IsNonNegative, (size,), _relation(size, ">="), size.variables)


COMPARISONS: dict[type[Comparison], Callable[[Dim], Formula]] = {IsZero: is_zero, IsNonNegative: is_non_negative}
"""Constructor of the normal form of each kind of comparison."""


def _by_cases(size: Dim, test: Callable[[Dim], Formula]) -> Formula | None:
    """Return the test of a lone choice as a choice of tests if one of them is decided, else None."""
    atom = size.terms[0][0].single if len(size.terms) == 1 else None
    if not isinstance(atom, Choice):
        return None
    condition, a, b = atom.parts
    factor = size.terms[0][1]
    first, second = test(a * factor + size.constant), test(b * factor + size.constant)
    if isinstance(first, Constant) or isinstance(second, Constant):
        return either(condition, first, second)
    return None


def _by_extreme(size: Dim) -> Formula | None:
    """Return ``size >= 0`` without the only minimum or maximum in it if at most one of its parts matters, else None.

    So ``n >= min(2, n) + 2`` is ``n >= 4``: that the least of several is small enough is a disjunction.
    """
    alone = ((monomial.single, factor) for monomial, factor in size.terms)
    found = [(atom, factor) for atom, factor in alone if isinstance(atom, Minimum | Maximum)]
    if len(found) != 1:
        return None
    atom, factor = found[0]
    if any(isinstance(inner, MinMax) for part in atom.parts for inner in part.atoms()):
        return None
    rest = size - of_atom(atom) * factor
    tests = [is_non_negative(rest + part * factor) for part in atom.parts]
    is_for_all = isinstance(atom, Minimum) == (factor > 0)
    deciding, neutral = (FALSE, TRUE) if is_for_all else (TRUE, FALSE)
    if any(each is deciding for each in tests):
        return deciding
    kept = [each for each in tests if each is not neutral]
    return None if len(kept) > 1 else kept[0] if kept else neutral


def is_statement(size: Dim) -> bool:
    """Return whether ``size == 0`` is printed as a statement in words."""
    return _statement(size) is not None


def _statement(size: Dim) -> str | None:
    """Return the printed form of ``size == 0`` if it is a statement in words, else None."""
    atom = (size + 1).atom
    if isinstance(atom, Validity):
        return f"{atom.owner}{NO_ERROR}"
    return atom.name if isinstance(atom, UnmodeledTruth) else None


def sides(size: Dim) -> tuple[Dim, Dim]:
    """Return the sums of the added and of the subtracted terms of a size, without its constant."""
    left = weighted_sum(term for term in size.terms if term[1] > 0)
    return left, -weighted_sum(term for term in size.terms if term[1] < 0)


def _relation(size: Dim, sign: str) -> str:
    """Return a comparison with 0 as text, with the subtracted terms on the other side: ``2*H + 1 == N``."""
    added, subtracted = max(size.constant, 0), max(-size.constant, 0)
    plus, minus = signed(size.terms)
    if any(monomial.reducible for monomial, _ in size.terms):
        left, right = str(weighted_sum(plus) + added), str(subtracted - weighted_sum(minus))
    else:  # then neither side has another normal form, and need not be made
        left = formatted(plus, added)
        right = formatted(tuple([(monomial, -times) for monomial, times in minus]), subtracted)
    if not plus:
        flipped = {"==": "==", ">=": "<="}[sign]
        return f"{right} {flipped} {left}"
    return f"{left} {sign} {right}"


@recorded()
def equal(a: DimLike, b: DimLike) -> Formula:
    """Return the formula ``a == b``."""
    return TRUE if a is b else is_zero(dim(a) - b)


@recorded()
def unequal(a: DimLike, b: DimLike) -> Formula:
    """Return the formula ``a != b``."""
    return negation(equal(a, b))


@recorded()
def at_least(a: DimLike, b: DimLike) -> Formula:
    """Return the formula ``a >= b``."""
    return is_non_negative(dim(a) - b)


@recorded()
def less_than(a: DimLike, b: DimLike) -> Formula:
    """Return the formula ``a < b``."""
    return is_non_negative(dim(b) - a - 1)


@recorded()
def divides(divisor: DimLike, size: DimLike) -> Formula:
    """Return the formula ``size % divisor == 0``."""
    return is_zero(dim(size) % divisor)


@recorded(listed)
def compatible(sizes: Iterable[DimLike]) -> Formula:
    """Return the claim that sizes broadcast together as one column."""
    parts = dict.fromkeys(part for part in map(dim, sizes) if part is not ONE)
    constants = [part for part in parts if part.is_constant]
    if len(constants) > 1:
        return FALSE
    if len(parts) <= 1:
        return TRUE
    ordered = tuple(sorted(parts, key=natural_order))
    known = _interned.found((Compatible, *ordered))
    if known is not None:
        return known
    text = f"compatible({', '.join(map(str, ordered))})"
    return _make(Compatible, ordered, text, variables_in(ordered))


def same_unranked_shape(a: Shape, b: Shape) -> Formula:
    """Return the claim of equal rank and extents for shapes, one of unknown rank; validity is left to the caller."""
    first, second = sorted((a, b), key=natural_order)
    # `==` is about valid shapes. Extents of a broadcast are there, column by column, even where it is invalid.
    always_valid = first.valid is TRUE and second.valid is TRUE
    text = f"{first} == {second}" if always_valid else f"same_extents({first}, {second})"
    return _make(SameShape, (first, second), text, first.variables | second.variables)


def compatible_shapes(shapes: tuple[Shape, ...]) -> Formula:
    """Return the claim that shapes, one of unknown rank, broadcast together; validity is left to the caller."""
    variables = variables_in(shapes)
    return _make(CompatibleShapes, shapes, f"broadcastable({', '.join(map(str, shapes))})", variables)


# Connectives -----------------------------------------------------------------------------------------------------


@recorded(listed)
def conjunction(parts: Iterable[Formula]) -> Formula:
    """Return the conjunction of formulas."""
    return _connected(parts, And, TRUE, FALSE, " and ")


@recorded(listed)
def disjunction(parts: Iterable[Formula]) -> Formula:
    """Return the disjunction of formulas."""
    return _connected(parts, Or, FALSE, TRUE, " or ")


def _connected(
    parts: Iterable[Formula], kind: type[And | Or], neutral: Formula, absorbing: Formula, between: str
) -> Formula:
    """Return the conjunction or disjunction of formulas: nested ones are flattened, and each part occurs once."""
    flat: dict[Formula, None] = {}
    for part in parts:
        is_nested = isinstance(part, kind)
        if not is_nested and not isinstance(part, Formula):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise not_a_formula(part)
        if is_nested and not flat:  # its parts do not contradict each other
            flat = dict.fromkeys(part.parts)
            continue
        for piece in part.parts if is_nested else (part,):
            if piece is neutral or piece in flat:
                continue
            if piece is absorbing or (flat and negation(piece) in flat):
                return absorbing
            flat[piece] = None
    if not flat:
        return neutral
    if len(flat) == 1:
        return next(iter(flat))
    pieces = tuple(flat)
    known = _interned.found((kind, *pieces))
    if known is not None:
        return known
    text = _listed(pieces, between)
    return _make(kind, pieces, text, variables_in(pieces))


def _listed(pieces: tuple[Formula, ...], between: str) -> str:
    check_length(sum(len(piece.text) for piece in pieces), MAX_CLAIM_CHARACTERS)
    return between.join(piece.wrapped() for piece in pieces)


def negation(part: Formula) -> Formula:
    """Return the negation of a formula."""
    if not isinstance(part, Formula):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise not_a_formula(part)
    return ~part


def negated(part: Formula) -> Formula:
    """Compute the negation in normal form, which `negation` caches."""
    if isinstance(part, Constant):
        return truth(part is FALSE)
    if isinstance(part, Not):
        return part.parts[0]
    if isinstance(part, IsNonNegative):
        return is_non_negative(-part.size - 1)
    if isinstance(part, And):
        return disjunction(negation(piece) for piece in part.parts)
    if isinstance(part, Or):
        return conjunction(negation(piece) for piece in part.parts)
    if isinstance(part, IsZero) and part.text.endswith(NO_ERROR):
        text = part.text.replace(NO_ERROR, " is an error")
    elif isinstance(part, IsZero) and isinstance((part.size + 1).atom, UnmodeledTruth):
        text = f"not ({part})"
    elif isinstance(part, IsZero | SameShape) and part.text.count("==") == 1 and "select(" not in part.text:
        text = part.text.replace("==", "!=")
    else:
        text = f"not {part}"
    return _make(Not, (part,), text, part.variables)


@recorded()
def implies(premise: Formula, conclusion: Formula) -> Formula:
    """Return the formula "the conclusion holds wherever the premise does"."""
    return TRUE if premise is conclusion or conclusion is TRUE else disjunction((negation(premise), conclusion))


@recorded()
def equivalent(a: Formula, b: Formula) -> Formula:
    """Return the formula "both hold or neither does"."""
    if a is b:
        return TRUE
    if isinstance(a, Constant):
        return b if a is TRUE else negation(b)
    if isinstance(b, Constant):
        return equivalent(b, a)
    return conjunction((implies(a, b), implies(b, a)))


@recorded()
def either(condition: Formula, then: Formula, otherwise: Formula) -> Formula:
    """Return the conditional formula: ``then`` where the condition holds, else ``otherwise``."""
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    return conjunction((implies(condition, then), implies(negation(condition), otherwise)))


def conjuncts(part: Formula) -> tuple[Formula, ...]:
    """Return the parts of a conjunction; any other formula alone; nothing for `TRUE`."""
    if isinstance(part, And):
        return part.parts
    return () if part is TRUE else (part,)


def broadcast_parts(size: Dim) -> tuple[Dim, ...]:
    """Return the sizes that a broadcast extent joins; any other size alone."""
    atom = size.atom
    return atom.parts if isinstance(atom, BroadcastExtent) else (size,)
