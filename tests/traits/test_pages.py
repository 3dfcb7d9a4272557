"""The 13 examples of the two pages come out as the pages state, and the one contradiction is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.traits.files import verify_file
from shapesolve.traits.profiles import profile_named
from shapesolve.traits.runtime_behavior import Kind

PAGES = sorted((Path(__file__).parent / "pages").glob("*.mlir"))
CONTRADICTION = "incorrect_3_static_result_of_dynamic"

CLAUSES = {
    "incorrect_1_static_sizes_differ": "C5",
    "incorrect_2_result_of_higher_rank": "C6",
    "incorrect_3_static_result_of_dynamic": "C7",
    "incorrect_4_result_of_another_size": "C8",
    "incorrect_5_result_is_not_repeated": "C8",
}


def test_all_examples_are_there() -> None:
    assert len([page for page in PAGES if page.stem.startswith("correct")]) == 8
    assert len([page for page in PAGES if page.stem.startswith("incorrect")]) == 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.covers("trait.2023.verify")
@pytest.mark.covers("trait.2023.correct.*")
@pytest.mark.covers("trait.2023.incorrect.*")
def test_programs_of_the_page_of_2023_have_its_verdicts(page: Path) -> None:
    (judged,) = verify_file(str(page), profile_named("page-2023")).operations
    assert judged.name == "test.broadcastable"
    clause = None if judged.broken is None else judged.broken.clause
    assert clause == CLAUSES.get(page.stem)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.covers("trait.today.verify")
@pytest.mark.covers("trait.today.correct.*")
@pytest.mark.covers("trait.today.incorrect.*")
def test_programs_of_the_page_of_today_have_its_verdicts(page: Path) -> None:
    (judged,) = verify_file(str(page), profile_named("page-today")).operations
    clause = None if judged.broken is None else judged.broken.clause
    if page.stem != CONTRADICTION:
        assert clause == CLAUSES.get(page.stem)
        assert not judged.verification.remarks
        return
    # The page lists it under its incorrect uses; its own rule, and every tool, accept it.
    assert clause is None
    (remark,) = judged.verification.remarks
    assert "the page contradicts itself" in remark


@pytest.mark.parametrize("version", ["mlir-19", "mlir-22"])
def test_the_tools_have_two_holes_more(version: str) -> None:
    rejected = {
        page.stem
        for page in PAGES
        for judged in verify_file(str(page), profile_named(version)).operations
        if judged.broken is not None
    }
    assert rejected == {"incorrect_1_static_sizes_differ", *(name for name in CLAUSES if name[10] in "45")}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("correct_1_same_static_sizes", Kind.ALWAYS),
        ("correct_2_dynamic_sizes", Kind.SOMETIMES),
        ("correct_3_one_is_repeated", Kind.ALWAYS),
        ("correct_4_result_forgets_its_size", Kind.ALWAYS),
        ("correct_5_shorter_shape", Kind.ALWAYS),
        ("correct_6_element_types", Kind.ALWAYS),
        ("correct_7_unranked_result", Kind.ALWAYS),
        ("correct_8_unranked_operands", Kind.SOMETIMES),
        ("incorrect_1_static_sizes_differ", Kind.NEVER),
        ("incorrect_2_result_of_higher_rank", Kind.NEVER),
        ("incorrect_3_static_result_of_dynamic", Kind.SOMETIMES),
        ("incorrect_4_result_of_another_size", Kind.NEVER),
        ("incorrect_5_result_is_not_repeated", Kind.NEVER),
    ],
)
def test_their_meaning_at_run_time(name: str, kind: Kind) -> None:
    path = Path(__file__).parent / "pages" / f"{name}.mlir"
    (judged,) = verify_file(str(path), profile_named("page-today")).operations
    assert judged.runtime_behavior is not None
    assert judged.runtime_behavior.kind is kind
