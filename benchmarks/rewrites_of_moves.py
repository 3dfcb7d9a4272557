"""Rewrites of operations that move elements."""

from __future__ import annotations

from rewrite_rules import Family, Rewrite
from stablehlo_programs import Tensor

_slice = Family("slice")
_transpose = Family("transpose")
_reverse = Family("reverse")


def turned(a: Tensor) -> Tensor:
    """Return the tensor with its dimensions in the reverse order."""
    return a.transpose(*reversed(range(a.rank)))


def rotated(a: Tensor, by: int = 1) -> Tensor:
    """Return the tensor with its dimensions moved to the left, around the end."""
    return a.transpose(*((place + by) % a.rank for place in range(a.rank)))


SLICES = (
    _slice(
        "slice of a slice adds the starts",
        "?x?xf32",
        lambda a: a.slice((2, 9), (1, 7)).slice((1, 3), (2, 5)),
        lambda a: a.slice((3, 5), (3, 6)),
        (),
        lambda a: a.slice((3, 5), (2, 5)),
    ),
    _slice(
        "slice of a slice multiplies the strides",
        "24x?xf32",
        lambda a: a.slice((2, 22, 3), (0, 9, 2)).slice((1, 7, 2), (1, 5, 2)),
        lambda a: a.slice((5, 22, 6), (2, 9, 4)),
        (),
        lambda a: a.slice((3, 20, 6), (2, 9, 4)),
    ),
    _slice("slice of everything", "6x4xf32", lambda a: a.slice((0, 6), (0, 4)), lambda a: a),
    _slice(
        "slice of a reverse",
        "9x?xf32",
        lambda a: a.reverse(0).slice((1, 5), (0, 3)),
        lambda a: a.slice((4, 8), (0, 3)).reverse(0),
        (),
        lambda a: a.slice((5, 9), (0, 3)).reverse(0),
    ),
    _slice(
        "slice of a strided reverse",
        "10xf32",
        lambda a: a.reverse(0).slice((1, 9, 3)),
        lambda a: a.slice((2, 9, 3)).reverse(0),
        wrong=lambda a: a.slice((1, 8, 3)).reverse(0),
    ),
    _slice(
        "slice of a transpose",
        "?x?x?xf32",
        lambda a: a.transpose(2, 0, 1).slice((1, 4), (0, 5, 2), (2, 3)),
        lambda a: a.slice((0, 5, 2), (2, 3), (1, 4)).transpose(2, 0, 1),
        (),
        lambda a: a.slice((0, 5, 2), (1, 2), (1, 4)).transpose(2, 0, 1),
    ),
    _slice(
        "slice of a broadcast of a scalar",
        "f32, ?x?xf32",
        lambda a, b: a.broadcast_like((), b).slice((1, 4), (0, 2)),
        lambda a, b: a.broadcast((), 3, 2),
        (),
    ),
    _slice(
        "slice of a broadcast along another dimension",
        "8xf32, ?x8xf32",
        lambda a, b: a.broadcast([1], (b, 0), 8).slice((1, 3), (2, 6)),
        lambda a, b: a.slice((2, 6)).broadcast([1], 2, 4),
        (),
        lambda a, b: a.slice((1, 5)).broadcast([1], 2, 4),
    ),
    _slice(
        "slice in the first part of a concatenation",
        "?x4xf32, ?x4xf32",
        lambda a, b: a.concat(0, b).slice((1, 5), (0, 3)),
        lambda a, b: a.slice((1, 5), (0, 3)),
        ("a[0] >= 5",),
        lambda a, b: a.slice((0, 4), (0, 3)),
    ),
    _slice(
        "slice in the second part of a concatenation",
        "5x4xf32, ?x4xf32",
        lambda a, b: a.concat(0, b).slice((6, 9), (0, 4)),
        lambda a, b: b.slice((1, 4), (0, 4)),
        (),
        lambda a, b: b.slice((0, 3), (0, 4)),
    ),
    _slice(
        "slice across both parts of a concatenation",
        "5xf32, ?xf32",
        lambda a, b: a.concat(0, b).slice((3, 8)),
        lambda a, b: a.slice((3, 5)).concat(0, b.slice((0, 3))),
        (),
        lambda a, b: a.slice((2, 4)).concat(0, b.slice((0, 3))),
    ),
    _slice(
        "slice along another dimension of a concatenation",
        "?x?xf32, ?x?xf32",
        lambda a, b: a.slice((0, 3), (1, 4)).concat(0, b.slice((0, 5), (1, 4))),
        lambda a, b: a.slice((0, 3), (0, 4)).concat(0, b.slice((0, 5), (0, 4))).slice((0, 8), (1, 4)),
        (),
    ),
    _slice(
        "slice of a padded tensor inside of the tensor",
        "?xf32, f32",
        lambda a, b: a.pad(b, [2], [3]).slice((3, 7)),
        lambda a, b: a.slice((1, 5)),
        ("a[0] >= 5",),
        lambda a, b: a.slice((0, 4)),
    ),
    _slice(
        "slice of a padded tensor inside of the padding",
        "?xf32, f32",
        lambda a, b: a.pad(b, [4], [1]).slice((1, 4)),
        lambda a, b: b.broadcast([], 3),
        wrong=lambda a, b: (-b).broadcast([], 3),
    ),
    _slice(
        "slice takes away the padding",
        "6x7xf32, f32",
        lambda a, b: a.pad(b, [2, 1], [1, 0]).slice((2, 8), (1, 8)),
        lambda a, b: a,
        wrong=lambda a, b: a.reverse(0),
    ),
    _slice(
        "slice takes away interior padding",
        "6xf32, f32",
        lambda a, b: a.pad(b, [1], [1], [2]).slice((1, 17, 3)),
        lambda a, b: a,
        wrong=lambda a, b: a.reverse(0),
    ),
    _slice(
        "slice of a sum",
        "?x?xf32, ?x?xf32",
        lambda a, b: (a + b).slice((1, 3), (0, 4, 2)),
        lambda a, b: a.slice((1, 3), (0, 4, 2)) + b.slice((1, 3), (0, 4, 2)),
        (),
    ),
    _slice(
        "slice of an iota along another dimension",
        "?xf32",
        lambda a: a.iota(1, (a, 0), 5).slice((2, 4), (0, 5)),
        lambda a: a.iota(1, 2, 5),
        (),
    ),
    _slice(
        "slice of a reshape that adds a unit dimension",
        "9x4xf32",
        lambda a: a.reshape(9, 1, 4).slice((2, 5), (0, 1), (1, 3)),
        lambda a: a.slice((2, 5), (1, 3)).reshape(3, 1, 2),
        wrong=lambda a: a.slice((2, 5), (2, 4)).reshape(3, 1, 2),
    ),
)

