"""Runs of a model by its own framework, at sizes at which its exported program fails."""

from __future__ import annotations

import os
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from importlib import import_module
from math import prod
from time import monotonic
from typing import Any, cast

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import message_of, one_line
from shapesolve.frontends.model_run import Ended, ModelRun
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.torch_state import state_kept

SEED = 0
MOST_ELEMENTS = 1 << 26
"""Larger tensors are not made."""
PATIENCE_SECONDS = 15.0
"""Time after which calls that are not needed are left out."""
LONGEST_CALL = 400
"""Characters of a call as Python; longer ones are not written."""
_OF_LIBRARIES = ("/site-packages/", "/shapesolve/frontends/", "/lib/python")
_GIVEN = ("TensorArgument", "SymIntArgument")  # inputs that the exported function has as well

Argument = Mapping[str, Any]
"""``extents`` and ``values`` (row-major, or None) of a tensor, or the ``value`` of a number."""


def run_program(
    program: Any, calls: Sequence[Sequence[Argument]], function: str = "", *, every_call: bool = False, needed: int
) -> list[ModelRun]:
    """Return what an ``ExportedProgram`` does for each call, as `run_torch` does."""
    wanted = [spec.arg for spec in program.graph_signature.input_specs if spec.kind.name == "USER_INPUT"]
    places = [number for number, each in enumerate(wanted) if type(each).__name__ in _GIVEN]
    return run_torch(
        program.module(), program.example_inputs, places, calls, function, every_call=every_call, needed=needed
    )


def run_torch(
    run: Any,
    inputs: Any,
    places: Sequence[int],
    calls: Sequence[Sequence[Argument]],
    function: str = "",
    *,
    every_call: bool = False,
    needed: int,
) -> list[ModelRun]:
    """Return what PyTorch does for each call, with an expression that raises as it does.

    Integers that a call leaves open are those of the example, which may be indices out of range at other sizes: a call
    that raises is answered with integers that are all 0 if it raises with these as well.

    Args:
        run: The module.
        inputs: Its example inputs, by position and by name.
        places: The positions of the calls' arguments among the leaves of the example inputs.
        function: An expression for what is called.
        every_call: Whether calls that return have an expression, too.
        needed: The number of calls that are made however long they take.
    """
    torch, trees = import_module("torch"), import_module("torch.utils._pytree")
    leaves, form = trees.tree_flatten(inputs)
    generator = torch.Generator().manual_seed(SEED)

    def prepared(call: Sequence[Argument], *, zeros: bool = False) -> Any:
        given = list(leaves)
        for place, argument in zip(places, call, strict=True):
            given[place] = _torch_argument(torch, argument, leaves[place], generator, zeros=zeros)
        return trees.tree_unflatten(given, form)

    def answer(given: Any) -> ModelRun:
        arguments, keywords = given
        with torch.no_grad(), state_kept(run), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = run(*arguments, **keywords)
        return ModelRun.returning(trees.tree_flatten(results)[0])

    def reproducer(given: Any, outcome: ModelRun) -> str:
        """Return the call with plain tensors if it raises at the same line, or returns like the outcome; or ""."""
        for make_plain in (plain, partial(plain, zeros=True)):
            arguments, keywords = trees.tree_map(make_plain, given)
            text = call_text(function, tuple(arguments), keywords)
            seen = _answered(tuple, answer, (arguments, keywords))
            if not text or (seen.raised, seen.place) == (outcome.raised, outcome.place):
                return text
        return ""

    found: list[ModelRun] = []
    end = monotonic() + PATIENCE_SECONDS
    for number, call in enumerate(calls):
        if number >= needed and monotonic() > end:
            found.append(ModelRun(Ended.NOT_RUN, "was not run: the runs before took too long"))
            continue
        filled = prepared
        outcome = _answered(prepared, answer, call)
        if outcome.raised and any(_is_open_integer(each, leaves[at]) for at, each in zip(places, call, strict=True)):
            with_zeros = partial(prepared, zeros=True)
            other = _answered(with_zeros, answer, call)
            if other.raised and other.place != outcome.place:
                filled, outcome = with_zeros, other
        is_wanted = function and (outcome.raised or (every_call and outcome.returned))
        found.append(replace(outcome, call=reproducer(filled(call), outcome)) if is_wanted else outcome)
    return found


def _is_open_integer(argument: Argument, example: Any) -> bool:
    """Return whether an argument is a tensor of integers, which may be indices, whose contents a call leaves open."""
    return "value" not in argument and argument["values"] is None and _holds_integers(example)


