"""Pairs of programs with loops: verdicts against an interpreter, and what is proved iteration by iteration."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.examples import examples
from support.loop_programs import KINDS, Check, Drawing, Loop, Program, Read, Sum, all_sizes, behavior, text_of
from support.refined_pairs import refined

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Finding, Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Proved, Refuted

LARGEST = 5


def compared(source: Program, target: Program) -> Refinement:
    (found,) = refine_programs(read_text(text_of(source)), read_text(text_of(target)), Options(execute=False))
    return found


def differs(source: Program, target: Program, sizes: dict[str, int]) -> bool:
    ours = behavior(source, sizes)
    return ours not in ("undefined", behavior(target, sizes))


def sizes_of(finding: Finding) -> dict[str, int]:
    assert isinstance(finding.verdict, Refuted)
    sizes = {variable.name: value for variable, value in finding.verdict.sizes.items()}
    plain = {"d": sizes["x[0]"], "e": sizes["y[0]"], "n": sizes["n"]}
    return {name: int(str(value)) for name, value in plain.items()}


@pytest.mark.exhaustive
@examples(60)
@given(st.integers(0, 10**9))
@example(103462)  # more refutations than are looked at closely
def test_verdicts_are_those_of_an_interpreter(seed: int) -> None:
    drawing = Drawing(random.Random(seed))
    source = drawing.program()
    target = drawing.related(source)
    found = compared(source, target)
    if found.word == "proved":
        assert not any(differs(source, target, each) for each in all_sizes(LARGEST))
    assert all(differs(source, target, sizes_of(each)) for each in found.refuted)


COUNTER, D, N = (Sum(0, ((1, name),)) for name in ("i", "d", "n"))
ZERO, BELOW = Sum(0), Sum(-1)


def loop(kind: str, upper: Sum, *body: Check | Read, lower: Sum = ZERO, step: int = 1) -> Loop:
    return Loop(kind, "i", lower, upper, step, body)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS[:4])
def test_demands_of_an_iteration_may_be_checked_in_it_or_before_the_loop(kind: str) -> None:
    source = (loop(kind, N, Read(COUNTER)),)
    inside = (loop(kind, N, Check(COUNTER, D), Read(COUNTER)),)
    before = (Check(Sum(-1, N.terms), D), *source)
    too_much = (Check(N, D), *source)
    assert compared(source, inside).word == "proved"
    assert compared(source, before).word == "proved"
    assert compared(source, too_much).word == "refuted"
    assert compared(inside, source).word != "proved"  # where it aborts, this is undefined


@pytest.mark.parametrize("kind", KINDS[4:])
def test_loops_over_tensors_are_compared_like_that(kind: str) -> None:
    source = (loop(kind, D, Read(Sum(1, COUNTER.terms))),)
    checked = (loop(kind, D, Check(COUNTER, Sum(-1, D.terms)), Read(Sum(1, COUNTER.terms))),)
    assert compared(source, checked).word == "proved"


def test_one_kind_of_loop_instead_of_another() -> None:
    assert compared((loop("scf.for", N, Read(COUNTER)),), (loop("scf.while", N, Read(COUNTER)),)).word == "proved"
    assert compared((loop("scf.for", N, Read(COUNTER)),), (loop("scf.parallel", N, Read(COUNTER)),)).word == "proved"


def test_an_iteration_that_fails_is_not_each() -> None:
    """The source stops in iteration 3; what the target does before is not what the source did then."""
    seven = Sum(19)
    stops_at_3 = Check(Sum(3), COUNTER), Check(COUNTER, Sum(3))
    source = (loop("scf.for", seven, stops_at_3[0]),)
    target = (loop("scf.for", seven, Read(Sum(0, ((1, "i"), (1, "d")))), stops_at_3[0]),)
    assert compared(source, target).word != "proved"


@pytest.mark.slow
def test_loops_through_other_numbers_have_nothing_to_do_with_each_other() -> None:
    source = (loop("scf.for", N, Read(COUNTER)),)
    for other in (loop("scf.for", Sum(1, N.terms), Read(COUNTER)), loop("scf.for", N, Read(COUNTER), lower=BELOW)):
        assert compared(source, (other,)).word != "proved"
    every_other = (loop("scf.for", N, Read(COUNTER), step=2),)
    assert compared(every_other, source).word != "proved"


def in_blocks(checks: str) -> str:
    """A loop among blocks that reads element i of ``%x`` in round i, behind some checks."""
    return f"""func.func @f(%x: tensor<?xf32>, %n: index) {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%d = tensor.dim %x, %c0 : tensor<?xf32>
cf.br ^header(%c0 : index)
^header(%i: index):
%goes_on = arith.cmpi slt, %i, %n : index
cf.cond_br %goes_on, ^body, ^end
^body:
{checks}
%e = tensor.extract %x[%i] : tensor<?xf32>
%next = arith.addi %i, %c1 : index
cf.br ^header(%next : index)
^end:
return }}"""


def test_rounds_between_blocks_are_compared_like_iterations() -> None:
    enough, too_much = (
        f'%less = arith.cmpi slt, %i, {bound} : index\ncf.assert %less, "less"' for bound in ("%d", "%c1")
    )
    options = Options(execute=False)
    (found,) = refine_programs(read_text(in_blocks("")), read_text(in_blocks(enough)), options)
    assert found.word == "proved"
    (found,) = refine_programs(read_text(in_blocks("")), read_text(in_blocks(too_much)), options)
    assert found.word == "refuted"


PERHAPS = '''
from shapesolve.rules import OpSemantics, rule
from shapesolve.semantics.regions import GenericIteration


@rule("my.end", example="x.mlir")
def end(op, see):
    """The end of a body."""
    return OpSemantics()


@rule("my.perhaps", example="x.mlir")
def perhaps(op, see):
    """Runs a body so many times, which nobody knows."""
    return OpSemantics(regions=(GenericIteration(region=op.regions[0]),))
'''


def test_skippable_demands_are_needed_in_no_iteration(tmp_path: Path) -> None:
    """The source's check may not be reached in its last iteration."""
    (tmp_path / "rules.py").write_text(PERHAPS)
    options = Options(rules=(str(tmp_path / "rules.py"),), execute=False)
    certain = text_of((loop("scf.for", N, Check(COUNTER, D)),))
    asked = next(line for line in certain.splitlines() if "cf.assert" in line)
    source = certain.replace(asked, f'"my.perhaps"() ({{\n{asked}\n"my.end"() : () -> ()\n}}) : () -> ()')
    before = text_of((Check(Sum(-1, N.terms), D),))
    with_rules = refined(source, before, options)
    asked = "the target does not fail at cf.assert [cf-assert-condition]"
    (demand,) = (each for each in with_rules.findings if asked in each.question)
    assert not isinstance(demand.verdict, Proved)
    assert compared((loop("scf.for", N, Check(COUNTER, D)),), (Check(Sum(-1, N.terms), D),)).word == "proved"
