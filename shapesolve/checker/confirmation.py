"""Confirmation of refutations and candidates by execution.

A counterexample whose execution shows nothing stays one: undefined behavior can be silent. Two things change a verdict.
An execution that contradicts the prediction makes it undecided: a failure that must be seen and was not, or one that
came before although everything there had been shown to hold. A candidate (sizes that fail unless something unmodeled
prevents it) is refuted where its execution fails at the very operation whatever the contents of the tensors are. Where
the sizes alone falsify its claim, contents with which the program gets there are enough: requirements on earlier
contents must not hide what is wrong with the sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from shapesolve.checker.checked_obligation import CheckedObligation, Confirmation, Shown
from shapesolve.checker.execution_evidence import Runs, fails_at, limits
from shapesolve.checker.run_verdicts import Arguments, Case, RunVerdicts, first_failure
from shapesolve.checker.size_dependence import SizeDependence
from shapesolve.deadline import NEVER, Deadline
from shapesolve.execution.execution import Execution, ExecutionLimits, Outcome, Place, arguments
from shapesolve.execution.protocol import execution_request
from shapesolve.execution.runner import ExecutionRequest, Work, run_to_completion
from shapesolve.ir.program import Operation, Program, ShapedType
from shapesolve.records import value_record
from shapesolve.solver.models import in_bounds
from shapesolve.solver.verdicts import Refuted, Undecided
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import holds_if_determined
from shapesolve.symbolic.named_sizes import NamedSizes, Size
from shapesolve.trace.events import Kind, Trace

MOST_EXECUTED = 16
"""Largest number of different counterexamples of one function that are executed."""

CUT_ABOVE = 400
"""Number of operations above which a function is lowered only up to the last one that may fail.

A shorter function is cut off only where it cannot be lowered as a whole.
"""

MOST_BEFORE_CANDIDATE = 2_000
"""Largest number of preceding operations with which a candidate is executed.

