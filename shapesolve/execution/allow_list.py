"""Allow-list of programs that may be executed, decided on the program as written, before anything is lowered.

A program is data. It is run only if every operation of it is known to stay inside of it, by the registry
(:mod:`shapesolve.semantics.registry`). Types and attributes of other dialects are checked too, as well as attributes
that go through to LLVM and sizes that would keep the compiler busy for ever.

A second check requires that the lowered program is closed before it becomes machine code: it may compute, use memory,
and call itself and a short list of functions. It brings no assembly, no constructors, nothing that is linked from
elsewhere, and no attribute that tells the compiler to do so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from shapesolve.execution.execution import NotExecutableError, place_of
from shapesolve.execution.lowering.builder import descendants, symbol_of, values_below
from shapesolve.execution.lowering.runtime_checks import REPORTER
from shapesolve.ir import bindings
from shapesolve.semantics.registry import Executable

#: Beyond these, compiling takes time or memory out of proportion to the program.
MOST_OPERATIONS = 100_000
MOST_RANK = 16
MOST_LANES = 1 << 14
MOST_BITS = 256
MOST_CONSTANT_BYTES = 1 << 30

#: What a refusal begins with.
OUTSIDE = "it may call code outside the program"

#: Asks for one more entry point. It is common, and taken away: nothing in the program can tell.
_WRAPPED = "llvm.emit_c_interface"

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_DIALECT = re.compile(r"[!#]([A-Za-z_]\w*)")


def admit(module: Any, executable: Executable) -> None:
    """Check that the whole of ``module`` may be executed, and remove attributes that only other tools use.

    Raises:
        NotExecutableError: An operation is not allowed; the message names it with its line.
    """
    operations = list(descendants(module.operation))
    if len(operations) > MOST_OPERATIONS:
        raise NotExecutableError(f"{len(operations):,} operations, and at most {MOST_OPERATIONS:,} are executed")
    gate = _Gate(executable)
    gate.attributes(module.operation)
    for op in operations:
        gate.operation(op)
    gate.types(module.operation)


def refuse(op: Any, why: str = "is not among the operations that are executed") -> NotExecutableError:
    """Return the error that an operation makes the program not executable."""
    return NotExecutableError(f"{OUTSIDE}: {at(op)} {why}")


def at(op: Any) -> str:
    """Return an operation's name with its line."""
    place = place_of(op.location)
    return f"{op.name} (line {place[0]})" if place else str(op.name)


