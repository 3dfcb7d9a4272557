"""Rewrites of broadcasts, concatenations, paddings, reshapes, positions, and dynamic slices."""

from __future__ import annotations

from rewrite_rules import Family, Rewrite
from stablehlo_programs import Product, Tensor

_broadcast = Family("broadcast")
_concat = Family("concat")
_pad = Family("pad")
_reshape = Family("reshape")
_dynamic = Family("dynamic slice")
_iota = Family("iota")


def _dimensions(a: Tensor) -> list[int]:
    return list(range(a.rank))


BROADCASTS = (
    _broadcast("broadcast to the same shape", "*f32", lambda a: a.broadcast_like(_dimensions(a), a), lambda a: a),
    _broadcast(
        "broadcast of a broadcast composes",
        "?xf32, ?x?x?xf32",
        lambda a, b: a.broadcast([1], (b, 1), (a, 0)).broadcast([0, 2], (b, 1), (b, 0), (a, 0)),
        lambda a, b: a.broadcast([2], (b, 1), (b, 0), (a, 0)),
    ),
    _broadcast(
        "broadcast of a broadcast of a scalar",
        "f32, ?x?xf32",
        lambda a, b: a.broadcast([], (b, 0)).broadcast([0], (b, 0), (b, 1)),
        lambda a, b: a.broadcast_like([], b),
        wrong=lambda a, b: (-a).broadcast_like([], b),
    ),
    _broadcast(
        "broadcast of a transpose",
        "?x?xf32, ?xf32",
        lambda a, b: a.transpose(1, 0).broadcast([0, 2], (a, 1), (b, 0), (a, 0)),
        lambda a, b: a.broadcast([2, 0], (a, 1), (b, 0), (a, 0)),
    ),
    _broadcast(
        "broadcast that orders dimensions is a transpose",
        "?x?xf32",
        lambda a: a.broadcast([1, 0], (a, 1), (a, 0)),
        lambda a: a.transpose(1, 0),
    ),
    _broadcast(
        "broadcast of a sum of scalars",
        "f32, f32, *f32",
        lambda a, b, c: a.broadcast_like([], c) + b.broadcast_like([], c),
        lambda a, b, c: (a + b).broadcast_like([], c),
    ),
    _broadcast(
        "broadcast of a product of vectors",
        "?xf32, ?xf32, ?x?xf32",
        lambda a, b, c: a.broadcast([1], (c, 0), (a, 0)) * b.broadcast([1], (c, 0), (a, 0)),
        lambda a, b, c: (a * b).broadcast([1], (c, 0), (a, 0)),
        ("a[0] == b[0]",),
        lambda a, b, c: (a + b).broadcast([1], (c, 0), (a, 0)),
    ),
    _broadcast(
        "broadcast of a negation",
        "f32, *f32",
        lambda a, b: -a.broadcast_like([], b),
        lambda a, b: (-a).broadcast_like([], b),
    ),
    _broadcast(
        "broadcast along a unit is a reshape",
        "?x4xf32",
        lambda a: a.broadcast([0, 2], (a, 0), 1, 4),
        lambda a: a.reshape((a, 0), 1, 4),
    ),
    _broadcast(
        "broadcast of a reshape that drops a unit",
        "?x1xf32, ?xf32",
        lambda a, b: a.reshape((a, 0)).broadcast([1], (b, 0), (a, 0)),
        lambda a, b: a.broadcast([1, 0], (b, 0), (a, 0)),
    ),
)

