"""Test of refinement where a check of the source fails in some iteration: facts about the others."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.loop_families import FAMILIES, pair_of
from support.loop_programs import (
    KINDS,
    Branch,
    Carried,
    Check,
    Drawing,
    Loop,
    Program,
    Read,
    Statement,
    Sum,
    all_sizes,
    behavior,
    text_of,
)

from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.concrete_runs import IterationRunner
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.paired_interpreter import interpret_side
from shapesolve.refinement.refine import refine_programs
from shapesolve.shape_functions.registries import registry_for
from shapesolve.solver.verdicts import Proved, Refuted

LARGEST = 5
COUNTER, D, E, N = (Sum(0, ((1, name),)) for name in ("i", "d", "e", "n"))
ZERO, LAST = Sum(0), Sum(-1, N.terms)
SMALL, THERE = Check(COUNTER, D), Read(COUNTER)


def loop(*body: Statement, kind: str = "scf.for", upper: Sum = N, lower: Sum = ZERO, step: int = 1) -> Loop:
    return Loop(kind, "i", lower, upper, step, body)


def compared(source: Program | str, target: Program | str, *, allow_lost_checks: bool = False) -> Refinement:
    texts = (each if isinstance(each, str) else text_of(each) for each in (source, target))
    ours, theirs = map(read_text, texts)
    (found,) = refine_programs(ours, theirs, Options(execute=False), allow_lost_checks=allow_lost_checks)
    return found


def differs(source: Program, target: Program, sizes: dict[str, int]) -> bool:
    ours = behavior(source, sizes)
    return ours not in ("undefined", behavior(target, sizes))


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", FAMILIES)
@examples(20)
@given(st.integers(0, 10**9))
def test_verdicts_are_those_of_an_interpreter(family: str, seed: int) -> None:
    source, target = pair_of(family, seed)
    found = compared(source, target)
    if found.word == "proved":
        assert not any(differs(source, target, each) for each in all_sizes(LARGEST))
    for each in found.refuted:
        assert isinstance(each.verdict, Refuted)
        sizes = {variable.name: int(str(value)) for variable, value in each.verdict.sizes.items()}
        assert differs(source, target, {"d": sizes["x[0]"], "e": sizes["y[0]"], "n": sizes["n"]})


@pytest.mark.slow
@examples(60)
@given(st.integers(0, 10**9))
def test_a_run_iteration_by_iteration_ends_as_in_an_interpreter(seed: int) -> None:
    drawing = Drawing(random.Random(seed))
    program = drawing.program()
    read = read_text(text_of(program))
    walked = interpret_side(read, make_inputs(read.functions["f"]), registry_for(read, Options()), "source")
    runs = IterationRunner(walked)
    for each in all_sizes(3):
        named = {"x[0]": each["d"], "y[0]": each["e"], "n": each["n"]}
        found = runs.behavior({variable: named[variable.name] for variable in walked.trace.input_variables})
        assert found is None or found.ending.value.removeprefix("is ") == behavior(program, each)


LONG = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %low = arith.subi %c0, %n : index
  scf.for %i = %low to %n step %c1 {
    %few = arith.cmpi sle, %i, %c3 : index
    cf.assert %few, "few"
  }
  return
}
"""


@pytest.mark.parametrize(("n", "ends"), [(3, "returns"), (5, "aborts"), (2**62 + 1, None)])
def test_a_loop_of_more_iterations_than_a_c_integer_counts_is_not_run(n: int, ends: str | None) -> None:
    read = read_text(LONG)
    walked = interpret_side(read, make_inputs(read.functions["f"]), registry_for(read, Options()), "source")
    found = IterationRunner(walked).behavior(dict.fromkeys(walked.trace.input_variables, n))
    assert (found and found.ending.value.removeprefix("is ")) == ends


# One pair for each of what is believed --------------------------------------------------------------------------------


def test_a_check_leaves_a_loop_and_comes_into_one() -> None:
    within, without = (loop(SMALL, THERE),), (Branch(ZERO, N, (Check(LAST, D),)), loop(THERE))
    assert compared(within, without).word == "proved"
    assert compared(without, within).word == "proved"  # the last iteration fails, and none before it is undefined


