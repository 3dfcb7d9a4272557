"""MLIR's real verifiers: many operations in one run of Debian's mlir-opt, if installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

VERSIONS = ("16", "19", "22")

_SPLIT = "// -----"
_WITHIN = re.compile(r"within split at .*?:(\d+) offset :(\d+):\d+: error: (.*)")
_WHOLE = re.compile(r"(?:<stdin>|-):(\d+):\d+: error: (.*)")


def tool(version: str) -> str | None:
    """Return the path of a version's mlir-opt, or None if it is not installed."""
    return shutil.which(f"mlir-opt-{version}")


@dataclass(frozen=True)
class Question:
    """An operation: its name and the shapes of operands and result in MLIR's notation, ``()`` for a scalar."""

    op: str
    operands: tuple[str, ...]
    result: str
    element: str = "f32"
    result_element: str = "f32"
    attributes: str = ""
    also: str = ""  # the types of more operands that have no part in the shape

    @property
    def function(self) -> str:
        """A function of five lines with the operation on the second."""
        types = [self._type(text, self.element) for text in self.operands] + (
            self.also.split(", ") if self.also else []
        )
        result = self._type(self.result, self.result_element)
        arguments = ", ".join(f"%a{index}: {type}" for index, type in enumerate(types))
        used = ", ".join(f"%a{index}" for index in range(len(types)))
        call = f'%0 = "{self.op}"({used}){self.attributes} : ({", ".join(types)}) -> {result}'
        return f"func.func @f({arguments}) {{\n  {call}\n  return\n}}\n{_SPLIT}\n"

    @staticmethod
    def _type(text: str, element: str) -> str:
        return f"tensor<{'*x' if text == '*' else '' if text == '()' else text + 'x'}{element}>"


def complaints(version: str, questions: Sequence[Question], expected: Sequence[bool]) -> list[str | None]:
    """Return mlir-opt's error message for each operation, or None if it accepts the operation.

    A piece of the input takes mlir-opt as long as a hundred functions, and it stops at the first error of each: those
    that are ``expected`` to be accepted share one, and have pieces of their own only if it complains.
    """
    together = [question for question, accepted in zip(questions, expected, strict=True) if accepted]
    if not _are_accepted(version, together):
        return _complaints(version, questions)
    others = iter(
        _complaints(version, [each for each, accepted in zip(questions, expected, strict=True) if not accepted])
    )
    return [None if accepted else next(others) for accepted in expected]


def _are_accepted(version: str, questions: Sequence[Question]) -> bool:
    found = tool(version)
    assert found is not None
    functions = (each.function.replace("@f(", f"@f{number}(", 1) for number, each in enumerate(questions))
    text = "".join(functions).replace(_SPLIT, "")
    run = subprocess.run([found], input=text, capture_output=True, text=True, timeout=300)
    assert run.returncode in (0, 1), f"mlir-opt {version} crashed"
    return run.returncode == 0


def _complaints(version: str, questions: Sequence[Question]) -> list[str | None]:
    found = tool(version)
    assert found is not None
    text = "".join(question.function for question in questions)
    run = subprocess.run([found, "--split-input-file"], input=text, capture_output=True, text=True, timeout=300)
    assert run.returncode in (0, 1), f"mlir-opt {version} crashed"
    answers: list[str | None] = [None] * len(questions)
    for line, message in _errors(version, run.stderr):
        number = (line - 1) // 5
        answers[number] = answers[number] or message
    return answers


def crashes(version: str, question: Question) -> bool:
    """Return whether mlir-opt ends by a signal on one operation."""
    found = tool(version)
    assert found is not None
    environment = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}  # which takes three times as long as the crash
    run = subprocess.run([found], input=question.function, capture_output=True, timeout=60, text=True, env=environment)
    return run.returncode not in (0, 1)


def _errors(version: str, output: str) -> list[tuple[int, str]]:
    """The lines, in the whole input, that errors are about: 16 and 19 count from the start of each piece."""
    if version == "22":
        return [(int(line), message) for line, message in _WHOLE.findall(output)]
    return [(int(start) + int(offset) - 1, message) for start, offset, message in _WITHIN.findall(output)]
