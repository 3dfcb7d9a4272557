"""Conditions in StableHLO on `tensor<i64>`, checked as JAX's exporter does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from shapesolve.hardening.terms import Relation, Terms, Unwritable, is_signless
from shapesolve.reading.bindings import Bindings, ir
from shapesolve.reading.program import ShapedType, Type

_DIRECTIONS: Mapping[Relation, str] = {"==": "EQ", ">": "GT", ">=": "GE"}


class StablehloTerms(Terms):
    """Arithmetic on tensors of one i64, and a call of ``@shape_assertion``."""

    NAMES: ClassVar = {
        "add": "stablehlo.add",
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
            raise Unwritable(f"there is no {type.container} in stablehlo")
        size = self.make(
            "stablehlo.get_dimension_size",
            [shaped],
            self.type("tensor<i32>"),
            dimension=self._attribute(f"{position} : i64"),
        )
        return self._wide(size)

    def number(self, value: Bindings, type: Type) -> Bindings:
        raise Unwritable(f"a value of type {type} is no tensor")

    def element(self, shaped: Bindings, type: ShapedType, place: Sequence[int]) -> Bindings:
        if type.container != "tensor" or not is_signless(type.element) or str(type.element) == "index":
            raise Unwritable(f"the elements of a {type} are no plain numbers")
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
        raise Unwritable("divisions in stablehlo do not round down what is negative")

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
