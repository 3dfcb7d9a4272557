"""Every kind of type and attribute, against what MLIR itself prints."""

from __future__ import annotations

from itertools import product
from operator import mul

import pytest

from shapesolve.ir import bindings
from shapesolve.ir.program import (
    AffineExpression,
    AffineMap,
    Attribute,
    DenseFloats,
    DenseIntegers,
    DictAttribute,
    OpaqueAttribute,
    OpaqueType,
    Operation,
    ScalarType,
    ShapedType,
    SymbolRef,
    TupleType,
)
from shapesolve.ir.reader import read_text

COMPLEX = "dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>"
F32 = ScalarType("float", 32, "f32")


def attribute_of(spelling: str) -> Attribute:
    program = read_text(f'func.func @f() {{\n  "x.y"() {{it = {spelling}}} : () -> ()\n  return\n}}')
    return next(op for op in program.operation.walk() if op.name == "x.y").attributes["it"]


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("true", True),
        ("false", False),
        ("7 : i64", 7),
        ("-1 : i8", -1),
        ("-5 : si8", -5),
        ("18446744073709551615 : ui64", 2**64 - 1),
        ("170141183460469231731687303715884105727 : i128", 2**127 - 1),
        ("3 : index", 3),
        ("1.5 : f32", 1.5),
        ('"text"', "text"),
        ('""', ""),
        ('"\\C3\\A9"', "é"),
        ('"\\FF"', "\\xff"),
        ("unit", True),
        ("@a", SymbolRef("a")),
        ("@a::@b::@c", SymbolRef("a::@b::@c")),
        ("[]", ()),
        ("[1, true, [@a]]", (1, True, (SymbolRef("a"),))),
        ("array<i64: 1, -2>", (1, -2)),
        ("array<i32: 3>", (3,)),
        ("array<i8>", ()),
        ("array<i1: true, false>", (True, False)),
        ("array<f32: 0.5>", (0.5,)),
        ("array<f64: 0.5>", (0.5,)),
        ("{a = 1 : i32, b = {c = []}}", DictAttribute({"a": 1, "b": DictAttribute({"c": ()})})),
        ("tensor<?x4xf32>", ShapedType("tensor", (None, 4), F32)),
        ("memref<?xf32, strided<[?], offset: ?>>", ShapedType("memref", (None,), F32)),
        ("vector<2x3xf32>", ShapedType("vector", (2, 3), F32)),
        ("vector<[4]x2xf32>", ShapedType("vector", (None, 2), F32)),
        ("tensor<*xindex>", ShapedType("tensor", None, ScalarType("index", 64, "index"))),
        ("memref<*xf32>", ShapedType("memref", None, F32)),
        ("tensor<f32>", ShapedType("tensor", (), F32)),
        ("tensor<2xcomplex<f32>>", ShapedType("tensor", (2,), OpaqueType("complex<f32>"))),
        ("memref<2xmemref<3xf32>>", ShapedType("memref", (2,), OpaqueType("memref<3xf32>"))),
        ("si8", ScalarType("integer", 8, "si8")),
        ("i1", ScalarType("integer", 1, "i1")),
        ("bf16", ScalarType("float", 16, "bf16")),
        ("f8E4M3FN", ScalarType("float", 8, "f8E4M3FN")),
        ("f128", ScalarType("float", 128, "f128")),
        ("!shape.witness", OpaqueType("!shape.witness")),
        ("tuple<i1, f32>", TupleType("tuple<i1, f32>")),
        ("(i32) -> f32", OpaqueType("(i32) -> f32")),
        ("dense_resource<blob> : tensor<3xi64>", OpaqueAttribute("dense_resource<blob> : tensor<3xi64>")),
        (COMPLEX, OpaqueAttribute(COMPLEX)),
        ("dense<1.0> : tensor<9xf32>", DenseFloats("dense<1.000000e+00> : tensor<9xf32>", values=(1.0,) * 9)),
        ('#dialect.thing<"x">', OpaqueAttribute('#dialect.thing<"x">')),
        ('loc("model.py":1:2)', OpaqueAttribute("unreadable")),
    ],
)  # fmt: skip
def test_an_attribute_becomes_ours(spelling: str, expected: Attribute) -> None:
    found = attribute_of(spelling)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("spelling", "extents", "values", "splat"),
    [
        ("dense<[1, -2]> : tensor<2xi64>", (2,), (1, -2), None),
        ("dense<[[1, 2], [3, 4]]> : tensor<2x2xindex>", (2, 2), (1, 2, 3, 4), None),
        ("dense<3> : tensor<4xi32>", (4,), (3, 3, 3, 3), 3),
        ("dense<3> : tensor<i32>", (), (3,), 3),
        ("dense<[true, false]> : tensor<2xi1>", (2,), (1, 0), None),
        ("dense<true> : tensor<2xi1>", (2,), (1, 1), 1),
        ("dense<[1, 255]> : tensor<2xui8>", (2,), (1, 255), None),
        ("dense<[1, -2]> : tensor<2xi4>", (2,), (1, -2), None),
        ("dense<[18446744073709551615, 1]> : tensor<2xui64>", (2,), (2**64 - 1, 1), None),
        ('dense<"0x0100000002000000"> : tensor<2xi32>', (2,), (1, 2), None),
        ("dense<> : tensor<0xi64>", (0,), (), None),
        ("dense<7> : tensor<5000xi64>", (5000,), None, 7),
        (f"dense<[{', '.join(map(str, range(4096)))}]> : tensor<4096xi64>", (4096,), tuple(range(4096)), None),
        (f"dense<[{', '.join(map(str, range(4097)))}]> : tensor<4097xi64>", (4097,), None, None),
    ],
)
def test_an_elements_attribute_is_read_with_its_extents_and_values(
    spelling: str, extents: tuple[int, ...], values: tuple[int, ...] | None, splat: int | None
) -> None:
    found = attribute_of(spelling)
    assert isinstance(found, DenseIntegers)
    assert (found.type.extents, found.values, found.splat) == (extents, values, splat)


