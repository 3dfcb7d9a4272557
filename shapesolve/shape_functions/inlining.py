"""One walk of a shape function as claims, facts and results that stand at one place of another program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from shapesolve.domain.values import validity
from shapesolve.ir.program import Location
from shapesolve.reasons import Reason, prefixed
from shapesolve.semantics.op_semantics import Claim
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.formula_kinds import TRUE, And, Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, implies
from shapesolve.trace.events import Fact, Obligation, OverflowAssumption, Source, Trace
from shapesolve.trace.trust import ModelingAssumption
from shapesolve.trace.visitor import Around, Handler, Scope, handle_events

ERROR = "error"
"""The attribute in which an operation of a shape function says what is wrong when its result is an error."""


@dataclass(slots=True)
class Followed:
    """Requirements and facts of a shape function for its arguments, with its control flow as premises.

    A claim that is raised in a region is implied by the condition under which the region runs.

    Attributes:
        claims: The requirements.
        facts, stated: Formulas that hold or are assumed behind them, with the words that explain them.
        approximations: Reasons for which the results are not exact.
        free: The variables that the approximations stand for.
        bounded: The variables that stand for what the function gives only a bound of.
        modeling: The modeling assumptions.
        no_overflow: The overflow assumptions.
    """

    claims: list[Claim] = field(default_factory=list[Claim])
    facts: list[tuple[Formula, str]] = field(default_factory=list[tuple[Formula, str]])
    stated: list[tuple[Formula, str]] = field(default_factory=list[tuple[Formula, str]])
    approximations: list[Reason] = field(default_factory=list[Reason])
    free: set[Variable] = field(default_factory=set[Variable])
    bounded: set[Variable] = field(default_factory=set[Variable])
    modeling: tuple[ModelingAssumption, ...] = ()
    no_overflow: list[Formula] = field(default_factory=list[Formula])

    def add(self, claims: Iterable[Claim]) -> None:
        """Add claims about the results, without those that say nothing new."""
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
    following = _Inliner(Followed(modeling=trace.modeling_assumptions), name, fresh)
    for each in trace.approximations:
        following.made.approximations.append(prefixed(f"{each.op} in @{name} ({each.location}): ", each.cause))
        following.made.free |= each.free
    for fact in trace.assumptions:
        following.fact(fact, ())
    handle_events(trace, following)
    return following.made


class _Inliner(Handler[None]):
    def __init__(self, made: Followed, name: str, fresh: Callable[[str], Formula]) -> None:
        self.made = made
        self._name = name
        self._fresh = fresh
        self._ways: list[Formula] = []  # the formulas under which the regions around run

    def enter(self, scope: Scope, around: Around) -> None:
        self._ways.append(self._runs(scope))

    def leave(self, scope: Scope, around: Around) -> None:
        self._ways.pop()

    def fact(self, fact: Fact, around: Around) -> None:
        which = self.made.stated if fact.source is Source.ASSUMPTION else self.made.facts
        which.append((self._here(fact.formula), f"{fact.because}, in @{self._name}"))

    def overflow_assumption(self, assumption: OverflowAssumption, around: Around) -> None:
        self.made.no_overflow.append(self._here(assumption.formula))

    def obligation(self, obligation: Obligation, around: Around) -> None:
        claims = self.made.claims
        formula = self.made.premised(self._here(obligation.claim))
        claims.append(_claim(obligation, formula, self._name, len(claims) + 1))

    def _here(self, formula: Formula) -> Formula:
        return implies(conjunction(self._ways), formula)

    def _runs(self, scope: Scope) -> Formula:
        """The formula under which a region runs. If it is unknown, the region may or may not run."""
        runs, approximate = scope.leave.runs, scope.enter.approximate
        if runs is None or approximate:
            runs = self._fresh(f"a region of @{self._name} runs")
            if approximate:
                self.made.approximations.append(f"@{self._name}: {approximate}")
                self.made.free |= runs.variables
        return conjunction((scope.condition, runs))


def _claim(obligation: Obligation, claim: Formula, name: str, number: int) -> Claim:
    words = obligation.authors_words
    said = obligation.message if obligation.of_shape_function or not words else words
    message = f"{said} (@{name}, {obligation.location}: {obligation.op.name})"
    return Claim(
        f"L{number}",
        claim,
        message,
        obligation.kind,
        obligation.shown,
        of_shape_function=True,
        authors_messages=(words,) if words else (),
        has_words=True,
    )


def error_claims(trace: Trace, name: str, valid: Formula) -> list[Claim]:
    """Return the claims that the result is no error, one for each operation with an error message of its own."""
    claims: list[Claim] = []
    for op in trace.reached:
        message_of_author = op.attributes.get(ERROR)
        if not isinstance(message_of_author, str) or not message_of_author:
            continue
        for result in op.results:
            here = validity(trace.values.get(result))
            if here is not TRUE and here.variables <= valid.variables:
                message = f"{message_of_author} (@{name}, {op.location}: {op.name})"
                claims.append(
                    Claim(
                        "V1",
                        _blamed(valid, here),
                        message,
                        of_shape_function=True,
                        authors_messages=(message_of_author,),
                        has_words=True,
                    )
                )
    return claims


def error_words(trace: Trace, name: str, location: Location, valid: Formula) -> str:
    """Return that the function gives an error, with the operations that make it one and say nothing of it."""
    parts = _parts(valid)
    made: dict[str, None] = {}
    for op in trace.reached:
        own = [validity(trace.values.get(result)) for result in op.results]
        is_source = any(each is not TRUE and _parts(each) <= parts for each in own)
        is_sound = all(validity(trace.values.get(operand)) is TRUE for operand in op.operands)
        if is_source and is_sound and not op.attributes.get(ERROR):
            made[f"{op.name} in line {op.location.line}" if op.location.line else op.name] = None
    return f"@{name} gives an error{': ' if made else ''}{', '.join(made)} ({location})"


def _blamed(valid: Formula, here: Formula) -> Formula:
    """Return the claim that the error of one operation is not the reason for which the result is an error."""
    parts = _parts(valid)
    return here if _parts(here) <= parts else disjunction((valid, here))


def _parts(formula: Formula) -> set[Formula]:
    return set(formula.parts) if isinstance(formula, And) else {formula}
