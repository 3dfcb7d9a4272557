"""Diagnostics of MLIR as an `InputError` with a location, an excerpt and, where there is one, a hint.

The hints name today's syntax for old syntax of MLIR that no longer parses.
"""

from __future__ import annotations

import re

from shapesolve.errors import InputError
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.locations import SourceText
from shapesolve.ir.program import Location
from shapesolve.records import value_record

_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
LONGEST_MESSAGE = 500  # characters
_NOISE = ("see current operation", "Available dialects:")  # the excerpt shows the one better, a hint the other


@value_record
class Diagnostic:
    """One diagnostic of MLIR.

    Attributes:
        place: File, line and column, or None if MLIR has none.
    """

    severity: str
    message: str
    place: tuple[str, int, int] | None
    notes: tuple[Diagnostic, ...] = ()

    @property
    def is_redefinition(self) -> bool:
        """Return whether a name is defined twice, as where a file holds several programs."""
        return "redefinition of" in self.message

    def names(self, symbol: str) -> bool:
        """Return whether it is about a symbol with this name."""
        return f"'{symbol}'" in self.message


def copied_diagnostic(live: Bindings) -> Diagnostic:
    """Copy a live diagnostic."""
    match = _PLACE.search(str(live.location))
    place = (match[1], int(match[2]), int(match[3])) if match else None
    severity = str(live.severity).rpartition(".")[2].lower()
    return Diagnostic(severity, str(live.message), place, tuple(copied_diagnostic(note) for note in live.notes))


def input_error(complaints: list[Diagnostic], file: str, source: SourceText | None, fallback: str) -> InputError:
    """Return the error for a file that MLIR refused: the first diagnostic leads, the others and all notes follow."""
    if not complaints:
        return InputError(fallback, where=file)
    first, *others = complaints
    location = _location(first, file, source)
    excerpt = _excerpt(first, location, source)
    lines = [excerpt] if excerpt else []
    hint = spelling_hint(first.message, _line(location, file, source), source.text if source is not None else "")
    for note in [*first.notes, *(inner for other in others for inner in (other, *other.notes))]:
        if not any(words in note.message for words in _NOISE):
            lines += _follow_up(note, file, source)
    if hint:
        lines.append(f"hint: {hint}")
    return InputError(_cut(first.message), where=str(location), excerpt="\n".join(lines))


def _location(diagnostic: Diagnostic, file: str, source: SourceText | None) -> Location:
    if diagnostic.place is None:
        return Location(file, 0, 0)
    name, line, column = diagnostic.place
    if name != "-":
        return Location(name, line, column)
    return Location(file, line, source.column(line, column) if source else column)


def _cut(message: str) -> str:
    message = message.strip()
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]} ..."


def _line(location: Location, file: str, source: SourceText | None) -> str:
    return source.line(location.line) if source is not None and location.file == file else ""


def _excerpt(diagnostic: Diagnostic, location: Location, source: SourceText | None) -> str:
    if source is None or diagnostic.place is None or diagnostic.place[0] != "-":
        return ""
    return source.excerpt(location.line, location.column)


def _follow_up(diagnostic: Diagnostic, file: str, source: SourceText | None) -> list[str]:
    location = _location(diagnostic, file, source)
    message = _cut(diagnostic.message)
    where = f"{location}: " if location.line else ""
    excerpt = "" if "\n" in message else _excerpt(diagnostic, location, source)
    return [f"{where}{diagnostic.severity}: {message}", *([excerpt] if excerpt else [])]


_UNKNOWN_OP = re.compile(
    r"custom op '([^']+)' is unknown|unregistered operation '([^']+)'|Dialect `[^']*' not found for custom op '([^']+)'"
)
_REFUSED_OP = re.compile(r"^(?:custom op )?'([\w.]+)'")
_SHAPE_OF_A_CHANGE = re.compile(r"operands?\b|requires attribute|failed to satisfy constraint|expected 'output_shape'")
_OP_ON_LINE = re.compile(r"\bshape\.\w+|\btosa\.\w+|\btensor\.\w+|(?<==)\s*constant\b")
_SYNTAX = re.compile(r"^expected|^integer literal|^custom op|^unexpected")

