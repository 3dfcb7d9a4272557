"""Test vectors: sizes that bring about the targets of a function, as few as a greedy cover needs, each verified."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import field, replace

from shapesolve.checker.check import check_function
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.obligation_checker import Progress
from shapesolve.checker.reference_runs import framework_results
from shapesolve.contracts.contract import FunctionContract
from shapesolve.contracts.export_conditions import with_export_conditions
from shapesolve.contracts.inference import contract_of
from shapesolve.errors import InputError
from shapesolve.execution.execution import Execution, Input, Outcome, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.frontends.levels import OWN
from shapesolve.frontends.model_run import Ended, ModelRun
from shapesolve.frontends.open import model_in
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.program import Function, Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import check_addressed, chosen
from shapesolve.records import record
from shapesolve.shape_functions.registries import library_notes
from shapesolve.simplification.simplify import condition_text
from shapesolve.solver import budgets
from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import Sizes, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, equal, negation
from shapesolve.symbolic.shapes import same_shape, shape, unranked
from shapesolve.test_generation.targets import MOST_TARGETS, Target, admitted, targets_of
from shapesolve.trace.events import Trace

_DEFAULT = 2
_LARGEST = 2**20
"""Larger sizes are no test."""
_MOST_BYTES = 2**28


class Expected(enum.Enum):
    """Expected result of a call, proved for its sizes."""

    RETURNS = "returns"
    FAILS = "fails"
    OPEN = "open"
    """Unknown: the result depends on data, or on an operation that is not modeled."""
    NOT_EXPORTED = "not_exported"
    """The export does not admit these sizes: only the model itself tells."""


@record
class TestVector:
    """Sizes to test at.

    Attributes:
        sizes: A value for every variable of the inputs.
        arguments: The arguments of these sizes.
        covers: The targets that they bring about.
        expected: The expected result.
        failing: The first claim that fails, where one does.
        executed: What an execution did, "" without one.
        model_run: The run of a model by its own framework, None without one.
        disagrees: Whether the execution did something else than expected.
    """

    sizes: Sizes
    arguments: tuple[Input, ...]
    covers: tuple[Target, ...]
    expected: Expected
    failing: CheckedObligation | None = None
    executed: str = ""
    model_run: ModelRun | None = None
    disagrees: bool = False

    __test__ = False

    @property
    def call(self) -> str:
        """An expression of Python that calls the model, "" without one."""
        run = self.model_run
        return "" if run is None or run.ended is Ended.NOT_RUN else run.call


@record
class FunctionSizes:
    """Sizes to test one function at.

    Attributes:
        contract: The function's contract.
        vectors: The vectors.
        impossible: Targets that no allowed sizes bring about: proved.
        open: Targets for which no sizes were found.
        omitted: The number of targets beyond the limit.
    """

    contract: FunctionContract
    vectors: tuple[TestVector, ...]
    impossible: tuple[Target, ...]
    open: tuple[Target, ...]
    omitted: int = 0

    @property
    def trace(self) -> Trace:
        """The trace of the function."""
        return self.contract.report.trace


@record
class SizesReport:
    """Sizes to test the functions of a program at."""

    program: Program
    functions: tuple[FunctionSizes, ...]
    options: Options = field(default_factory=Options)

    def __repr__(self) -> str:
        counts = (f"@{each.trace.function.name}: {len(each.vectors)}" for each in self.functions)
        return f"<SizesReport {self.program.title}: vectors of {', '.join(counts) or 'no functions'}>"

    @property
    def exit_code(self) -> int:
        """Exit code of ``sizes``.

        3 if there is a target without sizes that is not proved to be impossible, a run disagrees, no function has a
        body, or no sizes satisfy what is assumed of one, else 0.
        """
        without_input = any(each.contract.report.contradiction for each in self.functions)
        is_open = any(each.open or each.omitted for each in self.functions) or not self.functions or without_input
        return 3 if is_open or any(v.disagrees for each in self.functions for v in each.vectors) else 0


def sizes_of_program(program: Program, options: Options, progress: Progress | None = None) -> SizesReport:
    """Return the sizes to test every entry point of a program at.

    Raises:
        InputError: The assumptions cannot be read.
    """
    check_addressed(program, (*options.assumptions, *options.shapes))
    program = replace(program, notes=program.notes + library_notes(program, options))
    found = tuple(_sizes_of(program, each, options, progress) for each in chosen(program, options.functions))
    return SizesReport(program, found, options)


def _sizes_of(program: Program, function: Function, options: Options, progress: Progress | None) -> FunctionSizes:
    def infer(others: Options) -> FunctionContract:
        return contract_of(program, function, others, progress)

    contract = alone = infer(options)
    if program.declarations is not None:
        contract = with_export_conditions(program, alone, options, infer)
    trace = alone.report.trace
    targets = targets_of(contract, is_own=program.level == OWN)
    search = _Search(trace)
    for each in targets[:MOST_TARGETS]:
        search.add(each)
    vectors = [_verified(program, function, options, alone, *each) for each in search.cover()]
    if options.execute and not options.deadline.passed:
        vectors = _executed(program, trace, vectors, options)
    vectors = [_where_admitted(each, contract) for each in vectors]
    return FunctionSizes(
        contract, tuple(vectors), tuple(search.impossible), tuple(search.open), max(0, len(targets) - MOST_TARGETS)
    )


class _Search:
    """Search for sizes of targets.

    Attributes:
        impossible: Targets that are proved to have no sizes.
        open: Targets without sizes otherwise.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._facts = [each.formula for each in trace.assumptions]
        numbers = [each for each in trace.input_variables if not isinstance(each, ShapeSymbol)]
        self._small = [at_least(_LARGEST, of_atom(each)) for each in numbers]
        self._tried: list[tuple[Sizes, tuple[Input, ...]]] = []
        self._goals: list[tuple[Target, Formula]] = []
        self.impossible: list[Target] = []
        self.open: list[Target] = []

    def add(self, target: Target) -> None:
        """Find sizes for a target, if those of other targets do not bring it about."""
        certain = True
        for goal in target.goals:
            if any(_holds(goal, sizes) for sizes, _ in self._tried):
                self._goals.append((target, goal))
                return
            verdict = prove(negation(goal), [*self._facts, *self._small], budget=budgets.LARGE)
            if isinstance(verdict, Refuted) and self._keep(goal, verdict.sizes):
                self._goals.append((target, goal))
                return
            certain = certain and isinstance(verdict, Proved | Unreachable)
        last = negation(target.goals[-1])
        is_impossible = certain and isinstance(prove(last, self._facts, budget=budgets.LARGE), Proved | Unreachable)
        (self.impossible if is_impossible else self.open).append(target)

    def _keep(self, goal: Formula, found: Sizes) -> bool:
        """Keep sizes, where they are whole, satisfy everything when evaluated, and fit into memory."""
        sizes: dict[Variable, int | tuple[int, ...]] = dict(found)
        for variable in self._trace.input_variables:
            sizes.setdefault(variable, (2,) if isinstance(variable, ShapeSymbol) else _default_size(variable))
        given = arguments(self._trace, sizes, _MOST_BYTES)
        if isinstance(given, str) or not all(_holds(each, sizes) for each in (*self._facts, goal)):
            return False
        self._tried.append((sizes, given))
        return True

    def cover(self) -> list[tuple[Sizes, tuple[Input, ...], tuple[Target, ...]]]:
        """Return the vectors of a greedy cover: each covers the most of what those before it do not."""
        left = dict.fromkeys(range(len(self._goals)))
        covered = [[n for n, (_, goal) in enumerate(self._goals) if _holds(goal, sizes)] for sizes, _ in self._tried]
        found: list[tuple[Sizes, tuple[Input, ...], tuple[Target, ...]]] = []
        while left:
            best = max(range(len(covered)), key=lambda index: sum(each in left for each in covered[index]))
            for each in covered[best]:
                left.pop(each, None)
            found.append((*self._tried[best], tuple(self._goals[each][0] for each in covered[best])))
        return found


