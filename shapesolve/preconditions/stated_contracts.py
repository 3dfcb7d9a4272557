"""Contracts of functions: ``shapesolve.requires`` and ``shapesolve.ensures``, stated in the program or given beside it.

A function requires claims about its arguments and ensures claims about its results. The body of a function is inlined
where it is called, with the arguments of the call, so that its contract adds claims and nothing else: its requirements,
at the call, and its guarantees, where it returns. Two kinds of functions are not inlined: those without a body, whose
contract is trusted, and those that call themselves. The contract of the latter is checked for all arguments that it
admits, under the contracts of the calls inside: that is an induction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence

from shapesolve.domain.fresh_variables import FreshVariables
from shapesolve.domain.values import Abstract, Size, Tensor, as_size, element_lists, element_symbols
from shapesolve.errors import InputError, placed
from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.control_flow import recursive_functions
from shapesolve.ir.own_attributes import ENSURES, REQUIRES
from shapesolve.ir.program import Attribute, Function, Operation, Program
from shapesolve.preconditions.attributes import claims_in
from shapesolve.records import record, value_record
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.trust import ModelingAssumption, TrustedStatements


@value_record
class SeparateContract:
    """Contract that is given beside the program.

    Attributes:
        function: The name of the function.
        requires, ensures: The claims; None if they are not stated.
        where: The place that states them.
    """

    function: str
    requires: tuple[str, ...] | None
    ensures: tuple[str, ...] | None
    where: str


def add_contracts(program: Program, contracts: Sequence[SeparateContract]) -> Program:
    """Add contracts to the functions of a program that was just read.

    Raises:
        InputError: The program has no such function.
    """
    for contract in contracts:
        function = _function(program, contract)
        for attribute, texts in ((REQUIRES, contract.requires), (ENSURES, contract.ensures)):
            if texts is not None:
                there = claims_in(function, attribute) or ()
                _attributes(function)[attribute] = (*there, *(each for each in texts if each not in there))
    return program


def _function(program: Program, contract: SeparateContract) -> Function:
    found = program.functions.get(contract.function.removeprefix("@"))
    if found is None:
        known = ", ".join(sorted(program.functions)) or "none"
        raise InputError(f"the program has no function `{contract.function}`; there are: {known}", where=contract.where)
    return found


def _attributes(function: Function) -> MutableMapping[str, Attribute]:
    """Return the attributes of a function, to be changed before any analysis reads them."""
    found = function.operation.attributes
    assert isinstance(found, dict)
    return found


_OWNER = "func.func"


@record
class StatedContract:
    """Contract that a function states, as texts.

    Attributes:
        requires: The required claims; None if they are not stated, and so unknown.
        calls_itself: Whether the function is recursive, directly or indirectly.
        arguments, results: Unknown values of the function's types.
    """

    function: Function
    requires: tuple[str, ...] | None
    ensures: tuple[str, ...]
    calls_itself: bool
    arguments: tuple[Abstract, ...]
    results: tuple[Abstract, ...]

    @property
    def replaces_body(self) -> bool:
        """Return whether calls are checked by the contract alone, because no body can be inlined."""
        return self.function.body is None or self.calls_itself

    @property
    def trusted(self) -> TrustedStatements:
        """The contract as statements that are believed without a proof."""
        needs = "" if self.requires is None else f"requires {' and '.join(self.requires) or 'nothing'}"
        ensures = f"ensures {' and '.join(self.ensures)}" if self.ensures else ""
        texts = tuple(filter(None, (needs, ensures)))
        return TrustedStatements(f"@{self.function.name}", texts, at_run_time=False)

    def scope(self, arguments: Sequence[Abstract], results: Sequence[Abstract] = ()) -> Scope:
        """Return the scope of the texts: ``arg0`` and the arguments' own names, ``result0``."""
        named = [(f"result{index}", value) for index, value in enumerate(results)]
        named += [
            (each.name.lstrip("%"), value) for each, value in zip(self.function.arguments, arguments, strict=True)
        ]
        named += [(f"arg{index}", value) for index, value in enumerate(arguments)]
        return scope_of_values(named)


@value_record
class KeptContract:
    """Result that a function keeps its contract, under these assumptions of the modeling."""

    modeling: tuple[ModelingAssumption, ...] = ()


