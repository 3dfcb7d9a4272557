"""Coverage targets of a function: its branches, guards and borders, as conditions on the inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from shapesolve.contracts.contract import ExportCondition, FunctionContract
from shapesolve.contracts.weakest_preconditions import Precondition, branch_conditions
from shapesolve.interpreter.inputs import ADMITTED, scope_of
from shapesolve.ir.declarations import RAISED_BY_MODEL
from shapesolve.ir.program import Location, Operation, Origin
from shapesolve.records import value_record
from shapesolve.simplification.readable import readable_claim
from shapesolve.simplification.simplify import condition_text
from shapesolve.symbolic.dims import ONE
from shapesolve.symbolic.formula_kinds import TRUE, And, Compatible, Formula, IsNonNegative, IsZero, Or
from shapesolve.symbolic.formulas import conjunction, conjuncts, equal, is_zero, negation, unequal

MOST_TARGETS = 160
"""Largest number of targets of one function; later ones are counted only."""

_MOST_CASES = 4
_LONGEST = 100


@value_record
class Target:
    """Situation that some sizes of the inputs bring about.

    Attributes:
        kind: "branch", "guard", "contract" or "declared".
        text: The situation, as a phrase.
        condition: Its condition in the size language, "" if that is long.
        location: The position of the operation that it belongs to.
        origin: The line of the model that the operation comes from.
        goals: The conditions on the inputs to try in turn: the first that some sizes satisfy is the target's.
    """

    kind: str
    text: str
    condition: str
    location: Location
    origin: Origin | None
    goals: tuple[Formula, ...] = field(repr=False)


def targets_of(contract: FunctionContract, *, is_own: bool = False) -> list[Target]:
    """Return the targets of a function, one for each condition.

    Args:
        contract: The contract, with what the exporter of a model found.
        is_own: Whether the program is a model's own, whose operations bear the names that the user wrote.
    """
    found: dict[tuple[str, str, str, Location], Target] = {}
    for each in _Targets(contract, is_own).all():
        key = str(each.goals) if not each.condition else each.condition
        found.setdefault((each.kind, each.text, key, each.location), each)
    return list(found.values())


def admitted(contract: FunctionContract) -> tuple[ExportCondition, ...]:
    """Return what the exporter found beside its own choice about sizes 0 and 1, as far as it speaks of the inputs."""
    return tuple(each for each in contract.admits if not each.is_zero_or_one and each.formula is not TRUE)


class _Targets:
    def __init__(self, contract: FunctionContract, is_own: bool) -> None:
        self._contract = contract
        self._is_own = is_own
        self._trace = contract.report.trace
        self._scope = scope_of(self._trace)
        self._admitted = [each.formula for each in admitted(contract)]
        self._safe = [*(each.formula for each in contract.conditions), *self._admitted]
        order = {each.identity: number for number, each in enumerate(self._trace.obligations)}
        last = len(order)
        placed = [(order.get(each.obligation.identity, last), each) for each in contract.preconditions]
        self._demands = sorted(placed, key=lambda each: each[0])

    def all(self) -> Iterator[Target]:
        """Yield every target, those of the contract first."""
        yield from self._of_contract()
        yield from self._of_exporter()
        for position, demand in self._demands:
            yield from self._of_guard(position, demand)
        yield from self._of_branches()
        yield from self._of_declarations()

    def _of_contract(self) -> Iterator[Target]:
        for condition in self._contract.conditions:
            others = [each for each in self._safe if each is not condition.formula]
            place = self._place(condition.needed_by[0].op if condition.needed_by else None)
            for case in (each for part in conjuncts(condition.formula) for each in _cases(part)):
                inside = _with(_border(conjunction((condition.formula, case))), [self._safe])
                yield Target("contract", "the contract's condition holds", self._text(case), *place, inside)
            broken = self._text(negation(condition.formula))
            outside = _with(_beyond(condition.formula), [others])
            yield Target("contract", "the contract's condition does not hold", broken, *place, outside)

    def _of_exporter(self) -> Iterator[Target]:
        for each in admitted(self._contract):
            others = [other for other in self._safe if other is not each.formula]
            location = self._trace.function.location
            line = f" ({each.model})" if each.model else ""
            inside = _with(_border(each.formula), [self._safe])
            yield Target("guard", f"the export admits these sizes{line}", each.text, location, None, inside)
            broken = self._text(negation(each.formula))
            outside = _with(_beyond(each.formula), [others, []])
            yield Target("guard", f"the export does not admit these sizes{line}", broken, location, None, outside)

    def _of_guard(self, position: int, demand: Precondition) -> Iterator[Target]:
        obligation = demand.obligation
        place = self._place(obligation.op)
        before = self._before(position)
        origin = obligation.op.origin
        is_named = self._is_own and origin is not None and origin.operation
        name = origin.operation if is_named and origin else obligation.label
        for part in conjuncts(demand.formula):
            for case in _cases(part):
                goals = _with(_border(conjunction((demand.formula, case))), [self._safe, before])
                yield Target("guard", f"{name} does not fail", self._text(case), *place, goals)
            goals = _with(_beyond(part), [[*before, *self._admitted], before] if self._admitted else [before])
            yield Target("guard", f"{name} fails", self._text(negation(part)), *place, goals)

    def _of_branches(self) -> Iterator[Target]:
        for branch in branch_conditions(self._trace):
            ways = [self._safe, self._before(branch.position)]
            location, origin = branch.location, None if branch.op is None else branch.op.origin
            other = conjunction((branch.reached, negation(branch.taken)))
            for text, formula in ((branch.text, branch.taken), (branch.otherwise, other)):
                if not text:
                    continue
                goals = _with(_border(formula), ways)
                yield Target("branch", text, self._text(formula), location, origin, goals)

    def _of_declarations(self) -> Iterator[Target]:
        for fact in self._trace.assumptions:
            if fact.statement is not None and fact.statement.by == ADMITTED:
                continue
            for part in conjuncts(fact.formula):
                if isinstance(part, IsNonNegative):
                    border = is_zero(part.size)
                    place = fact.location or self._trace.function.location
                    goals = _with([border], [self._safe, []])
                    is_of_model = fact.statement is not None and fact.statement.by == RAISED_BY_MODEL
                    text = f"{'a bound that the model itself needs' if is_of_model else 'a declared bound'} is reached"
                    yield Target("declared", text, self._text(border), place, None, goals)

    def _before(self, position: int) -> list[Formula]:
        return [each.formula for number, each in self._demands if number < position]

    def _place(self, op: Operation | None) -> tuple[Location, Origin | None]:
        return (self._trace.function.location, None) if op is None else (op.location, op.origin)

    def _text(self, formula: Formula) -> str:
        plain = len(str(formula))
        if plain > 10 * _LONGEST or (plain > _LONGEST and len(readable_claim(formula)) > _LONGEST):
            return ""  # neither text fits, whichever parses back
        text = condition_text(formula, self._scope)
        return text if len(text) <= _LONGEST else ""


def _cases(formula: Formula) -> Sequence[Formula]:
    """Return the ways in which a formula can be true, where these are few: of two sizes that broadcast, three."""
    if isinstance(formula, Or) and len(formula.parts) <= _MOST_CASES:
        return formula.parts
    if isinstance(formula, Compatible) and len(formula.parts) == 2:
        a, b = formula.parts
        one = [conjunction((equal(x, 1), unequal(y, 1))) for x, y in ((a, b), (b, a))]
        return (equal(a, b), *(each for each in one if each.variables))
    return (formula,)


def _with(formulas: Sequence[Formula], ways: Iterable[Sequence[Formula]]) -> tuple[Formula, ...]:
    """Return the formulas, each joined with the premises of the first way, then with those of the next."""
    return tuple(dict.fromkeys(conjunction((formula, *way)) for way in ways for formula in formulas))


def _border(formula: Formula) -> list[Formula]:
    """Return the formula with one of its comparisons at its border, for each of them, and the formula itself."""
    parts = [each for each in _comparisons(formula) if isinstance(each, IsNonNegative)]
    return [*(conjunction((formula, is_zero(each.size))) for each in parts), formula]


def _beyond(formula: Formula) -> list[Formula]:
    """Return the formula's negation with one of its comparisons missed by one, for each, and the negation itself."""
    outside = negation(formula)
    missed: list[Formula] = []
    for each in _comparisons(formula):
        steps = (each.size + ONE,) if isinstance(each, IsNonNegative) else (each.size - ONE, each.size + ONE)
        missed += [conjunction((outside, is_zero(step))) for step in steps]
    return [*missed, outside]


def _comparisons(formula: Formula) -> Iterator[IsNonNegative | IsZero]:
    if isinstance(formula, IsNonNegative | IsZero):
        yield formula
    elif isinstance(formula, And | Or):
        for part in formula.parts[:_MOST_CASES]:
            yield from _comparisons(part)
