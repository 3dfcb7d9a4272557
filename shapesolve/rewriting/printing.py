"""A live module as text that reads back as the same module, with the names that its author chose."""

from __future__ import annotations

import re

from shapesolve.reading import bindings
from shapesolve.reading.bindings import Bindings
from shapesolve.reading.conversion import FUNCTIONS
from shapesolve.reading.program import Value
from shapesolve.rewriting.outcome import PruneError
from shapesolve.rewriting.surgery import Surgery

_CHOSEN = re.compile(r"%([A-Za-z_$.\-][\w$.\-]*)(?:#\d+)?")


def name_arguments(surgery: Surgery) -> bool:
    """Give the arguments of functions their names, unless MLIR chooses the same ones itself; whether it does not.

    Assumptions are written in these names.
    """
    named: list[tuple[Bindings, str]] = []
    is_usual = True
    for picture in surgery.pictures:
        if picture.name not in FUNCTIONS or not picture.regions[0].blocks:
            continue
        arguments = list(surgery.live[picture.number].regions[0].blocks[0].arguments)
        for position, value in enumerate(picture.regions[0].blocks[0].arguments):
            name = _chosen(value) or f"arg{position}"
            is_usual = is_usual and name == f"arg{position}"
            named.append((arguments[position], name))
    if not is_usual:
        for argument, name in named:
            argument.set_location(bindings.ir().Location.name(name, argument.location, argument.context))
    return not is_usual


def name_values(surgery: Surgery) -> None:
    """Give all values below functions the names that they had in the text. Places are lost."""
    for picture in surgery.pictures:
        live = surgery.live.get(picture.number)
        if live is None:
            continue
        name = _chosen(picture.results[0]) if picture.results else None
        if name is not None:
            live.location = bindings.ir().Location.name(name, live.location, live.context)
        for ours, theirs in zip(picture.regions, live.regions, strict=True):
            blocks = list(zip(ours.blocks, theirs.blocks, strict=True))
            for block, live_block in blocks[1:] if picture.name in FUNCTIONS else blocks:
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
