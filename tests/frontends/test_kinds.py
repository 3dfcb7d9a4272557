"""Tests of recognized kinds of sources, and of errors for missing or broken files and missing packages."""

from __future__ import annotations

import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.frontends import open
from shapesolve.frontends.export_process import LONGEST, last_words, message_of, one_line
from shapesolve.frontends.open import Kind, Model, model_in


def refusal(source: str) -> str:
    with pytest.raises(InputError) as caught:
        model_in(source)
    return str(caught.value)


def archive(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(name, "{}")
    return path


def without(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    def found(name: str) -> object:
        return None if name == package else find_spec(name)

    monkeypatch.setattr(open, "find_spec", found)


def test_mlir_goes_through_no_door(tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_text("func.func @f() { return }")
    assert model_in(str(path)) is None
    assert model_in("-") is None
    assert model_in(str(tmp_path / "missing.mlir")) is None  # the reader has the words for it


def test_a_function_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a model.py"
    path.write_text("def make(): ...")
    assert model_in(f"{path}:make") == Model(Kind.CALLABLE, str(path), "make")
    assert model_in("package.module:Class.make") == Model(Kind.CALLABLE, "package.module", "Class.make")


def test_a_file_whose_name_looks_like_a_function_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a:b").write_text("func.func @f() { return }")
    assert model_in("a:b") is None


def test_python_without_a_function(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("import torch")
    assert (
        refusal(str(path))
        == f"{path}: this is Python: say which function in it makes the model, as in {path}:make_model"
    )
    assert refusal(f"{tmp_path}/gone.py:make") == f"{tmp_path}/gone.py: there is no such file"


def test_the_only_function_that_makes_a_model_need_not_be_named(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("def make():\n    return None, ()\n\ndef helper(x):\n    return x\n")
    assert model_in(str(path)) == Model(Kind.CALLABLE, str(path), "make")


def test_one_of_several_functions_that_make_a_model_must_be_named(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("def small():\n    return None, ()\n\ndef large():\n    return None, ()\n")
    assert refusal(str(path)) == f"{path}: several models are in it: name one, {path}:small or {path}:large"


@pytest.mark.parametrize("suffix", ["pt2", "onnx"])
def test_an_empty_model_file_is_refused_by_name(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"model.{suffix}"
    path.write_bytes(b"")
    assert refusal(str(path)) == f"{path}: the file is empty"


def test_a_truncated_archive_is_refused(tmp_path: Path) -> None:
    whole = archive(tmp_path / "whole.zip", *(f"m/models/part{number}.json" for number in range(20))).read_bytes()
    path = tmp_path / "half.pt2"
    path.write_bytes(whole[: len(whole) // 2])
    assert "only half of one: write it again" in refusal(str(path))


def test_an_archive_of_something_else(tmp_path: Path) -> None:
    assert "holds no exported program" in refusal(str(archive(tmp_path / "weights.pt2", "archive/data.pkl")))


@pytest.mark.parametrize(
    ("package", "words", "name"), [("torch", "PyTorch", "model.pt2"), ("onnx", "the onnx package", "model.onnx")]
)
def test_missing_packages_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, words: str, name: str
) -> None:
    without(monkeypatch, package)
    path = archive(tmp_path / name, "m/models/model.json")
    assert refusal(str(path)) == f"{words} is not installed, which this needs: pip install 'shapesolve[{package}]'"


def test_jax_exports_are_known_by_their_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "jax")
    path = tmp_path / "model.bin"
    path.write_bytes(b"\x00" * 48 + b"ML\xefR\x0dStableHLO_v1.10.0\x00" + b"\x00" * 48)
    assert refusal(str(path)) == "JAX is not installed, which this needs: pip install 'shapesolve[jax]'"
    path.write_bytes(b"ML\xefR\x0dStableHLO_v1.10.0\x00")  # a portable artifact, which MLIR reads
    assert model_in(str(path)) is None


def test_a_level_is_for_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mlir"
    path.write_text("func.func @f() { return }")
    assert main(["check", "--level", "tosa", str(path)]) == 2
    assert "is MLIR, which is checked as it stands" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "explain", "contract"])
def test_inputs_of_a_program_that_has_its_own_are_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.mlir").write_text("func.func @f(%x: tensor<?xf32>) {\n  return\n}\n")
    assert main([command, str(tmp_path / "f.mlir"), "--inputs", "x=f32[N]"]) == 2
    assert "--inputs: a program has its own inputs" in capsys.readouterr().err


@pytest.mark.process
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def make(): return 1 +", "this is no valid Python"),
        ("import a_package_that_nobody_has", "which is not installed"),
        ("def other(): ...", "there is no `make` in it; it has: other"),
        ("def make():\n    raise ValueError('odd')", "model.py:2: it raises ValueError: odd"),
        ("def make():\n    raise KeyboardInterrupt", "model.py:2: it was interrupted"),
        ("def make():\n    raise MemoryError", "model.py:2: it raises MemoryError"),
        ("def make():\n    return make()", "model.py:2: it raises RecursionError: maximum recursion depth exceeded"),
        ("def make(left):\n    return left", "it raises TypeError: make() missing 1 required positional argument"),
        ("\0", "this is no valid Python: source code string cannot contain null bytes"),
        ("def make():\n    raise SystemExit(4)", "it ends the process (exit code 4) instead of making a model"),
        ("import os\ndef make():\n    os._exit(3)", "the process that exports the model ended with exit code 3"),
        (
            "def make():\n    print('{}')\n    return 3",
            "this returns something of the type int; a model of PyTorch is (module, ",
        ),
    ],
)
def test_errors_in_a_users_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str, words: str) -> None:
    path = tmp_path / "model.py"
    path.write_text(code)
    assert main(["check", f"{path}:make"]) == 2
    result = capsys.readouterr()
    assert words in " ".join(result.err.split())
    assert "Traceback" not in result.err + result.out


def test_mlir_has_no_original(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mlir"
    path.write_text("func.func @f() { return }")
    assert main(["check", "--execute-original", str(path)]) == 2
    assert "is no model of PyTorch, JAX or ONNX" in capsys.readouterr().err


def test_the_words_of_others_are_one_line_without_advice() -> None:
    refused = "Constraints violated (H)!\n  - H is 3\nThe error above occurred when calling torch.export.export. If"
    assert one_line(refused) == "Constraints violated (H)! - H is 3"
    refused = (
        'violated (N)! For more information, run with TORCH_LOGS="+dynamic".\n  - N <= 5\nSuggested fixes:\n  N = 5\n'
    )
    assert one_line(refused) == "violated (N)! - N <= 5 Suggested fixes: N = 5"
    refused = "cannot guard on u0 > 5\n\nFor extended logs add A\nFor C++ stack trace, run with B\n\nThe call:\n  if x"
    assert one_line(refused) == "cannot guard on u0 > 5 The call: if x"
    assert message_of(MemoryError()) == "MemoryError"
    long = one_line("word " * 1000)
    assert len(long) <= LONGEST + 4
    assert long.endswith("word ...")


def test_the_last_words_of_a_process() -> None:
    traceback = 'a warning\nTraceback (most recent call last):\n  File "a.py", line 1\n    ^^\nKeyboardInterrupt\n\n'
    assert last_words(traceback) == "KeyboardInterrupt"
    assert last_words("Killed\n") == "Killed"
    assert not last_words("\n")