For a model of twelve layers lowering took 20 seconds and a gigabyte, mostly to show that the program goes on.
"""

MOST_RANK = 32
"""The largest rank of an argument that is executed: lowering takes a time that grows with its square and more."""


def confirmed(
    program: Program, trace: Trace, checked_obligations: tuple[CheckedObligation, ...], deadline: Deadline = NEVER
) -> tuple[CheckedObligation, ...]:
    """Return the checked obligations, confirmed or withdrawn by executions until the deadline."""
    return run_to_completion(confirmation_work(program, trace, checked_obligations, deadline))


def confirmation_work(
    program: Program,
    trace: Trace,
    checked_obligations: tuple[CheckedObligation, ...],
    deadline: Deadline = NEVER,
    *,
    ahead: bool = False,
) -> Work[tuple[CheckedObligation, ...]]:
    """Confirm the checked obligations as work that lets others proceed while it waits.

    Args:
        ahead: Execute what will probably be needed next at the same time; changes nothing but the time.
    """
    return _Confirmer(program, trace, checked_obligations, deadline).run(ahead=ahead)


@value_record
class _How:
    """Mode of execution: with runtime checks of operations or not, on tensors full of zeros or not."""

    runtime_checks: bool
    zero: bool = False


_PLAIN, _CHECKED = _How(runtime_checks=False), _How(runtime_checks=True)


class _Confirmer:
    """Executes the counterexamples and candidates of one function and revises the verdicts."""

    def __init__(
        self, program: Program, trace: Trace, checked_obligations: tuple[CheckedObligation, ...], deadline: Deadline
    ) -> None:
        self._program = program
        self._deadline = deadline
        self._trace = trace
        self._checked_obligations = checked_obligations
        self._cases: dict[CheckedObligation, Case] = {}
        for each in checked_obligations:
            sizes = _sizes(each)
            if sizes is not None:
                why_not = _too_deep(trace) or _too_late(each, trace)
                given = why_not or arguments(trace, sizes.sizes, ExecutionLimits().memory_limit_bytes)
                self._cases[each] = Case(each, sizes, given)
        executed = [case for case in self._cases.values() if not isinstance(case.arguments, str)]
        self._first, self._latest = _suspect_range(trace, [case.op for case in executed])
        self._last = self._latest if len(trace.reached) > CUT_ABOVE else None
        self._runs: dict[Arguments, Runs] = {}
        self._zero_filled: dict[Arguments, Execution] = {}
        self._verdicts = RunVerdicts(program, trace, checked_obligations)

    def run(self, *, ahead: bool) -> Work[tuple[CheckedObligation, ...]]:
        yield from self._execute(ahead=ahead)
        yield from self._execute_trials()
        return tuple(
            self._answer(self._cases[each]) if each in self._cases else each for each in self._checked_obligations
        )

    def _answer(self, case: Case) -> CheckedObligation:
        call = case.arguments
        if isinstance(call, str):
            return replace(case.checked_obligation, confirmation=Confirmation(Shown.NOT_EXECUTED, call))
        if call not in self._runs:
            text = f"only the first {MOST_EXECUTED} counterexamples of a function are executed"
            return replace(case.checked_obligation, confirmation=Confirmation(Shown.NOT_EXECUTED, text))
        return self._verdicts.answer(case, call, self._runs[call], self._zero_filled.get(call))

    def _execute(self, *, ahead: bool) -> Work[None]:
        refutations = [case for case in self._cases.values() if not case.is_candidate]
        candidates = [case for case in self._cases.values() if case.is_candidate]
        chosen = list(dict.fromkeys(case.arguments for case in (*refutations, *candidates)))
        calls = [each for each in chosen if not isinstance(each, str)][:MOST_EXECUTED]
        early = [call for call in calls if self._is_likely_to_need_checks(call)] if ahead else []
        plain, checked = yield from self._called((calls, _PLAIN), (early, _CHECKED))
        if self._last is None and all(each.outcome is Outcome.NOT_EXECUTABLE for each in plain.values()):
            plain, checked = (yield from self._cut_off(calls)) or plain, {}
        cut_after = self._last.location.line if self._last else 0
        self._runs = {call: Runs(run, cut_after=cut_after) for call, run in plain.items()}
        unclear = [call for call in calls if self._needs_checks(call)]
        if any(each.outcome is Outcome.TIMED_OUT for each in checked.values()):
            checked = {}  # after that others are not called any more, which must not depend on what was asked together
        (more,) = yield from self._called(([call for call in unclear if call not in checked], _CHECKED))
        for call in unclear:
            self._runs[call] = replace(self._runs[call], checked=({**checked, **more})[call])
        for runtime_checks in (False, True):
            again = [
                call
                for call, runs in self._runs.items()
                if (first := first_failure(runs)) is not None
                and first.with_runtime_checks is runtime_checks
                and any(case.arguments == call and self._may_be_shown(case, first) for case in candidates)
            ]
            (found,) = yield from self._called((again, _How(runtime_checks, zero=True)))
            self._zero_filled.update(found)

    def _execute_trials(self) -> Work[None]:
        """Execute the function at a few other small sizes where the candidates' own runs showed nothing.

        A candidate at whose operation such a run fails is replaced by the sizes of that run. What contents decide is
        left out: a run would show a failure for those that were passed, no more.
        """
        still_open = [case for case in self._cases.values() if self._showed_nothing(case)]
        if still_open:
            dependence = SizeDependence(self._program, self._trace.function)
            still_open = [case for case in still_open if dependence.is_decided_by_sizes(case.op)]
        if not still_open:
            return
        sizes: dict[Arguments, NamedSizes] = {}
        for each in trial_sizes(self._trace, still_open[0].sizes.sizes):
            call = arguments(self._trace, each, ExecutionLimits().memory_limit_bytes)
            if not isinstance(call, str) and call not in self._runs:
                sizes.setdefault(call, each)
        (found,) = yield from self._called((list(sizes), _CHECKED))
        for case in still_open:
            call = next((call for call, run in found.items() if fails_at(run, case.op)), None)
            if call is not None:
                shown = Refuted("execution", sizes[call], condition=case.sizes.condition)
                self._cases[case.checked_obligation] = replace(
                    case, sizes=shown, arguments=call, is_decided_by_sizes=True
                )
        failing = [each for each in found if any(case.arguments == each for case in self._cases.values())]
        plain, zero = yield from self._called((failing, _PLAIN), (failing, _How(runtime_checks=True, zero=True)))
        cut_after = self._last.location.line if self._last else 0
        self._runs.update({call: Runs(plain[call], found[call], cut_after=cut_after) for call in failing})
        self._zero_filled.update(zero)

    def _showed_nothing(self, case: Case) -> bool:
        """Return whether a candidate's own run came to an end, and did not fail at its operation."""
        runs = None if isinstance(case.arguments, str) else self._runs.get(case.arguments)
        first = None if runs is None or not case.is_candidate else first_failure(runs)
        ended = first is not None and first.outcome in (Outcome.RETURNED, Outcome.ABORTED)
        return ended and not fails_at(first, case.op)

    def _cut_off(self, calls: Sequence[Arguments]) -> Work[dict[Arguments, Execution]]:
        """Execute the function up to the last operation in question: what follows may prevent the lowering.

        Returns nothing if there is no such operation, or if that part cannot be lowered either.
        """
        self._last = self._latest
        if self._last is None:
            return {}
        (found,) = yield from self._called((calls, _PLAIN))
        if any(each.outcome is not Outcome.NOT_EXECUTABLE for each in found.values()):
            return found
        self._last = None
        return {}

    def _may_be_shown(self, case: Case, first: Execution) -> bool:
        """Return whether other tensor contents would tell more than the first execution did."""
        stopped = first.outcome in (Outcome.ABORTED, Outcome.CRASHED)
        if fails_at(first, case.op) or (stopped and self._verdicts.is_certain(case)):
            return True
        return first.outcome in (Outcome.RETURNED, Outcome.ABORTED) and self._verdicts.is_of_sizes(case)

    def _needs_checks(self, call: Arguments) -> bool:
        plain = self._runs[call].plain
        return plain.outcome is not Outcome.NOT_EXECUTABLE and any(
            case.is_candidate or not fails_at(plain, case.op) for case in self._cases.values() if case.arguments == call
        )

    def _is_likely_to_need_checks(self, call: Arguments) -> bool:
        return any(
            case.is_candidate or case.checked_obligation.obligation.kind is not Kind.CHECK
            for case in self._cases.values()
            if case.arguments == call
        )

    def _called(self, *batches: tuple[Sequence[Arguments], _How]) -> Work[list[dict[Arguments, Execution]]]:
        """Return the executions of each batch of calls; all batches run at the same time."""
        wanted = [self._wanted(calls, how) for calls, how in batches if calls]
        found = iter((yield wanted) if wanted else ())
        return [dict(zip(calls, next(found), strict=True)) if calls else {} for calls, _ in batches]

    def _wanted(self, calls: Sequence[Arguments], how: _How) -> ExecutionRequest:
        asked = execution_request(
            self._program.executable,
            self._trace.function.name,
            calls,
            limits(len(self._trace.positions)),
            runtime_checks=how.runtime_checks,
            integer_fill=0 if how.zero else 1,
            zero_floats=how.zero,
            last=_place_of(self._last),
            first=_place_of(self._first),
        )
        return ExecutionRequest(asked, self._deadline)