CONCATENATIONS = (
    _concat("concatenation of one", "?x?xf32", lambda a: a.concat(0), lambda a: a),
    _concat(
        "concatenation with nothing",
        "?x4xf32, 0x4xf32",
        lambda a, b: a.concat(0, b),
        lambda a, b: a,
        wrong=lambda a, b: a.reverse(0),
    ),
    _concat(
        "concatenation with a tensor that is empty",
        "?x4xf32, ?x4xf32",
        lambda a, b: b.concat(0, a),
        lambda a, b: a,
        ("b[0] == 0",),
    ),
    _concat(
        "concatenation of a concatenation at the left",
        "?x?xf32, ?x?xf32, ?x?xf32",
        lambda a, b, c: a.concat(0, b).concat(0, c),
        lambda a, b, c: a.concat(0, b, c),
        wrong=lambda a, b, c: b.concat(0, a, c),
    ),
    _concat(
        "concatenation of a concatenation at the right",
        "?x?xf32, ?x?xf32, ?x?xf32",
        lambda a, b, c: a.concat(1, b.concat(1, c)),
        lambda a, b, c: a.concat(1, b, c),
        wrong=lambda a, b, c: a.concat(1, c, b),
    ),
    _concat(
        "concatenation of adjacent slices",
        "?x4xf32",
        lambda a: a.slice((1, 3), (0, 4)).concat(0, a.slice((3, 7), (0, 4))),
        lambda a: a.slice((1, 7), (0, 4)),
        wrong=lambda a: a.slice((0, 6), (0, 4)),
    ),
    _concat(
        "concatenation with a broadcast scalar is a padding",
        "?xf32, f32",
        lambda a, b: a.concat(0, b.broadcast([], 3)),
        lambda a, b: a.pad(b, [0], [3]),
        wrong=lambda a, b: a.pad(b, [3], [0]),
    ),
    _concat(
        "concatenation of a broadcast scalar before is a padding",
        "?xf32, f32",
        lambda a, b: b.broadcast([], 3).concat(0, a),
        lambda a, b: a.pad(b, [3], [0]),
    ),
    _concat(
        "concatenation of negations",
        "?x?xf32, ?x?xf32",
        lambda a, b: (-a).concat(1, -b),
        lambda a, b: -a.concat(1, b),
    ),
    _concat(
        "concatenation of sums",
        "4x?xf32, 4x?xf32, 5x?xf32, 5x?xf32",
        lambda a, b, c, d: (a + b).concat(0, c + d),
        lambda a, b, c, d: a.concat(0, c) + b.concat(0, d),
        wrong=lambda a, b, c, d: a.concat(0, d) + b.concat(0, c + c),
    ),
    _concat(
        "concatenation of equal broadcasts",
        "f32, ?xf32, ?xf32",
        lambda a, b, c: a.broadcast([], (b, 0)).concat(0, a.broadcast([], (c, 0))),
        lambda a, b, c: a.broadcast_like([], b.concat(0, c)),
    ),
    _concat(
        "concatenation of transposes",
        "?x?xf32, ?x?xf32",
        lambda a, b: a.transpose(1, 0).concat(0, b.transpose(1, 0)),
        lambda a, b: a.concat(1, b).transpose(1, 0),
    ),
    _concat(
        "concatenation of reshapes to columns is the column of a concatenation",
        "?xf32, ?xf32",
        lambda a, b: a.reshape((a, 0), 1).concat(0, b.reshape((b, 0), 1)),
        lambda a, b: (lambda c: c.reshape((c, 0), 1))(a.concat(0, b)),
    ),
)

