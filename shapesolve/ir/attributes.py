"""Conversion of MLIR's types, attributes and properties to those of the IR.

MLIR makes one object for equal types and for equal attributes, so each is converted once and looked up afterwards.
Types of PyTorch's dialect are parsed, since the bindings only give their text.

The bindings hand out the attributes of an operation, discardable and inherent. Properties that an operation keeps as
plain data (``disjoint`` of `affine.linearize_index`) show in MLIR's generic form only, so they are parsed from there.
Printing every operation would be slow, and endless for types that double a few dozen times: for each operation name, an
empty operation is printed once to see whether it keeps such data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from shapesolve.int64 import DYNAMIC, MAX_SIZE
from shapesolve.ir.bindings import Bindings, ir
from shapesolve.ir.program import (
    AffineExpression,
    AffineMap,
    Attribute,
    DenseFloats,
    DenseIntegers,
    DictAttribute,
    IntegerSet,
    NotANumber,
    OpaqueAttribute,
    OpaqueType,
    ScalarType,
    ShapedType,
    SymbolRef,
    TupleType,
    Type,
)
from shapesolve.ir.symbol_table import spelled_references

MOST_ELEMENTS_KEPT = 4096
MOST_ELEMENTS_PRINTED = 16
MOST_FLOATS_KEPT = 64
LONGEST_TEXT = 400
_NOT_ALL = re.compile(r"dense_resource|__elided__|\.\.\.")

_ARRAYS = {f"Dense{kind}ArrayAttr" for kind in ("Bool", "I8", "I16", "I32", "I64", "F32", "F64")}
_BINARY_EXPRESSIONS = {
    "AffineAddExpr": "add",
    "AffineMulExpr": "mul",
    "AffineModExpr": "mod",
    "AffineFloorDivExpr": "floordiv",
    "AffineCeilDivExpr": "ceildiv",
}

_UNREADABLE = re.compile(r"\(Attribute\((.*)\)\)\s*$", re.DOTALL)


def shortened(text: str) -> str:
    """Return the text, with its middle left out if it is too long to read."""
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 60]} ... {text[-50:]}"


def _opaque(text: str) -> OpaqueAttribute:
    return OpaqueAttribute(shortened(text), spelled_references(text))


_PER_AXIS = re.compile(r"!quant\.uniform<.*:(?P<axis>\d+), \{(?P<scales>[^{}]*)\}>")


def _with_scales(extents: list[int | None], element: str) -> list[int | None]:
    """Return the extents of a tensor type, with the dimension of per-axis quantization known from its scales."""
    found = _PER_AXIS.fullmatch(element)
    axis = int(found["axis"]) if found else len(extents)
    if found is None or axis >= len(extents) or extents[axis] is not None:
        return extents
    return [*extents[:axis], found["scales"].count(",") + 1, *extents[axis + 1 :]]


class Converter:
    """Converts the types and attributes of one MLIR context, each once."""

    def __init__(self) -> None:
        self._types: dict[Bindings, Type] = {}
        self._attributes: dict[Bindings, Attribute] = {}
        self._convert_attribute: dict[str, Callable[[Bindings], Attribute]] = {
            "BoolAttr": lambda live: bool(live.value),
            "IntegerAttr": lambda live: int(live.value),
            "FloatAttr": _float,
            "StringAttr": _string,
            "UnitAttr": lambda live: True,
            "TypeAttr": lambda live: self.type(live.value),
            "SymbolRefAttr": lambda live: SymbolRef("::@".join(live.value), tuple(live.value)),
            "FlatSymbolRefAttr": lambda live: SymbolRef(live.value),
            "AffineMapAttr": lambda live: _affine_map(live.value),
            "IntegerSetAttr": _integer_set,
            "ArrayAttr": lambda live: tuple(self.attribute(element) for element in live),
            "DictAttr": lambda live: DictAttribute({entry.name: self.attribute(entry.attr) for entry in live}),
            "DenseIntElementsAttr": self._dense_integers,
            "DenseFPElementsAttr": self._dense_floats,
            **dict.fromkeys(_ARRAYS, tuple),
        }

    def type(self, live: Bindings) -> Type:
        """Convert a type; anything but scalars, tensors, memrefs and vectors is kept as text."""
        known = self._types.get(live)
        if known is None:
            known = self._types[live] = self._new_type(live)
        return known

    def attribute(self, live: Bindings) -> Attribute:
        """Convert an attribute; a unit attribute becomes True, one without a class here is kept as text."""
        known = self._attributes.get(live)
        if known is None:
            known = self._attributes[live] = self._new_attribute(live)
        return known

    def attributes(self, live: Bindings, properties: Mapping[str, str | None]) -> dict[str, Attribute]:
        """Return all attributes of a live operation by name, inherent ones included, and its plain ``properties``."""
        found = self._named(live.attributes)
        for name, spelled in properties.items():
            found[name] = True if spelled is None else self._spelled(spelled, live.context)
        return found

    def _named(self, named: Bindings) -> dict[str, Attribute]:
        if not len(named):
            return {}
        try:
            return {name: self.attribute(value) for name, value in named.items()}
        except (TypeError, ValueError, RuntimeError):
            return {name: self._guarded(named, name) for name in named}

    def _spelled(self, text: str, context: Bindings) -> Attribute:
        """Convert the text of an attribute; a property's text need not be one."""
        try:
            return self.attribute(ir().Attribute.parse(text, context))
        except (TypeError, ValueError, RuntimeError):
            return OpaqueAttribute(shortened(text))

    def _guarded(self, named: Bindings, name: str) -> Attribute:
        """Convert one attribute by name, even if the bindings raise because they have no class for it."""
        try:
            return self.attribute(named[name])
        except (TypeError, ValueError, RuntimeError) as error:
            spelling = _UNREADABLE.search(str(error))
            return _opaque(spelling[1] if spelling else "unreadable")

    def _new_type(self, live: Bindings) -> Type:
        if type(live).__name__ == "Type":
            live = live.maybe_downcast()
        kind = type(live).__name__
        if kind == "IndexType":
            return ScalarType("index", 64, "index")
        if kind == "IntegerType":
            return ScalarType("integer", live.width, str(live))
        if kind in ("RankedTensorType", "MemRefType", "VectorType"):
            extents: list[int | None] = [None if extent == DYNAMIC else extent for extent in live.shape]
            if kind == "VectorType" and live.scalable:
                extents = [None if free else size for size, free in zip(extents, live.scalable_dims, strict=True)]
            container = {"RankedTensorType": "tensor", "MemRefType": "memref", "VectorType": "vector"}[kind]
            element = self._element(live.element_type)
            if isinstance(element, OpaqueType):
                extents = _with_scales(extents, str(live.element_type))
            strides = _strides_and_offset(live) if kind == "MemRefType" else None
            is_injective = _is_injective(kind, live, strides)
            if kind != "MemRefType":
                return ShapedType(container, tuple(extents), element, is_injective)
            places = str(live.affine_map) if strides is None else ""
            layout, space = _layout(live, strides), _space(live)
            return ShapedType(container, tuple(extents), element, is_injective, layout, places, space)
        if kind in ("UnrankedTensorType", "UnrankedMemRefType"):
            container = "tensor" if kind == "UnrankedTensorType" else "memref"
            is_injective = True if container == "tensor" else None  # the layout of what it was cast from
            space = _space(live) if container == "memref" else ""
            return ShapedType(container, None, self._element(live.element_type), is_injective, space=space)
        if kind == "TupleType":  # part by part, because aliases can make one that would take forever to print
            parts = tuple(self.type(live.get_type(position)) for position in range(live.num_types))
            return TupleType(shortened(f"tuple<{', '.join(map(str, parts))}>"), parts)
        if hasattr(live, "width"):
            return ScalarType("float", live.width, str(live))
        text = str(live)
        if text in ("f80", "f128"):  # the bindings have no classes for these two
            return ScalarType("float", int(text[1:]), text)
        return foreign_type(text, lambda element: self.type(ir().Type.parse(element, live.context))) or OpaqueType(
            shortened(text)
        )

    def _element(self, live: Bindings) -> ScalarType | OpaqueType:
        element = self.type(live)
        return OpaqueType(str(live)) if isinstance(element, ShapedType) else element

    def _new_attribute(self, live: Bindings) -> Attribute:
        try:
            exact = live.maybe_downcast()
            convert = self._convert_attribute.get(type(exact).__name__)
            if convert is not None:
                return convert(exact)
        except (TypeError, ValueError, RuntimeError, OverflowError):
            # The bindings know no class for a few kinds (complex elements, locations) and no value for a few others
            # (wide floats): such an attribute is still there, by its spelling.
            return _opaque(str(live))
        return _opaque(str(live))

    def _dense_integers(self, live: Bindings) -> Attribute:
        shaped = self.type(live.type)
        assert isinstance(shaped, ShapedType)
        count = len(live)
        splat: int | None = None
        if live.is_splat and count:
            value = self.attribute(live.get_splat_value())
            splat = int(value) if isinstance(value, int) else None
        values: tuple[int, ...] | None = None
        if count <= MOST_ELEMENTS_KEPT:
            values = (splat,) * count if splat is not None else _integers(live)
        if str(shaped.element) == "index" and values is not None:  # the bindings hand these out without their sign
            values = tuple(value - 2**64 if value > MAX_SIZE else value for value in values)
        return DenseIntegers(shaped, values, splat)

    def _dense_floats(self, live: Bindings) -> Attribute:
        if live.is_splat or len(live) <= MOST_ELEMENTS_PRINTED:
            return DenseFloats(shortened(str(live)), values=self._floats(live))
        return OpaqueAttribute(f"dense<...> : {live.type}")

    def _floats(self, live: Bindings) -> tuple[float, ...] | None:
        count = len(live)
        if not count or count > MOST_FLOATS_KEPT:
            return None
        if live.is_splat:
            splat = self.attribute(live.get_splat_value())
            return (splat,) * count if isinstance(splat, float) else None
        try:
            return tuple(float(value) for value in live)
        except TypeError:  # widths that the bindings cannot hand out
            return None


