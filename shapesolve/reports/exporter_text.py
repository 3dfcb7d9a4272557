"""Conditions that an exporter found, as text, in lines, as JSON and as SARIF."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from shapesolve.checker.exporter_findings import ExporterFinding, Outside, Undeclared
from shapesolve.checker.report import Report
from shapesolve.errors import plural
from shapesolve.ir.declarations import Declarations, shown_text
from shapesolve.ir.program import Location, Program
from shapesolve.reports.finding_line import FindingLine
from shapesolve.reports.page import STYLES, Page
from shapesolve.reports.phrases import not_traced_words
from shapesolve.semantics.codes import MODEL_FAILS, NARROWER, OF_NO_CLAUSE
from shapesolve.solver.verdicts import Undecided

Json = dict[str, object]

_NOTHING_DYNAMIC = "no size is dynamic: whatever is proved is proved for the sizes of the example alone"

_LONGEST_CONDITIONS = 60
"""Limit of the characters of several conditions in the summary; longer ones are counted."""

_LONGEST_CONDITION = 320
"""Limit of the characters of one condition, which is read; a longer one is only said to be there."""

_MOST_LINES, _MOST_LISTED, _BULLET = 10, 2, "  - "
"""Limits of an exporter's message: its lines, and its listed conditions, each of which begins with the bullet."""


def _exporter(report: Report) -> str:
    """Return the name of the exporter that found conditions, "" where there is none to speak of."""
    declared = report.program.declarations
    if declared is None or (report.program.level != "torch" and not report.exporter):
        return ""
    return "torch.export" if report.program.level == "torch" else "jax.export"


def print_failures_outside(report: Report, page: Page) -> None:
    """Print the declared sizes that the exporter excludes and at which the model fails."""
    exporter = _exporter(report)
    for each in report.fails_outside if exporter else ():
        page.line()
        where = _failing_line(each) or report.program.file
        page.paragraph(f"{where}: error: the model fails {_where_false(each)}  [{MODEL_FAILS}]", STYLES["refuted"])
        page.field("export", f"{exporter} takes {each.guard.shown} for granted; nothing that is declared says so")
        if each.guard.source:
            page.field("model", _line(each))
        elif each.guard.file and _where(each) != _failing_line(each):
            page.field("model", _where(each))
        page.field("fails at", _inputs(each, report))
        raised = f" (at {each.place})" if each.place else ""
        condition = "" if each.is_confirmed else "not confirmed for this condition: "
        page.field("original", f"{condition}the model itself, run by its framework, {each.message}{raised}")
        if each.reproducer:
            page.field("reproduce", each.reproducer)


def _where_false(each: ExporterFinding, *, of_inputs: bool = False) -> str:
    """Return for which sizes the model fails, or, of the inputs that were run, that they are such sizes."""
    condition = _in_parentheses(each.guard.shown, " and ", " or ")
    some = "for some sizes " if each.returns_elsewhere and not of_inputs else ""
    return f"{some}where {condition} is false"


def _in_parentheses(text: str, *connectives: str) -> str:
    return f"({text})" if any(each in text for each in connectives) else text


def _inputs(each: ExporterFinding, report: Report) -> str:
    """Return the inputs that the model was run with: ``x: 2x3, n = 5``, or ``inputs [2, 3], 5`` without names."""
    arguments = report.functions[0].trace.function.arguments if report.functions else ()
    if not each.arguments or len(each.arguments) != len(arguments):
        return f"inputs {each.at}"
    named = zip((argument.name.removeprefix("%") for argument in arguments), each.arguments, strict=True)
    return ", ".join(
        f"{name}: {'x'.join(map(str, given)) or 'a scalar'}" if isinstance(given, tuple) else f"{name} = {given}"
        for name, given in named
    )


def print_exporter(report: Report, page: Page, *, verbose: bool = False) -> None:
    """Print the conditions of the exporter that do not follow from the declared ones, but for those that hide failures.

    Args:
        page: The page to print on.
        verbose: Whether to print the exporter's whole message where it refuses the declared sizes.
    """
    declared = report.program.declarations
    exporter = _exporter(report)
    if declared is None or not exporter:
        return
    narrower = [each for each in report.exporter if each.outside is not Outside.FAILS]
    findings = [each for each in narrower if not each.is_zero_or_one]
    if findings:
        page.line()
    for each in findings:
        page.field(_label(each), _narrower(each, report, longest=None if verbose else _LONGEST_CONDITION))
        if each.reproducer:
            page.field("reproduce", each.reproducer)
    if names := ", ".join(dict.fromkeys(size for each in narrower for size in each.not_traced)):
        page.field("not traced", not_traced_words(names))
    if _is_static(declared):
        page.field("static", _NOTHING_DYNAMIC)
    if declared.refusal:
        page.line()
        if exporter == "torch.export" and _is_static(declared):
            words = "dynamic sizes, so it was asked for those of the example alone"
        elif exporter == "torch.export":
            words = "the declared sizes, so it was asked again with all left to it"
        else:
            words = "this function for the other sizes too"
        page.field("refused", f"{exporter} refuses {words}. It says:")
        lines = declared.refusal.splitlines()
        for line in lines if verbose else shortened(lines):
            page.paragraph(line, indent=5, hanging=4)


