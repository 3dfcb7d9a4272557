"""Sizes of a PyTorch model without declared ones: all dynamic, but for those that the model itself fixes."""

from __future__ import annotations

import linecache
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from shapesolve.frontends.export_process import Facts
from shapesolve.frontends.model_run import Ended, ModelRun
from shapesolve.frontends.torch_examples import resized
from shapesolve.frontends.torch_runs import run_module
from shapesolve.ir.declarations import (
    LEFT_OPEN,
    RAISED_BY_MODEL,
    Declarations,
    ExcludedSizes,
    Guard,
    is_extent_symbol,
    shown_text,
)
from shapesolve.preconditions.python_guards import normalized_claims
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import Formula
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

_NOT_RUN = "what the model states and its export fixes"
"""Origin of the facts of a model without declared sizes that cannot be run."""

_SECONDS = 20
"""Time limit for all runs of a model at other sizes than those that its export fixes."""

Call = list[dict[str, Any]]
"""A call of the model: extents or the value of each argument."""


def all_dynamic(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Return dynamic shapes, by parameter, that leave every extent of every tensor to torch.export."""
    torch = import_module("torch")
    hint: Any = import_module("torch.export").Dim.AUTO
    combined: Any = import_module("torch.export.dynamic_shapes")._combine_args(module, arguments, keywords)

    def extents(each: Any) -> Any:
        return dict.fromkeys(range(each.dim()), hint) if isinstance(each, torch.Tensor) else None

    return torch.utils._pytree.tree_map(extents, combined)


def without_ones(
    module: Any, inputs: tuple[Any, Any], may_change: Callable[[Any, int], bool] = lambda _, __: True
) -> tuple[Any, Any]:
    """Return example inputs whose extents of 1 are 2 where the model returns for these, all or the first of a tensor.

    torch.export takes an extent of 1 for a number.

    Args:
        module: The model.
        inputs: The example inputs, by position and by name.
        may_change: Returns whether an extent of a tensor may be another one.
    """
    torch, trees = import_module("torch"), import_module("torch.utils._pytree")
    leaves, form = trees.tree_flatten(inputs)
    places = [at for at, each in enumerate(leaves) if isinstance(each, torch.Tensor)]

    def extents(at: int, most: int) -> list[int]:
        leaf = leaves[at]
        able = [dimension < most and may_change(leaf, dimension) for dimension in range(leaf.dim())]
        return [2 if each == 1 and may else each for each, may in zip(leaf.shape, able, strict=True)]

    for most in (max((each.dim() for each in leaves if isinstance(each, torch.Tensor)), default=0), 1):
        chosen = {at: extents(at, most) for at in places}
        if all(chosen[at] == list(leaves[at].shape) for at in places):
            return inputs
        given = [resized(each, chosen[at], zeros=False) if at in chosen else each for at, each in enumerate(leaves)]
        larger = trees.tree_unflatten(given, form)
        call: Call = [{"extents": chosen[at], "values": None} for at in places]
        if run_module(module, larger, places, [call])[0].returned:
            return larger
    return inputs


def with_fixed_sizes(
    declared: Declarations, facts: Facts, module: Any, inputs: tuple[Any, Any]
) -> tuple[Declarations, Facts]:
    """Return the declarations and the facts with each size that the model itself fixes declared to be its number.

    A size counts as fixed where torch.export's conditions on it, and on sizes that are fixed already, exclude all other
    numbers that are tried, and where the model raises for these: for the size changed alone, and together with all that
    have the same number. Where the model returns for another one, the condition is torch.export's and stays. Where the
    model cannot be run, its specialized sizes count as fixed.
    """
    trials = _Trials(declared, module, inputs)
    excluded: dict[str, tuple[int, ...]] = {}
    while True:
        conditions = _conditions(declared.guards, {each: trials.numbers[each] for each in excluded})
        found = {
            symbol: others
            for symbol, number in trials.numbers.items()
            if symbol not in excluded
            and (others := _excluded(conditions.get(symbol, []), number)) is not None
            and trials.all_raise(symbol, others)
        }
        if not found:
            break
        excluded |= found
    known = {each: str(trials.numbers[each]) for each in excluded}
    settled = {each.sides[0] for each in declared.guards if each.is_specialization}
    sizes = [
        ExcludedSizes(
            _fixing(declared.guards, symbol, value), _numbers(excluded[symbol]) if declared.can_run else "", ""
        )
        for symbol, value in known.items()
    ]
    ties = _ties(declared, trials, frozenset(known))
    for symbol, (value, other) in ties.items():
        sizes.append(ExcludedSizes(_fixing(declared.guards, symbol, value), f"where one of them alone is {other}", ""))
        known[symbol] = value
    guards = [replace(each, text=_replaced(each.text, known)) for each in declared.guards]
    kept = [each for each in guards if normalized_claims([each.text])]
    shapes = {place: tuple(known.get(each, each) for each in texts) for place, texts in declared.shapes.items()}
    stated = [shown_text(f"{each} == {value}") for each, value in known.items() if each not in settled]
    origin = RAISED_BY_MODEL if declared.can_run else _NOT_RUN
    facts = replace(facts, origin=origin, assumptions=(*facts.assumptions, *stated))
    declared = replace(declared, shapes=shapes, guards=tuple(kept), fixed=tuple(sizes))
    return _with_sizes_that_are_not_zero(declared, facts, trials)


def with_sizes_that_are_not_zero(
    declared: Declarations, facts: Facts, module: Any, inputs: tuple[Any, Any]
) -> tuple[Declarations, Facts]:
    """Return the declarations and the facts with at least 1 for sizes left to torch.export where the model needs that.

    These are sizes of which neither a name nor a range is declared, and for which the model raises where they are 0 and
    returns where they are another number.
    """
    found, known = _with_sizes_that_are_not_zero(declared, facts, _Trials(declared, module, inputs))
    return found, facts if found is declared else replace(known, origin=LEFT_OPEN)


def _with_sizes_that_are_not_zero(declared: Declarations, facts: Facts, trials: _Trials) -> tuple[Declarations, Facts]:
    open_sizes = dict.fromkeys(
        text
        for position, texts in declared.shapes.items()
        if position not in declared.scalars
        for text in texts
        if text in trials.numbers and is_extent_symbol(text)
    )
    raising: list[ExcludedSizes] = []
    for symbol in open_sizes:
        if any(each.startswith(f"{symbol} >= ") for each in declared.claims):
            continue
        empty = trials.run({symbol}, 0, declared.shapes)
        others = _others(trials.numbers[symbol])
        if empty.raised and any(trials.run({symbol}, each, declared.shapes).returned for each in others):
            file, _, line = empty.place.rpartition(":")
            guard = Guard(f"{symbol} >= 1")
            if file:
                guard = Guard(guard.text, file, int(line), linecache.getline(file, int(line)).strip())
            raising.append(ExcludedSizes(guard, "for 0", ""))
    if not raising:
        return declared, facts
    stated = [each.guard.shown for each in raising]
    facts = replace(facts, assumptions=(*facts.assumptions, *stated))
    return replace(declared, fixed=(*declared.fixed, *raising)), facts


def _numbers(others: Sequence[int]) -> str:
    return f"for {', '.join(map(str, others[:-1]))} and {others[-1]}"


def _ties(declared: Declarations, trials: _Trials, fixed: frozenset[str]) -> dict[str, tuple[str, int]]:
    """Return sizes of arguments that are one size with another argument's, by symbol.

    They are where torch.export demands that they are equal, the model raises where one of them is another number, and
    returns where all are. Sizes of one argument are tied by way of another argument's alone.

    Returns:
        The size that each is, and the other number.
    """
    owners = {
        text: position
        for position, texts in declared.shapes.items()
        if position not in declared.scalars
        for text in texts
        if text in trials.numbers and text not in fixed
    }
    groups: list[set[str]] = []
    for guard in declared.guards:
        left, right = guard.sides
        if left in owners and right in owners and owners[left] != owners[right]:
            joined = [each for each in groups if left in each or right in each]
            groups = [each for each in groups if each not in joined]
            groups.append({left, right}.union(*joined))
    order = list(trials.numbers)
    found: dict[str, tuple[str, int]] = {}
    for group in groups:
        kept = min(group, key=order.index)
        for other in _others(trials.numbers[kept]):
            alike = {each for each in group if trials.end({each}, other) is Ended.RAISED}
            if len(alike) > 1 and trials.end(alike, other) is Ended.RETURNED:
                kept = min(alike, key=order.index)
                found |= dict.fromkeys(sorted(alike - {kept}, key=order.index), (kept, other))
                break
    return found


def _others(number: int) -> tuple[int, ...]:
    """Return other numbers to try for a size."""
    return tuple(dict.fromkeys((number + 1, number + 2, max(2 * number, 3))))


_NAME = re.compile(r"\b[^\W\d]\w*")


def _replaced(text: str, numbers: Mapping[str, str]) -> str:
    return _NAME.sub(lambda match: numbers.get(match[0], match[0]), text)


def _conditions(guards: Sequence[Guard], fixed: Mapping[str, int]) -> dict[str, list[Formula]]:
    """Return the conditions on one size alone, given the fixed ones, by its symbol."""
    found: dict[str, list[Formula]] = {}
    for each in guards:
        text = _replaced(each.text, {name: str(number) for name, number in fixed.items()})
        formula = parse_formula(text, Scope.free())
        names = [str(each) for each in formula.variables]
        if len(names) == 1:
            found.setdefault(names[0], []).append(formula)
    return found


def _excluded(conditions: Sequence[Formula], number: int) -> tuple[int, ...] | None:
    """Return other numbers of a size, None where a condition does not exclude one of them."""
    others = _others(number)

    def is_admitted(other: int) -> bool:
        return all(holds(each, dict.fromkeys(each.variables, other)) for each in conditions)

    return None if any(map(is_admitted, others)) else others


def _fixing(guards: Sequence[Guard], symbol: str, number: str) -> Guard:
    """Return that a size is a number, with the line of the first condition on it."""
    text = f"{symbol} == {number}"
    known = next((each for each in guards if each.is_specialization and each.text == text), None)
    near = next((each for each in guards if each.file and symbol in _NAME.findall(each.text)), Guard(text))
    return known or replace(near, text=text, is_branch=False, is_specialization=True)


class _Trials:
    """Runs of a model with some sizes changed, within a limit of time."""

    def __init__(self, declared: Declarations, module: Any, inputs: tuple[Any, Any]) -> None:
        self._declared = declared
        self._module = module
        self._inputs = inputs
        self._leaves: list[Any] = import_module("torch.utils._pytree").tree_leaves(inputs)
        self._end = time.monotonic() + _SECONDS
        self.numbers = {
            text: int(extent)
            for position, place in enumerate(declared.places)
            if hasattr(self._leaves[place], "shape")
            for text, extent in zip(declared.shapes[position], self._leaves[place].shape, strict=True)
            if text.isidentifier()
        }
        """The example's number of each size, by its symbol."""

    def all_raise(self, symbol: str, others: Sequence[int]) -> bool:
        """Return whether the model raises for other numbers of a size; False where there is no time to tell.

        Where it cannot be run, whether torch.export specialized the size.
        """
        number = self.numbers[symbol]
        if not self._declared.can_run:
            return any(each.text == f"{symbol} == {number}" for each in self._declared.guards)
        same = {each for each, other in self.numbers.items() if other == number}
        return all(self.end(changed, other) is Ended.RAISED for other in others for changed in ({symbol}, same))

    def end(self, changed: set[str], number: int) -> Ended:
        """Return how the model ends where some sizes are another number."""
        return self.run(changed, number, self._declared.shapes).ended

    def run(self, changed: set[str], number: int, shapes: Mapping[int, tuple[str, ...]]) -> ModelRun:
        """Return the run of the model where some sizes are another number.

        Args:
            changed: The sizes, by symbol.
            number: The other number.
            shapes: The symbols of each argument, equal ones for sizes that are one.
        """
        if not self._declared.can_run or time.monotonic() > self._end:
            return ModelRun(Ended.NOT_RUN, "there is no time left, or it cannot be run")
        call: Call = []
        for position, place in enumerate(self._declared.places):
            leaf = self._leaves[place]
            if not hasattr(leaf, "shape"):
                call.append({"value": leaf})
                continue
            texts = shapes[position]
            extents = [number if text in changed else extent for text, extent in zip(texts, leaf.shape, strict=True)]
            call.append({"extents": extents, "values": None})
        return run_module(self._module, self._inputs, self._declared.places, [call])[0]
