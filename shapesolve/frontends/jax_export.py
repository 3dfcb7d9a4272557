"""Import of exported JAX functions as MLIR, with the facts about their symbolic sizes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Exported, Facts, message_of
from shapesolve.frontends.jax_comparisons import RefusedExport, RunOutcome, Tracing
from shapesolve.frontends.lowering import annotate, function_named, lines_of, printed, shorten_names
from shapesolve.frontends.model_run import Ended, ModelRun
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.users_frames import users_frame_of
from shapesolve.ir import bindings
from shapesolve.ir.declarations import Declarations
from shapesolve.preconditions.jax_assertions import ORIGIN, Constraint, constraint_in, size_text, unused_constraint_note
from shapesolve.preconditions.python_guards import identifier, normalized_claims
from shapesolve.records import record
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.parser import names_in, parse_size
from shapesolve.symbolic.scope import Scope

_FILE = re.compile(r'\bloc\("(?P<file>[^"\\]+)":')
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def is_export(given: Any) -> bool:
    """Return whether an object is what ``jax.export.export(...)(...)`` returns."""
    return type(given).__name__ == "Exported" and hasattr(given, "in_avals")


def is_jax(given: Any) -> bool:
    """Return whether an object is a JAX model in one of the accepted forms."""
    if not isinstance(given, list | tuple):
        return is_export(given)
    parts: Sequence[Any] = list(given)  # pyright: ignore[reportUnknownArgumentType] (anything)
    return len(parts) >= 2 and callable(parts[0]) and all(isinstance(e, str) or hasattr(e, "dtype") for e in parts[1:])


def export(
    function: Any, shapes: Sequence[Any], constraints: Sequence[str], where: str, dtype: str = "float32"
) -> tuple[Any, Declarations | None]:
    """Export a function for symbolic shapes: texts such as ``"b, n"``, or anything with a shape and a dtype.

    Returns what jax.export returns, and the declared sizes that it excludes.

    Raises:
        InputError: JAX refuses; with its own words.
    """
    jax, exporting = import_module("jax"), import_module("jax.export")

    own = _constraints_of(shapes)
    constraints = (*own, *(each for each in constraints if each not in own))

    def arguments(stated: Sequence[str]) -> list[Any]:
        scope = exporting.SymbolicScope(tuple(stated))
        is_narrower = len(stated) > len(constraints)  # what a scope of the user's says cannot be added to

        def argument(each: Any) -> Any:
            if isinstance(each, str):
                return jax.ShapeDtypeStruct(exporting.symbolic_shape(each, scope=scope), dtype)
            if not is_narrower or all(isinstance(size, int) for size in each.shape):
                return each
            text = f"{', '.join(map(str, each.shape))},"
            return jax.ShapeDtypeStruct(exporting.symbolic_shape(text, scope=scope), each.dtype)

        return [argument(each) for each in shapes]

    import_module("jax._src.source_info_util").register_exclusion(_OWN)  # no callers of the model

    def exported(stated: Sequence[str]) -> Any:
        return exporting.export(function if hasattr(function, "lower") else jax.jit(function))(*arguments(stated))

    try:
        declared = arguments(constraints)
    except Exception as error:
        raise InputError(f"jax.export refuses these sizes: {message_of(error)}", where=where) from None
    texts = [size_text(str(size)) for each in declared for size in each.shape]
    names = tuple(dict.fromkeys(name for each in texts for name in names_in(each or "0")))
    if None in texts:  # nothing that is not understood is decided
        try:
            return exported(constraints), None
        except Exception as error:
            raise InputError(f"jax.export refuses this function: {message_of(error)}", where=where) from None
    calls = _Calls(function, declared)
    return Tracing(exported, calls.run, calls.returns, names, constraints, where).decided()


@record
class _Calls:
    """Calls of a function at sizes.

    Attributes:
        function: The function.
        declared: Its arguments, with symbolic shapes.
    """

    function: Any
    declared: Sequence[Any]

    def run(self, sizes: Mapping[str, int]) -> RunOutcome:
        """Run the function on ones."""
        jax = import_module("jax")
        given = self._shapes(sizes)
        inputs = ", ".join(f"[{', '.join(map(str, each))}]" for each in given)
        try:
            values = [jax.numpy.ones(extents, each.dtype) for extents, each in zip(given, self.declared, strict=True)]
            results = jax.tree_util.tree_leaves(self.function(*values))
        except Exception as error:
            frame = users_frame_of(error, "jax")
            place = "" if frame is None else f"{relative(frame[0])}:{frame[1]}"
            return RunOutcome(inputs, ModelRun(Ended.RAISED, message_of(error), place))
        return RunOutcome(inputs, ModelRun.returning([jax.numpy.asarray(each) for each in results]))

    def returns(self, sizes: Mapping[str, int]) -> bool:
        """Return whether the function returns, by the shapes of its arguments alone."""
        jax = import_module("jax")
        try:
            given = zip(self._shapes(sizes), self.declared, strict=True)
            jax.eval_shape(self.function, *(jax.ShapeDtypeStruct(extents, each.dtype) for extents, each in given))
        except Exception:
            return False
        return True

    def _shapes(self, sizes: Mapping[str, int]) -> list[tuple[int, ...]]:
        return [_at(each.shape, sizes) for each in self.declared]


def _constraints_of(shapes: Sequence[Any]) -> tuple[str, ...]:
    """Return the constraints of the scopes of symbolic sizes, in JAX's notation."""
    sizes = [size for each in shapes if not isinstance(each, str) for size in each.shape if hasattr(size, "scope")]
    return tuple(dict.fromkeys(text for size in sizes for text in _stated_in(size.scope)))


