"""The server of the model context protocol: commands as tools on text, for assistants.

Nothing is executed, and no file is read or written: a tool takes the text of MLIR and returns text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from pydantic import Field

from shapesolve import __version__, api
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.reports.finding_line import report_lines
from shapesolve.reports.page import Page
from shapesolve.reports.refinement import print_refinements
from shapesolve.servers.requests import by_module, by_module_pair, explain_line, rewritten, source_text
from shapesolve.solver import entailment

INSTRUCTIONS = (
    "Proves for all sizes that MLIR programs with dynamic shapes are safe, or gives the smallest failing sizes. "
    "Every tool takes the text of a program. Nothing is executed."
)

ProgramText = Annotated[
    str, Field(description="The text of MLIR. Lines `// -----` separate modules, which are taken one by one.")
]
Assumed = Annotated[
    list[str] | None,
    Field(description='Conditions on the sizes that are believed, such as "x[1] == w[0]": x[1] is extent 1 of %x.'),
]

_THREAD = ThreadPoolExecutor(1, "tools")
"""The thread of all tools: the solver's terms belong to one."""


def _answer(work: Callable[[], str]) -> str:
    """Return an answer from the thread of all tools.

    Raises:
        ToolError: Input cannot be used, so that the client learns that the answer is an error.
    """
    try:
        return _THREAD.submit(work).result()
    except InputError as error:
        raise ToolError(str(error)) from None


def _by_module(program: str, work: Callable[[str], str]) -> str:
    """Return the answers about the modules of a program as one text.

    Raises:
        ToolError: A module cannot be used. The answers about the others stand beside its error.
    """
    return _joined(list(by_module(program, work)))


def _joined(found: Sequence[tuple[int, str | InputError]]) -> str:
    """Return answers about modules, each with its first line, as one text.

    Raises:
        ToolError: One of them is an error.
    """
    if len(found) == 1 and isinstance(found[0][1], str):
        return found[0][1]
    texts: list[str] = []
    for line, each in found:
        answer = f"error: {each}" if isinstance(each, InputError) else each.strip("\n")
        texts.append(f"module at line {line}:\n{answer}")
    text = "\n\n".join(texts)
    refused = sum(isinstance(each, InputError) for _, each in found)
    if refused:
        raise ToolError(f"modules with an error: {refused} of {len(found)}\n\n{text}")
    return text


def check(
    program: ProgramText,
    assume: Assumed = None,
    verbose: Annotated[bool, Field(description="Include what is proved, and the facts.")] = False,
) -> str:
    """Check an MLIR program for every way a size could go wrong, for all sizes."""

    def work(module: str) -> str:
        report = api.check(module, assume=assume or (), execute=False)
        lines = "\n".join(map(str, report_lines(diagnose(report))))
        return f"{lines}\n\n{report.text(verbose=verbose)}".lstrip("\n")

    return _answer(lambda: _by_module(program, work))


def explain(
    program: ProgramText,
    line: Annotated[int, Field(description="The line of an operation, counted from 1.")],
    assume: Assumed = None,
) -> str:
    """Explain the verdicts at one line of an MLIR program: the facts of a proof, or a counterexample step by step."""
    return _answer(lambda: explain_line(program, line, assume or ()))


def contract(program: ProgramText) -> str:
    """Return the conditions on the sizes under which each function of an MLIR program is safe."""
    return _answer(lambda: _by_module(program, lambda module: api.contract(module).text()))


def prune(program: ProgramText, assume: Assumed = None) -> str:
    """Return an MLIR program without the runtime checks that are proved to hold for all sizes."""
    return _answer(lambda: rewritten(program, "prune", Options(assumptions=tuple(assume or ()))))


def shape_of(program: ProgramText) -> str:
    """Return the symbolic shape of every value of an MLIR program, one in a line."""

    def work(module: str) -> str:
        return "\n".join(
            f"@{name} line {each.location.line}: {each.name} : {each.shape}"
            for name, values in api.shape_of(module).items()
            for each in values
        )

    return _answer(lambda: _by_module(program, work))


def refine(
    source: Annotated[str, Field(description="The text of MLIR as it was.")],
    target: Annotated[
        str,
        Field(description="The text as it is to be. Modules that lines `// -----` separate are compared in order."),
    ],
    assume: Assumed = None,
) -> str:
    """Decide for all sizes whether one MLIR program (target) may replace another one (source)."""

    def work(ours: str, theirs: str) -> str:
        found = api.refine(source_text(ours), source_text(theirs), assume=assume or (), execute=False)
        stream = StringIO()
        print_refinements(found, Page(stream, color="never", width=100))
        return stream.getvalue()

    return _answer(lambda: _joined(list(by_module_pair(source, target, work))))


def prove(
    claim: Annotated[str, Field(description='A claim about sizes, such as "2*(H//2) == H".')],
    assume: Annotated[list[str] | None, Field(description='Claims that are believed, such as "H % 4 == 0".')] = None,
) -> str:
    """Decide a claim about sizes, for all sizes."""
    return _answer(lambda: str(entailment.prove(claim, assuming=assume or ())))


TOOLS = (check, explain, contract, prune, shape_of, refine, prove)


def make_server() -> MCPServer:
    """Return the server, ready to be run on some transport."""
    tools = [_tool(each) for each in TOOLS]
    return MCPServer("shapesolve", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING", tools=tools)


def _tool(function: Callable[..., str]) -> Tool:
    """Return a tool that refuses parameters that it does not have: without its conditions a question is another one."""
    tool = Tool.from_function(function)
    model = tool.fn_metadata.arg_model
    model.model_config["extra"] = "forbid"
    model.model_rebuild(force=True)
    tool.parameters = model.model_json_schema(by_alias=True)
    return tool
