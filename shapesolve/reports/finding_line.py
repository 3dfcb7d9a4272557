"""Findings in one line each, as editors and build servers parse them: ``FILE:LINE:COL: error: MESSAGE  [CODE]``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import WrappingOperation
from shapesolve.checker.undecided_reasons import reason_text
from shapesolve.diagnosis.diagnosis import Diagnosis, FunctionDiagnosis
from shapesolve.diagnosis.findings import Finding
from shapesolve.diagnosis.needs import LONGEST_NEED, are_exact, joined_text, stated_reason, stated_together
from shapesolve.ir.program import Location, Operation, Program
from shapesolve.reasons import NO_INPUT
from shapesolve.records import value_record
from shapesolve.reports.evidence_text import sizes_text
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.page import LONGEST_LINE, visible
from shapesolve.reports.phrases import shortened
from shapesolve.semantics.codes import RETURNED, UNCHECKED, WRAPS
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason, Unreachable
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.trace.events import Kind, Trace

LONGEST_REASON = 90
"""Characters of the reason of an undecided verdict that stands in the line."""
_SHORTEST_MESSAGE = 60
_SHORTEST_HEAD = 20
_SHORTEST_TAIL = 60
_LONGEST_MESSAGE = 90
_MOST_LINES = 4

LEVELS = {"refuted": "error", "undecided": "warning", "unreachable": "note", "proved": "note"}


@value_record
class FindingLine:
    """One line about one finding.

    Attributes:
        file: The file that it is about: the model, if the line of the model is known.
        line: The line, counted from 1; 0 if it is not known.
        column: The column, counted from 1; 0 if it is not known.
        level: "error" (refuted), "warning" (undecided or not checked) or "note" (never reached).
        message: The requirement, in one line.
        code: The stable name of the violated clause; `shapesolve rules CODE` explains it.
        is_complete: Whether the message states the requirement. Otherwise it is too long, and stands elsewhere.
        is_cut: Whether something is left out of the message, so that the line is not too long.
    """

    file: str
    line: int
    column: int
    level: str
    message: str
    code: str
    is_complete: bool = True
    is_cut: bool = False

    @property
    def place(self) -> str:
        """The place, ``FILE:LINE:COL``, without the parts that are unknown."""
        return ":".join([self.file, *(str(each) for each in (self.line, self.column) if each)])

    def __str__(self) -> str:
        return f"{self.place}: {self.level}: {self.message}  [{self.code}]"


def report_lines(diagnosis: Diagnosis) -> list[FindingLine]:
    """Return the lines of everything that a checked file is not proved to fulfill, by function, errors first."""
    return [line for function in diagnosis.functions for line in function_lines(diagnosis.program, function)]


def function_lines(program: Program, diagnosis: FunctionDiagnosis) -> list[FindingLine]:
    """Return the lines of one function: findings, results that are errors, and operations that are not checked."""
    found = [finding_line(program, diagnosis, each) for each in diagnosis.findings]
    return [*found, *returned_error_lines(program, diagnosis), *unchecked_lines(diagnosis), *wrapping_lines(diagnosis)]


def finding_line(program: Program, diagnosis: FunctionDiagnosis, finding: Finding) -> FindingLine:
    """Return the line of a finding."""
    if finding.data is not None:
        op = finding.first.obligation.op
        words = ModelText(program, diagnosis.report.trace.function).words(finding.data.text, op)
        return _line(program, diagnosis, finding.first, f" {words}")
    return obligation_line(program, diagnosis, *stated_together(diagnosis.needs, finding.checked_obligations))


def needed_of(diagnosis: FunctionDiagnosis, finding: Finding) -> str:
    """Return the conditions that the line of a finding states; empty if it states none."""
    return (
        ""
        if finding.data is not None
        else _needed(diagnosis, stated_together(diagnosis.needs, finding.checked_obligations))
    )


def _needed(diagnosis: FunctionDiagnosis, checked_obligations: Sequence[CheckedObligation]) -> str:
    """Return required conditions in one text; empty if they are not known, or are none of the sizes."""
    found = diagnosis.without_implied.get(tuple(checked_obligations))
    return found or joined_text(diagnosis.needs, checked_obligations)


def obligation_line(
    program: Program, diagnosis: FunctionDiagnosis, checked_obligation: CheckedObligation, *more: CheckedObligation
) -> FindingLine:
    """Return the line of one obligation, whatever its verdict is, with the requirements of ``more``."""
    verdict, obligation = checked_obligation.verdict, checked_obligation.obligation
    if isinstance(verdict, Unreachable):
        why = NO_INPUT if diagnosis.report.contradiction else "facts contradict each other"
        return _line(program, diagnosis, checked_obligation, f" is never reached, because {why}")
    words, tail, short_tail = ModelText(program, diagnosis.report.trace.function), "", ""
    needed = words.words(_needed(diagnosis, (checked_obligation, *more)))
    is_exact = are_exact(diagnosis.needs, (checked_obligation, *more))
    is_condition = bool(needed)
    verb = "needs" if is_exact else "is safe if"
    text = f" {verb} {needed}"
    if isinstance(verdict, Undecided):
        tail, short_tail = _not_decided(words, diagnosis, verdict)
    if needed == str(FALSE):  # no sizes fulfill all of the claims, though some may fulfill each of them
        fails = is_exact and isinstance(verdict, Refuted)
        says = "fails whenever a run gets here" if fails else "is not known to be safe for any sizes"
        messages = joined_messages(words, (checked_obligation, *more))
        return _line(program, diagnosis, checked_obligation, f" {says}: {messages}", tail)
    is_short = is_condition and len(needed) <= LONGEST_NEED and _fits(checked_obligation, words, text, tail)
    if not is_short:
        text = f": {words.words(obligation.message)}"
    author = stated_reason(obligation)
    if is_short and author:
        room = LONGEST_LINE - len(f"{place_of(obligation.op, words)}{obligation.op.name}{text}{obligation.code}")
        if len(author) > room:  # the author's words alone, without the place in a library
            author = obligation.authors_words or author
        text += f" ({shortened(words.words(author), _LONGEST_MESSAGE)})"
    match verdict:
        case Refuted(always=True) | Undecided(candidate=Refuted(always=True)) if not (
            obligation.kind is Kind.TYPE and obligation.claim is FALSE
        ):
            text += ", which is false whenever a run gets here" if is_short else " whenever a run gets here"
        case Proved():
            text = f"{text}: proved" if is_short else f": proved impossible: {words.words(obligation.message)}"
        case Undecided() | Refuted():  # a program that is malformed is so whatever the sizes are
            pass
    if len(f"{words.operation(obligation.op)}{text}{tail}") > _room_of(checked_obligation, words):
        tail = short_tail
    return _line(program, diagnosis, checked_obligation, text, tail, is_complete=is_short or not is_condition)


def _not_decided(words: ModelText, diagnosis: FunctionDiagnosis, verdict: Undecided) -> tuple[str, str]:
    """Return the end of a line with the reason in detail, and one for a line in which that does not fit.

    The kind of a reason is a shorter sentence. That something is not modeled says less than the first words of what.
    """
    reason = words.words(reason_text(diagnosis.report.approximations, verdict, LONGEST_REASON))
    whole = f"; not decided: {shortened(reason, LONGEST_REASON)}"
    if verdict.reason_kind is UndecidedReason.APPROXIMATION:
        return whole, whole
    kind = f"; not decided: {verdict.reason_kind.value}"
    return (kind if len(reason) > LONGEST_REASON else whole), min(kind, whole, key=len)


def joined_messages(words: ModelText, checked_obligations: Sequence[CheckedObligation]) -> str:
    """Return the messages of claims of which one fails, whatever the sizes are."""
    return "; or ".join(dict.fromkeys(words.words(each.obligation.message) for each in checked_obligations))


def _fits(checked_obligation: CheckedObligation, words: ModelText, text: str, tail: str) -> bool:
    """Return whether a condition stands in a line as a whole, with the first words of the tail behind it."""
    room = _room_of(checked_obligation, words)
    return len(f"{words.operation(checked_obligation.obligation.op)}{text}") <= room - _kept(tail, room)


def _kept(tail: str, room: int) -> int:
    """Return the number of characters of a tail that are kept in a message, whatever stands before it."""
    return min(len(tail), _SHORTEST_TAIL, room - _SHORTEST_HEAD)


def _room_of(checked_obligation: CheckedObligation, words: ModelText) -> int:
    """Return the number of characters that the message of an obligation's line may take."""
    op, code = checked_obligation.obligation.op, checked_obligation.obligation.code
    return _room(FindingLine(*place_of(op, words), LEVELS[checked_obligation.verdict.word], "", code))


