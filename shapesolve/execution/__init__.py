"""Execution of a function: lowered and compiled by MLIR, called in a sandboxed process on arguments of given sizes."""

from shapesolve.execution.execution import (
    Execution,
    ExecutionLimits,
    Input,
    Outcome,
    Place,
    ResultSize,
    ScalarInput,
    TensorInput,
)
from shapesolve.execution.runner import execute, execute_many

__all__ = [
    "Execution",
    "ExecutionLimits",
    "Input",
    "Outcome",
    "Place",
    "ResultSize",
    "ScalarInput",
    "TensorInput",
    "execute",
    "execute_many",
]