def _holds_integers(tensor: Any) -> bool:
    """Return whether the elements of a tensor are integers, which booleans are not."""
    return "int" in str(tensor.dtype)


def _torch_argument(torch: Any, argument: Argument, example: Any, generator: Any, *, zeros: bool) -> Any:
    """Return an argument of these sizes; where its contents are free, unequal numbers that the example allows.

    With ``zeros``, free integers are 0.
    """
    if "value" in argument:
        return argument["value"]
    extents = _small(argument["extents"])
    if argument["values"] is not None:
        return torch.tensor(argument["values"], dtype=example.dtype).reshape(extents)
    if example.dtype.is_floating_point or example.dtype.is_complex:
        return (torch.rand(extents, generator=generator) + 0.5).to(example.dtype)
    if zeros and _holds_integers(example):
        return torch.zeros(extents, dtype=example.dtype)
    known = example.detach().flatten()
    if not known.numel():
        return torch.ones(extents, dtype=example.dtype)
    return known[torch.randint(known.numel(), extents, generator=generator)]


def run_onnx(path: str, calls: Sequence[Sequence[Argument]]) -> list[ModelRun]:
    """Return what ONNX's reference implementation does for each call; ``place`` is the name of the node that raises.

    Integers that a call leaves open are 1, and then 0 if with these another node raises: 1 may be no index.
    """
    onnx, numpy = import_module("onnx"), import_module("numpy")
    reference = import_module("onnx.reference")
    helper = import_module("onnx.helper")
    model = onnx.load(path)
    held = {each.name for each in model.graph.initializer}
    inputs = [each for each in model.graph.input if each.name not in held]
    names = _names_of_one_node(model)

    def prepared(call: Sequence[Argument], *, zeros: bool = False) -> dict[str, Any]:
        feed: dict[str, Any] = {}
        for given, argument in zip(inputs, call, strict=True):
            kind = numpy.dtype(helper.tensor_dtype_to_np_dtype(given.type.tensor_type.elem_type))
            extents = _small(argument["extents"])
            whole = argument["values"]
            fill = numpy.zeros if zeros and kind.kind in "iu" else numpy.ones
            feed[given.name] = fill(extents, kind) if whole is None else numpy.array(whole, kind).reshape(extents)
        return feed

    def answer(feed: dict[str, Any]) -> ModelRun:
        try:
            evaluator = reference.ReferenceEvaluator(model)
        except Exception as error:  # such as an operator that it does not have in this opset
            return ModelRun(Ended.NOT_RUN, f"cannot be run: {one_line(str(error))}")
        try:
            return ModelRun.returning(evaluator.run(None, feed))
        except Exception as error:  # what numpy says is wrapped into words on types
            return ModelRun(Ended.RAISED, message_of(error.__cause__ or error), _raising_node(error, names))

    found: list[ModelRun] = []
    for call in calls:
        outcome = _answered(prepared, answer, call)
        if outcome.raised and any(each["values"] is None for each in call):
            other = _answered(partial(prepared, zeros=True), answer, call)
            if other.raised and other.place != outcome.place:
                outcome = replace(other, detail=f"{other.detail} (with integers all 0)")
        found.append(outcome)
    return found


def _names_of_one_node(model: Any) -> frozenset[str]:
    """Return the names that only one node of an ONNX model has, at any depth, and that is no node of a function."""
    own = Counter(each.name for each in _nodes(model.graph))
    inner = {each.name for function in model.functions for each in _nodes(function)}
    return frozenset(name for name, count in own.items() if name and count == 1 and name not in inner)


