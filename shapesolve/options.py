"""Options of a run, frozen."""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shapesolve.deadline import NEVER, Deadline
from shapesolve.errors import InputError
from shapesolve.int64 import MAX_BYTES, MAX_SIZE
from shapesolve.records import value_record
from shapesolve.solver.limits import DEFAULT_BUDGET

if TYPE_CHECKING:
    from shapesolve.preconditions.stated_contracts import SeparateContract
    from shapesolve.solver.query_cache import QueryCache


@value_record
class Options:
    """Options of a check.

    Attributes:
        assumptions: Claims in the size language.
        shapes: Texts ``arg0=[B, T, 8]`` that name the extents of arguments.
        min_size, max_size: Bounds of the sizes of the arguments: the domain of the check.
        max_bytes: Sizes for which an argument takes more are no counterexample; proves only that nothing overflows.
        functions: The functions to check; empty for every entry point.
        budget: The number of solver steps per query.
        seed: The seed of the solver.
        execute: Whether counterexamples are executed.
        trust_ub: When pruning, whether operations before a check are assumed to have no undefined behavior.
        separate_names: When pruning, whether sizes that share a name are variables of their own, assumed to be equal.
        tolerant: When pruning, whether unreachable code is checked without the facts that contradict earlier ones.
        dump_directory: The directory to which every solver query is written.
        certify: Whether to make a certificate of every proof.
        keep_derivations: Whether a report keeps how its claims were built, for explanations.
        libraries: Paths of MLIR files with shape functions for operations that have no rule.
        rules: Paths of Python files that are run for the rules that they register.
        carriers: Operations without a rule and the trait that each is declared to carry: ``my.op=Elementwise``, or
            ``my.op`` alone for ``Broadcastable``.
        level: The dialect that a model of PyTorch or ONNX is checked in (None: linalg).
        decompose: Whether PyTorch rewrites its operations first, as torch-mlir has it by default.
        distrust: Whether to ignore preconditions that files and exporters state, and not to assume that a tensor holds
            sizes because an operation uses it as a shape.
        trust_exporter: Whether the guards that a model's exporter found are believed like the user's declarations.
        inputs: Inputs of a PyTorch module that comes without example inputs, as ``x=f32[B,3,H,W]``.
        contracts: Contracts of functions of the program, beside those that it states itself.
        jobs: The number of programs executed at a time, while functions are checked; it does not change the result.
        deadline: The time after which all open claims stay undecided.
        shapes_only: When comparing two programs, whether to leave out the elements of tensors.
        check_wraps: Whether index and i64 arithmetic wraps around, where it is not proved not to.
        answers: Cached answers of the solver, shared by several checks of one program.
    """

    assumptions: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()
    min_size: int = 0
    max_size: int = MAX_SIZE
    max_bytes: int = MAX_BYTES
    functions: tuple[str, ...] = ()
    budget: int = DEFAULT_BUDGET
    seed: int = 0
    execute: bool = True
    trust_ub: bool = False
    separate_names: bool = False
    tolerant: bool = False
    dump_directory: Path | None = None
    certify: bool = False
    keep_derivations: bool = False
    libraries: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ()
    level: str | None = None
    decompose: bool = True
    distrust: bool = False
    trust_exporter: bool = False
    inputs: tuple[str, ...] = ()
    contracts: tuple[SeparateContract, ...] = ()
    deadline: Deadline = NEVER
    jobs: int = 1
    shapes_only: bool = False
    check_wraps: bool = False
    answers: QueryCache | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse sizes that are none, and switches that are neither on nor off.

        Raises:
            TypeError: A size is no integer, or a switch no bool.
            InputError: A size is out of range.
        """
        for name, size in (("min_size", self.min_size), ("max_size", self.max_size)):
            if not isinstance(size, int) or isinstance(size, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{name} is an integer, not {type(size).__name__} {size!r}")
            if not 0 <= size <= MAX_SIZE:
                raise InputError(f"{size} is not from 0 to {MAX_SIZE}", where=name)
        if not isinstance(self.execute, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"execute is True or False, not {type(self.execute).__name__} {self.execute!r}")

    def without_assumptions(self) -> Options:
        """Return the options without conditions on the inputs, names of their sizes, and a least size."""
        return replace(self, assumptions=(), shapes=(), min_size=0)
