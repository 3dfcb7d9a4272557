"""A contract for PyTorch: ``Dim``s for ``torch.export``, and ``torch._check`` for what these cannot say."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.contracts.affine_sizes import Affine, AffineSizes, Root, affine_sizes
from shapesolve.contracts.cases import divides_by_sizes, each_part_follows, not_implied
from shapesolve.contracts.contract import ContractReport, FunctionContract
from shapesolve.contracts.shortest import said
from shapesolve.language.atoms import Quotient, Remainder, Variable
from shapesolve.language.dims import Dim
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import Formula, at_least, conjunction, conjuncts
from shapesolve.language.shapes import RankedShape
from shapesolve.language.syntax import Form, Tree
from shapesolve.measuring import stage
from shapesolve.reporting.contract_report import headline
from shapesolve.reporting.python_claims import python_claim
from shapesolve.reporting.python_names import argument_names, python_name
from shapesolve.walking.inputs import argument_name, positional, scope_of
from shapesolve.walking.values import Tensor
from shapesolve.wording.page import Page

_AUTO = "Dim.AUTO"
_BUDGET = 100_000


@stage("report")
def print_for_torch(report: ContractReport, page: Page) -> None:
    """A Python file that defines ``f_dynamic_shapes`` and ``f_checks`` for every function ``f``."""
    page.line(
        "# Contracts for torch.export.export(model, args, dynamic_shapes=...); the checks: at the top of forward."
    )
    page.line("import torch")
    page.line("from torch.export import Dim")
    for function in report.functions:
        page.line()
        page.line()
        for line in torch_lines(function):
            page.line(line)


def torch_lines(function: FunctionContract) -> list[str]:
    """The Python of one function's contract."""
    lines = [f"# @{function.name}: {headline(function)}", *(f"#   {each}" for each in function.texts)]
    if function.hopeless or function.report.contradiction:
        return lines
    writer = _Writer(function)
    return [*lines, *writer.dims(), *writer.checks()]


class _Writer:
    def __init__(self, function: FunctionContract) -> None:
        self.function = function
        self.trace = function.report.trace
        self.arguments = argument_names(self.trace.function)
        self.shapes = [value.shape if isinstance(value, Tensor) else None for value in self.trace.inputs]
        extents = [each for shape in self.shapes if isinstance(shape, RankedShape) for each in shape.dims]
        variables = dict.fromkeys(v for extent in extents for v in sorted(extent.variables, key=lambda v: v.text))
        given = [fact.formula for fact in function.report.assumptions]
        whole = [*given, *(condition.formula for condition in function.conditions)]
        self.parts = [part for each in whole for part in conjuncts(each)]
        self.sizes: AffineSizes = affine_sizes(list(variables), whole)
        self.extents = extents
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
        found = self.sizes.expression(extent)
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
        left = self._left()
        for formula in sorted(left, key=divides_by_sizes):  # what says that a divisor is not 0 comes first
            text = said(formula, scope_of(self.trace))
            claim = python_claim(text, self._leaf, defined=self._is_defined(formula))
            lines.append(f"    # not said: {text}" if claim is None else f"    torch._check({claim})")
        if len(lines) > 2:
            return ["", "", *lines]
        return [] if self.function.open and not self.function.conditions else ["# The Dims say all of it."]

    def _is_defined(self, formula: Formula) -> bool:
        """Whether what else is said of the sizes makes every divisor positive, so that nothing is divided by 0."""
        divided = {each.parts[1] for each in atoms_within(formula) if isinstance(each, Quotient | Remainder)}
        own = conjuncts(formula)
        others = [each for each in self.parts if each not in own and not divides_by_sizes(each)]
        return each_part_follows(conjunction(at_least(each, 1) for each in divided), others, _BUDGET)

    def _left(self) -> Sequence[Formula]:
        """What is unsaid, in the form of the contract's condition where that is unsaid as a whole.

        What follows from the others and from what the Dims say is not said again.
        """
        unsaid = list(self.sizes.unsaid)
        auto = {v for e in self.extents if self.sizes.expression(e) is None for v in e.variables}
        for condition in self.function.conditions:  # what is said of a size that no Dim shows is checked too
            if condition.formula.variables & auto and condition.formula not in unsaid:
                unsaid.append(condition.formula)
        return not_implied(unsaid, [each for each in self.parts if each not in unsaid], _BUDGET)

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
