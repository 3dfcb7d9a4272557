"""Options of a check, facts and models that a parsed command line means."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from shapesolve.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapesolve.options import Options
    from shapesolve.preconditions.fact_files import FunctionFacts


MOST_JOBS = 8
"""The default number of processes: each may take a GB of memory."""


def read_fact_files(paths: Sequence[str]) -> Sequence[FunctionFacts]:
    """Return the facts in some files of facts."""
    if not paths:
        return ()
    from shapesolve.preconditions.fact_files import load_facts

    return [each for path in paths for each in load_facts(path)]


def _jobs_of(arguments: argparse.Namespace) -> int:
    """Return the number of processes to use; by default, the number of processors available to this one."""
    import os

    if not hasattr(arguments, "jobs"):
        return 1
    if arguments.jobs is not None:
        return int(arguments.jobs)
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(found, MOST_JOBS)


def options_of(arguments: argparse.Namespace) -> Options:
    """Return the options that a command line means.

    Raises:
        InputError: The options contradict each other.
    """
    from shapesolve.options import Options

    if arguments.min_size > arguments.max_size:
        raise InputError(f"{arguments.min_size} is more than --max-size {arguments.max_size}", where="--min-size")
    if arguments.facts and arguments.distrust:
        raise InputError("it says not to believe what --facts gives", where="--distrust")
    if getattr(arguments, "check_wraps", False) and getattr(arguments, "certify", None) is not None:
        raise InputError(
            "there are no certificates of proofs about arithmetic that wraps around", where="--check-wraps"
        )
    facts = read_fact_files(arguments.facts)
    return Options(
        assumptions=(*arguments.assume, *(text for each in facts for text in each.about_it(each.assumptions))),
        shapes=(*arguments.shape, *(text for each in facts for text in each.about_it(each.shapes))),
        contracts=tuple(each.contract for each in facts if each.contract is not None),
        min_size=arguments.min_size,
        max_size=arguments.max_size,
        max_bytes=arguments.max_bytes,
        functions=tuple(arguments.function),
        budget=arguments.budget,
        seed=arguments.seed,
        execute=getattr(arguments, "execute", True),
        check_wraps=getattr(arguments, "check_wraps", False),
        trust_ub=getattr(arguments, "trust_ub", False),
        dump_directory=getattr(arguments, "dump_queries", None),
        certify=getattr(arguments, "certify", None) is not None,
        libraries=tuple(arguments.library),
        rules=tuple(arguments.rules),
        carriers=tuple(arguments.carrier),
        level=arguments.level,
        decompose=arguments.decompose,
        distrust=arguments.distrust,
        shapes_only=getattr(arguments, "shapes_only", False),
        trust_exporter=arguments.trust_exporter,
        inputs=tuple(arguments.inputs),
        jobs=_jobs_of(arguments),
        deadline=arguments.deadline,
    )
