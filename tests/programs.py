"""pycdf's command line in this process, and Python in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from pycdf.cli.main import main

# What this process can import, a new one can, too, from any folder.
IMPORTABLE = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)


def pycdf_run(*arguments, stdin=None):
    """Click's result of ``pycdf arguments``, whatever the exit code is."""
    return CliRunner().invoke(main, [str(one) for one in arguments], input=stdin)


def pycdf_ok(*arguments, stdin=None):
    """The same, and the exit code must be 0."""
    result = pycdf_run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result


def new_process(**variables):
    """The environment of a process that imports what this one does, with more variables."""
    return os.environ | {"PYTHONPATH": IMPORTABLE} | variables


def python_run(*arguments, variables=None, **more):
    """``python arguments`` in a process of its own, with its output as text."""
    return subprocess.run(
        [sys.executable, *arguments],
        env=new_process(**(variables or {})),
        **{"capture_output": True, "text": True, "check": False} | more,
    )


def python_ok(*arguments, **more):
    """The same, and the exit code must be 0; what was printed."""
    done = python_run(*arguments, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def heavy_imports(names, module="pycdf.cli.main"):
    """Those of the named libraries that an import of the module brings with it."""
    code = f"import sys, {module}; print(*sorted(set({list(names)}) & set(sys.modules)))"
    return python_ok("-c", code).split()
