"""Findings on data that one operation of a model makes several times, such as once for each part of a loss."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace

from shapesolve.checker.report import FunctionReport
from shapesolve.diagnosis.findings import Finding
from shapesolve.ir.program import Operation

_VALUE = re.compile(r"%[\w$]+(?:#\d+)?")


def joined_by_data(function: FunctionReport, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Join findings that require the same of data at one operation of the model.

    The values that they speak of count as the same where one operation of the model makes them.
    """
    makers = {result.name: op for op in function.trace.function.operation.walk() for result in op.results}
    joined: dict[Hashable, Finding] = {}
    for number, finding in enumerate(findings):
        key = _requirement(finding, makers) or number
        before = joined.get(key)
        joined[key] = finding if before is None else _union(before, finding)
    return tuple(joined.values())


def _requirement(finding: Finding, makers: dict[str, Operation]) -> Hashable | None:
    """Return the operation of the model and what it requires of data; None for another finding."""
    origin, data = finding.first.obligation.op.origin, finding.data
    if data is None or origin is None or not origin.file or data.covered != len(finding.checked_obligations):
        return None

    def place(match: re.Match[str]) -> str:
        op = makers.get(match[0])
        return match[0] if op is None or op.origin is None else f"{op.origin} {op.origin.operation}"

    return origin, _VALUE.sub(place, data.text)


def _union(finding: Finding, other: Finding) -> Finding:
    assert finding.data is not None and other.data is not None
    together = (*finding.checked_obligations, *other.checked_obligations)
    return replace(finding, checked_obligations=together, data=replace(finding.data, covered=len(together)))
