"""Printer of a live module: text that reads back as the same module, with the names that its author chose."""

from __future__ import annotations

import re

from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.importer import LIVE_FUNCTIONS
from shapesolve.ir.locations import has_locations
from shapesolve.ir.program import Operation, Program, Value
from shapesolve.ir.reader import context_for
from shapesolve.preconditions.functions import name_among
from shapesolve.rewriting.checks import RewriteError
from shapesolve.rewriting.rewriter import Rewriter, pre_order

_CHOSEN = re.compile(r"%([A-Za-z_$.\-][\w$.\-]*)(?:#\d+)?")


def written(rewriter: Rewriter, program: Program) -> str:
    """Return the text of a rewritten program: with locations if its source has some, else with its value names."""
    has_places = program.text is not None and has_locations(program.text)
    if not has_places:
        _name_values(rewriter)
    return printed(rewriter.unnumbered(), program.operation, places=has_places)


def _name_values(rewriter: Rewriter) -> None:
    """Give all values below functions the names that they had in the text. Locations are lost."""
    for source_op in rewriter.source_ops:
        live = rewriter.live.get(source_op.number)
        if live is None:
            continue
        name = _chosen(source_op.results[0]) if source_op.results else None
        if name is not None:
            live.location = bindings.ir().Location.name(name, live.location, live.context)
        for ours, theirs in zip(source_op.regions, live.regions, strict=True):
            blocks = list(zip(ours.blocks, theirs.blocks, strict=True))
            for block, live_block in blocks[1:] if source_op.name in LIVE_FUNCTIONS else blocks:
                for value, argument in zip(block.arguments, list(live_block.arguments), strict=True):
                    inner = _chosen(value)
                    if inner is not None:
                        argument.set_location(bindings.ir().Location.name(inner, argument.location, argument.context))


def _chosen(value: Value) -> str | None:
    match = _CHOSEN.fullmatch(value.name)
    return match[1] if match else None


def printed(module: Bindings, original: Operation, *, places: bool) -> str:
    """Return the module as text, with locations or without; without, the names in locations are printed.

    Where the pretty form does not read back as the same module (a `shape.from_extents` of nothing, say), the generic
    form is printed.

    Args:
        original: The IR of the module, perhaps before some of it was erased: it names the arguments of functions, which
            assumptions mention.
    """
    names = not places or not _has_standard_arguments(original)
    if names:
        _name_arguments(module, original)
    text = _text(module, names, places, False)
    return text if _reads_back(module, text) else printed_generic(module, original, places=places)


def printed_generic(module: Bindings, original: Operation, *, places: bool = False) -> str:
    """Return the module as text in the generic form, in which unnamed arguments get new names."""
    _name_arguments(module, original)
    text = _text(module, True, places, True)
    if not _reads_back(module, text):
        raise RewriteError("MLIR does not read back what it prints of the pruned program")
    return text


def _name_arguments(module: Bindings, original: Operation) -> None:
    functions = [each for each in pre_order(module.operation) if each.name in LIVE_FUNCTIONS]
    for source_op, live in zip(_functions(original), functions, strict=True):
        for ours, theirs in zip(source_op.regions, live.regions, strict=True):
            if ours.blocks:
                arguments = list(theirs.blocks[0].arguments)
                for position, (value, argument) in enumerate(zip(ours.blocks[0].arguments, arguments, strict=True)):
                    name = _chosen(value) or name_among(ours.blocks[0].arguments, position)
                    argument.set_location(bindings.ir().Location.name(name, argument.location, argument.context))


def _has_standard_arguments(original: Operation) -> bool:
    """Return whether the arguments of all functions have the names that MLIR would give them."""
    return all(
        value.name == f"%arg{position}"
        for function in _functions(original)
        for region in function.regions
        for block in region.blocks[:1]
        for position, value in enumerate(block.arguments)
    )


def _functions(original: Operation) -> list[Operation]:
    return [op for op in original.walk() if op.name in LIVE_FUNCTIONS]


def _text(module: Bindings, names: bool, places: bool, generic: bool) -> str:
    text: str = module.operation.get_asm(
        use_name_loc_as_prefix=names, enable_debug_info=places, print_generic_op_form=generic
    )
    return text if text.endswith("\n") else text + "\n"


def _reads_back(module: Bindings, text: str) -> bool:
    context = context_for(text)
    messages: list[str] = []

    def collect(diagnostic: Bindings) -> bool:
        messages.append(str(diagnostic.message))
        return True

    handler = context.attach_diagnostic_handler(collect)
    try:
        with context:
            again = bindings.ir().Module.parse(text)
            # What MLIR prints of sums in affine maps may read as other sums, which then are printed in another way.
            return _plain(again) == _plain(module) or _settled(again) == _settled(module)
    except bindings.ir().MLIRError:
        return False
    finally:
        handler.detach()


def _settled(module: Bindings) -> str:
    """Return the generic form of what the generic form reads as."""
    return _plain(bindings.ir().Module.parse(_plain(module)))


def _plain(module: Bindings) -> str:
    text: str = module.operation.get_asm(print_generic_op_form=True)
    return text
