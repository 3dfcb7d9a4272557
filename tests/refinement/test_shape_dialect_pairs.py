"""Pairs of programs in the shape dialect: one is right where the other, which is nearly the same, is wrong."""

from __future__ import annotations

import pytest
from support.refined_pairs import OPEN, UNDENIED, Pair, Signature, check, compared

SHAPE, SIZE = "!shape.shape", "!shape.size"
SHAPES = Signature("%a: !shape.shape, %b: !shape.shape, %c: !shape.shape", SHAPE)
RANKS = Signature(SHAPES.arguments, SIZE)
SIZES = Signature("%n: !shape.size, %m: !shape.size", SIZE)
ROWS = Signature("%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>", "index")
ASKED = Signature(ROWS.arguments, "i1")
BRANCHING = Signature(f"%c: i1, {ROWS.arguments}", "index")
MATRICES = Signature("%x: tensor<?x?xf32>, %y: tensor<?x?xf32>", SHAPE)
COUNTED = Signature(MATRICES.arguments, "index")
MATRICES_ASKED = Signature(MATRICES.arguments, "i1")
UNRANKED = Signature("%x: tensor<*xf32>, %y: tensor<*xf32>", SHAPE)
UNRANKED_SIZE = Signature(UNRANKED.arguments, SIZE)
EXTENTS = Signature("%x: tensor<?xindex>, %y: tensor<?xindex>, %n: index", "index")
EXTENTS_ASKED = Signature(EXTENTS.arguments, "i1")


def joined(result: str, *shapes: str) -> str:
    return f"{result} = shape.broadcast {', '.join(shapes)} : {', '.join([SHAPE] * len(shapes))} -> {SHAPE}\n"


def met(result: str, a: str, b: str) -> str:
    return f"{result} = shape.meet {a}, {b} : {SHAPE}, {SHAPE} -> {SHAPE}\n"


def sizes(operation: str, a: str, b: str, result: str = "%r") -> str:
    return f"{result} = shape.{operation} {a}, {b} : {SIZE}, {SIZE} -> {SIZE}\n"


ALGEBRA = [
    SHAPES.pair("broadcast commutes", joined("%r", "%a", "%b") + "%r", joined("%r", "%b", "%a") + "%r", "proved"),
    SHAPES.pair(
        "broadcast associates",
        joined("%s", "%a", "%b") + joined("%r", "%s", "%c") + "%r",
        joined("%s", "%b", "%c") + joined("%r", "%a", "%s") + "%r",
        "proved",
    ),
    SHAPES.pair(
        "broadcast at once",
        joined("%s", "%a", "%b") + joined("%r", "%s", "%c") + "%r",
        joined("%r", "%a", "%b", "%c") + "%r",
        "proved",
    ),
    SHAPES.pair(
        "broadcast of two of three", joined("%r", "%a", "%b", "%c") + "%r", joined("%r", "%a", "%b") + "%r", "refuted"
    ),
    SHAPES.pair("broadcast is no meet", joined("%r", "%a", "%b") + "%r", met("%r", "%a", "%b") + "%r", "refuted"),
    SHAPES.pair("meet commutes", met("%r", "%a", "%b") + "%r", met("%r", "%b", "%a") + "%r", "proved"),
    SHAPES.pair(
        "meet associates",
        met("%s", "%a", "%b") + met("%r", "%s", "%c") + "%r",
        met("%s", "%b", "%c") + met("%r", "%a", "%s") + "%r",
        "proved",
    ),
    SHAPES.pair("meet with itself", met("%r", "%a", "%a") + "%r", "%a", "proved"),
    SHAPES.pair("an error lost", met("%r", "%a", "%b") + "%r", "%a", "refuted"),
    SHAPES.pair("an error added", "%a", met("%r", "%a", "%b") + "%r", "refuted"),
    SHAPES.pair("any is the first", f"%r = shape.any %a, %b : {SHAPE}, {SHAPE} -> {SHAPE}\n%r", "%a", UNDENIED),
    SHAPES.pair("the first is any", "%a", f"%r = shape.any %a, %b : {SHAPE}, {SHAPE} -> {SHAPE}\n%r", OPEN),
    SIZES.pair(
        "the smaller and the larger",
        sizes("min", "%n", "%m", "%a") + sizes("max", "%n", "%m", "%b") + sizes("add", "%a", "%b") + "%r",
        sizes("add", "%n", "%m") + "%r",
        "proved",
    ),
    SIZES.pair("meet is no minimum", sizes("meet", "%n", "%m") + "%r", sizes("min", "%n", "%m") + "%r", "refuted"),
    SIZES.pair(
        "divided and multiplied", sizes("div", "%n", "%m", "%a") + sizes("mul", "%a", "%m") + "%r", "%n", "refuted"
    ),
]