@pytest.mark.slow
def test_a_loop_becomes_two_and_two_become_one() -> None:
    one, two = (loop(SMALL, Check(COUNTER, E)),), (loop(SMALL), replace(loop(Check(COUNTER, E)), name="i"))
    assert compared(one, two).word == "proved"
    assert compared(two, one).word == "proved"
    read_later = (loop(SMALL), loop(THERE))
    assert compared((loop(SMALL, THERE),), read_later).word == "proved"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["scf.for", "scf.while"])
def test_reads_of_earlier_iterations_happened(kind: str) -> None:
    """Element ``i`` was read before ``i + 1 < d`` failed; without that it is not there."""
    more = Check(Sum(1, COUNTER.terms), D)
    source, target = (loop(more, THERE, kind=kind),), (loop(THERE, more, kind=kind),)
    assert compared(source, target).word == "refuted"  # with no element at all
    assert compared((Check(ZERO, D), *source), (Check(ZERO, D), *target)).word == "proved"


@pytest.mark.slow
def test_checks_hoisted_from_an_inner_loop_are_proved() -> None:
    inner = Loop("scf.for", "j", ZERO, E, 1, (Check(Sum(0, ((1, "j"),)), D), Read(Sum(0, ((1, "j"),)))))
    source = (loop(SMALL, inner),)
    hoisted = (loop(SMALL, Branch(ZERO, E, (Check(Sum(-1, E.terms), D),)), replace(inner, body=inner.body[1:])),)
    assert compared(source, hoisted).word == "proved"
    assert compared(source, (loop(inner, SMALL),)).word == "proved"  # both only stop, in one order or the other


@pytest.mark.slow
def test_a_loop_that_is_the_same_in_every_iteration() -> None:
    """The inner loop stays as it is; what its element ``j`` is was found out in an iteration before."""
    inner = Loop("scf.for", "j", ZERO, N, 1, (Check(Sum(0, ((1, "j"),)), Sum(1, D.terms)), Read(Sum(0, ((1, "j"),)))))
    weak = Check(COUNTER, Sum(1, D.terms))
    assert compared((loop(weak, inner, step=2),), (loop(inner, weak, step=2),)).word == "proved"


def test_iterations_in_no_order_may_be_undefined() -> None:
    """Two iterations abort and an earlier one reads out of bounds: without an order, that read may happen."""
    source, target = (Check(ZERO, ZERO), loop(THERE, kind="scf.parallel")), (loop(THERE, SMALL, kind="scf.parallel"),)
    assert compared(source, target).word == "refuted"


def test_a_size_that_grows() -> None:
    grows = Carried("c", E, Sum(1))
    checked = replace(loop(Check(Sum(0, ((1, "c"),)), D), THERE), carried=grows)
    later = replace(checked, body=(Check(Sum(0, ((1, "c"),)), D), Check(COUNTER, D), THERE))
    assert compared((checked,), (later,)).word == "proved"


@pytest.mark.parametrize("kind", KINDS[:4])
def test_unordered_iterations_do_not_precede_each_other(kind: str) -> None:
    """The first iteration stops the loop, if it is the one that runs first."""
    stops = Check(ZERO, COUNTER)
    found = compared((loop(stops, kind=kind),), (loop(stops, THERE, kind=kind),))
    assert (found.word == "proved") == (kind in ("scf.for", "scf.while"))


def test_unasked_claims_are_not_refuted() -> None:
    source, target = (loop(Check(COUNTER, D)),), (loop(Check(COUNTER, Sum(1, D.terms))),)
    assert compared(source, target).word == "refuted"
    assert compared(source, target, allow_lost_checks=True).word == "proved"


