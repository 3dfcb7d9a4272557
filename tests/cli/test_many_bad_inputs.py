"""Hundreds of bad inputs over all commands: exit code 2, a message with a place or an option, no file touched.

The tables are thinned products: ways in which a file cannot be read by commands that read one, bad values by commands
that take the option. `test_bad_input.py` says what the messages of single cases are.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from .conftest import ADD, Command
from .test_bad_input import FILES, GOOD, bytecode

# A command line per command that reads a program; BAD stands for the input.
READERS: dict[str, list[str]] = {
    "prune": ["prune", "BAD", "-o", "-"],
    "prune in place": ["prune", "BAD", "--in-place"],
    "baseline": ["baseline", "BAD", "-o", "new.json"],
    "test": ["test", "BAD"],
    "shape-of": ["shape-of", "BAD"],
    "refine's source": ["refine", "BAD", "IN", "--no-execute"],
    "refine's target": ["refine", "IN", "BAD", "--no-execute"],
    "contract": ["contract", "BAD"],
    "sizes": ["sizes", "BAD", "--no-execute"],
    "facts": ["facts", "BAD"],
    "verify": ["verify", "BAD"],
    "lower": ["lower", "BAD"],
}

# A command line per command that takes the options of an analysis.
ANALYSES: dict[str, list[str]] = {
    "check": ["check", "IN", "--no-execute"],
    "prune": ["prune", "IN", "-o", "-"],
    "baseline": ["baseline", "IN", "-o", "new.json"],
    "test": ["test", "IN"],
    "explain": ["explain", "IN:2", "--no-execute"],
    "shape-of": ["shape-of", "IN"],
    "refine": ["refine", "IN", "IN", "--no-execute"],
    "contract": ["contract", "IN"],
    "sizes": ["sizes", "IN", "--no-execute"],
}

# Bad values of the options of every analysis: the option, its values.
VALUES: dict[str, list[str]] = {
    "--function": ["nosuch", "@nosuch", "", "add\n"],
    "--assume": [
        "x[0] >=",
        "x[0] + 1",
        "z[0] == 1",
        "x[0] @ 2",
        "x[0] == 1.5",
        "x[-2] == 1",
        "x == 'a'",
        "\u00e9",
        ")",
    ],
    "--shape": ["x", "=[A]", "x=", "x=A", "x=[A, B]", "x=[", "nosuch=[A]", "x=[A ** -1]", "x=[1.5]", "x=[-3]"],
    "--min-size": ["-1", "one", "", "1.5", "0x10", "9223372036854775808"],
    "--max-size": ["-1", "many", "", "nan"],
    "--max-bytes": ["-1", "lots", "", "1e"],
    "--budget": ["0", "-5", "inf", ""],
    "--timeout": ["-1", "soon", "nan", ""],
    "--seed": ["-1", "x", ""],
    "--level": ["", "TOSA", "mhlo"],
    "--library": ["missing.mlir", "DIR", "TEXT", "EMPTY", "LATIN"],
    "--rules": ["missing.py", "DIR", "TEXT", "BROKEN.py", "RAISES.py", "LATIN.py"],
    "--facts": ["missing.toml", "DIR", "TEXT", "LATIN", "LIST.toml", "UNKNOWN.toml"],
    "--carrier": ["", "=", "tosa.add=nosuch"],
}

# Command lines beside them: an option of one command, an output that cannot be written, a file that is no such file.
OTHERS: list[list[str]] = [
    *(["check", "IN", "--fail-on", value] for value in ["", "nosuch", "refuted,nosuch"]),
    *(["check", "IN", "--select", value] for value in ["", "NOSUCH", "SSX999"]),
    *(["check", "IN", "--ignore", value] for value in ["", "NOSUCH"]),
    *(["check", "IN", "--format", value] for value in ["", "xml", "JSON"]),
    *(["check", "IN", "--json-version", value] for value in ["0", "99", "x"]),
    *(["check", "IN", "--jobs", value] for value in ["-1", "all", "1.5"]),
    *(["check", "IN", "--baseline", value] for value in ["missing.json", "DIR", "TEXT", "EMPTY", "LATIN", "LIST.json"]),
    *(["check", "IN", "--config", value] for value in ["missing.toml", "DIR", "TEXT", "LATIN", "UNKNOWN.toml"]),
    *(["check", "IN", "--no-execute", f"--json={value}"] for value in ["/dev/full", "DIR", "TEXT", "IN/x", "IN"]),
    *(["check", "IN", "--no-execute", "--sarif", value] for value in ["/dev/full", "DIR", "TEXT", "IN/x", "IN"]),
    *(["check", "IN", "--no-execute", "--certify", value] for value in ["IN", "IN/x", "/dev/full"]),
    *(["check", "IN", "--no-execute", "--dump-queries", value] for value in ["TEXT", "TEXT/x", "/dev/full"]),
    *(["check", "IN", "--reproducer", value] for value in ["/dev/full", "DIR", "TEXT", "IN/x.py", "IN"]),
    *(
        [*line, "-o", value]
        for line in (["prune", "IN"], ["baseline", "IN", "--no-execute"], ["contract", "IN"], ["shape-of", "IN"])
        for value in ["/dev/full", "TEXT", "IN/x", "IN", "nodir/out", ""]
    ),
    *(
        [*line, "-o", value]
        for line in (["sizes", "IN", "--no-execute"], ["facts", "IN"], ["lower", "IN"])
        for value in ["/dev/full", "TEXT", "DIR", "nodir/out", "IN"]
    ),
    *(["prune", "IN", "-o", "-", "--as", value] for value in ["", "scf"]),
    *(["contract", "IN", "--as", value] for value in ["", "json"]),
    *(["explain", value] for value in ["IN:2:x", "IN:2:0", "DIR:1", "TEXT:1", ":1", "IN:1e3", "IN:" + "9" * 5000]),
    *(["explain", value] for value in ["missing.mlir", "DIR", "EMPTY", ""]),
    *(["refine", "IN", "IN", "--sarif", value] for value in ["/dev/full", "TEXT", "DIR", "nodir/out", "IN"]),
    ["refine", "IN", "IN", "--sarif", "-", "--json"],
    *(["shape-of", "IN", value] for value in ["%nosuch", "%", "", "%0[", "@add"]),
    *(["validate", "IN", "--pipeline", value, "--tool", "nosuch-opt"] for value in ["", "cse", "builtin.module("]),
    *(["validate", value, "--pipeline", "cse"] for value in ["missing.mlir", "EMPTY", "TEXT"]),
    *(["reduce", "IN"], ["reduce", "missing.mlir", "--keep", "true"], ["reduce", "DIR", "--keep", "true"]),
    *(["reduce", "IN", "--keep", value] for value in ["", "nosuch-command-at-all", "false", "'"]),
    *(["reduce", "IN", "--keep", "true", "--attempts", value] for value in ["-1", "0", "x"]),
    *(["reduce", "IN", "--keep", "true", "--run-seconds", value] for value in ["-1", "x", "nan"]),
    *(["certify", value] for value in ["missing", "DIR", "TEXT", "EMPTY"]),
    *(["theorems", "nosuch"], ["rules", ""], ["rules", "tosa.nosuch"], ["rules", "a" * 5000]),
    *(["refine", "IN"], ["refine"], ["contract"], ["sizes"], ["facts"], ["lower"], ["verify"], ["test"], ["baseline"]),
    *(["serve", "--port", value] for value in ["-1", "99999999", "x"]),
    *(["check", "IN", "--scheduler", value] for value in ["", "x", "tcp://", "tcp://127.0.0.1", "http://127.0.0.1:1"]),
    *(["check", "IN", "--scheduler", f"tcp://{value}"] for value in ["127.0.0.1:1", "127.0.0.1:999999", "[::1"]),
    *(["check", "IN", "--no-execute", "--html", value] for value in ["/dev/full", "DIR", "TEXT", "IN/x", "IN"]),
    *(["hunt", *more] for more in [["--seed", "x"], ["-p", "builtin.module("], ["-p", "nosuch"], ["--tool", "nosuch"]]),
    *(["completion", value] for value in ["", "tcsh", "BASH"]),
    *(["man", "extra"], ["man", "--markdown=1"], ["prune", "-", "--in-place"], ["shape-of", "IN", "--in-place"]),
    *(["certify", "DIR", "--timeout", value] for value in ["-1", "x"]),
    *(["verify", "IN", "--profile", value] for value in ["", "nosuch"]),
    *(["test", value] for value in ["EMPTY", "TEXT", "DIR/*.mlir"]),
    *(["serve", "--jobs", value] for value in ["0", "-1", "x"]),
    *(["prune", "IN", "IN", "-o", value] for value in ["-", "TEXT"]),
    *([name, "IN", "--json=DIR"] for name in ("sizes", "contract", "shape-of")),
    *(["init", "extra"], ["lsp", "extra"], ["mcp", "extra"]),
]  # fmt: skip

EXTRA_FILES: dict[str, bytes] = {
    "one huge line": b"func.func @f() { " + b"x" * 2**20,
    "a huge number": b"func.func @f(%x: tensor<" + b"9" * 5000 + b"xf32>) {return}",
    "wrong dialect": b'func.func @f() {\n  "nosuch.op"() : () -> ()\n  nosuch.other\n  return\n}',
    "UTF-16 cut off": ADD.encode("utf-16")[:-1],
    "a BOM and text": b"\xef\xbb\xbfhello",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good program, and with files that are none of what an option asks for."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "IN").write_bytes(GOOD)
    (tmp_path / "TEXT").write_text("precious = = text\n")
    (tmp_path / "EMPTY").write_bytes(b"")
    (tmp_path / "LATIN").write_bytes(b"name = 'caf\xe9'\n")
    (tmp_path / "LATIN.py").write_bytes(b"name = 'caf\xe9'\n")
    (tmp_path / "BROKEN.py").write_text("def rule(:\n")
    (tmp_path / "RAISES.py").write_text("raise ValueError('not today')\n")
    (tmp_path / "LIST.toml").write_text("facts = [1, 2]\nassume = 3\n")
    (tmp_path / "LIST.json").write_text("[1, 2]\n")
    (tmp_path / "UNKNOWN.toml").write_text("nosuch = 1\n[nosuch2]\na = 2\n")
    (tmp_path / "DIR").mkdir()
    return tmp_path


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return every file below a folder, with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }


def refuses(command: Command, folder: Path, line: list[str], named: str) -> None:
    """Check that a command line is refused, that the message matches `named`, and that no file changed."""
    before = contents(folder)
    result = command(*line)
    shown = result.err[:500]
    assert result.code == 2, (result.code, result.out[:300], shown)
    assert "Traceback" not in result.err, shown
    assert "internal error" not in result.err, shown
    assert "error: " in result.err, shown
    assert re.search(named, result.err), (named, shown)
    assert len(result.err) < 5000 + 2 * sum(map(len, line)), shown
    assert contents(folder) == before


def identity(line: list[str]) -> str:
    return re.sub(r"[^ -~]", "?", " ".join(line))[:60]


UNREAD = {each[0]: each[1] for each in FILES} | {name: (lambda b=content: b) for name, content in EXTRA_FILES.items()}
# A command that is content with a module without functions.
CONTENT = {("facts", "no function"), ("verify", "no function"), ("lower", "no function")}
PRODUCT = [
    (reader, file)
    for row, reader in enumerate(READERS)
    for column, file in enumerate(UNREAD)
    if (row + column) % 3 == 0 and (reader, file) not in CONTENT  # a third: each file for four commands
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("reader", "file"), PRODUCT)
def test_a_program_that_cannot_be_read(reader: str, file: str, folder: Path, command: Command) -> None:
    (folder / "BAD").write_bytes(UNREAD[file]())
    refuses(command, folder, READERS[reader], "BAD|IN:1:1: the signatures differ")


CUTS = range(1, len(GOOD.rstrip()), 7)


@pytest.mark.slow
@pytest.mark.parametrize("length", CUTS)
def test_a_program_that_is_cut_off_is_refused(length: int, folder: Path, command: Command) -> None:
    (folder / "BAD").write_bytes(GOOD[:length])
    refuses(command, folder, ["check", "BAD", "--no-execute"], r"BAD:\d+:\d+: ")


@pytest.mark.exhaustive
@pytest.mark.parametrize("tenth", range(1, 20))
def test_bytecode_that_is_cut_off_is_refused(tenth: int, folder: Path, command: Command) -> None:
    whole = bytecode()
    (folder / "BAD").write_bytes(whole[: len(whole) * tenth // 20])
    refuses(command, folder, ["check", "BAD", "--no-execute"], "BAD")


@pytest.mark.sweep
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("given", ["missing.mlir", "", "DIR", "IN/x", "x\0y", "x" * 5000])
def test_a_path_that_cannot_be_read(given: str, reader: str, folder: Path, command: Command) -> None:
    line = [given if each == "BAD" else each for each in READERS[reader]]
    refuses(command, folder, line, re.escape(given[:100]) if "\0" not in given else "null byte|--in-place")


VALUE_LINES = [
    (analysis, option, value)
    for row, analysis in enumerate(ANALYSES)
    for column, (option, value) in enumerate((option, value) for option, values in VALUES.items() for value in values)
    if (row + column) % 4 == 0  # a quarter: each value for two commands at least
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("analysis", "option", "value"), VALUE_LINES)
def test_a_bad_value_of_an_option_is_refused(
    analysis: str, option: str, value: str, folder: Path, command: Command
) -> None:
    named = option if not Path(value).suffix and value not in ("DIR", "TEXT", "EMPTY", "LATIN") else f"{option}|{value}"
    if option == "--function":
        named = "IN: .*no function"
    refuses(command, folder, [*ANALYSES[analysis], f"{option}={value}"], named)


@pytest.mark.process
@pytest.mark.parametrize("line", OTHERS, ids=identity)
def test_a_bad_line_of_arguments_is_refused(line: list[str], folder: Path, command: Command) -> None:
    if "/dev/full" in line and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    refuses(command, folder, line, "error: .")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({line[0] for line in (*READERS.values(), *ANALYSES.values(), *OTHERS)}))
def test_an_option_that_does_not_exist(name: str, folder: Path, command: Command) -> None:
    refuses(command, folder, [name, "--nosuch"], "--nosuch|required")


def test_the_tables_are_long_enough() -> None:
    assert len(PRODUCT) + len(CUTS) + len(VALUE_LINES) + len(OTHERS) >= 440
