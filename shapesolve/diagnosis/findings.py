"""Findings: refuted, undecided and unreachable obligations, grouped by their cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.enormous_sizes import EnormousSizes
from shapesolve.checker.report import FunctionReport
from shapesolve.diagnosis.data_requirements import DataRequirement
from shapesolve.records import record
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason, Unreachable, Verdict
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction
from shapesolve.trace.events import Fact


@record
class Finding:
    """Obligations with the same verdict for the same reason.

    Attributes:
        checked_obligations: In program order; never empty.
        is_enormous: Whether it takes sizes that 32 bits hardly hold; mostly, integers wrap around there.
        data: The requirement on data that decides it, if nothing else decides and it was requested.
    """

    checked_obligations: tuple[CheckedObligation, ...]
    is_enormous: bool = False
    data: DataRequirement | None = None

    def __repr__(self) -> str:
        obligation = self.first.obligation
        more = f" and {len(self.others)} more" if self.others else ""
        return f"<Finding {obligation.location}: {obligation.op.name}: {self.verdict}{more}>"

    @property
    def first(self) -> CheckedObligation:
        return self.checked_obligations[0]

    @property
    def others(self) -> tuple[CheckedObligation, ...]:
        return self.checked_obligations[1:]

    @property
    def verdict(self) -> Verdict:
        return self.first.verdict

    @property
    def proved_where(self) -> Formula | None:
        """The condition on the inputs under which all of its obligations are proved, if that is known."""
        verdicts = (each.verdict for each in self.checked_obligations)
        limits = [each.limit for each in verdicts if isinstance(each, Undecided) and each.limit is not None]
        return conjunction(each.condition for each in limits) if len(limits) == len(self.checked_obligations) else None


def findings(function: FunctionReport) -> tuple[Finding, ...]:
    """Group everything in a function that is not proved; refuted ones first, then undecided, then unreachable.

    Those that take enormous sizes come last, in the same order.
    """
    groups, contradictions = _Groups(), dict[Unreachable, frozenset[Fact]]()
    enormous, is_enormous = EnormousSizes(function.trace), dict[CheckedObligation, bool]()
    for checked_obligation in function.checked_obligations:
        if not isinstance(checked_obligation.verdict, Proved):
            takes = is_enormous[checked_obligation] = enormous.are_taken_by(checked_obligation.verdict)
            groups.add(checked_obligation, _keys(checked_obligation, contradictions, takes_enormous_sizes=takes))
    found = [Finding(tuple(group), is_enormous[group[0]]) for group in groups.joined()]
    order = (Refuted, Undecided, Unreachable)
    return tuple(sorted(found, key=lambda each: (each.is_enormous, order.index(type(each.verdict)))))


def proved_by_op(function: FunctionReport) -> Counter[str]:
    """Count the proved obligations of each operation."""
    return Counter(j.obligation.op.name for j in function.checked_obligations if isinstance(j.verdict, Proved))


def proved_by_strategy(function: FunctionReport) -> Counter[str]:
    """Count the obligations that each strategy of the solver proved."""
    return Counter(j.verdict.strategy for j in function.checked_obligations if isinstance(j.verdict, Proved))


def stable_ids(function: FunctionReport) -> dict[CheckedObligation, str]:
    """Return an identifier of every checked obligation, unique in the function.

    One clause may make several claims at one operation; these get numbers.
    """
    seen: Counter[str] = Counter()
    named: dict[CheckedObligation, str] = {}
    for checked_obligation in function.checked_obligations:
        identity = checked_obligation.obligation.identity
        seen[identity] += 1
        named[checked_obligation] = identity if seen[identity] == 1 else f"{identity}.{seen[identity]}"
    return named


def _keys(
    checked_obligation: CheckedObligation,
    contradictions: dict[Unreachable, frozenset[Fact]],
    *,
    takes_enormous_sizes: bool,
) -> tuple[Hashable, ...]:
    """Return the keys of a checked obligation; obligations that share a key have one cause.

    Thousands may share a verdict that nothing gets there: the facts of each, which may be many, are kept.
    """
    obligation, verdict = checked_obligation.obligation, checked_obligation.verdict
    match verdict:
        case Refuted() | Undecided(reason_kind=UndecidedReason.ENORMOUS):
            # A function that fails for the arguments of two calls has two causes.
            call = obligation.calls[0].op if obligation.calls else None
            # Enormous sizes must not hide small ones.
            place = ("place", obligation.op, call, takes_enormous_sizes, checked_obligation.wraps)
            return ("claim", obligation.claim, call), ("place", obligation.op, obligation.clause, call), place
        case Undecided():
            if verdict.limit is not None:
                return (("limit", verdict.limit.most),)
            if verdict.candidate is not None:
                return (("approximation", verdict.reason),)
            return ("open", verdict.reason, obligation.claim), ("place", obligation.op, obligation.clause)
        case Unreachable():
            if verdict not in contradictions:
                contradictions[verdict] = frozenset(verdict.facts)
            return (("unreachable", contradictions[verdict]),)
        case Proved():
            return ()


class _Groups:
    """Union-find over obligations that share a key. Groups keep the order of their first members."""

    def __init__(self) -> None:
        self._parent: list[int] = []
        self._members: list[CheckedObligation] = []
        self._by_key: dict[Hashable, int] = {}

    def add(self, checked_obligation: CheckedObligation, keys: tuple[Hashable, ...]) -> None:
        number = len(self._members)
        self._members.append(checked_obligation)
        self._parent.append(number)
        for key in keys:
            other = self._root(self._by_key.setdefault(key, number))
            mine = self._root(number)
            self._parent[max(mine, other)] = min(mine, other)

    def _root(self, number: int) -> int:
        while self._parent[number] != number:
            self._parent[number] = self._parent[self._parent[number]]
            number = self._parent[number]
        return number

    def joined(self) -> list[list[CheckedObligation]]:
        groups: dict[int, list[CheckedObligation]] = {}
        for number, checked_obligation in enumerate(self._members):
            groups.setdefault(self._root(number), []).append(checked_obligation)
        return list(groups.values())
