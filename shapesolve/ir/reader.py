"""Reader of MLIR files, texts and live modules. The input is not changed and no pass is run.

Making a context takes 6 ms, longer than reading most programs, so short texts share one. A context keeps types,
attributes and locations, which no other module can observe; only the names of resources are unique in a context, so
that a second module would find its own changed.

Input of a kind that may crash MLIR is first read in a subprocess. Of 1,500 bytecode files with a few bytes changed, 6
made MLIR overrun its memory. Of text, one case is known: the verifier of ``torch.bind_symbolic_shape`` follows a null
pointer where a symbol is not a ``torch.symbolic_int``.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from threading import local

from shapesolve.errors import InputError, NoFunctionError
from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.bytecode_header import rewriting_hint
from shapesolve.ir.diagnostics import Diagnostic, copied_diagnostic, input_error
from shapesolve.ir.foreign_spellings import in_generic_form
from shapesolve.ir.function_texts import FunctionText, declared, function_around, without_declaration
from shapesolve.ir.importer import FUNCTIONS, KERNEL, LAUNCH, Conversion
from shapesolve.ir.input_files import STRING, FileContent, check_text, foreign_text, load
from shapesolve.ir.llvm_forms import LLVM_FUNCTION, NO_FUNCTION_OF_NUMBERS
from shapesolve.ir.locations import SourceText, origin, without_locations
from shapesolve.ir.own_attributes import check_attributes
from shapesolve.ir.program import Location, Operation, Origin, Program
from shapesolve.records import value_record
from shapesolve.statistics import stage
from shapesolve.versions import untested


class RefusedText(InputError):
    """Text that MLIR refuses, kept for `accepted_functions`."""

    def __init__(self, error: InputError, text: str, file: str, notes: tuple[str, ...]) -> None:
        super().__init__(error.message, where=error.where, excerpt=error.excerpt)
        self.text = text
        self.file = file
        self.notes = notes


@value_record
class AcceptedFunctions:
    """Functions of a text that MLIR accepts.

    Attributes:
        program: The module with declarations in place of the refused functions; None if it has no other functions.
        refusals: An error for each refused function, in the order of the text.
        named: Names of symbols that the refused functions mention.
    """

    program: Program | None
    refusals: tuple[InputError, ...]
    named: frozenset[str]


_log = logging.getLogger("shapesolve.ir")

MOST_SPELLINGS = 200
"""Largest number of operations of one text whose old spelling is rewritten."""


@stage("read")
def read_file(path: str) -> Program:
    """Read the module in a file, text or bytecode; "-" is the standard input.

    Raises:
        InputError: The file cannot be read; with the location in the file if one is known.
    """
    content = load(path)
    if content.text is not None:
        return _from_text(content.text, content.file, content.notes)
    return _from_bytecode(content)


@stage("read")
def read_text(text: str, file: str = STRING, like: Sequence[Operation | None] = ()) -> Program:
    """Read the module in a text.

    Args:
        text: The module.
        file: The name of the text in locations and errors.
        like: One operation of another program (or None) per operation, in pre-order, whose value names and origin in
            the model are taken over: a printed module has numbers for names.

    Raises:
        InputError: The text is not valid MLIR or has no function.
    """
    return _from_text(text, file, (), like)


@stage("read")
def read_module(module: Bindings, file: str = "<module>") -> Program:
    """Read a live ``torch_mlir.ir.Module``, or the print of any other object, such as JAX's modules.

    Raises:
        InputError: The module does not verify.
    """
    if not isinstance(module, bindings.ir().Module):
        return read_text(str(module), file)
    diagnostics: list[Diagnostic] = []
    error_type = bindings.ir().MLIRError
    handler = module.context.attach_diagnostic_handler(_collector(diagnostics))
    try:
        module.operation.verify()
    except error_type as error:
        diagnostics += [copied_diagnostic(each) for each in error.error_diagnostics]
        raise input_error(diagnostics, file, None, "the module does not verify") from None
    finally:
        handler.detach()
    return _program(module.operation, file, _bytecode(module.operation), None, (), _remarks(diagnostics, file))


def _bytecode(operation: Bindings) -> bytes:
    written = BytesIO()
    operation.write_bytecode(written)
    return written.getvalue()


def with_equal_ranks(refused: RefusedText) -> Program:
    """Read a text in which element-wise operations of TOSA may take operands of several ranks, as they once could.

    Raises:
        InputError: The text is refused for other reasons, too.
    """
    return _from_text(refused.text, refused.file, refused.notes, equates_ranks=True)


def _from_text(
    text: str, file: str, notes: tuple[str, ...], like: Sequence[Operation | None] = (), *, equates_ranks: bool = False
) -> Program:
    check_text(text, file)
    if is_suspect(text) and not survives(text.encode("utf-8", "replace")):
        raise InputError("MLIR crashes on this text: torch.bind_symbolic_shape wants torch.symbolic_int", where=file)
    generic = in_generic_form(text)
    if generic is not None:
        return replace(_from_text(generic, file, notes, like), refused_text=text)
    source = SourceText(text)
    context = context_for(text)
    blanked = without_locations(text)
    if blanked is None:
        module, diagnostics = _parsed(context, text)
        if module is not None:
            return _program(module.operation, file, text, source, (), notes + _remarks(diagnostics, file), like)
        today = _respelled(context, text, diagnostics, file, equates_ranks=equates_ranks)
        if today is None:
            raise RefusedText(_refusal(diagnostics, file, source), text, file, notes)
        from shapesolve.ir import old_spellings

        module, placed, taken_for = today
        program = _program(module.operation, file, placed, source, (), notes + taken_for, like)
        return replace(program, text=old_spellings.without_inserted_locations(placed), refused_text=text)
    original, diagnostics = _parsed(context, text)
    placed, placed_diagnostics = _parsed(context, blanked)
    if original is None:
        same = bool(diagnostics and placed_diagnostics) and diagnostics[0].message == placed_diagnostics[0].message
        raise RefusedText(_refusal(placed_diagnostics if same else diagnostics, file, source), text, file, notes)
    notes += _remarks(diagnostics, file)
    if placed is None:
        return _program(original.operation, file, text, source, (), notes, like)
    origins = [op and op.origin for op in like] or _model_locations(original.operation)
    return _program(placed.operation, file, blanked, source, origins, notes, like)


def _respelled(
    context: Bindings, text: str, diagnostics: list[Diagnostic], file: str, *, equates_ranks: bool
) -> tuple[Bindings, str, tuple[str, ...]] | None:
    """Rewrite a refused text from old syntax, and return it parsed, with notes; None if MLIR still refuses it."""
    lines, notes = text.split("\n"), dict[int, str]()
    for _ in range(MOST_SPELLINGS):
        place = diagnostics[0].place if diagnostics else None
        number = 0 if place is None or place[0] != "-" else place[1]
        note = _respell(lines, number, file, equates_ranks=equates_ranks)
        if note is None:
            return None
        notes[note[0]] = note[1]
        text = "\n".join(lines)
        module, diagnostics = _parsed(context, text)
        if module is not None:
            return module, text, (*(notes[each] for each in sorted(notes)), *_remarks(diagnostics, file))
    return None


def _respell(lines: list[str], number: int, file: str, *, equates_ranks: bool = False) -> tuple[int, str] | None:
    """Rewrite the operation at a refused line, or the next line, from old syntax; return its number and a note."""
    from shapesolve.ir import old_spellings  # its patterns take long to compile, and few texts need them

    if not 1 <= number <= len(lines):
        return None
    found: old_spellings.RewrittenLine | None = None
    for first, behind in old_spellings.spans_around(number, len(lines)):
        line = old_spellings.joined(lines[first - 1 : behind - 1])
        found = old_spellings.with_equal_ranks(line, first) if equates_ranks else None
        found = found or old_spellings.rewritten_line(line, first)
        if found is not None:
            number = first
            found = found._replace(line=f"{found.line}{old_spellings.split_comment(lines[behind - 2])[1]}")
            lines[first : behind - 1] = [""] * (behind - 1 - first)
            break
    earlier = None if found is not None else old_spellings.without_extents(lines, number)
    if earlier is not None:
        number, found = earlier
    elif found is None and number < len(lines):
        number += 1  # a block begins on the line behind that of its operation
        found = old_spellings.with_index_argument(lines[number - 2], lines[number - 1])
    if found is None:
        return None
    lines[number - 1] = found.line
    return number, f"{file}:{number}: {found.was} is an old spelling, read as {found.today}"


def accepted_functions(refused: RefusedText) -> AcceptedFunctions | None:
    """Read the functions of a refused text that MLIR accepts; None if it refuses something outside of such bodies.

    A refused function is declared in place of its body, so that calls to it are still known.
    """
    text, file = without_locations(refused.text) or refused.text, refused.file
    if is_suspect(text) or foreign_text(text):
        return None
    source = SourceText(refused.text)
    context = context_for(text)
    refusals: dict[FunctionText, InputError] = {}
    named: set[str] = set()
    notes: dict[int, str] = {}
    gone: set[FunctionText] = set()
    for _ in range(MOST_SPELLINGS):
        module, diagnostics = _parsed(context, text)
        if module is not None:
            break
        if diagnostics and diagnostics[0].is_redefinition:  # several programs in one file
            return None
        place = diagnostics[0].place if diagnostics else None
        number = 0 if place is None or place[0] != "-" else place[1]
        lines = text.split("\n")
        note = _respell(lines, number, file)
        if note is not None:
            notes[note[0]], text = note[1], "\n".join(lines)
            continue
        function = function_around(text, number)
        if function is not None:
            own = [
                each for each in diagnostics if each.place and function.lines[0] <= each.place[1] <= function.lines[1]
            ]
            refusals[function] = _refusal(own, file, source)
            if cause := next((each.name for each in gone if own and own[0].names(each.name)), None):
                refusals[function] = _with_cause(refusals[function], cause)
            named.update(_MENTIONED.findall(text[function.start : function.end]))
            text = declared(text, function)
            continue
        refused_head = next((f for f in refusals if f not in gone and f.lines[0] <= number <= f.lines[1]), None)
        rest = None if refused_head is None else without_declaration(text, refused_head)
        if rest is None or refused_head is None:
            return None
        gone.add(refused_head)
        text = rest
    else:
        return None
    functions = sorted(refusals, key=lambda each: each.lines)
    errors = tuple(refusals[each] for each in functions)
    all_notes = (*refused.notes, *(notes[each] for each in sorted(notes)), *_remarks(diagnostics, file))
    try:
        program = _program(module.operation, file, text, source, (), all_notes)
    except InputError:  # no function is left
        return AcceptedFunctions(None, errors, frozenset(named))
    names = tuple(each.name for each in functions)
    from shapesolve.ir import old_spellings

    read = old_spellings.without_inserted_locations(text)
    program = replace(program, text=read, refused_text=refused.text, refused=names)
    return AcceptedFunctions(program, errors, frozenset(named))


def accepted_or_none(refused: RefusedText) -> AcceptedFunctions | None:
    """Return the functions of a refused text that MLIR accepts; None if they cannot be told."""
    try:
        return accepted_functions(refused)
    except Exception:
        return None


def _with_cause(error: InputError, cause: str) -> InputError:
    """Return an error with a hint that the function it is about is refused itself."""
    return InputError(error.message, where=error.where, excerpt=f"{error.excerpt}\nhint: MLIR refuses @{cause} itself")


_MENTIONED = re.compile(r"@([\w$.\-]+)")


def _refusal(diagnostics: list[Diagnostic], file: str, source: SourceText) -> InputError:
    foreign = foreign_text(source.text)
    return (
        InputError(foreign, where=file)
        if foreign
        else input_error(diagnostics, file, source, "MLIR cannot parse this text")
    )


def _from_bytecode(content: FileContent) -> Program:
    if not survives(content.data):
        raise InputError("MLIR crashes on this bytecode: the file is damaged; write it again", where=content.file)
    context = bindings.new_context()
    module, diagnostics = _attempted(context, lambda: parsed_bytecode(context, content.data))
    if module is None:
        refused = input_error(diagnostics, content.file, None, "MLIR cannot read this bytecode")
        excerpt = "\n".join(filter(None, (refused.excerpt, rewriting_hint(content.data))))
        raise InputError(refused.message, where=refused.where, excerpt=excerpt)
    notes = content.notes + _remarks(diagnostics, content.file)
    return _program(module.operation, content.file, _bytecode(module.operation), None, (), notes)


def _parsed(context: Bindings, text: str) -> tuple[Bindings | None, list[Diagnostic]]:
    return _attempted(context, lambda: parsed_text(context, text))


def _attempted(context: Bindings, attempt: Callable[[], Bindings]) -> tuple[Bindings | None, list[Diagnostic]]:
    """Return the module, or None, and all diagnostics: one alone is no failure, and none reaches stderr."""
    diagnostics: list[Diagnostic] = []
    handler = context.attach_diagnostic_handler(_collector(diagnostics))
    try:
        return attempt(), diagnostics
    except bindings.ir().MLIRError as error:
        return None, [copied_diagnostic(each) for each in error.error_diagnostics] + diagnostics
    except ValueError as error:  # StableHLO's own reader
        return None, diagnostics or [Diagnostic("error", str(error), None)]
    finally:
        handler.detach()


def _collector(diagnostics: list[Diagnostic]) -> Bindings:
    def collect(diagnostic: Bindings) -> bool:
        diagnostics.append(copied_diagnostic(diagnostic))
        return True

    return collect


def _remarks(diagnostics: list[Diagnostic], file: str) -> tuple[str, ...]:
    return tuple(f"{Location(file, *each.place[1:]) if each.place else file}: {each.message}" for each in diagnostics)


@bindings.without_dialect_classes()
def _model_locations(operation: Bindings) -> list[Origin | None]:
    """Return the origin in the model of each operation, in pre-order."""
    walk_on = bindings.ir().WalkResult.ADVANCE
    found: list[Origin | None] = []

    def visit(each: Bindings) -> Bindings:
        found.append(origin(each.location))
        return walk_on

    operation.walk(visit, bindings.ir().WalkOrder.PRE_ORDER)
    return found


@bindings.without_dialect_classes()
def _program(
    operation: Bindings,
    file: str,
    executable: str | bytes,
    source: SourceText | None,
    origins: list[Origin | None] | tuple[()],
    notes: tuple[str, ...],
    like: Sequence[Operation | None] = (),
) -> Program:
    conversion = Conversion(operation, file, source, origins, like)
    root, functions, symbols = conversion.run()
    if not functions:
        without = (
            NO_FUNCTION_OF_NUMBERS if LLVM_FUNCTION in conversion.names else "no function (func.func or shape.func)"
        )
        raise NoFunctionError(f"this module has {without}, so nothing to check", where=file)
    check_attributes(root, functions.values())
    _log.info("%s: %d functions, %d kinds of operations", file, len(functions), len(conversion.names))
    text = source.text if source else None
    notes += (*untested(), *conversion.read_as, *_other_functions(root, conversion.names))
    return Program(file, root, functions, text, executable, symbols, notes)


def _other_functions(root: Operation, names: Collection[str]) -> Iterator[str]:
    """Yield the remarks on functions of other dialects, whose bodies nothing looks at."""
    checked = set(FUNCTIONS) - ({KERNEL} if LAUNCH in names else set())
    others = {name for name in names if name.endswith("func") and name not in checked}
    if not others:
        return
    for op in root.walk():
        if op.name in others and any(region.blocks for region in op.regions):
            yield f"{op.location}: @{op.attributes.get('sym_name')} is not checked: it is a {op.name}"


_MOST_CHARACTERS = 1 << 16
"""Longer texts have a context of their own: it may verify their functions in several threads, and ends with them."""

_MOST_IN_ALL = 1 << 21
"""Total number of characters after which a context is replaced, since it frees nothing."""


class _Shared(local):
    """Shared context of a thread, and the number of characters that it may still parse."""

    context: Bindings = None
    left = 0


_shared = _Shared()


def context_for(text: str) -> Bindings:
    """Return a context to parse a text in, as good as a new one.

    A shared one has no threads, because it must survive a fork.
    """
    if len(text) > _MOST_CHARACTERS or "resource" in text:
        return bindings.new_context()
    if _shared.left < len(text):
        _shared.context = bindings.new_context(threads=False)
        _shared.left = _MOST_IN_ALL
    _shared.left -= len(text)
    return _shared.context


PORTABLE = b"StableHLO_v"  # the producer that StableHLO's portable artifacts name, as jax.export writes them
_SECONDS = 60

_BINDING = re.compile(r"torch\.bind_symbolic_shape")
_BINDING_OF_NAMES = re.compile(r"(?<![\"])torch\.bind_symbolic_shape\s+%[\w$.\-#]+\s*,\s*\[([^\]]*)\]")
_SYMBOL = re.compile(r"(%[\w$.\-]+)\s*=\s*torch\.symbolic_int\b")


def parsed_text(context: Bindings, data: str | bytes) -> Bindings:
    """Parse a module from text, or from plain bytecode. Errors of the bindings pass through."""
    with context:
        return bindings.ir().Module.parse(data)


def parsed_bytecode(context: Bindings, data: bytes) -> Bindings:
    """Parse a module from bytecode or from a StableHLO portable artifact. Errors of the bindings pass through."""
    if PORTABLE in data[:64]:
        return bindings.stablehlo().deserialize_portable_artifact(context, data)
    return parsed_text(context, data)


def is_suspect(text: str) -> bool:
    """Return whether a quick scan of a text finds an operation that is known to crash MLIR."""
    if "torch.bind_symbolic_shape" not in text:
        return False
    listed = _BINDING_OF_NAMES.findall(text)
    if len(listed) != len(_BINDING.findall(text)):
        return True
    used = {name.strip() for names in listed for name in names.split(",") if name.strip()}
    return not used <= set(_SYMBOL.findall(text))


def survives(data: bytes) -> bool:
    """Return whether a process survives reading these bytes, with or without an error. Costs about 0.4 s."""
    command = [sys.executable, "-P", "-c", "from shapesolve.ir.reader import try_stdin; try_stdin()"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        run = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return False
    except OSError:  # no process can be started here: take the risk
        return True
    return run.returncode in (0, 1)


def try_stdin() -> None:
    """Read standard input in the subprocess; exit with 0 if MLIR accepts it, 1 if it refuses it."""
    context = bindings.new_context()
    handler = context.attach_diagnostic_handler(lambda diagnostic: True)  # pyright: ignore[reportUnknownLambdaType]
    try:
        parsed_bytecode(context, sys.stdin.buffer.read())
    except Exception:
        sys.exit(1)
    finally:
        handler.detach()
