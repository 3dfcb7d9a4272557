"""Conditions in arithmetic on `index`, checked by an assertion or by a witness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from shapesolve.hardening.terms import Relation, Terms, Unwritable, is_signless
from shapesolve.reading.bindings import Bindings, ir
from shapesolve.reading.preconditions import SHAPE_TYPES, SIZE_TYPE
from shapesolve.reading.program import ScalarType, ShapedType, Type

EXTENTS = "tensor<?xindex>"

_PREDICATES: Mapping[Relation, int] = {"==": 0, ">": 4, ">=": 5}
"""Of arith.cmpi."""


class IndexTerms(Terms):
    """Arithmetic on `index`, and `cf.assert`."""

    NAMES: ClassVar = {
        "add": "arith.addi",
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
            raise Unwritable(f"a value of type {type} is no plain number")
        assert isinstance(type, ScalarType)
        if type.kind == "index":
            return value
        return self.make("arith.index_castui" if type.width == 1 else "arith.index_cast", [value], self.numbers)

    def element(self, shaped: Bindings, type: ShapedType, place: Sequence[int]) -> Bindings:
        if type.container != "tensor" or not is_signless(type.element):
            raise Unwritable(f"the elements of a {type} are no plain numbers")
        indices = [self.constant(each) for each in place]
        found = self.make("tensor.extract", [shaped, *indices], self.type(str(type.element)))
        return self.number(found, type.element)

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
        said = {"msg": ir().StringAttr.get(message, self.context)}
        return self.insertion.put(self.before, "cf.assert", [truth], [], said)

    def rank(self, shaped: Bindings) -> Bindings:
        if str(shaped.type) not in SHAPE_TYPES:
            return self.make("tensor.rank", [shaped], self.numbers)
        rank = self.make("shape.rank", [self._shape(shaped)], self.type(SIZE_TYPE))
        return self.make("shape.size_to_index", [rank], self.numbers)

    def extent_of_shape(self, shape: Bindings, position: int) -> Bindings:
        place = self.make(
            "shape.const_size", [], self.type(SIZE_TYPE), value=ir().IntegerAttr.get(self.numbers, position)
        )
        extent = self.make("shape.get_extent", [self._shape(shape), place], self.type(SIZE_TYPE))
        return self.make("shape.size_to_index", [extent], self.numbers)

    def shape_held(self, extents: Bindings) -> Bindings:
        return self.make("shape.from_extent_tensor", [extents], self.type("!shape.shape"))

    def _shape(self, shaped: Bindings) -> Bindings:
        """The shape of a shaped value, or the shape that a value is."""
        text = str(shaped.type)
        if text == "!shape.shape":
            return shaped
        return self.make("shape.shape_of", [shaped], self.type(EXTENTS if text not in SHAPE_TYPES else "!shape.shape"))

    def about_shapes(self, word: str, shaped: Sequence[Bindings]) -> Bindings:
        shapes = [self._shape(each) for each in shaped]
        return self.make({"same": "shape.shape_eq", "together": "shape.is_broadcastable"}[word], shapes, self.truths)


class WitnessTerms(IndexTerms):
    """Arithmetic on `index`, and `shape.cstr_require`, whose witness says that it passed."""

    def require(self, truth: Bindings, message: str) -> Bindings:
        said = {"msg": ir().StringAttr.get(message, self.context)}
        return self.insertion.put(self.before, "shape.cstr_require", [truth], [self.type("!shape.witness")], said)