def shortened(lines: Sequence[str]) -> list[str]:
    """Return a message with the first of its listed conditions alone, and in no more than a few lines."""
    if len(lines) <= _MOST_LINES:
        return list(lines)
    listed = [line for line in lines if line.startswith(_BULLET)]
    left_out = set(listed[_MOST_LISTED:])
    kept = [line for line in lines if line not in left_out]
    if left_out:
        kept.insert(kept.index(listed[_MOST_LISTED - 1]) + 1, f"{_BULLET}and {len(left_out)} more (--verbose)")
    if len(kept) > _MOST_LINES:
        kept[_MOST_LINES - 1 :] = [f"and {len(kept) - _MOST_LINES + 1} more lines (--verbose)"]
    return kept


def _label(each: ExporterFinding) -> str:
    if each.outside is not Outside.NOT_DECLARED:
        return "export"
    if each.undeclared is Undeclared.FIXED:
        return "fixed"
    return "equal" if each.undeclared is Undeclared.EQUAL else "not empty"


def _narrower(each: ExporterFinding, report: Report, *, with_line: bool = True, longest: int | None = None) -> str:
    line = f"; {_line(each)}" if each.guard.file and with_line else ""
    if each.outside is Outside.NOT_DECLARED:
        why = f"not declared, and the model raises {each.at}" if each.at else "not declared"
        return f"{each.guard.shown}: {why}{line}"
    if each.guard.is_specialization:
        size, number = map(shown_text, each.guard.sides)
        admits = f"this export only admits {each.guard.shown}: {size} was declared dynamic and is {number} in it"
    elif longest is not None and len(each.guard.shown) > longest:
        characters = f"{len(each.guard.shown):,} characters"
        admits = f"this export only admits sizes that meet a condition of {characters} (--verbose shows it)"
    else:
        admits = f"this export only admits {each.guard.shown}"
    if each.outside is Outside.RETURNS:
        return f"{admits}{line}; the model itself {each.message} for {_inputs(each, report)}"
    return f"{admits}{line}; UNDECIDED for other sizes: the model itself was not run there"


def _line(each: ExporterFinding) -> str:
    return f"{_where(each)}: {each.guard.source}" if each.guard.source else _where(each)


def _where(each: ExporterFinding) -> str:
    return f"{each.guard.file}:{each.guard.line}" if each.guard.file else each.place


def _failing_line(each: ExporterFinding) -> str:
    """Return the line that raises, which may stand behind the one of the condition."""
    return each.place or _where(each)


def _is_static(declared: Declarations) -> bool:
    sizes = [each for position, texts in declared.shapes.items() if position not in declared.scalars for each in texts]
    return bool(sizes) and all(each.isdecimal() for each in sizes)


def model_sentence(report: Report) -> str:
    """Return a model's verdict in a few words, which begin its summary; empty for a program that is no model."""
    declared = report.program.declarations
    if declared is None or not report.checked_obligations or (report.program.level != "torch" and not report.exporter):
        return ""
    if report.exit_code == 1:
        return "FAILS for some sizes; "
    if report.exit_code:
        left = [each for each in report.checked_obligations if isinstance(each.verdict, Undecided)]
        is_data = left and all(each.is_about_data for each in left)
        is_rest = any(each.unchecked for each in report.functions) or any(each.is_undecided for each in report.exporter)
        return "may fail for some data; " if is_data and not is_rest else "not decided for all sizes; "
    if _is_static(declared):
        return "checked for the sizes of the example only; "
    is_conditional = any(each.outside is Outside.NOT_DECLARED for each in report.exporter)
    which = "no size that its export admits" if _narrowing(report) else "no size"
    return f"{which} makes it fail{', if it meets the conditions above' if is_conditional else ''}; "


