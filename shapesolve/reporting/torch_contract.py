"""A contract for PyTorch: ``Dim``s for ``torch.export``, and ``torch._check`` for what these cannot say."""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.contracts.affine_sizes import Affine, Root
from shapesolve.diagnosis.frameworks import TorchContract
from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.shapes import RankedShape
from shapesolve.language.syntax import Form, Tree
from shapesolve.measuring import stage
from shapesolve.reporting.contract_report import headline
from shapesolve.reporting.python_claims import python_claim
from shapesolve.reporting.python_names import argument_names, python_name
from shapesolve.walking.inputs import argument_name, positional
from shapesolve.walking.values import Tensor
from shapesolve.wording.page import Page

_AUTO = "Dim.AUTO"


@stage("report")
def print_for_torch(contracts: Iterable[TorchContract], page: Page) -> None:
    """Print a Python file that defines ``f_dynamic_shapes`` and ``f_checks`` for every function ``f``."""
    page.line(
        "# Contracts for torch.export.export(model, args, dynamic_shapes=...); the checks: at the top of forward."
    )
    page.line("import torch")
    page.line("from torch.export import Dim")
    for contract in contracts:
        page.line()
        page.line()
        for line in torch_lines(contract):
            page.line(line)


def torch_lines(contract: TorchContract) -> list[str]:
    """Return the Python of one function's contract."""
    function = contract.contract
    lines = [f"# @{function.name}: {headline(function)}", *(f"#   {each}" for each in function.texts)]
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
        roots = [f"{self.names[root]} = {_made(root, self.names[root])}" for root in self.used]
        name = python_name(f"{self.function.name}_dynamic_shapes")
        return [*roots, f"{name} = {{", *(f"    {each}," for each in shapes), "}"]

    def _shape(self, name: str, shape: object) -> str:
        if not isinstance(shape, RankedShape):
            return f'"{name}": None'
        said = {number: self._extent(extent) for number, extent in enumerate(shape.dims) if not extent.is_constant}
        return f'"{name}": {{{", ".join(f"{number}: {text}" for number, text in said.items())}}}'

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
        """A size by its name: where it stands among the extents, or an integer argument."""
        for argument, shape in zip(self.arguments, self.shapes, strict=True):
            for number, extent in enumerate(shape.dims if isinstance(shape, RankedShape) else ()):
                atom = extent.atom
                if isinstance(atom, Variable) and atom.name == name:
                    return f"{argument}.shape[{number}]"
        index = self._argument(name)
        return self.arguments[index] if index is not None and self.shapes[index] is None else None


def _made(root: Root, name: str) -> str:
    low = f", min={root.lower}" if root.lower else ""
    high = "" if root.upper is None else f", max={root.upper}"
    return f'Dim("{name}"{low}{high})'
