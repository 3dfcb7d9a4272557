"""Runs that show a difference in what is left in arguments, or by NaN, infinities and zeros; right pairs show none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.refined_pairs import refined

from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute
from shapesolve.refinement.outcome import Refinement
from shapesolve.solver.verdicts import VerdictKind

pytestmark = pytest.mark.process

CONSTANTS = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %negative = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %seven = arith.constant 7 : i32
"""


def words(found: Refinement) -> str:
    """Return what the run of the only refuted finding showed."""
    assert found.word is VerdictKind.REFUTED
    (finding,) = found.refuted
    assert finding.executed is not None
    return finding.executed.words


def scalars(body: str, returned: str = "%r") -> str:
    return f"func.func @f(%x: f32, %y: f32) -> f32 {{\n{CONSTANTS}  {body}\n  return {returned} : f32\n}}"


def elements(body: str, returned: str = "%r") -> str:
    return f"""#map = affine_map<(d) -> (d)>
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {{
{CONSTANTS}  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %o = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}}
    ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {{
  ^bb0(%x: f32, %z: f32):
    {body}
    linalg.yield {returned} : f32
  }} -> tensor<?xf32>
  return %o : tensor<?xf32>
}}"""


DIFFERENCE, PRODUCT = "%r = arith.subf %x, %x : f32", "%r = arith.mulf %x, %zero : f32"
MAXIMUM = "%r = arith.maximumf %x, %y : f32"
GREATER = "%p = arith.cmpf ogt, %x, %y : f32\n  %r = arith.select %p, %x, %y : f32"
SPECIAL = {
    "difference": (DIFFERENCE, "%r", "", "%zero", "NaN"),
    "product": (PRODUCT, "%r", "", "%zero", "NaN"),
    "quotient": ("%r = arith.divf %x, %x : f32", "%r", "", "%one", "NaN"),
    "sum with zero": ("%r = arith.addf %x, %zero : f32", "%r", "", "%x", "-0.0"),
    "negation": ("%r = arith.negf %x : f32", "%r", "%r = arith.subf %zero, %x : f32", "%r", "0.0"),
    "sum and difference": (
        "%s = arith.addf %x, %one : f32\n  %r = arith.subf %s, %x : f32",
        "%r",
        "",
        "%one",
        "NaN",
    ),
}


@pytest.mark.parametrize("name", SPECIAL)
@pytest.mark.parametrize("text", [scalars, elements])
def test_a_rewrite_that_special_values_break_is_refuted(name: str, text: Callable[[str, str], str]) -> None:
    source, its, target, theirs, special = SPECIAL[name]
    found = words(refined(text(source, its), text(target, theirs)))
    assert found.endswith(f", with {special} among the arguments")


def test_other_kinds_of_maximum_are_refuted() -> None:
    assert "NaN" in words(refined(scalars(MAXIMUM), scalars(GREATER)))
    assert "NaN" in words(refined(scalars(MAXIMUM), scalars(MAXIMUM.replace("maximumf", "maxnumf"))))


