"""A contract for PyTorch: ``Dim``s for ``torch.export``, and ``torch._check`` for conditions that these cannot express.

Claims on sizes are translated to Python that PyTorch evaluates on symbolic sizes, such as ``x.shape[0] % 4 == 0``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from itertools import pairwise
from keyword import iskeyword

from shapesolve.diagnosis.frameworks import TorchContract
from shapesolve.domain.values import Tensor
from shapesolve.errors import InputError
from shapesolve.ir.program import Function
from shapesolve.preconditions.functions import argument_name, positional
from shapesolve.reports.contract import headline
from shapesolve.reports.page import Page
from shapesolve.simplification.affine import Affine, Root
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.grammar import Form, Tree, tree
from shapesolve.symbolic.shape_kinds import RankedShape

_AUTO = "Dim.AUTO"


@stage("report")
def print_for_torch(contracts: Iterable[TorchContract], page: Page) -> None:
    """Print a Python file that defines ``f_dynamic_shapes`` and ``f_checks`` for every function ``f``."""
    page.verbatim(
        "# Contracts for torch.export.export(model, args, dynamic_shapes=...); the checks: at the top of forward."
    )
    page.verbatim("import torch")
    page.verbatim("from torch.export import Dim")
    for contract in contracts:
        page.verbatim()
        page.verbatim()
        for line in torch_lines(contract):
            page.verbatim(line)


def torch_lines(contract: TorchContract) -> list[str]:
    """Return the Python of one function's contract."""
    function = contract.contract
    lines = [f"# @{function.name}: {headline(function)}", *(f"#   {each}" for each in function.complete)]
    if function.hopeless or function.report.contradiction:
        return lines
    writer = _Writer(contract)
    return [*lines, *writer.dims(), *writer.checks()]


class _Writer:
    def __init__(self, contract: TorchContract) -> None:
        self.contract = contract
        self.function = contract.contract
        self.trace = self.function.report.trace
        self.arguments = argument_names(self.trace.function)
        self.shapes = [value.shape if isinstance(value, Tensor) else None for value in self.trace.inputs]
        self.names: dict[Root, str] = {}
        self.used: dict[Root, None] = {}

    # Dims --------------------------------------------------------------------------------------------------------

    def dims(self) -> list[str]:
        shapes = [self._shape(name, shape) for name, shape in zip(self.arguments, self.shapes, strict=True)]
        roots = [f"{self.names[root]} = {_dim_text(root, self.names[root])}" for root in self.used]
        name = python_name(f"{self.function.name}_dynamic_shapes")
        return [*roots, f"{name} = {{", *(f"    {each}," for each in shapes), "}"]

    def _shape(self, name: str, shape: object) -> str:
        if not isinstance(shape, RankedShape):
            return f'"{name}": None'
        extents = {number: self._extent(extent) for number, extent in enumerate(shape.dims) if not extent.is_constant}
        return f'"{name}": {{{", ".join(f"{number}: {text}" for number, text in extents.items())}}}'

    def _extent(self, extent: Dim) -> str:
        found = self.contract.sizes.expression(extent)
        if found is None:
            return _AUTO
        return str(found.offset) if found.root is None else self._affine(found, found.root)

    def _affine(self, found: Affine, root: Root) -> str:
        self.used[root] = None
        taken = (*self.names.values(), *self.arguments, "torch", "Dim")
        name = self.names.setdefault(root, python_name(root.name, taken))
        times = name if found.factor == 1 else f"{found.factor}*{name}"
        return times if not found.offset else f"{times} {'+' if found.offset > 0 else '-'} {abs(found.offset)}"

    # Checks ------------------------------------------------------------------------------------------------------

    def checks(self) -> list[str]:
        name = python_name(f"{self.function.name}_checks")
        lines = [f"def {name}({', '.join(self.arguments)}):", '    """What the Dims do not say."""']
        for check in self.contract.checks:
            claim = python_claim(check.text, self._leaf, defined=check.is_defined)
            lines.append(f"    # not said: {check.text}" if claim is None else f"    torch._check({claim})")
        if len(lines) > 2:
            return ["", "", *lines]
        return [] if self.function.open and not self.function.conditions else ["# The Dims say all of it."]

    def _leaf(self, part: Tree) -> str | None:
        if part.form is Form.NAME:
            return self._named(part.word)
        whole, position = part.parts
        if whole.form is not Form.NAME or position.form is not Form.NUMBER:
            return None
        owner, is_contents = whole.word.removesuffix(".values"), whole.word.endswith(".values")
        index = self._argument(owner)
        if index is None:
            return None
        if is_contents:
            return f"{self.arguments[index]}.flatten()[{position.word}].item()"
        return f"{self.arguments[index]}.shape[{position.word}]"

    def _argument(self, name: str) -> int | None:
        own = [argument_name(self.trace.function, index) for index, _ in enumerate(self.arguments)]
        called = [*own, *positional(self.trace.function)]
        bare = name.removeprefix("%")
        return called.index(bare) % len(own) if bare in called else None

    def _named(self, name: str) -> str | None:
        """Return the Python expression of a size: an extent of an argument, or an integer argument."""
        for argument, shape in zip(self.arguments, self.shapes, strict=True):
            for number, extent in enumerate(shape.dims if isinstance(shape, RankedShape) else ()):
                atom = extent.atom
                if isinstance(atom, Variable) and atom.name == name:
                    return f"{argument}.shape[{number}]"
        index = self._argument(name)
        return self.arguments[index] if index is not None and self.shapes[index] is None else None


