"""Eager runs of a PyTorch model at many sizes, among them those that its exporter excludes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from math import prod
from traceback import walk_tb
from typing import Any

from shapesolve.frontends.export_process import message_of, one_line
from shapesolve.frontends.model_run import Ended, ModelRun
from shapesolve.frontends.reference_run import call_text, plain
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.torch_examples import resized
from shapesolve.frontends.torch_state import state_kept
from shapesolve.frontends.users_frames import is_users, package_directory, users_frame_of

_MOST_ELEMENTS = 1 << 26
_FILLS = ("ones", "example", "zeros")
_EXCLUDED = ModelRun(Ended.NOT_RUN, "is not for these inputs, by a torch._check in it")


def run_module(
    run: Any,
    inputs: tuple[Any, Any],
    places: Sequence[int],
    calls: Sequence[Sequence[Mapping[str, Any]]],
    function: str = "",
    *,
    believes_checks: bool = False,
) -> list[ModelRun]:
    """Return the run of each call, with code that repeats it where one line does the same.

    With ``believes_checks``, inputs for which a ``torch._check`` of the model does not hold are none of the model's.
    A call whose contents are free is made with several of them, and raises only where it does with all. Contents of our
    own making may fail before the sizes do, so what most of them raise is the answer.
    """
    torch, trees = import_module("torch"), import_module("torch.utils._pytree")
    leaves, form = trees.tree_flatten(inputs)

    def prepared(call: Sequence[Mapping[str, Any]], fill: str) -> Any:
        given = [each.detach().clone() if isinstance(each, torch.Tensor) else each for each in leaves]
        for place, argument in zip(places, call, strict=True):
            given[place] = _argument(torch, argument, leaves[place], fill)
        return trees.tree_unflatten(given, form)

    def answer(call: Sequence[Mapping[str, Any]], fill: str) -> ModelRun:
        try:
            arguments, keywords = prepared(call, fill)
        except Exception as error:
            return ModelRun(Ended.NOT_RUN, f"cannot be run: {one_line(str(error))}")
        try:
            with torch.no_grad(), state_kept(run), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results = run(*arguments, **keywords)
        except Exception as error:
            place = users_frame_of(error)
            if believes_checks and _is_own_check(error):
                return _EXCLUDED
            if place is None:
                return ModelRun(Ended.RAISED, f"{message_of(error)}{_in_module(torch, run, error)}")
            return ModelRun(Ended.RAISED, message_of(error), f"{relative(place[0])}:{place[1]}")
        return ModelRun.returning(trees.tree_leaves(results))

    def reproducer(call: Sequence[Mapping[str, Any]]) -> str:
        """Return code that makes the call with ones, which has to be what it is made with."""
        given = prepared(call, _FILLS[0])
        arguments, keywords = trees.tree_map(plain, given)
        alike = zip(trees.tree_leaves(given), trees.tree_leaves((arguments, keywords)), strict=True)
        is_same = all(torch.equal(one, other) for one, other in alike if isinstance(one, torch.Tensor))
        return call_text(function, tuple(arguments), keywords) if is_same else ""

    found: list[ModelRun] = []
    for call in calls:
        answers: list[ModelRun] = []
        for fill in _FILLS:
            answers.append(answer(call, fill))
            if not answers[-1].raised and answers[-1] != _EXCLUDED:
                break
        admitted = [each for each in answers if each != _EXCLUDED] or answers
        usual = max(admitted, key=admitted.count)
        chosen = next((each for each in admitted if each.returned), usual)
        is_repeated = function and chosen == answers[0] and chosen.ended is not Ended.NOT_RUN
        found.append(replace(chosen, call=reproducer(call)) if is_repeated else chosen)
    return found


def _in_module(torch: Any, model: Any, error: BaseException) -> str:
    """Return the innermost module that an exception went through, in words; "" where that is the model itself."""
    paths = {id(module): path for path, module in model.named_modules()} if isinstance(model, torch.nn.Module) else {}
    found = ""
    for frame, _ in walk_tb(error.__traceback__):
        own = frame.f_locals.get("self")
        if path := paths.get(id(own)):
            found = f" (in {path}: {type(own).__name__})"
    return found


def _is_own_check(error: BaseException) -> bool:
    """Return whether a ``torch._check`` that the model calls raised an exception."""
    home = package_directory("torch")
    frames = [frame.f_code for frame, _ in walk_tb(error.__traceback__)]
    own = [place for place, code in enumerate(frames) if is_users(code.co_filename, home)]
    inner = frames[own[-1] + 1 :] if own else []
    return bool(inner) and inner[0].co_filename == f"{home}__init__.py" and inner[0].co_name.startswith("_check")


def _argument(torch: Any, argument: Mapping[str, Any], example: Any, fill: str) -> Any:
    if "value" in argument:
        return argument["value"]
    extents = tuple(argument["extents"])
    if prod(max(each, 1) for each in extents) > _MOST_ELEMENTS:
        raise ValueError(f"a tensor has more than {_MOST_ELEMENTS:,} elements")
    if argument["values"] is not None:
        return torch.tensor(argument["values"], dtype=example.dtype).reshape(extents)
    if fill == "ones":
        return torch.ones(extents, dtype=example.dtype)
    return resized(example, extents, zeros=fill == "zeros")
