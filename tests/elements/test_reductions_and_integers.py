"""Reductions over other iteration spaces, integers of positions, and functions of choices: equal, or only similar."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import VerdictKind

V, M, U, S = "tensor<?xf32>", "tensor<?x?xf32>", "tensor<?x1xf32>", "tensor<f32>"
SQUARE, FIVE, BITS = "tensor<4x4xf32>", "tensor<5xf32>", "tensor<5xi1>"


def ints(text: str) -> str:
    """Return a program of floats as one of integers."""
    for before, after in (("f32", "i32"), ("0.0", "0"), ("1.0", "1"), ("addf", "addi")):
        text = text.replace(before, after)
    return text


def constant(value: str) -> str:
    return f"%z = stablehlo.constant dense<{value}> : tensor<f32>\n"


def reduced(x: str, function: str, axes: str, types: str, name: str = "%r") -> str:
    operand, result = types.split(" to ")
    return (
        f"{name} = stablehlo.reduce({x} init: %z) applies stablehlo.{function} across dimensions = [{axes}] : "
        f"({operand}, tensor<f32>) -> {result}\n"
    )


def unit(initial: str, function: str = "add") -> str:
    return constant(initial) + reduced("%a", function, "1", f"{U} to {V}")


def nested(initial: str, first: int, inner: str = "add", outer: str = "add") -> str:
    return (
        constant(initial)
        + reduced("%a", inner, str(first), f"{M} to {V}", "%s")
        + reduced("%s", outer, "0", f"{V} to {S}")
    )


def at_once(initial: str, function: str = "add") -> str:
    return constant(initial) + reduced("%a", function, "0, 1", f"{M} to {S}")


def linalg_unit(initial: str, function: str = "addf") -> str:
    return f"""%c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : {U}
    %z = arith.constant {initial} : f32
    %e = tensor.empty(%n) : {V}
    %i = linalg.fill ins(%z : f32) outs(%e : {V}) -> {V}
    %r = linalg.reduce ins(%a : {U}) outs(%i : {V}) dimensions = [1] (%x: f32, %y: f32) {{
      %s = arith.{function} %x, %y : f32
      linalg.yield %s : f32
    }}"""


def dot(a: str = "%a", b: str = "%b") -> str:
    return f"%r = stablehlo.dot_general {a}, {b}, contracting_dims = [0] x [0] : ({FIVE}, {FIVE}) -> {S}"


def back(a: str, name: str) -> str:
    return f"{name} = stablehlo.reverse {a}, dims = [0] : {FIVE}\n"


def products(initial: str, function: str = "add", scalar: str = "multiply") -> str:
    product = f"%p = stablehlo.{scalar} %a, %b : {FIVE}\n"
    return constant(initial) + product + reduced("%p", function, "0", f"{FIVE} to {S}")


def matmul(initial: str, operands: str = "%a, %b") -> str:
    return f"""%z = arith.constant {initial} : f32
    %e = tensor.empty() : {SQUARE}
    %i = linalg.fill ins(%z : f32) outs(%e : {SQUARE}) -> {SQUARE}
    %r = linalg.matmul ins({operands} : {SQUARE}, {SQUARE}) outs(%i : {SQUARE}) -> {SQUARE}"""


CONTRACTION = f"%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({SQUARE}, {SQUARE}) -> {SQUARE}"
SQUEEZED = f"%r = tensor.collapse_shape %a [[0, 1]] : {U} into {V}"


def places(extent: int, type: str, name: str = "%i") -> str:
    return f"{name} = stablehlo.iota dim = 0 : tensor<{extent}x{type}>\n"


def applied(function: str, operands: str, type: str, name: str = "%r") -> str:
    return f"{name} = stablehlo.{function} {operands} : {type}\n"


def converted(x: str, extent: int, first: str, second: str, name: str = "%r") -> str:
    return f"{name} = stablehlo.convert {x} : (tensor<{extent}x{first}>) -> tensor<{extent}x{second}>\n"


def compared(extent: int, type: str, direction: str, value: int) -> str:
    tensor = f"tensor<{extent}x{type}>"
    return (
        places(extent, type)
        + f"%z = stablehlo.constant dense<{value}> : {tensor}\n"
        + f"%r = stablehlo.compare {direction}, %i, %z : ({tensor}, {tensor}) -> tensor<{extent}xi1>"
    )


def always(extent: int) -> str:
    return f"%r = stablehlo.constant dense<true> : tensor<{extent}xi1>"


def casted(extent: int, type: str) -> str:
    return f"""%e = tensor.empty() : tensor<{extent}x{type}>
    %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
        outs(%e : tensor<{extent}x{type}>) {{
    ^bb0(%o: {type}):
      %k = linalg.index 0 : index
      %j = arith.index_cast %k : index to {type}
      linalg.yield %j : {type}
    }} -> tensor<{extent}x{type}>"""


def masked(direction: str, choices: str) -> str:
    return f"""%i = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %j = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %p = stablehlo.compare {direction}, %i, %j : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %r = stablehlo.select %p, {choices} : tensor<4x4xi1>, {SQUARE}"""


def masked_in_linalg(predicate: str) -> str:
    same = "affine_map<(i, j) -> (i, j)>"
    return f"""%e = tensor.empty() : {SQUARE}
    %r = linalg.generic {{indexing_maps = [{same}, {same}, {same}], iterator_types = ["parallel", "parallel"]}}
        ins(%a, %b : {SQUARE}, {SQUARE}) outs(%e : {SQUARE}) {{
    ^bb0(%x: f32, %y: f32, %o: f32):
      %k = linalg.index 0 : index
      %l = linalg.index 1 : index
      %p = arith.cmpi {predicate}, %k, %l : index
      %s = arith.select %p, %x, %y : f32
      linalg.yield %s : f32
    }} -> {SQUARE}"""


def chosen(condition: str, choices: str, name: str) -> str:
    return f"{name} = stablehlo.select {condition}, {choices} : {BITS}, {FIVE}\n"


def differences(first: str, second: str) -> str:
    return applied("subtract", first, FIVE, "%x") + applied("subtract", second, FIVE, "%y")


TWO = f"%a: {FIVE}, %b: {FIVE}"
SQUARES = f"%a: {SQUARE}, %b: {SQUARE}"
CHOICES = f"%p: {BITS}, %q: {BITS}, %a: {FIVE}, %b: {FIVE}, %c: {FIVE}, %d: {FIVE}"
BOTH_CHOSEN = chosen("%p", "%a, %b", "%x") + chosen("%p", "%c, %d", "%y") + applied("subtract", "%x, %y", FIVE)
PAIRS: list[tuple[str, str, str, tuple[str, ...], tuple[str, ...]]] = [
    # A position is its number as long as the type holds it.
    ("%a: f32", "tensor<128xi1>", compared(128, "i8", "GE", 0), (always(128),), ()),
    ("%a: f32", "tensor<129xi1>", compared(129, "i8", "GE", 0), (), (always(129),)),
    (
        "%a: f32",
        "tensor<100xi1>",
        compared(100, "i32", "LT", 99),
        (compared(100, "i32", "NE", 99),),
        (always(100), compared(100, "i32", "LE", 99)),
    ),
    (
        "%a: f32",
        "tensor<64xi32>",
        places(64, "i8") + applied("add", "%i, %i", "tensor<64xi8>", "%s") + converted("%s", 64, "i8", "i32"),
        (places(64, "i32") + applied("add", "%i, %i", "tensor<64xi32>"),),
        (places(64, "i32") + applied("multiply", "%i, %i", "tensor<64xi32>"),),
    ),
    (
        "%a: f32",
        "tensor<65xi32>",
        places(65, "i8") + applied("add", "%i, %i", "tensor<65xi8>", "%s") + converted("%s", 65, "i8", "i32"),
        (),
        (places(65, "i32") + applied("add", "%i, %i", "tensor<65xi32>"),),
    ),
    (
        "%a: f32",
        "tensor<129xi32>",
        places(129, "i32") + converted("%i", 129, "i32", "i8", "%s") + converted("%s", 129, "i8", "i32"),
        (),
        (places(129, "i32", "%r"),),
    ),
    ("%a: f32", "tensor<128xi8>", places(128, "i8", "%r"), (casted(128, "i8"),), ()),
    ("%a: f32", "tensor<129xi8>", places(129, "i8", "%r"), (), (casted(129, "i8"),)),
    (
        SQUARES,
        SQUARE,
        masked("GE", "%a, %b"),
        (masked("LT", "%b, %a"), masked_in_linalg("sge")),
        (masked("GT", "%a, %b"), masked("GE", "%b, %a"), masked_in_linalg("sle")),
    ),
    # One element: the initial value must not change it. StableHLO need not take that of a source.
    (f"%a: {U}", V, unit("0.0"), (SQUEEZED, linalg_unit("0.0")), (linalg_unit("1.0"),)),
    (f"%a: {U}", V, unit("1.0"), (linalg_unit("1.0"),), (SQUEEZED,)),
    (
        f"%a: {U}",
        V,
        SQUEEZED,
        (unit("-0.0"), unit("1.0", "multiply"), unit("0xFF800000", "maximum"), unit("0x7F800000", "minimum")),
        (unit("0.0"), unit("0.0", "multiply"), unit("0x7F800000", "maximum"), unit("0xFF800000", "minimum")),
    ),
    (
        ints(f"%a: {U}"),
        ints(V),
        ints(SQUEEZED),
        tuple(
            ints(unit(*each))
            for each in (
                ("0",),
                ("1", "multiply"),
                ("-1", "and"),
                ("0", "or"),
                ("-2147483648", "maximum"),
                ("2147483647", "minimum"),
            )
        ),
        tuple(ints(unit(*each)) for each in (("1",), ("0", "multiply"), ("1", "and"), ("-1", "or"), ("0", "maximum"))),
    ),
    (f"%a: {U}", V, linalg_unit("0.0"), (), (SQUEEZED, unit("0.0"))),
    (f"%a: {U}", V, linalg_unit("-0.0"), (SQUEEZED, unit("-0.0")), ()),
    (f"%a: {U}", V, linalg_unit("0xFF800000", "maximumf"), (SQUEEZED,), ()),
    (f"%a: {U}", V, linalg_unit("0xFF800000", "maxnumf"), (), (SQUEEZED,)),
    (ints(f"%a: {U}"), ints(V), ints(linalg_unit("0.0")), (ints(SQUEEZED), ints(unit("0.0"))), (ints(unit("1.0")),)),
    # Reductions of reductions.
    (
        f"%a: {M}",
        S,
        nested("0.0", 0),
        (at_once("0.0"), nested("0.0", 1)),
        (at_once("1.0"), at_once("0.0", "maximum"), nested("0.0", 1, "maximum")),
    ),
    (f"%a: {M}", S, nested("1.0", 0), (), (at_once("1.0"),)),
    # From the end, in both factors or in none.
    (TWO, S, dot(), (back("%a", "%x") + back("%b", "%y") + dot("%x", "%y"),), (back("%a", "%x") + dot("%x"),)),
    # Contractions and sums of products; a sum of floats may not become a contraction, which may round in other ways.
    (TWO, S, dot(), (products("0.0"),), (products("1.0"), products("0.0", "maximum"), products("0.0", scalar="add"))),
    (TWO, S, products("0.0"), (), (dot(),)),
    (ints(TWO), ints(S), ints(products("0.0")), (ints(dot()),), (ints(dot("%a", "%a")),)),
    (SQUARES, SQUARE, CONTRACTION, (matmul("0.0"),), (matmul("1.0"), matmul("0.0", "%b, %a"))),
    (SQUARES, SQUARE, matmul("0.0"), (), (CONTRACTION,)),
    (ints(SQUARES), ints(SQUARE), ints(matmul("0.0")), (ints(CONTRACTION),), ()),
    # A function of a choice is the choice of the function's values.
    (
        CHOICES,
        FIVE,
        BOTH_CHOSEN,
        (differences("%a, %c", "%b, %d") + chosen("%p", "%x, %y", "%r"),),
        (
            differences("%a, %c", "%b, %d") + chosen("%p", "%y, %x", "%r"),
            differences("%a, %c", "%b, %d") + chosen("%q", "%x, %y", "%r"),
            differences("%a, %d", "%b, %c") + chosen("%p", "%x, %y", "%r"),
            differences("%c, %a", "%d, %b") + chosen("%p", "%x, %y", "%r"),
        ),
    ),
    (
        CHOICES,
        FIVE,
        BOTH_CHOSEN.replace("select %p, %c", "select %q, %c"),
        (),
        (differences("%a, %c", "%b, %d") + chosen("%p", "%x, %y", "%r"),),
    ),
]


def refined(arguments: str, result: str, programs: tuple[str, str], *, execute: bool = False) -> Refinement:
    source, target = (
        read_text(f"func.func @f({arguments}) -> {result} {{\n{each}\nreturn %r : {result}\n}}") for each in programs
    )
    (found,) = refine_programs(source, target, Options(execute=execute))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_elements_are_proved_where_they_are_the_same(number: int) -> None:
    arguments, result, source, right, wrong = PAIRS[number]
    for target in right:
        found = refined(arguments, result, (source, target))
        assert found.word is VerdictKind.PROVED and found.compares_elements, target
    for target in wrong:
        assert not refined(arguments, result, (source, target)).compares_elements, target


@pytest.mark.process
@pytest.mark.parametrize("target", [at_once("1.0"), nested("0.0", 1, "maximum")])
def test_another_reduction_of_a_reduction_is_refuted(target: str) -> None:
    found = refined(f"%a: {M}", S, (nested("0.0", 0), target), execute=True)
    assert found.word is VerdictKind.REFUTED and found.refuted[0].of_elements
