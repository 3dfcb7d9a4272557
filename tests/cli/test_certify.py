"""The command line of certificates: where they are written, who answers them, and what is refused."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from shapesolve.certificates.writer import HEADER, file_name

from .conftest import Command

SAFE = """\
func.func @rest(%n: index) {
  %four = arith.constant 4 : index
  %two = arith.constant 2 : index
  %rest = arith.remsi %n, %four : index
  %again = arith.remsi %rest, %two : index
  %once = arith.remsi %n, %two : index
  %equal = arith.cmpi eq, %once, %again : index
  cf.assert %equal, "the same"
  return
}
"""

WRONG = f"""\
{HEADER} of a proof: the assertions below contradict each other
; operation cf.assert
; line      here.mlir:1:1
(set-logic ALL)
(declare-const |n| Int)
(assert (! (<= 0 |n|) :named |domain of n|))
(assert (! (not (= |n| 0)) :named |the claim fails|))
(check-sat)
"""


MANIFEST = "shapesolve-manifest.json"


def seal(directory: Path) -> None:
    """Write the manifest that belongs to the certificates in a directory."""
    files: list[dict[str, object]] = []
    for path in sorted(directory.rglob("*.smt2")):
        content = path.read_bytes()
        files.append(
            {
                "name": path.relative_to(directory).as_posix(),
                "kind": "proof" if content.startswith(f"{HEADER} of a proof".encode()) else "lemmas",
                "questions": max(1, content.count(b"(check-sat)")),
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        )
    lemmas = sum(cast("int", each["questions"]) for each in files if each["kind"] == "lemmas")
    proofs = sum(each["kind"] == "proof" for each in files)
    document = {"format": "shapesolve-certificates", "version": 1, "proofs": proofs, "lemmas": lemmas, "files": files}
    (directory / MANIFEST).write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture
def safe(tmp_path: Path) -> Path:
    path = tmp_path / "safe.mlir"
    path.write_text(SAFE)
    return path


@pytest.mark.slow
def test_written_and_confirmed(command: Command, safe: Path, tmp_path: Path) -> None:
    pytest.importorskip("cvc5")
    target = tmp_path / "certificates"
    result = command("check", str(safe), "--certify", str(target))
    assert result.code == 0
    assert f"4 proofs are in {target}" in result.out
    result = command("certify", str(target))
    assert result.code == 0
    assert "4 of 4 confirmed" in result.out
    assert "by cvc5" in result.unwrapped
    result = command("certify", str(target), "--json", "--proofs", str(tmp_path / "proofs"))
    document = json.loads(result.out)
    assert document["proofs"] == {"confirmed": 4, "disagrees": 0, "open": 0}
    kept = [Path(path) for each in document["certificates"] for path in each["proofs"]]
    assert len(kept) == 4 + document["lemmas"]["confirmed"]
    assert all(path.read_text().strip() for path in kept)


def test_names_do_not_depend_on_the_run(command: Command, safe: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        command("check", str(safe), "--certify", str(tmp_path / name), "-q")
    one, two = (sorted(path.name for path in (tmp_path / name).iterdir()) for name in ("one", "two"))
    assert one == two
    for name in one:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_several_files_have_folders(command: Command, safe: Path, add: Path, tmp_path: Path) -> None:
    target = tmp_path / "certificates"
    result = command("check", str(safe), str(add), str(safe), "--certify", str(target), "--no-execute")
    assert result.code == 1
    assert sorted(path.name for path in target.iterdir()) == ["1-safe", "3-safe", MANIFEST]


def test_a_directory_of_certificates_is_used_again(command: Command, safe: Path, tmp_path: Path) -> None:
    target = tmp_path / "certificates"
    target.mkdir()
    (target / "old.smt2").write_text(WRONG)
    assert command("check", str(safe), "--certify", str(target), "-q").code == 0
    assert not (target / "old.smt2").exists()


def test_nothing_of_the_users_is_lost(command: Command, safe: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    for name in ("notes.txt", "query.smt2", file_name("rest/cf.assert.1/C1")):
        (target / name).write_text("mine")
    result = command("check", str(safe), "--certify", str(target), "-q")
    assert result.code == 2
    assert "which is no certificate; --force writes beside it" in result.unwrapped
    assert len(list(target.iterdir())) == 3
    assert command("check", str(safe), "--certify", str(target), "-q", "--force").code == 0
    assert sum(path.read_text() == "mine" for path in target.iterdir()) == 3
    assert len(list(target.iterdir())) > 3


def test_a_file_is_no_directory(command: Command, safe: Path) -> None:
    result = command("check", str(safe), "--certify", str(safe))
    assert result.code == 2
    assert "is not a directory" in result.err
    assert safe.read_text() == SAFE


def test_nothing_to_certify(command: Command, add: Path, tmp_path: Path) -> None:
    result = command("check", str(add), "--certify", str(tmp_path / "none"), "--no-execute")
    assert "nothing was proved, and so there is no certificate" in result.out
    result = command("certify", str(tmp_path / "none"))
    assert result.code == 2
    assert "holds no certificate" in result.err
    assert command("certify", str(tmp_path / "missing")).code == 2


def test_a_disagreement_is_shouted(command: Command, tmp_path: Path) -> None:
    pytest.importorskip("cvc5")
    (tmp_path / "wrong.smt2").write_text(WRONG)
    seal(tmp_path)
    result = command("certify", str(tmp_path))
    assert result.code == 1
    assert result.out.count("DISAGREEMENT") == 2
    assert "n = 1" in result.out
    assert "cf.assert" in result.out
    assert command("certify", str(tmp_path), "--json").code == 1


@pytest.mark.slow
def test_queries_that_take_too_long_stay_open(command: Command, tmp_path: Path) -> None:
    pytest.importorskip("cvc5")
    sizes = "".join(f"(declare-const {name} Int)(assert (< 2 {name}))\n" for name in "abc")
    power = "(* a a a a a)", "(* b b b b b)", "(* c c c c c)"
    text = f"{HEADER} of a proof: hard\n(set-logic ALL)\n{sizes}(assert (= (+ {power[0]} {power[1]}) {power[2]}))\n"
    (tmp_path / "hard.smt2").write_text(f"{text}(check-sat)\n")
    seal(tmp_path)
    result = command("certify", str(tmp_path), "--timeout", "0.5")
    assert result.code == 3
    assert "0 of 1 confirmed, 1 not confirmed" in result.out
    assert "no answer in 0.5 s" in result.out


def test_certify_without_cvc5_says_how_to_install_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wrong.smt2").write_text(WRONG)
    seal(tmp_path)
    monkeypatch.setitem(sys.modules, "cvc5", None)
    result = command("certify", str(tmp_path))
    assert result.code == 2
    assert "cvc5 is not installed: pip install 'shapesolve[certify]'" in result.err


@pytest.mark.parametrize(
    "evil",
    [
        '(set-option :regular-output-channel "{}")',
        '(set-option :incremental true)(set-option :diagnostic-output-channel "{}")',
        '(assert true)(set-option :regular-output-channel "{}")',
        '( set-option :regular-output-channel "{}")',
        '(; a comment\nset-option :regular-output-channel "{}")',
        '(echo "x") ; "{}"',
        '(|set-option| :regular-output-channel "{}")',
        "(get-model)",
        "(exit)",
    ],
)
def test_other_commands_are_refused(command: Command, tmp_path: Path, evil: str) -> None:
    created = tmp_path / "created"
    head, _, rest = WRONG.partition("(declare-const")
    (tmp_path / "evil.smt2").write_text(f"{head}{evil.format(created)}\n(declare-const{rest}")
    seal(tmp_path)
    result = command("certify", str(tmp_path))
    assert result.code == 2
    assert "the file is not run" in result.err
    assert not created.exists()


@pytest.mark.parametrize("broken", ["(", ")", "x", "|", '"', "(check-sat) x", ""])
def test_a_certificate_that_is_no_smt_lib_is_refused(command: Command, tmp_path: Path, broken: str) -> None:
    (tmp_path / "broken.smt2").write_text(f"{HEADER} of a proof\n{broken}\n")
    seal(tmp_path)
    result = command("certify", str(tmp_path))
    assert result.code == 2
    assert "broken.smt2" in result.unwrapped


def test_a_certificate_that_cvc5_does_not_understand(command: Command, tmp_path: Path) -> None:
    pytest.importorskip("cvc5")
    (tmp_path / "odd.smt2").write_text(WRONG.replace("(not (=", "(not (nonsense"))
    seal(tmp_path)
    result = command("certify", str(tmp_path))
    assert result.code == 3
    assert "cvc5 gave up" in result.out


def _written(command: Command, safe: Path, tmp_path: Path) -> Path:
    target = tmp_path / "certificates"
    assert command("check", str(safe), "--certify", str(target), "-q").code == 0
    return target


def test_the_manifest_is_of_what_was_written(command: Command, safe: Path, tmp_path: Path) -> None:
    target = _written(command, safe, tmp_path)
    manifest = json.loads((target / MANIFEST).read_text())
    seal(target)
    assert json.loads((target / MANIFEST).read_text()) == manifest
    assert manifest["proofs"] == 4
    assert manifest["lemmas"] > 0


def _delete(path: Path) -> None:
    path.unlink()


def _empty(path: Path) -> None:
    path.write_text("")


def _comment_out(path: Path) -> None:
    path.write_text("; nothing is asked here\n")


def _weaken(path: Path) -> None:
    path.write_text(path.read_text().replace("(check-sat)", "(assert false)\n(check-sat)", 1))


def _change_line_ends(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def _copy(path: Path) -> None:
    (path.parent / "copy.smt2").write_bytes(path.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_delete, "is missing"),
        (_empty, "is changed"),
        (_comment_out, "is changed"),
        (_weaken, "is changed"),
        (_change_line_ends, "is changed"),
        (_copy, "copy.smt2 is added"),
    ],
)
@pytest.mark.parametrize("kind", ["proof", "lemmas"])
def test_altered_scripts_are_refused(
    command: Command, safe: Path, tmp_path: Path, change: Callable[[Path], None], problem: str, kind: str
) -> None:
    target = _written(command, safe, tmp_path)
    first = min(path for path in target.glob("*.smt2") if ("lemmas" in path.name) == (kind == "lemmas"))
    change(first)
    result = command("certify", str(target))
    assert result.code == 2
    assert "is not what check --certify wrote" in result.unwrapped
    assert problem in result.unwrapped
    assert (first.name if problem.startswith("is") else "copy.smt2") in result.unwrapped.replace(" ", "")
    assert "confirmed" not in result.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manifest", "problem"),
    [
        (None, "write the certificates again"),
        ("", "this is not a manifest"),
        ("[]", "this is not a manifest"),
        ("[" * 5000, "this is not a manifest"),
        ('{"format": "shapesolve-certificates", "version": 2}', "another version"),
        ('{"format": "shapesolve-certificates", "version": 1, "files": [3]}', "this is not a manifest"),
        (
            '{"format": "shapesolve-certificates", "version": 1, "proofs": 3, "lemmas": 0, "files": []}',
            "the numbers of proofs and lemmas",
        ),
    ],
)
def test_a_manifest_that_is_none(
    command: Command, safe: Path, tmp_path: Path, manifest: str | None, problem: str
) -> None:
    target = _written(command, safe, tmp_path)
    if manifest is None:
        (target / MANIFEST).unlink()
    else:
        (target / MANIFEST).write_text(manifest)
    result = command("certify", str(target))
    assert result.code == 2
    assert MANIFEST in result.unwrapped
    assert problem in result.unwrapped


ENDLESS = Path("/dev/zero")


@pytest.mark.skipif(not ENDLESS.is_char_device(), reason="needs a device without an end")
@pytest.mark.parametrize("name", ["00.smt2", MANIFEST])
def test_a_device_is_not_read(command: Command, tmp_path: Path, name: str) -> None:
    tmp_path.joinpath("00.smt2").write_text(WRONG)
    seal(tmp_path)
    tmp_path.joinpath(name).unlink()
    tmp_path.joinpath(name).symlink_to(ENDLESS)
    done = command("certify", str(tmp_path))
    assert done.code == 2
    assert name in done.err and "regular file, and this is not one: it links to /dev/zero" in done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["00.smt2", MANIFEST])
def test_a_pipe_is_not_waited_for(command: Command, tmp_path: Path, name: str) -> None:
    tmp_path.joinpath("00.smt2").write_text(WRONG)
    seal(tmp_path)
    tmp_path.joinpath(name).unlink()
    os.mkfifo(tmp_path / name)
    done = command("certify", str(tmp_path))
    assert done.code == 2
    assert name in done.err and "regular file, and this is not one" in done.err


@pytest.mark.parametrize("name", ["00.smt2", MANIFEST])
def test_a_certificate_that_is_too_large_is_not_read(command: Command, tmp_path: Path, name: str) -> None:
    tmp_path.joinpath("00.smt2").write_text(WRONG)
    seal(tmp_path)
    os.truncate(tmp_path / name, 50_000_001)
    done = command("certify", str(tmp_path))
    assert done.code == 2
    assert name in done.err and "too large" in done.err and "50,000,000 bytes" in done.err


def test_a_manifest_of_somebody_else_is_not_overwritten(command: Command, safe: Path, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("mine")
    result = command("check", str(safe), "--certify", str(tmp_path), "-q", "--force")
    assert result.code == 2
    assert (tmp_path / MANIFEST).read_text() == "mine"


@pytest.mark.parametrize("silent", ["(assert", "(check-sat)"])
def test_a_certificate_that_asserts_or_asks_nothing(command: Command, tmp_path: Path, silent: str) -> None:
    kept = [line for line in WRONG.split("\n") if not line.startswith(silent)]
    (tmp_path / "silent.smt2").write_text("\n".join(kept))
    seal(tmp_path)
    result = command("certify", str(tmp_path))
    assert result.code == 2
    assert "silent.smt2" in result.unwrapped
    assert "without asserting anything" in result.unwrapped or "asks nothing" in result.unwrapped


def _solver(tmp_path: Path, body: str) -> Path:
    program = tmp_path / "solver"
    program.write_text(f"#!{sys.executable}\nimport sys\ntext = open(sys.argv[1]).read()\n{body}\n")
    program.chmod(0o755)
    return program


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name == "nt", reason="the solver that stands in is a script")
@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("print('unsat\\n' * text.count('(check-sat)'))", 0, "4 of 4 confirmed"),
        ("print('sat')", 1, "WRONG according to it"),
        ("print('unknown')", 3, "it does not know"),
        ("pass", 3, "it said nothing that is an answer"),
        ("print('(error no)'); print('unsat')", 3, "it reports (error no)"),
        ("import time; time.sleep(60)", 3, "no answer in 0.2 s"),
    ],
)
def test_certify_by_another_solver_confirms_times_out_or_disagrees(
    command: Command, safe: Path, tmp_path: Path, body: str, code: int, words: str
) -> None:
    target = tmp_path / "certificates"
    command("check", str(safe), "--certify", str(target), "-q")
    for lemmas in target.glob("*lemmas*"):
        if code:
            lemmas.unlink()
    seal(target)
    timeout = "0.2" if "sleep" in body else "30"
    result = command("certify", str(target), "--solver", str(_solver(tmp_path, body)), "--timeout", timeout)
    assert result.code == code
    assert words in result.unwrapped


def test_a_solver_that_is_not_there(command: Command, tmp_path: Path) -> None:
    (tmp_path / "wrong.smt2").write_text(WRONG)
    seal(tmp_path)
    result = command("certify", str(tmp_path), "--solver", "no-such-solver")
    assert result.code == 2
    assert "there is no program `no-such-solver`" in result.err


@pytest.mark.parametrize(
    "identity", ["f/tensor.add.1/C1", 'a "b"/../x.1/C1', "", "..", "/etc/x", "ü" * 200, "CON", "a\x00b"]
)
def test_file_names_of_certificates_are_safe(identity: str) -> None:
    name = file_name(identity)
    assert name == Path(name).name
    assert len(name) < 120
    assert name.isascii()
    assert name.isprintable()
    assert not name.startswith((".", "-"))
    assert name.endswith(".smt2")
    assert file_name(identity + " ") != name
