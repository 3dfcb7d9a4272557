"""Facts of sizes in a file beside a program, ``model.shapes.toml``, as a person or ``shapesolve facts`` writes it.

[forward]
relations = ["T % 8 == 0"]

[forward.arguments]
x = ["B", "T", 8]
y = ["B", "2*T + 1", "_"]

[forward.ranges]
T = { min = 2, max = 128 }

[helper]
requires = ["arg0[0] % 2 == 0"]
ensures = ["result0[0] == arg0[0] // 2"]
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from shapesolve.errors import InputError, unreadable
from shapesolve.ir.assumptions import UNNAMED, Preconditions
from shapesolve.ir.own_attributes import ENSURES, REQUIRES
from shapesolve.ir.program import SIZE_TYPE, Function, ShapedType
from shapesolve.preconditions.attributes import claims_in
from shapesolve.preconditions.functions import SourcedText
from shapesolve.preconditions.stated_contracts import SeparateContract
from shapesolve.records import value_record

LARGEST_FILE = 1 << 20  # bytes
_MOST = 2**63 - 1
_KEYS = ("arguments", "ensures", "ranges", "relations", "requires", "stated_by")
_RANGE = re.compile(r"([A-Za-z_]\w*) (>=|<=) (\d+)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@value_record
class FunctionFacts:
    """Facts of one function in a file: texts as ``--shape`` and ``--assume`` take them, and its contract, if any."""

    function: str
    shapes: tuple[str, ...]
    assumptions: tuple[str, ...]
    contract: SeparateContract | None = None
    where: str = ""

    def about_it(self, texts: Sequence[str]) -> list[str]:
        """Return the texts with the function's name in front and their position in the file attached."""
        return [SourcedText.of(f"@{self.function}: {text}", self.where) for text in texts]


def load_facts(path: str) -> tuple[FunctionFacts, ...]:
    """Return the facts in a file.

    Raises:
        InputError: The file cannot be read or is not of the form above.
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(unreadable(error) if isinstance(error, OSError) else str(error), where=path) from None
    if len(data) > LARGEST_FILE:
        raise InputError("the file is larger than a megabyte", where=path)
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text", where=path) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"this is not TOML: {error}", where=path) from None
    return tuple(_facts(name, table, f"{path}: [{name}]") for name, table in document.items())


def _facts(function: str, given: object, where: str) -> FunctionFacts:
    table = _table(given, where)
    for key in table:
        if key not in _KEYS:
            alike = get_close_matches(key, _KEYS, n=1)
            hint = f"; did you mean `{alike[0]}`?" if alike else f"; known are {', '.join(_KEYS)}"
            raise InputError(f"`{key}` is not known here{hint}", where=where)
    relations = _texts(table, "relations", '"T % 8 == 0"', where) or ()
    requires = _texts(table, "requires", '"arg0[0] % 2 == 0"', where)
    ensures = _texts(table, "ensures", '"result0[0] == 2*arg0[0]"', where)
    has_contract = requires is not None or ensures is not None
    contract = SeparateContract(function, requires, ensures, where) if has_contract else None
    shapes = [f"{name}={_sizes(sizes, name, where)}" for name, sizes in _sub(table, "arguments", where)]
    ranges = [claim for name, bounds in _sub(table, "ranges", where) for claim in _claims(name, bounds, where)]
    return FunctionFacts(function, tuple(shapes), (*ranges, *relations), contract, where)


def _texts(table: Mapping[str, Any], key: str, example: str, where: str) -> tuple[str, ...] | None:
    given = table.get(key)
    if given is None:
        return None
    texts = cast("list[object]", given) if isinstance(given, list) else [given, None]
    found = [each for each in texts if isinstance(each, str) and each.strip()]
    if len(found) != len(texts):
        raise InputError(f"{key} is a list of texts: [{example}]", where=where)
    return tuple(found)


def _table(given: object, where: str) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise InputError("this is a table with the name of a function: [forward]", where=where)
    return cast("dict[str, Any]", given)


def _sub(table: Mapping[str, Any], key: str, where: str) -> Sequence[tuple[str, Any]]:
    given = table.get(key, {})
    if not isinstance(given, dict):
        raise InputError(f"{key} is a table", where=where)
    return list(cast("dict[str, Any]", given).items())


def _sizes(given: object, name: str, where: str) -> str:
    """Return the extents of a shaped argument, ``[B, 8]``, or the size that a ``!shape.size`` is."""
    words = f'{name} is a list of sizes: {name} = ["B", "2*T", 8, "_"]'
    if isinstance(given, str) and "[" not in given:
        return given
    if not isinstance(given, list):
        raise InputError(words, where=where)
    sizes = cast("list[object]", given)
    if not all(isinstance(each, str | int) and not isinstance(each, bool) for each in sizes):
        raise InputError(words, where=where)
    return f"[{', '.join(map(str, sizes))}]"


def _claims(name: str, bounds: object, where: str) -> list[str]:
    words = f"{name} is a range: {name} = {{ min = 2, max = 128 }}"
    if not isinstance(bounds, dict):
        raise InputError(words, where=where)
    given = cast("dict[str, object]", bounds)
    claims: list[str] = []
    for key, sign in (("min", ">="), ("max", "<=")):
        number = given.pop(key, None)
        if number is None:
            continue
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= _MOST:
            raise InputError(words, where=where)
        claims.append(f"{name} {sign} {number}")
    if given:
        raise InputError(words, where=where)
    return claims


def facts_text(functions: Sequence[tuple[Function, Preconditions]]) -> str:
    """Return the preconditions of functions as the text of such a file: "" if there are none."""
    return "\n".join(filter(None, (_function_text(function, stated) for function, stated in functions)))


def facts_template(functions: Sequence[Function], file: str) -> str:
    """Return a file of facts in which everything is commented out: a name for each size that a program leaves open.

    The text is empty if no argument has such a size.
    """
    tables = [text for each in functions if (text := _template_table(each))]
    if not tables:
        return ""
    head = f"""\
