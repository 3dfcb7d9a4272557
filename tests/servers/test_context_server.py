"""The tools for assistants, called by the client of the protocol's own SDK in another process."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

pytest.importorskip("mcp")
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

pytestmark = pytest.mark.process

SERVER = "import sys; from shapesolve.cli.main import main; sys.exit(main())"
CHECKED = """
func.func @double(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %holds = arith.cmpi sge, %d, %c0 : index
  cf.assert %holds, "negative"
  %0 = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
UNSAFE = """
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def answers(*calls: tuple[str, dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The names of the tools, and what each call answers."""

    async def main() -> tuple[list[str], list[str]]:
        server = StdioServerParameters(command=sys.executable, args=["-c", SERVER, "mcp"])
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = [each.name for each in (await session.list_tools()).tools]
            found: list[str] = []
            for name, arguments in calls:
                content: Any = (await session.call_tool(name, arguments)).content
                found.append(content[0].text)
            return tools, found

    return asyncio.run(main())


def test_tools_of_the_context_server_answer_as_the_commands() -> None:
    tools, found = answers(
        ("check", {"program": UNSAFE}),
        ("check", {"program": UNSAFE, "assume": ["a[0] == b[0]"]}),
        ("contract", {"program": UNSAFE}),
        ("prune", {"program": CHECKED}),
        ("shape_of", {"program": CHECKED}),
        ("refine", {"source": CHECKED, "target": CHECKED}),
        ("prove", {"claim": "2*(H//2) == H", "assume": ["H % 4 == 0"]}),
        ("prove", {"claim": "2*(H//2) =="}),
        ("check", {"program": "/etc/hostname"}),
        ("explain", {"program": UNSAFE.lstrip(), "line": 2}),
        ("explain", {"program": UNSAFE.lstrip(), "line": 2, "assume": ["a[0] == b[0]"]}),
        ("explain", {"program": UNSAFE.lstrip(), "line": 3}),
    )
    assert tools == ["check", "explain", "contract", "prune", "shape_of", "refine", "prove"]
    refuted, assumed, contract, pruned, shapes, refined, proved, wrong, path, *explained = found
    assert "tosa.add needs compatible(a[0], b[0])" in refuted
    assert "1 check of sizes: 1 proved" in assumed
    assert "safe exactly when all of these hold" in contract
    assert "cf.assert" not in pruned
    assert "tosa.add" in pruned
    assert "%0 : [a[0]]" in shapes
    assert refined.startswith("@double: proved")
    assert proved == "Proved, because of H % 4 == 0"
    assert wrong.startswith("error: ")
    assert path.startswith("error: ")
    why, because, nothing = explained
    assert why.startswith("-:2:8: error: tosa.add needs compatible(a[0], b[0])") and "%a: tensor<2xf32>" in why
    assert "2:8: note: " in because and "--assume: a[0] == b[0]" in because
    assert "no obligations at line 3" in nothing and "at line 2" in nothing