PADDINGS = (
    _pad("padding by nothing", "?x?xf32, f32", lambda a, b: a.pad(b, [0, 0], [0, 0]), lambda a, b: a),
    _pad(
        "padding of a padded tensor with the same value",
        "?x?xf32, f32",
        lambda a, b: a.pad(b, [1, 0], [2, 3]).pad(b, [2, 1], [0, 1]),
        lambda a, b: a.pad(b, [3, 1], [2, 4]),
        wrong=lambda a, b: a.pad(b, [2, 1], [3, 4]),
    ),
    _pad(
        "negative padding is a slice",
        "8xf32, f32",
        lambda a, b: a.pad(b, [-2], [-1]),
        lambda a, b: a.slice((2, 7)),
        wrong=lambda a, b: a.slice((1, 6)),
    ),
    _pad(
        "padding at one end and cutting at the other",
        "8xf32, f32",
        lambda a, b: a.pad(b, [2], [-3]),
        lambda a, b: a.slice((0, 5)).pad(b, [2], [0]),
        wrong=lambda a, b: a.slice((1, 6)).pad(b, [2], [0]),
    ),
    _pad(
        "interior padding of a single element does nothing",
        "1xf32, f32",
        lambda a, b: a.pad(b, [2], [1], [3]),
        lambda a, b: a.pad(b, [2], [1]),
    ),
    _pad(
        "interior padding of a tensor with at most one element",
        "?xf32, f32",
        lambda a, b: a.pad(b, [0], [0], [2]),
        lambda a, b: a,
        ("a[0] <= 1",),
    ),
    _pad(
        "interior padding, then edges",
        "?xf32, f32",
        lambda a, b: a.pad(b, [0], [0], [2]).pad(b, [1], [2]),
        lambda a, b: a.pad(b, [1], [2], [2]),
        wrong=lambda a, b: a.pad(b, [2], [1], [2]),
    ),
    _pad(
        "padding of a broadcast of the same scalar",
        "f32, ?xf32",
        lambda a, b: a.broadcast([], (b, 0)).pad(a, [1], [2]),
        lambda a, b: a.broadcast_like([], b.pad(a, [1], [2])),
    ),
    _pad(
        "padding of an empty tensor is a broadcast",
        "0x3xf32, f32",
        lambda a, b: a.pad(b, [2, 0], [3, 0]),
        lambda a, b: b.broadcast([], 5, 3),
        wrong=lambda a, b: (-b).broadcast([], 5, 3),
    ),
    _pad(
        "padding of a negation",
        "?xf32, f32",
        lambda a, b: (-a).pad(-b, [1], [2]),
        lambda a, b: -a.pad(b, [1], [2]),
        wrong=lambda a, b: -a.pad(-b, [1], [2]),
    ),
    _pad(
        "padding of a padded tensor in another dimension",
        "?x?xf32, f32",
        lambda a, b: a.pad(b, [1, 0], [0, 0]).pad(b, [0, 2], [0, 0]),
        lambda a, b: a.pad(b, [0, 2], [0, 0]).pad(b, [1, 0], [0, 0]),
    ),
    _pad(
        "padding of a concatenation at the end",
        "?xf32, ?xf32, f32",
        lambda a, b, c: a.concat(0, b).pad(c, [0], [2]),
        lambda a, b, c: a.concat(0, b.pad(c, [0], [2])),
        wrong=lambda a, b, c: a.pad(c, [0], [2]).concat(0, b),
    ),
)

RESHAPES = (
    _reshape("reshape to the same shape", "*f32", lambda a: a.reshape(*((a, k) for k in range(a.rank))), lambda a: a),
    _reshape(
        "reshape of a reshape",
        "4x6xf32",
        lambda a: a.reshape(24).reshape(3, 8),
        lambda a: a.reshape(3, 8),
        wrong=lambda a: a.transpose(1, 0).reshape(3, 8),
    ),
    _reshape(
        "reshape there and back",
        "?x4xf32",
        lambda a: a.reshape(Product(((a, 0), 4))).reshape((a, 0), 4),
        lambda a: a,
        wrong=lambda a: a.reverse(1),
    ),
    _reshape(
        "reshape there and back of two dynamic extents",
        "?x?xf32",
        lambda a: a.reshape(Product(((a, 0), (a, 1)))).reshape((a, 0), (a, 1)),
        lambda a: a,
        wrong=lambda a: a.reverse(0),
    ),
    _reshape(
        "reshape of a sum",
        "?x4xf32, ?x4xf32",
        lambda a, b: (a + b).reshape(Product(((a, 0), 4))),
        lambda a, b: a.reshape(Product(((a, 0), 4))) + b.reshape(Product(((b, 0), 4))),
    ),
    _reshape(
        "reshape of a negation",
        "?x?xf32",
        lambda a: (-a).reshape((a, 0), 1, (a, 1)),
        lambda a: -a.reshape((a, 0), 1, (a, 1)),
    ),
    _reshape(
        "reshape of a broadcast scalar",
        "f32, ?x4xf32",
        lambda a, b: a.broadcast([], (b, 0), 4).reshape(4, (b, 0)),
        lambda a, b: a.broadcast([], 4, (b, 0)),
    ),
    _reshape(
        "reshape that adds units is a broadcast",
        "?x?xf32",
        lambda a: a.reshape(1, (a, 0), 1, (a, 1)),
        lambda a: a.broadcast([1, 3], 1, (a, 0), 1, (a, 1)),
    ),
    _reshape(
        "reshape of a transpose of units",
        "1x?x1xf32",
        lambda a: a.transpose(2, 0, 1).reshape((a, 1)),
        lambda a: a.reshape((a, 1)),
    ),
    _reshape(
        "reshape of a scalar and back",
        "f32",
        lambda a: a.reshape(1, 1).reshape(),
        lambda a: a,
    ),
    _reshape(
        "reshape of a concatenation of rows",
        "2x?xf32, 3x?xf32",
        lambda a, b: a.concat(0, b).reshape(5, 1, (a, 1)),
        lambda a, b: a.reshape(2, 1, (a, 1)).concat(0, b.reshape(3, 1, (b, 1))),
    ),
)

