"""Attributes of shapesolve in a file. An unknown one is refused, since its author relies on it.

A misspelt ``shapesolve.ensure`` would claim nothing, and a ``shapesolve.assume`` on an argument would be no assumption.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from shapesolve.errors import InputError
from shapesolve.ir.program import DictAttribute, Function, Operation

ASSUME = "shapesolve.assume"
SHAPE = "shapesolve.shape"
REQUIRES = "shapesolve.requires"
ENSURES = "shapesolve.ensures"
STATED_BY = "shapesolve.stated_by"  # who wrote the other two, where that was an exporter


DECLARED = "shapesolve.declared"
"""On an operation that is a runtime check: the author of the model states that it holds, so it is assumed."""

EFFECTS = "shapesolve.effects"
"""On a shape function: what the operations that it describes do besides giving results."""

ATTRIBUTE = "shapesolve.attribute"
"""On an argument of a shape function: it takes the operation's attribute of this name instead of an operand."""

AT_MOST = "shapesolve.at_most"
"""On a result of a shape function: its extents, or those of the indices listed, are upper bounds."""

ELEMENT = "shapesolve.element"
"""On an argument or a result of a shape function: its element type, or the number of the operand that has the same."""

FOLD = "shapesolve.fold"
"""On a shape function whose last two operands are shapes: it describes operations of any number by being applied again
and again to its own result and the next operand."""

VARIADIC = "shapesolve.variadic"
"""On an argument of a shape function that is a tensor of unknown length: it takes any number of operands."""

YIELDS = "shapesolve.yields"
"""On an argument of a shape function: it takes what a region yields, by the numbers of the region and of the value."""

REGIONS = "shapesolve.regions"
"""On a shape function: for each region of the operation, how often it runs and which operands its arguments are."""

CARRIERS = "shapesolve.carriers"
"""On a module: the operations that carry a trait, each as ``my.op=Elementwise``."""

OURS = "shapesolve."
"""Beginning of the names of all of them."""

_OF_FUNCTIONS = (ASSUME, REQUIRES, ENSURES, STATED_BY, EFFECTS, FOLD, REGIONS)
_OF_ARGUMENTS = (SHAPE, ATTRIBUTE, ELEMENT, VARIADIC, YIELDS)
_OF_RESULTS = (AT_MOST, ELEMENT)
_OF_MODULES = (CARRIERS,)


def check_attributes(module: Operation, functions: Iterable[Function]) -> None:
    """Raise InputError for an attribute of shapesolve that has no effect where it stands."""
    _check(module.attributes, _OF_MODULES, "a module", str(module.location))
    for function in functions:
        where = str(function.location)
        _check(function.operation.attributes, _OF_FUNCTIONS, "a function", where)
        for attributes in function.argument_attributes:
            _check(attributes, _OF_ARGUMENTS, "an argument", where)
        for attributes in _of_results(function):
            _check(attributes, _OF_RESULTS, "a result", where)


def _of_results(function: Function) -> Iterable[Iterable[str]]:
    listed = function.operation.attributes.get("res_attrs", ())
    each = listed if isinstance(listed, tuple) else ()
    return [attributes.entries for attributes in each if isinstance(attributes, DictAttribute)]


def _check(names: Iterable[str], known: tuple[str, ...], owner: str, where: str) -> None:
    for name in names:
        if name.startswith(OURS) and name not in known:
            raise InputError(_message(name, known, owner), where=where)


def _message(name: str, known: tuple[str, ...], owner: str) -> str:
    if name in _OF_FUNCTIONS:
        return (
            f"{name} belongs to a function and says nothing on {owner}: func.func @f(...) attributes {{{name} = ...}}"
        )
    if name in _OF_ARGUMENTS:
        return f"{name} belongs to an argument and says nothing on {owner}: @f(%x: tensor<?xf32> {{{name} = ...}})"
    if name in _OF_MODULES:
        return f"{name} belongs to the outermost module and says nothing on {owner}"
    if name in _OF_RESULTS:
        return f"{name} belongs to a result of a shape function and says nothing on {owner}"
    alike = get_close_matches(name, known or (*_OF_FUNCTIONS, *_OF_ARGUMENTS, *_OF_RESULTS), 1)
    hint = f"; did you mean {alike[0]}?" if alike else ""
    return f"{name} is no attribute that is read here{hint}"
