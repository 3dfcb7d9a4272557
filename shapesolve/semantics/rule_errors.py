"""Isolation of faulty rules: an exception in a rule leaves its operation undecided, and the analysis goes on."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar, get_args

from shapesolve.domain.values import Abstract
from shapesolve.errors import InputError
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.regions import RegionRun
from shapesolve.semantics.registry import Rule
from shapesolve.symbolic.formula_kinds import Formula

LONGEST_ERROR = 200

T = TypeVar("T")

_RESULTS: tuple[type, ...] = get_args(Abstract)
_REGIONS: tuple[type, ...] = get_args(RegionRun)


class RuleFailure(UnknownValueError):
    """Failure of a rule: it raised something else than UnknownValueError, or returned no op semantics.

    The message names the rule and the place in its file.
    """


def apply_rule(rule: Rule, op: Operation, ctx: RuleContext) -> OpSemantics:
    """Return the op semantics that a rule gives.

    Raises:
        UnknownValueError: if the rule has no answer; as `RuleFailure` if the rule is at fault.
    """
    semantics = call_rule_part(rule, lambda: rule.function(op, ctx))
    wrong = _malformed(op, semantics)
    if wrong:
        raise rule_failure(rule, wrong)
    return semantics


def call_rule_part(rule: Rule, call: Callable[[], T]) -> T:
    """Return what a part of a rule returns.

    Raises:
        RuleFailure: if it raises anything but UnknownValueError, InputError or MemoryError.
    """
    try:
        return call()
    except (UnknownValueError, InputError, MemoryError):
        raise
    except Exception as error:
        summary = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_ERROR].rstrip(": ")
        raise RuleFailure(f"{_at_fault(rule)}: {summary}{_raised_in(rule, error)}") from error


def rule_failure(rule: Rule, wrong: str) -> RuleFailure:
    """Return the failure of a rule that returned something unusable."""
    code = rule.function.__code__
    return RuleFailure(f"{_at_fault(rule)}: {wrong} ({_place(rule, code.co_filename, code.co_firstlineno)})")


def _at_fault(rule: Rule) -> str:
    return f"the rule for {rule.op} failed, which is a defect of the rule"


def _raised_in(rule: Rule, error: Exception) -> str:
    """Return the last line of the rule's own file that the error passed through, and the line where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    own = [each for each in frames if each.filename == rule.function.__code__.co_filename]
    places = dict.fromkeys(_place(rule, each.filename, each.lineno or 0) for each in (*own[-1:], frames[-1]))
    return f" ({', in '.join(places)})"


def _place(rule: Rule, file: str, line: int) -> str:
    shown = file if file.startswith(rule.module) else "/".join(Path(file).parts[-2:])
    return f"{shown}:{line}"


def _malformed(op: Operation, semantics: object) -> str:
    """Return the defect of what a rule returned, or "" if there is none."""
    if not isinstance(semantics, OpSemantics):
        return f"it returned a {type(semantics).__name__}, which is no OpSemantics"
    wrong = (
        _stranger("a result", semantics.results.values, _RESULTS)
        or _stranger("a claim", semantics.requires.claims, Claim)
        or _stranger("a region", semantics.regions, _REGIONS)
        or _stranger("the formula of a claim", [each.formula for each in semantics.requires.claims], Formula)
    )
    if wrong:
        return wrong
    if semantics.results.compute is None and len(semantics.results.values) != len(op.results):
        return result_count_mismatch(semantics.results.values, op)
    return ""


def _stranger(words: str, parts: Iterable[object], kinds: type | tuple[type, ...]) -> str:
    """Return which part is an instance of none of the kinds, or "" if all are."""
    for each in parts:
        if not isinstance(each, kinds):
            return f"{words} is a {type(each).__name__}"
    return ""


def result_count_mismatch(results: Sequence[Abstract], op: Operation) -> str:
    """Return the message for a rule that gave another number of results than its operation has."""
    return f"it gave {len(results)} results, the operation has {len(op.results)}"
