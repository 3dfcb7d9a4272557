"""Scalar functions: the operations that are applied to elements one by one, and the bodies of structured operations.

Functions are not interpreted. Operations of two dialects that compute the same have one name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shapesolve.elements.context import ElementContext, NotFollowedError, element_rule, element_type, is_shaped
from shapesolve.elements.terms import Access, Apply, Choice, Leaf, NotFollowed, Number, Term, Truth
from shapesolve.ir.attributes import is_whole
from shapesolve.ir.program import (
    Attribute,
    DenseFloats,
    DenseIntegers,
    NotANumber,
    OpaqueAttribute,
    Operation,
    Region,
    Value,
)
from shapesolve.symbolic.dims import Dim, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, equal, less_than, truth, unequal

COMMUTATIVE = {
    f"arith.{each}"
    for each in (
        [
            "addf",
            "mulf",
            "maximumf",
            "minimumf",
            "maxnumf",
            "minnumf",
            "addi",
            "muli",
            "andi",
            "ori",
            "xori",
            "maxsi",
            "maxui",
            "minsi",
            "minui",
        ]
    )
}
_ARITH = (
    "addf subf mulf divf remf negf maximumf minimumf maxnumf minnumf addi subi muli divsi divui remsi remui andi ori "
    "xori shli shrsi shrui ceildivsi ceildivui floordivsi maxsi maxui minsi minui extf truncf extsi extui trunci "
    "sitofp uitofp fptosi fptoui index_cast index_castui bitcast cmpf cmpi select"
)
_MATH = (
    "absf absi acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh ctlz ctpop cttz erf erfc exp exp2 "
    "expm1 floor fma fpowi ipowi log log10 log1p log2 powf round roundeven rsqrt sin sinh sqrt tan tanh trunc"
)
_STABLEHLO = (
    "abs add and atan2 cbrt ceil clamp compare convert cosine count_leading_zeros divide exponential "
    "exponential_minus_one floor is_finite log log_plus_one logistic maximum minimum multiply negate not or popcnt "
    "power remainder round_nearest_afz round_nearest_even rsqrt select shift_left shift_right_arithmetic "
    "shift_right_logical sign sine sqrt subtract tan tanh xor"
)
SCALAR_FUNCTIONS = frozenset(
    [
        *(f"arith.{each}" for each in _ARITH.split()),
        *(f"math.{each}" for each in _MATH.split()),
        *(f"stablehlo.{each}" for each in _STABLEHLO.split()),
    ]
)

_OF_FLOATS = {
    "stablehlo.abs": "math.absf",
    "stablehlo.add": "arith.addf",
    "stablehlo.atan2": "math.atan2",
    "stablehlo.cbrt": "math.cbrt",
    "stablehlo.ceil": "math.ceil",
    "stablehlo.cosine": "math.cos",
    "stablehlo.divide": "arith.divf",
    "stablehlo.exponential": "math.exp",
    "stablehlo.exponential_minus_one": "math.expm1",
    "stablehlo.floor": "math.floor",
    "stablehlo.log": "math.log",
    "stablehlo.log_plus_one": "math.log1p",
    "stablehlo.maximum": "arith.maximumf",
    "stablehlo.minimum": "arith.minimumf",
    "stablehlo.multiply": "arith.mulf",
    "stablehlo.negate": "arith.negf",
    "stablehlo.power": "math.powf",
    "stablehlo.remainder": "arith.remf",
    "stablehlo.round_nearest_afz": "math.round",
    "stablehlo.round_nearest_even": "math.roundeven",
    "stablehlo.rsqrt": "math.rsqrt",
    "stablehlo.sine": "math.sin",
    "stablehlo.sqrt": "math.sqrt",
    "stablehlo.subtract": "arith.subf",
    "stablehlo.tan": "math.tan",
    "stablehlo.tanh": "math.tanh",
}
_OF_INTEGERS = {"stablehlo.add": "arith.addi", "stablehlo.subtract": "arith.subi", "stablehlo.multiply": "arith.muli"}
FLOATS = {"f16", "bf16", "f32", "f64"}
_INTEGERS = {"i8", "i16", "i32", "i64"}
_NEUTRAL = {("fastmath", "#arith.fastmath<none>"), ("overflowFlags", "#arith.overflow<none>")}
_SPLAT = re.compile(r'dense<([^\[\]"<>]+)> : .*')


class FunctionKey(NamedTuple):
    """A scalar function.

    Attributes:
        name: The operation, or its equivalent in another dialect.
        attributes: The attributes, as text.
        operands, results: The types.
    """

    name: str
    attributes: tuple[tuple[str, str], ...]
    operands: tuple[str, ...]
    results: tuple[str, ...]


class ContractionKey(NamedTuple):
    """The sum of products that ``stablehlo.dot_general`` computes.

    Attributes:
        types: The types of the elements of the operands and the result.
        attributes: The other attributes, as text.
    """

    types: tuple[str, str, str]
    attributes: tuple[tuple[str, str], ...]


DOT_PRODUCT = "product of stablehlo.dot_general"


def function_key(op: Operation, operands: Sequence[Value]) -> tuple[FunctionKey, bool]:
    """Return the function that an operation applies to its elements, and whether it is commutative.

    Raises:
        NotFollowedError: The operation has attributes that are too long to compare.
    """
    types = [element_type(each) for each in operands]
    results = [element_type(each) for each in op.results]
    name = shared_name(op.name, types)
    attributes = [(key, each) for key, each in sorted(op.attributes.items()) if key != "operandSegmentSizes"]
    if not all(is_whole(each) for _, each in attributes):
        raise NotFollowedError("its attributes are too long")
    relevant = tuple((key, repr(each)) for key, each in attributes if (key, _text(each)) not in _NEUTRAL)
    return FunctionKey(name, relevant, tuple(types), tuple(results)), name in COMMUTATIVE and len(operands) == 2


def shared_name(operation: str, types: Sequence[str]) -> str:
    """Return the name of a function of these types that is the same in all dialects."""
    same = _OF_FLOATS if set(types) <= FLOATS else _OF_INTEGERS if set(types) <= _INTEGERS else {}
    return same.get(operation, operation)


_ALL_FLOATS = frozenset(["f32", "f64"])
_NARROW = frozenset(FLOATS) - _ALL_FLOATS
_OUTGROWING = frozenset(["arith.divf", "arith.mulf"])
"""Functions with which a few steps leave the integers that narrow floats hold."""
_EXACT_ARITH = "addf subf mulf divf negf maximumf minimumf cmpf select"
_EXACT_STABLEHLO = "abs add subtract multiply divide negate maximum minimum compare select"
_EXACT = frozenset(
    ["cmpf", "select", "compare", "maximum", "minimum", "maximumf", "minimumf", "negate", "negf", "abs", "absf"]
)
_DETERMINED = frozenset(
    [
        *(f"arith.{each}" for each in _EXACT_ARITH.split()),
        *(f"stablehlo.{each}" for each in _EXACT_STABLEHLO.split()),
        "math.absf",
    ]
)


def is_float_function(key: object) -> bool:
    """Return whether a function of floats is defined for all of them, and computed exactly on small integers.

    Flags for fast math make results poison, so functions with such flags are not.
    """
    if not isinstance(key, FunctionKey):
        return key == DOT_PRODUCT
    types = {*key.operands, *key.results}
    is_exact = types <= _ALL_FLOATS | {"i1"} or (types <= FLOATS | {"i1"} and key.name not in _OUTGROWING)
    flags = {attribute for attribute, _ in key.attributes}
    return key.name in _DETERMINED and is_exact and not flags & {"fastmath", "overflowFlags"}


def is_narrow(key: object) -> bool:
    """Return whether a function has to do with floats that hold small integers only."""
    types = key.types if isinstance(key, ContractionKey) else ()
    if isinstance(key, FunctionKey):
        types = (*key.operands, *key.results)
    return not _NARROW.isdisjoint(types)


def is_exact_function(key: object) -> bool:
    """Return whether a function of floats only compares and moves them, or changes their signs."""
    is_exact = isinstance(key, FunctionKey) and key.name.rpartition(".")[2] in _EXACT
    return is_exact and is_float_function(key)


_ROUNDING = frozenset(f"math.{each}" for each in ["absf", "ceil", "floor", "round", "roundeven", "trunc"])
_CLAMP = "tosa.clamp"
_APPROXIMATED_MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 log log10 log1p log2 powf rsqrt sin "
    "sinh sqrt tan tanh"
)
_APPROXIMATED = frozenset(f"math.{each}" for each in _APPROXIMATED_MATH.split())
_EXACTLY_LOWERED = frozenset(
    ["affine", "arith", "bufferization", "func", "linalg", "math", "memref", "scf", "shape", "tensor", "vector"]
)
"""Dialects whose lowering leaves functions of floats to IEEE 754, or to the library of the machine."""
_TOSA = "abs add ceil clamp const cos erf exp floor identity log maximum minimum mul negate pow rsqrt sin sub tanh"
_STABLEHLO_OF_IEEE = "abs add constant divide maximum minimum multiply negate subtract"
_EXACTLY_LOWERED_OPERATIONS = frozenset(
    [*(f"tosa.{each}" for each in _TOSA.split()), *(f"stablehlo.{each}" for each in _STABLEHLO_OF_IEEE.split())]
)
"""Operations whose lowering does so too: TOSA requires infinities, NaN and signed zeros, StableHLO IEEE 754."""


def is_ieee_function(key: object) -> bool:
    """Return whether a function is determined by IEEE 754 for all floats, up to the bits of a NaN."""
    if not isinstance(key, FunctionKey):
        return False
    if key.name in _ROUNDING or key.name == _CLAMP:
        return _is_plain_on_floats(key)
    return key.name.startswith("arith.") and is_float_function(key) and not is_narrow(key)


def is_approximated_function(key: object) -> bool:
    """Return whether a function of floats is known up to its accuracy: where it is NaN, infinite, or far away."""
    return isinstance(key, FunctionKey) and key.name in _APPROXIMATED and _is_plain_on_floats(key)


def keeps_special_values(op: Operation) -> bool:
    """Return whether the lowering of an operation treats NaN, infinities and negative zero as the operation does."""
    return op.name.partition(".")[0] in _EXACTLY_LOWERED or op.name in _EXACTLY_LOWERED_OPERATIONS


def _is_plain_on_floats(key: FunctionKey) -> bool:
    types = {*key.operands, *key.results}
    return types <= _ALL_FLOATS and "fastmath" not in dict(key.attributes)


def _text(attribute: Attribute) -> str:
    return attribute.text if isinstance(attribute, OpaqueAttribute) else str(attribute)


def applied(op: Operation, operands: Sequence[Term]) -> Term:
    """Return a scalar function of elements.

    Raises:
        NotFollowedError: The function is not known.
    """
    if op.name not in SCALAR_FUNCTIONS or op.regions or len(op.results) != 1:
        raise NotFollowedError("")
    if op.name == "arith.select" and isinstance(operands[0], Truth):
        return Choice(operands[0].holds, operands[1], operands[2])
    if op.name == "arith.cmpi" and len(operands) == 2:
        first, second = operands
        if isinstance(first, Number) and isinstance(second, Number):
            compared = signed_comparison(op.attributes.get("predicate"), first.value, second.value)
            if compared is not None:
                return Truth(compared)
    key, is_commutative = function_key(op, op.operands)
    return Apply(key, tuple(operands), is_commutative)


def choice(condition: Value, branches: Sequence[Term], type: str, ctx: ElementContext) -> Term:
    """Return one of two elements of a type, by a boolean of the program.

    Raises:
        NotFollowedError: The boolean is one of several.
    """
    if is_shaped(condition):
        raise NotFollowedError("a condition is not known")
    (then, otherwise), asked = branches, ctx.scalar(condition)
    return Choice(asked.holds, then, otherwise) if isinstance(asked, Truth) else selected(asked, then, otherwise, type)


def selected(asked: Term, then: Term, otherwise: Term, type: str) -> Apply:
    """Return one of two elements of a type, by a boolean that is an element too."""
    return Apply(FunctionKey("arith.select", (), ("i1", type, type), (type,)), (asked, then, otherwise))


def signed_comparison(predicate: object, a: Dim, b: Dim) -> Formula | None:
    """Return a comparison of signed integers by the number of the predicate of ``arith.cmpi``."""
    match predicate:
        case 0:
            return equal(a, b)
        case 1:
            return unequal(a, b)
        case 2:
            return less_than(a, b)
        case 3:
            return at_least(b, a)
        case 4:
            return less_than(b, a)
        case 5:
            return at_least(a, b)
        case _:  # unsigned comparisons of negative numbers are others
            return None


@element_rule(*SCALAR_FUNCTIONS)
def elementwise(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """Element-wise operations on tensors, or scalars."""
    operands: list[Term] = []
    for each in op.operands:
        if not is_shaped(each):
            operands.append(ctx.scalar(each))
        else:
            is_scalar = not ctx.extents(each)
            operands.append(Access(each, () if is_scalar else indices))
    return applied(op, operands)


@element_rule("arith.constant", "stablehlo.constant", "tosa.const")
def constant(op: Operation, number: int, indices: tuple[Dim, ...], ctx: ElementContext) -> Term:
    """Constants: a scalar, the same element everywhere, or a table."""
    return constant_term(op, indices)


def constant_term(op: Operation, indices: tuple[Dim, ...]) -> Term:
    """Return an element of a constant.

    Raises:
        NotFollowedError: The constant is too large.
    """
    value, type = op.attributes.get("value", op.attributes.get("values")), element_type(op.results[0])
    if isinstance(value, bool | int | float):
        return Leaf(("constant", type, exact_float(value)))
    if isinstance(value, DenseIntegers):
        if value.splat is not None:
            return Leaf(("constant", type, value.splat))
        if value.values is not None:
            return _table(value.values, type, indices, op)
    if isinstance(value, DenseFloats) and value.values is not None and not any(map(math.isnan, value.values)):
        return _table(tuple(map(exact_float, value.values)), type, indices, op)
    if isinstance(value, OpaqueAttribute) and is_whole(value):
        splat = _SPLAT.fullmatch(value.text)
        if splat is not None:
            return Leaf(("constant", type, _parsed(splat.group(1))))
        return Leaf(("constant", type, value.text), indices)
    raise NotFollowedError("the constant is too large")


def _table(values: tuple[object, ...], type: str, indices: tuple[Dim, ...], op: Operation) -> Term:
    if len(set(values)) == 1:
        return Leaf(("constant", type, values[0]))
    return Leaf(("constant", str(op.results[0].type), values), indices)


def exact_float(value: float) -> object:
    """Return a number that tells 0.0 from -0.0, and one NaN from another."""
    if isinstance(value, NotANumber):
        return value.spelling
    return (value, math.copysign(1.0, value)) if isinstance(value, float) else int(value)


def _parsed(text: str) -> object:
    try:
        return exact_float(float(text)) if not text.startswith("0x") else text
    except ValueError:
        return text


class Body:
    """The region of a structured operation, applied to elements.

    Args:
        arguments: The element that each block argument is.
        positions: The indices of the iteration, for ``linalg.index``.
    """

    def __init__(
        self, region: Region, arguments: Mapping[Value, Term], ctx: ElementContext, positions: Sequence[Dim] = ()
    ) -> None:
        if len(region.blocks) != 1:
            raise NotFollowedError("its region has several blocks")
        self._block = region.blocks[0]
        self._terms = dict(arguments)
        self._context = ctx
        self._positions = positions
        self._inside = {result: op for op in self._block.operations for result in op.results}

    @property
    def yielded(self) -> tuple[Value, ...]:
        """The values that the region yields."""
        return self._block.operations[-1].operands

    def definition(self, value: Value) -> Operation | None:
        """Return the operation of the region that computes a value."""
        return self._inside.get(value)

    def unwrapped(self, value: Value) -> list[Value]:
        """Return a value and what it is read from: tensors without dimensions, and scalars that these are made of."""
        found = [value]
        while (op := self._inside.get(found[-1])) is not None and op.name == "tensor.extract" and len(op.operands) == 1:
            made = self._inside.get(op.operands[0])
            if made is None or made.name != "tensor.from_elements" or len(made.operands) != 1:
                break
            found += (op.operands[0], made.operands[0])
        return found

    def term(self, value: Value) -> Term:
        """Return a value of the region.

        Raises:
            NotFollowedError: It is not followed.
        """
        found = self._terms.get(value)
        if found is None:
            op, read = self._inside.get(value), self.unwrapped(value)[-1]
            if read is not value:
                found = self.term(read)
            else:
                found = self._context.scalar(value) if op is None else self._computed(op)
            self._terms[value] = found
        return found

    def _computed(self, op: Operation) -> Term:
        if op.name == "linalg.index":
            number = op.attributes.get("dim")
            if isinstance(number, int) and number < len(self._positions):
                return Number(self._positions[number])
        if op.name == "arith.constant":
            value = op.attributes.get("value")
            if element_type(op.results[0]) == "index" and isinstance(value, int):
                return Number(dim(int(value)))
            return Truth(truth(value)) if isinstance(value, bool) else constant_term(op, ())
        if op.name in ("tensor.extract", "memref.load", "tensor.dim") and op.operands[0] not in self._inside:
            indices = [self.term(each) for each in op.operands[1:]]
            numbers = tuple(each.value for each in indices if isinstance(each, Number))
            if len(numbers) == len(indices) and op.name != "tensor.dim":
                return self._context.element(op.operands[0], numbers, op)
            extents = self._context.extents(op.operands[0]) if op.name == "tensor.dim" else ()
            if numbers and numbers[0].is_constant and 0 <= numbers[0].constant < len(extents):
                return Number(extents[numbers[0].constant])
        if op.name == "scf.if" and len(op.results) == 1 and all(len(each.blocks) == 1 for each in op.regions):
            return self._branched(op)
        if op.name not in SCALAR_FUNCTIONS:
            return NotFollowed(op)
        operands = [self.term(each) for each in op.operands]
        return _index(op, operands) or applied(op, operands)

    def _branched(self, op: Operation) -> Term:
        """Return the element that the branch yields that an iteration takes."""
        asked, sides = self.term(op.operands[0]), list[Term]()
        for region in op.regions:
            side = Body(region, self._terms, self._context, self._positions)
            side._inside = {**self._inside, **side._inside}
            sides.append(side.term(*side.yielded))
        then, otherwise = sides
        if isinstance(asked, Truth):
            return Choice(asked.holds, then, otherwise)
        return selected(asked, then, otherwise, element_type(op.results[0]))


_UNSIGNED = {6: 2, 7: 3, 8: 4, 9: 5}
"""The signed predicate of ``arith.cmpi`` by the unsigned one, which says the same of numbers from 0."""


def _index(op: Operation, operands: Sequence[Term]) -> Term | None:
    """Return a function of indices as a number, or a comparison of them; None of anything else.

    Indices are taken not to wrap, which the interpreter of the program notes.
    """
    numbers = [each.value for each in operands if isinstance(each, Number)]
    if len(numbers) != 2 or len(operands) != 2 or element_type(op.operands[0]) != "index":
        return None
    a, b = numbers
    least = [each.bounds()[0] for each in numbers]
    are_natural = all(each is not None and each >= 0 for each in least)
    predicate = op.attributes.get("predicate")
    match op.name:
        case "arith.addi":
            return Number(a + b)
        case "arith.subi":
            return Number(a - b)
        case "arith.muli":
            return Number(a * b)
        case "arith.divui" if are_natural:
            return Number(floordiv(a, b))
        case "arith.remui" if are_natural:
            return Number(remainder(a, b))
        case "arith.cmpi" if are_natural and isinstance(predicate, int) and predicate in _UNSIGNED:
            compared = signed_comparison(_UNSIGNED[predicate], a, b)
            return None if compared is None else Truth(compared)
        case _:
            return None
