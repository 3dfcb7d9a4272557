"""The RFC's two modifications of the trait, and the thread's rule for erasing sizes, as programs."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.refinement.outcome import Ending
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Refuted


def binary(a: str, b: str, result: str, op: str = "tosa.add") -> str:
    return (
        f"func.func @f(%a: tensor<{a}>, %b: tensor<{b}>) -> tensor<{result}> {{\n"
        f'  %r = "{op}"(%a, %b) : (tensor<{a}>, tensor<{b}>) -> tensor<{result}>\n'
        f"  return %r : tensor<{result}>\n}}"
    )


@pytest.mark.covers("rfc.modification.1")
def test_modification_1_results_are_not_broadcast() -> None:
    """One element plus one element is one element, not five: rejected, and in a larger program undefined."""
    with pytest.raises(InputError):
        read_text(binary("1xf32", "1xf32", "5xf32"))
    report = check_program(
        read_text(binary("?xf32", "?xf32", "5xf32")), Options(assumptions=("a[0] == 1",), execute=False)
    )
    assert report.exit_code == 1


def test_modification_1_the_consumer_broadcasts_instead() -> None:
    direct = """
    func.func @f(%a: tensor<5xf32>, %x: tensor<1xf32>) -> tensor<5xf32> {
      %s = tosa.add %x, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
      %r = tosa.sub %a, %s : (tensor<5xf32>, tensor<1xf32>) -> tensor<5xf32>
      return %r : tensor<5xf32>
    }"""
    assert check_program(read_text(direct), Options(execute=False)).exit_code == 0


@pytest.mark.covers("rfc.modification.2")
def test_modification_2_a_static_result_of_dynamic_operands_is_a_demand() -> None:
    """Rejected by the RFC, accepted since it was undone: then the sizes have to come out as declared."""
    program = read_text(binary("?xf32", "?xf32", "5xf32"))
    report = check_program(program, Options(execute=False))
    assert report.exit_code == 1
    fits = Options(assumptions=("a[0] == 5", "b[0] == 1 or b[0] == 5"), execute=False)
    assert check_program(program, fits).exit_code == 0


ERASED = [
    (("2xf32", "1xf32", "2xf32"), ("?xf32", "?xf32", "?xf32")),
    (("2xf32", "1xf32", "2xf32"), ("2xf32", "?xf32", "?xf32")),
    (("2x3xf32", "1x3xf32", "2x3xf32"), ("?x3xf32", "1x?xf32", "?x?xf32")),
    (("5xf32", "?xf32", "5xf32"), ("?xf32", "?xf32", "?xf32")),
    (("?x1xf32", "?x4xf32", "?x4xf32"), ("?x?xf32", "?x?xf32", "?x?xf32")),
    (("1xf32", "?xf32", "?xf32"), ("?xf32", "?xf32", "?xf32")),
]


@pytest.mark.parametrize(("static", "erased"), ERASED)
@pytest.mark.covers("rfc.widening")
def test_erasing_static_sizes_only_widens_what_is_legal(
    static: tuple[str, str, str], erased: tuple[str, str, str]
) -> None:
    """Whatever the static program takes, the dynamic one takes, with the same result; the reverse fails on a size."""
    narrow, wide = binary(*static), binary(*erased)
    found = refined(narrow, wide, Options(execute=False))
    assert found.word == "proved"
    back = refined(wide, narrow, Options(execute=False))
    assert back.word == "refuted"
    assert back.refuted[0].target.ending is Ending.UNDEFINED


def test_the_first_draft_broke_that() -> None:
    """The draft took dynamic extents for equal, as operations without broadcasts do: 2 and 1 fit no result."""
    strict = """
    func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %r = stablehlo.add %a, %b : tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    (found,) = refine_programs(read_text(binary("2xf32", "1xf32", "2xf32")), read_text(strict), Options(execute=False))
    finding = found.refuted[0]
    assert isinstance(finding.verdict, Refuted)
    assert (finding.source.ending, finding.target.ending) == (Ending.RETURNS, Ending.UNDEFINED)
    assert not finding.verdict.sizes  # there is only one call, and it fails
