"""One walk of a shape function as claims, facts and results that stand at one place of another program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import TRUE, And, Formula, conjunction, disjunction, implies
from shapesolve.language.shapes import Shape
from shapesolve.walking.obligations import Enter, Event, Fact, Leave, Obligation, Presumption, Source, Trace
from shapesolve.walking.rulebook import Claim
from shapesolve.walking.values import Abstract, Size, Tensor

ERROR = "error"
"""The attribute in which an operation of a shape function says what is wrong when its result is an error."""


@dataclass(slots=True)
class Followed:
    """What a shape function demands and establishes for its arguments, with nothing left of its control flow.

    A claim that is raised in a region holds where the region runs. ``free`` are the variables that approximations
    stand for.
    """

    claims: list[Claim] = field(default_factory=list[Claim])
    facts: list[tuple[Formula, str]] = field(default_factory=list[tuple[Formula, str]])
    stated: list[tuple[Formula, str]] = field(default_factory=list[tuple[Formula, str]])
    approximations: list[str] = field(default_factory=list[str])
    free: set[Variable] = field(default_factory=set[Variable])
    leans_on: tuple[str, ...] = ()
    presumes: list[Formula] = field(default_factory=list[Formula])

    def add(self, claims: Iterable[Claim]) -> None:
        """Claims about what the function returns, without those that say nothing new."""
        for claim in claims:
            formula = self.premised(claim.formula)
            if formula is not TRUE and all(formula is not each.formula for each in self.claims):
                self.claims.append(replace(claim, formula=formula))

    def premised(self, claim: Formula) -> Formula:
        """A claim where the facts hold that came before it and speak of the same variables."""
        chosen: dict[int, Formula] = {}
        variables = set(claim.variables)
        facts = list(enumerate((*self.facts, *self.stated)))
        grown = True
        while grown:
            grown = False
            for number, (formula, _) in facts:
                if number not in chosen and not variables.isdisjoint(formula.variables):
                    chosen[number] = formula
                    variables |= formula.variables
                    grown = True
        return implies(conjunction(chosen.values()), claim)


def followed(trace: Trace, name: str, fresh: Callable[[str], Formula]) -> Followed:
    """A trace without its scopes. ``name`` is the shape function's; ``fresh`` makes unknown truth values."""
    made = Followed(leans_on=trace.leans_on)
    for each in trace.approximations:
        made.approximations.append(f"{each.op} in @{name} ({each.location}): {each.reason}")
        made.free |= each.free
    leaves = _leaves(trace.events)
    scopes: list[Formula] = []
    for index, event in enumerate(trace.events):
        match event:
            case Enter():
                scopes.append(_runs(event, leaves[index], name, fresh, made))
            case Leave():
                scopes.pop()
            case Fact():
                formula = implies(conjunction(scopes), event.formula)
                which = made.stated if event.source is Source.ASSUMPTION else made.facts
                which.append((formula, f"{event.because}, in @{name}"))
            case Presumption():
                made.presumes.append(implies(conjunction(scopes), event.formula))
            case Obligation():
                formula = implies(conjunction(scopes), event.claim)
                made.claims.append(_claim(event, made.premised(formula), name, len(made.claims) + 1))
            case _:
                pass
    return made


def _leaves(events: Sequence[Event]) -> dict[int, Leave]:
    """The end of every scope by the position of its beginning."""
    open_scopes: list[int] = []
    found: dict[int, Leave] = {}
    for index, event in enumerate(events):
        if isinstance(event, Enter):
            open_scopes.append(index)
        elif isinstance(event, Leave):
            found[open_scopes.pop()] = event
    return found


def _runs(enter: Enter, leave: Leave, name: str, fresh: Callable[[str], Formula], made: Followed) -> Formula:
    """The formula under which a region runs. Where nobody knows it, it may or may not."""
    condition = enter.condition.formula if enter.condition is not None else TRUE
    runs = leave.runs
    if runs is None or enter.approximate:
        runs = fresh(f"a region of @{name} runs")
        if enter.approximate:
            made.approximations.append(f"@{name}: {enter.approximate}")
            made.free |= runs.variables
    return conjunction((condition, runs))


def _claim(obligation: Obligation, claim: Formula, name: str, number: int) -> Claim:
    message = f"{obligation.message} (@{name}, {obligation.location}: {obligation.op.name})"
    return Claim(f"L{number}", claim, message, obligation.kind, obligation.shown)


def error_claims(trace: Trace, name: str, valid: Formula) -> list[Claim]:
    """That the result is no error, with the words of each operation that says what is wrong when it makes one."""
    claims: list[Claim] = []
    for op in trace.reached:
        said = op.attributes.get(ERROR)
        if not isinstance(said, str) or not said:
            continue
        for result in op.results:
            here = _valid(trace.values.get(result))
            if here is not TRUE and here.variables <= valid.variables:
                message = f"{said} (@{name}, {op.location}: {op.name})"
                claims.append(Claim("V1", _blamed(valid, here), message))
    return claims


def _blamed(valid: Formula, here: Formula) -> Formula:
    """That it is not this error that makes the result one."""
    parts = _parts(valid)
    return here if _parts(here) <= parts else disjunction((valid, here))


def _parts(formula: Formula) -> set[Formula]:
    return set(formula.parts) if isinstance(formula, And) else {formula}


def _valid(value: Abstract | None) -> Formula:
    match value:
        case Shape() | Size():
            return value.valid
        case Tensor():
            return value.shape.valid
        case _:
            return TRUE
