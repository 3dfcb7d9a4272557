"""Pairs of programs with numbers, branches, loops, effects and undefined behavior: right and nearly right ones."""

from __future__ import annotations

import pytest
from support.refined_pairs import OPEN, UNDENIED, Pair, Signature, check

pytestmark = pytest.mark.sweep

NUMBERS = Signature("%n: index, %m: index", "index")
CHOSEN = Signature("%c: i1, %n: index, %m: index", "index")
BYTES = Signature("%n: i8, %m: i8", "i8")
LONG = Signature("%n: i64, %m: i64", "i64")
ROWS = Signature("%x: tensor<?xf32>, %y: tensor<?xf32>", "index")
COMPARED = Signature(ROWS.arguments, "i1")
READ = Signature("%x: tensor<?xindex>, %n: index", "index")
BUFFERS = Signature("%p: memref<4xindex>, %q: memref<4xindex>, %n: index", "index")

# Undefined behavior and poison ----------------------------------------------------------------------------------------

SHIFT = "%r = arith.shli %n, %m : index\n%r"
GUARDED_SHIFT = """%k = arith.constant 64 : index
%p = arith.cmpi ult, %m, %k : index
%s = arith.select %p, %m, %c0 : index
%r = arith.shli %n, %s : index
%r"""
POISON = "%p = ub.poison : index\n"
PERHAPS_POISON = POISON + "%r = arith.select %c, %p, %n : index\n%r"
DIVIDED = "%q = arith.divui %n, %m : index\n"
ALWAYS_DIVIDED = DIVIDED + "%r = arith.select %c, %q, %n : index\n%r"
SOMETIMES_DIVIDED = """%r = scf.if %c -> (index) {
  %q = arith.divui %n, %m : index
  scf.yield %q : index
} else {
  scf.yield %n : index
}
%r"""


def added(flags: str = "") -> str:
    return f"%r = arith.addi %n, %m{flags} : i64\n%r"


EXTRACTED = "%r = tensor.extract %x[%n] : tensor<?xindex>\n%r"
LAST_INDEX = "%l = tensor.dim %x, %c0 : tensor<?xindex>\n%z = arith.subi %l, %c1 : index\n"
CLAMPED = LAST_INDEX + "%k = arith.minui %n, %z : index\n" + EXTRACTED.replace("%n", "%k")

UNDEFINED = [
    NUMBERS.pair("a shift that is guarded", SHIFT, GUARDED_SHIFT, UNDENIED),
    NUMBERS.pair("a shift without its guard", GUARDED_SHIFT, SHIFT, "refuted"),
    NUMBERS.pair("poison that nobody uses", "%n", SHIFT.replace("%r", "%q").rsplit("\n", 1)[0] + "\n%n", "proved"),
    NUMBERS.pair("a division that nobody uses", "%n", DIVIDED + "%n", "refuted"),
    NUMBERS.pair("poison may be anything", POISON + "%p", "%n", "proved"),
    NUMBERS.pair("nothing may be poison", "%n", POISON + "%p", "refuted"),
    CHOSEN.pair("poison that is chosen", PERHAPS_POISON, "%n", "proved"),
    CHOSEN.pair("poison that is not chosen", PERHAPS_POISON, "%m", "refuted"),
    CHOSEN.pair("a division out of its branch", SOMETIMES_DIVIDED, ALWAYS_DIVIDED, "refuted"),
    CHOSEN.pair("a division into a branch", ALWAYS_DIVIDED, SOMETIMES_DIVIDED, "proved"),
    LONG.pair("a promise lost", added(" overflow<nsw>"), added(), "proved"),
    LONG.pair("a promise added", added(), added(" overflow<nsw>"), OPEN),
    READ.pair("an access that is clamped", EXTRACTED, CLAMPED, "proved"),
    READ.pair("an access without its clamp", CLAMPED, EXTRACTED, "refuted"),
    READ.pair("an access that nobody uses", "%n", EXTRACTED.replace("%r", "%q")[:-2] + "%n", "refuted"),
]

# Arithmetic -----------------------------------------------------------------------------------------------------------


def byte(operation: str, b: str = "%m") -> str:
    return f"%r = arith.{operation} %n, {b} : i8\n%r"


def by_constant(operation: str, number: int) -> str:
    return f"%k = arith.constant {number} : i8\n" + byte(operation, "%k")


def through_four_bits(extension: str) -> str:
    return f"%t = arith.trunci %n : i8 to i4\n%r = arith.{extension} %t : i4 to i8\n%r"