def ranked(result: str, shape: str) -> str:
    return f"{result} = shape.rank {shape} : {SHAPE} -> {SIZE}\n"


def of_ranks(operation: str) -> str:
    return ranked("%k", "%a") + ranked("%l", "%b") + sizes(operation, "%k", "%l") + "%r"


MADE = f"%s = shape.from_extents %n, %m : {SIZE}, {SIZE}\n"
CONCAT = f"%s = shape.concat %a, %b : {SHAPE}, {SHAPE} -> {SHAPE}\n"
RANK = ranked("%r", "%s") + "%r"


def extent(number: int) -> str:
    return f"{MADE}%k = shape.const_size {number}\n%r = shape.get_extent %s, %k : {SHAPE}, {SIZE} -> {SIZE}\n%r"


QUESTIONS = [
    RANKS.pair("the rank of a broadcast may be an error", joined("%s", "%a", "%b") + RANK, of_ranks("max"), "refuted"),
    RANKS.pair("the rank of a concatenation", CONCAT + RANK, of_ranks("add"), "proved"),
    RANKS.pair("the rank of a concatenation is not the larger", CONCAT + RANK, of_ranks("max"), "refuted"),
    SIZES.pair(
        "elements of two extents",
        f"{MADE}%r = shape.num_elements %s : {SHAPE} -> {SIZE}\n%r",
        sizes("mul", "%m", "%n") + "%r",
        "proved",
    ),
    SIZES.pair("an extent", extent(1), "%m", "proved"),
    SIZES.pair("another extent", extent(0), "%m", "refuted"),
]


def shapes_of(*names: str, type: str = "tensor<?xf32>", shape: str = "tensor<1xindex>") -> str:
    return "".join(f"%s{name} = shape.shape_of %{name} : {type} -> {shape}\n" for name in names)


def constraint(kind: str, witness: str, *names: str) -> str:
    types = ", ".join(["tensor<1xindex>"] * len(names))
    return f"{witness} = shape.cstr_{kind} {', '.join(f'%s{name}' for name in names)} : {types}\n"


def assuming(witness: str, *inside: str, result: str = "%r", value: str = "%c1") -> str:
    body = "".join(f"  {each}\n" for each in (*inside, f"shape.assuming_yield {value} : index"))
    return f"{result} = shape.assuming {witness} -> (index) {{\n{body}}}\n"


XYZ, XY = shapes_of("x", "y", "z"), shapes_of("x", "y")
ALL_THREE = XYZ + constraint("broadcastable", "%w", "x", "y", "z") + assuming("%w") + "%r"
CHAINED = XYZ + constraint("broadcastable", "%v", "x", "y") + constraint("broadcastable", "%u", "y", "z")
TWO_OF_THREE = CHAINED + "%w = shape.assuming_all %v, %u\n" + assuming("%w") + "%r"
PAIRWISE = CHAINED + constraint("broadcastable", "%t", "x", "z") + "%w = shape.assuming_all %v, %u, %t\n"
EQUAL, JOINED = (XY + constraint(kind, "%w", "x", "y") for kind in ("eq", "broadcastable"))
DIMS = "".join(f"%d{name} = tensor.dim %{name}, %c0 : tensor<?xf32>\n" for name in "xy")
REQUIRED = DIMS + '%p = arith.cmpi eq, %dx, %dy : index\n%w = shape.cstr_require %p, "same"\n' + assuming("%w") + "%r"


def asserted(predicate: str) -> str:
    return f'{DIMS}%p = arith.cmpi {predicate}, %dx, %dy : index\ncf.assert %p, "same"\n%c1'


NESTED = (
    CHAINED
    + "%r = shape.assuming %v -> (index) {\n"
    + assuming("%u", result="%q")
    + "  shape.assuming_yield %q : index\n}\n%r"
)
ADDED = "%t = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"
LENGTH = "%d = tensor.dim %t, %c0 : tensor<?xf32>"
GUARDED = JOINED + assuming("%w", ADDED, LENGTH, value="%d") + "%r"
HOISTED = f"{ADDED}\n{LENGTH}\n" + JOINED + assuming("%w", value="%d") + "%r"
BRANCHED = (
    XY
    + "%r = scf.if %c -> (index) {\n"
    + constraint("broadcastable", "%w", "x", "y")
    + assuming("%w", result="%q")
    + "  scf.yield %q : index\n} else {\n  scf.yield %c1 : index\n}\n%r"
)

