"""Files on the workers of a Dask cluster: the reports of one process, whatever becomes of the workers."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from shapesolve.cli import fleet_worker
from shapesolve.cli.main import main
from shapesolve.cli.worker_pool import can_fork_loaded

pytest.importorskip("distributed")
pytestmark = [pytest.mark.exhaustive, pytest.mark.skipif(not can_fork_loaded, reason="ends processes as Linux does")]

ROOT = Path(__file__).parents[2]

CLUSTER = """\
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, protocol="tcp") as it:
        print(it.scheduler_address, flush=True)
        sys.stdin.read()
"""

RULES = '''
import os, signal, time
from shapesolve import OpSemantics, rule

def begin(op):
    with open(os.path.join(os.path.dirname(__file__), "begun"), "a") as log:
        log.write(op.location.file + "\\n")

@rule("my.slow", example="slow.mlir")
def slow(op, see):
    """Take a while.

    (R1) The result may have any shape of its type.
    """
    begin(op)
    time.sleep(0.15)
    return OpSemantics(results=tuple(see.unknown(result) for result in op.results))

@rule("my.kill", example="kill.mlir")
def kill(op, see):
    """End the process that analyzes this.

    (R1) The result may have any shape of its type.
    """
    begin(op)
    os.kill(os.getpid(), signal.SIGKILL)

@rule("my.kill_worker", example="kill.mlir")
def kill_worker(op, see):
    """End the worker of the cluster.

    (R1) The result may have any shape of its type.
    """
    begin(op)
    helper = os.getppid()
    worker = int(open(f"/proc/{helper}/stat").read().rpartition(")")[2].split()[1])
    os.kill(worker, signal.SIGKILL)
    time.sleep(60)
'''


def program(operation: str, size: int) -> str:
    return f"""func.func @f(%a: tensor<?x{size}xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %0 = "my.{operation}"(%a) : (tensor<?x{size}xf32>) -> tensor<?x{size}xf32>
  %1 = tosa.add %0, %b : (tensor<?x{size}xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}}
"""


class Cluster:
    """A scheduler and two workers in processes of their own. They end with this process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().decode().strip()
        assert self.address.startswith("tcp://")

    def workers(self) -> list[tuple[str, int]]:
        """Addresses and processes of the workers."""
        script = (
            "import os, sys; from distributed import Client\n"
            "for each in Client(sys.argv[1]).run(os.getpid).items(): print(*each)"
        )
        found = subprocess.run([sys.executable, "-c", script, self.address], capture_output=True, text=True, check=True)
        return [(address, int(process)) for address, process in map(str.split, found.stdout.splitlines())]

    def end(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


@pytest.fixture(scope="module")
def cluster() -> Generator[Cluster]:
    found = Cluster()
    yield found
    found.end()


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "rules.py").write_text(RULES)
    paths = [tmp_path / f"file{number:02}.mlir" for number in range(20)]
    for number, each in enumerate(paths):
        each.write_text(program("slow", number + 2))
    return [str(each) for each in paths]


