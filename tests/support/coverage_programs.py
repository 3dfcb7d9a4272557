"""Answers of commands to the programs for items of the source documents, compared with the expected ones.

python -m support.coverage_programs    (in tests/: records the answers anew)
"""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from shapesolve.cli.main import main
from shapesolve.coverage.programs import ANSWERS, Program, Run, programs_in

ROOT = Path(__file__).parents[2]


def answer(program: Program, run: Run, directory: Path) -> str:
    """Return the defect of a command's answer; "" where it is the one that the document states."""
    path = directory / "program.mlir"
    path.write_text(program.text, encoding="utf-8")
    script = directory / "script.py"
    script.write_text(program.script.replace("FILE", str(path)), encoding="utf-8")
    words = shlex.split(run.command)
    if words == ["python", "SCRIPT"]:
        ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
        return _defect(run, ran.returncode, ran.stdout + ran.stderr)
    arguments = [word.replace("FILE", str(path)).replace("REPO", str(ROOT)) for word in words]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as exit_:  # argparse
            code = exit_.code if isinstance(exit_.code, int) else 2
    return _defect(run, code, out.getvalue() + err.getvalue())


def _defect(run: Run, code: int, printed: str) -> str:
    output = " ".join(printed.split())
    wrong = [f"it does not say `{words}`" for words in run.says if words not in output]
    return "; ".join([*([f"exit code {code}, not {run.exit}"] if code != run.exit else []), *wrong])


def answers() -> dict[str, str]:
    """Return the defects by program and command; "" for none."""
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as directory:
        for program in programs_in(ROOT):
            for run in program.runs:
                found[run.key(program)] = answer(program, run, Path(directory))
    return found


def recorded(found: dict[str, str]) -> str:
    """The text of the file of answers: those that are wrong."""
    return json.dumps({key: wrong for key, wrong in found.items() if wrong}, indent=1) + "\n"


if __name__ == "__main__":
    (ROOT / ANSWERS).write_text(recorded(answers()), encoding="utf-8")
    sys.stderr.write("recorded\n")
