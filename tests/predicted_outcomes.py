"""What a trace says will happen at plain sizes, and whether that is what an execution did.

A claim is evaluated, not decided: this compares the rules with compiled programs and needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.evaluation import evaluate, evaluate_extents, holds
from shapesolve.language.formulas import Formula
from shapesolve.language.shapes import Shape
from shapesolve.replaying import Execution, Outcome
from shapesolve.replaying.evidence import fails_at
from shapesolve.walking.obligations import Enter, Fact, Kind, Leave, Obligation, Trace
from shapesolve.walking.values import Abstract, Size, Tensor

Sizes = Mapping[Variable, "int | tuple[int, ...]"]

ITERATIONS = (-1, 7)
"""Numbers that a loop's index is tried with, where its bounds leave them."""


@dataclass(frozen=True)
class Failure:
    """An obligation that fails: for certain, or only with some contents of tensors."""

    obligation: Obligation
    certain: bool

    def __str__(self) -> str:
        place = self.obligation.location.line
        return f"{self.obligation.op.name} ({self.obligation.clause}) at line {place}"


@dataclass(frozen=True)
class Prediction:
    """The failures up to the first certain one, and the results if there is none (None where they depend on data)."""

    failures: tuple[Failure, ...]
    results: tuple[tuple[int, ...] | int | None, ...]

    @property
    def certain(self) -> Failure | None:
        """The first failure that happens for certain."""
        return next((each for each in self.failures if each.certain), None)


def predicted(trace: Trace, sizes: Sizes) -> Prediction:
    """What happens at these sizes of the inputs."""
    failures: list[Failure] = []
    for failure in _failures(trace, sizes):
        failures.append(failure)
        if failure.certain:
            break
    results = tuple(_result(each, sizes) for each in trace.results or ())
    return Prediction(tuple(failures), results)


def disagreement(trace: Trace, sizes: Sizes, plain: Execution, checked: Execution) -> str:
    """How executions without and with runtime checks differ from what was predicted; empty where they do not."""
    prediction = predicted(trace, sizes)
    return _checked_disagreement(prediction, checked) or _plain_disagreement(prediction, plain)


def _checked_disagreement(prediction: Prediction, checked: Execution) -> str:
    expected = " or ".join(map(str, prediction.failures)) or "no failure"
    if checked.outcome is Outcome.RETURNED:
        if prediction.certain is not None:
            return f"predicted {expected}, but it returned {checked.result_extents}"
        return _result_disagreement(prediction, checked)
    if any(fails_at(checked, failure.obligation.op) for failure in prediction.failures):
        return ""
    return f"predicted {expected}, but {_told(checked)}"


def _plain_disagreement(prediction: Prediction, plain: Execution) -> str:
    """Undefined behaviour excuses everything; a check that is reached without any must stop the program."""
    if any(each.obligation.kind is not Kind.CHECK or not each.certain for each in prediction.failures):
        return ""
    certain = prediction.certain
    if certain is None:
        if plain.outcome is not Outcome.RETURNED:
            return f"predicted no failure, but as compiled {_told(plain)}"
        return _result_disagreement(prediction, plain)
    if fails_at(plain, certain.obligation.op):
        return ""
    return f"predicted {certain}, but as compiled {_told(plain)}"


def _result_disagreement(prediction: Prediction, execution: Execution) -> str:
    for position, (said, seen) in enumerate(zip(prediction.results, execution.result_extents, strict=True)):
        if said is not None and seen is not None and said != seen:
            return f"predicted {said} for result {position}, but it is {seen}"
    return ""


def _told(execution: Execution) -> str:
    place = f" at line {execution.failing_location[0]}" if execution.failing_location else ""
    return f"it {execution.outcome.value}{place}: {execution.message or execution.result_extents}"


# Failures ------------------------------------------------------------------------------------------------------------


def _failures(trace: Trace, sizes: Sizes) -> Iterator[Failure]:
    data = frozenset[Variable]().union(*(each.free for each in trace.approximations))
    scopes: list[tuple[Enter, int]] = []
    facts: list[Formula] = []
    for event in trace.events:
        match event:
            case Fact():
                facts.append(event.formula)
            case Enter():
                scopes.append((event, len(facts)))
                if event.condition is not None:
                    facts.append(event.condition.formula)
            case Leave():
                del facts[scopes.pop()[1] :]
            case Obligation():
                turns = frozenset[Variable]().union(
                    *(enter.condition.formula.variables for enter, _ in scopes if enter.condition is not None)
                )
                if _can_fail(event.claim, facts, sizes):
                    free = event.claim.variables - sizes.keys()
                    reached = turns - sizes.keys()
                    certain = free <= turns and not (free | reached) & data
                    yield Failure(event, certain and not any(enter.approximate for enter, _ in scopes))


def _can_fail(claim: Formula, facts: list[Formula], sizes: Sizes) -> bool:
    """Whether some values of what the sizes do not say satisfy the facts and break the claim."""
    wanted = claim.variables - sizes.keys()
    related: list[Formula] = []
    waiting = list(facts)
    grown = True
    while grown:
        grown = False
        for fact in list(waiting):
            unknown = fact.variables - sizes.keys()
            if not unknown or unknown & wanted:
                waiting.remove(fact)
                related.append(fact)
                grown = grown or not unknown <= wanted
                wanted |= unknown
    if not all(holds(fact, sizes) for fact in related if not fact.variables - sizes.keys()):
        return False
    free = sorted(wanted, key=lambda variable: variable.text)
    if len(free) > 4:
        raise AssertionError(f"too many unknowns to try: {free}")
    tried = [_range(variable) for variable in free]
    for numbers in product(*tried):
        known = {**sizes, **dict(zip(free, numbers, strict=True))}
        if all(holds(fact, known) for fact in related) and not holds(claim, known):
            return True
    return False


def _range(variable: Variable) -> range:
    least, most = ITERATIONS
    lower = least if variable.lower is None else max(least, variable.lower)
    upper = most if variable.upper is None else min(most, variable.upper)
    return range(lower, upper + 1)


def _result(value: Abstract, sizes: Sizes) -> tuple[int, ...] | int | None:
    match value:
        case Tensor(shape=shape) | (Shape() as shape):
            return evaluate_extents(shape, sizes) if shape.variables <= sizes.keys() else None
        case Size(value=number) | (Dim() as number):
            return evaluate(number, sizes) if number.variables <= sizes.keys() else None
        case Formula():
            return int(holds(value, sizes)) if value.variables <= sizes.keys() else None
        case _:
            return None