def _integers(live: Bindings) -> tuple[int, ...] | None:
    try:
        return tuple(int(value) for value in live)
    except TypeError:  # widths such as i4, which the bindings cannot hand out but do print
        body = str(live).rpartition(" : ")[0]
        return None if "0x" in body else tuple(int(number) for number in re.findall(r"-?\d+", body))


def _float(live: Bindings) -> Attribute:
    value = float(live.value)
    return NotANumber(str(live).partition(" : ")[0]) if math.isnan(value) else value


def _string(live: Bindings) -> Attribute:
    try:
        return str(live.value)
    except (RuntimeError, UnicodeDecodeError):  # MLIR's strings are bytes
        return bytes(live.value_bytes).decode("utf-8", "backslashreplace")


def _affine_map(live: Bindings) -> AffineMap:
    return AffineMap(live.n_dims, live.n_symbols, tuple(_expression(result) for result in live.results))


def _integer_set(live: Bindings) -> IntegerSet:
    """Convert an integer set by reading its constraints from a map, since the bindings give no set of an attribute."""
    head, _, body = str(live).removeprefix("affine_set<").removesuffix(")>").partition(" : (")
    sides = [side.rpartition(" ")[0].rpartition(" ") for side in body.split(", ")]
    spelled = ", ".join(expression for expression, _, _ in sides)
    computed = _affine_map(ir().Attribute.parse(f"affine_map<{head} -> ({spelled})>", live.context).value)
    return IntegerSet(computed, tuple(sign == "==" for _, _, sign in sides))