_RENAMED = {
    "func": "func.func",
    "assert": "cf.assert",
    "br": "cf.br",
    "cond_br": "cf.cond_br",
    "switch": "cf.switch",
    "call": "func.call",
    "dim": "tensor.dim or memref.dim",
    "rank": "tensor.rank or memref.rank",
    "constant": "arith.constant",
    "select": "arith.select",
    "index_cast": "arith.index_cast",
    "alloc": "memref.alloc",
    "alloca": "memref.alloca",
    "dealloc": "memref.dealloc",
    "load": "memref.load",
    "store": "memref.store",
    "subview": "memref.subview",
    "memref_cast": "memref.cast",
    "tensor_cast": "tensor.cast",
    "tensor_load": "bufferization.to_tensor",
    "extract_element": "tensor.extract",
    "tensor_from_elements": "tensor.from_elements",
    "dynamic_tensor_from_elements": "tensor.generate",
    "subtensor": "tensor.extract_slice",
    "subtensor_insert": "tensor.insert_slice",
    "linalg.init_tensor": "tensor.empty",
    "linalg.pad_tensor": "tensor.pad",
    "linalg.tensor_expand_shape": "tensor.expand_shape",
    "linalg.tensor_collapse_shape": "tensor.collapse_shape",
    "linalg.tensor_reshape": "tensor.expand_shape or tensor.collapse_shape",
    "tosa.div": "tosa.intdiv",
    "tosa.int_div": "tosa.intdiv",
    "tosa.reduce_prod": "tosa.reduce_product",
    "shape.join": "shape.meet",
    "shape.constant_dim": "shape.const_size",
}
_ARITHMETIC = re.compile(r"^(add|sub|mul|div|rem|cmp|max|min|and|or|xor|shift|neg|trunc|ext|zext|sext|fp)\w*$")

_CHANGED = {
    "tosa.mul": "`tosa.mul` takes its shift as a third operand: tosa.mul %a, %b, %shift with %shift : tensor<1xi8>",
    "tosa.negate": "`tosa.negate` takes zero points: tosa.negate %a, %input_zero_point, %output_zero_point",
    "tosa.clamp": "`tosa.clamp` takes {min_val = ..., max_val = ...}",
    "tosa.reshape": "`tosa.reshape` takes its shape as an operand of type !tosa.shape<n>, from tosa.const_shape",
    "tosa.slice": "`tosa.slice` takes start and size as operands of type !tosa.shape<n>, from tosa.const_shape",
    "tosa.tile": "`tosa.tile` takes its multiples as an operand of type !tosa.shape<n>, from tosa.const_shape",
    "tosa.pad": "`tosa.pad` takes its padding as a !tosa.shape<2n> operand and a third operand, the value to pad with",
    "tosa.transpose": "`tosa.transpose` takes {perms = array<i32: ...>} and one operand",
    "tosa.const": "`tosa.const` takes {values = ...}",
    "tosa.matmul": "`tosa.matmul` takes two zero points: tosa.matmul %a, %b, %a_zero_point, %b_zero_point",
    "tosa.conv2d": "`tosa.conv2d` takes two zero points as operands and {acc_type = ...}",
    "tensor.expand_shape": "`tensor.expand_shape` says its sizes: %t [[0, 1]] output_shape [%n, 4] : ...",
    "shape.get_extent": "shape.get_extent %shape, %i : tensor<?xindex>, index -> index",
    "shape.shape_of": "shape.shape_of %t : tensor<?xf32> -> tensor<1xindex>",
    "shape.size_to_index": "shape.size_to_index %size : !shape.size",
    "shape.num_elements": "shape.num_elements %shape : tensor<?xindex> -> index",
    "shape.from_extents": "shape.from_extents %a, %b : index, index",
    "shape.any": "shape.any %a, %b : !shape.shape, !shape.shape -> !shape.shape",
    "shape.broadcast": "shape.broadcast %a, %b : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>",
    "shape.cstr_eq": "shape.cstr_eq %a, %b : tensor<?xindex>, tensor<?xindex>",
    "shape.cstr_broadcastable": "shape.cstr_broadcastable %a, %b : tensor<?xindex>, tensor<?xindex>",
    "shape.const_shape": "shape.const_shape [1, 2] : tensor<2xindex>",
    "shape.meet": 'shape.meet %a, %b, error = "message" : !shape.shape, !shape.shape -> !shape.shape',
    "shape.add": "shape.add %a, %b : index, index -> index",
    "shape.mul": "shape.mul %a, %b : index, index -> index",
    "shape.concat": "shape.concat %a, %b : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>",
    "shape.to_extent_tensor": "shape.to_extent_tensor %shape : !shape.shape -> tensor<?xindex>",
    "shape.split_at": '"shape.split_at"(%shape, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)',
}
_DIALECTS = {
    "mhlo": "mhlo became StableHLO: convert with mlir-hlo-opt --hlo-legalize-to-stablehlo",
    "vhlo": "this is StableHLO's portable form: convert with stablehlo-translate --deserialize",
    "tf": "TensorFlow's dialect: convert with tf-opt to StableHLO or TOSA first",
    "tfl": "TensorFlow Lite's dialect: convert with --tfl-to-tosa-pipeline first",
    "onnx": "onnx-mlir's dialect: convert with --convert-onnx-to-tosa first",
    "std": "the std dialect was split: arith, cf, func, memref and tensor hold its ops today",
}


