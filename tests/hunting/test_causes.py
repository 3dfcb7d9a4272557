"""Test that sightings are grouped by cause, and that generated programs depend on the seed only."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve import validate
from shapesolve.hunting.causes import MOST_REDUCED, Cause, Complaint, Sighting, added, is_worth_reducing
from shapesolve.hunting.passes import hunted_passes
from shapesolve.hunting.record import HuntRecord, document_of, record_in
from shapesolve.hunting.samples import Samples
from shapesolve.ir.reader import read_text
from shapesolve.reports.hunting import complaint_words
from shapesolve.validation.installed import InstalledPasses

UNDEFINED = (("returns", "", "is undefined", "tensor.cast C1", ""),)


def sighting(
    *operations: str,
    differences: tuple[tuple[str, ...], ...] = UNDEFINED,
    reduced: bool = True,
    name: str = "canonicalize",
) -> Sighting:
    complaint = Complaint(name, "refuted", differences, "")
    program = "x" * len(operations)
    return Sighting(complaint, "builtin.module(canonicalize)", "s", program, "", operations, reduced, True)


def sorted_by_cause(*sightings: Sighting) -> tuple[Cause, ...]:
    causes: tuple[Cause, ...] = ()
    for each in sightings:
        causes, _ = added(causes, each)
    return causes


def test_more_operations_are_the_same_cause_shown_by_the_smaller_program() -> None:
    (cause,) = sorted_by_cause(sighting("linalg.generic", "tensor.dim"), sighting("linalg.generic"))
    assert cause.count == 2
    assert cause.shown.operations == ("linalg.generic",)


def test_other_operations_are_another_cause() -> None:
    first, second = sorted_by_cause(sighting("linalg.generic"), sighting("scf.if"))
    assert (first.number, second.number) == (1, 2)


def test_another_symptom_is_another_cause() -> None:
    other = (("returns", "", "returns", "", "extent"),)
    assert len(sorted_by_cause(sighting("scf.if"), sighting("scf.if", differences=other))) == 2
    both = (*UNDEFINED, *other)
    assert len(sorted_by_cause(sighting("scf.if"), sighting("scf.if", differences=both))) == 1


def test_a_program_that_is_not_reduced_tells_no_causes_apart() -> None:
    (cause,) = sorted_by_cause(sighting("scf.if"), sighting("linalg.generic", reduced=False))
    assert cause.shown.operations == ("scf.if",)


def test_two_passes_have_one_cause_if_the_operations_are_the_same() -> None:
    (cause,) = sorted_by_cause(sighting("scf.if"), sighting("scf.if", name="cse"))
    assert cause.seen == {"canonicalize": 1, "cse": 1}
    assert len(sorted_by_cause(sighting("scf.if"), sighting("scf.if", "tensor.dim", name="cse"))) == 2
    assert len(sorted_by_cause(sighting("scf.if"), sighting("tensor.dim", reduced=False, name="cse"))) == 2


def test_few_programs_of_one_symptom_are_reduced() -> None:
    causes = sorted_by_cause(*[sighting("scf.if")] * (MOST_REDUCED - 1))
    assert is_worth_reducing(causes, sighting().complaint)
    causes = sorted_by_cause(*[sighting("scf.if")] * MOST_REDUCED)
    assert not is_worth_reducing(causes, sighting().complaint)


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [("least_index_divided", "another value is returned"), ("identity_loop", "another extent is returned")],
)
def test_a_symptom_says_what_is_another(name: str, words: str) -> None:
    program = Path(__file__).parents[1] / "refinement" / "upstream" / f"{name}.mlir"
    (step,) = validate(program, "builtin.module(canonicalize)").steps
    assert complaint_words(Complaint.of(step)) == words


def test_a_record_is_read_as_it_was_written() -> None:
    record = HuntRecord(3, "cse", None, ("a.mlir",), causes=sorted_by_cause(sighting("scf.if"), sighting("tensor.dim")))
    read = record_in(document_of(record), "here")
    assert read.causes == record.causes
    assert document_of(read) == document_of(record)


def test_programs_depend_on_the_seed_only() -> None:
    first, again, other = Samples((), 7), Samples((), 7), Samples((), 8)
    texts = [first[number].text for number in range(7)]
    assert texts == [again[number].text for number in range(7)]
    assert texts != [other[number].text for number in range(7)]
    assert sum(bool(read_text(text).functions) for text in texts if text.strip()) >= 5


@pytest.mark.process
def test_the_installed_mlir_has_every_default_pass() -> None:
    runner = InstalledPasses(60)
    names = {each.name for each in hunted_passes(runner, None)}
    assert {"canonicalize", "one-shot-bufferize", "tosa-infer-shapes", "stablehlo-refine-shapes"} <= names
    assert len(names) > 90


@pytest.mark.process
def test_a_pass_of_functions_may_be_given_by_its_name() -> None:
    (found,) = hunted_passes(InstalledPasses(60), "tosa-infer-shapes")
    assert found.pipeline == "builtin.module(func.func(tosa-infer-shapes))"
