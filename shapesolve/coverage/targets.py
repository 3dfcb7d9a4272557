"""What an item says it is met by, looked up where it lives: it is there, or it is not."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from shapesolve.coverage.documents import Item
from shapesolve.records import value_record
from shapesolve.walking.rulebook import load_rules


@value_record
class Target:
    """One thing that meets an item. ``module`` is where it lives, "" where there is no such thing."""

    name: str
    module: str

    @property
    def exists(self) -> bool:
        return bool(self.module)


def targets_of(item: Item) -> tuple[Target, ...]:
    """Everything that an item names, found or not."""
    return tuple(Target(name, _home(name)) for name in item.by)


def _home(name: str) -> str:
    """The module of a rule, a command, a profile, a theorem or a public name; "" where there is none."""
    kind, space, rest = name.partition(" ")
    if space:
        return {"shapesolve": _command, "profile": _profile, "theorem": _theorem}[kind](rest)
    if name.startswith("shapesolve."):
        return _public_name(name)
    rule = load_rules().get(name)
    return "" if rule is None else rule.module


def _command(name: str) -> str:
    module = f"shapesolve.commands.{name.replace('-', '_')}"  # every command has a module of its name
    return module if find_spec(module) else ""


def _profile(name: str) -> str:
    from shapesolve.traits.profiles import PROFILES

    return "shapesolve.traits.profiles" if name in PROFILES else ""


def _theorem(name: str) -> str:
    from shapesolve.traits.theorems.catalogue import CATALOGUE

    return "shapesolve.traits.theorems" if name in CATALOGUE else ""


def _public_name(name: str) -> str:
    module, _, attribute = name.rpartition(".")
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError:
        return ""
    return module if hasattr(found, attribute) else ""
