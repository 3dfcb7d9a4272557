"""Evaluation of rules at concrete sizes: the claims that a program violates, and its result shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from shapesolve.domain.fresh_variables import ELEMENT
from shapesolve.domain.values import Tensor
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir import bindings
from shapesolve.ir.reader import read_text
from shapesolve.semantics.registry import load_rules
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, evaluate_shape, holds
from shapesolve.trace.events import Enter, Leave, Obligation, Trace

FREE_VALUES = range(5)
"""Values of a variable that is no input: a claim holds if it holds for all of them."""


def trace_of(text: str) -> Trace:
    """The only function of a module, walked."""
    program = read_text(text)
    (function,) = program.functions.values()
    return interpret(program, make_inputs(function), load_rules())


def broken(trace: Trace, sizes: Mapping[str, int]) -> list[str]:
    """The claims outside of regions that are false at these sizes: ``tensor.concat C1``.

    What is demanded of an element that stands for all of a tensor is left out.
    """
    depth = 0
    found: list[str] = []
    for event in trace.events:
        depth += isinstance(event, Enter) - isinstance(event, Leave)
        if depth == 0 and isinstance(event, Obligation) and not _is_of_data(event) and not _holds(event, sizes):
            found.append(f"{event.op.name} {event.clause}")
    return found


def _is_of_data(obligation: Obligation) -> bool:
    return any(ELEMENT in variable.name for variable in obligation.claim.variables)


def is_modeled(trace: Trace) -> bool:
    """Return whether nothing was let go of but what a tensor holds."""
    return all(each.free and all(ELEMENT in variable.name for variable in each.free) for each in trace.approximations)


def _holds(obligation: Obligation, sizes: Mapping[str, int]) -> bool:
    variables = sorted(obligation.claim.variables, key=lambda variable: variable.text)
    free = [variable for variable in variables if variable.name not in sizes]
    known = {variable: sizes[variable.name] for variable in variables if variable.name in sizes}
    return all(
        holds(obligation.claim, {**known, **dict(zip(free, values, strict=True))})
        for values in product(FREE_VALUES, repeat=len(free))
    )


def result_shapes(trace: Trace, sizes: Mapping[str, int]) -> tuple[tuple[int, ...] | int | None, ...]:
    """Return the results at these sizes: extents of tensors, integers; None for anything else."""
    assert trace.results is not None
    values = {variable: sizes[variable.name] for variable in trace.input_variables if variable.name in sizes}
    found: list[tuple[int, ...] | int | None] = []
    for result in trace.results:
        if isinstance(result, Tensor):
            found.append(evaluate_shape(result.shape, values))
        else:
            found.append(evaluate(result, values) if isinstance(result, Dim) else None)
    return tuple(found)


def _swallow(_: bindings.Bindings) -> bool:
    return True


@cache
def shared_context() -> bindings.Bindings:
    """Return the context of all small requests to MLIR: creating one takes a hundred times as long as a request."""
    return bindings.new_context()


def verifier_accepts(text: str) -> bool:
    """Return whether MLIR itself takes the module."""
    context = shared_context()
    handler = context.attach_diagnostic_handler(_swallow)
    try:
        with context:
            bindings.ir().Module.parse(text)
    except bindings.ir().MLIRError:
        return False
    finally:
        handler.detach()
    return True


@dataclass(frozen=True)
class Sketch:
    """A function to be written with sizes as `?` and operands, or with numbers in their place.

    ``tensors`` gives the names of the extents of each tensor argument, ``indices`` the index arguments. In the body
    ``{a}`` is the type of tensor ``a``, ``{n}`` a size in a list (a number, or the operand ``%n``), and ``{:n,m}`` a
    tensor type of these sizes. ``returns`` are the sizes of ``%0`` where that is returned.
    """

    tensors: Mapping[str, Sequence[str]]
    body: str
    indices: Sequence[str] = ()
    returns: str = ""

    def dynamic(self) -> str:
        """Return the program with `?` for every size."""
        return self._text(None)

    def static(self, sizes: Mapping[str, int]) -> str:
        """Return the program with these sizes."""
        return self._text(sizes)

    def inputs(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """The input variables of the dynamic text at these sizes."""
        found = {
            f"{name}[{position}]": sizes[extent]
            for name, extents in self.tensors.items()
            for position, extent in enumerate(extents)
            if not extent.isdecimal()
        }
        return {**found, **{index: sizes[index] for index in self.indices}}

    def _text(self, sizes: Mapping[str, int] | None) -> str:
        types = {name: self._type(extents, sizes) for name, extents in self.tensors.items()}
        arguments = [f"%{name}: {type}" for name, type in types.items()] + [
            f"%{index}: index" for index in self.indices
        ]
        body = self.body
        for name, type in types.items():
            body = body.replace(f"{{{name}}}", type)
        for index in self.indices:
            body = body.replace(f"{{{index}}}", f"%{index}" if sizes is None else str(sizes[index]))
        while "{:" in body:
            start = body.index("{:")
            end = body.index("}", start)
            body = body[:start] + self._type(body[start + 2 : end].split(","), sizes) + body[end + 1 :]
        if not self.returns:
            return f"func.func @f({', '.join(arguments)}) {{\n{body}\n  return\n}}"
        result = self._type(self.returns, sizes)
        return f"func.func @f({', '.join(arguments)}) -> {result} {{\n{body}\n  return %0 : {result}\n}}"

    def _type(self, extents: Sequence[str], sizes: Mapping[str, int] | None) -> str:
        spelled = (
            extent if extent.isdecimal() else "?" if sizes is None else str(sizes[extent])
            for extent in extents
            if extent
        )
        return f"tensor<{''.join(f'{extent}x' for extent in spelled)}f32>"
