"""Test that cvc5 confirms every proof of the examples and cases, from SMT-LIB text without our normal forms."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("cvc5")

from support.certificates_asked import FILES, ROOT, asked, proved_in, reports_of, unconfirmed

from shapesolve.certificates.checkers import Word

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "certificates.md"


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_proof_has_a_certificate_that_another_solver_confirms(path: Path) -> None:
    named = PAGE.read_text(encoding="utf-8")
    for report in reports_of(path):
        assert sum(each.is_proof for each in report.certificates) == proved_in(report)
        left = unconfirmed(asked(list(report.certificates)))
        assert not [each for each in left if each.word is Word.DISAGREES]
        unnamed = [each for each in left if f"`{path.relative_to(ROOT)}` `{each.identity}`" not in named]
        assert not unnamed, "the page on certificates names every proof that is not confirmed, with the reason"
