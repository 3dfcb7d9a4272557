"""What one program does for given sizes: the same walk, judged with every input fixed.

A counterexample of a comparison is one assignment, in which an iteration of a loop is some iteration. Here each side is
asked for all of its iterations at once.
"""

from __future__ import annotations

from shapesolve.language.atoms import ShapeSymbol, Variable
from shapesolve.language.dims import of_atom
from shapesolve.language.formulas import FALSE, Formula, conjunction, equal, negation
from shapesolve.language.shapes import RankedShape, same_shape, unranked
from shapesolve.proving.prover import Prover
from shapesolve.proving.verdicts import Proved, Refuted, Sizes, Unreachable
from shapesolve.refining.outcome import Behaviour, Ending
from shapesolve.refining.signatures import Entry
from shapesolve.walking.obligations import Enter, Event, Fact, Leave, Obligation, Presumption, Source, Stop, Trace


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
            return Behaviour(Ending.UNDEFINED, detail=f"at its entry: its type says that {entry.words}")
    judging = _Judging(prover, frozenset(trace.input_variables))
    for event in trace.events[trace.assumed :]:
        if not judging.goes_on(event):
            break
    return judging.behaviour


class _Judging:
    """Judges one program until it is known how it ends."""

    def __init__(self, prover: Prover, fixed: frozenset[Variable]) -> None:
        self._prover = prover
        self._fixed = fixed
        self._failed: list[Obligation] = []
        self._ways: list[frozenset[Variable]] = []
        self._certain = True
        self._ended = False

    def goes_on(self, event: Event) -> bool:
        """Take one event; whether the next one matters."""
        match event:
            case Fact():
                self._prover.assume(event)
            case Enter():
                self._ways.append(frozenset() if event.condition is None else event.condition.formula.variables)
                self._prover.enter(event.condition, event.approximate)
            case Leave():
                self._ways.pop()
                self._prover.leave(event.runs)
            case Obligation():
                self._judge(event)
            case Presumption():
                self._prover.presume(event)
            case Stop():
                self._certain = self._certain and isinstance(self._prover.reachable(), Unreachable)
            case _:
                pass
        return self._certain and not self._ended and not (self._failed and not self._ways)

    def _judge(self, obligation: Obligation) -> None:
        verdict = self._prover.judge(obligation.claim)
        if isinstance(verdict, Refuted):
            self._failed.append(obligation)
            if len(self._failed) == 1 and obligation.claim.variables.union(*self._ways) <= self._fixed:
                self._ended = True  # there is only one iteration, and this is the first thing in it that fails
        elif isinstance(verdict, Proved | Unreachable):
            self._prover.assume(obligation.as_fact())
        else:
            self._certain = False

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
