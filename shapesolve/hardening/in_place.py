"""Checks before the operations that may be undefined, as few as suffice; then what follows from them goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from shapesolve.hardening.checking_again import checked_again
from shapesolve.hardening.homes import homes_of
from shapesolve.hardening.in_place_plan import Guard, guards_of, open_demands
from shapesolve.hardening.index_terms import IndexTerms
from shapesolve.hardening.local_claims import LocalClaims
from shapesolve.hardening.meaning import too_strong
from shapesolve.hardening.preparing import prepared
from shapesolve.hardening.request import functions_asked
from shapesolve.hardening.stablehlo_terms import StablehloTerms
from shapesolve.hardening.terms import Insertion, Terms, Unwritable
from shapesolve.hardening.writing import ConditionWriter
from shapesolve.judging.checking import check_function
from shapesolve.judging.loop import Progress
from shapesolve.judging.report import FunctionReport
from shapesolve.libraries.layering import rulebook_for
from shapesolve.options import Options
from shapesolve.pruning.outcome import PruneResult, WrittenCheck
from shapesolve.pruning.prepared import Prepared
from shapesolve.pruning.prune import prune_prepared
from shapesolve.reading.bindings import Bindings, verifies
from shapesolve.reading.crash_trial import parsed_text
from shapesolve.reading.program import Function, Operation, Program, Value
from shapesolve.reading.shared_contexts import context_for
from shapesolve.rewriting.assumption_attributes import RECORDED, record
from shapesolve.wording.words import readable_claim

STYLES: Mapping[str, type[Terms]] = {"cf": IndexTerms, "stablehlo": StablehloTerms}
"""The terms in which checks can be written in place, by their names."""

COMBINING = "scf.forall.in_parallel"
"""The end of an iteration, in which nothing may stand but what it writes to the shared tensors, always."""


def harden(program: Program, options: Options, style: str = "cf", progress: Progress | None = None) -> PruneResult:
    """Put checks into a program that was read from text, before what may be undefined, and prune it.

    Raises InputError and RewriteError as `prune_program` does.
    """
    functions = functions_asked(program, options, style, STYLES)
    quiet = replace(options, execute=False, certify=False)
    reports = [check_function(program, each, quiet, progress) for each in functions]
    plan = _planned(program, reports, options)
    bare = replace(options, assumptions=(), shapes=(), min_size=0)
    draft = _drafted(program, plan, reports, options, STYLES[style])
    while draft.guards:
        wrong = too_strong(draft.ready, draft.guards, [each.trace.function for each in reports], bare)
        if not wrong:
            break
        for number in wrong:
            plan.leave(draft.guards[number], "what would be written is not proved to follow from what it demands")
        draft = _drafted(program, plan, reports, options, STYLES[style])
    if draft.guards:
        result = checked_again(prune_prepared(draft.ready, replace(bare, tolerant=True)), bare)
    else:
        result = prune_prepared(Prepared.untouched(program), options)
        result = checked_again(result, bare if result.removed else options)
    notes = [f"line {op.location.line}: no check is put before `{op.name}`: {why}" for op, why in plan.left]
    return replace(result, notes=(*dict.fromkeys(notes), *result.notes))


@dataclass(slots=True)
class _Plan:
    """The checks to be written, in program order; ``left`` says of the others why they are not."""

    guards: list[Guard] = field(default_factory=list[Guard])
    left: list[tuple[Operation, str]] = field(default_factory=list[tuple[Operation, str]])

    def leave(self, guard: Guard, why: str) -> None:
        self.guards.remove(guard)
        self.left.append((guard.op, why))


def _planned(program: Program, reports: list[FunctionReport], options: Options) -> _Plan:
    plan = _Plan()
    rulebook = rulebook_for(program, options)
    local = LocalClaims(program, rulebook)
    for op, keys in sorted(open_demands(reports, rulebook).items(), key=lambda item: item[0].number):
        guards, left = guards_of(op, keys, local)
        plan.guards += guards
        plan.left += [(op, why) for why in left]
    return plan


@dataclass(slots=True)
class _Draft:
    """A program with checks in it, and what was asked of each, by its number."""

    ready: Prepared
    guards: dict[int, Guard]


def _drafted(
    program: Program, plan: _Plan, reports: list[FunctionReport], options: Options, style: type[Terms]
) -> _Draft:
    assert program.text is not None
    insertion = Insertion(parsed_text(context_for(program.text), program.text), program)
    owners = program.owners()
    written: dict[int, WrittenCheck] = {}
    guards: dict[int, Guard] = {}
    for guard in list(plan.guards):
        start = insertion.made
        try:
            _put_in(insertion, guard, _arguments(insertion, owners.get(guard.op)), style)
        except Unwritable as reason:
            insertion.take_back(start)
            plan.leave(guard, str(reason))
            continue
        function = owners.get(guard.op)
        name = function.name if function is not None else ""
        needed_by = ((guard.op.name, guard.op.location),)
        guards[-insertion.made] = guard
        written[-insertion.made] = WrittenCheck(name, readable_claim(guard.formula), guard.message, needed_by)
    satisfiable = [each for each in reports if not each.contradiction]
    recorded = [
        record(insertion.live[each.trace.function.operation.number], each.trace.function, options)
        for each in satisfiable
    ]
    alone = frozenset(each.name for each in reports if each not in satisfiable)
    ready = prepared(program, insertion, written, alone, [RECORDED] if any(recorded) else [])
    return _Draft(ready, guards)


def _arguments(insertion: Insertion, function: Function | None) -> dict[Value, Bindings]:
    if function is None:
        return {}
    live = insertion.live[function.operation.number].regions[0].blocks[0].arguments
    return dict(zip(function.arguments, live, strict=True))


def _put_in(insertion: Insertion, guard: Guard, arguments: Mapping[Value, Bindings], style: type[Terms]) -> None:
    """Write a check before its operation, which stands in a function of some arguments. Raises Unwritable."""
    live = insertion.live[guard.op.number]
    place = live.parent if live.parent.name == COMBINING else live
    terms = style(insertion, place)
    there = dict(zip(guard.op.operands, live.operands, strict=True))
    there |= {value: argument for value, argument in arguments.items() if value in guard.operands}
    homes = homes_of((abstract, there[value], value.type) for value, abstract in guard.operands.items())
    terms.require(ConditionWriter(terms, homes).whole(guard.formula), guard.message)
    if not verifies(place.parent):
        raise Unwritable("MLIR accepts no check there")
