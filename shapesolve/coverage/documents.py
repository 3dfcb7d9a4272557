"""The source documents as data: their items, in our own words, from the tables beside this file.

An item names what meets it: an operation ("shape.add") is met by its rule and shown by the cases that contain it;
anything else says under ``by`` what meets it ("profile page-2023", "shapesolve.traits.verifier.verify") and is shown by
the tests that are marked with its id.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from shapesolve.records import value_record

NAMES = ("trait_2023", "trait_today", "elementwise_rfc", "shape_inference", "shape_dialect")
"""The documents, in the order in which they are shown."""


@value_record
class Item:
    """One thing that a document says. ``op`` is the operation that it is about, "" where it is about none."""

    id: str
    words: str
    op: str
    by: tuple[str, ...]


@value_record
class Group:
    """Items that belong together."""

    title: str
    items: tuple[Item, ...]


@value_record
class Document:
    """One source document."""

    name: str
    title: str
    groups: tuple[Group, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for group in self.groups for item in group.items)


def documents() -> tuple[Document, ...]:
    """All documents."""
    return tuple(_document(name) for name in NAMES)


def _document(name: str) -> Document:
    table = tomllib.loads((files("shapesolve.coverage") / f"{name}.toml").read_text(encoding="utf-8"))
    groups = (Group(group["title"], tuple(_item(group, item) for item in group["items"])) for group in table["group"])
    return Document(name, table["title"], tuple(groups))


def _item(group: dict[str, Any], item: dict[str, Any]) -> Item:
    op = item.get("op", "")
    identity = item.get("id") or op
    by = item.get("by", op or group.get("by", ()))
    prefix = "" if op else group.get("prefix", "")
    return Item(prefix + identity, item["words"], op, (by,) if isinstance(by, str) else tuple(by))
