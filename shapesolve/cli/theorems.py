"""``shapesolve theorems``: statements about the specification, proved or refuted."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from shapesolve.cli.progress import json_text
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import STYLES, Page
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.traits.theorems.catalogue import CATALOGUE, theorem_named
from shapesolve.traits.theorems.statement import decide

if TYPE_CHECKING:
    from shapesolve.traits.theorems.statement import Result

FORMAT = "shapesolve-theorems"

LONGEST_CLAIM = 400
"""Characters of a claim that are printed."""


def run(arguments: argparse.Namespace) -> int:
    """Decide one theorem or all, print the results and return the exit code."""
    chosen = list(CATALOGUE.values()) if arguments.name is None else [theorem_named(arguments.name)]
    results = [decide(theorem) for theorem in chosen]
    if arguments.json:
        print(json_text(document(results), arguments.json_version))
    elif arguments.markdown:
        from shapesolve.traits.theorems.catalogue import page

        print(page(results), end="")
    else:
        _print(results, Page(color=arguments.color), in_full=arguments.name is not None)
    return 0 if all(result.as_expected for result in results) else 1


def document(results: list[Result]) -> dict[str, object]:
    """Return the theorems as a JSON document."""
    return {"format": FORMAT, "version": VERSION, "theorems": [theorem_object(result) for result in results]}


def theorem_object(result: Result) -> dict[str, object]:
    """Return one theorem as JSON values."""
    theorem = result.theorem
    return {
        "name": theorem.name,
        "topic": theorem.topic.value,
        "words": theorem.words,
        "symbols": theorem.symbols,
        "scope": theorem.scope,
        "outcome": result.word,
        "expected": theorem.expected,
        "as_expected": result.as_expected,
        "instance": result.instance or None,
        "lesson": theorem.lesson or None,
    }


def _print(results: list[Result], page: Page, *, in_full: bool) -> None:
    for result in results:
        _print_one(result, page, in_full=in_full)
        page.line()
    proved = sum(result.word is VerdictKind.PROVED for result in results)
    refuted = sum(result.word is VerdictKind.REFUTED for result in results)
    unexpected = sum(not result.as_expected for result in results)
    summary = f"{unexpected} not as expected" if unexpected else "all as expected"
    page.line(f"{len(results)} theorems: {proved} proved, {refuted} refuted, {summary}")


def _print_one(result: Result, page: Page, *, in_full: bool) -> None:
    theorem = result.theorem
    page.line(theorem.name, "bold")
    page.field("says", theorem.words)
    page.field("symbols", theorem.symbols)
    at = f" at {result.instance}" if result.instance else ""
    page.field("outcome", f"{result.word}{at}, for {theorem.scope}", STYLES.get(result.word, ""))
    if not result.as_expected:
        expected = f" at {theorem.instance}" if theorem.instance else ""
        page.field("expected", f"{theorem.expected}{expected}", STYLES["refuted"])
    if theorem.lesson:
        page.field("so", theorem.lesson)
    if in_full:
        from shapesolve.reports.phrases import shortened

        for number, claim in enumerate(theorem.state(), 1):
            page.field(f"claim {number}", shortened(str(claim.whole), LONGEST_CLAIM))
