"""The tools for assistants, called by the client of the protocol's own SDK in another process."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from typing import Any

import pytest

pytestmark = [pytest.mark.process, pytest.mark.skipif(not find_spec("mcp"), reason="needs mcp")]

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


def answers(*calls: tuple[str, dict[str, Any]]) -> tuple[list[str], list[str], list[bool]]:
    """The names of the tools, what each call answers, and whether the answer is marked as an error."""
    # Here, since importing it takes longer than importing a hundred modules of tests.
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def main() -> tuple[list[str], list[str], list[bool]]:
        server = StdioServerParameters(command=sys.executable, args=["-c", SERVER, "mcp"])
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = [each.name for each in (await session.list_tools()).tools]
            found: list[str] = []
            is_error: list[bool] = []
            for name, arguments in calls:
                answer: Any = await session.call_tool(name, arguments)
                found.append(answer.content[0].text)
                is_error.append(bool(answer.is_error))
            return tools, found, is_error

    return asyncio.run(main())


def test_every_parameter_of_every_tool_is_described() -> None:
    from shapesolve.servers.context_server import TOOLS, make_server

    tools = asyncio.run(make_server().list_tools())
    assert len(tools) == len(TOOLS)
    for tool in tools:
        described = {name: each.get("description", "") for name, each in tool.input_schema["properties"].items()}
        assert described and all(len(text) > 20 for text in described.values()), (tool.name, described)


def test_tools_of_the_context_server_answer_as_the_commands() -> None:
    tools, found, is_error = answers(
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
    assert wrong.startswith("Error executing tool prove: ")
    assert path.startswith("Error executing tool check: <string>:1:1: ")
    assert [number for number, each in enumerate(is_error) if each] == [found.index(wrong), found.index(path)]
    why, because, nothing = explained
    assert why.startswith("<string>:2:8: error: tosa.add needs compatible(a[0], b[0])") and "a: 2, b: 3" in why
    assert "2:8: note: " in because and "--assume: a[0] == b[0]" in because
    assert "nothing to prove at line 3" in nothing and "at line 2" in nothing


SPLIT = f"""{UNSAFE}// -----

module {{}}
// -----
{CHECKED.replace("@double", "@add")}"""
UNREADABLE = f"{SPLIT}// -----\nfunc.func @bad() {{ return %nothing : f32 }}\n"


def test_a_parameter_that_a_tool_does_not_have_is_refused() -> None:
    from shapesolve.servers.context_server import make_server

    tools = asyncio.run(make_server().list_tools())
    assert all(tool.input_schema["additionalProperties"] is False for tool in tools)
    _, (found,), (is_error,) = answers(("prove", {"claim": "H % 2 == 0", "assuming": ["H % 4 == 0"]}))
    assert is_error and "assuming" in found


def test_modules_of_two_split_texts_are_compared_one_by_one() -> None:
    _, found, is_error = answers(
        ("refine", {"source": f"{UNSAFE}// -----\n{CHECKED}", "target": f"{UNSAFE}// -----\n{CHECKED}"}),
        ("refine", {"source": f"{UNSAFE}// -----\n{CHECKED}", "target": f"{CHECKED}// -----\n{UNSAFE}"}),
        ("refine", {"source": SPLIT, "target": CHECKED}),
    )
    same, other, counts = found
    assert is_error == [False, True, True]
    assert same.count("proved: both are the same program") == 2
    assert "modules with an error: 2 of 2" in other
    assert "the source has 3 modules, and the target 1 module; modules are compared one by one" in counts


def test_modules_of_a_split_text_are_answered_one_by_one() -> None:
    add = next(n for n, line in enumerate(SPLIT.split("\n"), 1) if "tosa.add %a, %a" in line)
    _, found, is_error = answers(
        ("check", {"program": SPLIT}),
        ("contract", {"program": SPLIT}),
        ("shape_of", {"program": SPLIT}),
        ("prune", {"program": SPLIT}),
        ("explain", {"program": SPLIT, "line": add}),
        ("check", {"program": UNREADABLE}),
        ("prune", {"program": UNREADABLE}),
        ("check", {"program": "module {}\n// -----\nmodule {}\n"}),
    )
    checked, contract, shapes, pruned, explained, partly, refused, empty = found
    assert is_error == [False] * 5 + [True] * 3
    assert checked.startswith("module at line 2:\n<string>:3:8: error: tosa.add needs compatible(a[0], b[0])")
    assert "\n\nmodule at line 11:\n   domain " in checked and "<string>: 3 checks of sizes: 3 proved" in checked
    first, _, second = contract.partition("\n\nmodule at line 11:\n")
    assert "compatible(a[0], b[0])" in first and "safe for all sizes" in second
    assert "@add line 3: %0 : [broadcast(a[0], b[0])]" in shapes and f"@add line {add}: %0 : [a[0]]" in shapes
    assert "cf.assert" not in pruned and pruned.startswith(f"{UNSAFE}// -----\n\nmodule {{}}\n// -----\n")
    assert f"<string>:{add}:8: note: " in explained
    assert "modules with an error: 1 of 3" in partly and "compatible(a[0], b[0])" in partly
    bad = UNREADABLE.count("\n")
    assert f"module at line {bad}:\nerror: <string>:{bad}:27: use of undeclared SSA value name" in partly
    assert f"<string>:{bad}:27: use of undeclared SSA value name" in refused
    assert "no module of this text has a function" in empty