TRANSPOSES = (
    _transpose("transpose that moves nothing", "*f32", lambda a: a.transpose(*range(a.rank)), lambda a: a),
    _transpose("transpose twice", "*f32", lambda a: turned(turned(a)), lambda a: a, wrong=rotated, least_rank=2),
    _transpose(
        "transpose of a transpose",
        "?x?x?x?xf32",
        lambda a: a.transpose(1, 3, 0, 2).transpose(2, 0, 3, 1),
        lambda a: a.transpose(0, 1, 2, 3),
        wrong=lambda a: a.transpose(1, 0, 3, 2),
    ),
    _transpose(
        "transpose of a transpose composes",
        "*f32",
        lambda a: rotated(rotated(a)),
        lambda a: rotated(a, 2),
        wrong=lambda a: a,
        least_rank=3,
    ),
    _transpose("transpose of a sum", "*f32, *f32", lambda a, b: turned(a + b), lambda a, b: turned(a) + turned(b)),
    _transpose("transpose of a negation", "*f32", lambda a: turned(-a), lambda a: -turned(a)),
    _transpose(
        "transpose of a select",
        "*i1, *f32, *f32",
        lambda a, b, c: turned(a.select(b, c)),
        lambda a, b, c: turned(a).select(turned(b), turned(c)),
    ),
    _transpose(
        "transpose of a conversion", "*i32", lambda a: turned(a.convert("f32")), lambda a: turned(a).convert("f32")
    ),
    _transpose(
        "transpose of a comparison",
        "*f32, *f32",
        lambda a, b: turned(a.compare("LT", b)),
        lambda a, b: turned(a).compare("LT", turned(b)),
    ),
    _transpose(
        "transpose of a broadcast",
        "?x?xf32, ?x?x?xf32",
        lambda a, b: a.broadcast([0, 2], (a, 0), (b, 1), (a, 1)).transpose(2, 1, 0),
        lambda a, b: a.broadcast([2, 0], (a, 1), (b, 1), (a, 0)),
    ),
    _transpose(
        "transpose of a broadcast of a scalar",
        "f32, ?x?xf32",
        lambda a, b: a.broadcast([], (b, 0), (b, 1)).transpose(1, 0),
        lambda a, b: a.broadcast([], (b, 1), (b, 0)),
    ),
    _transpose(
        "transpose of a concatenation",
        "?x?xf32, ?x?xf32",
        lambda a, b: a.concat(0, b).transpose(1, 0),
        lambda a, b: a.transpose(1, 0).concat(1, b.transpose(1, 0)),
        wrong=lambda a, b: b.transpose(1, 0).concat(1, a.transpose(1, 0)),
    ),
    _transpose(
        "transpose of a padded tensor",
        "?x?xf32, f32",
        lambda a, b: a.pad(b, [1, -2], [0, 3], [0, 1]).transpose(1, 0),
        lambda a, b: a.transpose(1, 0).pad(b, [-2, 1], [3, 0], [1, 0]),
        wrong=lambda a, b: a.transpose(1, 0).pad(b, [-1, 1], [2, 0], [1, 0]),
    ),
    _transpose(
        "transpose of a reverse",
        "?x?x?xf32",
        lambda a: a.reverse(0, 2).transpose(1, 2, 0),
        lambda a: a.transpose(1, 2, 0).reverse(1, 2),
        wrong=lambda a: a.transpose(1, 2, 0).reverse(0, 2),
    ),
    _transpose(
        "transpose of unit dimensions is a reshape",
        "?x1x4xf32",
        lambda a: a.transpose(1, 0, 2),
        lambda a: a.reshape(1, (a, 0), 4),
    ),
    _transpose(
        "transpose of a vector and a unit is a reshape", "1x?xf32", lambda a: turned(a), lambda a: a.reshape((a, 1), 1)
    ),
    _transpose(
        "transpose of an iota",
        "?x?xf32",
        lambda a: a.iota(0, (a, 0), (a, 1)).transpose(1, 0),
        lambda a: a.iota(1, (a, 1), (a, 0)),
    ),
)

