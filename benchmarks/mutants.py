"""Mutation testing of the rules: ``python benchmarks/mutants.py [dialect ...] [--sample N] [--seed N] [--seconds N]``.

A mutant is a rule's module with one comparison, bound, operand or connective changed. Each runs in a process of its
own: first the case files that mention the operations of the changed function, then the dialect's tests of rules. It is
noticed if one fails, or does not end; without a change they have to pass. Printed are the share that is noticed, for
each dialect, and the survivors.

The sample is drawn by the seed. Mutants that mean the same as the original are not told apart: they survive.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import select
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from time import monotonic
from types import ModuleType

ROOT = Path(__file__).parents[1]
RULES = ROOT / "constraints"
TESTS = {
    "shape": (
        "constraints/test_shape_rules",
        "constraints/test_shape_folds",
        "constraints/test_shape_any",
        "constraints/test_shape_page",
        "constraints/test_unranked_shapes",
        "reports/test_errors_as_values",
    ),
    "tensor": (
        "constraints/test_tensor",
        "constraints/test_integer_places",
        "constraints/test_bounds_of_contents",
        "pruning/test_extents_of_undefined_results",
    ),
    "linalg": (
        "constraints/test_linalg",
        "constraints/test_linalg_copies",
        "constraints/test_coverage_of_structured_ops",
        "constraints/test_bounds_of_contents",
        "constraints/test_bounds_of_sums",
        "elements/test_pairs",
        "elements/test_running_values",
        "interpreter/test_contents",
    ),
    "stablehlo": (
        "constraints/test_stablehlo_contents",
        "constraints/test_stablehlo_integers",
        "constraints/test_stablehlo_shapes",
        "constraints/test_clamped_elements",
        "constraints/test_windows_against_the_verifier",
        "elements/test_pairs",
        "refinement/test_pairs",
    ),
    "tosa": ("constraints/test_elementwise", "constraints/test_windows_against_the_verifier"),
    "arith": (
        "constraints/test_arith",
        "constraints/test_bits",
        "constraints/test_bounds_of_quotients",
        "constraints/test_elementwise",
        "constraints/test_folds",
        "constraints/test_small_integers_exhaustively",
        "constraints/test_wrapping",
        "pruning/test_guards",
    ),
    "memref": ("constraints/test_buffers", "constraints/test_tensor"),
}
"""The files that are run for each dialect, besides the cases."""

OF_EVERY_DIALECT = (
    "constraints/test_against_the_verifier",
    "constraints/test_static_instances",
    "constraints/test_every_clause_can_fail",
    "constraints/test_extents_against_mlir",
    "constraints/test_extents_in_messages",
    "soundness/test_regressions",
)

MOST_SECONDS = 60.0
"""A mutant that takes longer counts as noticed, since the tests do not end; but they may take three times as long as
without a change, on a machine that does more."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
FUNCTIONS = {
    "equal": "unequal",
    "unequal": "equal",
    "less_than": "at_least",
    "conjunction": "disjunction",
    "disjunction": "conjunction",
    "maximum": "minimum",
    "minimum": "maximum",
    "max": "min",
    "min": "max",
    "all": "any",
    "any": "all",
}


@dataclass(frozen=True)
class Mutant:
    """A changed module.

    Attributes:
        dialect: The folder of the rules, or their module.
        path: The module's file.
        line: The line that is changed.
        change: The change, as a text.
        source: The text of the changed module.
        operations: The operations whose rules use the changed function; none if others use it, too.
    """

    dialect: str
    path: Path
    line: int
    change: str
    source: str
    operations: tuple[str, ...]

    @property
    def module(self) -> str:
        """The name that the module is imported by."""
        return ".".join(("shapesolve", *self.path.relative_to(ROOT).with_suffix("").parts))

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.change}"


