"""Options: everything that a run can be told, frozen."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from shapesolve.deadline import NEVER, Deadline
from shapesolve.int64 import MAX_BYTES, MAX_SIZE
from shapesolve.records import value_record
from shapesolve.solver.limits import DEFAULT_BUDGET

if TYPE_CHECKING:
    from shapesolve.preconditions.stated_contracts import GivenContract
    from shapesolve.solver.query_cache import QueryCache


@value_record
class Options:
    """How to check.

    ``assumptions`` are claims in the size language; ``shapes`` are ``arg0=[B, T, 8]`` texts that name the extents of
    arguments. ``min_size`` and ``max_size`` bound the sizes of
    the arguments: the domain of the check. Sizes for which an argument takes more than ``max_bytes`` are no
    counterexample, and nothing is proved with that. ``functions`` limits the check to these; empty: every
    entry point. ``budget`` counts solver steps a query, ``seed`` seeds the solver. ``execute``: run counterexamples for
    real. ``trust_ub``: when pruning, believe that operations before a check did not have undefined behaviour.
    ``tolerant``: when pruning, what no sizes reach is judged without the facts that contradict those before them.
    ``dump_directory``: where every solver query is written. ``certify``: make a certificate of every proof.
    ``libraries`` are paths of MLIR files with shape functions for operations that have no rule; ``rules`` are paths of
    Python files that are run for the rules that they register. ``carriers`` are operations without a rule and the trait
    that each is declared to carry: ``my.op=Elementwise``, or ``my.op`` alone for ``Broadcastable``.
    ``level`` is the dialect that a model of PyTorch or ONNX is checked in (None: linalg), ``decompose`` whether PyTorch
    rewrites its operations first, as torch-mlir has it by default. ``distrust``: what files and exporters state of the
    inputs is not believed, nor that a tensor holds sizes because an operation takes it for a shape.
    ``trust_exporter``: what the exporter of a model found of the sizes is believed like what the user declared.
    ``contracts`` are those of functions of the program, beside what it states itself.
    ``jobs``: how many programs are executed at a time, while functions are judged; what comes out is the same.
    ``deadline``: what is not decided until then stays undecided. ``answers``: those of the solver, to be given again
    where one program is judged several times.
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
    tolerant: bool = False
    dump_directory: Path | None = None
    certify: bool = False
    libraries: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ()
    level: str | None = None
    decompose: bool = True
    distrust: bool = False
    trust_exporter: bool = False
    contracts: tuple[GivenContract, ...] = ()
    deadline: Deadline = NEVER
    jobs: int = 1
    answers: QueryCache | None = field(default=None, compare=False, repr=False)
