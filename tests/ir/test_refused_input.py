"""Tests of errors for unusable input, and their locations."""

from __future__ import annotations

import gzip
import io
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest

from shapesolve.errors import InputError
from shapesolve.ir import bindings, input_files, reader
from shapesolve.ir.locations import SourceText, without_locations
from shapesolve.ir.reader import is_suspect, read_file, read_module, read_text


def refused(text: str, file: str = "my.mlir") -> InputError:
    with pytest.raises(InputError) as caught:
        read_text(text, file)
    return caught.value


def refused_file(path: Path | str) -> InputError:
    with pytest.raises(InputError) as caught:
        read_file(str(path))
    return caught.value


Written = Callable[[bytes], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(data: bytes) -> Path:
        path = tmp_path / "input.mlir"
        path.write_bytes(data)
        return path

    return write


# What MLIR refuses ---------------------------------------------------------------------------------------------------


def test_a_syntax_error_has_place_message_and_caret() -> None:
    error = refused("func.func @f() {\n  %a = arith.constant 1 : index ]\n  return\n}")
    assert error.where == "my.mlir:2:32"  # MLIR points behind the last token that it understood
    assert error.message.startswith("expected")
    assert error.excerpt.split("\n") == ["    %a = arith.constant 1 : index ]", "  " + " " * 31 + "^"]


def test_a_verifier_error_and_its_notes() -> None:
    error = refused("func.func @f() { return }\nfunc.func @f() { return }")
    assert error.where == "my.mlir:2:1"
    assert error.message == "redefinition of symbol named 'f'"
    assert "my.mlir:1:1: note: see existing symbol definition here\n  func.func @f() { return }\n  ^" in error.excerpt


def test_the_dump_of_the_operation_is_left_out() -> None:
    error = refused(
        "func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {\n"
        "  tosa.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>\n  return\n}"
    )
    assert error.where == "my.mlir:2:3"
    assert "broadcast" in error.message
    assert "see current operation" not in str(error)


def test_an_error_in_exported_text_points_into_the_text() -> None:
    error = refused(
        'func.func @f(%a: tensor<2xf32> loc("a.py":1:1)) -> tensor<3xf32> {\n'
        '  return %a : tensor<2xf32> loc("model.py":33:7)\n} loc("model.py":30:1)'
    )
    assert error.where == "my.mlir:2:3"
    assert "return %a" in error.excerpt


def test_tabs_keep_the_caret_in_its_column() -> None:
    error = refused("func.func @f() {\n\t\ttosa.nosuch\n\treturn\n}")
    assert error.where == "my.mlir:2:3"
    assert error.excerpt.startswith("  \t\ttosa.nosuch\n  \t\t^")


def test_a_long_line_is_clipped_around_the_caret() -> None:
    error = refused(f'func.func @f() {{ "x.y"() {{a = "{"z" * 500}"}} : () -> () tosa.nosuch {" " * 400} return }}')
    shown, caret = error.excerpt.split("\n")[:2]
    assert len(shown) < 175
    assert shown.startswith("  ...")
    assert shown.endswith("...")
    assert shown[caret.index("^") :].startswith("tosa.nosuch")


def test_a_caret_at_the_end_and_beyond() -> None:
    source = SourceText("abc\n")
    assert source.excerpt(1, 4) == "  abc\n     ^"
    assert source.excerpt(1, 99) == "  abc\n     ^"
    assert source.excerpt(2, 1) == "  \n  ^"
    assert source.excerpt(7, 1) == ""


def test_columns_count_characters_in_errors() -> None:
    line = '  "x.y"() {e = "éé"} : () -> () tosa.nosuch'
    error = refused(f"func.func @f() {{\n{line}\n}}")
    assert error.where == f"my.mlir:2:{line.index('tosa') + 1}"
    shown, caret = error.excerpt.split("\n")[:2]
    assert shown[caret.index("^") :] == "tosa.nosuch"


def test_control_characters_do_not_reach_the_terminal() -> None:
    error = refused("func.func @f() {\n  \x1b[31m tosa.nosuch\n}")
    assert "\x1b" not in str(error)


def test_a_giant_message_is_cut() -> None:
    error = refused("x" * 100_000)
    assert len(error.message) < 1000
    assert error.where == "my.mlir:1:1"


def test_nothing_of_mlir_reaches_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    refused("func.func @f() { tosa.nosuch }")
    refused("func.func @f() -> index { return }")
    read_text("func.func @f() { return }")
    assert capfd.readouterr() == ("", "")


# Old spellings -------------------------------------------------------------------------------------------------------

ARGUMENTS = "%t: tensor<?xf32>, %u: tensor<?xf32>, %i: index, %c: i1, %s: !shape.shape, %z: !shape.size"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ('assert %c, "m"', "`cf.assert`"),
        ("%d = dim %t, %i : tensor<?xf32>", "`tensor.dim or memref.dim`"),
        ("%d = constant 3 : index", "`arith.constant`"),
        ("%d = std.constant 3 : index", "`arith.constant`"),
        ("%d = addf %t, %u : tensor<?xf32>", "`arith.addf`"),
        ("br ^bb1", "`cf.br`"),
        ("%d = linalg.init_tensor [%i] : tensor<?xf32>", "`tensor.empty`"),
        ("%d = tosa.div %t, %u : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>", "`tosa.intdiv`"),
        ('%d = "tosa.int_div"(%t, %u) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>', "`tosa.intdiv`"),
        (
            '%d = "tosa.mul"(%t, %u) {shift = -1 : i8} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>',
            "third operand",
        ),
        ('%d = "tosa.reduce_prod"(%t) {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>', "`tosa.reduce_product`"),
        ('%d = "tosa.reduce_sum"(%t) {axis = 0 : i64} : (tensor<?xf32>) -> tensor<1xf32>', "i32 today"),
        ('%d = "tosa.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>', "{values = ...}"),
        ('%d = "tosa.reshape"(%t) {new_shape = array<i32: 1>} : (tensor<?xf32>) -> tensor<1xf32>', "!tosa.shape<n>"),
        ("%d = tensor.expand_shape %t [[0, 1]] : tensor<?xf32> into tensor<?x4xf32>", "output_shape ["),
        ("%d = shape.join %s, %s : tensor<?xindex>", "`shape.meet`"),
        ("%d = shape.get_extent %s, -1", "shape.get_extent %shape, %i"),
        ("%d = shape.shape_of %t : !shape.shape", "-> tensor<1xindex>"),
        ("%d = shape.cstr_broadcastable %s, %t", ": tensor<?xindex>, tensor<?xindex>"),
        ("%d = shape.const_shape [-1, 2]", ": tensor<2xindex>"),
        ('"x.y"() : () -> !shape.element_type', "are gone"),
        ("%d = mhlo.add %t, %u : tensor<?xf32>", "StableHLO"),
        ("%d = my.op %t : tensor<?xf32>", '"my.op"(...) : (...) -> (...)'),
    ],
)
def test_an_old_spelling_gets_a_hint(line: str, hint: str) -> None:
    error = refused(f"func.func @f({ARGUMENTS}) {{\n  {line}\n  return\n}}")
    assert error.where.startswith("my.mlir:2:")
    (said,) = [each for each in error.excerpt.split("\n") if each.startswith("hint: ")]
    assert hint in said