POSITIONS = (
    _iota(
        "iota of a unit dimension is zero",
        "?xi32",
        lambda a: a.iota(1, (a, 0), 1),
        lambda a: a.scalar("0").broadcast([], (a, 0), 1),
    ),
    _iota(
        "iota is a broadcast of a vector",
        "?x?xi32",
        lambda a: a.iota(1, (a, 0), (a, 1)),
        lambda a: a.iota(0, (a, 1)).broadcast([1], (a, 0), (a, 1)),
    ),
    _iota(
        "iota in three dimensions is a broadcast of a vector",
        "?x?x?xf32",
        lambda a: a.iota(1, (a, 0), (a, 1), (a, 2), element="f32"),
        lambda a: a.iota(0, (a, 1), element="f32").broadcast([1], (a, 0), (a, 1), (a, 2)),
    ),
    _iota(
        "iota is not negative",
        "?xi32",
        lambda a: a.iota(0, 100).compare("GE", a.scalar("0").broadcast([], 100)),
        lambda a: a.scalar("true", "i1").broadcast([], 100),
    ),
    _iota(
        "iota is less than its extent",
        "?xi32",
        lambda a: a.iota(0, 100).compare("LT", a.scalar("100").broadcast([], 100)),
        lambda a: a.scalar("true", "i1").broadcast([], 100),
    ),
    _iota(
        "reshape of an iota that adds a unit",
        "?xi32",
        lambda a: a.iota(0, (a, 0)).reshape((a, 0), 1),
        lambda a: a.iota(0, (a, 0), 1),
    ),
)