def check(files: list[str], *options: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shapesolve", "check", "--no-cache", "--no-execute", *files, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, timeout=240)


def begun(folder: Path) -> Counter[str]:
    """Number of times that the check of each file began."""
    log = folder / "begun"
    found = Counter(Path(each).name for each in log.read_text().splitlines()) if log.exists() else Counter[str]()
    log.unlink(missing_ok=True)
    return found


def without_seconds(text: str) -> str:
    return re.sub(r" +", " ", re.sub(r"\d+\.\d( s)?\b", "0.0", text))


def test_reports_are_those_of_processes(cluster: Cluster, tmp_path: Path) -> None:
    """Text, table, JSON and exit code, with an unreadable file, an ill one, a library and the standard input."""
    cases = sorted((ROOT / "examples").glob("*.mlir"))[:5]
    (tmp_path / "empty.mlir").write_text("")
    (tmp_path / "ill.mlir").write_text("func.func @f( {")
    files = [*map(str, cases), "missing.mlir", "empty.mlir", "ill.mlir"]
    runs = [
        check([*files], *more, f"--json={name}.json", cwd=tmp_path)
        for name, *more in (("processes", "-j", "2"), ("fleet", "--scheduler", cluster.address))
    ]
    assert runs[0].returncode == runs[1].returncode == 2
    assert runs[0].stdout == runs[1].stdout and len(runs[0].stdout) > 1000
    assert without_seconds(runs[0].stderr) == without_seconds(runs[1].stderr)
    assert (tmp_path / "processes.json").read_bytes() == (tmp_path / "fleet.json").read_bytes()


def test_settings_of_files_and_baselines_arrive(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(program("unknown", 3).replace('"my.unknown"', '"my.other"'))
    (tmp_path / "b.mlir").write_text(program("unknown", 4).replace('"my.unknown"', '"my.other"'))
    settings = '[per-file."a.mlir"]\nassume = ["b[1] == 3", "b[0] == a[0]"]\n[per-file."b.mlir"]\nignore = ["tosa"]\n'
    (tmp_path / "shapesolve.toml").write_text(settings)
    for more in ((), ("--format", "concise")):
        runs = [check(["."], *more, *where, cwd=tmp_path) for where in (("-j1",), ("--scheduler", cluster.address))]
        assert runs[0].returncode == runs[1].returncode
        assert runs[0].stdout == runs[1].stdout


def test_a_killed_worker_loses_nothing(cluster: Cluster, files: list[str], tmp_path: Path) -> None:
    options = ["--rules", str(tmp_path / "rules.py"), "--json=report.json", "--force"]
    assert check(files, *options, "-j2", cwd=tmp_path).returncode == 1
    expected = json.loads((tmp_path / "report.json").read_text())
    assert begun(tmp_path) == dict.fromkeys(map(os.path.basename, files), 1)
    _, victim = cluster.workers()[0]

    def kill() -> None:
        while not (tmp_path / "begun").exists() or len((tmp_path / "begun").read_text().splitlines()) < 4:
            sleep(0.02)
        os.kill(victim, signal.SIGKILL)

    killer = Thread(target=kill)
    killer.start()
    run = check(files, *options, "--scheduler", cluster.address, cwd=tmp_path)
    killer.join()
    assert run.returncode == 1, run.stderr
    assert json.loads((tmp_path / "report.json").read_text()) == expected
    counts = begun(tmp_path)
    assert set(counts) == set(map(os.path.basename, files))
    assert sum(counts.values()) <= len(files) + 1, "what the killed worker had was done again, and nothing else"


@pytest.mark.parametrize(
    ("operation", "words"),
    [("kill", "the process was killed, as the system does"), ("kill_worker", "its worker was lost (tcp://")],
)
def test_a_file_that_kills_is_reported_after_two_tries(
    cluster: Cluster, files: list[str], tmp_path: Path, operation: str, words: str
) -> None:
    files = files[:8]
    Path(files[3]).write_text(program(operation, 5))
    options = ["--rules", str(tmp_path / "rules.py"), "--json=-"]
    run = check(files, *options, "--scheduler", cluster.address)
    assert run.returncode == 2
    report = json.loads(run.stdout)
    assert [each["file"] for each in report["files"]] == files
    assert [number for number, each in enumerate(report["files"]) if "error" in each] == [3]
    error = report["files"][3]["error"]
    assert words in str(error) and "tried twice" in str(error)
    assert begun(tmp_path)["file03.mlir"] == 2


def test_a_fleet_worker_obeys_the_time_limit(cluster: Cluster, files: list[str], tmp_path: Path) -> None:
    run = check(files[:3], "--rules", str(tmp_path / "rules.py"), "--timeout", "0.001", "--scheduler", cluster.address)
    assert run.returncode == 3
    assert "time limit" in " ".join(run.stdout.split())


def test_wrong_addresses_are_errors(
    cluster: Cluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shapesolve.cli.fleet.CONNECT_SECONDS", 2.0)
    file = str(ROOT / "examples" / "linear.mlir")
    worker, _ = cluster.workers()[0]
    with socket.socket() as taken, socket.socket() as free:
        taken.bind(("127.0.0.1", 0))
        taken.listen(8)
        free.bind(("127.0.0.1", 0))
        addresses = {
            "nonsense": "is no address of a scheduler, such as tcp://127.0.0.1:8786",
            "http://127.0.0.1:80": "is no address of a scheduler",
            "tcp://127.0.0.1": "is no address of a scheduler",
            "tcp://127.0.0.1:99999": "is no address of a scheduler",
            f"tcp://127.0.0.1:{free.getsockname()[1]}": "nothing listens at tcp://127.0.0.1",
            "tcp://nowhere.invalid:8786": "nothing listens at tcp://nowhere.invalid:8786",
            f"tcp://127.0.0.1:{taken.getsockname()[1]}": "no Dask scheduler answers at",
            worker: "no Dask scheduler answers at",
        }
        for address, words in addresses.items():
            code = main(["check", "--no-cache", "--no-execute", file, "--scheduler", address])
            output, errors = capsys.readouterr()
            assert code == 2, address
            assert errors.startswith("error: --scheduler: ") and words in errors, (address, errors)
            assert "Traceback" not in errors and not output


def test_a_scheduler_that_ends_is_an_error(files: list[str], tmp_path: Path) -> None:
    own = Cluster()
    command = [sys.executable, "-m", "shapesolve", "check", "--no-cache", *files, "--rules", str(tmp_path / "rules.py")]
    with subprocess.Popen(
        [*command, "--scheduler", own.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        while not (tmp_path / "begun").exists() or len((tmp_path / "begun").read_text().splitlines()) < 4:
            sleep(0.02)
        own.end()
        _, errors = run.communicate(timeout=120)
    assert run.returncode == 2
    assert "the scheduler was lost" in errors and "Traceback" not in errors


def test_options_that_tell_of_this_process_are_refused(tmp_path: Path) -> None:
    file = str(ROOT / "examples" / "linear.mlir")
    for option in ("--stats", "--dump-queries=queries"):
        run = check([file], option, "--scheduler", "tcp://127.0.0.1:1", cwd=tmp_path)
        assert run.returncode == 2 and "cannot be combined" in run.stderr


def test_a_worker_of_another_version_says_so() -> None:
    kind, words = fleet_worker.answer(b"", "shapesolve 0.0.1 on Python 3.8")
    assert kind == "unfit" and "the command shapesolve 0.0.1 on Python 3.8" in str(words)


def test_dask_keeps_no_log_of_what_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its log of 1,000 messages would hold as many files."""
    import distributed
    from dask import config

    seen: list[object] = []

    def client(*_: object, **__: object) -> None:
        seen.append(config.get("distributed.admin.low-level-log-length"))
        raise OSError("not today")

    monkeypatch.setattr(distributed, "Client", client)
    (tmp_path / "a.mlir").write_text(program("other", 3))
    before = config.get("distributed.admin.low-level-log-length")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        assert main(["check", str(tmp_path / "a.mlir"), "--scheduler", address]) == 2
    assert (seen, config.get("distributed.admin.low-level-log-length")) == ([0], before)
