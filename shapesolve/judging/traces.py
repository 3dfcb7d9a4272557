"""The trace of a function under the options of a run."""

from __future__ import annotations

from shapesolve.judging.kept_contracts import kept_contracts
from shapesolve.libraries.layering import rulebook_for
from shapesolve.options import Options
from shapesolve.reading.program import Function, Program
from shapesolve.walking.data_layout import other_widths
from shapesolve.walking.defending import NO_DOUBTS, Doubts
from shapesolve.walking.inputs import limited, make_inputs, shape_names
from shapesolve.walking.obligations import Trace
from shapesolve.walking.walk import walk


def trace_of(
    program: Program,
    function: Function,
    options: Options,
    doubts: Doubts = NO_DOUBTS,
    *,
    required_only: bool = False,
) -> Trace:
    """Walk one function under the options' assumptions. ``doubts`` are operations that may be undefined.

    ``required_only``: of what the function states of its arguments, only what it requires is assumed.
    """
    rules = rulebook_for(program, options)
    max_size, leans_on = limited(program, options.max_size, rules)
    inputs = make_inputs(
        function,
        proved=kept_contracts(program, options),
        assumptions=options.assumptions,
        names=shape_names(function, options.shapes),
        min_size=options.min_size,
        max_size=max_size,
        max_bytes=options.max_bytes,
        leans_on=(*leans_on, *other_widths(program)),
        distrust=options.distrust,
        required_only=required_only,
        asserted=program.asserted.get(function),
    )
    return walk(program, inputs, rules, doubts, options.deadline)
