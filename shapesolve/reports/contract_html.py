"""The contracts of one file as a self-contained HTML page: conditions with their witnesses, and the proved source."""

from __future__ import annotations

from shapesolve.checker.undecided_reasons import remedies
from shapesolve.contracts.contract import Condition, ExportCondition, FunctionContract
from shapesolve.diagnosis.contracts import ContractDiagnosis, ContractsDiagnosis
from shapesolve.errors import plural
from shapesolve.reports.contract import (
    condition_text,
    data_texts,
    headline,
    open_reason,
    open_words,
    places,
    undeclared_rows,
    verified_words,
)
from shapesolve.reports.html_report import article, definition_list, escaped, line_links, page_of, source_table
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.phrases import check_with, checked_domain
from shapesolve.reports.suggestions_text import TO_PASTE
from shapesolve.statistics import stage
from shapesolve.trace.concretization import arguments_in_short

_STYLES = {0: "proved", 1: "refuted", 3: "undecided"}


@stage("report")
def contract_page(diagnosis: ContractsDiagnosis) -> str:
    """Return the whole page."""
    program = diagnosis.report.program
    functions = diagnosis.functions
    title = f"{program.title}: {plural(len(functions), 'contract')}"
    parts = [_function(each, diagnosis, number) for number, each in enumerate(functions, 1)]
    search = '<input type="search" aria-label="Filter conditions" placeholder="Filter conditions">'
    source = source_table(program, (each.contract.verified for each in functions))
    under = '<p class="dim">The verdicts beside the source are those under the conditions.</p>' if source else ""
    body = (
        f'<main class="shapesolve"><h1>{escaped(title)}</h1><div class="filters">{search}</div>'
        '<p class="dim">Keys: j and k go to the next and the previous condition, / to the filter.</p>'
        f"{''.join(parts)}{source}{under}</main>"
    )
    return page_of([(title, body)])


def _function(diagnosis: ContractDiagnosis, whole: ContractsDiagnosis, at: int) -> str:
    contract, program = diagnosis.contract, whole.report.program
    trace = contract.report.trace
    arguments = ", ".join(f"{each.name}: {each.type}" for each in trace.function.arguments)
    parts = [f"<h2>@{escaped(f'{contract.name}({arguments})')}</h2>"]
    parts.append(f'<p class="verdict {_STYLES[contract.exit_code]}">{escaped(headline(contract))}</p>')
    words = ModelText(program, trace.function)
    found = diagnosis.signature
    if found is not None and found.equalities:
        rows = [("signature", found.text), *(("where", each) for each in found.conditions)]
        rows += [("", "calls in which some size is 0 may be safe without it")] if found.excludes_empty else []
        parts.append(definition_list(rows))
    for number, each in enumerate(contract.conditions, 1):
        parts.append(_condition(each, diagnosis, whole, words, f"{at}-{number}"))
    for number, each in enumerate(contract.undeclared, len(contract.conditions) + 1):
        body = f"<p><b><code>{escaped(each.guard.shown)}</code></b></p>{definition_list(undeclared_rows(each))}"
        parts.append(article("proved", f"{at}-{number}", body, "needed by the model itself"))
    admitted = (each for each in contract.admits if not each.is_zero_or_one)
    for number, each in enumerate(admitted, len(contract.conditions) + len(contract.undeclared) + 1):
        parts.append(_export_condition(each, contract, whole, words, f"{at}-{number}"))
    parts.append(_options(diagnosis, whole))
    parts.append(definition_list(_rest(diagnosis, whole, words)))
    return "".join(parts)


def _options(diagnosis: ContractDiagnosis, whole: ContractsDiagnosis) -> str:
    """Return the conditions as options to paste, one a line; without cases of empty tensors, if that is shorter."""
    contract = diagnosis.contract
    texts, short = [text for each in contract.conditions for text in each.readable], diagnosis.unless_empty.sufficient
    if short:
        texts = [*short, *(text for each in contract.conditions for text in each.sufficient)]
    texts += [each.guard.shown for each in contract.undeclared]
    if not texts:
        return ""
    options = check_with(contract.report.trace.function, whole.report.program, dict.fromkeys(texts))
    command = " \\\n".join(map(escaped, options))
    caption = TO_PASTE if short else "to paste:"
    return f'<p>{escaped(caption)}</p><div class="scroll"><pre>{command}</pre></div>'


def _condition(
    condition: Condition, diagnosis: ContractDiagnosis, whole: ContractsDiagnosis, words: ModelText, name: str
) -> str:
    text = condition_text(condition, verbose=False)
    shown = diagnosis.unless_empty.shown.get(text, text)
    rows = [("needed by", places(condition.needed_by, verbose=False, words=words))] if condition.needed_by else []
    if condition.witness is not None:
        first = condition.failing[0]
        there = arguments_in_short(diagnosis.contract.report.trace, condition.witness)
        rows.append(("otherwise", f"{there}: {words.words(first.message, first.op)} ({words.short_place(first)})"))
    if text := open_words(condition):
        rows.append(("open", text))
    if condition.holds_below is not None:
        rows.append(("huge", f"it holds wherever no size exceeds {condition.holds_below} in absolute value"))
    links = line_links(whole.report.program, (each.location for each in condition.needed_by))
    body = f"<p><b><code>{escaped(shown)}</code></b></p><p>{links}</p>{definition_list(rows)}"
    label = "needed" if condition.necessary else "perhaps needed"
    return article("proved" if condition.necessary else "undecided", name, body, label)


def _export_condition(
    found: ExportCondition, contract: FunctionContract, whole: ContractsDiagnosis, words: ModelText, name: str
) -> str:
    rows = [("model", found.model)] if found.model else []
    rows += [("needed by", places(found.needed_by, verbose=False, words=words))] if found.needed_by else []
    if found.excluded is not None:
        rows.append(("excludes", arguments_in_short(contract.report.trace, found.excluded)))
    links = line_links(whole.report.program, (each.location for each in found.needed_by))
    body = f"<p><b><code>{escaped(found.text)}</code></b></p><p>{links}</p>{definition_list(rows)}"
    return article("unreachable", name, body, "found by the exporter")


def _rest(diagnosis: ContractDiagnosis, whole: ContractsDiagnosis, words: ModelText) -> list[tuple[str, str]]:
    """Return what is open, what was verified, and what the contract rests on."""
    contract, report = diagnosis.contract, whole.report
    left = [each for each in contract.open if not each.is_about_data]
    rows = [("data", each) for each in data_texts(diagnosis, words)]
    rows += [("open", open_reason(contract.verified, each, words)) for each in left]
    if contract.verified.unchecked and not contract.hopeless:
        named = places(contract.verified.unchecked, verbose=False, words=words)
        rows.append(("open", f"what some operations demand is not known: {named}"))
    rows += [("try", each) for each in remedies(contract.verified.approximations, (each.verdict for each in left))]
    if contract.sufficient and not contract.report.contradiction:
        rows.append(("verified", verified_words(contract)))
    rows.append(("domain", checked_domain([contract.report.trace], report.min_size, report.max_size)))
    rows += [("assumed", each) for each in dict.fromkeys(each.source_text for each in diagnosis.assumptions)]
    rows += [("assumes", str(each)) for each in diagnosis.trust]
    return rows
