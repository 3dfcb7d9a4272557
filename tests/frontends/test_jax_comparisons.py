"""Comparisons of sizes that jax.export finds inconclusive: proved ones are answered, others are findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from shapesolve.checker.exporter_findings import Outside
from shapesolve.checker.report import Report
from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

jax: Any = pytest.importorskip("jax")

pytestmark = pytest.mark.frontends

MODELS = """\
import jax

def first_five(x):
    return jax.lax.slice(x, (0,), (5,)) * 2

def head():
    return first_five, "t"
"""


@pytest.fixture(autouse=True)
def nothing_traced_before() -> None:
    """Begin as a command does, in a process that has traced nothing.

    JAX compares sizes with those of functions that it traced before, so that what it asks depends on these.
    """
    jax.clear_caches()


def check(function: Callable[..., Any], *shapes: str, constraints: tuple[str, ...] = ()) -> Report:
    from shapesolve import jax as checker

    return checker.check(function, *shapes, constraints=constraints)


def nested(x: Any) -> Any:
    b, t = x.shape
    if b * t < b or t * t + 1 <= t:
        return x.never()
    return x.sum(0) if b * t * t >= b * t else x.never()


def first_three(x: Any) -> Any:
    return x[:3] if x.shape[0] > 3 else x


def added(x: Any, y: Any) -> Any:
    return x + y


def test_proved_comparisons_are_answered() -> None:
    report = check(nested, "b, t")
    assert report.exit_code == 0 and not report.exporter
    assert {str(each.formula) for each in report.functions[0].assumptions} <= {"b >= 1", "t >= 1"}


def test_a_comparison_that_decides_between_two_branches_narrows_the_export() -> None:
    report = check(first_three, "n")
    (finding,) = report.exporter
    assert finding.guard.text == "n >= 4" and finding.outside is Outside.RETURNS
    assert finding.at == "[2]" and finding.message == "returns [2]" and report.exit_code == 0
    assert not check(first_three, "n", constraints=("n >= 4",)).exporter


@pytest.mark.parametrize("least", range(2, 9))
def test_the_function_fails_on_one_side(least: int) -> None:
    def first(x: Any) -> Any:
        return jax.lax.slice(x, (0,), (least,))

    report = check(first, "t")
    (finding,) = report.fails_outside
    assert finding.guard.text == f"t >= {least}" and "TypeError" in finding.message and report.exit_code == 1
    size = int(finding.at.strip("[]"))
    with pytest.raises(TypeError):
        first(jax.numpy.ones(size))


def test_the_line_of_the_model_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heads.py").write_text(MODELS)
    assert main(["check", "heads.py:head"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "heads.py:4: error: the model fails where t >= 5 is false" in output
    assert "model heads.py:4: return jax.lax.slice(x, (0,), (5,)) * 2 fails at inputs [2]" in output


def test_another_refusal_is_printed_in_full_with_failing_sizes() -> None:
    def function(x: Any, y: Any) -> Any:
        return jax.numpy.dot(x, y.never)

    with pytest.raises(InputError, match=r"the function fails for inputs \[\d\], \[\d\]: it raises Attribute") as found:
        check(function, "n", "m")
    assert found.value.excerpt == "AttributeError: DynamicJaxprTracer has no attribute never"


def test_operands_that_do_not_broadcast_are_a_finding() -> None:
    report = check(added, "n", "m")
    (finding,) = report.fails_outside
    assert finding.guard.text == "compatible(m, n)" and report.exit_code == 1
    assert report.program.declarations is not None
    (narrower,) = [each for each in report.exporter if each.outside is Outside.RETURNS]
    assert narrower.guard.text == "m == n" and not report.program.declarations.refusal


def halves(x: Any) -> Any:
    return x[: x.shape[0] // 2] + x[x.shape[0] // 2 :]


def turns(x: Any) -> Any:
    return jax.numpy.concatenate([x[::2], x[1::2]], 1)


def thirds(x: Any) -> Any:
    return x + jax.numpy.repeat(x[::3], 3, axis=0)


def rows(x: Any) -> Any:
    return x + jax.numpy.ones((9, 2))[: x.shape[0]]


@pytest.mark.parametrize("function", [halves, turns, thirds, rows])
def test_sizes_that_are_not_equal_are_findings(function: Callable[[Any], Any]) -> None:
    report = check(function, "t, 2")
    (finding,) = report.fails_outside
    assert report.exit_code == 1 and finding.message.startswith("raises")
    condition = parse_formula(finding.guard.text, Scope.free())
    (name,) = condition.variables
    for size in range(1, 21):
        try:
            function(jax.numpy.ones((size, 2)))
            returns = True
        except (TypeError, ValueError):
            returns = False
        assert holds(condition, {name: size}) == returns, size


def repeated(x: Any) -> Any:
    """Return every other row and column twice: the extents are those of the argument if these are even."""
    return jax.numpy.repeat(jax.numpy.repeat(x[::2, ::2], 2, axis=0), 2, axis=1)


def test_several_sizes_that_must_be_equal_together_are_findings() -> None:
    """Only both together decide whether the function returns."""

    def joined(x: Any) -> Any:
        return jax.numpy.concatenate([x, repeated(x)], axis=2)

    report = check(joined, "h, w, 2")
    assert report.exit_code == 1 and not report.refuted
    assert {each.guard.shown for each in report.fails_outside} == {"h % 2 == 0", "w % 2 == 0"}
    assert all(each.message.startswith("raises") for each in report.fails_outside)


def upsampled(x: Any, w: Any) -> Any:
    """Join an image with what a strided and a dilated convolution make of it: its sides must be even."""

    def convolved(image: Any, **options: Any) -> Any:
        numbers = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(image, w, dimension_numbers=numbers, **options)

    small = convolved(x, window_strides=(2, 2), padding=[(1, 1)] * 2)
    large = convolved(small, window_strides=(1, 1), padding=[(1, 2)] * 2, lhs_dilation=(2, 2))
    return jax.numpy.concatenate((large, x), -1)


def test_a_size_that_fails_is_a_finding_where_another_one_must_hold_too() -> None:
    """JAX takes no constraint that makes it see the equality of both sides."""
    report = check(upsampled, "b, h, w, 3", "3, 3, 3, 3")
    (finding,) = report.fails_outside
    assert (finding.guard.shown, finding.at) == ("h % 2 == 0", "[1, 3, 1, 3], [3, 3, 3, 3]")
    assert report.exit_code == 1 and finding.message.startswith("raises")


def test_an_argument_may_have_the_name_of_a_size() -> None:
    def weighed(x: Any, w: Any) -> Any:
        return x[: w.shape[0]].sum() + w.sum()

    report = check(weighed, "w + 1", "w")
    assert report.exit_code == 0
    assert "%x is [w + 1], %w_ is [w]" in " ".join(report.text().split())


def test_what_does_not_explain_a_refusal_is_not_said_to_be_required() -> None:
    """JAX compares half of the extents with 1, and refuses the function for another reason."""

    def of_fewer_channels(x: Any) -> Any:
        return jax.numpy.stack([x, repeated(x)[..., :1]])

    with pytest.raises(InputError, match="the function fails for inputs"):
        check(of_fewer_channels, "h, w, 2")


def stacked(*arrays: Any) -> Any:
    return jax.numpy.stack(arrays)


def stacked_with_repeated(x: Any) -> Any:
    return stacked(x, repeated(x))


def stacked_flat(x: Any, y: Any) -> Any:
    return stacked(x.reshape(-1), y.reshape(-1))


def stacked_joined(x: Any, y: Any) -> Any:
    return stacked(jax.numpy.append(x, y), jax.numpy.append(x, x))


@pytest.mark.parametrize(
    ("function", "shapes", "expected"),
    [
        (stacked_with_repeated, ["h, w, 2"], {"h % 2 == 0", "w % 2 == 0"}),
        (stacked, ["n, 4", "m, 4"], {"m == n"}),
        (stacked_flat, ["n, m", "p, q"], {"m*n == p*q"}),
        (stacked_joined, ["n", "m"], {"m == n"}),
    ],
)
def test_sizes_that_jax_compares_in_sets_are_findings(function: Any, shapes: Sequence[str], expected: set[str]) -> None:
    """JAX puts the shapes to be stacked into a set, which asks for the equality of equal hashes alone."""
    report = check(function, *shapes)
    assert report.exit_code == 1 and not report.refuted
    assert {each.guard.shown for each in report.fails_outside} == expected


def test_equal_sizes_that_jax_does_not_see_are_answered() -> None:
    def function(x: Any) -> Any:
        half = x.shape[0] // 2
        return x[:half] + x[x.shape[0] - (x.shape[0] + 1) // 2 :][:half]

    report = check(function, "t, 2", constraints=("t <= 4096",))
    assert report.exit_code == 0 and not report.exporter


def test_the_refusal_of_the_other_sizes_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(
        "def halves(x):\n    h = x.shape[0] // 2\n    return x[:h] + x[h:]\n\n\nmake = halves, 't'\n"
    )
    assert main(["check", "model.py:make"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "model.py:3: error: the model fails where (t <= 3 or t % 2 == 0) is false" in output
    assert "jax.export refuses this function for the other sizes too. It says: TypeError: add got" in output


def pooled(x: Any) -> Any:
    largest = jax.lax.reduce_window(x, -jax.numpy.inf, jax.lax.max, (3,), (3,), "VALID")
    return x + jax.numpy.repeat(largest, 3)


def test_the_conditions_of_findings_are_in_their_shortest_form() -> None:
    report = check(pooled, "t", constraints=("t <= 64",))
    assert [each.guard.shown for each in report.fails_outside] == ["t % 3 == 0 or t == 1"]
    assert report.exit_code == 1
    declared = report.program.declarations
    assert declared is not None and set(declared.claims) == {"t >= 1", "t <= 64"}


def test_equalities_are_those_of_the_own_sizes() -> None:
    """JAX compares sizes with those of functions that it traced before, too, which its caches hold."""
    symbolic_shape = import_module("jax.export").symbolic_shape

    from shapesolve.frontends.jax_comparisons import _answering_equalities

    own, other = symbolic_shape("floordiv(h, 2)")[0], symbolic_shape("floordiv(t, 2)")[0]
    asked: dict[tuple[str, str], bool] = {}
    with _answering_equalities(asked, ["h"], in_sets=True):
        assert own != 3 and other != 3
    assert list(asked) == [("floordiv(h, 2)", "3")]