ROUNDED_UP = byte("ceildivui")
BY_A_SUM = """%one = arith.constant 1 : i8
%a = arith.addi %n, %m : i8
%b = arith.subi %a, %one : i8
%r = arith.divui %b, %m : i8
%r"""
BY_A_CHOICE = """%one = arith.constant 1 : i8
%z = arith.constant 0 : i8
%e = arith.cmpi eq, %n, %z : i8
%a = arith.subi %n, %one : i8
%b = arith.divui %a, %m : i8
%d = arith.addi %b, %one : i8
%r = arith.select %e, %z, %d : i8
%r"""
REMAINDER = "%q = arith.divsi %n, %m : i8\n%t = arith.muli %q, %m : i8\n%r = arith.subi %n, %t : i8\n%r"
LENGTH = "%n = tensor.dim %x, %c0 : tensor<?xf32>\n"
THROUGH_I32 = "%i = arith.index_cast %n : index to i32\n%r = arith.index_cast %i : i32 to index\n%r"


def less(predicate: str) -> str:
    return f"{LENGTH}%m = tensor.dim %y, %c0 : tensor<?xf32>\n%r = arith.cmpi {predicate}, %n, %m : index\n%r"


ARITHMETIC = [
    BYTES.pair("rounded up by a sum that wraps", ROUNDED_UP, BY_A_SUM, "refuted"),
    BYTES.pair("rounded up by a choice", ROUNDED_UP, BY_A_CHOICE, "proved"),
    BYTES.pair("a remainder by its quotient", byte("remsi"), REMAINDER, "proved"),
    BYTES.pair("the remainder of a power of two", by_constant("remui", 8), by_constant("andi", 7), "proved"),
    BYTES.pair("the remainder of another number", by_constant("remui", 6), by_constant("andi", 5), "refuted"),
    BYTES.pair("a signed remainder", by_constant("remsi", 8), by_constant("andi", 7), "refuted"),
    BYTES.pair("half of a negative number", by_constant("divsi", 2), by_constant("shrsi", 1), "refuted"),
    BYTES.pair("half, rounded down", by_constant("floordivsi", 2), by_constant("shrsi", 1), "proved"),
    BYTES.pair("another rounding", byte("floordivsi"), byte("divsi"), "refuted"),
    BYTES.pair("a sign lost", through_four_bits("extsi"), through_four_bits("extui"), "refuted"),
    ROWS.pair("a size through 32 bits", LENGTH + "%n", LENGTH + THROUGH_I32, "refuted"),
    COMPARED.pair("sizes have no sign", less("ult"), less("slt"), "proved"),
    COMPARED.pair("sizes may be equal", less("ult"), less("ule"), "refuted"),
]

# Branches -------------------------------------------------------------------------------------------------------------


def branch(predicate: str, first: str, second: str) -> str:
    return f"""%p = arith.cmpi {predicate}, %n, %m : index
%r = scf.if %p -> (index) {{
  scf.yield %{first} : index
}} else {{
  scf.yield %{second} : index
}}
%r"""


def stopped(message: str) -> str:
    return f'%p = arith.cmpi slt, %n, %m : index\ncf.assert %p, "{message}"\n%n'


SMALLER = branch("slt", "n", "m")
BRANCHES = [
    NUMBERS.pair("negated and swapped", SMALLER, branch("sge", "m", "n"), "proved"),
    NUMBERS.pair("swapped", SMALLER, branch("slt", "m", "n"), "refuted"),
    NUMBERS.pair("the same at the border", SMALLER, branch("sle", "n", "m"), "proved"),
    NUMBERS.pair("without a sign", SMALLER, branch("ult", "n", "m"), "refuted"),
    NUMBERS.pair("another message", stopped("one"), stopped("two"), "proved"),
]

# Loops ----------------------------------------------------------------------------------------------------------------


def loop(lower: str, upper: str, yields: str, *inside: str, step: str = "%c1") -> str:
    body = "".join(f"  {each}\n" for each in (*inside, f"scf.yield {yields} : index"))
    head = f"%r = scf.for %i = {lower} to {upper} step {step} iter_args(%s = %c0) -> (index) {{\n"
    return f"{head}{body}}}\n%r"


COUNT, SUM = "%t = arith.addi %s, %c1 : index", "%t = arith.addi %s, %i : index"
TRIPS = LENGTH + loop("%c0", "%n", "%t", COUNT)
FEWER_TRIPS = LENGTH + loop("%c1", "%n", "%t", COUNT)
PAIRS_OF_TRIPS = LENGTH + loop("%c0", "%n", "%t", COUNT, step="%c2")
LAST = LENGTH + loop("%c0", "%n", "%i")
ONE_LESS = LENGTH + "%p = arith.subi %n, %c1 : index\n"
ACCESS = "%v = tensor.extract %x[%i] : tensor<?xindex>"
ELEMENTS = "%l = tensor.dim %x, %c0 : tensor<?xindex>\n"


def halved(operation: str) -> str:
    return f"{LENGTH}%h = arith.{operation} %n, %c2 : index\n%h"