def exporter_summary(report: Report) -> str:
    """Return the exporter's part of the summary line."""
    declared = report.program.declarations
    if declared is None or (report.program.level != "torch" and not report.exporter):
        return ""
    parts: list[str] = []
    if report.fails_outside:
        parts.append(f"; it fails at {plural(len(report.fails_outside), 'size')} that its export excludes")
    findings = _narrowing(report)
    if findings:
        unknown = (
            ", and UNDECIDED is what the model does elsewhere" if any(each.is_undecided for each in findings) else ""
        )
        admitted = _conjunction(findings) or f"the sizes that {len(findings)} conditions above describe"
        parts.append(f"; the export only admits {admitted}{unknown}")
    undeclared = [each for each in report.exporter if each.outside is Outside.NOT_DECLARED]
    needed = [each for each in undeclared if each.undeclared is not Undeclared.FIXED]
    if needed:
        conditions = _conjunction(needed) or f"{len(needed)} conditions above hold"
        parts.append(f"; only where {conditions}, which nothing declares and the model needs")
    if _is_static(declared):
        parts.append(f"; {_NOTHING_DYNAMIC}")
    return "".join(parts)


def _narrowing(report: Report) -> list[ExporterFinding]:
    """Return the conditions that hold of the export alone: of other sizes nothing is shown."""
    narrower = [each for each in report.exporter if each.outside in (Outside.RETURNS, Outside.NOT_RUN)]
    return [each for each in narrower if not each.is_zero_or_one]


def _conjunction(findings: Sequence[ExporterFinding]) -> str:
    """Return conditions as text; empty if they are too long for a summary."""
    texts = [each.guard.shown for each in findings]
    if len(findings) > 1:
        texts = [_in_parentheses(each, " or ") for each in texts]
    text = " and ".join(texts)
    return text if len(text) <= _LONGEST_CONDITIONS or len(findings) == 1 else ""


def exporter_objects(report: Report) -> Json | None:
    """Return the findings and the declared facts as JSON; None where there is no such exporter."""
    declared = report.program.declarations
    if declared is None:
        return None
    return {
        "declared": list(declared.claims),
        "refusal": declared.refusal or None,
        "nothing_dynamic": _is_static(declared),
        "found": [
            {
                "condition": each.guard.shown,
                "kind": "specialization" if each.guard.is_specialization else "guard",
                "outside": each.outside.value,
                "is_zero_or_one": each.is_zero_or_one,
                "is_needed": each.is_needed,
                "model": None if not each.guard.file else {"file": each.guard.file, "line": each.guard.line},
                "inputs": each.at or None,
                "original": each.message or None,
                "raised_at": each.place or None,
                "reproducer": each.reproducer or None,
                "is_confirmed": each.is_confirmed,
            }
            for each in report.exporter
        ],
    }


def exporter_results(
    report: Report, rules: dict[str, Json], place: Callable[[Location, str, Program], Json]
) -> list[Json]:
    """Return a result for each finding: an error where the model fails, a note where only the export is narrower."""
    results: list[Json] = []
    for each, line in exporter_lines(report):
        words = OF_NO_CLAUSE[line.code]
        rules.setdefault(line.code, {"id": line.code, "name": line.code, "shortDescription": {"text": words}})
        function = report.functions[0]
        where = Location(line.file, line.line, 0) if line.line else function.trace.function.location
        results.append(
            {
                "ruleId": line.code,
                "level": line.level,
                "message": {"text": f"{line.message[0].upper()}{line.message[1:]}."},
                "locations": [place(where, function.name, report.program)],
                "partialFingerprints": {"shapesolve/v1": exporter_identity(each, line)},
            }
        )
    return results


def exporter_lines(report: Report) -> list[tuple[ExporterFinding, FindingLine]]:
    """Return a line for each finding: where the model fails, where that is not known, and where the export is narrower.

    Zeros and ones that PyTorch's exporter excludes by its choice have none, nor have sizes that are not declared.
    """
    found: list[tuple[ExporterFinding, FindingLine]] = []
    for each in report.exporter:
        is_choice = each.is_zero_or_one and each.outside is not Outside.FAILS
        if is_choice or each.outside is Outside.NOT_DECLARED:
            continue
        shown = _failing_line(each) if each.outside is Outside.FAILS else _where(each)
        file, _, number = shown.rpartition(":")
        file, line = (file, int(number)) if file else (report.program.file, 0)
        if each.outside is Outside.FAILS:
            text = (
                f"the model fails for {_inputs(each, report)}, {_where_false(each, of_inputs=True)}: it {each.message}"
            )
            found.append((each, FindingLine(file, line, 0, "error", text, MODEL_FAILS)))
        else:
            level = "warning" if each.is_undecided else "note"
            found.append((each, FindingLine(file, line, 0, level, _narrower(each, report, with_line=False), NARROWER)))
    return found


def exporter_identity(finding: ExporterFinding, line: FindingLine) -> str:
    """Return what identifies a finding when lines move."""
    parts = (line.code, finding.guard.shown, line.file, finding.guard.source)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