def test_func_without_its_dialect() -> None:
    error = refused("func @f() { func.return %x }")
    assert "hint: `func` is spelled `func.func` today" in error.excerpt


def test_several_inputs_in_one_file() -> None:
    error = refused("func.func @f() { return }\n// -----\nfunc.func @f() { return }")
    assert "hint: `// -----` separates" in error.excerpt


def test_aliases_of_two_inputs_in_one_file() -> None:
    part = "#map = affine_map<(d0) -> (d0)>\nfunc.func @NAME() { return }\n"
    error = refused(part.replace("NAME", "f") + "// -----\n" + part.replace("NAME", "g"))
    assert "hint: `// -----` separates" in error.excerpt


def test_output_of_several_passes() -> None:
    dump = "// -----// IR Dump After Canonicalizer (canonicalize) //----- //\nfunc.func @f() { return }\n"
    assert "hint: this is what --mlir-print-ir-after-all prints" in refused(dump * 2).excerpt


def test_a_sound_error_has_no_hint() -> None:
    assert "hint" not in refused("func.func @f() {\n  return %x : index\n}").excerpt
    assert "hint" not in refused("func.func @f() {\n  tosa.nosuch\n}").excerpt


def test_the_generic_old_join_reads_with_a_note() -> None:
    program = read_text(
        'func.func @f(%s: !shape.shape) { "shape.join"(%s, %s) : (!shape.shape, !shape.shape) -> !shape.shape return }'
    )
    assert any("shape.meet" in note for note in program.notes)


