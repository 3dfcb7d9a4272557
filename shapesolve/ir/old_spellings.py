"""Old syntax that MLIR refuses, rewritten to today's on the first line of the operation.

Each rewrite is tried only on a line that MLIR refused, or on the lines of the operation around it, and only if the
semantics are clear. The lines of the text stay those of the file, and every operation keeps its location.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

_MOST_LINES = 4
"""Largest number of lines that an operation in an old spelling may take."""

_VALUE = r"%[\w$.\-#]+"
_TYPE = r"tensor<[^<>]*>"
_LABEL = rf"^(?P<indent>\s*)(?P<label>{_VALUE}\s*=\s*)"
_JOIN = re.compile(rf"(?P<before>{_LABEL}(?:\w+\.)?)shape\.join(?P<rest>\s+%.*)$")
_JOIN_OF_ONE_TYPE = re.compile(
    rf"(?P<label_and_indent>{_LABEL})shape\.join\s+(?P<values>{_VALUE}\s*,\s*{_VALUE}"
    r'(?:\s*,\s*error\s*=\s*"[^"\n]*")?)\s*:\s*(?P<type>!shape\.shape|!shape\.size)\s*$'
)
_CONSTANT = re.compile(rf"{_LABEL}shape\.constant_dim\s+(?P<size>\d+)\s*$")
_TWO_TYPES = rf"\(\s*(?P<first>{_TYPE})\s*,\s*(?P<second>{_TYPE})\s*\)\s*->\s*(?P<result>{_TYPE})\s*$"
_TFL_ADD = re.compile(
    rf'{_LABEL}"?tfl\.add"?\s*\(\s*(?P<a>{_VALUE})\s*,\s*(?P<b>{_VALUE})\s*\)\s*'
    rf'<?\{{\s*fused_activation_function\s*=\s*"NONE"\s*\}}>?\s*:\s*{_TWO_TYPES}'
)
_OF_SEVERAL_RANKS = re.compile(
    rf'{_LABEL}(?:"tosa\.(?P<generic>\w+)"\s*\(|tosa\.(?P<name>\w+)\s)\s*(?P<operands>{_VALUE}(?:\s*,\s*{_VALUE}){{1,2}})\s*\)?'
    rf"(?P<attributes>\s*<?\{{[^{{}}]*\}}>?)?\s*:\s*"
    rf"\(\s*(?P<types>{_TYPE}(?:\s*,\s*{_TYPE}){{1,2}})\s*\)\s*->\s*(?P<result>{_TYPE})\s*$"
)
_TODAY = {"div": "intdiv"}
_ELEMENT_WISE = re.compile(
    "add|arithmetic_right_shift|bitwise_(and|or|xor)|div|equal|greater|greater_equal|logical_(and|or|xor)|"
    "logical_(left|right)_shift|maximum|minimum|pow|select|sub"
)
"""Operations of TOSA whose operands were once allowed to differ in rank."""
_NEGATE = re.compile(
    rf'{_LABEL}(?:"tosa\.negate"\s*\(\s*(?P<a>{_VALUE})\s*\)|tosa\.negate\s+(?P<b>{_VALUE}))\s*:\s*'
    rf"\(\s*(?P<type>{_TYPE})\s*\)\s*->\s*(?P<result>{_TYPE})\s*$"
)
_RESHAPE = re.compile(
    rf'{_LABEL}(?:"tosa\.reshape"\s*\(\s*(?P<a>{_VALUE})\s*\)|tosa\.reshape\s+(?P<b>{_VALUE}))\s*'
    r"<?\{\s*new_shape\s*=\s*(?:array<i64(?:\s*:\s*(?P<listed>[\d\s,\-]*))?>|\[(?P<list>[\d\s,\-]*)\])\s*\}>?\s*:\s*"
    rf"\(\s*(?P<type>{_TYPE})\s*\)\s*->\s*(?P<result>{_TYPE})\s*$"
)
_EXPAND = re.compile(
    rf"(?P<before>{_LABEL}tensor\.expand_shape\s+{_VALUE}\s*\[[\d\s,\[\]]*\])\s*"
    rf"(?P<types>:\s*{_TYPE}\s+into\s+tensor<(?P<extents>(?:\d+x)*)[a-z]\w*>)\s*$"
)
_REDUCE = re.compile(r"=\s*(?:shape\.reduce|\"shape\.reduce\")\s*\(.*\{\s*$")
_CLAMP = re.compile(
    rf'{_LABEL}(?:"tosa\.clamp"\s*\(\s*(?P<a>{_VALUE})\s*\)|tosa\.clamp\s+(?P<b>{_VALUE}))\s*'
    r"<?\{(?P<bounds>[^{}]*)\}>?\s*:\s*"
    rf"\(\s*(?P<type>{_TYPE})\s*\)\s*->\s*(?P<result>{_TYPE})\s*$"
)
_BOUND = re.compile(r"(?P<name>m(?:in|ax)_(?:int|fp))\s*=\s*(?P<value>-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\s*:")
_TWO_VALUES = rf"(?P<operands>{_VALUE}\s*,\s*{_VALUE})"
_MULTIPLY = re.compile(
    rf'{_LABEL}(?:"tosa\.mul"\s*\(\s*|tosa\.mul\s+){_TWO_VALUES}\s*\)?\s*'
    rf"<?\{{\s*shift\s*=\s*(?P<shift>\d+)\s*:\s*i\d+\s*\}}>?\s*:\s*{_TWO_TYPES}"
)
_DIVIDE = re.compile(rf'{_LABEL}(?:"tosa\.div"\s*\(\s*|tosa\.div\s+){_TWO_VALUES}\s*\)?\s*:\s*(?P<types>\(.*->.*)$')
_EXTENT = re.compile(
    rf'{_LABEL}(?:"shape\.get_extent"\s*\(\s*(?P<a>{_VALUE})\s*\)\s*<?\{{\s*dim\s*=\s*(?P<generic>\d+)\s*(?::\s*i64\s*)?\}}>?'
    rf"\s*:\s*\(\s*!shape\.shape\s*\)\s*->\s*!shape\.size|shape\.get_extent\s+(?P<b>{_VALUE})\s*,\s*(?P<pretty>\d+))\s*$"
)
_ONE_EACH = {
    "shape.any": "!shape.shape",
    "shape.cstr_broadcastable": "!shape.shape",
    "shape.cstr_eq": "!shape.shape",
    "shape.from_extents": "index",
    "shape.num_elements": "!shape.shape",
    "shape.size_to_index": "!shape.size",
    "shape.const_shape": "!shape.shape",
    "shape.shape_of": "",
}
"""Type of all operands, or of the result, of an operation that was written without types."""
_BEHIND = r"(?P<rest>\s*)$"
_VALUES = rf"(?P<values>{_VALUE}(?:\s*,\s*{_VALUE})*)"
_UNTYPED = (
    *(
        (name, re.compile(rf"(?P<before>{_LABEL}{re.escape(name)}\s+{_VALUES}){_BEHIND}"), types)
        for name, types in (
            ("shape.any", ": * -> !shape.shape"),
            ("shape.cstr_broadcastable", ": *"),
            ("shape.cstr_eq", ": *"),
            ("shape.from_extents", ": *"),
            ("shape.num_elements", ": * -> !shape.size"),
            ("shape.size_to_index", ": *"),
        )
    ),
    (
        "shape.const_shape",
        re.compile(rf"(?P<before>{_LABEL}shape\.const_shape\s*(?P<values>\[[\d\s,]*\])){_BEHIND}"),
        ": *",
    ),
    (
        "shape.shape_of",
        re.compile(rf"(?P<before>{_LABEL}shape\.shape_of\s+(?P<values>{_VALUE})\s*:\s*{_TYPE}){_BEHIND}"),
        "-> !shape.shape",
    ),
)
_SHAPE = r"\[\s*(?:(?:\d+|\?)\s*(?:,\s*(?:\d+|\?)\s*)*)?\]"
_LITERALS = re.compile(
    rf"(?P<before>{_LABEL}shape\.(?:any|cstr_broadcastable|cstr_eq)\s+)"
    rf"(?P<values>(?:{_VALUE}|{_SHAPE})(?:\s*,\s*(?:{_VALUE}|{_SHAPE}))*)\s*$"
)
_ITEM = re.compile(rf"{_VALUE}|{_SHAPE}")
_DYNAMIC = str(-(2**63))
"""MLIR's marker for an extent that is not known."""
_FROM_NOTHING = re.compile(rf"{_LABEL}shape\.from_extents\s*$")
_COMMENT = re.compile(r'(?P<code>(?:[^"/]|"(?:[^"\\]|\\.)*"|/(?!/))*?)(?P<comment>\s*//.*)$')
_FUNCTION = re.compile(
    r"^(?P<indent>\s*)func\s+(?P<name>(?:(?:private|public)\s+)?@[\w$.\-]+)\s*\((?P<arguments>(?:[^()]|\([^()]*\))*)\)[^()]"
)
_PLACE = re.compile(r' loc\("-":\d+:\d+\)')
_ELEMENT = re.compile(r"(?:^|x)(?P<element>[a-z]\w*)$")


