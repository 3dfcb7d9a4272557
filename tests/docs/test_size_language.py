"""The page on the size language: every claim in its tables is proved, and every function is on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shapesolve import prove
from shapesolve.errors import InputError
from shapesolve.symbolic.functions import CALLS

PAGE = (Path(__file__).parents[2] / "docs" / "size-language.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| ")]
CLAIMS = [row[2][1:-1] for row in ROWS if re.fullmatch("`[^`]*`", row[2])]
SHOWN = re.findall(r"^(prove\(.*\))  # (.*)$", PAGE, re.MULTILINE)


def test_the_page_has_claims() -> None:
    assert len(CLAIMS) == 27 and len(SHOWN) == 3


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_of_the_page_is_proved(claim: str) -> None:
    assert prove(claim).is_proved


@pytest.mark.parametrize(("call", "answer"), SHOWN)
def test_a_call_answers_what_is_shown(call: str, answer: str) -> None:
    assert str(eval(call, {"prove": prove})) == answer


def test_every_function_is_on_the_page() -> None:
    on_page = set(re.findall(r"`(\w+)[(`]", PAGE))
    assert set(CALLS) - {"same_extents"} <= on_page


@pytest.mark.parametrize("text", ["N // 0 == 0", "N / 2 == 1", "2**N == 1", "N && M", "N ≥ 2"])
def test_refused_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        prove(text)