def _nodes(graph: Any) -> Iterator[Any]:
    """Yield the nodes of an ONNX graph or function and of the graphs in their attributes."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from _nodes(inner)


def _raising_node(error: Exception, names: Set[str]) -> str:
    """Return the innermost node that an exception of the reference implementation went through, "" if not known.

    Below a node with another name, such as a call of a function, nothing is known.
    """
    found = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        node = getattr(frame.f_locals.get("node"), "onnx_node", None) if frame.f_code.co_name == "run" else None
        if node is not None and node.name != found:
            if node.name not in names:
                break
            found = node.name
    return found


def run_jax(function: Any, exported: Any, calls: Sequence[Sequence[Argument]]) -> list[ModelRun]:
    """Return what JAX does for each call.

    Args:
        function: The function, or None to call the export itself.
        exported: The export of the function, which says what arguments it takes.
        calls: The arguments of each call that the export kept, the last ones of its program.
    """
    jax = import_module("jax")
    run = exported.call if function is None else function
    kept = list(exported.module_kept_var_idx)

    def prepared(call: Sequence[Argument]) -> Any:
        sizes: dict[str, int] = {}
        given = dict(zip(kept, call[len(call) - len(kept) :], strict=True))
        for place, argument in given.items():
            for size, extent in zip(exported.in_avals[place].shape, argument["extents"], strict=True):
                sizes.setdefault(str(size), extent)
        leaves = [
            _jax_argument(jax, each.dtype, given.get(place), [_extent(size, sizes) for size in each.shape])
            for place, each in enumerate(exported.in_avals)
        ]
        return jax.tree_util.tree_unflatten(exported.in_tree, leaves)

    def answer(given: Any) -> ModelRun:
        arguments, keywords = given
        return ModelRun.returning(jax.tree_util.tree_leaves(run(*arguments, **keywords)))

    return [_answered(prepared, answer, call) for call in calls]


def _jax_argument(jax: Any, dtype: Any, argument: Argument | None, free: Sequence[int]) -> Any:
    extents = _small(free if argument is None else argument["extents"])
    values = None if argument is None else argument["values"]
    return jax.numpy.ones(extents, dtype) if values is None else jax.numpy.array(values, dtype).reshape(extents)


def _extent(size: Any, sizes: Mapping[str, int]) -> int:
    """Return an extent of an argument that the exported program leaves out, any where nothing says it."""
    return size if isinstance(size, int) else sizes.get(str(size), 2)


def _small(extents: Sequence[int]) -> tuple[int, ...]:
    if prod(max(each, 1) for each in extents) > MOST_ELEMENTS:
        raise InputError(f"a tensor has more than {MOST_ELEMENTS:,} elements")
    return tuple(extents)


def _answered(prepared: Callable[[Any], Any], answer: Callable[[Any], ModelRun], call: Sequence[Argument]) -> ModelRun:
    try:
        given = prepared(call)
    except Exception as error:
        return ModelRun(Ended.NOT_RUN, f"cannot be run: {one_line(str(error))}")
    try:
        return answer(given)
    except Exception as error:
        file, line = _frame(error)
        shown = f" (at {os.path.relpath(file)}:{line})" if file else ""
        return ModelRun(Ended.RAISED, f"{message_of(error)}{shown}", f"{relative(file)}:{line}" if file else "")


def _frame(error: Exception) -> tuple[str, int]:
    """Return the file and number of the innermost line that is no library's, "" where there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if not any(part in each.filename.replace("\\", "/") for part in _OF_LIBRARIES)]
    return (own[-1].filename, own[-1].lineno or 0) if own else ("", 0)


def call_text(function: str, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> str:
    """Return ``make()[0](torch.ones(2, 3))``, or "" for arguments that cannot be written in a line."""
    try:
        parts = [_text(each) for each in arguments] + [f"{name}={_text(each)}" for name, each in keywords.items()]
    except TypeError:
        return ""
    text = f"{function}({', '.join(parts)})"
    return text if len(text) <= LONGEST_CALL else ""


def plain(given: Any, *, zeros: bool = False) -> Any:
    """Return a tensor of ones of the same shape and element type; other values unchanged.

    With ``zeros``, integers are 0 where all of them are.
    """
    torch = import_module("torch")
    if not isinstance(given, torch.Tensor):
        return given
    make = torch.zeros if zeros and _holds_integers(given) and _is_zero(given) else torch.ones
    return make(tuple(given.shape), dtype=given.dtype)


def _is_zero(given: Any) -> bool:
    """Return whether a tensor has elements and all of them are 0."""
    return bool(given.numel()) and not bool(given.any())


def _text(given: Any) -> str:
    torch = import_module("torch")
    if isinstance(given, torch.Tensor):
        extents = [str(each) for each in given.shape]
        kind = [] if given.dtype == torch.float32 else [f"dtype={given.dtype}"]
        make = "zeros" if _is_zero(given) else "ones"
        return f"torch.{make}({', '.join([*(extents or ['()']), *kind])})"
    if given is None or type(given) in (bool, int, float, str):
        return repr(given)
    if type(given) in (list, tuple):
        inside = ", ".join(_text(each) for each in cast("list[Any] | tuple[Any, ...]", given))
        if isinstance(given, list):
            return f"[{inside}]"
        return f"({inside},)" if len(cast("tuple[Any, ...]", given)) == 1 else f"({inside})"
    if type(given) is dict:
        pairs = cast("dict[Any, Any]", given).items()
        return "{" + ", ".join(f"{key!r}: {_text(each)}" for key, each in pairs) + "}"
    raise TypeError
