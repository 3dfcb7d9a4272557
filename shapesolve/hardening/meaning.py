"""Whether the checks that were put in require what they should: their claims, read again, against the formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.contracts.cases import divides_by_sizes, follows_by_cases
from shapesolve.contracts.every_number import of_all
from shapesolve.hardening.in_place_plan import Guard
from shapesolve.judging.traces import trace_of
from shapesolve.language.dims import of_atom
from shapesolve.language.formulas import Formula
from shapesolve.language.substitution import Instantiation
from shapesolve.options import Options
from shapesolve.proving.verdicts import Proved
from shapesolve.pruning.prepared import Prepared
from shapesolve.reading.program import Function
from shapesolve.walking.interpreting import Around, surroundings
from shapesolve.walking.obligations import Kind, Obligation, Trace
from shapesolve.walking.unknowns import Range

_BUDGET = 300_000


def differing(
    prepared: Prepared, formulas: Mapping[int, Formula], traces: Sequence[Trace], options: Options
) -> set[int]:
    """The checks whose claims are not proved to be equivalent to their formulas, by their numbers.

    ``formulas`` are over the inputs of ``traces``, walked in the original; ``options`` are those for the program. What
    the checks before say is known: together they mean what the formulas together do.
    """
    found = set(formulas)
    for before in traces:
        after = trace_of(prepared.program, prepared.program.functions[before.function.name], options)
        known = [fact.formula for fact in before.assumptions]
        for obligation in after.obligations:
            number = prepared.origins[obligation.op.number]
            if number in formulas and obligation.kind is Kind.CHECK and not obligation.calls:
                claim = renamed(obligation, after, before)
                if claim is not None and _same(claim, formulas[number], known):
                    found.discard(number)
                known.append(formulas[number])
    return found


def renamed(obligation: Obligation, after: Trace, before: Trace) -> Formula | None:
    """The claim over the inputs of the other trace: arguments that were numbers have names now."""
    pairs = list(zip(after.input_variables, before.input_variables, strict=True))
    if all(new is old for new, old in pairs):
        return obligation.claim
    try:
        return Instantiation({new: of_atom(old) for new, old in pairs}).formula(obligation.claim)
    except ValueError:  # shapes of unknown rank
        return None


def _same(a: Formula, b: Formula, known: Sequence[Formula]) -> bool:
    return a is b or all(_follows(x, [*known, y]) or _by_cases(x, [*known, y]) for x, y in ((a, b), (b, a)))


def _by_cases(claim: Formula, premises: Sequence[Formula]) -> bool:
    return any(map(divides_by_sizes, premises)) and follows_by_cases(claim, premises, _BUDGET)


def too_strong(
    prepared: Prepared, guards: Mapping[int, Guard], functions: Sequence[Function], options: Options
) -> set[int]:
    """The checks that are not proved to follow from what their operations demand, wherever these run.

    A check that does follow stops no run that would have been defined.
    """
    found: set[int] = set()
    for function in functions:
        trace = trace_of(prepared.program, prepared.program.functions[function.name], options)
        known = [fact.formula for fact in trace.assumptions]
        around = surroundings(trace)
        last: dict[int, dict[int, list[Formula]]] = {}  # by operation, by check before it: what the operation demands
        visits: list[tuple[int, Formula, list[Formula]]] = []
        for obligation in trace.obligations:
            number = prepared.origins[obligation.op.number]
            guard = guards.get(number)
            if guard is not None and obligation.kind is Kind.CHECK:
                demanded = last.setdefault(guard.op.number, {})[number] = list[Formula]()
                visits.append((number, obligation.claim, demanded))
            else:
                for demanded in last.get(number, {}).values():
                    demanded.append(of_all(obligation.claim, _of_its_own(trace.ranges, around[obligation])))
        found |= {number for number, claim, demanded in visits if not _follows(claim, [*known, *demanded])}
    return found


def _of_its_own(ranges: Mapping[str, Range], around: Around) -> Mapping[str, Range]:
    """The ranges of the loops that an operation is, without those of the loops that it stands in."""
    outer = {variable.text for each in around for variable in each.condition.variables}
    return {name: range for name, range in ranges.items() if name not in outer}


def _follows(claim: Formula, premises: Sequence[Formula]) -> bool:
    from shapesolve.solving import prove

    return claim in premises or isinstance(prove(claim, premises), Proved)