def _expression(live: Bindings) -> AffineExpression:
    live = live.maybe_downcast() if hasattr(live, "maybe_downcast") else live
    kind = type(live).__name__
    if kind == "AffineDimExpr":
        return AffineExpression("dim", live.position)
    if kind == "AffineSymbolExpr":
        return AffineExpression("symbol", live.position)
    if kind == "AffineConstantExpr":
        return AffineExpression("constant", live.value)
    return AffineExpression(_BINARY_EXPRESSIONS[kind], left=_expression(live.lhs), right=_expression(live.rhs))


def is_whole(attribute: Attribute) -> bool:
    """Return whether an attribute was converted without loss."""
    return all(map(_is_kept, _parts(attribute)))


def _parts(attribute: Attribute) -> Iterable[Attribute]:
    if isinstance(attribute, DictAttribute):
        for each in attribute.entries.values():
            yield from _parts(each)
    elif isinstance(attribute, tuple):
        for each in attribute:
            yield from _parts(each)
    else:
        yield attribute


def _is_kept(attribute: Attribute) -> bool:
    if isinstance(attribute, DenseIntegers):
        return attribute.values is not None or attribute.splat is not None
    if isinstance(attribute, OpaqueAttribute):
        # A longer text was cut, and a resource is only named.
        return len(attribute.text) < LONGEST_TEXT - 20 and not _NOT_ALL.search(attribute.text)
    return True


_TENSOR = re.compile(r"!torch\.vtensor(?:<(?P<sizes>\*|\[[?\d,]*\])(?:,(?P<element>[^,]+))?.*>)?")
_NUMBERS = {
    "!torch.int": ScalarType("integer", 64, "!torch.int"),
    "!torch.bool": ScalarType("integer", 1, "!torch.bool"),
    "!torch.float": ScalarType("float", 64, "!torch.float"),
}
_UNKNOWN = OpaqueType("unk")