# Facts about the sizes of {Path(file).name}, which states none itself. Take away the "# " before what holds, rename
# sizes as you like (one name twice is one size), and give this file to shapesolve check with --facts.
"""
    return "\n".join([head, *tables])


def _template_table(function: Function) -> str:
    taken = {each.name.lstrip("%") for each in function.arguments}
    names: list[str] = []
    arguments: list[str] = []
    for argument in function.arguments:
        key = argument.name.lstrip("%")
        if str(argument.type) == SIZE_TYPE:
            names.append(_free_name(f"{key}_size", taken))
            arguments.append(f"{_key(key)} = {_quoted(names[-1])}")
            continue
        extents = argument.type.extents if isinstance(argument.type, ShapedType) else None
        if extents is None or None not in extents:
            continue
        sizes: list[str] = []
        for place, extent in enumerate(extents):
            if extent is None:
                names.append(_free_name(f"{key}_{place}", taken))
            sizes.append(_quoted(names[-1]) if extent is None else str(extent))
        arguments.append(f"{_key(key)} = [{', '.join(sizes)}]")
    if not arguments:
        return ""
    name = _key(function.name)
    relation = f"{names[0]} == {names[1]}" if len(names) > 1 else f"{names[0]} % 8 == 0"
    lines = [f"[{name}]", f"relations = [{_quoted(relation)}]", "", f"[{name}.arguments]", *arguments]
    lines += ["", f"[{name}.ranges]", *(f"{each} = {{ min = 1, max = 4096 }}" for each in names)]
    return "".join(f"# {each}\n" if each else "#\n" for each in lines)


def _free_name(wanted: str, taken: set[str]) -> str:
    """Return a name of a size that nothing has yet, and take it."""
    name = re.sub(r"\W", "_", wanted)
    name = name if re.match(r"[A-Za-z_]", name) else f"_{name}"
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _function_text(function: Function, stated: Preconditions) -> str:
    ranges: dict[str, dict[str, int]] = {}
    relations: list[str] = []
    for each in stated.assumptions:
        if each.origin == REQUIRES:
            continue
        match = _RANGE.fullmatch(each.text)
        key = "" if match is None else "min" if match[2] == ">=" else "max"
        if match is None or key in ranges.get(match[1], {}):
            relations.append(each.text)
        else:
            ranges.setdefault(match[1], {})[key] = int(match[3])
    shapes = [each for each in stated.shapes if each.argument is not None]
    contract = {"requires": claims_in(function, REQUIRES), "ensures": claims_in(function, ENSURES)}
    if not (shapes or ranges or relations) and all(each is None for each in contract.values()):
        return ""
    name = _key(function.name)
    lines = [f"[{name}]"]
    lines += [f"stated_by = {_quoted(stated.stated_by)}"] if stated.stated_by else []
    lines += [f"relations = [{', '.join(map(_quoted, relations))}]"] if relations else []
    lines += [f"{key} = [{', '.join(map(_quoted, each))}]" for key, each in contract.items() if each is not None]
    if shapes:
        lines += ["", f"[{name}.arguments]"]
        for shape in shapes:
            sizes = ("_" if each == UNNAMED else each for each in shape.names)
            listed = ", ".join(each if each.isdecimal() else _quoted(each) for each in sizes)
            whole = _quoted(shape.names[0]) if str(shape.value.type) == SIZE_TYPE else f"[{listed}]"
            lines.append(f"{_key(shape.value.name.lstrip('%'))} = {whole}")
    if ranges:
        lines += ["", f"[{name}.ranges]"]
        for symbol, bounds in ranges.items():
            lines.append(
                f"{symbol} = {{ {', '.join(f'{key} = {bounds[key]}' for key in sorted(bounds, reverse=True))} }}"
            )
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
