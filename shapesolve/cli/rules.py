"""``shapesolve rules``: requirements and results of each operation."""

from __future__ import annotations

import argparse
from difflib import get_close_matches

from shapesolve.cli.progress import json_text
from shapesolve.errors import InputError
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import Page
from shapesolve.semantics.codes import OF_NO_CLAUSE, CodedClause, clause_of, code
from shapesolve.semantics.registry import Rule, load_rules

FORMAT = "shapesolve-rules"


def run(arguments: argparse.Namespace) -> int:
    """Print one rule, one clause, one dialect's rules or all of them; or their coverage."""
    if arguments.coverage:
        from shapesolve.cli import coverage

        return coverage.run(arguments)
    if arguments.markdown:
        raise InputError("there is a page of the coverage only: add --coverage", where="--markdown")
    registry = load_rules()
    coded = None
    if arguments.op in OF_NO_CLAUSE and not arguments.json:
        Page(color=arguments.color).field(arguments.op, OF_NO_CLAUSE[arguments.op])
        return 0
    if arguments.op is not None and "-" in arguments.op:
        coded = clause_of(arguments.op, registry)
    chosen = _chosen(registry.rules(), arguments.op if coded is None else coded.op)
    if arguments.json:
        document = {"format": FORMAT, "version": VERSION, "rules": [rule_object(rule) for rule in chosen]}
        print(json_text(document, arguments.json_version))
        return 0
    page = Page(color=arguments.color)
    if coded is not None:
        _print_clause(coded, registry.get(coded.op), page)
    elif arguments.op is not None and len(chosen) == 1 and chosen[0].op == arguments.op:
        _print_rule(chosen[0], page)
    else:
        _print_list(chosen, page)
    return 0


def rule_object(rule: Rule) -> dict[str, object]:
    """Return a rule as JSON values."""
    return {
        "op": rule.op,
        "summary": first_sentence(rule),
        "words": rule.words,
        "clauses": dict(rule.clauses),
        "codes": {number: code(rule.op, number, words) for number, words in rule.clauses.items() if number[0] == "C"},
        "example": rule.example,
        "module": rule.module,
    }


def first_sentence(rule: Rule) -> str:
    """Return the first paragraph of a rule's docstring, in one line."""
    return " ".join(rule.words.split("\n\n", 1)[0].split())


def _chosen(rules: list[Rule], wanted: str | None) -> list[Rule]:
    if wanted is None:
        return rules
    chosen = [rule for rule in rules if rule.op == wanted] or [
        rule for rule in rules if rule.op.partition(".")[0] == wanted.rstrip(".")
    ]
    if not chosen:
        raise InputError(f"no rule describes `{wanted}`{_suggestion(wanted, rules)}", where="rules")
    return chosen


def _suggestion(wanted: str, rules: list[Rule]) -> str:
    names = [rule.op for rule in rules]
    tail = wanted.rpartition(".")[2]
    alike = [name for name in names if name.rpartition(".")[2] == tail] or get_close_matches(wanted, names, n=3)
    if not alike:
        by_tail = {name.rpartition(".")[2]: name for name in names}
        alike = [by_tail[each] for each in get_close_matches(tail, by_tail, n=3)]
    return f"; did you mean {' or '.join(f'`{each}`' for each in alike)}?" if alike else ""


def _print_rule(rule: Rule, page: Page) -> None:
    page.line(rule.op, "bold")
    for paragraph in rule.words.split("\n\n"):
        if not any(f"({number})" in paragraph for number in rule.clauses):
            page.paragraph(" ".join(paragraph.split()), indent=3)
    for number, words in rule.clauses.items():
        page.field(f"({number})", words)
    page.field("example", rule.example)
    page.field("module", rule.module)


def _print_clause(coded: CodedClause, rule: Rule | None, page: Page) -> None:
    """Print the clause that a code stands for, and where the rest of its rule is found."""
    page.line(code(coded.op, coded.clause, coded.words), "bold")
    page.field("operation", coded.op)
    page.field(f"({coded.clause})", coded.words)
    if rule is not None:
        page.field("example", rule.example)
        page.field("more", f"shapesolve rules {coded.op}")


def _print_list(rules: list[Rule], page: Page) -> None:
    dialects: dict[str, list[Rule]] = {}
    for rule in rules:
        dialects.setdefault(rule.op.partition(".")[0], []).append(rule)
    for number, (dialect, members) in enumerate(sorted(dialects.items())):
        if number:
            page.line()
        page.line(f"{dialect} ({len(members)})", "bold")
        widest = min(max(len(rule.op) for rule in members), 40)
        for rule in members:
            room = max(page.width - widest - 5, 20)
            words = first_sentence(rule)
            shown = words if len(words) <= room else f"{words[: room - 3].rstrip()}..."
            page.line(f"{rule.op.ljust(widest)}  {shown}", indent=3)
    page.line()
    page.line(f"{len(rules)} rules; shapesolve rules OP shows one")
