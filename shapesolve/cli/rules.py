"""``shapesolve rules``: requirements and results of each operation, and of traits that operations carry."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from difflib import get_close_matches

from shapesolve.cli.progress import json_text
from shapesolve.errors import InputError
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import Page
from shapesolve.semantics.codes import OF_NO_CLAUSE, CodedClause, clause_of, code, codes_of
from shapesolve.semantics.registry import Rule, RuleRegistry, TraitSemantics, clauses_in, load_rules

FORMAT = "shapesolve-rules"
COVERAGE_FORMAT = "shapesolve-coverage"


def run(arguments: argparse.Namespace) -> int:
    """Print one rule, one clause, one dialect's rules or all of them; or their coverage."""
    if arguments.coverage:
        return _print_coverage(arguments)
    if arguments.markdown:
        raise InputError("there is a page of the coverage only: add --coverage", where="--markdown")
    registry = load_rules()
    coded = None
    if arguments.op in OF_NO_CLAUSE and not arguments.json:
        Page(color=arguments.color).field(arguments.op, OF_NO_CLAUSE[arguments.op])
        return 0
    traits = _chosen_traits(registry, arguments.op)
    if arguments.op is not None and "-" in arguments.op and not traits:
        coded = clause_of(arguments.op, registry)
    chosen = [] if traits and arguments.op else _chosen(registry.rules(), arguments.op if coded is None else coded.op)
    if arguments.json:
        document = {
            "format": FORMAT,
            "version": VERSION,
            "rules": [rule_object(rule) for rule in chosen],
            "traits": [trait_object(trait) for trait in traits],
        }
        print(json_text(document, arguments.json_version))
        return 0
    page = Page(color=arguments.color)
    if traits and arguments.op is not None:
        _print_trait(traits[0], page)
        return 0
    if coded is not None:
        _print_clause(coded, registry.get(coded.op), page)
    elif arguments.op is not None and len(chosen) == 1 and chosen[0].op == arguments.op:
        _print_rule(chosen[0], page)
    else:
        _print_list(chosen, traits, page)
    return 0


def _print_coverage(arguments: argparse.Namespace) -> int:
    """Print the items of the source documents with their rules and tests: as text, as Markdown or as JSON."""
    from shapesolve.coverage.table import coverage, markdown, print_table, table_object

    if arguments.op is not None:
        raise InputError("the coverage is of everything: it takes no operation", where="--coverage")
    if arguments.markdown and arguments.json:
        raise InputError("it is --markdown or --json", where="--coverage")
    whole = coverage()
    if arguments.json:
        document = {"format": COVERAGE_FORMAT, "version": VERSION, "items": table_object(whole)}
        print(json_text(document, arguments.json_version))
    elif arguments.markdown:
        sys.stdout.write(markdown(whole))
    else:
        print_table(whole, Page(color=arguments.color))
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


def trait_object(trait: TraitSemantics) -> dict[str, object]:
    """Return a trait as JSON values: its rules, and the operations that carry it."""
    return {
        "trait": _spelling(trait),
        "summary": first_sentence(trait),
        "words": trait.words,
        "clauses": dict(clauses_in(trait.words)),
        "declare": _declaration(trait),
        "carried_by": list(trait.carried_by),
        "carried_in": {name: list(carriers) for name, carriers in _profiles(trait).items()},
        "module": trait.module,
    }


def first_sentence(rule: Rule | TraitSemantics) -> str:
    """Return the first paragraph of a docstring, in one line."""
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


def _chosen_traits(registry: RuleRegistry, wanted: str | None) -> list[TraitSemantics]:
    """Return the trait of that name, with or without its number, or all of them if nothing is wanted."""
    traits = sorted(registry.traits().values(), key=lambda each: each.name)
    if wanted is None:
        return traits
    return [each for each in traits if wanted in (each.name, _spelling(each)) or _is_instance(each, wanted)]


def _is_instance(trait: TraitSemantics, wanted: str) -> bool:
    name, _, number = wanted.rpartition("-")
    return trait.is_parametric and name == trait.name and number.isdigit()