def _stated_in(scope: Any) -> list[str]:
    return [str(getattr(each, "debug_str", each)) for each in getattr(scope, "_explicit_constraints", ())]


def _at(shape: Sequence[Any], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Return a symbolic shape at sizes."""
    extents = [parse_size(size_text(str(size)) or "0", Scope.free()) for size in shape]
    return tuple(evaluate(each, {name: sizes.get(name.text, 2) for name in each.variables}) for each in extents)


def loaded(path: str) -> Any:
    """Return the export in a file that ``Exported.serialize()`` wrote."""
    try:
        with open(path, "rb") as stream:
            return import_module("jax.export").deserialize(bytearray(stream.read()))
    except Exception as error:
        raise InputError(f"jax.export cannot read this file: {message_of(error)}", where=path) from None


def exported_program(given: Any, where: str, declared: Declarations | None = None) -> Exported:
    """Return the StableHLO program of a JAX export, with its facts as attributes and the declared sizes it excludes.

    The program of a refused export is empty.
    """
    if isinstance(given, RefusedExport):
        declarations = replace(declared or Declarations(), refusal=given.message)
        return Exported("func.func @main() {\n  return\n}\n", declarations=declarations)
    try:
        program = _exported_program(given, where)
        return replace(program, declarations=declared) if declared is not None else program
    except (ValueError, KeyError, StopIteration, RuntimeError) as error:  # of bindings that meet damaged names, say
        raise InputError(f"what jax.export made is damaged: {message_of(error)}", where=where) from None


def _exported_program(given: Any, where: str) -> Exported:
    context = bindings.new_context()
    try:
        module = bindings.stablehlo().deserialize_portable_artifact(context, bytes(given.mlir_module_serialized))
    except (ValueError, bindings.ir().MLIRError) as error:
        raise InputError(f"MLIR cannot read what jax.export made: {message_of(error)}", where=where) from None
    kept = [given.in_avals[index] for index in given.module_kept_var_idx]
    function = function_named(module, "main")
    before = len(function.regions[0].blocks[0].arguments) - len(kept)  # a platform's number, tokens
    facts, inexpressible = facts_of(kept, max(before, 0), _asserted(function))
    sizes = frozenset(name for shape in facts.shapes.values() for size in shape for name in names_in(size))
    names = tuple(identifier(each, sizes) if each in sizes else each for each in parameter_names(module, function))
    shorten_names(module)
    annotate(module, "main", replace(facts, names=names))
    notes = tuple(map(unused_constraint_note, inexpressible))
    lines = {(relative(file), number): line for (file, number), line in lines_of(module).items()}
    return Exported(_FILE.sub(_relative, printed(module)), lines, notes)


def parameter_names(module: Any, function: Any) -> tuple[str, ...]:
    """Return the user's names of a function's arguments, "" for those without one: ``x``, ``weights_w``.

    JAX gives them to the arguments of the function that ``main`` calls with its own.
    """
    own = list(function.regions[0].blocks[0].arguments)
    found = [""] * len(own)
    for op in function.regions[0].blocks[0].operations:
        if op.operation.name != "func.call":
            continue
        called = function_named(module, op.attributes["callee"].value).regions[0].blocks[0].arguments
        for operand, argument in zip(op.operands, called, strict=False):
            location = argument.location
            if operand in own and type(location).__name__ == "NameLoc":
                found[own.index(operand)] = re.sub(r"\W+", "_", location.name_str).strip("_")
    return tuple(each if each.isidentifier() and found.count(each) == 1 else "" for each in found)


def _relative(found: re.Match[str]) -> str:
    return f'loc("{relative(found["file"])}":'


def facts_of(
    arguments: Sequence[Any], before: int = 0, asserted: Sequence[Constraint] = ()
) -> tuple[Facts, tuple[str, ...]]:
    """Return the shapes of arguments with their constraints, and the constraints without a text.

    Args:
        arguments: Abstract values of JAX.
        before: The position of the first of them in the function.
        asserted: Constraints that the program's own assertions name; an export read from a file has no others.
    """
    shapes: dict[int, tuple[str, ...]] = {}
    symbols: dict[str, None] = {}
    constraints = {each.written: each for each in asserted}
    for position, each in enumerate(arguments, before):
        shapes[position] = tuple(size_text(str(size)) or "_" for size in each.shape)
        for size in each.shape:
            if hasattr(size, "scope"):
                symbols.update(dict.fromkeys(names_in(size_text(str(size)) or "0")))
                for text in _stated_in(size.scope):
                    constraints.setdefault(text, Constraint(text))
    claims = [f"{name} >= {_least(name, constraints)}" for name in symbols]
    claims_by_text = {each.written: each.claim(symbols) for each in constraints.values()}
    claims += [text for text in claims_by_text.values() if text is not None]
    # What names a size that stands nowhere says what that is, and was put in its place.
    inexpressible = tuple(
        each for each, text in claims_by_text.items() if text is None and not constraints[each].is_expressible
    )
    return Facts(ORIGIN, (), shapes, normalized_claims(claims)), inexpressible


def _asserted(function: Any) -> list[Constraint]:
    """Return the constraints of the assertions at the function's entry, read from their error messages."""
    found: list[Constraint] = []
    for op in function.regions[0].blocks[0].operations:
        if op.name == "stablehlo.custom_call" and "error_message" in op.attributes:
            constraint = constraint_in(op.attributes["error_message"].value)
            found += [constraint] if constraint else []
    return found


def _least(name: str, constraints: Iterable[str]) -> int:
    """Return the least value of a size: 1 in JAX, 0 where a constraint says ``>= 0``."""
    return 0 if any(each.replace(" ", "") == f"{name}>=0" for each in constraints) else 1
