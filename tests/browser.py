"""Chromium for tests of pages: opens a file in a window of some width and measures what is there.

The browser is driven over two pipes by the DevTools protocol, which needs no other package. Where
it is missing, tests skip; with PYCDF_BROWSER=must they fail.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser():
    """The path of the browser; the test skips, or fails if it must run, where there is none."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        reason = "no chromium: install it (Debian: apt install chromium) to test pages in a browser"
        if os.environ.get("PYCDF_BROWSER") == "must":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


class Browser:
    """A running browser; use it in a ``with`` statement."""

    def __enter__(self):
        import fcntl  # not on Windows

        path = find_browser()
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        def connect():  # the browser reads commands from 3 and answers on 4
            # Copies above 4: where 3 or 4 is free, a pipe may be there, and the next line closes it
            first, second = (fcntl.fcntl(pipe, fcntl.F_DUPFD, 5) for pipe in (to_read, to_write))
            os.dup2(first, 3)
            os.dup2(second, 4)

        options = [
            "--headless", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
            f"--user-data-dir={self._profile.name}",
        ]  # fmt: skip
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self._process = subprocess.Popen(
            [path, *options, "about:blank"], preexec_fn=connect, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._buffer, self._number, self.events = b"", 0, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        try:
            self._session = None
            self.call("Browser.close")
        finally:
            os.close(self._write)
            os.close(self._read)
            self._process.wait(20)
            self._profile.cleanup()

    _session = None

    def call(self, method, **parameters):
        """Send a command and return its result; events that arrive meanwhile are kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer)
                return answer["result"]
            self.events.append(answer)

    def _next(self):
        while b"\0" not in self._buffer:
            part = os.read(self._read, 2**20)
            assert part, "the browser has ended"
            self._buffer += part
        one, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(one)

    def open(self, path, width=1280, height=900, dark=False):
        """Show a file in a window of a size and wait until it is loaded."""
        self.resize(width, height, dark)
        self.events.clear()
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def resize(self, width, height=900, dark=False):
        """Change the size of the window."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def evaluate(self, script):
        """The value of a JavaScript expression on the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def requests(self):
        """The addresses that the page has asked for, but for data inside the page."""
        asked = [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]
        return [address for address in asked if not address.startswith("data:")]

    def picture(self, whole=True):
        """The page as PNG, all of it or what is in the window."""
        found = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(found["data"])

    def pdf(self):
        """The page as it is printed on A4."""
        found = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69,
                          printBackground=True)  # fmt: skip
        return base64.b64decode(found["data"])
