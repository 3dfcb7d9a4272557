"""Results on real models, level by level, as a table in Markdown.

    python benchmarks/models/table.py [MODEL ...] [--layers 12] [--level linalg] [--reasons] [--timeout 300]

Everything is measured in a process of its own with a limit of time, so that one model that fails does not end the
table. Seconds are those of the processor. "Checks" are `cf.assert`, `shape.cstr_*` and `torch.runtime.assert`: in the
program as exported, after MLIR's `canonicalize,cse`, after its passes about ranges of integers besides, and after
`shapesolve prune`, which believes what the exporter states.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from export import FULL, HERE, LEVELS, MODELS

HEAD = (
    *("model", "level", "export s", "operations", "check s", "MB", "obligations", "proved", "refuted", "undecided"),
    *("not reached", "without a rule", "checks", "canonicalize, cse", "integer ranges", "prune", "prune s"),
)
_LONGEST = 160


@dataclass(frozen=True)
class Ran:
    """A finished process: its output, exit code (None: stopped at the limit) and what it took."""

    output: str
    copied_diagnostic: str
    code: int | None
    seconds: float
    megabytes: int
    limit: float

    @property
    def answer(self) -> Any:
        """The output as JSON; None after a failure."""
        return None if self.error else json.loads(self.output)

    @property
    def error(self) -> str:
        """The end of what the process complained of; "" if its exit code is 0."""
        if self.code is None:
            return f"more than {self.limit:.0f} s"
        return "" if self.code == 0 else self.copied_diagnostic[-_LONGEST:] or f"exit code {self.code}"


def run(command: Sequence[str], limit: float) -> Ran:
    """Run a command for at most that many seconds."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, start_new_session=True)
        over = threading.Event()

        def stop() -> None:
            over.set()
            os.killpg(child.pid, signal.SIGKILL)

        clock = threading.Timer(limit, stop)
        clock.start()
        _, status, usage = os.wait4(child.pid, 0)
        clock.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        report, copied_diagnostic = out.read().decode(), " ".join(err.read().decode("utf-8", "replace").split())
    code = None if over.is_set() else child.returncode
    return Ran(report, copied_diagnostic, code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, limit)


@dataclass(frozen=True)
class Row:
    """One model at one level. ``cells`` are as `HEAD`; ``checked`` is what `measure.check` says, or None."""

    cells: tuple[str, ...]
    checked: Any = None


def rows_of(name: str, arguments: argparse.Namespace, folder: Path) -> Iterable[Row]:
    """Export a model, and measure it at each level."""
    options = ["--to", str(folder), "--layers", str(arguments.layers), "--level", *arguments.level]
    options += ["--decompose"] if arguments.decompose else []
    exported = run([sys.executable, str(HERE / "export.py"), name, *options], arguments.timeout)
    error = exported.error or exported.answer.get("error", "")
    if error:
        yield _failed(name, "", error)
        return
    for level, made in exported.answer["levels"].items():
        if "error" in made:
            yield _failed(name, level, made["error"])
        else:
            yield _measured(name, level, exported.answer["seconds"] + made["seconds"], made["file"], arguments.timeout)


def _failed(name: str, level: str, error: str) -> Row:
    return Row((name, level, f"not exported: {_short(error)}"))


def _measured(name: str, level: str, seconds: float, file: str, limit: float) -> Row:
    def job(what: str) -> Ran:
        return run([sys.executable, str(HERE / "measure.py"), what, file], limit)

    check, prune, fold = job("check"), job("prune"), job("fold")
    cells = [name, level, f"{seconds:.0f}"]
    if check.answer is None:
        cells += ["", f"{_short(check.error)}", f"{check.megabytes}", "", "", "", "", "", ""]
    else:
        found = check.answer
        counts = [found[each] for each in ("obligations", "proved", "refuted", "undecided", "unreachable")]
        refuted = f"{counts[2]}, every call fails" if found["every call fails"] else f"{counts[2]}"
        cells += [
            f"{found['operations']}",
            f"{check.seconds:.1f}",
            f"{check.megabytes}",
            f"{counts[0]}",
            f"{counts[1]}",
        ]
        cells += [refuted, f"{counts[3]}", f"{counts[4]}", f"{sum(found['no rule'].values())}"]
    before = fold.answer or {"checks": "?", "folded": _short(fold.error), "ranges": "?"}
    cells += [str(before["checks"]), str(before["folded"]), str(before["ranges"])]
    cells += [str(prune.answer["checks"]) if prune.answer else _short(prune.error), f"{prune.seconds:.1f}"]
    return Row(tuple(cells), check.answer)


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST].replace("|", "/")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join([*cells, *[''] * (len(HEAD) - len(cells))])} |"


def main() -> None:
    """Print the table, row by row as they come."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="default: all")
    parser.add_argument("--layers", type=int, default=2, help="of each stack (default: 2)")
    parser.add_argument("--full", action="store_const", const=FULL, dest="layers", help=f"--layers {FULL}")
    parser.add_argument("--level", nargs="+", choices=LEVELS, default=list(LEVELS))
    parser.add_argument(
        "--decompose", action="store_true", help="linear and matmul too, as torch-mlir has it by default"
    )
    parser.add_argument(
        "--timeout", type=float, default=300.0, metavar="SECONDS", help="of each process (default: 300)"
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the exported programs are written and stay")
    parser.add_argument(
        "--reasons", action="store_true", help="and what is undecided, refuted or without a rule, by class"
    )
    arguments = parser.parse_args()
    print(_line(HEAD))
    print(_line(["---", "---", *["--:"] * (len(HEAD) - 2)]), flush=True)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as temporary:
        for name in arguments.models or MODELS:
            for row in rows_of(name, arguments, arguments.keep or Path(temporary)):
                rows.append(row)
                print(_line(row.cells), flush=True)
    if arguments.reasons:
        _print_reasons(rows)


def _print_reasons(rows: Sequence[Row]) -> None:
    for title, key in (("Without a rule", "no rule"), ("Undecided", "reasons"), ("Refuted", "refutations")):
        found: Counter[str] = Counter()
        models: dict[str, set[str]] = {}
        for row in rows:
            for each, count in (row.checked or {}).get(key, {}).items():
                found[each] += count
                models.setdefault(each, set()).add(f"{row.cells[0]}.{row.cells[1]}")
        print(f"\n{title}\n")
        for each, count in found.most_common():
            print(f"- {count}: {each} ({', '.join(sorted(models[each]))})")


if __name__ == "__main__":
    main()