def spelling_hint(message: str, line: str, text: str) -> str | None:
    """Return today's syntax if the message or the source line that it points at shows known old syntax."""
    if "redefinition of" in message and re.search(r"^// -----// IR Dump ", text, re.MULTILINE):
        return (
            "this is what --mlir-print-ir-after-all prints, one program after another: keep one of them, or let "
            "--mlir-print-ir-tree-dir=DIR write each to a file of its own"
        )
    if "redefinition of" in message and re.search(r"^// -----\s*$", text, re.MULTILINE):
        return "`// -----` separates inputs that are meant to be read one by one: split the file there"
    if "shape" in message and ("element_type" in message or "component_type" in message):
        return "!shape.element_type and !shape.component_type are gone; there is nothing in their place"
    if "operands don't have matching ranks" in message:
        return "put extents of 1 in front of the lower rank: tensor.expand_shape, or tosa.reshape"
    unknown = _UNKNOWN_OP.search(message)
    if unknown:
        return _unknown_op_hint(next(name for name in unknown.groups() if name), message)
    refused = _REFUSED_OP.search(message)
    if refused and _SHAPE_OF_A_CHANGE.search(message) and refused[1] in _CHANGED:
        return _today(refused[1])
    if refused and "axis" in message and "32-bit" in message:
        return "axis attributes are i32 today: {axis = 0 : i32}"
    if _SYNTAX.search(message):
        return _line_hint(line)
    return None


def _unknown_op_hint(name: str, message: str) -> str | None:
    bare = name.removeprefix("std.")
    if bare in _RENAMED:
        return f"`{name}` is spelled `{_RENAMED[bare]}` today"
    if bare == "tosa.fully_connected":
        return "`tosa.fully_connected` was removed: write tosa.matmul or tosa.conv2d"
    if "." not in bare and _ARITHMETIC.match(bare):
        return f"`{name}` is spelled `arith.{bare}` today"
    dialect, dot, _ = name.partition(".")
    if dialect in _DIALECTS:
        return _DIALECTS[dialect]
    if dot and "not found" in message:
        return (
            f'an op that is not known here can be read in its generic form, "{name}"(...) : (...) -> (...): '
            "print the module with --mlir-print-op-generic"
        )
    return None


def _line_hint(line: str) -> str | None:
    for match in _OP_ON_LINE.finditer(line):
        name = match[0].strip()
        if name == "constant":
            return "`constant` is spelled `arith.constant` today"
        if name in _CHANGED:
            return _today(name)
    return None


def _today(name: str) -> str:
    change = _CHANGED[name]
    return f"today: {change}" if name.startswith("shape.") else f"today {change}"