class _Gate:
    def __init__(self, executable: Executable) -> None:
        self._executable = executable
        self._dialects = executable.dialects
        self._ir = bindings.ir()
        self._seen: set[str] = set()

    def operation(self, op: Any) -> None:
        if not self._executable.allows(op.name) and not self._allowed_here(op):
            because = self._executable.outside.get(op.name)
            raise refuse(op) if because is None else refuse(op, f"is not executed, for {because}")
        self.attributes(op)

    def _allowed_here(self, op: Any) -> bool:
        allowed = self._executable.only.get(op.name)
        if allowed is None or allowed[0] not in op.attributes:
            return False
        attribute = op.attributes[allowed[0]]
        return isinstance(attribute, self._ir.StringAttr) and attribute.value in allowed[1]

    def attributes(self, op: Any) -> None:
        """Remove attributes of other tools, and refuse those that would go through to LLVM."""
        for name in [each if isinstance(each, str) else each.name for each in op.attributes]:
            if self._is_foreign(name, op):
                del op.attributes[name]
            elif name in ("arg_attrs", "res_attrs"):
                op.attributes[name] = self._cleaned(op.attributes[name], op)
                self._attribute(op.attributes[name], op)
            else:
                self._attribute(op.attributes[name], op)

    def _is_foreign(self, name: str, op: Any) -> bool:
        dialect, dot, _ = name.partition(".")
        if not dot:
            return False
        if dialect == "llvm" and name != _WRAPPED:
            raise refuse(op, f"has the attribute `{name}`")
        return dialect not in self._dialects

    def _cleaned(self, lists: Any, op: Any) -> Any:
        """Return the attributes of arguments or results, one dictionary each, without those of other tools."""
        ir = self._ir
        cleaned: list[Any] = []
        for each in lists:
            kept = {
                named.name: named.attr for named in _entries(ir.DictAttr(each)) if not self._is_foreign(named.name, op)
            }
            cleaned.append(ir.DictAttr.get(kept, op.context))
        return ir.ArrayAttr.get(cleaned, op.context)

    def _attribute(self, attribute: Any, op: Any) -> None:
        ir = self._ir
        if isinstance(attribute, ir.StringAttr | ir.IntegerAttr | ir.FloatAttr | ir.FlatSymbolRefAttr | ir.UnitAttr):
            return
        if isinstance(attribute, ir.DenseElementsAttr | ir.DenseResourceElementsAttr):
            self._constant(attribute.type, op)
        elif isinstance(attribute, ir.TypeAttr):
            self._constant(attribute.value, op)
        else:
            self._spelled(str(attribute), op)

    def _constant(self, kind: Any, op: Any) -> None:
        self._type(kind, op)
        if not isinstance(kind, self._ir.ShapedType) or not kind.has_static_shape:
            return
        size = 8
        for extent in kind.shape:
            size *= int(extent)
        if size > MOST_CONSTANT_BYTES:
            raise NotExecutableError(f"{at(op)} has a constant of type {kind}, too large to be compiled")

    def types(self, below: Any) -> None:
        """Check the types of all values."""
        for value in values_below(below):
            owner = value.owner
            # A block argument belongs to a block, which belongs to an operation.
            self._type(value.type, owner if hasattr(owner, "location") else owner.owner)

    def _type(self, kind: Any, op: Any) -> None:
        spelled = str(kind)
        if spelled in self._seen:
            return
        self._seen.add(spelled)
        self._spelled(spelled, op)
        ir = self._ir
        if isinstance(kind, ir.ShapedType):
            self._sizes(kind, op)
            kind = kind.element_type
        if isinstance(kind, ir.IntegerType) and kind.width > MOST_BITS:
            raise NotExecutableError(f"{at(op)}: integers of {kind.width} bits; at most {MOST_BITS} are executed")

    def _sizes(self, kind: Any, op: Any) -> None:
        if not kind.has_rank:
            return
        if kind.rank > MOST_RANK:
            raise NotExecutableError(f"{at(op)}: a rank of {kind.rank}; at most {MOST_RANK} is executed")
        if isinstance(kind, self._ir.VectorType):
            lanes = 1
            for extent in kind.shape:
                lanes *= int(extent)
            if lanes > MOST_LANES:
                raise NotExecutableError(f"{at(op)}: a vector of {lanes:,}; at most {MOST_LANES:,} are executed")

    def _spelled(self, text: str, op: Any) -> None:
        for dialect in _DIALECT.findall(_QUOTED.sub("", text)):
            if dialect not in self._dialects:
                raise refuse(op, f"uses something of the dialect `{dialect}`, of which nothing is executed")


def _entries(dictionary: Any) -> Iterator[Any]:
    for position in range(len(dictionary)):
        yield dictionary[position]


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


def remove_discardable_attributes(module: Any) -> None:
    """Remove discardable attributes of dialects: after further lowering the compiler could interpret them."""
    for op in (module.operation, *descendants(module.operation)):
        for name in names_of(op):
            if ("." in name and name != EXPOSED) or name in ("arg_attrs", "res_attrs"):
                del op.attributes[name]


def require_closed(module: Any) -> None:
    """Check that a module of the LLVM dialect reaches nothing outside of it.

    Raises:
        NotExecutableError: It does.
    """
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
    """Return whether a global has an initializer region."""
    return any(region.blocks for region in op.regions)


def names_of(op: Any) -> list[str]:
    """Return the names of an operation's attributes."""
    return [each if isinstance(each, str) else each.name for each in op.attributes]


def _open(why: str) -> NotExecutableError:
    return NotExecutableError(f"it may call code outside the program: once lowered, {why}")
