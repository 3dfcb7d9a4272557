"""Rewrites of reductions, contractions, selections, and scalar functions."""

from __future__ import annotations

from rewrite_rules import Family, Rewrite

_reduce = Family("reduce")
_dot = Family("dot")
_select = Family("select")
_arithmetic = Family("arithmetic")
_compare = Family("compare")
_convert = Family("convert")


REDUCTIONS = (
    _reduce(
        "reduction of a transpose",
        "?x?x?xf32",
        lambda a: a.transpose(2, 0, 1).sum(0),
        lambda a: a.sum(2),
        wrong=lambda a: a.sum(1).transpose(1, 0),
    ),
    _reduce(
        "reduction of a transpose over two dimensions",
        "?x?x?xf32",
        lambda a: a.transpose(2, 0, 1).sum(0, 2),
        lambda a: a.sum(1, 2),
        wrong=lambda a: a.sum(0, 2),
    ),
    _reduce(
        "reduction in another order of dimensions",
        "?x?xf32",
        lambda a: a.sum(0, 1),
        lambda a: a.transpose(1, 0).sum(0, 1),
    ),
    _reduce(
        "reduction of a reverse along a kept dimension",
        "?x?xf32",
        lambda a: a.reverse(1).sum(0),
        lambda a: a.sum(0).reverse(0),
        wrong=lambda a: a.sum(0),
    ),
    _reduce(
        "reduction over no dimension", "?x?xf32", lambda a: a.reduce("maximum", a.scalar("0xFF800000")), lambda a: a
    ),
    _reduce(
        "reduction over a unit that a reshape drops",
        "?x1x?xf32",
        lambda a: a.sum(1),
        lambda a: a.reshape((a, 0), (a, 2)),
    ),
    _reduce(
        "reduction of a reshape that adds a unit",
        "?x?xf32",
        lambda a: a.reshape((a, 0), 1, (a, 1)).sum(2),
        lambda a: a.sum(1).reshape((a, 0), 1),
        wrong=lambda a: a.sum(1).reverse(0).reshape((a, 0), 1),
    ),
    _reduce(
        "reduction of a slice along a kept dimension",
        "?x?xf32",
        lambda a: a.slice((1, 3), (0, 4)).sum(1),
        lambda a: a.slice((0, 3), (0, 4)).sum(1).slice((1, 3)),
    ),
    _reduce(
        "reduction of a concatenation along a kept dimension",
        "2x?xf32, 3x?xf32",
        lambda a, b: a.concat(0, b).sum(1),
        lambda a, b: a.sum(1).concat(0, b.sum(1)),
        wrong=lambda a, b: b.sum(1).concat(0, a.sum(1)),
    ),
    _reduce(
        "reduction of a broadcast along a kept dimension",
        "?xf32, ?xf32",
        lambda a, b: a.broadcast([1], (b, 0), (a, 0)).sum(1),
        lambda a, b: a.sum(0).broadcast([], (b, 0)),
        wrong=lambda a, b: (-a).sum(0).broadcast([], (b, 0)),
    ),
    _reduce(
        "largest element of a transpose",
        "?x?xf32",
        lambda a: a.transpose(1, 0).reduce("maximum", a.scalar("0xFF800000"), 0),
        lambda a: a.reduce("maximum", a.scalar("0xFF800000"), 1),
        wrong=lambda a: a.reduce("maximum", a.scalar("0xFF800000"), 1).reverse(0),
    ),
    _reduce("reduction of a reduction", "?x?xf32", lambda a: a.sum(1).sum(0), lambda a: a.sum(0, 1)),
    _reduce("reduction along a reversed dimension", "?xf32", lambda a: a.reverse(0).sum(0), lambda a: a.sum(0)),
    _reduce(
        "sum of a product with a common factor",
        "?xf32, f32",
        lambda a, b: (a * b.broadcast([], (a, 0))).sum(0),
        lambda a, b: a.sum(0) * b,
        ideal=True,
    ),
)

_MATRICES = ((1,), (0,))