RIGHT = {
    "flags": (scalars(DIFFERENCE.replace(" : f32", " fastmath<nnan,ninf> : f32")), scalars("", "%zero")),
    "all flags": (scalars(PRODUCT.replace(" : f32", " fastmath<fast> : f32")), scalars("", "%zero")),
    "negative zero": (scalars("%r = arith.addf %x, %negative : f32"), scalars("", "%x")),
    "minus zero": (scalars("%r = arith.subf %x, %zero : f32"), scalars("", "%x")),
    "negation": (scalars("%r = arith.negf %x : f32"), scalars("%r = arith.subf %negative, %x : f32")),
    "twice": (scalars("%r = arith.addf %x, %x : f32"), scalars("%r = arith.mulf %x, %two : f32")),
    "either zero": (scalars(MAXIMUM.replace("maximumf", "maxnumf")), scalars(GREATER)),
    "exchanged": (elements("%r = arith.maximumf %x, %one : f32"), elements("%r = arith.maximumf %one, %x : f32")),
    "twice, elements": (elements("%r = arith.addf %x, %x : f32"), elements("%r = arith.mulf %x, %two : f32")),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_rewrites_of_floats_are_not_refuted(name: str) -> None:
    assert refined(*RIGHT[name]).word is not VerdictKind.REFUTED


BOTH = "%a: memref<?xf32>, %b: memref<?xf32>"
SAME = """%n = memref.dim %a, %c0 : memref<?xf32>
  %m = memref.dim %b, %c0 : memref<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "as many"
  """
BODY = """%v = memref.load %a[%i] : memref<?xf32>
    %w = arith.mulf %v, %two : f32
    memref.store %w, %b[%i] : memref<?xf32>
"""
LOOP = SAME + f"scf.for %i = %c0 to %n step %c1 {{\n    {BODY}  }}"
WHILE = f"""{SAME}scf.while (%i = %c0) : (index) -> index {{
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  }} do {{
  ^bb0(%i: index):
    {BODY}    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }}"""
TWICE = BODY.replace("mulf %v, %two", "addf %v, %v")


def program(body: str, arguments: str = BOTH) -> str:
    return f"func.func @f({arguments}) {{\n{CONSTANTS}  {body}\n  return\n}}"


WRONG = {
    "one too few": (LOOP, LOOP.replace("%i = %c0", "%i = %c1")),
    "another function": (LOOP, WHILE.replace("mulf", "addf")),
    "another buffer": (LOOP, WHILE.replace("%w, %b", "%w, %a")),
}


@pytest.mark.parametrize("name", WRONG)
def test_other_elements_left_in_an_argument_are_refuted(name: str) -> None:
    source, target = WRONG[name]
    assert " of argument " in words(refined(program(source), program(target)))


@pytest.mark.parametrize("target", [WHILE, LOOP.replace(BODY, TWICE), WHILE.replace(BODY, TWICE)])
def test_the_same_elements_left_in_an_argument_are_not_refuted(target: str) -> None:
    assert refined(program(LOOP), program(target)).word is not VerdictKind.REFUTED


def test_what_the_source_leaves_open_is_not_refuted() -> None:
    open_end = "%t = memref.alloc() : memref<8xf32>\n  memref.copy %t, %b : memref<8xf32> to memref<8xf32>"
    filled = "linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)"
    given = "%b: memref<8xf32>"
    assert refined(program(open_end, given), program(filled, given)).word is not VerdictKind.REFUTED


def test_integers_and_special_values_in_memory_are_refuted() -> None:
    first, second = (
        program(f"memref.store %seven, %b[%{place}] : memref<8xi32>", "%b: memref<8xi32>") for place in ("c0", "c1")
    )
    assert words(refined(first, second)).startswith("element [0] of argument 0 is 7 in the source and ")
    stored = "\n  memref.store %r, %b[%c1] : memref<8xf32>"
    load = f"%x = memref.load %b[%c0] : memref<8xf32>\n  {DIFFERENCE}"
    loaded, zero = load + stored, stored.replace("%r", "%zero").strip()
    first, second = (program(each, "%b: memref<8xf32>") for each in (loaded, zero))
    assert "NaN in the source and 0 in the target, with NaN among" in words(refined(first, second))


@pytest.mark.parametrize(
    ("layout", "outcome"),
    [
        ("", Outcome.RETURNED),
        (", strided<[1]>", Outcome.RETURNED),
        (", strided<[?], offset: ?>", Outcome.RETURNED),
        (", strided<[2]>", Outcome.NOT_EXECUTABLE),
        (", strided<[1], offset: 3>", Outcome.NOT_EXECUTABLE),
        (", affine_map<(d) -> (d mod 2)>", Outcome.NOT_EXECUTABLE),
    ],
)
def test_a_buffer_is_passed_only_if_its_layout_may_be_row_major(layout: str, outcome: Outcome) -> None:
    text = f"func.func @f(%b: memref<4xf32{layout}>) {{\n  return\n}}"
    run = execute(text, "f", [TensorInput((4,), floats=(1.0, 2.0, 3.0, 4.0))], runtime_checks=False)
    assert run.outcome is outcome
    assert bool(run.argument_values) == (outcome is Outcome.RETURNED)


BESIDE = """func.func @f(%m: memref<2x3xi32>, %x: memref<1xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %s = memref.load %x[%c0] : memref<1xi32>
  %i = arith.index_cast %s : i32 to index
"""
LOADED = """  %v = affine.load %m[0, symbol(%i)] : memref<2x3xi32>
  return %v : i32
}"""
CLAMPED = """  %least = arith.maxsi %i, %c0 : index
  %j = arith.minsi %least, %c2 : index
  %v = memref.load %m[%c0, %j] : memref<2x3xi32>
  return %v : i32
}"""


def test_an_affine_access_beside_its_row_is_undefined() -> None:
    """The element lies in the buffer, so that only a check of the access notices."""
    source = BESIDE + LOADED
    assert refined(source, BESIDE + CLAMPED).word is not VerdictKind.REFUTED
    call = [TensorInput((2, 3), values=(1, 2, 3, 4, 5, 6)), TensorInput((1,), values=(4,))]
    assert execute(source, "f", call, runtime_checks=True).outcome is Outcome.ABORTED


STEP = """func.func @f(%x: i32, %m: memref<4xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  {before}
  scf.for %i = %c0 to %c3 step %c1 {{
    %next = arith.addi %i, %c1 : index
    %v = memref.load %m[%i] : memref<4xi32>
    %w = arith.{function} : i32
    memref.store %w, %m[%next] : memref<4xi32>
  }}
  return
}}"""


def chain(function: str = "addi %v, %x", before: str = "") -> str:
    return STEP.format(function=function, before=before)


def test_loops_that_read_what_they_wrote_are_refuted_by_runs() -> None:
    assert "of argument 1 is" in words(refined(chain(), chain("subi %v, %x")))
    assert "of argument 1 is" in words(refined(chain(), chain("addi %x, %x")))
    assert refined(chain(), chain("addi %x, %v")).word is not VerdictKind.REFUTED


UNDETERMINED = {
    "overflow": chain("addi %v, %x overflow<nsw>"),
    "shift": chain("shli %v, %x"),
    "memory": chain("addi %v, %u", "%a = memref.alloc() : memref<1xi32>\n  %u = memref.load %a[%c0] : memref<1xi32>"),
    "poison": chain("addi %v, %u", "%u = ub.poison : i32"),
}


@pytest.mark.parametrize("name", UNDETERMINED)
def test_a_loop_with_a_part_that_may_be_anything_refutes_nothing(name: str) -> None:
    assert refined(UNDETERMINED[name], chain("subi %v, %x")).word is not VerdictKind.REFUTED


def test_products_of_floats_in_loops_refute_nothing() -> None:
    """They leave the integers that floats hold exactly, where the order of operations decides."""
    source = chain("mulf %v, %x").replace("i32", "f32")
    assert refined(source, source.replace("mulf", "addf")).word is not VerdictKind.REFUTED
    assert "of argument 1 is" in words(refined(source.replace("mulf", "addf"), source))


OF_DATA = """func.func @f(%k: memref<4xi32>, %m: memref<6xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %s = memref.load %k[%c0] : memref<4xi32>
  %j = arith.index_cast %s : i32 to index
  %p = arith.maxsi %j, %c1 : index
  scf.for %i = %c0 to %c3 step %c1 {{
    %n = arith.addi %i, %c1 : index
    %v = memref.load %m[%i] : memref<6xi32>
    {made}
    %w = arith.addi %v, %u : i32
    memref.store %w, %m[%n] : memref<6xi32>
  }}
  return
}}"""
DIVIDED = {
    "apply": """%d = affine.apply affine_map<()[s0] -> (7 mod s0)>()[%j]
    %u = arith.index_cast %d : index to i32""",
    "if": """%u = affine.if affine_set<()[s0] : (5 mod s0 - 2 >= 0)>()[%j] -> i32 {
      affine.yield %v : i32
    } else {
      affine.yield %s : i32
    }""",
    "for": """%u = affine.for %l = 0 to affine_map<()[s0] -> (7 floordiv s0)>()[%j] iter_args(%z = %v) -> (i32) {
      %y = arith.addi %z, %s : i32
      affine.yield %y : i32
    }""",
}


@pytest.mark.parametrize("name", DIVIDED)
def test_affine_division_by_data_refutes_nothing(name: str) -> None:
    """By a number below 1 it is undefined, which no check notices; the target divides by another number there."""
    source = OF_DATA.format(made=DIVIDED[name])
    assert refined(source, source.replace("[%j]", "[%p]")).word is not VerdictKind.REFUTED


WRAPPING = """func.func @f(%k: memref<4xi64>, %m: memref<6xi64>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {{
    %n = arith.addi %i, %c1 : index
    %v = memref.load %k[%i] : memref<4xi64>
    %o = memref.load %m[%i] : memref<6xi64>
    %j = arith.index_cast %v : i64 to index
    %s = arith.{function} %j, %c3 : index
    {made}
    %u = arith.index_cast %l : index to i64
    %w = arith.addi %u, %o : i64
    memref.store %w, %m[%n] : memref<6xi64>
  }}
  return
}}"""
LARGER, SUM = "%l = arith.maxsi %s, %j : index", "%l = arith.addi %s, %c0 : index"


def test_runs_do_not_make_indices_of_data_wrap() -> None:
    """Indices are taken not to wrap, as in proofs."""
    source, target = (WRAPPING.format(function="addi", made=each) for each in (LARGER, SUM))
    assert refined(source, target).word is not VerdictKind.REFUTED
    wrong = WRAPPING.format(function="subi", made=SUM)
    assert "of argument 1 is" in words(refined(source, wrong))


PRODUCTS = """func.func @f(%m: memref<6xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %large = arith.constant 100000 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %c1) -> (index) {
    %b = arith.muli %a, %large : index
    %c = arith.maxsi %b, %a : index
    scf.yield %c : index
  }
  %u = arith.index_cast %r : index to i64
  memref.store %u, %m[%c0] : memref<6xi64>
  return
}"""


def test_an_index_that_wraps_in_a_loop_refutes_nothing() -> None:
    assert refined(PRODUCTS, PRODUCTS.replace("maxsi %b, %a", "addi %b, %c0")).word is not VerdictKind.REFUTED


FIXED = """func.func @f(%t: tensor<4x3xi32>, %x: i32) -> tensor<4x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4x3xi32> {
    %u = tensor.insert %x into %a[%i, %c2] : tensor<4x3xi32>
    scf.yield %u : tensor<4x3xi32>
  }
  return %r : tensor<4x3xi32>
}"""
COLLAPSED = """func.func @f(%t: memref<4x3xi32>, %x: i32) -> memref<4x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %v = memref.collapse_shape %t [[0, 1]] : memref<4x3xi32> into memref<12xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %first = arith.muli %i, %c3 : index
    %k = arith.addi %first, %c2 : index
    memref.store %x, %v[%k] : memref<12xi32>
  }
  return %t : memref<4x3xi32>
}"""


def test_a_tensor_and_its_buffer_are_given_the_same_integers() -> None:
    """The elements of a small tensor are known as sizes are; those of its buffer are not."""
    assert refined(FIXED, COLLAPSED).word is not VerdictKind.REFUTED
    assert "of result 0 is" in words(refined(FIXED, COLLAPSED.replace("%first, %c2", "%first, %c1")))
