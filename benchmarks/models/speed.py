"""Seconds of `check` and `prune` on deep models, beside parsing and folding the same file, as a table in Markdown.

    python benchmarks/models/speed.py [MODEL ...] [--keep DIR] [--limit 120]

MODEL is a name of the list below, such as `decoder-12` or `patches-12-bare`; by default all are measured. Programs are
exported once into DIR (`build/speed`), which needs torch, and found there later. Every figure is that of a whole
process: seconds of the processor, user and system. "parse" and "fold" are MLIR's Python bindings, which parse the file
and run `canonicalize,cse`; `mlir-opt` does the latter natively where it is installed and knows the dialects. Ratios are
to "fold".
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from export import HERE
from table import Ran, run


@dataclass(frozen=True)
class Program:
    """A model at a level; ``bare``: without what its exporter states of sizes."""

    model: str
    level: str
    layers: int
    bare: bool = False


PROGRAMS: Mapping[str, Program] = {
    "decoder-12": Program("decoder", "linalg", 12),
    "decoder-12-bare": Program("decoder", "linalg", 12, bare=True),
    "encoder-12": Program("encoder", "linalg", 12),
    "encoder-12-bare": Program("encoder", "linalg", 12, bare=True),
    "decoder-batched-12": Program("decoder_batched", "linalg", 12),
    "decoder-batched-48": Program("decoder_batched", "linalg", 48),
    "encoder-batched-12": Program("encoder_batched", "linalg", 12),
    "decoder-48": Program("decoder", "linalg", 48),
    "patches-12": Program("patches", "linalg", 12),
    "patches-12-bare": Program("patches", "linalg", 12, bare=True),
    "patches-12-torch": Program("patches", "torch", 12),
    "patches-12-torch-bare": Program("patches", "torch", 12, bare=True),
    "deeplab-2-torch-bare": Program("deeplab", "torch", 2, bare=True),
    "segments-4-torch-bare": Program("segments", "torch", 4, bare=True),
}
"""Programs by name. `decoder` and `encoder` contradict themselves in linalg unless they are bare; `batched` ones never
do."""

HEAD = (
    *("program", "kB", "obligations", "parse s", "fold s", "`mlir-opt` s", "check s", "check/fold", "check MB"),
    *("prune s", "prune/fold", "prune/check", "prune MB"),
)
ANSWERED = {0, 1, 3}
"""Exit codes of a command that did what it was asked."""

_OPT = ("mlir-opt", "mlir-opt-22", "mlir-opt-19")
_PARSE = "from shapesolve.ir import bindings as b; m = b.ir().Module.parse(open({file!r}).read(), b.new_context())"
_FOLD = f"{_PARSE}; m.context.__enter__(); b.passmanager().PassManager.parse({{pipeline!r}}).run(m.operation)"
_FOLDING = "builtin.module(canonicalize,cse)"
_OBLIGATIONS = re.compile(r"(\d+) checks? of sizes")


def file_of(name: str, folder: Path, limit: float) -> Path:
    """Return the file of a program, exported if it is not there."""
    program = PROGRAMS[name]
    path = folder / f"{name}.mlir"
    if path.exists():
        return path
    with tempfile.TemporaryDirectory() as temporary:
        options = ["--to", temporary, "--layers", str(program.layers), "--level", program.level, "--decompose"]
        options += ["--bare"] if program.bare else []
        exported = run([sys.executable, str(HERE / "export.py"), program.model, *options], limit)
        made = Path(temporary) / f"{program.model}.{program.level}.mlir"
        if exported.error or not made.exists():
            sys.exit(f"{name} cannot be exported: {exported.error or exported.answer}")
        shutil.move(made, path)
    return path


def cells(name: str, file: Path, limit: float) -> Iterable[str]:
    """Measure one file; the cells of its row."""
    python, text = sys.executable, str(file)
    parse = run([python, "-c", f"{_PARSE.format(file=text)}; print(0)"], limit)
    fold = run([python, "-c", f"{_FOLD.format(file=text, pipeline=_FOLDING)}; print(0)"], limit)
    opt = next((found for found in map(shutil.which, _OPT) if found), None)
    native = run([opt, "-canonicalize", "-cse", text, "-o", "/dev/null"], limit) if opt else None
    check = run([python, "-m", "shapesolve", "check", text, "--no-execute", "-j", "1"], limit)
    with tempfile.TemporaryDirectory() as temporary:
        prune = run([python, "-m", "shapesolve", "prune", text, "-o", f"{temporary}/pruned.mlir"], limit)
    counted = _OBLIGATIONS.findall(check.output)
    yield from (name, f"{file.stat().st_size // 1000}", counted[-1] if counted else "?")
    yield from (_seconds(parse), _seconds(fold), _seconds(native) if native else "")
    yield from (_seconds(check), _ratio(check, fold), f"{check.megabytes}")
    yield from (_seconds(prune), _ratio(prune, fold), _ratio(prune, check), f"{prune.megabytes}")


def _seconds(ran: Ran) -> str:
    return f"{ran.seconds:.2f}" if ran.code in ANSWERED else "-"


def _ratio(a: Ran, b: Ran) -> str:
    return f"{a.seconds / b.seconds:.1f}" if {a.code, b.code} <= ANSWERED else "-"


def main() -> None:
    """Print the table, row by row as they come."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="MODEL", help=f"default: all of {', '.join(PROGRAMS)}")
    parser.add_argument("--keep", type=Path, default=Path("build/speed"), metavar="DIR", help="where the programs are")
    parser.add_argument("--limit", type=float, default=120.0, metavar="SECONDS", help="of each process (default: 120)")
    arguments = parser.parse_args()
    unknown = [each for each in arguments.programs if each not in PROGRAMS]
    if unknown:
        parser.error(f"there is no program {unknown[0]}; there are {', '.join(PROGRAMS)}")
    arguments.keep.mkdir(parents=True, exist_ok=True)
    print(f"| {' | '.join(HEAD)} |")
    print(f"| {' | '.join(['---', *['--:'] * (len(HEAD) - 1)])} |", flush=True)
    for name in arguments.programs or PROGRAMS:
        file = file_of(name, arguments.keep, arguments.limit)
        print(f"| {' | '.join(cells(name, file, arguments.limit))} |", flush=True)


if __name__ == "__main__":
    main()
