"""Contracts of functions that stand beside a program: they count as if the functions stated them themselves."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

from shapesolve.errors import InputError
from shapesolve.reading.preconditions import ENSURES, REQUIRES, claims_in
from shapesolve.reading.program import Attribute, Function, Program
from shapesolve.records import value_record


@value_record
class GivenContract:
    """What is said of one function. ``requires`` is None where it is not said; ``where`` says so."""

    function: str
    requires: tuple[str, ...] | None
    ensures: tuple[str, ...] | None
    where: str


def take_in(program: Program, contracts: Sequence[GivenContract]) -> Program:
    """The program, just read, whose functions state these contracts too. Raises InputError for one that it lacks."""
    for contract in contracts:
        function = _function(program, contract)
        for attribute, texts in ((REQUIRES, contract.requires), (ENSURES, contract.ensures)):
            if texts is not None:
                there = claims_in(function, attribute) or ()
                _attributes(function)[attribute] = (*there, *(each for each in texts if each not in there))
    return program


def _function(program: Program, contract: GivenContract) -> Function:
    found = program.functions.get(contract.function.removeprefix("@"))
    if found is None:
        known = ", ".join(sorted(program.functions)) or "none"
        raise InputError(f"the program has no function `{contract.function}`; there are: {known}", where=contract.where)
    return found


def _attributes(function: Function) -> MutableMapping[str, Attribute]:
    """The attributes of a function that nothing has looked at yet."""
    found = function.operation.attributes
    assert isinstance(found, dict)
    return found
