"""Programs with sizes written as ``(n)``: once with `?` for all of them, once with numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_SIZE = re.compile(r"\((\w+)\)x")
_ARGUMENT = re.compile(r"%(\w+): tensor<((?:[^<>]|<[^<>]*>)*)>")


@dataclass(frozen=True)
class Written:
    """``text`` is one function whose result type uses the sizes ``r0``, ``r1``, ...; ``unseen`` are the clauses that
    MLIR's verifier is known not to look at."""

    name: str
    text: str
    sizes: tuple[int, ...] = (0, 1, 2, 3)
    unseen: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The sizes of the arguments."""
        found = dict.fromkeys(_SIZE.findall(self._signature))
        return [name for name in found if not name.startswith("r")]

    @property
    def rank(self) -> int:
        """The number of sizes of the result."""
        return len({name for name in _SIZE.findall(self.text) if name.startswith("r")})

    @property
    def _signature(self) -> str:
        return self.text[: self.text.index("->")]

    def dynamic(self) -> str:
        """Return the program with `?` for every size."""
        return _SIZE.sub("?x", self.text)

    def static(self, sizes: Mapping[str, int]) -> str:
        """Return the program with static sizes."""
        return _SIZE.sub(lambda size: f"{sizes[size[1]]}x", self.text)

    def inputs(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """The input variables of the dynamic text."""
        found: dict[str, int] = {}
        for name, extents in _ARGUMENT.findall(self._signature):
            for index, extent in enumerate(extents.split("x")[:-1]):
                if extent.startswith("("):
                    found[f"{name}[{index}]"] = sizes[extent.strip("()")]
        return found