def test_weights_are_not_printed() -> None:
    numbers = ", ".join(f"{number}.5" for number in range(30_000))
    found = attribute_of(f"dense<[{numbers}]> : tensor<30000xf32>")
    assert found == OpaqueAttribute("dense<...> : tensor<30000xf32>")


def test_a_long_spelling_is_shortened() -> None:
    found = attribute_of(f'#dialect.thing<"{"x" * 10_000}">')
    assert isinstance(found, OpaqueAttribute)
    assert len(found.text) < 500
    assert found.text.startswith("#dialect.thing<")


def value_of(expression: AffineExpression, dims: list[int], symbols: list[int]) -> int:
    if expression.kind == "constant":
        return expression.value
    if expression.left is None or expression.right is None:
        return {"dim": dims, "symbol": symbols}[expression.kind][expression.value]
    left, right = value_of(expression.left, dims, symbols), value_of(expression.right, dims, symbols)
    return {
        "add": left + right,
        "mul": left * right,
        "mod": left % right if right else 0,
        "floordiv": left // right if right else 0,
        "ceildiv": -(-left // right) if right else 0,
    }[expression.kind]


def test_an_affine_map_means_what_mlir_computes() -> None:
    found = attribute_of("affine_map<(d0, d1)[s0] -> (d0 * 2 floordiv 3 + s0 mod 4 - d1, 7, d0 ceildiv 2)>")
    assert isinstance(found, AffineMap)
    assert (found.dims, found.symbols) == (2, 1)
    for d0, d1, s0 in [(0, 0, 0), (5, 1, 7), (8, 3, 2)]:
        ours = [value_of(result, [d0, d1], [s0]) for result in found.results]
        assert ours == [d0 * 2 // 3 + s0 % 4 - d1, 7, -(-d0 // 2)]
    assert attribute_of("affine_map<() -> ()>") == AffineMap(0, 0, ())


def test_types_print_as_mlir_prints_them() -> None:
    spellings = ["tensor<?x4xf32>", "tensor<*xi1>", "memref<2x?xindex>", "vector<4xbf16>", "tensor<f64>", "!shape.size"]
    ir = bindings.ir()
    with bindings.new_context():
        assert [str(attribute_of(each)) for each in spellings] == [str(ir.Type.parse(each)) for each in spellings]


def operations(text: str) -> list[Operation]:
    return list(read_text(text).operation.walk())


def test_inherent_attributes_and_operand_segments() -> None:
    text = """func.func @f(%t: tensor<?x4xf32>, %n: index) -> tensor<?x2xf32> {
      %s = tensor.extract_slice %t[0, %n] [%n, 2] [1, 1] : tensor<?x4xf32> to tensor<?x2xf32>
      return %s : tensor<?x2xf32>
    }"""
    slice_ = next(op for op in operations(text) if op.name == "tensor.extract_slice")
    assert slice_.segments == (1, 1, 1, 0)
    assert slice_.attributes["static_sizes"] == (-(2**63), 2)
    assert slice_.attributes["static_offsets"] == (0, -(2**63))


LINALG = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>, %img: tensor<1x?x?x3xf32>,
                 %k: tensor<3x3x3x8xf32>, %out: tensor<1x?x?x8xf32>) {
  linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  linalg.transpose ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) permutation = [1, 0]
  linalg.broadcast ins(%c : tensor<?xf32>) outs(%b : tensor<?x?xf32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [1]
  linalg.map { math.absf } ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%img, %k : tensor<1x?x?x3xf32>, tensor<3x3x3x8xf32>)
    outs(%out : tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  return
}"""


def test_indexing_maps_of_named_structured_ops() -> None:
    named = {op.name: op for op in operations(LINALG)}
    d0, d1, d2 = (AffineExpression("dim", position) for position in range(3))
    maps = named["linalg.matmul"].indexing_maps
    assert maps is not None
    assert [each.results for each in maps] == [(d0, d2), (d2, d1), (d0, d1)]
    shapes = {name: [len(each.results) for each in op.indexing_maps or ()] for name, op in named.items()}
    assert shapes["linalg.transpose"] == [2, 2]
    assert shapes["linalg.broadcast"] == [1, 2]
    assert shapes["linalg.reduce"] == [2, 1]
    assert shapes["linalg.map"] == [2, 2]
    assert shapes["linalg.conv_2d_nhwc_hwcf"] == [4, 4, 4]
    assert named["linalg.yield"].indexing_maps is None
    assert named["func.return"].indexing_maps is None


EXTENTS_AND_STRIDES = [
    (extents, strides)
    for rank, several in ((1, (-3, -1, 0, 1, 2, 3, 6)), (2, (-3, -1, 0, 1, 2, 3, 6)), (3, (-1, 0, 2, 3, 6)))
    for extents in product((1, 2, 3), repeat=rank)
    for strides in product(several, repeat=rank)
]


@pytest.mark.slow
def test_a_layout_of_known_strides_is_said_to_be_injective_only_if_it_is() -> None:
    injective = 0
    for extents, strides in EXTENTS_AND_STRIDES:
        sizes, steps = "x".join(map(str, extents)), ", ".join(map(str, strides))
        found = type_of(f"memref<{sizes}xf32, strided<[{steps}]>>").is_injective
        places = [sum(map(mul, index, strides)) for index in product(*map(range, extents))]
        if found:
            assert len(set(places)) == len(places), (extents, strides)
            injective += 1
    assert injective > len(EXTENTS_AND_STRIDES) // 10


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("memref<?x?xf32>", True),
        ("memref<?x?xf32, affine_map<(i, j) -> (j, i)>>", True),
        ("memref<?xf32, strided<[2], offset: ?>>", True),
        ("memref<?x4xf32, strided<[4, 1]>>", True),
        ("memref<4x?xf32, strided<[4, 1]>>", None),
        ("memref<4xf32, strided<[?]>>", None),
        ("memref<1xf32, strided<[?]>>", True),
        ("memref<1xf32, strided<[0]>>", True),
        ("memref<?xf32, strided<[0]>>", False),
        ("memref<?x?xf32, strided<[?, 0]>>", False),
        ("memref<4x4xf32, affine_map<(i, j) -> (i + j)>>", False),
        ("memref<4xf32, affine_map<(i) -> (i floordiv 2)>>", False),
        ("memref<*xf32>", None),
    ],
)
def test_free_strides_leave_it_open_whether_a_layout_is_injective(spelling: str, expected: bool | None) -> None:
    assert type_of(spelling).is_injective is expected


def type_of(spelling: str) -> ShapedType:
    found = attribute_of(spelling)
    assert isinstance(found, ShapedType)
    return found
