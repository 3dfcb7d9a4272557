"""Properties that are no attributes.

The bindings hand out the attributes of an operation, discardable and inherent. What an operation keeps as plain data
(``disjoint`` of `affine.linearize_index`) shows in MLIR's generic form only, so it is read there. Printing every
operation would be slow, and endless for types that double a few dozen times: which operations keep such data is asked
once for each name, of an empty operation of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shapesolve.reading.bindings import Bindings, ir

_PROPERTIES = re.compile(r'"\([^)\n]*\)(?:\[[^\]\n]*\])? <\{(?P<rest>.*)', re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|->|>=|<=|[<({\[>)}\],]|[^"<({\[>)}\],=-]+|[-=]', re.DOTALL)
_OPENING, _CLOSING = frozenset("<({["), frozenset(">)}]")

_kept: dict[str, frozenset[str]] = {}


def plain_properties(live: Bindings) -> dict[str, str | None]:
    """The spelling of each property of a live operation that is no attribute, by name; None for a unit that is set."""
    name: str = live.name
    kept = _kept.get(name)
    if kept is None:
        kept = _kept[name] = _kept_by(name, live.context)
    if not kept:
        return {}
    bare = live.clone()
    try:
        for each in list(bare.attributes):  # those of the user's own may be endless
            del bare.attributes[each]
        return {each: value for each, value in _printed(bare).items() if each in kept}
    finally:
        bare.erase()


def _kept_by(name: str, context: Bindings) -> frozenset[str]:
    """The names of what operations of this name keep as plain data."""
    if not context.is_registered_operation(name):
        return frozenset()
    empty = ir().Operation.create(name, loc=ir().Location.unknown(context))
    kept = frozenset(_printed(empty)).difference(empty.attributes)
    empty.erase()
    return kept


def _printed(live: Bindings) -> dict[str, str | None]:
    text: str = live.get_asm(print_generic_op_form=True, assume_verified=True, use_local_scope=True, skip_regions=True)
    found = _PROPERTIES.search(text)
    return {} if found is None else dict(_entries(found["rest"]))


def _entries(text: str) -> Iterator[tuple[str, str | None]]:
    """The entries of a dictionary, from behind its opening brace to its closing one."""
    depth = 0
    entry = ""
    for token in _TOKEN.findall(text):
        depth += (token in _OPENING) - (token in _CLOSING)
        if depth >= 0 and (depth or token != ","):
            entry += token
            continue
        name, is_valued, value = entry.strip().partition(" = ")
        if name:
            yield name.strip('"'), value if is_valued else None
        if depth < 0:
            return
        entry = ""