CONTRACTIONS = (
    _dot(
        "transpose of a matrix product",
        "?x?xf32, ?x?xf32",
        lambda a, b: a.dot(b, _MATRICES).transpose(1, 0),
        lambda a, b: b.transpose(1, 0).dot(a.transpose(1, 0), _MATRICES),
        wrong=lambda a, b: a.dot(b, _MATRICES).transpose(1, 0).reverse(0),
    ),
    _dot(
        "product with a transposed left matrix",
        "?x?xf32, ?x?xf32",
        lambda a, b: a.transpose(1, 0).dot(b, _MATRICES),
        lambda a, b: a.dot(b, ((0,), (0,))),
        wrong=lambda a, b: a.dot(b, ((0,), (0,))).reverse(0),
    ),
    _dot(
        "product with a transposed right matrix",
        "?x?xf32, ?x?xf32",
        lambda a, b: a.dot(b.transpose(1, 0), _MATRICES),
        lambda a, b: a.dot(b, ((1,), (1,))),
        wrong=lambda a, b: a.dot(b, ((1,), (1,))).reverse(0),
    ),
    _dot(
        "batched product of transposes",
        "?x?x?xf32, ?x?x?xf32",
        lambda a, b: a.transpose(1, 0, 2).dot(b, ((2,), (1,)), ((0,), (0,))),
        lambda a, b: a.dot(b, ((2,), (1,)), ((1,), (0,))),
        wrong=lambda a, b: a.dot(b, ((2,), (1,)), ((1,), (0,))).reverse(1),
    ),
    _dot(
        "product of two contracted dimensions in another order",
        "?x?x?xf32, ?x?x?xf32",
        lambda a, b: a.dot(b, ((1, 2), (0, 1))),
        lambda a, b: a.dot(b, ((2, 1), (1, 0))),
        wrong=lambda a, b: a.dot(b, ((2, 1), (1, 0))).reverse(0),
    ),
    _dot(
        "product with a reshape that drops a unit batch",
        "1x?x?xf32, 1x?x?xf32",
        lambda a, b: a.dot(b, ((2,), (1,)), ((0,), (0,))),
        lambda a, b: (lambda c: c.reshape(1, *((c, k) for k in range(2))))(
            a.reshape((a, 1), (a, 2)).dot(b.reshape((b, 1), (b, 2)), _MATRICES)
        ),
    ),
    _dot(
        "rows of a product",
        "8x?xf32, ?x?xf32",
        lambda a, b: a.reverse(0).dot(b, _MATRICES),
        lambda a, b: a.dot(b, _MATRICES).reverse(0),
        wrong=lambda a, b: a.dot(b, _MATRICES),
    ),
    _dot(
        "columns of a product",
        "?x?xf32, ?x?xf32",
        lambda a, b: a.dot(b.reverse(1), _MATRICES),
        lambda a, b: a.dot(b, _MATRICES).reverse(1),
        wrong=lambda a, b: a.dot(b, _MATRICES).reverse(0),
    ),
    _dot(
        "rows of a product of a concatenation",
        "2x?xf32, 3x?xf32, ?x?xf32",
        lambda a, b, c: a.concat(0, b).dot(c, _MATRICES),
        lambda a, b, c: a.dot(c, _MATRICES).concat(0, b.dot(c, _MATRICES)),
        wrong=lambda a, b, c: b.dot(c, _MATRICES).concat(0, a.dot(c, _MATRICES)),
    ),
    _dot(
        "outer product is a product of broadcasts",
        "?xf32, ?xf32",
        lambda a, b: a.dot(b, ((), ())),
        lambda a, b: a.broadcast([0], (a, 0), (b, 0)) * b.broadcast([1], (a, 0), (b, 0)),
        ideal=True,  # a sum that begins with 0 is never -0
    ),
    _dot(
        "inner product of vectors is a sum of products",
        "?xf32, ?xf32",
        lambda a, b: a.dot(b, ((0,), (0,))),
        lambda a, b: (a * b).sum(0),
    ),
    _dot(
        "inner product commutes",
        "?xf32, ?xf32",
        lambda a, b: a.dot(b, ((0,), (0,))),
        lambda a, b: b.dot(a, ((0,), (0,))),
    ),
    _dot(
        "product of matrices associates",
        "?x?xf32, ?x?xf32, ?x?xf32",
        lambda a, b, c: a.dot(b, _MATRICES).dot(c, _MATRICES),
        lambda a, b, c: a.dot(b.dot(c, _MATRICES), _MATRICES),
        ideal=True,
    ),
)


SELECTIONS = (
    _select("select of one value", "*i1, *f32", lambda a, b: a.select(b, b), lambda a, b: b),
    _select(
        "select by true",
        "*f32, *f32",
        lambda a, b: a.scalar("true", "i1").select(a, b),
        lambda a, b: a,
        wrong=lambda a, b: b,
    ),
    _select(
        "select by false",
        "*f32, *f32",
        lambda a, b: a.scalar("false", "i1").select(a, b),
        lambda a, b: b,
        wrong=lambda a, b: a,
    ),
    _select(
        "select of negations", "*i1, *f32, *f32", lambda a, b, c: a.select(-b, -c), lambda a, b, c: -a.select(b, c)
    ),
    _select(
        "select by the negated condition",
        "*i1, *f32, *f32",
        lambda a, b, c: (~a).select(b, c),
        lambda a, b, c: a.select(c, b),
    ),
    _select(
        "select in a select by the same condition",
        "*i1, *f32, *f32",
        lambda a, b, c: a.select(a.select(b, c), c),
        lambda a, b, c: a.select(b, c),
    ),
    _select(
        "select of broadcast scalars",
        "i1, f32, f32, ?x?xf32",
        lambda a, b, c, d: a.broadcast_like([], d).select(b.broadcast_like([], d), c.broadcast_like([], d)),
        lambda a, b, c, d: a.select(b, c).broadcast_like([], d),
    ),
    _select(
        "select of reverses",
        "?xi1, ?xf32, ?xf32",
        lambda a, b, c: a.reverse(0).select(b.reverse(0), c.reverse(0)),
        lambda a, b, c: a.select(b, c).reverse(0),
    ),
    _select(
        "clamp is a minimum of a maximum",
        "*f32, *f32, *f32",
        lambda a, b, c: a.clamp(b, c),
        lambda a, b, c: b.maximum(a).minimum(c),
    ),
    _select(
        "clamp of a transpose",
        "?x?xf32, ?x?xf32, ?x?xf32",
        lambda a, b, c: a.transpose(1, 0).clamp(b.transpose(1, 0), c.transpose(1, 0)),
        lambda a, b, c: a.clamp(b, c).transpose(1, 0),
    ),
)

