"""Results of a function that are errors for all, or for some, admitted sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapesolve.checker.report import PossibleError, ReturnedError
from shapesolve.domain.values import validity
from shapesolve.ir.program import Operation, SymbolRef, Value
from shapesolve.solver.entailment import entails
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import negation
from shapesolve.trace.events import Trace


def returned_errors(trace: Trace, where: Sequence[Formula] = ()) -> tuple[ReturnedError, ...]:
    """Return the results that are errors in every admitted call in which some conditions on the inputs hold."""
    found: list[ReturnedError] = []
    for position, value in enumerate(trace.results or ()):
        valid = validity(value)
        if _is_error(trace, valid, where):
            maker = next(_makers(trace, valid), None)
            message = maker.attributes.get("error") if maker is not None else None
            found.append(ReturnedError(position, maker, message if isinstance(message, str) else ""))
    return tuple(found)


def possible_errors(trace: Trace, demanded: Sequence[Formula]) -> tuple[PossibleError, ...]:
    """Return the results that are errors for some admitted sizes, if all demands hold."""
    facts = [*(fact.formula for fact in trace.assumptions), *demanded]
    found: list[PossibleError] = []
    for position, value in enumerate(trace.results or ()):
        valid = validity(value)
        if valid in (TRUE, FALSE) or not valid.variables <= set(trace.input_variables):
            continue
        if not entails(valid, facts) and not _is_error(trace, valid):
            makers = list(_makers(trace, valid))
            maker = makers[0] if len(makers) == 1 else None
            found.append(PossibleError(position, valid, maker, "; or ".join(_messages(trace, valid, facts))))
    return tuple(found)


_MOST_CONDITIONS = 20
"""The most conditions whose makers are asked for their messages."""


def _messages(trace: Trace, valid: Formula, facts: Sequence[Formula]) -> list[str]:
    """Return the messages of the operations that a value which is no error under this condition may fail in.

    Operations whose operands fail wherever they do are left out. Two operations that fail alike have no message.
    """
    found: list[str] = []
    seen, waiting = {valid}, [valid]
    while waiting and len(seen) <= _MOST_CONDITIONS:
        condition = waiting.pop()
        makers = list(_makers(trace, condition))
        for op in makers:
            before = [validity(trace.values[each]) for each in _sources(op) if each in trace.values]
            conditional = [each for each in before if each is not TRUE]
            message = op.attributes.get("error")
            is_own = not conditional or not entails(condition, [*facts, *conditional])
            if len(makers) == 1 and isinstance(message, str) and message and is_own:
                found.append(message)
            waiting += [each for each in conditional if each not in seen]
            seen.update(conditional)
    return list(dict.fromkeys(reversed(found)))


def _makers(trace: Trace, valid: Formula) -> Iterator[Operation]:
    """Yield the operations with a result that is no error under exactly this condition, unlike what they are given.

    Those of callees come last, and then the calls that hand their results on are left out.
    """
    own = list(trace.function.operation.walk())
    inside = [op for op in trace.reached.keys() - own if _makes(trace, op, valid)]
    for op in own:
        is_call = any(isinstance(each, SymbolRef) for each in op.attributes.values())
        if not (inside and is_call) and _makes(trace, op, valid):
            yield op
    yield from sorted(inside, key=lambda op: op.number)


def _makes(trace: Trace, op: Operation, valid: Formula) -> bool:
    made = [validity(trace.values[each]) for each in op.results if each in trace.values]
    given = [validity(trace.values[each]) for each in _sources(op) if each in trace.values]
    return valid in made and valid not in given


def _sources(op: Operation) -> Iterator[Value]:
    """Yield the operands of an operation, and what its regions yield."""
    yield from op.operands
    for region in op.regions:
        for block in region.blocks:
            if block.operations:
                yield from block.operations[-1].operands


def _is_error(trace: Trace, valid: Formula, where: Sequence[Formula] = ()) -> bool:
    if valid is TRUE or valid is FALSE:
        return valid is FALSE
    facts: Sequence[Formula] = [*(fact.formula for fact in trace.assumptions), *where]
    return valid.variables <= set(trace.input_variables) and entails(negation(valid), facts)
