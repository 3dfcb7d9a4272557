"""Dialects in which a condition is written: `index` arithmetic, witnesses, StableHLO.

A term is a live SSA value, a number or a truth. All of them stand before one existing operation. `IndexTerms` checks by
an assertion, `WitnessTerms` by a witness, `StablehloTerms` on `tensor<i64>` as JAX's exporter does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import ClassVar, Literal

from shapesolve.int64 import MAX_SIZE, MIN_INDEX
from shapesolve.ir.bindings import Bindings, ir
from shapesolve.ir.program import SHAPE_TYPE, SHAPE_TYPES, SIZE_TYPE, WITNESS_TYPE, ScalarType, ShapedType, Type
from shapesolve.rewriting.rewriter import Rewriter

Relation = Literal["==", ">=", ">"]
"""Comparison of numbers as signed ones."""


class NotExpressibleError(Exception):
    """A condition cannot be written in these terms; the text is the reason, as a phrase."""


class Insertion(Rewriter):
    """A live module into which operations are inserted. Their numbers are negative."""

    def put(
        self,
        before: Bindings,
        name: str,
        operands: Sequence[Bindings],
        results: Sequence[Bindings] = (),
        attributes: Mapping[str, Bindings] | None = None,
        regions: int = 0,
    ) -> Bindings:
        """Insert a new operation before an existing one."""
        return self._make(before, name, list(operands), list(results), dict(attributes or {}), regions)

    def adopt(self, made: Bindings) -> None:
        """Give a number to an operation that was made otherwise."""
        self._enter(made)

    def roll_back(self, since: int) -> None:
        """Erase what was inserted after the first ``since`` operations, the latest first."""
        for number in sorted(each for each in self.live if each < -since):
            self._erase(self.live[number])

    @property
    def inserted(self) -> int:
        """Number of operations inserted so far; the number of the last one is that, negated."""
        return -self._made


class Terms(ABC):
    """Numbers and truths before one operation. Divisors are positive."""

    NAMES: ClassVar[Mapping[str, str]]
    """The operation for add, subtract, multiply, divide, remainder, least, greatest, choose, both, and either."""

    def __init__(self, insertion: Insertion, before: Bindings) -> None:
        self.insertion = insertion
        self.before = before
        self.constants: dict[int, Bindings] = {}

    @property
    def context(self) -> Bindings:
        return self.before.context

    def type(self, text: str) -> Bindings:
        """Return a type by its text."""
        return ir().Type.parse(text, self.context)

    @property
    @abstractmethod
    def numbers(self) -> Bindings:
        """The type of numbers."""

    @property
    @abstractmethod
    def truths(self) -> Bindings:
        """The type of truths."""

    def make(self, name: str, operands: Sequence[Bindings], type: Bindings, **attributes: Bindings) -> Bindings:
        """Insert an operation and return its only result."""
        return self.insertion.put(self.before, name, operands, [type], attributes).results[0]

    def compute_number(self, word: str, *operands: Bindings) -> Bindings:
        """Compute a number from others."""
        return self.make(self.NAMES[word], operands, self.numbers)

    def compute_truth(self, word: str, *operands: Bindings) -> Bindings:
        """Compute a truth from others."""
        return self.make(self.NAMES[word], operands, self.truths)

    def constant(self, value: int) -> Bindings:
        """Return a constant, the same value each time.

        Raises:
            NotExpressibleError: It does not fit in 64 bits.
        """
        if not MIN_INDEX <= value <= MAX_SIZE:
            raise NotExpressibleError(f"{value} has more than 64 bits")
        found = self.constants.get(value)
        if found is None:
            found = self.constants[value] = self.new_constant(value)
        return found

    @abstractmethod
    def new_constant(self, value: int) -> Bindings:
        """Write a constant of 64 bits."""

    @abstractmethod
    def extent(self, shaped: Bindings, type: ShapedType, position: int) -> Bindings:
        """Read an extent of a shaped value."""

    @abstractmethod
    def number(self, value: Bindings, type: Type) -> Bindings:
        """Convert an integer or a size to a number, by its signed value; an i1 to 0 or 1.

        Raises:
            NotExpressibleError: The type is no plain number.
        """

    @abstractmethod
    def element(self, shaped: Bindings, type: ShapedType, place: Sequence[int]) -> Bindings:
        """Read an element of a tensor of integers as a number.

        Raises:
            NotExpressibleError: The elements are no plain numbers.
        """

    @abstractmethod
    def compared(self, a: Bindings, relation: Relation, b: Bindings) -> Bindings:
        """Write the truth of a comparison."""

    @abstractmethod
    def opposite(self, truth: Bindings) -> Bindings:
        """Negate a truth."""

    @abstractmethod
    def floor(self, a: Bindings, b: Bindings) -> Bindings:
        """Write ``a / b`` rounded down, where ``a`` may be negative."""

    @abstractmethod
    def require(self, truth: Bindings, message: str) -> Bindings:
        """Write the operation that stops the program if a truth is false."""

    def _require_integers(self, type: ShapedType, are_readable: bool) -> None:
        """Require a tensor of elements that the dialect reads as numbers."""
        if type.container != "tensor" or not are_readable:
            raise NotExpressibleError(f"the elements of a {type} are no plain numbers")

    def _inexpressible(self, what: str) -> NotExpressibleError:
        """Return the error that the dialect has nothing for what was wanted: "no ranks"."""
        return NotExpressibleError(f"there are {what} in {self.NAMES['add'].split('.')[0]}")

    def widened(self, number: Bindings) -> Bindings:
        """Convert a number to one of twice the width."""
        raise self._inexpressible("no wider numbers")

    def add_wide(self, a: Bindings, b: Bindings) -> Bindings:
        """Add numbers of twice the width."""
        return self.make(self.NAMES["add"], [a, b], a.type)

    def multiply_wide(self, a: Bindings, b: Bindings) -> Bindings:
        """Multiply numbers of twice the width."""
        return self.make(self.NAMES["multiply"], [a, b], a.type)

    # Shapes of unknown rank ------------------------------------------------------------------------------------------

    def rank(self, shaped: Bindings) -> Bindings:
        """Read the rank of a shaped value."""
        raise self._inexpressible("no ranks")

    def extent_at(self, shaped: Bindings, position: Bindings) -> Bindings:
        """Read the extent at a position of a shaped value, or of a value that is a shape itself."""
        raise self._inexpressible("no ranks")

    def element_at(self, tensor: Bindings, type: ShapedType, place: Sequence[Bindings]) -> Bindings:
        """Read an element, at a place that is computed, of a tensor of integers as a number."""
        raise self._inexpressible("no places that are computed")

    def less(self, a: Bindings, b: Bindings) -> Bindings:
        """Write a difference."""
        raise self._inexpressible("no differences")

    def computed_if(self, truth: Bindings, compute: Callable[[], Bindings], otherwise: Bindings) -> Bindings:
        """Write a number that is computed only where a truth holds; elsewhere it is another one.

        Args:
            compute: Writes the operations. They write no constants, which stand before.
        """
        raise self._inexpressible("no branches")

    def element_count(self, shaped: Bindings) -> Bindings:
        """Read the number of elements of a shaped value."""
        raise self._inexpressible("no numbers of elements")

    def extent_of_shape(self, shape: Bindings, position: int) -> Bindings:
        """Read an extent of a value that is a shape itself."""
        raise self._inexpressible("no shapes as values")

    def shape_held(self, extents: Bindings) -> Bindings:
        """Convert an extent tensor to the shape that it holds."""
        raise self._inexpressible("no shapes as values")

    def shape_of_extents(self, extents: Sequence[Bindings]) -> Bindings:
        """Write the shape of these extents."""
        raise self._inexpressible("no shapes as values")

    def concatenation(self, shaped: Sequence[Bindings]) -> Bindings:
        """Write the shape that has the extents of several shaped values one after the other."""
        raise self._inexpressible("no shapes as values")

    def split_shape(self, shaped: Bindings, position: Bindings) -> tuple[Bindings, Bindings]:
        """Write the shapes of the extents of a shaped value before a position, or its end, and from there on."""
        raise self._inexpressible("no shapes as values")

    def compare_shapes(self, word: str, shaped: Sequence[Bindings]) -> Bindings:
        """Write that shaped values have the ``same`` shape, or broadcast ``together``."""
        raise self._inexpressible("no shapes of unknown rank")


def is_signless(type: Type) -> bool:
    """Return whether a type is one of signless integers of at most 64 bits."""
    if not isinstance(type, ScalarType) or type.kind not in ("index", "integer"):
        return False
    return type.width <= 64 and type.text in ("index", f"i{type.width}")


def _container(shaped: Bindings) -> str:
    """Return the dialect that asks for the rank and the extents of a tensor or a memref."""
    return "memref" if str(shaped.type).startswith("memref") else "tensor"


EXTENTS = "tensor<?xindex>"

_PREDICATES: Mapping[Relation, int] = {"==": 0, ">": 4, ">=": 5}
"""Predicates of arith.cmpi."""


class IndexTerms(Terms):
    """Arithmetic on `index`, and `cf.assert`."""

    NAMES: ClassVar = {
        "add": "arith.addi",
        "subtract": "arith.subi",
        "multiply": "arith.muli",
        "divide": "arith.divui",
        "remainder": "arith.remui",
        "least": "arith.minsi",
        "greatest": "arith.maxsi",
        "choose": "arith.select",
        "both": "arith.andi",
        "either": "arith.ori",
    }

    @property
    def numbers(self) -> Bindings:
        return ir().IndexType.get(self.context)

    @property
    def truths(self) -> Bindings:
        return ir().IntegerType.get_signless(1, self.context)

    def new_constant(self, value: int) -> Bindings:
        return self.make("arith.constant", [], self.numbers, value=ir().IntegerAttr.get(self.numbers, value))

    def extent(self, shaped: Bindings, type: ShapedType, position: int) -> Bindings:
        return self.make(f"{type.container}.dim", [shaped, self.constant(position)], self.numbers)

    def number(self, value: Bindings, type: Type) -> Bindings:
        if str(type) == SIZE_TYPE:
            return self.make("shape.size_to_index", [value], self.numbers)
        if not is_signless(type):
            reason = "nothing asks at run time whether a witness passes" if str(type) == WITNESS_TYPE else ""
            raise NotExpressibleError(reason or f"a value of type {type} is no plain number")
        assert isinstance(type, ScalarType)
        if type.kind == "index":
            return value
        return self.make("arith.index_castui" if type.width == 1 else "arith.index_cast", [value], self.numbers)

    def element(self, shaped: Bindings, type: ShapedType, place: Sequence[int]) -> Bindings:
        self._require_integers(type, is_signless(type.element))
        return self.element_at(shaped, type, [self.constant(each) for each in place])

    def compared(self, a: Bindings, relation: Relation, b: Bindings) -> Bindings:
        wide = ir().IntegerType.get_signless(64, self.context)
        kind = ir().IntegerAttr.get(wide, _PREDICATES[relation])
        return self.make("arith.cmpi", [a, b], self.truths, predicate=kind)

    def opposite(self, truth: Bindings) -> Bindings:
        one = self.make("arith.constant", [], self.truths, value=ir().IntegerAttr.get(self.truths, 1))
        return self.make("arith.xori", [truth, one], self.truths)

    def floor(self, a: Bindings, b: Bindings) -> Bindings:
        return self.make("arith.floordivsi", [a, b], self.numbers)

    def require(self, truth: Bindings, message: str) -> Bindings:
        attributes = {"msg": ir().StringAttr.get(message, self.context)}
        return self.insertion.put(self.before, "cf.assert", [truth], [], attributes)

    def widened(self, number: Bindings) -> Bindings:
        return self.make("arith.index_cast", [number], ir().IntegerType.get_signless(128, self.context))

    def rank(self, shaped: Bindings) -> Bindings:
        if str(shaped.type) not in SHAPE_TYPES:
            return self.make(f"{_container(shaped)}.rank", [shaped], self.numbers)
        rank = self.make("shape.rank", [self._shape(shaped)], self.type(SIZE_TYPE))
        return self.make("shape.size_to_index", [rank], self.numbers)

    def extent_at(self, shaped: Bindings, position: Bindings) -> Bindings:
        if str(shaped.type) not in SHAPE_TYPES:
            return self.make(f"{_container(shaped)}.dim", [shaped, position], self.numbers)
        place = self.make("shape.index_to_size", [position], self.type(SIZE_TYPE))
        extent = self.make("shape.get_extent", [self._shape(shaped), place], self.type(SIZE_TYPE))
        return self.make("shape.size_to_index", [extent], self.numbers)

    def element_at(self, tensor: Bindings, type: ShapedType, place: Sequence[Bindings]) -> Bindings:
        self._require_integers(type, is_signless(type.element))
        found = self.make("tensor.extract", [tensor, *place], self.type(str(type.element)))
        return self.number(found, type.element)

    def less(self, a: Bindings, b: Bindings) -> Bindings:
        return self.make("arith.subi", [a, b], self.numbers)

    def computed_if(self, truth: Bindings, compute: Callable[[], Bindings], otherwise: Bindings) -> Bindings:
        outside = self.before
        branch = self.insertion.put(outside, "scf.if", [truth], [self.numbers], regions=2)
        ends: list[Bindings] = []
        for region in branch.regions:
            with ir().InsertionPoint(region.blocks.append()), branch.location:
                ends.append(ir().Operation.create("scf.yield", operands=[otherwise]))
        self.before = ends[0]
        try:
            # A roll-back erases the latest operation first, so what uses the number is made after it.
            self.insertion.put(ends[0], "scf.yield", [compute()])
        finally:
            self.before = outside
        ends[0].erase()
        self.insertion.adopt(ends[1])
        return branch.results[0]

    def element_count(self, shaped: Bindings) -> Bindings:
        count = self.make("shape.num_elements", [self._shape_value(shaped)], self.type(SIZE_TYPE))
        return self.make("shape.size_to_index", [count], self.numbers)

    def extent_of_shape(self, shape: Bindings, position: int) -> Bindings:
        number = ir().IntegerAttr.get(self.numbers, position)
        place = self.make("shape.const_size", [], self.type(SIZE_TYPE), value=number)
        extent = self.make("shape.get_extent", [self._shape(shape), place], self.type(SIZE_TYPE))
        return self.make("shape.size_to_index", [extent], self.numbers)

    def shape_held(self, extents: Bindings) -> Bindings:
        return self.make("shape.from_extent_tensor", [extents], self.type(SHAPE_TYPE))

    def _shape(self, shaped: Bindings) -> Bindings:
        """Return the shape of a shaped value, or the shape that a value is."""
        if str(shaped.type) in SHAPE_TYPES:
            return self._shape_value(shaped)
        return self.make("shape.shape_of", [shaped], self.type(EXTENTS))

    def shape_of_extents(self, extents: Sequence[Bindings]) -> Bindings:
        return self.make("shape.from_extents", extents, self.type(SHAPE_TYPE))

    def concatenation(self, shaped: Sequence[Bindings]) -> Bindings:
        shapes = [self._shape_value(each) for each in shaped]
        return reduce(lambda a, b: self.make("shape.concat", [a, b], self.type(SHAPE_TYPE)), shapes)

    def split_shape(self, shaped: Bindings, position: Bindings) -> tuple[Bindings, Bindings]:
        least = self.compute_number("least", self.rank(shaped), position)
        place = self.make("shape.index_to_size", [least], self.type(SIZE_TYPE))
        both = [self.type(SHAPE_TYPE)] * 2
        head, tail = self.insertion.put(self.before, "shape.split_at", [self._shape_value(shaped), place], both).results
        return head, tail

    def _shape_value(self, shaped: Bindings) -> Bindings:
        """Return the shape of a shaped value as a value of the type of shapes."""
        if str(shaped.type) == SHAPE_TYPE:
            return shaped
        return self.make("shape.shape_of", [shaped], self.type(SHAPE_TYPE))

    def compare_shapes(self, word: str, shaped: Sequence[Bindings]) -> Bindings:
        shapes = [self._shape(each) for each in shaped]
        return self.make({"same": "shape.shape_eq", "together": "shape.is_broadcastable"}[word], shapes, self.truths)


class WitnessTerms(IndexTerms):
    """Arithmetic on `index`, and `shape.cstr_require`, whose witness shows that it passed."""

    def require(self, truth: Bindings, message: str) -> Bindings:
        attributes = {"msg": ir().StringAttr.get(message, self.context)}
        return self.insertion.put(self.before, "shape.cstr_require", [truth], [self.type(WITNESS_TYPE)], attributes)


_DIRECTIONS: Mapping[Relation, str] = {"==": "EQ", ">": "GT", ">=": "GE"}


class StablehloTerms(Terms):
    """Arithmetic on tensors of one i64, and a call of ``@shape_assertion``."""

    NAMES: ClassVar = {
        "add": "stablehlo.add",
        "subtract": "stablehlo.subtract",
        "multiply": "stablehlo.multiply",
        "divide": "stablehlo.divide",
        "remainder": "stablehlo.remainder",
        "least": "stablehlo.minimum",
        "greatest": "stablehlo.maximum",
        "choose": "stablehlo.select",
        "both": "stablehlo.and",
        "either": "stablehlo.or",
    }

    @property
    def numbers(self) -> Bindings:
        return self.type("tensor<i64>")

    @property
    def truths(self) -> Bindings:
        return self.type("tensor<i1>")

    def new_constant(self, value: int) -> Bindings:
        return self.make("stablehlo.constant", [], self.numbers, value=self._attribute(f"dense<{value}> : tensor<i64>"))

    def extent(self, shaped: Bindings, type: ShapedType, position: int) -> Bindings:
        if type.container != "tensor":
            raise NotExpressibleError(f"there is no {type.container} in stablehlo")
        size = self.make(
            "stablehlo.get_dimension_size",
            [shaped],
            self.type("tensor<i32>"),
            dimension=self._attribute(f"{position} : i64"),
        )
        return self._wide(size)

    def number(self, value: Bindings, type: Type) -> Bindings:
        raise NotExpressibleError(f"a value of type {type} is no tensor")

    def element(self, shaped: Bindings, type: ShapedType, place: Sequence[int]) -> Bindings:
        self._require_integers(type, is_signless(type.element) and str(type.element) != "index")
        if place:
            first = ", ".join(map(str, place))
            last = ", ".join(str(each + 1) for each in place)
            ones = ", ".join("1" for _ in place)
            whole = self.type(f"tensor<{'1x' * len(place)}{type.element}>")
            shaped = self.make(
                "stablehlo.slice",
                [shaped],
                whole,
                start_indices=self._attribute(f"array<i64: {first}>"),
                limit_indices=self._attribute(f"array<i64: {last}>"),
                strides=self._attribute(f"array<i64: {ones}>"),
            )
            shaped = self.make("stablehlo.reshape", [shaped], self.type(f"tensor<{type.element}>"))
        return self._wide(shaped)

    def compared(self, a: Bindings, relation: Relation, b: Bindings) -> Bindings:
        direction = self._attribute(f"#stablehlo<comparison_direction {_DIRECTIONS[relation]}>")
        signed = self._attribute("#stablehlo<comparison_type SIGNED>")
        return self.make("stablehlo.compare", [a, b], self.truths, comparison_direction=direction, compare_type=signed)

    def opposite(self, truth: Bindings) -> Bindings:
        return self.make("stablehlo.not", [truth], self.truths)

    def floor(self, a: Bindings, b: Bindings) -> Bindings:
        raise NotExpressibleError("divisions in stablehlo do not round down what is negative")

    def require(self, truth: Bindings, message: str) -> Bindings:
        attributes = {
            "call_target_name": ir().StringAttr.get("shape_assertion", self.context),
            "api_version": self._attribute("2 : i32"),
            "error_message": ir().StringAttr.get(message, self.context),
            "has_side_effect": ir().BoolAttr.get(True, self.context),
        }
        return self.insertion.put(self.before, "stablehlo.custom_call", [truth], [], attributes)

    def _wide(self, number: Bindings) -> Bindings:
        return self.make("stablehlo.convert", [number], self.numbers)

    def _attribute(self, text: str) -> Bindings:
        return ir().Attribute.parse(text, self.context)
