"""``shapesolve verify``: the verdict of the trait's verifier on each operation, and its meaning at run time."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from shapesolve.cli.environment import error_text, print_error
from shapesolve.cli.parsed_options import read_fact_files
from shapesolve.cli.progress import json_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import check_addressed
from shapesolve.reports.check_text import refused_words
from shapesolve.reports.evidence_text import inputs_in_short
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import STYLES, Page, SourceLines
from shapesolve.simplification.readable import readable_claim
from shapesolve.traits.files import verify_file
from shapesolve.traits.inference_tables import shape_text
from shapesolve.traits.profiles import CLAUSES, profile_named
from shapesolve.traits.runtime_behavior import Kind

if TYPE_CHECKING:
    from shapesolve.options import Options
    from shapesolve.preconditions.fact_files import FunctionFacts
    from shapesolve.symbolic.evaluation import Sizes
    from shapesolve.traits.files import Judged, JudgedFile

FORMAT = "shapesolve-verify"

_STYLES = {"accepted": "proved", "rejected": "refuted", "crashed": "refuted", "unspecified": "undecided"}


def run(arguments: argparse.Namespace) -> int:
    """Check the operations of one file, print the verdicts and return the exit code."""
    profile, options = profile_named(arguments.profile), _options(arguments)
    judged = verify_file(arguments.file, profile, also=arguments.carrier, options=options, in_part=True)
    check_addressed(judged.source.program, (*options.assumptions, *options.shapes))
    for each in judged.refusals:
        print_error(error_text(each))
    if arguments.json:
        print(json_text(document(judged), arguments.json_version))
    else:
        _print(judged, Page(color=arguments.color))
    return judged.exit_code


def _options(arguments: argparse.Namespace) -> Options:
    """Return the options on sizes."""
    facts = read_fact_files(arguments.facts)
    return Options(
        assumptions=(*arguments.assume, *(text for each in facts for text in each.about_it(_facts_of_arguments(each)))),
        shapes=(*arguments.shape, *(text for each in facts for text in each.about_it(each.shapes))),
        min_size=arguments.min_size,
    )


def _facts_of_arguments(facts: FunctionFacts) -> tuple[str, ...]:
    """Return what is stated about the arguments: a call that does not meet a requirement is not in question here."""
    required = () if facts.contract is None else facts.contract.requires or ()
    return (*facts.assumptions, *required)


def document(judged: JudgedFile) -> dict[str, object]:
    """Return the verdicts as a JSON document."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "file": judged.source.program.file,
        "profile": judged.profile.name,
        "exit_code": judged.exit_code,
        "operations": [operation_object(each) for each in judged.operations],
    }


def operation_object(judged: Judged) -> dict[str, object]:
    """Return one operation as JSON values."""
    broken, behavior = judged.broken, judged.runtime_behavior
    return {
        "operation": judged.name,
        "line": judged.location.line,
        "column": judged.location.column,
        "operands": [str(value.type) for value in judged.operation.operands],
        "results": [str(value.type) for value in judged.operation.results],
        "outcome": judged.outcome,
        "clause": None if broken is None else broken.clause,
        "clause_words": None if broken is None else CLAUSES[broken.clause],
        "reason": None if broken is None else broken.words,
        "inferred": None if broken is not None else shape_text(judged.verification.inferred),
        "remarks": list(judged.verification.remarks),
        "at_run_time": None
        if behavior is None
        else {
            "kind": behavior.kind.value,
            "condition": _condition(judged),
            "works_at": _sizes(behavior.works),
            "fails_at": _sizes(behavior.fails),
            "reason": behavior.reason or None,
        },
    }


def _sizes(sizes: Sizes | None) -> dict[str, int | list[int]] | None:
    if sizes is None:
        return None
    return {variable.text: size if isinstance(size, int) else list(size) for variable, size in sizes.items()}


def _condition(judged: Judged) -> str | None:
    if judged.runtime_behavior is None or judged.runtime_behavior.kind not in (Kind.SOMETIMES, Kind.UNDECIDED):
        return None
    return readable_claim(judged.runtime_behavior.condition)


def _print(judged: JudgedFile, page: Page) -> None:
    source = SourceLines(judged.source.program)
    for each in judged.operations:
        _print_one(each, judged.source.program.file, page, source)
        page.line()
    page.field("profile", f"{judged.profile.name}: {judged.profile.words}")
    page.line()
    page.line(_summary(judged), STYLES[{0: "proved", 3: "undecided"}.get(judged.exit_code, "refuted")])


def _print_one(judged: Judged, file: str, page: Page, source: SourceLines) -> None:
    broken = judged.broken
    level, words = _headline(judged)
    style = STYLES[_STYLES[judged.outcome]] if broken is not None or level == "note" else STYLES["undecided"]
    place = f"{file}:{judged.location.line}:{judged.location.column}"
    page.pieces((place, "bold"), (": ", ""), (level, style), (f": {judged.name} {words}", ""))
    excerpt = source.excerpt(judged.location, page.width)
    for line in excerpt or ():
        page.line(line, "dim", indent=3)
    if broken is None:
        page.field("inferred", shape_text(judged.verification.inferred))
    elif broken.words:
        page.field("here", broken.words)
    for remark in judged.verification.remarks:
        page.field("remark", remark)
    _print_runtime_behavior(judged, page)


def _headline(judged: Judged) -> tuple[str, str]:
    """Return the level and the words of the line of one operation: what the verifier says, then what a run does."""
    broken, behavior = judged.broken, judged.runtime_behavior
    if broken is not None:
        rule = f"({broken.clause}): {CLAUSES[broken.clause]}"
        match judged.outcome:
            case "unspecified":
                return "warning", f"is a use of which the page says nothing {rule}"
            case "crashed":
                return "error", f"crashes the tool {rule}"
            case _:
                return "error", f"is rejected {rule}"
    match None if behavior is None else behavior.kind:
        case None:
            return "note", "is accepted"
        case Kind.ALWAYS:
            return "note", "is accepted, and always fine at run time"
        case Kind.SOMETIMES:
            return "warning", "is accepted, but undefined at run time for some sizes"
        case Kind.NEVER:
            return "warning", "is accepted, but undefined for every size at run time"
        case Kind.UNDECIDED:
            return "warning", "is accepted; whether it is fine at run time is not decided"


def _print_runtime_behavior(judged: Judged, page: Page) -> None:
    behavior = judged.runtime_behavior
    if behavior is None:
        return
    if behavior.kind is Kind.SOMETIMES:
        page.field("run time", f"fine exactly when {_condition(judged)}")
        page.field("fine at", inputs_in_short(judged.inputs, behavior.works or {}, behavior.condition))
        page.field("undefined", f"at {inputs_in_short(judged.inputs, behavior.fails or {}, behavior.condition)}")
    elif behavior.kind is Kind.UNDECIDED:
        page.field("run time", f"undecided: {behavior.reason}", STYLES["undecided"])
    elif judged.broken is not None:
        page.field("run time", behavior.kind.value, STYLES["proved" if behavior.kind is Kind.ALWAYS else "refuted"])


def _summary(judged: JudgedFile) -> str:
    program = judged.source.program
    return f"{program.file}: {_verdict_counts(judged)}{refused_words(program)}"


def _verdict_counts(judged: JudgedFile) -> str:
    if not judged.operations:
        return "nothing was checked: no operation carries the trait Broadcastable (--carrier OP names others)"
    outcomes = [each.outcome for each in judged.operations]
    counts = [f"{outcomes.count(word)} {word}" for word in _STYLES if word in outcomes]
    return f"{', '.join(counts)} by {judged.profile.name}"