def test_a_torch_module_reads_with_the_shapes_of_its_tensors() -> None:
    program = read_text(
        "func.func @f(%a: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {\n"
        "  %0 = torch.aten.relu %a : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>\n"
        "  return %0 : !torch.vtensor<[?],f32>\n}"
    )
    assert str(program.functions["f"].arguments[0].type) == "tensor<?xf32>"
    assert not program.notes
    assert not read_text("func.func @f() { return }").notes


# Files ---------------------------------------------------------------------------------------------------------------


def test_missing_directory_and_impossible_paths(tmp_path: Path) -> None:
    assert str(refused_file(tmp_path / "no.mlir")) == f"{tmp_path / 'no.mlir'}: there is no such file"
    assert "is a directory" in refused_file(tmp_path).message
    assert "null byte" in refused_file("a\0b").message


def test_permission_denied_by_the_system(monkeypatch: pytest.MonkeyPatch, written: Written) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = written(b"")
    monkeypatch.setattr(Path, "open", denied)
    assert "permission to read it is denied" in refused_file(path).message


@pytest.mark.parametrize(("data", "word"), [(b"", "empty"), (b" \n\t\n", "blank"), (b"\xef\xbb\xbf", "empty")])
def test_an_empty_file_is_refused(written: Written, data: bytes, word: str) -> None:
    assert refused_file(written(data)).message == f"the file is {word}"


@pytest.mark.parametrize(
    "text",
    [
        "module {}",
        "// only a comment",
        "#map = affine_map<(d0) -> (d0)>",
    ],
)
def test_a_module_without_functions(text: str) -> None:
    assert "has no function" in refused(text).message


@pytest.mark.parametrize(
    "text",
    [
        "llvm.func @f(%p: !llvm.ptr) { llvm.return }",
        "llvm.func @f(i32) -> i32",
        "llvm.func @f(%x: !llvm.struct<(i32, i32)>) -> !llvm.struct<(i32, i32)> {\n"
        "  llvm.return %x : !llvm.struct<(i32, i32)>\n}",
    ],
)
def test_functions_of_the_llvm_dialect_that_are_not_read(text: str) -> None:
    message = refused(text).message
    assert message.startswith("this module has no function but llvm.func")
    assert "pointers (buffers)" in message
    assert "structures (several results)" in message


def test_a_file_over_the_limit(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "LARGEST_FILE", 2**20)
    assert "larger than 1 MB" in refused_file(written(b"/" * (2**20 + 1))).message


def test_bytes_that_are_not_utf8(written: Written) -> None:
    error = refused_file(written(b"// \xc3\xa9t\xc3\xa9\n// caf\xe9\n"))
    assert error.where.endswith("input.mlir:2:7")
    assert "0xe9" in error.message


def test_a_byte_order_mark_and_utf16(written: Written) -> None:
    text = "func.func @f() {\n  return\n}\n"
    assert str(read_file(str(written(b"\xef\xbb\xbf" + text.encode()))).functions["f"].location).endswith(":1:1")
    program = read_file(str(written(text.encode("utf-16"))))
    assert any("UTF-16" in note for note in program.notes)
    assert "not" in refused_file(written(b"\xff\xfea")).message


def zipped(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, "x")
    return stream.getvalue()


