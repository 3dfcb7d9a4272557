"""Differential test of the rules for PyTorch's operators against PyTorch: result shapes and raised errors.

A table of calls and of PyTorch's results stands beside this file; where PyTorch is installed, more calls are made.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any

import pytest
from support.torch_instances import CALLS, calls
from support.torch_mutations import changed
from support.torch_oracle import RAISES, Outcome, outcome, recorded
from support.torch_rules import NOT_SEEN, said

MORE = 40

VERSIONS = "shapesolve.constraints.torch.versions"
READ = import_module(VERSIONS).installed
"""Taken before the session says that none is installed."""

BEFORE_2_15 = {
    "_native_batch_norm_legit.no_stats": "ends the process for some tensors without elements",
    "grid_sampler_3d": "has no bicubic mode",
    **dict.fromkeys(
        (
            *("fft_fft", "fft_hfft", "fft_ifft", "fft_ihfft", "fft_irfft", "fft_rfft"),
            *("fft_fftn", "fft_ifftn", "fft_irfftn", "fft_rfftn", "stft"),
        ),
        "raises an error for tensors without elements where it calls MKL",
    ),
}
"""Behavior of older versions, by operator, where the rules are those of 2.15 only."""

MOST_NOT_SEEN = 0.5


def differing(rows: list[tuple[list[Any], Outcome]], name: str) -> list[str]:
    """Return the calls for which a rule and PyTorch differ."""
    found: list[str] = []
    for arguments, given in rows:
        for symbolic in (False, True):
            ours, why = said(name, arguments, given, symbolic=symbolic)
            ours = _filled(ours, given)
            if ours not in (given, NOT_SEEN) and not _is_left_to_libraries(name, given, why):
                how = "of variables" if symbolic else "of numbers"
                found.append(f"{name}({arguments}) {how}: PyTorch {given}, the rule {ours} {why}")
    return found


def _filled(ours: Outcome, given: Outcome) -> Outcome:
    """Return the rule's results, with PyTorch's where the rule leaves one open."""
    if not isinstance(ours, list) or not isinstance(given, list):
        return ours
    return [theirs if mine is None else mine for mine, theirs in zip(ours, given, strict=True)]


def _is_left_to_libraries(name: str, given: Outcome, clause: str) -> bool:
    """Return whether PyTorch gave something where it raises an error elsewhere.

    It gives a tensor with a negative extent, of which it then knows no number of elements; and weighs more values
    than there are, reading what lies behind them.
    """
    if not isinstance(given, list):
        return False
    extents = given[0] if isinstance(given[0], list) else []
    return any(isinstance(each, int) and each < 0 for each in extents) or (
        name == "scaled_dot_product_attention" and clause == "C3"
    )


@cache
def table() -> dict[str, list[tuple[list[Any], Outcome]]]:
    """The recorded calls by operator."""
    rows: defaultdict[str, list[tuple[list[Any], Outcome]]] = defaultdict(list)
    for name, arguments, given in recorded():
        rows[name].append((arguments, given))
    return rows


@pytest.mark.sweep
@pytest.mark.parametrize("name", CALLS)
def test_results_are_those_recorded_from_pytorch(name: str) -> None:
    rows = table()[name]
    # Of truth values there are no more.
    flags = {len(arguments) for arguments, _ in rows if all(isinstance(each, bool) for each in arguments)}
    assert len(rows) >= (2 ** max(flags) if flags else 5)
    assert not differing(rows, name)


@pytest.mark.exhaustive
def test_most_recorded_calls_are_modeled() -> None:
    counts: Counter[bool] = Counter()
    blind: list[str] = []
    for name, rows in table().items():
        seen = [said(name, arguments, given, symbolic=False)[0] != NOT_SEEN for arguments, given in rows]
        counts.update(seen)
        blind += [name] if sum(seen) < MOST_NOT_SEEN * len(seen) else []
    assert not blind
    assert counts[True] > 0.95 * counts.total()


@pytest.mark.slow
def test_the_table_holds_errors_and_results() -> None:
    kinds = Counter(given == RAISES for _, _, given in recorded())
    assert kinds[True] > 500
    assert kinds[False] > 2000


def _installed(monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Judge for the version of PyTorch that is installed, or skip the test."""
    torch = pytest.importorskip("torch")
    major, minor = (int(each) for each in torch.__version__.split(".")[:2])
    monkeypatch.setattr(f"{VERSIONS}.installed", lambda: (major, minor))
    return major, minor


