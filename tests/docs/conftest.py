"""Commands of pages run in this process, as tests of commands do."""

from __future__ import annotations

from cli.conftest import command

__all__ = ["command"]
