"""Answers of another solver to certificates, as text and as JSON.

The constants that identify shapesolve's own files before they are replaced stand here too, since this module is cheap
to import.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shapesolve.certificates.checkers import WITH_LEMMAS, Answer, Checked, Word
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import STYLES, Page
from shapesolve.statistics import stage

FORMAT = "shapesolve-certified"
DISAGREEMENT = """\
A solver found sizes for which something that shapesolve calls proved, or a step of its algebra, is false. One of the \
two is wrong: please report it, with the certificate."""


@stage("report")
def certified_document(checked: Sequence[Checked], solver: str, seconds: float, code: int) -> dict[str, object]:
    """Return the JSON document of one ``shapesolve certify``."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "solver": solver,
        "seconds": round(seconds, 3),
        "exit_code": code,
        "proofs": _counts(checked, proofs=True),
        "lemmas": _counts(checked, proofs=False),
        "certificates": [_object(each) for each in checked],
    }


def _object(checked: Checked) -> dict[str, object]:
    return {
        "file": str(checked.script.path),
        "kind": "proof" if checked.script.is_proof else "lemmas",
        "about": checked.script.about,
        "seconds": round(checked.seconds, 3),
        "answers": [{"answer": each.word.value, "detail": each.detail or None} for each in checked.answers],
        "proofs": [str(path) for path in checked.proofs],
    }


def _counts(checked: Sequence[Checked], *, proofs: bool) -> dict[str, int]:
    words = Counter(answer.word for each in checked if each.script.is_proof is proofs for answer in each.answers)
    return {word.value: words[word] for word in Word}


@stage("report")
def print_certified(checked: Sequence[Checked], solver: str, seconds: float, page: Page, *, verbose: bool) -> None:
    """Print the number of confirmed proofs and lemmas, the solver and its time, and every other answer."""
    for each in checked:
        for number, answer in enumerate(each.answers, 1):
            if verbose or answer.word is not Word.CONFIRMED:
                _print_one(each, number, answer, page)
    for proofs, what in ((True, "proofs"), (False, "lemmas")):
        counts = _counts(checked, proofs=proofs)
        total = sum(counts.values())
        if total:
            rest = [f"{counts[word.value]} {words}" for word, words in _REST if counts[word.value]]
            helped = sum(answer.detail == WITH_LEMMAS for each in checked for answer in each.answers)
            with_help = f" ({helped} {WITH_LEMMAS})" if helped and proofs else ""
            summary = f"{counts['confirmed']} of {total} confirmed{with_help}" + "".join(f", {each}" for each in rest)
            page.field(what, summary, STYLES["proved" if not rest else "undecided"], indent=0)
    page.field("by", f"{solver} in {seconds:.1f} s", indent=0)
    kept = [path for each in checked for path in each.proofs]
    if kept:
        page.field("kept", f"{len(kept)} proofs by {solver}, in {kept[0].parent}", indent=0)
    if any(answer.word is Word.DISAGREES for each in checked for answer in each.answers):
        page.line()
        page.paragraph(f"DISAGREEMENT. {DISAGREEMENT}", STYLES["refuted"])


_REST = ((Word.DISAGREES, "WRONG according to it"), (Word.OPEN, "not confirmed"))


def _print_one(checked: Checked, number: int, answer: Answer, page: Page) -> None:
    script = checked.script
    label, style = {
        Word.CONFIRMED: ("confirmed", STYLES["proved"]),
        Word.OPEN: ("not confirmed", STYLES["undecided"]),
        Word.DISAGREES: ("DISAGREEMENT", STYLES["refuted"]),
    }[answer.word]
    question = "" if script.is_proof else f", question {number}"
    page.line(f"{label}: {script.path}{question}", style)
    about = script.about
    if script.is_proof:
        page.field("proof", f"{about.get('operation', '')} {about.get('clause', '')}, {about.get('line', '')}")
    else:
        page.field("lemma", f"of {about.get('function', '')} in {about.get('file', '')}")
    if answer.detail:
        page.field("because", answer.detail)


HTML_HEADER = "<!-- A report of shapesolve. -->"
"""The second line of an HTML page of reports."""

CHECK = "shapesolve-check"
"""The ``format`` of the JSON of a check."""

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
"""The ``$schema`` of a SARIF log."""
