"""Options that several commands share."""

from __future__ import annotations

import argparse

from shapesolve.cli.option_values import jobs_number, seconds, seed_number, whole
from shapesolve.cli.parsed_options import MOST_JOBS
from shapesolve.cli.parser import add_color
from shapesolve.frontends.levels import BOTH, LEVELS, OWN
from shapesolve.int64 import MAX_BYTES, MAX_SIZE
from shapesolve.solver.limits import DEFAULT_BUDGET

Group = argparse._ActionsContainer  # pyright: ignore[reportPrivateUsage] (has no other name)
"""A parser or a group of its arguments."""

FILE_HELP = (
    "MLIR as text or bytecode (- is standard input), or a model: a file that torch.export (.pt2) or jax.export (any "
    "name) saved, an .onnx file, or model.py:make_model, a function that makes the model, for which model.py is run"
)
SEARCH_HELP = "or a directory, or a pattern such as 'models/**/*.mlir'"
SPLIT_HELP = "a line // ----- separates modules in a file, as for mlir-opt"
SHAPES_ONLY_HELP = (
    "compare sizes and checks only; otherwise elements and effects that are not compared give exit code 3"
)


def add_repeatable(group: Group, *names: str, metavar: str, help: str) -> None:
    """Add an option that may be given several times."""
    group.add_argument(*names, metavar=metavar, action="append", default=[], help=help)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for what to check and the models it comes from."""
    group = parser.add_argument_group("what to check")
    add_repeatable(
        group, "--function", "-f", metavar="F", help="check only this function (repeatable; default: every entry point)"
    )
    add_size_options(group)
    group.add_argument(
        "--max-size", metavar="N", type=_size, default=MAX_SIZE, help="the largest size to consider (default: 2^63-1)"
    )
    group.add_argument(
        "--max-bytes",
        metavar="N",
        type=_size,
        default=MAX_BYTES,
        help="no argument of a counterexample, or of a proof that nothing wraps, has more bytes (default: 2^47)",
    )
    group.add_argument(
        "--budget",
        metavar="N",
        type=_steps,
        default=DEFAULT_BUDGET,
        help="solver steps for one attempt at one question; a question that is not linear is attempted in six ways, "
        f"and a counterexample is made small by more questions (default: {DEFAULT_BUDGET:,})",
    )
    group.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=seconds,
        help="stop after so many seconds; what is not decided by then is undecided (default: no limit; "
        "one question never takes much longer than 10 seconds, and the report says so where that limit ended one)",
    )
    group.add_argument("--seed", metavar="N", type=seed_number, default=0, help="seed of the solver (default: 0)")
    add_library_options(group)
    add_model_options(parser)


def add_size_options(group: Group) -> None:
    """Add the options that constrain the sizes of arguments."""
    add_repeatable(
        group,
        "--assume",
        "-a",
        metavar="TEXT",
        help="a condition on the sizes to assume, such as 'arg0[1] %% 16 == 0' (repeatable)",
    )
    add_repeatable(group, "--shape", metavar="ARG=[B,T,8]", help="names for the extents of an argument (repeatable)")
    group.add_argument(
        "--min-size", metavar="N", type=_size, default=0, help="the smallest size to consider (default: 0)"
    )


def add_library_options(group: Group) -> None:
    """Add the options that give op semantics to operations without a rule."""
    add_repeatable(
        group,
        "--library",
        metavar="FILE",
        help="MLIR with a shape.function_library for operations that have no rule (repeatable); those that the file "
        "itself lists in shape.lib are used anyway",
    )
    add_repeatable(
        group,
        "--rules",
        metavar="FILE.py",
        help="Python with rules for operations that have none (repeatable). The file is run, with all code in it. To "
        "install rules for good, make them an entry point of the group shapesolve.rules",
    )
    add_repeatable(
        group,
        "--carrier",
        metavar="OP[=TRAIT]",
        help="an operation without a rule carries a trait: Broadcastable (the default), SameOperandsAndResultShape, "
        "SameOperandsShape, Elementwise or as-operand-N (repeatable); it is believed, and listed as assumed",
    )


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for levels of a model and for the trust in its exporter."""
    group = parser.add_argument_group("models of PyTorch, JAX and ONNX")
    add_level(group)
    add_facts_files(group)
    group.add_argument(
        "--distrust",
        action="store_true",
        help="do not believe what nothing checks at run time: what exporters and attributes in files state about "
        "sizes, what functions without a body ensure, and that a tensor holds sizes because "
        "an operation uses it as a shape",
    )
    group.add_argument(
        "--trust-exporter",
        action="store_true",
        help="believe what torch.export found about the sizes (its guards, ranges and equalities), not only what "
        "you declared",
    )
    add_repeatable(
        group,
        "--inputs",
        metavar="X=DTYPE[SIZES]",
        help="an input of a torch.nn.Module that is named without example inputs, as in FILE.py:Net --inputs "
        "'x=f32[B,3,H,W]'; equal names are equal sizes, ? is any size; repeatable, one for each input",
    )


def add_facts_files(group: Group) -> None:
    """Add the options for files of facts."""
    add_repeatable(
        group,
        "--facts",
        metavar="FILE.toml",
        help="a file of facts about the sizes, as shapesolve facts prints it (repeatable)",
    )


def add_level(group: Group) -> None:
    """Add the option for the level at which a model is checked."""
    default = f"check: {' and '.join(BOTH)}, explain and contract: {OWN}, otherwise: {LEVELS[0]}"
    group.add_argument(
        "--level", choices=LEVELS, help=f"the dialect to check a model of PyTorch or ONNX in (default: {default})"
    )
    group.add_argument(
        "--no-decompose",
        dest="decompose",
        action="store_false",
        help="keep linear and matmul whole; by default they are rewritten into views first, as torch-mlir does itself",
    )


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the options for directories and patterns among the files."""
    add_repeatable(
        parser,
        "--exclude",
        metavar="PATTERN",
        help="in directories, leave out files that this pattern matches, as in a .gitignore (repeatable)",
    )
    parser.add_argument(
        "--no-gitignore",
        dest="gitignore",
        action="store_false",
        help="in directories, search what .gitignore files exclude, too",
    )


def add_shapes_only(parser: argparse.ArgumentParser, words: str = SHAPES_ONLY_HELP) -> None:
    """Add the option that leaves out elements."""
    parser.add_argument("--shapes-only", action="store_true", help=words)


def add_no_execution(parser: argparse.ArgumentParser, words: str = "do not compile and run counterexamples") -> None:
    """Add the option that leaves out runs."""
    parser.add_argument("--no-execute", dest="execute", action="store_false", help=words)


def add_execution(parser: argparse.ArgumentParser) -> None:
    """Add the options for runs of counterexamples and the number of processes."""
    add_no_execution(parser)
    add_jobs(parser, "number of files to check, and of programs to run, at a time; the output is the same")


def add_jobs(parser: argparse.ArgumentParser, words: str) -> None:
    """Add the option for the number of processes."""
    default = f"as many as there are processors, {MOST_JOBS} at most"
    parser.add_argument("--jobs", "-j", metavar="N", type=jobs_number, help=f"{words} (default: {default})")


def add_printing(parser: argparse.ArgumentParser, words: str = "leave nothing out") -> None:
    """Add the options for details and colors."""
    parser.add_argument("--verbose", "-v", action="store_true", help=words)
    add_color(parser)


def _size(text: str) -> int:
    return whole(text, 0, MAX_SIZE)


def _steps(text: str) -> int:
    return whole(text, 1, 2**32 - 1)
