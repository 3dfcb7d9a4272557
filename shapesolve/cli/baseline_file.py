"""Baseline: a file with the findings that are known, so that later runs report new ones alone.

A finding is known by its file, and by its function, operation, clause and claim, which stay when lines move. A baseline
counts equal ones, so that another one of the same kind is new.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from shapesolve import __version__
from shapesolve.errors import InputError, unreadable
from shapesolve.reports.finding_formats import FileFindings

FORMAT, VERSION = "shapesolve-baseline", 1

_OPTION = "--baseline"


def name_in_baseline(file: str, baseline: str) -> str:
    """Return the name of a file in a baseline: its path from the directory of the baseline, with slashes."""
    try:
        return Path(os.path.relpath(file, os.path.dirname(os.path.abspath(baseline)))).as_posix()
    except ValueError:  # on another drive
        return Path(os.path.abspath(file)).as_posix()


def baseline_text(files: Iterable[FileFindings], baseline: str) -> str:
    """Return the text of a baseline."""
    entries: dict[tuple[str, str], dict[str, object]] = {}
    for file in files:
        name = name_in_baseline(file.file, baseline)
        for each in file.findings:
            if each.line.level == "note":
                continue
            entry = entries.setdefault(
                (name, each.identity),
                {
                    "file": name,
                    "code": each.line.code,
                    "identity": each.identity,
                    "message": each.line.message,
                    "count": 0,
                },
            )
            entry["count"] = cast("int", entry["count"]) + 1
    ordered = sorted(entries.values(), key=lambda each: (str(each["file"]), str(each["code"]), str(each["identity"])))
    head = {"format": FORMAT, "version": VERSION, "shapesolve": __version__}
    return json.dumps({**head, "findings": ordered}, indent=1) + "\n"


def read_baseline(path: str) -> Mapping[str, Mapping[str, int]]:
    """Return how many findings of each identity a baseline has, by file.

    Raises:
        InputError: The file is no baseline.
    """
    try:
        content = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {unreadable(error)}", where=_OPTION) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}", where=_OPTION) from None
    if not isinstance(content, dict) or cast("dict[str, object]", content).get("format") != FORMAT:
        raise InputError(f"{path} is no baseline; shapesolve baseline writes one", where=_OPTION)
    document = cast("dict[str, object]", content)
    if document.get("version") != VERSION:
        raise InputError(f"{path} is a baseline of version {document.get('version')}, not {VERSION}", where=_OPTION)
    found: dict[str, dict[str, int]] = {}
    try:
        for each in cast("list[dict[str, object]]", document["findings"]):
            counts = found.setdefault(str(each["file"]), {})
            counts[str(each["identity"])] = counts.get(str(each["identity"]), 0) + int(cast("int", each["count"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{path} is a damaged baseline; write it again", where=_OPTION) from None
    return found
