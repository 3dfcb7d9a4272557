"""Comparison of verdicts with runs of the interpreter.

A program is checked, pruned and compared with a mutated copy of itself; then it is run on many vectors. Violations,
whatever the program is:

- it fails at an operation all of whose claims were proved, or that raised no claim at all;
- it reaches an operation that is unreachable, or passes one that always fails;
- the sizes of a refutation do not fail at the operation that it is about;
- the pruned program behaves differently from the original where that is defined, or is not proved to refine it;
- the pruned program, or the mutated one, is proved to refine the original and does not, or the pruned one is refuted.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fuzz import (
    buffer_ops,
    conditions,
    control_ops,
    float_ops,
    image_ops,
    integer_ops,
    linalg_ops,
    shape_ops,
    slice_ops,
    stablehlo_ops,
    tosa_ops,
    vector_ops,
)
from fuzz.machine import (
    BROKEN_FLAG,
    LARGEST,
    LICENCE,
    Array,
    Ending,
    Licence,
    Machine,
    Place,
    Run,
    Unsupported,
    compiled,
)
from fuzz.stated_ops import admitted
from fuzz.vectors import fresh, vectors

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.inference import contracts_of_program
from shapesolve.errors import InputError
from shapesolve.execution.execution import ScalarInput, arguments
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.preconditions.jax_assertions import asserted_at_entries
from shapesolve.pruning.prune import prune_program
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.rewriting.checks import RewriteError
from shapesolve.solver.verdicts import Proved, Refuted, Unreachable

OPERATIONS = (
    buffer_ops,
    control_ops,
    float_ops,
    image_ops,
    integer_ops,
    linalg_ops,
    shape_ops,
    slice_ops,
    stablehlo_ops,
    tosa_ops,
    vector_ops,
)
"""Modules whose import registers their operations with the interpreter."""

NOT_EXECUTED = Options(execute=False)


@dataclass(frozen=True)
class Diagnostic:
    """A defect. ``kind`` is one of few words; ``details`` is for people."""

    kind: str
    function: str
    details: str


@dataclass(frozen=True)
class Plan:
    """The plan for a program. ``seed`` chooses the vectors, ``changed`` is a text to compare it with."""

    seed: int = 0
    count: int = 24
    prune: bool = True
    refine: bool = False
    changed: str | None = None
    contract: bool = False


@dataclass
class Tally:
    """Counts of what was done."""

    counts: Counter[str] = field(default_factory=Counter[str])

    def add(self, what: str, number: int = 1) -> None:
        """Count something."""
        self.counts[what] += number


@dataclass
class _Examined:
    """A function of a program, the vectors that it was run on, and the outcomes."""

    report: FunctionReport
    name: str
    tried: list[list[Any]]
    runs: list[Run]


def examine(text: str, plan: Plan, tally: Tally | None = None) -> list[Diagnostic]:
    """Everything that must not be and is. Raises InputError and MLIR's errors for a text that is not valid."""
    tally = tally or Tally()
    program = read_text(text)
    # What assertions at an entry say counts as an assumption: they are asked only where it is distrusted.
    options = replace(NOT_EXECUTED, distrust=bool(asserted_at_entries(program).asserted))
    report = check_program(program, options)
    watched = {_place(each) for each in report.checked_obligations if _is_watched(each)}
    machine = compiled(text, watched)
    found: list[Diagnostic] = []
    done: list[_Examined] = []
    chance = random.Random(plan.seed)
    for function in report.functions:
        examined = _run(function, machine, chance, plan.count, tally, found)
        done.append(examined)
        found += _refutations(program, function, machine, tally)
        found += _contradictions(examined)
        found += _conditions(examined, tally)
    if plan.contract:
        found += _contracts(program, options, done, tally)
    if plan.prune:
        found += _pruned(program, machine, done, plan, tally)
    if plan.changed is not None:
        found += _changed(program, machine, done, plan.changed, tally)
    return found


def _place(checked_obligation: CheckedObligation) -> Place:
    where = checked_obligation.obligation.op.location
    return where.line, where.column