ARITHMETIC = (
    _arithmetic("sum commutes", "*f32, *f32", lambda a, b: a + b, lambda a, b: b + a, wrong=lambda a, b: a - b),
    _arithmetic("product commutes", "*f32, *f32", lambda a, b: a * b, lambda a, b: b * a, wrong=lambda a, b: a + b),
    _arithmetic("sum of integers commutes", "*i32, *i32", lambda a, b: a + b, lambda a, b: b + a),
    _arithmetic("maximum commutes", "*f32, *f32", lambda a, b: a.maximum(b), lambda a, b: b.maximum(a)),
    _arithmetic("conjunction commutes", "*i32, *i32", lambda a, b: a & b, lambda a, b: b & a),
    _arithmetic("sum with zero", "*i32", lambda a: a + a.full("0"), lambda a: a),
    _arithmetic("sum with zero of floats", "*f32", lambda a: a + a.full("0.0"), lambda a: a, ideal=True),
    _arithmetic("product with one", "*f32", lambda a: a * a.full("1.0"), lambda a: a),
    _arithmetic("product with zero", "*i32", lambda a: a * a.full("0"), lambda a: a.full("0")),
    _arithmetic(
        "product with zero of floats", "*f32", lambda a: a * a.full("0.0"), lambda a: a.full("0.0"), ideal=True
    ),
    _arithmetic("difference with itself", "*i32", lambda a: a - a, lambda a: a.full("0")),
    _arithmetic("difference of floats with itself", "*f32", lambda a: a - a, lambda a: a.full("0.0"), ideal=True),
    _arithmetic("quotient by itself", "*f32", lambda a: a / a, lambda a: a.full("1.0"), ideal=True),
    _arithmetic("negation twice", "*f32", lambda a: a.apply("negate").apply("negate"), lambda a: a),
    _arithmetic(
        "sum of floats associates",
        "*f32, *f32, *f32",
        lambda a, b, c: (a + b) + c,
        lambda a, b, c: a + (b + c),
        ideal=True,
    ),
    _arithmetic("not twice", "*i1", lambda a: ~(~a), lambda a: a),
    _arithmetic("exclusive or with itself", "*i32", lambda a: a ^ a, lambda a: a.full("0")),
    _arithmetic("minimum of equals", "*i32", lambda a: a.minimum(a), lambda a: a),
)

COMPARISONS = (
    _compare(
        "comparison the other way round", "*f32, *f32", lambda a, b: a.compare("LT", b), lambda a, b: b.compare("GT", a)
    ),
    _compare("comparison of integers with itself", "*i32", lambda a: a.compare("EQ", a), lambda a: a.compare("LE", a)),
    _compare(
        "comparison of floats with itself",
        "*f32",
        lambda a: a.compare("EQ", a),
        lambda a: a.full("0.0").compare("EQ", a.full("0.0")),
        ideal=True,
    ),
    _compare(
        "negated comparison of integers",
        "*i32, *i32",
        lambda a, b: ~a.compare("LT", b),
        lambda a, b: a.compare("GE", b),
    ),
    _compare(
        "comparison of broadcast scalars",
        "f32, f32, ?x?xf32",
        lambda a, b, c: a.broadcast_like([], c).compare("LT", b.broadcast_like([], c)),
        lambda a, b, c: a.compare("LT", b).broadcast_like([], c),
    ),
    _convert(
        "conversion of a broadcast",
        "i32, *f32",
        lambda a, b: a.broadcast_like([], b).convert("f32"),
        lambda a, b: a.convert("f32").broadcast_like([], b),
    ),
    _convert(
        "conversion of a slice",
        "9x?xi32",
        lambda a: a.slice((1, 3), (0, 2)).convert("f32"),
        lambda a: a.slice((0, 3), (0, 2)).convert("f32").slice((1, 3), (0, 2)),
    ),
    _convert(
        "conversion of a concatenation",
        "?xi32, ?xi32",
        lambda a, b: a.concat(0, b).convert("f32"),
        lambda a, b: a.convert("f32").concat(0, b.convert("f32")),
    ),
    _convert(
        "conversion of a reverse",
        "*i32",
        lambda a: a.reverse(0).convert("f32"),
        lambda a: a.convert("f32").reverse(0),
        least_rank=1,
    ),
    _convert("conversion to the same type", "*f32", lambda a: a.convert("f32"), lambda a: a),
)

SCALARS: tuple[Rewrite, ...] = (*REDUCTIONS, *CONTRACTIONS, *SELECTIONS, *ARITHMETIC, *COMPARISONS)
