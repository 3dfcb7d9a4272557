"""Structure, names and places of a program that was read."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from shapesolve.ir import bindings
from shapesolve.ir.program import Operation, Program, ShapedType, Value
from shapesolve.ir.reader import read_file, read_module, read_text

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))

TEXT = """// a comment
func.func @pair(%left: tensor<?xf32>, %right: tensor<?xf32>,
                %choice: i1) -> tensor<?xf32> {
  %both:2, %third = "any.op"(%left) : (tensor<?xf32>) -> (tensor<?xf32>, index, i32)
  %sum = tosa.add %both#0, %right : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  cf.cond_br %choice, ^then(%sum : tensor<?xf32>), ^otherwise
^then(%carried: tensor<?xf32>):
  %zero = arith.constant 0 : index
  %looped = scf.for %i = %zero to %both#1 step %both#1 iter_args(%acc = %carried) -> (tensor<?xf32>) {
    scf.yield %acc : tensor<?xf32>
  }
  return %looped : tensor<?xf32>
^otherwise:
  return %right : tensor<?xf32>
}
"""


def named(program: Program, name: str) -> Operation:
    return next(op for op in program.operation.walk() if op.name == name)


def names(values: tuple[Value, ...]) -> list[str]:
    return [value.name for value in values]


def test_names_are_those_of_the_author() -> None:
    program = read_text(TEXT)
    assert names(program.functions["pair"].arguments) == ["%left", "%right", "%choice"]
    assert names(named(program, "any.op").results) == ["%both#0", "%both#1", "%third"]
    assert names(named(program, "tosa.add").operands) == ["%both#0", "%right"]
    loop = named(program, "scf.for")
    assert names(loop.results) == ["%looped"]
    assert names(loop.regions[0].blocks[0].arguments) == ["%i", "%acc"]
    body = program.functions["pair"].body
    assert body is not None
    assert [names(block.arguments) for block in body.blocks][1:] == [["%carried"], []]


@pytest.mark.parametrize(
    "written",
    [
        "%a = arith.constant 1 : index",
        "%a  =  arith.constant 1 : index",
        "%a =\n    arith.constant 1 : index",
        '%s, %a = "x.y"() : () -> (index, index)',
        '%s:2, %a = "x.y"() : () -> (i1, i1, index)',
        f"{' ' * 900}%a = arith.constant 1 : index",
        "%z = arith.constant 2 : index %a = arith.constant 1 : index",
        '"e.e"() {e = "é"} : () -> () %a = arith.constant 1 : index',
    ],
)
def test_a_name_is_found_however_it_is_laid_out(written: str) -> None:
    program = read_text(f"func.func @f() -> index {{ {written}\n  return %a : index }}")
    assert names(named(program, "func.return").operands) == ["%a"]


def test_values_without_a_name_keep_their_printed_names() -> None:
    text = """func.func @f(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %product = linalg.matmul ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
        outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %product : tensor<?x?xf32> }"""
    product = named(read_text(text), "linalg.matmul")
    assert names(product.results) == ["%product"]
    inner = product.regions[0].blocks[0]
    assert "%product" not in [name for op in inner.operations for name in names(op.results)]
    assert all(name.startswith("%") for op in inner.operations for name in names(op.results))


def test_uses_numbers_and_identity() -> None:
    program = read_text(TEXT)
    left, right, _ = program.functions["pair"].arguments
    assert (left.uses, right.uses) == (1, 2)
    assert named(program, "any.op").operands[0] is left
    numbers = [op.number for op in program.operation.walk()]
    assert numbers == list(range(len(numbers)))
    assert numbers == [op.number for op in read_text(TEXT).operation.walk()]


def test_numbers_follow_the_walk_of_mlir() -> None:
    ir = bindings.ir()
    found: list[str] = []
    with bindings.new_context():
        module = ir.Module.parse(TEXT)

    def visit(operation: bindings.Bindings) -> bindings.Bindings:
        found.append(operation.name)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    assert found == [op.name for op in read_text(TEXT).operation.walk()]


def test_successors_are_blocks_of_the_region() -> None:
    program = read_text(TEXT)
    body = program.functions["pair"].body
    assert body is not None
    branch = named(program, "cf.cond_br")
    assert branch.successors[0] is body.blocks[1]
    assert branch.successors[1] is body.blocks[2]
    assert body.blocks[1].operations[-1].name == "func.return"


def test_a_block_written_before_the_one_that_dominates_it() -> None:
    program = read_text(
        "func.func @f() -> index {\n  cf.br ^late\n^early:\n  return %n : index\n"
        "^late:\n  %n = arith.constant 3 : index\n  cf.br ^early\n}"
    )
    (used,) = named(program, "func.return").operands
    assert used is named(program, "arith.constant").results[0]
    assert (used.name, used.uses) == ("%n", 1)


def test_types_of_values() -> None:
    function = read_text(TEXT).functions["pair"]
    first = function.arguments[0].type
    assert isinstance(first, ShapedType)
    assert first.extents == (None,)
    assert [str(each) for each in function.result_types] == ["tensor<?xf32>"]


# Places ----------------------------------------------------------------------------------------------------------


def test_places_are_those_in_the_text() -> None:
    program = read_text(TEXT, "my.mlir")
    place = named(program, "tosa.add").location
    assert (place.file, place.line, place.column) == ("my.mlir", 5, 10)
    assert TEXT.split("\n")[place.line - 1].startswith("  %sum = tosa.add")
    assert str(program.functions["pair"].location) == "my.mlir:2:1"


EXPORTED = """#loc = loc("model.py":10:4)
#loc1 = loc("model.py":11:8)
#loc2 = loc("forward"(#loc1))
module {
  func.func @f(%x: tensor<?xf32> loc("x")) -> tensor<?xf32> {
    // loc("not me"
    %y = tosa.abs %x {note = "loc(\\")"} : (tensor<?xf32>) -> tensor<?xf32> loc(#loc2)
    %z = tosa.exp %y : (tensor<?xf32>) -> tensor<?xf32> loc(callsite("a"("b.py":1:2) at "c.py":3:4))
    %w = tosa.log %z : (tensor<?xf32>) -> tensor<?xf32> loc(fused["q", "d.py":5:6])
    %v = tosa.ceil %w : (tensor<?xf32>) -> tensor<?xf32> loc(unknown)
    return %v : tensor<?xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
"""


def test_an_exporters_location_is_the_origin_and_the_place_stays_in_the_text() -> None:
    program = read_text(EXPORTED, "my.mlir")
    found = {op.name: (str(op.location), str(op.origin)) for op in program.operation.walk()}
    assert found["tosa.abs"] == ("my.mlir:7:10", "model.py:11:8 in forward")
    assert found["tosa.exp"] == ("my.mlir:8:10", "b.py:1:2 in a")
    assert found["tosa.log"] == ("my.mlir:9:10", "d.py:5:6 in q")
    assert found["tosa.ceil"] == ("my.mlir:10:10", "None")
    assert found["func.return"] == ("my.mlir:11:5", "model.py:10:4")
    assert names(program.functions["f"].arguments) == ["%x"]
    assert names(named(program, "tosa.abs").results) == ["%y"]
    assert named(program, "tosa.abs").attributes["note"] == 'loc(")'
    assert program.text == EXPORTED


def test_a_location_that_is_an_attribute_is_left_alone() -> None:
    line = '"x.y"() {at = loc("a.py":1:2), n = [loc("b.py":3:4)]} : () -> () loc("c.py":5:6)'
    text = f"func.func @f() {{\n  {line}\n  return\n}}"
    operation = named(read_text(text, "my.mlir"), "x.y")
    assert set(operation.attributes) == {"at", "n"}
    assert str(operation.location) == "my.mlir:2:3"
    assert str(operation.origin) == "c.py:5:6"


def test_columns_count_characters() -> None:
    text = 'func.func @f() {\n  "x.y"() {e = "ééé"} : () -> () %n = arith.constant 1 : index\n  return\n}'
    constant = named(read_text(text), "arith.constant")
    assert text.split("\n")[1][constant.location.column - 1 :].startswith("arith.constant")
    assert names(constant.results) == ["%n"]


def test_line_ends_are_counted_as_mlir_counts_them() -> None:
    comment = "// form feed \x0c and \u2028 end no line"
    text = f"func.func @f() {{\r\n  {comment}\r\n  %n = arith.constant 1 : index\r\n  return\r\n}}"
    program = read_text(text, "my.mlir")
    constant = named(program, "arith.constant")
    assert str(constant.location) == "my.mlir:3:8"


# Functions -------------------------------------------------------------------------------------------------------


def test_functions_of_nested_modules_and_libraries() -> None:
    program = read_text("""
      module { func.func @f() { return }  func.func @only() { return } }
      module @inner { func.func @f() { return } }
      func.func @f() { return }
      func.func private @outside(tensor<?xf32>, index) -> index
      shape.function_library @lib {
        func @grow(%s: !shape.shape) -> !shape.shape { return %s : !shape.shape }
      } mapping {}
    """)
    assert set(program.functions) == {"module1::@f", "module1::@only", "inner::@f", "f", "outside", "lib::@grow"}
    assert program.functions["inner::@f"].name == "inner::@f"
    outside = program.functions["outside"]
    assert outside.body is None
    assert [str(argument.type) for argument in outside.arguments] == ["tensor<?xf32>", "index"]
    assert program.functions["lib::@grow"].operation.name == "shape.func"
    assert names(program.functions["lib::@grow"].arguments) == ["%s"]


def test_attributes_of_arguments_are_read_by_position() -> None:
    function = read_text('func.func @f(%a: index, %b: index {x.y = "z"}) { return }').functions["f"]
    assert [dict(each) for each in function.argument_attributes] == [{}, {"x.y": "z"}]


# Other ways in ---------------------------------------------------------------------------------------------------


def shape_of(program: Program) -> list[tuple[object, ...]]:
    return [
        (op.name, op.attributes, [str(value.type) for value in op.results], len(op.regions), op.number)
        for op in program.operation.walk()
    ]


@pytest.mark.process
def test_bytecode_reads_as_its_text(tmp_path: Path) -> None:
    ir = bindings.ir()
    with bindings.new_context():
        module = ir.Module.parse(TEXT)
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    path = tmp_path / "m.mlirbc"
    path.write_bytes(stream.getvalue())
    program = read_file(str(path))
    assert shape_of(program) == shape_of(read_text(TEXT))
    assert program.text is None


@pytest.mark.process
def test_a_portable_artifact_of_stablehlo(tmp_path: Path) -> None:
    ir, stablehlo = bindings.ir(), bindings.stablehlo()
    with bindings.new_context():
        module = ir.Module.parse(
            "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
            "  %0 = stablehlo.add %a, %a : tensor<?xf32>\n  return %0 : tensor<?xf32> }"
        )
        artifact = stablehlo.serialize_portable_artifact(module, stablehlo.get_current_version())
    path = tmp_path / "exported.bin"
    path.write_bytes(artifact)
    assert str(named(read_file(str(path)), "stablehlo.add").results[0].type) == "tensor<?xf32>"


def test_a_live_module_reads_as_its_text() -> None:
    ir = bindings.ir()
    with bindings.new_context():
        module = ir.Module.parse(TEXT)
    program = read_module(module, "live")
    assert shape_of(program) == shape_of(read_text(TEXT))
    assert names(named(program, "func.func").regions[0].blocks[0].arguments) == ["%arg0", "%arg1", "%arg2"]
    assert names(named(program, "any.op").results) == ["%0#0", "%0#1", "%0#2"]
    assert str(module).count("tosa.add") == 1


def test_a_module_of_other_bindings_is_read_by_its_print() -> None:
    class Foreign:
        def __str__(self) -> str:
            return TEXT

    assert shape_of(read_module(Foreign())) == shape_of(read_text(TEXT))


def test_unregistered_operations_are_read() -> None:
    operation = named(read_text('func.func @f() { %a = "no.such"() : () -> !no.type return }'), "no.such")
    assert str(operation.results[0].type) == "!no.type"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_reads(path: Path) -> None:
    program = read_file(str(path))
    assert program.functions
    assert all(op.location.file == str(path) and op.location.line for op in program.operation.walk() if op.number)


DIALECT_CLASSES = """
import sys
from shapesolve.ir import bindings
from shapesolve.ir.reader import read_module, read_text
text = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> { %0 = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32> "
text += "return %0 : tensor<?xf32> }"
ours = read_text(text)
print(any(name.startswith("torch_mlir.dialects") for name in sys.modules))
with bindings.new_context():
    module = bindings.ir().Module.parse(text)
    theirs = read_module(module)
    print([str(op.name) for op in theirs.operation.walk()] == [str(op.name) for op in ours.operation.walk()])
    print(type(module.body.operations[0].regions[0].blocks[0].operations[0]).__name__)
"""


@pytest.mark.process
def test_classes_of_dialects_are_not_imported_but_stay_there_for_who_uses_them() -> None:
    done = subprocess.run([sys.executable, "-c", DIALECT_CLASSES], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "AbsOp"]


def test_tm_tensor_is_read_in_its_own_spelling() -> None:
    """torch-mlir's lowering to linalg makes it; the bindings have no way of their own to load it."""
    text = """func.func @f(%x: tensor<?xi64>, %out: tensor<?xi64>, %sum: tensor<i64>) -> tensor<?xi64> {
      %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<?xi64>)
          outs(%out, %sum : tensor<?xi64>, tensor<i64>) {
      ^bb0(%a: i64, %b: i64):
        %1 = arith.addi %a, %b : i64
        tm_tensor.yield %1 : i64
      } -> tensor<?xi64>, tensor<i64>
      return %0#0 : tensor<?xi64>
    }"""
    (scan,) = (op for op in read_text(text).operation.walk() if op.name == "tm_tensor.scan")
    assert scan.attributes["dimension"] == 0
    assert len(scan.operands) == 3 and len(scan.results) == 2


def test_a_function_that_nothing_looks_at_is_remarked_on() -> None:
    kernel = "gpu.module @k {\n  gpu.func @kernel(%n: index) kernel {\n    gpu.return\n  }\n}\n"
    launch = "gpu.launch_func @k::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)"
    host = f"func.func @f(%n: index) {{\n  {launch}\n  return\n}}\n"
    program = read_text(
        f"module attributes {{gpu.container_module}} {{\n{host}{kernel}llvm.func @outside()\n}}", "two.mlir"
    )
    assert program.notes == ("two.mlir:7:3: @kernel is not checked: it is a gpu.func",)
    assert list(program.functions) == ["f"]


def test_a_kernel_that_is_not_launched_is_a_function() -> None:
    kernel = "gpu.module @k {\n  gpu.func @kernel(%n: index) kernel {\n    gpu.return\n  }\n}\n"
    program = read_text(kernel, "kernel.mlir")
    assert program.notes == ()
    assert list(program.functions) == ["k::@kernel"]
