"""One checked file as a self-contained HTML page: its findings, and its source with verdicts and symbolic shapes.

Everything is escaped, nothing is loaded from elsewhere, and no solver is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import Failure, FunctionReport
from shapesolve.checker.undecided_reasons import remedies, remedies_of_withdrawn
from shapesolve.diagnosis.diagnosis import Diagnosis, FunctionDiagnosis, Request
from shapesolve.diagnosis.findings import Finding
from shapesolve.diagnosis.needs import counterexamples, stated_together
from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Location, Operation, Program
from shapesolve.reports.certificates import HTML_HEADER
from shapesolve.reports.check_text import notation, summary
from shapesolve.reports.evidence_text import run_text, sizes_notes, sizes_text
from shapesolve.reports.finding_line import finding_line, returned_error_lines, unchecked_lines, wrapping_lines
from shapesolve.reports.page import visible
from shapesolve.reports.phrases import (
    call_path,
    callee_requirement_text,
    checked_domain,
    condition_rows,
    data_remedy_texts,
    fact_text,
    inexact_words,
    missing_words,
    only_empty_words,
    only_errors_words,
)
from shapesolve.reports.suggestions_text import options_to_paste
from shapesolve.solver.verdicts import Refuted, Undecided
from shapesolve.statistics import stage
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.concretization import arguments_in_short, value_at
from shapesolve.trace.events import Obligation, Trace

WORST_FIRST = ("refuted", "undecided", "unreachable", "proved")
REQUEST = Request(None, None, data=True, obligations=False, suggestions=True, fixes=False, trust=True)
MOST_STEPS = 12
"""Values along the data flow that a counterexample shows."""


@stage("report")
def html_page(diagnosis: Diagnosis) -> str:
    """Return the whole page."""
    return page_of([(diagnosis.program.title, html_fragment(diagnosis))])


def page_of(reports: Sequence[tuple[str, str]]) -> str:
    """Return one page of several reports, each with its title and its fragment, with an index if there are several."""
    return "".join(page_pieces([title for title, _ in reports], (fragment for _, fragment in reports)))


def page_pieces(titles: Sequence[str], fragments: Iterable[str]) -> Iterator[str]:
    """Yield the text of one page of several reports, with an index if there are several."""
    is_alone = len(titles) == 1
    title = escaped(titles[0] if is_alone else f"{len(titles)} reports")
    yield (
        f'<!DOCTYPE html>\n{HTML_HEADER}\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{asset('report.css')}</style>\n</head>\n<body>\n"
    )
    if not is_alone:
        links = "".join(f'<li><a href="#report-{at}">{escaped(name)}</a></li>' for at, name in enumerate(titles))
        yield f'<nav class="shapesolve"><h1>{title}</h1><ul>{links}</ul></nav>\n'
    for at, fragment in enumerate(fragments):
        yield fragment if is_alone else f'<section id="report-{at}">{fragment}</section>'
        yield "\n"
    yield f"<script>\n{asset('report.js')}</script>\n</body>\n</html>\n"


def asset(name: str) -> str:
    """Return the text of ``report.css`` or ``report.js``, which the fragment needs."""
    return files("shapesolve.reports").joinpath("assets", name).read_text(encoding="utf-8")


def failure_fragment(failure: Failure) -> str:
    """Return the element of a file that could not be checked."""
    words = f"{failure.where}: {failure.message}" if failure.where else failure.message
    return f'<main class="shapesolve"><h1>{escaped(failure.file)}</h1><p class="verdict">{escaped(words)}</p></main>'


def html_fragment(diagnosis: Diagnosis, prefix: str = "") -> str:
    """Return the report as one element, for a page that has the style sheet and the script.

    Args:
        diagnosis: The report.
        prefix: What the ids of its elements begin with, if the page has other reports.
    """
    count = 0
    parts: list[str] = []
    for function in diagnosis.functions:
        parts.append(f"<h2>@{escaped(function.name)}</h2>")
        for finding in function.findings:
            count += 1
            parts.append(_finding(diagnosis, function, finding, f"{prefix}{count}", prefix))
        for line in (*returned_error_lines(diagnosis.program, function), *unchecked_lines(function)):
            count += 1
            verdict = "refuted" if line.level == "error" else "undecided"
            parts.append(article(verdict, f"{prefix}{count}", f"<p>{escaped(str(line))}</p>"))
        parts += [f"<p>{escaped(str(line))}</p>" for line in wrapping_lines(function)]
        parts.append(_conditions(diagnosis, function))
    source = source_table(diagnosis.program, (each.report for each in diagnosis.functions), prefix)
    boxes = "".join(
        f'<label class="{each}"><input type="checkbox" value="{each}" checked>'
        f' <span class="verdict">{each}</span></label>'
        for each in WORST_FIRST[:-1]
    )
    return (
        f'<main class="shapesolve"><h1>{escaped(summary(diagnosis))}</h1>'
        f'<div class="filters">{boxes}'
        '<input type="search" aria-label="Filter findings" placeholder="Filter findings"></div>'
        '<p class="dim">Keys: j and k go to the next and the previous finding, / to the filter.</p>'
        f"{''.join(parts)}{source}</main>"
    )


def escaped(text: str) -> str:
    """Return a text without control characters, for an element or an attribute."""
    return escape(visible(text))


def article(verdict: str, name: str, body: str, label: str = "") -> str:
    """Return an element that the filter and the keys of the page find.

    Args:
        verdict: The word that colors it.
        name: The end of its id.
        body: Its content, escaped.
        label: What it is called; the verdict if that is empty.
    """
    head = f'<article class="finding {verdict}" id="finding-{name}" data-verdict="{verdict}" tabindex="0">'
    return f'{head}<p class="verdict">{label or verdict}</p>{body}</article>'


def _finding(diagnosis: Diagnosis, function: FunctionDiagnosis, finding: Finding, name: str, prefix: str) -> str:
    line = finding_line(diagnosis.program, function, finding)
    first, verdict = finding.first, finding.verdict
    trace = function.report.trace
    rows = _calls(function, first.obligation)
    steps = ""
    if isinstance(verdict, Refuted):
        stated = stated_together(function.needs, finding.checked_obligations)
        known = ""
        for number, (each, refuted) in enumerate(counterexamples(function.needs, stated)):
            rows.append(_sizes(function, each, refuted, "and at" if number else "fails at"))
            whole = arguments_in_short(trace, refuted.sizes)
            if not number and whole != sizes_text(trace, refuted):
                rows.append(("arguments", whole))
            run = run_text(each)
            rows += [("run", run)] if run not in ("", known) else []
            known = run
            rows += [("wraps", f"only because {each.wraps} wraps around")] if each.wraps else []
        steps = _steps(trace, first.obligation.op, verdict.sizes)
    elif isinstance(verdict, Undecided):
        rows.append(("reason", verdict.reason))
        if verdict.candidate is not None:
            rows.append(_sizes(function, first, verdict.candidate, "may fail"))
            rows += [("run", run)] if (run := run_text(first)) else []
        remedy_texts = remedies(function.report.approximations, [verdict])
        remedy_texts += remedies_of_withdrawn([verdict])
        remedy_texts += data_remedy_texts([finding], trace.function, diagnosis.program)
        rows += [("" if number else "try", remedy) for number, remedy in enumerate(remedy_texts)]
    links = line_links(diagnosis.program, (each.obligation.location for each in finding.checked_obligations), prefix)
    return article(
        str(verdict.word), name, f"<p><b>{escaped(str(line))}</b></p><p>{links}</p>{definition_list(rows)}{steps}"
    )


def _calls(function: FunctionDiagnosis, obligation: Obligation) -> list[tuple[str, str]]:
    """Return the call path to an operation and what the called function needs; nothing without calls."""
    rows = [("called", call_path(obligation))] if obligation.calls else []
    need = function.callee_requirements.get(obligation)
    return rows if need is None else [*rows, ("", callee_requirement_text(need))]


def _sizes(
    function: FunctionDiagnosis, checked_obligation: CheckedObligation, refuted: Refuted, label: str
) -> tuple[str, str]:
    """Return a label with the sizes of a counterexample and the notes on them."""
    if checked_obligation is function.report.fails_for_all:
        return label, "any sizes"
    trace = function.report.trace
    notes = sizes_notes(trace, refuted, may_not_arrive=function.needs[checked_obligation].may_not_arrive)
    sizes = sizes_text(trace, refuted)
    return label, f"{sizes} ({notes})" if notes else sizes


def definition_list(rows: Iterable[tuple[str, str]]) -> str:
    """Return labels with their texts; nothing for no rows."""
    body = "".join(f"<dt>{escaped(label)}</dt><dd>{escaped(text)}</dd>" for label, text in rows)
    return f"<dl>{body}</dl>" if body else ""


def _steps(trace: Trace, op: Operation, sizes: Sizes) -> str:
    """Return the shapes of the values that an operation is computed from, at the sizes of a counterexample."""
    makers = {value: each for each in trace.function.operation.walk() for value in each.results}
    needed: dict[Operation, None] = {}
    pending = [op]
    while pending and len(needed) < MOST_STEPS:
        current = pending.pop(0)
        if current not in needed:
            needed[current] = None
            pending += [makers[each] for each in current.operands if each in makers]
    rows: list[str] = []
    for each in trace.function.operation.walk():
        values = each.operands if each is op else each.results
        for value in values if each in needed else ():
            abstract = trace.values.get(value)
            shown = None if abstract is None else value_at(value.type, abstract, sizes)
            if shown is not None:
                maker = makers.get(value)
                origin = "argument" if maker is None else f"{maker.name} (line {maker.location.line})"
                cells = (value.name, shown, origin)
                rows.append("".join(f'<td class="code">{escaped(cell)}</td>' for cell in cells))
    body = "".join(f"<tr>{row}</tr>" for row in dict.fromkeys(rows))
    return (
        f'<details><summary>Step by step</summary><div class="scroll"><table>{body}</table></div></details>'
        if body
        else ""
    )


def _conditions(diagnosis: Diagnosis, function: FunctionDiagnosis) -> str:
    found = function.suggestions
    rows = [("missing", missing_words(found))] if found.inexpressible else []
    rows += condition_rows(found)
    if found.texts and not found.exact:
        rows.append(("", inexact_words(found, function.report.checked_obligations)))
    if found.empty:
        rows.append(("", only_empty_words(found)))
    if words := options_to_paste(found, function.report.trace.function, diagnosis.program):
        rows.append(("check with", " ".join(words)))
    if found.errors:
        rows.append(("safe", only_errors_words(found)))
    if found.hopeless:
        rows.append(("safe", "for no sizes at all"))
    facts = function.report.contradiction or function.assumptions
    rows += [("assumed", each) for each in dict.fromkeys(fact_text(fact, str(fact.formula)) for fact in facts)]
    report = diagnosis.report
    domain = checked_domain([function.report.trace], report.min_size, report.max_size)
    rows.append(("domain", "; ".join((domain, *notation([function])))))
    rows += [("assumes", str(each)) for each in function.trust]
    return definition_list(rows)


def line_links(program: Program, places: Iterable[Location], prefix: str = "") -> str:
    """Return links to the lines of the source."""
    lines = dict.fromkeys(each.line for each in places if program.text is not None and each.file == program.file)
    return ", ".join(f'<a href="#line-{prefix}{each}">line {each}</a>' for each in lines)


def source_table(program: Program, reports: Iterable[FunctionReport], prefix: str = "") -> str:
    """Return the source, each line with its worst verdict and the symbolic shapes of the values that it makes."""
    if program.text is None:
        return ""
    verdicts: dict[int, str] = {}
    shapes: dict[int, list[str]] = {}
    for report in reports:
        for each in report.checked_obligations:
            line, word = each.obligation.location.line, str(each.verdict.word)
            if each.obligation.location.file != program.file:
                continue
            verdicts[line] = min(word, verdicts.get(line, word), key=WORST_FIRST.index)
        for op in report.trace.function.operation.walk():
            for value in op.results:
                abstract = report.trace.values.get(value)
                shape = abstract.shape if isinstance(abstract, Tensor) else abstract
                if isinstance(shape, Shape):
                    shapes.setdefault(op.location.line, []).append(f"{value.name}: {shape}")
    rows: list[str] = []
    for number, line in enumerate(program.text.splitlines(), 1):
        verdict = verdicts.get(number)
        mark = "" if verdict is None else f' class="{verdict}" title="{verdict}"'
        beside = escaped("; ".join(dict.fromkeys(shapes.get(number, []))))
        code = f'<td class="dim">{number}</td><td class="verdict">{verdict or ""}</td>'
        code += f'<td class="code">{escaped(line)}</td>'
        rows.append(f'<tr id="line-{prefix}{number}"{mark}>{code}<td class="code dim">{beside}</td></tr>')
    return f'<h2>Source</h2><div class="scroll"><table>{"".join(rows)}</table></div>'
