"""Conditions in arithmetic on `index`, checked by an assertion or by a witness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from shapesolve.hardening.terms import Relation, Terms, Unwritable, is_signless
from shapesolve.reading.bindings import Bindings, ir
from shapesolve.reading.program import ScalarType, ShapedType, Type

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
        return self.make("tensor.rank", [shaped], self.numbers)

    def about_shapes(self, word: str, shaped: Sequence[Bindings]) -> Bindings:
        extents = self.type("tensor<?xindex>")
        shapes = [self.make("shape.shape_of", [each], extents) for each in shaped]
        return self.make({"same": "shape.shape_eq", "together": "shape.is_broadcastable"}[word], shapes, self.truths)


class WitnessTerms(IndexTerms):
    """Arithmetic on `index`, and `shape.cstr_require`, whose witness says that it passed."""

    def require(self, truth: Bindings, message: str) -> Bindings:
        said = {"msg": ir().StringAttr.get(message, self.context)}
        return self.insertion.put(self.before, "shape.cstr_require", [truth], [self.type("!shape.witness")], said)
