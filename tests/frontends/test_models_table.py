"""The table of docs/models.md: what ``check`` says of models with and without a planted bug, in three frameworks.

``python tests/frontends/test_models_table.py [NAME ...]`` prints the table, or rows of it, as measured.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from shapesolve.records import record

pytestmark = [pytest.mark.slow, pytest.mark.frontends]

MODELS = Path(__file__).parent / "models"
PAGE = Path(__file__).parents[2] / "docs" / "models.md"
FILES = {
    "PyTorch": ("planted_models.py", "planted_perception_models.py"),
    "JAX": ("planted_jax_models.py",),
    "ONNX": ("planted_onnx_models.py",),
}
HEAD = (
    "| framework | model | found | line | names | the framework | false alarms | s |\n|---|---|---|---|---|---|--:|--:|"
)
WORDS = {"and", "or", "not", "min", "max", "compatible", "broadcast", "is", "in", "for", "all"}


def names_in_lists(file: str) -> dict[str, bool]:
    """Return the models of a file, and whether each has a bug."""
    text = (MODELS / file).read_text()
    bugs, right = (
        re.findall(r'"(\w+)"', re.search(rf"^{name} = \((.*?)\)", text, re.MULTILINE | re.DOTALL)[1])  # type: ignore[index]
        for name in ("BUGS", "RIGHT")
    )
    return dict.fromkeys(bugs, True) | dict.fromkeys(right, False)


CASES = [
    (framework, name, has_bug)
    for framework, files in FILES.items()
    for file in files
    for name, has_bug in names_in_lists(file).items()
]


def file_of(framework: str, name: str) -> str:
    """Return the file with the function that makes a model."""
    return next(file for file in FILES[framework] if f"\ndef {name}(" in (MODELS / file).read_text())


@record
class Failure:
    """One way to fail that a report shows.

    Attributes:
        place: The line of the model's file, or the name of its node.
        condition: What is required there.
        original: What the framework does at the sizes that are shown, "" if it was not asked.
    """

    place: str
    condition: str
    original: str


def failures_in(report: dict[str, Any]) -> list[Failure]:
    """Return what a report in JSON refutes of the model itself."""
    found: list[Failure] = []
    for file in report["files"]:
        if file["lowering"]:
            continue
        for each in (file.get("exporter") or {"found": []})["found"]:
            if each["outside"] == "fails":
                model = each["model"] or {"line": 0}
                line = (each["raised_at"] or "").rpartition(":")[2] or str(model["line"])
                found.append(Failure(line, each["condition"], each["original"]))
        for function in file["functions"]:
            required = {name: each["requires"] for each in function["findings"] for name in each["obligations"]}
            for each in function["obligations"]:
                if each["verdict"] == "refuted":
                    model = each["model"] or {}
                    place = str(model.get("line") or model.get("module") or each["location"]["line"])
                    condition = required.get(each["identity"]) or each["readable_claim"] or each["claim"]
                    found.append(Failure(place, condition, each["original"] or ""))
    return found


def place_of_bug(framework: str, name: str) -> str:
    """Return the marked line above the function that makes a model, or the name of the marked node."""
    if framework == "ONNX":
        return "bug"
    text = (MODELS / file_of(framework, name)).read_text()
    before = text[: text.index(f"def {name}(")]
    if framework == "PyTorch":  # the first of its class
        start = before.rindex("\nclass ")
        return str(before[:start].count("\n") + before[start : before.index("# bug", start)].count("\n") + 1)
    return str(before[: before.rindex("# bug")].count("\n") + 1)


def is_readable(condition: str, name: str, framework: str) -> bool:
    """Return whether a condition speaks of declared names and of extents of inputs alone."""
    without_extents = re.sub(r"\b[a-z]\w*\[\d+\]", "", condition)
    text = (MODELS / file_of(framework, name)).read_text()
    start = text.index(f"def {name}(")
    end = text.find("\n\n\n", start)
    declared = set(re.findall(r"\b[A-Za-z]\b", text[start : end if end > 0 else len(text)]))
    return set(re.findall(r"[A-Za-z_][\w.]*", without_extents)) - WORDS <= declared


def seconds_of_children() -> float:
    """Return the processor's seconds that ended child processes took, with those that they waited for."""
    times = os.times()
    return times.children_user + times.children_system


def measured(framework: str, name: str, has_bug: bool, folder: Path) -> tuple[str, float]:
    """Return the row of a model without its seconds, and these."""
    file = file_of(framework, name)
    source = f"{MODELS / file}:{name}"
    if framework == "ONNX":
        source = str(folder / f"{name}.onnx")
        make = f"import onnx, {file[:-3]} as models; onnx.save(models.{name}(), {source!r})"
        subprocess.run([sys.executable, "-c", make], check=True, cwd=MODELS)
    begin = seconds_of_children()
    command = [sys.executable, "-m", "shapesolve", "check", "--json", source]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = seconds_of_children() - begin
    if run.returncode == 2:
        return f"| {framework} | `{name}` | refused | | | | |", seconds
    report = json.loads(run.stdout)
    found, bug = failures_in(report), place_of_bug(framework, name) if has_bug else ""
    here = [each for each in found if each.place == bug]
    alarms = [each for each in found if each not in here and not (has_bug and each.original.startswith("raises"))]
    cells = ["", "", "", ""]
    if has_bug:
        raises = bool(here) and all(each.original.startswith("raises") for each in here)
        reads = all(is_readable(each.condition, name, framework) for each in here)
        cells = [
            "yes" if found else "no",
            "yes" if here else "no",
            "yes" if here and reads else "no",
            "raises" if raises else "not asked" if here and not any(each.original for each in here) else "returns",
        ]
    elif report["exit_code"] == 3 and not alarms:
        cells[0] = "undecided"
    return f"| {framework} | `{name}` | {' | '.join(cells)} | {len(alarms) or ''} |", seconds


def row_text(cells: str) -> str:
    """Return a row with single blanks in empty cells."""
    return re.sub(r"\|\s+(?=\|)", "| ", cells)


def written_rows() -> dict[tuple[str, str], str]:
    """Return the rows of the page without their seconds, by framework and model."""
    text = PAGE.read_text()
    table = text[text.index(HEAD) + len(HEAD) :].strip("\n").split("\n\n")[0]
    cut = [re.match(r"(\| (\S+) \| `(\w+)` .*\|) [\d.]+ \|$", line) for line in table.splitlines()]
    return {(each[2], each[3]): each[1] for each in cut if each}


@pytest.mark.parametrize(("framework", "name", "has_bug"), CASES, ids=lambda each: str(each))
def test_the_table_is_as_measured(framework: str, name: str, has_bug: bool, tmp_path: Path) -> None:
    pytest.importorskip({"PyTorch": "torch", "JAX": "jax", "ONNX": "onnx"}[framework])
    row, seconds = measured(framework, name, has_bug, tmp_path)
    assert written_rows()[framework, name] == row_text(row), f"{row_text(row)} {seconds:.1f} |"


def test_the_table_is_complete() -> None:
    assert set(written_rows()) == {(framework, name) for framework, name, _ in CASES}
    assert sum(has_bug for *_, has_bug in CASES) >= 20 and len(CASES) >= 30


if __name__ == "__main__":
    print(HEAD)
    with tempfile.TemporaryDirectory() as made:
        for framework, name, has_bug in CASES:
            if name in sys.argv[1:] or framework in sys.argv[1:] or not sys.argv[1:]:
                row, seconds = measured(framework, name, has_bug, Path(made))
                print(f"{row_text(row)} {seconds:.1f} |", flush=True)
