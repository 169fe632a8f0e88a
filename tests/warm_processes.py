"""Processes that find numba imported and its compiler warm.

A new process takes most of a second to import numba and to compile its first function. Here one
process does so, and forks for every piece of code, which then runs as `python -c` would run it,
with its own variables, module search path and settings of numba. Without fork, it is `python -c`.
"""

import atexit
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
from functools import cache

SERVER = """
import json, os, signal, socket, sys, tempfile, traceback
import numba
from numba.core import config

for warm in (4, 4.0):
    numba.njit(lambda x: x * 2 + 1)(warm)

def run(task, out, err, end):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.environ.clear()
    os.environ.update(task["variables"])
    config.reload_config()
    tempfile.tempdir = None
    sys.dont_write_bytecode = True
    sys.path[:0] = os.environ["PYTHONPATH"].split(os.pathsep)
    try:
        exec(compile(task["code"], "<string>", "exec"), {"__name__": "__main__"})
        code = b"0"
    except BaseException:
        traceback.print_exc()
        code = b"1"
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(end, code)
    os._exit(0)

signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
tasks = socket.socket(fileno=0)
while True:
    message, files, _, _ = socket.recv_fds(tasks, 1_000_000, 3)
    if not message:
        break
    if os.fork() == 0:
        run(json.loads(message), *files)
    for file in files:
        os.close(file)
"""


class Forked:
    """A piece of code that runs, in a process that was forked for it."""

    def __init__(self, code: str, variables: dict[str, str]) -> None:
        self._out = tempfile.TemporaryFile()  # noqa: SIM115 - communicate() closes them
        self._err = tempfile.TemporaryFile()  # noqa: SIM115
        self._end, end = os.pipe()
        task = json.dumps({"code": code, "variables": variables}).encode()
        socket.send_fds(_server(), [task], [self._out.fileno(), self._err.fileno(), end])
        os.close(end)
        self.returncode: int | None = None

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Wait for the end; return what was written to stdout and to stderr."""
        assert select.select([self._end], [], [], timeout)[0], "the process goes on"
        self.returncode = int(os.read(self._end, 1) or 1)
        os.close(self._end)
        texts = []
        for file in (self._out, self._err):
            file.seek(0)
            texts.append(file.read().decode())
            file.close()
        return texts[0], texts[1]


@cache
def _server() -> socket.socket:
    """Start the process that forks; return the socket on which it waits for code."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    inherited = {name: value for name, value in os.environ.items() if "NUMBA" not in name}
    process = subprocess.Popen([sys.executable, "-c", SERVER], stdin=its, env=inherited)
    its.close()

    @atexit.register
    def stop() -> None:
        ours.close()
        process.wait()

    return ours


def start_python(code: str, variables: dict[str, str]) -> "Forked | subprocess.Popen[str]":
    """Start `python -c code` with these environment variables; it has `communicate`."""
    if hasattr(os, "fork"):
        return Forked(code, variables)
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
