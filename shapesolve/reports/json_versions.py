"""Versions of the JSON documents: the current one, and how it reads as an earlier one.

Version 2 renamed keys to the terms of `docs/glossary.md`. A reader of version 1 asks for it with ``--json-version 1``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

VERSION = 2
SCHEMA = "documents.schema.json"
READABLE = (1, VERSION)
"""The versions that a document can be written in."""

_CHECK = {
    "confirmation": "shown",
    "error_message": "said",
    "findings": "causes",
    "model_assumptions": "leans_on",
    "requirements_known": "demands_known",
    "strategy": "rung",
    "undecided_reason": "obstacle",
}
_PRUNE = {"inserted": "put_in", "open_in_output": "still_open", "possibly_undefined": "may_be_undefined"}
_REFINE = {"undecided_reason": "obstacle"}
_SHAPES = {"model_assumptions": "leans_on"}
_KEYS_OF_1: Mapping[str, Mapping[str, str]] = {
    "shapesolve-check": _CHECK,
    "shapesolve-contract": _SHAPES,
    "shapesolve-explanation": _CHECK,
    "shapesolve-prune": _PRUNE,
    "shapesolve-prune-files": _PRUNE,
    "shapesolve-refine": _REFINE,
    "shapesolve-shapes": _SHAPES,
    "shapesolve-validate": _REFINE,
}
"""By format: what version 1 called the keys of version 2."""

_VALUES_OF_1 = {("strategy", "propagation"): "ledger"}


def as_version(document: Mapping[str, object], version: int) -> dict[str, object]:
    """Return a document of the current version in one of `READABLE`."""
    if version == VERSION:
        return dict(document)
    keys = _KEYS_OF_1.get(str(document.get("format")), {})
    return {**cast("dict[str, object]", _renamed(document, keys)), "version": version}


def _renamed(value: object, keys: Mapping[str, str]) -> object:
    if isinstance(value, Mapping):
        members = cast("Mapping[str, object]", value)
        return {keys.get(key, key): _renamed(_value_of_1(key, each), keys) for key, each in members.items()}
    if isinstance(value, list):
        return [_renamed(each, keys) for each in cast("list[object]", value)]
    return value


def _value_of_1(key: str, value: object) -> object:
    return _VALUES_OF_1.get((key, value), value) if isinstance(value, str) else value


def json_schema_text() -> str:
    """Return the JSON schema of the documents that commands write, as text."""
    from importlib.resources import files

    return (files("shapesolve.reports") / "assets" / SCHEMA).read_text(encoding="utf-8")
