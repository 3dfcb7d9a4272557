"""Predictions of a trace at plain sizes, compared with executions.

A claim is evaluated, not decided: this compares the rules with compiled programs and needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from shapesolve.checker.execution_evidence import fails_at
from shapesolve.domain.values import Abstract, Size, Tensor
from shapesolve.execution.execution import Execution, Outcome
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, evaluate_extents, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.events import (
    Enter,
    Fact,
    FoldQuery,
    Kind,
    Leave,
    MayNotReturn,
    Obligation,
    OverflowAssumption,
    Trace,
)

Sizes = Mapping[Variable, "int | tuple[int, ...]"]

ITERATIONS = (-1, 7)
"""Values of a loop's induction variable that are tried, if its bounds admit them."""

MOST_UNKNOWNS = 5


@dataclass(frozen=True)
class Failure:
    """An obligation that fails: for certain, or only with some contents of tensors."""

    obligation: Obligation
    certain: bool
    loop: Enter | None
    """The outermost enclosing loop, in which a later operation may fail in an earlier iteration."""

    def __str__(self) -> str:
        place = self.obligation.location.line
        return f"{self.obligation.op.name} ({self.obligation.clause}) at line {place}"


@dataclass(frozen=True)
class Prediction:
    """The failures up to the first certain one and the end of its loop, and the results if there is none.

    A result that depends on data is None.
    """

    failures: tuple[Failure, ...]
    results: tuple[tuple[int, ...] | int | None, ...]

    @property
    def certain(self) -> Failure | None:
        """The first failure that happens for certain."""
        return next((each for each in self.failures if each.certain), None)

    @property
    def unexcused(self) -> tuple[Failure, ...]:
        """The failures that no failure before them explains."""
        certain = self.certain
        return self.failures if certain is None else self.failures[: self.failures.index(certain) + 1]


def predicted(trace: Trace, sizes: Sizes) -> Prediction:
    """Return the predicted outcome at these sizes of the inputs."""
    failures: list[Failure] = []
    certain: Failure | None = None
    for failure in _failures(trace, sizes):
        if certain is not None and (certain.loop is None or failure.loop is not certain.loop):
            break
        failures.append(failure)
        certain = certain or (failure if failure.certain else None)
    results = tuple(_result(each, sizes) for each in trace.results or ())
    return Prediction(tuple(failures), results)


def disagreement(trace: Trace, sizes: Sizes, plain: Execution, checked: Execution) -> str:
    """Return the difference of executions without and with runtime checks from what was predicted; "" for none."""
    return contradiction(predicted(trace, sizes), plain, checked)


def contradiction(prediction: Prediction, plain: Execution, checked: Execution) -> str:
    """Return the difference of executions without and with runtime checks from a prediction; "" for none."""
    return _checked_disagreement(prediction, checked) or _plain_disagreement(prediction, plain)


def _checked_disagreement(prediction: Prediction, checked: Execution) -> str:
    expected = " or ".join(map(str, prediction.failures)) or "no failure"
    if checked.outcome is Outcome.RETURNED:
        if prediction.certain is not None:
            return f"predicted {expected}, but it returned {checked.result_extents}"
        return _result_disagreement(prediction, checked)
    if any(fails_at(checked, failure.obligation.op) for failure in prediction.failures):
        return ""
    return f"predicted {expected}, but {_actual(checked)}"


def _plain_disagreement(prediction: Prediction, plain: Execution) -> str:
    """Undefined behavior excuses everything; a check that is reached without any must stop the program."""
    if any(each.obligation.kind is not Kind.CHECK or not each.certain for each in prediction.failures):
        return ""
    certain = prediction.certain
    if certain is None:
        if plain.outcome is not Outcome.RETURNED:
            return f"predicted no failure, but as compiled {_actual(plain)}"
        return _result_disagreement(prediction, plain)
    if any(fails_at(plain, failure.obligation.op) for failure in prediction.failures):
        return ""
    return f"predicted {certain}, but as compiled {_actual(plain)}"


def _result_disagreement(prediction: Prediction, execution: Execution) -> str:
    if not prediction.results:  # where control flow is not followed, neither are results
        return ""
    for position, (expected_extents, seen) in enumerate(zip(prediction.results, execution.result_extents, strict=True)):
        if expected_extents is not None and seen is not None and expected_extents != seen:
            return f"predicted {expected_extents} for result {position}, but it is {seen}"
    return ""


def _actual(execution: Execution) -> str:
    place = f" at line {execution.failing_location[0]}" if execution.failing_location else ""
    return f"it {execution.outcome.value}{place}: {execution.message or execution.result_extents}"


# Failures ------------------------------------------------------------------------------------------------------------


