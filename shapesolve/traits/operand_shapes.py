"""Shapes of operands at run time, in terms of the arguments of their function, and the facts about these."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.interpreter.inputs import make_inputs, shape_names
from shapesolve.ir.program import Function, Operation, Program, Value
from shapesolve.options import Options
from shapesolve.records import value_record
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import broadcast
from shapesolve.traits.inference_tables import TypeShape
from shapesolve.traits.runtime_behavior import runtime_shape


@value_record
class RuntimeShape:
    """The shape of a value.

    Attributes:
        facts: Formulas that hold wherever the value exists.
        inputs: The names and shapes of the values whose sizes it is made of.
    """

    shape: Shape
    facts: tuple[Formula, ...] = ()
    inputs: tuple[tuple[str, Shape], ...] = ()


class OperandShapes:
    """The shapes of values of one program, as far as arguments and operations that carry the trait determine them."""

    def __init__(self, program: Program, options: Options) -> None:
        self._known: dict[Value, RuntimeShape] = {}
        self._facts: dict[Operation, tuple[Formula, ...]] = {}
        for function in program.functions.values():
            if function.body is not None:
                self._enter(function, program, options)

    def _enter(self, function: Function, program: Program, options: Options) -> None:
        inputs = make_inputs(
            function,
            assumptions=options.assumptions,
            names=shape_names(function, options.shapes),
            min_size=options.min_size,
            max_size=options.max_size,
            distrust=options.distrust,
            asserted=program.asserted.get(function),
        )
        facts = tuple(fact.formula for fact in inputs.facts)
        if any(fact is not TRUE for fact in facts):
            for op in function.operation.walk():
                self._facts[op] = facts
        for argument, value in zip(function.arguments, inputs.values, strict=True):
            if isinstance(value, Tensor):
                name = argument.name.removeprefix("%")
                self._known[argument] = RuntimeShape(value.shape, inputs=((name, value.shape),))

    def of(self, value: Value, type: TypeShape) -> RuntimeShape:
        """Return the shape of an operand; one that nothing is known of gets sizes named after it: ``%0[0]``."""
        if value not in self._known:
            shape = runtime_shape(value.name, type)
            self._known[value] = RuntimeShape(shape, inputs=((value.name, shape),))
        return self._known[value]

    def facts_of(self, operation: Operation) -> tuple[Formula, ...]:
        """Return what is assumed of the arguments of the function around an operation."""
        return self._facts.get(operation, ())

    def define(self, result: Value, type: TypeShape, operands: Sequence[RuntimeShape], defined: Formula | None) -> None:
        """Record the result of an operation that carries the trait and is defined under a condition.

        None: under no condition, so that nothing is recorded.
        """
        if defined is None:
            return
        try:
            shape = broadcast(*(operand.shape for operand in operands))
        except TooLarge:
            return
        facts = dict.fromkeys(fact for operand in operands for fact in operand.facts)
        if isinstance(shape, RankedShape):
            if type is not None and len(type) != len(shape.dims):
                return
            extents = type or (None,) * len(shape.dims)
            shape = RankedShape.of(
                dim if extent is None or extent.dynamic is TRUE else extent.size
                for dim, extent in zip(shape.dims, extents, strict=True)
            )
        elif type is not None:
            return
        inputs = dict.fromkeys(each for operand in operands for each in operand.inputs)
        self._known[result] = RuntimeShape(shape, (*facts, defined), tuple(inputs))
