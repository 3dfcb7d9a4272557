"""Case files: MLIR with expectations in comments just above the lines that they are about.

    // expect: proved [CLAUSE]
    // expect: refuted CLAUSE [with a[0] = 2, b[1] = 3]
    // expect: undecided CLAUSE [because SUBSTRING]
    // expect: unreachable [CLAUSE]
    // expect: approximated [SUBSTRING]
    // expect: shape [a[0], 2*a[1] + 1]      (the first result of the operation below)
    // expect: value a[0] + 1
    // gap: proved C1                        (what it should be; today it is something else, and that is checked)
    // assume: a[0] >= 1                     (above a function)
    // options: --check-wraps                (of the whole file)

Obligations without an expectation must be proved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

EXPECTATION = re.compile(r"^\s*// (?P<mode>expect|gap): (?P<what>\w+)\s*(?P<rest>.*)$")
ASSUMPTION = re.compile(r"^\s*// assume: (?P<text>.+)$")
FUNCTION = re.compile(r"^\s*func\.func (?:private |public )?@(?P<name>[\w$.-]+)")
OPTIONS = re.compile(r"^// options: --check-wraps$")
VERDICTS = ("proved", "refuted", "undecided", "unreachable")


@dataclass(frozen=True)
class Expectation:
    """One expectation: about the operations of ``line``."""

    line: int
    is_gap: bool
    what: str
    clause: str
    detail: str


@dataclass
class CaseFile:
    """All expectations of a file, the assumptions of each function, and the option on 64-bit arithmetic."""

    path: Path
    expectations: list[Expectation] = field(default_factory=list)
    assumptions: dict[str, list[str]] = field(default_factory=dict)
    check_wraps: bool = False


def read_case(path: Path) -> CaseFile:
    """Read the comments of a case file. Raises ValueError for a comment that is almost an expectation."""
    case = CaseFile(path)
    waiting: list[tuple[bool, str, str]] = []
    assumptions: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if match := EXPECTATION.match(line):
            waiting.append((match["mode"] == "gap", match["what"], match["rest"].strip()))
        elif match := ASSUMPTION.match(line):
            assumptions.append(match["text"].strip())
        elif OPTIONS.match(line):
            case.check_wraps = True
        elif re.match(r"^\s*//\s*(expect|gap|assume|options)", line):
            raise ValueError(f"{path}:{number}: not an expectation: {line.strip()}")
        elif line.strip() and not line.strip().startswith("//"):
            if match := FUNCTION.match(line):
                case.assumptions[match["name"]] = assumptions
                assumptions = []
            for is_gap, what, rest in waiting:
                clause, detail = rest, ""
                if what in VERDICTS:
                    first, _, after = rest.partition(" ")
                    is_clause = re.fullmatch(r"[A-Z]\d+", first) is not None
                    clause, detail = (first, after.strip()) if is_clause else ("", rest)
                case.expectations.append(Expectation(number, is_gap, what, clause, detail))
            waiting = []
    if waiting:
        raise ValueError(f"{path}: expectations at the end belong to no line")
    return case
