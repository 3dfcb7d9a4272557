"""Interpretations of two programs on the same inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from shapesolve.checker.check import kept_contracts
from shapesolve.domain.values import Abstract
from shapesolve.interpreter.inputs import limited, make_inputs
from shapesolve.interpreter.named_extents import shape_names
from shapesolve.ir.program import Function, Program
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.refinement.concrete import concrete_inputs
from shapesolve.refinement.paired_interpreter import Interpretation, interpret_side
from shapesolve.refinement.signatures import Entry, OutParameter, Returned, out_parameter_facts, shared_inputs
from shapesolve.shape_functions.registries import registry_for
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.trace.events import Fact


@record
class Interpretations:
    """Both programs, interpreted on the same inputs.

    Attributes:
        source, target: The programs.
        in_step: The target with the iterations of the source.
        entries: The target's requirements on the arguments.
        returned_facts: The extents of out-parameters where the source returns.
        max_size: The largest size that is compared.
        limited: Why only sizes up to ``max_size`` are compared.
        at: Interprets both programs at certain sizes.
    """

    source: Interpretation
    target: Interpretation
    in_step: Interpretation
    entries: tuple[Entry, ...]
    returned_facts: tuple[Fact, ...]
    max_size: int
    limited: tuple[str, ...]
    at: Callable[[Sizes], tuple[Interpretation, Interpretation]]

    @property
    def sides(self) -> tuple[Interpretation, Interpretation]:
        return self.source, self.target


def interpret_both(
    source: tuple[Program, Function], target: tuple[Program, Function], places: tuple[Returned, ...], options: Options
) -> Interpretations:
    """Interpret both functions on the inputs of the source, with results of the target at the given places."""
    registry = registry_for(source[0], options)
    theirs = registry_for(target[0], options)
    limits = (limited(source[0], options.max_size, registry), limited(target[0], options.max_size, theirs))
    max_size = min(largest for largest, _ in limits)
    ours = make_inputs(
        source[1],
        assumptions=options.assumptions,
        names=shape_names(source[1], options.shapes),
        min_size=options.min_size,
        max_size=max_size,
        max_bytes=options.max_bytes,
        distrust=options.distrust,
        proved=kept_contracts(source[0], options),
    )
    proved = kept_contracts(target[0], options)
    shared = shared_inputs(ours, make_inputs(target[1], distrust=options.distrust, proved=proved))
    first = interpret_side(source[0], ours, registry, "source")
    second = interpret_side(target[0], shared.inputs, theirs, "target")
    in_step, common = second, first.all_numbers & second.all_numbers
    if all(each.loops - common for each in (first, second)):
        first = interpret_side(source[0], ours, registry, "source", common)
        in_step = interpret_side(target[0], shared.inputs, theirs, "target", common)

    second, in_step = (_with_results_at(each, places) for each in (second, in_step))

    def at(sizes: Sizes) -> tuple[Interpretation, Interpretation]:
        return (
            interpret_side(source[0], concrete_inputs(ours, sizes), registry, "source"),
            _with_results_at(
                interpret_side(target[0], concrete_inputs(shared.inputs, sizes), theirs, "target"), places
            ),
        )

    return Interpretations(
        first,
        second,
        in_step,
        shared.entries,
        tuple(out_parameter_facts(first.trace, _out_parameters(second, places))),
        max_size,
        tuple(dict.fromkeys(reason for _, reasons in limits for reason in reasons)),
        at,
    )


def _out_parameters(target: Interpretation, places: tuple[Returned, ...]) -> Iterator[tuple[int, Abstract]]:
    """Yield the buffers that take results of the source, with the positions of these."""
    for position, place in enumerate(places):
        if isinstance(place, OutParameter):
            yield position, target.trace.inputs[place.argument]


def _with_results_at(target: Interpretation, places: tuple[Returned, ...]) -> Interpretation:
    """Return the target with results like those of the source: out-parameters are results."""
    own = target.trace.results
    if own is None or not any(isinstance(each, OutParameter) for each in places):
        return target
    inputs = target.trace.inputs
    results = tuple(inputs[each.argument] if isinstance(each, OutParameter) else own[each] for each in places)
    clean = target.clean_results
    if clean is not None:
        clean = tuple(TRUE if isinstance(each, OutParameter) else clean[each] for each in places)
    taken = tuple(each.argument if isinstance(each, OutParameter) else None for each in places)
    return replace(target, trace=replace(target.trace, results=results), clean_results=clean, result_arguments=taken)