def _spelling(trait: TraitSemantics) -> str:
    return f"{trait.name}-N" if trait.is_parametric else trait.name


def _declaration(trait: TraitSemantics) -> str:
    return f"--carrier my.op={_spelling(trait)}"


def _profiles(trait: TraitSemantics) -> dict[str, tuple[str, ...]]:
    """Return the operations that carry a trait by the profiles of `verify`, where there are any."""
    from shapesolve.traits.profiles import PROFILES

    found = {name: profile.carriers_of(trait.name) for name, profile in PROFILES.items()}
    return {name: carriers for name, carriers in found.items() if carriers}


def _suggestion(wanted: str, rules: list[Rule]) -> str:
    if "-" in wanted and (codes := get_close_matches(wanted, codes_of(rules), n=3)):
        return _did_you_mean(codes)
    names = [rule.op for rule in rules]
    tail = wanted.rpartition(".")[2]
    alike = [name for name in names if name.rpartition(".")[2] == tail] or get_close_matches(wanted, names, n=3)
    if not alike:
        by_tail = {name.rpartition(".")[2]: name for name in names}
        alike = [by_tail[each] for each in get_close_matches(tail, by_tail, n=3)]
    return _did_you_mean(alike)


def _did_you_mean(alike: Sequence[str]) -> str:
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


def _print_trait(trait: TraitSemantics, page: Page) -> None:
    """Print a trait: what it demands and computes, and which operations carry it by which dialect and profile."""
    page.line(_spelling(trait), "bold")
    clauses = clauses_in(trait.words)
    for paragraph in trait.words.split("\n\n"):
        if not any(f"({number})" in paragraph for number in clauses):
            page.paragraph(" ".join(paragraph.split()), indent=3)
    for number, words in clauses.items():
        page.field(f"({number})", words)
    page.field("declared by", f"{_declaration(trait)}, for an operation without a rule")
    for number, operation in enumerate(trait.carried_by):
        page.field("" if number else "carried by", operation)
    for name, carriers in _profiles(trait).items():
        page.field(name, _by_dialect(carriers))
    page.field("module", trait.module)


def _by_dialect(operations: Sequence[str]) -> str:
    """Return operations in words, those of one dialect together: ``tosa (2): add, sub``."""
    dialects: dict[str, list[str]] = {}
    for each in operations:
        dialect, _, name = each.partition(".")
        dialects.setdefault(dialect, []).append(name)
    return "; ".join(f"{dialect} ({len(names)}): {', '.join(names)}" for dialect, names in sorted(dialects.items()))


def _print_clause(coded: CodedClause, rule: Rule | None, page: Page) -> None:
    """Print the clause of a code, and the command that prints its whole rule."""
    page.line(code(coded.op, coded.clause, coded.words), "bold")
    page.field("operation", coded.op)
    page.field(f"({coded.clause})", coded.words)
    if rule is not None:
        page.field("example", rule.example)
        page.field("more", f"shapesolve rules {coded.op}")


def _print_list(rules: list[Rule], traits: Sequence[TraitSemantics], page: Page) -> None:
    dialects: dict[str, list[Rule]] = {}
    for rule in rules:
        dialects.setdefault(rule.op.partition(".")[0], []).append(rule)
    for number, (dialect, members) in enumerate(sorted(dialects.items())):
        if number:
            page.line()
        page.line(f"{dialect} ({len(members)})", "bold")
        _print_table([(rule.op, first_sentence(rule)) for rule in members], page)
    if traits:
        page.line()
        page.line(f"traits of operations without a rule ({len(traits)})", "bold")
        _print_table([(_spelling(each), first_sentence(each)) for each in traits], page)
    page.line()
    more = " or TRAIT" if traits else ""
    page.line(f"{len(rules)} rules; shapesolve rules OP{more} shows one")


def _print_table(rows: Sequence[tuple[str, str]], page: Page) -> None:
    widest = min(max(len(name) for name, _ in rows), 40)
    room = max(page.width - widest - 5, 20)
    for name, words in rows:
        shown = words if len(words) <= room else f"{words[: room - 3].rstrip()}..."
        page.line(f"{name.ljust(widest)}  {shown}", indent=3)
