"""A headless browser driven over its debugging pipe: open a page, type, click, read.

The protocol is the browser's own (Chrome DevTools Protocol); its messages are JSON ended by a zero byte, written to
the browser's file descriptor 3 and read from 4.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

BROWSER = (
    None
    if sys.platform == "win32"
    else shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
"""Path of an installed browser of the Chromium family, or None."""

SECONDS = 60
"""Time limit of one message, and of waiting for a condition."""

_CONTROL = 2
"""Modifier bit of the control key in the protocol."""

_START = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)
"""Puts the two pipes where the browser expects them."""


def _above_standard(descriptor: int) -> int:
    """Return a copy of a descriptor that is none of the browser's own, and close the original."""
    import fcntl  # not on Windows, where no test drives a browser

    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return copy


class Browser:
    """One page of a headless browser; a context manager that ends the browser."""

    def __init__(self, profile: Path, width: int = 1200, height: int = 800) -> None:
        """Start the browser with an empty profile in a folder, and open an empty page."""
        assert BROWSER is not None
        theirs_in, ours_out = (_above_standard(each) for each in os.pipe())
        ours_in, theirs_out = (_above_standard(each) for each in os.pipe())
        options = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(theirs_in), str(theirs_out), BROWSER, *options, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._out, self._in = ours_out, ours_in
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.resize(width, height)

    def __enter__(self) -> Browser:
        """Return the browser."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the browser and its children."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; events that come meanwhile are dropped."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def _read(self) -> dict[str, Any]:
        """Return the next message of the browser."""
        while b"\0" not in self._buffer:
            read = os.read(self._in, 1 << 16)
            assert read, "the browser ended"
            self._buffer += read
        first, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(first)

    def open(self, address: str) -> None:
        """Open an address, also where only its fragment differs from the one that is open."""
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=address)

    def resize(self, width: int, height: int) -> None:
        """Give the page a width and a height in CSS pixels."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def value(self, expression: str) -> Any:
        """Return what a JavaScript expression evaluates to, of the kinds that JSON has."""
        found = self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until a JavaScript expression is true.

        Raises:
            AssertionError: It is not true within `SECONDS`.
        """
        end = time.monotonic() + SECONDS
        while not self.value(f"Boolean({condition})"):
            assert time.monotonic() < end, f"{condition} is still false; the page reads: {self.text()[:2000]}"
            time.sleep(0.05)

    def text(self) -> str:
        """Return the text that the page shows."""
        return self.value("document.body?.innerText ?? ''")

    def click(self, selector: str, containing: str = "") -> None:
        """Click with the mouse on the middle of the first shown element of a selector that contains a text."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find(each => each.offsetParent !== null"
        found += f" && each.textContent.includes({json.dumps(containing)}))"
        self.wait(f"({found}) !== undefined")
        box = self.value(
            f"(() => {{ const found = {found}; found.scrollIntoView({{block: 'center'}});"
            " const box = found.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + Math.min(box.height / 2, 8)]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def replace_text(self, selector: str, text: str) -> None:
        """Click into an editable element, select all that it holds, and type a text."""
        self.click(selector)
        key = {"key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "modifiers": _CONTROL}
        self._call("Input.dispatchKeyEvent", type="rawKeyDown", **key)
        self._call("Input.dispatchKeyEvent", type="keyUp", **key)
        self.type(text)

    def type(self, text: str) -> None:
        """Type a text where the cursor is."""
        self._call("Input.insertText", text=text)
