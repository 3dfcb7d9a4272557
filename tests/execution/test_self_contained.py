"""Test of the second inspection alone: hostile programs in the LLVM dialect that passed no other check."""

from __future__ import annotations

import pytest

from shapesolve.execution.allow_list import MAY_CALL, remove_discardable_attributes, require_closed
from shapesolve.execution.execution import NotExecutableError
from shapesolve.ir import bindings

BODY = "llvm.func @f() { llvm.return }\n"
OPEN = {
    "a declared function": "llvm.func @creat(!llvm.ptr, i32) -> i32",
    "a function that runs programs": "llvm.func @system(!llvm.ptr) -> i32",
    "any number of arguments": "llvm.func @syscall(...) -> i64",
    "standing in for a library": "llvm.func @sqrtf(%x: f32) -> f32 { llvm.return %x : f32 }",
    "standing in for memory": "llvm.func @_mlir_memref_to_llvm_alloc(%x: i64) -> !llvm.ptr {\n"
    "%0 = llvm.mlir.zero : !llvm.ptr\n llvm.return %0 : !llvm.ptr }",
    "assembly": 'llvm.func @g() { llvm.inline_asm has_side_effects "nop", "" : () -> ()\n llvm.return }',
    "an intrinsic by name": 'llvm.func @g() { llvm.call_intrinsic "llvm.debugtrap"() : () -> ()\n llvm.return }',
    "a coroutine": "llvm.func @g(%a: !llvm.ptr) { llvm.intr.coro.resume %a : !llvm.ptr\n llvm.return }",
    "a constructor": "llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]",
    "a destructor": "llvm.mlir.global_dtors dtors = [@f], priorities = [0 : i32], data = [#llvm.zero]",
    "a constructor by its name": "llvm.mlir.global appending @llvm.global_ctors() : !llvm.array<1 x ptr> {\n"
    "%0 = llvm.mlir.zero : !llvm.array<1 x ptr>\n llvm.return %0 : !llvm.array<1 x ptr> }",
    "data from elsewhere": "llvm.mlir.global external @environ() : !llvm.ptr",
    "computed data": "llvm.mlir.global internal @g() : i64 { %0 = llvm.mlir.constant(1 : i64) : i64\n"
    "%1 = llvm.add %0, %0 : i64\n llvm.return %1 : i64 }",
    "an alias": "llvm.mlir.alias external @g : !llvm.func<void ()> { %0 = llvm.mlir.addressof @f : !llvm.ptr\n"
    " llvm.return %0 : !llvm.ptr }",
    "an attribute that goes through": 'llvm.func @g() attributes {passthrough = ["naked"]} { llvm.return }',
    "a section": 'llvm.func @g() attributes {section = ".init"} { llvm.return }',
    "a section of data": "llvm.mlir.global internal @g(1 : i64) {section = \".init_array\"} : i64",
    "another dialect": "func.func @g() { return }",
}  # fmt: skip


def look(text: str) -> None:
    with bindings.new_context():
        require_closed(bindings.ir().Module.parse(text))


def test_programs_that_only_compute_are_self_contained() -> None:
    look(BODY)
    look(
        "llvm.mlir.global internal constant @c(dense<1> : tensor<4xi8>) : !llvm.array<4 x i8>\n"
        f"llvm.func @sqrtf(f32) -> f32\n{BODY}"
    )


@pytest.mark.slow
@pytest.mark.parametrize("way", OPEN)
def test_programs_that_reach_outside_are_not_self_contained(way: str) -> None:
    with pytest.raises(NotExecutableError, match="once lowered"):
        look(BODY + OPEN[way])


def test_assembly_of_the_module() -> None:
    with pytest.raises(NotExecutableError, match=r"llvm\.module_asm"):
        look(f'module attributes {{llvm.module_asm = [".globl x"]}} {{ {BODY} }}')


def test_callable_functions_run_no_program_and_open_no_file() -> None:
    harmful = {"system", "open", "creat", "fopen", "unlink", "execve", "fork", "vfork", "socket", "connect", "dlopen"}
    harmful |= {"dlsym", "mprotect", "mmap", "syscall", "kill", "abort", "exit", "signal", "longjmp", "printf", "puts"}
    assert not harmful & MAY_CALL


def test_notes_are_forgotten() -> None:
    text = """module attributes {my.note, llvm.module_asm = ["x"]} {
      func.func @f(%a: i64 {llvm.zeroext}) -> (i64 {my.x}) attributes {llvm.emit_c_interface, llvm.linkage = 1} {
        %0 = arith.addi %a, %a {my.note = "x"} : i64
        return %0 : i64
      }
    }"""
    with bindings.new_context():
        module = bindings.ir().Module.parse(text)
        remove_discardable_attributes(module)
        code = str(module)
    assert "my." not in code and "llvm.emit_c_interface" in code and "zeroext" not in code and "asm" not in code
