"""Test that no program is executed which tries to reach outside: by operations, symbols, attributes or types."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from shapesolve.cli.main import main
from shapesolve.execution.allow_list import MOST_BITS, MOST_LANES, MOST_RANK, OUTSIDE
from shapesolve.execution.execution import Execution, Outcome
from shapesolve.execution.runner import execute
from shapesolve.ir import bindings
from shapesolve.semantics.op_semantics import OpSemantics
from shapesolve.semantics.registry import Rule, RuleRegistry, executable, load_rules

LIBRARY = """
llvm.mlir.global internal constant @path("PATH\\00")
llvm.func @creat(!llvm.ptr, i32) -> i32
llvm.func @make() {
  %0 = llvm.mlir.addressof @path : !llvm.ptr
  %1 = llvm.mlir.constant(438 : i32) : i32
  %2 = llvm.call @creat(%0, %1) : (!llvm.ptr, i32) -> i32
  llvm.return
}
"""

LAST = "priorities = [0 : i32], data = [#llvm.zero]"

# What stands beside the function, and what stands in it. PATH is a file that must not come to be.
DOORS = {
    "a call into a library": (LIBRARY, "llvm.call @make() : () -> ()"),
    "the same, as a value": (
        LIBRARY,
        "%g = llvm.mlir.addressof @make : !llvm.ptr\nllvm.call %g() : !llvm.ptr, () -> ()",
    ),
    "another process": (
        "llvm.func @system(!llvm.ptr) -> i32",
        "%z = llvm.mlir.zero : !llvm.ptr\n%r = llvm.call @system(%z) : (!llvm.ptr) -> i32",
    ),
    "unlink": (
        "llvm.func @unlink(!llvm.ptr) -> i32",
        "%z = llvm.mlir.zero : !llvm.ptr\n%r = llvm.call @unlink(%z) : (!llvm.ptr) -> i32",
    ),
    "a declared function": ("func.func private @abort()", "func.call @abort() : () -> ()"),
    "a declared function as a value": (
        "func.func private @fork() -> i32",
        "%p = func.constant @fork : () -> i32\n%r = func.call_indirect %p() : () -> i32",
    ),
    "a declared function behind another": (
        "func.func private @getpid() -> i32\nfunc.func private @g() { %r = call @getpid() : () -> i32\n return }",
        "func.call @g() : () -> ()",
    ),
    "a declared function with a wrapper": (
        "func.func private @fork() -> i32 attributes {llvm.emit_c_interface}",
        "%r = func.call @fork() : () -> i32",
    ),
    "a declared buffer": (
        'memref.global "private" @environ : memref<1xi64>',
        "%e = memref.get_global @environ : memref<1xi64>",
    ),
    "inline assembly": ("", 'llvm.inline_asm has_side_effects "ud2", "" : () -> ()'),
    "a constructor": (f"{LIBRARY}llvm.mlir.global_ctors ctors = [@make], {LAST}", ""),
    "a destructor": (f"{LIBRARY}llvm.mlir.global_dtors dtors = [@make], {LAST}", ""),
    "an intrinsic": ("", 'llvm.call_intrinsic "llvm.debugtrap"() : () -> ()'),
    "an address made of a number": ("", "%n = arith.constant 0 : i64\n%p = llvm.inttoptr %n : i64 to !llvm.ptr"),
    "the address of a buffer": (
        "",
        "%m = memref.alloc() : memref<4xi8>\n%p = memref.extract_aligned_pointer_as_index %m : memref<4xi8> -> index",
    ),
    "a number cast to a pointer": (
        "",
        "%n = arith.constant 4096 : index\n%p = builtin.unrealized_conversion_cast %n : index to !llvm.ptr",
    ),
    "a kernel": (
        "",
        "%c = arith.constant 1 : index\ngpu.launch blocks(%bx, %by, %bz) in (%gx = %c, %gy = %c, %gz = %c)"
        " threads(%tx, %ty, %tz) in (%sx = %c, %sy = %c, %sz = %c) { gpu.terminator }",
    ),
    "a task": ("", "%t = async.execute { async.yield }"),
    "C": ("", 'emitc.verbatim "system(\\"true\\");"'),
    "C by name": ("", 'emitc.call_opaque "system"() : () -> ()'),
    "a custom call": ("", "stablehlo.custom_call @system() {has_side_effect = true} : () -> ()"),
    "PyTorch's custom operator": ("", 'torch.operator "os.system"() : () -> ()'),
    "an operation nobody knows": ("", '"my.op"() : () -> ()'),
    "a module in the function": ("", "builtin.module { }"),
    "an attribute for LLVM": (
        "func.func @g() attributes {llvm.linkage = #llvm.linkage<external>} { return }",
        "func.call @g() : () -> ()",
    ),
    "an attribute of an argument": (
        "func.func @g(%a: i64 {llvm.zeroext}) { return }",
        "%n = arith.constant 1 : i64\nfunc.call @g(%n) : (i64) -> ()",
    ),
    "a buffer of a processor's": ("", "%m = memref.alloc() : memref<4xi8, #gpu.address_space<workgroup>>"),
    "a sparse tensor": (
        "",
        "%t = tensor.empty() : tensor<4xi8, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>",
    ),
    "an operation beside the functions": ('"my.op"() : () -> ()', ""),
    "a list that LLVM keeps to itself": (
        "llvm.mlir.global external @llvm.used() : i64 { %0 = llvm.mlir.zero : i64\n llvm.return %0 : i64 }",
        "",
    ),
}


def program(beside: str, inside: str, attributes: str = "") -> str:
    """A function @f that returns, behind these lines."""
    return f"module {attributes} {{\n{beside}\nfunc.func @f() {{\n{inside}\nreturn\n}}\n}}".replace(
        "module  {", "module {"
    )


def run(text: str | bytes) -> Execution:
    return execute(text, "f", [], runtime_checks=False)


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_a_program_that_reaches_outside_is_not_executed(door: str, tmp_path: Path) -> None:
    path = tmp_path / "made"
    text = program(*DOORS[door]).replace("PATH", str(path))
    with bindings.new_context():
        bindings.ir().Module.parse(text)  # the door is one
    execution = run(text)
    assert (execution.outcome, execution.message[: len(OUTSIDE)]) == (Outcome.NOT_EXECUTABLE, OUTSIDE), execution
    assert not path.exists()


@pytest.mark.process
def test_assembly_of_the_module_is_not_executed(tmp_path: Path) -> None:
    execution = run(program("", "", 'attributes {llvm.module_asm = [".globl x"]}'))
    assert execution.message == f"{OUTSIDE}: builtin.module (line 1) has the attribute `llvm.module_asm`"


@pytest.mark.process
def test_bytecode_is_judged_like_text(tmp_path: Path) -> None:
    path = tmp_path / "made"
    written = io.BytesIO()
    with bindings.new_context():
        text = program(*DOORS["a call into a library"]).replace("PATH", str(path))
        bindings.ir().Module.parse(text).operation.write_bytecode(written)
    assert run(written.getvalue()).message.startswith(OUTSIDE)
    assert not path.exists()


@pytest.mark.process
def test_the_operation_and_its_line_are_reported() -> None:
    assert run('func.func @f() {\n  "my.op"() : () -> ()\n  return\n}').message == (
        f"{OUTSIDE}: my.op (line 2) is not among the operations that are executed"
    )


@pytest.mark.process
def test_unreachable_operations_do_not_matter() -> None:
    calling = "func.func @g() { llvm.call @make() : () -> ()\n return }"
    declared = "func.func private @fork() -> i32"
    assert run(program(f"{LIBRARY}\n{calling}\n{declared}\nmodule {{ }}", "")).outcome is Outcome.RETURNED


@pytest.mark.process
def test_annotations_of_others_do_not_matter() -> None:
    text = """module attributes {my.version = 3 : i32, jax.uses_shape_polymorphism = true} {
      func.func @f(%a: i64 {my.sharding = #my.axes<1>, my.name = "llvm"}) -> (i64 {my.name = "!llvm.ptr"})
          attributes {my.note, passthrough = ["naked"], llvm.emit_c_interface} {
        return {my.last} %a : i64
      }
    }"""
    from shapesolve.execution.execution import ScalarInput

    assert execute(text, "f", [ScalarInput(7)], runtime_checks=True).result_extents == (7,)


NAMES = (
    "malloc",
    "free",
    "_mlir_memref_to_llvm_alloc",
    "shapesolve_report_failed_check",
    "shapesolve_program_0",
    "memcpy",
    "sqrtf",
    "main",
    "_mlir_ciface_f",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_function_cannot_stand_in_for_a_library(name: str) -> None:
    text = f"""func.func @{name}(%x: f32) -> f32 {{
      %0 = arith.constant 5.0 : f32
      return %0 : f32
    }}
    func.func @f() -> (index, index) {{
      %x = arith.constant 16.0 : f32
      %r = math.sqrt %x : f32
      %s = func.call @{name}(%x) : (f32) -> f32
      %m = memref.alloc() : memref<1xf32>
      %c0 = arith.constant 0 : index
      memref.store %r, %m[%c0] : memref<1xf32>
      %t = memref.load %m[%c0] : memref<1xf32>
      memref.dealloc %m : memref<1xf32>
      %i = arith.fptosi %t : f32 to i64
      %j = arith.fptosi %s : f32 to i64
      %k = arith.index_cast %i : i64 to index
      %l = arith.index_cast %j : i64 to index
      return %k, %l : index, index
    }}"""
    assert run(text).result_extents == (4, 5)


@pytest.mark.process
@pytest.mark.parametrize(
    "line",
    [
        f"%e = tensor.empty() : tensor<{'1x' * (MOST_RANK + 1)}f32>",
        f"%v = arith.constant dense<1.0> : vector<{MOST_LANES + 1}xf32>",
        f"%v = arith.constant 1 : i{MOST_BITS + 1}",
        "%v = arith.constant dense<1> : tensor<1000000000000xi8>",
    ],
)
def test_programs_that_compile_for_long_are_not_compiled(line: str) -> None:
    execution = run(program("", line))
    assert execution.outcome is Outcome.NOT_EXECUTABLE
    assert "(line 4)" in execution.message or "is executed" in execution.message or "are executed" in execution.message


def test_rules_of_others_make_nothing_executable() -> None:
    book = RuleRegistry(load_rules())
    book.register(Rule("llvm.call", lambda op, see: OpSemantics(), "e.mlir", "my_rules.py", "A call."))
    book.register_safe_op("gpu.*", "my_rules")
    allowed = executable(book)
    assert not allowed.allows("llvm.call") and not allowed.allows("gpu.launch")
    assert allowed == executable()


def test_nothing_of_a_dialect_that_reaches_outside_is_executable() -> None:
    outside = {
        "llvm",
        "gpu",
        "async",
        "emitc",
        "spirv",
        "ptr",
        "nvvm",
        "rocdl",
        "omp",
        "acc",
        "transform",
        "sparse_tensor",
    }
    assert not outside & executable().dialects


@pytest.mark.process
@pytest.mark.parametrize("command", ["check", "prune", "explain", "refine"])
def test_a_verdict_stands_without_the_execution(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, file = tmp_path / "made", tmp_path / "program.mlir"
    add = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      llvm.call @make() : () -> ()
      %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }"""
    file.write_text((LIBRARY + add).replace("PATH", str(path)), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "tosa.add" in text)
    options = [str(file)] if command != "explain" else [f"{file}:{line}"]
    if command == "prune":
        options += ["-o", str(tmp_path / "pruned.mlir")]
    if command == "refine":
        options += [str(file)]
    if command == "check":
        options += ["-v"]
    main([command, *options])
    output = " ".join(capsys.readouterr().out.split())
    assert ("it may call code outside the program" in output) == (command in ("check", "explain"))
    assert not path.exists()