@dataclass
class _Scope:
    """A region: its facts about what the sizes do not say, and whether those about sizes alone hold."""

    enter: Enter | None
    reached: bool = True
    facts: list[Formula] = field(default_factory=list[Formula])

    def assume(self, fact: Formula, sizes: Sizes) -> None:
        if fact.variables <= sizes.keys():
            self.reached = self.reached and holds(fact, sizes)
        else:
            self.facts.append(fact)


def _failures(trace: Trace, sizes: Sizes) -> Iterator[Failure]:
    data = frozenset[Variable]().union(*(each.free for each in trace.approximations))
    scopes = [_Scope(None)]
    for event in trace.events:
        match event:
            case Fact():
                scopes[-1].assume(event.formula, sizes)
            case Enter():
                scopes.append(_Scope(event))
                if event.condition is not None:
                    scopes[-1].assume(event.condition.formula, sizes)
            case Leave():
                scopes.pop()
            case FoldQuery() | OverflowAssumption() | MayNotReturn():
                pass
            case Obligation():
                if all(scope.reached for scope in scopes) and _can_fail(event.claim, scopes, sizes):
                    around = (scope.enter for scope in scopes if scope.facts)
                    yield Failure(event, _is_certain(event, scopes, data, sizes), next(around, None))


def _is_certain(obligation: Obligation, scopes: list[_Scope], data: frozenset[Variable], sizes: Sizes) -> bool:
    """Return whether only the iteration of a loop decides if it fails."""
    turns = frozenset[Variable]().union(
        *(s.enter.condition.formula.variables for s in scopes if s.enter is not None and s.enter.condition is not None)
    )
    if any(scope.enter is not None and scope.enter.approximate for scope in scopes):
        return False
    return obligation.claim.variables - sizes.keys() <= turns and not (obligation.claim.variables | turns) & data


def _can_fail(claim: Formula, scopes: list[_Scope], sizes: Sizes) -> bool:
    """Return whether some values of what the sizes do not say satisfy the facts and break the claim."""
    entered = frozenset[Variable]().union(
        *(s.enter.condition.formula.variables for s in scopes if s.enter is not None and s.enter.condition is not None)
    )
    wanted = (claim.variables | entered) - sizes.keys()
    if not wanted:
        return not holds(claim, sizes)
    waiting = [fact for scope in scopes for fact in scope.facts]
    related: list[Formula] = []
    while found := [fact for fact in waiting if fact.variables & wanted]:
        related += found
        waiting = [fact for fact in waiting if not fact.variables & wanted]
        wanted = wanted.union(*(fact.variables for fact in found)) - sizes.keys()
    free = sorted(wanted, key=lambda variable: variable.text)
    assert len(free) <= MOST_UNKNOWNS, f"too many unknowns to try: {free}"
    known = frozenset[Variable]().union(claim.variables, *(fact.variables for fact in related)) & sizes.keys()
    numbers = tuple((each, sizes[each]) for each in sorted(known, key=lambda variable: variable.text))
    return _satisfiable(((claim, False), *((fact, True) for fact in related)), tuple(free), numbers)


@lru_cache(maxsize=1 << 16)  # most claims mention few of the sizes, and many size vectors agree in those
def _satisfiable(
    wanted: tuple[tuple[Formula, bool], ...],
    free: tuple[Variable, ...],
    known: tuple[tuple[Variable, int | tuple[int, ...]], ...],
) -> bool:
    return _some_satisfy(list(wanted), list(free), dict(known))


def _some_satisfy(wanted: list[tuple[Formula, bool]], free: list[Variable], known: Sizes) -> bool:
    """Return whether some numbers for what is free give each formula the truth that is wanted of it."""
    waiting: list[tuple[Formula, bool]] = []
    for formula, truth in wanted:
        if not formula.variables <= known.keys():
            waiting.append((formula, truth))
        elif holds(formula, known) is not truth:
            return False
    if not free:
        return True
    first, *others = free
    return any(_some_satisfy(waiting, others, {**known, first: number}) for number in _range(first))


def _range(variable: Variable) -> range:
    least, most = ITERATIONS
    lower = least if variable.lower is None else max(least, variable.lower)
    upper = most if variable.upper is None else min(most, variable.upper)
    return range(lower, upper + 1)


def _result(value: Abstract, sizes: Sizes) -> tuple[int, ...] | int | None:
    match value:
        case Shape():
            return (len(evaluate_extents(value, sizes)),) if value.variables <= sizes.keys() else None
        case Tensor(shape=shape):
            return evaluate_extents(shape, sizes) if shape.variables <= sizes.keys() else None
        case Size(value=number) | (Dim() as number):
            return evaluate(number, sizes) if number.variables <= sizes.keys() else None
        case Formula():
            return int(holds(value, sizes)) if value.variables <= sizes.keys() else None
        case _:
            return None