def saved() -> bytes:
    stream = io.BytesIO()
    numpy.save(stream, numpy.zeros(3))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zipped("archive/data.pkl"), ["PyTorch file", "export_and_import"]),
        (zipped("notes.txt"), ["zip archive"]),
        (pickle.dumps({"weight": 1}), ["pickle"]),
        (gzip.compress(b"module {}"), ["gzip"]),
        (saved(), ["NumPy"]),
        (b"\x08\x07\x12\x07pytorch\x1a\x052.1.0:\x90\x01", ["ONNX", "import-onnx"]),
        (b"\x1c\x00\x00\x00TFL3\x00\x00", ["TensorFlow Lite"]),
        (b"BC\xc0\xde\x35\x14", ["LLVM bitcode"]),
        (b"\x7fELF\x02\x01", ["compiled program"]),
        (b"\x00\x01\x02\x03" * 100, ["neither MLIR text nor MLIR bytecode"]),
        (b"import torch\n\nclass Model(torch.nn.Module):\n    pass\n", ["Python", "export_and_import", "jax.export"]),
        (b'{\n  "model": [1]\n}', ["JSON"]),
        (b"[1, 2]", ["JSON"]),
        (b"; ModuleID = 'a'\ntarget triple = \"x\"\ndefine i32 @f() {\n  ret i32 0\n}\n", ["LLVM IR"]),
        (b"HloModule jit_f\n\nENTRY main {\n}\n", ["HLO text"]),
        (b"graph(%self : int):\n  return (%self)\n", ["PyTorch graph"]),
        (b"<!DOCTYPE html>\n<html></html>", ["HTML"]),
        (b"version https://git-lfs.github.com/spec/v1\n", ["Git LFS"]),
    ],
    ids=lambda value: "file" if isinstance(value, bytes) else value[0],  # some of the bytes hold the time of day
)
def test_another_kind_of_file(written: Written, data: bytes, words: list[str]) -> None:
    error = refused_file(written(data))
    assert error.message.startswith("this ")
    assert all(word in error.message for word in words)


def test_mlir_that_mentions_other_languages_is_read() -> None:
    read_text('// import torch\n// def f():\nfunc.func @f() attributes {s = "HloModule"} { return }')


BYTECODE_TEXT = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }"


def bytecode() -> bytes:
    stream = io.BytesIO()
    with bindings.new_context():
        bindings.ir().Module.parse(BYTECODE_TEXT).operation.write_bytecode(stream)
    return stream.getvalue()


@pytest.mark.process
@pytest.mark.parametrize("kept", [4, 0.5, -1])
def test_truncated_bytecode_is_refused_with_its_file(
    written: Written, kept: float, capfd: pytest.CaptureFixture[str]
) -> None:
    data = bytecode()
    error = refused_file(written(data[: int(kept if kept != 0.5 else len(data) / 2)]))
    assert error.message
    assert "input.mlir" in error.where
    assert capfd.readouterr() == ("", "")


def test_bytecode_that_crashes_the_reader_is_refused(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(_: bytes) -> bool:
        return False

    monkeypatch.setattr(reader, "survives", dies)
    assert "MLIR crashes on this bytecode" in refused_file(written(bytecode())).message


UNBOUND = """func.func @main(%x: !torch.vtensor<[?],f32>, %n: !torch.int) {
  torch.bind_symbolic_shape %x, [%n], affine_map<()[s0] -> (s0 + 1)> : !torch.vtensor<[?],f32>
  return
}"""


@pytest.mark.process
def test_a_shape_bound_to_no_symbol_does_not_end_the_process() -> None:
    assert "torch.symbolic_int" in refused(UNBOUND).message


@pytest.mark.parametrize(
    ("text", "suspect"),
    [
        (UNBOUND, True),
        ('"torch.bind_symbolic_shape"(%x, %n) : () -> ()', True),
        ('%n = torch.symbolic_int "s0"\ntorch.bind_symbolic_shape %x, [%n], affine_map<()[s0] -> (s0)>', False),
        ('%n = torch.symbolic_int "s0"\ntorch.bind_symbolic_shape %x, [%m], affine_map<()[s0] -> (s0)>', True),
        ("torch.bind_symbolic_shape %x, [], affine_map<() -> (2)>", False),
        ("func.func @f() { return }", False),
    ],
)
def test_only_suspect_text_is_tried_first(text: str, suspect: bool) -> None:
    assert is_suspect(text) is suspect


# Input that would end the process or run forever -----------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "func.func @f(%c: i1) {" + "scf.if %c {" * 20_000 + "}" * 20_000 + "return }",
        '"x.y"() {a = ' + "[" * 50_000 + "]" * 50_000 + "} : () -> ()",
        '"x.y"() {a = ' + "tuple<" * 200_000 + "i1" + ">" * 200_000 + "} : () -> ()",
        '"x.y"() : () -> () loc(' + "fused[" * 200_000 + '"a"' + "]" * 200_000 + ")",
        "(" * 1_000_000,
    ],
)
def test_brackets_nested_too_deep(text: str) -> None:
    assert refused(text).message == "brackets are nested more than 500 deep"