CONSTRAINTS = [
    ROWS.pair("three constraints, pair by pair", ALL_THREE, PAIRWISE + assuming("%w") + "%r", "proved"),
    ROWS.pair("two pairs are not three", ALL_THREE, TWO_OF_THREE, "refuted"),
    ROWS.pair("three are more than two pairs", TWO_OF_THREE, ALL_THREE, "refuted"),
    ROWS.pair("one in the other", TWO_OF_THREE, NESTED, "proved"),
    ROWS.pair("equality lost", EQUAL + assuming("%w") + "%r", JOINED + assuming("%w") + "%r", "refuted"),
    ROWS.pair("equality added", JOINED + assuming("%w") + "%r", EQUAL + assuming("%w") + "%r", "refuted"),
    ROWS.pair("a constant witness", "%w = shape.const_witness true\n" + assuming("%w") + "%r", "%c1", "proved"),
    ROWS.pair("a false witness", "%c1", "%w = shape.const_witness false\n" + assuming("%w") + "%r", "refuted"),
    ROWS.pair("a requirement as an assertion", REQUIRED, asserted("eq"), "proved"),
    ROWS.pair("a weaker assertion", REQUIRED, asserted("ule"), "refuted"),
    ROWS.pair("undefined behavior out of its guard", GUARDED, HOISTED, "refuted"),
    ROWS.pair("undefined behavior into its guard", HOISTED, GUARDED, "proved"),
    BRANCHING.pair("a constraint out of its branch", BRANCHED, JOINED + assuming("%w") + "%r", "refuted"),
    BRANCHING.pair("a constraint into a branch", JOINED + assuming("%w") + "%r", BRANCHED, "refuted"),
]
EXTENT = (
    "%e = shape.broadcast %sx, %sy : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>",
    "%n = shape.get_extent %e, %c0 : tensor<1xindex>, index -> index",
)
LIBRARY = JOINED + assuming("%w", *EXTENT, value="%n") + "%r"
ONE = "%one = arith.cmpi eq, %dx, %c1 : index"
QUESTION = XY + "%r = shape.is_broadcastable %sx, %sy : tensor<1xindex>, tensor<1xindex>\n%r"
EITHER = DIMS + "%p = arith.cmpi eq, %dx, %dy : index\n%q = arith.cmpi eq, %dx, %c1 : index\n"
BOTH_WAYS = "%t = arith.ori %p, %q : i1\n%o = arith.cmpi eq, %dy, %c1 : index\n%r = arith.ori %t, %o : i1\n%r"


def lowered(*operations: str) -> str:
    return DIMS + JOINED + assuming("%w", *operations, value="%n") + "%r"


LOWERINGS = [
    ROWS.pair("by a choice", LIBRARY, lowered(ONE, "%n = arith.select %one, %dy, %dx : index"), "proved"),
    ROWS.pair(
        "by a choice the wrong way", LIBRARY, lowered(ONE, "%n = arith.select %one, %dx, %dy : index"), "refuted"
    ),
    ROWS.pair("by the larger, wrong for 0 and 1", LIBRARY, lowered("%n = arith.maxui %dx, %dy : index"), "refuted"),
    ASKED.pair("the question by hand", QUESTION, EITHER + BOTH_WAYS, "proved"),
    ASKED.pair("the question one way", QUESTION, EITHER + "%r = arith.ori %p, %q : i1\n%r", "refuted"),
]


def split(at: int, operands: str = "%h, %t", type: str = "tensor<*xf32>") -> str:
    parts = f'%h, %t = "shape.split_at"(%sx, %k) : ({SHAPE}, index) -> ({SHAPE}, {SHAPE})\n'
    shape = shapes_of("x", type=type, shape=SHAPE) + f"%k = arith.constant {at} : index\n"
    return shape + parts + f"%r = shape.concat {operands} : {SHAPE}, {SHAPE} -> {SHAPE}\n%r"


def elements(combined: str) -> str:
    both = shapes_of("x", "y", type="tensor<*xf32>", shape=SHAPE)
    counts = "".join(f"%n{name} = shape.num_elements %s{name} : {SHAPE} -> {SIZE}\n" for name in "xy")
    return both + counts + sizes(combined, "%ny", "%nx") + "%r"


