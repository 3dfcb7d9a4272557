"""Results as text, JSON, tables and HTML, for Python sessions and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from io import StringIO
from json import dumps
from typing import Any

from shapesolve import __version__
from shapesolve.checker.report import Report
from shapesolve.checker.undecided_reasons import reason_text
from shapesolve.contracts.contract import ContractReport, FunctionContract
from shapesolve.diagnosis.contracts import diagnose_contracts
from shapesolve.diagnosis.diagnosis import GROUPS, Diagnosis, diagnose
from shapesolve.reports.check_json import REQUEST, check_document
from shapesolve.reports.check_text import print_report, summary, text_request
from shapesolve.reports.contract import contract_document, print_contracts
from shapesolve.reports.contract import headline as contract_headline
from shapesolve.reports.evidence_text import sizes_text
from shapesolve.reports.finding_line import LONGEST_REASON, needed_of
from shapesolve.reports.page import Page
from shapesolve.solver.verdicts import Refuted, Undecided

Row = Mapping[str, object]


def text(result: object, *, verbose: bool, width: int) -> str:
    """Return what the command line prints about a result."""
    stream = StringIO()
    page = Page(stream, color="never", width=width)
    if isinstance(result, Report):
        print_report(diagnose(result, text_request(verbose=verbose)), page, verbose=verbose)
    else:
        print_contracts(diagnose_contracts(_contracts(result)), page, verbose=verbose)
    return stream.getvalue()


def json(result: object) -> str:
    """Return the JSON document of a result."""
    if isinstance(result, Report):
        document = check_document([diagnose(result, REQUEST)], result.exit_code)
    else:
        document = contract_document(diagnose_contracts(_contracts(result), by_obligation=True), __version__)
    return dumps(document, ensure_ascii=False, indent=2)


def headline(result: object) -> str:
    """Return a result in one line."""
    if isinstance(result, Report):
        return summary(diagnose(result, GROUPS))
    found = _contracts(result)
    return f"{found.program.title}: {'; '.join(map(_contract_text, found.functions)) or 'no functions'}"


def _contract_text(function: FunctionContract) -> str:
    return " ".join((f"{function.name} is", contract_headline(function), ", ".join(function.texts))).rstrip()


def rows(result: object) -> list[Row]:
    """Return the table of a result: a row for each obligation or condition."""
    if isinstance(result, Report):
        return [
            {
                "function": function.name,
                "file": each.obligation.location.file,
                "line": each.obligation.location.line,
                "column": each.obligation.location.column,
                "operation": each.obligation.op.name,
                "code": each.obligation.code,
                "verdict": str(each.verdict.word),
                "sizes": str(each.verdict.sizes) if isinstance(each.verdict, Refuted) else "",
                "message": each.obligation.message,
            }
            for function in result.functions
            for each in function.checked_obligations
        ]
    return [
        {"function": function.name, "condition": each.text, "necessary": each.necessary}
        for function in _contracts(result).functions
        for each in function.conditions
    ]


def dataframe(result: object) -> Any:
    """Return the table of a result as a pandas DataFrame."""
    try:
        pandas: Any = import_module("pandas")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("to_dataframe needs pandas: pip install pandas", name="pandas") from error
    return pandas.DataFrame(rows(result))


def html(result: object) -> str:
    """Return a result as HTML that inherits the colors of the page."""
    head = f"<p><b>{escape(headline(result))}</b></p>"
    if not isinstance(result, Report):
        return head + _table(rows(result))
    diagnosis = diagnose(result, text_request(quiet=False))
    return head + _table(_finding_rows(diagnosis))


def html_page(result: object) -> str:
    """Return a report as a complete HTML document.

    Raises:
        TypeError: It is something else.
    """
    from shapesolve.reports import html_report

    if not isinstance(result, Report):
        raise TypeError(f"a report is needed here, not {type(result).__name__}")
    return html_report.html_page(diagnose(result, html_report.REQUEST))


def _finding_rows(diagnosis: Diagnosis) -> list[Row]:
    found: list[Row] = []
    for function in diagnosis.functions:
        for finding in function.findings:
            verdict, evidence = finding.verdict, ""
            if isinstance(verdict, Refuted):
                evidence = sizes_text(function.report.trace, verdict)
            elif isinstance(verdict, Undecided):
                evidence = f"not decided: {reason_text(function.report.approximations, verdict, LONGEST_REASON)}"
            found.append(
                {
                    "place": str(finding.first.obligation.location),
                    "verdict": str(verdict.word),
                    "operation": finding.first.obligation.op.name,
                    "needs": needed_of(function, finding) or finding.first.obligation.message,
                    "fails at": evidence,
                }
            )
    return found


def _table(found: Sequence[Row]) -> str:
    if not found:
        return ""
    head = "".join(f'<th style="text-align:left">{escape(each)}</th>' for each in found[0])
    body = "".join(f"<tr>{_cells(row.values())}</tr>" for row in found)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(values: Iterable[object]) -> str:
    words = {True: "yes", False: "no", None: ""}
    shown = (words[each] if isinstance(each, bool | None) else str(each) for each in values)
    return "".join(f'<td style="text-align:left">{escape(each)}</td>' for each in shown)


def _contracts(result: object) -> ContractReport:
    """Return the result as contracts.

    Raises:
        TypeError: It is something else.
    """
    if not isinstance(result, ContractReport):
        raise TypeError(f"a report or contracts are needed here, not {type(result).__name__}")
    return result