LOOPS = [
    ROWS.pair("the number of its trips", TRIPS, LENGTH + "%n", "proved"),
    ROWS.pair("one trip less", FEWER_TRIPS, LENGTH + "%n", "refuted"),
    ROWS.pair("one trip less, wrong for none", FEWER_TRIPS, ONE_LESS + "%p", "refuted"),
    ROWS.pair("two at a time, rounded up", PAIRS_OF_TRIPS, halved("ceildivui"), "proved"),
    ROWS.pair("two at a time, rounded down", PAIRS_OF_TRIPS, halved("divui"), "refuted"),
    ROWS.pair("the last counter", LAST, ONE_LESS + "%r = arith.maxsi %p, %c0 : index\n%r", "proved"),
    ROWS.pair("the last counter, wrong for none", LAST, ONE_LESS + "%p", "refuted"),
    ROWS.pair("a sum from 1", LENGTH + loop("%c0", "%n", "%t", SUM), LENGTH + loop("%c1", "%n", "%t", SUM), UNDENIED),
    ROWS.pair("a sum is no count", LENGTH + loop("%c0", "%n", "%t", SUM), TRIPS, OPEN),
    READ.pair("every element", "%c0", ELEMENTS + loop("%c0", "%l", "%s", ACCESS), "proved"),
    READ.pair(
        "an element too many",
        "%c0",
        ELEMENTS + "%k = arith.addi %l, %c1 : index\n" + loop("%c0", "%k", "%s", ACCESS),
        "refuted",
    ),
    NUMBERS.pair("a step that may be 0", "%c0", loop("%c0", "%n", "%s", step="%m"), "refuted"),
]

# Effects, and runs that do not return ---------------------------------------------------------------------------------


def printed(*names: str) -> str:
    return "".join(f"vector.print %{name} : i64\n" for name in names)


def repeated(inside: str = "", condition: str = "%t = arith.constant true") -> str:
    head = f"scf.while : () -> () {{\n  {condition}\n  scf.condition(%t)\n}} do {{\n"
    return f"{head}{inside}  scf.yield\n}}\n"


def stored(value: str, buffer: str) -> str:
    return f"memref.store %{value}, %{buffer}[%c0] : memref<4xindex>\n"


CHECKED = '%p = arith.cmpi eq, %n, %m : i64\ncf.assert %p, "same"\n'
STOPPED = '%f = arith.constant false\ncf.assert %f, "always"\n'
LOADED = "%r = memref.load %p[%c0] : memref<4xindex>\n%r"
WHILE_EQUAL = "%t = arith.cmpi eq, %n, %m : i64"
PRINTED_FOREVER = repeated("  " + printed("n")) + "%n"
RECOMPUTED = "%0 = arith.addi %n, %m : i64\n%1 = arith.subi %0, %n : i64\n"

EFFECTS = [
    LONG.pair("printed in another order", printed("n", "m") + "%n", printed("m", "n") + "%n", OPEN),
    LONG.pair("printed in other words", printed("n", "m") + "%n", RECOMPUTED + printed("n", "1") + "%n", "proved"),
    LONG.pair("printed before the check", CHECKED + printed("n") + "%n", printed("n") + CHECKED + "%n", OPEN),
    LONG.pair("printed behind the check", printed("n") + CHECKED + "%n", CHECKED + printed("n") + "%n", OPEN),
    LONG.pair("printed, then always stopped", printed("n") + STOPPED + "%n", STOPPED + "%n", OPEN),
    LONG.pair("something else, then stopped", printed("n") + STOPPED + "%n", printed("m") + STOPPED + "%n", OPEN),
    LONG.pair("always stopped, not before it printed", STOPPED + "%n", printed("n") + STOPPED + "%n", OPEN),
    LONG.pair("the same, then stopped", printed("n") + STOPPED + "%n", printed("n") + STOPPED + "%m", "proved"),
    LONG.pair("printed forever", PRINTED_FOREVER, "%n", OPEN),
    LONG.pair("printed, then forever nothing", printed("n") + repeated() + "%n", "%n", OPEN),
    LONG.pair("something else forever", PRINTED_FOREVER, PRINTED_FOREVER.replace("print %n", "print %m"), OPEN),
    LONG.pair("printed while equal", repeated("  " + printed("n"), WHILE_EQUAL) + "%n", "%n", OPEN),
    LONG.pair("forever where the source returns", "%n", repeated(condition=WHILE_EQUAL) + "%n", OPEN),
    BUFFERS.pair("what was stored is loaded", stored("n", "p") + LOADED, stored("n", "p") + "%n", UNDENIED),
    BUFFERS.pair(
        "two names of one buffer",
        stored("n", "p") + stored("c1", "q") + LOADED,
        stored("n", "p") + stored("c1", "q") + "%n",
        OPEN,
    ),
]
PAIRS = [*UNDEFINED, *ARITHMETIC, *BRANCHES, *LOOPS, *EFFECTS]


@pytest.mark.parametrize("pair", PAIRS, ids=[each.name for each in PAIRS])
def test_a_pair_has_the_verdict_beside_it(pair: Pair) -> None:
    check(pair)