class StatedContracts:
    """Contracts of a program."""

    def __init__(self, contracts: Mapping[Function, StatedContract]) -> None:
        self._contracts = contracts
        self._by_end = {
            block.operations[-1]: contract
            for function, contract in contracts.items()
            for block in (function.body.blocks if function.body is not None else ())
            if block.operations
        }

    def of(self, function: Function) -> StatedContract | None:
        """Return the contract that a function states, or None."""
        return self._contracts.get(function)

    def returning_from(self, op: Operation) -> StatedContract | None:
        """Return the contract of the function that an operation returns from, or None."""
        return self._by_end.get(op)

    def is_inductive(self, function: Function) -> bool:
        """Return whether calls of a function with a body rest on its contract."""
        contract = self._contracts.get(function)
        return contract is not None and contract.calls_itself

    def inductive_contracts(self) -> tuple[StatedContract, ...]:
        """Return the contracts of functions with a body on which calls rest."""
        return tuple(each for each in self._contracts.values() if each.calls_itself)


@program_analysis
def declared(program: Program) -> StatedContracts:
    """Return the contracts that the functions of a program state, but those that MLIR refuses.

    Raises:
        InputError: A contract is not of the size language; with its place.
    """
    found: dict[Function, tuple[tuple[str, ...] | None, tuple[str, ...] | None]] = {}
    for function in program.functions.values():
        if function.name in program.refused:
            continue  # only a declaration is left of it, without the names that its contract is about
        stated = claims_in(function, REQUIRES), claims_in(function, ENSURES)
        if stated != (None, None):
            found[function] = stated
    if not found:
        return StatedContracts({})
    calling_themselves = recursive_functions(program)
    contracts = {
        function: StatedContract(
            function, requires, ensures or (), function in calling_themselves, *_any_values(function)
        )
        for function, (requires, ensures) in found.items()
    }
    for contract in contracts.values():
        _check(contract)
    return StatedContracts(contracts)


def _any_values(function: Function) -> tuple[tuple[Abstract, ...], tuple[Abstract, ...]]:
    """Return unknown arguments and results of a function's types."""
    unknowns = FreshVariables()
    arguments = [(each.name.lstrip("%"), each.type) for each in function.arguments]
    results = [(f"result{index}", each) for index, each in enumerate(function.result_types)]
    made = [unknowns.of_type(type, name, contents=True, errors=False) for name, type in (*arguments, *results)]
    return tuple(made[: len(arguments)]), tuple(made[len(arguments) :])


def _check(contract: StatedContract) -> None:
    """Check that the texts can be parsed for all arguments."""
    function = contract.function
    if function.operation.name != _OWNER:
        raise InputError(f"a contract belongs to a {_OWNER}", where=str(function.location))
    for attribute, texts, scope in (
        (REQUIRES, contract.requires or (), contract.scope(contract.arguments)),
        (ENSURES, contract.ensures, contract.scope(contract.arguments, contract.results)),
    ):
        for text in texts:
            with placed(f"{function.location}: {attribute} of @{function.name}"):
                parse_formula(text, scope)


def scope_of_values(named: Iterable[tuple[str, Abstract]], sizes: Mapping[str, Dim] | None = None) -> Scope:
    """Return a scope with the sizes and shapes of named values.

    The first value of a name counts, ``sizes`` before all. An unknown boolean or witness is the number 0 or 1.
    """
    known: dict[str, Dim] = dict(sizes or {})
    shapes: dict[str, Shape] = {}
    valid: dict[str, Formula] = {}
    lists: dict[str, IntegerList] = {}
    for name, value in named:
        if name in known or name in shapes:
            continue
        if isinstance(value, Tensor):
            shapes[name] = value.shape
            shapes.update({each: held for each, held in element_symbols(name, value).items() if each not in shapes})
            lists.update({each: held for each, held in element_lists(name, value).items() if each not in lists})
        elif isinstance(value, Shape):
            shapes[name] = value
        elif (number := as_size(value)) is not None:
            known[name] = number
            if isinstance(value, Size):
                valid[name] = value.valid
    return Scope.closed(known, shapes, valid, lists)
