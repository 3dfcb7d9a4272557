"""Integers and booleans in tensors: arithmetic that wraps, equal for all values, or refuted by a run."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from support.integer_oracles import PREDICATES
from support.refined_pairs import refined
from support.sampled_rows import sampled

from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.solver.z3.adapter import are_equal_bits
from shapesolve.solver.z3.bit_vectors import BitVector


def program(body: str, type: str = "i8", result: str = "") -> str:
    """Return a program that computes %r of type R from %a and %b of type T, and numbers such as %k3."""
    t = f"tensor<?x{type}>"
    r = f"tensor<?x{result or type}>"
    constants = "".join(
        f"  %s{each} = arith.constant {each} : {type}\n" for each in (3, 4, 7, 8) if f"%k{each}" in body
    )
    splats = "".join(f"  %k{each} = tensor.splat %s{each}[%n] : {t}\n" for each in (3, 4, 7, 8) if f"%k{each}" in body)
    body = re.sub(r"\bT\b", t, re.sub(r"\bR\b", r, body))
    return f"""func.func @f(%a: {t}, %b: {t}) -> {r} {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : {t}
{constants}{splats}  {body}
  return %r : {r}
}}"""


def of_each(body: str) -> str:
    """Return a program that computes %r from each element %x of its argument, and from 3, 7 and 8."""
    constants = "".join(f"    %k{each} = arith.constant {each} : i8\n" for each in (3, 7, 8))
    t, maps = "tensor<?xi8>", ", ".join(["affine_map<(d0) -> (d0)>"] * 2)
    return f"""func.func @f(%a: {t}) -> {t} {{
  %all = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} ins(%a : {t}) outs(%a : {t}) {{
  ^bb0(%x: i8, %old: i8):
{constants}    {body}
    linalg.yield %r : i8
  }} -> {t}
  return %all : {t}
}}"""


def compared(source: str, target: str, *, execute: bool) -> Refinement:
    return refined(source, target, Options(execute=execute))


def is_proved(found: Refinement) -> bool:
    return found.word is VerdictKind.PROVED and not found.omissions


RIGHT = {
    "a sum and its difference": (
        program("%s = arith.addi %a, %b : T\n %r = arith.subi %s, %b : T"),
        program("%r = arith.addi %a, %a : T\n %q = arith.subi %r, %a : T").replace("return %r", "return %q"),
    ),
    "a flag dropped": (
        program("%r = arith.addi %a, %b overflow<nsw> : T"),
        program("%r = arith.addi %a, %b : T"),
    ),
    "a product for a shift": (
        program("%r = arith.shli %a, %k3 : T"),
        program("%r = arith.muli %a, %k8 : T"),
    ),
    "a remainder as a mask": (
        program("%r = arith.remui %a, %k8 : T"),
        program("%r = arith.andi %a, %k7 : T"),
    ),
    "a mask as a remainder": (of_each("%r = arith.andi %x, %k7 : i8"), of_each("%r = arith.remui %x, %k8 : i8")),
    "a shift as a quotient": (of_each("%r = arith.shrui %x, %k3 : i8"), of_each("%r = arith.divui %x, %k8 : i8")),
    "a remainder by its quotient": (
        of_each("%r = arith.remsi %x, %k3 : i8"),
        of_each("%q = arith.divsi %x, %k3 : i8\n %m = arith.muli %q, %k3 : i8\n %r = arith.subi %x, %m : i8"),
    ),
    "De Morgan": (
        program("%s = stablehlo.and %a, %b : T\n %r = stablehlo.not %s : T"),
        program("%s = stablehlo.not %a : T\n %q = stablehlo.not %b : T\n %r = stablehlo.or %s, %q : T"),
    ),
    "a maximum as a choice": (
        program("%r = arith.maxsi %a, %b : T"),
        program("%p = arith.cmpi sge, %a, %b : T\n %r = arith.select %p, %a, %b : tensor<?xi1>, T"),
    ),
    "an extension of an extension": (
        program("%s = arith.extui %a : T to tensor<?xi16>\n %r = arith.extsi %s : tensor<?xi16> to R", result="i32"),
        program("%r = arith.extui %a : T to R", result="i32"),
    ),
    "a sum of booleans": (
        program("%r = arith.addi %a, %b : T", "i1"),
        program("%r = arith.xori %a, %b : T", "i1"),
    ),
    "a sum of booleans in StableHLO": (
        program("%r = stablehlo.add %a, %b : T", "i1"),
        program("%r = arith.ori %a, %b : T", "i1"),
    ),
    "a boolean as a number": (
        program("%r = stablehlo.convert %a : (T) -> R", "i1", "i32"),
        program("%r = arith.extui %a : T to R", "i1", "i32"),
    ),
    "signed booleans": (
        program("%r = arith.maxsi %a, %b : T", "i1"),
        program("%r = arith.andi %a, %b : T", "i1"),
    ),
    "an unsigned maximum": (
        program("%r = stablehlo.maximum %a, %b : T", "ui8"),
        program(
            "%p = stablehlo.compare GT, %a, %b, UNSIGNED : (T, T) -> tensor<?xi1>\n"
            " %r = stablehlo.select %p, %a, %b : tensor<?xi1>, T",
            "ui8",
        ),
    ),
}
WRONG = {
    "a sign lost": (
        program("%s = arith.extsi %a : T to tensor<?xi16>\n %r = arith.extui %s : tensor<?xi16> to R", result="i32"),
        program("%r = arith.extsi %a : T to R", result="i32"),
    ),
    "a maximum without signs": (program("%r = arith.maxsi %a, %b : T"), program("%r = arith.maxui %a, %b : T")),
    "a sum of booleans": (
        program("%r = arith.addi %a, %b : T", "i1"),
        program("%r = arith.ori %a, %b : T", "i1"),
    ),
    "a boolean as -1": (
        program("%r = stablehlo.convert %a : (T) -> R", "i1", "i32"),
        program("%r = arith.extsi %a : T to R", "i1", "i32"),
    ),
    "a difference compared": (
        program(
            "%d = arith.subi %a, %b : T\n %z = arith.subi %a, %a : T\n %r = arith.cmpi slt, %d, %z : T", result="i1"
        ),
        program("%r = arith.cmpi slt, %a, %b : T", result="i1"),
    ),
    "a quotient rounded down": (program("%r = arith.divsi %a, %k8 : T"), program("%r = arith.shrsi %a, %k3 : T")),
    "a negative remainder": (program("%r = arith.remsi %a, %k8 : T"), program("%r = arith.andi %a, %k7 : T")),
    "bits shifted out": (
        program("%s = arith.shli %a, %k3 : T\n %r = arith.shrui %s, %k3 : T"),
        program("%r = arith.ori %a, %a : T"),
    ),
    "a choice the other way": (
        program("%p = arith.cmpi sgt, %a, %b : T\n %r = arith.select %p, %a, %b : tensor<?xi1>, T"),
        program("%p = arith.cmpi slt, %a, %b : T\n %r = arith.select %p, %a, %b : tensor<?xi1>, T"),
    ),
}
OPEN = {
    "a flag added": (program("%r = arith.addi %a, %b : T"), program("%r = arith.addi %a, %b overflow<nsw> : T")),
    "a flag on what cancels": (
        program("%r = arith.addi %a, %b : T"),
        program(
            "%s = arith.addi %b, %b overflow<nsw> : T\n %d = arith.subi %s, %s : T\n"
            " %e = arith.addi %a, %b : T\n %r = arith.addi %d, %e : T"
        ),
    ),
    "a flag on other elements": (
        program("%s = arith.addi %a, %b overflow<nsw> : T\n %d = arith.subi %s, %s : T\n %r = arith.addi %d, %a : T"),
        program(
            "%s = arith.addi %a, %b overflow<nsw> : T\n %t = stablehlo.reverse %s, dims = [0] : T\n"
            " %d = arith.subi %t, %t : T\n %r = arith.addi %d, %a : T"
        ),
    ),
    "a shift by an unknown amount": (
        program("%r = arith.subi %a, %a : T"),
        program("%s = arith.shli %a, %b : T\n %r = arith.subi %s, %s : T"),
    ),
    "a shift by the width": (
        program("%r = arith.subi %a, %a : T"),
        program("%r = arith.shrui %a, %k8 : T"),
    ),
    "a quotient of the least integer by -1": (
        program("%z = arith.subi %a, %a : T\n %r = arith.subi %z, %a : T"),
        program("%s = arith.constant -1 : i8\n %k = tensor.splat %s[%n] : T\n %r = arith.divsi %a, %k : T"),
    ),
    "an exact quotient": (
        program("%r = arith.divui %a, %k8 : T"),
        program("%r = arith.divui %a, %k8 {isExact} : T"),
    ),
    "a quotient by an element": (
        program("%r = arith.subi %a, %a : T"),
        program("%q = arith.divui %a, %b : T\n %r = arith.subi %q, %q : T"),
    ),
    "a sum of TOSA may overflow": (
        program("%r = arith.ori %a, %a : T"),
        program("%s = tosa.add %a, %b : (T, T) -> T\n %r = tosa.sub %s, %b : (T, T) -> T"),
    ),
    "StableHLO leaves open what does not fit": (
        program("%r = arith.trunci %a : T to R", "i32", "i8"),
        program("%r = stablehlo.convert %a : (T) -> R", "i32", "i8"),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_equality_over_all_integers_is_proved(name: str) -> None:
    assert is_proved(compared(*RIGHT[name], execute=False))


@pytest.mark.parametrize("name", WRONG)
def test_a_difference_is_not_proved(name: str) -> None:
    assert not is_proved(compared(*WRONG[name], execute=False))


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_run_shows_a_difference(name: str) -> None:
    found = compared(*WRONG[name], execute=True)
    assert found.word is VerdictKind.REFUTED
    assert found.refuted[0].executed is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", OPEN)
def test_undefined_elements_of_the_target_are_not_proved(name: str) -> None:
    assert not is_proved(compared(*OPEN[name], execute=False))


@pytest.mark.process
@pytest.mark.slow
def test_sums_of_booleans_are_not_run() -> None:
    """MLIR lowers them to an exclusive disjunction, so a run would show a difference that is none."""
    source = program("%s = stablehlo.add %a, %b : T\n %r = math.ctpop %s : T", "i1")
    target = program("%s = arith.ori %a, %b : T\n %q = math.ctpop %s : T\n %r = arith.ori %q, %q : T", "i1")
    assert compared(source, target, execute=True).word is not VerdictKind.REFUTED


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("type", ["i8", "i32"])
def test_sums_of_tosa_that_may_overflow_are_not_run(type: str) -> None:
    """TOSA leaves open what a sum is that does not fit, so a number plus 3 may always be greater."""
    larger = "%s = tosa.add %a, %k3 : (T, T) -> T\n %r = tosa.greater %s, %a : (T, T) -> R"
    always = "%s = tosa.add %a, %k3 : (T, T) -> T\n %r = tosa.equal %s, %s : (T, T) -> R"
    source, target = (program(each, type, "i1") for each in (larger, always))
    assert compared(source, target, execute=True).word is not VerdictKind.REFUTED


SUMS_OF_TOSA = {
    "operands of a difference": ("%r = tosa.sub %a, %b : (T, T) -> T", "%r = tosa.sub %b, %a : (T, T) -> T"),
    "a sum for its negative": (
        "%s = tosa.add %a, %b : (T, T) -> T\n %r = tosa.maximum %s, %b : (T, T) -> T",
        "%s = tosa.sub %a, %b : (T, T) -> T\n %r = tosa.maximum %s, %b : (T, T) -> T",
    ),
    "another constant": ("%r = tosa.add %a, %k3 : (T, T) -> T", "%r = tosa.add %a, %k4 : (T, T) -> T"),
}


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("type", ["i8", "i32"])
@pytest.mark.parametrize("pair", SUMS_OF_TOSA.values(), ids=list(SUMS_OF_TOSA))
def test_wrong_sums_of_tosa_are_refuted_by_small_integers(pair: tuple[str, str], type: str) -> None:
    source, target = (program(each, type) for each in pair)
    assert compared(source, target, execute=True).word is VerdictKind.REFUTED


@pytest.mark.process
@pytest.mark.slow
def test_sums_that_overflow_for_small_integers_are_not_run() -> None:
    """A number 64 times is -64, 0 or 64 where that does not overflow."""
    sums = "".join(f"%t{each + 1} = tosa.add %t{each}, %t{each} : (T, T) -> T\n " for each in range(6))
    least = '%m = "tosa.const"() <{values = dense<-100> : tensor<1xi8>}> : () -> tensor<1xi8>\n '
    greater = "%r = tosa.maximum %t6, %m : (T, tensor<1xi8>) -> T"
    bodies = sums + "%r = tosa.identity %t6 : (T) -> T", sums + least + greater
    source, target = (program(each.replace("%t0", "%a")) for each in bodies)
    assert compared(source, target, execute=True).word is not VerdictKind.REFUTED


def signed(value: int, width: int) -> int:
    return value - 2**width if value >= 2 ** (width - 1) else value


def _of_bits(predicate: Callable[[int, int, int], bool]) -> Callable[[int, int, int], int]:
    """Return a predicate of signed integers as a function of their bits."""
    return lambda a, b, w: predicate(signed(a, w), signed(b, w), w)


OPERATIONS: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "mul": lambda a, b, _: a * b,
    "and": lambda a, b, _: a & b,
    "or": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
    "shl": lambda a, b, w: a << b if b < w else 0,
    "lshr": lambda a, b, w: a >> b if b < w else 0,
    "ashr": lambda a, b, w: signed(a, w) >> min(b, w),
    **{name: _of_bits(each) for name, each in PREDICATES.items()},
    "udiv": lambda a, b, _: a // b,
    "urem": lambda a, b, _: a % b,
    "sdiv": lambda a, b, w: math.trunc(Fraction(signed(a, w), signed(b, w))),
    "srem": lambda a, b, w: int(math.fmod(signed(a, w), signed(b, w))),
}
DIVISIONS = ("udiv", "urem", "sdiv", "srem")


@pytest.mark.slow
@pytest.mark.parametrize("operation", sampled(OPERATIONS, 4))
def test_operations_on_bits_are_those_of_python(operation: str) -> None:
    width = 3
    own = 1 if operation in PREDICATES else width
    for a, b in product(range(0, 2**width, 3), range(1 if operation in DIVISIONS else 0, 2**width)):
        operands = tuple(BitVector("constant", width, number=each) for each in (a, b))
        wanted = int(OPERATIONS[operation](a, b, width)) % 2**own
        found = BitVector(operation, own, operands)
        assert are_equal_bits(found, BitVector("constant", own, number=wanted)), (a, b)
        assert not are_equal_bits(found, BitVector("constant", own, number=(wanted + 1) % 2**own)), (a, b)
