"""Claims about sizes as a line of Python that PyTorch understands: ``x.shape[0] % 4 == 0``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from shapesolve.errors import InputError
from shapesolve.language.syntax import Form, Tree, tree

Leaf = Callable[[Tree], str | None]
"""What a name or an indexed name is in Python; None where nothing says so."""

_NAMED = {"min": "torch.sym_min", "max": "torch.sym_max"}
_SIGNS = {"//", "%"}


class _Unsaid(Exception):
    """Python has no words for a part of the claim."""


def python_claim(text: str, leaf: Leaf, *, defined: bool = False) -> str | None:
    """A claim of the size language in Python, of values that may be symbolic; None where it cannot be said.

    ``defined``: no divisor in it is 0 where it is evaluated.
    """
    try:
        whole = tree(text)
        return _claim(whole, leaf) if defined or not _divides_by_sizes(whole) else None
    except (_Unsaid, InputError):
        return None


def _divides_by_sizes(part: Tree) -> bool:
    """Whether something is divided by what may be 0: the size language says what that is, Python does not."""
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
            raise _Unsaid


def _joined(sign: str, parts: list[str]) -> str:
    """``(a) & (b)``: Python's ``and`` would decide what is symbolic."""
    return parts[0] if len(parts) == 1 else f" {sign} ".join(f"({each})" for each in parts)


def _size(part: Tree, leaf: Leaf) -> str:
    match part.form:
        case Form.NUMBER:
            return part.word
        case Form.NAME | Form.INDEX:
            found = leaf(part)
            if found is None:
                raise _Unsaid
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
            raise _Unsaid


def _called(part: Tree, leaf: Leaf) -> str:
    if part.word in _NAMED and part.parts:
        *before, last = [_size(each, leaf) for each in part.parts]
        for each in reversed(before):
            last = f"{_NAMED[part.word]}({each}, {last})"
        return last
    if part.word == "ceildiv":
        return f"(-(-{_factor(part.parts[0], leaf)} // {_factor(part.parts[1], leaf)}))"
    raise _Unsaid


def _factor(part: Tree, leaf: Leaf) -> str:
    text = _size(part, leaf)
    return text if part.form in (Form.NUMBER, Form.NAME, Form.INDEX, Form.CALL) else f"({text})"