class RewrittenLine(NamedTuple):
    """Line in today's syntax, with descriptions of the old and the new operation."""

    line: str
    was: str
    today: str


def without_inserted_locations(text: str) -> str:
    """Return the text without the locations that rewritten operations were given."""
    return _PLACE.sub("", text)


def with_index_argument(reduce: str, line: str) -> RewrittenLine | None:
    """Rewrite the block of a `shape.reduce` whose first argument is an i32 to an index; no column changes.

    ``reduce`` is the line before, with the operation.
    """
    match = re.match(rf"(\s*\^\w+\(\s*{_VALUE}\s*)(:\s*i32\s*,\s+)(.*)$", line)
    if match is None or len(match[2]) < len(":index,") or not _REDUCE.search(reduce):
        return None
    was, today = "shape.reduce on an index of type i32", "shape.reduce on one of type index"
    return RewrittenLine(f"{match[1]}{':index,'.ljust(len(match[2]))}{match[3]}", was, today)


def without_extents(lines: Sequence[str], number: int) -> tuple[int, RewrittenLine] | None:
    """Rewrite a `shape.from_extents` of nothing, where MLIR misses the types: at its end, or in the code behind it."""
    code = [each for each in range(number, 0, -1) if split_comment(lines[each - 1])[0].strip()]
    for place in code[:2]:
        before, comment = split_comment(lines[place - 1])
        match = _FROM_NOTHING.match(before)
        if match is not None:
            made = f'"shape.from_extents"() : () -> !shape.shape{_at(match, place)}'
            line = f"{match['indent']}{match['label']}{made}{comment}"
            return place, RewrittenLine(line, "shape.from_extents of nothing", '"shape.from_extents"()')
    return None