def _room(line: FindingLine) -> int:
    """Return the number of characters that the message of a line may take."""
    return max(LONGEST_LINE - (len(str(line)) - len(line.message)), _SHORTEST_MESSAGE)


def _line(
    program: Program,
    diagnosis: FunctionDiagnosis,
    checked_obligation: CheckedObligation,
    text: str,
    tail: str = "",
    *,
    is_complete: bool = True,
) -> FindingLine:
    """Return a line that says something of the operation of an obligation; the tail is the last to be cut."""
    obligation = checked_obligation.obligation
    words = ModelText(program, diagnosis.report.trace.function)
    message = f"{words.operation(obligation.op)}{text}{tail}"
    place = place_of(obligation.op, words)
    return fitting(
        FindingLine(*place, LEVELS[checked_obligation.verdict.word], message, obligation.code, is_complete=is_complete),
        tail,
    )


def fitting(line: FindingLine, tail: str = "") -> FindingLine:
    """Return the line with a message that is cut so that all of it is no longer than `LONGEST_LINE`.

    The tail is cut first, but keeps its first words: "; not decided".
    """
    room = _room(line)
    message, tail = (visible(re.sub(r"\s+", " ", each)) for each in (line.message, tail))
    if len(message) > room and tail:
        head = message[: len(message) - len(tail)]
        end = shortened(tail, max(room - len(head), _kept(tail, room)))
        cut = shortened(head, max(room - len(end), _SHORTEST_HEAD))
        return replace(line, message=f"{cut}{end}", is_cut=cut != head)
    return replace(line, message=shortened(message, room), is_cut=len(message) > room)


