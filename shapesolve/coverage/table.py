"""Coverage of the documents as a page, as JSON and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shapesolve.coverage.documents import Document, Evidence, Item, Target, documents, evidence, repository, targets_of
from shapesolve.coverage.programs import Program, programs_in, wrong_answers
from shapesolve.records import value_record
from shapesolve.reports.page import Page

MOST_TESTS = 3
"""Largest number of tests that a page names for one item; the others are counted."""


ROW_HEAD = ("| item | in words | programs | met by | tests |", "| --- | --- | --- | --- | --- |")

WORKS, PARTLY, NOT, UNTRIED = "works", "partly", "not", "no program"
"""Status of an item: all commands answer as the document states, some do, none does, or no program that a reader of the
document would write exists."""


@value_record
class Answer:
    """Answer of a command for a program of an item. ``wrong`` is the difference from the expected answer, if any."""

    program: str
    document: str
    command: str
    wrong: str


@value_record
class Covered:
    """Item with the rules that meet it and the tests that show it. ``tests`` is None if the tests are not installed."""

    item: Item
    targets: tuple[Target, ...]
    tests: tuple[str, ...] | None
    answers: tuple[Answer, ...] = ()

    @property
    def state(self) -> str:
        """State of the item's programs: not tried, working, partly working or not working."""
        if not self.answers:
            return UNTRIED
        wrong = sum(bool(each.wrong) for each in self.answers)
        return WORKS if not wrong else NOT if wrong == len(self.answers) else PARTLY

    @property
    def missing(self) -> tuple[str, ...]:
        """Missing parts: "rule", "tests", both or none."""
        lacks_rule = not self.targets or not all(target.exists for target in self.targets)
        return (*(("rule",) if lacks_rule else ()), *(("tests",) if self.tests == () else ()))


@value_record
class Coverage:
    """Coverage of all documents."""

    documents: tuple[Document, ...]
    items: dict[str, Covered]

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """Items with missing parts, and these parts."""
        return {name: covered.missing for name, covered in self.items.items() if covered.missing}


def coverage() -> Coverage:
    """Return the coverage of this installation, with its tests if it runs from the repository."""
    root = repository()
    found: Evidence | None = None if root is None else evidence(root)
    all_documents = documents()
    answers = {} if root is None else _answers(programs_in(root), wrong_answers(root))
    covered = (
        Covered(item, targets_of(item), None if found is None else found.tests_of(item), answers.get(item.id, ()))
        for document in all_documents
        for item in document.items
    )
    return Coverage(all_documents, {each.item.id: each for each in covered})


def _answers(programs: Sequence[Program], wrong: dict[str, str]) -> dict[str, tuple[Answer, ...]]:
    """Return the answers by item."""
    found: dict[str, list[Answer]] = {}
    for program in programs:
        answers = [
            Answer(program.name, program.document, run.command, wrong.get(run.key(program), "")) for run in program.runs
        ]
        for item in program.items:
            found.setdefault(item, []).extend(answers)
    return {item: tuple(answers) for item, answers in found.items()}


def markdown(whole: Coverage) -> str:
    """Return the coverage as a page of Markdown."""
    lines = [
        "# What the source documents ask for",
        "",
        "After this page you know which items of five documents work, and which do not. "
        "`shapesolve rules --coverage --markdown` makes the page; a test keeps it up to date.",
        "",
        "Five documents describe what this project implements. Here is every operation, type, rule, table row, example "
        "and requirement in them, what meets it, and the tests that show it. What each rule is compared with that is "
        "not ours stands on [a page of its own](compared.md).",
        "",
        "An item *works* where every program for it that a reader of the document would write gets the answer that the "
        "document states, from every command to which it applies. The programs, with the document's sentences and the "
        "answers, are in `tests/coverage/programs`; a test runs all of them. An item works *partly* where some "
        "commands answer so, and *not* where none does; both are listed below. An item without such a program is met "
        "by what its row names and shown by the tests there, and is not counted as working.",
        "",
        *_summary(whole),
        *_open(whole),
    ]
    for document in whole.documents:
        lines += ["", f"## {document.title}"]
        for group in document.groups:
            lines += ["", f"### {group.title}", "", *ROW_HEAD]
            lines += [_row(whole.items[item.id]) for item in group.items]
    return "\n".join(lines) + "\n"