def _is_injective(kind: str, live: Bindings, found: tuple[Sequence[int], int] | None) -> bool | None:
    """Return whether elements of a ranked type have places of their own; None if strides decide, at run time."""
    if kind == "RankedTensorType":
        return True if live.encoding is None else None
    if kind == "VectorType" or live.affine_map.is_permutation:
        return True
    if found is None:
        return False  # no strided layout: whether its map is injective is not looked into
    strides, _ = found
    steps = sorted((abs(stride), extent) for stride, extent in zip(strides, live.shape, strict=True) if extent != 1)
    if any(stride == 0 for stride, _ in steps):
        return False
    if any(DYNAMIC in (stride, -stride) for stride, _ in steps) or any(extent == DYNAMIC for _, extent in steps[:-1]):
        return None
    last = 0
    for stride, extent in steps:
        if stride <= last:
            return False
        last += stride * (extent - 1)
    return True


def _layout(live: Bindings, found: tuple[Sequence[int], int] | None) -> tuple[int | None, ...] | None:
    """Return the strides and the offset of a buffer; None if it is row-major, or has no strides."""
    if [str(each) for each in live.affine_map.results] == [f"d{place}" for place in range(live.rank)]:
        return None
    if found is None:
        return None
    strides, offset = found
    return tuple(None if each == DYNAMIC else each for each in (*strides, offset))


def _space(live: Bindings) -> str:
    """Return the memory space of a buffer's type; "" for the default one."""
    return "" if live.memory_space is None else str(live.memory_space)


def _strides_and_offset(live: Bindings) -> tuple[Sequence[int], int] | None:
    """Return the strides and the offset of a buffer's type; None without a strided layout."""
    try:
        return live.get_strides_and_offset()
    except RuntimeError:
        return None


def foreign_type(text: str, element_type: Callable[[str], Type]) -> Type | None:
    """Convert a value tensor, integer, boolean or float type of PyTorch's dialect; return None for any other type.

    Signed integers become signless ones, so that a tensor has one type before and after it is lowered.

    ``element_type`` converts the text of a type that may be an element.
    """
    if text in _NUMBERS:
        return _NUMBERS[text]
    found = _TENSOR.fullmatch(text)
    if found is None:
        return None
    sizes = found["sizes"]
    extents = None
    if sizes is not None and sizes != "*":
        extents = tuple(None if each == "?" else int(each) for each in sizes[1:-1].split(",") if each)
    # Where a tensor of PyTorch was expanded, its elements share memory.
    return ShapedType("tensor", extents, _element(found["element"], element_type), is_injective=None)


def _element(text: str | None, element_type: Callable[[str], Type]) -> ScalarType | OpaqueType:
    if text is None or text == "unk":
        return _UNKNOWN
    found = element_type(text)
    if isinstance(found, ShapedType):
        return OpaqueType(text)
    signed = isinstance(found, ScalarType) and text.startswith("si")
    return replace(found, text=text[1:]) if signed else found


_PROPERTIES = re.compile(r'"\([^)\n]*\)(?:\[[^\]\n]*\])? <\{(?P<rest>.*)', re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|->|>=|<=|[<({\[>)}\],]|[^"<({\[>)}\],=-]+|[-=]', re.DOTALL)
_OPENING, _CLOSING = frozenset("<({["), frozenset(">)}]")

_kept: dict[str, frozenset[str]] = {}


def plain_properties(live: Bindings) -> dict[str, str | None]:
    """Return the text of each plain property of a live operation, by name; None for a unit that is set."""
    name: str = live.name
    kept = _kept.get(name)
    if kept is None:
        kept = _kept[name] = _kept_by(name, live.context)
    if not kept:
        return {}
    bare = live.clone()
    try:
        for each in list(bare.attributes):  # those of the user's own may be endless
            del bare.attributes[each]
        return {each: value for each, value in _printed(bare).items() if each in kept}
    finally:
        bare.erase()


def _kept_by(name: str, context: Bindings) -> frozenset[str]:
    """Return the names of the properties that operations of this name keep as plain data."""
    if not context.is_registered_operation(name):
        return frozenset()
    empty = ir().Operation.create(name, loc=ir().Location.unknown(context))
    kept = frozenset(_printed(empty)).difference(empty.attributes)
    empty.erase()
    return kept


def _printed(live: Bindings) -> dict[str, str | None]:
    text: str = live.get_asm(print_generic_op_form=True, assume_verified=True, use_local_scope=True, skip_regions=True)
    found = _PROPERTIES.search(text)
    return {} if found is None else dict(_entries(found["rest"]))


def _entries(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield the entries of a dictionary, from behind its opening brace to its closing one."""
    depth = 0
    entry = ""
    for token in _TOKEN.findall(text):
        depth += (token in _OPENING) - (token in _CLOSING)
        if depth >= 0 and (depth or token != ","):
            entry += token
            continue
        name, is_valued, value = entry.strip().partition(" = ")
        if name:
            yield name.strip('"'), value if is_valued else None
        if depth < 0:
            return
        entry = ""