WHOLE = shapes_of("x", type="tensor<*xf32>", shape=SHAPE) + "%sx"
MATRIX = shapes_of("x", type="tensor<?x?xf32>", shape=SHAPE) + "%sx"
PAIR = shapes_of("x", type="tensor<?x?xf32>", shape="tensor<2xindex>")
TOGETHER = (
    shapes_of("x", "y", type="tensor<*xf32>", shape=SHAPE)
    + f"%j = shape.concat %sx, %sy : {SHAPE}, {SHAPE} -> {SHAPE}\n"
    + f"%r = shape.num_elements %j : {SHAPE} -> {SIZE}\n%r"
)


def reduced(initial: int, operation: str) -> str:
    return (
        f"{PAIR}%i = arith.constant {initial} : index\n"
        "%r = shape.reduce(%sx, %i) : tensor<2xindex> -> index {\n^bb0(%k: index, %e: index, %acc: index):\n"
        f"  %u = arith.{operation} %acc, %e : index\n  shape.yield %u : index\n}}\n%r"
    )


COUNT = PAIR + "%r = shape.num_elements %sx : tensor<2xindex> -> index\n%r"
SAME = (
    shapes_of("x", "y", type="tensor<?x?xf32>", shape="tensor<2xindex>")
    + "%r = shape.shape_eq %sx, %sy : tensor<2xindex>, tensor<2xindex>\n%r"
)
COLUMNS = (
    "".join(f"%{name}{i} = tensor.dim %{name}, %c{i} : tensor<?x?xf32>\n" for name in "xy" for i in (0, 1))
    + "%p = arith.cmpi eq, %x0, %y0 : index\n%q = arith.cmpi eq, %x1, %y1 : index\n"
)

STRUCTURE = [
    UNRANKED.pair("split at 0 and joined", WHOLE, split(0), "proved"),
    UNRANKED.pair("split at 1 and joined, wrong for scalars", WHOLE, split(1), "refuted"),
    UNRANKED.pair("split from the right, wrong for scalars", WHOLE, split(-1), "refuted"),
    MATRICES.pair("split at 1 and joined", MATRIX, split(1, type="tensor<?x?xf32>"), "proved"),
    MATRICES.pair("joined the wrong way", MATRIX, split(1, "%t, %h", type="tensor<?x?xf32>"), "refuted"),
    UNRANKED_SIZE.pair("elements are multiplied", TOGETHER, elements("mul"), "proved"),
    UNRANKED_SIZE.pair("elements are not added", TOGETHER, elements("add"), "refuted"),
    COUNTED.pair("a product", COUNT, reduced(1, "muli"), "proved"),
    COUNTED.pair("a sum", COUNT, reduced(0, "addi"), "refuted"),
    COUNTED.pair("a product from 2", COUNT, reduced(2, "muli"), "refuted"),
    MATRICES_ASKED.pair("equal in both", SAME, COLUMNS + "%r = arith.andi %p, %q : i1\n%r", "proved"),
    MATRICES_ASKED.pair("equal in either", SAME, COLUMNS + "%r = arith.ori %p, %q : i1\n%r", "refuted"),
]
READ = "%r = shape.get_extent %x, %n : tensor<?xindex>, index -> index\n%r"
EXTRACTED = "%r = tensor.extract %x[%n] : tensor<?xindex>\n%r"
INSIDE = "%l = tensor.dim %x, %c0 : tensor<?xindex>\n%p = arith.cmpi ult, %n, %l : index\n"


def asked(operation: str) -> str:
    return f"%r = shape.{operation} : tensor<?xindex>, tensor<?xindex>\n%r"


TENSORS = [
    EXTENTS.pair("an element of an extent tensor", READ, EXTRACTED, "proved"),
    EXTENTS.pair("a check lost", f'{INSIDE}cf.assert %p, "inside"\n{READ}', READ, "refuted"),
    EXTENTS_ASKED.pair(
        "asked the other way", asked("is_broadcastable %x, %y"), asked("is_broadcastable %y, %x"), "proved"
    ),
    EXTENTS_ASKED.pair("another question", asked("is_broadcastable %x, %y"), asked("shape_eq %y, %x"), "refuted"),
]
PAIRS = [*ALGEBRA, *QUESTIONS, *CONSTRAINTS, *LOWERINGS, *STRUCTURE, *TENSORS]


@pytest.mark.sweep
@pytest.mark.parametrize("pair", PAIRS, ids=[each.name for each in PAIRS])
def test_a_pair_has_the_verdict_beside_it(pair: Pair) -> None:
    check(pair)


@pytest.mark.process
@pytest.mark.parametrize("pair", LOWERINGS[1:3], ids=[each.name for each in LOWERINGS[1:3]])
def test_wrong_lowerings_are_executed(pair: Pair) -> None:
    (finding, *_) = compared(pair, execute=True).refuted
    assert finding.executed is not None and finding.executed.confirms
