"""The playground: a page with an editor, and the requests that it makes.

A request holds texts and nothing else: no option, path, rule file or model can be named, and nothing is executed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any, cast

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shapesolve.servers.playground_workers import Overloaded, Unanswered, Workers

MOST_BYTES = 256 << 10
"""Bytes of a request."""
ACTIONS = {
    "check": ("text",),
    "shapes": ("text",),
    "contract": ("text",),
    "prune": ("text",),
    "refine": ("text", "target"),
}
"""The texts of each kind of request."""
PAGES = {
    "/": ("index.html", "text/html"),
    "/playground.js": ("playground.js", "text/javascript"),
    "/playground.css": ("playground.css", "text/css"),
    "/editor.js": ("editor.js", "text/javascript"),
    "/editor.LICENSE.txt": ("editor.LICENSE.txt", "text/plain"),
}
HEADERS = {
    # The editor sets the styles of its own lines; scripts are the page's files alone, and nothing comes from elsewhere.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_HOST_HEADERS = ["127.0.0.1", "localhost", "[::1]"]


class _Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def make_application(*, host: str = "127.0.0.1", jobs: int = 2, seconds: float = 15.0) -> Starlette:
    """Return the playground.

    Args:
        host: The address that it is served at. At a loopback address, requests under another name are refused, so that
            no page elsewhere reaches it by a name of its own.
        jobs: How many requests are answered at a time.
        seconds: Time limit of a request.
    """

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncGenerator[None, None]:
        workers = application.state.workers = Workers(jobs, seconds)
        workers.prepare()
        yield
        await workers.close()

    async def act(request: Request) -> Response:
        try:
            given = await _request(request, seconds)
            found = await _unless_disconnected(request, request.app.state.workers.answer(given))
            return _json(found)
        except _Refused as refused:
            return _json({"error": str(refused), "where": ""}, refused.status)
        except Overloaded:
            return _json({"error": "too many requests at once; try again soon", "where": ""}, 503)
        except Unanswered as ended:
            return _json({"error": str(ended), "where": ""}, 422)
        except ClientDisconnect:
            return Response(status_code=499)

    routes = [Route(path, _page(*page)) for path, page in PAGES.items()]
    routes += [Route("/examples", _examples), Route("/do/{action}", act, methods=["POST"])]
    trusted = [Middleware(TrustedHostMiddleware, allowed_hosts=_HOST_HEADERS)] if host in LOOPBACK else []
    return Starlette(routes=routes, lifespan=lifespan, middleware=trusted)


def _json(found: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(found, status, HEADERS)


def _page(name: str, kind: str) -> Any:
    async def page(_: Request) -> Response:
        return Response(_stored(name), media_type=kind, headers=HEADERS)

    return page


def _stored(name: str) -> bytes:
    return files("shapesolve.servers").joinpath("pages", name).read_bytes()


async def _examples(_: Request) -> Response:
    folder = files("shapesolve.servers").joinpath("pages", "examples")
    found = sorted((each.name, each.read_text("utf-8")) for each in folder.iterdir() if each.name.endswith(".mlir"))
    return _json({"examples": [{"name": name, "text": text} for name, text in found]})


async def _request(request: Request, seconds: float) -> dict[str, Any]:
    """Return the request as the process gets it.

    Raises:
        _Refused: It is too large, too slow, no JSON, or holds anything but its texts.
    """
    action = request.path_params["action"]
    if action not in ACTIONS:
        raise _Refused(404, "no such action: " + ", ".join(ACTIONS))
    # A page elsewhere cannot send this type unasked.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _Refused(415, "the request is not application/json")
    try:
        body = await asyncio.wait_for(_body(request), seconds)
    except TimeoutError:
        raise _Refused(408, f"the request did not arrive within {seconds:g} s") from None
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise _Refused(400, "the request is not JSON in UTF-8") from None
    names = ACTIONS[action]
    if not isinstance(given, dict) or set(cast("dict[str, object]", given)) != set(names):
        raise _Refused(400, f"a {action} request has exactly the texts " + ", ".join(names))
    texts = cast("dict[str, object]", given)
    for each in names:
        text = texts[each]
        if not isinstance(text, str):
            raise _Refused(400, f"{each} is not a text")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise _Refused(400, f"{each} is not Unicode: it has half a surrogate pair") from None
    return {"action": action, **texts}


async def _body(request: Request) -> bytes:
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > MOST_BYTES:
            raise _Refused(413, f"the request is larger than {MOST_BYTES >> 10} KiB")
    return bytes(found)


async def _unless_disconnected(request: Request, work: Any) -> dict[str, Any]:
    """Return the answer, but end its process as soon as the client has gone."""
    answer = asyncio.ensure_future(work)
    try:
        while True:
            done, _ = await asyncio.wait([answer], timeout=0.1)
            if done:
                return answer.result()
            if await request.is_disconnected():
                raise ClientDisconnect
    finally:
        if not answer.done():
            answer.cancel()
            await asyncio.wait([answer])
