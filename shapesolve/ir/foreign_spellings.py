"""Operations of dialects that are not registered here, rewritten to the generic form, in which MLIR reads them.

The lines of the text stay those of the file.
"""

from __future__ import annotations

import re

_NAME = "util.assume.int"
_VALUE = r"%[\w$.\-]+(?:#\d+)?"
_WAY = r"<[^<>]*>"
_OPERAND = rf"{_VALUE}\s*(?:{_WAY}|\[\s*{_WAY}(?:\s*,\s*{_WAY})*\s*\])?"
_ASSUMPTIONS = re.compile(
    rf"(?<![\w\".]){re.escape(_NAME)}\s+(?P<operands>{_OPERAND}(?:\s*,\s*{_OPERAND})*)\s*:\s*(?P<types>\w+(?:\s*,\s*\w+)*)"
)
_ONE_OPERAND = re.compile(rf"(?P<value>{_VALUE})\s*(?P<ways>{_WAY}|\[[^\[\]]*\])?")
_PROPERTIES = re.compile(rf'("{re.escape(_NAME)}"\s*\([^()]*\)\s*)<\{{([^{{}}]*)\}}>')


def in_generic_form(text: str) -> str | None:
    """Return a text with IREE's assumptions on integers as generic operations with attributes; None if it has none."""
    if _NAME not in text:
        return None
    changed = _PROPERTIES.sub(r"\1{\2}", _ASSUMPTIONS.sub(_generic, text))
    return None if changed == text else changed


def _generic(found: re.Match[str]) -> str:
    values: list[str] = []
    ways: list[str] = []
    for each in _ONE_OPERAND.finditer(found["operands"]):
        values.append(each["value"])
        listed = re.findall(_WAY, each["ways"] or "")
        ways.append(f"[{', '.join(f'#util.int.assumption{way}' for way in listed)}]")
    types = " ".join(found["types"].split())
    operation = f'"{_NAME}"({", ".join(values)}) {{assumptions = [{", ".join(ways)}]}} : ({types}) -> ({types})'
    return operation + "\n" * found[0].count("\n")