def _too_deep(trace: Trace) -> str:
    """Return why nothing is executed for an argument of very high rank (a memref descriptor grows with it), or ""."""
    types = (argument.type for argument in trace.function.arguments)
    ranks = (len(each.extents) for each in types if isinstance(each, ShapedType) and each.extents is not None)
    return f"an argument has a rank above {MOST_RANK}" if max(ranks, default=0) > MOST_RANK else ""


def _too_late(checked_obligation: CheckedObligation, trace: Trace) -> str:
    """Return why a candidate far into the function is not executed, or ""."""
    before = checked_obligation.obligation.op.number - trace.function.operation.number
    if not isinstance(checked_obligation.verdict, Undecided) or before <= MOST_BEFORE_CANDIDATE:
        return ""
    return f"it only may fail, and more than {MOST_BEFORE_CANDIDATE:,} operations come before it"


def _sizes(checked_obligation: CheckedObligation) -> Refuted | None:
    match checked_obligation.verdict:
        case Refuted() as refuted:
            return refuted
        case Undecided(candidate=candidate, can_be_executed=True):
            return candidate
        case _:
            return None


def _suspect_range(trace: Trace, ops: Sequence[Operation]) -> tuple[Operation | None, Operation | None]:
    """Return the first and the last operation of a function's body that are, or hold, one of ``ops``.

    Loops before the first are left out where nothing uses their results; after the last a long function is cut off, and
    one that cannot be lowered as a whole. None where that may change whether one of ``ops`` fails: the function has
    several blocks; the first is None where it calls what may fail, too.
    """
    body = trace.function.body
    if not ops or body is None or len(body.blocks) != 1:
        return None, None
    within = {inner: op for op in body.blocks[0].operations for inner in op.walk()}
    if any(op not in within for op in ops):  # functions that are called can be written in place of their calls
        order = {op: number for number, op in enumerate(trace.reached)}
        return None, max(ops, key=lambda op: order.get(op, -1))
    numbered = sorted((within[op] for op in ops), key=lambda each: each.number)
    return numbered[0], numbered[-1]