def _dim_text(root: Root, name: str) -> str:
    low = f", min={root.lower}" if root.lower else ""
    high = "" if root.upper is None else f", max={root.upper}"
    return f'Dim("{name}"{low}{high})'


Leaf = Callable[[Tree], str | None]
"""Callback that prints a name or an indexed name in Python; None if Python has no expression for it."""

_NAMED = {"min": "torch.sym_min", "max": "torch.sym_max"}
_SIGNS = {"//", "%"}


class _NotExpressible(Exception):
    """A part of a claim that Python cannot express."""


def python_claim(text: str, leaf: Leaf, *, defined: bool = False) -> str | None:
    """Return a claim of the size language as Python over possibly symbolic values, or None.

    Args:
        text: The claim.
        leaf: Translates names and extents.
        defined: Whether no divisor in the claim is 0 when it is evaluated.
    """
    try:
        whole = tree(text)
        return _claim(whole, leaf) if defined or not _divides_by_sizes(whole) else None
    except (_NotExpressible, InputError):
        return None


def _divides_by_sizes(part: Tree) -> bool:
    """Return whether a part divides by a size that may be 0.

    The size language defines that quotient, Python does not.
    """
    if part.form is Form.PRODUCT:
        divisors = [each for sign, each in zip(part.words, part.parts[1:], strict=True) if sign in _SIGNS]
    else:
        divisors = part.parts[1:] if part.form is Form.CALL and part.word == "ceildiv" else ()
    return any(each.form is not Form.NUMBER for each in divisors) or any(map(_divides_by_sizes, part.parts))


def _claim(part: Tree, leaf: Leaf) -> str:
    match part.form:
        case Form.COMPARISON:
            sides = [_size(each, leaf) for each in part.parts]
            pairs = zip(pairwise(sides), part.words, strict=True)
            return _joined("&", [f"{a} {sign} {b}" for (a, b), sign in pairs])
        case Form.AND | Form.OR:
            return _joined("&" if part.form is Form.AND else "|", [_claim(each, leaf) for each in part.parts])
        case Form.NOT:
            return f"torch.sym_not({_claim(part.parts[0], leaf)})"
        case Form.IMPLICATION:
            *premises, conclusion = [_claim(each, leaf) for each in part.parts]
            return _joined("|", [*(f"torch.sym_not({each})" for each in premises), conclusion])
        case Form.CALL if part.word == "compatible":
            sizes = [_size(each, leaf) for each in part.parts]
            pairs = [(a, b) for number, a in enumerate(sizes) for b in sizes[number + 1 :]]
            return _joined("&", [_joined("|", [f"{a} == {b}", f"{a} == 1", f"{b} == 1"]) for a, b in pairs])
        case _:
            raise _NotExpressible


def _joined(sign: str, parts: list[str]) -> str:
    """Return ``(a) & (b)``: Python's ``and`` would decide symbolic values."""
    return parts[0] if len(parts) == 1 else f" {sign} ".join(f"({each})" for each in parts)


def _size(part: Tree, leaf: Leaf) -> str:
    match part.form:
        case Form.NUMBER:
            return part.word
        case Form.NAME | Form.INDEX:
            found = leaf(part)
            if found is None:
                raise _NotExpressible
            return found
        case Form.NEGATIVE:
            return f"-{_factor(part.parts[0], leaf)}"
        case Form.SUM:
            first, *rest = [_size(part.parts[0], leaf), *(_factor(each, leaf) for each in part.parts[1:])]
            return first + "".join(f" {sign} {each}" for sign, each in zip(part.words, rest, strict=True))
        case Form.PRODUCT:
            first, *rest = [_factor(each, leaf) for each in part.parts]
            return first + "".join(f" {sign} {each}" for sign, each in zip(part.words, rest, strict=True))
        case Form.POWER if all(each.form is Form.NUMBER for each in part.parts[1:]) and len(part.parts) == 2:
            return f"{_factor(part.parts[0], leaf)}**{part.parts[1].word}"
        case Form.CALL:
            return _called(part, leaf)
        case _:
            raise _NotExpressible


def _called(part: Tree, leaf: Leaf) -> str:
    if part.word in _NAMED and part.parts:
        *before, last = [_size(each, leaf) for each in part.parts]
        for each in reversed(before):
            last = f"{_NAMED[part.word]}({each}, {last})"
        return last
    if part.word == "ceildiv":
        return f"(-(-{_factor(part.parts[0], leaf)} // {_factor(part.parts[1], leaf)}))"
    raise _NotExpressible


def _factor(part: Tree, leaf: Leaf) -> str:
    text = _size(part, leaf)
    return text if part.form in (Form.NUMBER, Form.NAME, Form.INDEX, Form.CALL) else f"({text})"


def python_name(text: str, taken: Container[str] = ()) -> str:
    """Return the text as an identifier that is not ``taken``: ``arg0_2`` for ``arg0[2]``."""
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).rstrip("_") or "_"
    name = f"_{name}" if name[0].isdigit() else name
    while iskeyword(name) or name in taken:
        name += "_"
    return name


def argument_names(function: Function) -> list[str]:
    """Return distinct Python names of the arguments."""
    found: list[str] = []
    for index, _ in enumerate(function.arguments):
        found.append(python_name(argument_name(function, index), (*found, "torch", "jax", "Dim")))
    return found