REVERSES = (
    _reverse("reverse twice", "*f32", lambda a: a.reverse(0).reverse(0), lambda a: a, least_rank=1),
    _reverse("reverse of no dimension", "*f32", lambda a: a.reverse(), lambda a: a),
    _reverse(
        "reverse of a reverse of other dimensions",
        "?x?x?xf32",
        lambda a: a.reverse(0, 1).reverse(1, 2),
        lambda a: a.reverse(0, 2),
        wrong=lambda a: a.reverse(0, 1, 2),
    ),
    _reverse("reverse of a unit dimension", "?x1xf32", lambda a: a.reverse(0, 1), lambda a: a.reverse(0)),
    _reverse(
        "reverse of a dimension that is a unit",
        "?x?xf32",
        lambda a: a.reverse(1),
        lambda a: a,
        ("a[1] <= 1",),
    ),
    _reverse(
        "reverse of a sum",
        "*f32, *f32",
        lambda a, b: (a + b).reverse(0),
        lambda a, b: a.reverse(0) + b.reverse(0),
        wrong=lambda a, b: a.reverse(0) + b,
        least_rank=1,
    ),
    _reverse(
        "reverse of a broadcast along the new dimension",
        "?xf32, ?xf32",
        lambda a, b: a.broadcast([1], (b, 0), (a, 0)).reverse(0),
        lambda a, b: a.broadcast([1], (b, 0), (a, 0)),
    ),
    _reverse(
        "reverse of a broadcast along an old dimension",
        "?xf32, ?xf32",
        lambda a, b: a.broadcast([1], (b, 0), (a, 0)).reverse(1),
        lambda a, b: a.reverse(0).broadcast([1], (b, 0), (a, 0)),
        wrong=lambda a, b: a.broadcast([1], (b, 0), (a, 0)),
    ),
    _reverse(
        "reverse of a concatenation",
        "?x?xf32, ?x?xf32",
        lambda a, b: a.concat(1, b).reverse(1),
        lambda a, b: b.reverse(1).concat(1, a.reverse(1)),
        wrong=lambda a, b: a.reverse(1).concat(1, b.reverse(1)),
    ),
    _reverse(
        "reverse of a padded tensor",
        "?xf32, f32",
        lambda a, b: a.pad(b, [1], [3], [1]).reverse(0),
        lambda a, b: a.reverse(0).pad(b, [3], [1], [1]),
        wrong=lambda a, b: a.reverse(0).pad(b, [1], [3], [1]),
    ),
)

MOVES: tuple[Rewrite, ...] = (*SLICES, *TRANSPOSES, *REVERSES)