def changes(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the texts of a node before and after each change of it."""
    before = ast.unparse(node)
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in COMPARISONS:
            after = ast.Compare(left, [COMPARISONS[type(operator)]()], [right])
            yield before, ast.unparse(after)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in ARITHMETIC:
            yield before, f"({ast.unparse(ast.BinOp(left, ARITHMETIC[type(operator)](), right))})"
        case ast.BoolOp(op=operator, values=values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield before, f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield before, f"bool({ast.unparse(operand)})"
        case ast.Call(func=ast.Name(id=name), args=[first, second], keywords=[]) if name in ("at_least", "less_than"):
            yield before, f"{name}({ast.unparse(second)}, {ast.unparse(first)})"
            yield before, f"{name}({ast.unparse(first)}, {ast.unparse(second)} + 1)"
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            yield before, FUNCTIONS[name] + before.removeprefix(name)
        case ast.Constant(value=bool() as value):
            yield before, str(not value)
        case ast.Constant(value=int() as value):
            yield before, str(value + 1)
        case _:
            return


def modules_of(dialect: str) -> list[Path]:
    """Return the files of a dialect's rules, which are a folder or a module."""
    folder = RULES / dialect
    return sorted(folder.glob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a module."""
    dialect = path.stem if path.parent == RULES else path.parent.name
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    operations = _operations(functions)
    for function in functions:
        for node in (each for statement in function.body for each in _expressions(statement)):
            if node.lineno != node.end_lineno or node.end_col_offset is None:
                continue
            line = lines[node.lineno - 1]
            for before, after in changes(node):
                changed = line[: node.col_offset] + after.encode() + line[node.end_col_offset :]
                source = b"".join((*lines[: node.lineno - 1], changed, *lines[node.lineno :])).decode()
                used = operations[function.name]
                shown = f"{before} -> {after} in `{changed.decode().strip()}`"
                yield Mutant(dialect, path, node.lineno, shown, source, used)


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions in a statement, without those in messages and annotations."""
    if isinstance(node, ast.JoinedStr | ast.Assert | ast.Raise):
        return
    if isinstance(node, ast.expr):
        yield node
    skipped = {id(node.annotation)} if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation else set[int]()
    skipped = {id(node.annotation)} if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation else set[int]()
    if isinstance(node, ast.keyword) and node.arg in ("strict", "shown"):  # what cannot fail, and what is only printed
        return
    for child in ast.iter_child_nodes(node):
        if id(child) not in skipped:
            yield from _expressions(child)


def _operations(functions: Sequence[ast.FunctionDef]) -> dict[str, tuple[str, ...]]:
    """Return, for each function, the operations whose rules reach it within the module."""
    names = {each.name for each in functions}
    uses = {
        each.name: {node.id for node in ast.walk(each) if isinstance(node, ast.Name) and node.id in names}
        for each in functions
    }
    found: dict[str, dict[str, None]] = {each.name: {} for each in functions}
    for function in functions:
        own = _operations_of_rule(function)
        reached, waiting = set[str](), [function.name] if own else []
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                found[name].update(dict.fromkeys(own))
                waiting.extend(uses[name])
    return {name: tuple(each) for name, each in found.items()}


def _operations_of_rule(function: ast.FunctionDef) -> list[str]:
    calls = [each for each in function.decorator_list if isinstance(each, ast.Call)]
    texts = [each.value for call in calls for each in call.args if isinstance(each, ast.Constant)]
    return [each for each in texts if isinstance(each, str) and "." in each]


class _Importer(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from a changed text."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=str(self._mutant.path))

    def get_source(self, fullname: str) -> str:
        return self._mutant.source


def is_noticed(mutant: Mutant, seconds: float = MOST_SECONDS) -> bool:
    """Return whether a test fails, or does not end, with the mutant in place of the module."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        code = 1
        with contextlib.suppress(BaseException):
            code = _run_tests(mutant)
        os._exit(code)
    os.close(writer)
    ended, _, _ = select.select([reader], [], [], seconds)  # readable at its end, once the child has none open
    os.close(reader)
    if not ended:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) != 0


def _run_tests(mutant: Mutant) -> int:
    """Run the tests in this process; return 0 if all pass."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.meta_path.insert(0, _Importer(mutant))
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT / "tests"))
    import pytest
    from test_cases import CASES, test_verdicts_are_those_expected_in_the_case_file

    for path in CASES:
        text = path.read_text(encoding="utf-8")
        if any(each in text for each in mutant.operations) or (not mutant.operations and mutant.dialect in path.parts):
            test_verdicts_are_those_expected_in_the_case_file(path)
    files = [f"tests/{each}.py" for each in (*TESTS[mutant.dialect], *OF_EVERY_DIALECT)]
    arguments = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not exhaustive and not frontends"]
    arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # its own plugin is imported already
    code = pytest.main([*arguments, *files])
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


def warm_up() -> None:
    """Import what mutants share, but no rule."""
    for name in ("z3", "shapesolve.checker.check", "shapesolve.ir.reader"):
        import_module(name)

    assert not any(name.startswith("shapesolve.constraints") for name in sys.modules)


def main() -> int:
    """Print the share of mutants that are noticed, and the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dialects", nargs="*", metavar="DIALECT", help=f"of {', '.join(TESTS)}; all of them if none")
    parser.add_argument("--sample", type=int, default=40, help="mutants of each dialect (default: 40)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1800.0, help="begin no mutant after so long (default: 1800)")
    arguments = parser.parse_args()
    warm_up()
    end = monotonic() + arguments.seconds
    tried, noticed = 0, 0
    for dialect in arguments.dialects or TESTS:
        everything = [each for path in modules_of(dialect) for each in mutants_of(path)]
        unchanged = replace(everything[0], source=everything[0].path.read_text(encoding="utf-8"), operations=())
        begun = monotonic()
        if is_noticed(unchanged, 10 * MOST_SECONDS):
            sys.exit(f"{dialect}: the tests fail without any change, so no share can be told")
        seconds = max(MOST_SECONDS, 3 * (monotonic() - begun))
        sample = random.Random(f"{arguments.seed} {dialect}").sample(everything, min(arguments.sample, len(everything)))
        survivors: list[Mutant] = []
        done = 0
        for mutant in sample:
            if monotonic() > end:
                break
            done += 1
            if not is_noticed(mutant, seconds):
                survivors.append(mutant)
                print(f"survived: {mutant}", flush=True)
        share = f" ({100 * (done - len(survivors)) // done} %)" if done else ""
        print(f"{dialect}: {done - len(survivors)} of {done} noticed{share}; {len(everything)} in all", flush=True)
        tried, noticed = tried + done, noticed + done - len(survivors)
    print(f"all: {noticed} of {tried} noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
