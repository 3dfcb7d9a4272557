"""What is left of an operation's meaning where its demands may be false.

Such an operation is not known to compute anything: where a claim of undefined behaviour is false, each result is some
value of its type. So its results are fresh, equal to what the rule computes where the claims hold, and what the rule
says besides is said under the same condition. The same goes for what looks at a value that a cast gave a wrong type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TypeVar, assert_never

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import TRUE, Formula, conjunction, implies
from shapesolve.reading.program import Operation, Value
from shapesolve.records import value_record
from shapesolve.walking.obligations import Kind
from shapesolve.walking.region_runs import Carrying, Every, Once, Pass, RegionRun, Unrolled, While, loop
from shapesolve.walking.rulebook import Claim, Meaning
from shapesolve.walking.substitutes import Substitutes
from shapesolve.walking.unknowns import Unknowns
from shapesolve.walking.values import Abstract, Tensor

P = TypeVar("P", bound=Pass)

Statement = tuple[Formula, str]
"""A fact and the phrase that says where it comes from."""


@value_record
class Doubts:
    """Operations that may be undefined. ``misfits``: one of them may give a value a type that it does not have."""

    ops: AbstractSet[Operation] = frozenset()
    misfits: bool = False

    def __bool__(self) -> bool:
        return bool(self.ops)


NO_DOUBTS = Doubts()


@dataclass(slots=True, eq=False)
class Defence:
    """Weakens meanings by the doubts. ``made`` says of every fresh variable which operation it stands for."""

    doubts: Doubts
    unknowns: Unknowns
    values: Mapping[Value, Abstract]
    made: dict[Variable, Operation] = field(default_factory=dict[Variable, Operation])

    def meaning(self, op: Operation, meaning: Meaning) -> tuple[Meaning, Formula]:
        """The meaning as far as it can be relied on, and the condition under which all of it can."""
        fits = self._fit(op.operands)
        doubted = op in self.doubts.ops
        if fits is TRUE and not doubted:
            return meaning, TRUE
        here = Substitutes(op, self.unknowns, self.made)
        claims = tuple(replace(each, formula=here.unless(fits, each.formula)) for each in meaning.claims)
        defined = conjunction((fits, *(_demands(claims) if doubted else ())))
        regions = tuple(self._region(here, run, defined) for run in meaning.regions)
        facts = (*_under(defined, meaning.facts), *here.facts)
        asks = tuple(here.unless(defined, condition) for condition in meaning.asks)
        presumes = implies(defined, meaning.presumes)
        known, said = _under(fits, meaning.known), _under(fits, meaning.stated)
        weakened = replace(
            meaning, claims=claims, regions=regions, facts=facts, asks=asks, known=known, stated=said, presumes=presumes
        )
        return weakened, defined

    def results(
        self,
        op: Operation,
        meaning: Meaning,
        defined: Formula,
        results: Sequence[Abstract],
        declared: Sequence[Sequence[Claim]],
    ) -> tuple[list[Abstract], list[Statement]]:
        """The results, and what is known of them. ``declared`` are the claims on the declared extents of each."""
        doubted = op in self.doubts.ops
        if defined is TRUE and not doubted:
            return list(results), []
        here = Substitutes(op, self.unknowns, self.made)
        if doubted:
            defined = conjunction((defined, *(part for claims in declared for part in _demands(claims))))
        given = defined if meaning.bears is None else self._fit(meaning.bears)
        origins = op.operands if meaning.bears is None else meaning.bears
        kept: list[Abstract] = []
        for value, result, claims in zip(op.results, results, declared, strict=True):
            of_type = [each for each in (*meaning.claims, *claims) if each.of_type] if doubted else []
            fits = conjunction((self._fit(origins), *_demands(of_type)))
            kept.append(here.value(value, result, defined, given, fits))
        return kept, here.facts

    def unknown(self, value: Abstract) -> Abstract:
        """A value of which nothing is known: its type may be one that it was wrongly given."""
        if not self.doubts.misfits or not isinstance(value, Tensor):
            return value
        return replace(value, fits=self.unknowns.truth("fits"))

    def _fit(self, values: Iterable[Value]) -> Formula:
        """That values have the extents that their types state."""
        found = (self.values.get(each) for each in values)
        return conjunction(each.fits for each in found if isinstance(each, Tensor))

    def _region(self, here: Substitutes, run: RegionRun, defined: Formula) -> RegionRun:
        if defined is TRUE:
            return run
        match run:
            case Once() | Every():
                return self._pass(here, run, defined)
            case Carrying():
                first, last = _split(run)
                return replace(
                    run,
                    arguments=here.values(first, run.arguments, defined),
                    carries=here.values(last, run.carries, defined),
                    condition=implies(defined, run.condition),
                    runs=_where(defined, run.runs),
                    course=None,
                )
            case Unrolled():  # how many trips there are is not known any more
                first, last = _split(run)
                return loop(
                    region=run.region,
                    arguments=tuple(self.unknown(here.fresh(each)) for each in first),
                    carries=here.values(last, run.carries, defined),
                    because="inside the loop",
                    runs=_where(defined, run.runs),
                )
            case While():
                return self._while(here, run, defined)
            case _:
                assert_never(run)

    def _pass(self, here: Substitutes, run: P, defined: Formula) -> P:
        inside = run.region.blocks[0].arguments if run.region.blocks else ()
        return replace(
            run,
            arguments=here.values(inside, run.arguments, defined),
            condition=implies(defined, run.condition),
            runs=_where(defined, run.runs),
        )

    def _while(self, here: Substitutes, run: While, defined: Formula) -> While:
        def followed(yielded: tuple[Abstract, ...], carried: tuple[Abstract, ...]) -> Every:
            return self._pass(here, run.follow(yielded, carried), defined)

        carries = here.values(_split(run)[1], run.carries, defined)
        return replace(run, carries=carries, follow=followed, runs=conjunction((defined, run.runs)))


def _split(run: Carrying | While | Unrolled) -> tuple[Sequence[Value], Sequence[Value]]:
    """The arguments of a body: those of the iteration, and those that are carried."""
    inside = run.region.blocks[0].arguments if run.region.blocks else ()
    count = len(inside) - len(run.carries)
    return inside[:count], inside[count:]


def _where(defined: Formula, runs: Formula | None) -> Formula | None:
    return None if runs is None else conjunction((defined, runs))


def _demands(claims: Sequence[Claim]) -> tuple[Formula, ...]:
    return tuple(claim.formula for claim in claims if claim.kind is not Kind.CHECK)


def _under(condition: Formula, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    return tuple((implies(condition, formula), because) for formula, because in statements)
