"""The coverage of the documents: every item with what meets it and what shows it, as a page, as JSON or as text."""

from __future__ import annotations

from shapesolve.coverage.documents import Document, Item, documents
from shapesolve.coverage.shown import Evidence, evidence, repository
from shapesolve.coverage.targets import Target, targets_of
from shapesolve.records import value_record
from shapesolve.wording.page import Page

MOST_TESTS = 3
"""Tests of one item that a page names; the others are counted."""


@value_record
class Covered:
    """One item. ``tests`` is None where the tests are not at hand."""

    item: Item
    targets: tuple[Target, ...]
    tests: tuple[str, ...] | None

    @property
    def missing(self) -> tuple[str, ...]:
        """What is missing: "rule", "tests", both or nothing."""
        lacks_rule = not self.targets or not all(target.exists for target in self.targets)
        return (*(("rule",) if lacks_rule else ()), *(("tests",) if self.tests == () else ()))


@value_record
class Coverage:
    """All documents."""

    documents: tuple[Document, ...]
    items: dict[str, Covered]

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """What is missing, by item; nothing else is in it."""
        return {name: covered.missing for name, covered in self.items.items() if covered.missing}


def coverage() -> Coverage:
    """The coverage of this installation; with its tests, where it runs from the repository."""
    root = repository()
    found: Evidence | None = None if root is None else evidence(root)
    all_documents = documents()
    covered = (
        Covered(item, targets_of(item), None if found is None else found.tests_of(item))
        for document in all_documents
        for item in document.items
    )
    return Coverage(all_documents, {each.item.id: each for each in covered})


def markdown(whole: Coverage) -> str:
    """The page."""
    lines = [
        "# What the source documents ask for",
        "",
        "This page is made by `shapesolve rules --coverage --markdown`; a test keeps it up to date.",
        "",
        "Five documents describe what this project implements. Here is every operation, type, rule, table row, example "
        "and requirement in them, what meets it, and the tests that show it. What each rule is compared with that is "
        "not ours stands on [a page of its own](compared.md).",
        "",
        *_summary(whole),
    ]
    for document in whole.documents:
        lines += ["", f"## {document.title}"]
        for group in document.groups:
            lines += ["", f"### {group.title}", "", "| item | in words | met by | tests |", "| --- | --- | --- | --- |"]
            lines += [_row(whole.items[item.id]) for item in group.items]
    return "\n".join(lines) + "\n"


def _summary(whole: Coverage) -> list[str]:
    lines = ["| document | items | without a rule | without a test |", "| --- | --- | --- | --- |"]
    for document in whole.documents:
        lacks = [whole.items[item.id].missing for item in document.items]
        counts = (len(document.items), sum("rule" in each for each in lacks), sum("tests" in each for each in lacks))
        lines.append(f"| {document.title} | {' | '.join(map(str, counts))} |")
    return lines


def _row(covered: Covered) -> str:
    met = ", ".join(f"`{target.name}`" + ("" if target.exists else " (**missing**)") for target in covered.targets)
    cells = (f"`{covered.item.id}`", covered.item.words, met or "**missing**", _tests(covered, "`{}`", "**missing**"))
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _tests(covered: Covered, form: str, nothing: str) -> str:
    if covered.tests is None:
        return "not at hand"
    shown = [form.format(test.removeprefix("tests/")) for test in covered.tests[:MOST_TESTS]]
    more = len(covered.tests) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "") or nothing


def table_object(whole: Coverage) -> list[dict[str, object]]:
    """The coverage for programs."""
    return [
        {
            "document": document.title,
            "group": group.title,
            "item": item.id,
            "words": item.words,
            "met_by": [
                {"name": target.name, "module": target.module or None} for target in whole.items[item.id].targets
            ],
            "tests": whole.items[item.id].tests,
            "missing": whole.items[item.id].missing,
        }
        for document in whole.documents
        for group in document.groups
        for item in group.items
    ]


def print_table(whole: Coverage, page: Page) -> None:
    """The coverage as text."""
    for document in whole.documents:
        page.line(document.title, "bold")
        for group in document.groups:
            page.line(group.title, indent=3)
            for item in group.items:
                covered = whole.items[item.id]
                style = "refuted" if covered.missing else ""
                page.paragraph(f"{item.id}: {item.words}", "bold red" if style else "", indent=6, hanging=3)
                met = ", ".join(target.name + ("" if target.exists else " (missing)") for target in covered.targets)
                page.field("met by", met or "nothing", indent=9)
                page.field("tests", _tests(covered, "{}", "none"), indent=9)
        page.line()
    lacking = whole.missing
    page.line(f"{len(whole.items)} items; " + (f"{len(lacking)} lack something" if lacking else "nothing is missing"))
