"""Models whose calls change their state: extents of buffers stay, contents are unknown; attributes are given back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main

pytest.importorskip("torch")

pytestmark = pytest.mark.frontends

MODELS = """\
import torch
from torch.export import Dim


class Cached(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.zeros(64, 8))
        self.register_buffer("places", torch.arange(4))

    def forward(self, x, w):
        self.rows[: x.shape[0]] = x * 2
        self.places += 1
        return x @ self.rows[: x.shape[0]].T + w[self.places].sum()


def cached(most=100):
    return Cached(), (torch.ones(5, 8), torch.ones(9)), ({0: Dim("T", min=2, max=most)}, {0: Dim("N", min=5)})


def fits():
    return cached(64)


class Trained(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)
        self.normalize = torch.nn.BatchNorm1d(4)

    def forward(self, x):
        return self.normalize(self.linear(x))


def trained():
    return Trained(), (torch.ones(5, 8),), ({0: Dim("B", min=1)},)


def of_two():
    return Trained(), (torch.ones(5, 8),), ({0: Dim("B", min=2)},)


class Counted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.places = torch.nn.Parameter(torch.arange(4), requires_grad=False)

    def forward(self, x):
        self.places.add_(1)
        return x[self.places]


def parameter():
    return Counted(), (torch.ones(9, 8),), ({0: Dim("B", min=6)},)
"""


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("cached", 1, "model.py:12: error: assignment needs T <= 64"),
        ("fits", 3, "needs -N <= x < N for each element x of the result of add_ (line 13)"),
        ("trained", 1, "raises ValueError: Expected more than 1 value per channel when training"),
        ("of_two", 0, "(torch): no size makes it fail"),
        ("parameter", 3, "needs -B <= x < B for each element x of the result of add_ (line 49)"),
    ],
)
def test_what_is_stored_is_not_followed(
    name: str, code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The places 1 to 4 of the first call are in range for each N, those of the second are not."""
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODELS)
    assert main(["check", f"model.py:{name}", "--level", "torch"]) == code
    output = " ".join(capsys.readouterr().out.split())
    assert said in output and "not confirmed" not in output
    assert "calls change tensors of the model, of whose contents nothing is known: " in output


ATTRIBUTES = """\
import torch
from torch.export import Dim


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
        self.seen = []

    def forward(self, x):
        self.n += 1
        self.seen.append(x.shape[0])
        return x[self.n + len(self.seen) - 1]


class Doubled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 2

    def forward(self, x):
        self.width = self.width * 2
        return x.reshape(-1, self.width)


class Places:
    def __init__(self):
        self.next = 0
        self.of = {"step": [1]}


class Remembers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.places = Places()

    def forward(self, x):
        self.places.next += self.places.of["step"][0]
        self.places.of["step"].append(2)
        return x.reshape(-1, self.places.next + len(self.places.of["step"]))


CALLS = 1


class Global(torch.nn.Module):
    def forward(self, x):
        global CALLS
        CALLS += 1
        return x.reshape(-1, CALLS)


def counter(least=2):
    return Counter(), (torch.zeros(8, 3),), {"x": {0: Dim("N", min=least)}}


def one_row():
    return counter(1)


def doubled():
    return Doubled(), (torch.zeros(8, 3),), {"x": {0: Dim("N", min=2)}}


def remembers():
    return Remembers(), (torch.zeros(6, 2),), {"x": {0: Dim("N", min=2)}}


def beside():
    return Global(), (torch.zeros(8, 3),), {"x": {0: Dim("N", min=2)}}
"""


@pytest.mark.parametrize(
    ("name", "changed", "code", "said"),
    [
        ("counter", "n, seen", 0, "(torch): no size makes it fail"),
        ("one_row", "n, seen", 1, "model.py:14: error: indexing needs N >= 2"),
        ("doubled", "width", 1, "model.py:24: error: reshape needs N % 4 == 0"),
        ("remembers", "places.next, places.of", 1, "model.py:41: error: reshape needs N % 3 == 0"),
        ("beside", "model.CALLS", 1, "model.py:51: error: reshape needs N % 2 == 0"),
    ],
)
def test_the_first_call_is_judged_where_attributes_change(
    name: str,
    changed: str,
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The example was run before the export, which then read the second row of ``x``, and needed a third one."""
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(ATTRIBUTES)
    assert main(["check", f"model.py:{name}", "--level", "torch"]) == code
    output = " ".join(capsys.readouterr().out.split())
    assert said in output and "not confirmed" not in output
    assert f"calls change attributes or globals of the model, so only its first call is judged: {changed}" in output
    if code:
        call = output.partition("reproduce ")[2].partition(")) ")[0] + "))"
        namespace: dict[str, Any] = {}
        exec(ATTRIBUTES, namespace)
        with pytest.raises((IndexError, RuntimeError)):
            eval(call, namespace)


ARGUMENTS = """\
import torch
from torch.export import Dim


class Filled(torch.nn.Module):
    def forward(self, x, y):
        x[:, 0] = y
        x.mul_(2)
        return x.reshape(-1, 2)


class Chosen(torch.nn.Module):
    def forward(self, x, n):
        return x.reshape(n.item(), -1)


class Shared(torch.nn.Module):
    def __init__(self):
        super().__init__()
        memory = torch.zeros(16)
        self.register_buffer("whole", memory)
        self.register_buffer("part", memory[4:8])

    def forward(self, x):
        self.part += x.sum()
        return x + self.whole[: x.shape[0]]


def filled(width=3):
    b = Dim("B", min=2)
    return Filled(), (torch.zeros(4, width), torch.zeros(4)), {"x": {0: b}, "y": {0: b}}


def even():
    return filled(4)


def chosen():
    return Chosen(), (torch.ones(8, 3), torch.tensor(2)), {"x": {0: Dim("B", min=2)}, "n": None}


def shared():
    return Shared(), (torch.ones(4),), {"x": {0: Dim("B", min=2)}}
"""


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("filled", 1, "model.py:9: error: the model fails where B % 2 == 0 is false"),
        ("even", 0, "calls change their arguments, in which the lowered program stores nothing: %x"),
        ("chosen", 1, "model.py:14: error: assertion needs (3*B) % n.values[0] == 0"),
        ("shared", 2, "model.py:25: `part` and `whole` share memory, and calls change it here"),
    ],
)
def test_what_a_call_stores_in_arguments_and_asks_of_elements(
    name: str, code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(ARGUMENTS)
    assert main(["check", f"model.py:{name}", "--level", "torch"]) == code
    result = capsys.readouterr()
    assert said in " ".join((result.out + result.err).split())