def _is_watched(checked_obligation: CheckedObligation) -> bool:
    verdict = checked_obligation.verdict
    return isinstance(verdict, Unreachable) or (isinstance(verdict, Refuted) and verdict.always)


def _run(
    function: FunctionReport, machine: Machine, chance: random.Random, count: int, tally: Tally, found: list[Diagnostic]
) -> _Examined:
    types = machine.functions[function.name].argument_types
    tried = [each for each in vectors(types, chance, count, large=True) if admitted(machine, function.name, each)]
    unreachable = _all_of(function, Unreachable) & _walked_once(function)
    always = {
        _place(each)
        for each in function.checked_obligations
        if isinstance(each.verdict, Refuted) and each.verdict.always and _is_single(function, each)
    } & _walked_once(function)
    runs: list[Run] = []
    for vector in tried:
        run = machine.run(function.name, fresh(vector))
        runs.append(run)
        tally.add(f"vectors {run.ending.value}")
        if run.ending is Ending.OUTSIDE:
            continue
        for place in machine.reached & unreachable:
            found.append(Diagnostic("unreachable is reached", function.name, f"{place} at {_spelled(vector)}"))
        for place in machine.reached & always:
            if run.place != place:
                found.append(Diagnostic("always fails and did not", function.name, f"{place} at {_spelled(vector)}"))
    tally.add("programs")
    return _Examined(function, function.name, tried, runs)


def _rests_on_what_is_not_proved(function: FunctionReport) -> bool:
    """Return whether functions are called of which nobody knows what they need."""
    return any(not each.requirements_known for each in function.trace.approximations)


def _walked_once(function: FunctionReport) -> set[Place]:
    """The places of operations that are walked once: of two calls, one may raise nothing where the other cannot be."""
    walked = function.trace.reached
    return {(op.location.line, op.location.column) for op, times in walked.items() if times == 1}


def _is_single(function: FunctionReport, checked_obligation: CheckedObligation) -> bool:
    return sum(_place(each) == _place(checked_obligation) for each in function.checked_obligations) == 1


def _all_of(function: FunctionReport, *kinds: type[Any]) -> set[Place]:
    """Places whose claims all have one of these verdicts."""
    places = {_place(each) for each in function.checked_obligations}
    return places - {_place(each) for each in function.checked_obligations if not isinstance(each.verdict, kinds)}


def _contradictions(examined: _Examined) -> list[Diagnostic]:
    function = examined.report
    safe = _all_of(function, Proved, Unreachable)
    raised = {_place(each) for each in function.checked_obligations}
    unchecked = {(each.location.line, each.location.column) for each in function.unchecked}
    found: list[Diagnostic] = []
    for vector, run in zip(examined.tried, examined.runs, strict=True):
        if run.ending not in (Ending.ABORTED, Ending.UNDEFINED):
            continue
        details = f"{run.ending.value} at {run.place} ({run.words}) for {_spelled(vector)}"
        if run.place in unchecked:
            continue  # the report says that it may fail
        if run.place in safe:
            found.append(Diagnostic("proved and fails", function.name, details))
        elif run.place not in raised and not _rests_on_what_is_not_proved(function):
            found.append(Diagnostic("fails without a claim", function.name, details))
    return found


def _conditions(examined: _Examined, tally: Tally) -> list[Diagnostic]:
    """Check that a function is safe exactly where its report says so."""
    exact = conditions.exact_conditions(examined.report)
    if exact is None:
        return []
    tally.add("safe exactly when")
    found: list[Diagnostic] = []
    for vector, run in zip(examined.tried, examined.runs, strict=True):
        details = conditions.broken(examined.report, exact, vector, run)
        if details:
            found.append(Diagnostic("safe exactly when is wrong", examined.name, f"{details} for {_spelled(vector)}"))
    return found


def _contracts(program: Program, options: Options, done: Sequence[_Examined], tally: Tally) -> list[Diagnostic]:
    """Check that a function returns where its contract holds, and nowhere else if the contract is exact."""
    found: list[Diagnostic] = []
    by_name = {examined.name: examined for examined in done}
    for contract in contracts_of_program(program, options).functions:
        kind = (
            "hopeless"
            if contract.hopeless
            else "exact"
            if contract.exact
            else "enough"
            if contract.sufficient
            else "open"
        )
        tally.add(f"contracts {kind}")
        examined = by_name[contract.name]
        for vector, run in zip(examined.tried, examined.runs, strict=True):
            details = conditions.contradicts(contract, vector, run)
            if details:
                found.append(Diagnostic("contract is wrong", contract.name, f"{details} for {_spelled(vector)}"))
    return found


