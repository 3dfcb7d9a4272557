"""The second look: a lowered program must be closed before it becomes machine code.

Whatever let it through before, it may compute, use memory, and call itself and a short list of functions. It brings no
assembly, no constructors, nothing that is linked from elsewhere, and no attribute that tells the compiler to do so.
"""

from __future__ import annotations

from typing import Any

from shapesolve.executing.failures import NotExecutableError
from shapesolve.executing.lowering.check_sites import REPORTER
from shapesolve.executing.lowering.operations import descendants, symbol_of

ALLOCATE = "_mlir_memref_to_llvm_alloc"
FREE = "_mlir_memref_to_llvm_free"
EXPOSED = "llvm.emit_c_interface"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MATH = _words(
    """acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp exp2 exp10 expm1 fabs floor fma fmax fmin
    fmod ldexp log log10 log1p log2 pow rint round roundeven sin sincos sinh sqrt tan tanh tgamma trunc"""
)

#: What a program may be linked with: our own functions, C's memory (for results of unknown rank) and mathematics.
MAY_CALL = frozenset((REPORTER, ALLOCATE, FREE, "malloc", "free")) | _MATH | {f"{name}f" for name in _MATH}

_OPERATIONS = _words(
    """add addrspacecast alloca and ashr atomicrmw bitcast br call cmpxchg cond_br extractelement extractvalue fadd fcmp
    fdiv fence fmul fneg fpext fptosi fptoui fptrunc freeze frem fsub func getelementptr icmp insertelement insertvalue
    inttoptr load lshr mlir.addressof mlir.constant mlir.global mlir.poison mlir.undef mlir.zero mul or ptrtoint return
    sdiv select sext shl shufflevector sitofp srem store sub switch trunc udiv uitofp unreachable urem xor zext"""
)
_INTRINSICS = "llvm.intr."
_NO_INTRINSICS = tuple(f"{_INTRINSICS}{each}" for each in ("coro", "eh", "call", "dbg", "invariant", "va", "vacopy"))

_OF_FUNCTIONS = _words(
    """CConv arg_attrs dso_local function_type linkage memory_effects res_attrs sym_name sym_visibility unnamed_addr
    visibility_ llvm.emit_c_interface llvm.readnone no_unwind will_return"""
)
_OF_GLOBALS = _words(
    """addr_space alignment constant dso_local global_type linkage sym_name sym_visibility tls_mode unnamed_addr value
    visibility_"""
)
_OF_CALLS = _words(
    """CConv TailCallKind callee fastmathFlags memory_effects no_unwind op_bundle_sizes operandSegmentSizes
    var_callee_type will_return"""
)
_ALLOWED = {"llvm.func": _OF_FUNCTIONS, "llvm.mlir.global": _OF_GLOBALS, "llvm.call": _OF_CALLS}


def forget_notes(module: Any) -> None:
    """Take away what dialects have noted on operations: lowered further, it could mean something to the compiler."""
    for op in (module.operation, *descendants(module.operation)):
        for name in names_of(op):
            if ("." in name and name != EXPOSED) or name in ("arg_attrs", "res_attrs"):
                del op.attributes[name]


def require_closed(module: Any) -> None:
    """Raise NotExecutableError unless a module of the LLVM dialect reaches nothing outside of it."""
    noted = [name for name in names_of(module.operation) if name not in ("sym_name", "sym_visibility")]
    if noted:
        raise _open(f"the module has the attribute `{noted[0]}`")
    defined = {symbol_of(op.operation) for op in module.body.operations}
    for op in descendants(module.operation):
        allowed = op.name.removeprefix("llvm.") in _OPERATIONS
        if not allowed and (not op.name.startswith(_INTRINSICS) or op.name.startswith(_NO_INTRINSICS)):
            raise _open(f"{op.name} has no place in it")
        others = [name for name in names_of(op) if name not in _ALLOWED.get(op.name, (name,))]
        if others:
            raise _open(f"{op.name} has the attribute `{others[0]}`")
        _require_known(op, defined)


def _require_known(op: Any, defined: set[str | None]) -> None:
    if op.name == "llvm.func":
        declared = not op.regions[0].blocks
        if declared != (symbol_of(op) in MAY_CALL):
            raise _open(f"it {'calls' if declared else 'defines'} @{symbol_of(op)}")
    elif op.name == "llvm.mlir.global" and ("value" not in op.attributes or _has_code(op)):
        raise _open(f"@{symbol_of(op)} has no constant value")
    elif op.name in ("llvm.call", "llvm.mlir.addressof"):
        name = next((each for each in ("callee", "global_name") if each in op.attributes), None)
        if name is not None and str(op.attributes[name].value) not in defined:
            raise _open(f"it calls {op.attributes[name]}")


def _has_code(op: Any) -> bool:
    """Whether a global is computed, by more than being left undefined."""
    return any(region.blocks for region in op.regions)


def names_of(op: Any) -> list[str]:
    """The names of an operation's attributes."""
    return [each if isinstance(each, str) else each.name for each in op.attributes]


def _open(why: str) -> NotExecutableError:
    return NotExecutableError(f"it may call code outside the program: once lowered, {why}")
