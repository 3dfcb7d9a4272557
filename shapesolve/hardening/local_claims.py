"""What an operation demands, said of its own operands whatever they are: the same however often it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.contracts.every_number import of_all
from shapesolve.language.dims import Dim
from shapesolve.language.limits import TooLarge
from shapesolve.reading.places import places_in
from shapesolve.reading.program import Function, Operation, Program, SymbolRef, Value
from shapesolve.walking.declared import Kept, StatedContract, declared
from shapesolve.walking.effects import PURE
from shapesolve.walking.exposure import exposed
from shapesolve.walking.origins import Origins
from shapesolve.walking.producers import producers
from shapesolve.walking.reconciling import reconcile
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rule_failures import applied
from shapesolve.walking.rulebook import Claim, Rulebook
from shapesolve.walking.unknowns import Unknowns, variables_of
from shapesolve.walking.values import Abstract, Unmodelled

_DEEPEST = 8
"""Constants are computed through so many operations."""


class _Values(dict[Value, Abstract]):
    def __missing__(self, value: Value) -> Abstract:
        raise CannotSee(f"it depends on {value.name}, which is no operand")


class LocalClaims:
    """Applies the rules of operations to operands of which nothing is known but their types, constants apart."""

    def __init__(self, program: Program, rulebook: Rulebook) -> None:
        self._program = program
        self._rulebook = rulebook
        self._makers = places_in(program).makers
        self._exposed = exposed(program)

    def of(self, op: Operation) -> tuple[Sequence[Claim], Mapping[Value, Abstract]]:
        """What an operation claims, and what its operands, and what else it speaks of, are taken to be.

        Raises CannotSee.
        """
        around = _Around(self._program, self._exposed)
        for operand in dict.fromkeys((*op.operands, *_arguments(op, around))):
            around.values[operand] = self._operand(operand, around)
        operands = dict(around.values)
        try:
            return self._claims(op, around), operands
        except TooLarge as limit:
            raise CannotSee(limit.message) from None

    def _claims(self, op: Operation, around: _Around) -> list[Claim]:
        rule = self._rulebook.get(op.name)
        if rule is None:
            raise CannotSee("no rule describes it")
        meaning = applied(rule, op, RuleContext(around))
        claims = list(meaning.claims)
        if meaning.finish is None:
            for value, result in zip(op.results, meaning.results, strict=True):
                if not isinstance(result, Unmodelled):
                    claims += reconcile(value, result)[1]
        return [replace(each, formula=of_all(each.formula, around.unknowns.ranges)) for each in claims]

    def _operand(self, value: Value, around: _Around) -> Abstract:
        constant = self._constant(value, around, _DEEPEST)
        return around.unknowns.of_type(value.type, value.name, contents=True) if constant is None else constant

    def _constant(self, value: Value, around: _Around, depth: int) -> Abstract | None:
        """What a value always is, where it is made of constants alone."""
        op = self._makers.get(value)
        rule = None if op is None else self._rulebook.get(op.name)
        if op is None or rule is None or not depth or op.regions or self._rulebook.effects(op) != PURE:
            return None
        inner = _Around(self._program, self._exposed)
        for operand in op.operands:
            found = self._constant(operand, around, depth - 1)
            if found is None:
                return None
            inner.values[operand] = found
        try:
            meaning = applied(rule, op, RuleContext(inner))
        except (CannotSee, TooLarge):
            return None
        if meaning.claims or meaning.finish is not None:
            return None
        result = meaning.results[op.results.index(value)]
        if isinstance(result, Unmodelled):
            return None
        known, claims = reconcile(value, result)
        return known if not claims and not variables_of(known) else None


def _arguments(op: Operation, around: _Around) -> Sequence[Value]:
    """What a return speaks of besides its operands: the arguments of a function that says what it ensures."""
    contract = around.contracts.ended_by(op)
    return contract.function.arguments if contract is not None and contract.ensures else ()


class _Around:
    """The surroundings of one operation: its operands, and nothing else."""

    def __init__(self, program: Program, exposed: frozenset[Value]) -> None:
        self.values: dict[Value, Abstract] = _Values()
        self.unknowns = Unknowns()
        self.iteration: tuple[Dim, ...] | None = None
        self.exposed = exposed
        self.contracts = declared(program)
        self.distrusts = False
        self._program = program

    def callee(self, op: Operation, symbol: SymbolRef) -> Function | None:
        return self._program.symbols.function(op, symbol)

    def declaration(self, op: Operation, symbol: SymbolRef) -> Operation | None:
        return self._program.symbols.operation(op, symbol)

    def producer(self, value: Value) -> Operation | None:
        return producers(self._program).get(value)

    def origins_of(self, value: Value) -> Origins:
        return Origins()

    def kept(self, contract: StatedContract) -> Kept | None:
        """Nothing: what a call gives is of no interest here."""
        return None
