"""Programs with text from files of the command line: bytecode is printed."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.errors import InputError
from shapesolve.frontends.open import model_in, open_program
from shapesolve.ir import bindings
from shapesolve.ir.bytecode_header import rewriting_hint
from shapesolve.ir.input_files import load
from shapesolve.ir.program import Program
from shapesolve.ir.reader import parsed_bytecode, read_module, read_text, survives
from shapesolve.options import Options
from shapesolve.rewriting.printer import printed


def read_with_text(path: str, options: Options) -> Program:
    """Return a file of text or bytecode ("-": the standard input), or a model, as a program with text.

    Raises:
        InputError: It cannot be read or exported.
    """
    if options.level is not None or model_in(path) is not None:
        return open_program(path, options)
    content = load(path)
    if content.text is not None:
        program = read_text(content.text, content.file)
        return replace(program, notes=(*content.notes, *program.notes))
    if not survives(content.data):
        raise InputError("MLIR crashes on this bytecode: the file is damaged; write it again", where=content.file)
    context = bindings.new_context()
    try:
        module = parsed_bytecode(context, content.data)
    except (bindings.ir().MLIRError, ValueError) as error:
        words = f"MLIR cannot read this bytecode: {error}"
        raise InputError(words, where=content.file, excerpt=rewriting_hint(content.data)) from None
    text = printed(module, read_module(module, content.file).operation, places=True)
    return read_text(text, content.file)
