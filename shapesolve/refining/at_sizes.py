"""What one program does for given sizes: the same walk, judged with every input fixed.

A counterexample of a comparison is one assignment, in which an iteration of a loop is some iteration. Here each side is
asked for all of its iterations at once.
"""

from __future__ import annotations

from shapesolve.judging.judgement import Judgement
from shapesolve.judging.loop import Judging, Policy
from shapesolve.language.atoms import ShapeSymbol, Variable
from shapesolve.language.dims import of_atom
from shapesolve.language.formulas import FALSE, Formula, conjunction, equal, negation
from shapesolve.language.shapes import RankedShape, same_shape, unranked
from shapesolve.proving.prover import Prover
from shapesolve.proving.verdicts import Proved, Refuted, Sizes, Undecided, Unreachable
from shapesolve.refining.outcome import Behaviour, Ending
from shapesolve.refining.signatures import Entry
from shapesolve.walking.interpreting import Around, Scope, interpret
from shapesolve.walking.obligations import Fact, Obligation, Source, Stop, Trace


def fix_inputs(prover: Prover, sizes: Sizes) -> None:
    """Assume that the inputs have these sizes."""
    for variable, value in sizes.items():
        prover.assume(Fact(_is(variable, value), Source.ASSUMPTION, "the counterexample"))


def _is(variable: Variable, value: int | tuple[int, ...]) -> Formula:
    if isinstance(value, tuple):
        assert isinstance(variable, ShapeSymbol)
        return same_shape(unranked(variable.name), RankedShape.of(value))
    return equal(of_atom(variable), value)


def behaviour(prover: Prover, trace: Trace, entries: tuple[Entry, ...] = ()) -> Behaviour | None:
    """What a program does for the inputs that the prover knows; None where that is not certain.

    Afterwards the prover knows everything that the program computes.
    """
    for entry in entries:
        if not isinstance(prover.judge(entry.holds), Proved):
            return Behaviour(Ending.UNDEFINED, detail=entry.broken)
    judging = _Ending(prover, frozenset(trace.input_variables))
    interpret(trace, judging)
    return judging.behaviour


def open_demand(prover: Prover, trace: Trace) -> str:
    """The first demand of a program, in a sentence, of which the inputs that the prover knows do not decide it."""
    judging = _Ending(prover, frozenset(trace.input_variables))
    interpret(trace, judging)
    if judging.open is None:
        return ""
    demand, verdict = judging.open.obligation, judging.open.verdict
    line = f" at line {demand.location.line}" if demand.location.line else ""
    reason = f": {verdict.reason}" if isinstance(verdict, Undecided) else ""
    return f"whether the source's {demand.op.name}{line} is defined there ({demand.clause}) is not known{reason}"


class _Ending(Judging):
    """Judges one program until it is known how it ends. What does not fail is a fact for what follows it."""

    def __init__(self, prover: Prover, fixed: frozenset[Variable]) -> None:
        super().__init__(prover, Policy(believes=lambda judgement: isinstance(judgement.verdict, Proved | Unreachable)))
        self._prover = prover
        self._fixed = fixed
        self._failed: list[Obligation] = []
        self.open: Judgement | None = None
        self._certain = True
        self._ended = False

    @property
    def done(self) -> bool:
        return self._ended or not self._certain

    def leave(self, scope: Scope, around: Around) -> None:
        super().leave(scope, around)
        self._ended = bool(self._failed) and not around

    def stop(self, stop: Stop, around: Around) -> None:
        self._certain = isinstance(self._prover.reachable(), Unreachable)

    def obligation(self, obligation: Obligation, around: Around) -> Judgement:
        judgement = super().obligation(obligation, around)
        if isinstance(judgement.verdict, Refuted):
            self._failed.append(obligation)
            # There is only one iteration, and this is the first thing in it that fails, or there are no iterations.
            needed = obligation.claim.variables.union(*(each.condition.variables for each in around))
            self._ended = not around or (len(self._failed) == 1 and needed <= self._fixed)
        elif not isinstance(judgement.verdict, Proved | Unreachable):
            self._certain = False
            self.open = judgement
        return judgement

    @property
    def behaviour(self) -> Behaviour | None:
        """How the program ends; None where several iterations may end it in different ways."""
        if not self._certain:
            return None
        if not self._failed:
            return Behaviour(Ending.RETURNS)
        found = [Behaviour.of(each) for each in self._failed]
        return found[0] if len({each.ending for each in found}) == 1 else None


def is_false_for_all(prover: Prover, claims: list[Formula]) -> bool:
    """Whether some claim is false whatever else the inputs hold."""
    return isinstance(prover.judge(negation(conjunction(claims) if claims else FALSE)), Proved)