def _default_size(variable: Variable) -> int:
    least = _DEFAULT if variable.lower is None else max(_DEFAULT, variable.lower)
    return least if variable.upper is None else min(least, variable.upper)


def _holds(formula: Formula, sizes: Sizes) -> bool:
    try:
        return holds(formula, sizes)
    except (KeyError, ZeroDivisionError):
        return False


def _verified(
    program: Program,
    function: Function,
    options: Options,
    contract: FunctionContract,
    sizes: Sizes,
    given: tuple[Input, ...],
    covers: tuple[Target, ...],
) -> TestVector:
    """Return the vector with its expected result: the function is checked again, at these sizes alone."""
    scope = scope_of(contract.report.trace)
    pins = [condition_text(_is(variable, value), scope) for variable, value in sizes.items()]
    pinned = replace(options, assumptions=(*options.assumptions, *pins), execute=False, certify=False)
    try:
        report = check_function(program, function, pinned)
    except InputError:  # these sizes cannot be said in the size language
        return TestVector(sizes, given, covers, Expected.OPEN)
    verdicts = [each.verdict for each in report.checked_obligations]
    failing = next((each for each in report.checked_obligations if isinstance(each.verdict, Refuted)), None)
    if failing is not None:
        return TestVector(sizes, given, covers, Expected.FAILS, failing)
    if report.contradiction or report.unchecked or any(isinstance(each, Undecided) for each in verdicts):
        return TestVector(sizes, given, covers, Expected.OPEN)
    return TestVector(sizes, given, covers, Expected.RETURNS)