@pytest.mark.parametrize("blob", ["0x0000000000", "0x00000000" + "ab" * 4000])
def test_a_resource_aligned_to_0_ends_no_process(blob: str) -> None:
    text = f'func.func @f() {{ return }}\n{{-# dialect_resources: {{ builtin: {{ x: "{blob}" }} }} #-}}\n'
    error = refused(text)
    assert "the alignment of a resource, its first 4 bytes, is 0" in error.message
    assert error.where == f"my.mlir:2:{text.splitlines()[1].index(blob)}"
    assert read_text(text.replace("0x00000000", "0x04000000")).functions


def test_only_a_long_decimal_number_is_refused() -> None:
    def constant(value: str, type_: str) -> str:
        return f"func.func @f() {{\n  %0 = arith.constant {value} : {type_}\n  return\n}}\n"

    error = refused(constant("9" * 20_000, "i64"))
    assert (error.message, error.where) == ("a number has more than 5,000 digits", "my.mlir:2:23")
    zeros = constant('dense<"0x' + "00" * 3000 + '">', "tensor<3000xi8>")
    assert read_text(zeros).functions
    assert read_text(f'// resource: "0x0000000000"\n{zeros}').functions


def test_a_type_that_doubles_with_each_alias_is_not_printed_in_full() -> None:
    doubling = "".join(f"!t{level + 1} = tuple<!t{level}, !t{level}>\n" for level in range(60))
    program = read_text(f'!t0 = tuple<i1, i1>\n{doubling}func.func @f() {{ "x.y"() {{a = !t60}} : () -> () return }}')
    operation = next(op for op in program.operation.walk() if op.name == "x.y")
    assert len(str(operation.attributes["a"])) < 1000


def test_regions_nested_too_deep() -> None:
    def nested(depth: int) -> str:
        return "func.func @f(%c: i1) {" + "scf.if %c {" * depth + "}" * depth + "return }"

    assert read_text(nested(120)).functions
    assert "regions are nested more than 128 deep" in refused(nested(140)).message


@pytest.mark.exhaustive
@pytest.mark.parametrize("piece", ["x", "foo bar\n", '"', "%"])
def test_fifty_megabytes_of_garbage(piece: str) -> None:
    assert refused(piece * (50_000_000 // len(piece))).where == "my.mlir:1:1"


# The rest ------------------------------------------------------------------------------------------------------------


def test_a_live_module_that_does_not_verify(capfd: pytest.CaptureFixture[str]) -> None:
    ir = bindings.ir()
    with bindings.new_context():
        module = ir.Module.parse("func.func @f(%a: index) -> index { return %a : index }")
        block = module.body.operations[0].regions[0].blocks[0]
        block.operations[0].operation.erase()
    with pytest.raises(InputError, match="live"):
        read_module(module, "live")
    assert capfd.readouterr() == ("", "")


def test_blanking_moves_nothing() -> None:
    text = '#l = loc("a":1:2)\nx loc(#l) "loc(" // loc(\ny loc(fused["(", "b":1:2\n]) z = loc("q") [loc("r")]'
    blanked = without_locations(text)
    assert blanked is not None
    assert len(blanked) == len(text)
    assert blanked.split() == [
        "#l",
        "=",
        'loc("a":1:2)',
        "x",
        '"loc("',
        "//",
        "loc(",
        "y",
        "z",
        "=",
        'loc("q")',
        '[loc("r")]',
    ]
    assert [at for at, each in enumerate(blanked) if each == "\n"] == [
        at for at, each in enumerate(text) if each == "\n"
    ]
    assert without_locations("nothing here") is None
    assert without_locations("x loc(") is None


@pytest.mark.parametrize("name", ["%loc", "@loc", "#loc", "x.loc", "my-loc", "1loc"])
def test_a_name_that_ends_like_a_location_is_none(name: str) -> None:
    assert without_locations(f"y {name}(#a)") is None
    assert without_locations(f"y {name}(#a) loc(#b)") == f"y {name}(#a) {' ' * 7}"


def test_standard_input_is_read_as_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    class Standard:
        buffer = io.BytesIO(b"func.func @f() {\n  return\n}")

    monkeypatch.setattr("sys.stdin", Standard())
    assert str(read_file("-").functions["f"].location) == "<stdin>:1:1"
