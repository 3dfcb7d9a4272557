"""Lowering, annotation and printing of a live module of MLIR's bindings."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Sequence
from typing import Any

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Begin, Exported, Facts, Lines, nobody
from shapesolve.ir import bindings
from shapesolve.ir.locations import OPERATION, origin
from shapesolve.ir.own_attributes import ASSUME, SHAPE, STATED_BY

_TO_TORCH = (
    "func.func(torch-match-quantized-custom-ops)",
    "torchdynamo-export-to-torch-backend-pipeline{extra-library=}",
)
_TO_LEVEL = {
    "linalg": ("torch-backend-to-linalg-on-tensors-backend-pipeline{allow-non-finites=true}",),
    "stablehlo": ("torch-backend-to-stablehlo-backend-pipeline{allow-non-finites=true}",),
    "tosa": ("torch-backend-to-tosa-backend-pipeline",),
}
_LONGEST = 400


def lower(module: Any, level: str, where: str, *first: str, is_backend: bool = False) -> None:
    """Take a module from the torch dialect, as torch-mlir's importers make it, to a level, by torch-mlir's pipelines.

    ``first`` are passes before those; ``is_backend``: what they leave needs no further work in that dialect. Raises
    InputError with what has no way on.
    """
    onwards = () if level == "torch" else (*(() if is_backend else _TO_TORCH), *_TO_LEVEL[level])
    passes = (*first, *onwards)
    if not passes:
        return
    if level == "stablehlo":
        bindings.register_stablehlo_passes()
    messages: list[str] = []

    def record(diagnostic: Any) -> bool:
        messages.append(f"{diagnostic.message}")
        return True

    handler = module.context.attach_diagnostic_handler(record)
    manager = bindings.passmanager().PassManager.parse(f"builtin.module({','.join(passes)})", module.context)
    try:
        manager.run(module.operation)
    except bindings.ir().MLIRError as error:
        messages += [each.message for each in error.error_diagnostics]
        raise InputError(f"torch-mlir cannot lower this model to {level}: {_reason(messages)}", where=where) from None
    finally:
        handler.detach()


def at_levels(
    module: Any, levels: Sequence[str], finish: Callable[[Any, str], Exported], where: str, begin: Begin = nobody
) -> list[Exported | InputError]:
    """Return the module at each level, or the error that prevents it.

    Args:
        module: A module in the torch dialect.
        finish: Lowers and exports a copy of the module, which it may change.
        where: The place of errors.
        begin: Receives the results so far before each level.

    Raises:
        InputError: MLIR's verifier refuses the module, which torch-mlir's importers do not ask.
    """
    try:
        module.operation.verify()
    except bindings.ir().MLIRError as error:
        reason = _reason([each.message for each in error.error_diagnostics])
        raise InputError(f"what torch-mlir imports of this model is no valid program: {reason}", where=where) from None
    found: list[Exported | InputError] = []
    for left, level in zip(range(len(levels) - 1, -1, -1), levels, strict=True):
        begin(found, levels, _operations(module))
        try:
            found.append(finish(_copy(module) if left else module, level))
        except InputError as error:
            found.append(error)
    return found


def _operations(module: Any) -> int:
    """Return the number of operations directly in the bodies of a module's functions."""
    functions = module.body.operations
    return sum(
        len(list(block.operations)) for each in functions for region in each.operation.regions for block in region
    )


def _copy(module: Any) -> Any:
    text: str = module.operation.get_asm(enable_debug_info=True)
    return bindings.ir().Module.parse(text, module.context)


def _reason(messages: Sequence[str]) -> str:
    lines = [" ".join(each.split()) for each in messages if each]
    chosen = next((each for each in lines if "failed to legalize" in each), lines[0] if lines else "no word why")
    named = re.search(r"failed to legalize[^']*'([^']+)'", chosen)
    operator = re.search(r'name = "([^"]+)"', " ".join(lines))
    if named:
        inner = f" ({operator[1]})" if operator and named[1].endswith("operator") else ""
        return f"it has no lowering of {named[1]}{inner}"
    return chosen[:_LONGEST]


def annotate(module: Any, function: str, facts: Facts) -> None:
    """Give the function of that name the facts as attributes of ours, and its arguments their names."""
    ir = bindings.ir()
    module.context.allow_unregistered_dialects = True
    live = function_named(module, function)
    with module.context:
        texts = [ir.StringAttr.get(each) for each in facts.assumptions]
        if texts:
            live.attributes[ASSUME] = ir.ArrayAttr.get(texts)
        if facts.assumptions or any(_names_a_size(shape) for shape in facts.shapes.values()):
            live.attributes[STATED_BY] = ir.StringAttr.get(facts.origin)
        arguments = live.regions[0].blocks[0].arguments
        entries = _entries(live, len(arguments))
        for position, argument in enumerate(arguments):
            shape = facts.shapes.get(position, ())
            if any(_names_a_size((size,)) for size in shape) and "tensor" in str(argument.type):
                entries[position][SHAPE] = ir.StringAttr.get(f"[{', '.join(shape)}]")
            if position < len(facts.names) and facts.names[position]:
                argument.set_location(ir.Location.name(facts.names[position]))
        live.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(each) for each in entries])


def function_named(module: Any, name: str) -> Any:
    """Return the function of that name."""
    named = [op for op in module.body.operations if "sym_name" in op.attributes]
    return next(op for op in named if op.attributes["sym_name"].value == name)


def _names_a_size(shape: Sequence[str]) -> bool:
    return any(size != "_" and not size.isdecimal() for size in shape)


def _entries(live: Any, count: int) -> list[dict[str, Any]]:
    if "arg_attrs" not in live.attributes:
        return [{} for _ in range(count)]
    return [{each.name: each.attr for each in entry} for entry in live.attributes["arg_attrs"]]


def printed(module: Any) -> str:
    """Return the module's text with locations; values are named after them."""
    text: str = module.operation.get_asm(enable_debug_info=True, use_name_loc_as_prefix=True)
    return text


def shorten_names(module: Any) -> None:
    """Shorten locations whose names are paths, ``jit(f)/block/add``, to the last part.

    It names the values, and is the operation that the model is made of: ``reshape``, whatever that becomes here.
    """
    ir = bindings.ir()

    def visit(op: Any) -> Any:
        location = op.location
        if type(location).__name__ == "NameLoc" and "/" in location.name_str:
            last = location.name_str.rpartition("/")[2]
            inner = location.child_loc
            if last.isidentifier():
                inner = ir.Location.name(f"{OPERATION}{last}", childLoc=inner, context=module.context)
            op.location = ir.Location.name(last, childLoc=inner, context=module.context)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)


def lines_of(module: Any) -> Lines:
    """Return the readable source lines that the operations' locations refer to."""
    ir = bindings.ir()
    found: dict[tuple[str, int], str] = {}

    def visit(op: Any) -> Any:
        place = origin(op.location)
        if place is not None and place.line and (place.file, place.line) not in found:
            found[place.file, place.line] = linecache.getline(place.file, place.line).strip()
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return {place: line for place, line in found.items() if line}
