"""Sizes declared by a ``ShapesSpec`` of PyTorch, in the form that torch.export takes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from shapesolve.errors import InputError
from shapesolve.frontends.torch_names import named_size
from shapesolve.preconditions.python_guards import condition_text


def is_spec(shapes: Any) -> bool:
    """Return whether sizes are declared by a ``ShapesSpec`` or its parameters alone."""
    return type(shapes).__name__ in ("ShapesSpec", "ParamsSpec")


def shapes_of_spec(
    spec: Any, module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], where: str
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the sizes by argument, as torch.export takes them, and the assumptions over their names.

    Args:
        spec: The ``ShapesSpec``, or its parameters.
        module: The model.
        arguments: Its example inputs by position.
        keywords: Its example inputs by name.
        where: The place of errors.

    Raises:
        InputError: A size or an assumption is of a form that cannot be expressed.
    """
    parameters = getattr(spec, "_params", spec)
    reader = _Reader(where)
    given: dict[str, Any] = {} if parameters is None else dict(parameters._named_args)
    if parameters is not None:
        variadic: dict[str, Any] = {"VAR_POSITIONAL": parameters._varargs or (), "VAR_KEYWORD": parameters._varkw or {}}
        signature = inspect.signature(module.forward)
        given |= {
            each.name: variadic[each.kind.name] for each in signature.parameters.values() if each.kind.name in variadic
        }
    named = import_module("torch.export.dynamic_shapes")._combine_args(module, arguments, keywords)
    shapes = {name: reader.shapes(given.get(name)) for name in (*named, *filter(given.get, given))}
    return shapes, tuple(map(reader.condition, getattr(spec, "assumptions", ())))


class _Reader:
    """Translator of specifications that gives each of their variables a name of its own."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.sizes: dict[str, Any] = {}

    def shapes(self, spec: Any) -> Any:
        """Return what is declared of an argument: a size for each dimension, or parts with such sizes."""
        kind = type(spec).__name__
        if kind == "TensorSpec":
            sizes = enumerate(cast("Sequence[object]", spec))
            return {dimension: self.size(each) for dimension, each in sizes if each is not None}
        parts: Any = getattr(spec, "_entries", spec)
        if isinstance(parts, Mapping):
            return {key: self.shapes(each) for key, each in cast("Mapping[str, object]", parts).items()}
        if isinstance(parts, list | tuple):
            found = [self.shapes(each) for each in cast("Sequence[object]", parts)]
            return tuple(found) if isinstance(parts, tuple) else found
        if spec is None or isinstance(spec, int):
            return None
        if kind == "IntVar":
            return import_module("torch.export").Dim.DYNAMIC
        raise InputError(f"sizes that a {kind} declares are not supported", where=self.where)

    def size(self, declared: Any) -> Any:
        """Return a size as a ``Dim``: a variable, times a number and plus a number."""
        if isinstance(declared, int):
            return declared
        expression = declared.node.expr
        symbols: list[Any] = list(expression.free_symbols)
        symbol = symbols[0]
        factor = expression.coeff(symbol)
        offset = expression - factor * symbol
        if len(symbols) > 1 or not (factor.is_Integer and offset.is_Integer and factor > 0):
            message = f"ShapesSpec declares a size as {_shown(expression)}, which is none that torch.export can declare"
            raise InputError(f"{message}: a variable times a number, plus a number", where=self.where)
        size = self._variable(symbol, declared.node.shape_env)
        size = size if factor == 1 else int(factor) * size
        return size + int(offset) if offset else size

    def condition(self, assumption: Any) -> str:
        """Return an assumption as a text over the names of the sizes."""
        expression = assumption.node.expr
        text = condition_text(expression, {symbol: each.__name__ for symbol, each in self.sizes.items()})
        if text is None:
            message = f"ShapesSpec assumes {_shown(expression)}, which is supported for sizes of tensors alone"
            raise InputError(message, where=self.where)
        return text

    def _variable(self, symbol: Any, environment: Any) -> Any:
        if str(symbol) not in self.sizes:
            taken = {each.__name__ for each in self.sizes.values()}
            name = str(symbol).partition("#")[0]
            name = name if name.isidentifier() else "size"
            limits = environment.var_to_range[symbol]
            most = int(limits.upper) if getattr(limits.upper, "is_Integer", False) else None
            self.sizes[str(symbol)] = named_size(name, taken, min=max(int(limits.lower), 0), max=most)
        return self.sizes[str(symbol)]


def _shown(expression: Any) -> str:
    return re.sub(r"#\d+", "", str(expression))
