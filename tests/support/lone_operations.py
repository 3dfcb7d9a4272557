"""Single operations of the cases, alone in a function, with other attributes, and with other extents in their types."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from support.live_operations import captures, descendants

from shapesolve.ir import bindings
from shapesolve.ir.bindings import Bindings

CASES = Path(__file__).parents[1] / "cases"
CONSTANTS = {"stablehlo.constant", "tosa.const", "tosa.const_shape", "arith.constant", "chlo.constant"}
STRUCTURE = {"operandSegmentSizes", "resultSegmentSizes", "sym_name", "callee", "decomposition"}

_TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)([^x*].*)>")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?![\w.x>])")
_LISTS = ("array<i64: ", "array<i32: ")
_TRANSFORMS = tuple(f"#stablehlo<fft_type {kind}>" for kind in ("FFT", "IFFT", "RFFT", "IRFFT"))


class LoneOperation:
    """A copy of an operation; its operands are the arguments of the function around, but for most constants.

    The function returns the results. ``arguments`` and ``results`` are the types that were written.
    """

    def __init__(self, op: Bindings, dice: Random) -> None:
        ir = bindings.ir()
        makers = [_constant(operand) if dice.random() < 0.9 else None for operand in op.operands]
        self.arguments = [str(each.type) for each, maker in zip(op.operands, makers, strict=True) if maker is None]
        self.results = [str(each.type) for each in op.results]
        parameters = ", ".join(f"%arg{at}: {type}" for at, type in enumerate(self.arguments))
        self.module = ir.Module.parse(f"func.func @alone({parameters}) {{ return }}")
        self._function = self.module.body.operations[0]
        self._block = self._function.regions[0].blocks[0]
        self.op = op.clone()
        given = iter(self._block.arguments)
        end = self._block.operations[0]
        for at, maker in enumerate(makers):
            if maker is None:
                self.op.operands[at] = next(given)
            else:
                constant = maker.clone()
                ir.InsertionPoint(end).insert(constant)
                self.op.operands[at] = constant.results[0]
        ir.InsertionPoint(end).insert(self.op)
        end.operation.erase()
        with ir.InsertionPoint(self._block):
            ir.Operation.create("func.return", operands=list(self.op.results))

    def retype(self, arguments: Sequence[str], results: Sequence[str]) -> bool:
        """Give arguments and results these types; whether MLIR takes the module then."""
        ir = bindings.ir()
        for value, type in zip((*self._block.arguments, *self.op.results), (*arguments, *results), strict=True):
            value.set_type(ir.Type.parse(type))
        inputs, outputs = ([each.type for each in values] for values in (self._block.arguments, self.op.results))
        self._function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))
        try:
            return self.module.operation.verify()
        except bindings.ir().MLIRError:
            return False

    def change_attributes(self, dice: Random) -> None:
        """Give some attributes other values, of which MLIR need not take any."""
        for each in list(self.op.attributes):
            name = each if isinstance(each, str) else each.name
            if name in STRUCTURE or dice.random() > 0.3:
                continue
            text = _changed(str(self.op.attributes[name]), dice)
            try:
                self.op.attributes[name] = bindings.ir().Attribute.parse(text)
            except (bindings.ir().MLIRError, ValueError):
                continue


class Corpus:
    """The operations of the cases of some dialects that use nothing from around them, ``by_name``."""

    def __init__(self, dialects: Sequence[str]) -> None:
        self.by_name: dict[str, list[Bindings]] = defaultdict(list)
        self._modules: list[Bindings] = []  # an operation does not keep them
        for path in (path for dialect in dialects for path in sorted((CASES / dialect).glob("*.mlir"))):
            context = bindings.new_context()
            context.attach_diagnostic_handler(_unprinted)
            with context, bindings.ir().Location.unknown(context):
                self._modules.append(bindings.ir().Module.parse(path.read_text(encoding="utf-8")))
                for op in descendants(self._modules[-1].operation):
                    is_open = op.successors or captures(op) or op.name.endswith((".return", ".yield"))
                    if op.name.startswith(tuple(dialects)) and op.name not in CONSTANTS and not is_open:
                        self.by_name[op.name].append(op)


def with_unknown_extents(type: str, dice: Random, share: float) -> str:
    """A tensor type of which about this share of the extents is not written."""
    found = _TENSOR.fullmatch(type)
    if found is None:
        return type
    return f"tensor<{''.join(f'{_unknown(e, dice, share)}x' for e in found[1].split('x')[:-1])}{found[2]}>"


def _unknown(extent: str, dice: Random, share: float) -> str:
    return "?" if dice.random() < share else extent


def unknown_extents(types: Sequence[str]) -> list[str]:
    """The names of the extents of arguments that are not written."""
    return [
        f"arg{at}[{index}]"
        for at, type in enumerate(types)
        if (found := _TENSOR.fullmatch(type)) is not None
        for index, extent in enumerate(found[1].split("x")[:-1])
        if extent == "?"
    ]


def with_extents(types: Sequence[str], sizes: Mapping[str, int]) -> list[str]:
    """The types with these sizes for extents that are not written."""
    filled: list[str] = []
    for at, type in enumerate(types):
        found = _TENSOR.fullmatch(type)
        written = [] if found is None else found[1].split("x")[:-1]
        extents = [sizes[f"arg{at}[{index}]"] if e == "?" else int(e) for index, e in enumerate(written)]
        filled.append(type if found is None else of_shape(type, extents))
    return filled


def of_shape(type: str, extents: Sequence[int]) -> str:
    """A tensor type with other extents."""
    found = _TENSOR.fullmatch(type)
    return type if found is None else f"tensor<{''.join(f'{each}x' for each in extents)}{found[2]}>"


def written_extents(types: Sequence[str]) -> set[int]:
    """The extents that tensor types write down."""
    tensors = [found for type in types if (found := _TENSOR.fullmatch(type)) is not None]
    return {int(each) for found in tensors for each in found[1].split("x") if each.isdecimal()}


def _changed(text: str, dice: Random) -> str:
    if text in ("true", "false"):
        return dice.choice(("true", "false"))
    if text.startswith(_LISTS):
        numbers = text[11:-1].split(", ")
        return f"{text[:11]}{', '.join(_other(each, dice, 0.4, range(-2, 4)) for each in numbers)}>"
    if text.startswith("dense<") and "x2xi64>" in text:
        values, _, type = text.partition(" : ")
        return f"{_NUMBER.sub(lambda each: _other(each[0], dice, 0.5, range(-2, 3)), values)} : {type}"
    if re.fullmatch(r"-?\d+ : i(64|32)", text):
        return f"{dice.choice(range(4))} : {text.partition(' : ')[2]}"
    if "fft_type" in text:
        return dice.choice(_TRANSFORMS)
    if text.startswith("#stablehlo."):
        return _NUMBER.sub(lambda each: _other(each[0], dice, 0.15, range(3)), text)
    return text


def _other(number: str, dice: Random, share: float, among: range) -> str:
    return str(dice.choice(among)) if dice.random() < share else number


def _constant(operand: Bindings) -> Bindings | None:
    maker = getattr(operand.owner, "operation", operand.owner)
    return maker if getattr(maker, "name", None) in CONSTANTS else None


def _unprinted(_: Bindings) -> bool:
    return True
