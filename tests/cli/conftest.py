"""The real `main`, in this process, with what it printed."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from shapesolve.cli.main import main


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def unwrapped(self) -> str:
        """Everything that was printed, without line breaks: how lines wrap depends on how long paths are."""
        return " ".join(f"{self.out} {self.err}".split())


Command = Callable[..., Said]

ADD = """\
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.fixture
def command(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*arguments: str, stdin: bytes = b"") -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return Said(code, out.decode(), err.decode())

    return run


@pytest.fixture
def add(tmp_path: Path) -> Path:
    """A file with one function that adds two vectors: it breaks where their sizes do not broadcast."""
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    return path
