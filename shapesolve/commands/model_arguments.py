"""What can be said about models of PyTorch, JAX and ONNX."""

from __future__ import annotations

import argparse

from shapesolve.doors.levels import BOTH, LEVELS, OWN

FILE_HELP = (
    "MLIR as text or bytecode (- is standard input), or a model: what torch.export or jax.export saved (.pt2, any "
    "name), an .onnx file, or model.py:make_model, a function that makes it: that file is run"
)


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Where a model is checked, and what of its exporter is believed."""
    group = parser.add_argument_group("models of PyTorch, JAX and ONNX")
    add_level(group)
    add_facts_files(group)
    group.add_argument(
        "--distrust",
        action="store_true",
        help="do not believe what exporters and attributes in files state of the sizes, what functions without a "
        "body ensure, nor that a tensor holds sizes because an operation takes it for a shape: nothing "
        "checks it at run time",
    )
    group.add_argument(
        "--trust-exporter",
        action="store_true",
        help="believe what torch.export found of the sizes (its guards, ranges and equalities) like what you declared",
    )


def add_facts_files(group: argparse._ActionsContainer) -> None:  # pyright: ignore[reportPrivateUsage] (has no other name)
    """Add the files that say what holds of the sizes."""
    group.add_argument(
        "--facts",
        metavar="FILE.toml",
        action="append",
        default=[],
        help="what holds of the sizes, as shapesolve facts prints it (repeatable)",
    )


def add_level(group: argparse._ActionsContainer) -> None:  # pyright: ignore[reportPrivateUsage] (has no other name)
    """Where a model is looked at."""
    default = f"check: {' and '.join(BOTH)}, explain and contract: {OWN}, otherwise: {LEVELS[0]}"
    group.add_argument(
        "--level",
        choices=LEVELS,
        help=f"the dialect that a model of PyTorch or ONNX is looked at in (default: {default})",
    )
    group.add_argument(
        "--no-decompose",
        dest="decompose",
        action="store_false",
        help="keep linear and matmul whole; by default they are rewritten into views first, as torch-mlir does itself",
    )