def _where_admitted(vector: TestVector, contract: FunctionContract) -> TestVector:
    """Return the vector without an expectation at sizes at which the exported program may not be the model.

    One that a run of the model confirms stands.
    """
    run = vector.model_run
    is_confirmed = run is not None and run.ended is not Ended.NOT_RUN and not vector.disagrees
    if is_confirmed or all(_holds(each.formula, vector.sizes) for each in admitted(contract)):
        return vector
    return replace(vector, expected=Expected.NOT_EXPORTED, failing=None, disagrees=False)


def _is(variable: Variable, value: int | tuple[int, ...]) -> Formula:
    if isinstance(value, tuple):
        return same_shape(unranked(variable.name), shape(value))
    return equal(of_atom(variable), value)


def _executed(program: Program, trace: Trace, vectors: Sequence[TestVector], options: Options) -> list[TestVector]:
    """Return the vectors with what MLIR's execution does, or a model's own framework."""
    calls = [each.arguments for each in vectors]
    if program.model:
        model = model_in(program.file)
        if not vectors or model is None or program.level not in ("", OWN):  # JAX has only one
            return list(vectors)
        answers = framework_results(model, calls, options, every_call=True)
        return [_with_framework_result(each, answer) for each, answer in zip(vectors, answers, strict=True)]
    runs = execute_many(program.executable, trace.function.name, calls, runtime_checks=True)
    return [_with_execution(each, run) for each, run in zip(vectors, runs, strict=True)]


def _with_execution(vector: TestVector, run: Execution) -> TestVector:
    if run.outcome in (Outcome.NOT_EXECUTABLE, Outcome.TIMED_OUT):
        return vector
    returns = run.outcome is Outcome.RETURNED
    text = "returns" if returns else f"fails: {run.message}"
    differs = vector.expected is Expected.RETURNS and not returns
    return replace(vector, executed=text, disagrees=differs)


def _with_framework_result(vector: TestVector, run: ModelRun) -> TestVector:
    """Return the vector with the run by its framework; where that differs, the expectation is withdrawn."""
    differs = (run.returned and vector.expected is Expected.FAILS) or (
        run.raised and vector.expected is Expected.RETURNS
    )
    return replace(vector, executed=run.text, model_run=run, disagrees=differs)