DYNAMIC = (
    _dynamic(
        "dynamic slice of the whole tensor",
        "6x4xf32, i32, i32",
        lambda a, b, c: a.dynamic_slice([b, c], 6, 4),
        lambda a, b, c: a,
        wrong=lambda a, b, c: a.reverse(0),
    ),
    _dynamic(
        "dynamic slice at constant places is a slice",
        "9x?xf32",
        lambda a: a.dynamic_slice([a.scalar("2", "i32"), a.scalar("1", "i32")], 3, 4),
        lambda a: a.slice((2, 5), (1, 5)),
        ("a[1] >= 5",),
        lambda a: a.slice((1, 4), (1, 5)),
    ),
    _dynamic(
        "dynamic slice at a place that is too far is the last slice",
        "9xf32",
        lambda a: a.dynamic_slice([a.scalar("7", "i32")], 4),
        lambda a: a.slice((5, 9)),
        wrong=lambda a: a.slice((4, 8)),
    ),
    _dynamic(
        "dynamic slice at a negative place is the first slice",
        "?xf32",
        lambda a: a.dynamic_slice([a.scalar("-3", "i32")], 4),
        lambda a: a.slice((0, 4)),
        wrong=lambda a: a.slice((1, 5)),
    ),
    _dynamic(
        "dynamic slice of a transpose",
        "?x?xf32, i32, i32",
        lambda a, b, c: a.transpose(1, 0).dynamic_slice([b, c], 2, 3),
        lambda a, b, c: a.dynamic_slice([c, b], 3, 2).transpose(1, 0),
        wrong=lambda a, b, c: a.dynamic_slice([c, b], 3, 2).reverse(0).transpose(1, 0),
    ),
    _dynamic(
        "dynamic slice of a sum",
        "9x?xf32, 9x?xf32, i32, i32",
        lambda a, b, c, d: (a + b).dynamic_slice([c, d], 2, 3),
        lambda a, b, c, d: a.dynamic_slice([c, d], 2, 3) + b.dynamic_slice([c, d], 2, 3),
    ),
    _dynamic(
        "dynamic slice of a broadcast scalar",
        "f32, ?xf32, i32",
        lambda a, b, c: a.broadcast([], (b, 0)).dynamic_slice([c], 3),
        lambda a, b, c: a.broadcast([], 3),
    ),
    _dynamic(
        "dynamic slice of a broadcast along a new dimension",
        "8xf32, ?xf32, i32, i32",
        lambda a, b, c, d: a.broadcast([1], (b, 0), 8).dynamic_slice([c, d], 2, 3),
        lambda a, b, c, d: a.dynamic_slice([d], 3).broadcast([1], 2, 3),
        wrong=lambda a, b, c, d: a.dynamic_slice([d], 3).reverse(0).broadcast([1], 2, 3),
    ),
    _dynamic(
        "dynamic slice of a dynamic slice at constant places",
        "20xf32, i32",
        lambda a, b: a.dynamic_slice([b], 10).dynamic_slice([a.scalar("0", "i32")], 10),
        lambda a, b: a.dynamic_slice([b], 10),
        wrong=lambda a, b: a.dynamic_slice([b], 10).reverse(0),
    ),
    _dynamic(
        "dynamic slice of a reshape that adds a unit",
        "?xf32, i32, i32",
        lambda a, b, c: a.reshape(1, (a, 0)).dynamic_slice([b, c], 1, 3),
        lambda a, b, c: a.dynamic_slice([c], 3).reshape(1, 3),
        wrong=lambda a, b, c: a.dynamic_slice([c], 3).reverse(0).reshape(1, 3),
    ),
    _dynamic(
        "update of the whole tensor",
        "6x4xf32, 6x4xf32, i32, i32",
        lambda a, b, c, d: a.update(b, c, d),
        lambda a, b, c, d: b,
        wrong=lambda a, b, c, d: a,
    ),
    _dynamic(
        "update by nothing",
        "?x?xf32, 0x3xf32, i32, i32",
        lambda a, b, c, d: a.update(b, c, d),
        lambda a, b, c, d: a,
    ),
    _dynamic(
        "update by a part of a tensor that is empty",
        "?xf32, ?xf32, i32",
        lambda a, b, c: a.update(b, c),
        lambda a, b, c: a,
        ("b[0] == 0",),
    ),
    _dynamic(
        "update by the slice that stands there",
        "?x?xf32, i32, i32",
        lambda a, b, c: a.update(a.dynamic_slice([b, c], 2, 3), b, c),
        lambda a, b, c: a,
        wrong=lambda a, b, c: a.reverse(0),
    ),
    _dynamic(
        "slice of what was updated at the same place",
        "?x?xf32, 2x3xf32, i32, i32",
        lambda a, b, c, d: a.update(b, c, d).dynamic_slice([c, d], 2, 3),
        lambda a, b, c, d: b,
        wrong=lambda a, b, c, d: b.reverse(0),
    ),
    _dynamic(
        "update of an update at the same place",
        "?x?xf32, 2x3xf32, 2x3xf32, i32, i32",
        lambda a, b, c, d, e: a.update(b, d, e).update(c, d, e),
        lambda a, b, c, d, e: a.update(c, d, e),
        wrong=lambda a, b, c, d, e: a.update(b, d, e),
    ),
    _dynamic(
        "updates at places apart can be exchanged",
        "?xf32, 2xf32, 2xf32",
        lambda a, b, c: a.update(b, a.scalar("0", "i32")).update(c, a.scalar("3", "i32")),
        lambda a, b, c: a.update(c, a.scalar("3", "i32")).update(b, a.scalar("0", "i32")),
        ("a[0] >= 5",),
    ),
    _dynamic(
        "update of a broadcast at a constant place is a padding",
        "f32, 3xf32",
        lambda a, b: a.broadcast([], 8).update(b, a.scalar("2", "i32")),
        lambda a, b: b.pad(a, [2], [3]),
        wrong=lambda a, b: b.pad(a, [3], [2]),
    ),
)

SHAPES: tuple[Rewrite, ...] = (*BROADCASTS, *CONCATENATIONS, *PADDINGS, *RESHAPES, *POSITIONS, *DYNAMIC)
