"""A contract as a Python signature with shapes in its annotations, as jaxtyping or as Pyrefly spells them.

Both take names, numbers and arithmetic on them. What they cannot say follows as comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shapesolve.contracts.contract import FunctionContract
from shapesolve.diagnosis.signature import UNKNOWN, SignatureValue, signature
from shapesolve.reports.contract import headline
from shapesolve.reports.page import Page
from shapesolve.reports.torch_contract import argument_names, python_name
from shapesolve.statistics import stage

_NAME = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"\b([a-z]+)\(")
_ARITHMETIC = re.compile(r"[\w\s+*()-]+(?://[\w\s+*()-]+)*")
"""Expressions of sums, products and floor divisions, which both spell alike."""

_JAXTYPING = {
    **{f"f{bits}": f"Float{bits}" for bits in (16, 32, 64)},
    **{f"i{bits}": f"Int{bits}" for bits in (8, 16, 32, 64)},
    **{f"si{bits}": f"Int{bits}" for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": f"UInt{bits}" for bits in (8, 16, 32, 64)},
    "bf16": "BFloat16",
    "i1": "Bool",
    "index": "Int64",
    "complex<f32>": "Complex64",
    "complex<f64>": "Complex128",
}
_ANY_ELEMENT = "Shaped"
_SCALARS = {
    **dict.fromkeys(("i8", "i16", "i32", "i64", "index", "!torch.int"), "int"),
    **dict.fromkeys(("f16", "bf16", "f32", "f64", "!torch.float"), "float"),
    **dict.fromkeys(("i1", "!torch.bool"), "bool"),
}

_LEGEND = {
    "compatible": "compatible(a, b): a == b, or one of them is 1",
    "broadcast": "broadcast(a, b): b where a is 1, else a",
    "select": "select(claim, a, b): a where the claim holds, else b",
    "ceildiv": "ceildiv(a, b): a / b rounded up",
}
"""Meaning of the functions of the size language that Python does not have."""

Spelled = tuple[str, str]
"""An annotation, and what it does not state, "" if that is nothing."""


@stage("report")
def print_annotations(functions: Iterable[FunctionContract], page: Page, *, is_pyrefly: bool, is_model: bool) -> None:
    """Print a Python signature for each function, of which the shapes state the equalities of its contract.

    Args:
        page: Where they are printed.
        is_pyrefly: Whether shapes are spelled as Pyrefly does; else as jaxtyping does.
        is_model: Whether a function is the method of a module.
    """
    written = [_Writer(each, is_pyrefly=is_pyrefly, is_model=is_model) for each in functions]
    texts = [each.lines() for each in written]
    kinds = sorted({kind for each in written for kind in each.kinds})
    if kinds:
        page.verbatim(f"from jaxtyping import {', '.join(kinds)}")
    page.verbatim("from torch import Tensor")
    for lines in texts:
        page.verbatim()
        page.verbatim()
        for line in lines:
            page.verbatim(line)


class _Writer:
    """Writer of one function's signature.

    Attributes:
        kinds: The element types of jaxtyping that it uses.
    """

    def __init__(self, contract: FunctionContract, *, is_pyrefly: bool, is_model: bool) -> None:
        self.kinds: dict[str, None] = {}
        self._contract = contract
        self._is_pyrefly = is_pyrefly
        self._is_model = is_model
        self._bound: dict[str, None] = {}

    def lines(self) -> list[str]:
        """Return the signature, with comments for what it does not state."""
        contract = self._contract
        function = contract.report.trace.function
        title = f"# @{function.name}: {headline(contract)}"
        found = signature(contract.report.trace, [each.formula for each in contract.conditions])
        if contract.hopeless or contract.report.contradiction or found is None:
            return [title, *(f"#   {each}" for each in contract.complete)]
        names = argument_names(function)
        if self._is_pyrefly:
            self._bound = dict.fromkeys(name for each in found.arguments for name in _names_in(each.extents or ()))
        arguments = [self._argument(each) for each in found.arguments]
        results = [self._value(each) for each in found.results]
        parameters = [f"{name}: {text}" for name, (text, _) in zip(names, arguments, strict=True)]
        parameters = ["self", *parameters] if self._is_model else parameters
        returned = [text for text, _ in results]
        result = f"tuple[{', '.join(returned)}]" if len(returned) > 1 else (returned or ["None"])[0]
        generic = f"[{', '.join(self._bound)}]" if self._is_pyrefly and self._bound else ""
        unstated = [f"{name}: {stated}" for name, (_, stated) in zip(names, arguments, strict=True) if stated]
        unstated += [f"result {number}: {stated}" for number, (_, stated) in enumerate(results) if stated]
        comments = [*found.conditions, *unstated]
        words = {word for each in comments for word in _CALLED.findall(each)}
        return [
            title,
            f"def {python_name(function.name)}{generic}({', '.join(parameters)}) -> {result}: ...",
            *(f"#   {each}" for each in comments),
            *(f"#   where {text}" for word, text in _LEGEND.items() if word in words),
            *(["#   (without the cases where a size is 0)"] if found.excludes_empty else []),
        ]

    def _argument(self, value: SignatureValue) -> Spelled:
        spelled = self._value(value)
        if not self._is_pyrefly:  # later annotations may compute with the sizes that stand alone in this one
            self._bound |= dict.fromkeys(each for each in value.extents or () if _NAME.fullmatch(each))
        return spelled

    def _value(self, value: SignatureValue) -> Spelled:
        if not value.is_shaped:
            scalar = _SCALARS.get(value.type)
            return (scalar, "") if scalar is not None else ("object", value.type)
        return self._of_pyrefly(value) if self._is_pyrefly else self._of_jaxtyping(value)

    def _of_jaxtyping(self, value: SignatureValue) -> Spelled:
        kind = _JAXTYPING.get(value.type, _ANY_ELEMENT)
        self.kinds[kind] = None
        if value.extents is None:
            return f'{kind}[Tensor, "..."]', ""
        stated: list[str] = []
        for each in value.extents:
            known = (*self._bound, *(text for text in stated if _NAME.fullmatch(text)))
            stated.append(each if self._is_spelled(each, known) else "_")
        unstated = _unstated(value.extents, [text != "_" for text in stated])
        return f'{kind}[Tensor, "{" ".join(each.replace(" ", "") for each in stated)}"]', unstated

    def _of_pyrefly(self, value: SignatureValue) -> Spelled:
        if value.extents is None:
            return "Tensor", ""
        stated = [self._is_spelled(each, self._bound) for each in value.extents]
        if not all(stated):
            return "Tensor", f"[{', '.join(value.extents)}]"
        return f"Tensor[{', '.join(value.extents)}]" if value.extents else "Tensor[()]", ""

    def _is_spelled(self, extent: str, bound: Iterable[str]) -> bool:
        if extent == UNKNOWN:
            return False
        if extent.isdecimal() or _NAME.fullmatch(extent):
            return True
        return _ARITHMETIC.fullmatch(extent) is not None and set(_names_in([extent])) <= set(bound)


def _names_in(extents: Iterable[str]) -> list[str]:
    """Return the names of sizes in extents of names, numbers and arithmetic; none of others."""
    found = [name for each in extents if _ARITHMETIC.fullmatch(each) for name in _NAME.findall(each)]
    return list(dict.fromkeys(found))


def _unstated(extents: Sequence[str], stated: Sequence[bool]) -> str:
    """Return the extents that an annotation leaves open and for which there is an expression, as text."""
    found = [
        f"extent {number} is {each}"
        for number, (each, is_written) in enumerate(zip(extents, stated, strict=True))
        if not is_written and each != UNKNOWN
    ]
    return ", ".join(found)
