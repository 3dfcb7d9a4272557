"""Functions in TOSA, as exporters write them: of any batch and length, element by element, with broadcasts between.

Upstream's lowering asks of every operand and every dimension whether it must be broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

X, ROW, COLUMN, ONE = "?x?x8", "1x1x8", "?x?x1", "1x1x1"
IMAGE, CHANNELS = "?x?x?x4", "1x1x1x4"


class Builder:
    """Writes one function."""

    def __init__(self, *arguments: str) -> None:
        self._lines: list[str] = []
        self._shapes = {f"%arg{number}": shape for number, shape in enumerate(arguments)}
        self._signature = ", ".join(f"{name}: {_tensor(shape)}" for name, shape in self._shapes.items())
        self._last = "%arg0"

    def __call__(self, name: str, *operands: str, shape: str = "", attributes: str = "") -> str:
        """An operation; its result has the longest shape of its operands unless another is given."""
        known = [self._shapes[each] for each in operands]
        given = shape or max(known, key=lambda each: (each.count("?"), len(each)))
        types = ", ".join(map(_tensor, known))
        extra = list(operands)
        if name == "mul":
            extra.append(self._constant("tensor<1xi8>", "0"))
            types += ", tensor<1xi8>"
        result = f"%v{len(self._lines)}"
        self._lines.append(f"  {result} = tosa.{name} {', '.join(extra)} {attributes}: ({types}) -> {_tensor(given)}")
        self._shapes[result] = given
        self._last = result
        return result

    def constant(self, shape: str) -> str:
        """A constant that is 0.5 everywhere."""
        name = self._constant(_tensor(shape), "5.000000e-01")
        self._shapes[name] = shape
        return name

    def _constant(self, type: str, value: str) -> str:
        name = f"%v{len(self._lines)}"
        self._lines.append(f'  {name} = "tosa.const"() <{{values = dense<{value}> : {type}}}> : () -> {type}')
        return name

    def text(self) -> str:
        """The function, which returns what was computed last."""
        type = _tensor(self._shapes[self._last])
        body = "\n".join(self._lines)
        return f"func.func @main({self._signature}) -> {type} {{\n{body}\n  return {self._last} : {type}\n}}\n"


def _tensor(shape: str) -> str:
    return f"tensor<{shape}xf32>"


def _softmax(tosa: Builder, x: str, column: str) -> str:
    most = tosa("reduce_max", x, shape=column, attributes="{axis = 2 : i32} ")
    powers = tosa("exp", tosa("sub", x, most))
    total = tosa("reduce_sum", powers, shape=column, attributes="{axis = 2 : i32} ")
    return tosa("mul", powers, tosa("reciprocal", total))


def _normalized(tosa: Builder, x: str) -> str:
    mean = tosa("mul", tosa("reduce_sum", x, shape=COLUMN, attributes="{axis = 2 : i32} "), tosa.constant(ONE))
    centred = tosa("sub", x, mean)
    squares = tosa("reduce_sum", tosa("mul", centred, centred), shape=COLUMN, attributes="{axis = 2 : i32} ")
    spread = tosa("rsqrt", tosa("add", tosa("mul", squares, tosa.constant(ONE)), tosa.constant(ONE)))
    scaled = tosa("mul", tosa("mul", centred, spread), tosa.constant(ROW))
    return tosa("add", scaled, tosa.constant(ROW))


def _gelu(tosa: Builder, x: str) -> str:
    cube = tosa("mul", tosa("mul", x, x), x)
    inner = tosa("tanh", tosa("add", x, tosa("mul", cube, tosa.constant(ONE))))
    return tosa("mul", tosa("mul", x, tosa.constant(ONE)), tosa("add", inner, tosa.constant(ONE)))


def _residual() -> Builder:
    tosa = Builder(X)
    x = "%arg0"
    for _ in range(4):
        x = tosa("add", x, tosa("tanh", x))
    return tosa


def _layer_norm() -> Builder:
    tosa = Builder(X)
    _normalized(tosa, "%arg0")
    return tosa


def _softmax_of_rows() -> Builder:
    tosa = Builder("?x?x?")
    _softmax(tosa, "%arg0", "?x?x1")
    return tosa


def _gelu_alone() -> Builder:
    tosa = Builder(X)
    _gelu(tosa, "%arg0")
    return tosa


def _swish() -> Builder:
    tosa = Builder(X)
    moved = tosa("add", "%arg0", tosa.constant(ROW))
    tosa("add", tosa("mul", moved, tosa("sigmoid", moved)), "%arg0")
    return tosa


def _scores() -> Builder:
    """Attention scores, masked."""
    tosa = Builder("?x?x?", "?x1x?")
    scaled = tosa("mul", "%arg0", tosa.constant(ONE))
    _softmax(tosa, tosa("add", scaled, "%arg1"), "?x?x1")
    return tosa


def _mixed() -> Builder:
    """Three tensors of which nobody says that they have one shape."""
    tosa = Builder(X, X, X)
    kept = tosa("mul", "%arg2", "%arg0")
    other = tosa("mul", tosa("sub", tosa.constant(ONE), "%arg2"), "%arg1")
    tosa("add", tosa("add", kept, other), tosa("mul", "%arg0", "%arg1"))
    return tosa


def _cell() -> Builder:
    """A step of a recurrent network: gates of one tensor, and a state."""
    tosa = Builder("?x8", "?x8")
    gate = tosa("sigmoid", "%arg0")
    kept = tosa("mul", gate, "%arg1")
    state = tosa("add", kept, tosa("mul", gate, tosa("tanh", "%arg0")))
    tosa("mul", gate, tosa("tanh", state))
    return tosa


def _distance() -> Builder:
    tosa = Builder(X, X)
    apart = tosa("sub", "%arg0", "%arg1")
    squares = tosa("mul", tosa("mul", apart, apart), tosa.constant(ONE))
    total = tosa("reduce_sum", tosa("add", squares, tosa("abs", apart)), shape=COLUMN, attributes="{axis = 2 : i32} ")
    tosa("mul", total, tosa.constant(ONE))
    return tosa


def _batch_norm() -> Builder:
    tosa = Builder(IMAGE)
    centred = tosa("sub", "%arg0", tosa.constant(CHANNELS))
    scaled = tosa("mul", tosa("mul", centred, tosa.constant(CHANNELS)), tosa.constant(CHANNELS))
    moved = tosa("add", scaled, tosa.constant(CHANNELS))
    tosa("add", tosa("maximum", moved, tosa.constant("1x1x1x1")), "%arg0")
    return tosa


def _rotated() -> Builder:
    """Positions by rotation, with tables that the caller gives."""
    tosa = Builder(X, "1x?x8", "1x?x8")
    turned = tosa("sub", tosa.constant(ONE), "%arg0")
    tosa("add", tosa("mul", "%arg0", "%arg1"), tosa("mul", turned, "%arg2"))
    return tosa


def _block() -> Builder:
    """A normalization, an activation and two residuals."""
    tosa = Builder(X)
    first = tosa("add", "%arg0", _gelu(tosa, _normalized(tosa, "%arg0")))
    tosa("add", first, _gelu(tosa, _normalized(tosa, first)))
    return tosa


MAKERS: dict[str, Callable[[], Builder]] = {
    "residuals": _residual,
    "layer norm": _layer_norm,
    "softmax": _softmax_of_rows,
    "gelu": _gelu_alone,
    "swish": _swish,
    "masked scores": _scores,
    "recurrent cell": _cell,
    "distance": _distance,
    "batch norm": _batch_norm,
    "rotation": _rotated,
    "mixture": _mixed,
    "block": _block,
}

STATED: dict[str, Sequence[str]] = {
    "masked scores": ("arg0=[B, S, T]", "arg1=[B, 1, T]"),
    "recurrent cell": ("arg0=[B, 8]", "arg1=[B, 8]"),
    "distance": ("arg0=[B, T, 8]", "arg1=[B, T, 8]"),
    "rotation": ("arg0=[B, T, 8]", "arg1=[1, T, 8]", "arg2=[1, T, 8]"),
    "mixture": ("arg0=[B, T, 8]", "arg1=[B, T, 8]", "arg2=[B, T, 8]"),
}
"""Facts of an exporter about the sizes of several arguments."""


def tosa_program(name: str) -> str:
    """Return a program in TOSA."""
    return MAKERS[name]().text()