@pytest.mark.frontends
@pytest.mark.parametrize("name", CALLS)
def test_results_agree_with_pytorch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = _installed(monkeypatch)
    if name in BEFORE_2_15 and here < (2, 15):
        pytest.skip(f"before 2.15 PyTorch {BEFORE_2_15[name]}")
    rows = [(arguments, outcome(name, arguments)) for _, arguments in calls(MORE, seed=1, names=[name])]
    rows += [(arguments, given) for _, arguments, given in changed(MORE // 2, seed=1, names=[name])]
    assert not differing(rows, name)


@pytest.mark.frontends
@pytest.mark.slow
@pytest.mark.parametrize("transposed", [False, True])
def test_convolutions_of_little_or_nothing(transposed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(monkeypatch)
    rows: list[tuple[list[Any], Outcome]] = []
    for batch, channels, length, window, padding, more in product(
        (0, 1), (0, 1, 2), (0, 1, 3), range(3), (0, 1), (0, 1)
    ):
        for weights in ([0, 0], [1, 0], [2, 0], [1, 1], [2, 1], [1, 2], [2, 2]):
            moved = [[2], [padding], [1], transposed, [more if transposed else 0], 1]
            for bias in (None, {"t": [weights[0]]}):
                rows.append(([{"t": [batch, channels, length]}, {"t": [*weights, window]}, bias, *moved], RAISES))
    found = [(arguments, outcome("convolution", arguments)) for arguments, _ in rows]
    assert any(given == RAISES for _, given in found)
    assert not differing(found, "convolution")


def _said(name: str, arguments: list[Any]) -> Outcome:
    return said(name, arguments, RAISES, symbolic=False)[0]


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("group_norm", [{"t": [2, 4, 0]}, 2, None, None, 1e-05, False], [2, 4, 0]),
        ("native_group_norm", [{"t": [2, 4, 0]}, None, None, 2, 4, 0, 2, 1e-05], [2, 4, 0]),
        ("reflection_pad2d", [{"t": [5, 5, 3, 2]}, [-1, -1, 2, 2]], [5, 5, 7, 0]),
        ("replication_pad2d", [{"t": [3, 4, 1]}, [0, -1, 0, 2]], [3, 6, 0]),
        ("reflection_pad3d", [{"t": [5, 5, 3, 2]}, [-1, -1, 2, 2, 0, 0]], [5, 5, 7, 0]),
        ("pad", [{"t": [3, 4, 1]}, [0, -1, 0, 2], "replicate", None], [3, 6, 0]),
        ("replication_pad2d", [{"t": [3, 1, 1]}, [0, -1, 0, -1]], RAISES),
        ("replication_pad1d", [{"t": [3, 4, 1]}, [0, -1]], RAISES),
        ("replication_pad2d", [{"t": [3, 4, 1]}, [0, -2, 0, 2]], RAISES),
    ],
)
def test_versions_that_differ(
    name: str, arguments: list[Any], result: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _said(name, arguments) == RAISES
    monkeypatch.setattr(f"{VERSIONS}.installed", lambda: (2, 14))
    before = _said(name, arguments)
    assert (before if result == RAISES else before[0]) == result
    monkeypatch.setattr(f"{VERSIONS}.installed", lambda: (2, 16))
    assert _said(name, arguments) == RAISES


def test_the_version_is_read_from_the_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    for spelled, wanted in (("2.13.0+cpu", (2, 13)), ("3.0", (3, 0)), ("unknown", None)):
        monkeypatch.setattr("importlib.metadata.version", {"torch": spelled}.__getitem__)
        assert READ.__wrapped__() == wanted