def place_of(op: Operation, words: ModelText) -> tuple[str, int, int]:
    """Return the file, line and column of an operation: those of the model if the program is the model's own."""
    if words.is_placed(op) and op.origin is not None:
        return op.origin.file, op.origin.line, op.origin.column
    return op.location.file, op.location.line, op.location.column


def returned_error_lines(program: Program, diagnosis: FunctionDiagnosis) -> list[FindingLine]:
    """Return an error for each result that is an error value in every call."""
    function = diagnosis.report
    words = ModelText(program, function.trace.function)
    found: list[FindingLine] = []
    for error in function.errors:
        op = error.producer or function.trace.function.operation
        quoted = f': "{error.message}"' if error.message else ""
        message = f"result {error.position} of @{function.name} is an error in every call{quoted}"
        found.append(fitting(FindingLine(*place_of(op, words), "error", message, RETURNED)))
    return found


def unchecked_lines(diagnosis: FunctionDiagnosis) -> list[FindingLine]:
    """Return a warning for each kind of operation that may fail and is not checked, at the first place of it."""
    places: dict[tuple[str, str], list[Location]] = {}
    for each in diagnosis.report.unchecked:
        places.setdefault((each.op, str(each.reason)), []).append(each.location)
    found: list[FindingLine] = []
    for (op, reason), locations in places.items():
        first, *others = list(dict.fromkeys(locations))
        also = f" ({_also(others)})" if others else ""
        message = f"{op} may fail and is not checked: {reason}{also}"
        found.append(fitting(FindingLine(first.file, first.line, first.column, "warning", message, UNCHECKED)))
    return found


def wrapping_lines(diagnosis: FunctionDiagnosis) -> list[FindingLine]:
    """Return a note for each operation that is not proved not to wrap around."""
    found: list[FindingLine] = []
    for each in diagnosis.report.wrapping:
        place, message = each.location, wrapping_words(diagnosis.report.trace, each)
        found.append(fitting(FindingLine(place.file, place.line, place.column, "note", message, WRAPS)))
    return found


def wrapping_words(trace: Trace, operation: WrappingOperation) -> str:
    """Return whether an operation can wrap around: ``arith.addi wraps around at n = 9223372036854775807``."""
    match operation.verdict:
        case Refuted() as refuted:
            return f"{operation.operation} wraps around at {sizes_text(trace, refuted)}"
        case Undecided() as undecided:
            return f"{operation.operation} is not proved not to wrap around: {undecided.reason}"


def _also(locations: Sequence[Location]) -> str:
    shown = ", ".join(str(each.line) for each in locations[:_MOST_LINES])
    more = f" and {len(locations) - _MOST_LINES} more" if len(locations) > _MOST_LINES else ""
    return f"also line{'s' if len(locations) > 1 else ''} {shown}{more}"