def _summary(whole: Coverage) -> list[str]:
    lines = [
        "| document | items | work | partly | not | no program | without a rule | without a test |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for document in whole.documents:
        lacks = [whole.items[item.id].missing for item in document.items]
        states = Counter(whole.items[item.id].state for item in document.items)
        counts = (
            len(document.items),
            *(states[each] for each in (WORKS, PARTLY, NOT, UNTRIED)),
            sum("rule" in each for each in lacks),
            sum("tests" in each for each in lacks),
        )
        lines.append(f"| {document.title} | {' | '.join(map(str, counts))} |")
    return lines


def _open(whole: Coverage) -> list[str]:
    """Return the commands whose answer differs from that of the document."""
    lines: list[str] = []
    for covered in whole.items.values():
        for answer in covered.answers:
            if answer.wrong:
                cells = (f"`{covered.item.id}`", answer.document, f"`{answer.command}`", answer.wrong)
                lines.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
    if not lines:
        return []
    head = ["| item | the document | command | what is wrong |", "| --- | --- | --- | --- |"]
    return ["", "## What works partly or not", "", *head, *lines]


def _row(covered: Covered) -> str:
    met = ", ".join(f"`{target.name}`" + ("" if target.exists else " (**missing**)") for target in covered.targets)
    right = sum(not answer.wrong for answer in covered.answers)
    state = covered.state + (f" ({right} of {len(covered.answers)})" if covered.answers else "")
    cells = (
        f"`{covered.item.id}`",
        covered.item.words,
        state,
        met or "**missing**",
        _tests(covered, "`{}`", "**missing**"),
    )
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _tests(covered: Covered, form: str, nothing: str) -> str:
    if covered.tests is None:
        return "not at hand"
    shown = [form.format(test.removeprefix("tests/")) for test in covered.tests[:MOST_TESTS]]
    more = len(covered.tests) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "") or nothing


def table_object(whole: Coverage) -> list[dict[str, object]]:
    """Return the coverage as JSON values."""
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
            "state": whole.items[item.id].state,
            "answers": [
                {"program": each.program, "document": each.document, "command": each.command, "wrong": each.wrong}
                for each in whole.items[item.id].answers
            ],
            "missing": whole.items[item.id].missing,
        }
        for document in whole.documents
        for group in document.groups
        for item in group.items
    ]


def print_table(whole: Coverage, page: Page) -> None:
    """Print the coverage as text."""
    for document in whole.documents:
        page.line(document.title, "bold")
        for group in document.groups:
            page.line(group.title, indent=3)
            for item in group.items:
                covered = whole.items[item.id]
                style = "refuted" if covered.missing else ""
                page.paragraph(f"{item.id}: {item.words}", "bold red" if style else "", indent=6, hanging=3)
                met = ", ".join(target.name + ("" if target.exists else " (missing)") for target in covered.targets)
                page.field("programs", covered.state, indent=9)
                page.field("met by", met or "nothing", indent=9)
                page.field("tests", _tests(covered, "{}", "none"), indent=9)
        page.line()
    lacking = whole.missing
    states = Counter(covered.state for covered in whole.items.values())
    counted = f"{states[WORKS]} work, {states[PARTLY]} partly, {states[NOT]} not, {states[UNTRIED]} without a program"
    page.line(
        f"{len(whole.items)} items: {counted}; "
        + (f"{len(lacking)} lack a rule or a test" if lacking else "each has a rule and a test")
    )
