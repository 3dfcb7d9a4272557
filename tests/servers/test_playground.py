"""Tests of the playground: answers, refusals, and no stored request."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")
from starlette.testclient import TestClient

from shapesolve.servers import playground
from shapesolve.servers.playground_workers import Unanswered, Workers

ROOT = Path(__file__).parents[2]
UNSAFE = """func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
CHECKED = """func.func @double(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %holds = arith.cmpi sge, %d, %c0 : index
  cf.assert %holds, "negative"
  return %a : tensor<?xf32>
}
"""

pytestmark = pytest.mark.process  # the server's workers, which the first request starts


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    application = playground.make_application(jobs=2, seconds=30.0)
    with TestClient(application, base_url="http://127.0.0.1:8033") as found:
        yield found


def answer(client: TestClient, action: str, **texts: str) -> dict[str, Any]:
    found = client.post(f"/do/{action}", json=texts)
    assert found.status_code == 200, found.text
    return found.json()


def test_check_marks_the_line_and_gives_the_counterexample(client: TestClient) -> None:
    found = answer(client, "check", text=UNSAFE)
    (finding,) = found["findings"]
    assert (finding["line"], finding["level"], finding["code"]) == (2, "error", "tosa-add-broadcast")
    assert [each["name"] for each in finding["counterexample"]] == ["%a", "%b"]
    assert finding["fails_at"].startswith("a: 2")
    assert [(each["line"], each["verdict"]) for each in found["marks"]] == [(2, "refuted")]
    assert found["suggestions"] == [{"function": "add", "assumptions": ["compatible(a[0], b[0])"]}]


def test_shapes_stand_at_their_lines(client: TestClient) -> None:
    shapes = answer(client, "shapes", text=CHECKED)["shapes"]
    assert {"line": 3, "name": "%d", "shape": "a[0]"} in shapes


def test_contract_states_the_condition(client: TestClient) -> None:
    assert "compatible(a[0], b[0])" in answer(client, "contract", text=UNSAFE)["report"]


def test_prune_answers_with_the_program_and_the_difference(client: TestClient) -> None:
    found = answer(client, "prune", text=CHECKED)
    assert "cf.assert" not in found["text"]
    assert any(line.startswith("-") and "cf.assert" in line for line in found["diff"])


def test_the_difference_holds_only_what_is_pruned(client: TestClient) -> None:
    own_form = CHECKED.replace("  %", "      %").replace("func.func", "// A comment.\nfunc.func")
    diff = answer(client, "prune", text=own_form)["diff"]
    changed = [line for line in diff[2:] if line[0] in "-+"]
    assert changed and all(line.startswith("-") for line in changed)
    assert len(changed) < len(CHECKED.splitlines()) - 2


def test_an_error_of_refine_names_the_program(client: TestClient) -> None:
    for broken in ("text", "target"):
        texts = {"text": UNSAFE, "target": UNSAFE} | {broken: UNREADABLE}
        found = answer(client, "refine", **texts)
        assert found["of"] == broken and found["error"]


SPLIT = f"{UNSAFE}// -----\n{CHECKED.replace('@double', '@add')}"
UNREADABLE = f"{SPLIT}// -----\nfunc.func @bad() {{ return %nothing : f32 }}\n"


def test_modules_of_a_split_text_are_answered_one_by_one(client: TestClient) -> None:
    found = answer(client, "check", text=UNREADABLE)
    bad = UNREADABLE.count("\n")
    assert [(each["line"], each["code"]) for each in found["findings"]] == [(2, "tosa-add-broadcast"), (bad, "input")]
    assert {(each["line"], each["verdict"]) for each in found["marks"]} == {
        (2, "refuted"),
        (8, "proved"),
        (10, "proved"),
    }
    assert {each["line"] for each in answer(client, "shapes", text=UNREADABLE)["shapes"]} >= {2, 8}
    assert answer(client, "contract", text=SPLIT)["report"].count("module at line ") == 2
    pruned = answer(client, "prune", text=SPLIT)["text"]
    assert pruned.startswith(f"{UNSAFE}// -----\n") and "cf.assert" not in pruned
    refused = answer(client, "prune", text=UNREADABLE)
    assert refused["where"].endswith(f":{bad}:27") and "undeclared" in refused["error"]
    assert "undeclared" in answer(client, "check", text=UNREADABLE.rpartition("// -----\n")[2] + "// -----\n")["error"]


def test_refine_compares_two_programs(client: TestClient) -> None:
    narrow = CHECKED.replace("constant 0", "constant 1").replace("tensor.dim %a, %c0", "tensor.dim %a, %zero")
    narrow = narrow.replace("  %d =", "  %zero = arith.constant 0 : index\n  %d =")
    same, other = (
        answer(client, "refine", text=CHECKED, target=CHECKED),
        answer(client, "refine", text=CHECKED, target=narrow),
    )
    assert "refuted" not in same["report"] and "refuted" in other["report"], other["report"]
    assert (
        "signatures differ" in answer(client, "refine", text=UNSAFE, target=CHECKED.replace("double", "add"))["error"]
    )


def test_text_without_a_line_break_is_no_path(client: TestClient) -> None:
    for text in ("/etc/passwd", "examples/linear.mlir", "model.py:make_model", "-"):
        assert "error" in answer(client, "check", text=text)
        assert "root:" not in json.dumps(answer(client, "check", text=text))


