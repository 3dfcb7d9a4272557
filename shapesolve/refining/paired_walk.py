"""Walking the two programs of a comparison so that what they do not share can never be mixed up.

Everything unknown that a walk makes gets a name that no other walk gives, except where both programs compute the same
thing in the same way (see `numbering`): that is one unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from shapesolve.language.dims import Dim, variable
from shapesolve.language.formulas import Formula, equal
from shapesolve.reading.program import Operation, Program, Region
from shapesolve.refining.numbering import Numbering
from shapesolve.walking.inputs import Inputs
from shapesolve.walking.obligations import Kind, Trace
from shapesolve.walking.rulebook import Claim, Meaning, RegionRun, Rule, Rulebook, RuleFunction, Yields
from shapesolve.walking.sight import CannotSee, Sight
from shapesolve.walking.unknowns import Unknowns
from shapesolve.walking.values import Abstract, Unmodelled
from shapesolve.walking.walk import walk

UNSEEN = "U1"
"""The clause of what an operation demands that is not modelled."""

NO_RULE = "no rule describes it"


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """One program of a comparison, walked. ``side`` is "source" or "target"."""

    side: str
    program: Program
    trace: Trace


def walk_side(program: Program, inputs: Inputs, rulebook: Rulebook, side: str) -> Walked:
    """Walk one program under names that the other does not use."""
    unknowns = _SidedUnknowns(side)
    numbering = Numbering(program, side)
    numbering.enter_function(inputs.function)
    sided = replace(inputs, unknowns=unknowns)
    trace = walk(program, sided, _WatchedRulebook(rulebook, program, numbering, unknowns))
    return Walked(side, program, trace)


class _SidedUnknowns(Unknowns):
    """Names unknowns after the operation that makes them: by its number where that is shared, else by the side."""

    def __init__(self, side: str) -> None:
        super().__init__()
        self.side = side
        self.maker: str | None = None

    def name(self, wished: str) -> str:
        if self.maker is None:
            return super().name(f"{self.side}:{wished}")
        return super().name(f"{self.maker}#")

    def size(self, name: str, lower: int | None = 0, upper: int | None = 2**63 - 1) -> Dim:
        # The bounds are part of a shared name: two unknowns of one name are one unknown everywhere.
        bounds = "" if self.maker is None or (lower == 0 and upper == 2**63 - 1) else f"[{lower}..{upper}]"
        return variable(self.name(name) + bounds, lower, upper)


@dataclass(slots=True)
class _WatchedRulebook(Rulebook):
    """The rulebook, with every rule told where it stands."""

    _inner: Rulebook
    _program: Program
    _numbering: Numbering
    _unknowns: _SidedUnknowns
    _places: dict[Operation, Region] = field(default_factory=dict[Operation, Region])
    _wrapped: dict[str, Rule] = field(default_factory=dict[str, Rule])

    def __post_init__(self) -> None:
        for op in self._program.operation.walk():
            for region in op.regions:
                for block in region.blocks:
                    self._places.update(dict.fromkeys(block.operations, region))

    def __contains__(self, op: str) -> bool:
        return op in self._inner

    def get(self, op: str) -> Rule | None:
        found = self._wrapped.get(op)
        if found is None:
            inner = self._inner.get(op)
            function = _not_described if inner is None else inner.function
            rule = Rule(op, function, "", "", "") if inner is None else inner
            found = self._wrapped[op] = replace(rule, function=self._watched(function))
        return found

    def _watched(self, function: RuleFunction) -> RuleFunction:
        def run(op: Operation, see: Sight) -> Meaning:
            number = self._numbering.visit(op, self._places.get(op))
            maker = f"{op.name}~{number}" if self._numbering.is_shared(number) else None
            self._unknowns.maker = maker
            try:
                meaning = function(op, see)
            except CannotSee as reason:
                meaning = _unmodelled(op, see, str(reason))
            else:
                if meaning.approximations and not meaning.free:
                    meaning = replace(meaning, claims=(*meaning.claims, *_unseen(op, see)))
            return self._with_regions(op, meaning, number, maker)

        return run

    def _with_regions(self, op: Operation, meaning: Meaning, number: str, maker: str | None) -> Meaning:
        if not meaning.regions:
            return meaning
        for run in meaning.regions:
            if run.region not in op.regions:
                self._numbering.enter_called(run.region, number)
        finish = meaning.finish

        def finished(yields: Yields) -> tuple[Abstract, ...]:
            self._unknowns.maker = None if maker is None else f"{maker}!"
            return meaning.results if finish is None else finish(yields)

        return replace(meaning, finish=finished)


def _not_described(op: Operation, see: Sight) -> Meaning:
    raise CannotSee(NO_RULE)


def _unmodelled(op: Operation, see: Sight, reason: str) -> Meaning:
    """An operation of which nothing is known: whether it can run, whether it stops, and what it gives."""
    runs = tuple(
        RegionRun(
            region,
            tuple(see.unknown(argument) for argument in region.blocks[0].arguments),
            approximate=f"{op.name} is not modelled",
        )
        for region in op.regions
        if region.blocks
    )
    return Meaning(
        tuple(Unmodelled(reason) for _ in op.results),
        _unseen(op, see),
        regions=runs,
        approximations=(reason,),
        free=frozenset(),
    )


def _unseen(op: Operation, see: Sight) -> tuple[Claim, Claim]:
    """What an operation demands beyond what is modelled, as two unknown truths."""
    return (
        Claim(UNSEEN, _truth(op, see), f"what {op.name} demands is not all modelled"),
        Claim(UNSEEN, _truth(op, see), f"whether {op.name} stops is not modelled", Kind.CHECK),
    )


def _truth(op: Operation, see: Sight) -> Formula:
    return equal(see.fresh(f"{op.name}.fine", 0, 1), 1)