def _refutations(program: Program, function: FunctionReport, machine: Machine, tally: Tally) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    types = machine.functions[function.name].argument_types
    for each in function.checked_obligations:
        tally.add(f"verdicts {each.verdict.word}")
        if not isinstance(each.verdict, Refuted):
            continue
        given = arguments(function.trace, each.verdict.sizes)
        if isinstance(given, str):
            continue
        if any(_is_too_large(one, type) for one, type in zip(given, types, strict=True)):
            tally.add("refutations too large")
            continue
        vector = [_from_input(one, type) for one, type in zip(given, types, strict=True)]
        run = machine.run(function.name, fresh(vector))
        if run.ending is Ending.OUTSIDE:
            tally.add("refutations outside")
            continue
        tally.add("refutations replayed")
        if run.place != _place(each) and not _waits(run, function) and not _left_open(program, function, each, tally):
            details = (
                f"{each.obligation.op.name} {each.obligation.clause} at {_place(each)} for {_spelled(vector)}: {run}"
            )
            found.append(Diagnostic("refuted and does not fail", function.name, details))
    return found


def _left_open(program: Program, function: FunctionReport, checked_obligation: CheckedObligation, tally: Tally) -> bool:
    """Return whether a refutation is taken back when it is executed, as it is unless somebody says not to."""
    again = check_program(program, Options(functions=(function.name,)))
    (same,) = (
        each.verdict
        for each in again.checked_obligations
        if each.obligation.identity == checked_obligation.obligation.identity
    )
    taken_back = not isinstance(same, Refuted)
    tally.add("refutations that execution takes back", taken_back)
    return taken_back


def _waits(run: Run, function: FunctionReport) -> bool:
    """An assertion that only makes a witness is no barrier: what does not use it may fail before."""
    there = [each for each in function.checked_obligations if _place(each) == run.place]
    return any(not each.obligation.is_barrier for each in there)


def _is_too_large(given: Any, type: Any) -> bool:
    """Return whether an argument holds more integers than are followed."""
    return not isinstance(given, ScalarInput) and buffer_ops.holds_integers(type) and math.prod(given.extents) > LARGEST


def _from_input(given: Any, type: Any) -> Any:
    if isinstance(given, ScalarInput):
        return given.value
    if not buffer_ops.holds_integers(type):
        return Array(given.extents)
    count = Array(given.extents).strides
    size = given.extents[0] * count[0] if given.extents else 1
    return Array(given.extents, list(given.values) if given.values is not None else [1] * size)


def _spelled(vector: Sequence[Any]) -> str:
    return ", ".join(f"{each.shape}{each.data or ''}" if isinstance(each, Array) else str(each) for each in vector)


# Other programs -------------------------------------------------------------------------------------------------------


def _pruned(
    program: Program, original: Machine, done: Sequence[_Examined], plan: Plan, tally: Tally
) -> list[Diagnostic]:
    tally.add("modules pruned")
    try:
        result = prune_program(program, NOT_EXECUTED)
    except RewriteError as refused:
        return [Diagnostic("pruned is refused", "", str(refused))]
    tally.add("checks removed", len(result.removed))
    if not result.removed:
        return []
    machine = compiled(result.text)
    found: list[Diagnostic] = []
    for examined in done:
        tally.add("pruned programs")
        for vector, run in zip(examined.tried, examined.runs, strict=True):
            if run.ending in (Ending.RETURNED, Ending.ABORTED):
                other = machine.run(examined.name, fresh(vector))
                if other.ending is not Ending.OUTSIDE and other.says != run.says:
                    details = f"{_spelled(vector)}: {run} and pruned {other}"
                    found.append(Diagnostic("pruned differs", examined.name, details))
            elif run.ending is Ending.UNDEFINED:
                found += _under_licence(examined.name, vector, original, machine, tally)
    if plan.refine:
        for comparison in refine_programs(program, read_text(result.text), NOT_EXECUTED):
            tally.add(f"refinements of pruned {comparison.word}")
            if comparison.refuted:
                name = comparison.source.trace.function.name
                found.append(Diagnostic("pruned does not refine", name, comparison.refuted[0].question))
    return found


