"""Undecided verdicts in few words: the unknown with its line, and the way out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.ir.program import ScalarType
from shapesolve.reasons import DataDependence, MissingSemantics
from shapesolve.solver.verdicts import Undecided, UndecidedReason, Verdict
from shapesolve.trace.events import Approximation, Kind, Obligation

_MOST_LINES = 3

REMEDIES = {
    UndecidedReason.BUDGET: "--budget with more steps",
    UndecidedReason.TIME: "run again: the time ended it, not the number of steps",
    UndecidedReason.COMMAND: "a longer --timeout, or one --function",
    UndecidedReason.NON_LINEAR: "fix or bound a factor of the product with --shape, --assume or --max-size",
    UndecidedReason.RANKS: "state the rank: --assume 'rank(x) == 4', or --shape",
    UndecidedReason.SIZE: "name intermediate sizes with --shape, or state with --assume which are equal",
    UndecidedReason.NOTHING_FOUND: "state what is known of the sizes: --assume, --min-size, --max-size",
    UndecidedReason.FACTS: "leave out one of the assumptions, or --distrust",
    UndecidedReason.MEMORY: "--max-bytes with the memory that callers have",
    UndecidedReason.OVERFLOW: "bound the sizes: --max-size 2147483647, or follow what wraps: check --check-wraps",
    UndecidedReason.ENORMOUS: "bound the sizes, or leave such findings out: --ignore huge-sizes",
}
"""A way out for reasons that do not hang on the unknown; every one is on the page on troubleshooting."""

GUARDED_AT_RUN_TIME = "have it checked at run time: prune --harden puts a check before it"


def unknowns(approximations: Sequence[Approximation], verdict: Undecided) -> list[Approximation]:
    """Return the parts of the program that stand between a claim and its decision."""
    return [each for each in approximations if each.named_cause in verdict.unmodeled]


def reason_text(approximations: Sequence[Approximation], verdict: Undecided, limit: int | None = None) -> str:
    """Return the reason of a verdict, each unknown with its lines: ``my.op (line 2): no rule describes it``.

    Of several unknowns that take more characters than the limit, only the first are named.
    """
    lines: dict[str, set[int]] = {}
    shown: dict[str, str] = {}
    for each in unknowns(approximations, verdict):
        lines.setdefault(str(each.named_cause), set()).add(each.location.line)
        shown[str(each.named_cause)] = f"{each.op}{_lines(lines[str(each.named_cause)])}: {each.reason}"
    texts = list(dict.fromkeys(shown.get(str(each), str(each)) for each in verdict.unmodeled)) or [verdict.reason]
    whole = "; ".join(texts)
    if limit is None or len(whole) <= limit or len(texts) == 1:
        return whole
    return f"{texts[0]}; and {len(texts) - 1} more"


def undecided_words(approximations: Sequence[Approximation], verdict: Undecided) -> str:
    """Return the reason of a verdict after its kind; only the reason where that is all, what is not modeled."""
    text = reason_text(approximations, verdict)
    is_all = verdict.reason_kind is UndecidedReason.APPROXIMATION
    return text if is_all and text else f"{verdict.reason_kind.value}: {text}"


def _lines(found: Iterable[int]) -> str:
    known = sorted(each for each in found if each)
    more = ", ..." if len(known) > _MOST_LINES else ""
    plural = "s" if len(known) > 1 else ""
    return f" (line{plural} {', '.join(map(str, known[:_MOST_LINES]))}{more})" if known else ""


def remedies(approximations: Sequence[Approximation], verdicts: Iterable[Verdict]) -> list[str]:
    """Return the options that may decide those verdicts that are undecided, each once, the first unknown first."""
    found: dict[str, None] = {}
    for each in verdicts:
        if isinstance(each, Undecided):
            found |= dict.fromkeys(_remedies(approximations, each))
    return list(found)


def descriptions(unknown: Iterable[Approximation]) -> list[str]:
    """Return the ways to say what some parts of the program mean, each once."""
    found: dict[str, None] = {}
    for each in unknown:
        if each.cause is MissingSemantics.NO_RULE:
            found[f"describe {each.op}: --library FILE.mlir or --rules FILE.py"] = None
        elif each.cause is MissingSemantics.NO_BODY:
            found["state what the called function promises: shapesolve.ensures at its declaration"] = None
    return list(found)


def data_remedies(found: Iterable[CheckedObligation], options: Sequence[str] = ()) -> list[str]:
    """Return the ways out of claims that depend on data alone, which no statement about sizes decides.

    Args:
        found: Claims.
        options: The options that state what all of them need of data; none if some need more.
    """
    about_data = [each.obligation for each in found if each.is_about_data]
    if not about_data:
        return []
    accepted = "if callers guarantee it: check --fail-on refuted leaves it out of the exit code"
    if options:
        accepted = f"if callers guarantee it: {' '.join(options)}"
    return [GUARDED_AT_RUN_TIME, accepted] if any(map(_has_scalar_operands, about_data)) else [accepted]


def remedies_of_withdrawn(verdicts: Iterable[Verdict]) -> list[str]:
    """Return the way out of claims of which another one may fail first."""
    undecided = [each for each in verdicts if isinstance(each, Undecided) and not each.unmodeled]
    is_any = any(each.candidate is not None and each.reason_kind is UndecidedReason.APPROXIMATION for each in undecided)
    return ["ask what is enough for all of them together: shapesolve contract"] if is_any else []


def _has_scalar_operands(obligation: Obligation) -> bool:
    """Return whether a guard can be put before an operation: it takes the number that its claim is about by itself."""
    types = [each.type for each in obligation.op.operands]
    return obligation.kind is Kind.UB and any(isinstance(each, ScalarType) and each.kind != "float" for each in types)


def _remedies(approximations: Sequence[Approximation], verdict: Undecided) -> list[str]:
    if verdict.reason_kind is not UndecidedReason.APPROXIMATION:
        remedy = REMEDIES.get(verdict.reason_kind)
        return [remedy] if remedy else []
    described = descriptions(unknowns(approximations, verdict))
    is_about_data = all(isinstance(each, DataDependence) for each in verdict.unmodeled)
    return described if described or is_about_data else [REMEDIES[UndecidedReason.NOTHING_FOUND]]
