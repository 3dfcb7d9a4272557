"""Test that bad input gives a location, a reason and exit code 2: never a traceback, never a lost file."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import ADD, Command

GOOD = ADD.encode()


def bytecode() -> bytes:
    from shapesolve.ir import bindings

    module = bindings.ir().Module.parse(ADD, bindings.new_context())
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    return buffer.getvalue()


def torch_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02}.")
    return buffer.getvalue()


# Files that cannot be read: name, content, what must be said ---------------------------------------------------------

FILES: list[tuple[str, Callable[[], bytes], list[str]]] = [
    ("empty", lambda: b"", ["in.mlir: the file is empty"]),
    ("blank", lambda: b" \n\t\n", ["in.mlir: the file is blank"]),
    ("not UTF-8", lambda: b"func.func @f() {\n  // caf\xe9\n}", ["in.mlir:2:9", "0xe9 is not UTF-8"]),
    ("garbage", lambda: b"hello, world", ["in.mlir:1:1"]),
    ("random bytes", lambda: bytes(range(255, 0, -1)), ["in.mlir"]),
    ("null bytes", lambda: b"\x00" * 100, ["in.mlir", "binary file"]),
    ("truncated bytecode", lambda: bytecode()[:60], ["in.mlir"]),
    ("bytecode's magic alone", lambda: b"ML\xefR", ["in.mlir"]),
    ("verifier", lambda: b"func.func @f() -> index {\n  return\n}", ["in.mlir:2:3", "    return\n    ^"]),
    ("syntax", lambda: b"func.func @f() {\n  %a = = 3\n  return\n}", ["in.mlir:2:7", "%a = = 3\n        ^"]),
    ("cut off", lambda: GOOD[:60], ["in.mlir:1:"]),
    ("undefined value", lambda: b"func.func @f() -> index {\n  return %x : index\n}", ["in.mlir:2:10", "%x"]),
    ("two modules", lambda: GOOD + b"// -----\n" + GOOD, ["in.mlir", "hint"]),
    ("no function", lambda: b"module {\n}", ["in.mlir", "no function"]),
    ("torch zip", torch_zip, ["in.mlir", "PyTorch file", "export"]),
    ("ONNX", lambda: b"\x08\x07\x12\x07pytorch" + b"\x00" * 40, ["in.mlir", "ONNX"]),
    ("Python", lambda: b"import torch\n\ndef f(x):\n    return x\n", ["in.mlir", "Python"]),
    ("JSON", lambda: b'{"a": 1}', ["in.mlir", "JSON"]),
    ("LLVM IR", lambda: b"; ModuleID = 'x'\ndefine void @f() {\n ret void\n}\n", ["in.mlir", "LLVM"]),
    ("pickle", lambda: b"\x80\x04K\x01.", ["in.mlir", "pickle"]),
    ("gzip", lambda: b"\x1f\x8b\x08\x00abc", ["in.mlir", "gzip"]),
    ("HLO text", lambda: b"HloModule jit_f\n", ["in.mlir", "HLO"]),
    ("deep nesting", lambda: b"(" * 20000, ["in.mlir", "nested"]),
    (
        "a bad attribute",
        lambda: b'func.func @f(%x: tensor<?xf32>) attributes {shapesolve.assume = ["x[0] >"]} {\n  return\n}',
        ["in.mlir:1:1: shapesolve.assume of @f: ", "x[0] >"],
    ),
    (
        "a bad attribute of an argument",
        lambda: b'\nfunc.func @f(%x: tensor<?xf32> {shapesolve.shape = "[N +]"}) {\n  return\n}',
        ["in.mlir:2:1: shapesolve.shape of @f: ", "N +"],
    ),
    (
        "a misspelt attribute",
        lambda: b'func.func @f(%x: index) -> index attributes {shapesolve.ensure = ["x > 0"]} {return %x : index}',
        ["in.mlir:1:1: shapesolve.ensure is no attribute that is read here; did you mean shapesolve.ensures?"],
    ),
    (
        "an attribute of another",
        lambda: b'func.func @f(%x: tensor<?xf32> {shapesolve.assume = "x[0] >= 1"}) {\n  return\n}',
        ["in.mlir:1:1: shapesolve.assume belongs to a function and says nothing on an argument"],
    ),
    (
        "a size with the name of an argument",
        lambda: b'func.func @f(%x: tensor<?xf32> {shapesolve.shape = "[n]"}, %n: index) {return}',
        ["`n` in [n] is the name of an argument: give the size another name"],
    ),
    (
        "a module's attribute",
        lambda: b'module attributes {shapesolve.shape = "[B]"} {func.func @f(%x: tensor<?xf32>) {return}}',
        ["shapesolve.shape belongs to an argument and says nothing on a module"],
    ),
]  # fmt: skip


@pytest.mark.process
@pytest.mark.parametrize(("content", "output"), [each[1:] for each in FILES], ids=[each[0] for each in FILES])
@pytest.mark.parametrize("name", ["check", "explain"])
def test_a_file_that_cannot_be_read(
    name: str, content: Callable[[], bytes], output: list[str], tmp_path: Path, command: Command
) -> None:
    path = tmp_path / "in.mlir"
    given = content()
    path.write_bytes(given)
    result = command(name, str(path) if name == "check" else f"{path}:1")
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("error: ")
    assert "Traceback" not in result.err
    for each in output:
        assert each in result.err
    assert path.read_bytes() == given


# Command lines that cannot be followed: arguments (IN is a good file), what must be said -----------------------------

LINES: list[tuple[list[str], list[str]]] = [
    ([], ["required: COMMAND"]),
    (["nosuch"], ["invalid choice: 'nosuch'"]),
    (["contrct"], ["did you mean `contract`?"]),
    (["check", "IN", "--fnuction=f"], ["unrecognized arguments: --fnuction=f; did you mean `--function`?"]),
    (["prune", "IN", "-o", "-", "--execute-original"], ["--execute-original; it is an option of `check`"]),
    (["prune", "IN", "-o", "-", "-q"], ["-q; it is an option of `"]),
    (["check", "IN", "--level", "linlag"], ["did you mean `linalg`?"]),
    (["verify", "IN", "--profle", "x"], ["shapesolve verify: error: unrecognized", "did you mean `--profile`?"]),
    (["theorems", "--nope"], ["unrecognized arguments: --nope\nshapesolve theorems --help says what there is"]),
    (["--nosuch"], ["required: COMMAND"]),
    (["check"], ["required: FILE"]),
    (["check", "IN", "--nosuch"], ["unrecognized arguments: --nosuch"]),
    (["check", "IN", "--nosuch", "-q", "IN"], ["unrecognized arguments: --nosuch"]),
    (["shape-of", "IN", "-v", "%0", "%1"], ["unrecognized arguments: %1"]),
    (["check", "IN", "--min"], ["unrecognized arguments: --min"]),
    (["check", "missing.mlir"], ["missing.mlir: there is no such file"]),
    (["check", "missing.mlir:2"], ["missing.mlir:2: there is no such file\n"]),
    (["check", "IN:2"], [":2: there is no such file; shapesolve explain ", ":2 explains what stands there"]),
    (["check", "DIR"], ["DIR: there is no .mlir"]),
    (["hunt", "missing.mlir"], ["missing.mlir: there is no such file"]),
    (["check", "IN", "--facts", "DIR"], ["DIR: this is a directory; give a file in it"]),
    (["check", "IN", "--baseline", "missing.json"], ["--baseline: missing.json: there is no such file"]),
    (["check", "IN", "--baseline", "DIR"], ["--baseline: DIR: this is a directory; give a file in it"]),
    (["check", "IN", "--config", "missing.toml"], ["missing.toml: there is no such file"]),
    (["explain", ""], ["the name of an input is empty"]),
    (["check", "a\0b"], ["null byte"]),
    (["check", "x" * 5000], ["File name too long"]),
    (["check", "-", "-"], ["standard input can be read once"]),
    (["check", "-"], ["<stdin>: the file is empty"]),
    (["check", "IN", "--function", "nosuch"], ["IN", "no function `nosuch`", "add"]),
    (["check", "IN", "--function", ""], ["no function ``"]),
    (["check", "IN", "--assume", "x[0] >= "], ["IN: --assume: something is missing after `>=`", "x[0] >=", "^"]),
    (["check", "IN", "--assume", "x[0] >= 1", "--assume", "x[0] >="], ["--assume: something is missing", "x[0] >=\n"]),
    (["contract", "IN", "--assume", "x[0]"], ["--assume: `x[0]` is a size"]),
    (["refine", "IN", "IN", "--assume", "q"], ["--assume: `q` is not known"]),
    (["check", "IN", "--assume", ""], ["IN"]),
    (["check", "IN", "--assume", "z[0] == 1"], ["`z`", "^"]),
    (["check", "IN", "--assume", "X[0] == 1"], ["did you mean `x`"]),
    (["check", "IN", "--assume", "x[1] == 1"], ["x[1]"]),
    (["check", "IN", "--assume", "x[0] = 1"], ["=="]),
    (["check", "IN", "--assume", "__import__('os')"], ["^"]),
    (["check", "IN", "--assume", "x[0]"], ["IN"]),
    (["check", "IN", "--assume", "(" * 3000], ["IN"]),
    (["check", "IN", "--assume", "x[0] == 10 ** 10 ** 10"], ["IN"]),
    (["check", "IN", "--shape", "x"], ["`x` does not have the form"]),
    (["check", "IN", "--shape", "x=[A, B]"], ["IN: --shape: x has rank 1, but 2 names were given: [A, B]"]),
    (["check", "IN", "--shape", "z=[A]"], ["no argument `z`"]),
    (["check", "IN", "--shape", "x=[A+]"], ["--shape: %x: something is missing", "A+"]),
    (["check", "IN", "--shape", "x=[x]"], ["--shape: `x` in [x] is the name of an argument"]),
    (["check", "IN", "--shape", "x=[2*arg0 + 1]"], ["`arg0` in [2*arg0 + 1] is the name of an argument"]),
    (["check", "IN", "--min-size", "-1"], ["--min-size"]),
    (["check", "IN", "--min-size", "many"], ["`many` is not a whole number"]),
    (["check", "IN", "--min-size", "3", "--max-size", "2"], ["--min-size: 3 is more than --max-size 2"]),
    (["check", "IN", "--max-size", "9223372036854775808"], ["--max-size"]),
    (["check", "IN", "--budget", "0"], ["--budget"]),
    (["check", "IN", "--budget", "1e6"], ["--budget", "not a whole number"]),
    (["check", "IN", "--budget", "99999999999999999999"], ["--budget"]),
    (["check", "IN", "--seed", "-3"], ["--seed"]),
    (["check", "IN", "--color", "sometimes"], ["--color"]),
    (["check", "IN", "--json", "nodir/out.json"], ["--json: there is no directory nodir"]),
    (["check", "IN", "--json=DIR"], ["--json: DIR is a directory"]),
    (["check", "IN", "--json=IN"], ["--json: IN is the input"]),
    (["check", "IN", "--json=IN", "--force"], ["--json: IN is the input"]),
    (["check", "IN", "--json", "OTHER.json"], ["OTHER.json exists already"]),
    (["check", "IN", "--sarif", "IN"], ["--sarif: IN is the input"]),
    (["check", "IN", "--sarif", "nodir/out.sarif"], ["--sarif: there is no directory"]),
    (["check", "IN", "--json", "--sarif", "-"], ["standard output takes one"]),
    (["check", "IN", "--json", "new.json", "--sarif", "new.json"], ["the same file"]),
    (["check", "IN", "--dump-queries", "IN/queries"], ["--dump-queries"]),
    (["check", "IN", "--dump-queries", "IN"], ["--dump-queries: IN is not a directory"]),
    (["check", "model.py:"], ["this is Python: say which function"]),
    (["prune", "IN"], ["one of the arguments -o/--output --in-place is required"]),
    (["prune", "IN", "-o", "IN"], ["-o: IN is the input"]),
    (["prune", "IN", "-o", "IN", "--force"], ["-o: IN is the input"]),
    (["prune", "IN", "-o", "LINK"], ["is the input"]),
    (["prune", "IN", "-o", "OTHER.json"], ["OTHER.json exists already; --force"]),
    (["prune", "IN", "-o", "nodir/out.mlir"], ["there is no directory"]),
    (["prune", "IN", "IN", "-o", "DIR"], ["DIR/IN.mlir would be written for both IN and IN"]),
    (["prune", "IN", "OTHER.json", "-o", "-"], ["several files are written into a directory"]),
    (["prune", "IN", "OTHER.json", "-o", "new.mlir"], ["several files are written into a directory"]),
    (["prune", "-", "--in-place"], ["- is no file that could be written over"]),
    (["contract", "IN", "-o", "DIR"], ["is a directory"]),
    (["prune", "missing.mlir", "-o", "out.mlir"], ["missing.mlir: there is no such file"]),
    (["explain", "IN:"], ["FILE:LINE"]),
    (["explain", "IN:two"], ["FILE:LINE"]),
    (["explain", "IN:-1"], ["FILE:LINE"]),
    (["explain", "IN:0"], ["there is no line 0"]),
    (["explain", "IN:99"], ["there is no line 99: the file has 4 lines"]),
    (["explain", "missing.mlir:3"], ["missing.mlir: there is no such file"]),
    (["rules", "tosa.matmull"], ["did you mean `tosa.matmul`"]),
    (["rules", "tosa-matmul-iner"], ["no rule describes `tosa-matmul-iner`; did you mean `tosa-matmul-inner`"]),
    (["rules", "matmul"], ["`tosa.matmul`"]),
    (["rules", "quux.frobnicate"], ["no rule describes `quux.frobnicate`"]),
    (["rules", "a", "b"], ["unrecognized arguments: b"]),
]  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize(("line", "output"), LINES, ids=[" ".join(line)[:60].replace("\0", "0") for line, _ in LINES])
def test_a_command_line_that_cannot_be_followed(
    line: list[str], output: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "IN").write_text(ADD)
    (tmp_path / "LINK").symlink_to("IN")
    (tmp_path / "OTHER.json").write_text("precious")
    (tmp_path / "DIR").mkdir()
    before = sorted(path.name for path in tmp_path.iterdir())
    result = command(*line)
    assert result.code == 2
    assert result.out == ""
    assert "Traceback" not in result.err
    assert "internal error" not in result.err
    for each in output:
        assert each in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "IN").read_text() == ADD
    assert (tmp_path / "OTHER.json").read_text() == "precious"


def test_the_tables_are_long_enough() -> None:
    assert len(FILES) + len(LINES) >= 80


# Special cases -------------------------------------------------------------------------------------------------------


def test_a_contradiction_is_shouted_about_and_no_proof(add: Path, command: Command) -> None:
    result = command("check", str(add), "--assume", "x[0] >= 3", "--assume", "x[0] <= 2", "--no-execute")
    assert result.code == 3
    assert "NOTHING WAS CHECKED" in result.out
    assert "x[0] >= 3" in result.out
    assert "UNREACHABLE" in result.out.rstrip().splitlines()[-1]
    assert "1 proved" not in result.out


def test_the_other_files_are_checked_all_the_same(add: Path, command: Command) -> None:
    result = command("check", "missing.mlir", str(add), "--quiet", "--no-execute")
    assert result.code == 2
    assert "missing.mlir: there is no such file" in result.err
    assert "1 refuted" in result.out


def test_a_bare_json_option_never_takes_an_input_for_its_output(add: Path, tmp_path: Path, command: Command) -> None:
    other = tmp_path / "other.mlir"
    other.write_text(ADD)
    result = command("check", "--no-execute", "--json", str(add), str(other))
    assert result.code == 1
    assert result.out.startswith("{")
    assert add.read_text() == other.read_text() == ADD


def test_a_directory_without_permission(add: Path, tmp_path: Path, command: Command) -> None:
    if os.geteuid() == 0:
        target = "/proc/out.json"  # nobody may write there, not even root
    else:
        (tmp_path / "closed").mkdir(mode=0o500)
        target = str(tmp_path / "closed" / "out.json")
    result = command("check", str(add), "--no-execute", "--json", target)
    assert result.code == 2
    assert target in result.err or "permission" in result.err
    assert "Traceback" not in result.err


def test_a_line_without_obligations_is_no_error(add: Path, command: Command) -> None:
    result = command("explain", f"{add}:3")
    assert result.code == 0
    assert "nothing to prove at line 3" in result.unwrapped
    assert "line 2" in result.out


def test_an_unknown_operator_of_the_torch_dialect(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "torch.mlir"
    path.write_text(
        "func.func @f(%a: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {\n"
        '  %0 = torch.operator "mine.custom"(%a) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>\n'
        "  return %0 : !torch.vtensor<[?],f32>\n}\n"
    )
    result = command("check", str(path))
    assert result.code == 3
    assert "no checks of sizes found" in result.out
    assert "mine.custom may fail and is not checked: no rule describes it" in result.out
    assert "describe mine.custom: --library FILE.mlir or --rules FILE.py" in result.out


@pytest.mark.slow
def test_a_file_of_50_megabytes_is_checked(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "large.mlir"
    path.write_text(ADD + "// " + "x" * (50 * 2**20) + "\n")
    result = command("check", str(path), "--no-execute", "--quiet")
    assert (result.code, result.err) == (1, "")
    assert result.out.endswith("1 refuted\n")


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "escape.mlir"
    path.write_text(ADD.replace("f32>\n", "f32> // \x1b[31m\n"))
    result = command("check", str(path), "--no-execute", "--verbose")
    assert result.code == 1
    assert "\x1b" not in result.out


def test_an_internal_error_is_one_line(
    add: Path, command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("the sky\nfell")

    monkeypatch.setattr("shapesolve.pipeline.check_program", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = command("check", str(add))
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "internal error, please report: ZeroDivisionError: the sky fell" in result.err
    (kept,) = tmp_path.glob("shapesolve-*.txt")
    assert "Traceback" in kept.read_text()
    assert str(kept) in result.err
    assert "Traceback" in command("--traceback", "check", str(add)).err
    assert "Traceback" in command("check", "--traceback", str(add)).err
    assert "Traceback" in command("check", str(add), "--traceback").err


@pytest.mark.parametrize(
    ("error", "output"), [(MemoryError(), "not enough memory"), (RecursionError("deep"), "nested too deep")]
)
def test_running_out_of_memory_or_stack(
    error: Exception, output: str, add: Path, command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object) -> None:
        raise error

    monkeypatch.setattr("shapesolve.pipeline.check_program", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = command("check", str(add))
    assert result.code == 2
    assert output in result.err
    assert result.err.count("\n") == 1


def test_a_faulty_rule_is_named_without_a_traceback(
    add: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shapesolve.semantics.registry import RuleError

    def broken(*_: object) -> None:
        raise RuleError("two rules for tosa.add: one in a, one in b")

    monkeypatch.setattr("shapesolve.pipeline.check_program", broken)
    result = command("check", str(add))
    assert result.code == 2
    assert "two rules for tosa.add" in result.err


def test_an_interrupted_check_exits_with_130_and_no_output(
    add: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("shapesolve.pipeline.check_program", interrupted)
    result = command("check", str(add))
    assert (result.code, result.out) == (130, "")
    assert result.err == "\ninterrupted\n"


# Real processes ------------------------------------------------------------------------------------------------------


def process(*arguments: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # pyright: ignore[reportCallIssue] -- whatever a test wants to add
        [sys.executable, "-m", "shapesolve", *arguments],
        capture_output="stdout" not in more,
        check=False,
        timeout=60,
        **more,  # pyright: ignore[reportArgumentType]
    )


@pytest.mark.process
def test_a_process_with_a_bad_file(tmp_path: Path) -> None:
    done = process("check", str(tmp_path / "missing.mlir"))
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"there is no such file" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.process
def test_a_closed_standard_output(add: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = process("rules", stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 2


@pytest.mark.process
def test_output_to_a_full_disk_is_an_error(add: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        done = process("rules", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.process
def test_a_terminal_without_unicode(tmp_path: Path) -> None:
    path = tmp_path / "unicode.mlir"
    path.write_text(ADD.replace("f32>\n", "f32> // \u00e9\u4e2d\n"), encoding="utf-8")
    done = process(
        "check",
        str(path),
        "--no-execute",
        "--verbose",
        env={**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "100"},
    )
    assert done.returncode == 1
    assert rb"\xe9\u4e2d" in done.stdout
    assert done.stderr == b""


@pytest.mark.process
def test_a_path_that_is_not_text(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.mlir"
    Path(os.fsdecode(path)).write_text(ADD)
    done = subprocess.run(
        [sys.executable, "-m", "shapesolve", "check", path, "--no-execute", "--json"], capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.process
def test_a_program_on_standard_input_is_checked_as_stdin(tmp_path: Path) -> None:
    done = process("check", "-", "--no-execute", "--quiet", input=GOOD)
    assert done.returncode == 1
    assert done.stdout.startswith(b"<stdin>: 1 check of sizes")


@pytest.mark.process
@pytest.mark.parametrize(("command", "is_offered"), [("check", True), ("refine", False), ("explain", False)])
def test_only_a_command_that_takes_several_files_says_what_they_come_to(command: str, is_offered: bool) -> None:
    output = process(command, "--help", stdout=subprocess.PIPE).stdout
    assert (b"With several files" in output) is is_offered


@pytest.mark.parametrize("line", [["check", "-in.mlir"], ["check", "in.mlir", "-in.mlir"]])
def test_a_file_whose_name_begins_with_a_dash(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-in.mlir").write_text("module {}", encoding="utf-8")
    result = command(*line)
    assert result.code == 2
    assert "; a file whose name begins with - is given as ./-in.mlir\n" in result.err