def _place_of(op: Operation | None) -> Place | None:
    """Return the line and column of an operation."""
    return None if op is None else (op.location.line, op.location.column)


MOST_TRIED = 24
"""Largest number of further calls of one function."""

_EXTENTS = (1, 2, 3, 0, 4, 5)
_SCALARS = (1, 2, 3, 0, 4, 8)
_SHAPES = ((2,), (2, 2), (3, 2), (1,), (2, 3, 4), (0,), (3, 1), (1, 2, 0), ())
_MOST_DRAWN = 400
_SEED = 0


def trial_sizes(trace: Trace, known: Mapping[Variable, Size]) -> list[NamedSizes]:
    """Return small sizes that the assumptions on the inputs allow, in the order in which counterexamples are preferred.

    Args:
        trace: The trace of the function.
        known: Sizes that satisfy the assumptions, for what is not chosen here.
    """
    found: dict[str, NamedSizes] = {}
    for chosen in _chosen(trace):
        sizes = NamedSizes({**known, **chosen})
        if all(holds_if_determined(fact.formula, sizes) is True for fact in trace.assumptions):
            found[str(sizes)] = sizes
            if len(found) >= MOST_TRIED:
                break
    return sorted(found.values(), key=_order)


def _chosen(trace: Trace) -> Iterator[dict[Variable, Size]]:
    """Yield sizes for the inputs: all extents, all scalars and all shapes alike, then each of its own."""
    passed = variables_in(each for each in trace.inputs if isinstance(each, Dim))
    kinds: dict[Variable, tuple[Size, ...]] = {
        each: _SHAPES if isinstance(each, ShapeSymbol) else _SCALARS if each in passed else _EXTENTS
        for each in trace.input_variables
    }
    choices = {each: tuple(size for size in kind if _is_within(each, size)) for each, kind in kinds.items()}
    choices = {each: sizes for each, sizes in choices.items() if sizes}
    distinct = list(dict.fromkeys(kinds.values()))
    for alike in sorted(product(*(range(len(each)) for each in distinct)), key=lambda each: max(each, default=0)):
        number = dict(zip(distinct, alike, strict=True))
        yield {each: sizes[number[kinds[each]] % len(sizes)] for each, sizes in choices.items()}
    dice = Random(_SEED)
    for _ in range(_MOST_DRAWN if len(choices) > 1 else 0):
        yield {each: dice.choice(sizes) for each, sizes in choices.items()}


def _is_within(variable: Variable, size: Size) -> bool:
    return not isinstance(size, int) or in_bounds(variable, size)


def _order(sizes: Mapping[Variable, Size]) -> tuple[int, int, int, int]:
    """Return what makes sizes preferred: none below 2, or else below 1, then the least rank, maximum, and sum."""
    shapes = [each for each in sizes.values() if isinstance(each, tuple)]
    numbers = [abs(size) for each, size in sizes.items() if isinstance(size, int) and each.upper != 1]
    numbers += [each for one in shapes for each in one]
    return -min((2, *numbers)), sum(map(len, shapes)), max(numbers, default=0), sum(numbers)
