"""Programs of PyTorch that compute floats from sizes without tensors, and what Python computes."""

from __future__ import annotations

from math import ceil

from support.claims_at_sizes import trace_of

from shapesolve.domain.values import Abstract

Sizes = dict[str, int]
Number = tuple[str, int | float]
"""A number's text and its value in Python."""

OPERATORS = ("add", "sub", "mul", "div", "neg", "number", "ceil", "cut")
COMPARED = ("eq", "ne", "ge", "gt", "lt")
COMPUTED = (
    "Float.Scalar",
    "Int.float",
    "add.float",
    "add.float_int",
    "ceil.float",
    "div.float",
    "div.int",
    "eq.float",
    "ge.float",
    "ge.float_int",
    "gt.float",
    "gt.float_int",
    "lt.float",
    "lt.float_int",
    "mul.float",
    "mul.float_int",
    "mul.int_float",
    "ne.float_int",
    "neg.float",
    "sub.float",
)
"""Operators of PyTorch that these programs use."""

CODES = {"f32": 6, "f64": 7}


def is_float(number: Number) -> bool:
    return isinstance(number[1], float)


class ScalarProgram:
    """A function of two sizes that computes floats, and what Python computes."""

    def __init__(self, sizes: Sizes) -> None:
        self.lines = ["func.func @f(%n: !torch.int, %m: !torch.int) {"]
        self.numbers: list[Number] = [("%n", sizes["n"]), ("%m", sizes["m"])]
        self.compared: dict[str, bool] = {}

    def constant(self, value: float) -> Number:
        name = f"%c{len(self.lines)}"
        kind = "float" if isinstance(value, float) else "int"
        self.lines.append(f"  {name} = torch.constant.{kind} {value!r}")
        return name, value

    def made(self, overload: str, operands: list[Number], value: float) -> Number:
        assert overload in COMPUTED
        name = f"%v{len(self.lines)}"
        kinds = ", ".join(f"!torch.{'float' if is_float(each) else 'int'}" for each in operands)
        result = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"
        spelled = ", ".join(each[0] for each in operands)
        self.lines.append(f"  {name} = torch.aten.{overload} {spelled} : {kinds} -> !torch.{result}")
        return name, value

    def float(self, number: Number) -> Number:
        return number if is_float(number) else self.made("Float.Scalar", [number], float(number[1]))

    def step(self, operator: str, a: Number, b: Number) -> None:
        """Append an operation on two numbers, which are converted to floats unless PyTorch has it for their types."""
        if operator == "number":
            self.numbers.append(self.float(a))
        elif operator == "neg":
            (name, value) = self.float(a)
            self.numbers.append(self.made("neg.float", [(name, value)], -value))
        elif operator == "ceil":
            number = self.float(a)
            self.numbers.append(self.made("ceil.float", [number], ceil(number[1])))
        elif operator == "cut":
            number = self.float(a)
            self.numbers.append(self.made("Int.float", [number], int(number[1])))
        elif operator == "div" and not (is_float(a) or is_float(b)):
            self.numbers.append(self.made("div.int", [a, b], a[1] / b[1]) if b[1] else self.float(a))
        elif operator == "div":
            a, b = self.float(a), self.float(b)
            self.numbers.append(self.made("div.float", [a, b], a[1] / b[1]) if b[1] else a)
        elif operator == "mul" and not is_float(a) and is_float(b):
            self.numbers.append(self.made("mul.int_float", [a, b], a[1] * b[1]))
        else:
            a = self.float(a)
            mixed = operator != "sub" and not is_float(b)
            b = b if mixed else self.float(b)
            value = {"add": a[1] + b[1], "sub": a[1] - b[1], "mul": a[1] * b[1]}[operator]
            self.numbers.append(self.made(f"{operator}.{'float_int' if mixed else 'float'}", [a, b], value))

    def compare(self, operator: str, a: Number, b: Number) -> None:
        a = self.float(a)
        if operator == "ne" and is_float(b):
            b = self.constant(3)
        mixed = operator != "eq" and not is_float(b)
        b = b if mixed else self.float(b)
        x, y = a[1], b[1]
        value = {"eq": x == y, "ne": x != y, "ge": x >= y, "gt": x > y, "lt": x < y}[operator]
        name, _ = self.made(f"{operator}.{'float_int' if mixed else 'float'}", [a, b], value)
        self.compared[name] = value

    def scale(self, kind: str) -> None:
        """The numbers below n, each multiplied by the last float."""
        scale = self.float(self.numbers[-1])
        vector, integers = f"!torch.vtensor<[?],{kind}>", "!torch.vtensor<[?],si64>"
        none = "!torch.none, !torch.none, !torch.none, !torch.none"
        self.lines += [
            "  %none = torch.constant.none",
            f"  %kind = torch.constant.int {CODES[kind]}",
            f"  %i = torch.aten.arange %n, %none, %none, %none, %none : !torch.int, {none} -> {integers}",
            f"  %x = torch.prims.convert_element_type %i, %kind : {integers}, !torch.int -> {vector}",
            f"  %y = torch.aten.mul.Scalar %x, {scale[0]} : {vector}, !torch.float -> {vector}",
        ]
        self.numbers.append(scale)

    def values(self) -> dict[str, Abstract]:
        text = "\n".join([*self.lines, "  return", "}"])
        return {value.name: known for value, known in trace_of(text).values.items()}