def split_comment(line: str) -> tuple[str, str]:
    """Return a line without the comment at its end, and that comment."""
    match = _COMMENT.match(line)
    return (line, "") if match is None else (match["code"], match["comment"])


def spans_around(number: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the first line of each operation that a line may be part of, and the line behind it; the shortest first."""
    for count in range(1, _MOST_LINES + 1):
        for first in range(max(1, number - count + 1), min(number, last - count + 1) + 1):
            yield first, first + count


def joined(lines: Sequence[str]) -> str:
    """Return an operation on one or several lines as one without comments, with the indentation of the first."""
    first, *others = (split_comment(each)[0] for each in lines)
    if not others:
        return first
    return " ".join((first.rstrip(), *(each.strip() for each in others)))


def rewritten_line(line: str, number: int) -> RewrittenLine | None:
    """Rewrite a refused line to today's syntax; return None if it has none of the known old forms."""
    for rewrite in _REWRITES:
        found = rewrite(line, number)
        if found is not None:
            return found
    return None


def _join(line: str, number: int) -> RewrittenLine | None:
    match = _JOIN_OF_ONE_TYPE.match(line)
    if match is not None:
        types = ", ".join([match["type"]] * 2)
        today = f"{match['label_and_indent']}shape.meet {match['values']} : {types} -> {match['type']}"
        return RewrittenLine(f"{today}{_at(match, number)}", "shape.join", "shape.meet")
    match = _JOIN.match(line)
    return match and RewrittenLine(f"{match['before']}shape.meet{match['rest']}", "shape.join", "shape.meet")


def _tfl_add(line: str, number: int) -> RewrittenLine | None:
    """Rewrite an addition in the dialect of TensorFlow Lite, which puts extents of 1 in front of the lower rank."""
    match = _TFL_ADD.match(line)
    if match is None:
        return None
    operands = ((match["a"], match["first"]), (match["b"], match["second"]))
    return _with_equal_ranks(match, "tfl.add", "tosa.add", operands, number)


def with_equal_ranks(line: str, number: int) -> RewrittenLine | None:
    """Rewrite an element-wise operation of TOSA of operands of several ranks; None if it is none."""
    product = _MULTIPLY.match(line)
    if product is not None:
        types = product["first"], product["second"]
        operands = tuple(zip(re.split(r"\s*,\s*", product["operands"]), types, strict=True))
        if len({len(_extents(each) or ()) for each in types}) == 1:
            return None
        return _with_equal_ranks(product, "tosa.mul", "tosa.mul", operands, number, shift=product["shift"])
    match = _OF_SEVERAL_RANKS.match(line)
    name = match and (match["generic"] or match["name"])
    if match is None or not name or not _ELEMENT_WISE.fullmatch(name):
        return None
    values, types = re.split(r"\s*,\s*", match["operands"]), re.findall(_TYPE, match["types"])
    if len(values) != len(types) or len({len(_extents(each) or ()) for each in types}) == 1:
        return None
    today = f"tosa.{_TODAY.get(name, name)}"
    operands = tuple(zip(values, types, strict=True))
    return _with_equal_ranks(match, f"tosa.{name}", today, operands, number, match["attributes"] or "")


def _with_equal_ranks(
    match: re.Match[str],
    was: str,
    today: str,
    operands: Sequence[tuple[str, str]],
    number: int,
    attributes: str = "",
    shift: str = "",
) -> RewrittenLine | None:
    """Return an operation after extents of 1 in front of the operands of lower ranks; None if a rank is not known.

    A shift becomes the last operand.
    """
    known = [extents for _, type in operands if (extents := _extents(type)) is not None]
    if len(known) < len(operands):
        return None
    rank = max(map(len, known))
    made: list[str] = []
    expanded: list[tuple[str, str]] = []
    for place, (value, type) in enumerate(operands):
        operand, steps = _expanded(value, type, rank, f"{number}_{place}")
        expanded.append(operand)
        made += steps
    if shift:
        operand, step = _shift_operand(shift, number)
        expanded.append(operand)
        made.append(step)
    values, types = (", ".join(each) for each in zip(*expanded, strict=True))
    before = "".join(f"{step}{_beside(match, number)} " for step in made)
    operation = f"{today} {values}{attributes} : ({types}) -> {match['result']}{_at(match, number)}"
    if made:
        was, today = f"{was} of operands of two ranks", f"{today} after extents of 1 in front of the lower rank"
    return RewrittenLine(f"{match['indent']}{before}{match['label']}{operation}", was, today)


def _expanded(value: str, type: str, rank: int, number: str) -> tuple[tuple[str, str], list[str]]:
    """Return a value and its type with extents of 1 put in front, and the operations that compute it."""
    extents = _extents(type) or []
    missing = rank - len(extents)
    if not missing:
        return (value, type), []
    steps: list[str] = []
    sizes = ["1"] * missing
    for position, extent in enumerate(extents):
        sizes.append(extent)
        if extent == "?":
            place, size = f"%position_{position}_of_line_{number}", f"%size_{position}_of_line_{number}"
            steps += [f"{place} = arith.constant {position} : index", f"{size} = tensor.dim {value}, {place} : {type}"]
            sizes[-1] = size
    first = ", ".join(map(str, range(missing + 1)))
    groups = [f"[{first}]", *(f"[{each}]" for each in range(missing + 1, rank))] if extents else []
    made = f"%expanded_of_line_{number}"
    expanded = f"tensor<{'x'.join(['1'] * missing + extents + [_element(type)])}>"
    steps.append(
        f"{made} = tensor.expand_shape {value} [{', '.join(groups)}] output_shape [{', '.join(sizes)}] : "
        f"{type} into {expanded}"
    )
    return (made, expanded), steps


def _negate(line: str, number: int) -> RewrittenLine | None:
    match = _NEGATE.match(line)
    element = match and _element(match["type"])
    if match is None or not element:
        return None
    place, zero, point = _at(match, number), f"%zero_point_of_line_{number}", f"tensor<1x{element}>"
    value = "0" if element.startswith("i") else "0.0"
    made = f'{zero} = "tosa.const"() <{{values = dense<{value}> : {point}}}> : () -> {point}{_beside(match, number)}'
    types = f"({match['type']}, {point}, {point}) -> {match['result']}"
    operation = f"tosa.negate {match['a'] or match['b']}, {zero}, {zero} : {types}"
    line = f"{match['indent']}{made} {match['label']}{operation}{place}"
    return RewrittenLine(line, "tosa.negate of one operand", "tosa.negate with zero points of 0")


def _reshape(line: str, number: int) -> RewrittenLine | None:
    match = _RESHAPE.match(line)
    if match is None:
        return None
    sizes = [each for each in re.split(r"[\s,]+", match["listed"] or match["list"] or "") if each]
    place, shape, type = _at(match, number), f"%shape_of_line_{number}", f"!tosa.shape<{len(sizes)}>"
    values = f"dense<[{', '.join(sizes)}]> : tensor<{len(sizes)}xindex>"
    made = f"{shape} = tosa.const_shape {{values = {values}}} : () -> {type}{_beside(match, number)}"
    types = f"({match['type']}, {type}) -> {match['result']}"
    operation = f"tosa.reshape {match['a'] or match['b']}, {shape} : {types}"
    line = f"{match['indent']}{made} {match['label']}{operation}{place}"
    return RewrittenLine(line, "tosa.reshape with new_shape", "tosa.reshape with a shape as its second operand")


def _expand(line: str, number: int) -> RewrittenLine | None:
    match = _EXPAND.match(line)
    if match is None:
        return None
    sizes = ", ".join(match["extents"].split("x")[:-1])
    line = f"{match['before']} output_shape [{sizes}] {match['types']}"
    return RewrittenLine(line, "tensor.expand_shape without output_shape", "tensor.expand_shape with it")


def _clamp(line: str, number: int) -> RewrittenLine | None:
    """Rewrite a clamp with bounds for integers and for floats to one with those of its elements."""
    match = _CLAMP.match(line)
    element = match and _element(match["type"])
    if match is None or not element:
        return None
    given = {bound["name"]: bound["value"] for bound in _BOUND.finditer(match["bounds"])}
    kind = "int" if element.startswith("i") else "fp"
    lower, upper = given.get(f"min_{kind}"), given.get(f"max_{kind}")
    if lower is None or upper is None:
        return None
    bounds = f"{{min_val = {lower} : {element}, max_val = {upper} : {element}}}"
    types = f"({match['type']}) -> {match['result']}"
    line = (
        f"{match['indent']}{match['label']}tosa.clamp {match['a'] or match['b']} {bounds} : {types}{_at(match, number)}"
    )
    return RewrittenLine(
        line, "tosa.clamp with min_int, max_int, min_fp and max_fp", "tosa.clamp with min_val and max_val"
    )


def _multiply(line: str, number: int) -> RewrittenLine | None:
    match = _MULTIPLY.match(line)
    if match is None:
        return None
    (shift, type), made = _shift_operand(match["shift"], number)
    types = f"({match['first']}, {match['second']}, {type}) -> {match['result']}"
    operation = f"tosa.mul {match['operands']}, {shift} : {types}{_at(match, number)}"
    line = f"{match['indent']}{made}{_beside(match, number)} {match['label']}{operation}"
    return RewrittenLine(line, "tosa.mul with an attribute shift", "tosa.mul with a shift as its third operand")


def _shift_operand(shift: str, number: int) -> tuple[tuple[str, str], str]:
    """Return the value and the type of a shift that once was an attribute, and the operation that makes it."""
    value, type = f"%shift_of_line_{number}", "tensor<1xi8>"
    return (value, type), f'{value} = "tosa.const"() <{{values = dense<{shift}> : {type}}}> : () -> {type}'


def _divide(line: str, number: int) -> RewrittenLine | None:
    match = _DIVIDE.match(line)
    if match is None:
        return None
    operation = f"tosa.intdiv {match['operands']} : {match['types']}{_at(match, number)}"
    return RewrittenLine(f"{match['indent']}{match['label']}{operation}", "tosa.div", "tosa.intdiv")


def _constant(line: str, number: int) -> RewrittenLine | None:
    match = _CONSTANT.match(line)
    if match is None:
        return None
    today = f"{match['indent']}{match['label']}shape.const_size {match['size']}{_at(match, number)}"
    return RewrittenLine(today, "shape.constant_dim", "shape.const_size")


def _extent(line: str, number: int) -> RewrittenLine | None:
    match = _EXTENT.match(line)
    if match is None:
        return None
    index = f"%index_of_line_{number}"
    made = f"{index} = shape.const_size {match['generic'] or match['pretty']}{_beside(match, number)}"
    types = "!shape.shape, !shape.size -> !shape.size"
    operation = f"shape.get_extent {match['a'] or match['b']}, {index} : {types}{_at(match, number)}"
    line = f"{match['indent']}{made} {match['label']}{operation}"
    return RewrittenLine(line, "shape.get_extent with an attribute", "shape.get_extent with the index as an operand")


def _literals(line: str, number: int) -> RewrittenLine | None:
    """Make constants of the shapes that the page writes in place of operands."""
    match = _LITERALS.match(line)
    if match is None or "[" not in match["values"]:
        return None
    made: list[str] = []

    def constant(item: re.Match[str]) -> str:
        if item[0].startswith("%"):
            return item[0]
        name = f"%shape_{len(made)}_of_line_{number}"
        shape = item[0].replace("?", _DYNAMIC)
        made.append(f"{name} = shape.const_shape {shape} : !shape.shape{_beside(match, number)} ")
        return name

    operation = f"{match['before'][len(match['indent']) :]}{_ITEM.sub(constant, match['values'])}"
    typed = _untyped(operation, number)
    if typed is None:
        return None
    line = f"{match['indent']}{''.join(made)}{typed.line}{_at(match, number)}"
    return RewrittenLine(line, "a shape in place of an operand", "shape.const_shape")


def _untyped(line: str, number: int) -> RewrittenLine | None:
    """Add the types that operations of the shape dialect were written without, when they had one type each."""
    for name, pattern, types in _UNTYPED:
        match = pattern.match(line)
        if match is not None:
            values = match["values"].count("%") or 1
            typed = types.replace("*", ", ".join([_ONE_EACH[name]] * values))
            today = f"{name} {types.replace('*', _ONE_EACH[name])}"
            return RewrittenLine(f"{match['before']} {typed}{match['rest']}", f"{name} without types", today)
    return None


def _function(line: str, number: int) -> RewrittenLine | None:
    """Rewrite `func` to `func.func`, with the places of its arguments."""
    match = _FUNCTION.match(line)
    if match is None:
        return None
    parts: list[str] = []
    depth, begun = 0, 0
    arguments = match["arguments"]
    for place, character in enumerate(f"{arguments},"):
        depth += (character in "([{<") - (character in ")]}" or (character == ">" and arguments[place - 1] != "-"))
        if character == "," and not depth:
            part = arguments[begun:place]
            column = match.start("arguments") + begun + len(part) - len(part.lstrip())
            parts.append(f'{part} loc("-":{number}:{len(line[:column].encode()) + 1})' if part.strip() else part)
            begun = place + 1
    head = f"{match['indent']}func.func {match['name']}({','.join(parts)})"
    return RewrittenLine(f"{head}{line[match.end('arguments') + 1 :]}", "func", "func.func")


_REWRITES: tuple[Callable[[str, int], RewrittenLine | None], ...] = (
    *(_join, _tfl_add, _negate, _reshape, _expand),
    *(_clamp, _multiply, _divide, _constant, _extent, _literals, _untyped, _function),
)


def _at(match: re.Match[str], number: int) -> str:
    """Return the location of the operation in the file, in MLIR's trailing form."""
    column = len(f"{match['indent']}{match['label']}".encode()) + 1
    return f' loc("-":{number}:{column})'


def _beside(match: re.Match[str], number: int) -> str:
    """Return the location of an operation that is inserted before the one in the file."""
    return f' loc("-":{number}:{len(match["indent"].encode()) + 1})'


def _extents(type: str) -> list[str] | None:
    """Return the extents of a type of known rank as text."""
    inside = type[len("tensor<") : -1]
    return None if inside.startswith("*") or "," in inside else inside.split("x")[:-1]


def _element(type: str) -> str:
    match = _ELEMENT.search(type[len("tensor<") : -1])
    return match["element"] if match else ""