def _under_licence(name: str, vector: list[Any], original: Machine, pruned: Machine, tally: Tally) -> list[Diagnostic]:
    """A check that stands behind undefined behavior is not removed because of it, whatever a compiler makes of it."""
    found: list[Diagnostic] = []
    for licence in (Licence.COMPUTED, Licence.DECLARED):
        LICENCE.chosen, LICENCE.used = licence, False
        try:
            run, other = (each.run(name, fresh(vector)) for each in (original, pruned))
        finally:
            LICENCE.chosen = Licence.STOP
        if run.ending not in (Ending.RETURNED, Ending.ABORTED) or other.ending is Ending.OUTSIDE:
            continue
        tally.add("vectors behind undefined behavior")
        if run.says != other.says:
            details = f"{licence.name}, {_spelled(vector)}: {run} and pruned {other}"
            found.append(Diagnostic("pruned differs behind undefined behavior", name, details))
    return found


def _changed(
    program: Program, original: Machine, done: Sequence[_Examined], changed: str, tally: Tally
) -> list[Diagnostic]:
    try:
        target = read_text(changed)
        machine = compiled(changed)
    except (InputError, Unsupported):
        tally.add("changes refused")
        return []
    found: list[Diagnostic] = []
    by_name = {examined.name: examined for examined in done}
    machines = (original, machine)
    for comparison in refine_programs(program, target, NOT_EXECUTED):
        name = comparison.source.trace.function.name
        tally.add(f"refinements {comparison.word}")
        found += _different(comparison, machines, tally)
        if comparison.word != "proved":
            continue
        examined = by_name[name]
        for vector, run in zip(examined.tried, examined.runs, strict=True):
            if run.ending not in (Ending.RETURNED, Ending.ABORTED):
                continue
            other = machine.run(name, fresh(vector))
            if other.ending is Ending.OUTSIDE or other.words == BROKEN_FLAG:
                continue  # a broken flag is poison, which nothing may use
            if not _refines(run, other, machine.functions[name].result_types):
                found.append(Diagnostic("proved to refine and differs", name, f"{_spelled(vector)}: {run} and {other}"))
    return found


def _refines(source: Run, target: Run, types: Sequence[Any]) -> bool:
    """Return whether both stop at a check, or both return the same sizes and integers."""
    if source.ending is not target.ending:
        return False
    return all(
        mine == theirs
        for mine, theirs, type in zip(source.results, target.results, types, strict=False)
        if isinstance(mine, tuple) or re.fullmatch(r"index|i\d+", str(type))
    )


def _different(comparison: Refinement, machines: tuple[Machine, Machine], tally: Tally) -> list[Diagnostic]:
    """Sizes for which two programs are said to differ, and do not."""
    found: list[Diagnostic] = []
    trace, name = comparison.source.trace, comparison.source.trace.function.name
    types = machines[0].functions[name].result_types
    if any(hasattr(each, "shape") and buffer_ops.holds_integers(each) for each in types):
        return found  # contents count as well, and are not compared here
    for finding in comparison.refuted:
        given = arguments(trace, finding.verdict.sizes) if isinstance(finding.verdict, Refuted) else ""
        if isinstance(given, str):
            continue
        inputs = machines[0].functions[name].argument_types
        vector = [_from_input(one, type) for one, type in zip(given, inputs, strict=True)]
        ours, theirs = (each.run(name, fresh(vector)) for each in machines)
        if Ending.OUTSIDE in (ours.ending, theirs.ending) or BROKEN_FLAG in (ours.words, theirs.words):
            continue
        tally.add("refuted refinements replayed")
        if ours.ending is Ending.UNDEFINED or _refines(ours, theirs, types):
            found.append(Diagnostic("refuted to refine and does", name, f"{_spelled(vector)}: {ours} and {theirs}"))
    return found
