"""The normal forms of min, max, broadcast and choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from shapesolve.language.atoms import Bound, BroadcastExtent, Choice, Extreme, Maximum, Minimum
from shapesolve.language.dims import ONE, Dim, DimLike, dim, of_atom
from shapesolve.language.recording import recorded

if TYPE_CHECKING:
    from shapesolve.language.formulas import Formula


@recorded()
def minimum(*sizes: DimLike) -> Dim:
    """The least of one or more sizes."""
    return _extreme(Minimum, sizes)


@recorded()
def maximum(*sizes: DimLike) -> Dim:
    """The greatest of one or more sizes."""
    return _extreme(Maximum, sizes)


@recorded(with_keywords="vouched_broadcast_extent")
def broadcast_extent(*sizes: DimLike, compatible: bool = False) -> Dim:
    """The extent that a column of these sizes broadcasts to.

    With ``compatible`` the caller vouches for the sizes being compatible; then a constant other than 1 is the result.
    Without it the result is exact for all sizes (see `BroadcastExtent`).
    """
    given = [part for part in map(dim, sizes) if part is not ONE]
    if compatible:  # vouched for are the given sizes, not what a broadcast among them was made of
        constant = next((part for part in given if part.is_constant), None)
        if constant is not None:
            return constant
    parts = dict.fromkeys(part for part in _flattened(BroadcastExtent, given) if part is not ONE)
    if not parts:
        return ONE
    if len(parts) == 1:
        return next(iter(parts))
    ordered = tuple(sorted(parts, key=str))
    lows = [low for low, _ in (part.bounds() for part in ordered) if low is not None]
    highs = [high for _, high in (part.bounds() for part in ordered) if high is not None]
    lower: Bound = min(1, *lows) if len(lows) == len(ordered) else None
    upper: Bound = max(1, *highs) if len(highs) == len(ordered) else None
    return of_atom(BroadcastExtent.made(ordered, lower, upper))


@recorded()
def choose(condition: Formula, a: DimLike, b: DimLike) -> Dim:
    """``a`` where the condition holds, else ``b``."""
    from shapesolve.language.formulas import FALSE, TRUE, Formula, no_claim

    first, second = dim(a), dim(b)
    if not isinstance(condition, Formula):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise no_claim(condition)
    if condition is TRUE or first is second:
        return first
    if condition is FALSE:
        return second
    (low_a, high_a), (low_b, high_b) = first.bounds(), second.bounds()
    lower = None if low_a is None or low_b is None else min(low_a, low_b)
    upper = None if high_a is None or high_b is None else max(high_a, high_b)
    return of_atom(Choice.made((condition, first, second), lower, upper))


def _flattened(kind: type[Extreme], sizes: Iterable[Dim]) -> Iterable[Dim]:
    for size in sizes:
        shift = 0 if kind is BroadcastExtent else size.constant  # min(N, M) + 1 is min(N + 1, M + 1)
        atom = (size - shift).atom
        if isinstance(atom, Extreme) and type(atom) is kind:
            yield from (part + shift for part in atom.parts)
        else:
            yield size


def _extreme(kind: type[Extreme], sizes: Iterable[DimLike]) -> Dim:
    parts = list(dict.fromkeys(_flattened(kind, map(dim, sizes))))
    if not parts:
        raise ValueError("min and max need at least one size")
    kept = _undominated(kind, parts)
    if len(kept) == 1:
        return kept[0]
    shift = min(part.constant for part in kept)
    ordered = tuple(sorted((part - shift for part in kept), key=str))
    return of_atom(kind.made(ordered, *_extreme_bounds(kind, ordered))) + shift


def _undominated(kind: type[Extreme], parts: list[Dim]) -> list[Dim]:
    """Drop every part that another one beats whatever the variables are."""
    kept: list[Dim] = []
    for part in parts:
        if any(_beats(kind, other, part) for other in kept):
            continue
        kept = [other for other in kept if not _beats(kind, part, other)]
        kept.append(part)
    return kept


def _beats(kind: type[Extreme], a: Dim, b: Dim) -> bool:
    low, high = (a - b).bounds()
    return (low is not None and low >= 0) if kind is Maximum else (high is not None and high <= 0)


def _extreme_bounds(kind: type[Extreme], parts: tuple[Dim, ...]) -> tuple[Bound, Bound]:
    lows = [part.bounds()[0] for part in parts]
    highs = [part.bounds()[1] for part in parts]
    known_lows = [low for low in lows if low is not None]
    known_highs = [high for high in highs if high is not None]
    if kind is Maximum:
        lower = max(known_lows) if known_lows else None
        upper = max(known_highs) if len(known_highs) == len(highs) else None
    else:
        lower = min(known_lows) if len(known_lows) == len(lows) else None
        upper = min(known_highs) if known_highs else None
    return lower, upper


EXTREMES: dict[type[Extreme], Callable[..., Dim]] = {
    Minimum: minimum,
    Maximum: maximum,
    BroadcastExtent: broadcast_extent,
}
"""What makes each kind in normal form."""