CALLED = """func.func @f(%x: tensor<?xf32>, %n: index) {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%d = tensor.dim %x, %c0 : tensor<?xf32>
{before}
func.call @g(%x, %n, %d) : (tensor<?xf32>, index, index) -> ()
func.call @g(%x, %c1, %d) : (tensor<?xf32>, index, index) -> ()
return }}
func.func private @g(%x: tensor<?xf32>, %n: index, %d: index) {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
scf.for %i = %c0 to %n step %c1 {{
%fine = arith.cmpi slt, %i, %c3 : index
cf.assert %fine, "three"
%is_last = arith.cmpi eq, %n, %c1 : index
scf.if %is_last {{
%e = tensor.extract %x[%c0] : tensor<?xf32>
}}
}}
return }}"""


def test_a_loop_that_is_come_to_again_is_another_one() -> None:
    """The first call stops in iteration 3; the element that the second would have read need not be there."""
    read = "scf.for %i = %c0 to %n step %c1 {\n%e = tensor.extract %x[%c0] : tensor<?xf32>\n}"
    assert compared(CALLED.format(before=""), CALLED.format(before=read)).word != "proved"


DATA = """func.func @f(%x: tensor<?xf32>, %at: tensor<?x2xindex>) {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%d = tensor.dim %x, %c0 : tensor<?xf32>
%n = tensor.dim %at, %c0 : tensor<?x2xindex>
scf.for %i = %c0 to %n step %c1 {{
%k = tensor.extract %at[%i, %c1] : tensor<?x2xindex>
%fine = arith.cmpi slt, %k, %d : index
{body}
}}
return }}"""


def test_data_of_one_iteration_implies_nothing_of_another() -> None:
    """Small earlier numbers imply nothing about the large one."""
    check, dim = (
        'cf.assert %fine, "small"',
        "%m = arith.maxsi %k, %c0 : index\n%e = tensor.extract %x[%m] : tensor<?xf32>",
    )
    assert compared(DATA.format(body=check), DATA.format(body=f"{dim}\n{check}")).word != "proved"
    assert compared(DATA.format(body=f"{check}\n{dim}"), DATA.format(body=f"{dim}\n{check}")).word != "proved"


def test_data_of_one_iteration_is_shared_by_source_and_target() -> None:
    """The number that stops the source stops the target in the same iteration."""
    check, read = (
        'cf.assert %fine, "small"',
        "%m = arith.maxsi %k, %c0 : index\n%e = tensor.extract %x[%m] : tensor<?xf32>",
    )
    assert (
        compared(
            DATA.format(body=f"{check}\n{read}"), DATA.format(body=f"%m = arith.addi %k, %k : index\n{check}")
        ).word
        == "proved"
    )


OWN = """%is_first = arith.cmpi eq, %i, %c0 : index
%is_other = arith.cmpi ne, %i, %c0 : index
scf.if %is_other {
cf.assert %fine, "another"
}
scf.if %is_first {
cf.assert %fine, "the first"
}"""


def test_data_of_the_first_iteration_is_not_that_of_others() -> None:
    source, target = DATA.format(body=OWN), DATA.format(body=OWN.replace("%is_other {", "%is_first {"))
    found = compared(source, target)
    assert found.word != "proved"
    asked = [each for each in found.findings if '"another" fails' in each.source.words and each.source.obligation]
    assert asked
    assert not all(isinstance(each.verdict, Proved) for each in asked)


WHILE = """func.func @f(%x: tensor<?xf32>, %n: index) {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
%d = tensor.dim %x, %c0 : tensor<?xf32>
{before}
%r = scf.while (%i = %c0) : (index) -> index {{
%e = tensor.extract %x[%i] : tensor<?xf32>
%more = arith.cmpi slt, %i, %n : index
scf.condition(%more) %i : index }} do {{ ^bb0(%i: index):
%fine = arith.cmpi slt, %i, %c3 : index
cf.assert %fine, "three"
%next = arith.addi %i, %c1 : index
scf.yield %next : index }}
return }}"""


def test_the_first_region_of_a_round_that_never_came_did_nothing() -> None:
    """The source stops in round 3: element 4 was not read."""
    read = """scf.for %j = %c0 to %n step %c1 {{
%e = tensor.extract %x[%j] : tensor<?xf32>
}}"""
    source, target = WHILE.format(before=""), WHILE.format(before=read.format())
    assert compared(source, target).word != "proved"
