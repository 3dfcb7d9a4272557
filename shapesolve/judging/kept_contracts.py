"""Functions that call themselves and keep the contracts that they state: proved by induction.

A call of such a function is not followed: it is judged by the contract. That is right where the function was proved to
keep it, for all arguments that it admits and under no other assumption, whatever is assumed in the run at hand. Each
proof uses that the calls inside keep their contracts, which they do if they end: an induction over how deep calls are
nested. All functions that are candidates are proved together; where one fails, the others are proved without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shapesolve.index_type import MAX_SIZE
from shapesolve.judging.whole_trace import judge_trace
from shapesolve.libraries.layering import rulebook_for
from shapesolve.options import Options
from shapesolve.proving.verdicts import Proved, Unreachable
from shapesolve.reading.analyses import program_analysis
from shapesolve.reading.program import Function, Program
from shapesolve.walking.declared import Kept, declared
from shapesolve.walking.inputs import limited, make_inputs
from shapesolve.walking.trust import ModelingAssumption
from shapesolve.walking.walk import walk


def kept_contracts(program: Program, options: Options) -> Mapping[Function, Kept]:
    """The functions that are proved to keep their contracts, and what each proof leans on."""
    if not declared(program).judged_alone():
        return {}
    bare = replace(options, assumptions=(), shapes=(), functions=(), min_size=0, max_size=MAX_SIZE)
    return _kept(program, replace(bare, certify=False, dump_directory=None))


@program_analysis
def _kept(program: Program, options: Options) -> Mapping[Function, Kept]:
    kept = {each.function: Kept() for each in declared(program).judged_alone()}
    while True:
        found = {each: _proved(program, each, options, kept) for each in kept}
        if None not in found.values():
            leaning = dict.fromkeys(words for each in found.values() for words in each or ())
            return dict.fromkeys(kept, Kept(tuple(leaning)))
        kept = {each: Kept() for each, leans_on in found.items() if leans_on is not None}


def _proved(
    program: Program, function: Function, options: Options, kept: Mapping[Function, Kept]
) -> tuple[ModelingAssumption, ...] | None:
    """What the proof leans on that nothing fails in a function and that it ensures what it says; None without one."""
    rules = rulebook_for(program, options)
    max_size, reasons = limited(program, options.max_size, rules)
    inputs = make_inputs(
        function,
        max_size=max_size,
        leans_on=reasons,
        distrust=options.distrust,
        required_only=True,
        proved=kept,
    )
    trace = walk(program, inputs, rules, deadline=options.deadline)
    if any(not each.demands_known for each in trace.approximations):
        return None
    found = judge_trace(trace, options)
    is_proved = all(isinstance(each.verdict, Proved | Unreachable) for each in found.judgements)
    return trace.modeling_assumptions if is_proved and not found.contradiction else None
