"""Test that several processes give byte-identical reports, and terminate in all cases."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from support.hard_programs import sums_of_cubes

from shapesolve.execution import sandbox

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
CASES = sorted((ROOT / "tests" / "cases").glob("**/*.mlir"))

SOME = [ROOT / "examples" / "tosa_chain.mlir", ROOT / "examples" / "linear.mlir", *CASES[5::160]]
BEYOND_A_CONSTANT = "tables.mlir"
"""Reads past the end of a constant when it runs without checks: what stands there is different in each process."""
MANY = [*EXAMPLES[:2], *(each for each in CASES[4::24] if each.name != BEYOND_A_CONSTANT)]

MANY_FUNCTIONS = "\n".join(
    f"""func.func @f{number}(%a: tensor<?x{number + 1}xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %0 = tosa.add %a, %b : (tensor<?x{number + 1}xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}"""
    for number in range(1, 7)
)


def report(jobs: int, files: list[Path], place: Path, *options: str) -> tuple[object, ...]:
    """The exit code, what is printed, and what is written as JSON and SARIF, of a command in a process of its own."""
    written = place / f"{jobs}.json", place / f"{jobs}.sarif"
    targets = [f"--json={written[0]}", f"--sarif={written[1]}", "--force", "--no-cache"]
    command = [
        sys.executable,
        "-m",
        "shapesolve",
        "check",
        "--no-cache",
        "-j",
        str(jobs),
        *targets,
        *options,
        *map(str, files),
    ]
    run = subprocess.run(command, capture_output=True, check=False)
    errors = re.sub(rb"\d+\.\d( s)?\b", b"0.0", run.stderr)  # seconds, in the table of the files
    return run.returncode, run.stdout, re.sub(rb" +", b" ", errors), *(each.read_bytes() for each in written)


@pytest.mark.exhaustive
def test_reports_are_the_same(tmp_path: Path) -> None:
    file = tmp_path / "functions.mlir"
    file.write_text(MANY_FUNCTIONS)
    files = [tmp_path / "missing.mlir", *SOME, file, *SOME[:2]]
    once = report(1, files, tmp_path, "--color=always", "-v")
    assert once[0] == 2 and b"missing.mlir" in once[2]  # type: ignore[operator]
    assert once == report(3, files, tmp_path, "--color=always", "-v")


@pytest.mark.exhaustive
def test_queries_and_certificates_are_the_same(tmp_path: Path) -> None:
    found: list[dict[str, bytes]] = []
    for jobs in (1, 2):
        place = tmp_path / str(jobs)
        place.mkdir()
        options = [f"--certify={place / 'certificates'}", f"--dump-queries={place / 'queries'}", "-q", "--no-execute"]
        report(jobs, SOME, tmp_path, *options)
        files = [each for each in place.rglob("*") if each.is_file()]
        found.append({str(each.relative_to(place)): each.read_bytes() for each in files})
    assert found[0] and found[0] == found[1]


@pytest.mark.exhaustive
def test_reports_on_examples_and_cases_are_the_same(tmp_path: Path) -> None:
    assert report(1, MANY, tmp_path) == report(3, MANY, tmp_path)


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.exhaustive
@pytest.mark.skipif(not sandbox.can_fork, reason="needs fork")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("lines", [1, 30])
def test_whoever_ends_it_ends_all_of_it(number: signal.Signals, lines: int, tmp_path: Path) -> None:
    """Sent when so many lines are printed: then a file is done, and others are being checked."""
    busy = tmp_path / "busy.mlir"
    busy.write_text(sums_of_cubes())
    files = [str(ROOT / "examples" / "tosa_chain.mlir"), *[str(busy)] * 4]
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "shapesolve", "check", "-j", "3", *files],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A suite that was started in the background ignores the signal, and so would what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        process.send_signal(number)
        output = process.communicate(timeout=60)[1].decode()
    end = monotonic() + 20
    while alive(process.pid) and monotonic() < end:
        sleep(0.05)
    assert not alive(process.pid)
    expected = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -signal.SIGKILL}
    assert process.returncode == expected[number], output
    assert "Traceback" not in output