def test_examples_are_those_of_the_repository(client: TestClient) -> None:
    found = client.get("/examples").json()["examples"]
    assert len(found) >= 3
    for each in found:
        assert each["text"] == (ROOT / "examples" / each["name"]).read_text("utf-8")


def test_pages_load_nothing_from_elsewhere(client: TestClient) -> None:
    for path in playground.PAGES:
        found = client.get(path)
        assert found.status_code == 200
        assert "default-src 'none'" in found.headers["content-security-policy"]
    for name in ("index.html", "playground.js", "playground.css"):
        assert "://" not in files("shapesolve.servers").joinpath("pages", name).read_text("utf-8")


def test_other_host_names_are_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "attacker.example"}).status_code == 400


def test_requests_at_the_same_time_get_their_own_answers(client: TestClient) -> None:
    def ask(number: int) -> bool:
        found = answer(client, "check", text=UNSAFE.replace("@add", f"@add{number}"))
        return found["suggestions"][0]["function"] == f"add{number}"

    with ThreadPoolExecutor(10) as pool:
        assert all(pool.map(ask, range(10)))


def hostile() -> list[tuple[str, str, bytes, dict[str, str]]]:
    """Requests that the server itself refuses: method, path, body and headers; always the same ones."""
    chance = random.Random(32)
    typed = {"content-type": "application/json"}
    found: list[tuple[str, str, bytes, dict[str, str]]] = []
    values: list[Any] = [None, 1, 1.5, True, [], {}, ["x"], {"source": "x"}, "x" * 10]
    for action in playground.ACTIONS:
        for value in values:
            found.append(("POST", f"/do/{action}", json.dumps(value).encode(), typed))
            if not isinstance(value, str):
                found.append(("POST", f"/do/{action}", json.dumps({"text": value, "target": value}).encode(), typed))
        for key in ("rules", "path", "file", "options", "libraries", "model", "action", "__class__"):
            found.append(("POST", f"/do/{action}", json.dumps({"text": UNSAFE, key: "/etc/passwd"}).encode(), typed))
        found.append(("POST", f"/do/{action}", b"[" * 100_000, typed))
        found.append(("POST", f"/do/{action}", b'{"text": "' + b"x" * playground.MOST_BYTES + b'"}', typed))
        found.append(("POST", f"/do/{action}", b'{"text": "\\ud800", "target": ""}', typed))
        found.append(("POST", f"/do/{action}", b'{"text": "\xff"}', typed))
        found.append(("POST", f"/do/{action}", json.dumps({"text": UNSAFE}).encode(), {"content-type": "text/plain"}))
        found.append(("GET", f"/do/{action}", b"", {}))
        for _ in range(8):
            found.append(("POST", f"/do/{action}", chance.randbytes(chance.randrange(200)), typed))
    for path in (
        "/../pyproject.toml", "/%2e%2e/pyproject.toml", "/..%2f..%2fetc/passwd", "/examples/../../cli/main.py",
        "/pages/index.html", "/playground.py", "//etc/passwd", "/do/", "/do/rules",
        "/do/__init__", "/do/%00", "/examples/linear.mlir", "/.git/config", "/C:/windows/win.ini",
    ):  # fmt: skip
        found += [("GET", path, b"", {}), ("POST", path, b'{"text": ""}', typed), ("PUT", path, b"", {})]
    return found


def test_hostile_requests_are_refused(client: TestClient) -> None:
    requests = hostile()
    assert len(requests) >= 200
    for method, path, body, headers in requests:
        found = client.request(method, path, content=body, headers=headers)
        assert 400 <= found.status_code < 500, (method, path, body[:60], found.status_code)
        assert "Traceback" not in found.text and "root:" not in found.text
    assert answer(client, "check", text=UNSAFE)["findings"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "{" * 100_000,
        "module {" * 5_000,
        "x" * 200_000,
        "func.func @f(",
        '"\\FF"()',
        "\ufeff\u202e%a",
        UNSAFE[:90],
    ],
    ids=["empty", "nul", "braces", "modules", "long line", "truncated", "escapes", "marks", "cut"],
)
def test_malformed_programs_are_answered(client: TestClient, text: str) -> None:
    found = client.post("/do/check", json={"text": text})
    assert found.status_code in {200, 422}
    assert "Traceback" not in found.text


def test_slow_request_is_given_up() -> None:
    async def main() -> float:
        workers = Workers(jobs=1, seconds=0.001)
        started = time.monotonic()
        with pytest.raises(Unanswered):
            await workers.answer({"action": "check", "text": UNSAFE})
        await workers.close()
        return time.monotonic() - started

    assert asyncio.run(main()) < 20


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_cancelled_request_leaves_no_process() -> None:
    def children() -> int:
        parts = [each.read_text() for each in Path("/proc/self/task").glob("*/children")]
        return sum(len(each.split()) for each in parts)

    async def main() -> None:
        before = children()
        workers = Workers(jobs=1, seconds=30)
        request = asyncio.create_task(workers.answer({"action": "check", "text": UNSAFE}))
        await asyncio.sleep(0.3)
        request.cancel()
        await asyncio.wait([request])
        assert request.cancelled()
        await workers.close()
        assert children() <= before

    asyncio.run(main())
