"""A live module as text that reads back as the same module, with the names that its author chose."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shapesolve.reading import bindings
from shapesolve.reading.bindings import Bindings
from shapesolve.reading.conversion import FUNCTIONS
from shapesolve.reading.program import Operation, Value
from shapesolve.rewriting.outcome import PruneError
from shapesolve.rewriting.surgery import Surgery

_CHOSEN = re.compile(r"%([A-Za-z_$.\-][\w$.\-]*)(?:#\d+)?")


def name_arguments(surgery: Surgery) -> bool:
    """Give the arguments of functions their names; whether any has a name that MLIR would not choose itself."""
    functions = [(picture, surgery.live[picture.number]) for picture in surgery.pictures if picture.name in FUNCTIONS]
    chosen = False
    for picture, live in functions:
        for ours, theirs in _first_arguments(picture, live):
            for position, (value, argument) in enumerate(zip(ours, theirs, strict=True)):
                usual = f"arg{position}"
                name = _chosen(value) or usual
                chosen = chosen or name != usual
                argument.set_location(bindings.ir().Location.name(name, argument.location, argument.context))
    return chosen


def _first_arguments(picture: Operation, live: Bindings) -> Iterable[tuple[tuple[Value, ...], list[Bindings]]]:
    for ours, theirs in zip(picture.regions, live.regions, strict=True):
        if ours.blocks:
            yield ours.blocks[0].arguments, list(theirs.blocks[0].arguments)


def name_values(surgery: Surgery) -> None:
    """Give all values below functions the names that they had in the text. Places are lost."""
    for picture in surgery.pictures:
        live = surgery.live.get(picture.number)
        if live is None:
            continue
        name = _chosen(picture.results[0]) if picture.results else None
        if name is not None:
            live.location = bindings.ir().Location.name(name, live.location, live.context)
        if picture.name in FUNCTIONS:
            continue
        for ours, theirs in zip(picture.regions, live.regions, strict=True):
            for block, live_block in zip(ours.blocks, theirs.blocks, strict=True):
                for value, argument in zip(block.arguments, list(live_block.arguments), strict=True):
                    inner = _chosen(value)
                    if inner is not None:
                        argument.set_location(bindings.ir().Location.name(inner, argument.location, argument.context))


def _chosen(value: Value) -> str | None:
    match = _CHOSEN.fullmatch(value.name)
    return match[1] if match else None


def printed(module: Bindings, *, names: bool, places: bool, generic: bool = False) -> str:
    """The module as text. ``names``: of locations; ``places``: with locations.

    Where the usual form does not read back as the same module (a `shape.from_extents` of nothing, say), the generic
    form is printed.
    """
    text = _text(module, names, places, generic)
    if generic or _reads_back(module, text):
        return text
    text = _text(module, names, places, True)
    if not _reads_back(module, text):
        raise PruneError("MLIR does not read back what it prints of the pruned program")
    return text


def _text(module: Bindings, names: bool, places: bool, generic: bool) -> str:
    text: str = module.operation.get_asm(
        use_name_loc_as_prefix=names, enable_debug_info=places, print_generic_op_form=generic
    )
    return text if text.endswith("\n") else text + "\n"


def _reads_back(module: Bindings, text: str) -> bool:
    context = bindings.new_context()
    said: list[str] = []

    def collect(diagnostic: Bindings) -> bool:
        said.append(str(diagnostic.message))
        return True

    handler = context.attach_diagnostic_handler(collect)
    try:
        with context:
            again = bindings.ir().Module.parse(text)
        return _plain(again) == _plain(module)
    except bindings.ir().MLIRError:
        return False
    finally:
        handler.detach()


def _plain(module: Bindings) -> str:
    text: str = module.operation.get_asm(print_generic_op_form=True)
    return text
